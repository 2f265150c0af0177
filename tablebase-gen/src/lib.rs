//! The table generator: solves sectors of a mill game backwards, writes, checks and reads them.

pub mod archive;
pub mod check;
pub mod cli;
pub mod file;
pub mod folder;
mod memory;
pub mod pack;
pub mod plan;
pub mod probe;
pub mod report;
pub mod run;
pub mod sector;
pub mod solve;
pub mod stats;
pub mod tables;
mod threads;
pub mod unpack;
