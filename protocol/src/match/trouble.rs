//! What goes wrong with engines, told apart.

use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

/// A fault of one engine. All but [`Restart`](Trouble::Restart) lose it the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Trouble {
    /// A turn that is not legal, or no turn where there are some.
    IllegalTurn {
        /// What the engine said.
        token: String,
        /// Where.
        fen: String,
        /// What is wrong with it.
        why: String,
    },
    /// A turn that came too late.
    TimeLoss {
        /// The time it took.
        used: Duration,
        /// The time it had.
        allowed: Duration,
        /// The lateness that would have been forgiven.
        margin: Duration,
    },
    /// The process ended.
    Crash {
        /// How.
        exit: String,
        /// The last that it wrote to its standard error.
        stderr: Vec<String>,
    },
    /// No answer for so long.
    Hang {
        /// The time waited.
        waited: Duration,
    },
    /// Something that is not the protocol, instead of an answer.
    Garbage {
        /// The line.
        line: String,
    },
    /// The process could not be started, or did not introduce itself.
    Start {
        /// Why.
        why: String,
    },
    /// It ended or hung between two games, and was started anew.
    Restart {
        /// What had happened.
        why: String,
    },
}

impl Trouble {
    /// What it is, in one or two words.
    pub fn name(&self) -> &'static str {
        match self {
            Trouble::IllegalTurn { .. } => "illegal turn",
            Trouble::TimeLoss { .. } => "time loss",
            Trouble::Crash { .. } => "crash",
            Trouble::Hang { .. } => "hang",
            Trouble::Garbage { .. } => "garbage",
            Trouble::Start { .. } => "no start",
            Trouble::Restart { .. } => "restart",
        }
    }

    /// Whether the process is of no use any more.
    pub fn spoils_process(&self) -> bool {
        !matches!(self, Trouble::IllegalTurn { .. } | Trouble::TimeLoss { .. })
    }
}

fn millis(time: &Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::IllegalTurn { token, fen, why } => {
                write!(f, "illegal turn '{token}' in {fen}: {why}")
            }
            Trouble::TimeLoss { used, allowed, margin } => write!(
                f,
                "time loss: {} used of {}, margin {}",
                millis(used),
                millis(allowed),
                millis(margin)
            ),
            Trouble::Crash { exit, stderr } => {
                write!(f, "crash: {exit}")?;
                match stderr.as_slice() {
                    [] => Ok(()),
                    lines => write!(f, "; it said: {}", lines.join(" | ")),
                }
            }
            Trouble::Hang { waited } => {
                write!(f, "hang: no answer for {:.1} s", waited.as_secs_f64())
            }
            Trouble::Garbage { line } => write!(f, "garbage instead of an answer: '{line}'"),
            Trouble::Start { why } => write!(f, "no start: {why}"),
            Trouble::Restart { why } => write!(f, "restart between games: {why}"),
        }
    }
}
