//! Ranks of sets: the place of a number among all numbers with as many ones, in ascending order.

use crate::board::MAX_POINTS;

const HALF: usize = MAX_POINTS / 2;
const HALVES: usize = 1 << HALF;
/// Numbers of ones in the low half, 0 to 12, rounded up to a power of two.
const COUNTS: usize = 16;

const BINOMIALS: [[u32; MAX_POINTS + 1]; MAX_POINTS + 1] = {
    let mut table = [[0; MAX_POINTS + 1]; MAX_POINTS + 1];
    let mut n = 0;
    while n <= MAX_POINTS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// For the low half of a number: its rank, times 16, plus its number of ones.
static LOW: [u16; HALVES] = {
    let mut table = [0; HALVES];
    let mut bits = 1usize;
    while bits < HALVES {
        let top = bits.ilog2() as usize;
        let below = table[bits ^ 1 << top];
        let ones = below as usize % COUNTS + 1;
        table[bits] =
            (below / COUNTS as u16 + BINOMIALS[top][ones] as u16) * COUNTS as u16 + ones as u16;
        bits += 1;
    }
    table
};

/// For the high half of a number and the ones in its low half: what the high ones add to the rank.
static HIGH: [[u32; COUNTS]; HALVES] = {
    let mut table = [[0; COUNTS]; HALVES];
    let mut bits = 1usize;
    while bits < HALVES {
        let top = bits.ilog2() as usize;
        let below = bits ^ 1 << top;
        let mut ones = 0;
        while ones <= HALF {
            table[bits][ones] =
                table[below][ones] + BINOMIALS[HALF + top][ones + below.count_ones() as usize + 1];
            ones += 1;
        }
        bits += 1;
    }
    table
};

/// The number of sets of `k` of `n` points; 0 if `k` is greater than `n`.
///
/// # Panics
/// If either is more than [`MAX_POINTS`].
pub fn binomial(n: usize, k: usize) -> u32 {
    BINOMIALS[n][k]
}

/// The place of a number of at most 24 bits among all numbers with as many ones.
#[inline(always)]
pub fn rank(bits: u32) -> u32 {
    let low = LOW[bits as usize % HALVES];
    u32::from(low) / COUNTS as u32 + HIGH[(bits >> HALF) as usize % HALVES][low as usize % COUNTS]
}

/// The number with `ones` ones at this place: undoes [`rank`].
///
/// # Panics
/// If `ones` is more than 24. A rank that is too great gives a meaningless number.
pub fn unrank(rank: u32, ones: usize) -> u32 {
    let mut left = rank;
    let mut bits = 0;
    let mut below = MAX_POINTS;
    for k in (1..=ones).rev() {
        // The greatest point that so many sets of k points lie wholly below of.
        let point = (0..below).rev().find(|p| BINOMIALS[*p][k] <= left).unwrap_or(0);
        left -= BINOMIALS[point][k].min(left);
        bits |= 1 << point;
        below = point;
    }
    bits
}
