//! Solved tables, from memory if they are kept there and else from their files.

use crate::{
    file::{CellKind, FileError, TableFile, file_name, names_in},
    sector::{Sector, Unit},
    solve::{Known, SectorTable, SolveError},
};
use millrace_engine::{Rules, index};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
};

/// Files kept open, far fewer than any system allows.
const MOST_OPEN: usize = 64;

/// The tables of one game in one or more folders.
pub struct Tables {
    rules: Rules,
    kind: CellKind,
    /// Whether the other kind would do as well, though there is neither.
    is_any_kind: bool,
    folders: Vec<PathBuf>,
    kept: Mutex<HashMap<Sector, Arc<SectorTable>>>,
    open: Mutex<HashMap<Sector, Arc<TableFile>>>,
    passed_over: Mutex<PassedOver>,
}

/// Damaged files of which another folder has a good copy.
#[derive(Default)]
struct PassedOver {
    paths: HashSet<PathBuf>,
    /// What is wrong with those that nobody has been told of.
    untold: Vec<FileError>,
}

/// A lock whose holder panicked guards nothing that could be half done.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tables {
    /// The tables of these rules; folders are searched in this order.
    pub fn new(rules: Rules, kind: CellKind, folders: Vec<PathBuf>) -> Self {
        let (kept, open, passed_over) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { rules, kind, is_any_kind: false, folders, kept, open, passed_over }
    }

    /// The tables of the kind that the folders hold, those with distances if they hold both; and which
    /// of these sectors they hold, in ascending order.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn of_any_kind(
        rules: Rules,
        folders: &[PathBuf],
        sectors: &[Sector],
    ) -> Result<(Self, Vec<Sector>), FileError> {
        for kind in [CellKind::Distance, CellKind::Wdl] {
            let tables = Self::new(rules, kind, folders.to_vec());
            let present = tables.present(sectors)?;
            if !present.is_empty() {
                return Ok((tables, present));
            }
        }
        let nothing = Self::new(rules, CellKind::Distance, folders.to_vec());
        Ok((Self { is_any_kind: true, ..nothing }, Vec::new()))
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What the cells say.
    pub fn kind(&self) -> CellKind {
        self.kind
    }

    /// Opens a sector's file. A damaged one is passed over if a later folder has a good one.
    ///
    /// # Errors
    /// If it is in none of the folders, or wrong.
    pub fn file(&self, sector: Sector) -> Result<Arc<TableFile>, FileError> {
        if let Some(file) = held(&self.open).get(&sector) {
            return Ok(file.clone());
        }
        self.find(sector, &mut held(&self.passed_over))
    }

    /// Opens a sector's file, but none that has been passed over.
    fn find(&self, sector: Sector, passed: &mut PassedOver) -> Result<Arc<TableFile>, FileError> {
        let name = file_name(&self.rules, sector, self.kind);
        let (mut missing, mut damaged) = (None, Vec::new());
        let paths = self.folders.iter().map(|folder| folder.join(&name));
        for path in paths.filter(|path| !passed.paths.contains(path)) {
            match self.open_as(&path, sector) {
                Ok(file) => {
                    for (path, error) in damaged {
                        passed.add(path, error);
                    }
                    let file = Arc::new(file);
                    let mut open = held(&self.open);
                    if open.len() >= MOST_OPEN {
                        open.clear();
                    }
                    open.insert(sector, file.clone());
                    return Ok(file);
                }
                Err(error @ FileError::Missing(_)) => missing = missing.or(Some(error)),
                Err(error @ FileError::Damaged { .. }) => damaged.push((path, error)),
                Err(error) => return Err(error),
            }
        }
        if let Some((_, error)) = damaged.into_iter().next() {
            return Err(error);
        }
        Err(match missing.unwrap_or_else(|| FileError::Missing(PathBuf::from(name))) {
            FileError::Missing(path) if self.is_any_kind => {
                let without_distances = file_name(&self.rules, sector, CellKind::Wdl);
                FileError::NoKind { path, without_distances }
            }
            error => error,
        })
    }

    /// Reads from a sector's file. If that turns out to be damaged, and a later folder has another one,
    /// reads from that.
    fn read<R>(
        &self,
        sector: Sector,
        mut from: impl FnMut(&TableFile) -> Result<R, FileError>,
    ) -> Result<R, FileError> {
        loop {
            let file = self.file(sector)?;
            match from(&file) {
                Err(error @ FileError::Damaged { .. }) => self.pass_over(sector, &file, error)?,
                done => return done,
            }
        }
    }

    /// Passes over a file that is damaged, as the error says.
    ///
    /// # Errors
    /// The same, if there is no other.
    fn pass_over(
        &self,
        sector: Sector,
        file: &TableFile,
        error: FileError,
    ) -> Result<(), FileError> {
        let mut passed = held(&self.passed_over);
        let path = file.path().to_path_buf();
        if passed.paths.insert(path.clone()) {
            if self.find(sector, &mut passed).is_err() {
                passed.paths.remove(&path);
                return Err(error);
            }
            passed.untold.push(error);
        }
        Ok(())
    }

    /// What is wrong with files that have been passed over since this was asked last.
    pub fn passed_over(&self) -> Vec<FileError> {
        std::mem::take(&mut held(&self.passed_over).untold)
    }

    fn open_as(&self, path: &Path, sector: Sector) -> Result<TableFile, FileError> {
        let file = TableFile::open(path, &self.rules)?;
        let header = file.header();
        if (header.sector, header.kind) != (sector, self.kind) {
            let what = format!("it holds sector {} under another name", header.sector);
            return Err(FileError::Damaged { path: path.to_path_buf(), what });
        }
        Ok(file)
    }

    /// The sectors that have a file in any of the folders, in ascending order. Only names are
    /// looked at.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn present(&self, sectors: &[Sector]) -> Result<Vec<Sector>, FileError> {
        let mut names = BTreeSet::new();
        for folder in &self.folders {
            names.extend(names_in(folder)?);
        }
        let has = |s: &Sector| names.contains(OsStr::new(&file_name(&self.rules, *s, self.kind)));
        Ok(sectors.iter().copied().filter(has).collect())
    }

    /// Whether all files of a unit are in the folder `out` and right: head, index and size, and
    /// with `fully` every byte. If one is missing, what the others hold does not matter; nor does it if
    /// `stop` is set before all is read: then they are none.
    ///
    /// # Errors
    /// If files are there but wrong: what is wrong with each.
    pub fn has_unit(
        &self,
        out: &Path,
        unit: Unit,
        fully: bool,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<bool, Vec<FileError>> {
        let mut faults = Vec::new();
        for sector in unit.sectors() {
            let path = out.join(file_name(&self.rules, sector, self.kind));
            let checked = self
                .open_as(&path, sector)
                .and_then(|file| if fully { file.check_until(threads, stop) } else { Ok(true) });
            match checked {
                Ok(false) | Err(FileError::Missing(_)) => return Ok(false),
                Err(error) => faults.push(error),
                Ok(true) => {}
            }
        }
        if faults.is_empty() { Ok(true) } else { Err(faults) }
    }

    /// Keeps a table in memory until it is forgotten.
    pub fn keep(&self, table: Arc<SectorTable>) {
        held(&self.kept).insert(table.sector, table);
    }

    /// Gives the memory of a table back, if nobody else holds it.
    pub fn forget(&self, sector: Sector) {
        held(&self.kept).remove(&sector);
    }

    /// The sectors kept in memory, in ascending order.
    pub fn kept(&self) -> Vec<Sector> {
        let mut sectors: Vec<_> = held(&self.kept).keys().copied().collect();
        sectors.sort();
        sectors
    }

    /// Reads a table from its file and keeps it in memory.
    ///
    /// # Errors
    /// If the file is missing or wrong.
    pub fn load(&self, sector: Sector, threads: usize) -> Result<Arc<SectorTable>, FileError> {
        let loaded = self.load_until(sector, threads, &AtomicBool::new(false))?;
        Ok(loaded.expect("nobody stops it"))
    }

    /// As [`load`](Self::load); `None` if `stop` was set before it was read.
    ///
    /// # Errors
    /// If the file is missing or wrong.
    pub fn load_until(
        &self,
        sector: Sector,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Option<Arc<SectorTable>>, FileError> {
        if let Some(table) = held(&self.kept).get(&sector) {
            return Ok(Some(table.clone()));
        }
        let read = self.read(sector, |file| {
            let columns = file.header().columns as usize;
            Ok(file.read_all_until(threads, stop)?.map(|cells| (columns, cells)))
        })?;
        let Some((columns, cells)) = read else { return Ok(None) };
        let table = Arc::new(SectorTable { sector, columns, cells });
        self.keep(table.clone());
        Ok(Some(table))
    }

    /// The cell of one position.
    ///
    /// # Errors
    /// If the sector's file is missing or wrong.
    pub fn cell(&self, sector: Sector, own: u32, opponent: u32) -> Result<u8, FileError> {
        let (row, column) = index::locate(self.rules.board(), own, opponent);
        if let Some(table) = held(&self.kept).get(&sector) {
            return Ok(table.cells[row * table.columns + column]);
        }
        self.read(sector, |file| {
            let mut cells = Vec::new();
            file.read_rows(row, 1, &mut cells)?;
            Ok(cells[column])
        })
    }
}

impl PassedOver {
    fn add(&mut self, path: PathBuf, error: FileError) {
        if self.paths.insert(path) {
            self.untold.push(error);
        }
    }
}

impl Known for Tables {
    fn rows(
        &self,
        sector: Sector,
        first: usize,
        count: usize,
        cells: &mut Vec<u8>,
    ) -> Result<(), SolveError> {
        let kept = held(&self.kept).get(&sector).cloned();
        match kept {
            Some(table) => {
                let range = first * table.columns..(first + count) * table.columns;
                cells.extend_from_slice(&table.cells[range]);
            }
            None => {
                let before = cells.len();
                self.read(sector, |file| {
                    cells.truncate(before);
                    file.read_rows(first, count, cells)
                })?;
            }
        }
        Ok(())
    }
}
