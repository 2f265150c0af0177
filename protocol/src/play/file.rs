//! The file that a game is saved into. Whatever happens, it holds the game as it was or as it is,
//! and the other games that stand in it.

use crate::whole_file::{WholeFile, refuse_existing};
use anyhow::{Context, ensure};
use millrace_engine::{
    Rules,
    text::record::{Reader, Record},
};
use std::path::Path;

/// A file that a game is saved into.
#[derive(Clone, Debug)]
pub struct Target {
    file: WholeFile,
    /// The games before it, as they are written.
    before: String,
}

impl Target {
    /// A file for one game. `otherwise` says what to do if there is such a file already; without
    /// it the file is replaced.
    ///
    /// # Errors
    /// If it must not be replaced, or cannot be written.
    pub fn new(path: &Path, otherwise: Option<&str>) -> anyhow::Result<Self> {
        otherwise.map_or(Ok(()), |otherwise| refuse_existing(path, otherwise))?;
        Self::open(path, String::new())
    }

    /// The file with this text, whose last game goes on. Unless `any_form`, it must be in the form
    /// that games are saved in, so that nothing of it is lost.
    ///
    /// # Errors
    /// If it is in another form, a game before the last cannot be read, or the file cannot be
    /// written.
    pub fn resumed(
        path: &Path,
        text: &str,
        rules: Option<Rules>,
        any_form: bool,
    ) -> anyhow::Result<Self> {
        let name = path.display();
        let games = Reader::new(text, rules).collect::<Result<Vec<Record>, _>>();
        let games = games.with_context(|| {
            format!("{name} holds other games, and not all can be read; give a file by --save")
        })?;
        let mut written: Vec<String> = games.iter().map(Record::to_string).collect();
        let same = written.concat().split_whitespace().eq(text.split_whitespace());
        ensure!(
            same || any_form,
            "{name} is not in the form in which games are saved; give a file by --save"
        );
        written.pop();
        Self::open(path, written.concat())
    }

    fn open(path: &Path, before: String) -> anyhow::Result<Self> {
        let file = WholeFile::at(path).with_context(|| path.display().to_string())?;
        Ok(Self { file, before })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Saves the game.
    ///
    /// # Errors
    /// If the file cannot be written; then it is as it was.
    pub fn write(&self, record: &Record) -> anyhow::Result<()> {
        let text = format!("{}{record}", self.before);
        self.file.write(text.as_bytes()).with_context(|| self.path().display().to_string())
    }
}
