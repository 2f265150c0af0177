//! An analysis as a page: one file that needs no network, with the board, a graph of the value and
//! the list of turns. The look and the behaviour stand beside this file as CSS and JavaScript.

use super::{Analysis, Value, json::Report};
use crate::svg;
use millrace_engine::{Color, Position, Rules, Turn};
use serde::Serialize;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What the script works on.
#[derive(Serialize)]
struct Data<'a> {
    report: Report<'a>,
    /// Where points are drawn.
    points: Vec<(usize, usize)>,
    scenes: Vec<Scene>,
}

/// A position and the turn that was made in it.
#[derive(Serialize)]
struct Scene {
    /// A letter a point: `W`, `B` or `.`.
    stones: String,
    hands: [u8; 2],
    to_move: &'static str,
    words: String,
    /// The part of a point that White can expect.
    white: f64,
    played: Option<Action>,
    better: Option<Action>,
}

/// A turn by its points.
#[derive(Serialize)]
struct Action {
    from: Option<usize>,
    to: Option<usize>,
    removed: Vec<usize>,
}

impl From<Turn> for Action {
    fn from(turn: Turn) -> Self {
        Action { from: turn.from(), to: turn.to(), removed: turn.removals().collect() }
    }
}

impl Scene {
    fn new(rules: &Rules, position: &Position, value: Value) -> Self {
        let letter = |point: usize| {
            let owner = Color::BOTH.into_iter().find(|c| position.stones(*c) >> point & 1 == 1);
            owner.map_or('.', |color| ['W', 'B'][color.index()])
        };
        let white = match position.side() {
            Color::White => value,
            Color::Black => value.for_other(),
        };
        Scene {
            stones: (0..rules.board().points()).map(letter).collect(),
            hands: Color::BOTH.map(|color| position.hand(color)),
            to_move: if position.side() == Color::White { "White" } else { "Black" },
            words: svg::describe(rules, position),
            white: (white.expectation() * 1000.0).round() / 1000.0,
            played: None,
            better: None,
        }
    }
}

/// The analysis as a page in HTML.
///
/// # Errors
/// If it cannot be put into JSON.
pub fn page(analysis: &Analysis) -> serde_json::Result<String> {
    let (rules, board) = (analysis.rules(), analysis.rules().board());
    let mut scenes: Vec<Scene> = analysis
        .turns
        .iter()
        .map(|turn| Scene {
            played: Some(turn.turn.into()),
            better: turn.blamed_for().map(|line| line[0].into()),
            ..Scene::new(rules, &turn.position, turn.before)
        })
        .collect();
    scenes.push(Scene::new(rules, &analysis.last, analysis.end));
    let data = Data {
        report: Report::new(analysis),
        points: (0..board.points()).map(|point| svg::place(board, point)).collect(),
        scenes,
    };
    // Within a script element only '<' could end it.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let title = analysis.players().unwrap_or_else(|| "A game of mill".to_string());
    let parts: [(&str, &str); 8] = [
        ("TITLE", &escaped(&title)),
        ("ENDING", &escaped(&super::table::ending(analysis))),
        ("RULES", &escaped(&rules.to_string())),
        ("SUMMARY", &escaped(&analysis.summary())),
        ("SIDE", &svg::size(board).to_string()),
        ("GROUND", &svg::ground(board)),
        ("STYLE", STYLE),
        ("SCRIPT", SCRIPT),
    ];
    let filled = fill(FRAME, &parts);
    Ok(filled.replacen("{{DATA}}", &data, 1))
}

/// Puts parts into the places that are kept for them. What is put in is not looked at again.
fn fill(frame: &str, parts: &[(&str, &str)]) -> String {
    let mut pieces = frame.split("{{");
    let mut text = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (name, after) = piece.split_once("}}").unwrap_or(("", piece));
        match parts.iter().find(|(known, _)| *known == name) {
            Some((_, part)) => text += part,
            None => text += &format!("{{{{{name}}}}}"),
        }
        text += after;
    }
    text
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c => escaped.push(c),
        }
    }
    escaped
}
