//! Commands that read game records from files.

use super::print;
use crate::tools::convert::{self, Form};
use anyhow::{Context, bail};
use clap::Args;
use millrace_engine::{Rules, text::record::Reader};
use std::{
    fs,
    io::{self, Read, Write},
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
        _ => bail!("{bad} of {} games could not be converted", good + bad),
    }
}

/// A file, or standard input, as text. What is not UTF-8 is taken for Latin-1, as old programs
/// write it.
pub(super) fn read(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
    } else {
        bytes = fs::read(file).with_context(|| file.display().to_string())?;
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}
