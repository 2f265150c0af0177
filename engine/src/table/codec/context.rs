//! What is known of a cell before it is read: the stones around it and the cells before it.
//!
//! A row's board is turned into small tables first, so that each cell costs a few look-ups. Sums
//! over a column's stones are looked up by bytes of its bits, several sums in one word.

use crate::{
    board::{Geometry, MAX_POINTS, Points, Symmetry},
    index::{gather, next_of_size, rank, scatter, unrank},
    table::sector::{Block, Coverage, Shape},
};

/// The most patterns of a model.
pub const MOST_PATTERNS: usize = 8;
/// The most points of a pattern.
pub const PATTERN_POINTS: usize = 8;
/// Stands for a cell that is not stored or not known yet.
pub const UNKNOWN: u8 = 3;

const BYTES: usize = MAX_POINTS / 8;
/// Patterns whose indices fit into one word.
const IN_WORD: usize = 4;
const WORDS: usize = MOST_PATTERNS / IN_WORD;
/// The most pairs of points that are looked at.
const MOST_PAIRS: usize = 64;

/// Entries of the table of freedom.
pub const FREEDOMS: usize = 32 * 32;
/// Entries of the table of closings.
pub const CLOSINGS: usize = 8 * 8;
/// Entries of the table of neighbours.
pub const NEIGHBOURS: usize = 6 * 6 * 6 * 16;

/// Indices into the tables of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Of each pattern, its points' stones as digits of base three: 1 for the side to move, 2 for
    /// the other.
    words: [u64; WORDS],
    /// Slides of the side to move and of the other side.
    pub freedom: usize,
    /// Points where the side to move can close a mill, and its stones in mills.
    pub closings: usize,
    /// Values of cells next to this one, and of the two before it.
    pub neighbours: usize,
}

impl Cell {
    /// The index of a pattern.
    #[inline(always)]
    pub fn pattern(&self, number: usize) -> usize {
        (self.words[number / IN_WORD] >> (16 * (number % IN_WORD)) & 0xffff) as usize
    }
}

/// Something that is shown every stored cell of a block in order, and tells or is told its value.
pub trait Visitor {
    /// Is told of a cell near the next one that has been shown before; both by their places in
    /// the block.
    #[inline(always)]
    fn neighbour(&mut self, place: usize, neighbour: usize) {
        let _ = (place, neighbour);
    }

    /// The value of the next cell: 0 draw, 1 loss, 2 win.
    fn value(&mut self, cell: &Cell, place: usize) -> u8;
}

/// Sums over the points of a column.
#[derive(Clone, Copy, Default)]
struct Sums {
    words: [u64; WORDS],
    /// From the lowest byte on: slides that the stones take from the side to move, free points
    /// beside them, closings that they take, stones on points of the second colour.
    counts: u64,
    /// The pairs of points with a stone on the upper, and on the lower point.
    pairs: [u64; 2],
}

impl Sums {
    #[inline(always)]
    fn plus(mut self, other: &Sums) -> Sums {
        for (word, more) in self.words.iter_mut().zip(other.words) {
            *word += more;
        }
        self.counts += other.counts;
        self.pairs[0] |= other.pairs[0];
        self.pairs[1] |= other.pairs[1];
        self
    }

    #[inline(always)]
    fn count(&self, field: usize) -> usize {
        (self.counts >> (8 * field) & 255) as usize
    }
}

/// A row, ready to look at its cells.
pub struct RowContext<'a> {
    shape: &'a Shape,
    patterns: Vec<u32>,
    /// The points of the row that are free, and its own stones' part of the sums.
    free: u32,
    base: Sums,
    /// Slides, closings and stones in mills of the side to move on an otherwise empty board.
    slides: usize,
    closings: usize,
    mills: usize,
    sums: Box<[[Sums; 256]; BYTES]>,
    /// What the bits of neighbours differ by; the last is of no pair.
    links: [u32; MOST_PAIRS + 1],
    /// Symmetries that keep the row's representative.
    images: Vec<&'static Symmetry>,
}

impl<'a> RowContext<'a> {
    /// For tables of this shape and these patterns, each a set of points.
    pub fn new(shape: &'a Shape, patterns: &[u32]) -> Self {
        Self {
            shape,
            patterns: patterns.to_vec(),
            free: 0,
            base: Sums::default(),
            slides: 0,
            closings: 0,
            mills: 0,
            sums: Box::new([[Sums::default(); 256]; BYTES]),
            links: [0; MOST_PAIRS + 1],
            images: Vec::new(),
        }
    }

    /// Shows all stored cells of a block, in order. `cells` has a place for each cell of the block, or
    /// for its first ones, and is filled with the values, [`UNKNOWN`] where none is stored.
    #[inline(always)]
    pub fn walk(&mut self, block: &Block, cells: &mut [u8], visitor: &mut impl Visitor) {
        let width = block.width();
        for (row, cells) in (block.row..).zip(cells.chunks_mut(width)) {
            self.set(row);
            self.walk_row(block, (row - block.row) * width, cells, visitor);
        }
    }

    #[inline(always)]
    fn walk_row(&self, block: &Block, place: usize, cells: &mut [u8], visitor: &mut impl Visitor) {
        let mut bits = unrank(block.first as u32, self.shape.sector.opponent.into());
        let (mut before, mut high, mut upper) = (UNKNOWN_TWICE, u32::MAX, self.base);
        let adjacent = self.shape.coverage != Coverage::Parity;
        for at in 0..cells.len() {
            if bits >> 8 != high {
                high = bits >> 8;
                let table = |byte: usize| &self.sums[byte][(bits >> (8 * byte) & 255) as usize];
                upper = self.base.plus(table(1)).plus(table(2));
            }
            let sums = upper.plus(&self.sums[0][(bits & 255) as usize]);
            cells[at] = UNKNOWN;
            if sums.count(3).is_multiple_of(2) && self.is_first(bits) {
                // Counts of the values seen, a byte for each.
                let mut seen = 0u32;
                let mut pairs = sums.pairs[0] & !sums.pairs[1];
                while pairs != 0 {
                    // Four at a time, since their number is hard to foresee; those too many
                    // exchange nothing, and see the cell that is not known yet.
                    for _ in 0..4 {
                        let link = self.links[pairs.trailing_zeros() as usize];
                        pairs &= pairs.wrapping_sub(1);
                        let neighbour = (rank(bits ^ link) as usize).wrapping_sub(block.first);
                        let known = cells.get(neighbour).map_or(UNKNOWN, |cell| *cell);
                        if known != UNKNOWN {
                            visitor.neighbour(place + at, place + neighbour);
                        }
                        seen += 1 << (8 * (known & 3));
                    }
                }
                let within =
                    if adjacent { (sums.pairs[0] & sums.pairs[1]).count_ones() } else { 0 };
                let theirs = sums.count(1) - 2 * within as usize;
                let count = |value: u32| (seen >> (8 * value) & 255).min(5) as usize;
                let (draws, losses, wins) = (count(0), count(1), count(2));
                let cell = Cell {
                    words: sums.words,
                    freedom: (self.slides - sums.count(0)).min(31) * 32 + theirs.min(31),
                    closings: (self.closings - sums.count(2)).min(7) * 8 + self.mills.min(7),
                    neighbours: ((draws * 6 + losses) * 6 + wins) * 16 + before,
                };
                let value = visitor.value(&cell, place + at);
                cells[at] = value;
                before = (before << 2 | usize::from(value)) & 15;
            }
            bits = next_of_size(bits);
        }
    }

    /// Whether no symmetry of the row leads to a column before this one.
    #[inline(always)]
    fn is_first(&self, bits: u32) -> bool {
        if self.images.is_empty() {
            return true;
        }
        let stones = scatter(bits, self.free);
        self.images.iter().all(|s| s.set(stones) >= stones)
    }

    /// Turns to a row.
    fn set(&mut self, row: usize) {
        let g = self.shape.board.geometry();
        let own = self.shape.classes.representative(row);
        self.free = g.all & !own;
        self.images.clear();
        if self.shape.classes.is_symmetric(row) {
            self.images = self.shape.stabiliser(row);
        }
        let closable = closable(g, own);
        self.slides = Points(own).map(|p| (g.joined[p] & self.free).count_ones() as usize).sum();
        self.closings = closable.count_ones() as usize;
        self.mills = Points(own).filter(|p| closes(g, *p, own)).count();
        self.base = Points(own).fold(Sums::default(), |sum, p| sum.plus(&self.pattern_sums(p, 1)));
        self.base.counts = u64::from((own & self.shape.second_colour).count_ones()) << 24;

        let mut points = [Sums::default(); MAX_POINTS];
        for (sums, point) in points.iter_mut().zip(Points(self.free)) {
            *sums = self.pattern_sums(point, 2);
            let near = g.joined[point];
            sums.counts = u64::from((near & own).count_ones())
                | u64::from((near & self.free).count_ones()) << 8
                | u64::from(closable >> point & 1) << 16
                | u64::from(self.shape.second_colour >> point & 1) << 24;
        }
        self.link(g, &mut points);
        for (table, points) in self.sums.iter_mut().zip(points.chunks_exact(8)) {
            for value in 1..256usize {
                table[value] =
                    table[value & (value - 1)].plus(&points[value.trailing_zeros() as usize]);
            }
        }
    }

    /// Numbers the pairs of free points whose exchange makes neighbours: joined ones or, where
    /// slides lead to cells that are not stored, those two slides apart.
    fn link(&mut self, g: &Geometry, points: &mut [Sums; MAX_POINTS]) {
        let mut number = 0;
        for (upper, point) in Points(self.free).enumerate() {
            let mut near = g.joined[point];
            if self.shape.coverage == Coverage::Parity {
                near = Points(near).fold(0, |set, p| set | g.joined[p]) & !near;
            }
            for lower in Points(gather(near, self.free) & ((1 << upper) - 1)) {
                if number < MOST_PAIRS {
                    points[upper].pairs[0] |= 1 << number;
                    points[lower].pairs[1] |= 1 << number;
                    self.links[number] = 1 << upper | 1 << lower;
                    number += 1;
                }
            }
        }
    }

    fn pattern_sums(&self, point: usize, digit: u64) -> Sums {
        let mut sums = Sums::default();
        for (number, pattern) in self.patterns.iter().enumerate() {
            if pattern >> point & 1 == 1 {
                let place = (pattern & ((1 << point) - 1)).count_ones();
                sums.words[number / IN_WORD] +=
                    (digit * 3u64.pow(place)) << (16 * (number % IN_WORD));
            }
        }
        sums
    }
}

/// Two cells before the first one.
const UNKNOWN_TWICE: usize = 15;

/// Whether a stone on `point` completes a line with `others`.
fn closes(g: &Geometry, point: usize, others: u32) -> bool {
    let through = &g.through[point][..usize::from(g.through_count[point])];
    through.iter().any(|line| others & line == *line)
}

/// The points to which one of these stones can slide so that it closes a mill.
fn closable(g: &Geometry, own: u32) -> u32 {
    Points(g.all & !own)
        .filter(|to| Points(g.joined[*to] & own).any(|from| closes(g, *to, own & !(1 << from))))
        .fold(0, |set, to| set | 1 << to)
}
