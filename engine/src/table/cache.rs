//! Blocks that have been decoded, shared by all threads and bounded in memory.
//!
//! Blocks are kept in two generations: when the young one is full it becomes the old one, and what
//! was old and not asked for again is dropped. That is nearly as good as knowing the least recently
//! used, without keeping an order.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The name of a block: its file and its number there.
pub type BlockName = (u32, u32);

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
    hasher: ahash::RandomState,
    /// Bytes of a shard's young generation.
    room: usize,
}

/// A hasher that is the same in every process, so that searches repeat exactly.
fn hasher() -> ahash::RandomState {
    ahash::RandomState::with_seeds(1, 2, 3, 4)
}

impl Cache {
    /// A cache of at most so many bytes.
    pub fn new(bytes: usize) -> Self {
        let shard = || {
            let empty = || Generation::with_hasher(hasher());
            Mutex::new(Shard { young: empty(), old: empty(), young_bytes: 0 })
        };
        let shards = (0..SHARDS).map(|_| shard()).collect();
        Self { shards, hasher: hasher(), room: bytes / SHARDS / 2 }
    }

    /// The cells of a block, made by `read` if they are not there. Threads that miss at once may
    /// each read the block; none waits for another's reading.
    ///
    /// # Errors
    /// Whatever `read` says.
    pub fn get<E>(
        &self,
        name: BlockName,
        read: impl FnOnce() -> Result<Arc<[u8]>, E>,
    ) -> Result<Arc<[u8]>, E> {
        let shard = &self.shards[self.hasher.hash_one(name) as usize % SHARDS];
        let held = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = held().find(name, self.room) {
            return Ok(block);
        }
        let block = read()?;
        held().insert(name, block.clone(), self.room);
        Ok(block)
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
            self.old = std::mem::replace(&mut self.young, Generation::with_hasher(hasher()));
            self.young_bytes = 0;
        }
        if self.young.insert(name, block).is_none() {
            self.young_bytes += bytes;
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
                let got: Result<_, ()> = cache.get((round, number), || Ok(want.clone().into()));
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
    fn what_is_there_is_not_read_again() {
        let cache = Cache::new(1 << 20);
        let first: Result<_, ()> = cache.get((0, 7), || Ok(vec![3; 10].into()));
        let second: Result<_, ()> = cache.get((0, 7), || panic!("it is in the cache"));
        assert_eq!(first, second);
    }
}
