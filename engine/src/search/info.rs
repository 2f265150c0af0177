//! What a search tells: scores, reports of progress, and the result.

use crate::movegen::Turn;
use std::time::Duration;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of about one stone.
    Cp(i32),
    /// A proven win in so many own turns, or (negative or zero) a proven loss in so many of the
    /// loser's turns.
    Mate(i32),
}

/// How a score of an unfinished window is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// What is known after an iteration, or part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies searched in full.
    pub depth: u32,
    /// The deepest ply reached.
    pub sel_depth: u32,
    /// Rank of this line among the best ones, from 1.
    pub multi_pv: usize,
    /// Its value.
    pub score: Score,
    /// Set if the value is only a bound.
    pub bound: Option<Bound>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Permille of the hash table in use.
    pub hash_full: u32,
    /// Positions answered by tables.
    pub table_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The line of best play, the turn to be made first. Empty if there is no legal turn.
    pub pv: Vec<Turn>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// The turn to make; `None` if there is no legal one.
    pub turn: Option<Turn>,
    /// The reply that is expected.
    pub ponder: Option<Turn>,
}
