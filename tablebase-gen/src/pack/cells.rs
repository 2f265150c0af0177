//! The cells of a published table, block by block, out of the solver's or an archive.

use super::transpose::Transposed;
use crate::{archive::Unpacked, file::CellKind};
use millrace_engine::table::Block;

/// Where cells come from.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// A solved table of this kind.
    Solved(&'a Transposed<'a>, CellKind),
    /// An archive.
    Archived(&'a Unpacked),
}

/// Cells of a table, with memory that is kept from call to call.
pub struct Cells<'a> {
    origin: Origin<'a>,
    part: Vec<u8>,
}

/// The values and distances of a block's cells, stored or not.
#[derive(Default)]
pub struct BlockCells {
    /// 0 draw, 1 loss, 2 win.
    pub wdl: Vec<u8>,
    /// Plies to the end, 0 for draws and where they are not known.
    pub plies: Vec<u8>,
}

impl<'a> Cells<'a> {
    /// The cells of this table.
    pub fn new(origin: Origin<'a>) -> Self {
        Self { origin, part: Vec::new() }
    }

    /// Fills `cells` with those of a block.
    pub fn block(&mut self, block: &Block, cells: &mut BlockCells) {
        cells.wdl.clear();
        cells.plies.clear();
        for row in block.row..block.row + block.rows {
            let columns = block.first..block.end;
            let (transposed, kind) = match self.origin {
                Origin::Solved(transposed, kind) => (transposed, kind),
                Origin::Archived(archive) => {
                    archive.add_cells(row, columns, &mut cells.wdl);
                    continue;
                }
            };
            transposed.part(row, columns, &mut self.part);
            let part = &self.part;
            match kind {
                CellKind::Distance => {
                    cells.wdl.extend(part.iter().map(|c| match c {
                        0 | 255 => 0,
                        c => 2 - c % 2,
                    }));
                    cells.plies.extend(part.iter().map(|c| match c {
                        0 | 255 => 0,
                        c => c - 1,
                    }));
                }
                CellKind::Wdl => {
                    cells.wdl.extend(part.iter().map(|c| if *c == 255 { 0 } else { *c }));
                }
            }
        }
        cells.plies.resize(cells.wdl.len(), 0);
    }
}
