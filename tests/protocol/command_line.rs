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
fn an_evaluation_is_explained() {
    for rules in ["nine", "six", "lasker", "tapatan"] {
        let text = printed(&["eval", "--rules", rules]);
        assert!(text.contains(" for White, who is to move\n"), "{rules}: {text}");
        assert!(!text.contains("Result: "), "{rules}: {text}");
    }
    let over = printed(&["eval", "--fen", "W2/1W1/3/6/3/3/WBB b 0 0"]);
    assert!(over.contains("\nResult: white (Black has fewer than three stones); "), "{over}");
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
    let cases: [(&[&str], &str); 25] = [
        (&["accuracy", "--nodes", "0"], "'--nodes <N>'"),
        (&["accuracy", "--depth", "0"], "'--depth <N>'"),
        (&["accuracy", "--movetime", "0"], "'--movetime <MS>'"),
        (&["accuracy", "--positions", "0"], "'--positions <N>'"),
        (&["analyse", "x", "--movetime", "0"], "'--movetime <MS>'"),
        (&["analyse", "x", "--depth", "0"], "'--depth <N>'"),
        (&["play", "--movetime", "0"], "'--movetime <MS>'"),
        (&["bench", "--depth", "0"], "'--depth <DEPTH>'"),
        (&["openings", "--nodes", "0"], "'--nodes <N>'"),
        (&["tune", "--games", "1", "--nodes", "0"], "'--nodes <N>'"),
        (&["tune", "--positions", "0"], "--positions 0 without --games"),
        (&["tune", "--network", "--out", "x"], "--phase <PHASE>"),
        (&["go", "nodes", "0"], "nodes must be"),
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

/// Each command with what it cannot do without, and the flags before it that mean something to it.
const COMMANDS: [(&[&str], &str); 20] = [
    (&["go"], "--rules --fen --moves --option"),
    (&["d"], "--rules --fen --moves --option"),
    (&["moves"], "--rules --fen --moves --option"),
    (&["eval"], "--rules --fen --moves --option"),
    (&["perft", "1"], "--rules --fen --moves --option"),
    (&["play"], "--rules --fen --moves --option"),
    (&["board"], "--rules --fen --moves --option"),
    (&["solve"], "--rules --fen --moves --option"),
    (&["analyse", "none"], "--rules --option"),
    (&["accuracy"], "--rules --option"),
    (&["tune"], "--rules --option"),
    (&["convert", "none", "--to", "fen"], "--rules"),
    (&["match"], "--rules"),
    (&["openings"], "--rules"),
    (&["match", "merge", "none"], ""),
    (&["bench"], ""),
    (&["rules"], ""),
    (&["options"], ""),
    (&["man"], ""),
    (&["completions", "bash"], ""),
];

/// A wrong value of a flag is complained of by whoever takes the flag.
#[test]
fn help_lists_the_flags_that_a_command_takes() {
    let wrong = [("--rules", "chess"), ("--fen", "?"), ("--moves", "?"), ("--option", "Nope=1")];
    for (command, taken) in COMMANDS {
        let names = if command.contains(&"merge") { &command[..2] } else { &command[..1] };
        let help = printed(&[names, &["--help"]].concat());
        for (flag, value) in wrong {
            let takes = taken.contains(flag);
            assert_eq!(help.contains(&format!("{flag} <")), takes, "{command:?} {flag}: {help}");
            // Before the command or after it, the flag is the same.
            for args in [[command, &[flag, value]].concat(), [&[flag, value], command].concat()] {
                let output = run(&args);
                let errors = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
                assert!(output.stdout.is_empty() && errors.contains(flag), "{args:?}: {errors}");
                assert_eq!(errors.contains("does not go with"), !takes, "{args:?}: {errors}");
            }
        }
    }
    let refused = run(&["match", "merge", "none", "--rules", "six"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("Usage: millrace match merge"), "{told}");
}

/// What is wrong is told once, also where one error is the cause of another.
#[test]
fn errors_do_not_repeat_themselves() {
    for (args, told) in [
        (&["position", "fen", "x"][..], "the position 'x' has 1 field"),
        (&["--fen", "x", "d"], "the position 'x' has 1 field"),
        (&["setoption", "name", "UCI_Variant", "value", "chess"], "chess"),
        (&["rules", "chess"], "chess"),
    ] {
        let output = run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &errors;
        assert_eq!(said.matches(told).count(), 1, "{args:?}: {said}");
    }
}

#[test]
fn folders_without_tables_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("game.txt");
    std::fs::write(&game, "1. d6 f4 *").expect("a file");
    let game = game.display().to_string();
    for command in [&["accuracy"][..], &["tune", "--positions", "20"], &["analyse", &game]] {
        for (name, file, told) in [
            ("none", None, "none"),
            ("empty", Some("notes.txt"), "there are no tables in it"),
            ("six", Some("six-4-4.mrw"), "its tables are of six, and those of nine are wanted"),
            ("archives", Some("nine-4-3.mra"), "tablebase-gen unpack"),
            ("solved", Some("nine-4-3.mrg"), "tablebase-gen pack"),
        ] {
            let place = folder.path().join(name);
            if let Some(file) = file {
                std::fs::create_dir_all(&place).expect("a folder");
                std::fs::write(place.join(file), "").expect("a file");
            }
            let place = place.display().to_string();
            let output = run(&[command, &["--tables", &place]].concat());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command:?}: {errors}");
            assert!(errors.contains(&place) && errors.contains(told), "{command:?}: {errors}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_tuning_that_is_stopped_leaves_nothing() {
    use std::{
        io::{BufRead, BufReader},
        process::Stdio,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(MILLRACE)
        .args(["tune", "--network", "--phase", "moving", "--positions", "3000"])
        .args(["--epochs", "1000000", "--out", "x.net"])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // That the samples are few is told when everything has been begun.
    let mut told = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    told.read_line(&mut line).expect("text");
    assert!(line.starts_with("warning: only "), "{line}");
    // Not as Ctrl-C does it, which a test in the background may have been told to ignore.
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("there is kill").success());
    assert!(!child.wait().expect("it is ours").success());
    assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 0);
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
