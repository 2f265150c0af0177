//! Which turn of the placing phase to try first when one that is good enough is looked for.
//!
//! What is seen at a glance counts everywhere: mills and what bars them, open lines, points by their
//! neighbours. Where more is left to search, a small search by the evaluation is added. Measured by
//! the size of the proof that the empty board of nine men's morris is a draw.

use crate::{
    board::Topology,
    eval::Evaluator,
    movegen::{Prospects, Turn, for_each_turn, threats},
    position::{Outcome, Position},
    rules::Rules,
};

/// What is known of a position before its turns are ranked.
pub(super) struct Order<'a> {
    rules: &'a Rules,
    evaluator: &'a Evaluator<'static>,
    prospects: Prospects,
    /// Stones in hand of both sides.
    left: usize,
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
/// For each neighbouring point, and for each stone of the other side there.
const NEIGHBOUR: i32 = 32;
const CROWDED: i32 = 20;
/// With more stones in hand than this a better order saves more than the evaluation costs, and how
/// much the evaluation counts.
const FAR: usize = 4;
const VALUE: i32 = 3;
/// With so many stones in hand turns are searched, a ply deeper for each three more up to the
/// deepest, and how much that counts.
const SEARCHED: usize = 8;
const DEEPEST: usize = 3;
const FOUND: i32 = 4;
/// Beyond any evaluation.
const WON: i32 = 2 * crate::eval::LIMIT;

impl<'a> Order<'a> {
    pub(super) fn new<T: Topology>(
        rules: &'a Rules,
        evaluator: &'a Evaluator<'static>,
        position: &Position,
        left: usize,
    ) -> Self {
        let prospects = Prospects::of::<T>(rules, position);
        Self { rules, evaluator, prospects, left }
    }

    /// Greater is to be tried sooner. `next` is the position after the turn.
    #[inline(always)]
    pub(super) fn rank<T: Topology>(&self, before: &Position, turn: Turn, next: &Position) -> i32 {
        let found = if self.left >= SEARCHED {
            let depth = ((self.left - SEARCHED) / 3 + 1).min(DEEPEST);
            -self.search::<T>(next, depth, -WON, WON)
        } else {
            0
        };
        self.glance::<T>(before, turn, next) + FOUND * found
    }

    #[inline(always)]
    fn glance<T: Topology>(&self, before: &Position, turn: Turn, next: &Position) -> i32 {
        let Some(to) = turn.to() else { return 0 };
        if turn.removed() != 0 {
            let threats = threats::<T>(self.rules, next, next.side()).count_ones() as i32;
            let value = if self.left > 1 { self.evaluator.value_on::<T>(next) } else { 0 };
            return CLOSES - LEAVES * threats - value / REMOVED;
        }
        let has = |set: u32| set >> to & 1 != 0;
        let joined = T::G.joined[to];
        // Points of equal worth come in a fixed order, so that different ways lead to the same
        // stones sooner.
        let mut rank = NEIGHBOUR * joined.count_ones() as i32
            - CROWDED * (joined & before.opponent()).count_ones() as i32
            - to as i32;
        if has(self.prospects.threatened) {
            rank += BARS;
        }
        if has(self.prospects.pairing) {
            let through = &T::G.through[to][..usize::from(T::G.through_count[to])];
            let is_open = |line: &&u32| {
                **line & before.opponent() == 0 && (**line & before.own()).is_power_of_two()
            };
            rank += PAIRS + THREATENS * through.iter().filter(is_open).count() as i32;
        }
        if self.left > FAR {
            rank -= VALUE * self.evaluator.value_on::<T>(next);
        }
        rank
    }

    /// The value of a position for the side to move so many plies on, by the evaluation.
    fn search<T: Topology>(&self, position: &Position, depth: usize, alpha: i32, beta: i32) -> i32 {
        match position.outcome_on::<T>(self.rules) {
            Outcome::Ongoing if depth == 0 => return self.evaluator.value_on::<T>(position),
            Outcome::Ongoing => {}
            Outcome::Draw(_) => return 0,
            Outcome::Win(winner, _) if winner == position.side() => return crate::eval::LIMIT,
            Outcome::Win(..) => return -crate::eval::LIMIT,
        }
        let mut best = -WON;
        for_each_turn::<T>(self.rules, position, |turn| {
            if best < beta {
                let next = position.after(turn);
                best = best.max(-self.search::<T>(&next, depth - 1, -beta, -best.max(alpha)));
            }
        });
        best
    }
}
