//! The best removal after a mill has been closed, for whole rows.

use super::{
    Known, SolveError, cell,
    external::External,
    isa::{Bytes, HAVING, Isa},
    moves::Movement,
};
use millrace_engine::{board::Points, rules::RemoveFromMill};

/// How good a cell of the opponent's is for the mover; larger is better. No two cells have the same
/// key.
pub const KEYS: [u8; 256] = {
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

/// Finds the best removal for all positions of a row.
pub struct BestRemoval<'a> {
    external: &'a External,
    movement: &'a Movement,
    /// Cells of the rows at hand after one, two … removals; for none at place 0 if need be.
    tables: Vec<Vec<u8>>,
    /// Lines that lie on the free points of the row at hand.
    lines: Vec<u32>,
    /// Keys by compact index, after [`PAD`] others; zero where the number of stones is wrong.
    keys: Vec<u8>,
}

impl<'a> BestRemoval<'a> {
    /// For the positions of one kind of turns.
    pub fn new(external: &'a External, movement: &'a Movement) -> Self {
        Self { external, movement, tables: Vec::new(), lines: Vec::new(), keys: Vec::new() }
    }

    /// Reads the tables of some rows.
    pub fn read(
        &mut self,
        known: &dyn Known,
        first: usize,
        count: usize,
    ) -> Result<(), SolveError> {
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

    /// Appends the [`KEYS`] of the `nth` row at hand: `own` are the mover's stones.
    #[inline(always)]
    pub fn row<I: Isa>(&mut self, own: u32, nth: usize, keys: &mut Vec<u8>) {
        let width = self.external.columns[0].count();
        if self.external.kind == 0 {
            let cells = &self.tables[0][nth * width..][..width];
            for cell in cells {
                keys.push(KEYS[usize::from(*cell)]);
            }
            return;
        }
        let ended = cell::decided(0).unwrap_or(cell::NONE);
        if self.movement.line_wins {
            keys.resize(keys.len() + width, KEYS[usize::from(ended)]);
            return;
        }
        let g = self.movement.geometry;
        let free = g.all & !own;
        self.lines.clear();
        for line in &g.lines[..g.line_count] {
            if line & own == 0 {
                self.lines.push(I::extract(*line, free));
            }
        }
        if self.external.kind == 1 && self.external.sectors.get(1).is_some_and(Option::is_some) {
            self.one_removal::<I>(nth, keys);
            return;
        }
        for index in &self.external.columns[0].indices {
            keys.push(self.best(*index, 0, nth));
        }
    }

    /// [`best`](Self::best) for a whole row where one stone is removed, for 64 positions at a time.
    #[inline(always)]
    fn one_removal<I: Isa>(&mut self, nth: usize, found: &mut Vec<u8>) {
        let [all, fewer, ..] = &self.external.columns[..] else { return };
        let words = (1usize << all.width).div_ceil(64);
        let mut keys = std::mem::take(&mut self.keys);
        keys.resize(PAD + 64 * words, 0);
        let row = &self.tables[1][nth * fewer.count()..][..fewer.count()];
        for (index, cell) in fewer.indices.iter().zip(row) {
            keys[PAD + *index as usize] = KEYS[usize::from(*cell)];
        }
        let rule = self.movement.remove_from_mill;
        let mut packed = [0; 64];
        for word in 0..words as u32 {
            let valid = all.in_word(word);
            if valid == 0 {
                continue;
            }
            let in_mill = self.in_mill(word);
            let mut best = Bytes([0; 64]);
            let mut may_remove = 0;
            for (bit, in_mill) in in_mill[..all.width as usize].iter().enumerate() {
                let removable = has(word, bit) & !in_mill;
                if removable == 0 {
                    continue;
                }
                may_remove |= removable;
                let fewer = (PAD + 64 * word as usize) - (1 << bit);
                if let Some(keys) = keys[fewer..].first_chunk() {
                    I::raise(&mut best, keys, removable);
                }
            }
            if rule == RemoveFromMill::IfNoOther {
                let mut none_outside = valid & !may_remove;
                while none_outside != 0 {
                    let low = none_outside.trailing_zeros();
                    none_outside &= none_outside - 1;
                    best.0[low as usize] = self.best(word * 64 + low, 0, nth);
                }
            }
            let count = I::pack(&best, valid, &mut packed);
            found.extend_from_slice(&packed[..count]);
        }
        self.keys = keys;
    }

    /// Of the positions of a word those, for each bit of their index, in which a mill through that
    /// bit protects its stones.
    #[inline(always)]
    fn in_mill(&self, word: u32) -> [u64; MAX_POINTS] {
        let mut all = [0; MAX_POINTS];
        if self.movement.remove_from_mill == RemoveFromMill::Always {
            return all;
        }
        for line in &self.lines {
            if line >> 6 & !word != 0 {
                continue;
            }
            let mut complete = !0;
            for bit in Points(*line) {
                complete &= has(word, bit);
            }
            for bit in Points(*line) {
                all[bit] |= complete;
            }
        }
        all
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
        let rule = self.movement.remove_from_mill;
        if rule == RemoveFromMill::Always {
            return opponent;
        }
        let complete = self.lines.iter().filter(|line| opponent & **line == **line);
        let outside = opponent & !complete.fold(0, |all, line| all | line);
        if outside == 0 && rule == RemoveFromMill::IfNoOther { opponent } else { outside }
    }
}

/// Of the positions of a word, those whose index has a bit.
#[inline(always)]
pub(super) fn has(word: u32, bit: usize) -> u64 {
    match bit {
        0..6 => HAVING[bit].0[0],
        _ => 0u64.wrapping_sub(u64::from(word >> (bit - 6) & 1)),
    }
}

/// Points of the largest board.
pub(super) const MAX_POINTS: usize = 24;

/// Keys in front of those with an index: a word is looked up with any one of its bits less, and
/// what that finds is of no use where the bit is not set.
const PAD: usize = 64;
