//! The folder that tables are written into: its lock, and what unfinished runs have left.
//!
//! A run that solves many units holds the folder alone; runs that solve one unit each share it and
//! hold their unit, so that a workflow engine can run several at once. Locks are gone when nobody holds
//! them, and so is a folder in which nothing came to be.

use crate::{
    file::{CellKind, FileError, PART_SUFFIX, Part, demand_folder, file_name, names_in},
    sector::Unit,
};
use fs4::{FileExt, TryLockError};
use millrace_engine::Rules;
use same_file::Handle;
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

const LOCK: &str = ".lock";

/// Why a folder could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another run works there.
    #[error("another run is writing to {0}; wait for it or choose another folder")]
    Busy(PathBuf),
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What a run will write.
pub enum Claim {
    /// Any tables.
    Folder,
    /// The tables of one unit.
    Unit(Unit),
}

/// The right to write into a folder, until dropped.
pub struct FolderLock {
    locks: Vec<Lock>,
    made: Vec<PathBuf>,
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        self.locks.clear();
        for folder in &self.made {
            // What holds something stays.
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// Refuses, without making anything, a folder that [`make`] cannot make: for what is on the way there, or
/// for its name.
///
/// # Errors
/// If it cannot be made.
pub fn demand_makeable(folder: &Path) -> Result<(), FileError> {
    missing(folder).map(drop)
}

/// Makes a folder if need be. Returns the folders that were not there before, the innermost first.
///
/// # Errors
/// If what is there, or on the way there, is no folder, or the operating system refuses.
pub fn make(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let missing = missing(folder)?;
    fs::create_dir_all(folder).map_err(|e| FileError::unmade(folder, e))?;
    Ok(missing)
}

/// The folders that are not there, this one and those on the way to it, the innermost first; an error if one
/// of them cannot come to be.
fn missing(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    demand_folder(folder)?;
    let unmade = |why| Err(FileError::unmade(folder, why));
    let mut missing = Vec::new();
    for place in folder.ancestors().filter(|place| **place != *Path::new("")) {
        match fs::metadata(place) {
            Ok(_) => break,
            Err(_) if place.is_symlink() => {
                let why = format!("{} is a link that leads nowhere", place.display());
                return unmade(io::Error::other(why));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return unmade(error),
            // Where the way to it is missing too, nobody has looked at the name.
            Err(_) => match fs::symlink_metadata(place.file_name().unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
                    return unmade(error);
                }
                _ => missing.push(place.to_path_buf()),
            },
        }
    }
    Ok(missing)
}

/// As [`make`]; and tries whether files can be made in it, before there is something to lose.
///
/// # Errors
/// As [`make`], or if they cannot.
pub fn make_to_write(folder: &Path) -> Result<(), FileError> {
    make(folder)?;
    // It is gone when it is dropped.
    Part::create(&folder.join(LOCK)).map(drop)
}

/// Makes the folder if need be, takes its lock, and removes what dead runs have left behind.
///
/// # Errors
/// If another run has it, or the operating system refuses.
pub fn claim(
    folder: &Path,
    rules: &Rules,
    kind: CellKind,
    claim: Claim,
) -> Result<FolderLock, FolderError> {
    let mut held = FolderLock { locks: Vec::new(), made: make(folder)? };
    match claim {
        Claim::Folder => {
            held.locks.push(Lock::take(folder, LOCK, FileExt::try_lock)?);
            for name in names_in(folder)? {
                if name.to_string_lossy().ends_with(&format!(".mrg{PART_SUFFIX}")) {
                    remove(&folder.join(name))?;
                }
            }
        }
        Claim::Unit(unit) => {
            held.locks.push(Lock::share(folder, LOCK)?);
            let table = file_name(rules, unit.first(), kind);
            let name = format!(".{}{LOCK}", table.trim_end_matches(".mrg"));
            held.locks.push(Lock::take(folder, &name, FileExt::try_lock)?);
            for sector in unit.sectors() {
                let name = file_name(rules, sector, kind) + PART_SUFFIX;
                remove(&folder.join(name))?;
            }
        }
    }
    Ok(held)
}

/// A lock held. Its file is removed by the last who holds it.
struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    fn take(
        folder: &Path,
        name: &str,
        take: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Self, FolderError> {
        let path = folder.join(name);
        let refused = |e| FileError::io(&path, e);
        loop {
            let options = File::options().create(true).truncate(false).write(true).open(&path);
            let file = options.map_err(|e| FileError::unmade(&path, e))?;
            match take(&file) {
                // The one before may have removed the file after it was opened here.
                Ok(()) if is_at(&file, &path).map_err(refused)? => return Ok(Self { file, path }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(FolderError::Busy(folder.to_path_buf()));
                }
                Err(TryLockError::Error(e)) => return Err(refused(e).into()),
            }
        }
    }

    /// Takes a lock that others may hold too. One of them may hold it alone for the moment in which it
    /// sees whether it is the last.
    fn share(folder: &Path, name: &str) -> Result<Self, FolderError> {
        const TRIES: usize = 20;
        const PAUSE: Duration = Duration::from_millis(10);
        let mut taken = Self::take(folder, name, FileExt::try_lock_shared);
        for _ in 0..TRIES {
            if !matches!(taken, Err(FolderError::Busy(_))) {
                break;
            }
            thread::sleep(PAUSE);
            taken = Self::take(folder, name, FileExt::try_lock_shared);
        }
        taken
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock that cannot be removed is only untidy.
        let is_last = FileExt::unlock(&self.file).is_ok() && FileExt::try_lock(&self.file).is_ok();
        if is_last && is_at(&self.file, &self.path).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether an open file still is what a path leads to.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match Handle::from_path(path) {
        Ok(there) => Ok(Handle::from_file(file.try_clone()?)? == there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a file that need not exist.
fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path).map_err(|e| FileError::io(path, e)) {
        Err(FileError::Missing(_)) => Ok(()),
        done => done,
    }
}
