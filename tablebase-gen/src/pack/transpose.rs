//! The solver's tables seen the other way round: rows by the stones of the side to move.

use crate::{
    memory,
    pack::PackError,
    solve::{Instructions, Isa, SectorTable, SetClasses, Work},
};
use millrace_engine::{
    index::{next_of_size, rank, unrank},
    table::Shape,
};
use std::ops::Range;

/// A solved sector whose cells are asked for row by row of the published form.
pub struct Transposed<'a> {
    table: &'a SectorTable,
    shape: &'a Shape,
    /// The rows of the solver's table: classes of the other side's stones.
    theirs: SetClasses,
    instructions: Instructions,
}

impl<'a> Transposed<'a> {
    /// Looks at a sector's table.
    ///
    /// # Errors
    /// If the system has no memory for that.
    pub fn new(table: &'a SectorTable, shape: &'a Shape) -> Result<Self, PackError> {
        let theirs = SetClasses::new(shape.board, shape.sector.opponent.into())
            .map_err(|refused| PackError::Memory { sector: shape.sector, refused })?;
        Ok(Self { table, shape, theirs, instructions: Instructions::detect() })
    }

    /// Fills `cells` with some columns of a row: their values, stored or not.
    pub fn part(&self, row: usize, columns: Range<usize>, cells: &mut Vec<u8>) {
        self.instructions.run(Part { view: self, row, columns, cells });
    }
}

/// [`Transposed::part`].
struct Part<'a> {
    view: &'a Transposed<'a>,
    row: usize,
    columns: Range<usize>,
    cells: &'a mut Vec<u8>,
}

/// Cells that are asked for together. They lie far apart: those of a batch are on their way while
/// the next one is looked for.
const TOGETHER: usize = 64;

impl Work for Part<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Self { view, row, columns, cells } = self;
        let Transposed { table, shape, theirs, .. } = view;
        let all = shape.board.all();
        let own = shape.classes.representative(row);
        let mut images = [0; 16];
        for (image, symmetry) in images.iter_mut().zip(shape.board.symmetries()) {
            *image = symmetry.set(own);
        }
        let mut bits = unrank(columns.start as u32, shape.sector.opponent.into());
        let (mut places, mut before) = ([0; TOGETHER], [0; TOGETHER]);
        cells.clear();
        cells.resize(columns.len(), 0);
        let mut waiting: &mut [u8] = &mut [];
        for some in cells.chunks_mut(TOGETHER) {
            let places = &mut places[..some.len()];
            for place in &mut *places {
                *place = theirs.rank(I::deposit(bits, all & !own));
                theirs.foresee(*place);
                bits = next_of_size(bits);
            }
            for place in &mut *places {
                let found = theirs.place(*place);
                let beside = all & !found.representative();
                let column = rank(I::extract(images[found.symmetry()], beside)) as usize;
                *place = found.class() * table.columns + column;
                memory::prefetch(&table.cells, *place);
            }
            take(&table.cells, waiting, &before);
            before[..places.len()].copy_from_slice(places);
            waiting = some;
        }
        take(&table.cells, waiting, &before);
    }
}

#[inline(always)]
fn take(all: &[u8], cells: &mut [u8], places: &[usize; TOGETHER]) {
    for (nth, cell) in cells.iter_mut().enumerate() {
        *cell = all[places[nth % TOGETHER]];
    }
}
