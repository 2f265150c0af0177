//! Values inside the search: plain integers for the side to move, so that a window is two of them.
//!
//! From below: evaluations, the band of wins known from tables, and proven wins by their distance.

use super::Score;

/// The value of having won; a win `n` plies away is worth `n` less.
pub(super) const MATE: i32 = 32_000;
/// Values from here on are proven wins, and their negatives proven losses.
pub(super) const WIN: i32 = MATE - 1_000;
/// Beyond every value.
pub(super) const INFINITE: i32 = MATE + 1;
/// The greatest distance from the root at which turns are still made.
pub(super) const MAX_PLY: usize = 240;
/// The greatest depth of an iteration.
pub(super) const MAX_DEPTH: i32 = 200;

/// The value of being about to win in so many plies.
#[inline(always)]
pub(super) fn win_in(plies: usize) -> i32 {
    MATE - plies as i32
}

/// The value of a win that is known only from tables without distances, seen so many plies on.
#[inline(always)]
pub(super) fn table_win(ply: usize) -> i32 {
    20_000 - ply as i32
}

/// Whether a value is a proven win or loss.
#[inline(always)]
pub(super) fn is_proven(value: i32) -> bool {
    value.abs() >= WIN
}

/// The plies to the end of a game with a proven value.
#[inline(always)]
pub(super) fn distance(value: i32) -> i32 {
    MATE - value.abs()
}

/// A value seen from the root as one seen from a position `ply` plies on, as the hash table keeps
/// it: the same position may be reached after more or fewer turns.
#[inline(always)]
pub(super) fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        WIN.. => value + ply as i32,
        i32::MIN..=LOSS => value - ply as i32,
        _ => value,
    }
}

/// Undoes [`to_table`].
#[inline(always)]
pub(super) fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        WIN.. => (value - ply as i32).max(WIN),
        i32::MIN..=LOSS => (value + ply as i32).min(LOSS),
        _ => value,
    }
}

/// Values up to here are proven losses.
pub(super) const LOSS: i32 = -WIN;

/// A value as callers see it.
pub(super) fn to_score(value: i32) -> Score {
    if !is_proven(value) {
        Score::Cp(value)
    } else if value > 0 {
        Score::Mate((distance(value) + 1) / 2)
    } else {
        Score::Mate(-distance(value) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_count_own_turns() {
        assert_eq!(to_score(win_in(1)), Score::Mate(1));
        assert_eq!(to_score(win_in(9)), Score::Mate(5));
        assert_eq!(to_score(-win_in(0)), Score::Mate(0));
        assert_eq!(to_score(-win_in(8)), Score::Mate(-4));
        assert_eq!(to_score(-37), Score::Cp(-37));
    }

    #[test]
    fn distances_survive_the_table() {
        for value in [win_in(7), -win_in(12), 300, -300, 0] {
            assert_eq!(from_table(to_table(value, 5), 5), value);
        }
        assert_eq!(from_table(to_table(win_in(9), 4), 0), win_in(5));
    }
}
