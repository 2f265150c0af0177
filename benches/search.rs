//! How soon the search gets to a depth: from the empty board, and on several threads against one. On
//! a busy machine the figures mean little.
//!
//! Each position has a depth of its own, at which one thread is busy for a few tenths of a second: shorter
//! searches tell how long it takes to start a thread.

use clap::Parser;
use millrace_engine::{
    Game, Rules,
    search::{Control, Engine, Limits, Score, Settings},
    text::parse_position,
};
use millrace_protocol::tools::bench::POSITIONS;
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Flags {
    /// Nodes that one thread needs at least for the depth at which threads are compared
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
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
/// A depth that needs more nodes than those asked for by this factor is not looked for.
const TOO_MANY: u64 = 4;
/// Turns from a position of the bench to the second one that is made of it, and the nodes for each.
const TURNS: usize = 6;
const TURN_NODES: u64 = 20_000;

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
    let compared: Vec<_> = positions(flags.nodes).take(COMPARED).collect();
    for (game, depth) in &compared {
        let mut own = [Duration::ZERO; 2];
        for _ in 0..flags.rounds {
            for (number, threads) in [1, usize::from(flags.threads)].into_iter().enumerate() {
                let run = run(game, *depth, threads);
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
    let depths = || compared.iter().map(|(_, depth)| *depth);
    println!(
        "{} positions, each to its depth of {} to {} plies: median {:.2} times as fast, from {:.2} to {:.2}",
        ratios.len(),
        depths().min().unwrap_or_default(),
        depths().max().unwrap_or_default(),
        ratios[ratios.len() / 2],
        ratios[0],
        ratios[ratios.len() - 1]
    );
}

/// The positions of the bench on boards of 24 points, each followed by the one that the program plays from
/// there, with the depth for which one thread needs so many nodes. Those that are soon found to be decided
/// are left out.
fn positions(nodes: u64) -> impl Iterator<Item = (Game, u32)> {
    let games = POSITIONS.iter().filter_map(|(rules, fen)| {
        let rules = Rules::parse(rules).ok()?;
        let position = parse_position(&rules, fen).ok()?;
        (rules.board().points() == 24).then(|| Game::from_position(rules, position))
    });
    let pairs = games.flat_map(|game| {
        let later = played_on(&game);
        [game, later]
    });
    pairs.filter_map(move |game| depth_for(&game, nodes).map(|depth| (game, depth)))
}

/// The game a few of the program's turns later.
fn played_on(game: &Game) -> Game {
    let (mut game, mut engine) = (game.clone(), engine(1));
    for _ in 0..TURNS {
        let limits = Limits { nodes: Some(TURN_NODES), ..Limits::default() };
        let best = engine.search(&game, &limits, &Control::new(), &mut |_| ());
        let Some(turn) = best.turn else { break };
        assert!(game.play(turn), "the turns of the engine are legal");
    }
    game
}

/// The first depth for which one thread needs so many nodes, if the position is not decided before.
fn depth_for(game: &Game, nodes: u64) -> Option<u32> {
    let limits = Limits { nodes: Some(nodes.saturating_mul(TOO_MANY)), ..Limits::default() };
    let mut found = None;
    engine(1).search(game, &limits, &Control::new(), &mut |info| {
        let is_open = matches!(info.score, Score::Cp(_));
        if found.is_none() && info.bound.is_none() && info.nodes >= nodes && is_open {
            found = Some(info.depth);
        }
    });
    found
}

/// An engine that knows nothing yet.
fn engine(threads: usize) -> Engine {
    let settings = Settings { hash_mib: HASH, threads, tables: false, ..Settings::default() };
    let mut engine = Engine::new(settings);
    engine.new_game();
    engine
}

/// Searches a position as if alone.
fn run(game: &Game, depth: u32, threads: usize) -> Run {
    let mut engine = engine(threads);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut nodes, start) = (0, Instant::now());
    engine.search(game, &limits, &Control::new(), &mut |info| nodes = info.nodes);
    Run { nodes, time: start.elapsed() }
}
