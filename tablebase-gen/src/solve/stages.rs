//! The stages of a solve, one by one, for benchmarks.

use super::{
    Job, Known, SolveError, Watch,
    classes::Classes,
    layout::Columns,
    unit::{Solver, shapes_of, states_of},
};
use crate::{memory::Refused, sector::Sector};
use millrace_engine::Board;

/// A unit whose stages are gone through one at a time.
pub struct Stages<'a>(Solver<'a>);

impl Stages<'_> {
    /// Lends the stages of a unit at its beginning. Memory for all messages must be allowed.
    ///
    /// # Errors
    /// If there are no threads, or no memory.
    pub fn of<R>(
        job: &Job,
        known: &dyn Known,
        watch: &dyn Watch,
        work: impl FnOnce(&Stages) -> R,
    ) -> Result<R, SolveError> {
        let pool = super::pool(job)?;
        let shapes = shapes_of(job)?;
        let mut states = states_of(job, &shapes)?;
        let groups = states.iter_mut().zip(&shapes).map(|(state, shape)| state.groups(shape));
        let solver = Solver::new(job, &shapes, groups.collect(), &pool, known, watch);
        Ok(work(&Stages(solver)))
    }

    /// Computes what all turns out of the unit lead to.
    ///
    /// # Errors
    /// If a table that the unit needs cannot be read.
    pub fn captures(&self) -> Result<(), SolveError> {
        self.0.fill_externals()
    }

    /// Brings what the layer before has decided, and what turns out of the unit lead to, to the
    /// rows that it concerns. Returns the number of messages.
    pub fn tell(&self, plies: u32) -> u64 {
        self.0.tell_externals(plies);
        self.0.collect()
    }

    /// Works through a layer: lost positions if `plies` is even, won ones if it is odd.
    pub fn layer(&self, plies: u32) {
        self.0.layer(plies);
    }
}

/// The look-ups that a sector's table needs, for many sets of stones.
pub struct LookUps {
    classes: Classes,
    columns: Columns,
    /// Compact indices of all placements of the own stones.
    pub indices: Vec<u32>,
    /// All placements of the opponent's stones.
    pub sets: Vec<u32>,
}

impl LookUps {
    /// Those of a sector's table.
    ///
    /// # Errors
    /// If the system has no memory for them.
    pub fn new(board: Board, sector: Sector) -> Result<Self, Refused> {
        let stones = usize::from(sector.opponent);
        let columns = Columns::new((board.points() - stones) as u32, sector.own.into());
        let classes = Classes::new(board, stones)?;
        let all = (0..1u32 << board.points()).filter(|s| s.count_ones() as usize == stones);
        Ok(Self { indices: columns.indices.clone(), sets: all.collect(), classes, columns })
    }

    /// Writes the columns of compact indices to the start of `ranks`.
    pub fn ranks(&self, indices: &[u32], ranks: &mut Vec<u32>) {
        self.columns.ranks(indices, ranks);
    }

    /// The sum of the classes of some sets: something that needs them all.
    pub fn classes(&self, sets: &[u32]) -> u64 {
        sets.iter().map(|set| self.classes.place(self.classes.rank(*set)).class() as u64).sum()
    }
}
