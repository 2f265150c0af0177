//! A probability from many opinions, all of which learn from every bit.
//!
//! Each opinion is a table of counts, looked up by what one part of the surroundings looks like. They
//! are mixed as logarithms of odds with weights that learn as well, and the outcome is corrected by
//! what followed when it was the same before: after Matt Mahoney's PAQ. All arithmetic is on whole
//! numbers, so that every machine reads what another one has written.

use millrace_engine::table::codec::{coder::BitCoder, model::probability};
use std::sync::LazyLock;

/// Sums lie between this and its opposite, in units of the engine's models.
const LIMIT: i32 = 1535;
/// Bits of an opinion's count.
const COUNT_BITS: u32 = 10;
const MOST_COUNTED: u32 = (1 << COUNT_BITS) - 1;
/// Bits of an opinion's probability.
const SET_BITS: u32 = 32 - COUNT_BITS;
/// Entries of [`SUMS`], by the highest bits of an opinion.
const SUM_BITS: u32 = 12;
/// A weight of one.
const WHOLE: i32 = 1 << 16;
/// No weight is greater.
const HEAVIEST: i32 = 64 * WHOLE;
/// How fast weights learn.
const RATE: i32 = 30;
/// Sums between two places of a correction.
const APART: u32 = 96;
/// Places of a correction.
const PLACES: usize = 33;
/// A correction moves by one part in two to this power.
const CORRECTION_RATE: u32 = 6;
const CORRECTION_BITS: u32 = 8;

/// The least sum that is as likely as the highest bits of an opinion say.
static SUMS: LazyLock<[i32; 1 << SUM_BITS]> = LazyLock::new(|| {
    let mut sum = -LIMIT;
    std::array::from_fn(|entry| {
        while sum < LIMIT && probability(sum) < entry as u32 * 16 + 8 {
            sum += 1;
        }
        sum
    })
});

/// By an opinion's count, how far it goes towards the next bit, in parts of 2¹⁶.
static SHARES: [u32; MOST_COUNTED as usize + 1] = {
    let mut shares = [0; MOST_COUNTED as usize + 1];
    let mut count = 0;
    while count < shares.len() {
        shares[count] = (1 << 17) / (2 * count as u32 + 3);
        count += 1;
    }
    shares
};

/// Corrections that are averaged with the mixture.
pub const CORRECTIONS: usize = 2;

/// What the next bit depends on: entries of the tables.
pub struct Surroundings<const N: usize> {
    /// For each opinion.
    pub opinions: [u32; N],
    /// For the weights.
    pub weights: u32,
    /// For each correction.
    pub corrections: [u32; CORRECTIONS],
}

/// The mixer, of `N` opinions and a constant one.
pub struct Mixer<const N: usize> {
    /// All tables, one after the other.
    opinions: Box<[u32]>,
    starts: [u32; N],
    /// Of the opinions, and of the constant.
    weights: Box<[([i32; N], i32)]>,
    corrections: [Box<[[u32; PLACES]]>; CORRECTIONS],
    sums: &'static [i32; 1 << SUM_BITS],
}

impl<const N: usize> Mixer<N> {
    /// A mixer that has seen nothing, with tables of these sizes.
    pub fn new(opinions: &[usize; N], weights: usize, corrections: &[usize; CORRECTIONS]) -> Self {
        let line: [u32; PLACES] = std::array::from_fn(|place| {
            probability((place as i32 - PLACES as i32 / 2) * APART as i32) << CORRECTION_BITS
        });
        let mut starts = [0; N];
        for number in 1..N {
            starts[number] = starts[number - 1] + opinions[number - 1] as u32;
        }
        Self {
            opinions: vec![1 << 31; opinions.iter().sum()].into(),
            starts,
            weights: vec![([WHOLE / 4; N], WHOLE / 4); weights].into(),
            corrections: corrections.map(|size| vec![line; size].into()),
            sums: &SUMS,
        }
    }

    /// Codes a bit and learns from it.
    ///
    /// # Panics
    /// If the surroundings lie outside the tables.
    #[inline(always)]
    pub fn code(&mut self, coder: &mut impl BitCoder, at: &Surroundings<N>, bit: bool) -> bool {
        const CONSTANT: i32 = 128;
        let mut places = at.opinions;
        places.iter_mut().zip(&self.starts).for_each(|(place, start)| *place += start);
        let mut said = [0; N];
        for (said, place) in said.iter_mut().zip(places) {
            *said = self.sums[(self.opinions[place as usize] >> (32 - SUM_BITS)) as usize];
        }
        let (weights, constant) = &mut self.weights[at.weights as usize];
        let mut total = i64::from(*constant) * i64::from(CONSTANT);
        for (weight, said) in weights.iter().zip(said) {
            total += i64::from(*weight) * i64::from(said);
        }
        let sum = (total >> 16).clamp((-LIMIT).into(), LIMIT.into()) as i32;
        let mixed = probability(sum);

        let place = (sum + PLACES as i32 / 2 * APART as i32) as u32;
        let (first, beyond) = ((place / APART) as usize, place % APART);
        let mut corrected = 2 * mixed;
        for (table, entry) in self.corrections.iter().zip(at.corrections) {
            let line = &table[entry as usize];
            let between = line[first] * (APART - beyond) + line[first + 1] * beyond;
            corrected += (between / APART) >> CORRECTION_BITS;
        }
        let bit = coder.bit(bit, (corrected / 4).clamp(1, (1 << 16) - 1));

        let wrong = ((i32::from(bit) << 16) - mixed as i32) >> 2;
        let learn = |weight: &mut i32, said: i32| {
            let step = (said * wrong * RATE + (1 << 15)) >> 16;
            *weight = (*weight + step).clamp(-HEAVIEST, HEAVIEST);
        };
        weights.iter_mut().zip(said).for_each(|(weight, said)| learn(weight, said));
        learn(constant, CONSTANT);
        for place in places {
            follow(&mut self.opinions[place as usize], bit);
        }
        for (table, entry) in self.corrections.iter_mut().zip(at.corrections) {
            let nearer = &mut table[entry as usize][first + usize::from(beyond >= APART / 2)];
            if bit {
                *nearer += ((((1 << 16) - 1) << CORRECTION_BITS) - *nearer) >> CORRECTION_RATE;
            } else {
                *nearer -= *nearer >> CORRECTION_RATE;
            }
        }
        bit
    }
}

/// An opinion learns: as far as its count is small.
#[inline(always)]
fn follow(opinion: &mut u32, bit: bool) {
    let (set, count) = (*opinion >> COUNT_BITS, *opinion & MOST_COUNTED);
    let target = if bit { (1 << SET_BITS) - 1 } else { 0 };
    let way = i64::from(target) - i64::from(set);
    let moved = i64::from(set) + ((way * i64::from(SHARES[count as usize])) >> 16);
    *opinion = (moved as u32) << COUNT_BITS | (count + 1).min(MOST_COUNTED);
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_engine::table::codec::coder::{Decoder, Encoder};

    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        *seed >> 33
    }

    /// Bits that follow from one opinion's entry nine times in ten.
    fn told() -> Vec<(Surroundings<3>, bool)> {
        let mut seed = 3;
        let mut next = |below: u64| (random(&mut seed) % below) as u32;
        (0..20_000)
            .map(|_| {
                let at = Surroundings {
                    opinions: [next(8), next(8), next(8)],
                    weights: next(2),
                    corrections: [next(3), next(5)],
                };
                let likely = at.opinions[1] % 2 == 1;
                let bit = likely != (next(10) == 0);
                (at, bit)
            })
            .collect()
    }

    fn mixer() -> Mixer<3> {
        Mixer::new(&[8; 3], 2, &[3, 5])
    }

    #[test]
    fn what_is_learned_while_writing_is_learned_while_reading() {
        let (mut encoder, mut mixer_there) = (Encoder::default(), mixer());
        for (at, bit) in told() {
            mixer_there.code(&mut encoder, &at, bit);
        }
        let bytes = encoder.finish();
        // 0.469 bits each, and 20,000 of them; a little more while nothing has been learned.
        assert!((1150..1250).contains(&bytes.len()), "{}", bytes.len());
        let (mut decoder, mut mixer_here) = (Decoder::new(&bytes), mixer());
        for (at, bit) in told() {
            assert_eq!(mixer_here.code(&mut decoder, &at, false), bit);
        }
    }

    #[test]
    fn an_opinion_is_the_mean_of_what_it_saw() {
        let mut opinion = 1 << 31;
        (0..900).for_each(|n| follow(&mut opinion, n % 3 == 0));
        let share = f64::from(opinion >> COUNT_BITS) / f64::from(1 << SET_BITS);
        assert!((0.32..0.34).contains(&share), "{share}");
        // Steps up end where one is less than the smallest part of a probability.
        (0..100_000).for_each(|_| follow(&mut opinion, true));
        let short = (1 << SET_BITS) - (opinion >> COUNT_BITS);
        assert_eq!(short, (1u32 << 16).div_ceil(SHARES[MOST_COUNTED as usize]));
        (0..100_000).for_each(|_| follow(&mut opinion, false));
        assert_eq!(opinion >> COUNT_BITS, 0);
    }

    #[test]
    fn sums_are_the_odds_of_what_they_stand_for() {
        // Probabilities are whole parts of 2^16.
        let likely = |sum: i32| 65536.0 / (1.0 + (-f64::from(sum) / 128.0).exp());
        for (entry, sum) in SUMS.iter().enumerate() {
            let wanted = (entry * 16 + 8) as f64;
            assert!(likely(*sum) > wanted - 1.0, "{entry}");
            assert!(likely(*sum - 1) < wanted + 1.0, "{entry}");
        }
    }
}
