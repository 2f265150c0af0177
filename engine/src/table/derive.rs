//! The value of a position whose cell is not stored, from those of the positions after its turns.
//!
//! Cells are looked at before anything is derived in turn, and what one position has brought to hand
//! serves those that are derived after it: removals after the same move lead into one row.

use super::{
    lookup::{FileRow, Lookup, Places},
    probe::{Wdl, of_outcome},
    sector::Coverage,
    tables::Tables,
};
use crate::{
    board::Topology,
    movegen::{MAX_REMOVALS, Turn, for_each_turn},
    position::Position,
    sector::Sector,
    with_topology,
};
use smallvec::SmallVec;

/// The derivation of one position's value.
pub(super) struct Derivation<'a> {
    lookup: Lookup<'a>,
}

/// What is known of a position whose value is being derived.
struct Known {
    best: Wdl,
    enough: Wdl,
    /// Whether a value that counts could not be had.
    missing: bool,
}

impl Known {
    /// Takes the value of a position after a turn. Whether that is enough.
    #[inline(always)]
    fn take(&mut self, after: Wdl) -> bool {
        self.best = self.best.max(after.reversed());
        self.best >= self.enough
    }
}

type Turns = SmallVec<[Turn; 32]>;
/// Positions that have to be derived in turn, with the points that the side to move can move to.
type Later = SmallVec<[(u32, Position); 16]>;

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
        let tables = self.lookup.tables;
        let rules = tables.rules();
        // The row of the quiet turns is on its way while turns are found.
        if position.is_moving_phase()
            && position.owed() == 0
            && let Some(opened) = tables.wdl_file(Sector::of(position).swapped())
        {
            opened.file.shape().classes.foresee(position.opponent());
        }
        let mut turns = [(); 1 + MAX_REMOVALS].map(|()| Turns::new());
        for_each_turn::<T>(rules, position, |turn| turns[turn.removals().count()].push(turn));
        let mut known = Known { best: Wdl::Loss, enough, missing: false };
        let mut later = Later::new();
        for turns in turns.iter().filter(|turns| !turns.is_empty()) {
            if self.look::<T>(position, turns, &mut known, &mut later) {
                return Some(known.best);
            }
        }
        later.sort_unstable_by_key(|(mobility, _)| *mobility);
        for (_, next) in &later {
            let value = match of_outcome(next, next.outcome_on::<T>(rules)) {
                // A position that is this good for the other side is no better than what is known.
                None => self.derive::<T>(next, known.best.reversed()),
                end => end,
            };
            match value {
                Some(value) if known.take(value) => return Some(known.best),
                Some(_) => {}
                None => known.missing = true,
            }
        }
        (!known.missing).then_some(known.best)
    }

    /// Looks at the cells of the positions after turns that remove the same number of stones, and
    /// puts off positions that have to be derived. Whether what is found is enough. The turns lead
    /// into one sector: where a side may place or move, all is stored.
    fn look<T: Topology>(
        &mut self,
        position: &Position,
        turns: &[Turn],
        known: &mut Known,
        later: &mut Later,
    ) -> bool {
        let tables = self.lookup.tables;
        let rules = tables.rules();
        let sector = Sector::of(&position.after(turns[0]));
        let opened = tables.wdl_file(sector);
        let is_missing = opened.is_none() && sector.coverage(rules) != Coverage::Derived;
        // A game that is over stands in its cell like any other, unless it ended with a line, a full
        // board or too few stones.
        let may_be_over = rules.line_wins()
            || u32::from(sector.own + sector.opponent) == T::G.all.count_ones()
            || sector.own + sector.own_hand < 3
            || sector.opponent + sector.opponent_hand < 3;
        if let Some(opened) = opened.filter(|_| turns[0].is_removal()) {
            let classes = opened.file.shape().classes;
            turns.iter().for_each(|turn| classes.foresee(position.after(*turn).own()));
        }
        let mut places = Places::new();
        // Turns of the same stone and mill lead into one row.
        let mut row: Option<(u32, FileRow)> = None;
        for turn in turns {
            let next = position.after(*turn);
            let (own, opponent) = (next.own(), next.opponent());
            if may_be_over && let Some(end) = of_outcome(&next, next.outcome_on::<T>(rules)) {
                if known.take(end) {
                    return true;
                }
                continue;
            }
            match opened {
                Some(opened) if opened.file.shape().keeps(own | opponent) => {
                    let (_, row) = match &mut row {
                        Some(row) if row.0 == own => row,
                        row => row.insert((own, FileRow::of(opened, own))),
                    };
                    let place = row.place(opponent);
                    match self.lookup.held_cell(&place) {
                        Some(cell) if known.take(Wdl::of_cell(cell)) => return true,
                        Some(_) => {}
                        None => places.push(place),
                    }
                }
                _ if is_missing => known.missing = true,
                _ => {
                    let mobility = (T::joined_to(own) & next.empty(T::G.all)).count_ones();
                    later.push((mobility, next));
                }
            }
        }
        let all = self.lookup.look(&places, |cell| known.take(Wdl::of_cell(cell)));
        known.missing |= !all;
        known.best >= known.enough
    }
}
