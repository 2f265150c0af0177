//! The turns of one game, played as they are read.

use super::{
    Fault, RecordFault, tags,
    token::{Kind, Token},
};
use crate::{
    position::Position,
    rules::Rules,
    text::{
        TurnError, parse_turn, quoted,
        record::{Entry, GameResult, Record, Variation, note::take_figures},
    },
};
use std::borrow::Cow;

/// How deep variations may be nested. People stop at three or four; a limit keeps whatever walks
/// through them from running out of stack.
const DEEPEST: usize = 64;

/// Reads one game.
pub(super) fn read(rules: Option<Rules>, tokens: &[Token]) -> Result<Record, Fault> {
    let (mut record, said) = tags::read(rules, tokens)?;
    let mut play = Play::new(&record, is_numbered(tokens));
    let mut told = None;
    for (index, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Tag { .. } | Kind::Blank => {}
            Kind::Comment(text) => play.comment(text),
            Kind::Mark(mark) => play.mark(*mark),
            Kind::Number { digits, .. } => play.number(digits)?,
            Kind::Digits(digits) if play.numbered => {
                if !play.is_split_number(digits, tokens.get(index + 1)) {
                    play.word(token.at, digits)?;
                }
            }
            Kind::Digits(digits) => play.number(digits)?,
            Kind::Word(word) => play.word(token.at, word)?,
            Kind::Open => play.open(token.at)?,
            Kind::Close => play.close(token.at)?,
            Kind::Result(result) => {
                play.finish_turn()?;
                told = Some(*result);
            }
            Kind::Fault(why) => return Err(Fault::new(token.at, why.clone())),
        }
    }
    play.finish_turn()?;
    let Line { opened_at, position, body, .. } = play.line;
    if let Some(at) = opened_at {
        return Err(Fault::new(at, RecordFault::Unclosed));
    }
    record.moves = body.moves;
    record.comment = body.comment;
    // Sanmill ends every record with `*`, whatever its tag says.
    let decided = |result: &GameResult| *result != GameResult::Open;
    record.result = told.filter(decided).or(said).unwrap_or_default();
    settle(&mut record, &position);
    Ok(record)
}

/// Completes result and reason from the last position.
fn settle(record: &mut Record, last: &Position) {
    let outcome = last.outcome(&record.rules);
    if record.result == GameResult::Open {
        record.result = outcome.into();
    }
    if record.reason.is_empty() && record.result == outcome.into() {
        record.reason = outcome.reason();
    }
}

/// Whether points are numbers: no word of the game has a letter, but for the `x` of removals.
fn is_numbered(tokens: &[Token]) -> bool {
    let named = |word: &str| {
        !word.eq_ignore_ascii_case("pass")
            && word.chars().any(|c| c.is_alphabetic() && !matches!(c, 'x' | 'X'))
    };
    !tokens.iter().any(|token| matches!(token.kind, Kind::Word(word) if named(word)))
}

/// A line of play while it is read: the main line or a variation.
struct Line {
    /// Where the variation begins; `None` for the main line.
    opened_at: Option<usize>,
    /// Turns made before its first one.
    turns_before: usize,
    /// The position before its last turn, and after it.
    previous: Position,
    position: Position,
    body: Variation,
}

/// A turn that may still go on: removals can be words of their own.
#[derive(Default)]
struct Pending {
    at: usize,
    text: String,
    marks: Vec<u8>,
    comment: String,
}

struct Play {
    rules: Rules,
    numbered: bool,
    /// The line that is read, and those that it interrupts.
    line: Line,
    outer: Vec<Line>,
    pending: Option<Pending>,
    last_number: u32,
}

impl Play {
    fn new(record: &Record, numbered: bool) -> Self {
        let position = record.first_position();
        let body = Variation::default();
        let line = Line { opened_at: None, turns_before: 0, previous: position, position, body };
        Play {
            rules: record.rules,
            numbered,
            line,
            outer: Vec::new(),
            pending: None,
            last_number: u32::from(position.move_number()).saturating_sub(1),
        }
    }

    /// The number of a turn; whether it is the right one is not asked, since people miscount.
    fn number(&mut self, digits: &str) -> Result<(), Fault> {
        self.last_number = digits.parse().unwrap_or(self.last_number);
        self.finish_turn()
    }

    /// Whether digits are the first part of the number of a turn, broken at the end of a line.
    fn is_split_number(&self, digits: &str, next: Option<&Token>) -> bool {
        let Some(Token { kind: Kind::Number { digits: rest, .. }, .. }) = next else {
            return false;
        };
        let expected = self.last_number + 1;
        let whole: Option<u32> = format!("{digits}{rest}").parse().ok();
        whole == Some(expected) && rest.parse() != Ok(expected)
    }

    fn word(&mut self, at: usize, word: &str) -> Result<(), Fault> {
        let word = plain(word);
        if word.is_empty() {
            return Ok(());
        }
        if let Some(pending) = &mut self.pending {
            let goes_on =
                word.starts_with(['x', 'X', '-']) || pending.text.ends_with(['x', 'X', '-']);
            if goes_on {
                pending.text += &word;
                return Ok(());
            }
        }
        self.finish_turn()?;
        self.pending = Some(Pending { at, text: word.into_owned(), ..Pending::default() });
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let last = self.line.body.moves.last_mut().map(|entry| &mut entry.comment);
        let comment = match &mut self.pending {
            Some(pending) => &mut pending.comment,
            None => last.unwrap_or(&mut self.line.body.comment),
        };
        for word in text.split_whitespace() {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(word);
        }
    }

    /// A mark before the first turn says nothing that a record could hold, and is left out.
    fn mark(&mut self, mark: u8) {
        let last = self.line.body.moves.last_mut().map(|entry| &mut entry.marks);
        if let Some(marks) = self.pending.as_mut().map(|p| &mut p.marks).or(last) {
            marks.push(mark);
        }
    }

    /// Plays the turn that is pending, if there is one.
    fn finish_turn(&mut self) -> Result<(), Fault> {
        let Some(Pending { at, text, marks, comment }) = self.pending.take() else {
            return Ok(());
        };
        let line = &mut self.line;
        let turn = line.turns_before + line.body.moves.len() + 1;
        let fault = |why| Fault { at, turn: Some(turn), why };
        let named = if self.numbered {
            by_names(&self.rules, &text).map_err(fault)?
        } else {
            text.as_str().into()
        };
        let turn = parse_turn(&self.rules, &line.position, &named)
            .map_err(|why: TurnError| fault(RecordFault::Turn { text: quoted(&text), why }))?;
        let mut entry = Entry { marks, ..Entry::from(turn) };
        entry.comment = take_figures(&mut entry, &comment).to_string();
        line.previous = line.position;
        line.position = line.position.after(turn);
        line.body.moves.push(entry);
        Ok(())
    }

    fn open(&mut self, at: usize) -> Result<(), Fault> {
        self.finish_turn()?;
        let Line { previous, turns_before, body, .. } = &self.line;
        let turns = turns_before + body.moves.len();
        let Some(turns_before) = turns.checked_sub(1).filter(|_| !body.moves.is_empty()) else {
            return Err(Fault::new(at, RecordFault::NothingToVary));
        };
        if self.outer.len() == DEEPEST {
            return Err(Fault::new(at, RecordFault::Nesting(DEEPEST)));
        }
        let inner = Line {
            opened_at: Some(at),
            turns_before,
            previous: *previous,
            position: *previous,
            body: Variation::default(),
        };
        self.outer.push(std::mem::replace(&mut self.line, inner));
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<(), Fault> {
        self.finish_turn()?;
        let Some(outer) = self.outer.pop() else {
            return Err(Fault::new(at, RecordFault::Stray(')')));
        };
        let Line { body, .. } = std::mem::replace(&mut self.line, outer);
        if let Some(varied) = self.line.body.moves.last_mut()
            && body != Variation::default()
        {
            varied.variations.push(body);
        }
        Ok(())
    }
}

/// A word with the hyphens and crosses that word processors make of them put back.
fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return word.into();
    }
    let back = |c| match c {
        '×' | '✕' | '✗' | '⨯' => Some('x'),
        '‐' | '‑' | '‒' | '–' | '—' | '−' | '→' => Some('-'),
        '\u{feff}' | '\u{200b}' => None,
        other => Some(other),
    };
    word.chars().filter_map(back).collect::<String>().into()
}

/// A turn whose points are numbered row by row from the top left, written with their names.
fn by_names<'a>(rules: &Rules, text: &'a str) -> Result<Cow<'a, str>, RecordFault> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(text.into());
    }
    let (board, g) = (rules.board(), rules.board().geometry());
    let mut named = String::with_capacity(12);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits == 0 {
            named.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let number: Option<usize> = rest[..digits].parse().ok();
        let point = number.and_then(|n| g.reading_order[..g.points].get(n.checked_sub(1)?));
        let point =
            point.ok_or_else(|| RecordFault::Point { text: quoted(text), points: g.points })?;
        named.push_str(board.point_name(usize::from(*point)));
        rest = &rest[digits..];
    }
    Ok(named.into())
}
