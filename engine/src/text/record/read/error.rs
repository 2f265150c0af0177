//! What can be wrong with a record, and where.

use crate::{
    rules::RulesError,
    text::{FenError, TurnError},
};
use std::fmt;

/// Why a record was refused, with the place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The number of the game in the text, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The number of the turn of its line of play, from 1, if a turn is to blame.
    pub turn: Option<usize>,
    /// What is wrong.
    pub why: RecordFault,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} (game {}", self.line, self.column, self.game)?;
        if let Some(turn) = self.turn {
            write!(f, ", turn {turn}")?;
        }
        write!(f, "): {}", self.why)
    }
}

impl std::error::Error for RecordError {}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// A tag that does not end or has no name.
    #[error("this tag is not of the form [Name \"value\"]")]
    Tag,
    /// A comment without an end.
    #[error("this comment has no closing brace")]
    Comment,
    /// A character that closes nothing.
    #[error("'{0}' closes nothing")]
    Stray(char),
    /// A mark that is no number of one byte.
    #[error("'${0}' is not a mark from $0 to $255")]
    Mark(String),
    /// A variation before the first turn.
    #[error("no turn stands before this variation")]
    NothingToVary,
    /// A variation without an end.
    #[error("this variation is not closed")]
    Unclosed,
    /// Variations within variations, too many.
    #[error("variations are nested more than {0} deep")]
    Nesting(usize),
    /// The variant is none that is known by name.
    #[error("the variant '{0}' is not known; say by which rules the game was played")]
    Variant(String),
    /// The variant is written as rules, but they contradict themselves.
    #[error("the variant: {0}")]
    Rules(#[from] RulesError),
    /// The record was made under other rules of this name.
    #[error(
        "the record was made under rules with the fingerprint {said}; its variant, {variant}, has \
         the fingerprint {ours:016x}: {canonical}"
    )]
    Fingerprint {
        /// The fingerprint that the record gives.
        said: String,
        /// The variant by name.
        variant: String,
        /// The fingerprint of that variant here.
        ours: u64,
        /// Its rules in full.
        canonical: String,
    },
    /// The first position is bad.
    #[error("the first position: {0}")]
    Position(#[from] FenError),
    /// A number that is no point.
    #[error("'{text}': the points of this board are numbered from 1 to {points}")]
    Point {
        /// The turn, shortened.
        text: String,
        /// How many points there are.
        points: usize,
    },
    /// A turn that is none or is not legal.
    #[error("'{text}': {why}")]
    Turn {
        /// The turn, shortened.
        text: String,
        /// What is wrong with it.
        why: TurnError,
    },
}
