//! What the fitted evaluation counts of one side, on whole point sets at once and for every board
//! alike. It knows nothing of what a count is worth.

use crate::{
    board::{Geometry, Topology},
    movegen::{slid_to, threats},
    position::{Color, Position},
    rules::Rules,
};

/// Number of counts; a multiple of eight, so that a sum over them needs no remainder.
pub const COUNTS: usize = 16;

/// The counts of a side, in the order of [`COUNT_NAMES`].
pub type Counts = [i16; COUNTS];

/// What is counted, as weights files and explanations call it.
pub const COUNT_NAMES: [&str; COUNTS] = [
    "stones",
    "liberties",
    "slides",
    "stuck stones",
    "cramped stones",
    "open twos",
    "contested twos",
    "threats",
    "forks",
    "distant twos",
    "stones in mills",
    "loose mill stones",
    "running mills",
    "young lines",
    "guards",
    "junctions",
];

/// Points with at least so many neighbours.
const fn with_neighbours(g: &Geometry, least: u32) -> u32 {
    let (mut set, mut point) = (0, 0);
    while point < g.points {
        if g.joined[point].count_ones() >= least {
            set |= 1 << point;
        }
        point += 1;
    }
    set
}

/// Counts what a side has.
#[inline(always)]
pub fn count<T: Topology>(rules: &Rules, position: &Position, side: Color) -> Counts {
    let own = position.stones(side);
    let other = position.stones(!side);
    let empty = position.empty(T::G.all);
    let closing = T::closing(own);
    let open = closing & empty;
    let flies = position.flies(rules, side);
    let (free, free_twice) = with_exits::<T>(empty);
    let liberties = T::joined_to(own) & empty;
    let threats = threats::<T>(rules, position, side);
    let running = slid_to::<T>(own, own & closing, open);
    let goes_anywhere = position.hand(!side) > 0 || position.flies(rules, !side);
    let contested = if goes_anywhere { open } else { open & T::joined_to(other) };
    let ones = |set: u32| set.count_ones() as i16;
    let (junctions, crossings) = const { (with_neighbours(T::G, 3), with_neighbours(T::G, 4)) };
    [
        ones(own) + i16::from(position.hand(side)),
        ones(liberties),
        T::slides(own, empty) as i16,
        if flies { 0 } else { ones(own & !free) },
        if flies { 0 } else { ones(own & free & !free_twice) },
        ones(open),
        ones(contested),
        ones(threats),
        (ones(threats) - 1).max(0),
        ones(open & !threats & T::joined_to(liberties)),
        ones(own & closing),
        ones(own & closing & free),
        ones(running),
        ones(own & T::closing(empty)),
        ones(own & T::closing(other)),
        ones(own & junctions) + ones(own & crossings),
    ]
}

/// The points joined to at least one empty point, and those joined to at least two.
#[inline(always)]
fn with_exits<T: Topology>(empty: u32) -> (u32, u32) {
    let (mut once, mut twice) = (0, 0);
    for step in &T::G.steps[..T::G.step_count] {
        let exits = empty.rotate_left(step.rotation) & step.targets;
        twice |= once & exits;
        once |= exits;
    }
    (once, twice)
}
