//! The phases that have weights of their own: how many stones are left to place, how many stand on
//! the board, and who flies.

use crate::{position::Position, rules::Rules};

/// The phases by name.
pub const PHASE_NAMES: [&str; PHASES] = [
    "placing 1-4",
    "placing 5-8",
    "placing 9-12",
    "placing 13-24",
    "moving 6-9",
    "moving 10-12",
    "moving 13-15",
    "moving 16-24",
    "flying",
    "against flying",
    "both flying",
];

/// Number of phases.
pub const PHASES: usize = 11;

const MOVING: usize = 4;
const FLYING: usize = 8;

/// The number of a position's phase, from the view of the side to move.
#[inline(always)]
pub fn phase(rules: &Rules, position: &Position) -> usize {
    let in_hand = u32::from(position.hands[0]) + u32::from(position.hands[1]);
    if in_hand > 0 {
        return ((in_hand - 1) / 4).min(3) as usize;
    }
    let side = position.side();
    match (position.flies(rules, side), position.flies(rules, !side)) {
        (true, false) => FLYING,
        (false, true) => FLYING + 1,
        (true, true) => FLYING + 2,
        (false, false) => {
            let stones = (position.stones[0] | position.stones[1]).count_ones() as usize;
            MOVING + ((stones.max(7) - 7) / 3).min(3)
        }
    }
}
