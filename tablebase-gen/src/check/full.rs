//! Verification of whole units.
//!
//! A turn keeps the opponent's stones but for what it removes, so the rows that a position's
//! successors lie in depend on its own stones alone. Own stones are therefore the outer loop: the
//! few rows that they lead to stay in the cache while all placements of the opponent's stones go
//! by. Only the position's own cell is far away, and those of many positions are fetched at once.

use super::{Findings, Judge, Mismatch, check_mirrors, describe, position_of};
use crate::{
    file::FileError,
    sector::{Sector, SectorExt, Unit},
    solve::{SectorTable, cell},
    tables::Tables,
    threads::share,
};
use millrace_engine::{
    Rules, Turn,
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
};

const BATCH: usize = 128;
/// Different values of the two fields of a turn that say where a stone comes from and goes to.
const ACTIONS: usize = 1 << 10;
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
        share(threads, work);
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
    /// Where the cells of the batch are.
    cells: Vec<usize>,
    batch: Vec<Item>,
    turns: Vec<Turn>,
}

/// A position of a batch.
#[derive(Clone, Copy)]
struct Item {
    opponent: u32,
    stored: u8,
    /// Where its turns end in the batch's list; they begin where those of the one before end.
    turns_end: usize,
    /// Its value if it has no turns.
    fixed: Option<u8>,
}

impl Worker {
    fn new() -> Self {
        let targets = Targets { of_action: [UNKNOWN; ACTIONS], rows: Vec::new(), used: 0 };
        Self { targets, cells: Vec::new(), batch: Vec::new(), turns: Vec::new() }
    }
}

/// The rows that the turns of given own stones lead to, found at first need.
struct Targets {
    of_action: [u16; ACTIONS],
    rows: Vec<Row>,
    used: usize,
}

impl Targets {
    fn clear(&mut self) {
        self.of_action.fill(UNKNOWN);
        self.used = 0;
    }

    /// The row after a turn, which depends on nothing but where the stone comes from and goes to;
    /// `own` gives the own stones after the turn.
    #[inline(always)]
    fn row(&mut self, turn: Turn, own: impl FnOnce() -> u32, classes: &Classes) -> &Row {
        let action = turn.bits() as usize % ACTIONS;
        if self.of_action[action] == UNKNOWN {
            self.of_action[action] = self.add(own(), classes);
        }
        &self.rows[usize::from(self.of_action[action])]
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
        let classes = |moved: Sector| {
            let own = usize::from(moved.own);
            (own <= MAX_STONES).then(|| Classes::of(board, own))
        };
        Self {
            rules,
            sector,
            judge,
            findings,
            own_table: &loaded[&sector],
            opponent_classes: Classes::of(board, sector.opponent.into()),
            target_classes: moved.map(|m| m.and_then(classes)),
            after: moved.map(|m| std::array::from_fn(|removed| after(m, removed))),
        }
    }

    /// Verifies all positions with these own stones, and returns their number.
    ///
    /// A batch goes by in steps, each of them a plain loop: where the cells are, the cells, turns,
    /// cells after the turns. So the processor can wait for many cells at once.
    fn verify<T: Topology>(&self, own: u32, worker: &mut Worker) -> u64 {
        worker.targets.clear();
        let images: Vec<u32> = self.rules.board().symmetries().iter().map(|s| s.set(own)).collect();
        let spread = Spread::new(T::G.all & !own);
        let total = self.sector.swapped().columns(self.rules.board());
        let mut compact = (1u32 << self.sector.opponent) - 1;
        let mut done = 0;
        while done < total {
            let size = (total - done).min(BATCH as u64) as usize;
            worker.batch.clear();
            worker.cells.clear();
            for _ in 0..size {
                let opponent = spread.set(compact);
                worker.cells.push(self.own_cell::<T>(&images, opponent));
                worker.batch.push(Item { opponent, stored: 0, turns_end: 0, fixed: None });
                compact = next_of_size(compact);
            }
            for (item, cell) in worker.batch.iter_mut().zip(&worker.cells) {
                item.stored = self.own_table.cells[*cell];
            }
            self.list_turns::<T>(own, worker);
            self.compare(own, worker);
            done += size as u64;
        }
        total
    }

    /// Where the table keeps a position whose own stones have these images.
    #[inline(always)]
    fn own_cell<T: Topology>(&self, images: &[u32], opponent: u32) -> usize {
        let (class, symmetry) = self.opponent_classes.class_of(opponent);
        let free = T::G.all & !self.opponent_classes.representative(class);
        class * self.own_table.columns + rank(gather(images[symmetry], free)) as usize
    }

    /// Finds all turns of a batch.
    #[inline(always)]
    fn list_turns<T: Topology>(&self, own: u32, worker: &mut Worker) {
        let Worker { batch, turns, .. } = worker;
        turns.clear();
        for item in batch {
            let before = turns.len();
            if let Some(position) = position_of(self.rules, self.sector, own, item.opponent) {
                for_each_turn::<T>(self.rules, &position, |turn| turns.push(turn));
                if turns.len() == before {
                    item.fixed = Judge::end(self.rules, &position);
                }
            } else {
                item.fixed = Some(cell::NONE);
            }
            item.turns_end = turns.len();
        }
    }

    /// Compares the cells of a batch with what its turns lead to.
    fn compare(&self, own: u32, worker: &mut Worker) {
        let Worker { targets, batch, turns, .. } = worker;
        let mut begin = 0;
        for item in batch {
            let mut best = 0;
            for turn in &turns[begin..item.turns_end] {
                let left = self.left_after(own, item.opponent, *turn, targets);
                best = best.max(self.judge.appeal(left));
            }
            begin = item.turns_end;
            let computed = item.fixed.or_else(|| self.judge.verdict(best));
            if computed != Some(item.stored) {
                self.complain(own, item.opponent, item.stored, computed);
            }
        }
    }

    /// The value that a turn leaves the opponent.
    #[inline(always)]
    fn left_after(&self, own: u32, opponent: u32, turn: Turn, targets: &mut Targets) -> u8 {
        let placed = usize::from(turn.from().is_none() && turn.to().is_some());
        let removed = turn.removed();
        let count = if removed == 0 { 0 } else { removed.count_ones() as usize };
        let after = || {
            let position = position_of(self.rules, self.sector, own, opponent);
            position.expect("it has turns").after(turn)
        };
        match (self.after[placed][count], self.target_classes[placed]) {
            (Some(table), Some(classes)) => {
                let row = targets.row(turn, || after().opponent(), classes);
                table.cells[row.class() * table.columns + row.column(opponent & !removed)]
            }
            _ => Judge::end(self.rules, &after()).unwrap_or(cell::NONE),
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
