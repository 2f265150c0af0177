//! The null move: whoever stands well even if the opponent makes two turns in a row need not be
//! searched deep (Chrilly Donninger). Being blocked is zugzwang in these games, so it is done
//! only where stones in hand last beyond the horizon, or a side is far from being blocked.

use super::{
    node::{Scout, Window},
    value::is_proven,
    worker::Worker,
};
use crate::{board::Topology, position::Position};

/// The least depth at which it saves more than it costs.
const LEAST_DEPTH: i32 = 3;
/// Empty points next to own stones with which a side is not about to be blocked.
const FREE: u32 = 6;

impl Worker<'_> {
    /// A value at or above the window, if the side to move has it without a turn. `value` is that
    /// of the position at a glance.
    #[inline(always)]
    pub(super) fn stand_still<T: Topology>(
        &mut self,
        position: &Position,
        window: Window,
        depth: i32,
        ply: usize,
        value: i32,
    ) -> Option<i32> {
        let beta = window.beta;
        if depth < LEAST_DEPTH
            || value < beta
            || is_proven(beta)
            || !self.may_pass::<T>(position, depth)
        {
            return None;
        }
        let next = Position { side: !position.side, ..*position };
        let below = (depth - 3 - depth / 4).max(0);
        self.path.push_null(&next);
        let scout = Window { alpha: -beta, beta: -beta + 1 };
        let value = -self.search::<T, Scout>(&next, scout, below, ply + 1, None);
        self.path.pop();
        // A win that needs the opponent's help to begin with is none.
        (!self.stopped && value >= beta && !is_proven(value)).then_some(value)
    }

    /// Whether the side to move would hardly be worse off for being allowed to pass.
    #[inline(always)]
    fn may_pass<T: Topology>(&self, position: &Position, depth: i32) -> bool {
        let (rules, side) = (&self.rules, position.side);
        if rules.line_wins || position.owed > 0 || !position.can_act::<T>(rules, !side) {
            return false;
        }
        let hands = position.hands.map(i32::from);
        let placing = depth <= 2 * hands[0].min(hands[1]);
        let free = || (T::joined_to(position.own()) & position.empty(T::G.all)).count_ones();
        let roaming = || position.is_moving_phase() && !position.flies(rules, side);
        placing || roaming() && free() >= FREE
    }
}
