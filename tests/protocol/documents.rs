//! What the documents say of the program is what it does.

use crate::driver::MILLRACE;
use std::process::Command;

const README: &str = include_str!("../../README.md");
const PROTOCOL: &str = include_str!("../../protocol/PROTOCOL.md");
const SEARCH: &str = include_str!("../../engine/SEARCH.md");
const LEVELS: &str = include_str!("../../engine/src/search/level.rs");
const ERRORS: &str = include_str!("../../protocol/src/error.rs");

#[test]
fn the_readme_lists_the_options_as_they_are() {
    let output = Command::new(MILLRACE).args(["options", "--markdown"]).output();
    let table = String::from_utf8(output.expect("the program starts").stdout).expect("text");
    assert!(README.contains(&table), "the README's table is not this one:\n{table}");
}

#[test]
fn the_ratings_of_levels_are_documented() {
    let (_, rest) = LEVELS.split_once("const RATINGS").expect("the ratings");
    let (ratings, _) = rest.split_once("];").expect("their end");
    let name = |level: &str| level.replace("FULL_LEVEL", "20");
    let rows: Vec<String> = ratings
        .lines()
        .filter_map(|line| line.trim().strip_prefix('(')?.strip_suffix("),")?.split_once(", "))
        .map(|(elo, level)| format!("| {} | {elo} |", name(level)))
        .collect();
    assert_eq!(rows.len(), 8, "{ratings}");
    for row in rows {
        assert!(SEARCH.contains(&row), "{row}");
    }
}

#[test]
fn every_error_code_is_documented() {
    let codes: Vec<&str> = ERRORS
        .lines()
        .filter(|line| line.trim_start().starts_with("Self::"))
        .filter_map(|line| line.split('"').nth(1))
        .collect();
    assert!(codes.len() > 10, "{codes:?}");
    for code in codes {
        assert!(PROTOCOL.contains(&format!("| `{code}` |")), "{code}");
    }
}
