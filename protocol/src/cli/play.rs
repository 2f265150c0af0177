//! `play`: a game against the engine, in a terminal or through pipes.

use super::records;
use crate::play::{Ask, Editor, Plain, Play, Setup, Target, engine_level, engine_side, same_file};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use millrace_engine::{
    Color, Game, Rules,
    search::{FULL_LEVEL, Settings},
    text::record::{Reader, Record},
};
use std::{
    io::{self, BufReader, IsTerminal},
    path::{Path, PathBuf},
    time::Duration,
};

/// The flags of `play`.
#[derive(Clone, Debug, Args)]
pub struct PlayFlags {
    /// Your side; otherwise that of the resumed game, or White
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// The engine's strength, 0 to 20; otherwise that of the resumed game, or 20
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=20))]
    level: Option<u8>,
    /// Time for each turn of the engine
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: u64,
    /// Save the game into this file after every turn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Let --save replace a file that exists
    #[arg(long, requires = "save")]
    overwrite: bool,
    /// Take up the last game of this file, without --fen and --moves; saved there again, beside the
    /// others, unless --save says otherwise
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
    let (record, text) = match &flags.resume {
        Some(file) => {
            let text = records::read(file)?;
            let last = Reader::new(&text, rules).last().transpose();
            let Some(record) = last.with_context(|| file.display().to_string())? else {
                bail!("{}: there is no game in it", file.display());
            };
            (record, Some(text))
        }
        None => (Record::from(game), None),
    };
    let save = target(&flags, text.as_deref(), rules)?;
    // Options say the strength too.
    let as_before =
        || (settings.skill_level == FULL_LEVEL).then(|| engine_level(&record)).flatten();
    let as_before = if settings.elo.is_none() { as_before() } else { None };
    if let Some(level) = flags.level.or(as_before) {
        (settings.skill_level, settings.elo) = (level, None);
    }
    let person = match flags.side {
        Some(Side::White) => Color::White,
        Some(Side::Black) => Color::Black,
        None => engine_side(&record).map_or(Color::White, |engine| !engine),
    };
    let setup = Setup {
        record,
        person,
        move_time: Duration::from_millis(flags.movetime),
        save,
        settings,
        thinking: io::stdout().is_terminal(),
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

/// Where the game is saved after every turn; `text` is what the file of a resumed game holds.
fn target(
    flags: &PlayFlags,
    text: Option<&str>,
    rules: Option<Rules>,
) -> anyhow::Result<Option<Target>> {
    let target = match (&flags.save, flags.resume.as_deref().zip(text)) {
        (Some(file), Some((from, text))) if same_file(file, from) => {
            Target::resumed(file, text, rules, true)?
        }
        (Some(file), _) => {
            let refusal = "--overwrite replaces it, --resume goes on with its last game";
            Target::new(file, (!flags.overwrite).then_some(refusal))?
        }
        (None, Some((from, text))) if from != Path::new("-") => {
            Target::resumed(from, text, rules, false)?
        }
        (None, _) => return Ok(None),
    };
    Ok(Some(target))
}
