//! The best removal after a mill has been closed, for whole rows.

use super::{
    Known, SolveError, cell,
    external::External,
    isa::{HAVING, Isa},
    moves::Movement,
};
use millrace_engine::{board::Points, rules::RemoveFromMill};

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

    /// Appends the cells of the `nth` row at hand: `own` are the mover's stones.
    #[inline(always)]
    pub fn row<I: Isa>(&mut self, own: u32, nth: usize, cells: &mut Vec<u8>) {
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
        if self.external.kind == 1 && self.external.sectors.get(1).is_some_and(Option::is_some) {
            self.one_removal(nth, cells);
            return;
        }
        for index in &self.external.columns[0].indices {
            cells.push(CELLS[usize::from(self.best(*index, 0, nth))]);
        }
    }

    /// [`best`](Self::best) for a whole row where one stone is removed: 64 positions at a time,
    /// of which those are looked at again in which a mill protects stones.
    #[inline(always)]
    fn one_removal(&mut self, nth: usize, cells: &mut Vec<u8>) {
        let [all, fewer, ..] = &self.external.columns[..] else { return };
        let words = (1usize << all.width).div_ceil(64);
        let mut keys = std::mem::take(&mut self.keys);
        keys.resize(PAD + 64 * words, 0);
        let row = &self.tables[1][nth * fewer.count()..][..fewer.count()];
        for (index, cell) in fewer.indices.iter().zip(row) {
            keys[PAD + *index as usize] = KEYS[usize::from(*cell)];
        }
        for word in 0..words as u32 {
            let mut valid = all.in_word(word);
            if valid == 0 {
                continue;
            }
            let best = best_of_word(&keys, word);
            let protected = self.protected(word);
            while valid != 0 {
                let low = valid.trailing_zeros();
                valid &= valid - 1;
                let key = match protected >> low & 1 {
                    0 => best[low as usize],
                    _ => self.best(word * 64 + low, 0, nth),
                };
                cells.push(CELLS[usize::from(key)]);
            }
        }
        self.keys = keys;
    }

    /// Of the positions with these high bits, those in which a stone stands in a mill and may
    /// therefore be protected.
    #[inline(always)]
    fn protected(&self, word: u32) -> u64 {
        if self.movement.remove_from_mill == RemoveFromMill::Always {
            return 0;
        }
        let possible = self.lines.iter().filter(|line| *line >> 6 & !word == 0);
        possible.fold(0, |all, line| {
            all | Points(line & 63).fold(!0, |word, bit| word & HAVING[bit].0[0])
        })
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

/// Keys in front of those with an index, so that looking back needs no check.
const PAD: usize = 64;

/// For each of the six low index bits, all ones where a position of a word has it.
static WITH_LOW: [[u8; 64]; 6] = {
    let mut masks = [[0; 64]; 6];
    let mut bit = 0;
    while bit < 6 {
        let mut index = 0;
        while index < 64 {
            if index >> bit & 1 == 1 {
                masks[bit][index] = u8::MAX;
            }
            index += 1;
        }
        bit += 1;
    }
    masks
};

/// For each position of a word, the best key among those with one stone fewer.
#[inline(always)]
fn best_of_word(keys: &[u8], word: u32) -> [u8; 64] {
    let mut best = [0; 64];
    let begin = PAD + 64 * word as usize;
    for high in Points(word) {
        let fewer = &keys[begin - (64 << high)..][..64];
        for (best, key) in best.iter_mut().zip(fewer) {
            *best = (*best).max(*key);
        }
    }
    for (low, mask) in WITH_LOW.iter().enumerate() {
        let fewer = &keys[begin - (1 << low)..][..64];
        for ((best, key), mask) in best.iter_mut().zip(fewer).zip(mask) {
            *best = (*best).max(key & mask);
        }
    }
    best
}
