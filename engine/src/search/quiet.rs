//! The quiet search at the horizon: only turns that close a mill are tried, since they change the
//! balance of stones, and the side to move may stand still instead. Who is about to lose a stone
//! may not, and must show that it can bar the mill.

use super::{
    node::Window,
    order::Ranked,
    value::{MAX_PLY, is_proven},
    worker::Worker,
};
use crate::{
    board::{Points, Topology, at_most},
    movegen::{Turn, for_each_turn, removable, threats},
    position::{Color, Position},
    rules::{Removals, Rules},
};

/// Centi-stones that closing a mill brings at most, as a rule.
const GAIN: i32 = 220;
/// Centi-stones that it costs at least to let the opponent close one.
const HARM: i32 = 60;

impl Worker<'_> {
    /// The value of a position at rest, at the horizon of the main search.
    pub(super) fn quiesce<T: Topology>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> i32 {
        self.calm::<T, true>(position, window, ply, LONGEST)
    }

    /// [`quiesce`](Self::quiesce) with at most `left` more closings in a row. `TOP` says that the
    /// position was reached by any turn, and not by one of this search, after which the history
    /// does not count.
    fn calm<T: Topology, const TOP: bool>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        left: usize,
    ) -> i32 {
        if self.visit() {
            return 0;
        }
        if let Some(value) = self.ended::<T, TOP>(position, window, ply) {
            return value;
        }
        let Window { mut alpha, beta } = window;
        let mut best = self.glance::<T>(position);
        if TOP
            && best >= beta
            && best - HARM < beta
            && ply < MAX_PLY
            && let Some(value) = self.parry::<T>(position, window, ply, left, best - HARM)
        {
            return value;
        }
        if best >= beta || ply >= MAX_PLY || left == 0 {
            return best;
        }
        let last_stones = is_last_stand(position);
        if best + GAIN <= alpha && !last_stones {
            return best;
        }
        alpha = alpha.max(best);
        let begin = self.turns.len();
        let turns = &mut self.turns;
        for_each_closing::<T>(&self.rules, position, |turn| turns.push(Ranked { turn, rank: 0 }));
        let end = turns.len();
        if end > begin {
            self.memory.rank_closings::<T>(position, &mut turns[begin..]);
        }
        for at in begin..end {
            let turn = self.pick(at, end).turn;
            let next = position.after(turn);
            let below = Window { alpha: -beta, beta: -alpha };
            let value = -self.calm::<T, false>(&next, below, ply + 1, left - 1);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
            // Which stone is removed seldom decides; the likely ones come first.
            if at - begin + 1 >= left && !is_proven(best) && !last_stones {
                break;
            }
        }
        self.turns.truncate(begin);
        best
    }
}

impl Worker<'_> {
    /// The value if the opponent threatens to close a mill and cannot be forestalled: that of the
    /// best way to bar it, or of leaving it.
    #[inline(always)]
    fn parry<T: Topology>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        left: usize,
        leaving: i32,
    ) -> Option<i32> {
        // Against flying stones there is no barring.
        if Color::BOTH.into_iter().any(|side| position.flies(&self.rules, side)) {
            return None;
        }
        let theirs = threats::<T>(&self.rules, position, !position.side);
        if theirs == 0 || threats::<T>(&self.rules, position, position.side) != 0 {
            return None;
        }
        let Window { mut alpha, beta } = window;
        let mut best = leaving;
        alpha = alpha.max(best);
        let begin = self.turns.len();
        let turns = &mut self.turns;
        for_each_entry::<T>(&self.rules, position, theirs, |turn| {
            turns.push(Ranked { turn, rank: 0 });
        });
        for at in begin..self.turns.len() {
            let next = position.after(self.turns[at].turn);
            let below = Window { alpha: -beta, beta: -alpha };
            best = best.max(-self.calm::<T, false>(&next, below, ply + 1, left - 1));
            alpha = alpha.max(best);
            if self.stopped || best >= beta {
                break;
            }
        }
        self.turns.truncate(begin);
        Some(best)
    }
}

/// Whether one more stone removed ends the game.
#[inline(always)]
fn is_last_stand(position: &Position) -> bool {
    position.hand(!position.side) <= 3
        && at_most(position.opponent(), 3 - position.hand(!position.side))
}

/// Closings in a row that are looked at, and closing turns in the first position; one fewer of
/// both with each. While many stones are in hand, mills are closed turn after turn, and a search of
/// all their orders would not end.
const LONGEST: usize = 6;

/// Calls `visit` for every turn that brings a stone to one of the empty points `onto`, where it
/// closes nothing.
#[inline(always)]
fn for_each_entry<T: Topology>(
    rules: &Rules,
    position: &Position,
    onto: u32,
    mut visit: impl FnMut(Turn),
) {
    let own = position.own();
    let in_hand = position.hand(position.side) > 0;
    let flies = position.flies(rules, position.side);
    for to in Points(onto) {
        if in_hand {
            visit(Turn::place(to));
        }
        if !in_hand || rules.move_while_placing {
            let movers = if flies { own } else { own & T::G.joined[to] };
            Points(movers).for_each(|from| visit(Turn::slide(from, to)));
        }
    }
}

/// Calls `visit` for every turn that removes a stone.
#[inline(always)]
fn for_each_closing<T: Topology>(rules: &Rules, position: &Position, mut visit: impl FnMut(Turn)) {
    if rules.line_wins {
        return;
    }
    if rules.removals == Removals::PerMill || position.owed > 0 {
        for_each_turn::<T>(rules, position, |turn| {
            if turn.is_removal() {
                visit(turn);
            }
        });
        return;
    }
    let (own, empty) = (position.own(), position.empty(T::G.all));
    let open = T::closing(own) & empty;
    let mut targets = None;
    let mut close = |turn: Turn| {
        let targets = *targets.get_or_insert_with(|| removable::<T>(rules, position.opponent()));
        for point in Points(targets) {
            visit(turn.removing(0, point));
        }
    };
    if position.hand(position.side) > 0 {
        for to in Points(open) {
            close(Turn::place(to));
        }
        if !rules.move_while_placing {
            return;
        }
    }
    let flies = position.flies(rules, position.side);
    for to in Points(open) {
        let movers = if flies { own } else { own & T::G.joined[to] };
        for from in Points(movers) {
            if T::lines_closed(to, own & !(1 << from)) > 0 {
                close(Turn::slide(from, to));
            }
        }
    }
}
