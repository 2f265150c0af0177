//! The hash table: what is known of positions that have been searched, shared by all threads
//! without locks.
//!
//! An entry is two words, the first xored with the second, so that halves written by different
//! threads do not pass for an entry (Robert Hyatt and Timothy Mann). Position keys are a bijection,
//! so an entry that passes belongs to exactly the position asked for.

use crate::{memory, movegen::Turn};
use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    ptr::NonNull,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Tables of at most this size are touched when they are made, and kept when they are cleared. A
/// first touch in the middle of a search can cost tens of milliseconds while the system looks for
/// a large page, more than a turn of a fast game has.
const TOUCHED_MIB: usize = 256;

/// How the value of an entry bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// Both.
    Exact = 3,
}

impl Kind {
    #[inline(always)]
    pub(super) fn is_lower(self) -> bool {
        self as u8 & Kind::Lower as u8 != 0
    }

    #[inline(always)]
    pub(super) fn is_upper(self) -> bool {
        self as u8 & Kind::Upper as u8 != 0
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best turn, if one is known.
    pub turn: Option<Turn>,
    /// The value, mate distances counted from this position.
    pub value: i32,
    /// Plies searched, 0 to 255.
    pub depth: i32,
    /// What the value says.
    pub kind: Kind,
    /// Whether no turn was left out or searched less deep on the way to this value.
    pub full_width: bool,
}

const VALUE_SHIFT: u32 = 25;
const DEPTH_SHIFT: u32 = 41;
const KIND_SHIFT: u32 = 49;
const FULL_SHIFT: u32 = 51;
const AGE_SHIFT: u32 = 52;
const AGES: u8 = 64;

impl Entry {
    fn pack(&self, age: u8) -> u64 {
        // No legal turn has all bits zero: it would move a stone to where it stands.
        u64::from(self.turn.map_or(0, Turn::bits))
            | u64::from(self.value as i16 as u16) << VALUE_SHIFT
            | u64::from(self.depth.clamp(0, 255) as u8) << DEPTH_SHIFT
            | u64::from(self.kind as u8) << KIND_SHIFT
            | u64::from(self.full_width) << FULL_SHIFT
            | u64::from(age) << AGE_SHIFT
    }

    fn unpack(data: u64) -> Option<Self> {
        let bits = data as u32 & Turn::PASS.bits();
        Some(Self {
            turn: (bits != 0).then(|| Turn::from_bits(bits)),
            value: i32::from((data >> VALUE_SHIFT) as u16 as i16),
            depth: depth_of(data),
            kind: match data >> KIND_SHIFT & 3 {
                1 => Kind::Upper,
                2 => Kind::Lower,
                3 => Kind::Exact,
                _ => return None,
            },
            full_width: data >> FULL_SHIFT & 1 != 0,
        })
    }
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> DEPTH_SHIFT) as u8)
}

fn age_of(data: u64) -> u8 {
    (data >> AGE_SHIFT) as u8 % AGES
}

#[derive(Default)]
struct Slot {
    /// Key xor data.
    check: AtomicU64,
    data: AtomicU64,
}

const SLOTS: usize = 4;
/// Buckets that are looked at to tell how full a table is.
const SAMPLE: usize = 250;

#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Bucket>() == 64);

/// The memory for a hash table could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a hash table of {mib} MiB")]
pub struct HashError {
    /// The size asked for.
    pub mib: usize,
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    memory: NonNull<u8>,
    layout: Layout,
    buckets: NonNull<Bucket>,
    count: usize,
    age: u8,
    mib: usize,
    /// Nothing has been stored since the memory was zeroed.
    fresh: bool,
}

// SAFETY: the table owns its memory, and everything in it is atomic.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

impl Table {
    /// An empty table of so many MiB.
    pub(super) fn new(mib: usize) -> Result<Self, HashError> {
        let failed = HashError { mib };
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(failed)?;
        // Aligned to 16 and not to the bucket's 64, because the allocator then asks the system
        // for pages that are zero already, and these cost nothing until they are touched. The
        // spare bucket makes room to align by hand.
        let padded = bytes.checked_add(size_of::<Bucket>()).ok_or(failed)?;
        let layout = Layout::from_size_align(padded, 16).map_err(|_| failed)?;
        // SAFETY: the layout is not of size zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(failed)?;
        let offset = start.as_ptr().align_offset(align_of::<Bucket>());
        assert!(offset < size_of::<Bucket>(), "a byte pointer can be aligned");
        // SAFETY: the offset is below the spare bucket's size.
        let buckets = unsafe { start.add(offset) }.cast::<Bucket>();
        let count = bytes / size_of::<Bucket>();
        memory::ask_for_large_pages(start, padded);
        let mut table = Self { memory: start, layout, buckets, count, age: 0, mib, fresh: true };
        if mib <= TOUCHED_MIB {
            table.overwrite();
        }
        Ok(table)
    }

    /// Writes zeroes over the whole table.
    fn overwrite(&mut self) {
        for bucket in self.buckets() {
            for slot in &bucket.0 {
                slot.check.store(0, Relaxed);
                slot.data.store(0, Relaxed);
            }
        }
    }

    /// A table as large as can be had, at most so many MiB.
    ///
    /// # Panics
    /// If not even 1 MiB can be had.
    pub(super) fn up_to(mib: usize) -> Self {
        Self::new(mib).unwrap_or_else(|failed| {
            assert!(mib > 1, "{failed}");
            Self::up_to(mib / 2)
        })
    }

    /// Its size in MiB.
    pub(super) fn mib(&self) -> usize {
        self.mib
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.age = 0;
        if self.fresh {
            return;
        }
        // Fresh pages come zeroed from the system, far faster than many could be overwritten.
        if self.mib > TOUCHED_MIB
            && let Ok(table) = Self::new(self.mib)
        {
            *self = table;
            return;
        }
        self.overwrite();
        self.fresh = true;
    }

    /// Begins a new search: entries of former ones are replaced first.
    pub(super) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
        self.fresh = false;
    }

    #[inline(always)]
    fn buckets(&self) -> &[Bucket] {
        // SAFETY: `count` buckets fit into the memory behind the aligned pointer, all bit patterns
        // are valid, and the memory lives as long as the table.
        unsafe { std::slice::from_raw_parts(self.buckets.as_ptr(), self.count) }
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.count as u128) >> 64) as usize
    }

    /// Asks the processor to fetch a position's bucket.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        memory::prefetch(self.buckets(), self.index(key));
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        for slot in &self.buckets()[self.index(key)].0 {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                return Entry::unpack(data);
            }
        }
        None
    }

    /// Remembers a position: in its own slot, or in place of the least useful of its bucket.
    #[inline]
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let bucket = &self.buckets()[self.index(key)].0;
        let mut chosen = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                if entry.turn.is_none() {
                    entry.turn = Entry::unpack(data).and_then(|old| old.turn);
                }
                chosen = slot;
                break;
            }
            let years = i32::from((self.age + AGES - age_of(data)) % AGES);
            let worth = if data == 0 { -1000 } else { depth_of(data) - 4 * years };
            if worth < least {
                (chosen, least) = (slot, worth);
            }
        }
        let data = entry.pack(self.age);
        chosen.check.store(key ^ data, Relaxed);
        chosen.data.store(data, Relaxed);
    }

    /// Permille of entries that the current search has written, from a sample: it is told with every
    /// report, and may not take longer than a short search.
    pub(super) fn full(&self) -> u32 {
        let sample = &self.buckets()[..self.count.min(SAMPLE)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.map(|slot| slot.data.load(Relaxed));
        let used = used.filter(|data| *data != 0 && age_of(*data) == self.age).count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout by the same allocator, and freed only here.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: i32) -> Entry {
        let turn = Some(Turn::slide(3, 4).removing(0, 9));
        Entry { turn, value, depth, kind: Kind::Lower, full_width: true }
    }

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let mut table = Table::new(1).unwrap();
        table.grow_older();
        for value in [-32_000, -1, 0, 517, 32_000] {
            table.store(77, entry(value, 12));
            assert_eq!(table.probe(77), Some(entry(value, 12)));
        }
        assert_eq!(table.probe(78), None);
        assert_eq!(table.probe(0), None);
        table.clear();
        assert_eq!(table.probe(77), None);
    }

    #[test]
    fn keeps_the_deep_and_the_new() {
        let mut table = Table::new(1).unwrap();
        table.grow_older();
        for key in 0..4 {
            table.store(key, entry(0, 20));
        }
        table.store(4, entry(0, 3));
        table.store(5, entry(0, 4));
        assert_eq!((0..4).filter(|k| table.probe(*k).is_some()).count(), 3);
        assert_eq!(table.probe(4), None);
        for _ in 0..8 {
            table.grow_older();
        }
        for key in 10..14 {
            table.store(key, entry(0, 1));
        }
        assert!((10..14).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn a_size_that_cannot_be_had_is_an_error() {
        assert_eq!(Table::new(usize::MAX).unwrap_err(), HashError { mib: usize::MAX });
        assert!(Table::new(1 << 42).is_err());
    }
}
