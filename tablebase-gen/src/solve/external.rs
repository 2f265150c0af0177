//! Turns that leave the unit: captures, placements, completed lines.
//!
//! What such a turn leads to is known before the unit is begun. It is kept as if it were a table of
//! the unit itself: rows are classes of the mover's stones after the turn, columns the opponent's
//! stones before any removal, cells the value for the opponent after the best removal. So a
//! capture takes part in the layers like any other turn. Computing the best removal once for each
//! position after the move, rather than once a turn, is the prototype's idea (see FORMAT.md).

use super::{
    Known, SolveError, cell,
    classes::Classes,
    isa::Isa,
    layout::{Columns, Layout},
    moves::Movement,
};
use crate::sector::Sector;
use millrace_engine::{Rules, board::Points};
use std::sync::{Arc, OnceLock};

/// How good a cell of the opponent's is for the mover; larger is better.
const KEYS: [u8; 256] = {
    let mut keys = [0; 256];
    let mut cell = 0;
    while cell < 256 {
        keys[cell] = match cell {
            0 => 128,
            // No position: nothing can be worse.
            255 => 0,
            // The opponent loses in an even number of plies: the sooner the better.
            _ if cell % 2 == 1 => 255 - ((cell - 1) / 2) as u8,
            // The opponent wins in an odd number of plies: the later the better.
            _ => (cell / 2) as u8,
        };
        cell += 1;
    }
    keys
};

/// The cell that has a key.
const CELLS: [u8; 256] = {
    let mut cells = [cell::NONE; 256];
    let mut cell = 0;
    while cell < 255 {
        cells[KEYS[cell] as usize] = cell as u8;
        cell += 1;
    }
    cells
};

/// One kind of turns out of the unit.
pub struct External {
    /// The classes of the mover's stones after the turn: the rows.
    pub classes: Arc<Classes>,
    /// The opponent's stones after `n` removals at place `n`; place 0 are the columns.
    pub columns: Vec<Columns>,
    /// The kind of the turn.
    pub kind: usize,
    /// The sector after `n` removals at place `n`; `None` where the game is over then.
    sectors: Vec<Option<Sector>>,
    /// Rows that hold anything, in chunks of [`CHUNK`] rows.
    pub chunks: Vec<OnceLock<Chunk>>,
}

/// Rows that are computed and scanned together.
pub const CHUNK: usize = 64;

/// Some rows of an [`External`].
#[derive(Default)]
pub struct Chunk {
    /// The rows that hold anything, and which cells occur in each.
    pub rows: Vec<(u32, [u64; 4])>,
    /// The cells of these rows.
    pub cells: Vec<u8>,
}

impl External {
    /// All kinds of turns that leave the unit from a sector; `makes` supplies classes by size.
    pub fn all(
        rules: &Rules,
        layout: &Layout,
        movement: &Movement,
        paired: bool,
        makes: &mut dyn FnMut(usize) -> Arc<Classes>,
    ) -> Vec<External> {
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
                found.push(Self::new(rules, after, kind, makes));
            }
        }
        found
    }

    fn new(
        rules: &Rules,
        after: Sector,
        kind: usize,
        makes: &mut dyn FnMut(usize) -> Arc<Classes>,
    ) -> Self {
        let points = rules.board().points() as u32;
        let left = |removed: usize| {
            let left = Sector { opponent: after.opponent - removed as u8, ..after };
            let over = rules.line_wins() && kind > 0;
            (!over && left.opponent + left.opponent_hand >= if rules.line_wins() { 0 } else { 3 })
                .then_some(left.swapped())
        };
        let opponent = usize::from(after.opponent);
        let most = if rules.line_wins() { 0 } else { kind.min(opponent) };
        let classes = makes(after.own.into());
        let width = points - u32::from(after.own);
        Self {
            columns: (0..=most).map(|n| Columns::new(width, (opponent - n) as u32)).collect(),
            kind,
            sectors: (0..=most).map(left).collect(),
            chunks: (0..classes.count().div_ceil(CHUNK)).map(|_| OnceLock::new()).collect(),
            classes,
        }
    }

    /// Computes one chunk.
    pub fn fill<I: Isa>(
        &self,
        movement: &Movement,
        known: &dyn Known,
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
        for row in rows {
            let own = self.classes.representatives[row];
            let begin = chunk.cells.len();
            removal.row::<I>(own, row - first, &mut chunk.cells);
            let mut present = [0; 4];
            for cell in &chunk.cells[begin..] {
                present[usize::from(cell >> 6)] |= 1 << (cell & 63);
            }
            chunk.rows.push((row as u32, present));
        }
        Ok(chunk)
    }

    /// Whether some stone can have been the last to move in a turn of this kind.
    fn has_kind(&self, movement: &Movement, own: u32) -> bool {
        self.kind == 0 || Points(own).any(|p| movement.kind(p, own, false) == self.kind)
    }
}

/// Finds the best removal for all positions of a row.
struct BestRemoval<'a> {
    external: &'a External,
    movement: &'a Movement,
    /// Cells of the rows at hand after one, two … removals; for none at place 0 if need be.
    tables: Vec<Vec<u8>>,
    /// Lines that lie on the free points of the row at hand.
    lines: Vec<u32>,
}

impl<'a> BestRemoval<'a> {
    fn new(external: &'a External, movement: &'a Movement) -> Self {
        Self { external, movement, tables: Vec::new(), lines: Vec::new() }
    }

    fn read(&mut self, known: &dyn Known, first: usize, count: usize) -> Result<(), SolveError> {
        let needed = if self.external.kind == 0 { 0..=0 } else { 1..=self.external.sectors.len() };
        for (removed, sector) in self.external.sectors.iter().enumerate() {
            let mut cells = Vec::new();
            if let Some(sector) = sector.filter(|_| needed.contains(&removed)) {
                known.rows(sector, first, count, &mut cells)?;
            }
            self.tables.push(cells);
        }
        Ok(())
    }

    /// Appends the cells of a row: `own` are the mover's stones.
    fn row<I: Isa>(&mut self, own: u32, nth: usize, cells: &mut Vec<u8>) {
        let width = self.external.columns[0].count();
        if self.external.kind == 0 {
            cells.extend_from_slice(&self.tables[0][nth * width..][..width]);
            return;
        }
        let ended = cell::decided(0).unwrap_or(cell::NONE);
        if self.movement.line_wins {
            cells.resize(cells.len() + width, ended);
            return;
        }
        let g = self.movement.geometry;
        let free = g.all & !own;
        self.lines.clear();
        let lines = g.lines[..g.line_count].iter().filter(|line| *line & own == 0);
        self.lines.extend(lines.map(|line| I::extract(*line, free)));
        for index in &self.external.columns[0].indices {
            cells.push(CELLS[usize::from(self.best(*index, 0, nth))]);
        }
    }

    /// The key of the best that the mover can still do after `done` removals.
    fn best(&self, opponent: u32, done: usize, nth: usize) -> u8 {
        let due = self.external.kind - done;
        let targets = if due == 0 { 0 } else { self.removable(opponent) };
        if targets == 0 {
            return self.after(opponent, done, nth);
        }
        let each = Points(targets).map(|stone| {
            let left = opponent & !(1 << stone);
            if due == 1 { self.after(left, done + 1, nth) } else { self.best(left, done + 1, nth) }
        });
        each.max().unwrap_or(0)
    }

    #[inline(always)]
    fn after(&self, opponent: u32, done: usize, nth: usize) -> u8 {
        if done == 0 {
            // Nothing may be removed: a quiet turn, which is no business of this kind.
            return 0;
        }
        if self.external.sectors[done].is_none() {
            return KEYS[1];
        }
        let columns = &self.external.columns[done];
        KEYS[usize::from(self.tables[done][nth * columns.count() + columns.rank(opponent)])]
    }

    /// [`Movement::removable`] for stones given as a compact index.
    fn removable(&self, opponent: u32) -> u32 {
        use millrace_engine::rules::RemoveFromMill::{Always, IfNoOther};
        let rule = self.movement.remove_from_mill;
        if rule == Always {
            return opponent;
        }
        let complete = self.lines.iter().filter(|line| opponent & **line == **line);
        let outside = opponent & !complete.fold(0, |all, line| all | line);
        if outside == 0 && rule == IfNoOther { opponent } else { outside }
    }
}
