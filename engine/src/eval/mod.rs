//! The value of a position at a glance, without looking at turns to come.
//!
//! It knows stones, lines and freedom to move, for every board and preset alike. All terms are
//! counted on whole point sets at once.

use crate::{
    board::{Points, Topology, at_most},
    position::{Color, Position},
    rules::Rules,
    with_topology,
};

/// No evaluation leaves `-LIMIT..=LIMIT`.
pub const LIMIT: i32 = 10_000;

/// What one side has, each count with its weight to follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    /// Stones on the board and in hand.
    stones: i32,
    /// Empty points next to an own stone.
    liberties: i32,
    /// Stones that cannot move.
    stuck: i32,
    /// Empty points that complete an own line.
    open_twos: i32,
    /// Those of them that an own stone can reach in one turn.
    threats: i32,
    /// Stones in mills.
    in_mills: i32,
    /// 1 if the side may move to any empty point.
    flies: i32,
}

/// Centi-stones for one of each.
struct Weights {
    liberties: i32,
    stuck: i32,
    open_twos: i32,
    threats: i32,
    in_mills: i32,
    flies: i32,
    side_to_move: i32,
}

const STONE: i32 = 100;
const PLACING: Weights = Weights {
    liberties: 3,
    stuck: -4,
    open_twos: 9,
    threats: 8,
    in_mills: 5,
    flies: 0,
    side_to_move: 4,
};
const MOVING: Weights = Weights {
    liberties: 4,
    stuck: -6,
    open_twos: 8,
    threats: 16,
    in_mills: 6,
    flies: 60,
    side_to_move: 5,
};

/// A term of the evaluation, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// White's share in centi-stones.
    pub white: i32,
    /// Black's share.
    pub black: i32,
}

#[inline(always)]
fn count<T: Topology>(rules: &Rules, position: &Position, side: Color) -> Count {
    let own = position.stones(side);
    let empty = position.empty(T::G.all);
    let hand = position.hand(side);
    let closing = T::closing(own);
    let open = closing & empty;
    let flies = position.flies(rules, side);
    let free = T::joined_to(empty);
    let threats = if hand > 0 {
        open
    } else if flies {
        if at_most(own, 2) { 0 } else { open }
    } else {
        reachable::<T>(own, open)
    };
    Count {
        stones: (own.count_ones() + u32::from(hand)) as i32,
        liberties: (T::joined_to(own) & empty).count_ones() as i32,
        stuck: if flies { 0 } else { (own & !free).count_ones() as i32 },
        open_twos: open.count_ones() as i32,
        threats: threats.count_ones() as i32,
        in_mills: (own & closing).count_ones() as i32,
        flies: flies.into(),
    }
}

/// The points of `open` that a stone outside the line it completes can slide to.
#[inline(always)]
fn reachable<T: Topology>(own: u32, open: u32) -> u32 {
    let mut found = 0;
    for point in Points(open) {
        let movers = T::G.joined[point] & own;
        for k in 0..T::G.through_count[point] as usize {
            let partners = T::G.through[point][k];
            if partners & own == partners && movers & !partners != 0 {
                found |= 1 << point;
            }
        }
    }
    found
}

impl Weights {
    #[inline(always)]
    fn total(&self, c: &Count) -> i32 {
        c.stones * STONE
            + c.liberties * self.liberties
            + c.stuck * self.stuck
            + c.open_twos * self.open_twos
            + c.threats * self.threats
            + c.in_mills * self.in_mills
            + c.flies * self.flies
    }
}

fn weights(position: &Position) -> &'static Weights {
    if position.is_moving_phase() { &MOVING } else { &PLACING }
}

/// The value of a position for the side to move, in centi-stones; for code that knows the board.
#[inline(always)]
pub(crate) fn evaluate_on<T: Topology>(rules: &Rules, position: &Position) -> i32 {
    let weights = weights(position);
    let own = weights.total(&count::<T>(rules, position, position.side));
    let opponent = weights.total(&count::<T>(rules, position, !position.side));
    own - opponent + weights.side_to_move
}

/// The value of a position for the side to move, in centi-stones.
pub fn evaluate(rules: &Rules, position: &Position) -> i32 {
    with_topology!(rules.board(), T => evaluate_on::<T>(rules, position))
}

/// The evaluation term by term. The shares add up to [`evaluate`], seen by White.
pub fn explain(rules: &Rules, position: &Position) -> Vec<Term> {
    let [white, black] = Color::BOTH
        .map(|side| with_topology!(rules.board(), T => count::<T>(rules, position, side)));
    let w = weights(position);
    let term = |name, weight: i32, get: fn(&Count) -> i32| Term {
        name,
        white: weight * get(&white),
        black: weight * get(&black),
    };
    let to_move = |side| if position.side == side { w.side_to_move } else { 0 };
    vec![
        term("stones", STONE, |c| c.stones),
        term("liberties", w.liberties, |c| c.liberties),
        term("stuck stones", w.stuck, |c| c.stuck),
        term("open twos", w.open_twos, |c| c.open_twos),
        term("threats", w.threats, |c| c.threats),
        term("stones in mills", w.in_mills, |c| c.in_mills),
        term("flying", w.flies, |c| c.flies),
        Term { name: "side to move", white: to_move(Color::White), black: to_move(Color::Black) },
    ]
}

#[cfg(test)]
mod tests;
