//! Why a file of packed cells, published or archived, was not made or read.

use crate::{file::FileError, memory::Refused, sector::Sector};
use millrace_engine::table::TableError;

/// Why work on packed cells came to no end.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system gave no memory.
    #[error("sector {sector}: {refused}")]
    Memory {
        /// The sector.
        sector: Sector,
        /// What it refused.
        refused: Refused,
    },
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}
