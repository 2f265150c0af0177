//! Any lines as the turns of a game of any preset: each is refused with a short error that changes
//! nothing, or made and taken back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use millrace_engine::{Game, rules::PRESETS};

fuzz_target!(|input: (u8, &str)| {
    let (number, text) = input;
    let rules = PRESETS[usize::from(number) % PRESETS.len()].rules;
    let mut game = Game::new(rules);
    for line in text.lines() {
        let before = *game.position();
        match game.play_text(line) {
            Ok(turn) => {
                let after = *game.position();
                assert_eq!(game.take_back(), Some(turn));
                assert_eq!(*game.position(), before);
                let written = turn.on(rules.board()).to_string();
                assert_eq!(game.play_text(&written), Ok(turn));
                assert_eq!(*game.position(), after);
            }
            Err(error) => {
                assert!(error.to_string().chars().count() < 300);
                assert_eq!(*game.position(), before);
            }
        }
    }
});
