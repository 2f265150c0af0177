//! x86-64 processors with vector instructions.

use super::{Arrival, Block, Bytes, Counts, Isa, Listed, SPARE, Work, portable::Portable};
use std::arch::x86_64::*;

/// A processor with AVX2 and BMI2. Blocks are left to the compiler, which makes two vector
/// instructions of each operation.
#[derive(Clone, Copy)]
pub struct Avx2;

/// A processor with AVX-512 and BMI2.
#[derive(Clone, Copy)]
pub struct Avx512;

/// Does some work with AVX2.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub fn run_avx2<W: Work>(work: W) -> W::Output {
    work.run::<Avx2>()
}

/// Does some work with AVX-512.
#[inline(never)]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2"
)]
pub fn run_avx512<W: Work>(work: W) -> W::Output {
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
            let right = _mm512_mask_cmpeq_epi32_mask(lanes, _mm512_and_si512(message, both), to);
            let taken = right & (closed ^ quiet);
            let moved = _mm512_xor_si512(_mm512_and_si512(message, indices), both);
            let packed = _mm512_maskz_compress_epi32(taken, moved);
            _mm512_storeu_si512(found.as_mut_ptr().add(count).cast(), packed);
            count += taken.count_ones() as usize;
        }
    }
    count
}

/// Writes the places of the ones of `bits`, counted from `first` on, to `found`, which must have
/// [`SPARE`] places more than there are ones, and returns how many.
#[inline(always)]
fn write_ones(bits: u64, first: u32, found: &mut [u32]) -> usize {
    let count = bits.count_ones() as usize;
    assert!(count + SPARE <= found.len(), "there is room for what may be found");
    // SAFETY: each store writes 16 numbers from less than `count` on: there is room.
    unsafe {
        let first = _mm512_set1_epi32(first as i32);
        let mut places =
            _mm512_maskz_compress_epi8(bits, _mm512_load_si512(PLACES.0.as_ptr().cast()));
        let mut written = 0;
        loop {
            let some =
                _mm512_add_epi32(first, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places)));
            _mm512_storeu_si512(found.as_mut_ptr().add(written).cast(), some);
            written += SPARE;
            if written >= count {
                return count;
            }
            places = _mm512_shuffle_i64x2::<0b11_11_10_01>(places, places);
        }
    }
}

/// The numbers of 64 places.
static PLACES: Bytes = {
    let mut places = [0; 64];
    let mut place = 0;
    while place < 64 {
        places[place] = place as u8;
        place += 1;
    }
    Bytes(places)
};

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
    fn list_equal(keys: &[u8], key: u8, numbers: &[u32], found: &mut [u32]) -> usize {
        assert!(keys.len() <= numbers.len(), "each key has a number");
        assert!(keys.len() + SPARE <= found.len(), "there is room for what may be found");
        let mut count = 0;
        // SAFETY: the masked loads read keys, and numbers of keys, alone. Each store writes 16 numbers from
        // `count` on, which is at most the number of keys looked at before: there is room.
        unsafe {
            let wanted = _mm512_set1_epi8(key as i8);
            for (chunk, numbers) in keys.chunks(64).zip(numbers.chunks(64)) {
                let lanes = !0 >> (64 - chunk.len());
                let bytes = _mm512_maskz_loadu_epi8(lanes, chunk.as_ptr().cast());
                let mut equal = _mm512_mask_cmpeq_epi8_mask(lanes, bytes, wanted);
                let mut numbers = numbers.as_ptr();
                while equal != 0 {
                    let taken = equal as u16;
                    let packed = _mm512_maskz_compress_epi32(
                        taken,
                        _mm512_maskz_loadu_epi32(taken, numbers.cast()),
                    );
                    _mm512_storeu_si512(found.as_mut_ptr().add(count).cast(), packed);
                    count += taken.count_ones() as usize;
                    equal >>= 16;
                    numbers = numbers.wrapping_add(16);
                }
            }
        }
        count
    }

    #[inline(always)]
    fn list_ones(bits: u64, valid: u64, first: Listed<u32>, lists: Listed<&mut [u32]>) -> usize {
        // SAFETY: pext needs no more than the instruction.
        let columns = unsafe { _pext_u64(bits, valid) };
        write_ones(bits, first.indices, lists.indices);
        write_ones(columns, first.columns, lists.columns)
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
