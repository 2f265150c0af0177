//! What is known of the turns of a position before they are listed: mostly the one of the hash table is
//! enough, and the others are never looked for.

use crate::{
    board::Topology,
    movegen::{Turn, removable},
    position::Position,
    rules::{Removals, Rules},
};

/// Whether a turn from the hash table may be made without looking for it among all: whatever
/// another thread has done to the table, nothing illegal is played.
#[inline(always)]
pub(super) fn is_playable<T: Topology>(rules: &Rules, position: &Position, turn: Turn) -> bool {
    if rules.removals == Removals::PerMill || rules.line_wins || position.owed > 0 {
        return false;
    }
    let Some(to) = turn.to() else { return false };
    let own = position.own();
    let in_hand = position.hand(position.side) > 0;
    let others = match turn.from() {
        None if in_hand => own,
        None => return false,
        Some(from) => {
            let near = T::G.joined[from] >> to & 1 == 1 || position.flies(rules, position.side);
            if own >> from & 1 == 0 || !near || in_hand && !rules.move_while_placing {
                return false;
            }
            own & !(1 << from)
        }
    };
    if position.empty(T::G.all) >> to & 1 == 0 {
        return false;
    }
    let removed = turn.removed();
    if T::lines_closed(to, others) == 0 {
        return removed == 0;
    }
    let targets = removable::<T>(rules, position.opponent());
    if removed == 0 { targets == 0 } else { removed & !targets == 0 && removed.count_ones() == 1 }
}

/// Whether the side to move has nothing but one slide.
#[inline(always)]
pub(super) fn has_one_slide<T: Topology>(rules: &Rules, position: &Position) -> bool {
    let slides = || T::slides(position.own(), position.empty(T::G.all));
    position.hand(position.side) == 0 && !position.flies(rules, position.side) && slides() == 1
}
