//! Layers within little memory.
//!
//! Otherwise all positions that a layer decides are told to the other table at once, and wait in
//! memory for the next layer. Here nothing waits: the next layer finds them again in the cells, so
//! many at a time as there is room for messages, and works through these before it looks for more.

use super::{
    cell,
    isa::{Isa, Work},
    layout::Layout,
    mail::Outbox,
    step::Group,
    unit::{Solver, lock},
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A layer's number shows in its cells modulo this, where cells are to hold no distances in the
/// end. Even, so that wins and losses are never taken for each other. A position that is told of a
/// second time, this many layers later, changes nothing.
const CYCLE: u32 = 252;

/// The cell, for the time being, of a position decided in so many plies.
pub fn passing_cell(plies: u32) -> u8 {
    (plies % CYCLE) as u8 + 1
}

/// Turns such a cell into win or loss.
pub fn settle_cells(cells: &mut [u8]) {
    for cell in cells.iter_mut().filter(|c| **c != cell::NONE && **c != cell::DRAW) {
        *cell = if *cell % 2 == 1 { cell::LOSS } else { cell::WIN };
    }
}

/// Where messages come from.
#[derive(Clone, Copy)]
enum Source {
    /// A chunk of an external: table, external and chunk number.
    External(usize, usize, usize),
    /// A group of a table that reports to another.
    Group(usize, usize),
}

impl<'a> Solver<'a> {
    /// Works through a layer with no more than about `most` messages at a time. Returns how many
    /// there were.
    pub(super) fn layer_in_portions(&self, plies: u32, most: usize) -> u64 {
        let mut sources: Vec<Source> = Vec::new();
        if u8::try_from(plies).is_ok_and(|plies| plies != cell::NONE) {
            sources.extend(self.chunks().into_iter().map(|(t, e, c)| Source::External(t, e, c)));
        }
        for (table, groups) in self.groups.iter().enumerate() {
            if self.shapes[table].reports_to.is_some() {
                sources.extend((0..groups.len()).map(|group| Source::Group(table, group)));
            }
        }
        let most = most / self.workers.len();
        let next = AtomicUsize::new(0);
        let mut told = 0;
        while next.load(Ordering::Relaxed) < sources.len() && !self.watch.is_stopped() {
            self.pool.broadcast(|context| {
                let mut worker = lock(&self.workers[context.index()]);
                while worker.outboxes.iter().map(Outbox::held).sum::<usize>() < most {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(number) else { break };
                    match *source {
                        Source::External(table, external, chunk) => {
                            self.tell_external((table, external, chunk), plies as u8, &mut worker);
                        }
                        Source::Group(table, group) => {
                            let Some(to) = self.shapes[table].reports_to else { continue };
                            let worker = &mut *worker;
                            self.job.instructions.run(TellGroup {
                                layout: &self.shapes[table].layout,
                                target: &self.shapes[to].layout,
                                group: &lock(&self.groups[table][group]),
                                plies: plies - 1,
                                cell: self.cell_of(plies - 1),
                                outbox: &mut worker.outboxes[to],
                                found: &mut worker.scratch.decided,
                            });
                        }
                    }
                }
            });
            told += self.collect();
            self.layer(plies);
        }
        told
    }
}

/// Telling a table what a group of the other one has decided in a layer.
struct TellGroup<'a, 'g, 'w> {
    layout: &'a Layout,
    target: &'a Layout,
    group: &'a Group<'g>,
    plies: u32,
    cell: u8,
    outbox: &'a mut Outbox<'w>,
    /// Memory for the indices of one row's positions.
    found: &'a mut Vec<u32>,
}

impl Work for TellGroup<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Self { layout, target, group, .. } = self;
        let (columns, words) = (layout.columns.count(), layout.columns.words());
        for (nth, fresh) in group.fresh.iter().enumerate() {
            if fresh[self.plies as usize % 2] != self.plies + 1 {
                continue;
            }
            // The cells of undecided positions hold counts, but for flyers.
            let undecided = group.undecided.get(nth * words..(nth + 1) * words);
            self.found.clear();
            for column in memchr::memchr_iter(self.cell, &group.cells[nth * columns..][..columns]) {
                let is_open = undecided.is_some_and(|u| u[column >> 6] >> (column & 63) & 1 == 1);
                if !is_open {
                    self.found.push(layout.columns.indices[column]);
                }
            }
            let row = group.first + nth;
            let (free, images) = (layout.free(row), &layout.classes.images[row]);
            target.deliver::<I>(images, free, self.found, 0, self.outbox);
        }
    }
}
