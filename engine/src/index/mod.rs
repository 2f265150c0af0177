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

pub use classes::Classes;
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

/// The bits of `set` on the points of `mask`, moved together to the low end.
pub fn gather(set: u32, mask: u32) -> u32 {
    let mut gathered = 0;
    let mut rest = mask;
    let mut bit = 0;
    while rest != 0 {
        gathered |= (set >> rest.trailing_zeros() & 1) << bit;
        rest &= rest - 1;
        bit += 1;
    }
    gathered
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
/// table for each byte of the set.
pub struct Row {
    class: usize,
    bytes: [[u32; 256]; MAX_POINTS / 8],
}

impl Row {
    /// The row of these stones of the opponent.
    ///
    /// # Panics
    /// If `opponent` has not as many points as the classes are of, or leaves the board.
    pub fn of(classes: &Classes, opponent: u32) -> Self {
        let mut row = Self { class: 0, bytes: [[0; 256]; MAX_POINTS / 8] };
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
        for (byte, table) in self.bytes.iter_mut().enumerate() {
            for value in 1..256usize {
                let (bit, rest) = (value.trailing_zeros() as usize, value & (value - 1));
                table[value] = if rest != 0 {
                    table[rest] | table[value ^ rest]
                } else if byte * 8 + bit < board.points() {
                    let to = symmetry.point(byte * 8 + bit);
                    if free >> to & 1 == 1 { 1 << (free & ((1 << to) - 1)).count_ones() } else { 0 }
                } else {
                    0
                };
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
        let gathered = self.bytes[0][(own & 255) as usize]
            | self.bytes[1][(own >> 8 & 255) as usize]
            | self.bytes[2][(own >> 16 & 255) as usize];
        rank(gathered) as usize
    }
}
