//! How the network sees a position: by the patterns of whole rings, in one frame for all images
//! under the board's symmetries, so that images are worth the same and need not be learnt twice.
//!
//! Works on the numbering of points along rings, a ring a byte: a quarter turn rotates all bytes by
//! two bits and a reflection reverses them. All images of all bytes stand in a table.

use crate::position::Position;
use std::sync::LazyLock;

/// Patterns of a ring of eight points, each empty, own or the opponent's.
const PATTERNS: usize = 6561;
/// Classes of patterns under turns and reflections.
const CLASSES: usize = 954;
/// Patterns of the three points across the rings at a midpoint.
const SPOKE_PATTERNS: usize = 27;
/// Numbers of stones of a side, on the board or in hand.
const NUMBERS: usize = 13;

const SECOND_RING: usize = PATTERNS;
const MIDDLE_RING: usize = SECOND_RING + PATTERNS;
const SPOKES: usize = MIDDLE_RING + CLASSES;
const ON_BOARD: usize = SPOKES + 4 * SPOKE_PATTERNS;
const IN_HAND: usize = ON_BOARD + NUMBERS * NUMBERS;
/// Number of inputs of which some are on.
pub const INPUTS: usize = IN_HAND + NUMBERS * NUMBERS;
/// Number of inputs that are on in a position.
pub const ACTIVE: usize = 9;

/// Ranges of inputs of which exactly one is on.
pub const GROUPS: [(usize, usize); ACTIVE] = [
    (0, SECOND_RING),
    (SECOND_RING, MIDDLE_RING),
    (MIDDLE_RING, SPOKES),
    (SPOKES, SPOKES + SPOKE_PATTERNS),
    (SPOKES + SPOKE_PATTERNS, SPOKES + 2 * SPOKE_PATTERNS),
    (SPOKES + 2 * SPOKE_PATTERNS, SPOKES + 3 * SPOKE_PATTERNS),
    (SPOKES + 3 * SPOKE_PATTERNS, ON_BOARD),
    (ON_BOARD, IN_HAND),
    (IN_HAND, INPUTS),
];

/// A ring's points under a symmetry of the square: quarter turns in bits 0 and 1 of its number, reflection
/// in bit 2, which comes first.
const fn image(ring: u8, symmetry: u32) -> u8 {
    let ring = if symmetry & 4 == 0 { ring } else { ring.reverse_bits().rotate_left(1) };
    ring.rotate_left(2 * (symmetry & 3))
}

/// By symmetry and points of a ring: their image as ternary digits, and from bit 32 on its midpoints, a byte
/// each. Of two kinds of stones the sum of one's and twice the other's is the pattern of both.
static IMAGES: [[u64; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 * 256 {
        let (symmetry, ring) = (place / 256, place % 256);
        let image = image(ring as u8, symmetry as u32) as u64;
        let (mut bit, mut digit) = (0, 1);
        while bit < 8 {
            let is_set = image >> bit & 1;
            table[symmetry][ring] += is_set * digit;
            if bit % 2 == 1 {
                table[symmetry][ring] += is_set << (32 + 4 * (bit - 1));
            }
            bit += 1;
            digit *= 3;
        }
        place += 1;
    }
    table
};

/// A ring's own and opponent's stones under a symmetry, as [`IMAGES`] has it.
#[inline(always)]
fn pattern(own: u8, opponent: u8, symmetry: usize) -> u64 {
    IMAGES[symmetry][usize::from(own)] + 2 * IMAGES[symmetry][usize::from(opponent)]
}

/// The ternary digits of a [`pattern`].
#[inline(always)]
fn ring(pattern: u64) -> u16 {
    pattern as u16
}

/// The midpoints of a [`pattern`].
#[inline(always)]
fn midpoints(pattern: u64) -> u32 {
    (pattern >> 32) as u32
}

/// For a pattern of the middle ring: the number of its class, and the symmetries that bring it to
/// the class's representative.
#[derive(Clone, Copy, Default)]
struct Class {
    number: u16,
    symmetries: u8,
}

static MIDDLE: LazyLock<Box<[Class; PATTERNS]>> = LazyLock::new(|| {
    let mut table = Box::new([Class::default(); PATTERNS]);
    let mut next = 0;
    let stones = |pattern: usize| {
        let (mut own, mut opponent, mut left) = (0, 0, pattern);
        for bit in 0..8 {
            match left % 3 {
                1 => own |= 1 << bit,
                2 => opponent |= 1 << bit,
                _ => {}
            }
            left /= 3;
        }
        (own, opponent)
    };
    for number in 0..PATTERNS {
        let (own, opponent) = stones(number);
        let images: [u16; 8] = std::array::from_fn(|s| ring(pattern(own, opponent, s)));
        let least = images.iter().copied().min().unwrap_or_default();
        let is_least = |(s, i): (usize, &u16)| u8::from(*i == least) << s;
        let symmetries = images.iter().enumerate().map(is_least).sum();
        // Representatives are the least of their classes, so they are met first.
        let number_of_class = if usize::from(least) == number {
            next += 1;
            next - 1
        } else {
            table[usize::from(least)].number
        };
        table[number] = Class { number: number_of_class, symmetries };
    }
    debug_assert_eq!(usize::from(next), CLASSES);
    table
});

/// The inputs that are on, one of each group.
#[inline(always)]
pub fn inputs(position: &Position) -> [u16; ACTIVE] {
    let (own, opponent) = (position.own(), position.opponent());
    let [own_outer, own_middle, own_inner, _] = own.to_le_bytes();
    let [opponent_outer, opponent_middle, opponent_inner, _] = opponent.to_le_bytes();
    let middle = MIDDLE[usize::from(ring(pattern(own_middle, opponent_middle, 0)))];
    let mut best = (u32::MAX, 0, 0, 0);
    let mut left = middle.symmetries;
    while left != 0 {
        let symmetry = left.trailing_zeros() as usize;
        left &= left - 1;
        let outer = pattern(own_outer, opponent_outer, symmetry);
        let inner = pattern(own_inner, opponent_inner, symmetry);
        let (first, second) =
            if ring(outer) <= ring(inner) { (outer, inner) } else { (inner, outer) };
        let key = u32::from(ring(first)) << 16 | u32::from(ring(second));
        if key < best.0 {
            best = (key, first, second, symmetry);
        }
    }
    let (_, first, second, symmetry) = best;
    let between = pattern(own_middle, opponent_middle, symmetry);
    let spokes = midpoints(first) + 3 * midpoints(between) + 9 * midpoints(second);
    let spoke = |n: usize| (SPOKES + n * SPOKE_PATTERNS) as u16 + (spokes >> (8 * n) & 0xff) as u16;
    let side = position.side();
    let pair = |base: usize, a: u16, b: u16| base as u16 + a * NUMBERS as u16 + b;
    [
        ring(first),
        SECOND_RING as u16 + ring(second),
        MIDDLE_RING as u16 + middle.number,
        spoke(0),
        spoke(1),
        spoke(2),
        spoke(3),
        pair(ON_BOARD, own.count_ones() as u16, opponent.count_ones() as u16),
        pair(IN_HAND, position.hand(side).into(), position.hand(!side).into()),
    ]
}

/// Number of buckets.
pub const BUCKETS: usize = 13;

/// The bucket of a position: by stones in hand, or else by stones on the board.
#[inline(always)]
pub fn bucket(position: &Position) -> usize {
    let in_hand = usize::from(position.hands[0]) + usize::from(position.hands[1]);
    if in_hand > 0 {
        const PLACING: [u8; 25] = {
            let mut table = [12; 25];
            let mut n = 0;
            while n < 13 {
                table[n] = match n {
                    0..3 => 7,
                    3..5 => 8,
                    5..7 => 9,
                    7..10 => 10,
                    _ => 11,
                };
                n += 1;
            }
            table
        };
        return PLACING[in_hand.min(24)].into();
    }
    let stones = (position.stones[0] | position.stones[1]).count_ones() as usize;
    (stones.clamp(6, 18) - 6) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Rules};

    #[test]
    fn classes_are_as_many_as_are_counted() {
        let last = MIDDLE.iter().map(|class| usize::from(class.number)).max();
        assert_eq!(last, Some(CLASSES - 1));
    }

    #[test]
    fn images_look_alike_and_other_positions_do_not() {
        let rules = Rules::default();
        let mut state = 7u64;
        let mut lot = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % bound
        };
        let mut seen = std::collections::HashMap::new();
        for _ in 0..20_000 {
            let mut stones = [0u32; 2];
            for side in 0..2 {
                while stones[side].count_ones() < 3 + lot(4) as u32 {
                    let point = 1 << lot(24);
                    if stones[1 - side] & point == 0 {
                        stones[side] |= point;
                    }
                }
            }
            let position = Position::new(&rules, stones, [0; 2], Color::White).expect("legal");
            let found = inputs(&position);
            for (group, input) in GROUPS.iter().zip(found) {
                assert!((group.0..group.1).contains(&usize::from(input)));
            }
            for symmetry in rules.board().symmetries() {
                assert_eq!(inputs(&position.mapped(symmetry)), found);
            }
            let class = position.class(&rules).0.packed();
            assert_eq!(*seen.entry(found).or_insert(class), class);
        }
    }
}
