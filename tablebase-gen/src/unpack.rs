//! The solver's form out of published files: every position is looked up as the engine does.

use crate::{
    check::{Judge, position_of},
    file::CellKind,
    memory::{self, Refused},
    sector::{Sector, SectorExt},
    solve::{SectorTable, cell},
    threads::share,
};
use millrace_engine::{
    index::{Classes, column_set},
    table::{Tables, Wdl},
};
use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

/// Looks up all positions of a sector. `None` if a table that is needed is not at hand, or `stop`
/// was set.
///
/// # Errors
/// If the system has no memory for its table.
pub fn unpack_sector(
    tables: &Tables,
    sector: Sector,
    kind: CellKind,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<SectorTable>, Refused> {
    let board = tables.rules().board();
    let columns = sector.columns(board) as usize;
    let classes = Classes::of(board, sector.opponent.into());
    let mut cells = memory::zeroed(classes.count() * columns)?;
    let rows: Vec<_> = cells.chunks_mut(columns).map(|row| Mutex::new(Some(row))).collect();
    let (next, missing) = (AtomicUsize::new(0), AtomicBool::new(false));
    share(threads, || {
        while !missing.load(Relaxed) && !stop.load(Relaxed) {
            let row = next.fetch_add(1, Relaxed);
            let Some(cells) = rows.get(row) else { return };
            let Some(cells) = cells.lock().ok().and_then(|mut c| c.take()) else { return };
            for (column, cell) in cells.iter_mut().enumerate() {
                let own = column_set(classes, row, column, sector.own.into());
                let opponent = classes.representative(row);
                match cell_of(tables, sector, kind, own, opponent) {
                    Some(value) => *cell = value,
                    None => missing.store(true, Relaxed),
                }
            }
        }
    });
    drop(rows);
    let whole = !missing.load(Relaxed) && !stop.load(Relaxed);
    Ok(whole.then_some(SectorTable { sector, columns, cells }))
}

fn cell_of(tables: &Tables, sector: Sector, kind: CellKind, own: u32, opponent: u32) -> Option<u8> {
    let rules = tables.rules();
    let Some(position) = position_of(rules, sector, own, opponent) else {
        return Some(cell::NONE);
    };
    if let Some(end) = Judge::end(rules, &position) {
        return Some(end);
    }
    match kind {
        CellKind::Wdl => Some(match tables.wdl(&position)? {
            Wdl::Draw => cell::DRAW,
            Wdl::Loss => cell::LOSS,
            Wdl::Win => cell::WIN,
        }),
        CellKind::Distance => {
            let value = tables.value(&position)?;
            match value.wdl {
                Wdl::Draw => Some(cell::DRAW),
                Wdl::Loss | Wdl::Win => cell::decided(value.plies.into()),
            }
        }
    }
}

/// The number of cells in which two tables of the same sector differ.
pub fn compare(one: &SectorTable, other: &SectorTable) -> u64 {
    one.cells.iter().zip(&other.cells).filter(|(a, b)| a != b).count() as u64
}
