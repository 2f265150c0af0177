//! Where the positions of a sector lie while it is being solved.
//!
//! A row holds all positions with one set of opponent's stones (a class representative); the
//! mover's stones are a number over the free points, its *compact index*. Cells and bit rows are
//! kept for the indices with the right number of stones only, in ascending order. Where much is
//! to be done, a bit row is spread out to a plane, in which moving a stone is the same exchange of
//! two index bits for all positions of a block at once.

use super::{
    classes::{Classes, MAX_SYMMETRIES, choose},
    isa::{Block, COUNT_BITS, Isa, Listed, WORDS, Work},
    mail::Outbox,
    plane::PlaneShape,
};
use crate::{memory, sector::Sector};
use millrace_engine::board::{Points, Symmetry};
use std::sync::Arc;

/// The two highest bits of a message tell its kind.
const KIND_SHIFT: u32 = 30;

/// Positions whose places are looked up together.
const TOGETHER: usize = 64;

/// Low bits of a compact index that are ranked by one look-up; small tables stay in the cache.
const LOW_BITS: u32 = 10;

/// The rank of each number of [`LOW_BITS`] bits among those with as many ones.
static LOW_RANK: [u8; 1 << LOW_BITS] = {
    let mut ranks = [0; 1 << LOW_BITS];
    let mut seen = [0; LOW_BITS as usize + 1];
    let mut value = 0usize;
    while value < ranks.len() {
        let ones = value.count_ones() as usize;
        ranks[value] = seen[ones] as u8;
        seen[ones] += 1;
        value += 1;
    }
    ranks
};

/// The 6-bit numbers with so many ones, as a set.
const WITH_ONES: [u64; 7] = {
    let mut sets = [0; 7];
    let mut value = 0usize;
    while value < 64 {
        sets[value.count_ones() as usize] |= 1 << value;
        value += 1;
    }
    sets
};

/// The columns of a row: all numbers of `width` bits with a given number of ones.
pub struct Columns {
    /// Bits of a compact index.
    pub width: u32,
    ones: u32,
    /// The compact index of each column, ascending.
    pub indices: Vec<u32>,
    /// Columns before each 64 compact indices.
    word_rank: Vec<u32>,
    /// Columns before each 2^[`LOW_BITS`] compact indices.
    high_rank: Vec<u32>,
}

impl Columns {
    /// The numbers of `width` bits with `ones` ones.
    pub fn new(width: u32, ones: u32) -> Self {
        let mut indices = Vec::with_capacity(choose(width as usize, ones as usize));
        indices.extend((0..1u32 << width).filter(|i| i.count_ones() == ones));
        let words = (1usize << width).div_ceil(64);
        let mut word_rank = vec![0; words + 1];
        for index in &indices {
            word_rank[(index >> 6) as usize + 1] += 1;
        }
        for word in 0..words {
            word_rank[word + 1] += word_rank[word];
        }
        let high_rank = word_rank.iter().step_by(1 << (LOW_BITS - 6)).copied().collect();
        Self { width, ones, indices, word_rank, high_rank }
    }

    /// Number of columns.
    pub fn count(&self) -> usize {
        self.indices.len()
    }

    /// Words of a bit row; the last one is padding.
    pub fn words(&self) -> usize {
        self.count().div_ceil(64) + 1
    }

    /// Those of 64 compact indices that are columns.
    #[inline(always)]
    pub fn in_word(&self, word: u32) -> u64 {
        let within = self.ones.wrapping_sub(word.count_ones());
        // With fewer than six free points there is one word, and it is not full.
        let indices = if self.width < 6 { (1 << (1 << self.width)) - 1 } else { u64::MAX };
        WITH_ONES.get(within as usize).map_or(0, |ones| ones & indices)
    }

    /// Spreads a bit row out to a plane, beside what the plane holds already.
    #[inline(always)]
    pub fn spread<I: Isa>(&self, row: &[u64], shape: PlaneShape, plane: &mut [Block]) {
        let words = plane.iter_mut().flat_map(|block| &mut block.0);
        let Some(fold) = shape.fold() else {
            for (number, (word, begin)) in words.zip(&self.word_rank).enumerate() {
                *word |= self.spread_word::<I>(row, number, *begin);
            }
            return;
        };
        let (lower, upper) = self.word_rank.split_at(fold);
        for (number, (word, (lower, upper))) in words.zip(lower.iter().zip(upper)).enumerate() {
            *word |= self.spread_word::<I>(row, number, *lower)
                | self.spread_word::<I>(row, number + fold, *upper);
        }
    }

    /// The columns of a bit row from `begin` on, spread out to 64 compact indices.
    #[inline(always)]
    fn spread_word<I: Isa>(&self, row: &[u64], number: usize, begin: u32) -> u64 {
        let valid = self.in_word(number as u32);
        if valid == 0 {
            return 0;
        }
        let (at, shift) = (begin as usize >> 6, begin & 63);
        // At most 20 bits are wanted, so two words hold them.
        let bits = row[at] >> shift | row[at + 1] << 1 << (63 - shift);
        I::deposit_long(bits, valid)
    }

    /// Writes numbers of turns, `counts` by block, into a row's cells, for the `wanted` positions
    /// of block `number`.
    #[inline(always)]
    pub fn write_counts<I: Isa>(
        &self,
        number: usize,
        shape: PlaneShape,
        wanted: &Block,
        counts: &[Block; COUNT_BITS],
        cells: &mut [u8],
    ) {
        for (word, wanted) in wanted.0.iter().enumerate() {
            if *wanted == 0 {
                continue;
            }
            let counts = counts.map(|count| count.0[word]);
            for place in shape.words(number * WORDS + word) {
                let valid = self.in_word(place as u32);
                if wanted & valid != 0 {
                    let cells = &mut cells[self.word_rank[place] as usize..];
                    I::write_counts(&counts, valid, wanted & valid, cells);
                }
            }
        }
    }

    /// Lists the positions that are set in a plane.
    #[inline(always)]
    pub fn list<I: Isa>(&self, plane: &[Block], shape: PlaneShape, lists: Listed<&mut [u32]>) {
        let words = plane.iter().flat_map(|block| block.0);
        let mut count = 0;
        for (number, bits) in words.enumerate().filter(|(_, bits)| *bits != 0) {
            for word in shape.words(number) {
                let valid = self.in_word(word as u32);
                let first = Listed { indices: word as u32 * 64, columns: self.word_rank[word] };
                let lists = Listed {
                    indices: &mut lists.indices[count..],
                    columns: &mut lists.columns[count..],
                };
                count += I::list_ones(bits & valid, valid, first, lists);
            }
        }
    }

    /// Writes the columns of many compact indices to the start of `ranks`.
    #[inline(never)]
    pub fn ranks(&self, indices: &[u32], ranks: &mut Vec<u32>) {
        memory::make_room(ranks, indices.len());
        let high = self.high_rank.as_slice();
        for (rank, index) in ranks.iter_mut().zip(indices) {
            let low = LOW_RANK[(index & ((1 << LOW_BITS) - 1)) as usize];
            *rank = high[(index >> LOW_BITS) as usize] + u32::from(low);
        }
    }

    /// The column of a compact index with the right number of ones.
    #[inline(always)]
    pub fn rank(&self, index: u32) -> usize {
        self.high_rank[(index >> LOW_BITS) as usize] as usize
            + usize::from(LOW_RANK[(index & ((1 << LOW_BITS) - 1)) as usize])
    }
}

/// The shape of one table.
pub struct Layout {
    /// Whose table it is.
    pub sector: Sector,
    /// Classes of the opponent's stones: the rows.
    pub classes: Arc<Classes>,
    /// Placements of the own stones: the columns.
    pub columns: Columns,
    /// Placements of the own stones after a stone has been placed, if that can be.
    pub placed: Option<Columns>,
    /// Where positions lie in a plane.
    pub plane: PlaneShape,
    /// All points of the board.
    pub all: u32,
    symmetries: &'static [Symmetry],
    /// Rows that are worked on together are a power of two; this is its logarithm.
    group_shift: u32,
}

impl Layout {
    /// The shape of a sector's table, given the classes of the opponent's stones and whether the
    /// mover may place stones.
    pub fn new(
        sector: Sector,
        board: millrace_engine::Board,
        classes: Arc<Classes>,
        places: bool,
        folds: bool,
    ) -> Self {
        let width = board.points() as u32 - u32::from(sector.opponent);
        // About 200 groups: enough to share out evenly, few enough to write to all at once.
        let wanted = (classes.count() / 200).max(1).ilog2();
        Self {
            sector,
            columns: Columns::new(width, sector.own.into()),
            placed: places.then(|| Columns::new(width, u32::from(sector.own) + 1)),
            plane: PlaneShape::new(width, sector.own.into(), folds && !places),
            all: board.all(),
            symmetries: board.symmetries(),
            group_shift: wanted.min(9).min(KIND_SHIFT - width),
            classes,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.classes.count()
    }

    /// Rows of a group (the last one may have fewer).
    pub fn group_rows(&self) -> usize {
        1 << self.group_shift
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.rows().div_ceil(self.group_rows())
    }

    /// The free points of a row.
    #[inline(always)]
    pub fn free(&self, row: usize) -> u32 {
        self.all & !self.classes.representatives[row]
    }

    /// The bits of a message that are its compact index, and the bit of a message of kind 1.
    pub fn message_bits(&self) -> (u32, u32) {
        ((1 << self.columns.width) - 1, 1 << KIND_SHIFT)
    }

    /// Tells this table of positions in which its mover has just moved. Each has the stones of the
    /// other side on the points of `free` that one of `indices` names, and the mover's stones are
    /// one set, of which `images` are the images under each symmetry. A message goes to every row
    /// and index at which such a position appears.
    #[inline(always)]
    pub fn deliver<I: Isa>(
        &self,
        images: &[u32; MAX_SYMMETRIES],
        free: u32,
        indices: &[u32],
        kind: u32,
        outbox: &mut Outbox,
    ) {
        I::apart(Deliver { layout: self, images, free, indices, kind, outbox });
    }

    /// The row (within its group) that a message is for.
    #[inline(always)]
    pub fn message_row(&self, message: u32) -> usize {
        ((message & ((1 << KIND_SHIFT) - 1)) >> self.columns.width) as usize
    }

    /// The compact index of a message.
    #[inline(always)]
    pub fn message_index(&self, message: u32) -> u32 {
        message & ((1 << self.columns.width) - 1)
    }

    /// The kind of a message: the number of mills that the stone which moved last has closed, as
    /// far as that matters.
    #[inline(always)]
    pub fn message_kind(message: u32) -> usize {
        (message >> KIND_SHIFT) as usize
    }

    /// Words of a bit row of positions after a turn: slides first, then placements.
    pub fn words_after(&self) -> usize {
        self.columns.words() + self.placed.as_ref().map_or(0, Columns::words)
    }

    /// The bit, in a row of positions after a turn, of a compact index.
    #[inline(always)]
    pub fn after(&self, index: u32) -> usize {
        match &self.placed {
            Some(placed) if index.count_ones() == placed.ones => {
                self.columns.words() * 64 + placed.rank(index)
            }
            _ => self.columns.rank(index),
        }
    }

    /// Spreads a bit row of positions after a turn out to a plane.
    #[inline(always)]
    pub fn spread_after<I: Isa>(&self, row: &[u64], plane: &mut [Block]) {
        let (slid, put) = row.split_at(self.columns.words());
        self.columns.spread::<I>(slid, self.plane, plane);
        if let Some(placed) = &self.placed {
            placed.spread::<I>(put, self.plane, plane);
        }
    }
}

/// [`Layout::deliver`].
struct Deliver<'a, 'w> {
    layout: &'a Layout,
    images: &'a [u32; MAX_SYMMETRIES],
    free: u32,
    indices: &'a [u32],
    kind: u32,
    outbox: &'a mut Outbox<'w>,
}

impl Work for Deliver<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Self { layout, images, free, indices, kind, outbox } = self;
        let classes = &*layout.classes;
        let (all, shift, width) = (layout.all, layout.group_shift, layout.columns.width);
        let head = kind << KIND_SHIFT;
        // One short loop after the other, each with few things to keep in mind.
        let (mut ranks, mut groups, mut messages) = ([0; TOGETHER], [0; TOGETHER], [0; TOGETHER]);
        for some in indices.chunks(TOGETHER) {
            // Places lie far apart: they are asked for together, and looked at when they are here.
            for (rank, index) in ranks.iter_mut().zip(some) {
                *rank = classes.rank(I::deposit(*index, free)) as u32;
                classes.foresee(*rank as usize);
            }
            let mut count = 0;
            for rank in &ranks[..some.len()] {
                let place = classes.place(*rank as usize);
                let row = place.class();
                let free_there = all & !place.representative();
                let head = head | (row as u32 & ((1 << shift) - 1)) << width;
                groups[count] = (row >> shift) as u32;
                messages[count] = head | I::extract(images[place.symmetry()], free_there);
                if !place.is_symmetric() {
                    count += 1;
                    continue;
                }
                for fixing in Points(classes.fixing[row].into()) {
                    let image = layout.symmetries[fixing].set(images[place.symmetry()]);
                    outbox.send(row >> shift, head | I::extract(image, free_there));
                }
            }
            outbox.send_all(&groups[..count], &messages[..count]);
        }
    }
}

/// Sets one bit of a bit row.
#[inline(always)]
pub fn set_bit(row: &mut [u64], bit: usize) {
    row[bit >> 6] |= 1 << (bit & 63);
}

/// Clears one bit of a bit row.
#[inline(always)]
pub fn clear_bit(row: &mut [u64], bit: usize) {
    row[bit >> 6] &= !(1 << (bit & 63));
}

/// Whether one bit of a bit row is set.
#[inline(always)]
pub fn has_bit(row: &[u64], bit: usize) -> bool {
    row[bit >> 6] >> (bit & 63) & 1 == 1
}

/// Sets the first bits of a bit row.
pub fn set_first(row: &mut [u64], count: usize) {
    row[..count / 64].fill(!0);
    if !count.is_multiple_of(64) {
        row[count / 64] |= (1 << (count % 64)) - 1;
    }
}
