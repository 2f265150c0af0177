//! What all dialects have in common in their answers: `info …` and `bestmove …`.

use millrace_engine::search::Score;

/// A line of an engine, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The answer, with what the same line says about it; the word is missing if there is none.
    Best(Option<String>, Said),
    /// What it thinks.
    Info(Said),
    /// It refuses a command.
    Refusal,
    /// Part of the protocol, but of no use here.
    Other,
    /// Not of the protocol.
    Garbage,
}

/// What an engine says of its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Plies.
    pub depth: Option<u32>,
    /// For the side to move, unless the dialect has it otherwise.
    pub score: Option<Score>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl Said {
    /// What was said later, with what had been said earlier in the places left empty.
    pub fn after(self, earlier: Said) -> Said {
        Said {
            depth: self.depth.or(earlier.depth),
            score: self.score.or(earlier.score),
            nodes: self.nodes.or(earlier.nodes),
        }
    }
}

/// The words that a dialect has for a plain score and for a proven one.
pub(super) struct ScoreWords {
    pub(super) plain: &'static str,
    pub(super) proven: &'static str,
}

/// Reads a line in the manner of UCI. With `anywhere`, `bestmove` may stand in an `info` line.
pub(super) fn read(line: &str, words: &ScoreWords, anywhere: bool) -> Line {
    let mut tokens = line.split_ascii_whitespace();
    match tokens.next() {
        Some("bestmove") => Line::Best(tokens.next().map(String::from), Said::default()),
        Some("info") => {
            let best = anywhere.then(|| line.find("bestmove")).flatten();
            let (info, answer) = line.split_at(best.unwrap_or(line.len()));
            let said = said(info, words);
            match answer.split_ascii_whitespace().nth(1) {
                _ if best.is_none() => said.map_or_else(|| unimportant(line), Line::Info),
                word => Line::Best(word.map(String::from), said.unwrap_or_default()),
            }
        }
        Some(
            "id" | "option" | "readyok" | "uciok" | "gbgpok" | "registration" | "copyprotection",
        )
        | None => Line::Other,
        Some(_) => Line::Garbage,
    }
}

fn unimportant(line: &str) -> Line {
    let mut words = line.split_ascii_whitespace().skip(1);
    let refuses = words.next() == Some("string") && words.next() == Some("error");
    if refuses { Line::Refusal } else { Line::Other }
}

/// What an `info` line says of the best turn; `None` if it says nothing of it.
fn said(line: &str, words: &ScoreWords) -> Option<Said> {
    let mut said = Said::default();
    let mut tokens = line.split_ascii_whitespace().skip(1).peekable();
    while let Some(token) = tokens.next() {
        match token {
            "string" | "pv" => break,
            "depth" => said.depth = tokens.peek().and_then(|t| t.parse().ok()),
            "nodes" => said.nodes = tokens.peek().and_then(|t| t.parse().ok()),
            "multipv" if tokens.peek().is_some_and(|t| *t != "1") => return None,
            // The true value is yet to come.
            "lowerbound" | "upperbound" => return None,
            "score" => {
                let kind = tokens.next().unwrap_or_default();
                let number = |text: &str| text.parse::<i32>().ok();
                said.score = match kind {
                    _ if kind == words.plain => {
                        tokens.peek().and_then(|t| number(t)).map(Score::Cp)
                    }
                    _ if kind == words.proven => {
                        tokens.peek().and_then(|t| number(t)).map(Score::Mate)
                    }
                    // Some engines leave the word out.
                    bare => number(bare).map(Score::Cp),
                };
            }
            _ => {}
        }
    }
    (said.depth.is_some() || said.score.is_some()).then_some(said)
}
