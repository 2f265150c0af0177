//! Any processor: tables of bytes in place of instructions that some do not have.

use super::{Block, Isa, WORDS, Work};

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

/// Does some work.
#[inline(never)]
pub fn run_portable<W: Work>(work: W) -> W::Output {
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
