//! An archive as a file: a head, one stream of bits, a checksum of both.

use super::{
    around::{CELL, TWIN},
    code::code_table,
};
use crate::{
    file::{FileError, Part},
    pack::PackError,
    sector::Sector,
    solve::Instructions,
};
use millrace_engine::{
    Rules,
    table::{
        Beginning, Fields, Mapped, Shape, Source, TableError,
        codec::{
            coder::{Decoder, Encoder},
            context::UNKNOWN,
        },
        file_stem, rules_of,
    },
};
use std::{
    io::Write,
    ops::Range,
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Bytes before the rules text.
const FIXED: usize = 96;
const BEGINNING: Beginning =
    Beginning { magic: *b"MRGARCH\n", version: 1, fixed: FIXED, form: "an archive" };
const CHECKSUM: usize = 8;

/// The name of a sector's archive.
pub fn archive_name(rules: &Rules, sector: Sector) -> String {
    format!("{}.mra", file_stem(rules, sector))
}

/// The head of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The rules.
    pub rules: Rules,
    /// The sector.
    pub sector: Sector,
    /// Cells stored that are drawn, lost and won for the side to move.
    pub counts: [u64; 3],
    /// XXH3-128 of the solver's table that it was made from.
    pub source: u128,
    /// XXH3-128 of the stored cells, a byte each.
    pub digest: u128,
}

impl Head {
    fn encode(&self, stream: usize) -> Vec<u8> {
        let text = self.rules.canonical();
        let s = self.sector;
        let mut out = BEGINNING.encode(&text);
        out.extend(self.rules.fingerprint().to_le_bytes());
        out.extend([s.own, s.opponent, s.own_hand, s.opponent_hand]);
        out.extend([0; 4]);
        out.extend(self.counts.iter().flat_map(|count| count.to_le_bytes()));
        out.extend(self.source.to_le_bytes());
        out.extend(self.digest.to_le_bytes());
        out.extend((stream as u64).to_le_bytes());
        debug_assert_eq!(out.len(), FIXED);
        out.extend(text.bytes());
        out
    }

    /// Reads the head of a whole file, and finds its stream.
    fn decode(bytes: &[u8]) -> Result<(Self, &[u8]), TableError> {
        let damaged = |what: &str| TableError::Damaged(what.to_string());
        let cut_short = || damaged("it is cut short");
        let fixed = bytes.first_chunk::<FIXED>().ok_or_else(cut_short)?;
        let head = BEGINNING.length(fixed)?;
        let (rest, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(cut_short)?;
        if xxh3_64(rest).to_le_bytes() != *checksum {
            return Err(damaged("its checksum is wrong, or it is cut short"));
        }
        let mut fields = Fields(&fixed[16..]);
        let fingerprint = fields.u64();
        let [own, opponent, own_hand, opponent_hand] = fields.take();
        let sector = Sector { own, opponent, own_hand, opponent_hand };
        fields.u32();
        let counts = [(); 3].map(|()| fields.u64());
        let source = u128::from_le_bytes(fields.take());
        let digest = u128::from_le_bytes(fields.take());
        let stream = fields.u64();
        let text = rest.get(FIXED..head).ok_or_else(cut_short)?;
        let rules = rules_of(text, fingerprint).map_err(damaged)?;
        let bits = rest.get(head..).filter(|bits| bits.len() as u64 == stream);
        let bits = bits.ok_or_else(|| damaged("its stream is not as long as it says"))?;
        Ok((Self { rules, sector, counts, source, digest }, bits))
    }
}

/// The stored cells of a table, all in memory.
pub struct Unpacked {
    /// What the archive says of itself.
    pub head: Head,
    columns: usize,
    bytes: Vec<u8>,
}

impl Unpacked {
    /// Adds some columns of a row to `cells`: 0 draw, 1 loss, 2 win, [`UNKNOWN`] where none is stored.
    pub fn add_cells(&self, row: usize, columns: Range<usize>, cells: &mut Vec<u8>) {
        let bytes = &self.bytes[row * self.columns..][columns];
        cells.extend(bytes.iter().map(|byte| stored(*byte)));
    }
}

fn stored(byte: u8) -> u8 {
    if byte & TWIN == 0 { byte & CELL } else { UNKNOWN }
}

/// The counts and the digest of a table's stored cells; `None` if `stop` was set before they were known.
fn facts(bytes: &[u8], stop: &AtomicBool) -> Option<([u64; 3], u128)> {
    let (mut counts, mut digest) = ([0; 3], Xxh3::new());
    let mut cells = Vec::new();
    for some in bytes.chunks(1 << 16) {
        if stop.load(Relaxed) {
            return None;
        }
        cells.clear();
        cells.extend(some.iter().map(|byte| stored(*byte)).filter(|cell| *cell != UNKNOWN));
        cells.iter().for_each(|cell| counts[usize::from(*cell)] += 1);
        digest.update(&cells);
    }
    Some((counts, digest.digest128()))
}

/// A sector to be archived.
pub struct NewArchive<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The shape of its table.
    pub shape: &'a Shape,
    /// XXH3-128 of the solver's table.
    pub source: u128,
}

/// Writes an archive; `give` fills in the cells of a row. Either the whole file is there and safe on
/// disk afterwards, or nothing is. Returns its head and its bytes.
///
/// # Errors
/// If the file cannot be written, or `stop` was set.
pub fn write_archive(
    path: &Path,
    new: &NewArchive,
    give: impl FnMut(usize, &mut Vec<u8>),
    stop: &AtomicBool,
) -> Result<(Head, u64), PackError> {
    let part = Part::create(path)?;
    let mut encoder = Encoder::default();
    let bytes = code_table(new.shape, &mut encoder, give, stop, Instructions::detect());
    let bytes = bytes.ok_or(PackError::Stopped)?;
    let stream = encoder.finish();
    let (counts, digest) = facts(&bytes, stop).ok_or(PackError::Stopped)?;
    let NewArchive { rules, shape, source } = *new;
    let head = Head { rules: *rules, sector: shape.sector, counts, source, digest };
    let mut file = head.encode(stream.len());
    file.extend(stream);
    file.extend(xxh3_64(&file).to_le_bytes());
    let written = part.file().write_all(&file);
    written.map_err(|e| FileError::refused(path, file.len() as u64, e))?;
    part.put_in_place(path)?;
    Ok((head, file.len() as u64))
}

/// The rules of an archive, having compared the checksum of the whole file.
///
/// # Errors
/// If the file is missing or damaged.
pub fn rules_of_archive(path: &Path) -> Result<Rules, TableError> {
    Ok(Head::decode(Mapped::open(path)?.bytes())?.0.rules)
}

/// Reads an archive's head, having compared the checksum of the whole file.
///
/// # Errors
/// If the file is missing, damaged or of other rules or another sector.
pub fn open_archive(path: &Path, rules: &Rules, sector: Sector) -> Result<Head, TableError> {
    let file = Mapped::open(path)?;
    Ok(opened(file.bytes(), rules, sector)?.0)
}

fn opened<'a>(
    bytes: &'a [u8],
    rules: &Rules,
    sector: Sector,
) -> Result<(Head, &'a [u8]), TableError> {
    let (head, stream) = Head::decode(bytes)?;
    if head.rules != *rules {
        return Err(TableError::OtherRules {
            found: head.rules.canonical(),
            wanted: rules.canonical(),
        });
    }
    if head.sector != sector {
        let what = format!("it holds sector {} under another name", head.sector);
        return Err(TableError::Damaged(what));
    }
    Ok((head, stream))
}

/// Reads a whole archive, and compares its cells with counts and digest.
///
/// # Errors
/// If the file is missing, damaged or of other rules or another sector, or `stop` was set.
pub fn read_archive(
    path: &Path,
    rules: &Rules,
    sector: Sector,
    stop: &AtomicBool,
) -> Result<Unpacked, PackError> {
    let file = Mapped::open(path)?;
    let (head, stream) = opened(file.bytes(), rules, sector)?;
    let shape = Shape::new(rules, sector);
    let mut decoder = Decoder::new(stream);
    let bytes = code_table(&shape, &mut decoder, |_, _| {}, stop, Instructions::detect());
    let bytes = bytes.ok_or(PackError::Stopped)?;
    if facts(&bytes, stop).ok_or(PackError::Stopped)? != (head.counts, head.digest) {
        let what = "its cells do not have its counts and digest".to_string();
        return Err(TableError::Damaged(what).into());
    }
    Ok(Unpacked { head, columns: shape.columns, bytes })
}
