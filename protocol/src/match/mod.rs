//! Matches between engines: which one is stronger.
//!
//! An engine is a process that speaks one of the dialects; nothing else is known of it. The referee
//! plays every turn on a board of its own and trusts nothing that engines claim. The shape (types,
//! engines, matchmaking, statistics, each small) is that of the chess runner fastchess.

pub mod adjudicate;
mod affinity;
mod announced;
pub mod checked;
pub mod clock;
pub mod command;
pub mod dialect;
pub mod flags;
pub mod openings;
pub mod pairs;
pub mod player;
pub mod process;
mod progress;
mod pulse;
pub mod rating;
pub mod record;
pub mod referee;
mod report;
mod runner;
pub mod schedule;
pub mod settings;
pub mod sprt;
mod standing;
pub mod state;
pub mod stats;
pub mod tables;
pub mod talk;
pub mod trouble;
mod worker;
