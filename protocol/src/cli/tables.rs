//! The flags of the commands that judge by tables, and the tasks that they come to.

use super::{Task, UsageError};
use crate::{
    r#match::{checked::lone, pairs::Pairs},
    state::State,
    tools::{accuracy, solve},
};
use clap::Args;
use millrace_engine::{
    Color, Position,
    search::{self, Limits},
};
use std::path::PathBuf;

pub(super) const SOLVE_HELP: &str = "\
Positions with stones in hand are searched on to positions that tables know. Folders with tables are \
given by TablebasePath; those of small games are part of the program. From the empty board of nine \
men's morris thirty to forty million positions are searched if the tables are of the moving phase alone; \
TablebaseMemory of less than 1024 makes that slower. Neither repetition nor the no-mill rule \
plays a part: the value is that of the stones.

Examples:
  millrace solve -o TablebasePath=nine/ -o TablebaseMemory=1024 --threads 2
  millrace solve --rules six --moves 'a1 b2'";

#[derive(Debug, Args)]
pub(super) struct SolveFlags {
    /// Threads that search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Memory for what was found, in MiB [default: 1024 with more than 14 stones in hand, else 128]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: Option<u32>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) const ACCURACY_HELP: &str = "\
Another engine (--engine) is described by keys and values, as for 'millrace match': cmd, name, args, \
dir, proto, option.NAME, restart, and limits of its own (st, tc, nodes, depth) if it is not to have \
those of the flags. A turn that is not legal counts as a lost value; an engine that crashes or does \
not answer within 60 seconds ends the measurement.

Examples:
  millrace accuracy --rules six --depth 4
  millrace accuracy --tables nine/ --movetime 100 --json
  millrace accuracy --tables nine/ --engine 'cmd=tgf args=\"mill uci\" proto=sanmill st=0.1'";

#[derive(Debug, Args)]
pub(super) struct AccuracyFlags {
    /// Measure another engine, by keys and values as for 'match'
    #[arg(long, value_name = "KEY=VALUE …", conflicts_with = "threads")]
    engine: Option<Pairs>,
    /// Folder with tables; may be given several times
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Positions of each kind and band
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Leave out positions with stones in hand, whose values take long to find
    #[arg(long)]
    moving: bool,
    /// Milliseconds a turn [default: 100]
    #[arg(long, value_name = "MS", group = "limit", value_parser = clap::value_parser!(u32).range(1..=86_400_000))]
    movetime: Option<u32>,
    /// Nodes a turn
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    depth: Option<u32>,
    /// Threads that search a position; of another engine an option says so
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Start of the lot; the same seed draws the same positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// MiB that are enough for what is found on the way from a position to the moving phase.
fn usual_hash(position: &Position) -> usize {
    let in_hand: u8 = Color::BOTH.iter().map(|side| position.hand(*side)).sum();
    if in_hand > 14 { 1024 } else { 128 }
}

impl SolveFlags {
    pub(super) fn task(self, state: &State) -> Task {
        let search = state.options().settings();
        let settings = solve::Settings {
            folders: search.table_folders,
            table_mib: search.table_memory_mib,
            hash_mib: self
                .hash
                .map_or_else(|| usual_hash(state.game().position()), |mib| mib as usize),
            threads: self.threads.into(),
        };
        Task::Solve { game: Box::new(state.game().clone()), settings, json: self.json }
    }
}

impl AccuracyFlags {
    pub(super) fn task(self, state: &State) -> Result<Task, UsageError> {
        const USUAL_MS: u32 = 100;
        let search = state.options().settings();
        let given = self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some();
        let limits = Limits {
            move_time_ms: self.movetime.or((!given).then_some(USUAL_MS)).map(i64::from),
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        };
        let engine = self.engine.map(|pairs| {
            let limited = ["tc", "st", "nodes", "depth"].iter().any(|key| pairs.get(key).is_some());
            let told = if limited && !given { Pairs::default() } else { as_pairs(&limits) };
            lone(&pairs, &told)
        });
        let engine = engine.transpose()?;
        let folders = self.tables.into_iter().chain(search.table_folders.iter().cloned());
        let settings = accuracy::Settings {
            rules: *state.game().rules(),
            folders: folders.collect(),
            positions: self.positions as usize,
            moving_only: self.moving,
            limits,
            search: search::Settings { threads: self.threads.into(), ..search },
            engine,
            seed: self.seed,
        };
        Ok(Task::Accuracy { settings: Box::new(settings), json: self.json })
    }
}

/// Limits as they are said of an engine of a match.
fn as_pairs(limits: &Limits) -> Pairs {
    let seconds = limits.move_time_ms.map(|ms| (ms as f64 / 1000.0).to_string());
    let list = [
        ("st", seconds),
        ("nodes", limits.nodes.map(|n| n.to_string())),
        ("depth", limits.depth.map(|n| n.to_string())),
    ];
    Pairs(list.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?))).collect())
}
