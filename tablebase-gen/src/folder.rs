//! The folder that tables are written into: its lock, and what unfinished runs have left.
//!
//! A run that solves many units holds the folder alone; runs that solve one unit each share it and
//! hold their unit, so that a workflow engine can run several at once.

use crate::{
    file::{CellKind, FileError, PART_SUFFIX, file_name},
    sector::Unit,
};
use fs4::{FileExt, TryLockError};
use millrace_engine::Rules;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
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
    _locks: Vec<File>,
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
    fs::create_dir_all(folder).map_err(|e| FileError::io(folder, e))?;
    let mut locks = Vec::new();
    match claim {
        Claim::Folder => {
            locks.push(lock(folder, LOCK, FileExt::try_lock)?);
            for entry in fs::read_dir(folder).map_err(|e| FileError::io(folder, e))? {
                let path = entry.map_err(|e| FileError::io(folder, e))?.path();
                if path.to_string_lossy().ends_with(&format!(".mrg{PART_SUFFIX}")) {
                    remove(&path)?;
                }
            }
        }
        Claim::Unit(unit) => {
            locks.push(lock(folder, LOCK, FileExt::try_lock_shared)?);
            let table = file_name(rules, unit.first(), kind);
            let name = format!(".{}{LOCK}", table.trim_end_matches(".mrg"));
            locks.push(lock(folder, &name, FileExt::try_lock)?);
            for sector in unit.sectors() {
                let name = file_name(rules, sector, kind) + PART_SUFFIX;
                remove(&folder.join(name))?;
            }
        }
    }
    Ok(FolderLock { _locks: locks })
}

fn lock(
    folder: &Path,
    name: &str,
    take: impl Fn(&File) -> Result<(), TryLockError>,
) -> Result<File, FolderError> {
    let path = folder.join(name);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| FileError::io(&path, e))?;
    match take(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FolderError::Busy(folder.to_path_buf())),
        Err(TryLockError::Error(e)) => Err(FileError::io(&path, e).into()),
    }
}

/// Removes a file that need not exist.
fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path).map_err(|e| FileError::io(path, e)) {
        Err(FileError::Missing(_)) => Ok(()),
        done => done,
    }
}
