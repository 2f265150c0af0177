//! Writing one sector's published files.

use super::{
    cells::{BlockCells, Cells, Origin},
    error::PackError,
    sample::{distance_model, wdl_model},
    transpose::Transposed,
};
use crate::{
    archive::{NewArchive, Unpacked, archive_name, write_archive},
    file::{CellKind, FileError, Part},
    solve::SectorTable,
    threads::start,
};
use millrace_engine::{
    Rules,
    table::{
        Block, Coverage, Cut, Header, Kind, MOST_CELLS, PAGE, Shape,
        codec::{coder::Encoder, context::UNKNOWN, distance::DistanceModel, model::Model},
        file_name,
    },
};
use std::{
    collections::BTreeMap,
    io::{self, Seek, SeekFrom, Write},
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    thread,
};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Stored cells of a block: few, so that one is soon found.
const READING: usize = 4096;

/// How to pack.
pub struct PackSettings<'a> {
    /// The rules.
    pub rules: Rules,
    /// The folder for the files.
    pub out: PathBuf,
    /// Whether distances are packed too, if the tables have them.
    pub distances: bool,
    /// Threads, at least 1.
    pub threads: usize,
    /// Set to stop within a moment.
    pub stop: &'a AtomicBool,
}

/// What came of a sector: bytes of its files, of wins, draws and losses and of distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// Cells stored.
    pub cells: u64,
    /// Bytes of the file of wins, draws and losses.
    pub wdl_bytes: u64,
    /// Bytes of the file of distances.
    pub distance_bytes: u64,
}

/// How a table is cut.
fn cut(shape: &Shape) -> Cut {
    let kept = if shape.coverage == Coverage::Parity { shape.columns / 2 } else { shape.columns };
    if kept * 2 <= READING {
        let rows = (READING / kept.max(1)).min(MOST_CELLS / shape.columns).clamp(1, shape.rows());
        return Cut { rows_per_block: rows as u32, parts_per_row: 1 };
    }
    let parts = (kept as f64 / READING as f64).round() as usize;
    let parts = parts.max(shape.columns.div_ceil(MOST_CELLS)).max(1);
    // So that no part is empty: of parts as wide as these, fewer may be enough.
    let parts = shape.columns.div_ceil(shape.columns.div_ceil(parts));
    Cut { rows_per_block: 1, parts_per_row: parts as u32 }
}

/// The models of a sector.
struct Models {
    wdl: Model,
    distances: Option<DistanceModel>,
}

/// The models that fit a sector.
fn models(
    shape: &Shape,
    cut: Cut,
    cells: &mut Cells,
    with_distances: bool,
    stop: &AtomicBool,
) -> Result<Models, PackError> {
    let wdl = wdl_model(shape, cut, cells, stop)?;
    let distances = match with_distances {
        true => Some(distance_model(shape, cut, cells, stop)?),
        false => None,
    };
    Ok(Models { wdl, distances })
}

/// A page of both files, ready to be stored.
#[derive(Default)]
struct Page {
    wdl: PagePart,
    distances: PagePart,
    /// Stored cells that are drawn, lost and won.
    counts: [u64; 3],
    /// Greatest distances of wins and of losses, plus one.
    longest: [u16; 2],
}

#[derive(Default)]
struct PagePart {
    bytes: Vec<u8>,
    lengths: Vec<u16>,
    /// What the digest is of.
    cells: Vec<u8>,
}

/// Packs a solved sector. `source` is the digest of its table.
///
/// # Errors
/// If a file cannot be written, or it was told to stop. Nothing is left of the files then.
pub fn pack_sector(
    settings: &PackSettings,
    table: &SectorTable,
    kind: CellKind,
    source: u128,
) -> Result<Packed, PackError> {
    let shape = Shape::new(&settings.rules, table.sector);
    let transposed = Transposed::new(table, &shape)?;
    let with_distances = settings.distances && kind == CellKind::Distance;
    pack_cells(settings, &shape, Origin::Solved(&transposed, kind), with_distances, source)
}

/// Makes the file that was archived: the same bytes as out of the solved table, if the models are
/// found by the same version of the program.
///
/// # Errors
/// As [`pack_sector`].
pub fn pack_archived(settings: &PackSettings, archive: &Unpacked) -> Result<Packed, PackError> {
    let shape = Shape::new(&settings.rules, archive.head.sector);
    pack_cells(settings, &shape, Origin::Archived(archive), false, archive.head.source)
}

/// Archives a solved sector.
///
/// # Errors
/// If the file cannot be written, or it was told to stop. Nothing is left of the file then.
pub fn archive_sector(
    settings: &PackSettings,
    table: &SectorTable,
    kind: CellKind,
    source: u128,
) -> Result<Packed, PackError> {
    let shape = Shape::new(&settings.rules, table.sector);
    let transposed = Transposed::new(table, &shape)?;
    let mut cells = Cells::new(Origin::Solved(&transposed, kind));
    let mut values = BlockCells::default();
    let path = settings.out.join(archive_name(&settings.rules, table.sector));
    let new = NewArchive { rules: &settings.rules, shape: &shape, source };
    let row = |row: usize, given: &mut Vec<u8>| {
        cells.block(&Block { row, rows: 1, first: 0, end: shape.columns }, &mut values);
        given.clone_from(&values.wdl);
    };
    let (head, wdl_bytes) = write_archive(&path, &new, row, settings.stop)?;
    Ok(Packed { cells: head.counts.iter().sum(), wdl_bytes, distance_bytes: 0 })
}

fn pack_cells(
    settings: &PackSettings,
    shape: &Shape,
    origin: Origin,
    with_distances: bool,
    source: u128,
) -> Result<Packed, PackError> {
    let cut = cut(shape);
    let mut cells = Cells::new(origin);
    let models = models(shape, cut, &mut cells, with_distances, settings.stop)?;
    let header = |kind, model: &[u8]| Header {
        rules: settings.rules,
        sector: shape.sector,
        kind,
        cut,
        counts: [0; 3],
        longest: [None; 2],
        source,
        digest: 0,
        model_length: model.len() as u32,
        blocks: cut.blocks(shape) as u32,
        index_offset: 0,
    };
    let model = models.wdl.encode();
    let mut wdl = NewFile::create(settings, header(Kind::Wdl, &model), &model)?;
    let mut distances = match &models.distances {
        Some(trees) => {
            let model = trees.encode();
            Some(NewFile::create(settings, header(Kind::Distance, &model), &model)?)
        }
        None => None,
    };
    let make_page = |page: usize| encode_page(shape, cut, &models, &mut Cells::new(origin), page);
    let pages = cut.blocks(shape).div_ceil(PAGE);
    in_order(settings, pages, make_page, |page: Page| {
        wdl.add(&page.wdl, &page)?;
        distances.as_mut().map_or(Ok(()), |file| file.add(&page.distances, &page))
    })?;
    // The distances first: whoever sees the values can count on them being there.
    let distance_bytes = distances.map_or(Ok(0), NewFile::finish)?;
    let cells = wdl.header.counts.iter().sum();
    Ok(Packed { cells, wdl_bytes: wdl.finish()?, distance_bytes })
}

fn encode_page(shape: &Shape, cut: Cut, models: &Models, cells: &mut Cells, page: usize) -> Page {
    let mut made = Page::default();
    let mut values = BlockCells::default();
    let last = cut.blocks(shape).min((page + 1) * PAGE);
    for number in page * PAGE..last {
        let block = cut.block(shape, number);
        cells.block(&block, &mut values);
        let mut encoder = Encoder::default();
        models.wdl.code(shape, &block, &mut values.wdl, &mut encoder);
        made.wdl.add(encoder.finish());
        for (cell, plies) in values.wdl.iter().zip(&values.plies) {
            if *cell == UNKNOWN {
                continue;
            }
            made.wdl.cells.push(*cell);
            made.distances.cells.push(*plies);
            made.counts[usize::from(*cell)] += 1;
            if let Some(longest) = made.longest.get_mut(usize::from(2 - *cell)) {
                *longest = (*longest).max(u16::from(*plies) + 1);
            }
        }
        if let Some(trees) = &models.distances {
            let mut encoder = Encoder::default();
            trees.code(shape, &block, &values.wdl, &mut values.plies, &mut encoder);
            made.distances.add(encoder.finish());
        }
    }
    made
}

impl PagePart {
    fn add(&mut self, block: Vec<u8>) {
        let length = u16::try_from(block.len()).expect("a block's cells are few enough");
        self.lengths.push(length);
        self.bytes.extend(block);
    }
}

/// Makes pages on all threads and hands them to `take` in order.
fn in_order<P: Send>(
    settings: &PackSettings,
    pages: usize,
    make: impl Fn(usize) -> P + Sync,
    mut take: impl FnMut(P) -> Result<(), FileError>,
) -> Result<(), PackError> {
    let threads = settings.threads.min(pages).max(1);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::sync_channel(threads);
    thread::scope(|scope| {
        let (next, make) = (&next, &make);
        let workers = start(scope, threads, || {
            let sender = sender.clone();
            move || {
                while !settings.stop.load(Relaxed) {
                    let page = next.fetch_add(1, Relaxed);
                    if page >= pages || sender.send((page, make(page))).is_err() {
                        break;
                    }
                }
            }
        });
        workers.map_err(|e| FileError::io(&settings.out, e))?;
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (number, page) in receiver {
            early.insert(number, page);
            while let Some(page) = early.remove(&due) {
                // An error drops the receiver, which ends the threads.
                take(page)?;
                due += 1;
            }
        }
        if due < pages { Err(PackError::Stopped) } else { Ok(()) }
    })
}

/// A file on its way.
struct NewFile {
    part: Part,
    path: PathBuf,
    header: Header,
    head_and_model: usize,
    model: Vec<u8>,
    offset: u64,
    pages: Vec<u8>,
    lengths: Vec<u8>,
    digest: Xxh3,
    longest: [u16; 2],
}

impl NewFile {
    fn create(settings: &PackSettings, header: Header, model: &[u8]) -> Result<Self, FileError> {
        let path = settings.out.join(file_name(&settings.rules, header.sector, header.kind));
        let part = Part::create(&path)?;
        let head_and_model = header.length() + model.len();
        let mut new = Self {
            part,
            path,
            header,
            head_and_model,
            model: model.to_vec(),
            offset: head_and_model as u64,
            pages: Vec::new(),
            lengths: Vec::new(),
            digest: Xxh3::new(),
            longest: [0; 2],
        };
        new.write(&vec![0; head_and_model])?;
        Ok(new)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.part.file().write_all(bytes);
        written.map_err(|e| FileError::refused(&self.path, self.offset, e))
    }

    fn add(&mut self, part: &PagePart, page: &Page) -> Result<(), FileError> {
        self.write(&part.bytes)?;
        self.pages.extend(self.offset.to_le_bytes());
        self.pages.extend(xxh3_64(&part.bytes).to_le_bytes());
        self.lengths.extend(part.lengths.iter().flat_map(|l| l.to_le_bytes()));
        self.offset += part.bytes.len() as u64;
        self.digest.update(&part.cells);
        for (sum, count) in self.header.counts.iter_mut().zip(page.counts) {
            *sum += count;
        }
        for (longest, plies) in self.longest.iter_mut().zip(page.longest) {
            *longest = (*longest).max(plies);
        }
        Ok(())
    }

    /// Writes index and head and puts the file in place; returns its bytes.
    fn finish(mut self) -> Result<u64, FileError> {
        self.header.digest = self.digest.digest128();
        self.header.index_offset = self.offset;
        if self.header.kind == Kind::Distance {
            self.header.longest = self.longest.map(|plies| plies.checked_sub(1));
        }
        let mut head = self.header.encode();
        head.extend(&self.model);
        debug_assert_eq!(head.len(), self.head_and_model);
        let mut index = std::mem::take(&mut self.pages);
        index.extend(&self.lengths);
        let mut checksum = Xxh3::new();
        checksum.update(&head);
        checksum.update(&index);
        index.extend(checksum.digest().to_le_bytes());
        self.write(&index)?;
        let size = self.offset + index.len() as u64;
        let rewound = self.part.file().seek(SeekFrom::Start(0));
        rewound.map_err(|e: io::Error| FileError::refused(&self.path, size, e))?;
        self.write(&head)?;
        let Self { part, path, .. } = self;
        part.put_in_place(&path)?;
        Ok(size)
    }
}
