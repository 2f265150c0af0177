//! What the benches of the rules share: positions that stand for the phases of a game.

use criterion::Criterion;
use millrace_engine::{Position, Rules, text::parse_position};
use std::time::Duration;

/// Short runs: they tell differences of a few percent, and the whole set ends within minutes.
pub fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1200))
        .sample_size(30)
}

/// A name, rules and a position text for every kind of turn generation.
pub const PHASES: &[(&str, &str, &str)] = &[
    ("placing", "nine", "1B1/2W/B2/1B3W/2W/1W1/W2 w 4 4"),
    ("moving", "nine", "B2/WBW/W1B/1B2BW/1BW/1W1/W1B w 0 0"),
    ("flying", "nine", "1W1/B2/W2/4W1/2B/3/WB1 b 0 0"),
    ("lasker", "lasker", "3/3/2B/1B3W/B1W/1W1/WW1 b 3 4"),
    ("diagonals", "morabaraba", "B1B/W2/3/1W4/BBB/1WW/W2 w 0 0"),
    ("per-mill", "nine+removals=per-mill", "WW1/B2/3/2BB1W/W2/BB1/2W w 3 3"),
    ("six", "six", "BW1/1B1/W2B/1WB/2W w 1 1"),
    ("line-wins", "three", "BB1/2W/WWB w 0 0"),
];

pub fn phases() -> impl Iterator<Item = (&'static str, Rules, Position)> {
    PHASES.iter().map(|(name, rules, text)| {
        let rules: Rules = rules.parse().expect("the rules are well-known");
        let pos = parse_position(&rules, text).unwrap_or_else(|e| panic!("{name}: {e}"));
        (*name, rules, pos)
    })
}
