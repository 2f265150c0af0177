//! Millrace's own dialect, and that of any engine that follows it.

use super::{
    Dialect, Line, RulesSetup, push_whole,
    read::{ScoreWords, read},
};
use millrace_engine::{Position, Rules, Turn, text::fen};

pub(super) struct Native;

pub(super) const RULES_OPTION: &str = "UCI_Variant";

impl Dialect for Native {
    fn handshake(&self) -> (&'static str, &'static str) {
        ("uci", "uciok")
    }

    fn new_game(&self) -> &'static str {
        "ucinewgame"
    }

    fn tell_rules(&self, rules: &Rules, announced: &dyn Fn(&str) -> bool) -> RulesSetup {
        match announced(RULES_OPTION) {
            true => RulesSetup::Option(RULES_OPTION, rules.to_string()),
            false if *rules == Rules::default() => RulesSetup::Nothing,
            false => RulesSetup::Unknown,
        }
    }

    fn position(&self, rules: &Rules, first: &Position) -> Option<String> {
        Some(match *first == Position::start(rules) {
            true => "position startpos".to_string(),
            false => format!("position fen {}", fen(rules, first)),
        })
    }

    fn push_turn(&self, rules: &Rules, turn: Turn, list: &mut String) {
        push_whole(rules, turn, list);
    }

    fn read(&self, line: &str) -> Line {
        read(line, &ScoreWords { plain: "cp", proven: "mate" }, false)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Said, *};
    use millrace_engine::search::Score;

    #[test]
    fn answers_are_understood() {
        let line =
            "info depth 7 seldepth 9 multipv 1 score mate -3 nodes 55 time 2 pv d6 score cp 1";
        let said = Said { depth: Some(7), score: Some(Score::Mate(-3)), nodes: Some(55) };
        assert_eq!(Native.read(line), Line::Info(said));
        assert_eq!(Native.read("info depth 8 score cp 5 lowerbound nodes 9"), Line::Other);
        assert_eq!(Native.read("info depth 8 multipv 2 score cp 5"), Line::Other);
        assert_eq!(Native.read("info string depth 9"), Line::Other);
        assert_eq!(Native.read("info string error bad_move: no"), Line::Refusal);
        let best = |word: &str| Line::Best(Some(word.to_string()), Said::default());
        assert_eq!(Native.read(" bestmove d6xb4 ponder a1"), best("d6xb4"));
        assert_eq!(Native.read("bestmove"), Line::Best(None, Said::default()));
        assert_eq!(Native.read("Segmentation fault"), Line::Garbage);
        assert_eq!(Native.read(""), Line::Other);
    }
}
