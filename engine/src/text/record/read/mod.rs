//! Reading: any text that holds games, in the native form, Sanmill's or PlayOK's, in columns or as
//! a bare list of turns, into records.
//!
//! A text is cut into games first and each game is read by itself, so that a bad one does not
//! spoil the others.

mod error;
mod moves;
mod tags;
mod token;

pub use error::{RecordError, RecordFault};
pub(super) use tags::foreign_name;

use super::Record;
use crate::rules::Rules;
use std::iter::Peekable;
use token::{Kind, Lexer, Token};

/// Reads the games of a text one after the other.
///
/// A game ends with its result, before the tags of the next one, or where the numbers of turns
/// begin anew; turns without tags and numbers end at a blank line.
///
/// Games are read under the rules given, or else under those of their `Variant` tag, or else as
/// `nine`. Turns may go on after a draw by repetition or by the no-mill rule, since few people's
/// games end by them. A result that a record does not tell is taken from its last position.
pub struct Reader<'a> {
    text: &'a str,
    rules: Option<Rules>,
    tokens: Peekable<Lexer<'a>>,
    games: usize,
}

/// A fault with its place as a byte of the text and the number of its turn.
struct Fault {
    at: usize,
    turn: Option<usize>,
    why: RecordFault,
}

impl Fault {
    fn new(at: usize, why: impl Into<RecordFault>) -> Self {
        Fault { at, turn: None, why: why.into() }
    }
}

impl<'a> Reader<'a> {
    /// Reads `text` under `rules`, or under those that each game names.
    pub fn new(text: &'a str, rules: Option<Rules>) -> Self {
        Self { text, rules, tokens: Lexer::new(text).peekable(), games: 0 }
    }

    /// The tokens of the next game; none at the end of the text.
    fn next_game(&mut self) -> Vec<Token<'a>> {
        let mut extent = Extent::default();
        let mut game: Vec<Token> = Vec::new();
        while let Some(token) = self.tokens.next_if(|token| !extent.ends_before(token)) {
            let ends = extent.ends_with(&token);
            if token.kind != Kind::Blank {
                game.push(token);
            }
            if ends {
                self.take_closing_comments(&mut game);
                break;
            }
        }
        game
    }

    /// A comment in the line of the result still belongs to the game.
    fn take_closing_comments(&mut self, game: &mut Vec<Token<'a>>) {
        let from = game.last().map_or(0, |token| token.at);
        let text = self.text;
        let same_line = |token: &Token| {
            matches!(token.kind, Kind::Comment(_)) && !text[from..token.at].contains(['\n', '\r'])
        };
        while let Some(token) = self.tokens.next_if(same_line) {
            game.push(token);
        }
    }

    fn locate(&self, fault: Fault) -> RecordError {
        let before = &self.text[..fault.at];
        let lines = before.bytes().filter(|b| *b == b'\n').count();
        // Where no line feed is, carriage returns end lines.
        let ends: &[char] = if self.text.contains('\n') { &['\n'] } else { &['\r'] };
        let line = if ends == ['\n'] { lines } else { before.matches('\r').count() } + 1;
        let start = before.rfind(ends).map_or(0, |end| end + 1);
        let column = before[start..].trim_start_matches('\u{feff}').chars().count() + 1;
        RecordError { game: self.games, line, column, turn: fault.turn, why: fault.why }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let tokens = self.next_game();
        if tokens.is_empty() {
            return None;
        }
        self.games += 1;
        Some(moves::read(self.rules, &tokens).map_err(|fault| self.locate(fault)))
    }
}

impl Record {
    /// Reads all games of a text; see [`Reader`].
    ///
    /// # Errors
    /// Names the first thing that is wrong, and where it stands.
    pub fn read_all(text: &str, rules: Option<Rules>) -> Result<Vec<Record>, RecordError> {
        Reader::new(text, rules).collect()
    }
}

/// What is known of a game while its end is looked for.
#[derive(Default)]
struct Extent {
    tags: bool,
    /// The number of a turn that came last.
    number: Option<u32>,
    /// Words since then.
    words: usize,
    /// The token before, if it was digits alone.
    last_digits: Option<u64>,
    depth: usize,
}

impl Extent {
    /// Whether a token belongs to the next game.
    fn ends_before(&self, token: &Token) -> bool {
        let begun = self.words > 0 || self.number.is_some();
        match token.kind {
            Kind::Tag { .. } => begun,
            Kind::Number { digits: "1", black: false } if self.depth == 0 => {
                // Unless it is the end of a number that is broken, such as 11.
                let follows = |number| self.last_digits.is_some_and(|d| d * 10 + 1 == number + 1);
                self.number.is_some_and(|number| {
                    (number > 1 || self.words > 1) && !follows(u64::from(number))
                })
            }
            _ => false,
        }
    }

    /// Takes note of a token, and says whether it ends the game.
    fn ends_with(&mut self, token: &Token) -> bool {
        self.last_digits = match token.kind {
            Kind::Digits(digits) => digits.parse().ok().filter(|n| *n < u64::from(u32::MAX)),
            _ => None,
        };
        match token.kind {
            Kind::Tag { .. } => self.tags = true,
            Kind::Number { digits, .. } if self.depth == 0 => {
                self.number = Some(digits.parse().unwrap_or(0));
                self.words = 0;
            }
            Kind::Word(_) | Kind::Digits(_) => self.words += 1,
            Kind::Open => self.depth += 1,
            Kind::Close => self.depth = self.depth.saturating_sub(1),
            Kind::Result(_) => return self.depth == 0,
            Kind::Blank => {
                return self.depth == 0 && !self.tags && self.number.is_none() && self.words > 0;
            }
            _ => {}
        }
        false
    }
}
