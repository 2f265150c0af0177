//! Equal positions within a row: a row whose representative has symmetries of its own keeps all
//! columns, and images of one position must say the same.

use super::{Findings, Mismatch, describe};
use crate::{
    sector::{Sector, SectorExt},
    solve::SectorTable,
    threads::share,
};
use millrace_engine::{
    Rules,
    index::{Classes, Row, column_set},
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The symmetries of one row, other than the identity: for each, where it takes the columns.
pub struct Mirrors {
    maps: Vec<Vec<u32>>,
}

impl Mirrors {
    /// Those of a row; empty for most.
    pub fn of(rules: &Rules, sector: Sector, row: usize) -> Self {
        let board = rules.board();
        let classes = Classes::of(board, sector.opponent.into());
        let others: Vec<usize> = classes.stabiliser(row).filter(|s| *s != 0).collect();
        if others.is_empty() {
            return Self { maps: Vec::new() };
        }
        let view = Row::of(classes, classes.representative(row));
        let columns = 0..sector.columns(board) as usize;
        let sets: Vec<u32> =
            columns.map(|c| column_set(classes, row, c, sector.own.into())).collect();
        let map = |symmetry: usize| {
            let symmetry = &board.symmetries()[symmetry];
            sets.iter().map(|set| view.column(symmetry.set(*set)) as u32).collect()
        };
        Self { maps: others.into_iter().map(map).collect() }
    }

    /// The number of symmetries, the identity included.
    pub fn count(&self) -> usize {
        self.maps.len() + 1
    }

    /// The columns of the other images of a column's position; they may repeat and include itself.
    pub fn images(&self, column: usize) -> impl Iterator<Item = usize> + '_ {
        self.maps.iter().map(move |m| m[column] as usize)
    }

    /// Whether a column is the first of all images of its position, by which it is counted.
    pub fn is_first(&self, column: usize) -> bool {
        self.images(column).all(|image| image >= column)
    }
}

/// Checks that images of one position within a row have equal cells.
pub fn check_mirrors(
    rules: &Rules,
    sector: Sector,
    table: &SectorTable,
    threads: usize,
    findings: &Findings,
) {
    let classes = Classes::of(rules.board(), sector.opponent.into());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let row = next.fetch_add(1, Ordering::Relaxed);
            if row >= classes.count() {
                break;
            }
            let mirrors = Mirrors::of(rules, sector, row);
            if mirrors.count() == 1 {
                continue;
            }
            let cells = &table.cells[row * table.columns..][..table.columns];
            for (column, stored) in cells.iter().enumerate() {
                for image in mirrors.images(column).filter(|i| cells[*i] != *stored) {
                    let own = column_set(classes, row, column, sector.own.into());
                    findings.add(|| Mismatch {
                        sector,
                        fen: describe(rules, sector, own, classes.representative(row)),
                        stored: *stored,
                        computed: Some(cells[image]),
                    });
                }
            }
        }
    };
    share(threads, work);
}
