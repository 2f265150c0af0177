//! Turns that leave the unit: captures, placements, completed lines.
//!
//! What such a turn leads to is known before the unit is begun. It is kept as if it were a table of
//! the unit itself: rows are classes of the mover's stones after the turn, columns the opponent's
//! stones before any removal, and keys say how good it is after the best removal. So a
//! capture takes part in the layers like any other turn. The best removal is computed once for each
//! position after the move, and serves all turns that lead to it.

use super::{
    Known, SolveError,
    classes::Classes,
    isa::Isa,
    layout::{Columns, Layout},
    moves::Movement,
    removal::BestRemoval,
};
use crate::{
    memory::{self, Refused},
    sector::{Sector, Unit},
};
use millrace_engine::{Rules, board::Points};
use std::sync::{Arc, OnceLock};

/// One kind of turns out of the unit.
pub struct External {
    /// The classes of the mover's stones after the turn: the rows.
    pub classes: Arc<Classes>,
    /// The opponent's stones after `n` removals at place `n`; place 0 are the columns.
    pub columns: Vec<Columns>,
    /// The kind of the turn.
    pub kind: usize,
    /// The sector after `n` removals at place `n`; `None` where the game is over then.
    pub(super) sectors: Vec<Option<Sector>>,
    /// Rows that hold anything, in chunks of [`CHUNK`] rows.
    pub chunks: Vec<OnceLock<Chunk>>,
}

/// Rows that are computed and scanned together.
pub const CHUNK: usize = 64;

/// Some rows of an [`External`].
#[derive(Default)]
pub struct Chunk {
    /// The rows that hold anything, and which keys occur in each.
    pub rows: Vec<(u32, [u64; 4])>,
    /// For each cell of these rows its key, see [`KEYS`](super::removal::KEYS).
    pub keys: Vec<u8>,
}

impl External {
    /// All kinds of turns that leave the unit from a sector; `makes` supplies classes by size.
    pub fn all(
        rules: &Rules,
        layout: &Layout,
        movement: &Movement,
        paired: bool,
        makes: &mut dyn FnMut(usize) -> Result<Arc<Classes>, Refused>,
    ) -> Result<Vec<External>, Refused> {
        let sector = layout.sector;
        let mut found = Vec::new();
        let placed =
            Sector { own: sector.own + 1, own_hand: sector.own_hand.wrapping_sub(1), ..sector };
        let ways = [(movement.slides, sector, paired), (movement.places, placed, false)];
        for (possible, after, inside) in ways {
            if !possible {
                continue;
            }
            let first = usize::from(inside);
            for kind in first..=movement.kinds {
                found.push(Self::new(rules, after, kind, makes)?);
            }
        }
        Ok(found)
    }

    fn new(
        rules: &Rules,
        after: Sector,
        kind: usize,
        makes: &mut dyn FnMut(usize) -> Result<Arc<Classes>, Refused>,
    ) -> Result<Self, Refused> {
        let points = rules.board().points() as u32;
        let left = |removed: usize| {
            let left = Sector { opponent: after.opponent - removed as u8, ..after };
            let over = rules.line_wins() && kind > 0;
            (!over && left.opponent + left.opponent_hand >= if rules.line_wins() { 0 } else { 3 })
                .then_some(left.swapped())
        };
        let opponent = usize::from(after.opponent);
        let most = if rules.line_wins() { 0 } else { kind.min(opponent) };
        let classes = makes(after.own.into())?;
        let width = points - u32::from(after.own);
        Ok(Self {
            columns: (0..=most).map(|n| Columns::new(width, (opponent - n) as u32)).collect(),
            kind,
            sectors: (0..=most).map(left).collect(),
            chunks: (0..classes.count().div_ceil(CHUNK)).map(|_| OnceLock::new()).collect(),
            classes,
        })
    }

    /// Computes one chunk.
    #[inline(always)]
    pub fn fill<I: Isa>(
        &self,
        movement: &Movement,
        known: &dyn Known,
        unit: Unit,
        number: usize,
    ) -> Result<Chunk, SolveError> {
        let first = number * CHUNK;
        let count = CHUNK.min(self.classes.count() - first);
        let mut chunk = Chunk::default();
        let has_kind = |row: &usize| self.has_kind(movement, self.classes.representatives[*row]);
        let rows: Vec<usize> = (first..first + count).filter(has_kind).collect();
        if rows.is_empty() {
            // Then there may be no table either: with fewer than three stones nothing is removed.
            return Ok(chunk);
        }
        let mut removal = BestRemoval::new(self, movement);
        removal.read(known, first, count)?;
        let reserved = memory::reserve(&mut chunk.keys, rows.len() * self.columns[0].count());
        reserved.map_err(|why| SolveError::refused(unit, why))?;
        for row in rows {
            let own = self.classes.representatives[row];
            let begin = chunk.keys.len();
            removal.row::<I>(own, row - first, &mut chunk.keys);
            let mut seen = [false; 256];
            for key in &chunk.keys[begin..] {
                seen[usize::from(*key)] = true;
            }
            let mut present = [0; 4];
            for (key, seen) in seen.into_iter().enumerate() {
                present[key >> 6] |= u64::from(seen) << (key & 63);
            }
            chunk.rows.push((row as u32, present));
        }
        Ok(chunk)
    }

    /// Whether some stone can have been the last to move in a turn of this kind.
    pub(super) fn has_kind(&self, movement: &Movement, own: u32) -> bool {
        self.kind == 0 || Points(own).any(|p| movement.kind(p, own, false) == self.kind)
    }
}
