//! Archives: the cells of published tables in as few bytes as they take, to be kept and sent, not to be
//! looked up.
//!
//! This room knows bits and whole tables, not how tables are solved or searched. A cell is foretold
//! from what is known already, rows that slides lead to above all, by a model that learns while it
//! goes; the page `tablebase-gen/FORMAT.md` defines it to the bit.

mod around;
mod code;
mod file;
mod mix;

pub use file::{
    Head, NewArchive, Unpacked, archive_name, open_archive, read_archive, rules_of_archive,
    write_archive,
};
