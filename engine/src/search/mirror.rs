//! Positions that are images of each other under the board's symmetries, brought to one of them, so
//! that they share what the hash table knows.
//!
//! Works on the numbering of points along rings, a ring a byte: a quarter turn rotates all bytes
//! by two bits, a reflection reverses them, and on some boards the rings can be turned inside out.

use crate::{
    board::{Board, Topology},
    movegen::Turn,
    position::Position,
};

/// Which of the symmetries: quarter turns in bits 0 and 1, reflection in bit 2, rings exchanged in
/// bit 3. The reflection comes first, the exchange last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Image(u8);

impl Image {
    /// Nothing is moved.
    pub(super) const SAME: Image = Image(0);
}

/// The bits of a set, in both halves of a pair of sets, that lie on rings.
#[inline(always)]
fn rings<T: Topology>() -> u64 {
    let on_rings = T::G.all & !centre::<T>();
    u64::from(on_rings) << 32 | u64::from(on_rings)
}

/// The centre point, if the board has one: the last point of an odd number.
#[inline(always)]
fn centre<T: Topology>() -> u32 {
    if T::G.points % 2 == 1 { 1 << (T::G.points - 1) } else { 0 }
}

#[inline(always)]
fn rotate(pair: u64, bits: u32) -> u64 {
    let low = 0x0101_0101_0101_0101 * (0xff >> bits);
    (pair & low) << bits | (pair & !low) >> (8 - bits)
}

#[inline(always)]
fn reflect(pair: u64) -> u64 {
    // Reversing the bytes of the reversed word leaves each byte reversed in its place.
    rotate(pair.reverse_bits().swap_bytes(), 1)
}

#[inline(always)]
fn exchange<T: Topology>(pair: u64) -> u64 {
    let apart = match T::BOARD {
        Board::Nine | Board::NineDiagonals => 16,
        _ => 8,
    };
    let inner = 0x0000_00ff_0000_00ff << apart;
    let outer = 0x0000_00ff_0000_00ff;
    pair & !(inner | outer) | (pair & outer) << apart | (pair & inner) >> apart
}

/// Whether the board stays the same when its outer and inner rings change places.
#[inline(always)]
fn exchanges<T: Topology>() -> bool {
    matches!(T::BOARD, Board::Nine | Board::NineDiagonals | Board::Six)
}

/// The least of the images of a position, and which one it is.
#[inline(always)]
pub(super) fn least<T: Topology>(position: &Position) -> (Position, Image) {
    let all = u64::from(position.stones[1]) << 32 | u64::from(position.stones[0]);
    let (on_rings, rest) = (all & rings::<T>(), all & !rings::<T>());
    let mut least = on_rings;
    let mut image = 0;
    let mut turned = on_rings;
    for number in 0..8 {
        match number {
            0 => {}
            4 => turned = reflect(on_rings),
            _ => turned = rotate(turned, 2),
        }
        if turned < least {
            (least, image) = (turned, number);
        }
        if exchanges::<T>() {
            let exchanged = exchange::<T>(turned);
            if exchanged < least {
                (least, image) = (exchanged, number | 8);
            }
        }
    }
    let stones = least | rest;
    let stones = [stones as u32, (stones >> 32) as u32];
    (Position { stones, ..*position }, Image(image))
}

/// Where a symmetry takes a point, or with `BACK`, from where it comes.
#[inline(always)]
fn point<T: Topology, const BACK: bool>(point: usize, image: Image) -> usize {
    let mut set = 1 << point;
    if set & rings::<T>() == 0 {
        return point;
    }
    let (turns, reflected, exchanged) =
        (u32::from(image.0 & 3), image.0 & 4 != 0, image.0 & 8 != 0);
    if BACK {
        if exchanged {
            set = exchange::<T>(set);
        }
        for _ in 0..(4 - turns) % 4 {
            set = rotate(set, 2);
        }
        if reflected {
            set = reflect(set);
        }
    } else {
        if reflected {
            set = reflect(set);
        }
        for _ in 0..turns {
            set = rotate(set, 2);
        }
        if exchanged {
            set = exchange::<T>(set);
        }
    }
    set.trailing_zeros() as usize
}

/// A turn on the board as a symmetry turns it, or with `BACK`, undone.
#[inline(always)]
pub(super) fn turn<T: Topology, const BACK: bool>(turn: Turn, image: Image) -> Turn {
    if image == Image::SAME {
        return turn;
    }
    let map = |p| point::<T, BACK>(p, image);
    let mut mapped = match (turn.from(), turn.to()) {
        (Some(from), Some(to)) => Turn::slide(map(from), map(to)),
        (None, Some(to)) => Turn::place(map(to)),
        _ => Turn::PASS,
    };
    for (number, removed) in turn.removals().enumerate() {
        mapped = mapped.removing(number, map(removed));
    }
    mapped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, rules::PRESETS, with_topology};

    /// Positions of random games, with their turns.
    fn check<T: Topology>(game: &Game) {
        let rules = game.rules();
        let position = game.position();
        let (representative, image) = least::<T>(position);
        for symmetry in rules.board().symmetries() {
            assert_eq!(least::<T>(&position.mapped(symmetry)).0, representative);
        }
        assert_eq!(representative.class(rules).0, position.class(rules).0);
        for t in position.turns(rules) {
            let mapped = turn::<T, false>(t, image);
            assert_eq!(turn::<T, true>(mapped, image), t);
            assert!(representative.turns(rules).contains(&mapped));
            let after = representative.after(mapped);
            assert_eq!(least::<T>(&after).0, least::<T>(&position.after(t)).0);
        }
    }

    #[test]
    fn all_images_come_to_the_same() {
        let mut state = 1u64;
        for preset in PRESETS {
            let mut game = Game::new(preset.rules);
            for _ in 0..60 {
                with_topology!(preset.rules.board(), T => check::<T>(&game));
                let turns = game.position().turns(game.rules());
                if turns.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(turns[(state >> 33) as usize % turns.len()]);
            }
        }
    }
}
