//! All chance in play: a small generator that repeats itself for a seed (Sebastiano Vigna's
//! splitmix64).

use std::hash::{BuildHasher, RandomState};

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// A source for one use of `seed`, told from others by `position`; a seed of 0 gives another one
    /// each time.
    pub fn new(seed: u64, position: u64) -> Self {
        if seed == 0 { Self(RandomState::new().hash_one(position)) } else { Self(seed ^ position) }
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound - 1`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Puts a slice into random order.
    pub fn shuffle<E>(&mut self, items: &mut [E]) {
        for n in (1..items.len()).rev() {
            items.swap(n, self.below(n as u64 + 1) as usize);
        }
    }
}
