//! Which positions stand in which file, and where in it.
//!
//! This room knows numbers of stones and the board's shape; no bytes and no values. That one side's
//! table tells the other's is after the observation that the quiet turns of a side leave the
//! opponent's stones, and so the row, as they are; that of a placing phase every second ply is
//! enough follows from the same.

use crate::{
    board::{Board, Points, Symmetry},
    index::{Classes, Frame, Gather, binomial, rank},
    rules::Rules,
    sector::Sector,
};
use std::sync::OnceLock;

impl Sector {
    /// What is stored of the sector.
    pub fn coverage(self, rules: &Rules) -> Coverage {
        if !self.is_moving_phase() {
            return if self.is_before_placement(rules) {
                Coverage::Derived
            } else {
                Coverage::Whole
            };
        }
        if self.own < self.opponent {
            return Coverage::Derived;
        }
        let slides = self.own > rules.fly();
        if self.own == self.opponent && slides && two_colouring(rules.board()).is_some() {
            return Coverage::Parity;
        }
        Coverage::Whole
    }

    /// Whether all turns are placements that lead to the moving phase or to sectors that are stored:
    /// afterwards both sides have as many stones in hand.
    fn is_before_placement(self, rules: &Rules) -> bool {
        !rules.move_while_placing() && self.own_hand > self.opponent_hand
    }

    /// The sector whose file says most about this one: its own, or if it has none that of the
    /// positions after quiet turns.
    pub fn told_by(self, rules: &Rules) -> Self {
        match self.coverage(rules) {
            Coverage::Whole | Coverage::Parity => self,
            Coverage::Derived if self.is_moving_phase() => self.swapped(),
            Coverage::Derived => {
                let placed = Self { own: self.own + 1, own_hand: self.own_hand - 1, ..self };
                placed.swapped().told_by(rules)
            }
        }
    }
}

/// Which cells of a sector a file keeps. The others follow from the positions after their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All.
    Whole,
    /// Those with an even number of stones on the points of the second colour; each slide changes
    /// that number by one.
    Parity,
    /// None: all quiet turns lead into one row of another sector's table.
    Derived,
}

/// The points of the second colour, if the board's points can be coloured so that joined ones
/// differ; the first point has the first colour. Found once a process and board.
pub fn two_colouring(board: Board) -> Option<u32> {
    static FOUND: [OnceLock<Option<u32>>; Board::ALL.len()] =
        [const { OnceLock::new() }; Board::ALL.len()];
    *FOUND[board as usize].get_or_init(|| colour(board))
}

fn colour(board: Board) -> Option<u32> {
    let g = board.geometry();
    let (mut first, mut second) = (1u32, 0u32);
    loop {
        let joined = |set| Points(set).fold(0, |found, p| found | g.joined[p]);
        let next = (first | joined(second), second | joined(first));
        if next.0 & next.1 != 0 {
            return None;
        }
        if next == (first, second) {
            return (first | second == g.all).then_some(second);
        }
        (first, second) = next;
    }
}

/// A table's shape: rows are the classes of the stones of the side to move, columns the other
/// side's stones on the points that the row's representative leaves free.
pub struct Shape {
    /// The board.
    pub board: Board,
    /// The sector.
    pub sector: Sector,
    /// What is stored.
    pub coverage: Coverage,
    /// Points of the second colour; none unless the coverage is by parity.
    pub second_colour: u32,
    /// The rows.
    pub classes: &'static Classes,
    /// Cells of a row, stored or not.
    pub columns: usize,
}

impl Shape {
    /// The shape of a sector's table.
    pub fn new(rules: &Rules, sector: Sector) -> Self {
        let board = rules.board();
        let coverage = sector.coverage(rules);
        let second_colour = match coverage {
            Coverage::Parity => two_colouring(board).unwrap_or(0),
            Coverage::Whole | Coverage::Derived => 0,
        };
        let free = board.points() - usize::from(sector.own);
        Self {
            board,
            sector,
            coverage,
            second_colour,
            classes: Classes::of(board, sector.own.into()),
            columns: binomial(free, sector.opponent.into()) as usize,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.classes.count()
    }

    /// Whether the cell of a position is stored, as far as its colours tell.
    #[inline]
    pub fn keeps(&self, stones: u32) -> bool {
        (stones & self.second_colour).count_ones().is_multiple_of(2)
    }

    /// The symmetries other than the identity that keep a row's representative.
    pub fn stabiliser(&self, row: usize) -> Vec<&'static Symmetry> {
        let symmetries = self.board.symmetries();
        self.classes.stabiliser(row).skip(1).map(|s| &symmetries[s]).collect()
    }

    /// The row of these stones of the side to move.
    #[inline]
    pub fn row(&self, own: u32) -> Row {
        let frame = self.classes.frame(own);
        let free = Gather::by(self.board.all() & !frame.representative);
        Row { number: frame.class, frame, free }
    }

    /// The row of the stones of the side to move, and the column of the cell that stands for the
    /// position: of equal columns of a row the first.
    #[inline]
    pub fn locate(&self, own: u32, opponent: u32) -> (usize, usize) {
        let row = self.row(own);
        (row.number, row.column(opponent))
    }
}

/// A row of a table, and the way to its columns.
pub struct Row {
    /// Its number.
    pub number: usize,
    /// What brings the stones to the row's representative.
    frame: Frame,
    /// The points that the representative leaves free.
    free: Gather,
}

impl Row {
    /// The column of these stones of the other side; of equal ones the first.
    #[inline]
    pub fn column(&self, opponent: u32) -> usize {
        rank(self.free.set(self.frame.image(opponent))) as usize
    }
}

/// How a table is cut into blocks. A block is some whole rows, or an equal part of one row (the
/// last part may be smaller).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Rows of a block; 1 if rows have parts.
    pub rows_per_block: u32,
    /// Parts of a row; 1 if blocks have several rows.
    pub parts_per_row: u32,
}

/// How one row is cut.
#[derive(Clone, Copy)]
pub struct RowCut {
    /// The block of its first cell.
    block: usize,
    /// The place of its first cell there.
    start: usize,
    /// Columns of each of its blocks.
    width: u32,
}

impl RowCut {
    /// The block of a column, and the column's place in it.
    #[inline(always)]
    pub fn find(&self, column: usize) -> (usize, usize) {
        let column = column as u32;
        let (block, place) = (column / self.width, column % self.width);
        (self.block + block as usize, self.start + place as usize)
    }
}

/// Cells that a block has at most, so that its bytes can be counted in sixteen bits.
pub const MOST_CELLS: usize = 16_000;

/// A range of cells of a table: the columns `first..end` of each of some rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its first row.
    pub row: usize,
    /// Its rows.
    pub rows: usize,
    /// Its first column.
    pub first: usize,
    /// The column after its last one.
    pub end: usize,
}

impl Block {
    /// Columns of each row.
    pub fn width(&self) -> usize {
        self.end - self.first
    }

    /// All its cells.
    pub fn cells(&self) -> usize {
        self.rows * self.width()
    }
}

impl Cut {
    /// Whether a table of this shape can be cut so.
    pub fn fits(self, shape: &Shape) -> bool {
        let (rows, parts) = (self.rows_per_block as usize, self.parts_per_row as usize);
        (rows == 1 || parts == 1)
            && (1..=shape.rows()).contains(&rows)
            && (1..=shape.columns).contains(&parts)
            && rows * self.width(shape) <= MOST_CELLS
            && (parts - 1) * self.width(shape) < shape.columns
    }

    /// Columns of a part.
    #[inline]
    pub fn width(self, shape: &Shape) -> usize {
        shape.columns.div_ceil(self.parts_per_row as usize)
    }

    /// Number of blocks.
    pub fn blocks(self, shape: &Shape) -> usize {
        shape.rows().div_ceil(self.rows_per_block as usize) * self.parts_per_row as usize
    }

    /// How a row is cut.
    #[inline]
    pub fn row(self, shape: &Shape, row: usize) -> RowCut {
        let (rows, parts) = (self.rows_per_block as usize, self.parts_per_row as usize);
        if parts == 1 {
            let start = row % rows * shape.columns;
            return RowCut { block: row / rows, start, width: u32::MAX };
        }
        RowCut { block: row * parts, start: 0, width: self.width(shape) as u32 }
    }

    /// The block of a cell, and the cell's place in it.
    #[inline]
    pub fn find(self, shape: &Shape, row: usize, column: usize) -> (usize, usize) {
        self.row(shape, row).find(column)
    }

    /// The row and column of a cell of a block, by its place there. Undoes [`find`](Self::find).
    pub fn cell(self, shape: &Shape, block: usize, place: usize) -> (usize, usize) {
        let block = self.block(shape, block);
        (block.row + place / block.width(), block.first + place % block.width())
    }

    /// The cells of a block.
    pub fn block(self, shape: &Shape, number: usize) -> Block {
        let (rows, parts) = (self.rows_per_block as usize, self.parts_per_row as usize);
        let row = number / parts * rows;
        let first = number % parts * self.width(shape);
        Block {
            row,
            rows: rows.min(shape.rows() - row),
            first,
            end: (first + self.width(shape)).min(shape.columns),
        }
    }
}
