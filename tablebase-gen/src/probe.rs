//! The value of one position and of all of its turns.

use crate::{
    check::Judge,
    file::{CellKind, FileError},
    sector::Sector,
    solve::cell,
    tables::Tables,
};
use millrace_engine::{Position, Turn};
use serde_json::{Value as Json, json};
use std::cmp::Reverse;

/// Who wins, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// The other side.
    Loss,
    /// Nobody.
    Draw,
    /// The side to move.
    Win,
}

/// A value, with the plies to the end if the tables keep them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Who wins.
    pub wdl: Wdl,
    /// Plies to the end; none for a draw.
    pub plies: Option<u32>,
}

/// What is known of a position.
pub struct Probed {
    /// Its value for the side to move.
    pub value: Value,
    /// All turns, the best first, with the value that each has for the side to move now.
    pub turns: Vec<(Turn, Value)>,
}

/// Looks a position up.
///
/// # Errors
/// If tables that are needed are missing or damaged: what is wrong with each.
pub fn probe(tables: &Tables, position: &Position) -> Result<Probed, Vec<FileError>> {
    let rules = tables.rules();
    let mut faults: Vec<FileError> = Vec::new();
    let mut ask = |position: &Position| match value_of(tables, position) {
        Ok(value) => Some(value),
        Err(fault) => {
            if faults.iter().all(|before| before.to_string() != fault.to_string()) {
                faults.push(fault);
            }
            None
        }
    };
    // A removal that is owed is no position of a table.
    let all = position.turns(rules);
    let own = (position.owed() == 0 || all.is_empty()).then(|| ask(position)).flatten();
    let mut turns = Vec::new();
    for turn in all {
        turns.extend(ask(&position.after(turn)).map(|value| (turn, value.seen_before())));
    }
    turns.sort_by_key(|(turn, value)| (Reverse(value.order()), turn.on(rules.board()).to_string()));
    match own.or(turns.first().map(|(_, best)| *best)) {
        Some(value) if faults.is_empty() => Ok(Probed { value, turns }),
        _ => Err(faults),
    }
}

fn value_of(tables: &Tables, position: &Position) -> Result<Value, FileError> {
    let cell = match Judge::end(tables.rules(), position) {
        Some(cell) => return Ok(Value::of_cell(CellKind::Distance, cell)),
        None => tables.cell(Sector::of(position), position.own(), position.opponent())?,
    };
    Ok(Value::of_cell(tables.kind(), cell))
}

impl Value {
    fn of_cell(kind: CellKind, value: u8) -> Self {
        let won = match kind {
            CellKind::Distance => value.is_multiple_of(2),
            CellKind::Wdl => value == cell::WIN,
        };
        let wdl = match value {
            cell::DRAW => Wdl::Draw,
            _ if won => Wdl::Win,
            _ => Wdl::Loss,
        };
        let plies = cell::plies(value).filter(|_| kind == CellKind::Distance);
        Value { wdl, plies }
    }

    /// The value one ply earlier, for the side that made the turn.
    fn seen_before(self) -> Self {
        let wdl = match self.wdl {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        };
        Value { wdl, plies: self.plies.map(|p| p + 1) }
    }

    /// Greater is better for the side to move: wins soon, then draws, then losses late.
    fn order(self) -> (Wdl, i64) {
        let plies = i64::from(self.plies.unwrap_or(0));
        (self.wdl, if self.wdl == Wdl::Win { -plies } else { plies })
    }

    /// The value as truth files write it: `W 25`, `D`, `L 0`, without distances `W` or `L`.
    pub fn short(self) -> String {
        let letter = match self.wdl {
            Wdl::Win => "W",
            Wdl::Draw => "D",
            Wdl::Loss => "L",
        };
        self.plies.map_or(letter.to_string(), |p| format!("{letter} {p}"))
    }

    fn to_json(self) -> (Json, Json) {
        let word = match self.wdl {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        (word.into(), self.plies.into())
    }
}

impl Probed {
    /// The answer as a JSON object.
    pub fn to_json(&self, tables: &Tables, fen: &str) -> Json {
        let board = tables.rules().board();
        let (value, plies) = self.value.to_json();
        let turn = |(turn, value): &(Turn, Value)| {
            let (value, plies) = value.to_json();
            json!({"turn": turn.on(board).to_string(), "value": value, "plies": plies})
        };
        json!({
            "fen": fen,
            "value": value,
            "plies": plies,
            "turns": self.turns.iter().map(turn).collect::<Vec<_>>(),
        })
    }

    /// The answer as lines for people.
    pub fn to_text(&self, tables: &Tables, fen: &str) -> String {
        let board = tables.rules().board();
        let mut text = format!("{fen}\nvalue {}\n", self.value.short());
        for (turn, value) in &self.turns {
            text += &format!("  {:<12} {}\n", turn.on(board).to_string(), value.short());
        }
        text
    }
}
