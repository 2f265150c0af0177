//! What results say about strength. Games come in pairs from one opening with colours swapped, and
//! a pair counts as one observation with five outcomes (the pentanomial model of Fishtest), since
//! its two games depend on each other.
//!
//! Elo from the mean of pairs; normalized Elo and its scale after Michel Van den Bergh, "Comments on
//! Normalized Elo". Nothing here is ever undefined: pairs that all end alike have no variance to
//! measure, and then the bounds come from how many of them there are.

use serde::{Deserialize, Serialize};

/// The outcomes of pairs for the first engine of a pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Pairs by the points that the two games gave: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Games won, drawn and lost.
    pub games: [u64; 3],
}

/// An estimate with the bounds of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The lower bound. Like the others it may be infinite.
    pub low: f64,
    /// The estimate.
    pub value: f64,
    /// The upper bound.
    pub high: f64,
}

/// Twice the standard normal's 97.5 % quantile is the width of a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;
/// What one standard deviation of a game's score is worth in normalized Elo.
pub const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// The points of a pair's outcomes, a pair counting as one.
pub const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The rating difference at which a score is expected.
pub fn elo(score: f64) -> f64 {
    match score {
        s if s <= 0.0 => f64::NEG_INFINITY,
        s if s >= 1.0 => f64::INFINITY,
        s => 0.0 - 400.0 * (1.0 / s - 1.0).log10(),
    }
}

/// The score that is expected at a rating difference.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The standard normal distribution, by the complementary error function of Numerical Recipes'
/// rational Chebyshev form; the error is below 1.2e-7.
pub fn normal(x: f64) -> f64 {
    const TERMS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * z);
    let polynomial = TERMS.iter().rev().fold(0.0, |sum, term| sum * t + term);
    let tail = 0.5 * t * (polynomial - z * z).exp();
    if x >= 0.0 { 1.0 - tail } else { tail }
}

impl Tally {
    /// Adds a pair by the results of its games, in half points of the first engine (0, 1 or 2).
    ///
    /// # Panics
    /// If there are more than two half points in a game.
    pub fn add(&mut self, half_points: [u8; 2]) {
        self.pairs[usize::from(half_points[0] + half_points[1])] += 1;
        for points in half_points {
            self.games[usize::from(2 - points)] += 1;
        }
    }

    /// The sum of two.
    pub fn plus(&self, other: &Tally) -> Tally {
        Tally {
            pairs: std::array::from_fn(|n| self.pairs[n] + other.pairs[n]),
            games: std::array::from_fn(|n| self.games[n] + other.games[n]),
        }
    }

    /// The same results seen by the other engine.
    pub fn mirrored(&self) -> Tally {
        let mut mirrored = *self;
        mirrored.pairs.reverse();
        mirrored.games.reverse();
        mirrored
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The mean score, 0 to 1; one half if there are no pairs.
    pub fn score(&self) -> f64 {
        match self.count() {
            0 => 0.5,
            n => self.sum(|points| points) / n as f64,
        }
    }

    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.pairs.iter().zip(POINTS).map(|(n, points)| *n as f64 * of(points)).sum()
    }

    /// The variance of a pair's score; 0 if all pairs ended alike.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        match self.count() {
            0 => 0.0,
            n => self.sum(|points| (points - mean).powi(2)) / n as f64,
        }
    }

    /// The share of drawn games.
    pub fn draw_ratio(&self) -> f64 {
        match self.games.iter().sum::<u64>() {
            0 => 0.0,
            n => self.games[1] as f64 / n as f64,
        }
    }

    /// With so many pairs that all ended alike, the greatest share of others that would still have
    /// gone unseen with a chance of 2.5 %.
    fn unseen(&self) -> f64 {
        1.0 - 0.025f64.powf(1.0 / self.count().max(1) as f64)
    }

    /// The score with its bounds.
    pub fn score_interval(&self) -> Estimate {
        let (n, value, variance) = (self.count(), self.score(), self.variance());
        if n == 0 {
            return Estimate { low: 0.0, value, high: 1.0 };
        }
        if variance == 0.0 {
            let unseen = self.unseen();
            let low = value * (1.0 - unseen);
            return Estimate { low, value, high: low + unseen };
        }
        let half = Z95 * (variance / n as f64).sqrt();
        Estimate { low: (value - half).max(0.0), value, high: (value + half).min(1.0) }
    }

    /// The difference of ratings.
    pub fn elo(&self) -> Estimate {
        let score = self.score_interval();
        Estimate { low: elo(score.low), value: elo(score.value), high: elo(score.high) }
    }

    /// The normalized difference of ratings: the mean in standard deviations of a game. Unlike Elo
    /// it does not shrink as draws become more, and says how many games show the difference.
    pub fn normalized_elo(&self) -> Estimate {
        let (n, variance) = (self.count(), self.variance());
        if n == 0 {
            return Estimate { low: f64::NEG_INFINITY, value: 0.0, high: f64::INFINITY };
        }
        let of = |score: f64, variance: f64| match (score - 0.5, variance) {
            (0.0, _) => 0.0,
            (ahead, 0.0) => ahead * f64::INFINITY,
            (ahead, variance) => ahead / (2.0 * variance).sqrt() * NORMALIZED,
        };
        let half = NORMALIZED * Z95 / (2.0 * n as f64).sqrt();
        let value = of(self.score(), variance);
        if value.is_finite() {
            return Estimate { low: value - half, value, high: value + half };
        }
        // The worst that is credible: the unseen pairs all go the other way.
        let (unseen, sign) = (self.unseen(), value.signum());
        let points = (self.score() - 0.5).abs() + 0.5;
        let spread = unseen * (1.0 - unseen) * points * points;
        let worst = sign * of(points * (1.0 - unseen), spread);
        match sign > 0.0 {
            true => Estimate { low: worst, value, high: value },
            false => Estimate { low: value, value, high: worst },
        }
    }

    /// The likelihood that the first engine is the stronger one.
    pub fn superiority(&self) -> f64 {
        let (n, ahead, variance) = (self.count(), self.score() - 0.5, self.variance());
        if ahead == 0.0 {
            return 0.5;
        }
        if variance == 0.0 {
            // All pairs went one way: with even chances each way that happens so rarely.
            let by_chance = 0.5f64.powi(i32::try_from(n + 1).unwrap_or(i32::MAX));
            return if ahead > 0.0 { 1.0 - by_chance } else { by_chance };
        }
        normal(ahead / (variance / n as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tally with these pairs; how the games of each came about does not matter here.
    fn tally(pairs: [u64; 5]) -> Tally {
        Tally { pairs, games: [0; 3] }
    }

    fn close(value: f64, expected: f64, within: f64) -> bool {
        (value - expected).abs() <= within
    }

    /// Values that fastchess's own tests state (`app/tests/elo_test.cpp`, cases EloPentanomial 1 to
    /// 3), there given to two decimals with a relative tolerance of 1 %: pairs from 0 to 2 points,
    /// normalized Elo with its error, Elo with its error.
    #[test]
    fn elo_is_as_fastchess_publishes_it() {
        let cases = [
            ([75, 64, 31 + 32, 54, 34], None),
            ([34, 54, 31 + 32, 64, 75], Some((57.94, 28.28, 55.58, 27.65))),
            ([332, 433, 457 + 41, 333, 334], Some((-9.17, 10.96, -8.64, 10.33))),
            ([7895, 8757, 5485 + 200, 568, 9999], Some((-19.01, 2.65, -21.04, 2.95))),
        ];
        for (pairs, expected) in cases {
            let tally = tally(pairs);
            let (elo, normalized) = (tally.elo(), tally.normalized_elo());
            let error = |e: &Estimate| (e.high - e.low) / 2.0;
            let Some((nelo, nelo_error, plain, plain_error)) = expected else {
                // The first is the mirror image of the second.
                assert!(close(normalized.value, -57.94, 0.6) && close(elo.value, -55.58, 0.6));
                continue;
            };
            assert!(close(normalized.value, nelo, 0.01 * f64::abs(nelo)), "{normalized:?}");
            assert!(close(error(&normalized), nelo_error, 0.01 * nelo_error), "{normalized:?}");
            assert!(close(elo.value, plain, 0.01 * f64::abs(plain)), "{elo:?}");
            assert!(close(error(&elo), plain_error, 0.01 * plain_error), "{elo:?}");
        }
        // The likelihood that the same tests state: 100.00 % and 5.05 %.
        assert!(tally([34, 54, 63, 64, 75]).superiority() > 0.99995 - 1e-4);
        assert!(close(tally([332, 433, 498, 333, 334]).superiority(), 0.0505, 5e-5));
    }

    #[test]
    fn the_normal_distribution_is_as_in_tables() {
        // Abramowitz and Stegun, table 26.1.
        for (x, p) in [(0.0, 0.5), (0.5, 0.691_462), (1.0, 0.841_345), (2.5, 0.993_790)] {
            assert!(close(normal(x), p, 1e-6) && close(normal(-x), 1.0 - p, 1e-6), "{x}");
        }
        assert!(normal(40.0) == 1.0 && normal(-40.0) >= 0.0);
    }

    #[test]
    fn pairs_count_as_what_they_give() {
        let mut sum = Tally::default();
        for half_points in [[2, 2], [2, 1], [0, 2], [1, 1], [0, 1], [0, 0]] {
            sum.add(half_points);
        }
        assert_eq!(sum, Tally { pairs: [1, 1, 2, 1, 1], games: [4, 4, 4] });
        assert_eq!(sum.mirrored(), sum);
        assert!(close(sum.score(), 0.5, 1e-12) && close(sum.draw_ratio(), 1.0 / 3.0, 1e-12));
    }

    /// Whatever the results, nothing is undefined, and the bounds hold the value between them.
    #[test]
    fn one_sided_results_have_honest_bounds() {
        for n in [0, 1, 2, 10, 1_000, 10_000_000] {
            for outcome in 0..5 {
                let mut pairs = [0; 5];
                pairs[outcome] = n;
                let tally = tally(pairs);
                for estimate in [tally.score_interval(), tally.elo(), tally.normalized_elo()] {
                    let Estimate { low, value, high } = estimate;
                    assert!(!low.is_nan() && !value.is_nan() && !high.is_nan(), "{tally:?}");
                    assert!(low <= value && value <= high, "{tally:?}: {estimate:?}");
                }
                let superiority = tally.superiority();
                assert!((0.0..=1.0).contains(&superiority), "{tally:?}");
                assert_eq!(superiority > 0.5, n > 0 && outcome > 2, "{tally:?}");
            }
        }
        // Few games without a loss prove little, many prove much.
        let elo_of_wins = |n| tally([0, 0, 0, 0, n]).elo();
        assert!(elo_of_wins(1).low < 0.0 && elo_of_wins(1).value == f64::INFINITY);
        assert!(elo_of_wins(10).low > 100.0 && elo_of_wins(100).low > elo_of_wins(10).low);
        let draws = tally([0, 0, 200, 0, 0]).elo();
        assert!(draws.value == 0.0 && close(draws.high, 6.35, 0.01), "{draws:?}");
        assert!(close(draws.low, -draws.high, 1e-9));
        assert!(tally([0, 0, 0, 0, 5]).superiority() < 0.99);
    }

    #[test]
    fn elo_and_score_undo_each_other() {
        for score in [0.01, 0.25, 0.5, 0.64, 0.999] {
            assert!(close(expected(elo(score)), score, 1e-12));
        }
        assert!(close(elo(0.75), 190.85, 0.01));
        assert!(elo(0.0) == f64::NEG_INFINITY && elo(1.0) == f64::INFINITY);
    }
}
