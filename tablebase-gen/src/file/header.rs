//! What stands at the head of a table file.

use super::FileError;
use crate::sector::{Sector, SectorExt};
use millrace_engine::{
    Rules,
    table::{Beginning, Fields, TableError, rules_of},
};
use std::path::Path;

const BEGINNING: Beginning =
    Beginning { magic: *b"MRGWORK\n", version: 1, fixed: FIXED, form: "a table" };
/// Bytes before the rules text.
pub(super) const FIXED: usize = 120;
const NO_PLIES: u16 = u16::MAX;

/// What the cells of a table say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// Win, draw or loss and the distance; a byte each.
    Distance,
    /// Win, draw or loss; two bits each on disk.
    Wdl,
}

/// Cells of a table by value. Equal positions of one row are counted each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
    /// No position.
    pub none: u64,
    /// Plies of the longest win, if any position is won and distances are kept.
    pub longest_win: Option<u16>,
    /// Plies of the longest loss, likewise.
    pub longest_loss: Option<u16>,
}

impl Counts {
    /// Sums up how often each cell value occurs.
    pub fn of_histogram(kind: CellKind, histogram: &[u64; 256]) -> Self {
        let mut counts = Counts { draws: histogram[0], none: histogram[255], ..Self::default() };
        for (cell, number) in histogram.iter().enumerate().take(255).skip(1) {
            let won = match kind {
                CellKind::Distance => cell % 2 == 0,
                CellKind::Wdl => cell == 2,
            };
            let (sum, longest) = if won {
                (&mut counts.wins, &mut counts.longest_win)
            } else {
                (&mut counts.losses, &mut counts.longest_loss)
            };
            *sum += number;
            if *number > 0 && kind == CellKind::Distance {
                *longest = Some(cell as u16 - 1);
            }
        }
        counts
    }

    /// All cells.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses + self.none
    }
}

/// The head of a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules.
    pub rules: Rules,
    /// The sector.
    pub sector: Sector,
    /// What the cells say.
    pub kind: CellKind,
    /// Rows of the table.
    pub rows: u64,
    /// Cells of a row.
    pub columns: u64,
    /// XXH3-128 of all cells as bytes, row by row.
    pub digest: u128,
    /// Cells by value.
    pub counts: Counts,
    /// Rows of a block; the last one may have fewer.
    pub block_rows: u32,
    /// Blocks of the file.
    pub blocks: u32,
    /// Where the index of blocks begins.
    pub index_offset: u64,
}

impl Header {
    /// Bytes of the head in a file of these rules.
    pub(super) fn length(rules: &Rules) -> usize {
        FIXED + rules.canonical().len()
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let text = self.rules.canonical();
        let mut out = BEGINNING.encode(&text);
        out.extend(self.rules.fingerprint().to_le_bytes());
        let s = self.sector;
        out.extend([s.own, s.opponent, s.own_hand, s.opponent_hand]);
        out.extend([self.kind.code(), 0, 0, 0]);
        out.extend(self.rows.to_le_bytes());
        out.extend(self.columns.to_le_bytes());
        out.extend(self.digest.to_le_bytes());
        let c = &self.counts;
        for count in [c.wins, c.draws, c.losses, c.none] {
            out.extend(count.to_le_bytes());
        }
        for longest in [c.longest_win, c.longest_loss] {
            out.extend(longest.unwrap_or(NO_PLIES).to_le_bytes());
        }
        out.extend(self.block_rows.to_le_bytes());
        out.extend(self.blocks.to_le_bytes());
        out.extend([0; 4]);
        out.extend(self.index_offset.to_le_bytes());
        out.extend(text.bytes());
        out
    }

    /// The bytes of the whole head, from its first [`FIXED`] bytes.
    pub(super) fn announced_length(path: &Path, fixed: &[u8; FIXED]) -> Result<usize, FileError> {
        BEGINNING.length(fixed).map_err(|error| match error {
            TableError::Damaged(what) => FileError::damaged(path, what),
            other => FileError::damaged(path, other.to_string()),
        })
    }

    /// Reads a head whose checksum is right.
    pub(super) fn decode(path: &Path, bytes: &[u8]) -> Result<Header, FileError> {
        let damaged = |what: &str| FileError::damaged(path, what);
        let mut fields = Fields(&bytes[16..]);
        let fingerprint = fields.u64();
        let [own, opponent, own_hand, opponent_hand] = fields.take();
        let sector = Sector { own, opponent, own_hand, opponent_hand };
        let [kind, ..] = fields.take::<4>();
        let (rows, columns) = (fields.u64(), fields.u64());
        let digest = u128::from_le_bytes(fields.take());
        let [wins, draws, losses, none] = [(); 4].map(|()| fields.u64());
        let [longest_win, longest_loss] =
            [(); 2].map(|()| Some(u16::from_le_bytes(fields.take())).filter(|p| *p != NO_PLIES));
        let (block_rows, blocks) = (fields.u32(), fields.u32());
        fields.u32();
        let index_offset = fields.u64();

        let rules = rules_of(&bytes[FIXED..], fingerprint).map_err(damaged)?;
        let kind =
            CellKind::of_code(kind).ok_or_else(|| damaged("its kind of cells is unknown"))?;
        if !sector.has_play(&rules)
            || rows != sector.rows(rules.board())
            || columns != sector.columns(rules.board())
        {
            return Err(damaged("its sector and its size disagree"));
        }
        if block_rows == 0 || u64::from(blocks) != rows.div_ceil(block_rows.into()) {
            return Err(damaged("its number of blocks is wrong"));
        }
        let counts = Counts { wins, draws, losses, none, longest_win, longest_loss };
        Ok(Header {
            rules,
            sector,
            kind,
            rows,
            columns,
            digest,
            counts,
            block_rows,
            blocks,
            index_offset,
        })
    }

    /// Rows of a block.
    pub(super) fn rows_of_block(&self, block: usize) -> usize {
        let before = block as u64 * u64::from(self.block_rows);
        u64::from(self.block_rows).min(self.rows - before) as usize
    }
}

impl CellKind {
    fn code(self) -> u8 {
        match self {
            CellKind::Distance => 1,
            CellKind::Wdl => 2,
        }
    }

    fn of_code(code: u8) -> Option<Self> {
        [CellKind::Distance, CellKind::Wdl].into_iter().find(|k| k.code() == code)
    }
}
