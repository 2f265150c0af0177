//! Finding the weights of a model: logistic regression by stochastic gradient descent with a rate
//! for each weight (AdaGrad; John Duchi, Elad Hazan and Yoram Singer 2011).

use crate::memory::{self, Refused};
use millrace_engine::table::{
    Block,
    codec::{
        context::{Cell, RowContext, Visitor},
        model::{LARGEST, Layout, Model, Pair, STEP, UNITS},
    },
};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How far a weight moves at first.
const RATE: f32 = 0.1;
/// Squared gradients that every weight is taken to have seen.
const CAUTION: f32 = 1.0;
/// The most entries that make up a cell's probabilities.
const MOST: usize = 11;

/// Samples that are gone through, in some milliseconds, before it is looked whether to stop.
const BETWEEN_LOOKS: usize = 1 << 14;

/// A cell drawn by lot.
struct Sample {
    entries: [u32; MOST],
    value: u8,
}

/// Cells drawn by lot, from which the weights follow.
pub struct Training {
    layout: Layout,
    samples: Vec<Sample>,
    /// One cell in so many is taken.
    one_in: u64,
    seed: u64,
}

fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    *seed >> 33
}

impl Training {
    /// Takes one of `one_in` cells on average of so many that are to come.
    ///
    /// # Errors
    /// If the system has no memory for them.
    pub fn new(layout: Layout, cells: usize, one_in: u64) -> Result<Self, Refused> {
        let mut samples = Vec::new();
        let expected = cells / one_in as usize;
        // The lot falls out otherwise by a few.
        memory::reserve(&mut samples, expected + expected / 64)?;
        Ok(Self { layout, samples, one_in, seed: 1 })
    }

    /// Draws from the cells of a block.
    pub fn draw(&mut self, context: &mut RowContext, block: &Block, values: &[u8], out: &mut [u8]) {
        context.walk(block, out, &mut Drawing { training: self, values });
    }

    /// The model that fits best; `None` if `stop` was set before it was found.
    pub fn fit(mut self, epochs: usize, stop: &AtomicBool) -> Option<Model> {
        let entries = self.layout.entries;
        let mut weights = vec![[0f32; 2]; entries];
        let mut squares = vec![[CAUTION; 2]; entries];
        let used = self.layout.patterns.len() + 3;
        for k in (1..self.samples.len()).rev() {
            let other = random(&mut self.seed) as usize % (k + 1);
            self.samples.swap(k, other);
        }
        for epoch in 0..epochs {
            let rate = RATE / (1.0 + epoch as f32);
            for some in self.samples.chunks(BETWEEN_LOOKS) {
                if stop.load(Relaxed) {
                    return None;
                }
                for sample in some {
                    let entries = &sample.entries[..used];
                    learn(entries, sample.value, rate, &mut weights, &mut squares);
                }
            }
        }
        let rounded = |w: f32| {
            let steps = (w * UNITS as f32 / STEP as f32).round() as i32;
            (steps * STEP).clamp(-i32::from(LARGEST), LARGEST.into()) as i16
        };
        let weights: Vec<Pair> = weights.iter().map(|pair| pair.map(rounded)).collect();
        Some(Model::new(self.layout, &weights))
    }
}

/// Moves the weights of a sample's entries towards its value.
#[inline(always)]
fn learn(
    entries: &[u32],
    value: u8,
    rate: f32,
    weights: &mut [[f32; 2]],
    squares: &mut [[f32; 2]],
) {
    for k in 0..2 {
        let sum: f32 = entries.iter().map(|e| weights[*e as usize][k]).sum();
        let target = f32::from(u8::from(value == [2, 1][k]));
        let gradient = target - 1.0 / (1.0 + (-sum).exp());
        for e in entries {
            let square = &mut squares[*e as usize][k];
            *square += gradient * gradient;
            weights[*e as usize][k] += rate * gradient / square.sqrt();
        }
        if value == 2 {
            break;
        }
    }
}

struct Drawing<'a> {
    training: &'a mut Training,
    values: &'a [u8],
}

impl Visitor for Drawing<'_> {
    #[inline(always)]
    fn value(&mut self, cell: &Cell, place: usize) -> u8 {
        let Training { layout, samples, one_in, seed } = self.training;
        let value = self.values[place];
        if random(seed).is_multiple_of(*one_in) {
            let mut entries = [0; MOST];
            for (to, from) in entries.iter_mut().zip(layout.entries_of(cell)) {
                *to = from as u32;
            }
            samples.push(Sample { entries, value });
        }
        value
    }
}
