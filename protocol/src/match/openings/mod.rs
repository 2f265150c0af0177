//! Openings: first positions and turns from which pairs of games begin, a line of text each.

pub mod maker;

use millrace_engine::{
    Game, Position, Rules, Turn,
    search::Chance,
    text::{fen, parse_position},
};
use std::fmt;

/// How a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The first position.
    pub first: Position,
    /// Turns made from there.
    pub turns: Vec<Turn>,
}

/// Why a line is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct OpeningError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}

/// The order in which openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they come.
    #[default]
    Sequential,
    /// Shuffled.
    Random,
}

impl Opening {
    /// The start of the rules.
    pub fn start(rules: &Rules) -> Self {
        Self { first: Position::start(rules), turns: Vec::new() }
    }

    /// Reads turns (`d6 f4 d2xf4`), or a position in any notation, or both joined by `moves`.
    ///
    /// # Errors
    /// Says what is wrong. An opening after which the game is over is none.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, String> {
        let (base, turns) = match text.split_once(" moves ") {
            Some((base, turns)) => (base.trim(), turns),
            None if is_position(text) => (text.trim(), ""),
            None => ("", text),
        };
        let first = match base {
            "" | "startpos" => Position::start(rules),
            text => {
                let text = text.strip_prefix("fen ").unwrap_or(text);
                parse_position(rules, text).map_err(|error| error.to_string())?
            }
        };
        if first.owed() > 0 {
            return Err("a removal is owed".to_string());
        }
        let mut game = Game::from_position(*rules, first);
        for (index, token) in joined(turns).iter().enumerate() {
            game.play_text(token).map_err(|why| format!("turn {} '{token}': {why}", index + 1))?;
        }
        match game.outcome() {
            outcome if outcome.is_over() => Err(format!("the game is over: {outcome}")),
            _ => Ok(Self { first, turns: game.turns().to_vec() }),
        }
    }

    /// A game up to here.
    pub fn game(&self, rules: &Rules) -> Game {
        let mut game = Game::from_position(*rules, self.first);
        let _all_legal = self.turns.iter().all(|turn| game.play(*turn));
        game
    }

    /// The opening as text.
    pub fn text(&self, rules: &Rules) -> impl fmt::Display {
        let turns: Vec<String> =
            self.turns.iter().map(|turn| turn.on(rules.board()).to_string()).collect();
        let turns = turns.join(" ");
        match (self.first == Position::start(rules), turns.is_empty()) {
            (true, true) => "startpos".to_string(),
            (true, false) => turns,
            (false, true) => fen(rules, &self.first),
            (false, false) => format!("{} moves {turns}", fen(rules, &self.first)),
        }
    }
}

/// Whether a text without `moves` is a position: all notations have a slash or a colon in them.
fn is_position(text: &str) -> bool {
    let first = text.split_whitespace().find(|word| *word != "fen").unwrap_or_default();
    first.contains(['/', ':']) || first == "startpos"
}

/// The turns of a list; a removal that is a word of its own is joined to the turn before it, and
/// move numbers are left out.
fn joined(text: &str) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    for word in text.split_whitespace().filter(|word| !word.ends_with('.')) {
        match turns.last_mut() {
            Some(last) if word.starts_with(['x', 'X']) => last.push_str(word),
            _ => turns.push(word.to_string()),
        }
    }
    turns
}

/// Reads openings, a line each. Blank lines and lines that begin with `#` are passed over.
///
/// # Errors
/// Names the first line that is none.
pub fn read(rules: &Rules, text: &str) -> Result<Vec<Opening>, OpeningError> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, text)| Opening::parse(rules, text).map_err(|why| OpeningError { line, why }))
        .collect()
}

/// Puts openings into the order in which they are played: shuffled by `seed` or not, then turned so
/// that number `start` (from 1) is the first.
pub fn arrange(openings: &mut [Opening], order: Order, start: usize, seed: u64) {
    if order == Order::Random {
        Chance::new(seed, 0).shuffle(openings);
    }
    if !openings.is_empty() {
        openings.rotate_left(start.saturating_sub(1) % openings.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_all_forms_and_written_in_one() {
        let rules = Rules::default();
        let text = "# openings\n\nd6 f4 d2\n1. d6 f4 2. d5 f2 3. d7 xf4\n\
                    3/1W1/3/6/3/3/3 b 8 9 0 1\nfen 3/1W1/3/6/3/3/3 b 8 9 0 1 moves f4\n";
        let openings = read(&rules, text).expect("openings");
        let texts: Vec<String> = openings.iter().map(|o| o.text(&rules).to_string()).collect();
        assert_eq!(
            texts,
            [
                "d6 f4 d2",
                "d6 f4 d5 f2 d7xf4",
                "3/1W1/3/6/3/3/3 b 8 9 0 1",
                "3/1W1/3/6/3/3/3 b 8 9 0 1 moves f4"
            ]
        );
        assert_eq!(read(&rules, &texts.join("\n")), Ok(openings));
        assert_eq!(Opening::start(&rules).text(&rules).to_string(), "startpos");
        assert_eq!(Opening::parse(&rules, "startpos"), Ok(Opening::start(&rules)));
    }

    #[test]
    fn bad_lines_are_named() {
        let rules = Rules::default();
        let error = |text: &str| read(&rules, text).expect_err("no opening").to_string();
        assert!(error("d6\n\nd6 d6\n").starts_with("line 3: turn 2 'd6': d6 is occupied"));
        assert!(error("3/3 w").starts_with("line 1: "));
        let over = "W2/1W1/3/6/3/3/WBB b 0 0";
        assert!(error(over).contains("the game is over"), "{}", error(over));
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let rules = Rules::default();
        let list: Vec<Opening> = ["a1", "d1", "g1", "b2", "d2", "f2", "c3", "d3"]
            .iter()
            .map(|text| Opening::parse(&rules, text).expect("an opening"))
            .collect();
        let arranged = |order, start, seed| {
            let mut list = list.clone();
            arrange(&mut list, order, start, seed);
            list
        };
        assert_eq!(arranged(Order::Sequential, 1, 1), list);
        assert_eq!(arranged(Order::Sequential, 3, 1)[0], list[2]);
        let (one, again) = (arranged(Order::Random, 1, 7), arranged(Order::Random, 1, 7));
        assert_eq!(one, again);
        assert_ne!(one, arranged(Order::Random, 1, 8));
        assert_eq!(arranged(Order::Random, 2, 7)[0], one[1]);
    }
}
