//! The value of a position: from its cell, or from those of the positions after its turns.

use super::tables::Tables;
use crate::{
    board::Points,
    movegen::Turn,
    position::{Outcome, Position},
    sector::Sector,
};
use smallvec::SmallVec;

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

fn of_outcome(position: &Position, outcome: Outcome) -> Option<Wdl> {
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
        let turns = position.turns(self.rules());
        let quiet = self.after_quiet(position, &turns, enough);
        let mut best = quiet.unwrap_or(Wdl::Loss);
        if best >= enough {
            return Some(best);
        }
        let mut missing = false;
        for turn in self.removals_last(position, &turns, quiet.is_some()) {
            // A position that is this good for the other side is no better than what is known.
            match self.wdl_until(&position.after(turn), best.reversed()) {
                Some(value) => best = best.max(value.reversed()),
                None => missing = true,
            }
            if best >= enough {
                return Some(best);
            }
        }
        (!missing).then_some(best)
    }

    /// The quiet turns, unless they are `done` with, and then the removals: first those after which
    /// a cell is stored, and of these first those that leave the other side the fewest slides.
    fn removals_last(
        &self,
        position: &Position,
        turns: &[Turn],
        done: bool,
    ) -> SmallVec<[Turn; 64]> {
        let mut ordered: SmallVec<[Turn; 64]> =
            turns.iter().filter(|t| !done && !t.is_removal()).copied().collect();
        let removals = turns.iter().filter(|t| t.is_removal());
        let mut keyed: SmallVec<[(bool, u32, Turn); 64]> = removals
            .map(|turn| {
                let next = position.after(*turn);
                let g = self.rules().board().geometry();
                let empty = next.empty(g.all);
                let slides = |p: usize| (g.joined[p] & empty).count_ones();
                (!self.keeps(&next), Points(next.own()).map(slides).sum(), *turn)
            })
            .collect();
        keyed.sort_by_key(|(is_derived, slides, _)| (*is_derived, *slides));
        ordered.extend(keyed.into_iter().map(|(_, _, turn)| turn));
        ordered
    }

    /// The best of the quiet turns if all of them lead to stored cells of one row: the games' ends
    /// among them stand in their cells like other values, unless a line has won or the board is full.
    fn after_quiet(&self, position: &Position, turns: &[Turn], enough: Wdl) -> Option<Wdl> {
        let rules = self.rules();
        let full = (position.own() | position.opponent()).count_ones() + 1
            >= rules.board().points() as u32;
        if position.owed() > 0 || rules.line_wins() || full {
            return None;
        }
        let quiet = turns.iter().filter(|t| !t.is_removal()).map(|t| position.after(*t));
        let after: SmallVec<[Position; 32]> = quiet.collect();
        let Some(first) = after.first() else { return Some(Wdl::Loss) };
        let stones: SmallVec<[u32; 32]> = after.iter().map(Position::opponent).collect();
        let mut best = Wdl::Loss;
        self.cells(Sector::of(first), first.own(), &stones, |cell| {
            best = best.max(Wdl::of_cell(cell).reversed());
            best >= enough
        })?;
        Some(best)
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
