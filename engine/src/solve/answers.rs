//! What has been found: questions by number, each with its answer, in memory of a fixed size that
//! all threads share. Nothing is known here of what a question is.

use crate::memory;
use std::{
    mem::ManuallyDrop,
    ptr::NonNull,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Low bits of an entry that hold the answer; the place tells what they were.
const ANSWERED: u64 = 1;
const YES: u64 = 2;
/// Places that are looked at for a key.
const NEAR: usize = 4;

/// Answers by key.
pub struct Answers {
    places: Vec<AtomicU64>,
}

impl Answers {
    /// Room for the greatest power of two of answers that fits into so many bytes, at least 1 MiB.
    pub fn new(bytes: usize) -> Self {
        let count = 1usize << (bytes.max(1 << 20) / size_of::<u64>()).ilog2();
        // Zeroes that come from the system take no time before they are first used.
        let mut zeroes = ManuallyDrop::new(vec![0u64; count]);
        let start = NonNull::from(zeroes.as_mut_slice()).cast::<u8>();
        memory::ask_for_large_pages(start, count * size_of::<u64>());
        // SAFETY: the vector's parts are not used again, and the two types have the same size,
        // alignment and values.
        let places =
            unsafe { Vec::from_raw_parts(start.as_ptr().cast(), zeroes.len(), zeroes.capacity()) };
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
