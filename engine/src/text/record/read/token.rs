//! Records into tokens. What people paste is looked at with patience: any line ends, any white
//! space, dashes and crosses of all kinds.

use super::{
    super::{GameResult, write::SIGNS},
    RecordFault,
};
use crate::text::quoted;

/// A piece of a record, and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub at: usize,
    pub kind: Kind<'a>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    Tag {
        name: &'a str,
        value: String,
    },
    Comment(&'a str),
    Open,
    Close,
    Mark(u8),
    Result(GameResult),
    /// The number of a turn: its digits, and whether it is Black's.
    Number {
        digits: &'a str,
        black: bool,
    },
    /// Digits alone: a point, or the number of a turn.
    Digits(&'a str),
    Word(&'a str),
    /// One blank line or several.
    Blank,
    Fault(RecordFault),
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Open variations, as far as they look well-formed.
    depth: usize,
}

const RESULTS: [(&str, GameResult); 10] = [
    ("1-0", GameResult::White),
    ("1–0", GameResult::White),
    ("0-1", GameResult::Black),
    ("0–1", GameResult::Black),
    ("1/2-1/2", GameResult::Draw),
    ("1/2", GameResult::Draw),
    ("½-½", GameResult::Draw),
    ("½–½", GameResult::Draw),
    ("½", GameResult::Draw),
    ("*", GameResult::Open),
];

fn is_space(c: char) -> bool {
    // A byte order mark may also stand where files were joined.
    c.is_whitespace() || matches!(c, ',' | '\u{feff}')
}

fn ends_word(c: char) -> bool {
    is_space(c) || matches!(c, '{' | '}' | '(' | ')' | ';' | '[' | ']' | '$')
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes bytes off the text.
    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.rest()[..bytes];
        self.at += bytes;
        taken
    }

    /// Skips white space and lines that PGN gives to other programs (they begin with `%`). Says
    /// whether a blank line was among it.
    fn skip(&mut self) -> bool {
        let mut breaks = 0;
        loop {
            let rest = self.rest();
            let space = rest.find(|c| !is_space(c)).unwrap_or(rest.len());
            let skipped = self.take(space);
            breaks += skipped.bytes().filter(|b| *b == b'\n').count();
            // Old files have carriage returns alone.
            if breaks == 0 {
                breaks = skipped.bytes().filter(|b| *b == b'\r').count();
            }
            let begins_line = self.at == 0 || self.text[..self.at].ends_with(['\n', '\r']);
            if !(begins_line && self.rest().starts_with('%')) {
                return breaks > 1;
            }
            self.take_line();
            breaks = 0;
        }
    }

    fn take_line(&mut self) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(['\n', '\r']).unwrap_or(rest.len()))
    }

    fn tag(&mut self) -> Kind<'a> {
        let line = self.take_line();
        let start = self.at - line.len();
        let fault = Kind::Fault(RecordFault::Tag);
        let inside = line[1..].trim_start();
        let name =
            &inside[..inside.find(|c: char| is_space(c) || c == '"' || c == ']').unwrap_or(0)];
        let after = inside[name.len()..].trim_start();
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => match quoted_value(quoted) {
                Some((value, left)) => (value, left.trim_start()),
                None => return fault,
            },
            // Some programs forget the quotes.
            None => match after.find(']') {
                Some(end) => (after[..end].trim().to_string(), &after[end..]),
                None => return fault,
            },
        };
        let Some(left) = left.strip_prefix(']').filter(|_| !name.is_empty()) else { return fault };
        self.at = start + line.len() - left.len();
        self.depth = 0;
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Kind::Tag { name, value }
    }

    fn comment(&mut self) -> Kind<'a> {
        match self.rest().find('}') {
            Some(end) => Kind::Comment(&self.take(end + 1)[1..end]),
            None => {
                self.at = self.text.len();
                Kind::Fault(RecordFault::Comment)
            }
        }
    }

    fn mark(&mut self) -> Kind<'a> {
        let rest = &self.rest()[1..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = &self.take(end + 1)[1..];
        digits.parse().map_or_else(|_| Kind::Fault(RecordFault::Mark(quoted(digits))), Kind::Mark)
    }

    fn word(&mut self) -> Kind<'a> {
        let rest = self.rest();
        let word = &rest[..rest.find(ends_word).unwrap_or(rest.len())];
        if let Some((text, result)) = RESULTS.iter().find(|(text, _)| *text == word) {
            self.take(text.len());
            return Kind::Result(*result);
        }
        if let Some(mark) = self.signs(word) {
            return mark;
        }
        let digits = &word[..word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len())];
        let after = &word[digits.len()..];
        let dots = &after[..after.find(|c| c != '.' && c != '…').unwrap_or(after.len())];
        if !dots.is_empty() {
            self.take(digits.len() + dots.len());
            return Kind::Number { digits, black: dots.len() > 1 };
        }
        if after.is_empty() && self.depth == 0 && rest[word.len()..].starts_with(')') {
            self.take(word.len() + 1);
            return Kind::Number { digits, black: false };
        }
        let text = word.trim_end_matches(['!', '?']);
        self.take(text.len());
        if text.len() == digits.len() { Kind::Digits(text) } else { Kind::Word(text) }
    }

    /// A mark written with signs, which stands alone or behind a turn.
    fn signs(&mut self, word: &str) -> Option<Kind<'a>> {
        let signs = &word[..word.find(|c| c != '!' && c != '?').unwrap_or(word.len())];
        let longest = |number: &usize| signs.starts_with(SIGNS[*number]);
        let number = (0..SIGNS.len()).filter(longest).max_by_key(|n| SIGNS[*n].len())?;
        self.take(SIGNS[number].len());
        Some(Kind::Mark(number as u8 + 1))
    }
}

/// The value of a tag up to its closing quote, and what follows that.
fn quoted_value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(chars.next()?.1),
            c => value.push(c),
        }
    }
    None
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let start = self.at;
        if self.skip() && start > 0 {
            return Some(Token { at: start, kind: Kind::Blank });
        }
        let at = self.at;
        let kind = match self.rest().chars().next()? {
            '[' => self.tag(),
            '{' => self.comment(),
            '$' => self.mark(),
            ';' => Kind::Comment(&self.take_line()[1..]),
            '(' => {
                self.take(1);
                self.depth += 1;
                Kind::Open
            }
            ')' => {
                self.take(1);
                self.depth = self.depth.saturating_sub(1);
                Kind::Close
            }
            c @ ('}' | ']') => {
                self.take(1);
                Kind::Fault(RecordFault::Stray(c))
            }
            _ => self.word(),
        };
        Some(Token { at, kind })
    }
}
