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
    /// Where the cells of the batch are.
    cells: Vec<usize>,
    batch: Vec<Item>,
    turns: Vec<Reached>,
    appeals: Vec<u8>,
}

/// A position of a batch.
#[derive(Clone, Copy)]
struct Item {
    opponent: u32,
    stored: u8,
    /// Where its turns end in the batch's list; they begin where those of the one before end.
    turns_end: usize,
    /// The appeal of its turns that end the game.
    best: u8,
    /// Its value if it has no turns.
    fixed: Option<u8>,
}

/// Where the cell of the position after a turn is.
#[derive(Clone, Copy)]
struct Reached {
    /// The opponent's stones that are left.
    opponent: u32,
    /// The number of the row among the [`Targets`].
    row: u16,
    placed: u8,
    removed: u8,
}

impl Worker {
    fn new() -> Self {
        let targets = Targets { of_action: [UNKNOWN; ACTIONS], rows: Vec::new(), used: 0 };
        Self {
            targets,
            cells: Vec::new(),
            batch: Vec::new(),
            turns: Vec::new(),
            appeals: Vec::new(),
        }
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

    /// The number of the row after a turn of a position. It depends on the turn's removals no more
    /// than on the opponent's stones.
    #[inline(always)]
    fn row(&mut self, position: &Position, turn: Turn, classes: &Classes) -> u16 {
        let action = turn.bits() as usize % ACTIONS;
        if self.of_action[action] == UNKNOWN {
            self.of_action[action] = self.add(position.after(turn).opponent(), classes);
        }
        self.of_action[action]
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
    /// A batch goes by in steps, each of them a plain loop: cells of the positions, turns, cells
    /// after the turns, comparison. So the processor can wait for many cells at once.
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
                worker.batch.push(Item { opponent, stored: 0, turns_end: 0, best: 0, fixed: None });
                compact = next_of_size(compact);
            }
            for (item, cell) in worker.batch.iter_mut().zip(&worker.cells) {
                item.stored = self.own_table.cells[*cell];
            }
            self.list_turns::<T>(own, worker);
            self.look_up(worker);
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
        let Worker { targets, batch, turns, .. } = worker;
        turns.clear();
        for item in batch {
            let before = turns.len();
            let Some(position) = position_of(self.rules, self.sector, own, item.opponent) else {
                item.fixed = Some(cell::NONE);
                item.turns_end = before;
                continue;
            };
            for_each_turn::<T>(self.rules, &position, |turn| {
                let placed = usize::from(turn.from().is_none() && turn.to().is_some());
                let removed = turn.removed();
                let count = if removed == 0 { 0 } else { removed.count_ones() as usize };
                let table = self.after[placed][count];
                if let (Some(_), Some(classes)) = (table, self.target_classes[placed]) {
                    turns.push(Reached {
                        opponent: item.opponent & !removed,
                        row: targets.row(&position, turn, classes),
                        placed: placed as u8,
                        removed: count as u8,
                    });
                } else {
                    let end = Judge::end(self.rules, &position.after(turn)).unwrap_or(cell::NONE);
                    item.best = item.best.max(self.judge.appeal(end));
                }
            });
            item.turns_end = turns.len();
            if item.turns_end == before && item.best == 0 {
                item.fixed = Judge::end(self.rules, &position);
            }
        }
    }

    /// Finds the appeal of every turn of a batch.
    fn look_up(&self, worker: &mut Worker) {
        worker.appeals.clear();
        worker.appeals.extend(worker.turns.iter().map(|turn| {
            let table = self.after[usize::from(turn.placed)][usize::from(turn.removed)];
            let row = &worker.targets.rows[usize::from(turn.row)];
            let found = table.and_then(|table| {
                table.cells.get(row.class() * table.columns + row.column(turn.opponent))
            });
            self.judge.appeal(found.copied().unwrap_or(cell::NONE))
        }));
    }

    /// Compares the cells of a batch with what its turns lead to.
    fn compare(&self, own: u32, worker: &Worker) {
        let mut begin = 0;
        for item in &worker.batch {
            let turns = &worker.appeals[begin..item.turns_end];
            begin = item.turns_end;
            let best = turns.iter().fold(item.best, |best, appeal| best.max(*appeal));
            let computed = item.fixed.or_else(|| self.judge.verdict(best));
            if computed != Some(item.stored) {
                self.complain(own, item.opponent, item.stored, computed);
            }
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
