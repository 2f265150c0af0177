//! The native form: PGN with mill turns, lines of at most 80 characters. The forms of other
//! programs differ from it in their tags and in the names of points.

use super::{Entry, GameResult, Record, Variation, note::figures};
use crate::{
    board::Board,
    movegen::Turn,
    position::{Color, Position},
    text::fen,
};
use std::fmt::{self, Write};

/// The longest line that is written unless one word is longer, in characters.
const WIDTH: usize = 80;

/// The marks that have signs of their own, by their numbers from 1.
pub(super) const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

impl GameResult {
    /// As PGN has it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Open => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Record {
    /// The native form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Record {
    /// Writes the native form: tags, a blank line, turns and result, a blank line. Records may be
    /// written one after the other into a file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, out: &mut impl Write) -> fmt::Result {
        for (name, value) in &self.tags {
            write_tag(out, name, value)?;
        }
        write_tag(out, "Variant", &self.rules.to_string())?;
        write_tag(out, "RulesFingerprint", &format!("{:016x}", self.rules.fingerprint()))?;
        if let Some(start) = &self.start {
            write_tag(out, "FEN", &fen(&self.rules, start))?;
        }
        write_tag(out, "Result", self.result.as_str())?;
        if !self.reason.is_empty() {
            write_tag(out, "Termination", &self.reason)?;
        }
        self.write_moves(out, Points::Named)
    }

    /// Writes all that follows the tags, from the blank line before to the blank line after it.
    pub(super) fn write_moves(&self, out: &mut impl Write, points: Points) -> fmt::Result {
        out.write_char('\n')?;
        let mut text = MoveText { out, column: 0, board: self.rules.board(), points };
        text.comment("", &self.comment)?;
        text.line(Count::of(&self.first_position()), &self.moves)?;
        text.word(self.result.as_str())?;
        out.write_str("\n\n")
    }
}

/// How points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    /// By file and rank.
    Named,
    /// By numbers from 1, row by row from the top left.
    Numbered,
}

impl Points {
    fn turn(self, board: Board, turn: Turn) -> String {
        if self == Points::Named || turn == Turn::PASS {
            return turn.on(board).to_string();
        }
        let g = board.geometry();
        let order = &g.reading_order[..g.points];
        let number = |point: usize| {
            let place = order.iter().position(|p| usize::from(*p) == point);
            // Every point of the board is in the order.
            (place.unwrap_or(0) + 1).to_string()
        };
        let from = turn.from().map_or(String::new(), |point| number(point) + "-");
        let to = turn.to().map_or(String::new(), number);
        let removals: String = turn.removals().map(|point| format!("x{}", number(point))).collect();
        from + &to + &removals
    }
}

/// Writes a tag on a line of its own. A value's control characters become spaces.
pub(super) fn write_tag(out: &mut impl Write, name: &str, value: &str) -> fmt::Result {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    writeln!(out, "[{name} \"{escaped}\"]")
}

/// The number and side of a turn.
#[derive(Clone, Copy)]
struct Count {
    number: u32,
    side: Color,
}

impl Count {
    fn of(position: &Position) -> Self {
        Count { number: position.move_number().into(), side: position.side() }
    }

    fn next(self) -> Self {
        Count { number: self.number + u32::from(self.side == Color::Black), side: !self.side }
    }
}

/// The part of a record after the tags, word by word.
struct MoveText<'a, W> {
    out: &'a mut W,
    /// Characters in the current line.
    column: usize,
    board: Board,
    points: Points,
}

impl<W: Write> MoveText<'_, W> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= WIDTH;
            self.out.write_char(if fits { ' ' } else { '\n' })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += length;
        self.out.write_str(word)
    }

    /// Turns with all that belongs to them.
    fn line(&mut self, mut count: Count, moves: &[Entry]) -> fmt::Result {
        let mut numbered = true;
        for entry in moves {
            let number = count.number;
            match count.side {
                Color::White => self.word(&format!("{number}."))?,
                Color::Black if numbered => self.word(&format!("{number}..."))?,
                Color::Black => {}
            }
            numbered = self.entry(count, entry)?;
            count = count.next();
        }
        Ok(())
    }

    /// A turn and all about it. Says whether something came between this turn and the next, which
    /// then needs its number.
    fn entry(&mut self, count: Count, entry: &Entry) -> Result<bool, fmt::Error> {
        let mut marks = entry.marks.iter().copied().peekable();
        let sign = marks
            .next_if(|mark| (1..=SIGNS.len()).contains(&usize::from(*mark)))
            .map_or("", |mark| SIGNS[usize::from(mark) - 1]);
        self.word(&format!("{}{sign}", self.points.turn(self.board, entry.turn)))?;
        for mark in marks {
            self.word(&format!("${mark}"))?;
        }
        let figures = figures(entry);
        self.comment(&figures, &entry.comment)?;
        for variation in &entry.variations {
            self.variation(count, variation)?;
        }
        Ok(!figures.is_empty() || !entry.comment.is_empty() || !entry.variations.is_empty())
    }

    fn variation(&mut self, count: Count, variation: &Variation) -> fmt::Result {
        self.word("(")?;
        self.comment("", &variation.comment)?;
        self.line(count, &variation.moves)?;
        self.word(")")
    }

    /// A comment in braces; one that has a closing brace in it goes to the end of the line instead.
    fn comment(&mut self, figures: &str, text: &str) -> fmt::Result {
        let braces_fit = !text.contains('}');
        let inside = if braces_fit { text } else { "" };
        let mut words = figures.split_whitespace().chain(inside.split_whitespace()).peekable();
        let mut open = "{";
        while let Some(word) = words.next() {
            let close = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{open}{word}{close}"))?;
            open = "";
        }
        if !braces_fit {
            let words: Vec<&str> = text.split_whitespace().collect();
            self.word(&format!(";{}\n", words.join(" ")))?;
            self.column = 0;
        }
        Ok(())
    }
}
