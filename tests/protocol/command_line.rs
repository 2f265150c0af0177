//! One-shot use: arguments in, an answer and an exit code out.

use crate::driver::MILLRACE;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(MILLRACE).args(args).output().expect("the program starts")
}

/// What a successful run prints.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
    assert!(errors.is_empty(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_search_ends_by_itself() {
    let text = printed(&["go", "depth", "3"]);
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("bestmove "), "{text}");
    assert!(printed(&["go", "movetime", "-5"]).contains("bestmove "));
}

#[test]
fn flags_set_the_scene_before_or_after_the_command() {
    let before = printed(&["--rules", "six", "--moves", "c4 c5", "d"]);
    assert!(before.contains("Fen: 1B1/1W1/4/3/3 w 5 5 0 2"), "{before}");
    assert_eq!(printed(&["d", "--moves", "c4 c5", "--rules", "six"]), before);
    assert!(printed(&["go", "depth", "1", "--rules", "six"]).contains("bestmove"));
    let fen = ["--fen", "W2/1W1/3/1B4/3/2W/BBW w 0 0", "--moves", "f2-d2", "moves"];
    assert!(printed(&fen).starts_with("Legal: "));
    assert!(printed(&["-o", "Fly=0", "-o", "skill level=3", "d"]).contains("Rules: nine-nofly"));
}

#[test]
fn any_command_of_the_protocol_can_be_given() {
    assert!(printed(&["uci"]).ends_with("uciok\n"));
    assert_eq!(printed(&["isready"]), "readyok\n");
    assert!(printed(&["eval"]).contains("stones"));
    assert!(printed(&["help"]).contains("searchmoves"));
    assert_eq!(printed(&["quit"]), "");
}

#[test]
fn perft_counts_in_every_way_alike() {
    let bulk = printed(&["perft", "3"]);
    assert!(bulk.contains("\nNodes: 12144\nTime: ") && bulk.contains("\nRate: "), "{bulk}");
    let counts = |text: &str| -> Vec<String> {
        text.lines().filter(|l| !l.starts_with(['T', 'R'])).map(String::from).collect()
    };
    let others: [&[&str]; 3] = [
        &["perft", "3", "--no-bulk"],
        &["perft", "--threads", "2", "3"],
        &["--rules", "nine", "perft", "3"],
    ];
    for args in others {
        assert_eq!(counts(&printed(args)), counts(&bulk), "{args:?}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["perft", "--json", "3"])).expect("JSON");
    assert_eq!(json["nodes"], 12144);
    assert_eq!(json["branches"].as_array().map(Vec::len), Some(24));
    assert!(printed(&["perft", "0"]).contains("Nodes: 1\n"));
}

#[test]
fn bench_repeats_its_signature() {
    let signature = || {
        let text = printed(&["bench", "--depth", "2"]);
        text.lines().find(|l| l.starts_with("Nodes: ")).expect("a total").to_string()
    };
    assert_eq!(signature(), signature());
}

#[test]
fn rules_are_listed_and_spelt_out() {
    let list = printed(&["rules"]);
    for preset in millrace_engine::rules::PRESETS {
        assert!(list.contains(&format!("  {} ", preset.name)), "{}", preset.name);
    }
    let one = printed(&["rules", "nine+fly=0"]);
    assert!(one.starts_with("Rules: nine-nofly\nCanonical: board=nine+"), "{one}");
    assert_eq!(printed(&["rules", "nine-nofly"]), one);
}

#[test]
fn help_about_a_command_is_its_help() {
    assert_eq!(printed(&["help", "match"]), printed(&["match", "--help"]));
    assert_eq!(printed(&["help", "accuracy"]), printed(&["accuracy", "--help"]));
}

#[test]
fn help_teaches_by_examples_and_every_example_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = include_str!("../data/games/columns-223.txt");
    std::fs::write(folder.path().join("game.txt"), game).expect("a file");
    let help = printed(&["--help"]);
    let examples = help.lines().filter(|l| l.starts_with("  millrace"));
    let mut tried = 0;
    for example in examples {
        // The explanation stands two spaces or more behind the command.
        let command = example.trim().split("   ").next().unwrap_or_default();
        let mut args = Vec::new();
        for (index, part) in command.split('\'').enumerate() {
            match index % 2 {
                0 => args.extend(part.split_whitespace()),
                _ => args.push(part),
            }
        }
        let run = Command::new(MILLRACE).args(&args[1..]).current_dir(folder.path()).output();
        let output = run.expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{example}: {errors}");
        tried += 1;
    }
    assert!(tried >= 8, "{help}");
    assert!(printed(&["--version"]).starts_with("millrace 0."));
}

#[test]
fn what_is_not_understood_exits_with_2() {
    let cases: [(&[&str], &str); 12] = [
        (&["prft"], "'prft'"),
        (&["--wrong"], "--wrong"),
        (&["go", "depth"], "depth"),
        (&["go", "depth", "many"], "'many'"),
        (&["perft"], "N"),
        (&["perft", "101"], "101"),
        (&["--rules", "chess", "d"], "--rules"),
        (&["--fen", "3/3 w", "d"], "--fen"),
        (&["--moves", "d6 d6", "d"], "--moves: moves[1] 'd6'"),
        (&["-o", "Hash", "d"], "NAME=VALUE"),
        (&["-o", "Hash=0", "d"], "Hash"),
        (&["rules", "nine+fly=9"], "fly"),
    ];
    for (args, part) in cases {
        let output = run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
        assert!(output.stdout.is_empty() && errors.contains(part), "{args:?}: {errors}");
    }
}

#[test]
fn what_fails_exits_with_1() {
    let output = run(&["go", "depth", "1", "searchmoves", "a1", "a9"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.is_empty() && errors.starts_with("error: moves[1] 'a9'"), "{errors}");
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_a_failure() {
    for args in [
        &["d"][..],
        &["--help"],
        &["--version"],
        &["moves"],
        &["eval"],
        &["go", "depth", "1"],
        &["rules"],
        &["perft", "1"],
        &["board", "3/3/3/6/3/3/3 w 9 9"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("it is there");
        let output = Command::new(MILLRACE).args(args).stdout(full).output();
        let output = output.expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {errors}");
        assert!(errors.starts_with("error: standard output: "), "{args:?}: {errors}");
    }
}
