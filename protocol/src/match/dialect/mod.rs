//! The dialects of engines under test, seen from the driver's side: how a position is told, and how
//! an answer is understood. A dialect knows no clocks and no processes.

mod gbgp;
mod native;
mod read;
mod sanmill;

pub use read::{Line, Said};

use millrace_engine::{Position, Rules, Turn};
use serde::{Deserialize, Serialize};

/// The dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proto {
    /// Millrace's own, in the manner of UCI.
    #[default]
    Native,
    /// The Generic Board Game Protocol.
    Gbgp,
    /// Sanmill's `mill uci`: one action a token.
    Sanmill,
}

impl Proto {
    /// All of them.
    pub const ALL: [Proto; 3] = [Proto::Native, Proto::Gbgp, Proto::Sanmill];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Proto::Native => "native",
            Proto::Gbgp => "gbgp",
            Proto::Sanmill => "sanmill",
        }
    }

    /// What it says and how.
    pub fn dialect(self) -> &'static dyn Dialect {
        match self {
            Proto::Native => &native::Native,
            Proto::Gbgp => &gbgp::Gbgp,
            Proto::Sanmill => &sanmill::Sanmill,
        }
    }
}

/// An option that an engine has to be given so that it plays by the rules of the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesSetup {
    /// It plays by them already, as far as is known.
    Nothing,
    /// Set this option.
    Option(&'static str, String),
    /// Nothing that it announces would tell it the rules.
    Unknown,
}

/// What differs between the dialects.
pub trait Dialect: Sync {
    /// The first word, and the word that ends its answer.
    fn handshake(&self) -> (&'static str, &'static str);

    /// The word before a new game.
    fn new_game(&self) -> &'static str;

    /// How it is told the rules, given the names of the options that it announced.
    fn tell_rules(&self, rules: &Rules, announced: &dyn Fn(&str) -> bool) -> RulesSetup;

    /// The `position` command up to where turns follow; `None` if the dialect has no words for this
    /// first position.
    fn position(&self, rules: &Rules, first: &Position) -> Option<String>;

    /// Appends a turn to a list of turns.
    fn push_turn(&self, rules: &Rules, turn: Turn, list: &mut String);

    /// Understands a line that comes while an answer is awaited.
    fn read(&self, line: &str) -> Line;

    /// Whether a turn is answered action by action.
    fn is_split(&self) -> bool {
        false
    }

    /// Whether scores are White's instead of the side's to move.
    fn scores_for_white(&self) -> bool {
        false
    }
}

/// Appends a turn as one word.
fn push_whole(rules: &Rules, turn: Turn, list: &mut String) {
    use std::fmt::Write;
    // Writing to a string cannot fail.
    let _ = write!(list, " {}", turn.on(rules.board()));
}
