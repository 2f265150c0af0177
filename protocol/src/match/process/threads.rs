//! The streams of a process by plain means, for systems without `poll`: a thread for each. It does
//! what `pipes` does, at a higher price a line.

use super::{
    Silence, Stop,
    lines::{LineBuffer, Tail},
};
use std::{
    io::{self, Read, Write},
    process::Child,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

/// Bytes read at a time.
const BLOCK: usize = 1 << 14;
/// How long a wish to stop may go unseen.
const STOP_SEEN: Duration = Duration::from_millis(20);

/// What comes from the reading threads.
enum Event {
    Output(Vec<u8>),
    Error(Vec<u8>),
    OutputEnds,
    ErrorEnds,
}

/// Input, output and standard error of a process.
pub(super) struct Pipes {
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<Event>,
    lines: LineBuffer,
    tail: Tail,
    output_open: bool,
    error_open: bool,
}

impl Pipes {
    /// Takes the streams of a process.
    pub(super) fn of(child: &mut Child) -> io::Result<Self> {
        let (sender, events) = channel();
        let (input, texts) = channel::<Vec<u8>>();
        if let Some(mut stdin) = child.stdin.take() {
            spawn(move || {
                for text in texts {
                    if stdin.write_all(&text).is_err() {
                        return;
                    }
                }
            })?;
        }
        if let Some(stdout) = child.stdout.take() {
            let sender = sender.clone();
            spawn(move || forward(stdout, &sender, Event::Output, Event::OutputEnds))?;
        }
        if let Some(stderr) = child.stderr.take() {
            spawn(move || forward(stderr, &sender, Event::Error, Event::ErrorEnds))?;
        }
        Ok(Self {
            input: Some(input),
            events,
            lines: LineBuffer::default(),
            tail: Tail::default(),
            output_open: true,
            error_open: true,
        })
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    pub(super) fn last_words(&self) -> Vec<String> {
        self.tail.lines()
    }

    pub(super) fn send(
        &mut self,
        bytes: &[u8],
        _deadline: Instant,
        _stop: &Stop,
    ) -> Result<(), Silence> {
        // A process that does not read is found out when it does not answer.
        let input = self.input.as_ref().ok_or(Silence::Closed)?;
        input.send(bytes.to_vec()).map_err(|_| Silence::Closed)
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
            if !self.output_open {
                return Err(Silence::Closed);
            }
            self.take_event(deadline, stop)?;
        }
    }

    /// Reads, and forgets, what is still said until both outputs are closed.
    pub(super) fn drain(&mut self, deadline: Instant) {
        let mut line = String::new();
        while (self.output_open || self.error_open)
            && self.take_event(deadline, Stop::never()).is_ok()
        {
            while self.lines.take(&mut line) {}
        }
    }

    fn take_event(&mut self, deadline: Instant, stop: &Stop) -> Result<(), Silence> {
        loop {
            if stop.is_fired() {
                return Err(Silence::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(STOP_SEEN)) {
                Ok(Event::Output(bytes)) => self.lines.push(&bytes),
                Ok(Event::Error(bytes)) => self.tail.push(&bytes),
                Ok(Event::OutputEnds) => self.output_open = false,
                Ok(Event::ErrorEnds) => self.error_open = false,
                Err(RecvTimeoutError::Timeout) if left > STOP_SEEN => continue,
                Err(RecvTimeoutError::Timeout) => return Err(Silence::Timeout),
                Err(RecvTimeoutError::Disconnected) => {
                    (self.output_open, self.error_open) = (false, false);
                }
            }
            return Ok(());
        }
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("engine stream".into()).spawn(work).map(|_| ())
}

/// Passes on what a stream says, until it ends or nobody listens.
fn forward(mut stream: impl Read, sender: &Sender<Event>, event: fn(Vec<u8>) -> Event, end: Event) {
    let mut block = [0; BLOCK];
    loop {
        match stream.read(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(count) if count > 0 => {
                if sender.send(event(block[..count].to_vec())).is_err() {
                    return;
                }
            }
            _ => break,
        }
    }
    // Nobody may be listening any more.
    let _ = sender.send(end);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn start(script: &str) -> (Child, Pipes) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a shell");
        let pipes = Pipes::of(&mut child).expect("threads");
        (child, pipes)
    }

    #[test]
    fn threads_serve_as_well_as_poll() {
        let stop = Stop::new().expect("a pipe");
        let far = Instant::now() + Duration::from_secs(60);
        let (mut child, mut pipes) = start("read x; echo got $x; echo alas >&2; read y");
        let mut line = String::new();
        let soon = Instant::now() + Duration::from_millis(30);
        assert_eq!(pipes.read_line(&mut line, soon, &stop), Err(Silence::Timeout));
        assert_eq!(pipes.send(b"this\n", far, &stop), Ok(()));
        assert_eq!(pipes.read_line(&mut line, far, &stop), Ok(()));
        assert_eq!(line, "got this");
        stop.fire();
        assert_eq!(pipes.read_line(&mut line, far, &stop), Err(Silence::Stopped));
        pipes.close_input();
        pipes.drain(far);
        assert_eq!(pipes.last_words(), ["alas"]);
        let never = Stop::never();
        assert_eq!(pipes.read_line(&mut line, far, never), Err(Silence::Closed));
        child.wait().expect("it has ended");
    }
}
