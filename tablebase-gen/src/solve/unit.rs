//! The solver's course: one unit, layer by layer.
//!
//! Layer `d` decides all positions that are `d` plies from the end. First the turns out of the unit
//! that lead to positions `d − 1` plies from the end are told to the tables that have them, then
//! every group of rows works through what it has been told, and reports what it has decided for
//! layer `d + 1`. Groups are shared out among the threads; no two threads work on one group, so
//! that nothing but the lists of messages is ever passed on.

use super::{
    Job, Known, SectorTable, SolveError, Watch, cell,
    classes::Classes,
    external::CHUNK,
    frugal::{passing_cell, settle_cells},
    isa::{Isa, SPARE, Work},
    layout::Layout,
    mail::{Inbox, Outbox},
    removal::KEYS,
    step::{Group, Scratch, Step},
    table::{Shape, State},
};
use crate::{
    memory,
    sector::{Sector, Unit},
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

/// Solves a unit.
///
/// # Errors
/// See [`SolveError`]; nothing of the unit is kept then.
pub fn solve_unit(
    job: &Job,
    known: &dyn Known,
    watch: &dyn Watch,
) -> Result<Vec<SectorTable>, SolveError> {
    let needed = super::memory_needed(job.rules, job.unit, job.threads);
    if needed > job.memory {
        let allowed = job.memory;
        return Err(SolveError::OutOfMemory { unit: job.unit, needed, allowed });
    }
    let pool = super::pool(job)?;
    if super::is_placing(job.rules, job.unit) {
        return super::placing::solve(job, &pool, known, watch);
    }
    by_layers(job, &pool, known, watch)
}

/// [`solve_unit`] by layers, which any unit can be.
pub(super) fn by_layers(
    job: &Job,
    pool: &rayon::ThreadPool,
    known: &dyn Known,
    watch: &dyn Watch,
) -> Result<Vec<SectorTable>, SolveError> {
    let shapes = shapes_of(job)?;
    let mut states = states_of(job, &shapes)?;
    {
        let groups = states.iter_mut().zip(&shapes).map(|(state, shape)| state.groups(shape));
        Solver::new(job, &shapes, groups.collect(), pool, known, watch).run()?;
    }
    Ok(states.into_iter().zip(&shapes).map(|(state, shape)| state.finish(shape)).collect())
}

/// The shapes of a unit's tables.
pub(super) fn shapes_of(job: &Job) -> Result<Vec<Shape>, SolveError> {
    let mut made: HashMap<usize, Arc<Classes>> = HashMap::new();
    let mut makes = |stones: usize| match made.get(&stones) {
        Some(classes) => Ok(classes.clone()),
        None => {
            let classes = Arc::new(Classes::new(job.rules.board(), stones)?);
            made.insert(stones, classes.clone());
            Ok(classes)
        }
    };
    let shapes = job.unit.sectors().map(|s: Sector| Shape::new(job, s, &mut makes));
    shapes.collect::<Result<_, _>>().map_err(|refused| SolveError::refused(job.unit, refused))
}

/// The states of tables of which nothing is known.
pub(super) fn states_of(job: &Job, shapes: &[Shape]) -> Result<Vec<State>, SolveError> {
    let states: Result<_, _> = shapes.iter().map(State::new).collect();
    states.map_err(|refused| SolveError::refused(job.unit, refused))
}

/// What a thread has of its own.
pub(super) struct Worker<'a> {
    pub outboxes: Vec<Outbox<'a>>,
    pub scratch: Scratch,
}

/// A unit at work.
pub(super) struct Solver<'a> {
    pub job: &'a Job<'a>,
    pub shapes: &'a [Shape],
    pub groups: Vec<Vec<Mutex<Group<'a>>>>,
    inboxes: Vec<Vec<Mutex<Inbox>>>,
    known: &'a dyn Known,
    pub watch: &'a dyn Watch,
    pub pool: &'a rayon::ThreadPool,
    pub workers: Vec<Mutex<Worker<'a>>>,
    /// The most messages at a time, if memory is short.
    portion: Option<usize>,
    decided: AtomicU64,
    total: u64,
}

/// Bytes that a message takes up until it has been worked through, with all around it (measured).
const MESSAGE_BYTES: u64 = 12;
/// The most messages at a time even where there is no memory to spare: there is a little.
const LEAST_PORTION: usize = 1 << 18;

/// A lock whose owner cannot have left anything half done that still matters: a panic elsewhere
/// ends the whole solve.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Solver<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        shapes: &'a [Shape],
        groups: Vec<Vec<Mutex<Group<'a>>>>,
        pool: &'a rayon::ThreadPool,
        known: &'a dyn Known,
        watch: &'a dyn Watch,
    ) -> Self {
        let workers = (0..pool.current_num_threads()).map(|_| {
            let outboxes =
                shapes.iter().map(|s| Outbox::new(s.layout.groups(), job.stock)).collect();
            Mutex::new(Worker { outboxes, scratch: Scratch::new() })
        });
        let inboxes =
            groups.iter().map(|g| g.iter().map(|_| Mutex::new(Inbox::new())).collect()).collect();
        let spare =
            job.memory.saturating_sub(super::memory_needed(job.rules, job.unit, job.threads));
        let is_short = job.memory < super::memory_wanted(job.rules, job.unit, job.threads);
        Self {
            job,
            shapes,
            portion: is_short.then_some((spare / MESSAGE_BYTES) as usize + LEAST_PORTION),
            inboxes,
            known,
            watch,
            workers: workers.collect(),
            pool,
            decided: AtomicU64::new(0),
            total: shapes.iter().map(|s| (s.layout.rows() * s.layout.columns.count()) as u64).sum(),
            groups,
        }
    }

    fn run(&self) -> Result<(), SolveError> {
        self.fill_externals()?;
        let last_external = self.last_external();
        for plies in 0.. {
            if self.watch.is_stopped() {
                return Err(SolveError::Stopped);
            }
            let before = self.decided.load(Ordering::Relaxed);
            if plies == 0 {
                self.layer(plies);
            } else {
                let told = match self.portion {
                    Some(most) => self.layer_in_portions(plies, most),
                    None => {
                        self.tell_externals(plies);
                        let told = self.collect();
                        self.layer(plies);
                        told
                    }
                };
                if told == 0 && plies >= last_external {
                    break;
                }
            }
            let decided = self.decided.load(Ordering::Relaxed);
            if decided > before && !self.job.wdl_only && plies > cell::MAX_PLIES {
                return Err(SolveError::DistanceOverflow { unit: self.job.unit });
            }
            self.watch.step(Some(plies), decided, self.total);
        }
        self.settle_draws();
        Ok(())
    }

    /// Runs a task on all threads; `work` is called with numbers from 0 until they are used up.
    fn share(&self, tasks: usize, work: impl Fn(usize, &mut Worker<'a>) + Sync) {
        let next = AtomicUsize::new(0);
        self.pool.broadcast(|context| {
            let mut worker = lock(&self.workers[context.index()]);
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    break;
                }
                work(task, &mut worker);
            }
        });
    }

    /// All externals' chunks: table, external and chunk number.
    pub(super) fn chunks(&self) -> Vec<(usize, usize, usize)> {
        let mut all = Vec::new();
        for (table, shape) in self.shapes.iter().enumerate() {
            for (number, external) in shape.externals.iter().enumerate() {
                all.extend((0..external.chunks.len()).map(|chunk| (table, number, chunk)));
            }
        }
        all
    }

    pub(super) fn fill_externals(&self) -> Result<(), SolveError> {
        let chunks = self.chunks();
        let failure = Mutex::new(None);
        let failed = AtomicBool::new(false);
        self.share(chunks.len(), |task, _| {
            if failed.load(Ordering::Relaxed) || self.watch.is_stopped() {
                return;
            }
            let (table, number, chunk) = chunks[task];
            let shape = &self.shapes[table];
            let work = Fill { shape, unit: self.job.unit, number, chunk, known: self.known };
            match self.job.instructions.run(work) {
                Ok(filled) => {
                    let _ = shape.externals[number].chunks[chunk].set(filled);
                }
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    lock(&failure).get_or_insert(error);
                }
            }
        });
        match lock(&failure).take() {
            Some(error) => Err(error),
            None if self.watch.is_stopped() => Err(SolveError::Stopped),
            None => Ok(()),
        }
    }

    /// The last layer to which a turn out of the unit contributes.
    fn last_external(&self) -> u32 {
        let externals = self.shapes.iter().flat_map(|s| &s.externals);
        let rows = externals
            .flat_map(|e| &e.chunks)
            .filter_map(|chunk| chunk.get())
            .flat_map(|chunk| &chunk.rows);
        let highest = |present: &[u64; 4]| {
            (1..cell::NONE).rev().find(|cell| {
                let key = KEYS[usize::from(*cell)];
                present[usize::from(key >> 6)] >> (key & 63) & 1 == 1
            })
        };
        rows.filter_map(|(_, present)| highest(present)).max().map_or(0, u32::from)
    }

    /// Sends what turns out of the unit contribute to a layer: positions whose cell, `plies`, says
    /// that they are one ply nearer to the end.
    pub(super) fn tell_externals(&self, plies: u32) {
        let wanted = u8::try_from(plies).unwrap_or(cell::NONE);
        if wanted == cell::NONE {
            return;
        }
        let chunks = self.chunks();
        self.share(chunks.len(), |task, worker| self.tell_external(chunks[task], wanted, worker));
    }

    /// [`tell_externals`](Self::tell_externals) for one chunk: table, external and number.
    pub(super) fn tell_external(
        &self,
        (table, number, chunk): (usize, usize, usize),
        wanted: u8,
        worker: &mut Worker<'a>,
    ) {
        let Worker { outboxes, scratch } = worker;
        let (outbox, found) = (&mut outboxes[table], &mut scratch.decided);
        let shape = &self.shapes[table];
        self.job.instructions.run(Tell { shape, number, chunk, wanted, outbox, found });
    }

    /// Brings all messages to the groups that they are for, and counts them.
    pub(super) fn collect(&self) -> u64 {
        let mut sent = 0;
        for worker in &self.workers {
            let mut worker = lock(worker);
            for (outbox, inboxes) in worker.outboxes.iter_mut().zip(&self.inboxes) {
                sent += outbox.empty_into(inboxes);
            }
        }
        sent
    }

    /// Makes draws of what has not been decided.
    fn settle_draws(&self) {
        let all = |(table, groups): (usize, &Vec<_>)| (0..groups.len()).map(move |g| (table, g));
        let tasks: Vec<(usize, usize)> = self.groups.iter().enumerate().flat_map(all).collect();
        self.share(tasks.len(), |task, _| {
            let (table, group) = tasks[task];
            let step = self.step(table, cell::DRAW, false);
            let mut group = lock(&self.groups[table][group]);
            for nth in 0..group.left.len() {
                step.end(&mut group, nth);
            }
            if self.job.wdl_only && self.portion.is_some() {
                settle_cells(group.cells);
            }
        });
    }

    /// What the groups of a table need to know for a layer.
    fn step(&self, table: usize, cell: u8, wins: bool) -> Step<'_> {
        let Shape { layout, movement, wings, .. } = &self.shapes[table];
        Step { layout, movement, wings: wings.as_ref(), cell, wins }
    }

    /// The cell of positions that a layer decides.
    pub(super) fn cell_of(&self, plies: u32) -> u8 {
        match (self.job.wdl_only, self.portion) {
            (true, Some(_)) => passing_cell(plies),
            (true, None) if plies.is_multiple_of(2) => cell::LOSS,
            (true, None) => cell::WIN,
            // Too far for a cell is noticed after the layer.
            (false, _) => cell::decided(plies).unwrap_or(cell::NONE),
        }
    }

    /// Works through all messages that have come.
    pub(super) fn layer(&self, plies: u32) {
        let mut tasks: Vec<(usize, usize)> = Vec::new();
        for (table, inboxes) in self.inboxes.iter().enumerate() {
            let due = |group: &usize| plies == 0 || !lock(&inboxes[*group]).is_empty();
            tasks.extend((0..inboxes.len()).filter(due).map(|group| (table, group)));
        }
        self.share(tasks.len(), |task, worker| {
            let (table, group) = tasks[task];
            // In portions, the next layer looks for what this one decides.
            let reports_to = self.shapes[table].reports_to.filter(|_| self.portion.is_none());
            let work = Layer {
                step: self.step(table, self.cell_of(plies), plies % 2 == 1),
                group: &mut lock(&self.groups[table][group]),
                chunks: std::mem::take(&mut *lock(&self.inboxes[table][group])),
                plies,
                reports_to: reports_to.map(|t| (t, &self.shapes[t].layout)),
                worker,
            };
            let decided = self.job.instructions.run(work);
            self.decided.fetch_add(decided, Ordering::Relaxed);
        });
    }
}

/// Computing a chunk of turns out of the unit.
struct Fill<'a> {
    shape: &'a Shape,
    unit: Unit,
    number: usize,
    chunk: usize,
    known: &'a dyn Known,
}

impl Work for Fill<'_> {
    type Output = Result<super::external::Chunk, SolveError>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        let external = &self.shape.externals[self.number];
        external.fill::<I>(&self.shape.movement, self.known, self.unit, self.chunk)
    }
}

/// Telling a table what a chunk of turns out of the unit leads to.
struct Tell<'a, 'w> {
    shape: &'a Shape,
    number: usize,
    chunk: usize,
    wanted: u8,
    outbox: &'a mut Outbox<'w>,
    /// Memory for the indices of one row's positions.
    found: &'a mut Vec<u32>,
}

impl Work for Tell<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let external = &self.shape.externals[self.number];
        let Some(chunk) = external.chunks[self.chunk].get() else { return };
        debug_assert!(chunk.rows.len() <= CHUNK);
        let columns = &external.columns[0];
        let all = self.shape.layout.all;
        let key = KEYS[usize::from(self.wanted)];
        memory::make_room(self.found, columns.count() + SPARE);
        for ((row, present), keys) in chunk.rows.iter().zip(chunk.keys.chunks(columns.count())) {
            if present[usize::from(key >> 6)] >> (key & 63) & 1 == 0 {
                continue;
            }
            let free = all & !external.classes.representatives[*row as usize];
            let images = &external.classes.images[*row as usize];
            let count = I::list_equal(keys, key, &columns.indices, self.found);
            let found = &self.found[..count];
            let kind = external.kind as u32;
            self.shape.layout.deliver::<I>(images, free, found, kind, self.outbox);
        }
    }
}

/// Working through the messages of a group.
struct Layer<'a, 'g, 'w> {
    step: Step<'a>,
    group: &'a mut Group<'g>,
    chunks: Inbox,
    /// The first layer, 0, has no messages.
    plies: u32,
    reports_to: Option<(usize, &'a Layout)>,
    worker: &'a mut Worker<'w>,
}

impl Work for Layer<'_, '_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self) -> u64 {
        let layout = self.step.layout;
        let scratch = &mut self.worker.scratch;
        scratch.sort(layout, &self.chunks);
        let mut decided = 0;
        for nth in 0..self.group.left.len() {
            if self.plies > 0 && nth + 1 < self.group.left.len() {
                self.step.foresee(self.group, nth + 1, scratch);
            }
            if self.plies == 0 {
                self.step.begin::<I>(self.group, nth, scratch);
            } else if scratch.begins[nth] < scratch.begins[nth + 1] {
                self.step.row::<I>(self.group, nth, scratch);
            } else {
                continue;
            }
            if scratch.decided.is_empty() {
                continue;
            }
            decided += scratch.decided.len() as u64;
            self.group.fresh[nth][self.plies as usize % 2] = self.plies + 1;
            let Some((table, target)) = self.reports_to else { continue };
            let row = self.group.first + nth;
            let (free, images) = (layout.free(row), &layout.classes.images[row]);
            let outbox = &mut self.worker.outboxes[table];
            target.deliver::<I>(images, free, &scratch.decided, 0, outbox);
        }
        if let Some(outbox) = self.worker.outboxes.first_mut() {
            self.chunks.into_iter().for_each(|chunk| outbox.reuse(chunk));
        }
        decided
    }
}
