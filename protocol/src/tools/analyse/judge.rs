//! Sources of values. The search knows something of every position; a source that knows only
//! some, but those for certain, is asked before it.

use super::value::Value;
use millrace_engine::{
    Game, Outcome, Turn,
    search::{Control, Engine, Limits, Settings, certain_line, certain_value},
    table::{Tables, Wdl},
};

/// What a source says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The value for the side to move.
    pub value: Value,
    /// Best play, as far as it is known; empty where the game is over.
    pub line: Vec<Turn>,
    /// The plies that were searched; `None` where nothing was.
    pub depth: Option<u32>,
}

/// A source of values.
pub trait Judge {
    /// Judges the current position of a game; `None` if it is unknown here.
    fn judge(&mut self, game: &Game) -> Option<Judgement>;
}

/// Knows games that are over.
pub struct Ends;

impl Judge for Ends {
    fn judge(&mut self, game: &Game) -> Option<Judgement> {
        let value = match game.position().outcome(game.rules()) {
            Outcome::Ongoing => return None,
            Outcome::Win(winner, _) if winner == game.position().side() => Value::Win(0),
            Outcome::Win(..) => Value::Loss(0),
            Outcome::Draw(_) => Value::Draw,
        };
        Some(Judgement { value, line: Vec::new(), depth: None })
    }
}

/// Knows what tables know, as far as the history of the game leaves it certain.
pub struct TableJudge<'a>(pub &'a Tables);

/// Turns of a best line that are told.
const LONGEST_LINE: usize = 12;

impl Judge for TableJudge<'_> {
    fn judge(&mut self, game: &Game) -> Option<Judgement> {
        if self.0.rules() != game.rules() {
            return None;
        }
        let value = certain_value(self.0, game)?;
        let line = certain_line(self.0, game, value, LONGEST_LINE);
        let value = match value.wdl {
            Wdl::Win => Value::Win(value.plies.into()),
            Wdl::Draw => Value::Draw,
            Wdl::Loss => Value::Loss(value.plies.into()),
        };
        Some(Judgement { value, line, depth: None })
    }
}

/// Searches every position within the same limits.
pub struct Searcher {
    engine: Engine,
    limits: Limits,
}

impl Searcher {
    /// A searcher at full strength with one best line, otherwise set as given.
    pub fn new(settings: Settings, limits: Limits) -> Self {
        let full = Settings {
            multi_pv: 1,
            skill_level: millrace_engine::search::FULL_LEVEL,
            elo: None,
            // A time that is asked for is for thinking; nobody waits at the other end of a wire.
            move_overhead: std::time::Duration::ZERO,
            ..settings
        };
        Self { engine: Engine::new(full), limits }
    }
}

impl Judge for Searcher {
    fn judge(&mut self, game: &Game) -> Option<Judgement> {
        let mut last = None;
        self.engine.search(game, &self.limits, &Control::new(), &mut |info| {
            if info.bound.is_none() {
                last = Some(info.clone());
            }
        });
        let info = last?;
        Some(Judgement { value: info.score.into(), line: info.pv, depth: Some(info.depth) })
    }
}
