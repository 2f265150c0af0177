//! Symmetry classes of all sets of a given number of stones, for the solver's inner loops.
//!
//! A class is an orbit of sets under the board's symmetries; its representative is the smallest
//! set. Reading of finished tables has its own code for this, so that the two check each other.

use crate::memory;
use millrace_engine::{
    Board,
    board::{Points, Symmetry},
};

/// Number of symmetries that any board has at most; images are padded to it.
pub const MAX_SYMMETRIES: usize = 16;

/// Low points of a set, ranked by one table, and high points, ranked by another.
const LOW_BITS: u32 = 12;

/// Binomial coefficients C(n, k) for n up to 24.
pub const fn choose(n: usize, k: usize) -> usize {
    if k > n {
        return 0;
    }
    let mut value = 1;
    let mut i = 0;
    while i < k {
        value = value * (n - i) / (i + 1);
        i += 1;
    }
    value
}

/// Where a set lies: its class, a symmetry that leads to the representative, and that itself, so that
/// one look into far memory says all.
#[derive(Clone, Copy)]
pub struct Place {
    class: u32,
    /// The symmetry in the low bits, then [`SYMMETRIC`], then the representative.
    rest: u32,
}

/// Whether several symmetries lead to the representative.
const SYMMETRIC: u32 = 1 << 4;

impl Place {
    const UNKNOWN: Place = Place { class: u32::MAX, rest: 0 };

    /// The class's number.
    #[inline(always)]
    pub fn class(self) -> usize {
        self.class as usize
    }

    /// The class's smallest set.
    #[inline(always)]
    pub fn representative(self) -> u32 {
        self.rest >> 5
    }

    /// A symmetry that maps the set to the representative.
    #[inline(always)]
    pub fn symmetry(self) -> usize {
        (self.rest & 15) as usize
    }

    /// Whether several symmetries do.
    #[inline(always)]
    pub fn is_symmetric(self) -> bool {
        self.rest & SYMMETRIC != 0
    }
}

/// The classes of all sets of one size.
pub struct Classes {
    /// The representatives, ascending.
    pub representatives: Vec<u32>,
    /// The images of each representative under all symmetries.
    pub images: Vec<[u32; MAX_SYMMETRIES]>,
    /// For each class, the symmetries that map the representative to itself, as a set.
    pub fixing: Vec<u16>,
    low_rank: Vec<u16>,
    high_rank: Vec<u32>,
    places: Vec<Place>,
}

impl Classes {
    /// The classes of the sets of `size` points of a board.
    ///
    /// # Errors
    /// If the system has no memory for them.
    pub fn new(board: Board, size: usize) -> Result<Self, memory::Refused> {
        let symmetries = board.symmetries();
        let points = board.points();
        let mut found = Self {
            representatives: Vec::new(),
            images: Vec::new(),
            fixing: Vec::new(),
            low_rank: (0..1 << LOW_BITS).map(|low| colex(low, 0, 0) as u16).collect(),
            high_rank: (0..1 << LOW_BITS)
                .map(|high: u32| {
                    let below = (size as u32).saturating_sub(high.count_ones());
                    colex(high, LOW_BITS, below)
                })
                .collect(),
            places: memory::filled(choose(points, size), Place::UNKNOWN)?,
        };
        let mut set = (1u32 << size) - 1;
        for rank in 0..choose(points, size) {
            if found.places[rank].class == Place::UNKNOWN.class {
                found.add(set, symmetries);
            }
            set = next_subset(set);
        }
        Ok(found)
    }

    fn add(&mut self, representative: u32, symmetries: &[Symmetry]) {
        let class = self.representatives.len() as u32;
        let mut images = [representative; MAX_SYMMETRIES];
        for (image, symmetry) in images.iter_mut().zip(symmetries) {
            *image = symmetry.set(representative);
        }
        let fixing = (0..symmetries.len())
            .filter(|symmetry| images[*symmetry] == representative)
            .fold(0u16, |set, symmetry| set | 1 << symmetry);
        let symmetric = if fixing.count_ones() > 1 { SYMMETRIC } else { 0 };
        for (image, symmetry) in images.iter().zip(symmetries) {
            let rank = self.rank(*image);
            let rest = representative << 5 | symmetric | symmetry.inverse() as u32;
            self.places[rank] = Place { class, rest };
        }
        self.representatives.push(representative);
        self.images.push(images);
        self.fixing.push(fixing);
    }

    /// Number of classes.
    pub fn count(&self) -> usize {
        self.representatives.len()
    }

    /// The number of a set of this size among all such sets.
    #[inline(always)]
    pub fn rank(&self, set: u32) -> usize {
        let low = self.low_rank[(set & ((1 << LOW_BITS) - 1)) as usize];
        let high = self.high_rank[(set >> LOW_BITS & ((1 << LOW_BITS) - 1)) as usize];
        low as usize + high as usize
    }

    /// Brings the place of the set of a rank into the cache.
    #[inline(always)]
    pub fn foresee(&self, rank: usize) {
        memory::prefetch(&self.places, rank);
    }

    /// The class of the set of a rank.
    #[inline(always)]
    pub fn place(&self, rank: usize) -> Place {
        self.places[rank]
    }
}

/// The share of a set's colexicographic rank that the points `set << shift` make up when `below`
/// points of the set lie below them.
fn colex(set: u32, shift: u32, below: u32) -> u32 {
    Points(set)
        .enumerate()
        .map(|(nth, point)| choose(point + shift as usize, below as usize + nth + 1) as u32)
        .sum()
}

/// The next larger number with as many bits; 0 stays 0. (Gosper's hack.)
pub fn next_subset(set: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    let lowest = set & set.wrapping_neg();
    let carried = set + lowest;
    carried | (((set ^ carried) >> 2) / lowest)
}
