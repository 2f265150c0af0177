//! Fits weights to samples: logistic regression by Newton's method, each phase by itself. All sums
//! are taken in a fixed order, so that the same samples give the same weights.

use super::sample::Sample;
use millrace_engine::{
    Rules,
    eval::{COUNTS, MOST, PHASES, PhaseWeights, Weights, counts, phase},
};
use rayon::prelude::*;

/// Centi-stones by which the odds of winning grow by the factor e. Chosen so that a stone is worth
/// about a hundred in the middle of a game of nine men's morris.
pub const CENTI_STONES: f64 = 100.0;

/// Two weights a count, and the tempo.
const SIZE: usize = 2 * COUNTS + 1;
type Vector = [f64; SIZE];

/// Samples that are summed at a time.
const CHUNK: usize = 4096;
/// Newton steps; the last ones change nothing any more.
const STEPS: usize = 12;
/// What draws weights to those of the phase before in [`ORDER`] where the samples do not tell, counted
/// in samples in which a count is two.
const RIDGE: f64 = 50.0;
/// Each phase with the one that it is like if nothing else is known.
const ORDER: [(usize, Option<usize>); PHASES] = [
    (7, None),
    (6, Some(7)),
    (5, Some(6)),
    (4, Some(5)),
    (8, Some(5)),
    (9, Some(5)),
    (10, Some(8)),
    (0, Some(7)),
    (1, Some(0)),
    (2, Some(1)),
    (3, Some(2)),
];

/// A sample as the fit sees it.
struct Row {
    counts: [i8; SIZE],
    target: f32,
}

impl Row {
    fn of(rules: &Rules, sample: &Sample) -> Self {
        let [own, other] = counts(rules, &sample.position);
        let mut all = [1; SIZE];
        for n in 0..COUNTS {
            all[n] = own[n] as i8;
            all[COUNTS + n] = -other[n] as i8;
        }
        Self { counts: all, target: sample.target }
    }

    fn logit(&self, weights: &Vector) -> f64 {
        self.counts.iter().zip(weights).map(|(c, w)| f64::from(*c) * w).sum()
    }
}

/// The chance of winning that belongs to a logit.
pub fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The surprise of an outcome, in nats, given its chance.
pub fn surprise(target: f64, chance: f64) -> f64 {
    let chance = chance.clamp(1e-9, 1.0 - 1e-9);
    -target * chance.ln() - (1.0 - target) * (1.0 - chance).ln()
}

/// The mean surprise of samples to an evaluation in centi-stones.
pub fn loss(samples: &[Sample], value: impl Fn(&Sample) -> i32 + Sync) -> f64 {
    let sums: Vec<f64> = samples
        .par_chunks(CHUNK)
        .map(|chunk| {
            let one =
                |s: &Sample| surprise(s.target.into(), chance(f64::from(value(s)) / CENTI_STONES));
            chunk.iter().map(one).sum()
        })
        .collect();
    sums.iter().sum::<f64>() / samples.len().max(1) as f64
}

/// The weights that fit best, and the number of samples of each phase.
pub fn fit(rules: &Rules, samples: &[Sample]) -> (Weights, [usize; PHASES]) {
    let mut rows: [Vec<Row>; PHASES] = Default::default();
    for sample in samples {
        rows[phase(rules, &sample.position)].push(Row::of(rules, sample));
    }
    let mut fitted = [[0.0; SIZE]; PHASES];
    for (phase, like) in ORDER {
        let before = like.map_or([0.0; SIZE], |like| fitted[like]);
        fitted[phase] = newton(&rows[phase], &before);
    }
    let weights = Weights { phases: fitted.map(|phase| rounded(&phase)) };
    (weights, rows.map(|r| r.len()))
}

fn rounded(fitted: &Vector) -> PhaseWeights {
    let most = f64::from(MOST);
    let round = |w: f64| (w * CENTI_STONES).round().clamp(-most, most) as i16;
    let mut phase = PhaseWeights { tempo: round(fitted[SIZE - 1]), ..PhaseWeights::default() };
    for n in 0..COUNTS {
        phase.own[n] = round(fitted[n]);
        phase.other[n] = round(fitted[COUNTS + n]);
    }
    phase
}

/// Slope and curvature of the loss.
struct Sums {
    slope: Vector,
    curve: Box<[Vector; SIZE]>,
}

impl Sums {
    fn zero() -> Self {
        Self { slope: [0.0; SIZE], curve: Box::new([[0.0; SIZE]; SIZE]) }
    }

    fn of(rows: &[Row], weights: &Vector) -> Self {
        let mut sums = Self::zero();
        for row in rows {
            let chance = chance(row.logit(weights));
            let (miss, spread) = (chance - f64::from(row.target), chance * (1.0 - chance));
            for i in 0..SIZE {
                let count = f64::from(row.counts[i]);
                if count == 0.0 {
                    continue;
                }
                sums.slope[i] += miss * count;
                for j in 0..=i {
                    sums.curve[i][j] += spread * count * f64::from(row.counts[j]);
                }
            }
        }
        sums
    }

    fn add(&mut self, other: &Sums) {
        for i in 0..SIZE {
            self.slope[i] += other.slope[i];
            for j in 0..=i {
                self.curve[i][j] += other.curve[i][j];
            }
        }
    }
}

fn newton(rows: &[Row], before: &Vector) -> Vector {
    let mut weights = [0.0; SIZE];
    for _ in 0..STEPS {
        let parts: Vec<Sums> = rows.par_chunks(CHUNK).map(|c| Sums::of(c, &weights)).collect();
        let mut sums = Sums::zero();
        parts.iter().for_each(|part| sums.add(part));
        for i in 0..SIZE {
            sums.slope[i] += RIDGE * (weights[i] - before[i]);
            sums.curve[i][i] += RIDGE;
        }
        let step = solve(&mut sums.curve, sums.slope);
        for i in 0..SIZE {
            weights[i] -= step[i];
        }
    }
    weights
}

/// Solves a symmetric positive system of which the lower half is given (André-Louis Cholesky).
fn solve(lower: &mut [Vector; SIZE], right: Vector) -> Vector {
    for i in 0..SIZE {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let left = lower[i][j] - known;
            lower[i][j] = if i == j { left.max(1e-12).sqrt() } else { left / lower[j][j] };
        }
    }
    let mut x = right;
    for i in 0..SIZE {
        let known: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
        x[i] = (x[i] - known) / lower[i][i];
    }
    for i in (0..SIZE).rev() {
        let known: f64 = (i + 1..SIZE).map(|k| lower[k][i] * x[k]).sum();
        x[i] = (x[i] - known) / lower[i][i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let mut matrix = [[0.0; SIZE]; SIZE];
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row[..=i].iter_mut().enumerate() {
                *entry = 1.0 / (1 + i - j) as f64 + if i == j { 2.0 } else { 0.0 };
            }
        }
        let whole = |i: usize, j: usize| matrix[i.max(j)][i.min(j)];
        let wanted: Vector = std::array::from_fn(|i| i as f64 - 3.5);
        let right = std::array::from_fn(|i| (0..SIZE).map(|j| whole(i, j) * wanted[j]).sum());
        let found = solve(&mut matrix.clone(), right);
        for (a, b) in found.iter().zip(wanted) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}
