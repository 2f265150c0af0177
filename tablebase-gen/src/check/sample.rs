//! Verification of cells drawn by lot.

use super::{Findings, Judge, Mismatch, describe, position_of};
use crate::{
    file::FileError,
    sector::{Sector, SectorExt, Unit},
    solve::cell,
    tables::Tables,
    threads::share,
};
use millrace_engine::{
    index::{Classes, column_set},
    search::Chance,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes that must be read to see one cell of a file: about one block.
const BLOCK: u64 = 512 << 10;
/// Turns of a position, about.
const TURNS: u64 = 12;

/// Cells drawn by lot: sector, row and column.
pub struct Picks(Vec<Pick>);

type Pick = (Sector, usize, usize);

impl Picks {
    /// Bytes of memory that so many take.
    pub fn bytes(number: u64) -> u64 {
        number.saturating_mul(size_of::<Pick>() as u64)
    }

    /// Draws `number` cells of some units, every cell as likely as any other. A seed of 0
    /// gives others each time. Fewer are drawn if `stop` is set.
    pub fn draw(
        tables: &Tables,
        units: &[Unit],
        number: u64,
        seed: u64,
        stop: &AtomicBool,
    ) -> Self {
        let board = tables.rules().board();
        let sectors: Vec<Sector> = units.iter().flat_map(|u| u.sectors()).collect();
        let total: u64 = sectors.iter().map(|s| s.cells(board)).sum();
        let mut lot = Chance::new(seed, 0);
        let mut picks = Vec::new();
        for _ in 0..if total == 0 { 0 } else { number } {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut place = lot.below(total);
            for sector in &sectors {
                if place < sector.cells(board) {
                    let columns = sector.columns(board);
                    picks.push((*sector, (place / columns) as usize, (place % columns) as usize));
                    break;
                }
                place -= sector.cells(board);
            }
        }
        picks.sort();
        Self(picks)
    }

    /// Whether there are some of a unit.
    pub fn has(&self, unit: Unit) -> bool {
        self.0.iter().any(|(s, ..)| unit.sectors().any(|own| own == *s))
    }

    /// Those of one unit.
    fn of(&self, unit: Unit) -> Vec<Pick> {
        let inside = |s: Sector| unit.sectors().any(|own| own == s);
        self.0.iter().copied().filter(|(s, ..)| inside(*s)).collect()
    }
}

/// Verifies the cells of a unit that were drawn, and returns their number.
///
/// # Errors
/// If a table that is needed is missing or damaged.
pub fn verify_sample(
    tables: &Tables,
    unit: Unit,
    picks: &Picks,
    threads: usize,
    findings: &Findings,
    stop: &AtomicBool,
) -> Result<u64, FileError> {
    let (rules, picks) = (tables.rules(), picks.of(unit));
    let needed: Vec<Sector> = unit.sectors().chain(unit.depends_on(rules)).collect();
    let whole: u64 = needed.iter().map(|s| s.cells(rules.board())).sum();
    let load = picks.len() as u64 * TURNS * BLOCK > whole;
    for sector in needed.iter().filter(|_| !picks.is_empty()) {
        if load {
            tables.load_until(*sector, threads, stop)?;
        } else {
            tables.file(*sector)?;
        }
    }
    let judge = Judge::new(tables.kind());
    let next = AtomicUsize::new(0);
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((sector, row, column)) = picks.get(number) else { break };
            check(tables, &judge, *sector, *row, *column, findings)?;
        }
        Ok(())
    };
    share(threads, work).into_iter().collect::<Result<(), _>>()?;
    Ok(picks.len() as u64)
}

fn check(
    tables: &Tables,
    judge: &Judge,
    sector: Sector,
    row: usize,
    column: usize,
    findings: &Findings,
) -> Result<(), FileError> {
    let rules = tables.rules();
    let classes = Classes::of(rules.board(), sector.opponent.into());
    let opponent = classes.representative(row);
    let own = column_set(classes, row, column, sector.own.into());
    let stored = tables.cell(sector, own, opponent)?;
    let computed = match position_of(rules, sector, own, opponent) {
        None => Some(cell::NONE),
        Some(position) => judge.value(rules, &position, |next| {
            match Judge::end(rules, next) {
                // The game's end has no table, or its cell is looked at by itself.
                Some(value) => Ok(value),
                None => tables.cell(Sector::of(next), next.own(), next.opponent()),
            }
        })?,
    };
    if computed != Some(stored) {
        let fen = describe(rules, sector, own, opponent);
        findings.add(|| Mismatch { sector, fen, stored, computed });
    }
    Ok(())
}
