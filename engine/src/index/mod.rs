//! Numbers for positions: where a table keeps the cell of a position.
//!
//! A table's row is the class of the opponent's stones under the board's symmetries, its column a
//! rank of the own stones on the points that are left. This room counts sets of points; it knows
//! neither rules nor values. Numbering sets by their sorted elements is the combinatorial number
//! system (Derrick Lehmer); one row a class follows Gasser's index for nine men's morris.

mod classes;
mod rank;
#[cfg(test)]
mod tests;

pub use classes::{Classes, Frame, next_of_size};
pub use rank::{binomial, rank, unrank};

use crate::board::{Board, MAX_POINTS};

/// The most stones of one side that this index numbers.
pub const MAX_STONES: usize = 12;

/// The row and column of a position with these stones.
///
/// # Panics
/// If the sets overlap, leave the board, or have more than [`MAX_STONES`] points.
pub fn locate(board: Board, own: u32, opponent: u32) -> (usize, usize) {
    assert!(own & opponent == 0, "the sides share a point");
    let classes = Classes::of(board, opponent.count_ones() as usize);
    let (class, symmetry) = classes.class_of(opponent);
    let moved = board.symmetries()[symmetry].set(own);
    (class, rank(gather(moved, board.all() & !classes.representative(class))) as usize)
}

/// The own stones of a column, on the points that the row's representative leaves free.
///
/// # Panics
/// If there is no such row.
pub fn column_set(classes: &Classes, row: usize, column: usize, own: usize) -> u32 {
    scatter(unrank(column as u32, own), classes.board().all() & !classes.representative(row))
}

/// [`gather`] for bytes, by mask and set.
static GATHERED: [[u8; 256]; 256] = {
    let mut table = [[0; 256]; 256];
    let mut mask = 1usize;
    while mask < 256 {
        let (lowest, others) = (mask.trailing_zeros(), mask & (mask - 1));
        let mut set = 0;
        while set < 256 {
            table[mask][set] = (set >> lowest & 1) as u8 | table[others][set] << 1;
            set += 1;
        }
        mask += 1;
    }
    table
};

/// The way to [`gather`] sets by the same mask.
pub struct Gather {
    bytes: [&'static [u8; 256]; 3],
    /// Ones of the mask below its second and third byte.
    below: [u32; 2],
}

impl Gather {
    /// For this mask.
    #[inline(always)]
    pub fn by(mask: u32) -> Self {
        let [first, second, third, _] = mask.to_le_bytes();
        Self {
            bytes: [first, second, third].map(|byte| &GATHERED[usize::from(byte)]),
            below: [first.count_ones(), first.count_ones() + second.count_ones()],
        }
    }

    /// The bits of `set` on the points of the mask, moved together to the low end.
    #[inline(always)]
    pub fn set(&self, set: u32) -> u32 {
        let part = |n: usize| u32::from(self.bytes[n][(set >> (8 * n) & 255) as usize]);
        part(0) | part(1) << self.below[0] | part(2) << self.below[1]
    }
}

/// The bits of `set` on the points of `mask`, moved together to the low end.
#[inline(always)]
pub fn gather(set: u32, mask: u32) -> u32 {
    Gather::by(mask).set(set)
}

/// The low bits of `bits`, spread over the points of `mask`: undoes [`gather`].
pub fn scatter(bits: u32, mask: u32) -> u32 {
    let mut set = 0;
    let mut rest = mask;
    let mut bit = 0;
    while rest != 0 {
        set |= (bits >> bit & 1) << rest.trailing_zeros();
        rest &= rest - 1;
        bit += 1;
    }
    set
}

/// The way to the columns of one row: for many positions with the same stones of the opponent.
///
/// Turning the board and moving the free points together are one renumbering of bits, done with a
/// table for each byte of the set. The tables are kept small, since callers go through many rows at
/// once: sixteen bits an entry, and eight more for rows with more free points.
pub struct Row {
    class: usize,
    wide: bool,
    low: [[u16; 256]; MAX_POINTS / 8],
    high: [[u8; 256]; MAX_POINTS / 8],
}

impl Row {
    /// The row of these stones of the opponent.
    ///
    /// # Panics
    /// If `opponent` has not as many points as the classes are of, or leaves the board.
    pub fn of(classes: &Classes, opponent: u32) -> Self {
        const BYTES: usize = MAX_POINTS / 8;
        let mut row =
            Self { class: 0, wide: false, low: [[0; 256]; BYTES], high: [[0; 256]; BYTES] };
        row.set(classes, opponent);
        row
    }

    /// Becomes the row of other stones: as [`of`](Self::of), without new memory.
    ///
    /// # Panics
    /// As [`of`](Self::of).
    pub fn set(&mut self, classes: &Classes, opponent: u32) {
        let board = classes.board();
        let (class, symmetry) = classes.class_of(opponent);
        let symmetry = &board.symmetries()[symmetry];
        let free = board.all() & !classes.representative(class);
        self.class = class;
        self.wide = free.count_ones() > u16::BITS;
        // Where the stone of each point goes; nowhere from points off the board.
        let image = |point: usize| {
            let to = if point < board.points() { symmetry.point(point) } else { MAX_POINTS };
            if free >> to & 1 == 1 { 1 << (free & ((1 << to) - 1)).count_ones() } else { 0 }
        };
        for byte in 0..MAX_POINTS / 8 {
            let mut entries = [0u32; 256];
            for value in 1..256usize {
                let bit = value.trailing_zeros() as usize;
                let rest = value & (value - 1);
                entries[value] = if rest == 0 {
                    image(byte * 8 + bit)
                } else {
                    entries[rest] | entries[value ^ rest]
                };
                self.low[byte][value] = entries[value] as u16;
                self.high[byte][value] = (entries[value] >> u16::BITS) as u8;
            }
        }
    }

    /// The row's number.
    #[inline(always)]
    pub fn class(&self) -> usize {
        self.class
    }

    /// The column of own stones on this row's board; stones on the opponent's points are not
    /// seen.
    #[inline(always)]
    pub fn column(&self, own: u32) -> usize {
        let a = (own & 255) as usize;
        let b = (own >> 8 & 255) as usize;
        let c = (own >> 16 & 255) as usize;
        let mut gathered = u32::from(self.low[0][a] | self.low[1][b] | self.low[2][c]);
        if self.wide {
            let high = self.high[0][a] | self.high[1][b] | self.high[2][c];
            gathered |= u32::from(high) << u16::BITS;
        }
        rank(gathered) as usize
    }
}
