//! Writing a table: blocks compressed by all threads, stored in order, put in place at the end.

use super::{
    CellKind, Counts, FileError, Header,
    pack::{pack, packed_length},
};
use crate::{memory, sector::Sector, threads::start};
use millrace_engine::Rules;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};
use zstd::zstd_safe::{CCtx, CParameter, ErrorCode, compress_bound, get_error_name};

/// Ends the name of a file that is being written.
pub const PART_SUFFIX: &str = ".part";
/// About the size of a block before compression.
const BLOCK_BYTES: usize = 512 << 10;
const LEVEL: i32 = 1;
/// Marks the length of a block that is stored as it is.
pub(super) const PLAIN: u32 = 1 << 31;

/// A table to be written.
pub struct NewTable<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The sector.
    pub sector: Sector,
    /// What the cells say.
    pub kind: CellKind,
    /// Cells of a row.
    pub columns: usize,
    /// All cells, row by row.
    pub cells: &'a [u8],
}

/// A block ready to be stored.
struct Block {
    stored: Vec<u8>,
    /// The entry of the index: length with [`PLAIN`], and checksum.
    length: u32,
    checksum: u64,
}

/// Writes a table to `path`, by way of a file beside it. Either the whole file is there and safe on
/// disk afterwards, or nothing is.
///
/// # Errors
/// If the disk is full or the operating system refuses.
///
/// # Panics
/// If the cells do not fill whole rows or are of another kind than said.
pub fn write_table(path: &Path, table: &NewTable, threads: usize) -> Result<Header, FileError> {
    assert!(table.columns > 0 && table.cells.len().is_multiple_of(table.columns));
    let part = Part::create(path)?;
    let mut progress = Progress::default();
    let header = store(&part.file, table, threads, &mut progress)
        .map_err(|source| progress.error(path, table.cells.len() as u64, source))?;
    part.put_in_place(path)?;
    Ok(header)
}

/// Makes renamed files of a folder survive a loss of power.
///
/// # Errors
/// If the operating system refuses.
pub fn sync_folder(folder: &Path) -> Result<(), FileError> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|f| f.sync_all());
        synced.map_err(|e| FileError::io(folder, e))?;
    }
    Ok(())
}

/// A file on its way; removed unless put in place.
pub struct Part {
    file: File,
    path: PathBuf,
    done: bool,
}

impl Part {
    /// Begins a file beside its place.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn create(target: &Path) -> Result<Self, FileError> {
        if target.is_dir() {
            return Err(FileError::unmade(target, io::ErrorKind::IsADirectory.into()));
        }
        let mut name = target.as_os_str().to_owned();
        name.push(PART_SUFFIX);
        let path = PathBuf::from(name);
        let file = File::create(&path).map_err(|e| FileError::unmade(target, e))?;
        Ok(Self { file, path, done: false })
    }

    /// The file, to be written to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Makes the file safe on disk and gives it its name.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn put_in_place(mut self, target: &Path) -> Result<(), FileError> {
        let needed = self.file.metadata().map_or(0, |m| m.len());
        self.file.sync_all().map_err(|e| FileError::refused(target, needed, e))?;
        fs::rename(&self.path, target).map_err(|e| FileError::refused(target, needed, e))?;
        self.done = true;
        // A bare name has an empty parent, which means the folder at hand.
        let folder = target.parent().filter(|folder| *folder != Path::new(""));
        sync_folder(folder.unwrap_or(Path::new(".")))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.done {
            // Nothing can be done if this fails too; the next run cleans up.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How much has been stored, from which the size of the whole file follows.
#[derive(Default)]
struct Progress {
    cells: u64,
    bytes: u64,
}

impl Progress {
    fn error(&self, path: &Path, cells: u64, source: io::Error) -> FileError {
        let needed = if self.cells == 0 {
            cells
        } else {
            (u128::from(self.bytes) * u128::from(cells) / u128::from(self.cells)) as u64
        };
        FileError::refused(path, needed, source)
    }
}

fn store(
    mut file: &File,
    table: &NewTable,
    threads: usize,
    progress: &mut Progress,
) -> io::Result<Header> {
    let rows = table.cells.len() / table.columns;
    let block_rows = (BLOCK_BYTES / table.columns).clamp(1, rows.max(1));
    let blocks = rows.div_ceil(block_rows);
    let head = Header::length(table.rules);
    file.write_all(&vec![0; head])?;

    let mut digest = Xxh3::new();
    let mut index = Vec::with_capacity(blocks * 12);
    let mut index_offset = head as u64;
    let histogram = compress_all(table, block_rows, threads, |raw, block| {
        digest.update(raw);
        file.write_all(&block.stored)?;
        index.extend(block.length.to_le_bytes());
        index.extend(block.checksum.to_le_bytes());
        index_offset += block.stored.len() as u64;
        progress.cells += raw.len() as u64;
        progress.bytes = index_offset;
        Ok(())
    })?;

    let header = Header {
        rules: *table.rules,
        sector: table.sector,
        kind: table.kind,
        rows: rows as u64,
        columns: table.columns as u64,
        digest: digest.digest128(),
        counts: Counts::of_histogram(table.kind, &histogram),
        block_rows: block_rows as u32,
        blocks: blocks as u32,
        index_offset,
    };
    let encoded = header.encode();
    let mut checksum = Xxh3::new();
    checksum.update(&encoded);
    checksum.update(&index);
    index.extend(checksum.digest().to_le_bytes());
    file.write_all(&index)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&encoded)?;
    Ok(header)
}

/// Compresses the blocks with all threads and hands them to `take` in order; returns how often each
/// cell value occurs.
fn compress_all(
    table: &NewTable,
    block_rows: usize,
    threads: usize,
    mut take: impl FnMut(&[u8], Block) -> io::Result<()>,
) -> io::Result<[u64; 256]> {
    let pieces: Vec<&[u8]> = table.cells.chunks(block_rows * table.columns).collect();
    let threads = threads.min(pieces.len()).max(1);
    let next = AtomicUsize::new(0);
    // Each worker waits in `send` while the others are behind, so few blocks are in memory.
    let (sender, receiver) = mpsc::sync_channel(threads);
    thread::scope(|scope| {
        let (pieces, next) = (&pieces, &next);
        let workers = start(scope, threads, || {
            let sender = sender.clone();
            move || compress_some(table.kind, pieces, next, sender)
        })?;
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (number, block) in receiver {
            early.insert(number, block);
            while let Some(block) = early.remove(&due) {
                // An error drops the receiver, which ends the workers.
                take(pieces[due], block)?;
                due += 1;
            }
        }
        let mut histogram = [0; 256];
        for worker in workers {
            let counted = worker.join().map_err(|_| io::Error::other("a thread failed"))??;
            for (sum, count) in histogram.iter_mut().zip(counted) {
                *sum += count;
            }
        }
        Ok(histogram)
    })
}

fn refused(_: memory::Refused) -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

/// There is room for whatever comes out, so that memory for the way there is all that can be lacking.
fn uncompressed(code: ErrorCode) -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, get_error_name(code))
}

fn compress_some(
    kind: CellKind,
    pieces: &[&[u8]],
    next: &AtomicUsize,
    sender: mpsc::SyncSender<(usize, Block)>,
) -> io::Result<[u64; 256]> {
    let mut histogram = [0; 256];
    let mut compressor = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
    compressor.set_parameter(CParameter::CompressionLevel(LEVEL)).map_err(uncompressed)?;
    let mut packed = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(piece) = pieces.get(number) else { return Ok(histogram) };
        count(piece, &mut histogram);
        let plain = match kind {
            CellKind::Distance => *piece,
            CellKind::Wdl => {
                memory::reserve(&mut packed, packed_length(piece.len())).map_err(refused)?;
                pack(piece, &mut packed).expect("a table without distances holds none");
                &packed
            }
        };
        let mut stored = Vec::new();
        memory::reserve(&mut stored, compress_bound(plain.len())).map_err(refused)?;
        compressor.compress2(&mut stored, plain).map_err(uncompressed)?;
        let mut length = stored.len() as u32;
        if stored.len() >= plain.len() {
            stored.clear();
            stored.extend_from_slice(plain);
            length = plain.len() as u32 | PLAIN;
        }
        let block = Block { length, checksum: xxh3_64(&stored), stored };
        if sender.send((number, block)).is_err() {
            return Ok(histogram);
        }
    }
}

/// Counts values in four interleaved tables, since runs of one value would wait for each other.
fn count(cells: &[u8], histogram: &mut [u64; 256]) {
    let mut parts = [[0u32; 256]; 4];
    let fours = cells.chunks_exact(4);
    for cell in fours.remainder() {
        histogram[usize::from(*cell)] += 1;
    }
    for four in fours {
        for (part, cell) in parts.iter_mut().zip(four) {
            part[usize::from(*cell)] += 1;
        }
    }
    for part in parts {
        for (sum, count) in histogram.iter_mut().zip(part) {
            *sum += u64::from(count);
        }
    }
}
