//! GBGP, and turns sent action by action, with the real program.

use crate::driver::{Driver, field};
use millrace_engine::{Game, Rules, Turn};

/// A program that speaks GBGP, and its answer to the handshake.
fn gbgp() -> (Driver, Vec<String>) {
    let mut engine = Driver::start();
    engine.send("gbgp");
    let lines = engine.until("gbgpok");
    (engine, lines)
}

/// A program that sends and takes actions.
fn split() -> Driver {
    let mut engine = Driver::start();
    engine.tell("setoption name SplitMoves value true");
    engine
}

fn best(lines: &[String]) -> &str {
    field(&lines[lines.len() - 1], "bestmove").expect("a bestmove")
}

fn shown(engine: &mut Driver, beginning: &str) -> String {
    let lines = engine.show();
    lines.into_iter().find(|line| line.starts_with(beginning)).expect("it is shown")
}

#[test]
fn gbgp_greets_in_its_own_words() {
    let (mut engine, lines) = gbgp();
    assert!(lines[0].starts_with("id name Millrace "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let options = &lines[2..lines.len() - 1];
    assert!(options.iter().all(|line| line.starts_with("option name ")), "{lines:?}");
    let has =
        |name: &str| options.iter().any(|l| l.starts_with(&format!("option name {name} type")));
    for name in ["Hash", "Ponder", "OwnBook", "TwelveMensMorris"] {
        assert!(has(name), "{name}");
    }
    for name in ["MultiPV", "SplitMoves", "UCI_ShowWDL"] {
        assert!(!has(name), "{name}");
    }
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(!lines.iter().any(|line| line.contains("TwelveMensMorris")), "{lines:?}");
}

#[test]
fn gbgp_says_only_what_its_document_knows() {
    let (mut engine, _) = gbgp();
    engine.tell("newgame");
    engine.tell("position startpos moves b4 d2");
    for go in [
        "go depth 4",
        "go searchmoves c4 d6 depth 3",
        "go nodes 2000",
        "go wtime 1000 btime 1000 winc 0 binc 0 movestogo 20",
        "go movetime 20",
        "go wtime 0 btime 0 movetime 5",
    ] {
        let lines = engine.go(go);
        assert!(lines.len() > 1, "{go}: {lines:?}");
        for line in &lines[..lines.len() - 1] {
            let mut words = line.split(' ').skip(1);
            while let Some(word) = words.next() {
                match word {
                    "depth" | "seldepth" | "nodes" | "nps" | "hashfull" | "time" => {
                        let number = words.next().and_then(|word| word.parse::<u64>().ok());
                        assert!(number.is_some(), "{line}");
                    }
                    "score" => {
                        assert!(matches!(words.next(), Some("eval" | "win")), "{line}");
                        assert!(words.next().is_some_and(|n| n.parse::<i32>().is_ok()), "{line}");
                    }
                    "lowerbound" | "upperbound" => {}
                    "pv" => break,
                    _ => panic!("'{word}' is not GBGP: {line}"),
                }
            }
        }
    }
}

#[test]
fn gbgp_plays_whole_games_of_both_kinds() {
    for (twelve, rules) in [("false", "nine"), ("true", "morabaraba")] {
        let (mut engine, _) = gbgp();
        engine.tell(&format!("setoption name TwelveMensMorris value {twelve}"));
        engine.tell("newgame");
        let mut game = Game::new(Rules::named(rules).expect("a preset"));
        let mut played = Vec::new();
        while !game.outcome().is_over() && played.len() < 80 {
            let moves = if played.is_empty() { "" } else { " moves " };
            let base = if played.len() % 2 == 0 { "startpos" } else { "pos w:w:b:1" };
            engine.tell(&format!("position {base}{moves}{}", played.join(" ")));
            let lines = engine.go("go wtime 60000 btime 60000 depth 2");
            let turn = best(&lines).to_string();
            game.play_text(&turn).unwrap_or_else(|error| panic!("{rules}: {error}"));
            played.push(turn);
        }
        assert!(played.len() > 20);
    }
}

#[test]
fn gbgp_has_a_word_for_no_turn() {
    let (mut engine, _) = gbgp();
    let game = include_str!("../data/games/playok-numbered-as-algebraic.txt");
    engine.tell(&format!("position startpos moves {}", game.trim()));
    assert_eq!(engine.go("go depth 3").last().map(String::as_str), Some("bestmove none"));
}

#[test]
fn gbgp_pondering_and_stopping() {
    let (mut engine, _) = gbgp();
    engine.tell("position pos w:wb4:bd2:2 moves c4 f4");
    engine.send("go ponder wtime 1000 btime 1000");
    engine.wait_for("info");
    engine.send("ponderhit");
    engine.wait_for("bestmove");
    engine.send("go");
    engine.wait_for("info");
    engine.send("stop");
    engine.wait_for("bestmove");
    engine.send("quit");
    assert_eq!(engine.status().code(), Some(0));
}

#[test]
fn a_whole_game_is_driven_by_single_actions() {
    let mut removals = 0;
    for rules in [
        "nine",
        "nine+removals=per-mill",
        "morabaraba",
        "six",
        "lasker",
        "twelve",
        "eleven",
        "seven",
    ] {
        let mut engine = split();
        engine.tell(&format!("setoption name UCI_Variant value {rules}"));
        let rules: Rules = rules.parse().expect("rules");
        let mut game = Game::new(rules);
        let (mut tokens, mut turn) = (Vec::new(), String::new());
        while !game.outcome().is_over() && tokens.len() < 150 {
            engine.tell(&format!("position startpos moves {}", tokens.join(" ")));
            let lines = engine.go("go depth 3");
            let token = best(&lines).to_string();
            // One action: a placement or move, or a removal.
            let is_removal = token.starts_with('x');
            assert_eq!(token.matches('x').count(), usize::from(is_removal), "{token}");
            assert_eq!(is_removal, !turn.is_empty(), "{token} after '{turn}'");
            let pv = lines[lines.len() - 2].split(" pv ").nth(1).expect("a line");
            assert!(pv.starts_with(&token), "{token} {pv}");
            turn += &token;
            removals += usize::from(is_removal);
            tokens.push(token);
            // The turn is whole once it is legal.
            if game.play_text(&turn).is_ok() {
                turn.clear();
            }
        }
        assert!(game.turns().len() > 20, "{rules}: {tokens:?}");
    }
    assert!(removals > 20, "{removals}");
}

#[test]
fn a_removal_that_is_owed_is_a_root_of_its_own() {
    let mut engine = split();
    engine.tell("position startpos moves d6 f4 d5 g4 d7");
    assert_eq!(shown(&mut engine, "Fen: "), "Fen: 1W1/1W1/1W1/4BB/3/3/3 w 6 7 0 3 x1");
    assert_eq!(shown(&mut engine, "Result: "), "Result: ongoing");
    assert_eq!(engine.answers("moves"), ["Legal: 2", "xg4 xf4"]);
    let lines = engine.go("go depth 2 searchmoves xf4");
    assert_eq!(best(&lines), "xf4");
    engine.tell("position startpos moves d6 f4 d5 g4 d7 xf4 a1");
    assert_eq!(shown(&mut engine, "Fen: "), "Fen: 1W1/1W1/1W1/5B/3/3/B2 w 6 6 0 4");
    // The whole turn as one token is good as well.
    engine.tell("position startpos moves d6 f4 d5 g4 d7xf4 a1");
}

#[test]
fn double_mills_are_paid_for_one_by_one() {
    let mut engine = split();
    engine.tell("setoption name Removals value per-mill");
    let fen = "position fen 1W1/1W1/3/B5/WW1/B2/B1B w 3 3 0 7";
    engine.tell(&format!("{fen} moves d5"));
    assert!(shown(&mut engine, "Fen: ").contains(" w 2 3 0 7 x1"));
    let fen = "position fen WW1/3/W2/B1W3/3/B2/B1B w 3 3 0 7";
    engine.tell(fen);
    engine.tell("position fen 1WW/1W1/2W/B4B/2W/B2/B1B w 3 3 0 7 moves d5");
    let owed = shown(&mut engine, "Fen: ");
    assert!(owed.ends_with(" x1"), "{owed}");
    engine.tell("position fen 1W1/1W1/W1W/B4B/3/B2/B1B w 3 3 0 7 moves d5");
    assert!(shown(&mut engine, "Fen: ").ends_with(" w 2 3 0 7 x2"));
    engine.tell("position fen 1W1/1W1/W1W/B4B/3/B2/B1B w 3 3 0 7 moves d5 xa4");
    assert!(shown(&mut engine, "Fen: ").ends_with(" w 2 3 0 7 x1"));
    engine.tell("position fen 1W1/1W1/W1W/B4B/3/B2/B1B w 3 3 0 7 moves d5 xa4 xg4");
    assert!(shown(&mut engine, "Fen: ").ends_with(" b 2 3 0 7"));
}

#[test]
fn sanmill_positions_are_roots() {
    let mut engine = split();
    for (fen, native) in [
        (
            "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
            "3/3/3/6/3/3/3 w 9 9 0 1",
        ),
        (
            "O*******/O*@*****/O*@***** w p r 3 6 2 7 1 0 8 -1 18 -1 0 0 3 ids:nodes",
            "1W1/1W1/1W1/4BB/3/3/3 w 6 7 0 3 x1",
        ),
    ] {
        engine.tell(&format!("position fen {fen}"));
        assert_eq!(shown(&mut engine, "Fen: "), format!("Fen: {native}"));
        engine.go("go depth 3");
    }
}

#[test]
fn only_the_last_turn_may_be_on_its_way() {
    let mut engine = split();
    let error = engine.error("position startpos moves d6 f4 d5 g4 d7 a1");
    assert!(
        error.starts_with("info string error illegal_move: moves[4] 'd7': a mill is closed"),
        "{error}"
    );
    engine.tell("setoption name SplitMoves value false");
    let error = engine.error("position startpos moves d6 f4 d5 g4 d7");
    assert!(
        error.starts_with("info string error illegal_move: moves[4] 'd7': a mill is closed"),
        "{error}"
    );
    let mut engine = split();
    let error = engine.error("position startpos moves d6 f4 d5 g4 d7 xa1");
    assert!(error.starts_with("info string error illegal_move: moves[5] 'xa1'"), "{error}");
}

#[test]
fn actions_make_the_turns_that_they_are_made_of() {
    let rules: Rules = "nine".parse().expect("rules");
    let mut game = Game::new(rules);
    for turn in ["d6", "f4", "d5", "g4", "d7xf4"] {
        game.play_text(turn).expect("a legal turn");
    }
    let last = game.turns()[4];
    let actions: Vec<String> = last.actions().map(|a| a.on(rules.board()).to_string()).collect();
    assert_eq!(actions, ["d7", "xf4"]);
    assert_eq!(Turn::PASS.actions().collect::<Vec<_>>(), [Turn::PASS]);
}
