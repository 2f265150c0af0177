//! Tools around the engine that are no part of playing: counting turns, measuring speed, explaining
//! an evaluation.

pub mod bench;
pub mod convert;
pub mod eval;
pub mod perft;
