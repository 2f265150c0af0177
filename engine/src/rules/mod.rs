//! What is played: a board and a value for every rule on which sources disagree.
//!
//! A preset is a named set of option values and nothing else. Two rules texts that come to the same
//! values are the same rules; the canonical text spells all of them out, and its hash, the
//! fingerprint, marks everything that was made under these rules.

mod option;
mod text;

pub use option::{OPTIONS, OptionInfo, OptionKind};
pub use text::RulesError;

use crate::board::Board;

/// How many stones a turn removes that closes two mills at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removals {
    /// One stone, however many mills.
    One,
    /// One stone for each mill, one after the other.
    PerMill,
}

/// Whether a stone that stands in a mill may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemoveFromMill {
    /// Only if the opponent has no stone outside mills.
    IfNoOther,
    /// Any stone may be removed.
    Always,
    /// Never; if all stand in mills, nothing is removed.
    Never,
}

/// What happens to a side that is to move, has nothing in hand and no legal turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocked {
    /// It has lost.
    Loses,
    /// It passes; if the opponent could only pass too, the game is drawn.
    Passes,
    /// The game is drawn.
    Draw,
}

/// What happens when all points are filled at the end of the placing phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardFull {
    /// The game is drawn.
    Draw,
    /// The side to move loses.
    Loses,
}

/// The rules of one game. Always consistent: made by [`Rules::parse`] or from a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub(crate) board: Board,
    pub(crate) stones: u8,
    pub(crate) fly: u8,
    pub(crate) move_while_placing: bool,
    pub(crate) removals: Removals,
    pub(crate) remove_from_mill: RemoveFromMill,
    pub(crate) blocked: Blocked,
    pub(crate) board_full: BoardFull,
    pub(crate) line_wins: bool,
    pub(crate) repetition: u8,
    pub(crate) no_mill_plies: u16,
}

const DEFAULTS: Rules = Rules {
    board: Board::Nine,
    stones: 9,
    fly: 3,
    move_while_placing: false,
    removals: Removals::One,
    remove_from_mill: RemoveFromMill::IfNoOther,
    blocked: Blocked::Loses,
    board_full: BoardFull::Draw,
    line_wins: false,
    repetition: 3,
    no_mill_plies: 100,
};

/// A well-known game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name in rules texts.
    pub name: &'static str,
    /// What it is, in half a line.
    pub about: &'static str,
    /// Its rules.
    pub rules: Rules,
}

/// All presets; the first is the default.
pub const PRESETS: &[Preset] = &[
    Preset { name: "nine", about: "nine men's morris, flying with three stones", rules: DEFAULTS },
    Preset {
        name: "nine-nofly",
        about: "nine men's morris without flying",
        rules: Rules { fly: 0, ..DEFAULTS },
    },
    Preset {
        name: "lasker",
        about: "Lasker morris: ten stones, placing or moving at once",
        rules: Rules { stones: 10, move_while_placing: true, ..DEFAULTS },
    },
    Preset {
        name: "eleven",
        about: "eleven men's morris: diagonals, no flying",
        rules: Rules { board: Board::NineDiagonals, stones: 11, fly: 0, ..DEFAULTS },
    },
    Preset {
        name: "twelve",
        about: "twelve men's morris: diagonals, no flying",
        rules: Rules { board: Board::NineDiagonals, stones: 12, fly: 0, ..DEFAULTS },
    },
    Preset {
        name: "morabaraba",
        about: "morabaraba: twelve stones, diagonals, flying",
        rules: Rules { board: Board::NineDiagonals, stones: 12, ..DEFAULTS },
    },
    Preset {
        name: "seven",
        about: "seven men's morris: two squares and a centre",
        rules: Rules { board: Board::Seven, stones: 7, fly: 0, ..DEFAULTS },
    },
    Preset {
        name: "six",
        about: "six men's morris: two squares, no flying",
        rules: Rules { board: Board::Six, stones: 6, fly: 0, ..DEFAULTS },
    },
    Preset {
        name: "six-fly",
        about: "six men's morris with flying",
        rules: Rules { board: Board::Six, stones: 6, ..DEFAULTS },
    },
    Preset {
        name: "five",
        about: "five men's morris: two squares, no flying",
        rules: Rules { board: Board::Six, stones: 5, fly: 0, ..DEFAULTS },
    },
    Preset {
        name: "three",
        about: "three men's morris: a line wins",
        rules: Rules { board: Board::Three, stones: 3, fly: 0, line_wins: true, ..DEFAULTS },
    },
    Preset {
        name: "tapatan",
        about: "tapatan: three men's morris with diagonals",
        rules: Rules {
            board: Board::ThreeDiagonals,
            stones: 3,
            fly: 0,
            line_wins: true,
            ..DEFAULTS
        },
    },
    Preset {
        name: "nine-holes",
        about: "nine holes: three men's morris with flying",
        rules: Rules { board: Board::Three, stones: 3, line_wins: true, ..DEFAULTS },
    },
];

impl Default for Rules {
    fn default() -> Self {
        DEFAULTS
    }
}

impl Rules {
    /// The preset with exactly these rules, if there is one.
    pub fn preset(&self) -> Option<&'static Preset> {
        PRESETS.iter().find(|p| p.rules == *self)
    }

    /// The rules of the preset with this name, in either case.
    pub fn named(name: &str) -> Option<Rules> {
        PRESETS.iter().find(|p| p.name.eq_ignore_ascii_case(name)).map(|p| p.rules)
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> Board {
        self.board
    }

    /// Stones of each side, 3 to 12.
    #[inline(always)]
    pub fn stones(&self) -> u8 {
        self.stones
    }

    /// A side with at most this many stones on the board and none in hand flies; 0 = never.
    #[inline(always)]
    pub fn fly(&self) -> u8 {
        self.fly
    }

    /// Whether a side with stones in hand may move a stone on the board instead.
    #[inline(always)]
    pub fn move_while_placing(&self) -> bool {
        self.move_while_placing
    }

    /// How many stones a double mill removes.
    #[inline(always)]
    pub fn removals(&self) -> Removals {
        self.removals
    }

    /// Whether stones in mills may be removed.
    #[inline(always)]
    pub fn remove_from_mill(&self) -> RemoveFromMill {
        self.remove_from_mill
    }

    /// What being blocked means.
    #[inline(always)]
    pub fn blocked(&self) -> Blocked {
        self.blocked
    }

    /// What a full board means.
    #[inline(always)]
    pub fn board_full(&self) -> BoardFull {
        self.board_full
    }

    /// Whether a completed line ends the game at once.
    #[inline(always)]
    pub fn line_wins(&self) -> bool {
        self.line_wins
    }

    /// The occurrence of a position that draws the game; 0 = off.
    #[inline(always)]
    pub fn repetition(&self) -> u8 {
        self.repetition
    }

    /// Turns without a removal, nobody having stones in hand, that draw the game; 0 = off.
    #[inline(always)]
    pub fn no_mill_plies(&self) -> u16 {
        self.no_mill_plies
    }
}
