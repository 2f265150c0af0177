//! The state of a match: a file with its settings in the first line and a line for each game that
//! has ended. A game counts from the moment when its line is there; a line that was cut short by the
//! end of the runner is no line, and its game is played again.

use super::{settings::Settings, trouble::Trouble};
use crate::{bounded, whole_file::WholeFile};
use millrace_engine::text::record::GameResult;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    fs::{File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the schedule.
    pub game: usize,
    /// Its result.
    #[serde(with = "result_text")]
    pub result: GameResult,
    /// How it ended, for counting.
    pub ending: String,
    /// Turns of both sides together, the opening included.
    pub plies: usize,
    /// A hash of all turns, to find games that are the same.
    pub turns: u64,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub troubles: Vec<Incident>,
    /// Where the file of records ends with this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_end: Option<u64>,
}

/// A trouble with the number of the engine that had it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// The engine.
    pub player: usize,
    /// What went wrong.
    #[serde(flatten)]
    pub trouble: Trouble,
}

impl GameLine {
    /// White's points, doubled.
    pub fn half_points(&self) -> u8 {
        match self.result {
            GameResult::White => 2,
            GameResult::Black => 0,
            GameResult::Draw | GameResult::Open => 1,
        }
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    settings: Settings,
}

const FORMAT: &str = "millrace match";
const VERSION: u32 = 1;

/// Why a state cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The file.
    #[error("{path}: {error}")]
    File {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is not a state.
    #[error("{path} is not the state of a match: {why}")]
    NotAState {
        /// Its path.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A line in the middle is damaged.
    #[error("{path}: line {line} is damaged: {why}")]
    Damaged {
        /// Its path.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// How.
        why: String,
    },
    /// Another runner is at it.
    #[error("{0}: another runner plays this match")]
    InUse(PathBuf),
}

/// A state as it was read.
#[derive(Debug)]
pub struct Saved {
    /// The settings.
    pub settings: Settings,
    /// The games, in the order in which they ended.
    pub games: Vec<GameLine>,
    /// Bytes of whole lines.
    whole: u64,
}

impl Saved {
    /// Reads a state.
    ///
    /// # Errors
    /// If it is not one, or a line other than the last is damaged.
    pub fn read(path: &Path) -> Result<Self, StateError> {
        let file_error = |error| StateError::File { path: path.to_path_buf(), error };
        let text = bounded::file(path).map_err(file_error)?;
        let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let mut lines = text[..whole].split(|b| *b == b'\n').enumerate();
        let not_a_state = |why: String| StateError::NotAState { path: path.to_path_buf(), why };
        let (_, first) = lines.next().unwrap_or_default();
        let header: Header =
            serde_json::from_slice(first).map_err(|e| not_a_state(e.to_string()))?;
        if header.format != FORMAT || header.version != VERSION {
            let Header { format, version, .. } = header;
            return Err(not_a_state(format!("it is '{format}', version {version}")));
        }
        let schedule = header.settings.schedule();
        let mut games = Vec::new();
        let mut seen = HashSet::new();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let damaged =
                |why| StateError::Damaged { path: path.to_path_buf(), line: index + 1, why };
            let game: GameLine =
                serde_json::from_slice(line).map_err(|e| damaged(e.to_string()))?;
            if schedule.slot(game.game).is_none() {
                return Err(damaged(format!("there is no game {}", game.game)));
            }
            if !seen.insert(game.game) {
                return Err(damaged(format!("game {} is there twice", game.game)));
            }
            games.push(game);
        }
        Ok(Self { settings: header.settings, games, whole: whole as u64 })
    }
}

/// A state being written. No two runners have the same one open.
pub struct StateFile {
    file: File,
    path: PathBuf,
}

impl StateFile {
    /// Begins a state; one that is there is lost.
    ///
    /// # Errors
    /// If it cannot be written, or a runner is at it.
    pub fn create(path: &Path, settings: &Settings) -> Result<Self, StateError> {
        if path.exists() {
            drop(Self::open(path)?);
        }
        Self::write_whole(path, settings, &[])
    }

    /// Writes a state so that it appears whole or not at all.
    fn write_whole(
        path: &Path,
        settings: &Settings,
        games: &[GameLine],
    ) -> Result<Self, StateError> {
        let file_error = |error| StateError::File { path: path.to_path_buf(), error };
        let header =
            Header { format: FORMAT.to_string(), version: VERSION, settings: settings.clone() };
        let mut text = serde_json::to_string(&header).map_err(|e| file_error(e.into()))? + "\n";
        for game in games {
            text += &(serde_json::to_string(game).map_err(|e| file_error(e.into()))? + "\n");
        }
        let written = WholeFile::at(path).and_then(|file| file.write(text.as_bytes()));
        written.map_err(file_error)?;
        Self::open(path)
    }

    /// Goes on with a state that was read; what was cut short at its end is cut off. The settings
    /// may differ from the saved ones in the number of rounds.
    ///
    /// # Errors
    /// If it cannot be written, or another runner is at it.
    pub fn resume(path: &Path, saved: &Saved, settings: &Settings) -> Result<Self, StateError> {
        let state = Self::open(path)?;
        if *settings != saved.settings {
            return Self::write_whole(path, settings, &saved.games);
        }
        state.file.set_len(saved.whole).map_err(|error| state.error(error))?;
        Ok(state)
    }

    fn open(path: &Path) -> Result<Self, StateError> {
        let opened = File::options().append(true).open(path);
        let file = opened.map_err(|error| StateError::File { path: path.to_path_buf(), error })?;
        // A file system without locks is no reason not to play.
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StateError::InUse(path.to_path_buf())),
            _ => Ok(Self { file, path: path.to_path_buf() }),
        }
    }

    fn error(&self, error: io::Error) -> StateError {
        StateError::File { path: self.path.clone(), error }
    }

    /// Adds a game. It is written at once and as a whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameLine) -> Result<(), StateError> {
        let text = serde_json::to_string(game).map_err(|error| self.error(error.into()))? + "\n";
        self.file.write_all(text.as_bytes()).map_err(|error| self.error(error))
    }
}

/// Results as records have them.
mod result_text {
    use millrace_engine::text::record::GameResult;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(result: &GameResult, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(result.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
        let text = String::deserialize(from)?;
        [GameResult::White, GameResult::Black, GameResult::Draw]
            .into_iter()
            .find(|result| result.as_str() == text)
            .ok_or_else(|| D::Error::custom(format!("'{text}' is no result")))
    }
}
