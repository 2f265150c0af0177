//! All tables of one game: finds files, opens them when they are first needed, and answers for
//! positions. A fault is noted once, and the file is done without from then on.

use super::{
    builtin,
    cache::{BlockName, Cache},
    codec::context::UNKNOWN,
    error::TableError,
    file::PackedFile,
    folder::TableFolder,
    header::{Kind, file_name},
    lookup::{FileRow, Lookup, Places},
    sector::{Coverage, Shape},
    source::Mapped,
};
use crate::{position::Position, rules::Rules, sector::Sector};
use std::{
    mem,
    path::PathBuf,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
};

/// The tables of one game.
pub struct Tables {
    rules: Rules,
    folders: Vec<TableFolder>,
    /// By the four numbers of stones.
    sectors: Vec<OnceLock<Option<Box<Files>>>>,
    cache: Cache,
    /// Whether blocks are always read to their ends.
    whole_blocks: bool,
    /// Whether the program's own tables count too.
    with_own: bool,
    next_number: AtomicU32,
    faults: Mutex<Vec<String>>,
}

/// The files of a sector.
struct Files {
    wdl: Opened,
    distances: OnceLock<Option<Opened>>,
}

/// A file in use.
pub(super) struct Opened {
    pub(super) file: PackedFile,
    pub(super) number: u32,
    name: String,
    broken: AtomicBool,
    /// Whether its blocks are read to their ends whatever is wanted.
    whole_blocks: bool,
}

impl Tables {
    /// The tables of these rules in these folders and in the program itself, with at most so many
    /// bytes of memory for what has been read. Folders of no use are noted as faults.
    pub fn new(rules: Rules, folders: &[PathBuf], memory: usize) -> Self {
        let side = usize::from(rules.stones()) + 1;
        let mut tables = Self {
            rules,
            folders: Vec::new(),
            sectors: (0..side.pow(4)).map(|_| OnceLock::new()).collect(),
            cache: Cache::new(memory),
            whole_blocks: false,
            with_own: true,
            next_number: AtomicU32::new(0),
            faults: Mutex::default(),
        };
        for folder in folders {
            let objection = match TableFolder::read(folder) {
                Ok(read) => {
                    let objection = read.objection(&rules);
                    tables.folders.push(read);
                    objection
                }
                Err(error) => Some(error.to_string()),
            };
            if let Some(objection) = objection {
                tables.note(format!("folder {}: {objection}", folder.display()));
            }
        }
        tables
    }

    /// Reads blocks to their ends at once: for who looks up millions of positions, and so comes back
    /// to each block, rather than only as far as they are needed.
    pub fn with_whole_blocks(self) -> Self {
        Self { whole_blocks: true, ..self }
    }

    /// Does without the program's own tables: for who asks what the folders hold.
    pub fn without_own(self) -> Self {
        Self { with_own: false, ..self }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The faults found since the last call, each in one line.
    pub fn take_faults(&self) -> Vec<String> {
        mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, fault: String) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
    }

    /// Whether a sector's positions can be looked up, as far as its own file goes.
    pub fn has(&self, sector: Sector) -> bool {
        self.files(sector.told_by(&self.rules)).is_some()
    }

    /// Whether distances of a sector are at hand, as far as its own file goes.
    pub fn has_distances(&self, sector: Sector) -> bool {
        let stored = sector.told_by(&self.rules);
        self.files(stored).is_some_and(|files| self.distances(files, stored).is_some())
    }

    /// Whether a position's value is stored, and need not be derived from those after its turns.
    pub fn stores(&self, position: &Position) -> bool {
        let cell = self.cell(Sector::of(position), position);
        position.owed() == 0 && matches!(cell, Some(Some(_)))
    }

    /// The shape of what is stored of a sector, if its own file is at hand.
    pub(crate) fn shape(&self, sector: Sector) -> Option<&Shape> {
        self.files(sector).map(|files| files.wdl.file.shape())
    }

    fn files(&self, sector: Sector) -> Option<&Files> {
        let side = usize::from(self.rules.stones()) + 1;
        let Sector { own, opponent, own_hand, opponent_hand } = sector;
        let numbers = [own, opponent, own_hand, opponent_hand];
        if numbers.iter().any(|n| usize::from(*n) >= side) {
            return None;
        }
        let place = numbers.iter().fold(0, |place, n| place * side + usize::from(*n));
        let files = self.sectors[place].get_or_init(|| {
            let wdl = self.open(sector, Kind::Wdl)?;
            Some(Box::new(Files { wdl, distances: OnceLock::new() }))
        });
        files.as_deref().filter(|f| !f.wdl.broken.load(Relaxed))
    }

    fn distances<'a>(&self, files: &'a Files, sector: Sector) -> Option<&'a Opened> {
        let opened = files.distances.get_or_init(|| {
            let opened = self.open(sector, Kind::Distance)?;
            let (here, there) = (files.wdl.file.header(), opened.file.header());
            if (here.cut, here.source) != (there.cut, there.source) {
                let fault = "it does not go with the file of wins, draws and losses beside it";
                self.note(format!("table {}: {fault}", opened.name));
                return None;
            }
            Some(opened)
        });
        opened.as_ref().filter(|d| !d.broken.load(Relaxed))
    }

    /// Opens a sector's file from the first place where there is a good one.
    fn open(&self, sector: Sector, kind: Kind) -> Option<Opened> {
        let name = file_name(&self.rules, sector, kind);
        for path in self.folders.iter().filter_map(|folder| folder.find(&name)) {
            let opened = Mapped::open(&path)
                .and_then(|mapped| PackedFile::open(Box::new(mapped), &self.rules));
            match self.checked(opened, sector, kind) {
                Ok(file) => {
                    let name = path.display().to_string();
                    return Some(self.numbered(file, name, self.whole_blocks));
                }
                Err(error) => self.note(format!("table {}: {error}", path.display())),
            }
        }
        let bytes = self.with_own.then(|| builtin::find(&name))??;
        let opened = PackedFile::open(Box::new(bytes), &self.rules);
        match self.checked(opened, sector, kind) {
            // These are small, and in an endgame all of a block is soon wanted.
            Ok(file) => Some(self.numbered(file, format!("{name} of the program itself"), true)),
            // A preset's name may have come to mean other rules than when the table was made.
            Err(_) => None,
        }
    }

    fn checked(
        &self,
        opened: Result<PackedFile, TableError>,
        sector: Sector,
        kind: Kind,
    ) -> Result<PackedFile, TableError> {
        let file = opened?;
        if (file.header().sector, file.header().kind) != (sector, kind) {
            let found = file.header().sector;
            return Err(TableError::damaged(format!("it holds sector {found} under another name")));
        }
        Ok(file)
    }

    fn numbered(&self, file: PackedFile, name: String, whole_blocks: bool) -> Opened {
        let number = self.next_number.fetch_add(1, Relaxed);
        Opened { file, number, name, broken: AtomicBool::new(false), whole_blocks }
    }

    /// The first bytes of a block from the cache or the file; a fault puts the file out of use.
    fn block(
        &self,
        opened: &Opened,
        block: usize,
        bytes: usize,
        read: impl FnOnce(bool) -> Result<Vec<u8>, TableError>,
    ) -> Option<Arc<[u8]>> {
        let name = BlockName::new(opened.number, block as u32);
        let got = self.cache.get(name, bytes, |again| read(again).map(Arc::from));
        got.inspect_err(|error| {
            if !opened.broken.swap(true, Relaxed) {
                self.note(format!("table {}: {error}", opened.name));
            }
        })
        .ok()
    }

    /// The cells of a block up to a place. Those behind it are read when the block turns out to be
    /// wanted again.
    pub(super) fn wdl_block(
        &self,
        opened: &Opened,
        block: usize,
        place: usize,
    ) -> Option<Arc<[u8]>> {
        let bytes = place / 4 + 1;
        self.block(opened, block, bytes, |again| {
            // Whole bytes, so that what is there is right.
            let cells = if again || opened.whole_blocks { usize::MAX } else { 4 * bytes };
            Ok(squeeze(&opened.file.read_first(block, cells)?))
        })
    }

    /// What there is in the cache.
    #[inline(always)]
    pub(super) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The file of a sector's wins, draws and losses.
    pub(super) fn wdl_file(&self, sector: Sector) -> Option<&Opened> {
        self.files(sector).map(|files| &files.wdl)
    }

    /// The stored cell of a position: 0 draw, 1 loss, 2 win. The outer `None`: it cannot be had; the
    /// inner one: it is not stored, and follows from the positions after the turns.
    pub(super) fn cell(&self, sector: Sector, position: &Position) -> Option<Option<u8>> {
        if sector.coverage(&self.rules) == Coverage::Derived {
            return Some(None);
        }
        let opened = &self.files(sector)?.wdl;
        let shape = opened.file.shape();
        let (own, opponent) = (position.own(), position.opponent());
        if !shape.keeps(own | opponent) {
            return Some(None);
        }
        let (row, column) = shape.locate(own, opponent);
        let (block, place) = opened.file.header().cut.find(shape, row, column);
        let cells = self.wdl_block(opened, block, place)?;
        let cell = cells[place / 4] >> (place % 4 * 2) & 3;
        (cell != UNKNOWN).then_some(Some(cell))
    }

    /// Looks at the stored cells of positions of a sector with the same stones of the side to move,
    /// and these of the other side, until `look`, which is told each cell, says that it has seen
    /// enough. `None` if some cells that were needed cannot be had.
    pub(crate) fn cells(
        &self,
        sector: Sector,
        own: u32,
        opponents: &[u32],
        look: impl FnMut(u8) -> bool,
    ) -> Option<()> {
        let row = FileRow::of(self.wdl_file(sector)?, own);
        let places: Places = opponents.iter().map(|opponent| row.place(*opponent)).collect();
        Lookup::new(self).look(&places, look).then_some(())
    }

    /// The plies to the end of a position that is stored and decided.
    pub(super) fn plies(&self, sector: Sector, position: &Position) -> Option<u16> {
        let files = self.files(sector)?;
        let opened = self.distances(files, sector)?;
        let shape = opened.file.shape();
        let (row, column) = shape.locate(position.own(), position.opponent());
        let (block, place) = opened.file.header().cut.find(shape, row, column);
        let cells = opened.file.header().cut.block(shape, block).cells();
        let wdl = self.wdl_block(&files.wdl, block, cells - 1)?;
        let plies = self.block(opened, block, cells, |_| {
            opened.file.read_distances(block, &spread(&wdl, cells))
        })?;
        Some(plies[place].into())
    }
}

/// Four cells to a byte, the first lowest.
fn squeeze(cells: &[u8]) -> Vec<u8> {
    let four = |four: &[u8]| four.iter().rev().fold(0, |byte, cell| byte << 2 | cell);
    cells.chunks(4).map(four).collect()
}

/// Undoes [`squeeze`].
fn spread(squeezed: &[u8], cells: usize) -> Vec<u8> {
    (0..cells).map(|place| squeezed[place / 4] >> (place % 4 * 2) & 3).collect()
}
