//! What ends a search.

use crate::movegen::Turn;

/// What a side has on its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds left; may be zero or negative, which asks for a turn at once.
    pub time_ms: Option<i64>,
    /// Milliseconds added after each own turn.
    pub increment_ms: i64,
}

/// When a search ends. Without any limit it is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// White's and Black's clocks.
    pub clocks: [Clock; 2],
    /// Turns until the next time control.
    pub moves_to_go: Option<u32>,
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// Greatest number of nodes.
    pub nodes: Option<u64>,
    /// Milliseconds for this turn exactly.
    pub move_time_ms: Option<i64>,
    /// Stop once a win in so many own turns is proven.
    pub mate: Option<u32>,
    /// Give no answer before [`Control::stop`].
    pub infinite: bool,
    /// Search on the opponent's time: give no answer before [`Control::stop`] or
    /// [`Control::ponder_hit`]; the clocks count from the latter.
    pub ponder: bool,
    /// Search only these turns; empty = all.
    pub search_moves: Vec<Turn>,
}
