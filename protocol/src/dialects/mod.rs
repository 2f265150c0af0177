//! Dialects: how a session's commands are read and its answers are worded. A dialect is a thin
//! translation; what is done stands in the session, once.

mod native;
mod wdl;

pub use native::NATIVE;
pub(crate) use native::per_second;

use crate::{ProtocolError, command::Command};
use millrace_engine::{
    Board,
    search::{Best, Info},
};

/// A way to word commands and answers.
pub trait Dialect: Sync {
    /// The answer to the handshake, as lines.
    fn introduction(&self) -> String;

    /// Reads a line; `None` if it is blank.
    ///
    /// # Errors
    /// Says what is wrong with it.
    fn parse<'a>(&self, line: &'a str) -> Result<Option<Command<'a>>, ProtocolError>;

    /// What is known in the middle of a search, as a line.
    fn info(&self, board: Board, show_wdl: bool, info: &Info) -> String;

    /// The answer of a search, as a line.
    fn best(&self, board: Board, best: &Best) -> String;

    /// A refusal, as a line.
    fn error(&self, error: &ProtocolError) -> String {
        format!("info string error {}: {error}", error.code())
    }
}

/// A dialect with all that it needs to know of the session to word an answer.
#[derive(Clone, Copy)]
pub struct Style {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// The board that names the points.
    pub board: Board,
    /// Whether scores come with chances of win, draw and loss.
    pub show_wdl: bool,
}

impl Style {
    /// See [`Dialect::info`].
    pub fn info(&self, info: &Info) -> String {
        self.dialect.info(self.board, self.show_wdl, info)
    }

    /// See [`Dialect::best`].
    pub fn best(&self, best: &Best) -> String {
        self.dialect.best(self.board, best)
    }

    /// See [`Dialect::error`].
    pub fn error(&self, error: &ProtocolError) -> String {
        self.dialect.error(error)
    }
}
