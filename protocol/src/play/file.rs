//! The file that a game is saved into. Whatever happens, it holds the game as it was or as it is,
//! and the other games that stand in it.

use anyhow::{Context, bail, ensure};
use millrace_engine::{
    Rules,
    text::record::{Reader, Record},
};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

/// A file that a game is saved into.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
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
        if let (true, Some(otherwise)) = (path.exists(), otherwise) {
            bail!("{} exists already; {otherwise}", path.display());
        }
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
        // A link goes on to point at the game.
        let path = if path.exists() { path.canonicalize()? } else { path.to_path_buf() };
        ensure!(!path.exists() || path.is_file(), "{} is not a plain file", path.display());
        let target = Self { path, before };
        target.aside(|aside| fs::remove_file(aside))?;
        Ok(target)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the game.
    ///
    /// # Errors
    /// If the file cannot be written; then it is as it was.
    pub fn write(&self, record: &Record) -> anyhow::Result<()> {
        self.aside(|aside| {
            let mut file = File::create(aside)?;
            write!(file, "{}{record}", self.before)?;
            file.sync_all()?;
            if let Ok(old) = fs::metadata(&self.path) {
                fs::set_permissions(aside, old.permissions())?;
            }
            fs::rename(aside, &self.path)
        })
    }

    /// Makes a file beside this one and does something with it. Nothing is left of it after a
    /// failure.
    fn aside(&self, work: impl FnOnce(&Path) -> io::Result<()>) -> anyhow::Result<()> {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}", process::id()));
        let aside = self.path.with_file_name(name);
        let made = File::create_new(&aside).and_then(|_| {
            work(&aside).inspect_err(|_| {
                // The first failure is the one to be told.
                let _ = fs::remove_file(&aside);
            })
        });
        made.with_context(|| self.path.display().to_string())
    }
}
