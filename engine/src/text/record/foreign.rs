//! Records in the forms of other programs. They are written so that nothing is lost: what those
//! programs have no word for stands in tags and comments that they skip.

use super::{
    Record,
    read::foreign_name,
    write::{Points, write_tag},
};
use crate::text::{fen, sanmill_fen};
use std::fmt::{self, Write};

/// Why a record cannot be written in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The form describes positions of one board only.
    #[error("Sanmill's form has no positions of this board, only of those with 24 points")]
    Board,
    /// The writer failed.
    #[error(transparent)]
    Write(#[from] fmt::Error),
}

impl Record {
    /// Writes the form of Sanmill: its tags, its FEN for a first position, and turns in PGN.
    ///
    /// # Errors
    /// If the first position is not the start and stands on a board that Sanmill does not have, or
    /// the writer fails.
    pub fn write_sanmill(&self, out: &mut impl Write) -> Result<(), FormError> {
        let start = match &self.start {
            Some(start) => Some(sanmill_fen(&self.rules, start).ok_or(FormError::Board)?),
            None => None,
        };
        let own = |name: &str| !matches!(name, "PlyCount");
        for (name, value) in self.tags.iter().filter(|(name, _)| own(name)) {
            write_tag(out, name, value)?;
        }
        write_tag(out, "Result", self.result.as_str())?;
        let variant = foreign_name(&self.rules);
        write_tag(out, "Variant", &variant.map_or_else(|| self.rules.to_string(), String::from))?;
        let actions = self.moves.iter().map(|entry| entry.turn.actions().count());
        write_tag(out, "PlyCount", &actions.sum::<usize>().to_string())?;
        if !self.reason.is_empty() {
            write_tag(out, "Termination", &self.reason)?;
        }
        if let Some(start) = start {
            write_tag(out, "FEN", &start)?;
            write_tag(out, "SetUp", "1")?;
        }
        Ok(self.write_moves(out, Points::Named)?)
    }

    /// Writes the form of PlayOK: points are numbers, row by row from the top left. Rules other
    /// than those of `nine` stand in a tag.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_playok(&self, out: &mut impl Write) -> fmt::Result {
        for (name, value) in &self.tags {
            write_tag(out, name, value)?;
        }
        write_tag(out, "Result", self.result.as_str())?;
        if self.rules != crate::Rules::default() {
            write_tag(out, "Variant", &self.rules.to_string())?;
        }
        if let Some(start) = &self.start {
            write_tag(out, "FEN", &fen(&self.rules, start))?;
        }
        if !self.reason.is_empty() {
            write_tag(out, "Termination", &self.reason)?;
        }
        self.write_moves(out, Points::Numbered)
    }
}
