//! Which turn of the placing phase to try first when one that is good enough is looked for.
//!
//! Cheap things only, since a proof looks at tens of millions of positions: mills and what bars
//! them, open lines, and points by their number of neighbours. Measured by the size of the proof
//! that the empty board of nine men's morris is a draw.

use crate::{
    board::Topology,
    eval::Evaluator,
    movegen::{Turn, threats},
    position::{Color, Position},
    rules::Rules,
    table::two_colouring,
};

/// What is seen of a position before its turns are ranked.
pub(super) struct Order<'a> {
    /// Whether there is so much left to search that the evaluation is worth its time.
    is_far: bool,
    rules: &'a Rules,
    evaluator: &'a Evaluator<'static>,
    /// Where the other side could complete a line.
    barred: u32,
    /// Whether this is the last placement, and if so, the points of the second colour.
    is_last: bool,
    second: u32,
}

const CLOSES: i32 = 10_000;
const BARS: i32 = 5_000;
/// For each mill that the other side can still close after one's own.
const LEAVES: i32 = 500;
/// Share of the evaluation that counts after a removal.
const REMOVED: i32 = 8;
/// For making two of an open line, and for each line.
const PAIRS: i32 = 100;
const THREATENS: i32 = 200;
/// For a last placement after which the position is stored, and need not be derived from others.
const STORED: i32 = 1_000;
/// With more stones in hand than this a better order saves more than the evaluation costs.
const FAR: u8 = 4;
/// For each neighbouring point, and for each stone of the other side there.
const NEIGHBOUR: i32 = 32;
const CROWDED: i32 = 20;

impl<'a> Order<'a> {
    pub(super) fn new<T: Topology>(
        rules: &'a Rules,
        evaluator: &'a Evaluator<'static>,
        position: &Position,
    ) -> Self {
        let left = Color::BOTH.iter().map(|side| position.hand(*side)).sum::<u8>();
        Self {
            is_far: left > FAR,
            rules,
            evaluator,
            is_last: left == 1,
            second: if left == 1 { two_colouring(rules.board()).unwrap_or(0) } else { 0 },
            barred: threats::<T>(rules, position, !position.side()),
        }
    }

    /// Greater is to be tried sooner. `next` is the position after the turn.
    #[inline(always)]
    pub(super) fn rank<T: Topology>(&self, before: &Position, turn: Turn, next: &Position) -> i32 {
        let Some(to) = turn.to() else { return 0 };
        if turn.removed() != 0 {
            let left = threats::<T>(self.rules, next, next.side()).count_ones() as i32;
            let value = if self.is_last { 0 } else { self.evaluator.value_on::<T>(next) };
            return CLOSES - LEAVES * left - value / REMOVED;
        }
        let has = |set: u32| (set >> to & 1) as i32;
        let joined = T::G.joined[to];
        let through = &T::G.through[to][..usize::from(T::G.through_count[to])];
        let is_open = |line: &&u32| {
            **line & before.opponent() == 0 && (**line & before.own()).is_power_of_two()
        };
        let lines = through.iter().filter(is_open).count() as i32;
        let stones = next.own() | next.opponent();
        let stored = i32::from((stones & self.second).count_ones().is_multiple_of(2));
        // Points of equal worth come in a fixed order, so that different ways lead to the same
        // stones sooner.
        let value = if self.is_far { self.evaluator.value_on::<T>(next) } else { 0 };
        BARS * has(self.barred)
            + THREATENS * lines
            + PAIRS * lines.min(1)
            + NEIGHBOUR * joined.count_ones() as i32
            - CROWDED * (joined & before.opponent()).count_ones() as i32
            + STORED * stored
            - value
            - to as i32
    }
}
