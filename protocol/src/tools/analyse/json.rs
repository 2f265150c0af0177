//! An analysis for programs. The names of fields stay as they are from version to version.

use super::{Analysis, Judged, Value, Verdict};
use millrace_engine::{Board, Color, text::fen};
use serde::Serialize;

/// A whole analysis.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    program: &'static str,
    pub(super) rules: String,
    fingerprint: String,
    tags: Vec<[&'a str; 2]>,
    result: &'static str,
    reason: &'a str,
    summary: String,
    /// The place of the decisive turn in `turns`, from 0.
    decisive: Option<usize>,
    start: String,
    pub(super) turns: Vec<Row>,
}

/// A turn.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    number: u32,
    side: &'static str,
    turn: String,
    /// The position that it leads to.
    fen: String,
    before: Worth,
    after: Worth,
    best: Vec<String>,
    class: Verdict,
    sign: &'static str,
    words: &'static str,
    exact: bool,
}

/// A value for the side that moves, counted from before its turn.
#[derive(Debug, Serialize)]
struct Worth {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    text: String,
}

impl From<Value> for Worth {
    fn from(value: Value) -> Self {
        let (kind, plies, cp) = match value {
            Value::Win(plies) => ("win", Some(plies), None),
            Value::Loss(plies) => ("loss", Some(plies), None),
            Value::Draw => ("draw", None, None),
            Value::Score(cp) => ("estimate", None, Some(cp)),
        };
        Worth { kind, plies, cp, text: value.to_string() }
    }
}

impl Row {
    fn new(board: Board, turn: &Judged, fen: String) -> Self {
        Row {
            number: turn.number,
            side: if turn.side == Color::White { "white" } else { "black" },
            turn: turn.turn.on(board).to_string(),
            fen,
            before: turn.before.into(),
            after: turn.after.into(),
            best: turn.best.iter().map(|t| t.on(board).to_string()).collect(),
            class: turn.verdict,
            sign: turn.verdict.sign(),
            words: turn.words(),
            exact: turn.is_exact(),
        }
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        let (rules, record) = (analysis.rules(), &analysis.record);
        let following = analysis.turns.iter().skip(1).map(|turn| &turn.position);
        let after = following.chain([&analysis.last]).map(|position| fen(rules, position));
        let rows = analysis.turns.iter().zip(after);
        Report {
            program: crate::NAME,
            rules: rules.to_string(),
            fingerprint: format!("{:016x}", rules.fingerprint()),
            tags: record.tags.iter().map(|(name, value)| [name.as_str(), value.as_str()]).collect(),
            result: record.result.as_str(),
            reason: &record.reason,
            summary: analysis.summary(),
            decisive: analysis.decisive,
            start: fen(rules, &record.first_position()),
            turns: rows.map(|(turn, fen)| Row::new(rules.board(), turn, fen)).collect(),
        }
    }
}

/// The analysis as JSON.
///
/// # Errors
/// If it cannot be put into JSON.
pub fn json(analysis: &Analysis) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(&Report::new(analysis))? + "\n")
}
