//! The few machine instructions that the inner loops want, behind one trait: blocks of 512 bits,
//! and the extraction and deposit of bits.
//!
//! Which implementation runs is chosen at run time; all give the same results. Everything here is
//! inlined into functions that are compiled for the instructions in question.

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

/// Any processor.
#[derive(Clone, Copy)]
pub struct Portable;

/// The bits of a byte gathered by a mask, `[mask][value]`.
static GATHERED: [[u8; 256]; 256] = tables(true);
/// The low bits of a byte spread by a mask, `[mask][value]`.
static SPREAD: [[u8; 256]; 256] = tables(false);

const fn tables(gather: bool) -> [[u8; 256]; 256] {
    let mut all = [[0; 256]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut value = 0;
        while value < 256 {
            let (mut result, mut taken, mut bit) = (0, 0, 0);
            while bit < 8 {
                if mask >> bit & 1 == 1 {
                    let (from, to) = if gather { (bit, taken) } else { (taken, bit) };
                    result |= ((value >> from & 1) as u8) << to;
                    taken += 1;
                }
                bit += 1;
            }
            all[mask][value] = result;
            value += 1;
        }
        mask += 1;
    }
    all
}

#[inline(never)]
fn run_portable<W: Work>(work: W) -> W::Output {
    work.run::<Portable>()
}

impl Isa for Portable {
    type Bits = [u64; WORDS];

    #[inline(always)]
    fn apart<W: Work>(work: W) -> W::Output {
        run_portable(work)
    }

    #[inline(always)]
    fn extract(value: u32, mask: u32) -> u32 {
        let (v, m) = (value.to_le_bytes(), mask.to_le_bytes());
        let part = |i: usize| u32::from(GATHERED[usize::from(m[i])][usize::from(v[i])]);
        let first = m[0].count_ones();
        let second = first + m[1].count_ones();
        part(0) | part(1) << first | part(2) << second
    }

    #[inline(always)]
    fn deposit(value: u32, mask: u32) -> u32 {
        let m = mask.to_le_bytes();
        let first = m[0].count_ones();
        let second = first + m[1].count_ones();
        let part =
            |i: usize, shift: u32| SPREAD[usize::from(m[i])][(value >> shift & 255) as usize];
        u32::from_le_bytes([part(0, 0), part(1, first), part(2, second), 0])
    }

    #[inline(always)]
    fn deposit_long(mut value: u64, mask: u64) -> u64 {
        let bytes = mask.to_le_bytes().map(|m| {
            let byte = SPREAD[usize::from(m)][(value & 255) as usize];
            value >>= m.count_ones();
            byte
        });
        u64::from_le_bytes(bytes)
    }

    #[inline(always)]
    fn load(block: &Block) -> Self::Bits {
        block.0
    }

    #[inline(always)]
    fn store(block: &mut Block, bits: Self::Bits) {
        block.0 = bits;
    }

    #[inline(always)]
    fn and(a: Self::Bits, b: Self::Bits) -> Self::Bits {
        std::array::from_fn(|i| a[i] & b[i])
    }

    #[inline(always)]
    fn or(a: Self::Bits, b: Self::Bits) -> Self::Bits {
        std::array::from_fn(|i| a[i] | b[i])
    }

    #[inline(always)]
    fn without(a: Self::Bits, b: Self::Bits) -> Self::Bits {
        std::array::from_fn(|i| a[i] & !b[i])
    }

    #[inline(always)]
    fn differ(a: Self::Bits, b: Self::Bits) -> Self::Bits {
        std::array::from_fn(|i| a[i] ^ b[i])
    }

    #[inline(always)]
    fn is_zero(a: Self::Bits) -> bool {
        a.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn shift(a: Self::Bits, amount: i32) -> Self::Bits {
        if amount >= 0 { a.map(|w| w << amount) } else { a.map(|w| w >> -amount) }
    }

    #[inline(always)]
    fn flip_words(a: Self::Bits, flip: u32) -> Self::Bits {
        std::array::from_fn(|i| a[(i ^ flip as usize) & (WORDS - 1)])
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Arrival, Block, Bytes, Counts, Isa, Portable, SPARE, Work};
    use std::arch::x86_64::*;

    /// A processor with AVX2 and BMI2. Blocks are left to the compiler, which makes two vector
    /// instructions of each operation.
    #[derive(Clone, Copy)]
    pub struct Avx2;

    /// A processor with AVX-512 and BMI2.
    #[derive(Clone, Copy)]
    pub struct Avx512;

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn run_avx2<W: Work>(work: W) -> W::Output {
        work.run::<Avx2>()
    }

    #[inline(never)]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2"
    )]
    pub(super) fn run_avx512<W: Work>(work: W) -> W::Output {
        work.run::<Avx512>()
    }

    // SAFETY of every `unsafe` below: these types are only named by code that `Instructions::run`
    // has entered after a check for the instructions, and no function needs anything else.

    impl Isa for Avx2 {
        type Bits = <Portable as Isa>::Bits;

        #[inline(always)]
        fn apart<W: Work>(work: W) -> W::Output {
            unsafe { run_avx2(work) }
        }

        #[inline(always)]
        fn extract(value: u32, mask: u32) -> u32 {
            unsafe { _pext_u32(value, mask) }
        }

        #[inline(always)]
        fn deposit(value: u32, mask: u32) -> u32 {
            unsafe { _pdep_u32(value, mask) }
        }

        #[inline(always)]
        fn deposit_long(value: u64, mask: u64) -> u64 {
            unsafe { _pdep_u64(value, mask) }
        }

        #[inline(always)]
        fn load(block: &Block) -> Self::Bits {
            Portable::load(block)
        }

        #[inline(always)]
        fn store(block: &mut Block, bits: Self::Bits) {
            Portable::store(block, bits);
        }

        #[inline(always)]
        fn and(a: Self::Bits, b: Self::Bits) -> Self::Bits {
            Portable::and(a, b)
        }

        #[inline(always)]
        fn or(a: Self::Bits, b: Self::Bits) -> Self::Bits {
            Portable::or(a, b)
        }

        #[inline(always)]
        fn without(a: Self::Bits, b: Self::Bits) -> Self::Bits {
            Portable::without(a, b)
        }

        #[inline(always)]
        fn differ(a: Self::Bits, b: Self::Bits) -> Self::Bits {
            Portable::differ(a, b)
        }

        #[inline(always)]
        fn is_zero(a: Self::Bits) -> bool {
            Portable::is_zero(a)
        }

        #[inline(always)]
        fn shift(a: Self::Bits, amount: i32) -> Self::Bits {
            Portable::shift(a, amount)
        }

        #[inline(always)]
        fn flip_words(a: Self::Bits, flip: u32) -> Self::Bits {
            Portable::flip_words(a, flip)
        }
    }

    /// [`Isa::arrive`] where only the first `LINES` lines count. There must be room for what may be
    /// found.
    #[inline(always)]
    fn arrive_by<const LINES: usize>(
        messages: &[u32],
        arrival: &Arrival,
        from: u32,
        found: &mut [u32],
    ) -> usize {
        const LANES: usize = SPARE;
        let mut count = 0;
        // SAFETY: the masked loads read the messages alone. Each store writes 16 numbers from
        // `count` on, which is at most the number of messages looked at before: there is room.
        unsafe {
            let all = |bits: u32| _mm512_set1_epi32(bits as i32);
            let [first, second, third, fourth] = arrival.lines.map(all);
            let lines = [first, second, third, fourth];
            let (closes, indices) = (all(arrival.closes), all(arrival.indices));
            let (to, both) = (all(arrival.to), all(arrival.to | from));
            for chunk in messages.chunks(LANES) {
                let lanes = (!0u16) >> (LANES - chunk.len());
                let message = _mm512_maskz_loadu_epi32(lanes, chunk.as_ptr().cast());
                let mut closed = 0;
                for line in &lines[..LINES] {
                    closed |= _mm512_cmpeq_epi32_mask(_mm512_and_si512(message, *line), *line);
                }
                let quiet = _mm512_testn_epi32_mask(message, closes);
                let right =
                    _mm512_mask_cmpeq_epi32_mask(lanes, _mm512_and_si512(message, both), to);
                let taken = right & (closed ^ quiet);
                let moved = _mm512_xor_si512(_mm512_and_si512(message, indices), both);
                let packed = _mm512_maskz_compress_epi32(taken, moved);
                _mm512_storeu_si512(found.as_mut_ptr().add(count).cast(), packed);
                count += taken.count_ones() as usize;
            }
        }
        count
    }

    impl Isa for Avx512 {
        type Bits = __m512i;

        #[inline(always)]
        fn extract(value: u32, mask: u32) -> u32 {
            unsafe { _pext_u32(value, mask) }
        }

        #[inline(always)]
        fn deposit(value: u32, mask: u32) -> u32 {
            unsafe { _pdep_u32(value, mask) }
        }

        #[inline(always)]
        fn deposit_long(value: u64, mask: u64) -> u64 {
            unsafe { _pdep_u64(value, mask) }
        }

        const MANY_AT_ONCE: bool = true;

        #[inline(always)]
        fn apart<W: Work>(work: W) -> W::Output {
            unsafe { run_avx512(work) }
        }

        #[inline(always)]
        fn arrive(messages: &[u32], arrival: &Arrival, from: u32, found: &mut [u32]) -> usize {
            assert!(messages.len() + SPARE <= found.len(), "there is room for what may be found");
            // Most lines are broken by stones of the opponent.
            match arrival.line_count {
                0 => arrive_by::<0>(messages, arrival, from, found),
                1 => arrive_by::<1>(messages, arrival, from, found),
                2 => arrive_by::<2>(messages, arrival, from, found),
                _ => arrive_by::<4>(messages, arrival, from, found),
            }
        }

        #[inline(always)]
        fn raise(bytes: &mut Bytes, others: &[u8; 64], positions: u64) {
            // SAFETY: both are 64 bytes long.
            unsafe {
                let old = _mm512_load_si512(bytes.0.as_ptr().cast());
                let others = _mm512_loadu_si512(others.as_ptr().cast());
                let raised = _mm512_mask_max_epu8(old, positions, old, others);
                _mm512_store_si512(bytes.0.as_mut_ptr().cast(), raised);
            }
        }

        #[inline(always)]
        fn pack(bytes: &Bytes, positions: u64, packed: &mut [u8; 64]) -> usize {
            // SAFETY: both are 64 bytes long.
            unsafe {
                let bytes = _mm512_load_si512(bytes.0.as_ptr().cast());
                let chosen = _mm512_maskz_compress_epi8(positions, bytes);
                _mm512_storeu_si512(packed.as_mut_ptr().cast(), chosen);
            }
            positions.count_ones() as usize
        }

        #[inline(always)]
        fn load(block: &Block) -> __m512i {
            unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
        }

        #[inline(always)]
        fn store(block: &mut Block, bits: __m512i) {
            unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), bits) }
        }

        #[inline(always)]
        fn and(a: __m512i, b: __m512i) -> __m512i {
            unsafe { _mm512_and_si512(a, b) }
        }

        #[inline(always)]
        fn or(a: __m512i, b: __m512i) -> __m512i {
            unsafe { _mm512_or_si512(a, b) }
        }

        #[inline(always)]
        fn without(a: __m512i, b: __m512i) -> __m512i {
            unsafe { _mm512_andnot_si512(b, a) }
        }

        #[inline(always)]
        fn differ(a: __m512i, b: __m512i) -> __m512i {
            unsafe { _mm512_xor_si512(a, b) }
        }

        #[inline(always)]
        fn write_counts(counts: &Counts, valid: u64, wanted: u64, cells: &mut [u8]) {
            let places = valid.count_ones() as usize;
            assert!(places <= cells.len(), "a word's cells lie in its row");
            // SAFETY: the store writes no more than the first `places` cells.
            unsafe {
                let bytes =
                    counts.iter().enumerate().fold(_mm512_setzero_si512(), |all, (bit, word)| {
                        _mm512_or_si512(all, _mm512_maskz_set1_epi8(*word, 1 << bit))
                    });
                let packed = _mm512_maskz_compress_epi8(valid, bytes);
                let written = _pext_u64(wanted, valid);
                _mm512_mask_storeu_epi8(cells.as_mut_ptr().cast(), written, packed);
            }
        }

        #[inline(always)]
        fn is_zero(a: __m512i) -> bool {
            unsafe { _mm512_test_epi64_mask(a, a) == 0 }
        }

        #[inline(always)]
        fn shift(a: __m512i, amount: i32) -> __m512i {
            // A count of 64 or more, as a negative number reads, gives zero.
            unsafe {
                let left = _mm512_sll_epi64(a, _mm_cvtsi32_si128(amount));
                let right = _mm512_srl_epi64(a, _mm_cvtsi32_si128(-amount));
                if amount >= 0 { left } else { right }
            }
        }

        #[inline(always)]
        fn flip_words(a: __m512i, flip: u32) -> __m512i {
            unsafe {
                let order = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
                let order = _mm512_xor_si512(order, _mm512_set1_epi64(i64::from(flip)));
                _mm512_permutexvar_epi64(order, a)
            }
        }
    }
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
