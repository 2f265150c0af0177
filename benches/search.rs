//! How soon the search gets to a depth: from the empty board, and on several threads against one. On
//! a busy machine the figures mean little.

use clap::Parser;
use millrace_engine::{
    Game, Rules,
    search::{Control, Engine, Limits, Settings},
    text::parse_position,
};
use millrace_protocol::tools::bench::POSITIONS;
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Flags {
    /// Depth in plies at which threads are compared
    #[arg(long, default_value_t = 18)]
    depth: u32,
    /// Depth in plies from the empty board
    #[arg(long, default_value_t = 16)]
    first_depth: u32,
    /// Threads that are held against one
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..=512))]
    threads: u16,
    /// Searches of each position, alone and together by turns
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// Positions of which the median is taken.
const COMPARED: usize = 20;
/// Hash table of all searches in MiB.
const HASH: usize = 64;

/// Nodes and time.
struct Run {
    nodes: u64,
    time: Duration,
}

fn main() {
    let flags = Flags::parse();
    let first = run(&Game::new(Rules::default()), flags.first_depth, 1);
    println!(
        "nine, empty board, one thread, Hash {HASH}: {} plies in {:.2} s, {} nodes",
        flags.first_depth,
        first.time.as_secs_f64(),
        first.nodes
    );
    let (mut nodes, mut times, mut ratios) = ([0; 2], [Duration::ZERO; 2], Vec::new());
    for game in positions() {
        let mut own = [Duration::ZERO; 2];
        for _ in 0..flags.rounds {
            for (number, threads) in [1, usize::from(flags.threads)].into_iter().enumerate() {
                let run = run(&game, flags.depth, threads);
                nodes[number] += run.nodes;
                own[number] += run.time;
            }
        }
        times = [0, 1].map(|n| times[n] + own[n]);
        ratios.push(own[0].as_secs_f64() / own[1].as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    let rates = [0, 1].map(|n| nodes[n] as f64 / times[n].as_secs_f64());
    println!(
        "1 thread: {:.0} nodes/s; {} threads: {:.0} nodes/s, {:.2} times as many",
        rates[0],
        flags.threads,
        rates[1],
        rates[1] / rates[0]
    );
    println!(
        "{} plies in {} positions: median {:.2} times as fast, from {:.2} to {:.2}",
        flags.depth,
        ratios.len(),
        ratios[ratios.len() / 2],
        ratios[0],
        ratios[ratios.len() - 1]
    );
}

/// The first positions of the bench on boards of 24 points: the others are searched too soon.
fn positions() -> impl Iterator<Item = Game> {
    let games = POSITIONS.iter().filter_map(|(rules, fen)| {
        let rules = Rules::parse(rules).ok()?;
        let position = parse_position(&rules, fen).ok()?;
        (rules.board().points() == 24).then(|| Game::from_position(rules, position))
    });
    games.take(COMPARED)
}

/// Searches a position as if alone.
fn run(game: &Game, depth: u32, threads: usize) -> Run {
    let settings = Settings { hash_mib: HASH, threads, tables: false, ..Settings::default() };
    let mut engine = Engine::new(settings);
    engine.new_game();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut nodes, start) = (0, Instant::now());
    engine.search(game, &limits, &Control::new(), &mut |info| nodes = info.nodes);
    Run { nodes, time: start.elapsed() }
}
