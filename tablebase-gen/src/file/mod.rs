//! Table files in the generator's working form; `FORMAT.md` defines them to the byte.
//!
//! A file is whole and right, or it is not there: it is written aside, synced and renamed, and
//! checksums cover every byte. This room knows the files but not what is in the folder.

mod header;
mod pack;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use header::{CellKind, Counts, Header};
pub use read::TableFile;
pub use write::{NewTable, PART_SUFFIX, Part, sync_folder, write_table};

use crate::sector::Sector;
use millrace_engine::{Rules, table::file_stem};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// Why a table file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// There is no such file.
    #[error("{0} is missing")]
    Missing(PathBuf),
    /// There is no such file, nor the one of the other kind that would do as well.
    #[error("{path} is missing, as is {without_distances}")]
    NoKind {
        /// The file.
        path: PathBuf,
        /// The name of the other one.
        without_distances: String,
    },
    /// The file is not what it should be.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// The file is whole, but was made under other rules.
    #[error("{path} is of other rules:\n  it holds {found}\n  wanted   {wanted}")]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// The canonical text of its rules.
        found: String,
        /// The canonical text of the rules that were asked for.
        wanted: String,
    },
    /// The disk is full; nothing of the file is left.
    #[error("no space for {path}: it needs about {needed} bytes")]
    Full {
        /// The file.
        path: PathBuf,
        /// About how many bytes it would have had in all.
        needed: u64,
    },
    /// The system gave no memory, or no threads, to read or write the file.
    #[error(
        "{path}: the system refuses memory or threads for it ({why}); free some, raise its limits \
         (ulimit -v, ulimit -u), or use fewer --threads"
    )]
    NoMemory {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        why: io::Error,
    },
    /// What should be a folder is none.
    #[error("{0} is not a folder")]
    NotAFolder(PathBuf),
    /// A file or folder cannot be made.
    #[error("{path} cannot be made: {why}")]
    CannotMake {
        /// Its path.
        path: PathBuf,
        /// The operating system's reason.
        why: io::Error,
    },
    /// The operating system refused.
    #[error("{path}: {why}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        why: io::Error,
    },
}

impl FileError {
    /// The error of an operation on a file that need not exist.
    pub fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::NotFound => FileError::Missing(path),
            io::ErrorKind::NotADirectory => {
                demand_folder(&path).err().unwrap_or(FileError::NotAFolder(path))
            }
            io::ErrorKind::OutOfMemory => FileError::NoMemory { path, why: source },
            _ => FileError::Io { path, why: source },
        }
    }

    /// The error of writing a file that needs about so many bytes.
    pub fn refused(path: &Path, needed: u64, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => FileError::Full { path: path.to_path_buf(), needed },
            io::ErrorKind::OutOfMemory => {
                FileError::NoMemory { path: path.to_path_buf(), why: source }
            }
            _ => FileError::Io { path: path.to_path_buf(), why: source },
        }
    }

    /// The error of making a file or folder.
    pub fn unmade(path: &Path, source: io::Error) -> Self {
        match FileError::refused(path, 0, source) {
            FileError::Io { path, why } => FileError::CannotMake { path, why },
            other => other,
        }
    }

    fn no_memory(path: &Path) -> Self {
        FileError::io(path, io::ErrorKind::OutOfMemory.into())
    }

    fn damaged(path: &Path, what: impl Into<String>) -> Self {
        FileError::Damaged { path: path.to_path_buf(), what: what.into() }
    }
}

/// Refuses a path that is something else than a folder, or leads through something else. It need not
/// exist.
///
/// # Errors
/// If what is there, or on the way there, is no folder.
pub fn demand_folder(path: &Path) -> Result<(), FileError> {
    match path.ancestors().find(|place| place.exists()) {
        Some(place) if !place.is_dir() => Err(FileError::NotAFolder(place.to_path_buf())),
        _ => Ok(()),
    }
}

/// The names of all that is in a folder.
///
/// # Errors
/// If there is no such folder, or the operating system refuses.
pub fn names_in(folder: &Path) -> Result<BTreeSet<OsString>, FileError> {
    let entries = fs::read_dir(folder).and_then(|all| all.map(|e| Ok(e?.file_name())).collect());
    entries.map_err(|e| FileError::io(folder, e))
}

/// The name of a sector's file in the solver's own form.
pub fn file_name(rules: &Rules, sector: Sector, kind: CellKind) -> String {
    let kind = match kind {
        CellKind::Distance => "",
        CellKind::Wdl => "-wdl",
    };
    format!("{}{kind}.mrg", file_stem(rules, sector))
}
