//! What can be wrong with a table.

use std::io;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no such file.
    #[error("it is missing")]
    Missing,
    /// It is not what it should be.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It was made by another version of the format.
    #[error("its format version is {found}, not {wanted}")]
    Version {
        /// What it says.
        found: u32,
        /// What can be read.
        wanted: u32,
    },
    /// It was made under other rules.
    #[error("it is of other rules: it holds {found}, wanted {wanted}")]
    OtherRules {
        /// The canonical text of its rules.
        found: String,
        /// The canonical text of the rules that were asked for.
        wanted: String,
    },
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl TableError {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        TableError::Damaged(what.into())
    }
}
