//! Tables of a side that flies.
//!
//! A flying stone goes from anywhere to anywhere, so that a turn is seen as two halves: a stone is
//! lifted, and one is set down. What matters of a position is its *frames*, the sets that are left
//! when one stone is lifted. All positions around a frame share its ways of setting the stone
//! down; each frame is gone through a few times in all, however many positions decide it.

use super::{
    cell,
    isa::Isa,
    layout::{Columns, Layout},
    moves::{Movement, Row},
};
use millrace_engine::board::Points;

/// What is fixed about a flying side's table.
pub struct Wings {
    /// The frames: columns with one stone fewer.
    frames: Columns,
}

/// The state of some rows.
pub struct FlyingGroup<'a> {
    /// For each frame, the points (as compact bits) where a stone may be set down without the
    /// opponent being known to win.
    pub open: &'a mut [u32],
    /// For each frame, where setting a stone down wins: 0 nowhere, a point's number + 1, or
    /// [`ANYWHERE`].
    pub winning: &'a mut [u8],
}

/// Setting a stone down wins at two points at least, so that every position around the frame is
/// won.
const ANYWHERE: u8 = u8::MAX;

/// The cell of a position that is not decided yet. A draw, if it stays so.
const UNDECIDED: u8 = cell::DRAW;

/// One row at work.
pub struct FlyingRow<'a> {
    /// The table's shape.
    pub layout: &'a Layout,
    /// How its mover moves.
    pub movement: &'a Movement,
    /// The row.
    pub row: Row,
    /// Its state.
    pub group: FlyingGroup<'a>,
    /// Its cells.
    pub cells: &'a mut [u8],
    /// The cell of what is decided now.
    pub cell: u8,
}

impl Wings {
    /// The wings of a table's mover.
    pub fn new(layout: &Layout) -> Self {
        let own = u32::from(layout.sector.own);
        Self { frames: Columns::new(layout.columns.width, own - 1) }
    }

    /// Frames of a row.
    pub fn frames(&self) -> usize {
        self.frames.count()
    }

    /// Opens all ways of setting a stone down around each frame of a row.
    pub fn begin(&self, group: &mut FlyingGroup) {
        let all = (1 << self.frames.width) - 1;
        for (open, frame) in group.open.iter_mut().zip(&self.frames.indices) {
            *open = all & !frame;
        }
    }

    /// Positions have been decided, after a turn of this kind, so that the mover of this row wins
    /// by reaching them.
    #[inline(always)]
    pub fn win<I: Isa>(&self, at: &mut FlyingRow, message: u32, decided: &mut Vec<u32>) {
        let (index, kind) = (at.layout.message_index(message), Layout::message_kind(message));
        for set in Points(index) {
            let frame = index & !(1 << set);
            if at.kind::<I>(set, frame) != kind {
                continue;
            }
            let winning = &mut at.group.winning[self.frames.rank(frame)];
            let here = set as u8 + 1;
            let reached = match *winning {
                0 => {
                    *winning = here;
                    at.ground() & !index
                }
                known if known == here || known == ANYWHERE => continue,
                known => {
                    *winning = ANYWHERE;
                    1 << (known - 1)
                }
            };
            for lifted in Points(reached) {
                at.decide(frame | 1 << lifted, decided);
            }
        }
    }

    /// Positions have been decided, after a turn of this kind, as won for the opponent.
    #[inline(always)]
    pub fn close<I: Isa>(&self, at: &mut FlyingRow, message: u32, touched: &mut Vec<u32>) {
        let (index, kind) = (at.layout.message_index(message), Layout::message_kind(message));
        for set in Points(index) {
            let frame = index & !(1 << set);
            if at.kind::<I>(set, frame) != kind {
                continue;
            }
            let open = &mut at.group.open[self.frames.rank(frame)];
            if *open >> set & 1 == 1 {
                *open &= !(1 << set);
                // One way left may be the position's own point, which is no turn.
                if open.count_ones() <= 1 {
                    touched.push(frame);
                }
            }
        }
    }

    /// Decides the lost ones among the positions around some frames.
    #[inline(always)]
    pub fn lose(&self, at: &mut FlyingRow, touched: &[u32], decided: &mut Vec<u32>) {
        for frame in touched {
            let open = at.group.open[self.frames.rank(*frame)];
            let around = if open == 0 { at.ground() & !frame } else { open };
            for lifted in Points(around) {
                let index = frame | 1 << lifted;
                if at.is_undecided(index) && !self.escapes(at, index) {
                    at.decide(index, decided);
                }
            }
        }
    }

    #[inline(always)]
    fn escapes(&self, at: &FlyingRow, index: u32) -> bool {
        Points(index).any(|lifted| {
            let open = at.group.open[self.frames.rank(index & !(1 << lifted))];
            open & !(1 << lifted) != 0
        })
    }
}

impl FlyingRow<'_> {
    /// All points of the row, as compact bits.
    #[inline(always)]
    fn ground(&self) -> u32 {
        (1 << self.layout.columns.width) - 1
    }

    /// The kind of the turn that sets a stone down at a point (as a compact number).
    #[inline(always)]
    fn kind<I: Isa>(&self, set: usize, frame: u32) -> usize {
        let point = I::deposit(1 << set, self.row.free).trailing_zeros() as usize;
        let others = I::deposit(frame, self.row.free);
        self.movement.kind(point, others, self.row.no_target)
    }

    #[inline(always)]
    fn is_undecided(&self, index: u32) -> bool {
        self.cells[self.layout.columns.rank(index)] == UNDECIDED
    }

    #[inline(always)]
    fn decide(&mut self, index: u32, decided: &mut Vec<u32>) {
        let cell = &mut self.cells[self.layout.columns.rank(index)];
        if *cell == UNDECIDED {
            *cell = self.cell;
            decided.push(index);
        }
    }
}
