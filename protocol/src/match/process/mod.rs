//! Engines as processes: started, talked to line by line within deadlines, and ended for good.
//! What the lines mean is not known here.
//!
//! No engine outlives the runner: a process is ended when its value is dropped, its input ends when
//! the runner does, and on Linux the kernel kills it should the runner be killed.

mod lines;
#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod start;
mod stop;
#[cfg(any(not(unix), test))]
mod threads;

#[cfg(unix)]
use pipes::Pipes;
pub use stop::Stop;
#[cfg(not(unix))]
use threads::Pipes;

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program: a path, or a name to be looked for as a shell does.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder to start it in; `None` = this one.
    pub folder: Option<PathBuf>,
}

/// Why a process does not say, or hear, anything.
#[derive(Debug, PartialEq, Eq)]
pub enum Silence {
    /// The deadline has passed.
    Timeout,
    /// It has ended, or closed its streams.
    Closed,
    /// A line has no end.
    TooLong,
    /// The whole match is being stopped.
    Stopped,
}

/// How a process ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Obituary {
    /// Exit code or signal, in words.
    pub exit: String,
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
}

/// How long a process may take to end once it has been told to.
const PATIENCE: Duration = Duration::from_secs(1);

/// A running process.
pub struct Process {
    child: Child,
    pipes: Pipes,
    ended: bool,
}

impl Process {
    /// Starts a program. It lives no longer than the calling thread.
    ///
    /// # Errors
    /// If that fails.
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = Command::new(resolved(launch)?);
        command.args(launch.arguments.iter().map(OsString::from));
        if let Some(folder) = &launch.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        start::tie(&mut command);
        let mut child = command.spawn()?;
        match Pipes::of(&mut child) {
            Ok(pipes) => Ok(Self { child, pipes, ended: false }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes text to its input.
    ///
    /// # Errors
    /// If it has ended, or does not read.
    pub fn send(&mut self, text: &str, deadline: Instant, stop: &Stop) -> Result<(), Silence> {
        self.pipes.send(text.as_bytes(), deadline, stop)
    }

    /// Reads its next line, without the line break.
    ///
    /// # Errors
    /// If none comes.
    pub fn read_line(
        &mut self,
        line: &mut String,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<(), Silence> {
        self.pipes.read_line(line, deadline, stop)
    }

    /// Says how it ended. If it has not, that is done now.
    pub fn obituary(&mut self) -> Obituary {
        self.pipes.drain(Instant::now() + PATIENCE / 4);
        let exit = match self.await_end() {
            Some(status) => describe(status),
            None => {
                self.kill();
                "it closed its output, but went on".to_string()
            }
        };
        Obituary { exit, stderr: self.pipes.last_words() }
    }

    /// Asks it to end by these words, and makes it end if it does not.
    pub fn end(mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        // Whether it hears does not matter: it is ended in any case.
        let _ = self.pipes.send(words.as_bytes(), deadline, Stop::never());
        self.pipes.close_input();
        self.pipes.drain(deadline);
        self.await_end();
    }

    /// Waits a little for the end of a process that has closed its output.
    fn await_end(&mut self) -> Option<ExitStatus> {
        const PAUSE: Duration = Duration::from_millis(1);
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                self.ended = true;
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(PAUSE);
        }
    }

    fn kill(&mut self) {
        if !self.ended {
            #[cfg(unix)]
            start::kill_group(&self.child);
            // Both fail only for a process that has ended already.
            let _ = self.child.kill();
            let _ = self.child.wait();
            self.ended = true;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The program's path as seen from this folder, not from the one that it is started in.
fn resolved(launch: &Launch) -> io::Result<PathBuf> {
    let program = &launch.program;
    if program.components().count() < 2 {
        return Ok(program.clone());
    }
    let here = std::path::absolute(program)?;
    let there = launch.folder.as_deref().map(|folder: &Path| folder.join(program));
    Ok(match there {
        Some(there) if !here.exists() && there.exists() => std::path::absolute(there)?,
        _ => here,
    })
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("ended by signal {signal}{}", start::signal_name(signal));
        }
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "ended for an unknown reason".to_string(),
    }
}
