//! What the documents say of the program is what it does.

use crate::driver::MILLRACE;
use std::process::Command;

const README: &str = include_str!("../../README.md");
const PROTOCOL: &str = include_str!("../../protocol/PROTOCOL.md");
const ERRORS: &str = include_str!("../../protocol/src/error.rs");

#[test]
fn the_readme_lists_the_options_as_they_are() {
    let output = Command::new(MILLRACE).args(["options", "--markdown"]).output();
    let table = String::from_utf8(output.expect("the program starts").stdout).expect("text");
    assert!(README.contains(&table), "the README's table is not this one:\n{table}");
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
