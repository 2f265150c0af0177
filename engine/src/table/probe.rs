//! The value of a position: from its cell, or from those of the positions after its turns.

use super::{derive::Derivation, tables::Tables};
use crate::{
    position::{Outcome, Position},
    sector::Sector,
};

/// Who wins, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// The other side.
    Loss,
    /// Nobody.
    Draw,
    /// The side to move.
    Win,
}

impl Wdl {
    /// What a stored cell says.
    pub(crate) fn of_cell(cell: u8) -> Self {
        match cell {
            1 => Wdl::Loss,
            2 => Wdl::Win,
            _ => Wdl::Draw,
        }
    }

    /// The same for the other side.
    pub fn reversed(self) -> Self {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

/// A value with its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Who wins.
    pub wdl: Wdl,
    /// Plies to the end; 0 for a draw.
    pub plies: u16,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value { wdl: Wdl::Draw, plies: 0 };

    /// The value one ply earlier, for the side that made the turn.
    pub fn before(self) -> Self {
        let plies = if self.wdl == Wdl::Draw { 0 } else { self.plies + 1 };
        Value { wdl: self.wdl.reversed(), plies }
    }

    /// Greater is better for the side to move: soon wins, then draws, then late losses.
    pub fn rank(self) -> i32 {
        let plies = i32::from(self.plies);
        match self.wdl {
            Wdl::Win => 100_000 - plies,
            Wdl::Draw => 0,
            Wdl::Loss => plies - 100_000,
        }
    }
}

pub(super) fn of_outcome(position: &Position, outcome: Outcome) -> Option<Wdl> {
    match outcome {
        Outcome::Ongoing => None,
        Outcome::Draw(_) => Some(Wdl::Draw),
        Outcome::Win(winner, _) if winner == position.side() => Some(Wdl::Win),
        Outcome::Win(..) => Some(Wdl::Loss),
    }
}

impl Tables {
    /// Who wins, as far as the stones tell: repetition and the no-mill rule play no part. `None` if
    /// a table that is needed is not at hand.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.wdl_until(position, Wdl::Win)
    }

    /// [`wdl`](Self::wdl), or, once it is clear that this is not less than `enough`, something
    /// between the two.
    pub fn wdl_until(&self, position: &Position, enough: Wdl) -> Option<Wdl> {
        if let Some(end) = of_outcome(position, position.outcome(self.rules())) {
            return Some(end);
        }
        if position.owed() == 0
            && let Some(cell) = self.cell(Sector::of(position), position)?
        {
            return Some(Wdl::of_cell(cell));
        }
        Derivation::new(self).value(position, enough)
    }

    /// Who wins, and in how many plies. `None` if a table that is needed is not at hand.
    pub fn value(&self, position: &Position) -> Option<Value> {
        if let Some(wdl) = of_outcome(position, position.outcome(self.rules())) {
            return Some(Value { wdl, plies: 0 });
        }
        let sector = Sector::of(position);
        if position.owed() == 0
            && let Some(cell) = self.cell(sector, position)?
        {
            let wdl = Wdl::of_cell(cell);
            let plies = if wdl == Wdl::Draw { 0 } else { self.plies(sector, position)? };
            return Some(Value { wdl, plies });
        }
        match self.wdl(position)? {
            Wdl::Draw => Some(Value::DRAW),
            wdl => self.decided(position, wdl),
        }
    }

    /// The distance of a position of which only the winner is known.
    fn decided(&self, position: &Position, wdl: Wdl) -> Option<Value> {
        let mut best: Option<Value> = None;
        for turn in position.turns(self.rules()) {
            let next = position.after(turn);
            // The turns of the loser all lose; of the winner's turns only those that win count.
            if wdl == Wdl::Win && self.wdl(&next)? != Wdl::Loss {
                continue;
            }
            let value = self.value(&next)?.before();
            if best.is_none_or(|b| value.rank() > b.rank()) {
                best = Some(value);
            }
        }
        best
    }
}
