//! Blocks that have been decoded, shared by all threads and bounded in memory.
//!
//! Blocks are kept in two generations: when the young one is full it becomes the old one, and what
//! was old and not asked for again is dropped. That is nearly as good as knowing the least recently
//! used, without keeping an order.

use crate::memory;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The name of a block: its file and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockName(u64);

impl BlockName {
    /// The name of a block of a file, by their numbers.
    #[inline(always)]
    pub fn new(file: u32, block: u32) -> Self {
        Self(u64::from(file) << 32 | u64::from(block))
    }

    /// The shard for it: neighbours are in different ones.
    #[inline(always)]
    fn shard(self) -> usize {
        (self.0 ^ self.0 >> 32) as usize % SHARDS
    }
}

/// A hasher that is the same in every process, so that searches repeat exactly.
fn hasher() -> ahash::RandomState {
    ahash::RandomState::with_seeds(1, 2, 3, 4)
}

const SHARDS: usize = 32;
/// What a block takes beside its cells.
const OVERHEAD: usize = 96;

type Generation = HashMap<BlockName, Arc<[u8]>, ahash::RandomState>;

struct Shard {
    young: Generation,
    old: Generation,
    young_bytes: usize,
}

/// The cache.
pub struct Cache {
    shards: Vec<Mutex<Shard>>,
    /// Bytes of a shard's young generation.
    room: usize,
}

impl Cache {
    /// A cache of at most so many bytes.
    pub fn new(bytes: usize) -> Self {
        let shard = || {
            let empty = || Generation::with_hasher(hasher());
            Mutex::new(Shard { young: empty(), old: empty(), young_bytes: 0 })
        };
        let shards = (0..SHARDS).map(|_| shard()).collect();
        Self { shards, room: bytes / SHARDS / 2 }
    }

    /// A block's bytes of which there are at least so many. If they are not there, `read` makes
    /// them: the first ones, or all if it is told that the first ones have been asked for before.
    /// Threads that miss at once may each read the block; none waits for another's reading.
    ///
    /// # Errors
    /// Whatever `read` says.
    pub fn get<E>(
        &self,
        name: BlockName,
        bytes: usize,
        read: impl FnOnce(bool) -> Result<Arc<[u8]>, E>,
    ) -> Result<Arc<[u8]>, E> {
        let found = self.find(name);
        let again = found.is_some();
        if let Some(block) = found.filter(|block| block.len() >= bytes) {
            return Ok(block);
        }
        let block = read(again)?;
        self.shard(name).insert(name, block.clone(), self.room);
        Ok(block)
    }

    /// What there is of a block.
    pub fn find(&self, name: BlockName) -> Option<Arc<[u8]>> {
        self.shard(name).find(name, self.room)
    }

    /// Asks the processor to fetch a byte of a block, and what has to be told that it is lent.
    pub fn foresee(&self, name: BlockName, byte: usize) {
        let shard = self.shard(name);
        if let Some(block) = shard.young.get(&name) {
            // The count of owners lies before the first byte.
            memory::prefetch(block, 0);
            memory::prefetch(block, byte);
        }
    }

    #[inline(always)]
    fn shard(&self, name: BlockName) -> MutexGuard<'_, Shard> {
        self.shards[name.shard()].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shard {
    fn find(&mut self, name: BlockName, room: usize) -> Option<Arc<[u8]>> {
        if let Some(block) = self.young.get(&name) {
            return Some(block.clone());
        }
        let block = self.old.remove(&name)?;
        self.insert(name, block.clone(), room);
        Some(block)
    }

    fn insert(&mut self, name: BlockName, block: Arc<[u8]>, room: usize) {
        let bytes = block.len() + OVERHEAD;
        if bytes > room {
            return;
        }
        if self.young_bytes + bytes > room {
            let empty = Generation::with_hasher(hasher());
            self.old = std::mem::replace(&mut self.young, empty);
            self.young_bytes = 0;
        }
        self.young_bytes += bytes;
        if let Some(before) = self.young.insert(name, block) {
            self.young_bytes -= before.len() + OVERHEAD;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_answers_are_right() {
        let cache = Cache::new(1 << 20);
        for round in 0..3u32 {
            for number in 0..5000u32 {
                let want = vec![(number % 251) as u8; 1000 + round as usize];
                let read = |_| Ok(want.clone().into());
                let got: Result<_, ()> = cache.get(BlockName::new(round, number), 1000, read);
                assert_eq!(got.unwrap()[..], want[..]);
            }
        }
        let held = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap();
            shard.young.values().chain(shard.old.values()).map(|b| b.len()).sum::<usize>()
        };
        assert!(cache.shards.iter().map(held).sum::<usize>() <= 1 << 20);
    }

    #[test]
    fn blocks_have_names_of_their_own_and_shards_are_filled_evenly() {
        let mut names = std::collections::HashSet::new();
        let mut filled = [0usize; SHARDS];
        for file in 0..20 {
            for block in 0..1000 {
                let name = BlockName::new(file, block);
                assert!(names.insert(name.0));
                filled[name.shard()] += 1;
            }
        }
        let even = 20_000 / SHARDS;
        assert!(filled.iter().all(|n| (even / 2..even * 2).contains(n)), "{filled:?}");
    }

    #[test]
    fn what_is_there_is_not_read_again() {
        let cache = Cache::new(1 << 20);
        let first: Result<_, ()> = cache.get(BlockName::new(0, 7), 10, |_| Ok(vec![3; 10].into()));
        let second: Result<_, ()> =
            cache.get(BlockName::new(0, 7), 9, |_| panic!("it is in the cache"));
        assert_eq!(first, second);
    }

    #[test]
    fn of_a_block_that_is_asked_for_again_all_is_read() {
        let cache = Cache::new(1 << 20);
        let read = |again| Ok(vec![3; if again { 90 } else { 10 }].into());
        let lengths = [10, 4, 11, 90, 10].map(|bytes| {
            let got: Result<_, ()> = cache.get(BlockName::new(0, 7), bytes, read);
            got.unwrap().len()
        });
        assert_eq!(lengths, [10, 10, 90, 90, 90]);
        let young: usize = cache.shards.iter().map(|s| s.lock().unwrap().young_bytes).sum();
        assert_eq!(young, 90 + OVERHEAD);
    }
}
