//! `millrace analyse` and `millrace board`.

use crate::driver::MILLRACE;
use millrace_engine::{
    Game, Rules, Turn,
    search::{certain_line, certain_value},
    table::{Tables, Wdl},
    text::{Record, parse_position},
};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/games").join(name)
}

fn run(args: &[&str]) -> Output {
    Command::new(MILLRACE).args(args).output().expect("the program starts")
}

fn printed(args: &[&str]) -> String {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// A game in a file of its own.
fn file(folder: &Path, text: &str) -> String {
    let path = folder.join("game.txt");
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&printed(&[&["analyse", "--json"], args].concat())).expect("JSON")
}

#[test]
fn every_turn_of_every_record_is_judged() {
    for name in ["columns-223.txt", "columns-200.txt", "playok-numbered.pgn"] {
        let path = data(name).display().to_string();
        let report = json(&[&path, "--depth", "3"]);
        let text = std::fs::read_to_string(&path).expect("a record");
        let record = Record::read_all(&text, None).expect("a game").remove(0);
        let turns = report["turns"].as_array().expect("turns");
        assert_eq!(turns.len(), record.moves.len());
        assert_eq!(report["result"], record.result.as_str());
        let mut game = record.game();
        for (turn, entry) in turns.iter().zip(&record.moves).rev() {
            let position = parse_position(&record.rules, turn["fen"].as_str().expect("a FEN"));
            assert_eq!(position.as_ref(), Ok(game.position()));
            game.take_back();
            assert_eq!(turn["turn"], entry.turn.on(record.rules.board()).to_string());
            let best = turn["best"][0].as_str().expect("a best turn");
            assert!(game.clone().play_text(best).is_ok(), "{best}");
            assert_eq!(turn["class"] == "best", best == turn["turn"] && turn["class"] != "forced");
        }
        // The loser made the decisive turn.
        let decisive = report["decisive"].as_u64().expect("a decisive turn") as usize;
        let loser = if report["result"] == "1-0" { "black" } else { "white" };
        assert_eq!(turns[decisive]["side"], loser, "{name}");
        assert!(!turns[decisive]["sign"].as_str().expect("a sign").is_empty());
        // The last turn decides by itself: it wins at once.
        let last = &turns[turns.len() - 1];
        assert_eq!((&last["after"]["kind"], &last["after"]["plies"]), (&"win".into(), &1.into()));
    }
}

#[test]
fn a_win_that_is_given_away_is_found_exactly() {
    // In tapatan only b2 wins, in nine plies.
    let folder = tempfile::tempdir().expect("a folder");
    let game = file(folder.path(), "[Variant \"tapatan\"]\n1. a1 b2 *");
    let report = json(&[&game, "--depth", "14"]);
    assert_eq!(report["decisive"], 0, "{report:#}");
    let first = &report["turns"][0];
    assert_eq!(first["before"], serde_json::json!({"kind": "win", "plies": 9, "text": "win 5"}));
    assert_eq!((&first["best"][0], &first["sign"]), (&"b2".into(), &"??".into()));
    let classes = ["lost-win", "win-to-loss"];
    assert!(classes.contains(&first["class"].as_str().expect("a class")), "{first}");
    let text = printed(&["analyse", &game, "--depth", "14"]);
    let summary = text.lines().nth(1).expect("a summary");
    assert!(summary.starts_with("1. a1 decided the game: it "), "{text}");
    assert!(summary.ends_with("Better was b2 (win 5 for White)."), "{text}");
    assert!(text.contains("it lost the win.") && text.contains("<- decisive"), "{text}");
    assert!(text.contains("\n3 .---.---.   White to move\n"), "{text}");
}

#[test]
fn tables_tell_exact_values_without_a_search() {
    // White gives a draw away at random points; a search of one ply would know nothing of it.
    let folder = tempfile::tempdir().expect("a folder");
    let rules = Rules::named("six").expect("a preset");
    let tables = Tables::new(rules, &[], 1 << 24);
    let mut game = Game::new(rules);
    let (mut words, mut slips) = (String::new(), 0);
    for number in 0..24usize {
        if game.outcome().is_over() {
            break;
        }
        let turns = game.position().turns(&rules);
        let turn = turns[number * 7 % turns.len()];
        words += &format!("{} ", turn.on(rules.board()));
        assert!(game.play(turn));
    }
    let path = file(folder.path(), &format!("[Variant \"six\"]\n{words}*"));
    let report = json(&[&path, "--depth", "1"]);
    let turns = report["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), game.turns().len());
    let word = |wdl| match wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    };
    for (position, turn) in game.positions().iter().zip(turns) {
        let value = tables.value(position).expect("all are known");
        assert_eq!(
            (&turn["before"]["kind"], &turn["exact"]),
            (&word(value.wdl).into(), &true.into())
        );
        let plies = (value.wdl != Wdl::Draw).then_some(value.plies);
        assert_eq!(turn["before"]["plies"].as_u64(), plies.map(u64::from), "{turn}");
        let line = turn["best"].as_array().expect("a line");
        let mut best = Game::from_position(rules, *position);
        for word in line {
            best.play_text(word.as_str().expect("text")).expect("a legal turn");
        }
        let left = tables.value(best.position()).expect("all are known");
        let whole = line.len().min(value.plies.into());
        assert_eq!(usize::from(left.plies), usize::from(value.plies) - whole, "{turn}");
        slips += usize::from(!turn["sign"].as_str().expect("text").is_empty());
    }
    assert!(slips > 0, "{report:#}");
    // A damaged table is named, and does no harm.
    let name = format!("{}-0-0_{1}-{1}.mrw", rules.short_name(), rules.stones());
    std::fs::write(folder.path().join(&name), "no table").expect("a file");
    let tables = folder.path().display().to_string();
    let output = run(&["analyse", &path, "--depth", "1", "--json", "--tables", &tables]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.contains(&name), "{errors}");
    let with_fault: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(with_fault, report);
}

/// White has won in tapatan, but both step to and fro until the game is drawn.
#[test]
fn a_win_that_ends_in_a_repetition_was_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = Rules::named("tapatan").expect("a preset");
    let tables = Tables::new(rules, &[], 1 << 24);
    let mut game = Game::new(rules);
    let value = certain_value(&tables, &game).expect("it is known");
    for turn in certain_line(&tables, &game, value, 6) {
        assert!(game.play(turn));
    }
    let text = |turn: &Turn| turn.on(rules.board()).to_string();
    let back = |turn: &str| turn.split_once('-').map(|(from, to)| format!("{to}-{from}"));
    let walk = |first: &str, second: &str| -> Option<Game> {
        let mut game = game.clone();
        let (third, fourth) = (back(first)?, back(second)?);
        for turn in [first, second, &third, &fourth].repeat(2) {
            game.play_text(turn).ok()?;
        }
        Some(game)
    };
    let drawn = game.position().turns(&rules).iter().find_map(|first| {
        let next = game.position().after(*first);
        next.turns(&rules).iter().find_map(|second| walk(&text(first), &text(second)))
    });
    let drawn = drawn.expect("there is room to step to and fro");
    let words: Vec<String> = drawn.turns().iter().map(text).collect();
    let path = file(folder.path(), &format!("[Variant \"tapatan\"]\n{} 1/2-1/2", words.join(" ")));
    let report = json(&[&path, "--depth", "1"]);
    let last = report["turns"].as_array().and_then(|turns| turns.last()).expect("turns");
    assert_eq!((&last["after"]["kind"], &last["exact"]), (&"draw".into(), &true.into()), "{last}");
    assert!(report["decisive"].is_u64(), "{report:#}");
}

#[test]
fn one_of_several_games_is_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = file(folder.path(), "1. d6 f4 *\n1. d2 b4 2. d3 *\n1. d6 d6 *");
    assert_eq!(json(&[&games, "--depth", "1"])["turns"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        json(&[&games, "--depth", "1", "--game", "2"])["turns"].as_array().map(Vec::len),
        Some(3)
    );
    for (number, part) in [("3", "line 3, column 7"), ("4", "only 3 games"), ("0", "0 is not in")] {
        let output = run(&["analyse", &games, "--game", number]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(part), "{errors}");
    }
}

#[test]
fn what_does_not_go_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = file(folder.path(), "1. d6 f4 *");
    for (args, code, part) in [
        (&["analyse", "no such file"][..], 1, "no such file"),
        (&["analyse", &game, "--depth", "2", "--movetime", "5"], 2, "cannot be used with"),
        (
            &["analyse", &game, "--depth", "2", "--html", "/no/such/folder/x"],
            1,
            "/no/such/folder/x",
        ),
        (&["analyse", &game, "--html", &game], 1, "the game is in it, and would be lost"),
        (&["analyse", &game, "--moves", "d6"], 2, "--moves does not go with a record"),
        (&["board", "3/3", "w"], 2, "FEN: the position '3/3 w' has 2 fields"),
    ] {
        let output = run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
        assert!(errors.contains(part), "{args:?}: {errors}");
    }
    let empty = file(folder.path(), "1-0");
    assert!(String::from_utf8_lossy(&run(&["analyse", &empty]).stderr).contains("has no turns"));
}

#[test]
fn boards_are_drawn_as_text_and_as_svg() {
    let fen = "3/1W1/1W1/4BB/3/3/3 w 7 7 0 3";
    let text = printed(&["board", fen]);
    assert!(text.starts_with("7 .-----------.-----------.   White to move\n"), "{text}");
    assert_eq!(printed(&["--fen", fen, "board"]), text);
    let words: Vec<&str> = ["board"].into_iter().chain(fen.split(' ')).collect();
    assert_eq!(printed(&words), text);
    let folder = tempfile::tempdir().expect("a folder");
    for rules in ["nine", "twelve", "seven", "six", "tapatan"] {
        let path = folder.path().join(format!("{rules}.svg"));
        let name = path.display().to_string();
        assert_eq!(printed(&["--rules", rules, "board", "--svg", &name]), "");
        let svg = std::fs::read_to_string(&path).expect("a drawing");
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
        let points = Rules::named(rules).expect("a preset").board().points();
        assert_eq!(svg.matches("class=\"point\"").count(), points);
    }
}

#[test]
fn the_decisive_turn_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("decisive.svg");
    let name = path.display().to_string();
    printed(&[
        "analyse",
        &data("columns-200.txt").display().to_string(),
        "--depth",
        "4",
        "--svg",
        &name,
    ]);
    let svg = std::fs::read_to_string(&path).expect("a drawing");
    assert!(svg.contains(" played\""), "{svg}");
}
