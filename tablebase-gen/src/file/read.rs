//! Reading a table: any range of rows, every block checked before it is believed.

use super::{
    CellKind, FileError, Header,
    header::FIXED,
    pack::{packed_length, unpack},
    write::PLAIN,
};
use crate::{memory, threads::share};
use millrace_engine::Rules;
use std::{
    cell::RefCell,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};
use zstd::zstd_safe::DCtx;

const ENTRY: usize = 12;
const CHECKSUM: usize = 8;

/// An open table file whose head and index are right. It can be read by many threads at once.
pub struct TableFile {
    file: File,
    path: PathBuf,
    header: Header,
    blocks: Vec<BlockEntry>,
}

struct BlockEntry {
    offset: u64,
    length: u32,
    plain: bool,
    checksum: u64,
}

/// What a thread needs to read blocks, kept from block to block.
struct Scratch {
    stored: Vec<u8>,
    packed: Vec<u8>,
    cells: Vec<u8>,
    decompressor: DCtx<'static>,
}

thread_local! {
    static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
}

impl TableFile {
    /// Opens a file and checks its head and index; the blocks are checked when they are read.
    ///
    /// # Errors
    /// If it is missing, damaged or of other rules.
    pub fn open(path: &Path, rules: &Rules) -> Result<Self, FileError> {
        let table = Self::open_any(path)?;
        if table.header.rules != *rules {
            return Err(FileError::OtherRules {
                path: path.to_path_buf(),
                found: table.header.rules.canonical(),
                wanted: rules.canonical(),
            });
        }
        Ok(table)
    }

    /// As [`open`](Self::open), for a file of any rules.
    ///
    /// # Errors
    /// If it is missing or damaged.
    pub fn open_any(path: &Path) -> Result<Self, FileError> {
        // A pipe would be waited for.
        if !fs::metadata(path).map_err(|e| FileError::io(path, e))?.is_file() {
            return Err(FileError::damaged(path, "it is no plain file"));
        }
        let file = File::open(path).map_err(|e| FileError::io(path, e))?;
        let length = file.metadata().map_err(|e| FileError::io(path, e))?.len();
        let mut fixed = [0; FIXED];
        read_at(&file, path, &mut fixed, 0)?;
        let head_length = Header::announced_length(path, &fixed)?;
        let mut head = vec![0; head_length];
        read_at(&file, path, &mut head, 0)?;

        // The offset of the index is believed only as far as needed to find the checksum.
        let claimed = u64::from_le_bytes(head[112..FIXED].try_into().expect("eight bytes"));
        let tail = length.checked_sub(claimed).filter(|t| {
            claimed >= head_length as u64
                && *t >= CHECKSUM as u64
                && (*t as usize - CHECKSUM).is_multiple_of(ENTRY)
                && *t <= 1 << 32
        });
        let Some(tail) = tail else {
            return Err(FileError::damaged(
                path,
                format!("its {length} bytes do not go with its index at byte {claimed}"),
            ));
        };
        let mut index = Vec::new();
        memory::resize(&mut index, tail as usize).map_err(|_| FileError::no_memory(path))?;
        read_at(&file, path, &mut index, claimed)?;
        let (index, checksum) = index.split_at(tail as usize - CHECKSUM);
        let mut hash = Xxh3::new();
        hash.update(&head);
        hash.update(index);
        if hash.digest().to_le_bytes() != checksum {
            return Err(FileError::damaged(path, "the checksum of its head and index is wrong"));
        }
        let header = Header::decode(path, &head)?;
        let blocks = entries(path, &header, index, head_length as u64)?;
        Ok(Self { file, path: path.to_path_buf(), header, blocks })
    }

    /// The head.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the cells of rows `first..first + count`.
    ///
    /// # Errors
    /// If a block is damaged, or the operating system refuses.
    ///
    /// # Panics
    /// If there are not so many rows.
    pub fn read_rows(
        &self,
        first: usize,
        count: usize,
        cells: &mut Vec<u8>,
    ) -> Result<(), FileError> {
        let (block_rows, columns) = (self.header.block_rows as usize, self.columns());
        let end = first + count;
        assert!(end as u64 <= self.header.rows, "row {end} of {}", self.header.rows);
        let mut row = first;
        while row < end {
            let block = row / block_rows;
            let start = block * block_rows;
            let rows = self.header.rows_of_block(block);
            let wanted = (end - start).min(rows);
            if row == start && wanted == rows {
                let at = cells.len();
                self.resize(cells, at + rows * columns)?;
                self.read_block(block, &mut cells[at..])?;
            } else {
                self.with_block(block, |all| {
                    memory::reserve(cells, (wanted - (row - start)) * columns)
                        .map_err(|_| self.no_memory())?;
                    cells.extend_from_slice(&all[(row - start) * columns..wanted * columns]);
                    Ok(())
                })??;
            }
            row = start + wanted;
        }
        Ok(())
    }

    /// All cells.
    ///
    /// # Errors
    /// As [`read_rows`](Self::read_rows).
    pub fn read_all(&self, threads: usize) -> Result<Vec<u8>, FileError> {
        let all = self.read_all_until(threads, &AtomicBool::new(false))?;
        Ok(all.expect("nobody stops it"))
    }

    /// All cells; `None` if `stop` was set before they were read.
    ///
    /// # Errors
    /// As [`read_rows`](Self::read_rows).
    pub fn read_all_until(
        &self,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<u8>>, FileError> {
        let cells = memory::zeroed(self.header.rows as usize * self.columns());
        let mut cells = cells.map_err(|_| self.no_memory())?;
        let size = self.header.block_rows as usize * self.columns();
        let targets: Vec<_> =
            cells.chunks_mut(size).map(|c| std::sync::Mutex::new(Some(c))).collect();
        self.in_parallel(threads, |block| {
            let target = targets[block].lock().ok().and_then(|mut t| t.take());
            match target.filter(|_| !stop.load(Ordering::Relaxed)) {
                Some(target) => self.read_block(block, target),
                None => Ok(()),
            }
        })?;
        drop(targets);
        Ok((!stop.load(Ordering::Relaxed)).then_some(cells))
    }

    /// Calls `visit` with the first row and the cells of every block, from several threads and in
    /// no particular order.
    ///
    /// # Errors
    /// As [`read_rows`](Self::read_rows).
    pub fn for_each_block(
        &self,
        threads: usize,
        visit: impl Fn(usize, &[u8]) + Sync,
    ) -> Result<(), FileError> {
        let rows = self.header.block_rows as usize;
        self.in_parallel(threads, |block| self.with_block(block, |c| visit(block * rows, c)))
    }

    /// Reads everything and compares it with all checksums and the digest.
    ///
    /// # Errors
    /// As [`read_rows`](Self::read_rows).
    pub fn check(&self, threads: usize) -> Result<(), FileError> {
        self.check_until(threads, &AtomicBool::new(false)).map(|_| ())
    }

    /// As [`check`](Self::check); `false` if `stop` was set before all was read.
    ///
    /// # Errors
    /// As [`read_rows`](Self::read_rows).
    pub fn check_until(&self, threads: usize, stop: &AtomicBool) -> Result<bool, FileError> {
        let Some(cells) = self.read_all_until(threads, stop)? else { return Ok(false) };
        if xxh3_128(&cells) != self.header.digest {
            return Err(FileError::damaged(&self.path, "its cells do not have its digest"));
        }
        Ok(true)
    }

    fn columns(&self) -> usize {
        self.header.columns as usize
    }

    fn no_memory(&self) -> FileError {
        FileError::no_memory(&self.path)
    }

    /// Makes memory that is to be written over just so long.
    fn resize(&self, memory: &mut Vec<u8>, length: usize) -> Result<(), FileError> {
        memory::resize(memory, length).map_err(|_| self.no_memory())
    }

    fn in_parallel(
        &self,
        threads: usize,
        work: impl Fn(usize) -> Result<(), FileError> + Sync,
    ) -> Result<(), FileError> {
        const NONE: usize = usize::MAX;
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        // Blocks are begun in order and done to the end, so that the first one that is wrong is found
        // whoever comes upon it.
        let run = || {
            // A thread that has no memory for it leaves the blocks to the others.
            if let Err(error) = self.make_room() {
                return Some((NONE, error));
            }
            while !failed.load(Ordering::Relaxed) {
                let block = next.fetch_add(1, Ordering::Relaxed);
                if block >= self.blocks.len() {
                    break;
                }
                if let Err(error) = work(block) {
                    failed.store(true, Ordering::Relaxed);
                    return Some((block, error));
                }
            }
            None
        };
        let ends = share(threads.min(self.blocks.len()), run).into_iter();
        let first = ends.flatten().min_by_key(|(block, _)| *block);
        let is_done = next.into_inner() >= self.blocks.len();
        match first {
            Some((block, error)) if block != NONE || !is_done => Err(error),
            _ => Ok(()),
        }
    }

    /// Lends the cells of a block.
    fn with_block<R>(&self, block: usize, visit: impl FnOnce(&[u8]) -> R) -> Result<R, FileError> {
        let mut cells = SCRATCH.with_borrow_mut(|s| {
            s.as_mut().map(|s| std::mem::take(&mut s.cells)).unwrap_or_default()
        });
        self.resize(&mut cells, self.header.rows_of_block(block) * self.columns())?;
        self.read_block(block, &mut cells)?;
        let result = visit(&cells);
        SCRATCH.with_borrow_mut(|s| s.as_mut().map(|s| s.cells = cells));
        Ok(result)
    }

    fn read_block(&self, block: usize, cells: &mut [u8]) -> Result<(), FileError> {
        self.with_scratch(|scratch| self.decode_block(block, cells, scratch))
    }

    /// Makes the room that this thread needs for any block.
    fn make_room(&self) -> Result<(), FileError> {
        self.with_scratch(|scratch| {
            let longest = self.blocks.iter().map(|block| block.length).max().unwrap_or(0);
            let cells = self.header.block_rows as usize * self.columns();
            let lists = [(&mut scratch.stored, longest as usize), (&mut scratch.cells, cells)];
            for (list, length) in lists {
                self.resize(list, length)?;
            }
            Ok(())
        })
    }

    fn with_scratch<R>(
        &self,
        work: impl FnOnce(&mut Scratch) -> Result<R, FileError>,
    ) -> Result<R, FileError> {
        SCRATCH.with_borrow_mut(|scratch| {
            let scratch = match scratch {
                Some(scratch) => scratch,
                None => scratch.insert(Scratch {
                    stored: Vec::new(),
                    packed: Vec::new(),
                    cells: Vec::new(),
                    decompressor: DCtx::try_create().ok_or_else(|| self.no_memory())?,
                }),
            };
            work(scratch)
        })
    }

    fn decode_block(
        &self,
        block: usize,
        cells: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<(), FileError> {
        let entry = &self.blocks[block];
        let damaged = |what: &str| {
            let (at, last) = (entry.offset, self.blocks.len());
            let end = at + u64::from(entry.length);
            let what = format!("{what} in block {} of {last} (bytes {at} to {end})", block + 1);
            FileError::damaged(&self.path, what)
        };
        self.resize(&mut scratch.stored, entry.length as usize)?;
        read_at(&self.file, &self.path, &mut scratch.stored, entry.offset)?;
        if xxh3_64(&scratch.stored) != entry.checksum {
            return Err(damaged("the checksum is wrong"));
        }
        let wdl = self.header.kind == CellKind::Wdl;
        let length = if wdl { packed_length(cells.len()) } else { cells.len() };
        if wdl {
            self.resize(&mut scratch.packed, length)?;
        }
        let plain: &mut [u8] = if wdl { &mut scratch.packed } else { cells };
        if entry.plain {
            if scratch.stored.len() != length {
                return Err(damaged("the length is wrong"));
            }
            plain.copy_from_slice(&scratch.stored);
        } else {
            let got = scratch.decompressor.decompress(&mut *plain, &scratch.stored);
            if got.ok() != Some(length) {
                return Err(damaged("the compressed data are wrong"));
            }
        }
        if wdl {
            unpack(&scratch.packed, cells);
        }
        Ok(())
    }
}

/// The blocks of an index whose checksum is right.
fn entries(
    path: &Path,
    header: &Header,
    index: &[u8],
    first: u64,
) -> Result<Vec<BlockEntry>, FileError> {
    let mut offset = first;
    let mut blocks = Vec::with_capacity(index.len() / ENTRY);
    for entry in index.chunks_exact(ENTRY) {
        let (length, checksum) = entry.split_at(4);
        let length = u32::from_le_bytes(length.try_into().expect("four bytes"));
        let checksum = u64::from_le_bytes(checksum.try_into().expect("eight bytes"));
        let plain = length & PLAIN != 0;
        let length = length & !PLAIN;
        blocks.push(BlockEntry { offset, length, plain, checksum });
        offset += u64::from(length);
    }
    if offset != header.index_offset || blocks.len() != header.blocks as usize {
        return Err(FileError::damaged(path, "its blocks do not fill it"));
    }
    Ok(blocks)
}

/// Fills `buffer` from a place in the file; a file that ends before is damaged.
fn read_at(file: &File, path: &Path, buffer: &mut [u8], offset: u64) -> Result<(), FileError> {
    read_exact_at(file, buffer, offset).map_err(|e| match e.kind() {
        io::ErrorKind::UnexpectedEof => FileError::damaged(
            path,
            format!("it ends before byte {}", offset + buffer.len() as u64),
        ),
        _ => FileError::io(path, e),
    })
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            got => {
                buffer = &mut buffer[got..];
                offset += got as u64;
            }
        }
    }
    Ok(())
}
