//! Dialects: how a session's commands are read and its answers are worded. A dialect is a thin
//! translation; what is done stands in the session, once.

mod gbgp;
mod native;
#[cfg(test)]
mod tests;
mod wdl;

pub use gbgp::GBGP;
pub use native::NATIVE;
pub(crate) use native::per_second;
pub(crate) use wdl::chances;

use crate::{
    ProtocolError,
    command::Command,
    options::{self, Entry},
};
use millrace_engine::{
    Board, Turn,
    search::{Best, Info},
};
use std::fmt::Write;

/// A way to word commands and answers.
pub trait Dialect: Sync {
    /// The word that ends the answer to the handshake.
    fn ok(&self) -> &'static str;

    /// Whether the handshake announces an option.
    fn announces(&self, option: &Entry) -> bool;

    /// Whether turns can be sent action by action.
    fn splits(&self) -> bool;

    /// Reads a line; `None` if it is blank.
    ///
    /// # Errors
    /// Says what is wrong with it.
    fn parse<'a>(&self, line: &'a str) -> Result<Option<Command<'a>>, ProtocolError> {
        Command::parse(line)
    }

    /// What is known in the middle of a search, as a line; `None` if the dialect has no words for
    /// it.
    fn info(&self, wording: &Wording, info: &Info) -> Option<String>;

    /// Instead of a turn where there is none to make.
    fn no_turn(&self) -> &'static str;
}

/// What answers depend on beside their dialect.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// The board that names the points.
    pub board: Board,
    /// Whether scores come with chances of win, draw and loss.
    pub show_wdl: bool,
    /// Whether turns are sent action by action.
    pub split: bool,
}

impl Wording {
    /// The turns of a line, each with a space before it.
    fn line(&self, turns: &[Turn]) -> String {
        let mut text = String::new();
        for turn in turns {
            // Writing to a string cannot fail.
            if self.split {
                for action in turn.actions() {
                    let _ = write!(text, " {}", action.on(self.board));
                }
            } else {
                let _ = write!(text, " {}", turn.on(self.board));
            }
        }
        text
    }
}

/// A dialect with all that it needs to know of the session to word an answer.
#[derive(Clone, Copy)]
pub struct Style {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// How it words things.
    pub wording: Wording,
}

impl Style {
    /// The answer to the handshake, as lines.
    pub fn introduction(&self) -> String {
        let mut text = format!("id name {}\nid author {}\n", crate::NAME, crate::AUTHORS);
        for entry in options::all().iter().filter(|entry| self.dialect.announces(entry)) {
            text += &format!("option name {} {}\n", entry.name, entry.declaration());
        }
        text + self.dialect.ok() + "\n"
    }

    /// See [`Dialect::info`].
    pub fn info(&self, info: &Info) -> Option<String> {
        self.dialect.info(&self.wording, info)
    }

    /// The answer of a search, as a line. An action whose turn goes on has no reply yet.
    pub fn best(&self, best: &Best) -> String {
        let Wording { board, split, .. } = self.wording;
        let Some(turn) = best.turn else { return format!("bestmove {}", self.dialect.no_turn()) };
        let mut parts = turn.actions();
        let first = if split { parts.next().unwrap_or(turn) } else { turn };
        let goes_on = split && parts.next().is_some();
        let mut line = format!("bestmove {}", first.on(board));
        if let Some(reply) = best.ponder.filter(|_| !goes_on) {
            let reply = if split { reply.actions().next().unwrap_or(reply) } else { reply };
            line += &format!(" ponder {}", reply.on(board));
        }
        line
    }

    /// A refusal, as a line.
    pub fn error(&self, error: &ProtocolError) -> String {
        format!("info string error {}: {error}", error.code())
    }
}
