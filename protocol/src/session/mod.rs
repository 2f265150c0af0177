//! A session: commands in, answers out, one engine behind.
//!
//! Two threads share the work, so that neither ever waits for the other without need. One reads
//! and answers commands, and does itself what is done at once; the other, the caller's, does what
//! takes long. They talk through a queue of jobs and a queue of replies, and the engine is always
//! with one of them.

mod input;
mod output;
mod worker;

pub use input::{LONGEST, Line, Lines};
pub use output::Output;

use crate::{
    ProtocolError,
    command::{BenchArgs, Command, describe, has_end},
    dialects::{Dialect, GBGP, NATIVE, Style, Wording},
    options::{self, Options},
    state::State,
    tools::{eval, perft},
};
use anyhow::{Context, anyhow};
use millrace_engine::{
    perft::LastPly,
    search::{Control, Limits},
    text::fen,
};
use std::{
    fs::File,
    io::{BufRead, Write},
    ops::ControlFlow,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};
use worker::{Job, Reply, Worker, is_immediate, work};

/// The side of a session that hears commands.
pub struct Session<W> {
    state: State,
    dialect: &'static dyn Dialect,
    debug: bool,
    output: Arc<Output<W>>,
    worker: Arc<Mutex<Worker<W>>>,
    jobs: Sender<Job>,
    replies: Receiver<Reply>,
    /// The job whose reply has not been taken, if it is one of those that take long.
    running: Option<Running>,
}

struct Running {
    control: Control,
    /// Whether the expected turn ends it, since nothing else would.
    ends_at_hit: bool,
}

/// Runs `commands` on a session of its own, whose lines go to `writer`. The calling thread does the
/// searching meanwhile. Returns when `commands` does, or as soon as nobody reads the lines.
///
/// # Errors
/// If a thread cannot be started or the writer fails (but not because nobody reads any more), and
/// whatever `commands` says.
pub fn with_session<W, F>(writer: W, commands: F) -> anyhow::Result<()>
where
    W: Write + Send + 'static,
    F: FnOnce(&mut Session<W>) -> anyhow::Result<()> + Send + 'static,
{
    let output = Arc::new(Output::new(writer));
    let (jobs, job_queue) = channel();
    let (reply_queue, replies) = channel();
    let worker = Worker::new(State::default().options().settings(), output.clone());
    let worker = Arc::new(Mutex::new(worker));
    let mut session = Session {
        state: State::default(),
        dialect: &NATIVE,
        debug: false,
        output: output.clone(),
        worker: worker.clone(),
        jobs,
        replies,
        running: None,
    };
    let listener =
        thread::Builder::new().name("commands".into()).spawn(move || commands(&mut session))?;
    work(&worker, &job_queue, &reply_queue);
    if !output.is_closed() {
        // Otherwise the listener may be held up in a read that never returns.
        listener.join().map_err(|_| anyhow!("the thread that reads commands has failed"))??;
    }
    output.check().context("standard output")
}

/// Serves a reader of commands until it ends or says `quit`.
///
/// # Errors
/// If a thread cannot be started or the reader fails.
pub fn serve<R, W>(reader: R, writer: W) -> anyhow::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    with_session(writer, move |session| session.listen(Lines::new(reader)))
}

impl<W: Write> Session<W> {
    /// Answers line after line. At the end a running search is stopped and its answer still sent.
    fn listen<R: BufRead>(&mut self, mut lines: Lines<R>) -> anyhow::Result<()> {
        while let Some(line) = lines.read()? {
            let answered = match line {
                Line::Text(text) => self.hear(text),
                Line::NotText(word) => self.refuse(word, ProtocolError::NotText),
                Line::TooLong(word) => self.refuse(word, ProtocolError::LineTooLong(LONGEST)),
            };
            match answered {
                Ok(ControlFlow::Break(())) => break,
                Ok(ControlFlow::Continue(())) => {}
                Err(error) => self.output.write(&self.style().error(&error)),
            }
            if self.output.is_closed() {
                break;
            }
        }
        self.end_running();
        Ok(())
    }

    /// Answers one line.
    ///
    /// # Errors
    /// If the line is refused.
    pub fn hear(&mut self, line: &str) -> Result<ControlFlow<()>, ProtocolError> {
        self.output.note(line.trim_end());
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        let command = match self.dialect.parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Err(error) => return self.refuse(word, error),
        };
        self.make_way(word);
        if command == Command::Quit {
            return Ok(ControlFlow::Break(()));
        }
        self.obey(command)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Ends the running job before a command that begins something new, well-formed or not.
    fn make_way(&mut self, word: &str) {
        const ENDING: [&str; 5] = ["go", "position", "ucinewgame", "newgame", "bench"];
        if ENDING.contains(&word) {
            self.end_running();
        }
    }

    /// What a line that cannot be understood comes to. After a bad `position` the driver's idea of
    /// the board is not ours, whatever was wrong with it.
    fn refuse(
        &mut self,
        word: &str,
        error: ProtocolError,
    ) -> Result<ControlFlow<()>, ProtocolError> {
        self.make_way(word);
        if word == "position" {
            self.state.refuse_position();
        }
        Err(error)
    }

    fn obey(&mut self, command: Command) -> Result<(), ProtocolError> {
        match command {
            Command::Uci => self.introduce(&NATIVE),
            Command::Gbgp => self.introduce(&GBGP),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.write("readyok"),
            Command::SetOption { name, value } => self.set_option(&name, value)?,
            Command::Register => {}
            Command::NewGame => {
                self.worker().new_game();
                self.state.new_game();
            }
            Command::Position { base, moves } => {
                self.state.set_position(base.as_deref(), &moves)?;
            }
            Command::Go { limits, search_moves } => self.go(limits, &search_moves)?,
            Command::Perft(depth) => self.perft(depth)?,
            Command::Bench(args) => self.bench(args),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show => self.output.write(&self.state.show()),
            Command::Moves => self.output.write(&self.state.list_moves()),
            Command::Eval => self
                .output
                .write(&eval::table(self.state.game(), self.state.options().search.evaluation)),
            Command::Rules => self.output.write(&self.state.show_rules()),
            Command::Help => self.output.write(HELP),
            Command::Quit => {}
        }
        Ok(())
    }

    /// Speaks a dialect from now on.
    fn introduce(&mut self, dialect: &'static dyn Dialect) {
        self.dialect = dialect;
        self.output.write(&self.style().introduction());
    }

    fn style(&self) -> Style {
        let options = self.state.options();
        let wording = Wording {
            board: self.state.game().rules().board(),
            show_wdl: options.show_wdl,
            split: options.split_moves && self.dialect.splits(),
        };
        Style { dialect: self.dialect, wording }
    }

    /// The engine, once no job has it.
    fn worker(&self) -> MutexGuard<'_, Worker<W>> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands over a job that takes long.
    fn start(&mut self, job: Job, control: Control, ends_at_hit: bool) {
        if self.jobs.send(job).is_ok() {
            self.running = Some(Running { control, ends_at_hit });
        }
    }

    /// Ends the running job, if there is one, and waits until its answer is out.
    fn end_running(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.stop();
            self.take_reply();
        }
    }

    /// Lets the running job, if there is one, come to its own end.
    pub fn finish(&mut self) {
        if self.running.take().is_some() {
            self.take_reply();
        }
    }

    fn take_reply(&mut self) {
        if let Ok(Err(error)) = self.replies.recv() {
            self.output.write(&self.style().error(&error));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ProtocolError> {
        let changed = self.state.with_option(name, value)?;
        let is_button = options::find(name)?.is_button();
        // A bad option is no reason to disturb a search.
        self.end_running();
        if is_button {
            self.worker().new_game();
            return Ok(());
        }
        self.apply(changed)
    }

    /// Takes over options; what can fail comes first.
    fn apply(&mut self, changed: Options) -> Result<(), ProtocolError> {
        let current = self.state.options();
        let log =
            if changed.log_file == current.log_file { None } else { Some(open_log(&changed)?) };
        if changed.settings() != current.settings() {
            self.worker().configure(changed.settings())?;
        }
        if let Some(file) = log {
            self.output.set_log(file);
        }
        self.state.adopt(changed);
        Ok(())
    }

    fn go(&mut self, limits: Limits, search_moves: &[&str]) -> Result<(), ProtocolError> {
        let limits = self.state.search_limits(limits, search_moves)?;
        let game = self.state.game();
        if self.debug {
            let position = fen(game.rules(), game.position());
            let limits = describe(&limits, game.rules().board());
            self.output.write(&format!("info string searching {position}: go{limits}"));
        }
        let control = Control::new();
        if is_immediate(&limits) {
            self.worker().search(game, &limits, &control, self.style());
            return Ok(());
        }
        let ends_at_hit = limits.ponder && !limits.infinite && !has_end(&limits);
        let job = Job::Search {
            game: Box::new(game.clone()),
            limits: Box::new(limits),
            control: control.clone(),
            style: self.style(),
        };
        self.start(job, control, ends_at_hit);
        Ok(())
    }

    fn perft(&mut self, depth: u32) -> Result<(), ProtocolError> {
        let threads = self.state.options().search.threads;
        let settings = perft::Settings { depth, threads, last: LastPly::Bulk };
        let control = Control::new();
        let game = Box::new(self.state.game().clone());
        self.start(Job::Perft { game, settings, control: control.clone() }, control, false);
        Ok(())
    }

    fn bench(&mut self, args: BenchArgs) {
        let control = Control::new();
        let job = Job::Bench { settings: args.into(), control: control.clone() };
        self.start(job, control, false);
    }

    fn stop(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    fn ponder_hit(&self) {
        let Some(running) = &self.running else { return };
        running.control.ponder_hit();
        if running.ends_at_hit {
            running.control.stop();
        }
    }
}

impl<W> Drop for Session<W> {
    /// However the listener ends, nobody is left to stop a search, and the searching thread must
    /// not go on for ever.
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }
}

fn open_log(options: &Options) -> Result<Option<File>, ProtocolError> {
    let path = &options.log_file;
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    File::options().create(true).append(true).open(path).map(Some).map_err(|why| {
        ProtocolError::LogFile { path: path.display().to_string(), why: why.to_string() }
    })
}

/// The commands, for people.
pub const HELP: &str = "\
position startpos|fen F [moves …]  set up a position and play turns from it
go [depth N] [movetime MS] …       search; also wtime btime winc binc movestogo nodes mate
                                   infinite ponder, and last searchmoves TURN …
go perft N                         count the turn sequences of N turns
stop                               end the search
ponderhit                          the expected turn was made
ucinewgame                         forget what was searched and set up the start
setoption name N value V           set an option; 'uci' lists them
d                                  show the board
moves                              list the legal turns
eval                               explain the evaluation
rules                              show the rules
bench [depth N] [threads N] [hash N]  search the fixed set of positions
uci, gbgp, isready, debug on|off, register  for programs
quit                               end the program
Turns look like d6, d6-d5, d6xb4 or d6-d5xb4.
";
