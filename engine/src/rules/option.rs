//! The table of rule options: names, values, and how each is read from and written to [`Rules`].
//!
//! Rules texts, the protocol's option lines and the help are all made from this one table.

use super::{Blocked, BoardFull, Removals, RemoveFromMill, Rules};
use crate::board::Board;

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in this range, where 0 (if in the range) may be far from the others:
    /// `(smallest, largest, zero allowed)`.
    Number(u16, u16, bool),
}

/// One option.
pub struct OptionInfo {
    /// Its name in rules texts.
    pub name: &'static str,
    /// Its name among the protocol's options.
    pub title: &'static str,
    /// Its values.
    pub kind: OptionKind,
    /// What it means, in one line.
    pub about: &'static str,
    pub(super) read: fn(&Rules) -> u16,
    pub(super) write: fn(&mut Rules, u16),
}

const NO_YES: OptionKind = OptionKind::Choice(&["no", "yes"]);

/// All options, in the order of the canonical text.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "board",
        title: "Board",
        kind: OptionKind::Choice(&["nine", "six", "seven", "three"]),
        about: "the points and lines",
        read: |r| match r.board {
            Board::Nine | Board::NineDiagonals => 0,
            Board::Six => 1,
            Board::Seven => 2,
            Board::Three | Board::ThreeDiagonals => 3,
        },
        write: |r, v| {
            r.board = match (v, r.board.has_diagonals()) {
                (0, false) => Board::Nine,
                (0, true) => Board::NineDiagonals,
                (1, _) => Board::Six,
                (2, _) => Board::Seven,
                (_, false) => Board::Three,
                (_, true) => Board::ThreeDiagonals,
            }
        },
    },
    OptionInfo {
        name: "diagonals",
        title: "Diagonals",
        kind: NO_YES,
        about: "lines through the corners, on boards nine and three",
        read: |r| r.board.has_diagonals() as u16,
        write: |r, v| {
            r.board = match (r.board, v != 0) {
                (Board::Nine | Board::NineDiagonals, false) => Board::Nine,
                (Board::Nine | Board::NineDiagonals, true) => Board::NineDiagonals,
                (Board::Three | Board::ThreeDiagonals, false) => Board::Three,
                (Board::Three | Board::ThreeDiagonals, true) => Board::ThreeDiagonals,
                (board, _) => board,
            }
        },
    },
    OptionInfo {
        name: "stones",
        title: "Stones",
        kind: OptionKind::Number(3, 12, false),
        about: "stones of each side",
        read: |r| r.stones.into(),
        write: |r, v| r.stones = v as u8,
    },
    OptionInfo {
        name: "fly",
        title: "Fly",
        kind: OptionKind::Number(3, 4, true),
        about: "with so many stones or fewer a side moves to any empty point (0: never)",
        read: |r| r.fly.into(),
        write: |r, v| r.fly = v as u8,
    },
    OptionInfo {
        name: "move_while_placing",
        title: "MoveWhilePlacing",
        kind: NO_YES,
        about: "with stones in hand a turn may move a stone instead",
        read: |r| r.move_while_placing as u16,
        write: |r, v| r.move_while_placing = v != 0,
    },
    OptionInfo {
        name: "removals",
        title: "Removals",
        kind: OptionKind::Choice(&["one", "per-mill"]),
        about: "stones removed when one turn closes two mills",
        read: |r| r.removals as u16,
        write: |r, v| r.removals = if v == 0 { Removals::One } else { Removals::PerMill },
    },
    OptionInfo {
        name: "remove_from_mill",
        title: "RemoveFromMill",
        kind: OptionKind::Choice(&["if-no-other", "always", "never"]),
        about: "whether a stone inside a mill may be removed",
        read: |r| r.remove_from_mill as u16,
        write: |r, v| {
            r.remove_from_mill = match v {
                0 => RemoveFromMill::IfNoOther,
                1 => RemoveFromMill::Always,
                _ => RemoveFromMill::Never,
            }
        },
    },
    OptionInfo {
        name: "blocked",
        title: "Blocked",
        kind: OptionKind::Choice(&["loses", "passes", "draw"]),
        about: "what becomes of a side to move without a legal turn",
        read: |r| r.blocked as u16,
        write: |r, v| {
            r.blocked = match v {
                0 => Blocked::Loses,
                1 => Blocked::Passes,
                _ => Blocked::Draw,
            }
        },
    },
    OptionInfo {
        name: "board_full",
        title: "BoardFull",
        kind: OptionKind::Choice(&["draw", "loses"]),
        about: "all points filled when placing ends: a draw, or the side to move loses",
        read: |r| r.board_full as u16,
        write: |r, v| r.board_full = if v == 0 { BoardFull::Draw } else { BoardFull::Loses },
    },
    OptionInfo {
        name: "line_wins",
        title: "LineWins",
        kind: NO_YES,
        about: "completing a line ends the game at once",
        read: |r| r.line_wins as u16,
        write: |r, v| r.line_wins = v != 0,
    },
    OptionInfo {
        name: "repetition",
        title: "Repetition",
        kind: OptionKind::Number(2, 100, true),
        about: "the occurrence of a position that draws the game (0: off)",
        read: |r| r.repetition.into(),
        write: |r, v| r.repetition = v as u8,
    },
    OptionInfo {
        name: "no_mill_plies",
        title: "NoMillPlies",
        kind: OptionKind::Number(1, 10_000, true),
        about: "turns without a removal, no stones in hand, that draw the game (0: off)",
        read: |r| r.no_mill_plies,
        write: |r, v| r.no_mill_plies = v,
    },
];

impl OptionInfo {
    /// The option with this name or title, in either case.
    pub fn find(name: &str) -> Option<&'static OptionInfo> {
        OPTIONS
            .iter()
            .find(|o| o.name.eq_ignore_ascii_case(name) || o.title.eq_ignore_ascii_case(name))
    }

    /// The option's value in these rules, as text.
    pub fn value(&self, rules: &Rules) -> String {
        let value = (self.read)(rules);
        match self.kind {
            OptionKind::Choice(words) => words[value as usize].to_string(),
            OptionKind::Number(..) => value.to_string(),
        }
    }

    /// The values it takes, for people: `one, per-mill` or `0, 3 to 4`.
    pub fn values(&self) -> String {
        match self.kind {
            OptionKind::Choice(words) => words.join(", "),
            OptionKind::Number(low, high, zero) => {
                format!("{}{low} to {high}", if zero { "0, " } else { "" })
            }
        }
    }

    /// Reads a value of this option. Words are matched in either case; `true`, `false`, `1` and
    /// `0` stand for `yes` and `no`.
    pub(super) fn parse(&self, text: &str) -> Option<u16> {
        match self.kind {
            OptionKind::Choice(words) => {
                let text = match (self.kind == NO_YES, text) {
                    (true, "1") => "yes",
                    (true, "0") => "no",
                    (true, t) if t.eq_ignore_ascii_case("true") => "yes",
                    (true, t) if t.eq_ignore_ascii_case("false") => "no",
                    _ => text,
                };
                words.iter().position(|w| w.eq_ignore_ascii_case(text)).map(|i| i as u16)
            }
            OptionKind::Number(low, high, zero) => {
                let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                let value = text.parse::<u16>().ok().filter(|_| digits)?;
                ((low..=high).contains(&value) || (zero && value == 0)).then_some(value)
            }
        }
    }
}
