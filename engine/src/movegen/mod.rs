//! Forward turns: generated in full, visited one by one, or only counted.

mod threat;
mod turn;

pub(crate) use threat::{Prospects, slid_to, threats};
pub use turn::{MAX_REMOVALS, Turn, TurnText};

use crate::{
    board::{Points, Topology},
    position::Position,
    rules::{Removals, RemoveFromMill, Rules},
    with_topology,
};
use smallvec::SmallVec;

/// The turns of one position. Rarely more than a hundred; grows if need be.
pub type TurnList = SmallVec<[Turn; 128]>;

/// The stones of `opponent` that a side which has closed a mill may remove. `T` is the board of the
/// rules, here and below.
#[inline(always)]
pub fn removable<T: Topology>(rules: &Rules, opponent: u32) -> u32 {
    match rules.remove_from_mill {
        RemoveFromMill::Always => opponent,
        RemoveFromMill::Never => opponent & !T::in_mills(opponent),
        RemoveFromMill::IfNoOther => {
            let outside = opponent & !T::in_mills(opponent);
            if outside != 0 { outside } else { opponent }
        }
    }
}

/// Calls `visit` for every legal turn. Placements come before moves; a finished game has none.
#[inline(always)]
pub fn for_each_turn<T: Topology>(rules: &Rules, pos: &Position, mut visit: impl FnMut(Turn)) {
    if pos.decided::<T>(rules).is_some() {
        return;
    }
    let opponent = pos.opponent();
    if pos.owed > 0 {
        remove::<T>(rules, opponent, pos.owed.into(), Turn::PASS, 0, &mut visit);
        return;
    }
    let own = pos.own();
    let empty = pos.empty(T::G.all);
    // What may be removed does not depend on the turn that closes the mill; found at first need.
    let mut known_targets = None;
    let mut close = |turn: Turn, to: usize, others: u32, visit: &mut dyn FnMut(Turn)| {
        if rules.removals == Removals::PerMill {
            remove::<T>(rules, opponent, T::lines_closed(to, others), turn, 0, visit);
            return;
        }
        let targets = *known_targets.get_or_insert_with(|| removable::<T>(rules, opponent));
        if targets == 0 {
            visit(turn);
        }
        for point in Points(targets) {
            visit(turn.removing(0, point));
        }
    };
    if pos.hands[pos.side.index()] > 0 {
        let closing = if rules.line_wins { 0 } else { T::closing(own) & empty };
        for to in Points(empty & !closing) {
            visit(Turn::place(to));
        }
        for to in Points(closing) {
            close(Turn::place(to), to, own, &mut visit);
        }
        if !rules.move_while_placing {
            return;
        }
    }
    let flies = pos.flies(rules, pos.side);
    let mut any = pos.hands[pos.side.index()] > 0;
    // Holds whatever any stone can close; mostly nothing.
    let closable = if rules.line_wins { 0 } else { T::closing(own) & empty };
    for from in Points(own) {
        let targets = if flies { empty } else { T::G.joined[from] & empty };
        if targets == 0 {
            continue;
        }
        any = true;
        let others = own & !(1 << from);
        let mut closing = closable & targets;
        if closing != 0 {
            closing &= T::closing(others);
        }
        for to in Points(targets & !closing) {
            visit(Turn::slide(from, to));
        }
        for to in Points(closing) {
            close(Turn::slide(from, to), to, others, &mut visit);
        }
    }
    if !any && pos.stuck::<T>(rules).is_none() {
        visit(Turn::PASS);
    }
}

/// Completes a turn by every order of removals that it owes; the protection rule is applied anew
/// before each, and the turn stands as it is once nothing may be removed. All due removals are
/// made, even when the first has already brought the opponent under three.
fn remove<T: Topology>(
    rules: &Rules,
    opponent: u32,
    due: u32,
    turn: Turn,
    number: usize,
    visit: &mut dyn FnMut(Turn),
) {
    let targets = if due == 0 { 0 } else { removable::<T>(rules, opponent) };
    if targets == 0 {
        visit(turn);
    }
    for point in Points(targets) {
        let left = opponent & !(1 << point);
        remove::<T>(rules, left, due - 1, turn.removing(number, point), number + 1, visit);
    }
}

/// The number of legal turns, without listing them where that is possible.
#[inline(always)]
pub fn count_turns<T: Topology>(rules: &Rules, pos: &Position) -> u64 {
    if rules.removals == Removals::PerMill || rules.line_wins || pos.owed > 0 {
        let mut count = 0;
        for_each_turn::<T>(rules, pos, |_| count += 1);
        return count;
    }
    if pos.decided::<T>(rules).is_some() {
        return 0;
    }
    let (own, opponent, empty) = (pos.own(), pos.opponent(), pos.empty(T::G.all));
    // Turns that close a mill count once a removable stone, or once if there is none.
    let closings = |closing: u32| -> u64 {
        if closing == 0 {
            return 0;
        }
        let targets = removable::<T>(rules, opponent).count_ones().max(1);
        u64::from(closing.count_ones() * targets)
    };
    let mut count = 0;
    if pos.hands[pos.side.index()] > 0 {
        let closing = T::closing(own) & empty;
        count += u64::from((empty & !closing).count_ones()) + closings(closing);
        if !rules.move_while_placing {
            return count;
        }
    }
    let flies = pos.flies(rules, pos.side);
    for from in Points(own) {
        let targets = if flies { empty } else { T::G.joined[from] & empty };
        let closing = T::closing(own & !(1 << from)) & targets;
        count += u64::from((targets & !closing).count_ones()) + closings(closing);
    }
    if count == 0 && pos.stuck::<T>(rules).is_none() {
        return 1;
    }
    count
}

impl Position {
    /// All legal turns. A finished game has none.
    pub fn turns(&self, rules: &Rules) -> TurnList {
        let mut list = TurnList::new();
        with_topology!(rules.board, T => for_each_turn::<T>(rules, self, |t| list.push(t)));
        list
    }
}
