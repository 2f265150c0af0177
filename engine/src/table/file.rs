//! One published file: its head and index are checked when it is opened, its blocks when they are
//! first read.

use super::{
    codec::{coder::Decoder, context::UNKNOWN, distance::DistanceModel, model::Model},
    error::TableError,
    header::{FIXED, Header, Kind},
    sector::Shape,
    source::Source,
};
use crate::rules::Rules;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Blocks of a page. A page has one offset and one checksum.
pub const PAGE: usize = 32;
/// Bytes of a page's entry in the index: offset and checksum.
const PAGE_ENTRY: usize = 16;
/// Bytes of a block's entry: its length.
const BLOCK_ENTRY: usize = 2;
const CHECKSUM: usize = 8;

/// How a file's cells are coded.
enum Codec {
    Wdl(Model),
    Distance(DistanceModel),
}

/// An open file.
pub struct PackedFile {
    source: Box<dyn Source>,
    header: Header,
    shape: Shape,
    codec: Codec,
    index: usize,
    pages: usize,
    /// Bit by bit, the pages whose checksum has been found right.
    checked: Vec<AtomicU64>,
}

/// Bytes of the index of so many blocks, without its checksum.
pub fn index_length(blocks: usize) -> usize {
    blocks.div_ceil(PAGE) * PAGE_ENTRY + blocks * BLOCK_ENTRY
}

impl PackedFile {
    /// Opens a file of these rules.
    ///
    /// # Errors
    /// If it is damaged, or of other rules.
    pub fn open(source: Box<dyn Source>, rules: &Rules) -> Result<Self, TableError> {
        let file = Self::open_any(source)?;
        if file.header.rules != *rules {
            return Err(TableError::OtherRules {
                found: file.header.rules.canonical(),
                wanted: rules.canonical(),
            });
        }
        Ok(file)
    }

    /// Opens a file of any rules.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn open_any(source: Box<dyn Source>) -> Result<Self, TableError> {
        let bytes = source.bytes();
        let cut_short = || TableError::damaged("it is cut short");
        let fixed = bytes.first_chunk::<FIXED>().ok_or_else(cut_short)?;
        let (head, index) = Header::announced(fixed)?;
        let index = usize::try_from(index).ok().filter(|i| *i >= head && *i <= bytes.len());
        let index = index.ok_or_else(cut_short)?;
        let tail = bytes.len() - index;
        let entries = tail.checked_sub(CHECKSUM).ok_or_else(cut_short)?;
        // The head and the model lie before the index; how far, the head says only once its
        // checksum is right, so its claim is first used to find that checksum and for no more.
        let model = u32::from_le_bytes(fixed[44..48].try_into().expect("four bytes")) as usize;
        let model_end =
            head.checked_add(model).filter(|end| *end <= index).ok_or_else(cut_short)?;
        let mut hash = Xxh3::new();
        hash.update(&bytes[..model_end]);
        hash.update(&bytes[index..index + entries]);
        if hash.digest().to_le_bytes() != bytes[index + entries..] {
            return Err(TableError::damaged("the checksum of its head and index is wrong"));
        }
        let (header, shape) = Header::decode(&bytes[..head])?;
        let blocks = header.blocks as usize;
        if entries != index_length(blocks) {
            return Err(TableError::damaged("its index does not go with its blocks"));
        }
        let model = &bytes[head..model_end];
        let codec = match header.kind {
            Kind::Wdl => Model::decode(model).map(Codec::Wdl),
            Kind::Distance => DistanceModel::decode(model).map(Codec::Distance),
        };
        let codec = codec.ok_or_else(|| TableError::damaged("its model makes no sense"))?;
        let pages = blocks.div_ceil(PAGE);
        let checked = (0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { source, header, shape, codec, index, pages, checked })
    }

    /// The head.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The table's shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        self.source.bytes().len()
    }

    /// The stored bytes of a block, which are right.
    fn stored(&self, block: usize) -> Result<&[u8], TableError> {
        let bytes = self.source.bytes();
        let page = block / PAGE;
        let entry = &bytes[self.index + page * PAGE_ENTRY..][..PAGE_ENTRY];
        let (offset, checksum) = entry.split_at(8);
        let offset = u64::from_le_bytes(offset.try_into().expect("eight bytes"));
        let lengths = self.index + self.pages * PAGE_ENTRY;
        let length = |block: usize| {
            let entry = &bytes[lengths + block * BLOCK_ENTRY..][..BLOCK_ENTRY];
            usize::from(u16::from_le_bytes([entry[0], entry[1]]))
        };
        let first = page * PAGE;
        let last = (first + PAGE).min(self.header.blocks as usize);
        // A page has one checksum: which of its blocks is damaged cannot be told.
        let wrong = |what: &str| {
            let end = offset.saturating_add((first..last).map(length).sum::<usize>() as u64);
            let blocks = format!("blocks {} to {last} of {}", first + 1, self.header.blocks);
            TableError::damaged(format!("bytes {offset} to {end} {what} ({blocks})"))
        };
        let before: usize = (first..block).map(length).sum();
        let start = usize::try_from(offset).ok().filter(|o| *o <= self.index);
        let whole = start.and_then(|s| bytes[..self.index].get(s..));
        let whole = whole.ok_or_else(|| wrong("lie outside the file"))?;
        let (word, bit) = (page / 64, 1 << (page % 64));
        if self.checked[word].load(Relaxed) & bit == 0 {
            let size = (first..last).map(length).sum();
            let page = whole.get(..size).ok_or_else(|| wrong("are cut short"))?;
            if xxh3_64(page).to_le_bytes() != checksum {
                return Err(wrong("have a wrong checksum"));
            }
            self.checked[word].fetch_or(bit, Relaxed);
        }
        whole.get(before..before + length(block)).ok_or_else(|| wrong("are cut short"))
    }

    /// Reads everything and compares it with all checksums, counts and the digest. `wdl` is the
    /// file of wins, draws and losses beside a file of distances. `false` if `stop` was set before
    /// it was done.
    ///
    /// # Errors
    /// If anything is wrong.
    pub fn check(&self, wdl: Option<&PackedFile>, stop: &AtomicBool) -> Result<bool, TableError> {
        let mut digest = Xxh3::new();
        let mut counts = [0u64; 3];
        for block in 0..self.header.blocks as usize {
            if stop.load(Relaxed) {
                return Ok(false);
            }
            let cells = wdl.unwrap_or(self).read_wdl(block)?;
            let kept = cells.iter().filter(|c| **c != UNKNOWN);
            kept.clone().for_each(|c| counts[usize::from(*c)] += 1);
            let bytes: Vec<u8> = match self.header.kind {
                Kind::Wdl => kept.copied().collect(),
                Kind::Distance => {
                    let plies = self.read_distances(block, &cells)?;
                    let kept = cells.iter().zip(plies).filter(|(c, _)| **c != UNKNOWN);
                    kept.map(|(_, plies)| plies).collect()
                }
            };
            digest.update(&bytes);
        }
        if digest.digest128() != self.header.digest {
            return Err(TableError::damaged("its cells do not have its digest"));
        }
        if counts != self.header.counts {
            return Err(TableError::damaged("its cells are not as many as it says"));
        }
        Ok(true)
    }

    /// Reads a block of win, draw and loss: a byte for each cell, [`UNKNOWN`] where none is stored.
    ///
    /// # Errors
    /// If the block is damaged.
    ///
    /// # Panics
    /// If there is no such block, or the file is of distances.
    ///
    /// [`UNKNOWN`]: super::codec::context::UNKNOWN
    pub fn read_wdl(&self, block: usize) -> Result<Vec<u8>, TableError> {
        self.read_first(block, self.header.cut.block(&self.shape, block).cells())
    }

    /// As [`read_wdl`](Self::read_wdl), but so many cells only; cells are read in order, so this
    /// takes less time.
    pub(super) fn read_first(&self, block: usize, cells: usize) -> Result<Vec<u8>, TableError> {
        let Codec::Wdl(model) = &self.codec else { panic!("the file holds distances") };
        let bytes = self.stored(block)?;
        let block = self.header.cut.block(&self.shape, block);
        let mut cells = vec![0; cells.min(block.cells())];
        model.code(&self.shape, &block, &mut cells, &mut Decoder::new(bytes));
        Ok(cells)
    }

    /// Reads a block of distances, given the cells of the same block of win, draw and loss: plies,
    /// 0 for draws and cells that are not stored.
    ///
    /// # Errors
    /// If the block is damaged.
    ///
    /// # Panics
    /// If there is no such block, or the file is not of distances.
    pub fn read_distances(&self, block: usize, wdl: &[u8]) -> Result<Vec<u8>, TableError> {
        let Codec::Distance(model) = &self.codec else { panic!("the file holds no distances") };
        let bytes = self.stored(block)?;
        let block = self.header.cut.block(&self.shape, block);
        let mut plies = vec![0; block.cells()];
        model.code(&self.shape, &block, wdl, &mut plies, &mut Decoder::new(bytes));
        Ok(plies)
    }
}
