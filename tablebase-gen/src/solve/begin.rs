//! The first layer: what is over before any turn, and rows made ready.

use super::{
    isa::Isa,
    layout::{clear_bit, has_bit, set_bit, set_first},
    moves::{Movement, Row},
    step::{Group, Scratch, Step},
};
use millrace_engine::{
    board::Points,
    rules::{Blocked, BoardFull},
};
use smallvec::SmallVec;

impl Step<'_> {
    /// Decides what is over before any turn, and makes the row ready.
    #[inline(always)]
    pub fn begin<I: Isa>(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let (layout, movement) = (self.layout, self.movement);
        let columns = layout.columns.count();
        let row = Row::new(movement, layout.classes.representatives[group.first + nth]);
        let cells = &mut group.cells[nth * columns..][..columns];
        scratch.decided.clear();
        let lined =
            |index: u32| movement.line_wins && !movement.lineless(I::deposit(index, row.free));
        let over = movement.line_wins && !movement.lineless(row.opponent);
        group.left[nth] = if over { 0 } else { columns as u32 };
        // Only under `line_wins` are there positions to be looked at one by one.
        let looked_at = if movement.line_wins { columns } else { 0 };
        for (index, cell) in layout.columns.indices.iter().zip(&mut cells[..looked_at]) {
            if lined(*index) {
                *cell = super::cell::NONE;
                group.left[nth] -= u32::from(!over);
            } else if over {
                *cell = self.cell;
                scratch.decided.push(*index);
            }
        }
        if over {
            return;
        }
        if self.wings.is_some() {
            self.begin_flying(group, nth, scratch);
        } else {
            self.begin_bits::<I>(group, nth, scratch);
        }
    }

    #[inline(always)]
    fn begin_flying(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let columns = &self.layout.columns;
        let Some((wings, mut at)) = self.wings.zip(self.fly(group, nth)) else { return };
        if columns.width > u32::from(self.layout.sector.own) {
            wings.begin(&mut at.group);
            return;
        }
        // The board is full: the row's one position is over.
        if self.movement.board_full == BoardFull::Loses {
            at.cells[0] = self.cell;
            scratch.decided.extend(&columns.indices);
        }
        group.left[nth] = 0;
    }

    #[inline(always)]
    fn begin_bits<I: Isa>(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let (layout, movement) = (self.layout, self.movement);
        let (words, after) = (layout.columns.words(), layout.words_after());
        let row = Row::new(movement, layout.classes.representatives[group.first + nth]);
        let cells = &mut group.cells[nth * layout.columns.count()..][..layout.columns.count()];
        for rows in &mut group.open {
            let (slid, put) = rows[nth * after..][..after].split_at_mut(words);
            set_first(slid, layout.columns.count());
            if let Some(placed) = &layout.placed {
                set_first(put, placed.count());
            }
        }
        let undecided = &mut group.undecided[nth * words..][..words];
        set_first(undecided, layout.columns.count());
        if movement.line_wins {
            for (column, _) in cells.iter().enumerate().filter(|(_, c)| **c == super::cell::NONE) {
                clear_bit(undecided, column);
            }
        }
        if movement.places {
            return;
        }
        stuck(movement, &row, self.layout.sector.own.into(), &mut |own| {
            let index = I::extract(own, row.free);
            if has_bit(undecided, layout.columns.rank(index)) {
                scratch.decided.push(index);
            }
        });
        let stuck = scratch.decided.len() as u32;
        for index in &scratch.decided {
            clear_bit(undecided, layout.columns.rank(*index));
        }
        let passing = self.settle_stuck::<I>(undecided, &row, &mut scratch.decided);
        group.left[nth] = group.left[nth] + passing - stuck;
        for index in &scratch.decided {
            cells[layout.columns.rank(*index)] = self.cell;
        }
    }

    /// Of positions without a turn, keeps as decided those that are lost, puts back those that
    /// pass, and leaves the drawn ones out. Returns how many pass.
    fn settle_stuck<I: Isa>(&self, undecided: &mut [u64], row: &Row, stuck: &mut Vec<u32>) -> u32 {
        let movement = self.movement;
        let mut passing = 0;
        stuck.retain(|index| {
            let own = I::deposit(*index, row.free);
            let empty = row.free & !own;
            if empty == 0 {
                return movement.board_full == BoardFull::Loses;
            }
            let can_pass = movement.opponent_is_free || movement.can_slide(row.opponent, empty);
            if movement.blocked == Blocked::Passes && can_pass {
                set_bit(undecided, self.layout.columns.rank(*index));
                passing += 1;
            }
            movement.blocked == Blocked::Loses
        });
        passing
    }
}

/// Calls `found` with every set of so many stones, on free points of a row, that cannot slide.
///
/// A stone that cannot slide has no empty neighbour; so the set holds, with every stone, all free
/// points that can be reached from it: it is a union of connected parts of the free points.
fn stuck(movement: &Movement, row: &Row, stones: u32, found: &mut dyn FnMut(u32)) {
    let mut parts: SmallVec<[u32; 24]> = SmallVec::new();
    let mut left = row.free;
    while left != 0 {
        let (mut part, mut edge) = (0, left & left.wrapping_neg());
        while edge != 0 {
            part |= edge;
            let near = Points(edge).fold(0, |near, point| near | movement.geometry.joined[point]);
            edge = near & row.free & !part;
        }
        left &= !part;
        if part.count_ones() <= stones {
            parts.push(part);
        }
    }
    unions(&parts, 0, stones, found);
}

/// Calls `found` with the union of `set` and some of the parts, wherever these have `stones`
/// points together.
fn unions(parts: &[u32], set: u32, stones: u32, found: &mut dyn FnMut(u32)) {
    if stones == 0 {
        found(set);
        return;
    }
    for (nth, part) in parts.iter().enumerate() {
        let points = part.count_ones();
        if points <= stones {
            unions(&parts[nth + 1..], set | part, stones - points, found);
        }
    }
}
