//! Counts and verdicts that independent programs have computed.

use millrace_engine::{
    Position, Rules,
    perft::{LastPly, divide, perft},
    text::{parse_position, parse_turn},
};

/// The lines of a truth file, split into fields, without comments.
fn rows(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    file.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).map(|l| l.split('|').collect())
}

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn position(rules: &Rules, text: &str) -> Position {
    parse_position(rules, text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Counts beyond this are left to optimised builds, and beyond its second value to bulk counting.
const LARGEST: (u64, u64) =
    if cfg!(debug_assertions) { (300_000, 100_000) } else { (u64::MAX, 70_000_000) };

/// Compares one count in every way in which it can be made; returns the number of ways.
fn check_count(rules: &Rules, pos: &Position, depth: u32, expected: u64, what: &str) -> usize {
    if expected > LARGEST.0 {
        return 0;
    }
    let in_parts = |last| divide(rules, pos, depth, last).iter().map(|(_, n)| n).sum::<u64>();
    assert_eq!(in_parts(LastPly::Bulk), expected, "{what}, depth {depth}, in parts and in bulk");
    if expected > LARGEST.1 {
        return 1;
    }
    assert_eq!(in_parts(LastPly::Made), expected, "{what}, depth {depth}, in parts and made");
    if expected > LARGEST.1 / 10 {
        return 2;
    }
    for last in [LastPly::Bulk, LastPly::Made] {
        assert_eq!(perft(rules, pos, depth, last), expected, "{what}, depth {depth}, {last:?}");
    }
    4
}

#[test]
fn perft_from_the_empty_board() {
    let mut checked = 0;
    for row in rows(include_str!("../data/truth/perft_start.txt")) {
        let rules = rules(row[0]);
        let (depth, count) = (row[1].parse().unwrap(), row[2].parse().unwrap());
        checked += check_count(&rules, &Position::start(&rules), depth, count, row[0]);
    }
    assert!(checked > 150, "only {checked} counts were compared");
}

#[test]
fn perft_from_odd_positions() {
    let mut checked = 0;
    for row in rows(include_str!("../data/truth/perft_positions.txt")) {
        let rules = rules(row[0]);
        let pos = position(&rules, row[1]);
        for (depth, count) in (1..).zip(row[2].split(' ')) {
            checked += check_count(&rules, &pos, depth, count.parse().unwrap(), row[1]);
        }
    }
    assert!(checked > 200, "only {checked} counts were compared");
}

#[test]
fn legality_of_single_turns() {
    for row in rows(include_str!("../data/truth/legality.txt")) {
        let [on, fen, text, verdict, rule] = row[..] else { panic!("malformed row {row:?}") };
        let rules = rules(on);
        if rule == "opponent has already lost" {
            let refused = parse_position(&rules, fen).map_err(|e| e.to_string());
            assert_eq!(refused, Err("White cannot be to move: it has already won".to_string()));
            continue;
        }
        let pos = position(&rules, fen);
        let turn = parse_turn(&rules, &pos, text);
        assert_eq!(turn.is_ok(), verdict == "legal", "{on} {fen} {text}: {rule}; {turn:?}");
        let listed =
            pos.turns(&rules).iter().filter(|t| t.on(rules.board()).to_string() == text).count();
        assert_eq!(listed, usize::from(verdict == "legal"), "{on} {fen} {text}: {rule}");
    }
}

#[test]
fn state_of_positions() {
    for row in rows(include_str!("../data/truth/status.txt")) {
        let [on, fen, state, turns, about] = row[..] else { panic!("malformed row {row:?}") };
        let rules = rules(on);
        let pos = position(&rules, fen);
        assert_eq!(pos.outcome(&rules).word(), state, "{on} {fen}: {about}");
        assert_eq!(format!("{} turns", pos.turns(&rules).len()), turns, "{on} {fen}: {about}");
    }
}
