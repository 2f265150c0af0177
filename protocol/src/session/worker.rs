//! The thread that owns the engine. It works off one job after another and reports each as done;
//! whoever gives it jobs can go on listening meanwhile.

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
        Arc,
        mpsc::{Receiver, Sender},
    },
};

/// Something to do. Jobs that take long have a handle to end them by.
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
    /// Take new settings.
    Configure(Box<Settings>),
    /// Forget everything.
    NewGame,
}

/// How a job ended.
pub type Reply = Result<(), ProtocolError>;

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

    /// Works until no more jobs can come, or nobody reads the answers any more.
    pub fn work(&mut self, jobs: &Receiver<Job>, replies: &Sender<Reply>) {
        while let Ok(job) = jobs.recv() {
            let reply = self.perform(job);
            if self.output.is_closed() || replies.send(reply).is_err() {
                return;
            }
        }
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
                let total = bench::run(settings, &control, &mut |line| output.write(line));
                output.write(&total.map_or("info string bench stopped".to_string(), |t| t.list()));
            }
            Job::Configure(settings) => self
                .engine
                .configure(*settings)
                .map_err(|error| ProtocolError::Resources(error.to_string()))?,
            Job::NewGame => self.engine.new_game(),
        }
        Ok(())
    }

    /// Searches and sends the answer. Should the engine fail, a game that is under way is still
    /// worth more than this process's pride: the fault is told, and a legal turn is made.
    fn search(&mut self, game: &Game, limits: &Limits, control: &Control, style: Style) {
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
    limits.nodes.is_some_and(|nodes| nodes <= FEW_NODES) && !limits.infinite && !limits.ponder
}
