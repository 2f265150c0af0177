//! Solving one position: its exact value and that of each of its turns.

use anyhow::{anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use millrace_engine::{
    Game, Outcome, Turn,
    solve::{SolveError, Solver},
    table::{Tables, Wdl},
    text::fen,
};
use serde::Serialize;
use std::{
    path::PathBuf,
    sync::{
        atomic::AtomicBool,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
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
    let bar = bar(position.turns(rules).len());
    let found = while_told(&bar, || solver.nodes(), || values(game, &solver, &bar));
    bar.finish_and_clear();
    let mut turns = found.map_err(|error| explained(&tables, settings, error))?;
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

/// Solves the position after each turn; the value is that for the side that makes it.
fn values(
    game: &Game,
    solver: &Solver<'_>,
    bar: &ProgressBar,
) -> Result<Vec<(Turn, Wdl)>, SolveError> {
    let (rules, position) = (game.rules(), game.position());
    let mut known: Vec<(u64, Wdl)> = Vec::new();
    let mut turns = Vec::new();
    for turn in position.turns(rules) {
        bar.set_prefix(turn.on(rules.board()).to_string());
        let next = position.after(turn);
        let image = next.class(rules).0.packed();
        let found = known.iter().find(|(k, _)| *k == image).map(|(_, value)| *value);
        let value = match found {
            Some(value) => value,
            None => solver.value(&next)?.reversed(),
        };
        known.push((image, value));
        turns.push((turn, value));
        bar.inc(1);
    }
    Ok(turns)
}

/// Why there is no value: what is wrong with tables, in a line each, or else what to do about one that is
/// missing.
fn explained(tables: &Tables, settings: &Settings, error: SolveError) -> anyhow::Error {
    let faults = tables.take_faults();
    if !faults.is_empty() {
        return anyhow!("{}\n{error}", faults.join("\n"));
    }
    anyhow!(error).context(match settings.folders.is_empty() {
        true => "give folders with tables by TablebasePath",
        false => "the folders of TablebasePath have no tables of this game that would be enough",
    })
}

/// A bar for so many turns; it is seen on a terminal only.
fn bar(turns: usize) -> ProgressBar {
    let bar = ProgressBar::new(turns as u64);
    let form = "{bar:20} {pos}/{len} turns, {elapsed} {prefix}, {msg} positions";
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar
}

/// How often the bar is brought up to date.
const TICK: Duration = Duration::from_millis(250);

/// Does some work, and has the bar say meanwhile how many positions there are.
fn while_told<R>(
    bar: &ProgressBar,
    positions: impl Fn() -> u64 + Send,
    work: impl FnOnce() -> R,
) -> R {
    let (working, until) = mpsc::channel::<()>();
    thread::scope(|scope| {
        // Without a thread for it the bar only moves with the turns.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            while until.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(positions().to_string());
                bar.tick();
            }
        });
        let done = work();
        drop(working);
        done
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// If the bar stood still, this would not come to an end.
    #[test]
    fn positions_are_told_while_the_first_turn_is_searched() {
        let (bar, positions) = (bar(1), AtomicU64::new(0));
        while_told(
            &bar,
            || positions.load(Relaxed),
            || {
                for count in [1, 2, 3000] {
                    positions.store(count, Relaxed);
                    while bar.message() != count.to_string() {
                        thread::yield_now();
                    }
                }
            },
        );
        assert_eq!(bar.position(), 0);
    }
}
