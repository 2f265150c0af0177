//! Rules, positions and search for mill games: nine men's morris and its relatives.
//!
//! The library knows nothing of command lines or streams; it is driven by values and callbacks.

pub mod board;
pub mod eval;
mod game;
pub mod hangup;
pub mod index;
mod memory;
pub mod movegen;
pub mod position;
pub mod rules;
pub mod search;
mod sector;
pub mod solve;
pub mod table;

pub mod perft;
pub mod text;

pub use board::Board;
pub use game::{Game, TurnError};
pub use movegen::{Turn, TurnList};
pub use position::{Color, DrawReason, Outcome, Position, PositionError, WinReason};
pub use rules::{Rules, RulesError};
pub use sector::{Sector, SectorError};
