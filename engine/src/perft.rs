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

/// The number of turn sequences of `depth` turns from a position.
pub fn perft(rules: &Rules, pos: &Position, depth: u32, last: LastPly) -> u64 {
    with_topology!(rules.board(), T => count::<T>(rules, pos, depth, last))
}

/// [`perft`] for each legal turn of a position, in parallel on rayon's current thread pool.
/// `depth` counts the first turn and must be at least 1.
pub fn divide(rules: &Rules, pos: &Position, depth: u32, last: LastPly) -> Vec<(Turn, u64)> {
    let turns = pos.turns(rules);
    if depth < 3 {
        let rest = depth.saturating_sub(1);
        return turns.iter().map(|t| (*t, perft(rules, &pos.after(*t), rest, last))).collect();
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
        .map(|(index, piece)| (index, perft(rules, &piece, depth - 2, last)))
        .collect();
    let mut totals = vec![0; turns.len()];
    for (index, count) in counted {
        totals[index] += count;
    }
    turns.into_iter().zip(totals).collect()
}

fn count<T: Topology>(rules: &Rules, pos: &Position, depth: u32, last: LastPly) -> u64 {
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
        _ => {
            let mut total = 0;
            for_each_turn::<T>(rules, pos, |turn| {
                total += count::<T>(rules, &pos.after(turn), depth - 1, last);
            });
            total
        }
    }
}
