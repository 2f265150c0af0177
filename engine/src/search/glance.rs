//! The evaluations made last. Searches come back to the same positions by other ways and at greater
//! depths, and a look here costs far less than an evaluation.

use super::worker::Worker;
use crate::{board::Topology, eval::LIMIT, position::Position};

/// Of a key's bits, those that choose the slot. The others stand in it, so that nothing is mistaken
/// for another position.
const SLOT_BITS: u32 = 15;
const SLOTS: usize = 1 << SLOT_BITS;
const LOW: u64 = SLOTS as u64 - 1;
/// What is added to a value, so that it is positive and a slot with none is told by its zero.
const OFFSET: i32 = SLOTS as i32 / 2;

// A value takes the place of the bits that choose the slot.
const _: () = assert!(LIMIT < OFFSET);

/// Evaluations by position.
pub(super) struct Glances(Box<[u64]>);

impl Glances {
    /// None yet.
    pub(super) fn new() -> Self {
        Self(vec![0; SLOTS].into_boxed_slice())
    }

    /// Forgets them, since other evaluations are to come.
    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }
}

impl Worker<'_> {
    /// The value of a position at a glance.
    #[inline(always)]
    pub(super) fn glance<T: Topology>(&mut self, position: &Position) -> i32 {
        let key = position.key();
        let slot = &mut self.memory.glances.0[(key & LOW) as usize];
        if (*slot ^ key) & !LOW == 0 && *slot & LOW != 0 {
            return (*slot & LOW) as i32 - OFFSET;
        }
        let value = self.evaluator.value_on::<T>(position);
        *slot = key & !LOW | (value + OFFSET) as u64;
        value
    }
}
