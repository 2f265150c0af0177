//! The gate through which every position from outside comes.

use super::{Color, Position};
use crate::{
    board::{Points, Topology},
    movegen::removable,
    rules::{Removals, Rules},
    text::counted,
    with_topology,
};

/// Why a position was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A stone stands on no point of the board.
    #[error("a stone stands outside the board")]
    OffBoard,
    /// Two stones on one point.
    #[error("both sides have a stone on {0}")]
    Shared(&'static str),
    /// More stones than the rules give a side.
    #[error(
        "{side} has {} on the board and {in_hand} in hand, together more than {stones}",
        counted(*on_board, "stone")
    )]
    TooManyStones {
        /// The side with too many stones.
        side: Color,
        /// Its stones on the board.
        on_board: u32,
        /// Its stones in hand.
        in_hand: u8,
        /// The number of stones that the rules give it.
        stones: u8,
    },
    /// The game was over before the side to move could be on turn.
    #[error("{0} cannot be to move: it has already won")]
    AlreadyWon(Color),
    /// Both sides hold a line, but the first one ended the game.
    #[error("both sides hold a line")]
    BothLined,
    /// A removal is owed that cannot be.
    #[error("{side} cannot owe {}: {why}", counted(*owed, "removal"))]
    Owed {
        /// The side to move.
        side: Color,
        /// The removals that it is said to owe.
        owed: u8,
        /// What forbids it.
        why: &'static str,
    },
}

impl Position {
    /// The position itself if it is one of these rules: stones on different points of the board,
    /// not more of them than the rules give, no removals owed but for mills that one turn can have
    /// closed, and the side to move has not won already. Whether it can be reached from the start is not asked.
    pub(crate) fn checked(mut self, rules: &Rules) -> Result<Self, PositionError> {
        with_topology!(rules.board, T => self.check_on::<T>(rules))?;
        if !self.is_moving_phase() {
            self.quiet_plies = 0;
        }
        Ok(self)
    }

    fn check_on<T: Topology>(&self, rules: &Rules) -> Result<(), PositionError> {
        let [white, black] = self.stones;
        if (white | black) & !T::G.all != 0 {
            return Err(PositionError::OffBoard);
        }
        if white & black != 0 {
            let point = (white & black).trailing_zeros() as usize;
            return Err(PositionError::Shared(rules.board.point_name(point)));
        }
        for side in Color::BOTH {
            let on_board = self.stones(side).count_ones();
            let in_hand = self.hand(side);
            if on_board + u32::from(in_hand) > u32::from(rules.stones) {
                return Err(PositionError::TooManyStones {
                    side,
                    on_board,
                    in_hand,
                    stones: rules.stones,
                });
            }
        }
        if rules.line_wins && Color::BOTH.iter().all(|s| T::in_mills(self.stones(*s)) != 0) {
            return Err(PositionError::BothLined);
        }
        if self.owed > 0 {
            return self.check_owed::<T>(rules);
        }
        match self.decided::<T>(rules) {
            Some((winner, _)) if winner == self.side => Err(PositionError::AlreadyWon(winner)),
            _ if !rules.line_wins && self.under_three(!self.side) => {
                Err(PositionError::AlreadyWon(self.side))
            }
            _ => Ok(()),
        }
    }

    fn check_owed<T: Topology>(&self, rules: &Rules) -> Result<(), PositionError> {
        let own = self.own();
        let mills = Points(own).map(|point| T::lines_closed(point, own)).max().unwrap_or(0);
        let due = mills.min(if rules.removals == Removals::One { 1 } else { 3 });
        let opponent = !self.side;
        let opponents = self.stones(opponent).count_ones() + u32::from(self.hand(opponent));
        let why = if rules.line_wins {
            "these rules remove no stones"
        } else if due == 0 {
            "it has no mill"
        } else if due < self.owed.into() {
            "that is more than one turn can remove with its mills"
        } else if opponents + (due - u32::from(self.owed)) < 3 {
            // Removals of the same turn may have taken the opponent below three, earlier ones not.
            return Err(PositionError::AlreadyWon(self.side));
        } else if removable::<T>(rules, self.opponent()) == 0 {
            "no stone may be removed"
        } else {
            return Ok(());
        };
        Err(PositionError::Owed { side: self.side, owed: self.owed, why })
    }
}
