//! The way out: whole lines, flushed one by one, written by whichever thread has something to say.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

/// A writer of lines that threads share, and the log of the lines in and out.
///
/// A writer that fails is closed for good: most often the reader at its other end has gone, and
/// nobody is left to be told.
pub struct Output<W> {
    streams: Mutex<Streams<W>>,
    closed: AtomicBool,
}

struct Streams<W> {
    writer: W,
    log: Option<BufWriter<File>>,
    failure: Option<io::Error>,
}

impl<W: Write> Output<W> {
    /// Writes to `writer`; no log yet.
    pub fn new(writer: W) -> Self {
        let streams = Streams { writer, log: None, failure: None };
        Self { streams: Mutex::new(streams), closed: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, Streams<W>> {
        // A panic between two writes leaves nothing half-done that matters.
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one line or several, which go out together and at once. The last line break may be
    /// missing.
    pub fn write(&self, text: &str) {
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let whole = [text, end].concat();
        let mut streams = self.lock();
        let written = streams.writer.write_all(whole.as_bytes());
        if let Err(error) = written.and_then(|()| streams.writer.flush()) {
            self.closed.store(true, Ordering::Release);
            streams.failure.get_or_insert(error);
        }
        for line in text.lines() {
            streams.log('<', line);
        }
    }

    /// Puts a line that came in into the log.
    pub fn note(&self, line: &str) {
        self.lock().log('>', line);
    }

    /// Writes the log to this file from now on, or nowhere.
    pub fn set_log(&self, file: Option<File>) {
        self.lock().log = file.map(BufWriter::new);
    }

    /// Whether lines were lost for another reason than that their reader had gone.
    ///
    /// # Errors
    /// The first failure; later calls know nothing of it.
    pub fn check(&self) -> io::Result<()> {
        match self.lock().failure.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
}

impl<W> Streams<W> {
    /// A log that cannot be written any more is given up: the session matters more.
    fn log(&mut self, direction: char, line: &str) {
        let Some(log) = &mut self.log else { return };
        let now = humantime::format_rfc3339_millis(SystemTime::now());
        let written = writeln!(log, "{now} {direction} {line}").and_then(|()| log.flush());
        if written.is_err() {
            self.log = None;
        }
    }
}
