//! Making the published files out of the solver's: fewer cells, in far fewer bytes.
//!
//! This room knows how models are found and files written; what the bytes mean is the engine's
//! `table` room, through whose code all cells go here as well.

mod cells;
mod error;
mod patterns;
mod sample;
mod train;
mod transpose;
mod write;

pub use error::PackError;
pub(crate) use patterns::patterns;
pub use write::{PackSettings, Packed, archive_sector, pack_archived, pack_sector};
