//! Where each thread is, so that threads that answer one question share out the positions on the
//! way: one that another thread is in is left for later, when its answer is mostly there. After
//! David Weill's ABDADA (1996).

use crate::index::MAX_STONES;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Stones that can be in hand, of both sides together.
const LENGTH: usize = 2 * MAX_STONES + 1;

/// The questions on the way of one thread, by stones in hand; 0 where there is none. Aligned so that
/// threads do not wait for each other's memory.
#[repr(align(128))]
struct Way([AtomicU64; LENGTH]);

/// The ways of all threads.
pub(super) struct Ways {
    ways: Vec<Way>,
}

impl Ways {
    pub(super) fn new(threads: usize) -> Self {
        let way = || Way([const { AtomicU64::new(0) }; LENGTH]);
        Self { ways: (0..threads).map(|_| way()).collect() }
    }

    /// Tells the others that a thread works on a question, or by 0 that it does no longer.
    #[inline(always)]
    pub(super) fn tell(&self, thread: usize, left: usize, key: u64) {
        self.ways[thread].0[left].store(key, Relaxed);
    }

    /// Whether a thread other than this one works on a question.
    #[inline(always)]
    pub(super) fn is_taken(&self, thread: usize, left: usize, key: u64) -> bool {
        let is_it = |(n, way): (usize, &Way)| n != thread && way.0[left].load(Relaxed) == key;
        self.ways.iter().enumerate().any(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_sees_the_others_while_they_are_there() {
        let ways = Ways::new(3);
        ways.tell(1, 5, 77);
        ways.tell(2, LENGTH - 1, 88);
        let taken = |thread| {
            [(5, 77), (5, 88), (4, 77), (LENGTH - 1, 88)]
                .map(|(left, key)| ways.is_taken(thread, left, key))
        };
        assert_eq!(taken(0), [true, false, false, true]);
        assert_eq!(taken(1), [false, false, false, true], "nobody meets itself");
        ways.tell(1, 5, 0);
        assert_eq!(taken(0), [false, false, false, true]);
    }
}
