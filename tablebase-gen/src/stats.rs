//! Statistics of solved sectors, counted both up to symmetry and with every placement.

use crate::{
    check::{Mirrors, position_of},
    file::{CellKind, FileError, TableFile},
    sector::Sector,
    solve::cell,
};
use millrace_engine::{
    Rules,
    index::{Classes, column_set},
    text::{counted, fen},
};
use serde_json::{Value, json};
use std::{
    fmt::Write,
    sync::{Mutex, PoisonError},
};

/// How often each cell value occurs.
type Histogram = [u64; 256];

/// Positions by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All.
    pub positions: u64,
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
}

/// A longest win or loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest {
    /// Plies to the end.
    pub plies: u32,
    /// Such positions up to symmetry.
    pub classes: u64,
    /// Such positions, each placement counted.
    pub raw: u64,
    /// One of them, with White to move.
    pub fen: String,
}

/// Statistics of one sector.
pub struct SectorStats {
    /// The sector.
    pub sector: Sector,
    kind: CellKind,
    classes: Histogram,
    raw: Histogram,
    /// The longest win, if distances are kept and there is a win.
    pub longest_win: Option<Longest>,
    /// The longest loss, likewise.
    pub longest_loss: Option<Longest>,
}

/// What the blocks looked at so far add up to.
struct Sum {
    classes: Histogram,
    raw: Histogram,
    /// The row and column of the first win and loss among the longest seen.
    longest: [Option<(u8, usize, usize)>; 2],
}

/// Reads a table and counts.
///
/// # Errors
/// If the file is damaged or cannot be read.
pub fn sector_stats(file: &TableFile, threads: usize) -> Result<SectorStats, FileError> {
    let header = file.header();
    let (rules, sector, columns) = (&header.rules, header.sector, header.columns as usize);
    let classes = Classes::of(rules.board(), sector.opponent.into());
    let sum = Mutex::new(Sum { classes: [0; 256], raw: [0; 256], longest: [None; 2] });
    file.for_each_block(threads, |first, cells| {
        let mut block = Sum { classes: [0; 256], raw: [0; 256], longest: [None; 2] };
        for (number, row) in cells.chunks_exact(columns).enumerate() {
            block.add_row(rules, sector, first + number, row);
        }
        sum.lock().unwrap_or_else(PoisonError::into_inner).add(&block);
    })?;
    let sum = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    let example = |found: Option<(u8, usize, usize)>| {
        let (value, row, column) = found.filter(|_| header.kind == CellKind::Distance)?;
        let own = column_set(classes, row, column, sector.own.into());
        let position = position_of(rules, sector, own, classes.representative(row))?;
        Some(Longest {
            plies: cell::plies(value)?,
            classes: sum.classes[usize::from(value)],
            raw: sum.raw[usize::from(value)],
            fen: fen(rules, &position),
        })
    };
    Ok(SectorStats {
        sector,
        kind: header.kind,
        longest_win: example(sum.longest[0]),
        longest_loss: example(sum.longest[1]),
        classes: sum.classes,
        raw: sum.raw,
    })
}

impl Sum {
    fn add_row(&mut self, rules: &Rules, sector: Sector, row: usize, cells: &[u8]) {
        let mirrors = Mirrors::of(rules, sector, row);
        let orbit = rules.board().symmetries().len() / mirrors.count();
        let mut seen: Histogram = [0; 256];
        for cell in cells {
            seen[usize::from(*cell)] += 1;
        }
        for (sum, count) in self.raw.iter_mut().zip(seen) {
            *sum += count * orbit as u64;
        }
        for (place, parity) in self.longest.iter_mut().zip([0, 1]) {
            let decided = (1..=254u8).rev().filter(|v| v % 2 == parity);
            let Some(value) = decided.into_iter().find(|v| seen[usize::from(*v)] > 0) else {
                continue;
            };
            if place.is_none_or(|(longest, ..)| longest < value) {
                let column = cells.iter().position(|c| *c == value).unwrap_or(0);
                *place = Some((value, row, column));
            }
        }
        if mirrors.count() > 1 {
            seen = [0; 256];
            for (column, cell) in cells.iter().enumerate() {
                seen[usize::from(*cell)] += u64::from(mirrors.is_first(column));
            }
        }
        for (sum, count) in self.classes.iter_mut().zip(seen) {
            *sum += count;
        }
    }

    fn add(&mut self, block: &Sum) {
        for (sum, count) in self.classes.iter_mut().zip(block.classes) {
            *sum += count;
        }
        for (sum, count) in self.raw.iter_mut().zip(block.raw) {
            *sum += count;
        }
        for (mine, theirs) in self.longest.iter_mut().zip(block.longest) {
            // Blocks come in any order, but the example must always be the same.
            let rank = |l: Option<(u8, usize, usize)>| l.map(|(v, row, _)| (v, usize::MAX - row));
            if rank(theirs) > rank(*mine) {
                *mine = theirs;
            }
        }
    }
}

impl SectorStats {
    /// Positions up to symmetry, by value.
    pub fn tally(&self) -> Tally {
        self.tally_of(&self.classes)
    }

    /// Positions by value, each placement counted.
    pub fn raw_tally(&self) -> Tally {
        self.tally_of(&self.raw)
    }

    fn tally_of(&self, histogram: &Histogram) -> Tally {
        let counts = crate::file::Counts::of_histogram(self.kind, histogram);
        Tally {
            positions: counts.total() - counts.none,
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
        }
    }

    /// Positions by plies to the end: plies, up to symmetry, each placement counted. Odd plies are
    /// wins for the side to move. Empty if distances are not kept.
    pub fn by_plies(&self) -> Vec<(u32, u64, u64)> {
        if self.kind == CellKind::Wdl {
            return Vec::new();
        }
        let row = |value: u8| {
            let plies = cell::plies(value)?;
            let (classes, raw) = (self.classes[usize::from(value)], self.raw[usize::from(value)]);
            (raw > 0).then_some((plies, classes, raw))
        };
        (1..=254).filter_map(row).collect()
    }

    /// All of it as a JSON object.
    pub fn to_json(&self) -> Value {
        let (classes, raw) = (self.tally(), self.raw_tally());
        let plies = |l: &Option<Longest>| l.as_ref().map(|l| l.plies);
        let fen = |l: &Option<Longest>| l.as_ref().map(|l| l.fen.clone());
        let histogram = self.by_plies().into_iter().map(|(plies, classes, raw)| {
            json!({"plies": plies, "positions": classes, "raw_positions": raw})
        });
        json!({
            "own": self.sector.own,
            "opponent": self.sector.opponent,
            "own_hand": self.sector.own_hand,
            "opponent_hand": self.sector.opponent_hand,
            "positions": classes.positions,
            "wins": classes.wins,
            "draws": classes.draws,
            "losses": classes.losses,
            "longest_win": plies(&self.longest_win),
            "longest_loss": plies(&self.longest_loss),
            "longest_win_fen": fen(&self.longest_win),
            "longest_loss_fen": fen(&self.longest_loss),
            "raw_positions": raw.positions,
            "raw_wins": raw.wins,
            "raw_draws": raw.draws,
            "raw_losses": raw.losses,
            "histogram": histogram.collect::<Vec<_>>(),
        })
    }

    /// All of it as lines for people.
    pub fn to_text(&self) -> String {
        let line = |word: &str, t: Tally| {
            format!(
                "  {word:<15} {:>13}  W {:>13}  D {:>13}  L {:>13}\n",
                t.positions, t.wins, t.draws, t.losses
            )
        };
        let mut text = format!("sector {}\n", self.sector);
        text += &line("up to symmetry", self.tally());
        text += &line("all placements", self.raw_tally());
        let longest = [("longest win", &self.longest_win), ("longest loss", &self.longest_loss)];
        for (word, found) in longest {
            if let Some(l) = found {
                // Writing to a String cannot fail.
                let _ = writeln!(
                    text,
                    "  {word} {} ({} up to symmetry, {}): {}",
                    counted(l.plies, "ply"),
                    l.classes,
                    counted(l.raw, "placement"),
                    l.fen
                );
            }
        }
        let by_plies = self.by_plies();
        if !by_plies.is_empty() {
            text += "  placements by plies to the end:";
            for (plies, _, raw) in by_plies {
                let word = if plies % 2 == 1 { 'W' } else { 'L' };
                let _ = write!(text, " {word} {plies}:{raw}");
            }
            let _ = writeln!(text, " D:{}", self.raw_tally().draws);
        }
        text
    }
}
