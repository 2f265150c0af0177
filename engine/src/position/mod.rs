//! Positions: stones, hands and the side to move, and how turns change them.
//!
//! A position is 16 bytes and is copied rather than unmade: the copy measures faster than keeping
//! what an unmake would need. It holds nothing of the game's history; [`Game`](crate::Game) does.

mod check;
mod outcome;

pub use check::PositionError;
pub use outcome::{DrawReason, Outcome, WinReason};

use crate::{board::Points, movegen::Turn, rules::Rules};
use std::{fmt, ops::Not};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Places first.
    White = 0,
    /// Places second.
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// Stones on the board and in hand, the side to move, and the two counters of a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) stones: [u32; 2],
    pub(crate) hands: [u8; 2],
    pub(crate) side: Color,
    pub(crate) owed: u8,
    pub(crate) quiet_plies: u16,
    pub(crate) move_number: u16,
}

const _: () = assert!(size_of::<Position>() == 16);

impl Position {
    /// The empty board with all stones in hand.
    pub fn start(rules: &Rules) -> Self {
        Self {
            stones: [0; 2],
            hands: [rules.stones; 2],
            side: Color::White,
            owed: 0,
            quiet_plies: 0,
            move_number: 1,
        }
    }

    /// A position of the moving phase, or one with stones in hand, from its stone sets.
    /// Counters are those of a new game.
    ///
    /// # Errors
    /// If the position is not one of these rules; see [`PositionError`].
    pub fn new(
        rules: &Rules,
        stones: [u32; 2],
        hands: [u8; 2],
        side: Color,
    ) -> Result<Self, PositionError> {
        Self { stones, hands, side, owed: 0, quiet_plies: 0, move_number: 1 }.checked(rules)
    }

    /// The stones of a side on the board.
    #[inline(always)]
    pub fn stones(&self, side: Color) -> u32 {
        self.stones[side.index()]
    }

    /// The number of stones that a side has in hand.
    #[inline(always)]
    pub fn hand(&self, side: Color) -> u8 {
        self.hands[side.index()]
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The stones of the side to move.
    #[inline(always)]
    pub fn own(&self) -> u32 {
        self.stones[self.side.index()]
    }

    /// The stones of the side not to move.
    #[inline(always)]
    pub fn opponent(&self) -> u32 {
        self.stones[(!self.side).index()]
    }

    /// The points without a stone, given [`all`](crate::Board::all) points of the board.
    #[inline(always)]
    pub fn empty(&self, all: u32) -> u32 {
        all & !(self.stones[0] | self.stones[1])
    }

    /// Removals that the side to move still owes for mills it has closed, 0 to 3; 0 but in positions
    /// that come from action-by-action records.
    #[inline(always)]
    pub fn owed(&self) -> u8 {
        self.owed
    }

    /// Turns of both sides since the last removal, counted while nobody has a stone in hand. Stays
    /// at 65535 once there.
    #[inline(always)]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The number of White's turn, from 1, as game records count. Stays at 65535 once there.
    pub fn move_number(&self) -> u16 {
        self.move_number
    }

    /// Whether nobody has a stone in hand.
    #[inline(always)]
    pub fn is_moving_phase(&self) -> bool {
        self.hands == [0; 2]
    }

    /// Whether a side moves to any empty point.
    #[inline(always)]
    pub fn flies(&self, rules: &Rules, side: Color) -> bool {
        self.hand(side) == 0 && crate::board::at_most(self.stones(side), rules.fly)
    }

    /// A number of 59 bits that says all that the rules of a turn depend on: stones, hands, side
    /// and owed removals. Different positions have different numbers.
    #[inline(always)]
    pub fn packed(&self) -> u64 {
        u64::from(self.stones[0])
            | u64::from(self.stones[1]) << 24
            | u64::from(self.hands[0]) << 48
            | u64::from(self.hands[1]) << 52
            | u64::from(self.side as u8) << 56
            | u64::from(self.owed) << 57
    }

    /// A well-mixed 64-bit key of stones, hands, side and owed removals. It is a bijection of
    /// [`packed`](Self::packed), so that equal keys mean equal positions.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        // Two rounds of xor-shift and odd multiplication, each invertible (after Sebastiano
        // Vigna's splitmix64 finalizer).
        let mut k = self.packed().wrapping_add(0x9e37_79b9_7f4a_7c15);
        k = (k ^ (k >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        k = (k ^ (k >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        k ^ (k >> 31)
    }

    /// The position after a turn that is legal here.
    ///
    /// # Panics
    /// An illegal turn may panic in builds that check for overflow; in others it gives a
    /// meaningless position. Turns from outside come through [`parse_turn`](crate::text::parse_turn)
    /// or are looked up among [`turns`](Self::turns) first.
    #[inline(always)]
    pub fn after(&self, turn: Turn) -> Position {
        let mut next = *self;
        let (me, opponent) = (self.side.index(), (!self.side).index());
        if let Some(to) = turn.to() {
            match turn.from() {
                Some(from) => next.stones[me] ^= 1 << from | 1 << to,
                None => {
                    next.stones[me] |= 1 << to;
                    next.hands[me] -= 1;
                }
            }
        }
        let removed = turn.removed();
        next.stones[opponent] &= !removed;
        next.owed = 0;
        next.quiet_plies = if removed == 0 && self.hands == [0; 2] {
            self.quiet_plies.saturating_add(1)
        } else {
            0
        };
        next.move_number = self.move_number.saturating_add(me as u16);
        next.side = !self.side;
        next
    }

    /// The position after a part of a turn, whose side stays to move and owes removals.
    pub(crate) fn after_part(&self, part: Turn, owed: u8) -> Position {
        let next = self.after(part);
        let Position { side, quiet_plies, move_number, .. } = *self;
        let quiet_plies = if part.is_removal() { 0 } else { quiet_plies };
        Position { side, owed, quiet_plies, move_number, ..next }
    }

    /// The position under a renumbering of the board's points.
    pub fn mapped(&self, symmetry: &crate::board::Symmetry) -> Position {
        Position { stones: self.stones.map(|s| symmetry.set(s)), ..*self }
    }

    /// The representative of the position's class under the board's symmetries, and the number of
    /// the symmetry that leads there: `self.mapped(&symmetries[number])` is the representative,
    /// and the symmetry's inverse maps turns found there back to this board.
    pub fn class(&self, rules: &Rules) -> (Position, usize) {
        let symmetries = rules.board.symmetries();
        let (number, stones) = symmetries
            .iter()
            .map(|s| self.stones.map(|set| s.set(set)))
            .enumerate()
            .min_by_key(|(number, stones)| (*stones, *number))
            .expect("every board has the identity");
        (Position { stones, ..*self }, number)
    }

    /// The points of a side's stones.
    pub fn points(&self, side: Color) -> Points {
        Points(self.stones(side))
    }
}
