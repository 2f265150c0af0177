//! Records with faults of every kind: they are read or refused, and never worse.

use crate::dice::Dice;
use millrace_engine::{
    Rules,
    rules::PRESETS,
    text::record::{Reader, Record},
};

const SEEDS: [&str; 6] = [
    include_str!("../data/games/playok-numbered.pgn"),
    include_str!("../data/games/columns-200.txt"),
    include_str!("../data/games/columns-305.txt"),
    include_str!("../data/games/headers-0720.pgn"),
    "[Variant \"six\"]\n[FEN \"1B1/1W1/4/3/3 w 5 5 0 2\"]\n\n{a} 2. a1! $4 {+0.1/3 0.2s} (2. a3 (2. a5)) e3 ; x\n*",
    "[FEN \"********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes\"]\nd6 \u{feff}f4 d7×f4 ½-½",
];

/// What is put in: everything that means something to the reader, and some things that do not.
const SPICE: [&str; 34] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    ";",
    "$",
    "%",
    "*",
    "-",
    "x",
    "!",
    "?",
    ".",
    "...",
    "\n",
    "\n\n",
    "\r",
    "1-0",
    "1/2-1/2",
    "0",
    "25",
    "99999999999999999999",
    "pass",
    "xx",
    "--",
    "\u{feff}",
    "é",
    "\0",
    "[FEN \"",
    "[Variant \"three\"]",
];

/// A text with one to eight changes; never cut inside a character.
fn mutated(dice: &mut Dice) -> String {
    let mut text: Vec<char> = dice.pick(&SEEDS).chars().collect();
    for _ in 0..=dice.below(8) {
        let at = dice.below(text.len() + 1);
        let length = dice.below(20).min(text.len() - at);
        match dice.below(6) {
            0 => drop(text.drain(at..at + length)),
            1 => text.truncate(at),
            2 => {
                let copy: Vec<char> = text[at..at + length].to_vec();
                let to = dice.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            3 if at < text.len() => text[at] = char::from(b' ' + dice.below(95) as u8),
            _ => drop(text.splice(at..at, dice.pick(&SPICE).chars())),
        }
    }
    text.into_iter().collect()
}

#[test]
fn ten_thousand_mutated_records_are_read_or_refused() {
    let mut dice = Dice::new(7);
    let (mut games, mut errors) = (0, 0);
    for number in 0..10_000 {
        let text = mutated(&mut dice);
        let rules: Option<Rules> = (number % 4 == 0).then(|| dice.pick(PRESETS).rules);
        for read in Reader::new(&text, rules) {
            match read {
                Ok(record) => {
                    games += 1;
                    assert_eq!(record.game().turns().len(), record.moves.len(), "{text:?}");
                    check_round_trip(&record);
                }
                Err(error) => {
                    errors += 1;
                    assert!(error.line <= text.lines().count().max(1) + text.matches('\r').count());
                    assert!(!error.to_string().contains(char::is_control), "{error:?}");
                }
            }
        }
    }
    assert!(games > 500 && errors > 500, "{games} games, {errors} errors");
}

fn check_round_trip(record: &Record) {
    let text = record.to_string();
    let again = Record::read_all(&text, None).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(again, std::slice::from_ref(record), "{text}");
}
