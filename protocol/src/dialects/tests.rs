//! Answers word for word.

use super::*;
use millrace_engine::{
    Game, Rules,
    search::{Bound, Score},
};
use std::time::Duration;

const PLAIN: Wording = Wording { board: Board::Nine, show_wdl: false, split: false };

/// A report whose line closes a mill.
fn info(score: Score) -> Info {
    let mut game = Game::new(Rules::default());
    for turn in ["d6", "f4", "d5", "g4"] {
        game.play_text(turn).expect("a legal turn");
    }
    let pv = ["d7xf4", "a1"].map(|t| game.play_text(t).expect("a legal turn")).to_vec();
    Info {
        depth: 7,
        sel_depth: 9,
        multi_pv: 1,
        score,
        bound: None,
        nodes: 3000,
        hash_full: 12,
        table_hits: 0,
        time: Duration::from_millis(2),
        pv,
    }
}

fn best(info: &Info) -> Best {
    Best { turn: Some(info.pv[0]), ponder: Some(info.pv[1]) }
}

#[test]
fn native_lines_have_every_field_in_order() {
    assert_eq!(
        NATIVE.info(&PLAIN, &info(Score::Cp(-15))).as_deref(),
        Some(
            "info depth 7 seldepth 9 multipv 1 score cp -15 nodes 3000 nps 1500000 hashfull 12 \
             tbhits 0 time 2 pv d7xf4 a1"
        )
    );
}

#[test]
fn native_bounds_and_chances_follow_the_score() {
    let info = Info { bound: Some(Bound::Upper), ..info(Score::Mate(-3)) };
    let wording = Wording { show_wdl: true, ..PLAIN };
    let line = NATIVE.info(&wording, &info).unwrap_or_default();
    assert!(line.contains(" score mate -3 upperbound wdl 0 0 1000 nodes "), "{line}");
}

#[test]
fn split_turns_are_sent_action_by_action() {
    let wording = Wording { split: true, ..PLAIN };
    let info = info(Score::Cp(0));
    let line = NATIVE.info(&wording, &info).unwrap_or_default();
    assert!(line.ends_with(" pv d7 xf4 a1"), "{line}");
    let style = Style { dialect: &NATIVE, wording };
    assert_eq!(style.best(&best(&info)), "bestmove d7");
    let plain = Best { turn: Some(info.pv[1]), ponder: Some(info.pv[0]) };
    assert_eq!(style.best(&plain), "bestmove a1 ponder d7");
    let removal = info.pv[0].actions().nth(1);
    assert_eq!(style.best(&Best { turn: removal, ponder: None }), "bestmove xf4");
}

#[test]
fn gbgp_has_its_own_words() {
    let info = info(Score::Cp(-15));
    assert_eq!(
        GBGP.info(&PLAIN, &info).as_deref(),
        Some(
            "info depth 7 seldepth 9 score eval -15 nodes 3000 nps 1500000 hashfull 12 time 2 pv \
             d7xf4 a1"
        )
    );
    let won = Info { score: Score::Mate(2), bound: Some(Bound::Lower), ..info.clone() };
    let line = GBGP.info(&PLAIN, &won).unwrap_or_default();
    assert!(line.contains(" score win 2 lowerbound nodes "), "{line}");
    assert_eq!(GBGP.info(&PLAIN, &Info { multi_pv: 2, ..info.clone() }), None);
    let style = Style { dialect: &GBGP, wording: PLAIN };
    assert_eq!(style.best(&best(&info)), "bestmove d7xf4 ponder a1");
    assert_eq!(style.best(&Best { turn: None, ponder: None }), "bestmove none");
}
