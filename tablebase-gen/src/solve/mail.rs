//! Messages between tables: lists of numbers by group of rows, in chunks that are used again.

use crate::memory;
use std::sync::{Mutex, PoisonError};

/// Numbers of a chunk.
const CHUNK: usize = 2048;

/// Chunks that lie idle between two units. Memory that the system gives anew is cleared first, which
/// takes longer than to fill it.
#[derive(Default)]
pub struct Stock(Mutex<Vec<Vec<u32>>>);

impl Stock {
    /// Up to so many chunks.
    fn take(&self, most: usize) -> Vec<Vec<u32>> {
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = chunks.len().saturating_sub(most);
        chunks.split_off(kept)
    }

    fn give(&self, chunks: &mut Vec<Vec<u32>>) {
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
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u32; LINE]);

/// Numbers of a line.
const LINE: usize = 16;

/// What one thread sends to the groups of one table.
pub struct Outbox<'a> {
    /// The line that is being filled for each group.
    lines: Vec<Line>,
    /// Numbers sent so far to each group; the last ones are in its line.
    sent: Vec<u32>,
    chunks: Chunks<'a>,
}

/// Full lines, in chunks.
struct Chunks<'a> {
    stock: &'a Stock,
    open: Vec<Vec<u32>>,
    full: Vec<Vec<Vec<u32>>>,
    pool: Vec<Vec<u32>>,
    /// Chunks that are full.
    filled: usize,
}

impl Chunks<'_> {
    /// Adds numbers to those of a group.
    fn add(&mut self, group: usize, numbers: &[u32]) {
        let open = &mut self.open[group];
        if open.len() + numbers.len() > open.capacity() {
            self.turn_over(group);
        }
        // Never grows: there is room now.
        let open = &mut self.open[group];
        open.extend_from_slice(numbers);
        // The next line is long in coming, and need not wait for its place then.
        memory::prefetch(open.spare_capacity_mut(), 0);
    }

    #[cold]
    fn turn_over(&mut self, group: usize) {
        if self.pool.is_empty() {
            self.pool = self.stock.take(HANDFUL);
        }
        let next = self.pool.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK));
        let filled = std::mem::replace(&mut self.open[group], next);
        if !filled.is_empty() {
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
        let (open, full) = (vec![Vec::new(); groups], vec![Vec::new(); groups]);
        Self {
            lines: vec![Line([0; LINE]); groups],
            sent: vec![0; groups],
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
        let (lines, sent) = (self.lines.as_mut_slice(), self.sent.as_mut_slice());
        for (group, message) in groups.iter().zip(messages) {
            let sent = &mut sent[*group as usize];
            let place = *sent as usize % LINE;
            *sent = sent.wrapping_add(1);
            let line = &mut lines[*group as usize].0;
            line[place] = *message;
            if place == LINE - 1 {
                self.chunks.add(*group as usize, line);
            }
        }
    }

    /// About how many numbers have been sent and lie here still.
    pub fn held(&self) -> usize {
        self.chunks.filled * CHUNK
    }

    /// Moves all that was sent into the inboxes of the groups.
    pub fn empty_into(&mut self, inboxes: &[Mutex<Inbox>]) -> u64 {
        let mut moved = 0;
        let Self { lines, sent, chunks } = self;
        chunks.filled = 0;
        for (group, inbox) in inboxes.iter().enumerate() {
            let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
            let rest = std::mem::take(&mut sent[group]) as usize % LINE;
            chunks.add(group, &lines[group].0[..rest]);
            let open = std::mem::take(&mut chunks.open[group]);
            let ready = chunks.full[group].drain(..).chain((!open.is_empty()).then_some(open));
            for chunk in ready {
                moved += chunk.len() as u64;
                inbox.push(chunk);
            }
        }
        moved
    }

    /// Takes back a chunk that has been read. What is more than enough here goes to the stock, for those
    /// who send to another table.
    pub fn reuse(&mut self, mut chunk: Vec<u32>) {
        chunk.clear();
        let Chunks { pool, stock, .. } = &mut self.chunks;
        pool.push(chunk);
        if pool.len() >= 2 * HANDFUL {
            stock.give(&mut pool.split_off(HANDFUL));
        }
    }
}

/// The chunks that lie ready for one group.
pub type Inbox = Vec<Vec<u32>>;
