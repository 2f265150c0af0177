//! Random sessions, in this process: no text makes it panic, and every `go` that is not refused is
//! answered once.

use millrace_protocol::session::serve;
use proptest::prelude::*;
use std::{
    io::{Cursor, Write},
    sync::{Arc, Mutex},
};

/// A writer whose text can be read afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no writer panics").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn run(input: String) -> String {
    let out = Shared::default();
    serve(Cursor::new(input), out.clone()).expect("a slice can be read");
    let bytes = out.0.lock().expect("no writer panics").clone();
    String::from_utf8(bytes).expect("answers are text")
}

/// Words that are likely to get somewhere.
const WORDS: &[&str] = &[
    "uci",
    "debug",
    "on",
    "isready",
    "setoption",
    "name",
    "value",
    "Fly",
    "UCI_Variant",
    "Board",
    "Stones",
    "Skill",
    "Level",
    "register",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "pos",
    "moves",
    "go",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "infinite",
    "ponder",
    "mate",
    "searchmoves",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "rules",
    "help",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "99999999999999999999",
    "six",
    "nine+fly=0",
    "three",
    "true",
    "d6",
    "f4",
    "d6-d5",
    "xb4",
    "d6xb4",
    "pass",
    "a1",
    "b2",
    "c3",
    "3/3/3",
    "3/3/3/6/3/3/3",
    "w",
    "b",
    "9",
    "x1",
    "w:wb4:bd2:2",
    "w",
    "É",
    "\u{0}",
];

fn line() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(WORDS), 0..9);
    prop_oneof![
        4 => words.prop_map(|words| words.join(" ")),
        2 => prop::sample::select(&["go depth 1", "position startpos moves d6", "stop"])
            .prop_map(String::from),
        1 => any::<String>().prop_map(|text| text.replace('\n', " ")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn sessions_survive_anything(lines in prop::collection::vec(line(), 0..30)) {
        let asked = lines.iter().filter(|l| l.split_whitespace().next() == Some("go")).count();
        let answers = run(lines.join("\n"));
        let best = answers.lines().filter(|l| l.starts_with("bestmove ")).count();
        let refused = answers.lines().filter(|l| l.starts_with("info string error ")).count();
        prop_assert!(best <= asked && asked <= best + refused, "{answers}");
    }
}
