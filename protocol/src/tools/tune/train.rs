//! Trains the network: gradient descent by Adam (Diederik Kingma and Jimmy Ba 2014) on batches. A
//! batch is cut the same way however many threads there are, and sums are taken in a fixed order, so
//! that a seed repeats itself.

use super::{
    fit::{CENTI_STONES, chance, surprise},
    sample::Sample,
};
use millrace_engine::{
    eval::network::{
        ACTIVE, BUCKETS, FIRST, GROUPS, RealHead, RealNetwork, SECOND, bucket, inputs,
    },
    search::Chance,
};
use rayon::prelude::*;

/// Samples of a batch, and of each of the parts that threads work on.
const BATCH: usize = 4096;
const PART: usize = BATCH / 16;
/// The first rate of learning; it falls to nothing in the end.
const RATE: f32 = 0.003;

/// A sample as the network sees it.
#[derive(Clone, Copy)]
struct Seen {
    inputs: [u16; ACTIVE],
    bucket: u8,
    target: f32,
}

impl Seen {
    fn of(sample: &Sample) -> Self {
        let position = &sample.position;
        Self { inputs: inputs(position), bucket: bucket(position) as u8, target: sample.target }
    }
}

/// Parameters with the moments of their slopes.
struct Parameters {
    values: Vec<f32>,
    slopes: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

/// How far a step goes.
#[derive(Clone, Copy)]
struct Pace {
    rate: f32,
    /// What the moments lack while there have been few steps.
    short: [f32; 2],
}

const MEMORY: [f32; 2] = [0.9, 0.999];

impl Pace {
    fn at(step: usize, steps: usize) -> Self {
        let left = 1.0 - step as f32 / steps as f32;
        let short = MEMORY.map(|m| 1.0 - m.powi((step + 1).min(100_000) as i32));
        Self { rate: RATE * left, short }
    }
}

impl Parameters {
    fn new(values: Vec<f32>) -> Self {
        let zero = vec![0.0; values.len()];
        Self { slopes: zero.clone(), first: zero.clone(), second: zero, values }
    }

    /// Takes a step along the slopes of a range, and forgets them.
    fn step(&mut self, range: std::ops::Range<usize>, pace: Pace, most: f32) {
        let Pace { rate, short } = pace;
        let slopes = &mut self.slopes[range.clone()];
        let moments = self.first[range.clone()].iter_mut().zip(&mut self.second[range.clone()]);
        let parameters = self.values[range].iter_mut().zip(slopes);
        for ((value, slope), (first, second)) in parameters.zip(moments) {
            *first += (1.0 - MEMORY[0]) * (*slope - *first);
            *second += (1.0 - MEMORY[1]) * (*slope * *slope - *second);
            let step = (*first / short[0]) / ((*second / short[1]).sqrt() + 1e-8);
            *value = (*value - rate * step).clamp(-most, most);
            *slope = 0.0;
        }
    }
}

/// The columns of a group of inputs of which one is on.
struct Group {
    number: usize,
    start: usize,
    columns: Parameters,
    touched: Vec<usize>,
    is_touched: Vec<bool>,
}

impl Group {
    fn place(&self, seen: &Seen) -> usize {
        usize::from(seen.inputs[self.number]) - self.start
    }

    fn learn(&mut self, batch: &[Seen], slopes: &[[f32; FIRST]], pace: Pace) {
        for (seen, slopes) in batch.iter().zip(slopes) {
            let place = self.place(seen);
            if !std::mem::replace(&mut self.is_touched[place], true) {
                self.touched.push(place);
            }
            let column = &mut self.columns.slopes[place * FIRST..][..FIRST];
            column.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        }
        for place in self.touched.drain(..) {
            self.is_touched[place] = false;
            self.columns.step(place * FIRST..(place + 1) * FIRST, pace, 1.0);
        }
    }
}

/// Where the parameters of a head stand: second layer, its biases, output, its bias.
const SECOND_BIAS: usize = SECOND * FIRST;
const OUT: usize = SECOND_BIAS + SECOND;
const OUT_BIAS: usize = OUT + SECOND;
const HEAD: usize = OUT_BIAS + 1;
/// Where the first layer's biases stand, after all heads.
const FIRST_BIAS: usize = BUCKETS * HEAD;

/// A network in training.
struct Training {
    groups: Vec<Group>,
    /// Heads, then the first layer's biases.
    rest: Parameters,
}

/// What a part of a batch comes to.
struct Slopes {
    rest: Vec<f32>,
    first: Vec<[f32; FIRST]>,
}

/// What the neurons do.
struct Activity {
    first: [f32; FIRST],
    second: [f32; SECOND],
    logit: f32,
}

impl Training {
    fn new(seed: u64) -> Self {
        let mut lot = Chance::new(seed, 0x006e_6574_776f_726b);
        let mut real = |most: f32| (lot.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0) * most;
        let groups = GROUPS.iter().enumerate().map(|(number, (start, end))| Group {
            number,
            start: *start,
            columns: Parameters::new((0..(end - start) * FIRST).map(|_| real(0.2)).collect()),
            touched: Vec::new(),
            is_touched: vec![false; end - start],
        });
        let groups = groups.collect();
        let mut rest = vec![0.0; FIRST_BIAS + FIRST];
        for head in rest[..FIRST_BIAS].chunks_mut(HEAD) {
            head[..SECOND_BIAS].iter_mut().for_each(|w| *w = real(0.3));
            head[SECOND_BIAS..OUT].iter_mut().for_each(|w| *w = 0.2);
            head[OUT..OUT_BIAS].iter_mut().for_each(|w| *w = real(1.0));
        }
        rest[FIRST_BIAS..].iter_mut().for_each(|w| *w = 0.3);
        Self { groups, rest: Parameters::new(rest) }
    }

    fn run(&self, seen: &Seen) -> Activity {
        let mut first: [f32; FIRST] =
            self.rest.values[FIRST_BIAS..].try_into().expect("the biases come last");
        for group in &self.groups {
            let column = &group.columns.values[group.place(seen) * FIRST..][..FIRST];
            first.iter_mut().zip(column).for_each(|(sum, weight)| *sum += weight);
        }
        let first = first.map(|sum| sum.clamp(0.0, 1.0));
        let head = &self.rest.values[usize::from(seen.bucket) * HEAD..][..HEAD];
        let mut logit = head[OUT_BIAS];
        let second = std::array::from_fn(|n| {
            let weights = &head[n * FIRST..][..FIRST];
            let sum = dot(&first, weights) + head[SECOND_BIAS + n];
            let active = sum.clamp(0.0, 1.0);
            logit += active * head[OUT + n];
            active
        });
        Activity { first, second, logit }
    }

    fn slopes(&self, part: &[Seen]) -> Slopes {
        let mut rest = vec![0.0; self.rest.values.len()];
        let first = part.iter().map(|seen| self.slope(seen, &mut rest)).collect();
        Slopes { rest, first }
    }

    /// Adds a sample's slopes, and returns those of the sums of the first layer.
    fn slope(&self, seen: &Seen, rest: &mut [f32]) -> [f32; FIRST] {
        let activity = self.run(seen);
        let miss = chance(activity.logit.into()) as f32 - seen.target;
        let head = usize::from(seen.bucket) * HEAD..(usize::from(seen.bucket) + 1) * HEAD;
        let (weights, slopes) = (&self.rest.values[head.clone()], &mut rest[head]);
        slopes[OUT_BIAS] += miss;
        let mut first = [0.0; FIRST];
        for n in 0..SECOND {
            let active = activity.second[n];
            slopes[OUT + n] += miss * active;
            if active <= 0.0 || active >= 1.0 {
                continue;
            }
            let slope = miss * weights[OUT + n];
            slopes[SECOND_BIAS + n] += slope;
            let (weights, slopes) =
                (&weights[n * FIRST..][..FIRST], &mut slopes[n * FIRST..][..FIRST]);
            for k in 0..FIRST {
                slopes[k] += slope * activity.first[k];
                first[k] += slope * weights[k];
            }
        }
        for k in 0..FIRST {
            if activity.first[k] <= 0.0 || activity.first[k] >= 1.0 {
                first[k] = 0.0;
            }
            rest[FIRST_BIAS + k] += first[k];
        }
        first
    }

    fn learn(&mut self, batch: &[Seen], pace: Pace) {
        let parts: Vec<Slopes> = batch.par_chunks(PART).map(|part| self.slopes(part)).collect();
        let scale = 1.0 / batch.len() as f32;
        for part in &parts {
            self.rest.slopes.iter_mut().zip(&part.rest).for_each(|(sum, s)| *sum += s * scale);
        }
        let all = 0..self.rest.values.len();
        self.rest.step(all, pace, 8.0);
        let slopes: Vec<[f32; FIRST]> =
            parts.iter().flat_map(|p| &p.first).map(|s| s.map(|s| s * scale)).collect();
        self.groups.par_iter_mut().for_each(|group| group.learn(batch, &slopes, pace));
    }

    /// The mean surprise of samples, and the share of them that is nearest to what is aimed at among
    /// win, draw and loss.
    fn judge(&self, samples: &[Seen]) -> [f64; 2] {
        let third = |chance: f64| if chance < 0.35 { 0 } else { 1 + i32::from(chance > 0.65) };
        let sums: Vec<[f64; 2]> = samples
            .par_chunks(BATCH)
            .map(|part| {
                part.iter().fold([0.0; 2], |[loss, right], seen| {
                    let chance = chance(self.run(seen).logit.into());
                    let target = f64::from(seen.target);
                    let is_right = third(chance) == third(target);
                    [loss + surprise(target, chance), right + f64::from(u8::from(is_right))]
                })
            })
            .collect();
        let count = samples.len().max(1) as f64;
        std::array::from_fn(|n| sums.iter().map(|s| s[n]).sum::<f64>() / count)
    }

    fn finished(&self, known: [bool; BUCKETS]) -> RealNetwork {
        let out = CENTI_STONES as f32;
        let rows = |values: &[f32]| -> Vec<[f32; FIRST]> {
            values.chunks_exact(FIRST).map(|r| std::array::from_fn(|k| r[k])).collect()
        };
        let heads = self.rest.values[..FIRST_BIAS].chunks_exact(HEAD).map(|head| RealHead {
            second: std::array::from_fn(|n| std::array::from_fn(|k| head[n * FIRST + k])),
            second_bias: std::array::from_fn(|n| head[SECOND_BIAS + n]),
            out: std::array::from_fn(|n| head[OUT + n] * out),
            out_bias: head[OUT_BIAS] * out,
        });
        RealNetwork {
            known,
            columns: self.groups.iter().flat_map(|g| rows(&g.columns.values)).collect(),
            first_bias: std::array::from_fn(|k| self.rest.values[FIRST_BIAS + k]),
            heads: heads.collect(),
        }
    }
}

#[inline(always)]
fn dot(a: &[f32; FIRST], b: &[f32]) -> f32 {
    // Eight sums side by side, which a compiler may keep in one register.
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum()
}

/// How training goes on: the epoch, counted from 1, and mean surprise and share of right answers on
/// the samples that were kept back.
pub type Progress<'a> = &'a mut dyn FnMut(usize, [f64; 2]);

/// Trains a network for so many epochs.
pub fn train(
    learnt: &[Sample],
    kept_back: &[Sample],
    epochs: usize,
    seed: u64,
    progress: Progress,
) -> RealNetwork {
    let see = |samples: &[Sample]| samples.par_iter().map(Seen::of).collect::<Vec<Seen>>();
    let (mut learnt, kept_back) = (see(learnt), see(kept_back));
    let mut known = [false; BUCKETS];
    learnt.iter().for_each(|seen| known[usize::from(seen.bucket)] = true);
    let mut training = Training::new(seed);
    let steps = epochs * learnt.len().div_ceil(BATCH);
    let mut step = 0;
    for epoch in 1..=epochs {
        Chance::new(seed, epoch as u64).shuffle(&mut learnt);
        for batch in learnt.chunks(BATCH) {
            training.learn(batch, Pace::at(step, steps));
            step += 1;
        }
        progress(epoch, training.judge(&kept_back));
    }
    training.finished(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_engine::{
        Color, Position, Rules,
        eval::{Choice, Evaluator, network::Network},
    };

    /// Positions of four to six stones a side, valued by the weights.
    fn samples(count: usize) -> Vec<Sample> {
        let rules = Rules::default();
        let evaluator = Evaluator::chosen(&rules, Choice::Weights);
        let mut lot = Chance::new(9, 9);
        let mut found = Vec::new();
        while found.len() < count {
            let mut points: Vec<u32> = (0..24).collect();
            lot.shuffle(&mut points);
            let set = |points: &[u32]| points.iter().fold(0, |set, point| set | 1 << point);
            let (own, other) = (4 + lot.below(3) as usize, 4 + lot.below(3) as usize);
            let stones = [set(&points[..own]), set(&points[own..own + other])];
            let Ok(position) = Position::new(&rules, stones, [0; 2], Color::White) else {
                continue;
            };
            let target = chance(f64::from(evaluator.value(&position)) / CENTI_STONES) as f32;
            found.push(Sample { position, target });
        }
        found
    }

    #[test]
    fn it_learns_repeats_itself_and_survives_rounding() {
        let samples = samples(22_000);
        let (learnt, kept_back) = samples.split_at(20_000);
        let mut course = Vec::new();
        let mut note = |_, judged: [f64; 2]| course.push(judged[0]);
        let real = train(learnt, kept_back, 4, 3, &mut note);
        assert_eq!(course.len(), 4);
        assert!(course[3] < course[0], "{course:?}");
        assert_eq!(train(learnt, kept_back, 4, 3, &mut |_, _| {}), real);

        let network = Network::rounded(&real, "");
        let loss = super::super::fit::loss(kept_back, |s| {
            network.value(&s.position).expect("it was trained on as many stones")
        });
        assert!((loss - course[3]).abs() < 0.01, "{loss} {course:?}");
        let start = Position::start(&Rules::default());
        assert_eq!(network.value(&start), None);
    }
}
