//! Verification of whole units.
//!
//! A turn keeps the opponent's stones but for what it removes, so the rows that a position's
//! successors lie in depend on its own stones alone. Own stones are therefore the outer loop: the
//! few rows that they lead to stay in the cache while all placements of the opponent's stones go
//! by. Only the position's own cell is far away, and those of many positions are fetched at once.

use super::{Findings, Judge, Mismatch, check_mirrors, describe, position_of};
use crate::{
    file::FileError,
    sector::{Sector, Unit},
    solve::{SectorTable, cell},
    tables::Tables,
};
use millrace_engine::{
    Position, Rules, Turn,
    board::{MAX_POINTS, Topology},
    index::{Classes, MAX_STONES, Row, gather, rank, scatter},
    movegen::{MAX_REMOVALS, for_each_turn},
    with_topology,
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

const BATCH: usize = 128;
/// Places of [`Targets`] for turns: from each point or the hand, to each point; and the pass.
const TURNS: usize = (MAX_POINTS + 1) * MAX_POINTS + 1;
const UNKNOWN: u16 = u16::MAX;

/// Verifies all cells of a unit. `tell` is called now and then with the number of positions done,
/// and stops the work by returning false.
///
/// # Errors
/// If a table that is needed is missing or damaged.
pub fn verify_unit(
    tables: &Tables,
    unit: Unit,
    threads: usize,
    findings: &Findings,
    tell: &(dyn Fn(u64) -> bool + Sync),
) -> Result<(), FileError> {
    let rules = tables.rules();
    let sectors = unit.sectors().chain(unit.depends_on(rules));
    let loaded = sectors.map(|s| Ok((s, tables.load(s, threads)?))).collect::<Result<_, _>>()?;
    let done = AtomicU64::new(0);
    for sector in unit.sectors() {
        let job = SectorJob::new(rules, sector, &loaded, Judge::new(tables.kind()), findings);
        let own_classes = Classes::of(rules.board(), sector.own.into());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut worker = Worker::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= own_classes.count() {
                    break;
                }
                let own = own_classes.representative(number);
                let positions =
                    with_topology!(rules.board(), T => job.verify::<T>(own, &mut worker));
                if !tell(done.fetch_add(positions, Ordering::Relaxed) + positions) {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        check_mirrors(rules, sector, &loaded[&sector], threads, findings);
    }
    Ok(())
}

/// What is the same for all positions of a sector.
struct SectorJob<'a> {
    rules: &'a Rules,
    sector: Sector,
    judge: Judge,
    findings: &'a Findings,
    own_table: &'a SectorTable,
    opponent_classes: &'static Classes,
    /// Classes of the own stones after a slide or pass, and after a placement.
    target_classes: [Option<&'static Classes>; 2],
    /// The tables after a slide or pass, and after a placement; by the number of stones removed.
    /// None where the game is over.
    after: [[Option<&'a SectorTable>; MAX_REMOVALS + 1]; 2],
}

/// What a thread needs for one set of own stones after the other.
struct Worker {
    targets: Targets,
    stones: [u32; BATCH],
    stored: [u8; BATCH],
}

impl Worker {
    fn new() -> Self {
        let targets = Targets { of_turn: [UNKNOWN; TURNS], rows: Vec::new(), used: 0 };
        Self { targets, stones: [0; BATCH], stored: [0; BATCH] }
    }
}

/// The rows that the turns of given own stones lead to, found at first need.
struct Targets {
    of_turn: [u16; TURNS],
    rows: Vec<Row>,
    used: usize,
}

impl Targets {
    fn clear(&mut self) {
        self.of_turn.fill(UNKNOWN);
        self.used = 0;
    }

    /// The row after a turn, which leaves these own stones.
    #[inline(always)]
    fn row(&mut self, turn: Turn, own: u32, classes: &Classes) -> &Row {
        let place = match turn.to() {
            Some(to) => turn.from().unwrap_or(MAX_POINTS) * MAX_POINTS + to,
            None => TURNS - 1,
        };
        if self.of_turn[place] == UNKNOWN {
            self.of_turn[place] = self.add(own, classes);
        }
        &self.rows[usize::from(self.of_turn[place])]
    }

    #[cold]
    fn add(&mut self, own: u32, classes: &Classes) -> u16 {
        match self.rows.get_mut(self.used) {
            Some(row) => row.set(classes, own),
            None => self.rows.push(Row::of(classes, own)),
        }
        self.used += 1;
        self.used as u16 - 1
    }
}

impl<'a> SectorJob<'a> {
    fn new(
        rules: &'a Rules,
        sector: Sector,
        loaded: &'a BTreeMap<Sector, Arc<SectorTable>>,
        judge: Judge,
        findings: &'a Findings,
    ) -> Self {
        let placed =
            Sector { own: sector.own + 1, own_hand: sector.own_hand.wrapping_sub(1), ..sector };
        let moved = [Some(sector), (sector.own_hand > 0).then_some(placed)];
        let board = rules.board();
        let after = |moved: Option<Sector>, removed: usize| {
            let moved = moved?;
            let left = moved.opponent.checked_sub(removed as u8)?;
            let next = Sector { opponent: left, ..moved }.swapped();
            loaded.get(&next).map(|t| &**t)
        };
        Self {
            rules,
            sector,
            judge,
            findings,
            own_table: &loaded[&sector],
            opponent_classes: Classes::of(board, sector.opponent.into()),
            target_classes: moved.map(|m| {
                m.map(|m| usize::from(m.own))
                    .filter(|n| *n <= MAX_STONES)
                    .map(|n| Classes::of(board, n))
            }),
            after: moved.map(|m| std::array::from_fn(|removed| after(m, removed))),
        }
    }

    /// Verifies all positions with these own stones, and returns their number.
    fn verify<T: Topology>(&self, own: u32, worker: &mut Worker) -> u64 {
        worker.targets.clear();
        let images: Vec<u32> = self.rules.board().symmetries().iter().map(|s| s.set(own)).collect();
        let spread = Spread::new(T::G.all & !own);
        let total = self.own_table_columns_of_opponent();
        let mut compact = (1u32 << self.sector.opponent) - 1;
        let mut done = 0;
        while done < total {
            let batch = (total - done).min(BATCH as u64) as usize;
            let mut cells = [0; BATCH];
            for (stones, cell) in worker.stones.iter_mut().zip(&mut cells).take(batch) {
                *stones = spread.set(compact);
                *cell = self.own_cell::<T>(&images, *stones);
                compact = next_of_size(compact);
            }
            for (stored, cell) in worker.stored.iter_mut().zip(&cells).take(batch) {
                *stored = self.own_table.cells[*cell];
            }
            for number in 0..batch {
                let (opponent, stored) = (worker.stones[number], worker.stored[number]);
                let computed = self.value::<T>(own, opponent, &mut worker.targets);
                if computed != Some(stored) {
                    self.complain(own, opponent, stored, computed);
                }
            }
            done += batch as u64;
        }
        total
    }

    /// Placements of the opponent's stones beside given own ones.
    fn own_table_columns_of_opponent(&self) -> u64 {
        self.sector.swapped().columns(self.rules.board())
    }

    /// Where the table keeps a position whose own stones have these images.
    #[inline(always)]
    fn own_cell<T: Topology>(&self, images: &[u32], opponent: u32) -> usize {
        let (class, symmetry) = self.opponent_classes.class_of(opponent);
        let free = T::G.all & !self.opponent_classes.representative(class);
        class * self.own_table.columns + rank(gather(images[symmetry], free)) as usize
    }

    #[inline(always)]
    fn value<T: Topology>(&self, own: u32, opponent: u32, targets: &mut Targets) -> Option<u8> {
        let Some(position) = position_of(self.rules, self.sector, own, opponent) else {
            return Some(cell::NONE);
        };
        let mut best = 0;
        let mut any = false;
        for_each_turn::<T>(self.rules, &position, |turn| {
            any = true;
            let left = self.left_after(&position, turn, targets);
            best = best.max(self.judge.appeal(left));
        });
        if any { self.judge.verdict(best) } else { Judge::end(self.rules, &position) }
    }

    /// The value that a turn leaves the opponent.
    #[inline(always)]
    fn left_after(&self, position: &Position, turn: Turn, targets: &mut Targets) -> u8 {
        let next = position.after(turn);
        let placed = usize::from(turn.to().is_some() && turn.from().is_none());
        let removed = turn.removed().count_ones() as usize;
        match (self.after[placed][removed], self.target_classes[placed]) {
            (Some(table), Some(classes)) => {
                let row = targets.row(turn, next.opponent(), classes);
                table.cells[row.class() * table.columns + row.column(next.own())]
            }
            _ => Judge::end(self.rules, &next).unwrap_or(cell::NONE),
        }
    }

    #[cold]
    fn complain(&self, own: u32, opponent: u32, stored: u8, computed: Option<u8>) {
        self.findings.add(|| Mismatch {
            sector: self.sector,
            fen: describe(self.rules, self.sector, own, opponent),
            stored,
            computed,
        });
    }
}

/// Spreads the low bits of a number over the points of a mask, by a table for each byte.
struct Spread([[u32; 256]; MAX_POINTS / 8]);

impl Spread {
    fn new(mask: u32) -> Self {
        let mut bytes = [[0; 256]; MAX_POINTS / 8];
        for (byte, table) in bytes.iter_mut().enumerate() {
            for (value, entry) in table.iter_mut().enumerate() {
                *entry = scatter((value as u32) << (8 * byte), mask);
            }
        }
        Self(bytes)
    }

    #[inline(always)]
    fn set(&self, bits: u32) -> u32 {
        self.0[0][(bits & 255) as usize]
            | self.0[1][(bits >> 8 & 255) as usize]
            | self.0[2][(bits >> 16 & 255) as usize]
    }
}

/// The next greater number with as many ones; 0 stays 0.
#[inline(always)]
fn next_of_size(set: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    let carried = set + (set & set.wrapping_neg());
    carried | (set ^ carried) >> (set.trailing_zeros() + 2)
}
