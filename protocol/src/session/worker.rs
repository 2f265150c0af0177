//! What is done with the engine. A thread of its own works off one job after another and reports each
//! as done, so that whoever gives it jobs can go on listening meanwhile.

use super::Output;
use crate::{
    ProtocolError,
    dialects::Style,
    tools::{bench, perft},
};
use millrace_engine::{
    Game,
    search::{Best, Control, Engine, Limits, Settings},
};
use std::{
    io::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender},
    },
};

/// Something to do that takes long, with a handle to end it by.
pub enum Job {
    /// Search, and send the answer.
    Search {
        /// What to search.
        game: Box<Game>,
        /// When to end.
        limits: Box<Limits>,
        /// Ends it early.
        control: Control,
        /// How to speak of it.
        style: Style,
    },
    /// Count turns.
    Perft {
        /// From where.
        game: Box<Game>,
        /// How deep and how.
        settings: perft::Settings,
        /// Ends it early.
        control: Control,
    },
    /// Search the fixed set of positions.
    Bench {
        /// How.
        settings: bench::Settings,
        /// Ends it early.
        control: Control,
    },
}

/// How a job ended.
pub type Reply = Result<(), ProtocolError>;

/// Works until no more jobs can come, or nobody reads the answers any more.
pub fn work<W: Write>(worker: &Mutex<Worker<W>>, jobs: &Receiver<Job>, replies: &Sender<Reply>) {
    while let Ok(job) = jobs.recv() {
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = worker.perform(job);
        if worker.output.is_closed() || replies.send(reply).is_err() {
            return;
        }
    }
}

/// The engine, and where its words go.
pub struct Worker<W> {
    engine: Engine,
    output: Arc<Output<W>>,
}

impl<W: Write> Worker<W> {
    /// A worker with a fresh engine.
    pub fn new(settings: Settings, output: Arc<Output<W>>) -> Self {
        Self { engine: Engine::new(settings), output }
    }

    fn perform(&mut self, job: Job) -> Reply {
        match job {
            Job::Search { game, limits, control, style } => {
                self.search(&game, &limits, &control, style);
            }
            Job::Perft { game, settings, control } => {
                let counted =
                    perft::run(game.rules(), game.position(), settings, &|| control.is_stopped())
                        .map_err(|error| ProtocolError::Resources(error.to_string()))?;
                self.output.write(&match counted {
                    Some(report) => report.list(),
                    None => "info string perft stopped".to_string(),
                });
            }
            Job::Bench { settings, control } => {
                let output = &self.output;
                let total = bench::run(settings, &control, &mut |line| output.write(line))
                    .map_err(|error| ProtocolError::Resources(error.to_string()))?;
                output.write(&total.map_or("info string bench stopped".to_string(), |t| t.list()));
            }
        }
        Ok(())
    }

    /// Takes new settings.
    ///
    /// # Errors
    /// If there is not the memory that they need.
    pub fn configure(&mut self, settings: Settings) -> Reply {
        self.engine.configure(settings).map_err(|error| ProtocolError::Resources(error.to_string()))
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches and sends the answer. Should the engine fail, a game that is under way is still
    /// worth more than this process's pride: the fault is told, and a legal turn is made.
    pub fn search(&mut self, game: &Game, limits: &Limits, control: &Control, style: Style) {
        let (engine, output) = (&mut self.engine, &self.output);
        let mut held = String::new();
        let found = catch_unwind(AssertUnwindSafe(|| {
            engine.search(game, limits, control, &mut |info| {
                match style.info(info) {
                    Some(line) if is_brief(limits) => held += &(line + "\n"),
                    Some(line) => output.write(&line),
                    None => {}
                }
                if output.is_closed() {
                    control.stop();
                }
            })
        }));
        let best = found.unwrap_or_else(|_| {
            let fault =
                ProtocolError::Internal("the search failed; any legal turn is played".into());
            held += &(style.error(&fault) + "\n");
            self.engine = Engine::new(self.engine.settings().clone());
            let turn = game.position().turns(game.rules()).first().copied();
            Best { turn, ponder: None }
        });
        let faults = self.engine.take_faults();
        let faults: String = faults.iter().map(|f| format!("info string {f}\n")).collect();
        self.output.write(&(held + &faults + &style.best(&best)));
    }
}

/// Whether a search is over in about a millisecond. Then its lines are sent together with the
/// answer: waking the reader for each would take longer than the search.
fn is_brief(limits: &Limits) -> bool {
    const FEW_NODES: u64 = 5_000;
    ends_by(limits, FEW_NODES)
}

/// Whether a search is over before anybody could end it. Whoever hears the command does it himself
/// then: waking a thread would take longer.
pub fn is_immediate(limits: &Limits) -> bool {
    const HARDLY_ANY_NODES: u64 = 64;
    ends_by(limits, HARDLY_ANY_NODES)
}

fn ends_by(limits: &Limits, few: u64) -> bool {
    limits.nodes.is_some_and(|nodes| nodes <= few) && !limits.infinite && !limits.ponder
}
