//! How likely a cell is to be a win, a draw or a loss: a sum of weights, one for each thing known.
//!
//! The sum is the logarithm of odds, so the model is a logistic regression over table look-ups. All
//! arithmetic is on whole numbers: every reader on every machine gets the same probabilities.

use super::{
    coder::{BitCoder, Decoder, Encoder, Numbers, ONE},
    context::{
        CLOSINGS, Cell, FREEDOMS, MOST_PATTERNS, NEIGHBOURS, PATTERN_POINTS, RowContext, UNKNOWN,
        Visitor,
    },
};
use crate::table::sector::{Block, Shape};
use std::fmt;

/// Units of a weight that make odds greater by the factor e.
pub const UNITS: i32 = 128;
/// Sums are cut off here.
const LIMIT: i32 = 12 * UNITS;

/// The probability, out of [`ONE`], of what a sum says, by the sum plus [`LIMIT`].
static PROBABILITIES: [u16; 2 * LIMIT as usize] = {
    // e^(1/128) with 32 fractional bits.
    const FACTOR: u128 = 4_328_653_142;
    let mut table = [0; 2 * LIMIT as usize];
    let mut odds: u128 = 1 << 32;
    let mut sum = 0;
    while sum < LIMIT as usize {
        let likely = (odds << 16) / (odds + (1 << 32));
        let likely = if likely > ONE as u128 - 1 { ONE as u128 - 1 } else { likely };
        table[LIMIT as usize + sum] = likely as u16;
        if sum > 0 {
            table[LIMIT as usize - sum] = (ONE as u128 - likely) as u16;
        }
        odds = (odds * FACTOR) >> 32;
        sum += 1;
    }
    table[0] = table[1];
    table
};

/// The probability, out of [`ONE`], that goes with the logarithm of odds in [`UNITS`].
#[inline(always)]
pub fn probability(sum: i32) -> u32 {
    PROBABILITIES[(sum.clamp(-LIMIT, LIMIT - 1) + LIMIT) as usize].into()
}

/// The weights of one entry: for a win, and for a loss if it is no win.
pub type Pair = [i16; 2];

/// Where each feature's entries begin in the one table of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The patterns, each a set of at most [`PATTERN_POINTS`] points.
    pub patterns: Vec<u32>,
    starts: [usize; MOST_PATTERNS],
    freedom: usize,
    closings: usize,
    neighbours: usize,
    /// Entries of all features.
    pub entries: usize,
}

impl Layout {
    /// The layout with these patterns. `None` if there are too many or one is too large.
    pub fn new(patterns: &[u32]) -> Option<Self> {
        let small = |p: &u32| p.count_ones() as usize <= PATTERN_POINTS;
        if patterns.len() > MOST_PATTERNS || !patterns.iter().all(small) {
            return None;
        }
        let mut starts = [0; MOST_PATTERNS];
        let mut next = 0;
        for (start, pattern) in starts.iter_mut().zip(patterns) {
            *start = next;
            next += 3usize.pow(pattern.count_ones());
        }
        let freedom = next;
        let closings = freedom + FREEDOMS;
        let neighbours = closings + CLOSINGS;
        let entries = neighbours + NEIGHBOURS;
        Some(Self { patterns: patterns.to_vec(), starts, freedom, closings, neighbours, entries })
    }

    /// The entries that a cell's probabilities are made of.
    #[inline(always)]
    pub fn entries_of(&self, cell: &Cell) -> impl Iterator<Item = usize> {
        let patterns = (0..self.patterns.len()).map(|n| self.starts[n] + cell.pattern(n));
        patterns.chain([
            self.freedom + cell.freedom,
            self.closings + cell.closings,
            self.neighbours + cell.neighbours,
        ])
    }
}

/// Entries of a pattern's table in memory: a power of two, so that an index cut to its bits cannot
/// leave it.
const PADDED: usize = 1 << 13;
const PADDED_NEIGHBOURS: usize = NEIGHBOURS.next_power_of_two();

/// The two weights of an entry in one word: they are added together.
type Both = i32;

/// A model of a sector's cells.
#[derive(Clone, PartialEq, Eq)]
pub struct Model {
    layout: Layout,
    patterns: Box<[[Both; PADDED]; MOST_PATTERNS]>,
    freedom: Box<[Both; FREEDOMS]>,
    closings: Box<[Both; CLOSINGS]>,
    neighbours: Box<[Both; PADDED_NEIGHBOURS]>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("layout", &self.layout).finish_non_exhaustive()
    }
}

/// A table without weights; made on the heap, since it is large.
fn empty<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    let slice = vec![value; N].into_boxed_slice();
    slice.try_into().unwrap_or_else(|_| unreachable!("it has been made of this length"))
}

impl Model {
    /// A model of these weights, one for each entry of the layout.
    pub fn new(layout: Layout, weights: &[Pair]) -> Self {
        let both: Vec<Both> =
            weights.iter().map(|[win, loss]| i32::from(*win) + (i32::from(*loss) << 16)).collect();
        let mut patterns = empty([0; PADDED]);
        let ends = layout.starts[1..layout.patterns.len().max(1)].iter().chain([&layout.freedom]);
        for ((table, start), end) in patterns.iter_mut().zip(&layout.starts).zip(ends) {
            table[..end - start].copy_from_slice(&both[*start..*end]);
        }
        let (mut freedom, mut closings, mut neighbours) = (empty(0), empty(0), empty(0));
        freedom.copy_from_slice(&both[layout.freedom..layout.closings]);
        closings.copy_from_slice(&both[layout.closings..layout.neighbours]);
        neighbours[..NEIGHBOURS].copy_from_slice(&both[layout.neighbours..]);
        Self { layout, patterns, freedom, closings, neighbours }
    }

    /// The patterns.
    pub fn patterns(&self) -> &[u32] {
        &self.layout.patterns
    }

    /// The sums for a win, and for a loss if it is no win.
    #[inline(always)]
    fn sums(&self, cell: &Cell) -> (i32, i32) {
        let mut sum = self.freedom[cell.freedom % FREEDOMS]
            .wrapping_add(self.closings[cell.closings % CLOSINGS])
            .wrapping_add(self.neighbours[cell.neighbours % PADDED_NEIGHBOURS]);
        for (number, table) in self.patterns.iter().enumerate() {
            sum = sum.wrapping_add(table[cell.pattern(number) % PADDED]);
        }
        let win = i32::from(sum as i16);
        (win, sum.wrapping_sub(win) >> 16)
    }

    /// Writes the model: patterns and weights.
    pub fn encode(&self) -> Vec<u8> {
        let layout = &self.layout;
        let mut encoder = Encoder::default();
        let mut numbers = Numbers::default();
        numbers.code(&mut encoder, layout.patterns.len() as u32);
        for pattern in &layout.patterns {
            numbers.code(&mut encoder, *pattern);
        }
        let sizes = layout.patterns.iter().map(|p| 3usize.pow(p.count_ones()));
        let patterns = self.patterns.iter().zip(sizes).flat_map(|(table, size)| &table[..size]);
        let rest = self.freedom.iter().chain(&*self.closings);
        let weights = patterns.chain(rest).chain(&self.neighbours[..NEIGHBOURS]);
        let mut numbers = [Numbers::default(), Numbers::default()];
        for weight in weights {
            let win = i32::from(*weight as i16);
            let loss = (weight - win) >> 16;
            for (numbers, part) in numbers.iter_mut().zip([win, loss]) {
                numbers.signed(&mut encoder, part / STEP);
            }
        }
        encoder.finish()
    }

    /// Reads what [`encode`](Self::encode) has written.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let mut numbers = Numbers::default();
        let count = numbers.code(&mut decoder, 0)?;
        if count as usize > MOST_PATTERNS {
            return None;
        }
        let patterns: Option<Vec<u32>> =
            (0..count).map(|_| numbers.code(&mut decoder, 0).filter(|p| p >> 24 == 0)).collect();
        let layout = Layout::new(&patterns?)?;
        let mut numbers = [Numbers::default(), Numbers::default()];
        let mut weights = Vec::with_capacity(layout.entries);
        for _ in 0..layout.entries {
            let mut pair = [0; 2];
            for (numbers, part) in numbers.iter_mut().zip(&mut pair) {
                let steps = numbers.signed(&mut decoder, 0)?;
                *part =
                    i16::try_from(steps.checked_mul(STEP)?).ok().filter(|w| w.abs() <= LARGEST)?;
            }
            weights.push(pair);
        }
        Some(Self::new(layout, &weights))
    }

    /// Reads or writes the cells of a block, or its first ones. When writing, `cells` holds the values; when reading,
    /// it is filled, with [`UNKNOWN`] for cells that are not stored.
    pub fn code<C: BitCoder>(&self, shape: &Shape, block: &Block, cells: &mut [u8], coder: &mut C) {
        let mut context = RowContext::new(shape, self.patterns());
        let given = cells.to_vec();
        context.walk(block, cells, &mut Coding { model: self, given: &given, coder });
    }
}

/// Weights are whole multiples of this.
pub const STEP: i32 = 8;
/// The greatest size of a weight; sums of all features stay within sixteen bits.
pub const LARGEST: i16 = 2400;

struct Coding<'a, C> {
    model: &'a Model,
    given: &'a [u8],
    coder: &'a mut C,
}

impl<C: BitCoder> Visitor for Coding<'_, C> {
    #[inline(always)]
    fn value(&mut self, cell: &Cell, place: usize) -> u8 {
        let (win, loss) = self.model.sums(cell);
        let given = self.given[place];
        debug_assert!(given <= UNKNOWN);
        if self.coder.bit(given == 2, probability(win)) {
            return 2;
        }
        self.coder.bit(given == 1, probability(loss)).into()
    }
}
