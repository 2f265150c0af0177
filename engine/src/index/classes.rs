//! Classes of point sets under a board's symmetries.

use super::{MAX_STONES, binomial, rank};
use crate::{
    board::{Board, Points, Symmetry},
    memory,
};
use std::sync::OnceLock;

const UNSEEN: u32 = u32::MAX;
/// A look-up entry is the class times this, plus the number of the symmetry.
const SYMMETRIES: u32 = 16;

/// The classes of all sets of so many points of a board. A class is represented by its smallest
/// set as a number, and classes are numbered by ascending representatives.
pub struct Classes {
    board: Board,
    size: usize,
    representatives: Vec<u32>,
    /// By the rank of a set.
    lookup: Vec<u32>,
    /// Bit by bit, the classes whose representatives have symmetries of their own.
    symmetric: Vec<u64>,
}

impl Classes {
    /// The classes of sets of `size` points. Built at first need and kept; for 12 of 24 points
    /// that takes some 50 ms and 11 MB.
    ///
    /// # Panics
    /// If `size` is more than [`MAX_STONES`] or than the board has points.
    pub fn of(board: Board, size: usize) -> &'static Classes {
        static BUILT: [[OnceLock<Classes>; MAX_STONES + 1]; Board::ALL.len()] =
            [const { [const { OnceLock::new() }; MAX_STONES + 1] }; Board::ALL.len()];
        BUILT[board as usize][size].get_or_init(|| Classes::build(board, size))
    }

    /// Sets come in ascending order, so one not yet met is the smallest of its class.
    fn build(board: Board, size: usize) -> Self {
        assert!(size <= board.points(), "board {board} has fewer than {size} points");
        let symmetries = board.symmetries();
        let sets = binomial(board.points(), size);
        let mut representatives = Vec::with_capacity(sets as usize / symmetries.len());
        let mut lookup = vec![UNSEEN; sets as usize];
        let mut symmetric = Vec::with_capacity(representatives.capacity() / 64 + 1);
        let mut set = (1u32 << size) - 1;
        for number in 0..sets as usize {
            if lookup[number] == UNSEEN {
                let class = representatives.len() as u32;
                let mut images = 0;
                for symmetry in symmetries {
                    let entry = &mut lookup[rank(symmetry.set(set)) as usize];
                    if *entry == UNSEEN {
                        *entry = class * SYMMETRIES + symmetry.inverse() as u32;
                        images += 1;
                    }
                }
                if class.is_multiple_of(64) {
                    symmetric.push(0);
                }
                if images < symmetries.len() {
                    symmetric[class as usize / 64] |= 1 << (class % 64);
                }
                representatives.push(set);
            }
            set = next_of_size(set);
        }
        representatives.shrink_to_fit();
        Self { board, size, representatives, lookup, symmetric }
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> Board {
        self.board
    }

    /// Points of each set.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of classes.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.representatives.len()
    }

    /// The smallest set of a class.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline(always)]
    pub fn representative(&self, class: usize) -> u32 {
        self.representatives[class]
    }

    /// The representatives of all classes, ascending.
    pub fn representatives(&self) -> &[u32] {
        &self.representatives
    }

    /// The class of a set, and the number of a symmetry that maps the set to the representative.
    ///
    /// # Panics
    /// If the set leaves the board or has too many points; one with too few points gives a
    /// meaningless answer.
    #[inline(always)]
    pub fn class_of(&self, set: u32) -> (usize, usize) {
        debug_assert!(set.count_ones() as usize == self.size && set & !self.board.all() == 0);
        let entry = self.lookup[rank(set) as usize];
        ((entry / SYMMETRIES) as usize, (entry % SYMMETRIES) as usize)
    }

    /// Asks the processor to fetch what [`class_of`](Self::class_of) will look at: it is large, and
    /// sets that come one after the other lie far apart in it.
    #[inline(always)]
    pub fn foresee(&self, set: u32) {
        memory::prefetch(&self.lookup, rank(set) as usize);
    }

    /// Whether a class's representative has symmetries beside the identity.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline(always)]
    pub fn is_symmetric(&self, class: usize) -> bool {
        self.symmetric[class / 64] >> (class % 64) & 1 == 1
    }

    /// The numbers of the symmetries that map a class's representative to itself, the identity
    /// included.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn stabiliser(&self, class: usize) -> impl Iterator<Item = usize> + use<> {
        let set = self.representative(class);
        let symmetries = self.board.symmetries();
        (0..symmetries.len()).filter(move |s| symmetries[*s].set(set) == set)
    }

    /// The way that brings a set to its representative.
    ///
    /// # Panics
    /// As [`class_of`](Self::class_of).
    #[inline(always)]
    pub fn frame(&self, set: u32) -> Frame {
        let symmetries = self.board.symmetries();
        let (class, symmetry) = self.class_of(set);
        let twins = if self.is_symmetric(class) {
            self.stabiliser(class).skip(1).fold(0, |set, s| set | 1 << s)
        } else {
            0
        };
        let symmetry = &symmetries[symmetry];
        // Found so without a look at the list of them, which is large.
        let representative = symmetry.set(set);
        Frame { class, representative, symmetry, symmetries, twins }
    }
}

/// How a set is brought to its representative, for the points that go with it.
pub struct Frame {
    /// The set's class.
    pub class: usize,
    /// The representative.
    pub representative: u32,
    symmetry: &'static Symmetry,
    symmetries: &'static [Symmetry],
    /// As a set, the numbers of the symmetries that keep the representative, but for the identity.
    twins: u32,
}

impl Frame {
    /// Where other points come to lie; of the places that are images of each other, the least.
    #[inline(always)]
    pub fn image(&self, other: u32) -> u32 {
        let moved = self.symmetry.set(other);
        Points(self.twins).map(|twin| self.symmetries[twin].set(moved)).fold(moved, u32::min)
    }
}

/// The next greater number with as many ones (Bill Gosper's step). Meaningless for 0.
#[inline(always)]
pub fn next_of_size(set: u32) -> u32 {
    let lowest = set & set.wrapping_neg();
    let carried = set.wrapping_add(lowest);
    let shift = (set.trailing_zeros() + 2).min(31);
    carried | (set ^ carried) >> shift
}
