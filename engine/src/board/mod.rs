//! Boards: points, edges, lines and symmetries.
//!
//! A board is known by the list of its lines; everything else is derived from it at compile time.
//! Code that must be fast is generic over [`Topology`], so that a board's tables become constants
//! of the machine code; [`with_topology!`](crate::with_topology) chooses the board once, outside.

mod geometry;
mod layout;
mod symmetry;

pub use geometry::{Closer, Geometry, MAX_POINTS, Step};
pub use symmetry::Symmetry;

use std::fmt;

/// A board of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// Three squares, 24 points, 16 lines.
    Nine,
    /// Three squares with diagonals, 24 points, 20 lines.
    NineDiagonals,
    /// Two squares, 16 points, 8 lines.
    Six,
    /// Two squares and a centre, 17 points, 12 lines.
    Seven,
    /// A 3 × 3 grid, 9 points, 6 lines.
    Three,
    /// A 3 × 3 grid with diagonals, 9 points, 8 lines.
    ThreeDiagonals,
}

/// A board as a type, for code that is compiled once a board.
pub trait Topology: Copy + Send + Sync + 'static {
    /// The board as a value.
    const BOARD: Board;
    /// Its derived tables.
    const G: &'static Geometry;

    /// The points at which a stone of this side completes a line, and the stones that stand in
    /// complete lines already: all points whose two partners on some line are in `own`.
    #[inline(always)]
    fn closing(own: u32) -> u32 {
        let mut found = 0;
        for k in 0..Self::G.closer_count {
            let c = Self::G.closers[k];
            found |= own.rotate_left(c.first) & own.rotate_left(c.second) & c.targets;
        }
        found
    }

    /// The stones of `own` that stand in mills.
    #[inline(always)]
    fn in_mills(own: u32) -> u32 {
        own & Self::closing(own)
    }

    /// The points joined to at least one point of `set`.
    #[inline(always)]
    fn joined_to(set: u32) -> u32 {
        let mut found = 0;
        for k in 0..Self::G.step_count {
            let s = Self::G.steps[k];
            found |= set.rotate_left(s.rotation) & s.targets;
        }
        found
    }

    /// The number of slides of `own` stones to `empty` points.
    #[inline(always)]
    fn slides(own: u32, empty: u32) -> u32 {
        let mut count = 0;
        for k in 0..Self::G.step_count {
            let s = Self::G.steps[k];
            count += (own.rotate_left(s.rotation) & s.targets & empty).count_ones();
        }
        count
    }

    /// How many lines a stone on `point` completes with `others` (which may or may not hold it).
    #[inline(always)]
    fn lines_closed(point: usize, others: u32) -> u32 {
        let mut count = 0;
        for k in 0..Self::G.through_count[point] as usize {
            let line = Self::G.through[point][k];
            count += (others & line == line) as u32;
        }
        count
    }
}

/// Evaluates an expression with a type name bound to the [`Topology`](crate::board::Topology) of a
/// [`Board`](crate::board::Board) value: `with_topology!(board, T => count::<T>(position))`.
#[macro_export]
macro_rules! with_topology {
    ($board:expr, $t:ident => $body:expr) => {
        $crate::with_topology!(
            @arms $board, $t, $body, Nine NineDiagonals Six Seven Three ThreeDiagonals
        )
    };
    (@arms $board:expr, $t:ident, $body:expr, $($name:ident)*) => {
        match $board {
            $($crate::board::Board::$name => {
                type $t = $crate::board::topology::$name;
                $body
            })*
        }
    };
}

macro_rules! topologies {
    ($($(#[$doc:meta])* $name:ident = $layout:path;)*) => {
        /// The boards as types, one a variant of [`Board`].
        pub mod topology {
            use super::{Board, Geometry, Topology, layout};
            $(
                $(#[$doc])*
                #[derive(Clone, Copy, Debug)]
                pub struct $name;
                impl Topology for $name {
                    const BOARD: Board = Board::$name;
                    const G: &'static Geometry = {
                        static DERIVED: Geometry = Geometry::derive(&$layout);
                        &DERIVED
                    };
                }
            )*
        }
        impl Board {
            /// All boards.
            pub const ALL: &'static [Board] = &[$(Board::$name),*];
        }
    };
}

topologies! {
    /// Three squares.
    Nine = layout::NINE;
    /// Three squares with diagonals.
    NineDiagonals = layout::NINE_DIAGONALS;
    /// Two squares.
    Six = layout::SIX;
    /// Two squares and a centre.
    Seven = layout::SEVEN;
    /// A 3 × 3 grid.
    Three = layout::THREE;
    /// A 3 × 3 grid with diagonals.
    ThreeDiagonals = layout::THREE_DIAGONALS;
}

impl Board {
    /// The derived tables.
    pub fn geometry(self) -> &'static Geometry {
        with_topology!(self, T => T::G)
    }

    /// Number of points.
    pub fn points(self) -> usize {
        self.geometry().points
    }

    /// All points as a set.
    pub fn all(self) -> u32 {
        self.geometry().all
    }

    /// The name of a point, such as `d6`.
    ///
    /// # Panics
    /// If `point` is not below [`points`](Self::points).
    pub fn point_name(self, point: usize) -> &'static str {
        assert!(point < self.points(), "point {point} is not on the board");
        std::str::from_utf8(&self.geometry().names[point]).expect("point names are ASCII")
    }

    /// The point with this name in either case, if the board has it.
    pub fn point(self, name: &str) -> Option<usize> {
        let name: [u8; 2] = name.as_bytes().try_into().ok()?;
        let name = name.map(|b| b.to_ascii_lowercase());
        self.geometry().names[..self.points()].iter().position(|n| *n == name)
    }

    /// The name of the board without its diagonals, as rules texts say it.
    pub fn base_name(self) -> &'static str {
        match self {
            Board::Nine | Board::NineDiagonals => "nine",
            Board::Six => "six",
            Board::Seven => "seven",
            Board::Three | Board::ThreeDiagonals => "three",
        }
    }

    /// Whether the board has its optional diagonals.
    pub fn has_diagonals(self) -> bool {
        matches!(self, Board::NineDiagonals | Board::ThreeDiagonals)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.base_name())?;
        if self.has_diagonals() { f.write_str(" with diagonals") } else { Ok(()) }
    }
}

/// The points of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Points(pub u32);

impl Iterator for Points {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let point = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(point)
    }
}

/// Whether a set has at most `n` points; for small `n` cheaper than counting them.
#[inline(always)]
pub fn at_most(mut set: u32, n: u8) -> bool {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    set == 0
}
