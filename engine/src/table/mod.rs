//! Reading endgame tables: who wins a position with few stones, and how soon.
//!
//! This room knows files, boards and rules, but neither the search nor how tables are made. The
//! files are defined to the bit in `tablebase-gen/FORMAT.md`. Solving by sectors is after Ralph
//! Gasser (1996); two files, one for the value and one for the distance, after Ronald de Man's
//! tables for chess.

mod builtin;
mod cache;
pub mod codec;
mod derive;
mod error;
mod fault;
mod fields;
mod file;
mod folder;
mod header;
mod lookup;
mod opened;
mod probe;
mod sector;
mod source;
mod tables;

pub use crate::sector::Sector;
pub use error::TableError;
pub(crate) use fault::FaultName;
pub use fields::{Beginning, Fields, rules_of};
pub use file::{PAGE, PackedFile, index_length};
pub use folder::{Objection, TableFolder};
pub use header::{Header, Kind, file_name, file_stem};
pub use probe::{Value, Wdl};
pub use sector::{Block, Coverage, Cut, MOST_CELLS, Shape, two_colouring};
pub use source::{Mapped, Source};
pub use tables::Tables;
