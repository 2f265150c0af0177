//! The layers behind the first one, chosen by the number of stones.
//!
//! Weights stand as they are multiplied: those of two neurons of the first layer with all of the second one,
//! side by side. So many are done by one instruction of the baseline, and nothing is added up across.

use super::{FIRST, ONE, OUT_ONE, SECOND, SECOND_ONE};

/// Halvings that divide by [`SECOND_ONE`].
const SECOND_SHIFT: u32 = SECOND_ONE.trailing_zeros();
const _: () = assert!(1 << SECOND_SHIFT == SECOND_ONE);

/// The part of a network that is chosen by the number of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Head {
    /// By pairs of neurons of the first layer: for each of the second, the weights of the pair.
    second: [[i16; 2 * SECOND]; FIRST / 2],
    second_bias: [i32; SECOND],
    out: [i16; SECOND],
    out_bias: i32,
}

/// A head with its weights by neurons of the second layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) second: [[i16; FIRST]; SECOND],
    pub(super) second_bias: [i32; SECOND],
    pub(super) out: [i16; SECOND],
    pub(super) out_bias: i32,
}

impl From<Rows> for Head {
    fn from(rows: Rows) -> Self {
        let Rows { second_bias, out, out_bias, .. } = rows;
        let weight = |pair: usize, n: usize| rows.second[n / 2][2 * pair + n % 2];
        let second = std::array::from_fn(|pair| std::array::from_fn(|n| weight(pair, n)));
        Self { second, second_bias, out, out_bias }
    }
}

impl Head {
    /// The weights by neurons of the second layer.
    pub(super) fn rows(&self) -> Rows {
        let Self { second_bias, out, out_bias, .. } = *self;
        let weight = |n: usize, first: usize| self.second[first / 2][2 * n + first % 2];
        let second = std::array::from_fn(|n| std::array::from_fn(|first| weight(n, first)));
        Rows { second, second_bias, out, out_bias }
    }

    /// The value in centi-stones, given what the first layer passes on.
    #[inline(always)]
    pub(super) fn value(&self, first: &[i16; FIRST]) -> i32 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE2 is part of x86-64.
        let sum = unsafe { self.sum_by_eights(first) };
        #[cfg(not(target_arch = "x86_64"))]
        let sum = self.sum_one_by_one(first);
        (sum + self.out_bias) / (ONE * OUT_ONE)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "sse2")]
    #[inline]
    fn sum_by_eights(&self, first: &[i16; FIRST]) -> i32 {
        use bytemuck::must_cast;
        use std::arch::x86_64::*;
        let mut sums: [__m128i; SECOND / 4] = must_cast(self.second_bias);
        let pairs: [i32; FIRST / 2] = must_cast(*first);
        for (pair, weights) in pairs.iter().zip(&self.second) {
            let pair = _mm_set1_epi32(*pair);
            let weights: [__m128i; SECOND / 4] = must_cast(*weights);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = _mm_add_epi32(*sum, _mm_madd_epi16(pair, weights));
            }
        }
        let out: [__m128i; SECOND / 8] = must_cast(self.out);
        let halved = sums.map(|sum| _mm_srai_epi32::<{ SECOND_SHIFT as i32 }>(sum));
        let mut total = _mm_setzero_si128();
        for (n, out) in out.into_iter().enumerate() {
            let active = _mm_packs_epi32(halved[2 * n], halved[2 * n + 1]);
            let active = _mm_max_epi16(active, _mm_setzero_si128());
            let active = _mm_min_epi16(active, _mm_set1_epi16(ONE as i16));
            total = _mm_add_epi32(total, _mm_madd_epi16(active, out));
        }
        let four: [i32; 4] = must_cast(total);
        four.iter().sum()
    }

    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn sum_one_by_one(&self, first: &[i16; FIRST]) -> i32 {
        let mut sums = self.second_bias;
        for (pair, weights) in self.second.iter().enumerate() {
            let [a, b] = [2 * pair, 2 * pair + 1].map(|n| i32::from(first[n]));
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum += a * i32::from(weights[2 * n]) + b * i32::from(weights[2 * n + 1]);
            }
        }
        let active = |sum: i32| (sum >> SECOND_SHIFT).clamp(0, ONE);
        sums.iter().zip(self.out).map(|(sum, out)| active(*sum) * i32::from(out)).sum()
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_adding_agree() {
        let mut state = 5u64;
        let mut lot = |bound: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as i32 % (2 * bound + 1) - bound
        };
        for round in 0..2000 {
            // Now and then as great as weights can be: sums do not leave their range.
            let most = if round % 3 == 0 { i32::from(i16::MAX) } else { 200 };
            let rows = Rows {
                second: std::array::from_fn(|_| std::array::from_fn(|_| lot(most) as i16)),
                second_bias: std::array::from_fn(|_| lot(1 << 20)),
                out: std::array::from_fn(|_| lot(most) as i16),
                out_bias: lot(1 << 20),
            };
            let head = Head::from(rows.clone());
            assert_eq!(head.rows(), rows);
            let first = std::array::from_fn(|_| lot(ONE).max(0) as i16);
            // SAFETY: SSE2 is part of x86-64.
            let by_eights = unsafe { head.sum_by_eights(&first) };
            assert_eq!(by_eights, head.sum_one_by_one(&first));
        }
    }
}
