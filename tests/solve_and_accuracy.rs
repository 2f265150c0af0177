//! The commands that judge by tables: `solve` and `accuracy`.

use serde_json::Value;
use std::process::Command;

fn millrace(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_millrace"))
        .args(arguments)
        .output()
        .expect("the program can be started");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("it is text")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&millrace(arguments)).expect("it is JSON")
}

/// Published values of empty boards, and of first turns (`tests/data/truth/three.txt`).
#[test]
fn small_games_are_solved_from_the_empty_board() {
    for (rules, value) in
        [("six", "draw"), ("three", "draw"), ("tapatan", "win"), ("nine-holes", "draw")]
    {
        assert_eq!(json(&["solve", "--rules", rules, "--json"])["value"], value, "{rules}");
    }
    let tapatan = json(&["solve", "--rules", "tapatan", "--json"]);
    let turns = tapatan["turns"].as_array().expect("it is a list");
    assert_eq!(turns.len(), 9);
    for turn in turns {
        assert_eq!(turn[1] == "win", turn[0] == "b2", "{turn}");
    }
}

/// The moving phase alone is enough to find what the solver's tables of the placing phase say; published
/// tables of the whole game say the same.
#[test]
fn the_search_agrees_with_the_tables_of_the_placing_phase() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).to_str().expect("it is text").to_string();
    let [solved, moving, whole] = ["solved", "moving", "whole"].map(path);
    // Other rules than those of the program's own tables.
    let rules = "six+stones=4+fly=3";
    for arguments in [
        &["solve", "--rules", rules, "--out", &solved, "--phase", "all"][..],
        &["pack", "--rules", rules, "--tables", &solved, "--phase", "moving", "--to", &moving],
        &["pack", "--rules", rules, "--tables", &solved, "--phase", "all", "--to", &whole],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tablebase-gen"));
        command.args(arguments).args(["--progress", "quiet"]);
        assert!(command.status().expect("it can be started").success());
    }
    let games = ["", "a1 b2", "a1 a3 a5", "c1 e1 c2 e3 c4"];
    let ways = [(&moving, "1"), (&moving, "2"), (&moving, "7"), (&whole, "2")];
    for (turns, (folder, threads)) in games.iter().flat_map(|turns| ways.map(|way| (*turns, way))) {
        let tables = format!("TablebasePath={folder}");
        let found = json(&[
            "solve",
            "--rules",
            rules,
            "-o",
            &tables,
            "--json",
            "--threads",
            threads,
            "--moves",
            turns,
        ]);
        let fen = found["fen"].as_str().expect("it is text");
        let probed = Command::new(env!("CARGO_BIN_EXE_tablebase-gen"))
            .args(["probe", "--tables", &solved, "--rules", rules, "--json", "--fen", fen])
            .output()
            .expect("it can be started");
        let probed: Value = serde_json::from_slice(&probed.stdout).expect("it is JSON");
        assert_eq!(found["value"], probed["value"], "{turns}, {threads} threads");
        let pairs = |turns: &Value, pair: fn(&Value) -> [Value; 2]| {
            let mut pairs: Vec<String> = turns
                .as_array()
                .expect("it is a list")
                .iter()
                .map(|turn| format!("{:?}", pair(turn)))
                .collect();
            pairs.sort();
            pairs
        };
        let told = pairs(&found["turns"], |t| [t[0].clone(), t[1].clone()]);
        let known = pairs(&probed["turns"], |t| [t["turn"].clone(), t["value"].clone()]);
        assert_eq!(told, known, "{turns}, {threads} threads");
    }
}

#[test]
fn what_is_missing_is_named() {
    let failed = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_millrace"))
            .args(["solve", "--rules", "six+removals=per-mill"])
            .args(arguments)
            .output()
            .expect("the program can be started");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).expect("it is text")
    };
    let turns = ["--moves", "a1 b2 a3 b3 a5xb3"];
    let error = failed(&turns);
    assert!(error.contains("sector") && error.contains("give folders with tables"), "{error}");
    // What else is wrong does not hide that the folder is.
    let folder = ["-o", "TablebasePath=no/such/folder", "--hash", "65536", "--threads", "8"];
    let error = failed(&[&turns[..], &folder].concat());
    assert!(error.contains("no/such/folder") && !error.contains("give folders"), "{error}");
    let empty = tempfile::tempdir().expect("a folder can be made");
    let path = format!("TablebasePath={}", empty.path().display());
    let separator = if cfg!(windows) { ';' } else { ':' };
    let error =
        failed(&[&turns[..], &["-o", &format!("{path}{separator}no/such/folder")]].concat());
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines.len() == 3 && lines.iter().all(|line| line.starts_with("error: ")), "{error}");
    for (line, told) in lines.iter().zip(["no tables in it", "no/such/folder", "sector"]) {
        assert!(line.contains(told), "{error}");
    }
    let error = failed(&[&turns[..], &["-o", &path]].concat());
    assert!(error.contains("there are no tables in it"), "{error}");
    std::fs::write(empty.path().join("nine-4-3.mrw"), "").expect("a file");
    let error = failed(&[&turns[..], &["-o", &path]].concat());
    assert!(error.contains("its tables are of nine"), "{error}");
    std::fs::write(empty.path().join("six_removals-per-mill-9-9.mrw"), "").expect("a file");
    let error = failed(&[&turns[..], &["-o", &path]].concat());
    assert!(error.contains("have no tables of this game"), "{error}");
}

#[test]
fn accuracy_needs_tables() {
    let command = || Command::new(env!("CARGO_BIN_EXE_millrace"));
    let output = command().args(["accuracy", "--rules", "five"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("no tables of five of its own; name a folder"), "{error}");
}

#[test]
fn accuracy_repeats_itself_and_grows_with_depth() {
    let measure = |depth: &str| {
        json(&[
            "accuracy",
            "--rules",
            "six",
            "--positions",
            "40",
            "--depth",
            depth,
            "--seed",
            "5",
            "--json",
        ])
    };
    let (shallow, deep) = (measure("1"), measure("8"));
    let kept = |report: &Value| -> u64 {
        let rows = report["rows"].as_array().expect("it is a list");
        rows.iter().map(|row| row["kept"].as_u64().expect("it is a number")).sum()
    };
    assert!(kept(&shallow) < kept(&deep));
    assert_eq!(measure("1")["failed"], shallow["failed"]);
    let rows = shallow["rows"].as_array().expect("it is a list");
    assert!(rows.iter().any(|row| row["band"] == "6-9 stones" && row["kind"] == "hard"));
    assert!(rows.iter().any(|row| row["band"] == "4 in hand"));
    assert!(rows.iter().all(|row| row["positions"] == 40));
    // Positions with more stones than the game has are not missing.
    assert_eq!(shallow["left_out"], Value::Array(Vec::new()));
}
