//! The sequential probability ratio test (Abraham Wald) between two hypotheses on the difference of
//! two engines: a match ends as soon as one is clear, with bounded chances of error.
//!
//! The likelihoods are those of the most likely distribution of pairs under each hypothesis:
//! Michel Van den Bergh, "Comments on Normalized Elo", proposition 1.1 for logistic Elo and section
//! 4.1 for normalized Elo, as Fishtest, OpenBench and fastchess have them.

use super::{
    pairs::Pairs,
    stats::{NORMALIZED, POINTS, Tally, expected},
};
use serde::{Deserialize, Serialize};

/// The scale on which the hypotheses are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo.
    #[default]
    Normalized,
    /// Elo.
    Logistic,
}

/// The hypotheses and the chances of error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1; greater than `elo0`.
    pub elo1: f64,
    /// The chance of taking H1 though H0 is true.
    pub alpha: f64,
    /// The chance of taking H0 though H1 is true.
    pub beta: f64,
    /// The scale.
    pub model: Model,
}

/// What the test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// Nothing yet.
    #[serde(rename = "none")]
    Open,
    /// The first engine is not ahead by as much as `elo1`.
    H0,
    /// The first engine is ahead by more than `elo0`.
    H1,
}

/// Pairs that an outcome which was never seen counts as, so that every logarithm exists. The value
/// is Fishtest's.
const UNSEEN: f64 = 1e-3;

/// A distribution of pairs.
type Shares = [f64; 5];

impl Sprt {
    /// Reads `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized`.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn parse(pairs: &Pairs) -> Result<Self, String> {
        let keys = ["elo0", "elo1", "alpha", "beta", "model"];
        pairs.check(&keys).map_err(|error| error.to_string())?;
        let number = |key: &str, default: f64, least: f64, most: f64| {
            let Some(text) = pairs.get(key) else { return Ok(default) };
            let fits = text.parse().ok().filter(|n| (least..=most).contains(n));
            fits.ok_or_else(|| format!("{key} is '{text}'; it must be a number, {least} to {most}"))
        };
        let model = match pairs.get("model") {
            None | Some("normalized") => Model::Normalized,
            Some("logistic") => Model::Logistic,
            Some(other) => {
                return Err(format!("model is '{other}'; it must be normalized or logistic"));
            }
        };
        // Beyond these differences no distribution of pairs fits the hypotheses any more.
        let most = if model == Model::Normalized { 200.0 } else { 1_000.0 };
        let sprt = Self {
            elo0: number("elo0", 0.0, -most, most)?,
            elo1: number("elo1", 5.0, -most, most)?,
            alpha: number("alpha", 0.05, 1e-6, 0.5 - 1e-6)?,
            beta: number("beta", 0.05, 1e-6, 0.5 - 1e-6)?,
            model,
        };
        if sprt.elo0 >= sprt.elo1 {
            return Err(format!("elo0 is {}; it must be less than elo1, {}", sprt.elo0, sprt.elo1));
        }
        Ok(sprt)
    }

    /// The log-likelihood ratios at which H0 and H1 are taken.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.count() == 0 {
            return 0.0;
        }
        let pairs = tally.pairs.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let total: f64 = pairs.iter().sum();
        let seen = pairs.map(|n| n / total);
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => with_mean(&seen, expected(elo)),
            // A pair is two games, so its mean counts √2 as many standard deviations.
            Model::Normalized => {
                with_deviations(&seen, elo * std::f64::consts::SQRT_2 / NORMALIZED)
            }
        });
        let ratios = (0..5).map(|n| seen[n] * (under1[n] / under0[n]).ln());
        total * ratios.sum::<f64>()
    }

    /// What that ratio decides.
    pub fn decide(&self, llr: f64) -> Decision {
        let (low, high) = self.bounds();
        match llr {
            _ if llr <= low => Decision::H0,
            _ if llr >= high => Decision::H1,
            _ => Decision::Open,
        }
    }
}

/// The distribution most likely to give what was seen among those with this mean.
fn with_mean(seen: &Shares, mean: f64) -> Shares {
    tilted(seen, &POINTS.map(|points| points - mean)).unwrap_or(*seen)
}

/// The distribution most likely to give what was seen among those whose mean lies so many of their
/// standard deviations above one half. Each step solves the problem for the moments of the last.
fn with_deviations(seen: &Shares, deviations: f64) -> Shares {
    const STEPS: usize = 50;
    const CLOSE: f64 = 1e-10;
    let mut shares = [0.2; 5];
    for _ in 0..STEPS {
        let mean: f64 = (0..5).map(|n| shares[n] * POINTS[n]).sum();
        let variance: f64 = (0..5).map(|n| shares[n] * (POINTS[n] - mean).powi(2)).sum();
        let sigma = variance.sqrt();
        let terms = POINTS.map(|points| {
            let away = (points - mean) / sigma;
            points - 0.5 - deviations * sigma * (1.0 + away * away) / 2.0
        });
        let Some(next) = tilted(seen, &terms) else { return shares };
        let change = (0..5).map(|n| (next[n] - shares[n]).abs()).fold(0.0, f64::max);
        shares = next;
        if change < CLOSE {
            break;
        }
    }
    shares
}

/// The shares `seen / (1 + θ·terms)` for the θ that makes the mean of `terms` vanish; `None` if the
/// terms all have one sign, so that no θ does.
fn tilted(seen: &Shares, terms: &Shares) -> Option<Shares> {
    let least = terms.iter().copied().fold(f64::INFINITY, f64::min);
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    // The mean falls from +∞ to -∞ between the poles, so halving finds its one zero.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mean =
        |theta: f64| (0..5).map(|n| seen[n] * terms[n] / (1.0 + theta * terms[n])).sum::<f64>();
    loop {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    let theta = (low + high) / 2.0;
    let shares: Shares = std::array::from_fn(|n| seen[n] / (1.0 + theta * terms[n]));
    shares.iter().all(|share| share.is_finite() && *share > 0.0).then_some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn llr(sprt: Sprt, pairs: [u64; 5]) -> f64 {
        sprt.llr(&Tally { pairs, games: [0; 3] })
    }

    /// Values that fastchess's own tests state (`app/tests/sprt_test.cpp`, the pentanomial cases),
    /// there with a relative tolerance of 1 %. Pairs run from 0 to 2 points.
    #[test]
    fn ratios_are_as_fastchess_publishes_them() {
        use Model::{Logistic, Normalized};
        let cases = [
            (sprt(0.0, 2.0, Normalized), [390, 16_974, 36_229, 16_618, 365], 2.25, false),
            (sprt(0.0, 2.0, Normalized), [365, 16_618, 36_229, 16_974, 390], 2.25, true),
            (sprt(-1.75, 0.25, Normalized), [127, 4_883, 10_712, 5_150, 104], 3.01, true),
            (sprt(0.5, 2.5, Logistic), [223, 9_863, 21_279, 10_037, 246], -3.07, true),
            (sprt(0.0, 2.0, Logistic), [871, 26_175, 55_983, 26_678, 821], -4.98, true),
        ];
        for (sprt, pairs, expected, equal) in cases {
            let found = llr(sprt, pairs);
            let close = (found - expected).abs() <= 0.01 * f64::abs(expected) + 0.005;
            // The mirror image of a result is no sign of the same hypothesis.
            assert_eq!(close, equal, "{sprt:?} {pairs:?}: {found}");
        }
    }

    /// OpenBench's example at the end of `OpenBench/stats.py`, and two results without variance; the
    /// ratios were computed by that file's own functions.
    #[test]
    fn ratios_are_as_openbench_computes_them() {
        let cases = [
            (0.5, 2.5, [39, 8_843, 26_675, 9_240, 44], 2.9417),
            (0.0, 2.0, [390, 16_974, 36_229, 16_618, 365], -6.9276),
            (0.0, 5.0, [0, 0, 0, 0, 104], 2.0950),
            (0.0, 5.0, [104, 0, 0, 0, 0], -2.1380),
        ];
        for (elo0, elo1, pairs, expected) in cases {
            let found = llr(sprt(elo0, elo1, Model::Normalized), pairs);
            assert!((found - expected).abs() < 1e-3, "{pairs:?}: {found}");
        }
    }

    #[test]
    fn bounds_are_walds() {
        let (low, high) = sprt(0.0, 5.0, Model::Normalized).bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
        assert_eq!(sprt(0.0, 5.0, Model::Logistic).decide(2.95), Decision::H1);
        assert_eq!(sprt(0.0, 5.0, Model::Logistic).decide(-2.95), Decision::H0);
        assert_eq!(sprt(0.0, 5.0, Model::Logistic).decide(2.9), Decision::Open);
    }

    /// Results without any variance: the ratio exists, moves the right way, and a handful of pairs
    /// decides nothing.
    #[test]
    fn one_sided_results_decide_nothing_early() {
        for model in [Model::Normalized, Model::Logistic] {
            for (elo0, elo1) in [(0.0, 5.0), (-5.0, 0.0), (0.0, 50.0), (-50.0, 50.0)] {
                let sprt = sprt(elo0, elo1, model);
                assert_eq!(llr(sprt, [0; 5]), 0.0);
                for outcome in 0..5 {
                    let mut last = 0.0;
                    for n in [1, 2, 5, 100, 100_000] {
                        let mut pairs = [0; 5];
                        pairs[outcome] = n;
                        let found = llr(sprt, pairs);
                        assert!(found.is_finite(), "{sprt:?} {pairs:?}");
                        if n <= 2 {
                            assert_eq!(sprt.decide(found), Decision::Open, "{sprt:?} {pairs:?}");
                        }
                        if outcome == 4 {
                            assert!(found > last, "{sprt:?} {pairs:?}: {found} after {last}");
                        }
                        if outcome == 0 {
                            assert!(found < last, "{sprt:?} {pairs:?}: {found} after {last}");
                        }
                        last = found;
                    }
                }
            }
            let narrow = sprt(0.0, 5.0, model);
            for outcome in 0..5 {
                let mut pairs = [0; 5];
                pairs[outcome] = 20;
                assert_eq!(narrow.decide(llr(narrow, pairs)), Decision::Open, "{pairs:?}");
            }
            let mut draws = [0; 5];
            draws[2] = 100_000;
            assert_eq!(narrow.decide(llr(narrow, draws)), Decision::H0);
        }
    }

    #[test]
    fn hypotheses_are_read_and_checked() {
        let parse = |text: &str| Sprt::parse(&text.parse().expect("pairs"));
        let read = parse("elo0=-1 elo1=3 alpha=0.1 model=logistic");
        let expected = Sprt { alpha: 0.1, ..sprt(-1.0, 3.0, Model::Logistic) };
        assert_eq!(read, Ok(expected));
        assert_eq!(parse(""), Ok(sprt(0.0, 5.0, Model::Normalized)));
        for text in ["elo0=5", "elo1=x", "alpha=0", "beta=0.6", "model=bayes", "elo=1", "elo1=nan"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
