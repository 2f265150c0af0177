//! An engine under test: its process, spoken to in its dialect. It is asked for turns and given
//! none; whether what it answers is legal, or in time, is for the referee to say.

use super::{
    announced::Announced,
    clock::{Clock, Limit, go},
    dialect::{Dialect, Line, Proto, RulesSetup, Said},
    process::{Launch, Process, Silence, Stop},
    pulse::{Lost, Pulse},
    talk::TalkLog,
    trouble::Trouble,
};
use millrace_engine::{
    Color, Game, Position, Rules, Turn, TurnError, search::Score, text::parse_turn,
};
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// An engine as the settings of a match have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerSettings {
    /// What it is called in reports. No two have the same.
    pub name: String,
    /// The program.
    pub cmd: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder that it is started in.
    pub dir: Option<PathBuf>,
    /// Its dialect.
    pub proto: Proto,
    /// Options with their values, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// What it may use for a turn.
    pub limit: Limit,
    /// Whether it is started anew for each game.
    pub restart: bool,
}

/// What all engines of a match share.
pub struct Around {
    /// The rules.
    pub rules: Rules,
    /// How long an answer that nothing else limits may take.
    pub guard: Duration,
    /// The wish to end.
    pub stop: Arc<Stop>,
    /// Where all talk is written.
    pub log: Option<TalkLog>,
    /// What tells when the machine stood still; needed only where time is measured.
    pub pulse: Option<Pulse>,
    /// Tells people what is waited for.
    pub tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Around {
    /// For how long the machine has stood still so far, as far as that is known.
    pub fn stood_still(&self) -> Lost {
        self.pulse.as_ref().map(Pulse::lost).unwrap_or_default()
    }
}

/// Why an engine gave no answer.
#[derive(Debug)]
pub enum Fault {
    /// It is to blame.
    Trouble(Trouble),
    /// The match is being stopped.
    Stopped,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The turn, as a word.
    pub token: String,
    /// What was said about it, for the side to move.
    pub said: Said,
    /// The time it took, without that in which the machine stood still.
    pub used: Duration,
    /// The number of questions that it took.
    pub actions: u32,
}

/// A running engine.
pub struct Player<'a> {
    settings: &'a PlayerSettings,
    around: &'a Around,
    dialect: &'static dyn Dialect,
    process: Process,
    /// What is doubtful about its options.
    warnings: Vec<String>,
    /// The `position` command of the game so far.
    position: String,
    has_turns: bool,
    line: String,
    /// The line that is waited for, or was the last to be.
    awaited: &'static str,
}

/// How long an answer that takes no thought is waited for without a word, at most.
const NOTICE: Duration = Duration::from_secs(5);
/// How much longer than its time an engine may take before it is given up, at most.
const GRACE: Duration = Duration::from_secs(5);
/// How long an engine that has refused a command may still take to answer it.
const AFTER_REFUSAL: Duration = Duration::from_secs(1);
/// Lines outside the protocol before one answer that are put up with.
const MUCH_GARBAGE: u32 = 1_000;
/// Lines of any kind before an answer that takes no thought that are put up with.
const MUCH_TALK: u32 = 100_000;

impl<'a> Player<'a> {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// If it does not start, or does not introduce itself.
    pub fn start(settings: &'a PlayerSettings, around: &'a Around) -> Result<Self, Fault> {
        let launch = Launch {
            program: settings.cmd.clone(),
            arguments: settings.args.clone(),
            folder: settings.dir.clone(),
        };
        let process = Process::start(&launch).map_err(|error| {
            // The system does not say whether it misses the folder or the program.
            let what = launch.folder.as_deref().filter(|folder| !folder.is_dir());
            let why = match what {
                Some(folder) => format!("dir={}: {error}", folder.display()),
                None => format!("{}: {error}", settings.cmd.display()),
            };
            Fault::Trouble(Trouble::Start { why })
        })?;
        let mut player = Self {
            settings,
            around,
            dialect: settings.proto.dialect(),
            process,
            warnings: Vec::new(),
            position: String::new(),
            has_turns: false,
            line: String::new(),
            awaited: "",
        };
        match player.introduce() {
            Ok(()) => Ok(player),
            Err(Fault::Trouble(trouble)) => {
                Err(Fault::Trouble(Trouble::Start { why: player.without_words(&trouble) }))
            }
            Err(Fault::Stopped) => Err(Fault::Stopped),
        }
    }

    /// Why it has not introduced itself.
    fn without_words(&self, trouble: &Trouble) -> String {
        match trouble {
            Trouble::Hang { waited } => format!(
                "it did not say '{}' within {:.1} s; does it speak proto={}?",
                self.awaited,
                waited.as_secs_f64(),
                self.settings.proto.name(),
            ),
            other => other.to_string(),
        }
    }

    /// What is doubtful about its options, for the user.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Ends it.
    pub fn quit(self) {
        self.process.end("quit\n");
    }

    fn introduce(&mut self) -> Result<(), Fault> {
        let (hello, end) = self.dialect.handshake();
        self.send(&format!("{hello}\n"), self.far())?;
        let mut announced = Vec::new();
        self.read_until(end, |line| announced.extend(Announced::read(line)))?;
        let options = self.options(&announced);
        let mut text = String::new();
        for (name, value) in &options {
            let kind = announced.iter().find(|a| a.is(name)).map(|a| a.kind.as_str());
            text += &match kind {
                Some("button") => format!("setoption name {name}\n"),
                _ => format!("setoption name {name} value {value}\n"),
            };
        }
        self.send(&(text + "isready\n"), self.far())?;
        let mut complaints = Vec::new();
        self.read_until("readyok", |line| {
            if line.starts_with("info string") {
                let lower = line.to_ascii_lowercase();
                if lower.contains("error") || lower.contains("unsupported") {
                    complaints.push(format!("it says: {line}"));
                }
            }
        })?;
        self.warnings.extend(complaints);
        Ok(())
    }

    /// The options to be set; notes what is doubtful about them.
    fn options(&mut self, announced: &[Announced]) -> Vec<(String, String)> {
        let knows = |name: &str| announced.iter().any(|a| a.is(name));
        let mut options = Vec::new();
        match self.dialect.tell_rules(&self.around.rules, &knows) {
            RulesSetup::Nothing => {}
            RulesSetup::Option(name, value) => options.push((name.to_string(), value)),
            RulesSetup::Unknown => self.warnings.push(format!(
                "it announces no option for the rules {}; its own options must say them",
                self.around.rules
            )),
        }
        for (name, value) in &self.settings.options {
            let warning = match announced.iter().find(|a| a.is(name)) {
                None => Some(format!("it announces no option '{name}'")),
                Some(announced) => announced.objection(value),
            };
            self.warnings.extend(warning);
            options.push((name.clone(), value.clone()));
        }
        options
    }

    /// Tells it of a new game; [`await_ready`](Self::await_ready) waits for it. So two engines can
    /// make ready at the same time.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn begin_game(&mut self, first: &Position) -> Result<(), Fault> {
        let position = self.dialect.position(&self.around.rules, first);
        self.position = position.ok_or_else(|| {
            let why = "its dialect cannot tell this first position".to_string();
            Fault::Trouble(Trouble::Start { why })
        })?;
        self.has_turns = false;
        let text = format!("{}\nisready\n", self.dialect.new_game());
        self.send(&text, self.far())
    }

    /// Waits until it is ready.
    ///
    /// # Errors
    /// If it never is.
    pub fn await_ready(&mut self) -> Result<(), Fault> {
        self.read_until("readyok", |_| {})
    }

    /// Tells it of a turn, whoever made it.
    pub fn push_turn(&mut self, turn: Turn) {
        if !self.has_turns {
            self.position += " moves";
            self.has_turns = true;
        }
        self.dialect.push_turn(&self.around.rules, turn, &mut self.position);
    }

    /// Asks for a turn.
    ///
    /// # Errors
    /// If no answer comes.
    pub fn choose(&mut self, game: &Game, clocks: &[Clock; 2]) -> Result<Answer, Fault> {
        let side = game.position().side();
        let mut question = Question::new(clocks, side, self.around);
        let (token, mut said) = if self.dialect.is_split() {
            self.choose_by_actions(game, &mut question)?
        } else {
            let position = std::mem::take(&mut self.position);
            let answer = self.ask(&position, &mut question);
            self.position = position;
            answer?
        };
        let used = question.used(self.around);
        if self.dialect.scores_for_white() && side == Color::Black {
            said.score = said.score.map(negated);
        }
        Ok(Answer { token, said, used, actions: question.actions })
    }

    /// Asks for one action after the other until they make a turn, or cannot be one.
    fn choose_by_actions(
        &mut self,
        game: &Game,
        question: &mut Question,
    ) -> Result<(String, Said), Fault> {
        let rules = &self.around.rules;
        let mut position = self.position.clone();
        let (mut turn, mut said) = self.ask(&position, question)?;
        if is_claim(&turn) && !game.outcome().is_over() {
            // It takes the game for over by its history. What it would do without one counts.
            if let Some(bare) = self.dialect.position(rules, game.position()) {
                (turn, said) = self.ask(&bare, question)?;
                position = bare;
            }
        }
        let has_turns = position.contains(" moves");
        let mut link = if has_turns { " " } else { " moves " };
        let mut last = turn.clone();
        while let Err(TurnError::RemovalDue(_)) = parse_turn(rules, game.position(), &turn) {
            position.push_str(link);
            position.push_str(&last);
            link = " ";
            let (action, _) = self.ask(&position, question)?;
            if !action.starts_with(['x', 'X']) {
                return Ok((action, said));
            }
            turn += &action;
            last = action;
        }
        Ok((turn, said))
    }

    /// Asks once, and waits for `bestmove`.
    fn ask(&mut self, position: &str, question: &mut Question) -> Result<(String, Said), Fault> {
        let used = if question.actions == 0 { Duration::ZERO } else { question.begun.elapsed() };
        question.actions += 1;
        let mut message = String::with_capacity(position.len() + 64);
        message.push_str(position);
        message.push('\n');
        go(question.clocks, question.side.index(), used, &mut message);
        message.push('\n');
        if question.actions == 1 {
            *question = Question {
                actions: 1,
                ..Question::new(question.clocks, question.side, self.around)
            };
        }
        let clock = &question.clocks[question.side.index()];
        let patience = match clock.allowed(question.actions) {
            Some(allowed) => allowed + clock.limit().margin + self.around.guard.min(GRACE),
            None => self.around.guard,
        };
        let mut deadline = question.begun + patience;
        self.send(&message, deadline)?;
        let mut said = Said::default();
        let mut garbage: Option<String> = None;
        let mut garbage_count = 0;
        loop {
            let read = match Instant::now() > deadline {
                true => Err(Silence::Timeout),
                false => self.read_line(deadline),
            };
            match (read, garbage) {
                (Ok(()), before) => garbage = before,
                (Err(Silence::Timeout), Some(line)) => {
                    return Err(Fault::Trouble(Trouble::Garbage { line }));
                }
                (Err(silence), _) => return Err(self.fault(silence, question.begun)),
            }
            match self.dialect.read(&self.line) {
                Line::Best(Some(token), more) => return Ok((token, more.after(said))),
                Line::Best(None, _) => {
                    // What came before says more than an answer without a turn.
                    let line = garbage.unwrap_or_else(|| self.line.clone());
                    return Err(Fault::Trouble(Trouble::Garbage { line }));
                }
                Line::Info(more) => said = more,
                Line::Refusal => {
                    // One that follows from an earlier one says less.
                    let earlier = garbage.filter(|line| self.dialect.read(line) == Line::Refusal);
                    garbage = Some(earlier.unwrap_or_else(|| shortened(&self.line)));
                    deadline = deadline.min(Instant::now() + AFTER_REFUSAL);
                }
                Line::Other => {}
                Line::Garbage => {
                    garbage_count += 1;
                    let first = garbage.unwrap_or_else(|| shortened(&self.line));
                    if garbage_count > MUCH_GARBAGE {
                        return Err(Fault::Trouble(Trouble::Garbage { line: first }));
                    }
                    garbage = Some(first);
                }
            }
        }
    }

    /// A deadline for answers that take no thought.
    fn far(&self) -> Instant {
        Instant::now() + self.around.guard
    }

    fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Fault> {
        if let Some(log) = &self.around.log {
            log.note(self.process.id(), &self.settings.name, '>', text);
        }
        let begun = Instant::now();
        self.process
            .send(text, deadline, &self.around.stop)
            .map_err(|silence| self.fault(silence, begun))
    }

    fn read_line(&mut self, deadline: Instant) -> Result<(), Silence> {
        self.process.read_line(&mut self.line, deadline, &self.around.stop)?;
        if let Some(log) = &self.around.log {
            log.note(self.process.id(), &self.settings.name, '<', &self.line);
        }
        Ok(())
    }

    /// Reads up to a line that is exactly `end`; hands over those before it.
    fn read_until(&mut self, end: &'static str, mut see: impl FnMut(&str)) -> Result<(), Fault> {
        self.awaited = end;
        let begun = Instant::now();
        let deadline = self.far();
        let mut notice = Some(begun + NOTICE.min(self.around.guard / 2));
        for _ in 0..MUCH_TALK {
            let next = notice.unwrap_or(deadline);
            let mut read = match Instant::now() > next {
                true => Err(Silence::Timeout),
                false => self.read_line(next),
            };
            if read == Err(Silence::Timeout) && notice.take().is_some() {
                self.tell_of_waiting(begun);
                read = self.read_line(deadline);
            }
            read.map_err(|silence| self.fault(silence, begun))?;
            if self.line.trim() == end {
                return Ok(());
            }
            see(self.line.trim());
        }
        Err(Fault::Trouble(Trouble::Garbage { line: shortened(&self.line) }))
    }

    fn tell_of_waiting(&self, since: Instant) {
        (self.around.tell)(&format!(
            "{} has not said '{}' for {:.1} s; it is waited for {} s at most",
            self.settings.name,
            self.awaited,
            since.elapsed().as_secs_f64(),
            self.around.guard.as_secs_f64(),
        ));
    }

    fn fault(&mut self, silence: Silence, since: Instant) -> Fault {
        Fault::Trouble(match silence {
            Silence::Stopped => return Fault::Stopped,
            Silence::Timeout => Trouble::Hang { waited: since.elapsed() },
            Silence::TooLong => Trouble::Garbage { line: "a line without end".to_string() },
            Silence::Closed => {
                let obituary = self.process.obituary();
                Trouble::Crash { exit: obituary.exit, stderr: obituary.stderr }
            }
        })
    }
}

/// A turn being asked for.
struct Question<'a> {
    clocks: &'a [Clock; 2],
    side: Color,
    begun: Instant,
    /// For how long the machine had stood still by then.
    stood_still: Lost,
    actions: u32,
}

impl<'a> Question<'a> {
    fn new(clocks: &'a [Clock; 2], side: Color, around: &Around) -> Self {
        let stood_still = around.stood_still();
        Self { clocks, side, begun: Instant::now(), stood_still, actions: 0 }
    }

    /// The time it has taken so far.
    fn used(&self, around: &Around) -> Duration {
        let elapsed = self.begun.elapsed();
        elapsed.saturating_sub(around.stood_still().since(&self.stood_still))
    }
}

/// Whether a word stands for no turn at all.
fn is_claim(token: &str) -> bool {
    matches!(token, "draw" | "none" | "(none)" | "-" | "0000" | "resign")
}

fn negated(score: Score) -> Score {
    match score {
        Score::Cp(cp) => Score::Cp(cp.saturating_neg()),
        Score::Mate(turns) => Score::Mate(turns.saturating_neg()),
    }
}

/// A line of which nobody knows what it is, made fit to be shown.
fn shortened(line: &str) -> String {
    const SHOWN: usize = 120;
    line.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c }).collect()
}
