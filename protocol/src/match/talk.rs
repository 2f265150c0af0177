//! The log of all talk with engines: every line, when, with whom, in which direction.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

/// A log that threads share.
pub struct TalkLog {
    file: Mutex<File>,
    /// Whether it has been told that something is missing.
    failed: AtomicBool,
}

impl TalkLog {
    /// Appends to a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = Mutex::new(File::options().create(true).append(true).open(path)?);
        Ok(Self { file, failed: AtomicBool::new(false) })
    }

    /// Writes lines, `>` to the engine or `<` from it, with the number of its process. A log that
    /// cannot be written is no reason to end a match, but is told of once.
    pub fn note(&self, process: u32, name: &str, direction: char, text: &str) {
        let now = humantime::format_rfc3339_millis(SystemTime::now());
        let whole = |line| format!("{now} {process} {name} {direction} {line}\n");
        let lines: String = text.lines().map(whole).collect();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(lines.as_bytes())
            && !self.failed.swap(true, Ordering::Relaxed)
        {
            let _ = writeln!(io::stderr(), "warning: the log has gaps: {error}");
        }
    }
}
