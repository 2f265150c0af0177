//! Messages between tables: lists of numbers by group of rows, in chunks that are used again.

use std::sync::{Mutex, PoisonError};

/// Numbers of a chunk.
const CHUNK: usize = 2048;

/// What one thread sends to the groups of one table.
pub struct Outbox {
    open: Vec<Vec<u32>>,
    full: Vec<Vec<Vec<u32>>>,
    pool: Vec<Vec<u32>>,
}

impl Outbox {
    /// Nothing sent to so many groups yet.
    pub fn new(groups: usize) -> Self {
        Self { open: vec![Vec::new(); groups], full: vec![Vec::new(); groups], pool: Vec::new() }
    }

    /// Sends a number to a group.
    #[inline(always)]
    pub fn send(&mut self, group: usize, message: u32) {
        let open = &mut self.open[group];
        if open.len() == open.capacity() {
            self.turn_over(group);
        }
        // Never grows: there is room now.
        self.open[group].push(message);
    }

    #[cold]
    fn turn_over(&mut self, group: usize) {
        let next = self.pool.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK));
        let filled = std::mem::replace(&mut self.open[group], next);
        if !filled.is_empty() {
            self.full[group].push(filled);
        }
    }

    /// Moves all that was sent into the inboxes of the groups.
    pub fn empty_into(&mut self, inboxes: &[Mutex<Inbox>]) -> u64 {
        let mut moved = 0;
        for (group, inbox) in inboxes.iter().enumerate() {
            let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
            let open = std::mem::take(&mut self.open[group]);
            let chunks = self.full[group].drain(..).chain((!open.is_empty()).then_some(open));
            for chunk in chunks {
                moved += chunk.len() as u64;
                inbox.push(chunk);
            }
        }
        moved
    }

    /// Takes back a chunk that has been read.
    pub fn reuse(&mut self, mut chunk: Vec<u32>) {
        chunk.clear();
        self.pool.push(chunk);
    }
}

/// The chunks that lie ready for one group.
pub type Inbox = Vec<Vec<u32>>;
