//! Tools around the engine that are no part of playing: counting turns, measuring speed, judging
//! games, converting records, explaining an evaluation, fitting it.

pub mod accuracy;
pub mod analyse;
pub mod bench;
pub mod convert;
pub mod eval;
pub mod perft;
pub mod solve;
pub mod tune;
