//! The table generator: solves sectors of a mill game backwards, writes, checks and reads them.

pub mod file;
pub mod sector;
pub mod solve;
