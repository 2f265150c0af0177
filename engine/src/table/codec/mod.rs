//! How the cells of a block become few bytes and come back.
//!
//! Readers and writers go the same way through the same code; `tablebase-gen/FORMAT.md` tells the
//! way to the bit.

pub mod coder;
pub mod context;
pub mod distance;
pub mod model;
