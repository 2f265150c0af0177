//! The referee: games end as the rules say, or as both engines agree, and never by a claim.

use crate::runner::Place;
use millrace_engine::{
    Game, Outcome, Rules,
    search::certain_value,
    table::{Tables, Wdl},
    text::{Record, record::GameResult},
};

pub fn games_end_by_the_rules() {
    let place = Place::new();
    let (a, b) =
        (place.scripted("a", "seed=1", "nodes=1"), place.scripted("b", "seed=2", "nodes=1"));
    place.write("book.txt", "a1\nd1\ng1\nb2\nd2\nf2\nc3\nd3\ne3\na4\n");
    let args = ["--rounds", "10", "--openings", "file=book.txt", "--record", "games.pgn"];
    place.play(&[&a, &b], &args);
    // The records are replayed turn by turn, and must end where and as they say.
    let text = place.read("games.pgn");
    let records: Vec<&str> = text.split("[Match ").skip(1).collect();
    assert_eq!(records.len(), 20);
    for record in records {
        let game = replayed(Rules::default(), record);
        let outcome = game.outcome();
        let result = GameResult::from(outcome).as_str();
        assert!(outcome.is_over(), "{record}");
        assert!(record.contains(&format!("[Result \"{result}\"]")), "{record}");
        assert!(record.contains(&format!("[Termination \"{}\"]", outcome.reason())), "{record}");
        let mut before = game.clone();
        before.take_back();
        assert!(!before.outcome().is_over(), "{record}");
    }
}

/// Plays the turns of a record by plain means: all words that are no numbers, comments or results.
pub fn replayed(rules: Rules, record: &str) -> Game {
    let (_, moves) = record.split_once("\n\n").expect("tags and turns");
    let mut game = Game::new(rules);
    let mut in_comment = false;
    for word in moves.split_whitespace() {
        let is_comment = in_comment || word.starts_with('{');
        in_comment = is_comment && !word.ends_with('}');
        let is_turn = word.starts_with(|c: char| c.is_ascii_lowercase());
        if !is_comment && is_turn {
            game.play_text(word).expect("a legal turn");
        }
    }
    game
}

pub fn draws_are_claimed_in_vain() {
    let place = Place::new();
    let good = place.scripted("good", "", "nodes=1");
    let claimer = place.scripted("claimer", "kind=claim at=4", "nodes=1");
    let report = place.report(&[&claimer, &good], &["--rounds", "1"]);
    assert_eq!(report["engines"][0]["troubles"]["illegal turn"], 1, "{report:#}");
    // Sanmill's claims come from the history; asked again without it, it has to play on.
    let sanmill = place.scripted("sanmill", "kind=sanmill-claim", "proto=sanmill nodes=1");
    let args = ["--rounds", "2", "--overwrite", "--log", "talk.txt"];
    let report = place.report(&[&sanmill, &good], &args);
    assert_eq!(report["engines"][0]["troubles"], serde_json::json!({}), "{report:#}");
    let talk = place.read("talk.txt");
    assert!(talk.contains("sanmill < info score 0 bestmove draw"));
    assert!(talk.contains("sanmill > position fen "));
}

pub fn wins_and_draws_are_agreed_on() {
    // The scores that the first and the second engine tell in every turn.
    let report = |first: &str, second: &str| {
        let place = Place::new();
        let engine = |name, seed, score| {
            place.scripted(name, &format!("seed={seed} score=\"cp {score}\""), "nodes=1")
        };
        let engines = [engine("a", 1, first), engine("b", 2, second)];
        let args = ["--rounds", "1", "--resign", "moves=2 score=600", "--draw", "from=12 moves=2"];
        place.report(&[&engines[0], &engines[1]], &args)
    };
    let win = report("700", "-700");
    assert_eq!(win["endings"]["win agreed"], 2, "{win:#}");
    assert_eq!(win["pairings"][0]["pairs"], serde_json::json!([0, 0, 0, 0, 1]));
    assert_eq!(win["plies_a_game"], 4.0);
    let draw = report("3", "-3");
    assert_eq!(draw["endings"]["draw agreed"], 2, "{draw:#}");
    assert_eq!(draw["plies_a_game"], 12.0);
    // One engine alone agrees to nothing.
    for (first, second) in [("700", "700"), ("700", "3"), ("3", "-700")] {
        let alone = report(first, second);
        assert!(alone["endings"]["win agreed"].is_null(), "{alone:#}");
        assert!(alone["endings"]["draw agreed"].is_null(), "{alone:#}");
    }
}

/// In tapatan only b2 wins on the empty board; nobody has a win after a1.
pub fn tables_end_games_and_mark_mistakes() {
    let place = Place::new();
    let (a, b) =
        (place.scripted("a", "seed=1", "nodes=1"), place.scripted("b", "seed=2", "nodes=1"));
    let args = |more: &[&'static str]| {
        let common =
            ["--rules", "tapatan", "--rounds", "2", "--overwrite", "--record", "games.pgn"];
        [&common[..], more].concat()
    };
    // The empty board is won, so that nothing is left to be played.
    let report = place.report(&[&a, &b], &args(&["--tables"]));
    assert_eq!(report["endings"], serde_json::json!({"win by tables": 4}), "{report:#}");
    assert_eq!(report["plies_a_game"], 0.0);
    place.write("book.txt", "a1\nb2 a1\n");
    let book = ["--openings", "file=book.txt", "--tables"];
    let report = place.report(&[&a, &b], &args(&book));
    let endings = report["endings"].as_object().expect("endings");
    assert!(endings.keys().all(|ending| ending.ends_with("by tables")), "{report:#}");
    // Played out, the record tells by which turns values went away; each is held against tables.
    std::fs::remove_file(place.path("games.pgn")).expect("it is there");
    let more = ["--tables-end", "none", "--max-plies", "40"];
    place.report(&[&a, &b], &args(&more.iter().chain(&["--tables"]).copied().collect::<Vec<_>>()));
    let rules = Rules::named("tapatan").expect("a preset");
    let tables = Tables::new(rules, &[], 1 << 24);
    let text = place.read("games.pgn");
    let mut marks = 0;
    for record in Record::read_all(&text, None).expect("records") {
        let mut game = Game::new(rules);
        for entry in &record.moves {
            let before = certain_value(&tables, &game);
            assert!(game.play(entry.turn));
            let after = match game.outcome() {
                Outcome::Draw(_) => Some(Wdl::Draw),
                _ => certain_value(&tables, &game).map(|value| value.wdl.reversed()),
            };
            let (Some(before), Some(after)) = (before, after) else { continue };
            let lost = before.wdl > after;
            assert_eq!(entry.comment.contains(" to "), lost, "{entry:?}");
            marks += usize::from(lost);
        }
    }
    assert!(marks > 4, "{text}");
    // A table that is damaged is told of, and the match goes on.
    for folder in ["somewhere", "elsewhere"] {
        place.write_in(folder, "tapatan-0-0_3-3.mrw", "no table");
    }
    let outcome = place.play(&[&a, &b], &args(&["--tables", "somewhere"]));
    assert!(outcome.stderr.contains("somewhere"), "{}", outcome.stderr);
    // Where tables lie may change in the course of a match, but not how they judge.
    let resumed = |more: &[&str]| {
        let args = ["--rules", "tapatan", "--rounds", "3", "--resume", "--json"];
        place.play_anyhow(&[&a, &b], &[&args[..], more].concat())
    };
    let outcome = resumed(&["--tables-end", "wins", "--tables"]);
    assert!(outcome.stderr.contains("--tables-end"), "{}", outcome.stderr);
    let outcome = resumed(&["--tables", "elsewhere"]);
    assert!(outcome.stderr.contains("elsewhere"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("\"games_played\": 6"), "{}", outcome.stdout);
}

pub fn long_games_are_drawn() {
    let place = Place::new();
    let (a, b) = (place.scripted("a", "", "nodes=1"), place.scripted("b", "seed=2", "nodes=1"));
    let report = place.report(&[&a, &b], &["--rounds", "1", "--max-plies", "7"]);
    assert_eq!(report["endings"]["length"], 2);
    assert_eq!(report["plies_a_game"], 7.0);
}

pub fn all_rules_can_be_played() {
    for preset in millrace_engine::rules::PRESETS {
        let place = Place::new();
        let scripted = place.scripted("random", "", "nodes=1");
        let millrace = Place::millrace("millrace", "nodes=50");
        let args = ["--rules", preset.name, "--rounds", "2", "--record", "games.pgn"];
        let report = place.report(&[&scripted, &millrace], &args);
        assert_eq!(report["games_played"], 4, "{}", preset.name);
        assert_eq!(report["rules"], preset.name);
        for engine in report["engines"].as_array().expect("engines") {
            assert_eq!(engine["troubles"], serde_json::json!({}), "{}", preset.name);
        }
        let record = place.read("games.pgn");
        let fingerprint = format!("[RulesFingerprint \"{:016x}\"]", preset.rules.fingerprint());
        assert_eq!(record.matches(&fingerprint).count(), 4, "{record}");
    }
}
