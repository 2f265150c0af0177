//! The work of one layer on one row: from the messages that have come for it to the positions
//! that they decide.
//!
//! Positions decided in `d` plies are found from those decided in `d − 1`. A position is won as
//! soon as one turn leads to a lost one; it is lost when the last of its turns has been found to
//! lead to a won one, which is looked up in the planes of *open* turns. Rows with many messages
//! are worked on a block at a time, the others message by message; both give the same.

use super::{
    isa::{Block, Isa},
    layout::{Layout, clear_bit, has_bit, set_bit},
    moves::{Frame, Movement, Row},
};
use millrace_engine::rules::{Blocked, BoardFull};

/// The rows of one group: planes and cells.
pub struct Group<'a> {
    /// Number of its first row.
    pub first: usize,
    /// Positions that are not decided.
    pub undecided: &'a mut [Block],
    /// For each kind of turn, the positions after it that the opponent is not known to win.
    pub open: Vec<&'a mut [Block]>,
    /// The cells.
    pub cells: &'a mut [u8],
}

/// Memory that a thread uses from row to row.
pub struct Scratch {
    frame: Frame,
    planes: Vec<Vec<Block>>,
    /// Compact indices that have just been decided.
    pub decided: Vec<u32>,
    /// Messages of a group, sorted by row.
    pub sorted: Vec<u32>,
    /// Where each row's messages begin.
    pub begins: Vec<u32>,
}

impl Scratch {
    /// Fresh memory.
    pub fn new() -> Self {
        Self {
            frame: Frame::default(),
            planes: Vec::new(),
            decided: Vec::new(),
            sorted: Vec::new(),
            begins: Vec::new(),
        }
    }

    /// Sorts the messages of a group by row.
    pub fn sort(&mut self, layout: &Layout, chunks: &[Vec<u32>]) {
        let rows = layout.group_rows();
        self.begins.clear();
        self.begins.resize(rows + 1, 0);
        for message in chunks.iter().flatten() {
            self.begins[layout.message_row(*message) + 1] += 1;
        }
        for row in 0..rows {
            self.begins[row + 1] += self.begins[row];
        }
        self.sorted.clear();
        self.sorted.resize(self.begins[rows] as usize, 0);
        for message in chunks.iter().flatten() {
            let next = &mut self.begins[layout.message_row(*message)];
            self.sorted[*next as usize] = *message;
            *next += 1;
        }
        // Each begin has moved to the next one's place.
        self.begins.rotate_right(1);
        self.begins[0] = 0;
    }
}

/// One table's part in a layer.
pub struct Step<'a> {
    /// The table's shape.
    pub layout: &'a Layout,
    /// How its mover moves.
    pub movement: &'a Movement,
    /// The cell of the positions that this layer decides.
    pub cell: u8,
    /// Whether they are won.
    pub wins: bool,
}

/// From so many messages a block on, rows are worked on a block at a time.
const DENSE: usize = 1;

impl Step<'_> {
    /// Works on one row of a group; `scratch.decided` are the compact indices it has decided.
    #[inline(always)]
    pub fn row<I: Isa>(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let blocks = self.layout.blocks;
        let planes = nth * blocks..(nth + 1) * blocks;
        let begin = scratch.begins[nth] as usize;
        let end = scratch.begins[nth + 1] as usize;
        scratch.decided.clear();
        let row = Row::new(self.movement, self.layout.classes.representatives[group.first + nth]);
        let undecided = &mut group.undecided[planes.clone()];
        let dense = end - begin > DENSE * blocks;
        if self.wins {
            let messages = &scratch.sorted[begin..end];
            if dense {
                scratch.frame.fill::<I>(self.movement, &row);
                scatter(self.layout, messages, blocks, self.movement.planes(), &mut scratch.planes);
                let lost: Vec<&[Block]> = scratch.planes.iter().map(Vec::as_slice).collect();
                self.win_blocks::<I>(undecided, &scratch.frame, &lost, &mut scratch.decided);
            } else {
                self.win_each::<I>(undecided, &row, messages, &mut scratch.decided);
            }
        } else {
            let messages = &scratch.sorted[begin..end];
            for message in messages {
                let kind = Layout::message_kind(*message);
                let index = self.layout.message_index(*message);
                clear_bit(&mut group.open[kind][planes.clone()], index);
            }
            let open: Vec<&[Block]> = group.open.iter().map(|p| &p[planes.clone()]).collect();
            if dense {
                scratch.frame.fill::<I>(self.movement, &row);
                self.lose_blocks::<I>(undecided, &scratch.frame, &open, &mut scratch.decided);
            } else {
                self.lose_each::<I>(undecided, &row, &open, messages, &mut scratch.decided);
            }
        }
        let cells = &mut group.cells[nth * self.layout.columns.count()..];
        for index in &scratch.decided {
            cells[self.layout.columns.rank(*index)] = self.cell;
        }
    }

    #[inline(always)]
    fn is_placed(&self, index: u32) -> bool {
        index.count_ones() > u32::from(self.layout.sector.own)
    }

    #[inline(always)]
    fn win_each<I: Isa>(
        &self,
        undecided: &mut [Block],
        row: &Row,
        messages: &[u32],
        decided: &mut Vec<u32>,
    ) {
        for message in messages {
            let index = self.layout.message_index(*message);
            let kind = Layout::message_kind(*message);
            row.each_before::<I>(self.movement, index, kind, self.is_placed(index), |before| {
                if has_bit(undecided, before) {
                    clear_bit(undecided, before);
                    decided.push(before);
                }
            });
        }
    }

    #[inline(always)]
    fn lose_each<I: Isa>(
        &self,
        undecided: &mut [Block],
        row: &Row,
        open: &[&[Block]],
        messages: &[u32],
        decided: &mut Vec<u32>,
    ) {
        for message in messages {
            let index = self.layout.message_index(*message);
            let kind = Layout::message_kind(*message);
            row.each_before::<I>(self.movement, index, kind, self.is_placed(index), |before| {
                if has_bit(undecided, before) && !row.escapes::<I>(self.movement, open, before) {
                    clear_bit(undecided, before);
                    decided.push(before);
                }
            });
        }
    }

    #[inline(always)]
    fn win_blocks<I: Isa>(
        &self,
        undecided: &mut [Block],
        frame: &Frame,
        lost: &[&[Block]],
        decided: &mut Vec<u32>,
    ) {
        for (number, block) in undecided.iter_mut().enumerate() {
            let wanted = I::load(block);
            if I::is_zero(wanted) {
                continue;
            }
            let found = self.pull::<I>(frame, lost, number as u32, wanted);
            let new = I::and(wanted, found);
            if !I::is_zero(new) {
                take::<I>(block, wanted, new, number, decided);
            }
        }
    }

    #[inline(always)]
    fn lose_blocks<I: Isa>(
        &self,
        undecided: &mut [Block],
        frame: &Frame,
        open: &[&[Block]],
        decided: &mut Vec<u32>,
    ) {
        for (number, block) in undecided.iter_mut().enumerate() {
            let wanted = I::load(block);
            if I::is_zero(wanted) {
                continue;
            }
            let escaping = self.pull::<I>(frame, open, number as u32, wanted);
            let new = I::without(wanted, escaping);
            if !I::is_zero(new) {
                take::<I>(block, wanted, new, number, decided);
            }
        }
    }

    /// [`Frame::pull`], passes included.
    #[inline(always)]
    fn pull<I: Isa>(
        &self,
        frame: &Frame,
        planes: &[&[Block]],
        number: u32,
        wanted: I::Bits,
    ) -> I::Bits {
        let found = frame.pull::<I>(planes, number, wanted);
        if !self.movement.passes() {
            return found;
        }
        let stays = I::load(&planes[0][number as usize]);
        I::or(found, I::without(stays, frame.movable::<I>(number)))
    }

    /// Decides what is over before any turn, and leaves in the row's planes what may be decided
    /// later. `whole` and `after` are templates of all positions before and after a turn.
    #[inline(always)]
    pub fn begin<I: Isa>(
        &self,
        group: &mut Group,
        nth: usize,
        scratch: &mut Scratch,
        whole: &[Block],
        after: &[Block],
    ) {
        let (layout, movement) = (self.layout, self.movement);
        let planes = nth * layout.blocks..(nth + 1) * layout.blocks;
        let row = Row::new(movement, layout.classes.representatives[group.first + nth]);
        let cells = &mut group.cells[nth * layout.columns.count()..][..layout.columns.count()];
        scratch.decided.clear();
        for plane in &mut group.open {
            plane[planes.clone()].copy_from_slice(after);
        }
        if movement.line_wins && !movement.lineless(row.opponent) {
            scratch.decided.extend(&layout.columns.indices);
            cells.fill(self.cell);
            return;
        }
        let undecided = &mut group.undecided[planes];
        undecided.copy_from_slice(whole);
        if movement.line_wins {
            for (index, cell) in layout.columns.indices.iter().zip(cells.iter_mut()) {
                if !movement.lineless(I::deposit(*index, row.free)) {
                    clear_bit(undecided, *index);
                    *cell = super::cell::NONE;
                }
            }
        }
        if movement.places {
            return;
        }
        scratch.frame.fill::<I>(movement, &row);
        for (number, block) in undecided.iter_mut().enumerate() {
            let wanted = I::load(block);
            let stuck = I::without(wanted, scratch.frame.movable::<I>(number as u32));
            if !I::is_zero(stuck) {
                take::<I>(block, wanted, stuck, number, &mut scratch.decided);
            }
        }
        self.settle_stuck::<I>(undecided, &row, &mut scratch.decided);
        for index in &scratch.decided {
            cells[layout.columns.rank(*index)] = self.cell;
        }
    }

    /// Of positions without a turn, keeps as decided those that are lost, puts back those that
    /// pass, and leaves the drawn ones out.
    fn settle_stuck<I: Isa>(&self, undecided: &mut [Block], row: &Row, stuck: &mut Vec<u32>) {
        let movement = self.movement;
        stuck.retain(|index| {
            let own = I::deposit(*index, row.free);
            let empty = row.free & !own;
            if empty == 0 {
                return movement.board_full == BoardFull::Loses;
            }
            let can_pass = movement.opponent_is_free || movement.can_slide(row.opponent, empty);
            if movement.blocked == Blocked::Passes && can_pass {
                set_bit(undecided, *index);
            }
            movement.blocked == Blocked::Loses
        });
    }
}

/// Removes `new` from an undecided block and lists it.
#[inline(always)]
fn take<I: Isa>(
    block: &mut Block,
    wanted: I::Bits,
    new: I::Bits,
    number: usize,
    decided: &mut Vec<u32>,
) {
    I::store(block, I::without(wanted, new));
    let mut bits = Block::ZERO;
    I::store(&mut bits, new);
    for (word, mut left) in bits.0.into_iter().enumerate() {
        while left != 0 {
            decided.push((number * 512 + word * 64) as u32 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

/// Makes planes of a row's messages, one a kind.
fn scatter(
    layout: &Layout,
    messages: &[u32],
    blocks: usize,
    kinds: usize,
    planes: &mut Vec<Vec<Block>>,
) {
    planes.resize_with(kinds, Vec::new);
    for plane in planes.iter_mut() {
        plane.clear();
        plane.resize(blocks, Block::ZERO);
    }
    for message in messages {
        let plane = &mut planes[Layout::message_kind(*message)];
        set_bit(plane, layout.message_index(*message));
    }
}
