//! Matches that are stopped, killed, torn, lengthened, and begun twice.

use crate::runner::{Place, number, results, signal, wait, wait_until};
use serde_json::Value;
use std::{
    fs,
    time::{Duration, Instant, SystemTime},
};

fn engines() -> [String; 2] {
    [Place::millrace("more", "nodes=300"), Place::millrace("less", "nodes=40")]
}

fn with_book() -> Place {
    let place = Place::new();
    let args = ["--rules", "six-fly", "openings", "--plies", "4", "--count", "120"];
    place.write("book.txt", &place.run(&args).stdout);
    place
}

fn resumed(place: &Place, more: &[&str]) -> Value {
    let outcome = place.run(&[&["match", "--resume", "--json"], more].concat());
    assert_eq!(outcome.status.code(), Some(0), "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

/// Plays a match to its end, killing it at moments that no two runs have in common.
fn killed(place: &Place, args: &[&str]) -> Value {
    let [a, b] = engines();
    let begun = Instant::now();
    let args = [args, &["--record", "r.pgn"]].concat();
    let mut child = place.start(&[&a, &b], &args);
    wait_until(|| place.path("match.state").exists());
    let mut kills = 0;
    loop {
        let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let moment = nanos.map_or(0, |now| now.subsec_micros() % 60);
        std::thread::sleep(Duration::from_millis(20 + u64::from(moment)));
        if child.try_wait().expect("it is ours").is_some() {
            break;
        }
        signal(&child, "KILL");
        wait(&mut child);
        kills += 1;
        let enough = kills == 8 || begun.elapsed() > Duration::from_secs(20);
        if enough {
            break;
        }
        child = place.start(&[&a, &b], &[&args[..], &["--resume"]].concat());
    }
    assert!(kills >= 2, "the match was over before it could be killed");
    resumed(place, &["--record", "r.pgn", "--concurrency", "2"])
}

pub fn a_killed_match_goes_on() {
    let args = ["--rules", "six-fly", "--openings", "file=book.txt", "--rounds", "60"];
    let args = [&args[..], &["--concurrency", "2"]].concat();
    let place = with_book();
    let disturbed = killed(&place, &args);
    let quiet = with_book();
    let [a, b] = engines();
    let undisturbed = quiet.report(&[&a, &b], &args);
    assert_eq!(results(&disturbed), results(&undisturbed));
    // Each game has been recorded once, and as it was counted.
    let records = place.read("r.pgn");
    let games = place.games("match.state");
    assert_eq!(games.len(), 120);
    for game in &games {
        let number = number(game, "/game");
        let own: Vec<&str> = records
            .split("[Match ")
            .filter(|r| r.contains(&format!(" game {number}\"]")))
            .collect();
        assert_eq!(own.len(), 1, "game {number}");
        let result = format!("[Result {}]", game["result"]);
        assert!(own[0].contains(&result), "{}", own[0]);
    }
}

pub fn a_killed_test_goes_on() {
    let sprt = ["--sprt", "elo0=0 elo1=20 alpha=0.1 beta=0.1"];
    let args = ["--rules", "six-fly", "--openings", "file=book.txt", "--rounds", "120"];
    let args = [&args[..], &sprt, &["--concurrency", "2"]].concat();
    let without_played = |report: &Value| {
        let mut results = results(report);
        results.as_object_mut().map(|map| map.remove("games_played"));
        results
    };
    let place = with_book();
    let disturbed = killed(&place, &args);
    let quiet = with_book();
    let [a, b] = engines();
    let undisturbed = quiet.report(&[&a, &b], &args);
    assert_eq!(without_played(&disturbed), without_played(&undisturbed));
}

pub fn torn_states_are_mended() {
    let place = with_book();
    let [a, b] = engines();
    let args =
        ["--rules", "six-fly", "--openings", "file=book.txt", "--rounds", "5", "--record", "r.pgn"];
    let whole = place.report(&[&a, &b], &args);
    let (state, records) = (place.read("match.state"), place.read("r.pgn"));
    // The runner ended in the middle of any byte of the last game's line.
    let last = state.trim_end().rfind('\n').expect("lines") + 1;
    for cut in [last, last + 1, (last + state.len()) / 2, state.len() - 1] {
        fs::write(place.path("match.state"), &state[..cut]).expect("it can be written");
        fs::write(place.path("r.pgn"), &records).expect("it can be written");
        let again = resumed(&place, &["--record", "r.pgn"]);
        assert_eq!(results(&again), results(&whole), "cut at {cut}");
        assert_eq!(place.read("r.pgn").matches("[Match ").count(), 10);
    }
    // Records that break off are not passed over in silence.
    fs::write(place.path("match.state"), &state[..last]).expect("it can be written");
    let outcome = place.run(&["match", "--resume"]);
    assert!(outcome.stderr.contains("give --record"), "{}", outcome.stderr);
    // A state that is damaged elsewhere is not guessed at.
    let lines: Vec<&str> = state.lines().collect();
    let spoilt = [&lines[..2], &["{\"game\":"], &lines[2..]].concat().join("\n") + "\n";
    fs::write(place.path("match.state"), spoilt).expect("it can be written");
    let outcome = place.run(&["match", "--resume"]);
    assert_eq!(outcome.status.code(), Some(1));
    assert!(outcome.stderr.contains("match.state: line 3 is damaged"), "{}", outcome.stderr);
    for (text, why) in
        [("", "is not the state of a match"), ("{}\n", "is not the state of a match")]
    {
        fs::write(place.path("match.state"), text).expect("it can be written");
        let outcome = place.run(&["match", "--resume"]);
        assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
    }
}

pub fn a_finished_match_can_be_lengthened() {
    let place = with_book();
    let [a, b] = engines();
    let args = ["--rules", "six-fly", "--openings", "file=book.txt"];
    let long =
        place.report(&[&a, &b], &[&args[..], &["--rounds", "8", "--state", "long"]].concat());
    place.report(&[&a, &b], &[&args[..], &["--rounds", "3"]].concat());
    let same = resumed(&place, &[]);
    assert_eq!(same["games_played"], 6);
    let longer = resumed(&place, &["--rounds", "8"]);
    assert_eq!(results(&longer), results(&long));
    // It is no other match, and no shorter one.
    let other = [&["match", "--resume", "--engine", &b, "--engine", &a], &args[..]].concat();
    let outcome = place.run(&other);
    assert!(
        outcome.stderr.contains("holds another match: the engines differ"),
        "{}",
        outcome.stderr
    );
    let outcome = place.run(&["match", "--resume", "--rounds", "7"]);
    assert!(outcome.stderr.contains("8 rounds, which is more"), "{}", outcome.stderr);
    let outcome = place.play_anyhow(&[&a, &b], &args);
    assert!(outcome.stderr.contains("match.state holds a match"), "{}", outcome.stderr);
    assert_eq!(outcome.status.code(), Some(1));
}

pub fn a_match_goes_on_as_it_began() {
    let place = with_book();
    let [a, b] = engines();
    let args = ["--rules", "six-fly", "--openings", "file=book.txt", "--rounds", "2"];
    place.report(&[&a, &b], &[&args[..], &["--max-plies", "50"]].concat());
    place.write("other.txt", "b3 d4\n");
    for (given, why) in [
        (["--sprt", "elo0=0 elo1=5"], "the SPRT differ"),
        (["--shard", "1/2"], "the shards differ"),
        (["--openings", "file=other.txt"], "the openings differ"),
        (["--seeds", "1"], "the seeds differ"),
        (["--max-troubles", "3"], "(--max-troubles) differ"),
        (["--max-plies", "51"], "(--max-plies) differ"),
        (["--resign", "moves=3 score=500"], "the terms of --resign differ"),
        (["--draw", "from=60 moves=8 score=10"], "the terms of --draw differ"),
        (["--guard", "3"], "the times of --guard differ"),
        (["--each", "nodes=7"], "--each"),
        (["--seed", "7"], "--seed"),
        (["--rules", "six"], "the rules differ"),
    ] {
        let outcome = place.run(&[&["match", "--resume"], &given[..]].concat());
        assert_eq!(outcome.status.code(), Some(1), "{given:?}");
        assert!(outcome.stderr.contains(why), "{given:?}: {}", outcome.stderr);
    }
    let same = resumed(&place, &["--max-plies", "50", "--openings", "file=book.txt"]);
    assert_eq!(same["games_played"], 4);
}

pub fn only_a_match_that_can_be_played_takes_a_place() {
    let place = Place::new();
    let good = place.scripted("good", "", "nodes=1");
    let other = place.scripted("other", "", "nodes=1");
    let typo = "cmd=./no-such-program name=x nodes=1";
    place.play_anyhow(&[&good, typo], &["--rounds", "1"]);
    assert!(!place.path("match.state").exists());
    place.play(&[&good, &other], &["--rounds", "1"]);
    let state = place.read("match.state");
    let outcome = place.play_anyhow(&[&good, typo], &["--overwrite"]);
    assert_eq!(outcome.status.code(), Some(1));
    let outcome =
        place.play_anyhow(&[&good, &other], &["--overwrite", "--record", "no-such-folder/r.pgn"]);
    assert!(outcome.stderr.contains("no-such-folder"), "{}", outcome.stderr);
    assert_eq!(place.read("match.state"), state);
    place.write("book.txt", "d6\n");
    for more in [&["--state", "book.txt"][..], &["--state", "book.txt", "--overwrite"]] {
        let outcome = place.play_anyhow(&[&good, &other], more);
        assert_eq!(outcome.status.code(), Some(1));
        let why = "book.txt is there and is not the state of a match";
        assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
        assert_eq!(place.read("book.txt"), "d6\n");
    }
}

pub fn what_is_to_outlive_its_terminal_does() {
    let place = with_book();
    let [a, b] = engines();
    let args = ["--rules", "six-fly", "--openings", "file=book.txt", "--rounds", "20"];
    let mut child = place.start_to_outlive(&[&a, &b], &args);
    wait_until(|| place.path("match.state").exists());
    signal(&child, "HUP");
    let lines = place.read("match.state").lines().count();
    assert!(lines <= 40, "the match was over before the signal");
    assert_eq!(wait(&mut child).code(), Some(0));
    assert_eq!(place.games("match.state").len(), 40);
}

pub fn no_engine_outlives_the_runner() {
    for (name, code) in [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)] {
        let place = Place::new();
        let stubborn = place.scripted("stubborn", "kind=stubborn at=2", "nodes=1");
        let good = place.scripted("good", "", "nodes=1");
        let args = ["--rounds", "50", "--concurrency", "2"];
        let mut child = place.start(&[&good, &stubborn], &args);
        wait_until(|| place.engines().len() >= 4);
        signal(&child, name);
        assert_eq!(wait(&mut child).code(), code, "{name}");
        assert_eq!(place.engines_left(), [0; 0], "{name}");
    }
}

pub fn a_match_without_a_result_tells_of_none() {
    let place = Place::new();
    let slow = place.scripted("slow", "kind=hang at=1", "nodes=1");
    let good = place.scripted("good", "", "nodes=1");
    let args = ["match", "--engine", &slow, "--engine", &good, "--overwrite"];
    let stopped = |more: &[&str]| {
        let child = place.start_heard(&[&args[..], more].concat());
        // Both are started once to be tried, and again to play.
        wait_until(|| place.path("match.state").exists() && place.engines().len() == 2);
        signal(&child, "INT");
        let output = child.wait_with_output().expect("it ends");
        fs::remove_file(place.path("match.state")).expect("it is there");
        assert_eq!(output.status.code(), Some(130));
        String::from_utf8(output.stdout).expect("text")
    };
    let report = stopped(&[]);
    assert!(report.contains("no pair of games is complete"), "{report}");
    assert!(
        !report.contains("Elo") && !report.contains("inf") && !report.contains('%'),
        "{report}"
    );
    let report: Value = serde_json::from_str(&stopped(&["--json"])).expect("JSON");
    for unknown in ["score", "elo", "normalized_elo", "superiority", "draw_ratio"] {
        assert_eq!(report["pairings"][0][unknown], Value::Null, "{report}");
    }
    assert_eq!(report["pairings"][0]["wins"], 0);
    assert_eq!([&report["plies_a_game"], &report["engines"][0]["score"]], [&Value::Null; 2]);
}

pub fn two_runners_do_not_share_a_state() {
    let place = Place::new();
    let slow = place.scripted("slow", "kind=hang at=1", "nodes=1");
    let good = place.scripted("good", "", "nodes=1");
    let mut child = place.start(&[&slow, &good], &["--record", "r.pgn"]);
    wait_until(|| place.path("match.state").exists());
    let outcome = place.run(&["match", "--resume"]);
    assert!(outcome.stderr.contains("another runner plays this match"), "{}", outcome.stderr);
    let args = ["match", "--engine", &slow, "--engine", &good];
    let outcome = place.run(&[&args[..], &["--overwrite"]].concat());
    assert!(outcome.stderr.contains("another runner plays this match"), "{}", outcome.stderr);
    let more = ["--state", "other", "--record", "r.pgn"];
    let outcome = place.run(&[&args[..], &more].concat());
    assert!(outcome.stderr.contains("another match writes to it"), "{}", outcome.stderr);
    signal(&child, "INT");
    wait(&mut child);
}
