//! The flags of the command that fits the evaluation, and the task that they come to.

use super::{Task, UsageError};
use crate::{
    state::State,
    tools::tune::{self, Aim, Part},
};
use clap::Args;
use std::path::PathBuf;

pub(super) const TUNE_HELP: &str = "\
Positions are drawn by lot from tables, as many of the moving phase as of the placing phase, as far as \
there are tables of them. Games are played by the engine against itself, from openings of random \
turns; what tables say of a position ends a game. One position of ten is kept back, and the loss \
is told for these. The same seed gives the same weights, however many threads there are.

The weights of the program itself are in engine/src/eval/weights/; a file written there is part of the \
next build. The program has a network for each phase of nine men's morris, and so one is trained for \
the phase that --phase names.

Examples:
  millrace tune --rules six --out six.txt
  millrace tune --tables nine/ --positions 2000000 --games 20000 --out nine.txt
  millrace tune --rules lasker --games 20000 --nodes 2000 --out lasker.txt
  millrace tune --tables nine/ --network --phase moving --positions 20000000 --out nine.net";

#[derive(Debug, Args)]
pub(super) struct TuneFlags {
    /// Train the network of one phase (--phase) instead of the weights
    #[arg(long, requires_all = ["out", "phase"])]
    network: bool,
    /// How often the network sees each position
    #[arg(long, value_name = "N", default_value_t = 10, requires = "network")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Folder with tables; may be given several times
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Learn from positions of one phase only, of tables and of games [default: both]
    #[arg(long, value_enum, value_name = "PHASE")]
    phase: Option<Part>,
    /// Positions to draw from tables, of each phase
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32))]
    positions: u32,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32))]
    games: u32,
    /// Nodes of a turn in games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Start of all chance; the same seed gives the same weights
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seed: u64,
    /// Write the weights, or the network, to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out replace a file that exists
    #[arg(long, requires = "out")]
    overwrite: bool,
}

impl TuneFlags {
    pub(super) fn task(self, state: &State) -> Result<Task, UsageError> {
        if (self.positions, self.games) == (0, 0) {
            return Err(UsageError::NothingToLearn);
        }
        let search = state.options().settings();
        let folders = self.tables.into_iter().chain(search.table_folders.iter().cloned());
        let aim = match self.network {
            true => Aim::Network { epochs: self.epochs as usize },
            false => Aim::Weights,
        };
        Ok(Task::Tune(Box::new(tune::Settings {
            aim,
            rules: *state.game().rules(),
            folders: folders.collect(),
            table_mib: search.table_memory_mib,
            parts: self.phase.map_or(Part::ALL.to_vec(), |part| vec![part]),
            positions: self.positions as usize,
            games: self.games as usize,
            nodes: self.nodes,
            seed: self.seed,
            search,
            out: self.out,
            overwrite: self.overwrite,
        })))
    }
}
