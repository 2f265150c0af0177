//! A person against the engine in a terminal: the board is drawn, turns are typed, and a game can
//! be saved and taken up again.
//!
//! Nothing here knows whether it talks to a terminal; see [`Ask`].

mod ask;
mod file;
mod typed;

pub use ask::{Ask, Editor, Plain};
pub use file::Target;

use crate::{NAME, diagram, tools::analyse::Value};
use millrace_engine::{
    Color, Game, Turn,
    search::{Control, Engine, FULL_LEVEL, Info, Limits, Settings},
    text::{
        quoted,
        record::{Entry, Record},
    },
};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};
use typed::{COMMANDS, Typed};

/// How a game is played.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game so far.
    pub record: Record,
    /// The side of the person.
    pub person: Color,
    /// Time for each turn of the engine.
    pub move_time: Duration,
    /// Where the game is saved after every turn.
    pub save: Option<Target>,
    /// What the search is set to.
    pub settings: Settings,
    /// Whether to say that the engine thinks, on a line that its turn is written over.
    pub thinking: bool,
}

/// A game under way.
pub struct Play<W> {
    game: Game,
    /// The same turns, with what is known about them; turns taken back are gone.
    record: Record,
    person: Color,
    /// The names of White and Black, where the record has other names than those given here.
    names: [Option<String>; 2],
    move_time: Duration,
    save: Option<Target>,
    /// Files that this game has been saved into by name, and may be again.
    saved: Vec<PathBuf>,
    thinking: bool,
    engine: Engine,
    out: W,
}

/// Whether the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Ask again; the position is the same.
    Ask,
    /// The position has changed.
    Show,
    /// End.
    Quit,
}

impl<W: Write> Play<W> {
    /// A game that writes to `out`.
    pub fn new(setup: Setup, out: W) -> Self {
        let mut record = setup.record;
        let game = record.game();
        if record.tag("Date").is_none() {
            // A date begins as a time does: 2026-01-31T…
            let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            record.set_tag("Date", now[..10].replace('-', "."));
        }
        let mut names = ["White", "Black"].map(|tag| foreign_name(&record, tag));
        // Who takes the other side than before takes the name there.
        if engine_side(&record) == Some(setup.person) {
            names.swap(0, 1);
        }
        Self {
            game,
            record,
            person: setup.person,
            names,
            move_time: setup.move_time,
            save: setup.save,
            saved: Vec::new(),
            thinking: setup.thinking,
            engine: Engine::new(setup.settings),
            out,
        }
    }

    /// Plays until the person has had enough.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn run(&mut self, ask: &mut dyn Ask) -> anyhow::Result<()> {
        writeln!(
            self.out,
            "Type turns such as d6, d6-d5 or d7xf4; 'help' lists what else there is."
        )?;
        let mut next = Next::Show;
        while next != Next::Quit {
            let over = self.game.outcome().is_over();
            next = if !over && self.game.position().side() != self.person {
                self.reply()?;
                Next::Show
            } else {
                if next == Next::Show {
                    self.show()?;
                }
                match ask.ask(&self.prompt(), &self.choices())? {
                    Some(line) => self.hear(&line)?,
                    None => Next::Quit,
                }
            };
        }
        Ok(())
    }

    fn show(&mut self) -> anyhow::Result<()> {
        let board = diagram::draw(self.game.rules(), self.game.position());
        writeln!(self.out, "\n{board}")?;
        let outcome = self.game.outcome();
        if outcome.is_over() {
            writeln!(self.out, "The game is over: {outcome}.")?;
        }
        Ok(())
    }

    fn prompt(&self) -> String {
        match self.game.outcome().is_over() {
            true => "back, new or quit> ".to_string(),
            false => format!("{}> ", self.game.position().side()),
        }
    }

    /// What may be typed: turns and commands.
    fn choices(&self) -> Vec<String> {
        let board = self.game.rules().board();
        let turns = self.game.position().turns(self.game.rules());
        let turns = turns.iter().map(|turn| turn.on(board).to_string());
        turns.chain(COMMANDS.iter().map(|(word, _)| (*word).to_string())).collect()
    }

    fn hear(&mut self, line: &str) -> anyhow::Result<Next> {
        match typed::read(&self.game, line) {
            Typed::Nothing => return Ok(Next::Ask),
            Typed::Turn(turn) => {
                self.make(Entry::from(turn))?;
                return Ok(Next::Show);
            }
            Typed::Several(texts) => writeln!(self.out, "Which one? {}", texts.join(" "))?,
            Typed::Wrong(why) => writeln!(self.out, "{why}")?,
            Typed::Command("back", _) => return self.take_back(),
            Typed::Command("new", _) => return self.begin_anew(),
            Typed::Command("swap", _) => {
                self.person = !self.person;
                self.names.swap(0, 1);
                return Ok(Next::Show);
            }
            Typed::Command("board", _) => return Ok(Next::Show),
            Typed::Command("quit", _) => return Ok(Next::Quit),
            Typed::Command("hint", _) => self.hint()?,
            Typed::Command("moves", _) => {
                let turns = self.choices();
                let count = turns.len() - COMMANDS.len();
                writeln!(self.out, "{}", turns[..count].join(" "))?;
            }
            Typed::Command("level", words) => self.set_level(words)?,
            Typed::Command("save", words) => self.save_as(words)?,
            Typed::Command(..) => write!(self.out, "{}", typed::help())?,
        }
        Ok(Next::Ask)
    }

    /// Makes a turn that is legal, and saves the game.
    fn make(&mut self, entry: Entry) -> anyhow::Result<()> {
        if self.game.play(entry.turn) {
            self.record.moves.push(entry);
        }
        self.keep()
    }

    /// Lets the engine make its turn.
    fn reply(&mut self) -> anyhow::Result<()> {
        if self.thinking {
            write!(self.out, "Thinking …\r")?;
            self.out.flush()?;
        }
        let start = Instant::now();
        let (turn, info) = self.think(self.move_time);
        let Some(turn) = turn else { return Ok(()) };
        let time = Some(start.elapsed());
        let text = turn.on(self.game.rules().board()).to_string();
        let mut entry = Entry { time, ..Entry::from(turn) };
        if let Some(info) = info {
            (entry.score, entry.depth) = (Some(info.score), Some(info.depth));
        }
        writeln!(self.out, "Millrace plays {text}.")?;
        self.make(entry)
    }

    fn think(&mut self, time: Duration) -> (Option<Turn>, Option<Info>) {
        let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let limits = Limits { move_time_ms: Some(millis), ..Limits::default() };
        let mut last = None;
        let best = self.engine.search(&self.game, &limits, &Control::new(), &mut |info| {
            if info.bound.is_none() {
                last = Some(info.clone());
            }
        });
        for fault in self.engine.take_faults() {
            // If nobody reads it, there is nothing left to do about it.
            let _ = writeln!(io::stderr(), "warning: {fault}");
        }
        (best.turn, last)
    }

    /// Asks the engine at full strength what it would do.
    fn hint(&mut self) -> anyhow::Result<()> {
        let own = self.engine.settings().clone();
        self.engine.configure(Settings { skill_level: FULL_LEVEL, elo: None, ..own.clone() })?;
        let (turn, info) = self.think(self.move_time.min(Duration::from_secs(2)));
        self.engine.configure(own)?;
        let Some(turn) = turn else {
            writeln!(self.out, "There is nothing to do any more.")?;
            return Ok(());
        };
        let text = turn.on(self.game.rules().board()).to_string();
        let worth = info.map_or(String::new(), |info| format!(" ({})", Value::from(info.score)));
        writeln!(self.out, "Hint: {text}{worth}")?;
        Ok(())
    }

    /// Takes the last turn of the person back, and what came after it.
    fn take_back(&mut self) -> anyhow::Result<Next> {
        let own = |game: &Game| {
            let sides = game.positions().iter().map(|position| position.side());
            sides.take(game.turns().len()).any(|side| side == self.person)
        };
        if !own(&self.game) {
            writeln!(self.out, "There is no turn of yours to take back.")?;
            return Ok(Next::Ask);
        }
        loop {
            self.game.take_back();
            self.record.moves.pop();
            if self.game.position().side() == self.person {
                break;
            }
        }
        self.keep()?;
        Ok(Next::Show)
    }

    fn begin_anew(&mut self) -> anyhow::Result<Next> {
        self.record.moves.clear();
        self.game = self.record.game();
        self.engine.new_game();
        self.keep()?;
        Ok(Next::Show)
    }

    fn set_level(&mut self, words: &str) -> anyhow::Result<()> {
        let current = self.engine.settings().clone();
        match words.parse().ok().filter(|level| *level <= FULL_LEVEL) {
            Some(skill_level) => {
                self.engine.configure(Settings { skill_level, elo: None, ..current })?;
                writeln!(self.out, "Level {skill_level} of {FULL_LEVEL}.")?;
            }
            None => {
                if !words.is_empty() {
                    let words = quoted(words);
                    writeln!(self.out, "'{words}' is no level; they go from 0 to {FULL_LEVEL}.")?;
                }
                let level = current.skill_level;
                writeln!(self.out, "Level {level} of {FULL_LEVEL}; 'level 5' makes it 5.")?;
            }
        }
        Ok(())
    }

    fn save_as(&mut self, words: &str) -> anyhow::Result<()> {
        if words.is_empty() && self.save.is_none() {
            writeln!(self.out, "Where? 'save game.txt' saves into that file.")?;
            return Ok(());
        }
        // A name that cannot be written to is no reason to lose the game.
        match self.save_into(words) {
            Ok(file) => writeln!(self.out, "Saved into {}.", file.display())?,
            Err(error) => writeln!(self.out, "Not saved: {error:#}")?,
        }
        Ok(())
    }

    /// Saves the game into a file by name, or where it is saved anyway.
    fn save_into(&mut self, words: &str) -> anyhow::Result<PathBuf> {
        let (name, forced) = words.strip_suffix('!').map_or((words, false), |name| (name, true));
        let file = PathBuf::from(name.trim_end());
        self.tag();
        let usual = |target: &&Target| words.is_empty() || same_file(target.path(), &file);
        if let Some(target) = self.save.as_ref().filter(usual) {
            target.write(&self.record)?;
            return Ok(target.path().to_path_buf());
        }
        let refusal = format!("'save {name}!' replaces it");
        let free = forced || self.saved.contains(&file);
        Target::new(&file, (!free).then_some(&refusal))?.write(&self.record)?;
        self.saved.push(file.clone());
        Ok(file)
    }

    /// Saves the game where it is to be saved after every turn.
    fn keep(&mut self) -> anyhow::Result<()> {
        self.tag();
        self.save.as_ref().map_or(Ok(()), |target| target.write(&self.record))
    }

    /// Writes into the record who plays and how the game stands.
    fn tag(&mut self) {
        let outcome = self.game.outcome();
        self.record.result = outcome.into();
        self.record.reason = outcome.reason();
        let level = self.engine.settings().skill_level;
        let engine = format!("{NAME}{LEVEL}{level}");
        let players = match self.person {
            Color::White => [PERSON.to_string(), engine],
            Color::Black => [engine, PERSON.to_string()],
        };
        for ((tag, usual), name) in ["White", "Black"].into_iter().zip(players).zip(&self.names) {
            self.record.set_tag(tag, name.clone().unwrap_or(usual));
        }
    }
}

/// What a person is called that has no name, and what stands before the level of the engine.
const PERSON: &str = "Person";
const LEVEL: &str = ", level ";

/// Whether this program, of whatever version, gave an engine's name.
fn is_engine(name: &str) -> bool {
    let family = NAME.split(' ').next().unwrap_or(NAME);
    name.strip_prefix(family).is_some_and(|rest| rest.starts_with(' ') && rest.contains(LEVEL))
}

/// The name of a player, unless it is one that is given here.
fn foreign_name(record: &Record, tag: &str) -> Option<String> {
    let name = record.tag(tag)?;
    (!matches!(name, "" | "?" | PERSON) && !is_engine(name)).then(|| name.to_string())
}

/// The side that the engine had when a game was saved, if it had one.
pub fn engine_side(record: &Record) -> Option<Color> {
    let engine = |tag| record.tag(tag).is_some_and(is_engine);
    match (engine("White"), engine("Black")) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

/// The level that the engine had when a game was saved.
pub fn engine_level(record: &Record) -> Option<u8> {
    let tag = match engine_side(record)? {
        Color::White => "White",
        Color::Black => "Black",
    };
    let (_, level) = record.tag(tag)?.rsplit_once(LEVEL)?;
    level.parse().ok().filter(|level| *level <= FULL_LEVEL)
}

/// Whether two paths lead to the same file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    one == other || real(one).is_some_and(|one| real(other) == Some(one))
}

#[cfg(test)]
mod tests;
