//! What a match writes down: reports, records, and what follows from them.

use crate::runner::{Place, number, results};
use serde_json::Value;

/// A match of two of this project's engines, repeatable by its limits.
fn engines() -> [String; 2] {
    [Place::millrace("more", "nodes=300"), Place::millrace("less", "nodes=40")]
}

fn with_book(rules: &str, count: &str) -> Place {
    let place = Place::new();
    let args = ["--rules", rules, "openings", "--plies", "4", "--count", count];
    place.write("book.txt", &place.run(&args).stdout);
    place
}

pub fn records_tell_what_the_report_counts() {
    let place = with_book("six-fly", "10");
    let [a, b] = engines();
    let args = [
        "--rules",
        "six-fly",
        "--rounds",
        "10",
        "--openings",
        "file=book.txt",
        "--record",
        "r.pgn",
    ];
    let report = place.report(&[&a, &b], &args);
    let records = place.read("r.pgn");
    let mut points = 0.0;
    for record in records.split("[Match ").skip(1) {
        let first_is_white = record.contains("[White \"more\"]");
        points += match () {
            () if record.contains("[Result \"1/2-1/2\"]") => 0.5,
            () if record.contains("[Result \"1-0\"]") == first_is_white => 1.0,
            () => 0.0,
        };
    }
    assert_eq!(records.matches("[Match ").count(), 20);
    assert!(
        (number(&report, "/pairings/0/score/value") * 20.0 - points).abs() < 1e-9,
        "{report:#}"
    );
    assert!(points > 10.0, "{report:#}");
    let counted = |key: &str| number(&report, &format!("/pairings/0/{key}"));
    assert_eq!(counted("wins") + counted("draws") + counted("losses"), 20.0);
    // Turns come with score, depth and time; those of the opening do not.
    let first = records.split("\n\n").nth(1).expect("turns").split('{').nth(1).expect("a comment");
    assert!(first.contains('/') && first.contains('s'), "{first}");
    assert!(records.contains("[OpeningPlies \"4\"]"));
}

pub fn the_report_is_the_same_in_json() {
    let place = with_book("six-fly", "4");
    let [a, b] = engines();
    let args = ["--rules", "six-fly", "--rounds", "4", "--openings", "file=book.txt"];
    let text = place.play(&[&a, &b], &args).stdout;
    let report = place.run(&["match", "--resume", "--json"]).stdout;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let pairs: Vec<f64> =
        (0..5).map(|n| number(&report, &format!("/pairings/0/pairs/{n}"))).collect();
    let line = format!(
        "pairs       0: {}, ½: {}, 1: {}, 1½: {}, 2: {}",
        pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]
    );
    assert!(text.contains(&line), "{text}\n{report:#}");
    let elo = format!("Elo         {:+.1} (95 %: ", number(&report, "/pairings/0/elo/value"));
    assert!(text.contains(&elo), "{text}\n{report:#}");
    assert!(text.contains("troubles      none"), "{text}");
}

pub fn openings_are_played_with_both_colours() {
    let place = Place::new();
    place.write("book.txt", "# three\na1 d1\nd6 f4 d2\n3/1W1/3/6/3/3/3 b 8 9 0 1\n");
    let (a, b) = (place.scripted("a", "", "nodes=1"), place.scripted("b", "seed=2", "nodes=1"));
    let args = ["--rounds", "4", "--openings", "file=book.txt start=2", "--record", "r.pgn"];
    let outcome = place.play(&[&a, &b], &args);
    assert!(outcome.stderr.contains("3 openings for 4 rounds"), "{}", outcome.stderr);
    let records = place.read("r.pgn");
    let records: Vec<&str> = records.split("[Match ").skip(1).collect();
    let begins =
        ["1. d6 f4 2. d2", "[FEN \"3/1W1/3/6/3/3/3 b 8 9 0 1\"]", "1. a1 d1", "1. d6 f4 2. d2"];
    for (n, record) in records.iter().enumerate() {
        assert!(record.contains(begins[n / 2]), "{record}");
        let white = if n % 2 == 0 { "[White \"a\"]" } else { "[White \"b\"]" };
        assert!(record.contains(white), "{record}");
    }
    assert_eq!(records.len(), 8);
    let shuffled = |seed: &str| {
        let args = ["--openings", "file=book.txt order=random", "--seed", seed];
        let args = [&args[..], &["--rounds", "3", "--overwrite"]].concat();
        place.play(&[&a, &b], &args);
        let state = place.read("match.state");
        let header: Value =
            serde_json::from_str(state.lines().next().expect("a header")).expect("JSON");
        header["settings"]["openings"].clone()
    };
    let orders: Vec<Value> = ["1", "2", "3", "4"].iter().map(|seed| shuffled(seed)).collect();
    assert_eq!(shuffled("1"), orders[0]);
    assert!(orders.iter().any(|order| *order != orders[0]));
}

/// A test between two engines of very different strength.
const TEST: [&str; 8] = [
    "--rules",
    "six-fly",
    "--openings",
    "file=book.txt",
    "--sprt",
    "elo0=0 elo1=60 alpha=0.1 beta=0.1",
    "--rounds",
    "300",
];

pub fn a_test_ends_the_match() {
    let place = with_book("six-fly", "300");
    let [a, b] = engines();
    let report = place.report(&[&a, &b], &TEST);
    assert_eq!((&report["end"], &report["sprt"]["decision"]), (&"verdict".into(), &"H1".into()));
    assert!(number(&report, "/sprt/llr") >= number(&report, "/sprt/upper"));
    assert!(number(&report, "/pairs_counted") < 300.0, "{report:#}");
    let args = [&TEST[..], &["--overwrite", "--json", "--report-every", "1"]].concat();
    let outcome = place.play(&[&b, &a], &args);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(report["sprt"]["decision"], "H0", "{report:#}");
    // The test stands where a terminal of 80 columns does not cut it off.
    let line = outcome.stderr.lines().find(|line| line.starts_with("1 pair, LLR "));
    let at = line.and_then(|line| line.find(" (-2.20, 2.20), "));
    assert!(at.is_some_and(|at| at < 40), "{}", outcome.stderr);
}

pub fn the_verdict_does_not_depend_on_concurrency() {
    let place = with_book("six-fly", "300");
    let [a, b] = engines();
    let report = |concurrency: &str| {
        let args = ["--concurrency", concurrency, "--overwrite"];
        let report = place.report(&[&a, &b], &[&TEST[..], &args].concat());
        let mut results = results(&report);
        // Games that had begun when the verdict fell may have ended or not.
        results.as_object_mut().map(|map| map.remove("games_played"));
        results
    };
    let alone = report("1");
    assert_eq!(report("3"), alone);
}

pub fn parts_make_a_whole() {
    let place = with_book("six-fly", "9");
    let [a, b] = engines();
    let args = ["--rules", "six-fly", "--openings", "file=book.txt", "--rounds", "9"];
    let whole = place.report(&[&a, &b], &[&args[..], &["--state", "whole"]].concat());
    for shard in ["1/2", "2/2"] {
        let state = format!("part{}", &shard[..1]);
        let more = ["--shard", shard, "--state", &state];
        place.report(&[&a, &b], &[&args[..], &more].concat());
    }
    let merged = place.run(&["match", "merge", "part2", "part1", "--json", "--out", "all"]).stdout;
    let merged: Value = serde_json::from_str(&merged).expect("JSON");
    assert_eq!(results(&merged), results(&whole));
    // What was put together is a state like any other.
    let again = place.run(&["match", "merge", "all", "--json"]).stdout;
    assert_eq!(results(&serde_json::from_str(&again).expect("JSON")), results(&whole));
    let part = place.run(&["match", "merge", "part1"]);
    assert_eq!(part.status.code(), Some(1));
    assert!(part.stdout.contains("end           unfinished"), "{}", part.stdout);
    let empty = ["--rules", "six-fly", "--rounds", "2", "--shard", "3/3", "--state", "empty"];
    let empty = place.play(&[&a, &b], &empty);
    assert!(empty.stderr.contains("--shard 3/3 has none of the rounds"), "{}", empty.stderr);
    let twice = place.run(&["match", "merge", "part1", "part1"]);
    assert_eq!(twice.status.code(), Some(1));
    assert!(twice.stderr.contains("both have game 0"), "{}", twice.stderr);
    let other = [&args[..2], &["--rounds", "1", "--state", "other"]].concat();
    place.play(&[&a, &b], &other);
    let different = place.run(&["match", "merge", "part1", "other"]);
    assert!(different.stderr.contains("the openings differ"), "{}", different.stderr);
}

pub fn deterministic_engines_are_warned_of() {
    let place = Place::new();
    let (a, b) = (place.scripted("a", "", "nodes=1"), place.scripted("b", "seed=2", "nodes=1"));
    let outcome = place.play(&[&a, &b], &["--rounds", "3"]);
    assert!(outcome.stderr.contains("warning: without --openings"), "{}", outcome.stderr);
    let repeated = "repetitions   4 games the same as an earlier one";
    assert!(outcome.stdout.contains(repeated), "{}", outcome.stdout);
}

pub fn openings_are_made() {
    let place = Place::new();
    let made = |args: &[&str]| place.run(&[&["openings"], args].concat());
    let book = made(&["--plies", "5", "--count", "40", "--seed", "9"]);
    assert_eq!(book.status.code(), Some(0));
    assert_eq!(book.stdout.lines().count(), 40);
    assert!(book.stdout.lines().all(|line| line.split(' ').count() == 5));
    assert_eq!(made(&["--plies", "5", "--count", "40", "--seed", "9"]).stdout, book.stdout);
    assert_ne!(made(&["--plies", "5", "--count", "40", "--seed", "8"]).stdout, book.stdout);
    let balanced = ["--plies", "6", "--count", "8", "--balance", "20", "--nodes", "500"];
    assert_eq!(made(&balanced).stdout.lines().count(), 8);
    let between = ["--plies", "6", "--count", "8", "--unbalance", "30", "--balance", "90"];
    let unbalanced = made(&[&between[..], &["--nodes", "500"]].concat());
    assert_eq!(unbalanced.stdout.lines().count(), 8);
    assert_ne!(unbalanced.stdout, made(&balanced).stdout);
    let crossed = made(&["--unbalance", "30", "--balance", "29"]);
    assert_eq!(crossed.status.code(), Some(2));
    assert!(crossed.stderr.contains("--unbalance"), "{}", crossed.stderr);
    let none = ["--plies", "4", "--unbalance", "9000", "--balance", "9001", "--nodes", "1"];
    let none = made(&none);
    assert_eq!((none.status.code(), none.stdout.as_str()), (Some(1), ""));
    assert!(none.stderr.contains("none of 4096 openings of 4 plies"), "{}", none.stderr);
    let few = made(&["--rules", "three", "--plies", "1", "--count", "9"]);
    assert_eq!((few.status.code(), few.stdout.lines().count()), (Some(1), 3));
    assert!(few.stderr.contains("only 3 of 9"), "{}", few.stderr);
}
