//! How likely a distance is, given who wins and what is known of the cells before.
//!
//! Half the distance is read bit by bit down a binary tree of probabilities; there is one tree for
//! each context. A context says who wins, about where the distance is expected by the cells next to
//! this one that have been read already, and how far those agree.

use super::{
    coder::{BitCoder, Decoder, Encoder, Numbers},
    context::{Cell, RowContext, Visitor},
    model::probability,
};
use crate::table::sector::{Block, Shape};

/// Bits of half a distance.
const BITS: usize = 7;
/// Branches of a tree; the first is not used.
const TREE: usize = 1 << BITS;
/// Expected halves of distances that are told apart.
const EXPECTED: usize = 48;
/// Classes of agreement.
const SPREADS: usize = 5;
/// Branches of all trees.
const BRANCHES: usize = 2 * SPREADS * EXPECTED * TREE;
/// The greatest distance, in plies, that can be coded.
pub const MOST_PLIES: u8 = 253;

/// Something that knows, or learns, which way a branch goes.
pub trait Branches {
    /// Goes through a branch. Writers take the bit, readers return the one read.
    fn branch(&mut self, number: usize, bit: bool) -> bool;
}

/// Shows the distances of a block's stored and decided cells, in order. `wdl` are the block's
/// cells; `plies` are taken or filled, and 0 for all others.
pub fn walk(
    shape: &Shape,
    block: &Block,
    wdl: &[u8],
    plies: &mut [u8],
    branches: &mut impl Branches,
) {
    let mut cells = vec![0; block.cells()];
    let near = Near::default();
    let mut visitor = Walk { wdl, plies, branches, near, last: [0; 2] };
    RowContext::new(shape, &[]).walk(block, &mut cells, &mut visitor);
}

/// Halves of the distances of neighbours with the same winner.
#[derive(Clone, Copy)]
struct Near {
    sum: usize,
    count: usize,
    least: usize,
    most: usize,
}

impl Default for Near {
    fn default() -> Self {
        Self { sum: 0, count: 0, least: TREE, most: 0 }
    }
}

struct Walk<'a, B> {
    wdl: &'a [u8],
    plies: &'a mut [u8],
    branches: &'a mut B,
    near: Near,
    /// Halves of the last loss and the last win.
    last: [usize; 2],
}

impl<B: Branches> Visitor for Walk<'_, B> {
    #[inline(always)]
    fn neighbour(&mut self, place: usize, neighbour: usize) {
        if self.wdl[place] != 0 && self.wdl[place] == self.wdl[neighbour] {
            let half = usize::from(self.plies[neighbour] / 2);
            self.near.sum += half;
            self.near.count += 1;
            self.near.least = self.near.least.min(half);
            self.near.most = self.near.most.max(half);
        }
    }

    #[inline(always)]
    fn value(&mut self, _: &Cell, place: usize) -> u8 {
        let near = std::mem::take(&mut self.near);
        let value = self.wdl[place];
        let Some(wins) = value.checked_sub(1).map(usize::from).filter(|w| *w < 2) else {
            return value;
        };
        let (expected, spread) = match (near.count, near.most.saturating_sub(near.least)) {
            (0, _) => (self.last[wins], 0),
            (1, _) => ((near.sum + self.last[wins]) / 2, 1),
            (count, spread) => (
                near.sum / count,
                if spread < 2 {
                    2
                } else if spread < 6 {
                    3
                } else {
                    4
                },
            ),
        };
        let context = (wins * SPREADS + spread) * EXPECTED + expected.min(EXPECTED - 1);
        let given = usize::from(self.plies[place] / 2);
        let mut node = 1;
        for bit in (0..BITS).rev() {
            let set = self.branches.branch(context * TREE + node, given >> bit & 1 == 1);
            node = node * 2 + usize::from(set);
        }
        let half = node - TREE;
        self.last[wins] = half;
        self.plies[place] = (half * 2 + wins) as u8;
        value
    }
}

/// How often each branch was met, and how often its bit was set.
pub struct Tally(Vec<[u32; 2]>);

impl Default for Tally {
    fn default() -> Self {
        Self(vec![[0; 2]; BRANCHES])
    }
}

impl Branches for Tally {
    #[inline(always)]
    fn branch(&mut self, number: usize, bit: bool) -> bool {
        let [met, set] = &mut self.0[number];
        *met += 1;
        *set += u32::from(bit);
        bit
    }
}

/// The trees of a sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceModel {
    /// The probability that a bit is set, for each branch.
    set: Vec<u16>,
    levels: Vec<i8>,
}

/// Units of the logarithm of odds for one level.
const LEVEL: i32 = 32;
/// The greatest level.
const HIGHEST: i32 = 44;

impl DistanceModel {
    /// The model with these logarithms of odds, in levels.
    fn new(levels: Vec<i8>) -> Self {
        let set = levels.iter().map(|l| probability(i32::from(*l) * LEVEL) as u16).collect();
        Self { set, levels }
    }

    /// The model that fits what was met.
    pub fn of_tally(tally: &Tally) -> Self {
        let level = |[met, set]: &[u32; 2]| {
            let (set, clear) = (f64::from(*set) + 0.4, f64::from(met - set) + 0.4);
            let level = (set / clear).ln() * f64::from(super::model::UNITS) / f64::from(LEVEL);
            level.round().clamp(f64::from(-HIGHEST), f64::from(HIGHEST)) as i8
        };
        Self::new(tally.0.iter().map(level).collect())
    }

    /// Writes the model.
    pub fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        let mut numbers = Numbers::default();
        for level in &self.levels {
            numbers.signed(&mut encoder, (*level).into());
        }
        encoder.finish()
    }

    /// Reads what [`encode`](Self::encode) has written.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let mut numbers = Numbers::default();
        let mut level = |_| {
            let level = numbers.signed(&mut decoder, 0).filter(|l| l.abs() <= HIGHEST)?;
            i8::try_from(level).ok()
        };
        Some(Self::new((0..BRANCHES).map(&mut level).collect::<Option<Vec<i8>>>()?))
    }

    /// Reads or writes the distances of a block whose cells are known.
    pub fn code<C: BitCoder>(
        &self,
        shape: &Shape,
        block: &Block,
        wdl: &[u8],
        plies: &mut [u8],
        coder: &mut C,
    ) {
        walk(shape, block, wdl, plies, &mut Coding { model: self, coder });
    }
}

struct Coding<'a, C> {
    model: &'a DistanceModel,
    coder: &'a mut C,
}

impl<C: BitCoder> Branches for Coding<'_, C> {
    #[inline(always)]
    fn branch(&mut self, number: usize, bit: bool) -> bool {
        self.coder.bit(bit, self.model.set[number].into())
    }
}
