//! All tables of one game: finds files, opens them when they are first needed, and answers for
//! positions. A fault is noted once, and the file is done without from then on: the next place that has
//! one of the same sector takes over.

use super::{
    builtin,
    cache::{BlockName, Cache},
    codec::context::UNKNOWN,
    error::TableError,
    fault::{Fault, FaultName},
    file::PackedFile,
    folder::TableFolder,
    header::{Kind, file_name},
    lookup::{FileRow, Lookup, Places},
    opened::{Chain, Opened},
    sector::{Coverage, Shape},
    source::Mapped,
};
use crate::{position::Position, rules::Rules, sector::Sector};
use std::{
    collections::HashSet,
    mem,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

/// The tables of one game.
pub struct Tables {
    rules: Rules,
    folders: Vec<TableFolder>,
    /// The files of wins, draws and losses, by the four numbers of stones.
    wdl: Vec<Chain>,
    /// The files of distances, likewise.
    distances: Vec<Chain>,
    cache: Cache,
    /// Whether blocks are always read to their ends.
    whole_blocks: bool,
    /// Whether the program's own tables count too.
    with_own: bool,
    next_number: AtomicU32,
    faults: Mutex<Vec<Fault>>,
}

impl Tables {
    /// The tables of these rules in these folders and in the program itself, with at most so many
    /// bytes of memory for what has been read. Folders of no use are noted as faults.
    pub fn new(rules: Rules, folders: &[PathBuf], memory: usize) -> Self {
        let side = usize::from(rules.stones()) + 1;
        let chains = || (0..side.pow(4)).map(|_| Chain::default()).collect();
        let mut tables = Self {
            rules,
            folders: Vec::new(),
            wdl: chains(),
            distances: chains(),
            cache: Cache::new(memory),
            whole_blocks: false,
            with_own: true,
            next_number: AtomicU32::new(0),
            faults: Mutex::default(),
        };
        for folder in folders {
            match TableFolder::read(folder) {
                Ok(read) => {
                    if let Some(objection) = read.objection(&rules) {
                        tables.note(Fault::useless(folder, &objection));
                    }
                    tables.folders.push(read);
                }
                Err(error) => tables.note(Fault::unreadable(folder, &error)),
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
        mem::take(&mut *self.faults()).into_iter().map(Fault::into_words).collect()
    }

    /// As [`take_faults`](Self::take_faults), but for those that have been told before; `told` is brought
    /// up to date.
    pub(crate) fn take_new_faults(&self, told: &mut HashSet<FaultName>) -> Vec<String> {
        let found = mem::take(&mut *self.faults());
        let new = found.into_iter().filter(|fault| told.insert(fault.name().clone()));
        new.map(Fault::into_words).collect()
    }

    fn faults(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, fault: Fault) {
        self.faults().push(fault);
    }

    /// Whether a sector's positions can be looked up, as far as its own file goes.
    pub fn has(&self, sector: Sector) -> bool {
        self.wdl_file(sector.told_by(&self.rules)).is_some()
    }

    /// Whether distances of a sector are at hand, as far as its own file goes.
    pub fn has_distances(&self, sector: Sector) -> bool {
        self.with_distances(sector.told_by(&self.rules)).is_some()
    }

    /// Whether a position's value is stored, and need not be derived from those after its turns.
    pub fn stores(&self, position: &Position) -> bool {
        let cell = self.cell(Sector::of(position), position);
        position.owed() == 0 && matches!(cell, Some(Some(_)))
    }

    /// The shape of what is stored of a sector, if its own file is at hand.
    pub(crate) fn shape(&self, sector: Sector) -> Option<&Shape> {
        self.wdl_file(sector).map(|opened| opened.file.shape())
    }

    /// A sector's files of one kind, if a game can come to it.
    #[inline(always)]
    fn chain(&self, sector: Sector, kind: Kind) -> Option<&Chain> {
        let side = usize::from(self.rules.stones()) + 1;
        let Sector { own, opponent, own_hand, opponent_hand } = sector;
        let numbers = [own, opponent, own_hand, opponent_hand];
        if numbers.iter().any(|n| usize::from(*n) >= side) {
            return None;
        }
        let place = numbers.iter().fold(0, |place, n| place * side + usize::from(*n));
        Some(match kind {
            Kind::Wdl => &self.wdl[place],
            Kind::Distance => &self.distances[place],
        })
    }

    /// A sector's files of one kind that are in use, in the order of their places.
    fn in_use(&self, sector: Sector, kind: Kind) -> impl Iterator<Item = &Opened> {
        let open = move |from| self.open(sector, kind, from);
        self.chain(sector, kind).into_iter().flat_map(move |chain| chain.in_use(open))
    }

    /// A sector's distances, behind the wins, draws and losses that they go with.
    fn with_distances(&self, sector: Sector) -> Option<(&Opened, &Opened)> {
        // Without wins, draws and losses there is nothing that distances could be wrong for.
        self.wdl_file(sector)?;
        for distances in self.in_use(sector, Kind::Distance) {
            let wdl = self.in_use(sector, Kind::Wdl).find(|wdl| distances.goes_with(wdl));
            if let Some(wdl) = wdl {
                return Some((wdl, distances));
            }
            if distances.give_up() {
                self.note(Fault::lonely(&distances.name));
            }
        }
        None
    }

    /// Opens a sector's file from the first place where there is a good one, of the places from this
    /// number on: the folders, then the program itself. Tells the place too.
    #[cold]
    fn open(&self, sector: Sector, kind: Kind, from: usize) -> Option<(usize, Opened)> {
        let name = file_name(&self.rules, sector, kind);
        for (place, folder) in self.folders.iter().enumerate().skip(from) {
            let Some(path) = folder.find(&name) else { continue };
            let shown = path.display().to_string();
            let opened = Mapped::open(&path)
                .and_then(|mapped| PackedFile::open(Box::new(mapped), &self.rules));
            match self.checked(opened, sector, kind) {
                Ok(file) => {
                    return Some((place, self.numbered(file, shown, self.whole_blocks)));
                }
                Err(error) => self.note(Fault::of_table(&shown, &error)),
            }
        }
        let own = self.folders.len();
        let bytes = (self.with_own && from <= own).then(|| builtin::find(&name))??;
        let opened = PackedFile::open(Box::new(bytes), &self.rules);
        // A preset's name may have come to mean other rules than when the table was made.
        let file = self.checked(opened, sector, kind).ok()?;
        // These are small, and in an endgame all of a block is soon wanted.
        Some((own, self.numbered(file, format!("{name} of the program itself"), true)))
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
        Opened::new(file, self.next_number.fetch_add(1, Relaxed), name, whole_blocks)
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
            if opened.give_up() {
                self.note(Fault::of_table(&opened.name, error));
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

    /// The file of a sector's wins, draws and losses that is in use: after a fault in its blocks, the
    /// next one.
    #[inline(always)]
    pub(super) fn wdl_file(&self, sector: Sector) -> Option<&Opened> {
        let chain = self.chain(sector, Kind::Wdl)?;
        chain.in_use(|from| self.open(sector, Kind::Wdl, from)).next()
    }

    /// The stored cell of a position: 0 draw, 1 loss, 2 win. The outer `None`: it cannot be had; the
    /// inner one: it is not stored, and follows from the positions after the turns.
    pub(super) fn cell(&self, sector: Sector, position: &Position) -> Option<Option<u8>> {
        if sector.coverage(&self.rules) == Coverage::Derived {
            return Some(None);
        }
        let (own, opponent) = (position.own(), position.opponent());
        while let Some(opened) = self.wdl_file(sector) {
            let shape = opened.file.shape();
            if !shape.keeps(own | opponent) {
                return Some(None);
            }
            let (row, column) = shape.locate(own, opponent);
            let (block, place) = opened.file.header().cut.find(shape, row, column);
            let Some(cells) = self.wdl_block(opened, block, place) else { continue };
            let cell = cells[place / 4] >> (place % 4 * 2) & 3;
            return (cell != UNKNOWN).then_some(Some(cell));
        }
        None
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
        while let Some((wdl, distances)) = self.with_distances(sector) {
            let shape = distances.file.shape();
            let (row, column) = shape.locate(position.own(), position.opponent());
            let (block, place) = distances.file.header().cut.find(shape, row, column);
            let cells = distances.file.header().cut.block(shape, block).cells();
            let Some(values) = self.wdl_block(wdl, block, cells - 1) else { continue };
            let plies = self.block(distances, block, cells, |_| {
                distances.file.read_distances(block, &spread(&values, cells))
            });
            if let Some(plies) = plies {
                return Some(plies[place].into());
            }
        }
        None
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
