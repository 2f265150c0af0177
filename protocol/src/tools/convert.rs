//! Convert: records of games from any form into one.

use clap::ValueEnum;
use millrace_engine::text::{
    fen,
    record::{FormError, Record},
};
use std::fmt::Write;

/// A form in which records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Millrace's own: PGN with the rules and their fingerprint
    Native,
    /// As Sanmill writes and reads it
    Sanmill,
    /// As PlayOK exports it, points numbered from 1 to 24
    Playok,
    /// The position after each turn, a line each, and a blank line after each game
    Fen,
}

/// A record as text in a form.
///
/// # Errors
/// If the form has no words for it.
pub fn convert(record: &Record, form: Form) -> Result<String, FormError> {
    let mut text = String::new();
    match form {
        Form::Native => record.write(&mut text)?,
        Form::Sanmill => record.write_sanmill(&mut text)?,
        Form::Playok => record.write_playok(&mut text)?,
        Form::Fen => {
            let game = record.game();
            for position in &game.positions()[1..] {
                writeln!(text, "{}", fen(&record.rules, position))?;
            }
            text.push('\n');
        }
    }
    Ok(text)
}
