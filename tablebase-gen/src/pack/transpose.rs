//! The solver's tables seen the other way round: rows by the stones of the side to move.

use crate::solve::SectorTable;
use millrace_engine::{
    board::Symmetry,
    index::{Classes, gather, next_of_size, rank, scatter},
    table::Shape,
};

/// A solved sector whose cells are asked for row by row of the published form.
pub struct Transposed<'a> {
    table: &'a SectorTable,
    shape: &'a Shape,
    /// The rows of the solver's table: classes of the other side's stones.
    theirs: &'static Classes,
    symmetries: &'static [Symmetry],
}

impl<'a> Transposed<'a> {
    /// Looks at a sector's table.
    pub fn new(table: &'a SectorTable, shape: &'a Shape) -> Self {
        let theirs = Classes::of(shape.board, shape.sector.opponent.into());
        Self { table, shape, theirs, symmetries: shape.board.symmetries() }
    }

    /// Fills `cells` with a row: the values of all its columns, stored or not. `places` is scratch.
    pub fn row(&self, row: usize, places: &mut Vec<usize>, cells: &mut Vec<u8>) {
        let (board, all) = (self.shape.board, self.shape.board.all());
        let own = self.shape.classes.representative(row);
        let free = all & !own;
        let images: Vec<u32> = self.symmetries.iter().map(|s| s.set(own)).collect();
        // Where a byte of a column's bits lies on the board.
        let spread: Vec<[u32; 256]> = (0..board.points().div_ceil(8))
            .map(|byte| std::array::from_fn(|v| scatter((v as u32) << (8 * byte), free)))
            .collect();
        let mut bits = (1u32 << self.shape.sector.opponent) - 1;
        places.clear();
        for _ in 0..self.shape.columns {
            let stones = spread
                .iter()
                .enumerate()
                .fold(0, |set, (byte, table)| set | table[(bits >> (8 * byte) & 255) as usize]);
            let (class, symmetry) = self.theirs.class_of(stones);
            let beside = all & !self.theirs.representative(class);
            let column = rank(gather(images[symmetry], beside)) as usize;
            places.push(class * self.table.columns + column);
            bits = next_of_size(bits);
        }
        // The addresses are known before the first cell is waited for.
        cells.clear();
        cells.extend(places.iter().map(|place| self.table.cells[*place]));
    }
}
