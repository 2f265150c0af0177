//! The wish to end a match, which wakes whoever waits for an engine.

use std::{
    io::{self, PipeReader, PipeWriter, Write},
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// A wish that may come at any time, once.
pub struct Stop {
    fired: AtomicBool,
    /// Never read from: that something can be read is the message to all who wait.
    pipe: Option<(PipeReader, PipeWriter)>,
}

impl Stop {
    /// Not yet.
    ///
    /// # Errors
    /// If the system has no more pipes.
    pub fn new() -> io::Result<Self> {
        Ok(Self { fired: AtomicBool::new(false), pipe: Some(io::pipe()?) })
    }

    /// A stop that never comes.
    pub(super) fn never() -> &'static Stop {
        static NEVER: LazyLock<Stop> =
            LazyLock::new(|| Stop { fired: AtomicBool::new(false), pipe: None });
        &NEVER
    }

    /// Wishes it. Says whether that was wished before.
    pub fn fire(&self) -> bool {
        let before = self.fired.swap(true, Ordering::SeqCst);
        if let (false, Some((_, writer))) = (before, &self.pipe) {
            // One byte into an empty pipe does not fail; if it did, the flag would still be seen.
            let _ = (&*writer).write_all(b"!");
        }
        before
    }

    /// Whether it was wished.
    pub fn is_fired(&self) -> bool {
        self.fired.load(Ordering::SeqCst)
    }

    /// What becomes readable with the wish.
    #[cfg(unix)]
    pub(super) fn reader(&self) -> Option<&PipeReader> {
        self.pipe.as_ref().map(|(reader, _)| reader)
    }
}
