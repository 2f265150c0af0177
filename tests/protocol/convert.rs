//! `millrace convert`: files of games in, one form out.

use crate::driver::MILLRACE;
use std::{
    io::{ErrorKind, Write},
    path::PathBuf,
    process::{Command, Output, Stdio},
};

fn game(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/games").join(name)
}

fn convert(file: &PathBuf, form: &str, flags: &[&str]) -> Output {
    let mut command = Command::new(MILLRACE);
    command.arg("convert").arg(file).args(["--to", form]).args(flags);
    command.output().expect("the program starts")
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

/// The text without the tag that Sanmill adds.
fn without_count(output: &Output) -> Vec<&str> {
    text(output).lines().filter(|line| !line.starts_with("[PlyCount ")).collect()
}

/// Converts a text that comes on standard input.
fn convert_text(bytes: &[u8], form: &str, flags: &[&str]) -> Output {
    let mut child = Command::new(MILLRACE)
        .args(["convert", "-", "--to", form])
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A program that has found a fault already need not read to the end.
    match stdin.write_all(bytes) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("the program reads: {error}"),
        _ => drop(stdin),
    }
    child.wait_with_output().expect("the program ends")
}

#[test]
fn every_file_goes_through_every_form_and_back() {
    for (name, turns) in [
        ("playok-numbered.pgn", 39),
        ("playok-numbered-as-algebraic.txt", 39),
        ("columns-223.txt", 30),
        ("columns-200.txt", 43),
        ("columns-232.txt", 43),
        ("columns-257.txt", 102),
        ("columns-269.txt", 35),
        ("annotated-895.pgn", 24),
        ("headers-0720.pgn", 40),
    ] {
        let native = convert(&game(name), "native", &[]);
        assert_eq!(native.status.code(), Some(0), "{name}");
        for form in ["native", "sanmill", "playok"] {
            let there = convert(&game(name), form, &[]);
            let back = convert_text(&there.stdout, "native", &[]);
            assert_eq!(without_count(&back), without_count(&native), "{name} by way of {form}");
        }
        let fens = convert(&game(name), "fen", &[]);
        assert_eq!(text(&fens).lines().filter(|line| !line.is_empty()).count(), turns, "{name}");
    }
}

#[test]
fn a_bad_game_is_named_and_the_others_are_converted() {
    let games = "1. d6 f4 *\n1. d6 d6 *\n1. d2 *\n";
    let output = convert_text(games.as_bytes(), "fen", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output).lines().filter(|line| !line.is_empty()).count(), 3);
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = "error: -: line 2, column 7 (game 2, turn 2): 'd6': d6 is occupied\n\
                    error: 1 of 3 games could not be converted\n";
    assert_eq!(errors, expected);
}

#[test]
fn rules_can_be_given() {
    let refused = convert(&game("columns-305.txt"), "native", &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("turn 19"), "{refused:?}");
    let taken = convert(&game("columns-305.txt"), "native", &["--rules", "twelve"]);
    assert!(text(&taken).contains("[Variant \"twelve\"]"), "{taken:?}");
    let six = convert_text(b"c4 c5", "sanmill", &["--rules", "six"]);
    assert!(text(&six).contains("[Variant \"six\"]"), "{six:?}");
}

#[test]
fn old_bytes_are_taken_for_latin_1() {
    let output = convert_text(b"[White \"Andr\xe9\"]\nd6 *", "native", &[]);
    assert!(text(&output).contains("[White \"Andr\u{e9}\"]"), "{output:?}");
}

#[test]
fn what_cannot_be_done_is_said() {
    for (bytes, form, flags, code, part) in [
        (&b" \n"[..], "native", &[][..], 1, "there is no game in it"),
        (b"[FEN \"1B1/1W1/4/3/3 w 5 5\"]\n*", "sanmill", &["--rules", "six"], 1, "24 points"),
        (b"d6", "chess", &[], 2, "possible values"),
        (b"d6", "fen", &["--moves", "d6"], 2, "--moves does not go with a record"),
    ] {
        let output = convert_text(bytes, form, flags);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(part), "{errors}");
    }
    let missing = convert(&game("no such game"), "native", &[]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no such game"), "{missing:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn files_without_an_end_are_refused() {
    let output = std::process::Command::new(crate::driver::MILLRACE)
        .args(["convert", "/dev/zero", "--to", "playok"])
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("more than 256 MiB"), "{errors}");
}
