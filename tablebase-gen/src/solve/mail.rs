//! Messages between tables: lists of numbers by group of rows, in chunks that are used again.

use crate::memory;
use std::sync::{Mutex, PoisonError};

/// Lines of a chunk.
const CHUNK: usize = 128;

/// Chunks that lie idle between two units. Memory that the system gives anew is cleared first, which
/// takes longer than to fill it.
#[derive(Default)]
pub struct Stock(Mutex<Vec<Chunk>>);

impl Stock {
    /// Up to so many chunks.
    fn take(&self, most: usize) -> Vec<Chunk> {
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = chunks.len().saturating_sub(most);
        chunks.split_off(kept)
    }

    fn give(&self, chunks: &mut Vec<Chunk>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).append(chunks);
    }

    /// Gives the memory back to the system.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Chunks taken from the stock at once.
const HANDFUL: usize = 64;

/// A cache line of messages. Groups' lines are filled here and passed on whole: single numbers
/// written to so many far places would wait for memory.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C, align(64))]
struct Line([u32; LINE]);

/// Messages for one group, by lines; only the last line may not be full.
#[derive(Default)]
pub struct Chunk {
    lines: Vec<Line>,
    /// Places of the last line that hold no message.
    missing: usize,
}

impl Chunk {
    fn with_room() -> Self {
        Self { lines: Vec::with_capacity(CHUNK), missing: 0 }
    }

    /// The messages.
    pub fn messages(&self) -> &[u32] {
        let all = bytemuck::cast_slice(&self.lines);
        &all[..all.len() - self.missing]
    }
}

/// Numbers of a line.
const LINE: usize = 16;

/// What one thread sends to the groups of one table.
pub struct Outbox<'a> {
    /// The line that is being filled for each group.
    lines: Vec<Line>,
    /// Numbers in each group's line.
    filled: Vec<u32>,
    chunks: Chunks<'a>,
}

/// Full lines, in chunks.
struct Chunks<'a> {
    stock: &'a Stock,
    open: Vec<Chunk>,
    full: Vec<Vec<Chunk>>,
    pool: Vec<Chunk>,
    /// Chunks that are full.
    filled: usize,
}

impl Chunks<'_> {
    /// Adds a line to those of a group.
    fn add(&mut self, group: usize, line: &Line) {
        if self.open[group].lines.len() == self.open[group].lines.capacity() {
            self.turn_over(group);
        }
        // Never grows: there is room now.
        let open = &mut self.open[group].lines;
        open.push(*line);
        // The next line is long in coming, and need not wait for its place then.
        memory::prefetch(open.spare_capacity_mut(), 0);
    }

    #[cold]
    fn turn_over(&mut self, group: usize) {
        if self.pool.is_empty() {
            self.pool = self.stock.take(HANDFUL);
        }
        let next = self.pool.pop().unwrap_or_else(Chunk::with_room);
        let filled = std::mem::replace(&mut self.open[group], next);
        if !filled.lines.is_empty() {
            self.full[group].push(filled);
            self.filled += 1;
        }
    }
}

impl Drop for Outbox<'_> {
    fn drop(&mut self) {
        self.chunks.stock.give(&mut self.chunks.pool);
    }
}

impl<'a> Outbox<'a> {
    /// Nothing sent to so many groups yet.
    pub fn new(groups: usize, stock: &'a Stock) -> Self {
        let (open, full) = (
            (0..groups).map(|_| Chunk::default()).collect(),
            (0..groups).map(|_| Vec::new()).collect(),
        );
        Self {
            lines: vec![Line([0; LINE]); groups],
            filled: vec![0; groups],
            chunks: Chunks { stock, open, full, pool: Vec::new(), filled: 0 },
        }
    }

    /// Sends a number to a group.
    pub fn send(&mut self, group: usize, message: u32) {
        self.send_all(&[group as u32], &[message]);
    }

    /// Sends each number to the group beside it.
    #[inline(never)]
    pub fn send_all(&mut self, groups: &[u32], messages: &[u32]) {
        let (lines, filled) = (self.lines.as_mut_slice(), self.filled.as_mut_slice());
        for (group, message) in groups.iter().zip(messages) {
            let filled = &mut filled[*group as usize];
            let line = &mut lines[*group as usize];
            // Not before its next message comes: a line that is read while it is being written waits
            // for all that was written before it to reach memory.
            if *filled as usize == LINE {
                self.chunks.add(*group as usize, line);
                *filled = 0;
            }
            line.0[*filled as usize % LINE] = *message;
            *filled += 1;
        }
    }

    /// About how many numbers have been sent and lie here still.
    pub fn held(&self) -> usize {
        self.chunks.filled * CHUNK * LINE
    }

    /// Moves all that was sent into the inboxes of the groups.
    pub fn empty_into(&mut self, inboxes: &[Mutex<Inbox>]) -> u64 {
        let mut moved = 0;
        let Self { lines, filled, chunks } = self;
        chunks.filled = 0;
        for (group, inbox) in inboxes.iter().enumerate() {
            let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
            let rest = std::mem::take(&mut filled[group]) as usize;
            if rest > 0 {
                chunks.add(group, &lines[group]);
                chunks.open[group].missing = LINE - rest;
            }
            let open = std::mem::take(&mut chunks.open[group]);
            let ready =
                chunks.full[group].drain(..).chain((!open.lines.is_empty()).then_some(open));
            for chunk in ready {
                moved += chunk.messages().len() as u64;
                inbox.push(chunk);
            }
        }
        moved
    }

    /// Takes back a chunk that has been read. What is more than enough here goes to the stock, for those
    /// who send to another table.
    pub fn reuse(&mut self, mut chunk: Chunk) {
        chunk.lines.clear();
        chunk.missing = 0;
        let Chunks { pool, stock, .. } = &mut self.chunks;
        pool.push(chunk);
        if pool.len() >= 2 * HANDFUL {
            stock.give(&mut pool.split_off(HANDFUL));
        }
    }
}

/// The chunks that lie ready for one group.
pub type Inbox = Vec<Chunk>;
