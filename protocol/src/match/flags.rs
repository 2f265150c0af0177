//! The command line of a match as typed, and the same from a configuration file. `checked` makes
//! settings of it.

use super::{pairs::Pairs, tables::Ends};
use clap::{Args, Subcommand};
use serde::Deserialize;
use std::{ops::RangeInclusive, path::PathBuf};

/// Flags of `match`; also the keys of a configuration file.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MatchFlags {
    /// What to do with matches that were played.
    #[command(subcommand)]
    #[serde(skip)]
    pub command: Option<MatchCommand>,
    /// The rules, in a configuration file.
    #[arg(skip)]
    pub rules: Option<String>,
    /// An engine, by keys and values; twice or more
    #[arg(long, value_name = "KEY=VALUE …", help_heading = "Who plays")]
    pub engine: Vec<Pairs>,
    /// Keys and values for every engine that does not have its own
    #[arg(long, value_name = "KEY=VALUE …", help_heading = "Who plays")]
    pub each: Option<Pairs>,
    /// Read all of this from a file; what stands on the command line goes before it
    #[arg(long, value_name = "FILE", help_heading = "Who plays")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Rounds; in each, every two engines play a pair of games [default: 100, with --sprt 50000]
    #[arg(long, value_name = "N", help_heading = "How much")]
    pub rounds: Option<u32>,
    /// Gauntlet: the first N engines play all others, who do not play each other
    #[arg(long, value_name = "N", help_heading = "How much")]
    pub seeds: Option<usize>,
    /// Stop when a test has decided: "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized"
    #[arg(long, value_name = "KEY=VALUE …", help_heading = "How much")]
    pub sprt: Option<Pairs>,
    /// Play only part I of N of the rounds; 'match merge' puts the parts together
    #[arg(long, value_name = "I/N", help_heading = "How much")]
    pub shard: Option<String>,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", help_heading = "How much")]
    pub concurrency: Option<usize>,
    /// Give each of them a processor of its own
    #[arg(long, help_heading = "How much")]
    pub affinity: bool,
    /// Openings from a file: "file=book.txt order=sequential|random start=1"
    #[arg(long, value_name = "KEY=VALUE …", help_heading = "Openings")]
    pub openings: Option<Pairs>,
    /// Of the order of openings [default: 1]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    pub seed: Option<u64>,
    /// A win that both engines see ends the game: "moves=3 score=500"
    #[arg(long, value_name = "KEY=VALUE …", help_heading = "Ending games early")]
    pub resign: Option<Pairs>,
    /// A draw that both engines see ends the game: "from=60 moves=8 score=10"
    #[arg(long, value_name = "KEY=VALUE …", help_heading = "Ending games early")]
    pub draw: Option<Pairs>,
    /// A game whose value tables know ends, and the record marks turns that gave a value away.
    /// Without folders: by the tables that are part of the program, if it has any of the game
    #[arg(long, value_name = "DIR", num_args = 0.., help_heading = "Ending games early")]
    pub tables: Option<Vec<PathBuf>>,
    /// Known values (--tables) that end a game; with 'none' turns are only marked [default: all]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Ending games early")]
    pub tables_end: Option<Ends>,
    /// A game of so many plies is drawn [default: 2000]
    #[arg(long, value_name = "N", help_heading = "Ending games early")]
    pub max_plies: Option<u32>,
    /// Give an engine up that has not answered for so long, in seconds [default: 60]; that one is
    /// waited for is told after 5 seconds
    #[arg(long, value_name = "S", help_heading = "Trouble")]
    pub guard: Option<f64>,
    /// Stop the match after so many troubles of one engine
    #[arg(long, value_name = "N", help_heading = "Trouble")]
    pub max_troubles: Option<u64>,
    /// The state of the match, saved after every game [default: match.state]
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub state: Option<PathBuf>,
    /// Go on with the match in that state
    #[arg(long, help_heading = "Files")]
    #[serde(skip)]
    pub resume: bool,
    /// Begin anew even if a match is there
    #[arg(long, conflicts_with = "resume", help_heading = "Files")]
    #[serde(skip)]
    pub overwrite: bool,
    /// Append the record of every game to a file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub record: Option<PathBuf>,
    /// Append all talk with the engines to a file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub log: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Where there is no terminal, tell the standing every N pairs; 0 = never [default: 10]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub report_every: Option<u64>,
}

/// Commands beside playing.
#[derive(Clone, Debug, Subcommand)]
pub enum MatchCommand {
    /// Put the states of a match's parts together, and report on all of it. The exit code is 1 if
    /// games are missing
    Merge(MergeFlags),
}

/// Flags of `match merge`.
#[derive(Args, Clone, Debug)]
pub struct MergeFlags {
    /// The states
    #[arg(required = true, value_name = "STATE")]
    pub states: Vec<PathBuf>,
    /// Write the whole state here
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `openings`.
#[derive(Args, Clone, Debug)]
pub struct OpeningsFlags {
    /// Random turns of both sides together
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub plies: u32,
    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub count: u32,
    /// Of all chance
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub seed: u64,
    /// Keep only those that a search scores within CP hundredths of a stone, either way
    #[arg(long, value_name = "CP")]
    pub balance: Option<u32>,
    /// Keep only those in which it finds one side ahead by at least CP hundredths, but no win
    #[arg(long, value_name = "CP")]
    pub unbalance: Option<u32>,
    /// Nodes of that search
    #[arg(long, value_name = "N", default_value_t = 50_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
}

impl OpeningsFlags {
    /// The scores that openings may have, whichever side is ahead; any if neither bound was given. An
    /// empty range if the bounds are crossed.
    pub fn score(&self) -> Option<RangeInclusive<u32>> {
        let any = self.unbalance.is_none() && self.balance.is_none();
        (!any).then(|| self.unbalance.unwrap_or(0)..=self.balance.unwrap_or(u32::MAX))
    }
}

impl MatchFlags {
    /// These flags; what is missing is taken from a file's.
    pub fn or(self, file: MatchFlags) -> MatchFlags {
        MatchFlags {
            command: self.command,
            rules: self.rules.or(file.rules),
            engine: if self.engine.is_empty() { file.engine } else { self.engine },
            each: match (self.each, file.each) {
                (Some(own), Some(from_file)) => Some(own.or(&from_file)),
                (own, from_file) => own.or(from_file),
            },
            config: self.config,
            rounds: self.rounds.or(file.rounds),
            seeds: self.seeds.or(file.seeds),
            sprt: self.sprt.or(file.sprt),
            shard: self.shard.or(file.shard),
            concurrency: self.concurrency.or(file.concurrency),
            affinity: self.affinity || file.affinity,
            openings: self.openings.or(file.openings),
            seed: self.seed.or(file.seed),
            resign: self.resign.or(file.resign),
            draw: self.draw.or(file.draw),
            tables: self.tables.or(file.tables),
            tables_end: self.tables_end.or(file.tables_end),
            max_plies: self.max_plies.or(file.max_plies),
            guard: self.guard.or(file.guard),
            max_troubles: self.max_troubles.or(file.max_troubles),
            state: self.state.or(file.state),
            resume: self.resume,
            overwrite: self.overwrite,
            record: self.record.or(file.record),
            log: self.log.or(file.log),
            json: self.json || file.json,
            report_every: self.report_every.or(file.report_every),
        }
    }
}
