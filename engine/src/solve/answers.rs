//! What has been found: questions by number, each with its answer, in memory of a fixed size that
//! all threads share. Nothing is known here of what a question is.

use crate::memory;
use std::{
    alloc::{Layout, alloc_zeroed},
    ptr::NonNull,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Low bits of an entry that hold the answer; the place tells what they were.
const ANSWERED: u64 = 1;
const YES: u64 = 2;
/// Bytes that there are at least.
const LEAST: usize = 1 << 20;
/// Places that are looked at for a key.
const NEAR: usize = 4;

/// Answers by key.
pub struct Answers {
    places: Vec<AtomicU64>,
}

impl Answers {
    /// Room for the greatest power of two of answers that fits into so many bytes, at least 1 MiB;
    /// for fewer if there is no such memory.
    ///
    /// # Panics
    /// If not even 1 MiB can be had.
    pub fn new(bytes: usize) -> Self {
        let count = 1usize << (bytes.max(LEAST) / size_of::<AtomicU64>()).ilog2();
        let layout = Layout::array::<AtomicU64>(count).ok();
        // Zeroes that come from the system take no time before they are first used.
        // SAFETY: the layout is not of size zero.
        let start = layout.and_then(|layout| NonNull::new(unsafe { alloc_zeroed(layout) }));
        let Some(start) = start else {
            assert!(bytes > LEAST, "no memory for what a proof finds");
            return Self::new(bytes / 2);
        };
        memory::ask_for_large_pages(start, count * size_of::<AtomicU64>());
        // SAFETY: the memory is of the layout of so many numbers and comes from the allocator that
        // vectors use, and zeroes are numbers.
        let places = unsafe { Vec::from_raw_parts(start.as_ptr().cast(), count, count) };
        Self { places }
    }

    /// The first of the places of a key, which is made of its lowest bits, so that these need not be
    /// stored.
    #[inline(always)]
    fn first(&self, key: u64) -> usize {
        (key as usize & (self.places.len() / NEAR - 1)) * NEAR
    }

    #[inline(always)]
    fn near(&self, key: u64) -> &[AtomicU64] {
        let first = self.first(key);
        &self.places[first..first + NEAR]
    }

    /// Brings what is near a key into the cache.
    #[inline(always)]
    pub fn foresee(&self, key: u64) {
        memory::prefetch(&self.places, self.first(key));
    }

    /// The answer of a key, if it is remembered.
    #[inline(always)]
    pub fn recall(&self, key: u64) -> Option<bool> {
        let is_it = |entry: &u64| entry & ANSWERED != 0 && (entry ^ key) & !3 == 0;
        let entries = self.near(key).iter().map(|e| e.load(Relaxed));
        entries.into_iter().find(is_it).map(|entry| entry & YES != 0)
    }

    /// Remembers an answer; if there is no room, in the place of another one.
    pub fn remember(&self, key: u64, answer: bool) {
        let near = self.near(key);
        let free = near.iter().find(|e| e.load(Relaxed) & ANSWERED == 0);
        let place = free.unwrap_or(&near[(key >> 40) as usize % NEAR]);
        place.store(key & !3 | ANSWERED | if answer { YES } else { 0 }, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_the_own_one_or_none() {
        let answers = Answers::new(1);
        let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let truth = |n: u64| n.count_ones().is_multiple_of(2);
        for n in 0..300_000 {
            answers.remember(key(n), truth(n));
            assert_eq!(answers.recall(key(n)), Some(truth(n)));
        }
        let kept = (0..300_000).filter(|n| answers.recall(key(*n)).is_some()).count();
        assert!((100_000..=131_072).contains(&kept), "{kept} of 131,072 places are used");
        assert!((0..300_000).all(|n| answers.recall(key(n)).is_none_or(|a| a == truth(n))));
        assert_eq!(answers.recall(key(300_001)), None);
    }
}
