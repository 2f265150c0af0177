//! Drives the real program as a process, line by line.

#![allow(dead_code, reason = "each user of this module uses a part of it")]

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

/// The program under test.
pub const MILLRACE: &str = env!("CARGO_BIN_EXE_millrace");

/// Far longer than any answer takes on any machine; only a program that hangs meets it.
pub const GUARD: Duration = Duration::from_secs(120);

/// A running program.
pub struct Driver {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Driver {
    /// Starts the program without arguments.
    pub fn start() -> Self {
        Self::start_with(&[] as &[&str])
    }

    /// Starts the program with arguments.
    pub fn start_with(args: &[impl AsRef<OsStr>]) -> Self {
        let mut child = Command::new(MILLRACE)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines }
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.try_send(bytes).expect("the program listens");
    }

    /// Sends bytes to a program that may have ended.
    pub fn try_send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush())
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        self.try_line().unwrap_or_else(|error| panic!("the program does not answer: {error}"))
    }

    /// The next line of a program that may have ended or may hang.
    pub fn try_line(&mut self) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(GUARD)
    }

    /// The lines up to the first that begins with `prefix`, that one included.
    ///
    /// # Panics
    /// If an error comes instead of a `bestmove`, which then never comes.
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            let refused = prefix == "bestmove" && lines[lines.len() - 1].contains(" error ");
            assert!(!refused, "{lines:?}");
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
    }

    /// Waits for a line with this beginning and returns it.
    pub fn wait_for(&mut self, prefix: &str) -> String {
        self.until(prefix).pop().unwrap_or_default()
    }

    /// Sends a line and returns all that comes before the answer to an `isready` sent after it.
    pub fn answers(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The one line with which the program refuses `line`.
    pub fn error(&mut self, line: &str) -> String {
        let mut lines = self.answers(line);
        assert_eq!(lines.len(), 1, "answers to {line:.80}: {lines:?}");
        lines.remove(0)
    }

    /// Sends a line that is taken without a word.
    pub fn tell(&mut self, line: &str) {
        assert_eq!(self.answers(line), [""; 0], "answers to {line:.80}");
    }

    /// The board and all about it.
    pub fn show(&mut self) -> Vec<String> {
        self.answers("d")
    }

    /// Sends a `go` that ends by itself; the lines up to its `bestmove`.
    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.until("bestmove")
    }

    /// The lines that come within a while.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            lines.extend(self.lines.recv_timeout(left));
        }
        lines
    }

    /// Closes the program's input.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Closes the program's input and returns what it still says, and how it ended.
    pub fn finish(mut self) -> (Vec<String>, ExitStatus) {
        self.close_stdin();
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(GUARD) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the program does not end"),
            }
        }
        (lines, self.status())
    }

    /// Waits for the program's end.
    pub fn status(&mut self) -> ExitStatus {
        wait(&mut self.child)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Fails only for a process that has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a process's end.
pub fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the process is ours") {
            return status;
        }
        if start.elapsed() > GUARD {
            let _ = child.kill();
            panic!("the program does not end");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The word after `key` in a line.
pub fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|word| *word != key).nth(1)
}
