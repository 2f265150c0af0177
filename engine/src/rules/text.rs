//! Rules texts: `nine`, `nine+fly=0+removals=per-mill`, `board=six+stones=5`.

use super::{OPTIONS, OptionInfo, PRESETS, Rules};
use crate::text::quoted;
use std::{fmt, str::FromStr};

/// Why a rules text was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The first part is neither a preset nor an option.
    #[error("unknown rules '{0}'; presets are {presets}", presets = preset_names())]
    UnknownPreset(String),
    /// No option has this name.
    #[error("unknown rule option '{0}'; options are {options}", options = option_names())]
    UnknownOption(String),
    /// An option stands without a value.
    #[error("rule option {option} needs a value: {option}=…; it takes {takes}")]
    MissingValue {
        /// The option's name.
        option: &'static str,
        /// The values that it takes.
        takes: String,
    },
    /// The option does not take this value.
    #[error("rule option {option} cannot be '{value}'; it takes {takes}")]
    BadValue {
        /// The option's name.
        option: &'static str,
        /// The text that was given.
        value: String,
        /// The values that it takes.
        takes: String,
    },
    /// Both sides' stones do not fit onto the board.
    #[error("stones={stones} does not fit: board {board} has {points} points for {needed} stones")]
    TooManyStones {
        /// Stones of each side.
        stones: u8,
        /// The board's name.
        board: &'static str,
        /// Its points.
        points: usize,
        /// Twice the stones of each side.
        needed: usize,
    },
    /// The board has no diagonals to be drawn.
    #[error("diagonals=yes does not go with board={0}, which has none")]
    NoDiagonals(&'static str),
    /// One option was given two values.
    #[error("rule option {0} is given twice")]
    Repeated(&'static str),
}

fn preset_names() -> String {
    PRESETS.iter().map(|p| p.name).collect::<Vec<_>>().join(", ")
}

fn option_names() -> String {
    OPTIONS.iter().map(|o| o.name).collect::<Vec<_>>().join(", ")
}

impl Rules {
    /// Reads a rules text: a preset's name, or options, or both, joined by `+`. Options that are
    /// not named keep the preset's value (`nine`'s, without a preset).
    ///
    /// # Errors
    /// Names the part that is unknown, out of range, repeated or contradictory.
    pub fn parse(text: &str) -> Result<Rules, RulesError> {
        let mut rules = Rules::default();
        let mut given: Vec<(&OptionInfo, &str)> = Vec::new();
        for (place, part) in text.trim().split('+').map(str::trim).enumerate() {
            match part.split_once('=') {
                Some((name, value)) => {
                    let (name, value) = (name.trim(), value.trim());
                    let option = OptionInfo::find(name)
                        .ok_or_else(|| RulesError::UnknownOption(quoted(name)))?;
                    if given.iter().any(|(known, _)| known.name == option.name) {
                        return Err(RulesError::Repeated(option.name));
                    }
                    given.push((option, value));
                }
                None if place == 0 => {
                    rules = Rules::named(part)
                        .ok_or_else(|| RulesError::UnknownPreset(quoted(part)))?;
                }
                None => {
                    return Err(match OptionInfo::find(part) {
                        Some(option) => {
                            RulesError::MissingValue { option: option.name, takes: option.values() }
                        }
                        None => RulesError::UnknownOption(quoted(part)),
                    });
                }
            }
        }
        // The board comes first in the table, and must be known before its diagonals are.
        given.sort_by_key(|(option, _)| OPTIONS.iter().position(|o| o.name == option.name));
        for (option, value) in &given {
            rules = rules.set(option, value)?;
        }
        rules.checked(&given)
    }

    /// These rules with one option changed and nothing checked across options.
    fn set(mut self, option: &OptionInfo, value: &str) -> Result<Rules, RulesError> {
        let parsed = option.parse(value).ok_or_else(|| RulesError::BadValue {
            option: option.name,
            value: quoted(value),
            takes: option.values(),
        })?;
        (option.write)(&mut self, parsed);
        Ok(self)
    }

    /// These rules with one option changed.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn with(self, name: &str, value: &str) -> Result<Rules, RulesError> {
        let option =
            OptionInfo::find(name).ok_or_else(|| RulesError::UnknownOption(quoted(name)))?;
        self.set(option, value)?.checked(&[(option, value)])
    }

    /// Refuses contradictions across options, once all that are `given` are set.
    fn checked(self, given: &[(&OptionInfo, &str)]) -> Result<Rules, RulesError> {
        let diagonals = given.iter().find(|(option, _)| option.name == "diagonals");
        let asked = diagonals.is_some_and(|(option, value)| option.parse(value) == Some(1));
        if asked && !self.board.has_diagonals() {
            return Err(RulesError::NoDiagonals(self.board.base_name()));
        }
        let (points, needed) = (self.board.points(), 2 * usize::from(self.stones));
        if needed > points {
            return Err(RulesError::TooManyStones {
                stones: self.stones,
                board: self.board.base_name(),
                points,
                needed,
            });
        }
        Ok(self)
    }

    /// All option values as a rules text. Equal rules have equal canonical texts.
    pub fn canonical(&self) -> String {
        let parts: Vec<_> =
            OPTIONS.iter().map(|o| format!("{}={}", o.name, o.value(self))).collect();
        parts.join("+")
    }

    /// The 64-bit FNV-1a hash of the canonical text.
    pub fn fingerprint(&self) -> u64 {
        self.canonical().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    /// The shortest text for people: the preset's name, or the nearest preset and what differs.
    pub fn short_name(&self) -> String {
        let differing = |preset: &Rules| -> Vec<String> {
            OPTIONS
                .iter()
                .filter(|o| o.value(self) != o.value(preset))
                .map(|o| format!("+{}={}", o.name, o.value(self)))
                .collect()
        };
        PRESETS
            .iter()
            .map(|p| (p.name, differing(&p.rules)))
            .min_by_key(|(_, differences)| differences.len())
            .map(|(name, differences)| format!("{name}{}", differences.concat()))
            .unwrap_or_default()
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Rules::parse(text)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short_name())
    }
}
