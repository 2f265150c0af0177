//! `play`: a game against the engine, in a terminal or through pipes.

use super::records;
use crate::play::{Ask, Editor, Plain, Play, Setup};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use millrace_engine::{
    Color, Game, Rules,
    search::Settings,
    text::record::{Reader, Record},
};
use std::{
    io::{self, BufReader, IsTerminal},
    path::PathBuf,
    time::Duration,
};

/// The flags of `play`.
#[derive(Clone, Debug, Args)]
pub struct PlayFlags {
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// The engine's strength, 0 to 20
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=20))]
    level: Option<u8>,
    /// Time for each turn of the engine
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: u64,
    /// Save the game into this file after every turn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Take up the last game of this file; saved there again unless --save says otherwise
    #[arg(long, value_name = "FILE")]
    pub(super) resume: Option<PathBuf>,
}

/// The side that the person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
}

/// Plays a game from where the other flags have set the scene, or from a record.
pub(super) fn play(
    flags: PlayFlags,
    game: &Game,
    rules: Option<Rules>,
    mut settings: Settings,
) -> anyhow::Result<()> {
    let record = match &flags.resume {
        Some(file) => {
            let text = records::read(file)?;
            let last = Reader::new(&text, rules).last().transpose();
            let Some(record) = last.with_context(|| file.display().to_string())? else {
                bail!("{}: there is no game in it", file.display());
            };
            record
        }
        None => Record::from(game),
    };
    if let Some(level) = flags.level {
        (settings.skill_level, settings.elo) = (level, None);
    }
    let setup = Setup {
        record,
        person: if flags.side == Side::White { Color::White } else { Color::Black },
        move_time: Duration::from_millis(flags.movetime),
        save: flags.save.or(flags.resume),
        settings,
    };
    let mut ask: Box<dyn Ask> = if io::stdin().is_terminal() && io::stdout().is_terminal() {
        Box::new(Editor::new()?)
    } else {
        Box::new(Plain::new(BufReader::new(io::stdin()), io::stdout()))
    };
    let played = Play::new(setup, io::stdout()).run(ask.as_mut());
    // Whoever stops reading has had enough.
    let gone = |error: &anyhow::Error| {
        let io = error.downcast_ref::<io::Error>();
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    match played {
        Err(error) if gone(&error) => Ok(()),
        played => played,
    }
}
