//! `millrace accuracy --engine`: engines over their dialects, held against tables.

use crate::runner::Place;
use millrace_engine::{Game, Rules, solve::Solver, table::Tables, text::parse_position};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    sync::atomic::AtomicBool,
};

fn measure(place: &Place, engine: &str, more: &[&str]) -> Value {
    let args = ["accuracy", "--rules", "six", "--positions", "12", "--json", "--engine", engine];
    let outcome = place.run(&[&args[..], more].concat());
    assert_eq!(outcome.status.code(), Some(0), "{}", outcome.stderr);
    assert_eq!(place.engines_left(), [0; 0]);
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

fn total(report: &Value, key: &str) -> u64 {
    let rows = report["rows"].as_array().expect("rows");
    rows.iter().map(|row| row[key].as_u64().expect("a number")).sum()
}

pub fn any_engine_is_held_against_tables() {
    let place = Place::new();
    let native = measure(&place, &place.scripted("native", "seed=3", "nodes=1"), &[]);
    assert_eq!(native["engine"], "native");
    let (kept, positions) = (total(&native, "kept"), total(&native, "positions"));
    let failed = native["failed"].as_array().expect("a list");
    assert_eq!(positions - kept, failed.len() as u64);
    assert!(kept > 0 && !failed.is_empty(), "{native:#}");
    // What failed did lose the value.
    let rules = Rules::named("six").expect("a preset");
    let tables = Tables::new(rules, &[], 1 << 24);
    let stop = AtomicBool::new(false);
    let solver = Solver::new(&tables, 1 << 24, 1, &stop);
    for failure in failed {
        let position = parse_position(&rules, failure[0].as_str().expect("text")).expect("a FEN");
        let mut game = Game::from_position(rules, position);
        game.play_text(failure[1].as_str().expect("text")).expect("a legal turn");
        let value = |position| solver.value(position).expect("it can be found out");
        assert!(value(&position) > value(game.position()).reversed(), "{failure}");
    }
    // With tables of its own an engine makes no mistake.
    let perfect = measure(&place, &Place::millrace_with_tables("perfect", ""), &["--depth", "1"]);
    let rows = perfect["rows"].as_array().expect("rows").iter();
    let moving = rows.filter(|row| row["band"].as_str().is_some_and(|b| b.ends_with("stones")));
    let missed: Vec<_> = moving.filter(|row| row["kept"] != row["positions"]).collect();
    assert!(missed.is_empty(), "{perfect:#}");
    // An illegal turn is a lost value.
    let illegal = place.scripted("illegal", "seed=3 kind=illegal at=5", "nodes=1");
    let report = measure(&place, &illegal, &[]);
    let failed = report["failed"].as_array().expect("a list");
    assert!(failed.iter().any(|failure| failure[1] == "a1-a1"), "{report:#}");
}

/// Sanmill's dialect knows the board of nine men's morris only.
pub fn turns_may_come_action_by_action() {
    let place = Place::new();
    let engine = place.scripted("split", "seed=3 kind=sanmill", "proto=sanmill restart=on nodes=1");
    let args = ["accuracy", "--rules", "nine", "--positions", "4", "--json", "--engine", &engine];
    let outcome = place.run(&args);
    assert_eq!(outcome.status.code(), Some(0), "{}", outcome.stderr);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(total(&report, "positions"), 8);
    let rules = Rules::default();
    for failure in report["failed"].as_array().expect("a list") {
        let position = parse_position(&rules, failure[0].as_str().expect("text")).expect("a FEN");
        let turn = failure[1].as_str().expect("text");
        assert!(Game::from_position(rules, position).play_text(turn).is_ok(), "{failure}");
    }
    assert_eq!(place.engines_left(), [0; 0]);
    // A first position for which a dialect has no words is no mistake of the engine's.
    let outcome = place.run(&["accuracy", "--rules", "six", "--engine", &engine]);
    assert_eq!(outcome.status.code(), Some(1));
    assert!(outcome.stderr.contains("its dialect cannot tell"), "{}", outcome.stderr);
}

pub fn an_engine_that_fails_is_named() {
    let place = Place::new();
    for (script, part) in [("kind=crash at=3", "out of stones"), ("kind=refuse", "bad_move")] {
        let engine = place.scripted("unlucky", script, "nodes=1");
        let args = ["accuracy", "--rules", "six", "--positions", "5", "--engine", &engine];
        let outcome = place.run(&args);
        assert_eq!(outcome.status.code(), Some(1), "{}", outcome.stdout);
        let named = outcome.stderr.contains("unlucky") && outcome.stderr.contains(part);
        assert!(named && outcome.stdout.is_empty(), "{}", outcome.stderr);
        assert_eq!(place.engines_left(), [0; 0]);
    }
    let missing = ["accuracy", "--rules", "six", "--engine", "cmd=./no-such-engine"];
    let outcome = place.run(&missing);
    assert_eq!(outcome.status.code(), Some(1));
    assert!(outcome.stderr.contains("no-such-engine"), "{}", outcome.stderr);
}

pub fn an_engine_that_is_waited_for_is_named() {
    let place = Place::new();
    let engine = place.scripted("mute", "kind=mute", "nodes=1");
    let mut child = place.start_heard(&["accuracy", "--rules", "six", "--engine", &engine]);
    let mut line = String::new();
    let told = child.stderr.take().expect("it is piped");
    BufReader::new(told).read_line(&mut line).expect("text");
    child.kill().expect("it waits");
    child.wait().expect("it is ours");
    assert!(line.starts_with("warning: mute has not said 'uciok' for "), "{line}");
    assert!(line.ends_with("it is waited for 60 s at most\n"), "{line}");
    assert_eq!(place.engines_left(), [0; 0]);
}

pub fn engines_for_accuracy_are_checked() {
    let place = Place::new();
    for (engine, more, part) in [
        ("nodes=1", &[][..], "--engine: cmd= is missing"),
        ("cmd=x proto=uci", &[], "proto is 'uci'"),
        ("cmd=x node=1", &[], "'node' is not known here"),
        ("cmd=x tc=5", &["--movetime", "9"], "tc and st do not go"),
        ("cmd=x", &["--threads", "2"], "cannot be used with"),
    ] {
        let outcome = place.run(&[&["accuracy", "--engine", engine], more].concat());
        assert_eq!(outcome.status.code(), Some(2), "{engine}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(part), "{engine}: {}", outcome.stderr);
    }
    let help = place.run(&["accuracy", "--help"]).stdout;
    assert!(help.contains("--engine") && help.contains("proto=sanmill"), "{help}");
}
