//! FEN: `<rows> <side> <white hand> <black hand> [<plies since removal> [<move number>]] [x<n>]`.

use super::{counted, quoted};
use crate::{
    position::{Color, Position, PositionError},
    rules::Rules,
};

/// Why a position text was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Nothing was given.
    #[error("the position is empty")]
    Empty,
    /// Far more than any position needs.
    #[error("the position is {0} bytes long")]
    TooLong(usize),
    /// Fields are missing.
    #[error(
        "the position '{text}' has {got} and needs {needed}: {fields}",
        got = counted(*got, "field")
    )]
    Fields {
        /// The position, shortened.
        text: String,
        /// Fields given.
        got: usize,
        /// Fields needed.
        needed: usize,
        /// What they are.
        fields: &'static str,
    },
    /// There is more than a position has.
    #[error("the position has {got} fields, x<n> not counted, and takes {most} at most: {fields}")]
    TooManyFields {
        /// Fields given.
        got: usize,
        /// Fields taken.
        most: usize,
        /// What they are.
        fields: &'static str,
    },
    /// A wrong number of rows.
    #[error("the position has {got}; the board has {expected}", got = counted(*got, "row"))]
    Rows {
        /// Rows given.
        got: usize,
        /// Rows of the board.
        expected: usize,
    },
    /// A row with too few or too many points.
    #[error(
        "row {number} '{row}' has {got}; the board has {expected} there",
        got = counted(*got, "point")
    )]
    RowWidth {
        /// The row, 1 at the top.
        number: usize,
        /// Its text.
        row: String,
        /// Points that the text describes.
        got: usize,
        /// Points that the board has.
        expected: usize,
    },
    /// A field does not hold what it should.
    #[error("{field} is '{text}'; it must be {must_be}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// What was given.
        text: String,
        /// What may be given.
        must_be: &'static str,
    },
    /// Two statements that cannot both be true.
    #[error("{0}")]
    Contradiction(String),
    /// The text is well-formed, but the position is not one of these rules.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl FenError {
    /// Too few fields.
    pub(super) fn fields(given: &[&str], got: usize, needed: usize, fields: &'static str) -> Self {
        FenError::Fields { text: quoted(&given.join(" ")), got, needed, fields }
    }

    pub(super) fn field(field: &'static str, text: &str, must_be: &'static str) -> Self {
        FenError::Field { field, text: quoted(text), must_be }
    }
}

/// Reads a number of at most `limit`.
pub(super) fn number(
    field: &'static str,
    text: &str,
    limit: u16,
    must_be: &'static str,
) -> Result<u16, FenError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|n| digits && *n <= limit)
        .ok_or_else(|| FenError::field(field, text, must_be))
}

pub(super) fn hand(field: &'static str, text: &str) -> Result<u8, FenError> {
    number(field, text, 12, "a number of stones, 0 to 12").map(|n| n as u8)
}

pub(super) fn side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ => Err(FenError::field("the side to move", text, "w or b")),
    }
}

pub(super) fn counter(field: &'static str, text: &str) -> Result<u16, FenError> {
    number(field, text, u16::MAX, "a number, 0 to 65535")
}

fn rows(rules: &Rules, text: &str) -> Result<[u32; 2], FenError> {
    let g = rules.board().geometry();
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != g.row_count {
        return Err(FenError::Rows { got: rows.len(), expected: g.row_count });
    }
    let mut stones = [0; 2];
    let mut next = 0;
    for (index, row) in rows.iter().enumerate() {
        let expected = g.row_lengths[index];
        let mut width = 0;
        for c in row.chars() {
            let color = match c {
                'W' | 'w' => Color::White,
                'B' | 'b' => Color::Black,
                '1'..='9' => {
                    width += c as usize - '0' as usize;
                    continue;
                }
                _ => {
                    return Err(FenError::field(
                        "a character of the rows",
                        &c.to_string(),
                        "W, B or a digit from 1 to 9",
                    ));
                }
            };
            if width < expected {
                stones[color.index()] |= 1 << g.reading_order[next + width];
            }
            width += 1;
        }
        if width != expected {
            return Err(FenError::RowWidth {
                number: index + 1,
                row: quoted(row),
                got: width,
                expected,
            });
        }
        next += expected;
    }
    Ok(stones)
}

pub(super) fn parse(rules: &Rules, fields: &[&str]) -> Result<Position, FenError> {
    const NAMES: &str =
        "rows, side, white hand, black hand [, plies since removal, move number, x<removals owed>]";
    const NEEDED: usize = 4;
    let of_owed = |field: &&str| field.starts_with(['x', 'X']);
    // What is far too short is better called so than by its last field.
    let got = match fields {
        [_, .., last] if of_owed(last) => fields.len() - 1,
        _ => fields.len(),
    };
    if got < NEEDED {
        return Err(FenError::fields(fields, got, NEEDED, NAMES));
    }
    let (owed, fields) = match fields.split_last() {
        Some((last, rest)) if of_owed(last) => {
            const MUST_BE: &str = "x and a number of removals, 0 to 3";
            let owed = number("removals owed", &last[1..], 3, MUST_BE)
                .map_err(|_| FenError::field("removals owed", last, MUST_BE))?;
            (owed as u8, rest)
        }
        _ => (0, fields),
    };
    const MOST: usize = 6;
    if fields.len() > MOST {
        return Err(FenError::TooManyFields { got: fields.len(), most: MOST, fields: NAMES });
    }
    let position = Position {
        stones: rows(rules, fields[0])?,
        side: side(fields[1])?,
        hands: [hand("White's hand", fields[2])?, hand("Black's hand", fields[3])?],
        owed,
        quiet_plies: fields.get(4).map_or(Ok(0), |t| counter("plies since removal", t))?,
        move_number: fields.get(5).map_or(Ok(1), |t| counter("move number", t))?,
    };
    Ok(position.checked(rules)?)
}

/// A position as FEN, with all fields; `x<n>` only if removals are owed.
pub fn fen(rules: &Rules, position: &Position) -> String {
    let g = rules.board().geometry();
    let mut text = String::with_capacity(48);
    let mut points = g.reading_order[..g.points].iter();
    for (index, width) in g.row_lengths[..g.row_count].iter().enumerate() {
        if index > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for point in points.by_ref().take(*width) {
            let stone = Color::BOTH.iter().position(|c| position.stones(*c) >> point & 1 == 1);
            if let (Some(_), 1..) = (stone, empty) {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            match stone {
                Some(color) => text.push(['W', 'B'][color]),
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
    }
    let side = ['w', 'b'][position.side().index()];
    let [white, black] = position.hands;
    text +=
        &format!(" {side} {white} {black} {} {}", position.quiet_plies(), position.move_number());
    if position.owed() > 0 {
        text += &format!(" x{}", position.owed());
    }
    text
}
