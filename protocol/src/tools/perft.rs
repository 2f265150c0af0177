//! Perft as a tool: counts, time and rate, on as many threads as asked.

use crate::dialects::per_second;
use millrace_engine::{
    Position, Rules,
    perft::{LastPly, Stop, divide_until},
};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use serde::Serialize;
use std::{
    fmt::Write,
    time::{Duration, Instant},
};

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Turns of the sequences.
    pub depth: u32,
    /// Threads that count.
    pub threads: usize,
    /// How the last ply is counted.
    pub last: LastPly,
}

/// The count of the sequences that begin with one turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// The turn.
    pub turn: String,
    /// The count.
    pub nodes: u64,
}

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The rules.
    pub rules: String,
    /// The position.
    pub fen: String,
    /// Turns of the sequences.
    pub depth: u32,
    /// A count for each turn of the position.
    pub branches: Vec<Branch>,
    /// Their sum.
    pub nodes: u64,
    /// How long it took.
    pub microseconds: u64,
    /// Turn sequences a second.
    pub per_second: u64,
}

/// Counts the sequences of turns from a position; `None` if `stop` ended it.
///
/// # Errors
/// If the threads cannot be started.
pub fn run(
    rules: &Rules,
    position: &Position,
    settings: Settings,
    stop: Stop,
) -> Result<Option<Report>, ThreadPoolBuildError> {
    let Settings { depth, threads, last } = settings;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let start = Instant::now();
    let divided = match depth {
        0 => Some(Vec::new()),
        _ => pool.install(|| divide_until(rules, position, depth, last, stop)),
    };
    let time = start.elapsed();
    Ok(divided.map(|turns| {
        let board = rules.board();
        let branches: Vec<Branch> = turns
            .into_iter()
            .map(|(turn, nodes)| Branch { turn: turn.on(board).to_string(), nodes })
            .collect();
        // The empty sequence is the only one of no turns.
        let nodes = if depth == 0 { 1 } else { branches.iter().map(|b| b.nodes).sum() };
        Report {
            rules: rules.to_string(),
            fen: millrace_engine::text::fen(rules, position),
            depth,
            branches,
            nodes,
            microseconds: time.as_micros() as u64,
            per_second: per_second(nodes, time),
        }
    }))
}

impl Report {
    /// A line a turn and the total, as the protocol has it.
    pub fn list(&self) -> String {
        let mut text = String::new();
        for branch in &self.branches {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}: {}", branch.turn, branch.nodes);
        }
        text + &format!("Nodes: {}\n", self.nodes)
    }

    /// Time and rate, as lines.
    pub fn speed(&self) -> String {
        let time = Duration::from_micros(self.microseconds);
        format!(
            "Time: {:.3} s\nRate: {:.1} million/s\n",
            time.as_secs_f64(),
            self.per_second as f64 / 1e6
        )
    }
}
