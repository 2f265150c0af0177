//! The value of a position whose cell is not stored, from those of the positions after its turns.
//!
//! Cells are looked at before anything is derived in turn, and what one position has brought to hand
//! serves those that are derived after it: removals after the same move lead into one row.

use super::{
    lookup::{Lookup, Place, Places},
    probe::{Wdl, of_outcome},
    sector::Coverage,
    tables::Tables,
};
use crate::{
    board::Topology,
    movegen::{Turn, for_each_turn},
    position::Position,
    sector::Sector,
    with_topology,
};
use smallvec::SmallVec;

/// The derivation of one position's value.
pub(super) struct Derivation<'a> {
    lookup: Lookup<'a>,
}

/// What is known of a position that is being derived.
struct Known<'a> {
    best: Wdl,
    enough: Wdl,
    /// Whether a value that counts could not be had.
    missing: bool,
    /// Positions that have to be derived in turn, with the slides of the side to move.
    derived: SmallVec<[(u32, Position); 32]>,
    stored: Places<'a>,
}

impl Known<'_> {
    /// Takes the value of a position after a turn. Whether that is enough.
    #[inline(always)]
    fn take(&mut self, after: Wdl) -> bool {
        self.best = self.best.max(after.reversed());
        self.best >= self.enough
    }
}

impl<'a> Derivation<'a> {
    pub fn new(tables: &'a Tables) -> Self {
        Self { lookup: Lookup::new(tables) }
    }

    /// The value of a position that is not over and whose cell is not stored, or, once it is clear
    /// that this is not less than `enough`, something between the two. `None` if a table that is
    /// needed is not at hand.
    pub fn value(mut self, position: &Position, enough: Wdl) -> Option<Wdl> {
        let board = self.lookup.tables.rules().board();
        with_topology!(board, T => self.derive::<T>(position, enough))
    }

    fn derive<T: Topology>(&mut self, position: &Position, enough: Wdl) -> Option<Wdl> {
        let rules = self.lookup.tables.rules();
        let mut quiet = SmallVec::<[Turn; 32]>::new();
        let mut removals = SmallVec::<[Turn; 64]>::new();
        for_each_turn::<T>(rules, position, |turn| {
            if turn.is_removal() { removals.push(turn) } else { quiet.push(turn) }
        });
        let mut known = Known {
            best: Wdl::Loss,
            enough,
            missing: false,
            derived: SmallVec::new(),
            stored: SmallVec::new(),
        };
        if self.look::<T>(position, &quiet, &mut known)
            || self.look::<T>(position, &removals, &mut known)
            || self.derive_all::<T>(&mut known)
        {
            return Some(known.best);
        }
        (!known.missing).then_some(known.best)
    }

    /// Looks at the positions after turns, and puts off those that have to be derived. Whether what
    /// is found is enough.
    fn look<T: Topology>(&mut self, position: &Position, turns: &[Turn], known: &mut Known<'a>) -> bool {
        let tables = self.lookup.tables;
        // A game that a quiet turn ends stands in its cell like any other, unless it ended with a
        // line or a full board.
        let is_over = |next: &Position, turn: Turn| {
            if turn.is_removal() || tables.rules().line_wins() || position.owed() > 0 || next.empty(T::G.all) == 0 {
                of_outcome(next, next.outcome_on::<T>(tables.rules()))
            } else {
                None
            }
        };
        for turn in turns {
            let next = position.after(*turn);
            if let Some(end) = is_over(&next, *turn) {
                if known.take(end) {
                    return true;
                }
                continue;
            }
            let sector = Sector::of(&next);
            match tables.wdl_file(sector) {
                Some(opened) if opened.file.shape().keeps(next.own() | next.opponent()) => {
                    let row = opened.file.shape().row(next.own());
                    known.stored.push(Place::of(opened, &row, next.opponent()));
                }
                None if sector.coverage(tables.rules()) != Coverage::Derived => {
                    known.missing = true;
                }
                _ => known.derived.push((T::slides(next.own(), next.empty(T::G.all)), next)),
            }
        }
        let places = std::mem::take(&mut known.stored);
        let mut enough = false;
        let all = self.lookup.look(places, |cell| {
            enough = known.take(Wdl::of_cell(cell));
            enough
        });
        known.missing |= !all;
        enough
    }

    fn derive_all<T: Topology>(&mut self, known: &mut Known<'a>) -> bool {
        let mut derived = std::mem::take(&mut known.derived);
        derived.sort_by_key(|(slides, _)| *slides);
        for (_, next) in &derived {
            // A position that is this good for the other side is no better than what is known.
            match self.derive::<T>(next, known.best.reversed()) {
                Some(value) if known.take(value) => return true,
                Some(_) => {}
                None => known.missing = true,
            }
        }
        false
    }
}
