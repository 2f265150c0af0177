//! Everything that can be wrong with a line, each with the stable code by which programs know it.

use millrace_engine::{RulesError, TurnError, text::FenError};

/// Why a command was refused. Nothing has changed then, unless a variant says so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The first word is not a command.
    #[error("'{0}' is not a command; 'help' lists them all")]
    UnknownCommand(String),
    /// A word that the command does not know.
    #[error("{command} does not know '{word}'")]
    BadArgument {
        /// The command.
        command: &'static str,
        /// The word, shortened.
        word: String,
    },
    /// A word that says the same thing a second time, or another.
    #[error("{command} takes '{word}' once")]
    Repeated {
        /// The command.
        command: &'static str,
        /// The word.
        word: String,
    },
    /// A word that must be followed by something stands last.
    #[error("{0} needs a value")]
    MissingValue(String),
    /// Not a number, or one outside the range.
    #[error("{what} must be a whole number from {min} to {max}, not '{text}'")]
    BadNumber {
        /// What the number is for.
        what: &'static str,
        /// The smallest one.
        min: i64,
        /// The largest one.
        max: i64,
        /// What was given, shortened.
        text: String,
    },
    /// A position's text is wrong, or the position is not one of the rules.
    #[error(transparent)]
    BadPosition(#[from] FenError),
    /// A word of a list of turns is not a turn of this board.
    #[error("moves[{index}] '{token}': {why}")]
    BadMove {
        /// Place of the word in the list, from 0.
        index: usize,
        /// The word, shortened.
        token: String,
        /// What is wrong.
        why: TurnError,
    },
    /// A word of a list of turns is a turn, but not a legal one.
    #[error("moves[{index}] '{token}': {why}")]
    IllegalMove {
        /// Place of the word in the list, from 0.
        index: usize,
        /// The word, shortened.
        token: String,
        /// What is wrong.
        why: TurnError,
    },
    /// `go` after a position that was refused.
    #[error("the last position was refused; send a good one, or ucinewgame, before go")]
    NoPosition,
    /// No option has this name.
    #[error("there is no option '{0}'; 'uci' lists them all")]
    UnknownOption(String),
    /// The option does not take this value.
    #[error("option {name} takes {takes}, not '{value}'")]
    BadValue {
        /// The option.
        name: &'static str,
        /// The values that it takes.
        takes: String,
        /// What was given, shortened.
        value: String,
    },
    /// The rules text is wrong or contradicts itself.
    #[error(transparent)]
    BadRules(#[from] RulesError),
    /// The log file could not be opened.
    #[error("log file '{path}' cannot be opened: {why}")]
    LogFile {
        /// Its path.
        path: String,
        /// What the system says.
        why: String,
    },
    /// The engine could not take its new settings.
    #[error("{0}")]
    Resources(String),
    /// A line longer than any sensible command.
    #[error("the line is longer than {0} bytes and was skipped")]
    LineTooLong(usize),
    /// A line that is not UTF-8 text.
    #[error("the line is not UTF-8 text and was skipped")]
    NotText,
    /// A fault of the program itself.
    #[error("{0}")]
    Internal(String),
}

impl ProtocolError {
    /// The code that stands after `info string error`. Codes are never renamed.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownCommand(_) => "unknown_command",
            Self::BadArgument { .. } => "bad_argument",
            Self::Repeated { .. } => "repeated",
            Self::MissingValue(_) => "missing_value",
            Self::BadNumber { .. } => "bad_number",
            Self::BadPosition(_) => "bad_position",
            Self::BadMove { .. } => "bad_move",
            Self::IllegalMove { .. } => "illegal_move",
            Self::NoPosition => "no_position",
            Self::UnknownOption(_) => "unknown_option",
            Self::BadValue { .. } => "bad_value",
            Self::BadRules(_) => "bad_rules",
            Self::LogFile { .. } => "log_file",
            Self::Resources(_) => "resources",
            Self::LineTooLong(_) => "line_too_long",
            Self::NotText => "not_text",
            Self::Internal(_) => "internal",
        }
    }

    /// The error for the word at `index` of a list of turns.
    pub(crate) fn of_turn(index: usize, token: &str, why: TurnError) -> Self {
        let token = millrace_engine::text::quoted(token);
        match why {
            TurnError::Syntax(_) | TurnError::NotAPoint(_) | TurnError::ManyRemovals => {
                Self::BadMove { index, token, why }
            }
            _ => Self::IllegalMove { index, token, why },
        }
    }
}
