//! A turn: what one side does before the other moves, removals included.

use crate::{board::Board, board::Symmetry};
use std::fmt;

/// Stands for "no point" in a field of a turn.
const NONE: u32 = 31;
const FIELD: u32 = 31;

/// A placement, a move, a pass or (in action-by-action play) a removal alone, with up to three
/// removals: five fields of five bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn(u32);

/// The most stones that one turn removes: a stone can complete three lines at once.
pub const MAX_REMOVALS: usize = 3;

impl Turn {
    /// The turn of a side that has no other.
    pub const PASS: Turn = Turn(0x1ff_ffff);

    /// A stone from the hand is placed on a point of the board.
    #[inline(always)]
    pub fn place(to: usize) -> Turn {
        Turn(Self::PASS.0 & !(FIELD << 5) | (to as u32) << 5)
    }

    /// A stone is moved, or flies, from one point of the board to another.
    #[inline(always)]
    pub fn slide(from: usize, to: usize) -> Turn {
        Turn(Self::PASS.0 & !0x3ff | from as u32 | (to as u32) << 5)
    }

    /// This turn with one more removal, the `number`-th from 0; `number` is below
    /// [`MAX_REMOVALS`].
    #[inline(always)]
    pub fn removing(self, number: usize, point: usize) -> Turn {
        let shift = 10 + 5 * number as u32;
        Turn(self.0 & !(FIELD << shift) | (point as u32) << shift)
    }

    #[inline(always)]
    fn field(self, number: u32) -> Option<usize> {
        let value = self.0 >> (5 * number) & FIELD;
        (value != NONE).then_some(value as usize)
    }

    /// The point that a moved stone leaves.
    #[inline(always)]
    pub fn from(self) -> Option<usize> {
        self.field(0)
    }

    /// The point where a stone is placed or moved to.
    #[inline(always)]
    pub fn to(self) -> Option<usize> {
        self.field(1)
    }

    /// The points of the removed stones, in order.
    pub fn removals(self) -> impl Iterator<Item = usize> {
        (2..2 + MAX_REMOVALS as u32).map_while(move |n| self.field(n))
    }

    /// The removed stones as a set.
    #[inline(always)]
    pub fn removed(self) -> u32 {
        // Bit 31 stands for "no point" and is not on any board.
        (1 << (self.0 >> 10 & FIELD) | 1 << (self.0 >> 15 & FIELD) | 1 << (self.0 >> 20 & FIELD))
            & !(1 << NONE)
    }

    /// Whether the turn removes a stone.
    #[inline(always)]
    pub fn is_removal(self) -> bool {
        self.0 >> 10 & FIELD != NONE
    }

    /// This turn without its removals.
    #[inline(always)]
    pub fn without_removals(self) -> Turn {
        Turn(self.0 | 0x1ff_fc00)
    }

    /// The actions that make the turn up: a placement, move or pass, then each removal.
    pub fn actions(self) -> impl Iterator<Item = Turn> {
        let first = self.without_removals();
        let main = (self.to().is_some() || self == Self::PASS).then_some(first);
        main.into_iter().chain(self.removals().map(|point| Self::PASS.removing(0, point)))
    }

    /// The fields as a number of 25 bits, for hash tables.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The turn with these [`bits`](Self::bits). Any number gives a turn, but not a legal one.
    #[inline(always)]
    pub fn from_bits(bits: u32) -> Turn {
        Turn(bits & Self::PASS.0)
    }

    /// The turn on a board whose points are renumbered.
    pub fn mapped(self, symmetry: &Symmetry) -> Turn {
        let mut turn = match (self.from(), self.to()) {
            (Some(from), Some(to)) => Turn::slide(symmetry.point(from), symmetry.point(to)),
            (None, Some(to)) => Turn::place(symmetry.point(to)),
            _ => Turn::PASS,
        };
        for (number, point) in self.removals().enumerate() {
            turn = turn.removing(number, symmetry.point(point));
        }
        turn
    }

    /// The turn as text: `d6`, `d6-d5`, `d6-d5xb4`, `xb4` or `pass`.
    pub fn on(self, board: Board) -> TurnText {
        TurnText { turn: self, board }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn({:?}-{:?}", self.from(), self.to())?;
        for point in self.removals() {
            write!(f, "x{point}")?;
        }
        f.write_str(")")
    }
}

/// A turn with the board that names its points; see [`Turn::on`].
#[derive(Clone, Copy, Debug)]
pub struct TurnText {
    turn: Turn,
    board: Board,
}

impl fmt::Display for TurnText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turn == Turn::PASS {
            return f.write_str("pass");
        }
        if let Some(from) = self.turn.from() {
            write!(f, "{}-", self.board.point_name(from))?;
        }
        if let Some(to) = self.turn.to() {
            f.write_str(self.board.point_name(to))?;
        }
        for point in self.turn.removals() {
            write!(f, "x{}", self.board.point_name(point))?;
        }
        Ok(())
    }
}
