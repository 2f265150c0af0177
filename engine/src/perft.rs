//! Perft: the number of turn sequences of a given length, the classic test of turn generation.
//!
//! History does not count here: no repetition, no no-mill rule.

use crate::{
    board::Topology,
    movegen::{Turn, count_turns, for_each_turn},
    position::Position,
    rules::Rules,
    with_topology,
};
use rayon::prelude::*;

/// How the last ply is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastPly {
    /// The legal turns before it are counted without making them.
    Bulk,
    /// Every turn is made.
    Made,
}

/// The number of turn sequences of `depth` turns from a position; a pass is a turn. The empty
/// sequence counts too, so that depth 0 gives 1.
pub fn perft(rules: &Rules, pos: &Position, depth: u32, last: LastPly) -> u64 {
    with_topology!(rules.board(), T => count::<T>(rules, pos, depth, last, &|| false))
}

/// [`perft`] for each legal turn of a position, in parallel on rayon's current thread pool.
/// `depth` counts the first turn; 0 is taken as 1.
pub fn divide(rules: &Rules, pos: &Position, depth: u32, last: LastPly) -> Vec<(Turn, u64)> {
    divide_until(rules, pos, depth, last, &|| false).unwrap_or_default()
}

/// When counting is to end early.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The smallest depth at which `stop` is asked: below it a count takes less than about a
/// millisecond, and asking would cost more than it is worth.
const ASKS_FROM: u32 = 4;

/// [`divide`] that gives up with `None` soon after `stop` says so.
pub fn divide_until(
    rules: &Rules,
    pos: &Position,
    depth: u32,
    last: LastPly,
    stop: Stop,
) -> Option<Vec<(Turn, u64)>> {
    let turns = pos.turns(rules);
    if depth < 3 {
        let rest = depth.saturating_sub(1);
        return Some(
            turns.iter().map(|t| (*t, perft(rules, &pos.after(*t), rest, last))).collect(),
        );
    }
    // Two plies of the tree make enough pieces to keep all threads busy to the end.
    let pieces: Vec<(usize, Position)> = turns
        .iter()
        .enumerate()
        .flat_map(|(index, turn)| {
            let next = pos.after(*turn);
            next.turns(rules).into_iter().map(move |reply| (index, next.after(reply)))
        })
        .collect();
    let counted: Vec<(usize, u64)> = pieces
        .into_par_iter()
        .map(|(index, piece)| {
            let count = with_topology!(rules.board(), T => {
                count::<T>(rules, &piece, depth - 2, last, stop)
            });
            (index, count)
        })
        .collect();
    if stop() {
        return None;
    }
    let mut totals = vec![0; turns.len()];
    for (index, count) in counted {
        totals[index] += count;
    }
    Some(turns.into_iter().zip(totals).collect())
}

fn count<T: Topology>(rules: &Rules, pos: &Position, depth: u32, last: LastPly, stop: Stop) -> u64 {
    match (depth, last) {
        (0, _) => 1,
        (1, LastPly::Bulk) => count_turns::<T>(rules, pos),
        (1, LastPly::Made) => {
            let mut total = 0;
            for_each_turn::<T>(rules, pos, |turn| {
                std::hint::black_box(pos.after(turn));
                total += 1;
            });
            total
        }
        _ if depth >= ASKS_FROM && stop() => 0,
        _ => {
            let mut total = 0;
            for_each_turn::<T>(rules, pos, |turn| {
                total += count::<T>(rules, &pos.after(turn), depth - 1, last, stop);
            });
            total
        }
    }
}
