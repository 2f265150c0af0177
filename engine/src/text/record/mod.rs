//! Game records: who played what under which rules, the turns with what was said about them, and
//! how it ended.
//!
//! The form is that of PGN for chess (Steven J. Edwards, 1994) with mill turns in it. A record
//! knows nothing of files and streams; it is made from text and turned into text.

mod foreign;
mod note;
mod read;
mod write;

pub use foreign::FormError;
pub use read::{Reader, RecordError, RecordFault};

use crate::{
    game::Game,
    movegen::Turn,
    position::{Color, Outcome, Position},
    rules::Rules,
    search::Score,
};
use std::time::Duration;

/// A game as it is written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What is said of the game as a whole, in order: names and values such as `White`, `Anna`.
    /// What other fields tell (variant, first position, result, reason) does not stand here.
    pub tags: Vec<(String, String)>,
    /// The rules.
    pub rules: Rules,
    /// The first position; `None` = the start of the rules.
    pub start: Option<Position>,
    /// A comment before the first turn; may be empty.
    pub comment: String,
    /// The turns.
    pub moves: Vec<Entry>,
    /// The result.
    pub result: GameResult,
    /// Why the game ended so, as a clause; empty if nobody says.
    pub reason: String,
}

/// A turn with what is said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The turn.
    pub turn: Turn,
    /// Marks by their PGN numbers: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub marks: Vec<u8>,
    /// What the player that made the turn thought of the position, for itself.
    pub score: Option<Score>,
    /// The depth of that search, in plies.
    pub depth: Option<u32>,
    /// The time taken. Written in milliseconds.
    pub time: Option<Duration>,
    /// Anything else; may be empty.
    pub comment: String,
    /// What might have been played instead.
    pub variations: Vec<Variation>,
}

/// Turns that were not played, instead of the one that they stand with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variation {
    /// A comment before its first turn; may be empty.
    pub comment: String,
    /// The turns.
    pub moves: Vec<Entry>,
}

/// How a game ended, as records say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// White has won: `1-0`.
    White,
    /// Black has won: `0-1`.
    Black,
    /// Nobody has won: `1/2-1/2`.
    Draw,
    /// The game goes on, or nobody knows: `*`.
    #[default]
    Open,
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Ongoing => GameResult::Open,
            Outcome::Win(Color::White, _) => GameResult::White,
            Outcome::Win(Color::Black, _) => GameResult::Black,
            Outcome::Draw(_) => GameResult::Draw,
        }
    }
}

impl From<Turn> for Entry {
    fn from(turn: Turn) -> Self {
        Entry {
            turn,
            marks: Vec::new(),
            score: None,
            depth: None,
            time: None,
            comment: String::new(),
            variations: Vec::new(),
        }
    }
}

impl From<&Game> for Record {
    /// The turns of a game and its outcome, without tags.
    fn from(game: &Game) -> Self {
        let (rules, first) = (*game.rules(), game.positions()[0]);
        let outcome = game.outcome();
        Record {
            start: (first != Position::start(&rules)).then_some(first),
            moves: game.turns().iter().copied().map(Entry::from).collect(),
            result: outcome.into(),
            reason: outcome.reason(),
            ..Record::new(rules)
        }
    }
}

impl Record {
    /// A record without turns.
    pub fn new(rules: Rules) -> Self {
        Record {
            tags: Vec::new(),
            rules,
            start: None,
            comment: String::new(),
            moves: Vec::new(),
            result: GameResult::Open,
            reason: String::new(),
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if it is there already.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_string(), value.into())),
        }
    }

    /// The first position.
    pub fn first_position(&self) -> Position {
        self.start.unwrap_or_else(|| Position::start(&self.rules))
    }

    /// The game that the main line tells, up to the first turn that is not legal.
    pub fn game(&self) -> Game {
        let mut game = Game::from_position(self.rules, self.first_position());
        let _all_legal = self.moves.iter().all(|entry| game.play(entry.turn));
        game
    }
}
