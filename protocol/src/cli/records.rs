//! Commands that read game records from files, or draw.

use super::print;
use crate::{
    bounded, diagram,
    play::same_file,
    svg, table_folders,
    tools::{
        analyse::{self, Ends, Judge, Searcher, TableJudge},
        convert::{self, Form},
    },
    whole_file::try_place,
};
use anyhow::{Context, bail, ensure};
use clap::Args;
use millrace_engine::{
    Position, Rules,
    search::{Limits, Settings},
    table::Tables,
    text::{
        counted,
        record::{Reader, Record},
    },
};
use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

/// The flags of `convert`.
#[derive(Clone, Debug, Args)]
pub struct ConvertFlags {
    /// The file with the games; '-' reads standard input
    #[arg(value_name = "IN")]
    file: PathBuf,
    /// The form to write
    #[arg(long, value_enum)]
    to: Form,
}

/// The flags of `analyse`.
#[derive(Clone, Debug, Args)]
pub struct AnalyseFlags {
    /// The file with the game; '-' reads standard input
    #[arg(value_name = "GAME")]
    file: PathBuf,
    /// Which game, where the file holds several
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Time for each position
    #[arg(long, value_name = "MS", default_value_t = 100, conflicts_with = "depth", value_parser = clap::value_parser!(i64).range(1..=86_400_000))]
    movetime: i64,
    /// Plies for each position, instead of a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    depth: Option<u32>,
    /// Folder with tables, for exact values; may be given several times. Tables of small games are
    /// part of the program
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Print the analysis as JSON
    #[arg(long)]
    json: bool,
    /// Write it as a page to be opened in a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Draw the board before the decisive turn
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The flags of `board`.
#[derive(Clone, Debug, Args)]
pub struct BoardFlags {
    /// The position; without it, the one of --fen and --moves
    #[arg(value_name = "FEN")]
    pub(super) position: Vec<String>,
    /// Draw it into a file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
}

/// Draws a position.
pub(super) fn board(rules: &Rules, position: &Position, svg: Option<&Path>) -> anyhow::Result<()> {
    match svg {
        Some(file) => write(file, &svg::drawing(rules, position, &[])),
        None => print(&diagram::draw(rules, position)),
    }
}

/// Judges the turns of a game.
pub(super) fn analyse(
    flags: &AnalyseFlags,
    rules: Option<Rules>,
    settings: &Settings,
) -> anyhow::Result<()> {
    let name = flags.file.display();
    let outs = || flags.html.iter().chain(&flags.svg);
    ensure!(
        !outs().any(|out| same_file(out, &flags.file)),
        "{name}: the game is in it, and would be lost"
    );
    if let (Some(html), Some(svg)) = (&flags.html, &flags.svg) {
        ensure!(!same_file(html, svg), "{}: --html and --svg need a file each", svg.display());
    }
    let record = pick(&read(&flags.file)?, rules, flags.game).with_context(|| name.to_string())?;
    flags.tables.iter().try_for_each(|folder| table_folders::check(&record.rules, folder))?;
    outs().try_for_each(|out| try_place(out))?;
    let limits = match flags.depth {
        Some(depth) => Limits { depth: Some(depth), ..Limits::default() },
        None => Limits { move_time_ms: Some(flags.movetime), ..Limits::default() },
    };
    let folders = flags.tables.iter().chain(&settings.table_folders).cloned().collect();
    let settings = Settings { table_folders: folders, ..settings.clone() };
    let tables =
        Tables::new(record.rules, &settings.table_folders, settings.table_memory_mib << 20);
    let mut exact = TableJudge(&tables);
    let mut searcher = Searcher::new(settings, limits);
    let judges: &mut [&mut dyn Judge] = &mut [&mut Ends, &mut exact, &mut searcher];
    let watched = io::stderr().is_terminal();
    let analysis = analyse::analyse(record, judges, &mut |done, all| {
        if watched {
            // The count is written over itself; at the end nothing of it is left.
            let line =
                if done == all { String::new() } else { format!("{done} of {all} positions") };
            let _ = write!(io::stderr(), "\r{line:<40}\r");
        }
    });
    for fault in tables.take_faults() {
        // If nobody reads it, there is nothing left to do about it.
        let _ = writeln!(io::stderr(), "warning: {fault}");
    }
    if let Some(file) = &flags.html {
        write(file, &analyse::page(&analysis)?)?;
    }
    if let Some(file) = &flags.svg {
        write(file, &analyse::drawing(&analysis))?;
    }
    print(&if flags.json { analyse::json(&analysis)? } else { analyse::table(&analysis) })
}

/// One game of a text.
fn pick(text: &str, rules: Option<Rules>, number: u32) -> anyhow::Result<Record> {
    let mut games = 0;
    for record in Reader::new(text, rules) {
        games += 1;
        if games == number {
            let record = record?;
            if record.moves.is_empty() {
                bail!("game {number} has no turns");
            }
            return Ok(record);
        }
    }
    match games {
        0 => bail!("there is no game in it"),
        1 => bail!("there is only 1 game in it"),
        _ => bail!("there are only {games} games in it"),
    }
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(file, text).with_context(|| file.display().to_string())
}

/// Converts all games of a file. Games that cannot be read are named, and the others converted.
pub(super) fn convert(flags: &ConvertFlags, rules: Option<Rules>) -> anyhow::Result<()> {
    let text = read(&flags.file)?;
    let (mut good, mut bad) = (0, 0);
    for record in Reader::new(&text, rules) {
        let converted = record
            .map_err(anyhow::Error::new)
            .and_then(|record| Ok(convert::convert(&record, flags.to)?));
        match converted {
            Ok(text) => {
                good += 1;
                print(&text)?;
            }
            Err(error) => {
                bad += 1;
                // If nobody reads it, there is nothing left to do about it.
                let _ = writeln!(io::stderr(), "error: {}: {error:#}", flags.file.display());
            }
        }
    }
    match (good, bad) {
        (0, 0) => bail!("{}: there is no game in it", flags.file.display()),
        (_, 0) => Ok(()),
        _ => bail!("{bad} of {} could not be converted", counted(good + bad, "game")),
    }
}

/// A file, or standard input, as text. What is not UTF-8 is taken for Latin-1, as old programs
/// write it.
pub(super) fn read(file: &Path) -> anyhow::Result<String> {
    let bytes = if file == Path::new("-") {
        bounded::bytes(io::stdin().lock()).context("standard input")?
    } else {
        bounded::file(file).with_context(|| file.display().to_string())?
    };
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}
