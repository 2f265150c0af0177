//! The few machine instructions that the inner loops want, behind one trait: blocks of 512 bits,
//! and the extraction and deposit of bits.
//!
//! Which implementation runs is chosen at run time; all give the same results. Everything here is
//! inlined into functions that are compiled for the instructions in question.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use portable::run_portable;

/// Bits of an index that lie within a block.
pub const BLOCK_BITS: u32 = 9;
/// 64-bit words of a block.
pub const WORDS: usize = 8;

/// 512 bits in memory.
#[derive(Clone, Copy, PartialEq, Eq, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [u64; WORDS]);

impl Block {
    /// No bit set.
    pub const ZERO: Block = Block([0; WORDS]);
    /// All bits set.
    pub const ONES: Block = Block([!0; WORDS]);

    /// The bits whose index within the block has bit `bit` set.
    pub const fn having(bit: u32) -> Block {
        let mut words = [0; WORDS];
        let mut index = 0;
        while index < 64 * WORDS {
            if index >> bit & 1 == 1 {
                words[index / 64] |= 1 << (index % 64);
            }
            index += 1;
        }
        Block(words)
    }
}

/// 64 bytes, one for each position of a word.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Bytes(pub [u8; 64]);

/// For each set of eight bits, all ones in the bytes that it names.
static NAMED: [[u8; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut bit = 0;
    while bit < 8 * 256 {
        if (bit / 8) >> (bit % 8) & 1 == 1 {
            all[bit / 8][bit % 8] = u8::MAX;
        }
        bit += 1;
    }
    all
};

/// For each index bit within a block, the bits whose index has it.
pub const HAVING: [Block; BLOCK_BITS as usize] = {
    let mut all = [Block::ZERO; BLOCK_BITS as usize];
    let mut bit = 0;
    while bit < BLOCK_BITS {
        all[bit as usize] = Block::having(bit);
        bit += 1;
    }
    all
};

/// Instructions of one kind of processor.
pub trait Isa: Copy + Send + Sync + 'static {
    /// 512 bits in registers.
    type Bits: Copy;

    /// Gathers the bits of `value` that `mask` names at the low end.
    fn extract(value: u32, mask: u32) -> u32;
    /// Spreads the low bits of `value` over the places that `mask` names.
    fn deposit(value: u32, mask: u32) -> u32;
    /// [`deposit`](Self::deposit) of 64 bits.
    fn deposit_long(value: u64, mask: u64) -> u64;

    /// Reads a block.
    fn load(block: &Block) -> Self::Bits;
    /// Writes a block.
    fn store(block: &mut Block, bits: Self::Bits);
    /// Bits in both.
    fn and(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Bits in either.
    fn or(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Bits in `a` but not in `b`.
    fn without(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Bits in one, but not in both.
    fn differ(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Whether no bit is set.
    fn is_zero(a: Self::Bits) -> bool;
    /// Each word shifted to higher bits, or by a negative amount to lower bits.
    fn shift(a: Self::Bits, amount: i32) -> Self::Bits;
    /// Word `i` of the result is word `i ^ flip` of `a`.
    fn flip_words(a: Self::Bits, flip: u32) -> Self::Bits;

    /// Whether [`arrive`](Self::arrive) does better than one message at a time.
    const MANY_AT_ONCE: bool = false;

    /// Does some work in a function of its own. A loop in a small function keeps all that it needs
    /// in registers; inlined into a large one it does not.
    fn apart<W: Work>(work: W) -> W::Output;

    /// For every message at whose index a stone stands at the arrival's point, having closed a mill
    /// there or not as the message says, and none on the bit `from`: writes the index with the
    /// stone on `from` to `found`, which must have [`SPARE`] places more than there are messages.
    /// Returns how many were written; what lies behind them is of no use.
    #[inline(always)]
    fn arrive(messages: &[u32], arrival: &Arrival, from: u32, found: &mut [u32]) -> usize {
        let mut count = 0;
        for message in messages {
            let closed = arrival.lines.iter().any(|line| message & line == *line);
            let closes = message & arrival.closes != 0;
            let index = message & arrival.indices;
            if index & arrival.to != 0 && index & from == 0 && closed == closes {
                found[count] = index ^ arrival.to ^ from;
                count += 1;
            }
        }
        count
    }

    /// Writes the numbers that stand where `keys` equal `key` to `found`, which must have [`SPARE`] places more
    /// than there are keys, and as many `numbers` as keys. Returns how many were written; what lies behind
    /// them is of no use.
    #[inline(always)]
    fn list_equal(keys: &[u8], key: u8, numbers: &[u32], found: &mut [u32]) -> usize {
        let mut count = 0;
        for place in memchr::memchr_iter(key, keys) {
            found[count] = numbers[place];
            count += 1;
        }
        count
    }

    /// Writes the places of the ones of `bits`, counted on from the first index, to the indices, and the
    /// number of ones of `valid` below each, counted on from the first column, to the columns. All ones of
    /// `bits` are ones of `valid`. Both lists must have [`SPARE`] places more than there are ones. Returns
    /// how many were written; what lies behind them is of no use.
    #[inline(always)]
    fn list_ones(bits: u64, valid: u64, first: Listed<u32>, lists: Listed<&mut [u32]>) -> usize {
        let (mut count, mut left) = (0, bits);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            lists.indices[count] = first.indices + bit;
            lists.columns[count] = first.columns + (valid & ((1 << bit) - 1)).count_ones();
            count += 1;
        }
        count
    }

    /// Raises those of 64 bytes that `positions` names to the ones of `others`, where these are
    /// larger.
    #[inline(always)]
    fn raise(bytes: &mut Bytes, others: &[u8; 64], positions: u64) {
        let eights = bytes.0.chunks_exact_mut(8).zip(others.chunks_exact(8));
        for ((bytes, others), named) in eights.zip(positions.to_le_bytes()) {
            for ((byte, other), mask) in bytes.iter_mut().zip(others).zip(NAMED[named as usize]) {
                *byte = (*byte).max(other & mask);
            }
        }
    }

    /// Writes those of 64 bytes that `positions` names to the start of `packed`, which has 64
    /// places, and returns how many; what lies behind them is of no use.
    #[inline(always)]
    fn pack(bytes: &Bytes, positions: u64, packed: &mut [u8; 64]) -> usize {
        let (mut count, mut left) = (0, positions);
        while left != 0 {
            packed[count] = bytes.0[left.trailing_zeros() as usize];
            count += 1;
            left &= left - 1;
        }
        count
    }

    /// Writes numbers of [`COUNT_BITS`] bits: number `n` of `wanted` has, as its bit `b`, bit `n`
    /// of `counts[b]`, and goes to the cell whose place is the number of bits of `valid` below `n`.
    #[inline(always)]
    fn write_counts(counts: &Counts, valid: u64, wanted: u64, cells: &mut [u8]) {
        let mut left = wanted;
        while left != 0 {
            let nth = left.trailing_zeros();
            left &= left - 1;
            let bits = counts.iter().enumerate();
            let count = bits.fold(0, |all, (bit, word)| all | ((word >> nth & 1) as u8) << bit);
            cells[(valid & ((1 << nth) - 1)).count_ones() as usize] = count;
        }
    }
}

/// Bits of the number of turns of a position: there are at most 40 slides and 24 placements.
pub const COUNT_BITS: usize = 7;
/// Places that [`Isa::arrive`] may write to beyond what it finds.
pub const SPARE: usize = 16;
/// The numbers of turns of 64 positions, a word for each bit.
pub type Counts = [u64; COUNT_BITS];

/// A point, as a bit of an index, at which stones have arrived.
pub struct Arrival {
    /// The bits of a message that are its index.
    pub indices: u32,
    /// The bit of a message that says that a mill was closed.
    pub closes: u32,
    /// The point.
    pub to: u32,
    /// The other two points of each line through it; all bits set where there is none.
    pub lines: [u32; 4],
    /// Lines that there are.
    pub line_count: usize,
}

/// Something of positions' compact indices, and the same of their columns.
#[derive(Clone, Copy)]
pub struct Listed<T> {
    /// Of the indices.
    pub indices: T,
    /// Of the columns.
    pub columns: T,
}

/// Something to be done with the instructions of some processor. Implementations of `run` and all
/// that they call are to be inlined.
pub trait Work {
    /// What it gives back.
    type Output;
    /// Does it.
    fn run<I: Isa>(self) -> Self::Output;
}

/// A set of instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Those of any processor of the architecture.
    Portable,
    /// AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The best set that this processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let common = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            let wide = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi2");
            if common && wide {
                return Instructions::Avx512;
            }
            if common {
                return Instructions::Avx2;
            }
        }
        Instructions::Portable
    }

    /// Does some work with these instructions.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Instructions::Portable => run_portable(work),
            // SAFETY: these values come from `detect` alone, which has found the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { x86::run_avx2(work) },
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { x86::run_avx512(work) },
        }
    }
}
