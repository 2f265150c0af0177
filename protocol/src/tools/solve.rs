//! Solving one position: its exact value and that of each of its turns.

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use millrace_engine::{
    Game, Outcome, Turn,
    solve::Solver,
    table::{Tables, Wdl},
    text::fen,
};
use serde::Serialize;
use std::{
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// How to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Folders with tables.
    pub folders: Vec<PathBuf>,
    /// Memory for parts of tables, in MiB.
    pub table_mib: usize,
    /// Memory for what was found, in MiB.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Solution {
    /// The position.
    pub fen: String,
    /// Its value for the side to move: `win`, `draw` or `loss`.
    pub value: &'static str,
    /// All turns, the best first, and the value of each for the side that makes it.
    pub turns: Vec<(String, &'static str)>,
    /// Positions searched.
    pub nodes: u64,
    /// Positions looked up in tables.
    pub probes: u64,
    /// Milliseconds that it took.
    pub time_ms: u128,
    /// What is wrong with tables that were not needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

fn word(value: Wdl) -> &'static str {
    match value {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

/// Solves the current position of a game. Turns that lead to images of one position are solved
/// once.
///
/// # Errors
/// If the game is over, or a table is missing or damaged.
pub fn run(game: &Game, settings: &Settings) -> anyhow::Result<Solution> {
    let (rules, position) = (game.rules(), game.position());
    if position.outcome(rules) != Outcome::Ongoing {
        bail!("the game is over: {}", position.outcome(rules));
    }
    let start = Instant::now();
    let memory = settings.table_mib << 20;
    let tables = Tables::new(*rules, &settings.folders, memory).with_whole_blocks();
    let stop = AtomicBool::new(false);
    let solver = Solver::new(&tables, settings.hash_mib << 20, settings.threads, &stop);
    let told = || {
        let faults = tables.take_faults();
        if faults.is_empty() {
            "give folders with tables by TablebasePath".into()
        } else {
            faults.join("; ")
        }
    };
    let mut known: Vec<(u64, Wdl)> = Vec::new();
    let mut turns: Vec<(Turn, Wdl)> = Vec::new();
    let legal = position.turns(rules);
    let bar = bar(legal.len());
    for turn in legal {
        bar.set_message(format!("{}, {} positions", turn.on(rules.board()), solver.nodes()));
        let next = position.after(turn);
        let image = next.class(rules).0.packed();
        let found = known.iter().find(|(k, _)| *k == image).map(|(_, value)| *value);
        let value = match found {
            Some(value) => value,
            None => solver.value(&next).with_context(told)?.reversed(),
        };
        known.push((image, value));
        turns.push((turn, value));
        bar.inc(1);
    }
    bar.finish_and_clear();
    turns.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    let best = turns.first().map_or(Wdl::Draw, |(_, value)| *value);
    let name = |turn: &Turn| turn.on(rules.board()).to_string();
    Ok(Solution {
        fen: fen(rules, position),
        value: word(best),
        turns: turns.iter().map(|(turn, value)| (name(turn), word(*value))).collect(),
        nodes: solver.nodes(),
        probes: solver.probes(),
        time_ms: start.elapsed().as_millis(),
        warnings: tables.take_faults(),
    })
}

/// A bar for so many turns; it is seen on a terminal only.
fn bar(turns: usize) -> ProgressBar {
    let bar = ProgressBar::new(turns as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} turns, {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

impl Solution {
    /// The solution as lines.
    pub fn list(&self) -> String {
        let mut text = format!("Fen: {}\nValue: {}\n", self.fen, self.value);
        for (turn, value) in &self.turns {
            text += &format!("  {turn:<10} {value}\n");
        }
        let time = Duration::from_millis(self.time_ms as u64).as_secs_f64();
        text + &format!("Nodes: {}\nLook-ups: {}\nTime: {time:.3} s\n", self.nodes, self.probes)
    }
}
