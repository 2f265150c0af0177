//! Threats: the mills that a side could close with its next turn, and the lines that it could
//! prepare. On whole point sets; no turn is made.

use crate::{
    board::{Points, Topology, at_most},
    position::{Color, Position},
    rules::Rules,
};

/// The empty points where a side could complete a line, were it to move.
#[inline(always)]
pub(crate) fn threats<T: Topology>(rules: &Rules, position: &Position, side: Color) -> u32 {
    let own = position.stones(side);
    let open = T::closing(own) & position.empty(T::G.all);
    if open == 0 || position.hand(side) > 0 {
        return open;
    }
    if position.flies(rules, side) {
        // The stone that comes must not be one of the two that wait for it.
        return if at_most(own, 2) { 0 } else { open };
    }
    slid_to::<T>(own, own, open)
}

/// The points of `open` that one of some stones can slide to from outside the line that it
/// completes with `own`.
#[inline(always)]
pub(crate) fn slid_to<T: Topology>(own: u32, stones: u32, open: u32) -> u32 {
    let mut found = 0;
    for point in Points(open) {
        let movers = T::G.joined[point] & stones;
        for k in 0..T::G.through_count[point] as usize {
            let partners = T::G.through[point][k];
            if partners & own == partners && movers & !partners != 0 {
                found |= 1 << point;
            }
        }
    }
    found
}

/// The points on which a stone would be two of a line with the third point empty.
#[inline(always)]
fn pairing<T: Topology>(own: u32, empty: u32) -> u32 {
    let mut found = 0;
    for k in 0..T::G.closer_count {
        let c = T::G.closers[k];
        let (one, other) = (c.first, c.second);
        found |= (own.rotate_left(one) & empty.rotate_left(other)
            | empty.rotate_left(one) & own.rotate_left(other))
            & c.targets;
    }
    found
}

/// Where a stone of the side to move would do something at once.
pub(crate) struct Prospects {
    /// Empty points where the other side could complete a line next.
    pub threatened: u32,
    /// Points that make two of an open line.
    pub pairing: u32,
}

impl Prospects {
    #[inline(always)]
    pub(crate) fn of<T: Topology>(rules: &Rules, position: &Position) -> Self {
        Self {
            threatened: threats::<T>(rules, position, !position.side()),
            pairing: pairing::<T>(position.own(), position.empty(T::G.all)),
        }
    }
}
