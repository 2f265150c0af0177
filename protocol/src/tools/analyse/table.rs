//! An analysis for a terminal.

use super::{Analysis, Judged};
use crate::diagram;
use millrace_engine::{Board, Turn};

/// The decisive turn first, with the board before it, then all turns.
pub fn table(analysis: &Analysis) -> String {
    let board = analysis.rules().board();
    let mut text = String::new();
    if let Some(players) = analysis.players() {
        text += &format!("{players}, {}\n", ending(analysis));
    } else {
        text += &format!("Result: {}\n", ending(analysis));
    }
    text += &format!("{}\n", analysis.summary());
    if let Some(turn) = analysis.decisive_turn() {
        let played = format!("{} {}", turn.count(), turn.turn.on(board));
        text += &format!("\nBefore {played}:\n\n");
        text += &diagram::draw(analysis.rules(), &turn.position);
        if let Some(better) = turn.better() {
            text += &format!("Best: {}\n", line(board, better));
        }
    }
    text +=
        "\nValues are for the side that moves: hundredths of a stone, or a proven win or loss\n";
    text += "with the number of own turns to go.\n\n";
    text += &format!(
        "{:>6} {:<12} {:>8} {:>8}  {:<31} {}\n",
        "", "turn", "before", "after", "", "better"
    );
    for (index, turn) in analysis.turns.iter().enumerate() {
        text += &row(board, turn, analysis.decisive == Some(index));
    }
    text
}

/// Result and reason of a game.
pub(super) fn ending(analysis: &Analysis) -> String {
    let record = &analysis.record;
    match record.reason.as_str() {
        "" => record.result.to_string(),
        reason => format!("{} ({reason})", record.result),
    }
}

fn row(board: Board, turn: &Judged, is_decisive: bool) -> String {
    let played = format!("{}{}", turn.turn.on(board), turn.verdict.sign());
    let words = if turn.verdict.sign().is_empty() { "" } else { turn.words() };
    let better = turn.blamed_for().map_or(String::new(), |turns| line(board, turns));
    let row = format!(
        "{:>6} {played:<12} {:>8} {:>8}  {words:<31} {better}",
        turn.count(),
        turn.before.to_string(),
        turn.after.to_string(),
    );
    let mark = if is_decisive { "  <- decisive" } else { "" };
    format!("{}{mark}\n", row.trim_end())
}

/// The first turns of a line.
fn line(board: Board, turns: &[Turn]) -> String {
    const SHOWN: usize = 4;
    let texts: Vec<String> = turns.iter().take(SHOWN).map(|t| t.on(board).to_string()).collect();
    texts.join(" ")
}
