//! What bounds the value of a node before it is searched: the end of the game, what the hash table
//! knows, and how soon anybody can win at all.

use super::{
    hash::Entry,
    node::Window,
    value::{LOSS, WIN, distance, from_table, is_proven, win_in},
    worker::Worker,
};
use crate::{
    board::Topology,
    position::{Color, Outcome, Position},
    rules::{Blocked, BoardFull, Removals},
};

impl Worker<'_> {
    /// The value of a game that is over. With `HISTORY`, by the way it came as well.
    #[inline(always)]
    pub(super) fn ended<T: Topology, const HISTORY: bool>(
        &self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Option<i32> {
        match position.outcome_on::<T>(&self.rules) {
            Outcome::Ongoing => {
                let proving = window.is_proving();
                (HISTORY && self.path.is_drawn(position, proving)).then_some(0)
            }
            Outcome::Draw(_) => Some(0),
            Outcome::Win(winner, _) if winner == position.side => Some(win_in(ply)),
            Outcome::Win(..) => Some(-win_in(ply)),
        }
    }

    /// What the hash table's value is good for here.
    #[inline(always)]
    pub(super) fn known(
        &self,
        entry: &Entry,
        position: &Position,
        window: Window,
        depth: i32,
        ply: usize,
        proving: bool,
    ) -> Option<i32> {
        let value = from_table(entry.value, ply);
        let high = entry.kind.is_lower() && value >= window.beta;
        let low = entry.kind.is_upper() && value <= window.alpha;
        if !high && !low {
            return None;
        }
        if is_proven(value) && !self.path.in_time(position, distance(entry.value)) {
            return None;
        }
        // A proof holds whatever the depth at which it was found.
        let proof = high && value >= WIN || low && value <= LOSS;
        (proof || entry.depth >= depth && (entry.full_width || !proving)).then_some(value)
    }

    /// The window without values that cannot come out: results nearer than the game can end.
    #[inline(always)]
    pub(super) fn reachable<T: Topology>(
        &self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Window {
        let Window { mut alpha, mut beta } = window;
        if alpha >= WIN {
            beta = beta.min(win_in(ply + self.least_plies::<T>(position, position.side)));
        } else {
            beta = beta.min(win_in(ply + 1));
        }
        if beta <= LOSS {
            alpha = alpha.max(-win_in(ply + 1 + self.least_plies::<T>(position, !position.side)));
        } else {
            alpha = alpha.max(-win_in(ply + 2));
        }
        Window { alpha, beta }
    }

    /// The fewest plies in which a side can win, were it to move: stones must be removed turn by
    /// turn, or the opponent must be blocked.
    fn least_plies<T: Topology>(&self, position: &Position, side: Color) -> usize {
        let rules = &self.rules;
        if rules.line_wins {
            return 1;
        }
        let total = |s| position.stones(s).count_ones() as usize + usize::from(position.hand(s));
        let their_total = total(!side);
        let at_once = if rules.removals == Removals::One { 1 } else { 3 };
        let by_removal = 2 * their_total.saturating_sub(2).div_ceil(at_once).max(1) - 1;
        let flying = their_total <= usize::from(rules.fly) && !rules.move_while_placing;
        let can_fill = their_total + total(side) >= T::G.points;
        let loses = rules.blocked == Blocked::Loses || rules.board_full == BoardFull::Loses;
        if loses && (can_fill || !flying) {
            // The opponent can only be blocked once its hand is empty.
            by_removal.min(2 * usize::from(position.hand(!side)) + 1)
        } else {
            by_removal
        }
    }
}
