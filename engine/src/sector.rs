//! Sectors: all positions with the same numbers of stones. No rules of play, no values, no files.

use crate::{board::MAX_POINTS, position::Position, rules::Rules};
use std::{fmt, str::FromStr};

/// All positions with the same numbers of stones; `own` belongs to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sector {
    /// Stones of the side to move on the board.
    pub own: u8,
    /// Stones of the other side on the board.
    pub opponent: u8,
    /// Stones of the side to move in hand.
    pub own_hand: u8,
    /// Stones of the other side in hand.
    pub opponent_hand: u8,
}

impl Sector {
    /// A sector without stones in hand.
    pub const fn moving(own: u8, opponent: u8) -> Self {
        Self { own, opponent, own_hand: 0, opponent_hand: 0 }
    }

    /// The sector of the empty board.
    pub fn start(rules: &Rules) -> Self {
        Self { own: 0, opponent: 0, own_hand: rules.stones(), opponent_hand: rules.stones() }
    }

    /// The sector of a position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        let side = position.side();
        Self {
            own: position.own().count_ones() as u8,
            opponent: position.opponent().count_ones() as u8,
            own_hand: position.hand(side),
            opponent_hand: position.hand(!side),
        }
    }

    /// Whether the numbers fit the rules and the board.
    pub fn is_of(self, rules: &Rules) -> bool {
        let fits =
            |board: u8, hand: u8| board.checked_add(hand).is_some_and(|all| all <= rules.stones());
        fits(self.own, self.own_hand) && fits(self.opponent, self.opponent_hand)
    }

    /// The same stones with the other side to move.
    pub const fn swapped(self) -> Self {
        Self {
            own: self.opponent,
            opponent: self.own,
            own_hand: self.opponent_hand,
            opponent_hand: self.own_hand,
        }
    }

    /// All stones of both sides, on the board and in hand.
    pub const fn stones(self) -> u8 {
        self.own + self.opponent + self.own_hand + self.opponent_hand
    }

    /// Whether nobody has a stone in hand.
    pub const fn is_moving_phase(self) -> bool {
        self.own_hand == 0 && self.opponent_hand == 0
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{}-{}", self.own, self.opponent);
        if !self.is_moving_phase() {
            text += &format!("+{}-{}", self.own_hand, self.opponent_hand);
        }
        f.pad(&text)
    }
}

/// A text that names no sector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a sector; sectors look like 6-5, or 6-5+1-0 with stones in hand")]
pub struct SectorError(String);

impl FromStr for Sector {
    type Err = SectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pair = |text: &str| -> Option<(u8, u8)> {
            let (first, second) = text.split_once('-')?;
            let number = |t: &str| {
                let digits = !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
                t.parse::<u8>().ok().filter(|n| digits && usize::from(*n) <= MAX_POINTS / 2)
            };
            Some((number(first)?, number(second)?))
        };
        let parsed = match text.trim().split_once('+') {
            None => pair(text.trim()).map(|board| (board, (0, 0))),
            Some((board, hands)) => pair(board).zip(pair(hands)),
        };
        let ((own, opponent), (own_hand, opponent_hand)) =
            parsed.ok_or_else(|| SectorError(text.chars().take(40).collect()))?;
        Ok(Sector { own, opponent, own_hand, opponent_hand })
    }
}
