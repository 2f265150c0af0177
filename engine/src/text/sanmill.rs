//! Sanmill's FEN: three rings from the inside out, then 14 or more fields.

use super::{
    counted,
    fen::{FenError, counter, hand, number, side},
};
use crate::{
    position::{Color, Position},
    rules::Rules,
};

/// The fewest fields of such a text: rings, side, phase, action, four stone counts, two counts of
/// removals due, four points of last turns, mills, plies since a removal, move number.
pub(super) const FIELDS: usize = 17;

/// The greatest number that stands for a point of a last turn.
const LAST_PLACE: u16 = 31;

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
    for last in fields[10..14].iter().filter(|last| **last != "-1") {
        number("a point of a last turn", last, LAST_PLACE, "-1 or 0 to 31")?;
    }
    for (color, text) in Color::BOTH.into_iter().zip([fields[4], fields[6]]) {
        let (said, drawn) =
            (hand("stones on the board", text)?, stones[color.index()].count_ones());
        if u32::from(said) != drawn {
            return Err(FenError::Contradiction(format!(
                "{color} is said to have {} on the board, but there are {drawn}",
                counted(said, "stone")
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
    let position = position.checked(rules)?;
    if fields[2] == "o" && !position.outcome(rules).is_over() {
        return Err(FenError::Contradiction(
            "the phase is o, but the game is not over".to_string(),
        ));
    }
    Ok(position)
}

/// A position as Sanmill's FEN, if its board has 24 points. Last turns and mills are left out as
/// at the beginning of a game; its reader does not need them.
pub fn sanmill_fen(rules: &Rules, position: &Position) -> Option<String> {
    let board = rules.board();
    if board.points() != 24 {
        return None;
    }
    let stone = |name: &str| {
        let point = board.point(name)?;
        let owner = Color::BOTH.into_iter().find(|c| position.stones(*c) >> point & 1 == 1);
        Some(owner.map_or('*', |color| ['O', '@'][color.index()]))
    };
    let ring = |names: &[&str; 8]| names.iter().map(|name| stone(name)).collect::<Option<String>>();
    let rings: Vec<String> = RINGS.iter().map(ring).collect::<Option<_>>()?;
    let is_over = position.outcome(rules).is_over();
    let (phase, action) = match (is_over, position.owed(), position.is_moving_phase()) {
        (true, ..) => ('o', '?'),
        (_, 1.., moving) => (if moving { 'm' } else { 'p' }, 'r'),
        (_, _, true) => ('m', 's'),
        (_, _, false) => ('p', 'p'),
    };
    let (side, mut due) = (position.side(), [0; 2]);
    due[side.index()] = position.owed();
    let count = |color| format!("{} {}", position.stones(color).count_ones(), position.hand(color));
    Some(format!(
        "{} {} {phase} {action} {} {} {} {} -1 -1 -1 -1 0 {} {} ids:nodes",
        rings.join("/"),
        ['w', 'b'][side.index()],
        count(Color::White),
        count(Color::Black),
        due[0],
        due[1],
        position.quiet_plies(),
        position.move_number(),
    ))
}

/// The removals that the side to move owes. Only it can owe any, and only as its action.
fn owed(to_move: Color, due: [&str; 2], removes: bool) -> Result<u8, FenError> {
    let due = [hand("removals due", due[0])?, hand("removals due", due[1])?];
    let (own, other) = (due[to_move.index()], due[(!to_move).index()]);
    let wrong = match (removes, own, other) {
        (true, 0, _) => format!("the action is r, but {to_move} has no removal due"),
        (false, 1.., _) => {
            format!("{to_move} has {} due, but the action is not r", counted(own, "removal"))
        }
        (_, _, 1..) => {
            format!("{} has {} due, but is not to move", !to_move, counted(other, "removal"))
        }
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
