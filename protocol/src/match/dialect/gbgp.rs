//! The Generic Board Game Protocol (Simon-Mihai Maracine).

use super::{
    Dialect, Line, RulesSetup,
    native::RULES_OPTION,
    push_whole,
    read::{ScoreWords, read},
};
use millrace_engine::{Board, Color, Position, Rules, Turn, text::parse_position};

pub(super) struct Gbgp;

const TWELVE_OPTION: &str = "TwelveMensMorris";

impl Dialect for Gbgp {
    fn handshake(&self) -> (&'static str, &'static str) {
        ("gbgp", "gbgpok")
    }

    fn new_game(&self) -> &'static str {
        "newgame"
    }

    fn tell_rules(&self, rules: &Rules, announced: &dyn Fn(&str) -> bool) -> RulesSetup {
        if *rules == Rules::default() && !announced(RULES_OPTION) {
            return RulesSetup::Nothing;
        }
        match rules.board() == Board::NineDiagonals && rules.stones() == 12 {
            _ if announced(RULES_OPTION) => RulesSetup::Option(RULES_OPTION, rules.to_string()),
            true if announced(TWELVE_OPTION) => RulesSetup::Option(TWELVE_OPTION, "true".into()),
            _ => RulesSetup::Unknown,
        }
    }

    fn position(&self, rules: &Rules, first: &Position) -> Option<String> {
        if *first == Position::start(rules) {
            return Some("position startpos".to_string());
        }
        let text = position_text(rules, first);
        // The notation has no hands: what it is read back as must be what is meant.
        let read = parse_position(rules, &text).ok()?;
        (read.packed() == first.packed()).then(|| format!("position pos {text}"))
    }

    fn push_turn(&self, rules: &Rules, turn: Turn, list: &mut String) {
        push_whole(rules, turn, list);
    }

    fn read(&self, line: &str) -> Line {
        read(line, &ScoreWords { plain: "eval", proven: "win" }, false)
    }
}

/// A position in this protocol's notation: side, stones, stones, move number.
fn position_text(rules: &Rules, position: &Position) -> String {
    let stones = |color| {
        let points = position.points(color).map(|point| rules.board().point_name(point));
        points.collect::<Vec<_>>().join(",")
    };
    let side = ['w', 'b'][position.side().index()];
    let (white, black) = (stones(Color::White), stones(Color::Black));
    format!("{side}:w{white}:b{black}:{}", position.move_number())
}

#[cfg(test)]
mod tests {
    use super::{super::Said, *};
    use millrace_engine::{Game, search::Score};

    #[test]
    fn positions_without_hands_are_told_or_refused() {
        let rules = Rules::default();
        let mut game = Game::new(rules);
        for turn in ["d6", "f4", "d2"] {
            game.play_text(turn).expect("a legal turn");
        }
        let told = Gbgp.position(&rules, game.position());
        assert_eq!(told.as_deref(), Some("position pos b:wd6,d2:bf4:2"));
        let odd = parse_position(&rules, "3/1W1/3/6/3/3/3 b 5 9 0 1").expect("a position");
        assert_eq!(Gbgp.position(&rules, &odd), None);
    }

    #[test]
    fn rules_are_told_by_what_is_announced() {
        let six: Rules = Rules::parse("six").expect("a preset");
        let told = |names: &[&str]| Gbgp.tell_rules(&six, &|name| names.contains(&name));
        let option = RulesSetup::Option(RULES_OPTION, six.to_string());
        assert_eq!(told(&[RULES_OPTION, TWELVE_OPTION]), option);
        assert_eq!(told(&[TWELVE_OPTION]), RulesSetup::Unknown);
        assert_eq!(Gbgp.tell_rules(&Rules::default(), &|_| false), RulesSetup::Nothing);
    }

    #[test]
    fn scores_have_words_of_their_own() {
        let said = |score| Line::Info(Said { depth: Some(3), score: Some(score), nodes: None });
        assert_eq!(Gbgp.read("info depth 3 score eval -12"), said(Score::Cp(-12)));
        assert_eq!(Gbgp.read("info depth 3 score win 2"), said(Score::Mate(2)));
    }
}
