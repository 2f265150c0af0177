//! Bench: a fixed set of positions searched to a fixed depth. The total of nodes is a signature: as
//! long as it stays the same, the search behaves the same (an idea of Stockfish's authors).

mod positions;

pub use positions::POSITIONS;

use crate::{command::BenchArgs, dialects::per_second};
use millrace_engine::{
    Game, Rules,
    search::{self, Control, Engine, HashError, Limits},
    text::parse_position,
};
use std::time::{Duration, Instant};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Depth in plies.
    pub depth: u32,
    /// Threads that search; more than one make the total vary.
    pub threads: usize,
    /// Hash table in MiB.
    pub hash: usize,
}

/// Deep enough to tell searches apart and for starting threads not to matter, and done in a few
/// seconds.
const DEPTH: u32 = 17;

impl Default for Settings {
    fn default() -> Self {
        Self { depth: DEPTH, threads: 1, hash: 16 }
    }
}

impl From<BenchArgs> for Settings {
    fn from(args: BenchArgs) -> Self {
        let Self { depth, threads, hash } = Self::default();
        Self {
            depth: args.depth.unwrap_or(depth),
            threads: args.threads.unwrap_or(threads),
            hash: args.hash.unwrap_or(hash),
        }
    }
}

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Total {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl Total {
    /// The totals as lines.
    pub fn list(&self) -> String {
        format!(
            "Time: {} ms\nNodes: {}\nNodes/second: {}\n",
            self.time.as_millis(),
            self.nodes,
            per_second(self.nodes, self.time)
        )
    }
}

/// Searches all positions, each as if alone, and reports a line for each. `None` if `control` ended
/// it.
///
/// # Errors
/// If there is no memory for the hash table.
pub fn run(
    settings: Settings,
    control: &Control,
    report: &mut dyn FnMut(&str),
) -> Result<Option<Total>, HashError> {
    let least = search::Settings { hash_mib: 1, ..search::Settings::default() };
    let mut engine = Engine::new(least.clone());
    engine.configure(search::Settings {
        hash_mib: settings.hash,
        threads: settings.threads,
        // What is measured is the search.
        tables: false,
        ..least
    })?;
    let limits = Limits { depth: Some(settings.depth), ..Limits::default() };
    let mut total = Total { nodes: 0, time: Duration::ZERO };
    for (number, (rules, fen)) in POSITIONS.iter().enumerate() {
        let Some(game) = game(rules, fen) else { continue };
        engine.new_game();
        let mut nodes = 0;
        let start = Instant::now();
        let best = engine.search(&game, &limits, control, &mut |info| nodes = info.nodes);
        if control.is_stopped() {
            return Ok(None);
        }
        total.time += start.elapsed();
        total.nodes += nodes;
        let turn =
            best.turn.map_or("(none)".to_string(), |t| t.on(game.rules().board()).to_string());
        report(&format!("{:>2}/{} {rules:<11} {nodes:>10} {turn}", number + 1, POSITIONS.len()));
    }
    Ok(Some(total))
}

fn game(rules: &str, fen: &str) -> Option<Game> {
    let rules = Rules::parse(rules).ok()?;
    let position = parse_position(&rules, fen).ok()?;
    Some(Game::from_position(rules, position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_engine::rules::PRESETS;

    #[test]
    fn every_position_is_one_of_a_game_under_way() {
        for (rules, fen) in POSITIONS {
            let game = game(rules, fen).unwrap_or_else(|| panic!("{rules} {fen}"));
            assert!(!game.outcome().is_over(), "{rules} {fen}");
        }
    }

    #[test]
    fn every_preset_is_there_in_both_phases() {
        assert!(POSITIONS.len() >= 30);
        for preset in PRESETS {
            let phases: Vec<bool> = POSITIONS
                .iter()
                .filter(|(rules, _)| *rules == preset.name)
                .filter_map(|(rules, fen)| game(rules, fen))
                .map(|game| game.position().is_moving_phase())
                .collect();
            assert!(phases.contains(&true) && phases.contains(&false), "{}", preset.name);
        }
    }
}
