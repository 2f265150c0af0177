//! Texts from and for the outside: positions in three notations, turns, game records.

mod fen;
mod gbgp;
pub mod record;
mod sanmill;
mod turn;

pub use fen::{FenError, fen};
pub use record::Record;
pub use sanmill::sanmill_fen;
pub use turn::{TurnError, parse_part, parse_turn};

use crate::{position::Position, rules::Rules};
use std::fmt;

/// The longest position text that is looked at, in bytes.
const LONGEST: usize = 512;

/// Reads a position in any of the notations, told apart by shape: FEN, GBGP (`w:wb4:bd2:2`), or
/// Sanmill's FEN (17 or more fields). At most 512 bytes are looked at. Plies since a removal count
/// only while nobody has a stone in hand; in other positions they are read as 0, whatever is given.
///
/// # Errors
/// Names the field that is wrong, or what the position contradicts.
pub fn parse_position(rules: &Rules, text: &str) -> Result<Position, FenError> {
    if text.len() > LONGEST {
        return Err(FenError::TooLong(text.len()));
    }
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    match fields.as_slice() {
        [] => Err(FenError::Empty),
        [first, ..] if first.contains(':') => gbgp::parse(rules, &fields),
        _ if fields.len() >= sanmill::FIELDS => sanmill::parse(rules, &fields),
        _ => fen::parse(rules, &fields),
    }
}

/// A number of things, such as `1 ply` or `2 plies`; `what` is the word for one of them.
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if number == N::from(1) => format!("{number} {what}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {what}s"),
    }
}

/// Shortens foreign text for an error message and takes out what a terminal might obey.
pub fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
