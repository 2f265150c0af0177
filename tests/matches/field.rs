//! Engines of all dialects, in matches of two and more.

use crate::runner::{Place, number};
use serde_json::json;

/// Plays a scripted engine of a dialect against this project's own, with little to think, and
/// returns talk and records.
fn talk(proto: &str, rules: &str) -> (String, String) {
    let place = Place::new();
    let kind = if proto == "native" { "random" } else { proto };
    let keys = format!("proto={proto} nodes=1");
    let scripted = place.scripted("it", &format!("kind={kind}"), &keys);
    let millrace = Place::millrace("millrace", "nodes=1");
    let book = ["--rules", rules, "openings", "--plies", "3", "--count", "8"];
    place.write("book.txt", &place.run(&book).stdout);
    let args = ["--rules", rules, "--rounds", "8", "--openings", "file=book.txt"];
    let files = ["--log", "talk.txt", "--record", "r.pgn"];
    let report = place.report(&[&scripted, &millrace], &[&args[..], &files].concat());
    assert_eq!(report["games_played"], 16);
    for engine in report["engines"].as_array().expect("engines") {
        assert_eq!(engine["troubles"], json!({}), "{report:#}");
    }
    (place.read("talk.txt"), place.read("r.pgn"))
}

pub fn each_dialect_plays_a_match() {
    let (native, _) = talk("native", "six");
    assert!(native.contains("it > setoption name UCI_Variant value six"));
    let (gbgp, records) = talk("gbgp", "nine");
    assert!(gbgp.contains("it > gbgp") && gbgp.contains("it > newgame"));
    assert!(records.contains("+0.07/3"), "{records}");
    let (sanmill, records) = talk("sanmill", "nine");
    // Removals are asked for by a question of their own.
    assert!(sanmill.contains("it < info depth 10 score cp 100 nodes 1291987 bestmove x"));
    // What is a stone more for White is told as such of its turns, and as a stone less of Black's:
    // records have the mover's view.
    assert!(records.contains("{+1.00/10") && records.contains("{-1.00/10"), "{records}");
}

/// This project's own engine is an engine of every dialect: what it says in one it says in all.
pub fn dialects_do_not_change_the_games() {
    let place = Place::new();
    let book = ["openings", "--plies", "4", "--count", "5"];
    place.write("book.txt", &place.run(&book).stdout);
    let games = |keys: &str| {
        let engines = [Place::millrace("a", keys), Place::millrace("b", "nodes=150")];
        let args = ["--rounds", "5", "--openings", "file=book.txt", "--overwrite"];
        let report = place.report(&[&engines[0], &engines[1]], &args);
        assert_eq!(report["engines"][0]["troubles"], json!({}), "{report:#}");
        place.games("match.state")
    };
    let native = games("nodes=100");
    assert_eq!(games("nodes=100 proto=gbgp"), native);
    // Removals are a search of their own then, and may come out otherwise.
    let split = games("nodes=100 proto=sanmill option.SplitMoves=true");
    assert_eq!(split.len(), native.len());
}

/// First positions that are no start are told to each dialect in its own notation.
pub fn positions_are_told_in_each_dialect() {
    let place = Place::new();
    place.write("book.txt", "3/1W1/3/1B4/3/3/3 w 8 8 0 2\n3/1W1/3/3B2/3/3/3 w 8 8 0 2 moves b4\n");
    let sanmill = place.scripted("san", "kind=sanmill", "proto=sanmill nodes=1");
    let gbgp = place.scripted("gb", "kind=gbgp", "proto=gbgp nodes=1");
    let args = ["--rounds", "2", "--openings", "file=book.txt", "--log", "talk.txt"];
    let report = place.report(&[&sanmill, &gbgp], &args);
    for engine in report["engines"].as_array().expect("engines") {
        assert_eq!(engine["troubles"], json!({}), "{report:#}");
    }
    let talk = place.read("talk.txt");
    assert!(talk.contains("gb > position pos w:wd6:bb4:2"), "{talk}");
    assert!(talk.contains("san > position fen ********/O*****@*/******** w p p 1 8 1 8"), "{talk}");
    // Hands that the protocol cannot say.
    place.write("book.txt", "3/1W1/3/1B4/3/3/3 w 5 8 0 2\n");
    let args = ["--openings", "file=book.txt", "--overwrite"];
    let outcome = place.play_anyhow(&[&sanmill, &gbgp], &args);
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("gb cannot be told"), "{}", outcome.stderr);
}

pub fn options_are_checked() {
    let place = Place::new();
    let keys = "nodes=1 option.Level=12 option.Colour=red";
    let scripted = place.scripted("a", "", keys);
    let gbgp = place.scripted("b", "kind=gbgp", "proto=gbgp nodes=1 option.Level=3");
    let args = ["--rules", "nine+fly=0", "--rounds", "1", "--log", "talk.txt"];
    let outcome = place.play(&[&scripted, &gbgp], &args);
    for warning in [
        "a: it announces no option 'Colour'",
        "a: its option 'Level' takes spin 0 to 9, not '12'",
        "b: it announces no option for the rules nine-nofly",
    ] {
        assert!(outcome.stderr.contains(warning), "{warning}: {}", outcome.stderr);
    }
    assert_eq!(outcome.stderr.matches("warning").count(), 3, "{}", outcome.stderr);
    let talk = place.read("talk.txt");
    assert!(talk.contains("b > setoption name Level value 3"));
    assert!(talk.contains("a > setoption name UCI_Variant value nine-nofly"));
}

pub fn clocks_are_told() {
    let place = Place::new();
    let a = place.scripted("a", "", "tc=4/100+50");
    let b = place.scripted("b", "seed=2", "nodes=7 depth=3");
    let args = ["--rounds", "1", "--log", "talk.txt", "--max-plies", "24"];
    place.play(&[&a, &b], &args);
    let talk = place.read("talk.txt");
    let goes = |name: &str| -> Vec<String> {
        let marker = format!(" {name} > go ");
        let lines = talk.lines().filter_map(|line| line.split_once(&marker));
        lines.map(|(_, limits)| limits.to_string()).collect()
    };
    let own = goes("a");
    assert_eq!(own[0], "wtime 100000 btime 100000 winc 50000 binc 50000 movestogo 4");
    assert!(own[3].ends_with("movestogo 1") && own[4].ends_with("movestogo 4"), "{own:?}");
    // The increment has come, some thinking has gone, and after four turns the time is new.
    let left = |go: &str| go.split(' ').nth(1).and_then(|ms| ms.parse::<u64>().ok());
    assert!(left(&own[1]) > left(&own[0]) && left(&own[4]) > Some(300_000), "{own:?}");
    assert!(goes("b").iter().all(|go| go == "nodes 7 depth 3"));
}

pub fn three_engines_are_rated() {
    let place = Place::new();
    let engines =
        ["100", "1000", "10"].map(|n| Place::millrace(&format!("n{n}"), &format!("nodes={n}")));
    let [a, b, c] = &engines;
    place.write(
        "book.txt",
        &place.run(&["--rules", "six-fly", "openings", "--plies", "4", "--count", "6"]).stdout,
    );
    let args = ["--rules", "six-fly", "--rounds", "6", "--openings", "file=book.txt"];
    let report = place.report(&[a, b, c], &args);
    assert_eq!(report["games_played"], 36);
    assert_eq!(report["pairings"].as_array().map(Vec::len), Some(3));
    let rating = |n: usize| number(&report, &format!("/engines/{n}/rating/elo"));
    assert!(rating(1) > rating(2), "{report:#}");
    assert!((rating(0) + rating(1) + rating(2)).abs() < 1e-6);
    // Points are given to one or the other.
    let points: f64 = (0..3)
        .map(|n| {
            number(&report, &format!("/engines/{n}/score"))
                * number(&report, &format!("/engines/{n}/pairs"))
        })
        .sum();
    assert!((points - 18.0).abs() < 1e-9, "{report:#}");
}

pub fn a_gauntlet_spares_the_others() {
    let place = Place::new();
    let engines = [1, 2, 3]
        .map(|seed| place.scripted(&format!("e{seed}"), &format!("seed={seed}"), "nodes=1"));
    let [a, b, c] = &engines;
    let report = place.report(&[a, b, c], &["--rounds", "2", "--seeds", "1"]);
    assert_eq!(report["games_played"], 8);
    let pairings = report["pairings"].as_array().expect("pairings");
    assert!(pairings.iter().all(|pairing| pairing["first"] == "e1"), "{report:#}");
    assert_eq!(pairings.len(), 2);
}

pub fn engines_may_be_restarted() {
    let place = Place::new();
    // The one that is started anew misbehaves in each game, the other only in the first.
    let a = place.scripted("a", "kind=illegal at=2", "nodes=1 restart=on");
    let b = place.scripted("b", "", "nodes=1");
    let report = place.report(&[&a, &b], &["--rounds", "2"]);
    assert_eq!(report["engines"][0]["troubles"]["illegal turn"], 4, "{report:#}");
}
