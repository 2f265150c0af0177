//! How a game ends.

use super::{Color, Position};
use crate::{
    board::{Topology, at_most},
    rules::{Blocked, BoardFull, Rules},
    with_topology,
};
use std::fmt;

/// Why a side has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinReason {
    /// The loser has fewer than three stones on the board and in hand.
    UnderThree,
    /// The loser is to move and cannot.
    Blocked,
    /// The board is full at the end of placing, and the loser is to move.
    BoardFull,
    /// The winner has completed a line.
    Line,
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawReason {
    /// The side to move cannot.
    Blocked,
    /// Neither side can do anything but pass.
    BothPass,
    /// The board is full at the end of placing.
    BoardFull,
    /// A position has occurred too often.
    Repetition,
    /// Too many turns without a removal.
    NoMill,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It goes on.
    Ongoing,
    /// A side has won.
    Win(Color, WinReason),
    /// Nobody has won.
    Draw(DrawReason),
}

impl Outcome {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win(color, _) => Some(color),
            _ => None,
        }
    }

    /// Whether the game is over.
    pub fn is_over(self) -> bool {
        self != Outcome::Ongoing
    }

    /// One word: `ongoing`, `white`, `black` or `draw`.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Ongoing => "ongoing",
            Outcome::Win(Color::White, _) => "white",
            Outcome::Win(Color::Black, _) => "black",
            Outcome::Draw(_) => "draw",
        }
    }

    /// Why the game is over, as the end of a sentence; empty while it goes on.
    pub fn reason(self) -> String {
        match self {
            Outcome::Ongoing => String::new(),
            Outcome::Win(winner, reason) => {
                let loser = !winner;
                match reason {
                    WinReason::UnderThree => format!("{loser} has fewer than three stones"),
                    WinReason::Blocked => format!("{loser} is blocked"),
                    WinReason::BoardFull => format!("the board is full and {loser} is to move"),
                    WinReason::Line => format!("{winner} has completed a line"),
                }
            }
            Outcome::Draw(reason) => match reason {
                DrawReason::Blocked => "the side to move is blocked",
                DrawReason::BothPass => "both sides could only pass",
                DrawReason::BoardFull => "the board is full",
                DrawReason::Repetition => "repetition",
                DrawReason::NoMill => "too many turns without a removal",
            }
            .to_string(),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        if self.is_over() { write!(f, " ({})", self.reason()) } else { Ok(()) }
    }
}

impl Position {
    /// Whether a side has fewer than three stones on the board and in hand together.
    #[inline(always)]
    pub(crate) fn under_three(&self, side: Color) -> bool {
        let hand = self.hand(side);
        hand < 3 && at_most(self.stones(side), 2 - hand)
    }

    /// The winner if the last turn, a removal or a line, has ended the game. What the side to move
    /// can do is not looked at.
    #[inline(always)]
    pub(crate) fn decided<T: Topology>(&self, rules: &Rules) -> Option<(Color, WinReason)> {
        if self.owed > 0 {
            return None;
        }
        if rules.line_wins {
            let lined = |side| T::in_mills(self.stones(side)) != 0;
            // The side not to move has made the last turn, so its line counts first.
            return [!self.side, self.side]
                .into_iter()
                .find(|side| lined(*side))
                .map(|side| (side, WinReason::Line));
        }
        [self.side, !self.side]
            .into_iter()
            .find(|side| self.under_three(*side))
            .map(|side| (!side, WinReason::UnderThree))
    }

    /// Whether a side could place or move a stone, were it to move.
    #[inline(always)]
    pub(crate) fn can_act<T: Topology>(&self, rules: &Rules, side: Color) -> bool {
        let (own, empty) = (self.stones(side), self.empty(T::G.all));
        if self.hand(side) > 0 {
            empty != 0
        } else if self.flies(rules, side) {
            own != 0 && empty != 0
        } else {
            T::joined_to(own) & empty != 0
        }
    }

    /// What it means that the side to move, with nothing in hand, can neither place nor move:
    /// `None` if it passes.
    #[inline]
    pub(crate) fn stuck<T: Topology>(&self, rules: &Rules) -> Option<Outcome> {
        if self.empty(T::G.all) == 0 {
            return Some(match rules.board_full {
                BoardFull::Draw => Outcome::Draw(DrawReason::BoardFull),
                BoardFull::Loses => Outcome::Win(!self.side, WinReason::BoardFull),
            });
        }
        match rules.blocked {
            Blocked::Loses => Some(Outcome::Win(!self.side, WinReason::Blocked)),
            Blocked::Draw => Some(Outcome::Draw(DrawReason::Blocked)),
            Blocked::Passes if self.can_act::<T>(rules, !self.side) => None,
            Blocked::Passes => Some(Outcome::Draw(DrawReason::BothPass)),
        }
    }

    /// As [`outcome`](Self::outcome), for code that knows the board.
    #[inline]
    pub(crate) fn outcome_on<T: Topology>(&self, rules: &Rules) -> Outcome {
        if let Some((winner, reason)) = self.decided::<T>(rules) {
            return Outcome::Win(winner, reason);
        }
        if self.owed > 0 || self.can_act::<T>(rules, self.side) {
            return Outcome::Ongoing;
        }
        self.stuck::<T>(rules).unwrap_or(Outcome::Ongoing)
    }

    /// The state of a game in this position, as far as the position alone tells: everything but
    /// repetition and the no-mill rule.
    pub fn outcome(&self, rules: &Rules) -> Outcome {
        with_topology!(rules.board, T => self.outcome_on::<T>(rules))
    }
}
