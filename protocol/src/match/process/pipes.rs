//! The streams of a process on Unix. The thread that waits for an answer reads it itself, without a
//! reader thread in between: at thousands of turns a second, waking two threads would cost more
//! than the turn.

use super::{
    Silence, Stop,
    lines::{LineBuffer, Tail},
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    io::Errno,
};
use std::{
    io::{self, ErrorKind, Read, Write},
    process::{Child, ChildStderr, ChildStdin, ChildStdout},
    time::Instant,
};

/// Bytes read at a time.
const BLOCK: usize = 1 << 14;

/// Input, output and standard error of a process. An end that is closed is `None`.
pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    lines: LineBuffer,
    tail: Tail,
    block: Box<[u8; BLOCK]>,
}

/// What a wait has found.
#[derive(Default)]
struct Ready {
    stdout: bool,
    stderr: bool,
}

impl Pipes {
    /// Takes the streams of a process.
    pub(super) fn of(child: &mut Child) -> io::Result<Self> {
        let stdin = child.stdin.take();
        if let Some(stdin) = &stdin {
            // A process that does not read must not hold up the runner. This concerns our end only.
            fcntl_setfl(stdin, fcntl_getfl(stdin)? | OFlags::NONBLOCK)?;
        }
        Ok(Self {
            stdin,
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            lines: LineBuffer::default(),
            tail: Tail::default(),
            block: Box::new([0; BLOCK]),
        })
    }

    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    pub(super) fn last_words(&self) -> Vec<String> {
        self.tail.lines()
    }

    pub(super) fn send(
        &mut self,
        mut bytes: &[u8],
        deadline: Instant,
        stop: &Stop,
    ) -> Result<(), Silence> {
        while !bytes.is_empty() {
            let stdin = self.stdin.as_mut().ok_or(Silence::Closed)?;
            match stdin.write(bytes) {
                Ok(0) => return Err(Silence::Closed),
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    // A process that waits for its output to be read does not read either.
                    let ready = self.wait(true, deadline, stop)?;
                    self.take(&ready);
                }
                Err(_) => return Err(Silence::Closed),
            }
        }
        Ok(())
    }

    pub(super) fn read_line(
        &mut self,
        line: &mut String,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<(), Silence> {
        loop {
            if self.lines.take(line) {
                return Ok(());
            }
            if self.lines.is_too_long() {
                return Err(Silence::TooLong);
            }
            if self.stdout.is_none() {
                return Err(Silence::Closed);
            }
            let ready = self.wait(false, deadline, stop)?;
            self.take(&ready);
        }
    }

    /// Reads, and forgets, what is still said until both outputs are closed.
    pub(super) fn drain(&mut self, deadline: Instant) {
        while self.stdout.is_some() || self.stderr.is_some() {
            match self.wait(false, deadline, Stop::never()) {
                Ok(ready) => self.take(&ready),
                Err(_) => return,
            }
            let mut line = String::new();
            while self.lines.take(&mut line) {}
        }
    }

    /// Waits until something can be read, or (if `to_write`) written.
    fn wait(&self, to_write: bool, deadline: Instant, stop: &Stop) -> Result<Ready, Silence> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec::try_from(left).map_err(|_| Silence::Timeout)?;
            let mut polled = Vec::with_capacity(4);
            let input = PollFlags::IN;
            let stop_at = stop.reader().map(|fd| push(&mut polled, PollFd::new(fd, input)));
            let out_at = self.stdout.as_ref().map(|fd| push(&mut polled, PollFd::new(fd, input)));
            let err_at = self.stderr.as_ref().map(|fd| push(&mut polled, PollFd::new(fd, input)));
            let stdin = self.stdin.as_ref().filter(|_| to_write);
            polled.extend(stdin.map(|fd| PollFd::new(fd, PollFlags::OUT)));
            match poll(&mut polled, Some(&timeout)) {
                Ok(0) => return Err(Silence::Timeout),
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(_) => return Err(Silence::Closed),
            }
            let is = |at: Option<usize>| at.is_some_and(|at| !polled[at].revents().is_empty());
            if is(stop_at) {
                return Err(Silence::Stopped);
            }
            return Ok(Ready { stdout: is(out_at), stderr: is(err_at) });
        }
    }

    /// Reads what can be read.
    fn take(&mut self, ready: &Ready) {
        if ready.stdout {
            match read(&mut self.stdout, &mut *self.block) {
                Some(count) => self.lines.push(&self.block[..count]),
                None => self.stdout = None,
            }
        }
        if ready.stderr {
            match read(&mut self.stderr, &mut *self.block) {
                Some(count) => self.tail.push(&self.block[..count]),
                None => self.stderr = None,
            }
        }
    }
}

fn push<'a>(list: &mut Vec<PollFd<'a>>, entry: PollFd<'a>) -> usize {
    list.push(entry);
    list.len() - 1
}

/// Reads once from a stream that has something; `None` at its end.
fn read(stream: &mut Option<impl Read>, block: &mut [u8]) -> Option<usize> {
    match stream.as_mut()?.read(block) {
        Ok(0) => None,
        Ok(count) => Some(count),
        Err(error) if error.kind() == ErrorKind::Interrupted => Some(0),
        Err(_) => None,
    }
}
