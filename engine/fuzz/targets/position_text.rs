//! Any text as a position of any preset: refused with a short error, or a position that is written
//! to a text of the same position, and from which the game can be played on.

#![no_main]

use libfuzzer_sys::fuzz_target;
use millrace_engine::{
    perft::{LastPly, perft},
    rules::PRESETS,
    text::{fen, parse_position},
};

fuzz_target!(|input: (u8, &str)| {
    let (number, text) = input;
    let rules = PRESETS[usize::from(number) % PRESETS.len()].rules;
    match parse_position(&rules, text) {
        Ok(pos) => {
            assert_eq!(parse_position(&rules, &fen(&rules, &pos)), Ok(pos));
            assert_eq!(pos.turns(&rules).is_empty(), pos.outcome(&rules).is_over());
            let leaves = |last| perft(&rules, &pos, 2, last);
            assert_eq!(leaves(LastPly::Bulk), leaves(LastPly::Made));
        }
        Err(error) => assert!(error.to_string().chars().count() < 300),
    }
});
