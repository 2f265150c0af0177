//! The dialect of Sanmill's `mill uci` (the Sanmill developers): a turn is said action by action,
//! an answer may come on one line with what is said about it, and scores are White's.

use super::{
    Dialect, Line, RulesSetup,
    read::{ScoreWords, read},
};
use millrace_engine::{
    Position, Rules, Turn,
    text::{parse_position, sanmill_fen},
};
use std::fmt::Write;

pub(super) struct Sanmill;

impl Dialect for Sanmill {
    fn handshake(&self) -> (&'static str, &'static str) {
        ("uci", "uciok")
    }

    fn new_game(&self) -> &'static str {
        "ucinewgame"
    }

    fn tell_rules(&self, rules: &Rules, _announced: &dyn Fn(&str) -> bool) -> RulesSetup {
        match *rules == Rules::default() {
            true => RulesSetup::Nothing,
            false => RulesSetup::Unknown,
        }
    }

    fn position(&self, rules: &Rules, first: &Position) -> Option<String> {
        if *first == Position::start(rules) {
            return Some("position startpos".to_string());
        }
        let text = sanmill_fen(rules, first)?;
        debug_assert_eq!(parse_position(rules, &text).as_ref(), Ok(first));
        Some(format!("position fen {text}"))
    }

    fn push_turn(&self, rules: &Rules, turn: Turn, list: &mut String) {
        let board = rules.board();
        if turn.to().is_some() || turn == Turn::PASS {
            // Writing to a string cannot fail.
            let _ = write!(list, " {}", turn.without_removals().on(board));
        }
        for point in turn.removals() {
            let _ = write!(list, " x{}", board.point_name(point));
        }
    }

    fn read(&self, line: &str) -> Line {
        read(line, &ScoreWords { plain: "cp", proven: "mate" }, true)
    }

    fn is_split(&self) -> bool {
        true
    }

    fn scores_for_white(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Said, *};
    use millrace_engine::{Game, search::Score};

    #[test]
    fn answers_on_one_line_are_understood() {
        let said = Said { depth: Some(10), score: Some(Score::Cp(1)), nodes: Some(1_291_987) };
        let line = "info depth 10 score cp 1 nodes 1291987 bestmove g4";
        assert_eq!(Sanmill.read(line), Line::Best(Some("g4".into()), said));
        let bare = Said { score: Some(Score::Cp(0)), ..Said::default() };
        let line = "info score 0 bestmove none";
        assert_eq!(Sanmill.read(line), Line::Best(Some("none".into()), bare));
        let best = Line::Best(Some("xb4".into()), Said::default());
        assert_eq!(Sanmill.read("bestmove xb4"), best);
    }

    #[test]
    fn turns_are_told_action_by_action() {
        let rules = Rules::default();
        let mut game = Game::new(rules);
        let mut list = String::new();
        for turn in ["d6", "f4", "d5", "f2", "d7xf4"] {
            let turn = game.play_text(turn).expect("a legal turn");
            Sanmill.push_turn(&rules, turn, &mut list);
        }
        assert_eq!(list, " d6 f4 d5 f2 d7 xf4");
        let told = Sanmill.position(&rules, game.position()).expect("a board of 24 points");
        let read = parse_position(&rules, &told["position fen ".len()..]);
        assert_eq!(read.as_ref(), Ok(game.position()));
    }
}
