//! Positions of the Generic Board Game Protocol, such as `b:wb4:b:1`: the side to move, White's
//! stones, Black's stones, and the number of the full move.
//!
//! They say nothing of hands. Where every turn of the placing phase is a placement, the hands
//! follow from the number of turns made; under other rules such a position is refused.

use super::{
    counted,
    fen::{FenError, counter, side},
};
use crate::{
    position::{Color, Position},
    rules::Rules,
};

pub(super) fn parse(rules: &Rules, fields: &[&str]) -> Result<Position, FenError> {
    const NAMES: &str = "side:w<stones>:b<stones>:move number";
    let [text] = fields else {
        return Err(FenError::fields(fields, fields.len(), 1, NAMES));
    };
    let parts: Vec<&str> = text.split(':').collect();
    let [to_move, white, black, number] = parts[..] else {
        return Err(FenError::fields(fields, parts.len(), 4, NAMES));
    };
    if rules.move_while_placing() {
        return Err(FenError::Contradiction(
            "a GBGP position does not tell the hands where stones may move while others are placed"
                .to_string(),
        ));
    }
    let to_move = side(to_move)?;
    let move_number = counter("the move number", number)?;
    if move_number == 0 {
        return Err(FenError::field("the move number", number, "1 or more"));
    }
    let stones = [stones(rules, white, Color::White)?, stones(rules, black, Color::Black)?];
    let black_turns = move_number - 1;
    let white_turns = black_turns + u16::from(to_move == Color::Black);
    let mut hands = [0; 2];
    for (color, turns) in Color::BOTH.into_iter().zip([white_turns, black_turns]) {
        let placed = turns.min(rules.stones().into());
        let on_board = stones[color.index()].count_ones();
        if on_board > u32::from(placed) {
            return Err(FenError::Contradiction(format!(
                "{color} has {} on the board, but has placed only {placed} by move {move_number}",
                counted(on_board, "stone")
            )));
        }
        if rules.line_wins() && on_board < u32::from(placed) {
            return Err(FenError::Contradiction(format!(
                "{color} has placed {} by move {move_number}, but on the board there are only {on_board}, \
                 and these rules remove none",
                counted(placed, "stone")
            )));
        }
        hands[color.index()] = rules.stones() - placed as u8;
    }
    let position = Position { stones, hands, side: to_move, owed: 0, quiet_plies: 0, move_number };
    Ok(position.checked(rules)?)
}

fn stones(rules: &Rules, text: &str, color: Color) -> Result<u32, FenError> {
    let (field, letter) = match color {
        Color::White => ("White's stones", ['w', 'W']),
        Color::Black => ("Black's stones", ['b', 'B']),
    };
    const MUST_BE: &str = "the side's letter, then different points separated by commas";
    let list = text.strip_prefix(letter).ok_or_else(|| FenError::field(field, text, MUST_BE))?;
    let mut set = 0;
    for name in list.split(',').filter(|_| !list.is_empty()) {
        let point = rules.board().point(name).filter(|p| set >> p & 1 == 0);
        set |= 1 << point.ok_or_else(|| FenError::field(field, text, MUST_BE))?;
    }
    Ok(set)
}
