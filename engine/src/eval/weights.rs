//! What counts are worth: fitted numbers, read from texts that are part of the program.
//!
//! `millrace tune` writes these texts. What a side has is worth one thing to the side to move and
//! another to the side that waits, so every count has two weights in each phase.

use super::{
    features::{COUNT_NAMES, COUNTS, Counts},
    phase::{PHASE_NAMES, PHASES},
};
use crate::{board::Board, rules::Rules};
use std::{fmt, str::FromStr, sync::LazyLock};

/// No weight leaves `-MOST..=MOST`, so that no sum of them leaves an evaluation's range.
pub const MOST: i16 = 600;

/// The weights of one phase, in centi-stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseWeights {
    /// For being to move.
    pub tempo: i16,
    /// For one of each count of the side to move.
    pub own: Counts,
    /// Against it, for one of each count of the other side.
    pub other: Counts,
}

/// The weights of a game, by phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// In the order of [`PHASE_NAMES`].
    pub phases: [PhaseWeights; PHASES],
}

/// What is wrong with a text of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A line that is neither a phase nor a count with its weights.
    #[error("line {line}: '{text}' is neither '[PHASE]' nor 'NAME WEIGHT WEIGHT'")]
    Form {
        /// Counted from 1.
        line: usize,
        /// The line, or its beginning.
        text: String,
    },
    /// A phase, or a count of a phase, that there is not.
    #[error("line {line}: there is no '{name}' here")]
    Unknown {
        /// Counted from 1.
        line: usize,
        /// What was named.
        name: String,
    },
    /// Something that was given before.
    #[error("line {line}: '{name}' for the second time")]
    Twice {
        /// Counted from 1.
        line: usize,
        /// What was named.
        name: String,
    },
    /// Not a number, or too great.
    #[error("line {line}: '{text}' is not a whole number from -{MOST} to {MOST}")]
    Number {
        /// Counted from 1.
        line: usize,
        /// What was found.
        text: String,
    },
    /// Something that was not given.
    #[error("'{name}' of phase '{phase}' is missing")]
    Missing {
        /// The phase.
        phase: &'static str,
        /// The count.
        name: &'static str,
    },
}

const TEMPO: &str = "tempo";

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Weights::default();
        // The tempo has the place after the last count.
        let mut seen = [[false; COUNTS + 1]; PHASES];
        let mut current = None;
        for (line, text) in text.lines().enumerate() {
            let (line, text) = (line + 1, text.trim());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let brief = |text: &str| text.chars().take(40).collect::<String>();
            let unknown = |name: &str| WeightsError::Unknown { line, name: brief(name) };
            if let Some(name) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
                let phase = PHASE_NAMES.iter().position(|n| *n == name);
                current = Some(phase.ok_or_else(|| unknown(name))?);
                continue;
            }
            let form = || WeightsError::Form { line, text: brief(text) };
            let phase = current.ok_or_else(form)?;
            let is_number = |c: char| c.is_ascii_digit() || c == '-';
            let numbers = text.find(|c: char| c == '-' || c.is_ascii_digit()).ok_or_else(form)?;
            let name = text[..numbers].trim();
            let place = match COUNT_NAMES.iter().position(|n| *n == name) {
                None if name == TEMPO => COUNTS,
                place => place.ok_or_else(|| unknown(name))?,
            };
            if std::mem::replace(&mut seen[phase][place], true) {
                return Err(WeightsError::Twice { line, name: brief(name) });
            }
            let number = |text: &str| -> Result<i16, WeightsError> {
                let number = text.parse().ok().filter(|n| (-MOST..=MOST).contains(n));
                let number = number.filter(|_| text.chars().all(is_number));
                number.ok_or_else(|| WeightsError::Number { line, text: brief(text) })
            };
            let words: Vec<&str> = text[numbers..].split_whitespace().collect();
            let weights = &mut weights.phases[phase];
            match words[..] {
                [tempo] if place == COUNTS => weights.tempo = number(tempo)?,
                [own, other] if place < COUNTS => {
                    weights.own[place] = number(own)?;
                    weights.other[place] = number(other)?;
                }
                _ => return Err(form()),
            }
        }
        for (phase, seen) in PHASE_NAMES.into_iter().zip(seen) {
            let names = COUNT_NAMES.into_iter().chain([TEMPO]);
            if let Some((name, _)) = names.zip(seen).find(|(_, seen)| !seen) {
                return Err(WeightsError::Missing { phase, name });
            }
        }
        Ok(weights)
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, phase) in PHASE_NAMES.iter().zip(&self.phases) {
            writeln!(f, "\n[{name}]\n{TEMPO:<18}{:>5}", phase.tempo)?;
            for (n, name) in COUNT_NAMES.iter().enumerate() {
                writeln!(f, "{name:<18}{:>5}{:>6}", phase.own[n], phase.other[n])?;
            }
        }
        Ok(())
    }
}

/// A text of the program, read when it is first needed.
macro_rules! built_in {
    ($file:literal) => {{
        static READ: LazyLock<Weights> = LazyLock::new(|| {
            include_str!(concat!("weights/", $file, ".txt"))
                .parse()
                .unwrap_or_else(|why| panic!(concat!($file, ".txt: {}"), why))
        });
        &READ
    }};
}

impl Weights {
    /// The weights that the program has for a game: its own, or those of its next relative.
    pub fn of(rules: &Rules) -> &'static Weights {
        let flies = rules.fly() > 0;
        match rules.board() {
            Board::Nine if rules.move_while_placing() => built_in!("lasker"),
            Board::Nine if !flies && !rules.line_wins() => built_in!("nine-nofly"),
            Board::NineDiagonals if flies => built_in!("morabaraba"),
            Board::NineDiagonals if rules.stones() < 12 => built_in!("eleven"),
            Board::NineDiagonals => built_in!("twelve"),
            Board::Seven => built_in!("seven"),
            Board::Six => built_in!("six"),
            Board::Nine | Board::Three | Board::ThreeDiagonals => built_in!("nine"),
        }
    }
}
