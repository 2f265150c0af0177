//! What is wrong with a folder or a file of tables, so that whoever has told it can tell whether he has.

use super::{error::TableError, folder::Objection};
use std::{
    fmt, io,
    mem::{Discriminant, discriminant},
    path::Path,
};

/// Something that is wrong.
#[derive(Debug)]
pub(crate) struct Fault {
    name: FaultName,
    words: String,
}

/// What is wrong, and with what: the same for the same kind of fault of one folder or file, whatever
/// rules are asked for and wherever a file is damaged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FaultName {
    place: String,
    kind: FaultKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FaultKind {
    Unreadable(io::ErrorKind),
    Useless(Discriminant<Objection>),
    Table(Discriminant<TableError>),
    Lonely,
}

impl Fault {
    /// A folder that cannot be read.
    pub fn unreadable(folder: &Path, error: &io::Error) -> Self {
        Self::of_folder(folder, FaultKind::Unreadable(error.kind()), error)
    }

    /// A folder without tables of the game.
    pub fn useless(folder: &Path, objection: &Objection) -> Self {
        Self::of_folder(folder, FaultKind::Useless(discriminant(objection)), objection)
    }

    /// A file that cannot be used.
    pub fn of_table(path: &str, error: &TableError) -> Self {
        Self::new(format!("table {path}"), FaultKind::Table(discriminant(error)), error)
    }

    /// Distances without the wins, draws and losses that they are of.
    pub fn lonely(path: &str) -> Self {
        let what = "no file of wins, draws and losses that is at hand goes with it";
        Self::new(format!("table {path}"), FaultKind::Lonely, &what)
    }

    fn of_folder(folder: &Path, kind: FaultKind, what: &dyn fmt::Display) -> Self {
        Self::new(format!("folder {}", folder.display()), kind, what)
    }

    fn new(place: String, kind: FaultKind, what: &dyn fmt::Display) -> Self {
        Self { words: format!("{place}: {what}"), name: FaultName { place, kind } }
    }

    /// What it is, however it is put.
    pub fn name(&self) -> &FaultName {
        &self.name
    }

    /// The fault in one line.
    pub fn into_words(self) -> String {
        self.words
    }
}
