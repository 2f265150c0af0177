//! Sanmill's FEN: three rings from the inside out, then 14 or more fields.

use super::fen::{FenError, counter, hand, side};
use crate::{
    position::{Color, Position},
    rules::Rules,
};

/// The fewest fields of such a text: rings, side, phase, action, four stone counts, two counts of
/// removals due, four points of last turns, mills, plies since a removal, move number.
pub(super) const FIELDS: usize = 17;

/// Points in the order of the text: each ring clockwise from twelve o'clock.
const RINGS: [[&str; 8]; 3] = [
    ["d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"],
    ["d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6"],
    ["d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"],
];

pub(super) fn parse(rules: &Rules, fields: &[&str]) -> Result<Position, FenError> {
    let stones = rings(rules, fields[0])?;
    let to_move = side(fields[1])?;
    if !matches!(fields[2], "r" | "p" | "m" | "o") {
        return Err(FenError::field("the phase", fields[2], "r, p, m or o"));
    }
    if !matches!(fields[3], "p" | "s" | "r" | "?") {
        return Err(FenError::field("the action", fields[3], "p, s, r or ?"));
    }
    for (color, text) in Color::BOTH.into_iter().zip([fields[4], fields[6]]) {
        let (said, drawn) =
            (hand("stones on the board", text)?, stones[color.index()].count_ones());
        if u32::from(said) != drawn {
            return Err(FenError::Contradiction(format!(
                "{color} is said to have {said} stones on the board, but {drawn} are drawn"
            )));
        }
    }
    let hands = [hand("White's hand", fields[5])?, hand("Black's hand", fields[7])?];
    if fields[2] == "m" && hands != [0; 2] {
        let [white, black] = hands;
        return Err(FenError::Contradiction(format!(
            "the phase is m, but {white} white and {black} black stones are in hand"
        )));
    }
    let owed = owed(to_move, [fields[8], fields[9]], fields[3] == "r")?;
    let position = Position {
        stones,
        side: to_move,
        hands,
        owed,
        quiet_plies: counter("plies since removal", fields[15])?,
        move_number: counter("move number", fields[16])?,
    };
    Ok(position.checked(rules)?)
}

/// The removals that the side to move owes. Only it can owe any, and only as its action.
fn owed(to_move: Color, due: [&str; 2], removes: bool) -> Result<u8, FenError> {
    let due = [hand("removals due", due[0])?, hand("removals due", due[1])?];
    let (own, other) = (due[to_move.index()], due[(!to_move).index()]);
    let wrong = match (removes, own, other) {
        (true, 0, _) => format!("the action is r, but {to_move} has no removal due"),
        (false, 1.., _) => format!("{to_move} has {own} removals due, but the action is not r"),
        (_, _, 1..) => format!("{} has {other} removals due, but is not to move", !to_move),
        _ => return Ok(own),
    };
    Err(FenError::Contradiction(wrong))
}

fn rings(rules: &Rules, text: &str) -> Result<[u32; 2], FenError> {
    const MUST_BE: &str = "three rings of eight characters, O, @ or *, on a board of 24 points";
    let wrong = || FenError::field("the board", text, MUST_BE);
    let rings: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
    if rules.board().points() != 24 || rings.len() != 3 || rings.iter().any(|r| r.len() != 8) {
        return Err(wrong());
    }
    let mut stones = [0; 2];
    for (ring, names) in rings.iter().zip(RINGS) {
        for (stone, name) in ring.iter().zip(names) {
            let color = match stone {
                b'*' => continue,
                b'O' => Color::White,
                b'@' => Color::Black,
                _ => return Err(wrong()),
            };
            let point = rules.board().point(name).ok_or_else(wrong)?;
            stones[color.index()] |= 1 << point;
        }
    }
    Ok(stones)
}
