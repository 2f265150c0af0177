//! Sectors whose mover can do nothing but place stones: no game comes back to them, so one pass over
//! what comes after is enough, without layers and messages.
//!
//! What placements lead to is first gathered by the mover's stones, since a removal stays in such a
//! row. Then each row of the sector, which has one set of the opponent's stones, collects what has
//! the same set, and takes for every placement of the own stones the best of those by one stone
//! larger: a maximum over supersets, for 64 positions at a time.

use super::{
    Job, Known, SectorTable, SolveError, Watch, cell,
    classes::choose,
    external::{CHUNK, External},
    isa::{Bytes, Isa, Work},
    layout::Columns,
    moves::{MAX_KINDS, Movement, Row},
    removal::{BestRemoval, KEYS, MAX_POINTS, has},
    table::Shape,
    unit::{lock, shapes_of},
};
use crate::{
    memory,
    sector::{Sector, SectorExt, Unit},
};
use millrace_engine::{Rules, board::Points};
use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
};

#[cfg(test)]
mod tests;

/// The movement of the one sector of a unit that is solved here; `None` for other units.
fn movement_of(rules: &Rules, unit: Unit) -> Option<Movement> {
    let movement = Movement::new(rules, unit.first());
    (!unit.is_paired() && movement.places && !movement.slides).then_some(movement)
}

/// Whether a unit is solved here.
pub fn is_placing(rules: &Rules, unit: Unit) -> bool {
    movement_of(rules, unit).is_some()
}

/// The sector after a placement that removes nothing.
fn placed(sector: Sector) -> Sector {
    Sector { own: sector.own + 1, own_hand: sector.own_hand - 1, ..sector }.swapped()
}

/// Bytes of memory for a unit that is solved here.
pub fn memory_needed(rules: &Rules, unit: Unit, threads: usize) -> Option<u64> {
    /// Bytes that the classes of all sets of a size take up for each set (measured).
    const CLASS_BYTES: u64 = 16;
    let movement = movement_of(rules, unit)?;
    let (board, sector) = (rules.board(), unit.first());
    let ways = movement.planes() as u64;
    let sets = [usize::from(sector.own) + 1, sector.opponent.into()];
    let classes: usize = sets.map(|stones| choose(board.points(), stones)).iter().sum();
    let planes = (threads.max(2) as u64 * ways) << (board.points() - usize::from(sector.opponent));
    let gathered = placed(sector).cells(board) * ways;
    Some(gathered + sector.cells(board) + planes + classes as u64 * CLASS_BYTES)
}

/// Solves a unit of which [`is_placing`] holds.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    job: &Job,
    pool: &rayon::ThreadPool,
    known: &dyn Known,
    watch: &dyn Watch,
) -> Result<Vec<SectorTable>, SolveError> {
    let shapes = shapes_of(job)?;
    let solved = shapes.iter().map(|shape| match shape.movement.kinds {
        1 => Placing::<2>::solve(job, shape, pool, known, watch),
        2 => Placing::<3>::solve(job, shape, pool, known, watch),
        _ => Placing::<{ MAX_KINDS + 1 }>::solve(job, shape, pool, known, watch),
    });
    solved.collect()
}

/// For each kind of turn, [`KEYS`] of what it leads to; zero where no such turn can lead there.
type Entry<const WAYS: usize> = [u8; WAYS];

/// A sector at work; `WAYS` kinds of turns are told apart.
struct Placing<'a, const WAYS: usize> {
    watch: &'a dyn Watch,
    pool: &'a rayon::ThreadPool,
}

impl<'a, const WAYS: usize> Placing<'a, WAYS> {
    fn solve(
        job: &Job,
        shape: &Shape,
        pool: &'a rayon::ThreadPool,
        known: &dyn Known,
        watch: &'a dyn Watch,
    ) -> Result<SectorTable, SolveError> {
        let refused = |refused| SolveError::refused(job.unit, refused);
        let Shape { layout, externals, .. } = shape;
        let columns = layout.columns.count();
        let total = (layout.rows() * columns) as u64;
        let placing = Self { watch, pool };
        let (after, width) = (&externals[0].classes, externals[0].columns[0].count());
        let mut entries: Vec<Entry<WAYS>> =
            memory::zeroed(after.count() * width).map_err(refused)?;
        placing.share(&mut entries, CHUNK * width, |number, entries, _| {
            let gather = Gather { shape, known, first: number * CHUNK, entries };
            job.instructions.run(gather)
        })?;
        let mut cells = memory::zeroed(layout.rows() * columns).map_err(refused)?;
        let done = AtomicU64::new(0);
        placing.share(&mut cells, CHUNK * columns, |number, cells, scratch| {
            let first = number * CHUNK;
            let count = cells.len() as u64;
            let unit = job.unit;
            let rows = Rows { shape, entries: &entries, first, cells, scratch, wdl: job.wdl_only };
            if !job.instructions.run(rows) {
                return Err(SolveError::DistanceOverflow { unit });
            }
            watch.step(None, done.fetch_add(count, Relaxed) + count, total);
            Ok(())
        })?;
        Ok(SectorTable { sector: layout.sector, columns, cells })
    }

    /// Has all threads work on chunks of some memory, until all is done or something goes wrong.
    fn share<T: Send>(
        &self,
        memory: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T], &mut Scratch<WAYS>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let chunks: Vec<_> = memory.chunks_mut(chunk).map(|c| Mutex::new(Some(c))).collect();
        let next = AtomicUsize::new(0);
        let (failed, failure) = (AtomicBool::new(false), Mutex::new(None));
        self.pool.broadcast(|_| {
            let mut scratch = Scratch::new();
            while !failed.load(Relaxed) && !self.watch.is_stopped() {
                let number = next.fetch_add(1, Relaxed);
                let Some(chunk) = chunks.get(number).and_then(|c| lock(c).take()) else { break };
                if let Err(error) = work(number, chunk, &mut scratch) {
                    failed.store(true, Relaxed);
                    lock(&failure).get_or_insert(error);
                }
            }
        });
        match lock(&failure).take() {
            Some(error) => Err(error),
            None if next.load(Relaxed) < chunks.len() => Err(SolveError::Stopped),
            None => Ok(()),
        }
    }
}

/// Gathering what placements lead to, for some rows of the mover's stones.
struct Gather<'a, const WAYS: usize> {
    shape: &'a Shape,
    known: &'a dyn Known,
    first: usize,
    entries: &'a mut [Entry<WAYS>],
}

impl<const WAYS: usize> Work for Gather<'_, WAYS> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        let Self { shape, known, first, entries } = self;
        let Some((quiet, closing)) = shape.externals.split_first() else { return Ok(()) };
        let width = quiet.columns[0].count();
        let count = entries.len() / width;
        match quiet.sectors[0] {
            Some(sector) => {
                let mut cells = Vec::with_capacity(entries.len());
                known.rows(sector, first, count, &mut cells)?;
                for (entry, cell) in entries.iter_mut().zip(&cells) {
                    entry[0] = KEYS[usize::from(*cell)];
                }
            }
            None => entries.iter_mut().for_each(|entry| entry[0] = KEYS[1]),
        }
        let mut keys = Vec::with_capacity(width);
        for external in closing {
            Self::closing::<I>(shape, known, external, first, entries, &mut keys)?;
        }
        Ok(())
    }
}

impl<const WAYS: usize> Gather<'_, WAYS> {
    /// The entries of one kind of turns that close mills.
    #[inline(always)]
    fn closing<I: Isa>(
        shape: &Shape,
        known: &dyn Known,
        external: &External,
        first: usize,
        entries: &mut [Entry<WAYS>],
        keys: &mut Vec<u8>,
    ) -> Result<(), SolveError> {
        let width = external.columns[0].count();
        let own = |nth: usize| external.classes.representatives[first + nth];
        let mut removal = BestRemoval::new(external, &shape.movement);
        let mut is_read = false;
        for (nth, entries) in entries.chunks_exact_mut(width).enumerate() {
            if !external.has_kind(&shape.movement, own(nth)) {
                continue;
            }
            if !is_read {
                // Only now: where no row has this kind, there may be no table either.
                removal.read(known, first, external.classes.count().min(first + CHUNK) - first)?;
                is_read = true;
            }
            keys.clear();
            removal.row::<I>(own(nth), nth, keys);
            for (entry, key) in entries.iter_mut().zip(&*keys) {
                entry[external.kind] = *key;
            }
        }
        Ok(())
    }
}

/// Memory that a thread uses from row to row.
struct Scratch<const WAYS: usize> {
    /// For each kind of turn the keys after it, by compact index of the mover's stones after it.
    planes: [Vec<u8>; WAYS],
    keys: Vec<u8>,
    /// The lines that the opponent leaves open, as bits of an index.
    lines: Vec<[usize; 3]>,
}

impl<const WAYS: usize> Scratch<WAYS> {
    fn new() -> Self {
        let planes = std::array::from_fn(|_| Vec::new());
        Self { planes, keys: Vec::new(), lines: Vec::new() }
    }
}

/// Solving some rows of the sector. Says whether all distances fit.
struct Rows<'a, const WAYS: usize> {
    shape: &'a Shape,
    entries: &'a [Entry<WAYS>],
    first: usize,
    cells: &'a mut [u8],
    scratch: &'a mut Scratch<WAYS>,
    wdl: bool,
}

impl<const WAYS: usize> Work for Rows<'_, WAYS> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self) -> bool {
        let Self { shape, entries, first, cells, scratch, wdl } = self;
        let (layout, movement) = (&shape.layout, &shape.movement);
        let Some(placed) = &layout.placed else { return true };
        let verdicts = verdicts(wdl);
        for (nth, cells) in cells.chunks_exact_mut(layout.columns.count()).enumerate() {
            let row = Row::new(movement, layout.classes.representatives[first + nth]);
            if movement.line_wins && !movement.lineless(row.opponent) {
                cells.fill(cell::LOSS);
            } else {
                let source = Source { shape, entries };
                source.bring::<I>(first + nth, placed, &mut scratch.planes);
                best::<I, WAYS>(&layout.columns, &row, movement, scratch);
                if !wdl && memchr::memchr(KEYS[TOO_FAR], &scratch.keys).is_some() {
                    return false;
                }
                for (cell, key) in cells.iter_mut().zip(&scratch.keys) {
                    *cell = verdicts[usize::from(*key)];
                }
            }
            if movement.line_wins {
                for (cell, index) in cells.iter_mut().zip(&layout.columns.indices) {
                    if !movement.lineless(I::deposit(*index, row.free)) {
                        *cell = cell::NONE;
                    }
                }
            }
        }
        true
    }
}

/// The cell after which none fits: a win so late that the loss before it has no cell.
const TOO_FAR: usize = cell::MAX_PLIES as usize + 1;

/// The cell of a position, by the key of the best that a turn leads to.
fn verdicts(wdl: bool) -> [u8; 256] {
    let mut verdicts = [cell::NONE; 256];
    verdicts[usize::from(KEYS[usize::from(cell::DRAW)])] = cell::DRAW;
    if wdl {
        verdicts[usize::from(KEYS[usize::from(cell::LOSS)])] = cell::WIN;
        verdicts[usize::from(KEYS[usize::from(cell::WIN)])] = cell::LOSS;
        return verdicts;
    }
    for after in 0..cell::MAX_PLIES {
        // One ply more, and the other side's.
        let found = cell::decided(after).zip(cell::decided(after + 1));
        if let Some((after, before)) = found {
            verdicts[usize::from(KEYS[usize::from(after)])] = before;
        }
    }
    verdicts
}

/// Where a row's planes come from.
struct Source<'a, const WAYS: usize> {
    shape: &'a Shape,
    entries: &'a [Entry<WAYS>],
}

/// Entries that are asked for together.
const TOGETHER: usize = 64;

impl<const WAYS: usize> Source<'_, WAYS> {
    /// Brings the entries with the opponent's stones of a row. They lie far apart: those of a batch
    /// are on their way while the batch before is worked on.
    #[inline(always)]
    fn bring<I: Isa>(&self, row: usize, placed: &Columns, planes: &mut [Vec<u8>; WAYS]) {
        for plane in &mut *planes {
            // Some more, so that 64 bytes can be read from any index on.
            plane.resize((1 << placed.width) + 64, 0);
        }
        let mut places = [[0; TOGETHER]; 2];
        let mut waiting: &[u32] = &[];
        for (number, some) in placed.indices.chunks(TOGETHER).enumerate() {
            self.locate::<I>(row, some, &mut places[number % 2]);
            self.take(waiting, &places[(number + 1) % 2], planes);
            waiting = some;
        }
        let batches = placed.indices.len().div_ceil(TOGETHER);
        self.take(waiting, &places[(batches + 1) % 2], planes);
    }

    /// Finds the places of the entries with these of the mover's stones, and asks for them.
    #[inline(always)]
    fn locate<I: Isa>(&self, row: usize, indices: &[u32], places: &mut [usize; TOGETHER]) {
        let Shape { layout, externals, .. } = self.shape;
        let (classes, columns) = (&*externals[0].classes, &externals[0].columns[0]);
        let (free, images) = (layout.free(row), &layout.classes.images[row]);
        for (place, index) in places.iter_mut().zip(indices) {
            *place = classes.rank(I::deposit(*index, free));
            classes.foresee(*place);
        }
        for place in &mut places[..indices.len()] {
            let found = classes.place(*place);
            let beside = layout.all & !found.representative();
            let column = columns.rank(I::extract(images[found.symmetry()], beside));
            *place = found.class() * columns.count() + column;
            memory::prefetch(self.entries, *place);
        }
    }

    #[inline(always)]
    fn take(&self, indices: &[u32], places: &[usize; TOGETHER], planes: &mut [Vec<u8>; WAYS]) {
        let planes = planes.each_mut().map(Vec::as_mut_slice);
        for (nth, index) in indices.iter().enumerate() {
            let entry = self.entries[places[nth % TOGETHER]];
            for way in 0..WAYS {
                planes[way][*index as usize] = entry[way];
            }
        }
    }
}

/// Finds the keys of the best placements for all positions of a row.
#[inline(always)]
fn best<I: Isa, const WAYS: usize>(
    columns: &Columns,
    row: &Row,
    movement: &Movement,
    scratch: &mut Scratch<WAYS>,
) {
    let Scratch { planes, keys, lines } = scratch;
    let planes = planes.each_ref().map(Vec::as_slice);
    lines.clear();
    let g = movement.geometry;
    for line in &g.lines[..g.line_count] {
        if line & row.opponent == 0 && !row.no_target {
            let mut bits = Points(I::extract(*line, row.free));
            let mut bit = || bits.next().unwrap_or(0);
            lines.push([bit(), bit(), bit()]);
        }
    }
    // A word's keys are written as 64, of which the next word's overwrite what is of no use.
    keys.resize(columns.count() + 64, 0);
    let mut found = 0;
    for word in 0..(1u32 << columns.width).div_ceil(64) {
        let valid = columns.in_word(word);
        if valid == 0 {
            continue;
        }
        let closing = closing::<WAYS>(lines, word);
        let mut best = Bytes([0; 64]);
        for (bit, closing) in closing.iter().enumerate().take(columns.width as usize) {
            let mut empty = valid & !has(word, bit);
            let after = 64 * word as usize + (1 << bit);
            // The most mills first; what is left at last closes none.
            for way in (0..WAYS).rev() {
                let these = empty & closing[way];
                empty &= !these;
                if these != 0
                    && let Some(keys) = planes[way][after..].first_chunk()
                {
                    I::raise(&mut best, keys, these);
                }
            }
        }
        if let Some(packed) = keys[found..].first_chunk_mut() {
            found += I::pack(&best, valid, packed);
        }
    }
    keys.truncate(columns.count());
}

/// Of the positions of a word those, for each bit of their index and each kind of turn, in which a
/// stone placed there closes at least as many of the lines as the kind says.
#[inline(always)]
fn closing<const WAYS: usize>(lines: &[[usize; 3]], word: u32) -> [[u64; WAYS]; MAX_POINTS] {
    let mut none = [0; WAYS];
    none[0] = !0;
    let mut all = [none; MAX_POINTS];
    for [a, b, c] in lines {
        let (at_a, at_b, at_c) = (has(word, *a), has(word, *b), has(word, *c));
        add_line(&mut all[*a], at_b & at_c);
        add_line(&mut all[*b], at_a & at_c);
        add_line(&mut all[*c], at_a & at_b);
    }
    all
}

/// Takes in that a stone closes a line in some positions.
#[inline(always)]
fn add_line<const WAYS: usize>(at_least: &mut [u64; WAYS], closed: u64) {
    for way in (1..WAYS).rev() {
        at_least[way] |= at_least[way - 1] & closed;
    }
}
