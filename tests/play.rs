//! `millrace play` on a pseudo-terminal, as a person uses it.
#![cfg(unix)]

use millrace_engine::text::Record;
use rexpect::session::{PtySession, spawn_command};
use std::{fs, process::Command};

/// Far longer than any answer takes.
const GUARD_MS: u64 = 120_000;

fn start(args: &[&str]) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_millrace"));
    command.arg("play").args(["--movetime", "20"]).args(args).env("TERM", "xterm");
    spawn_command(command, Some(GUARD_MS)).expect("the program starts")
}

fn expect(session: &mut PtySession, text: &str) {
    if let Err(error) = session.exp_string(text) {
        panic!("'{text}' does not come: {error}");
    }
}

#[test]
fn a_game_is_played_saved_and_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.txt");
    let name = file.display().to_string();
    let mut play = start(&["--level", "3", "--save", &name]);
    expect(&mut play, "'help' lists");
    expect(&mut play, "White in hand: 9");
    expect(&mut play, "White> ");
    play.send_line("d6").expect("it listens");
    expect(&mut play, "Millrace plays ");
    expect(&mut play, "White in hand: 8");
    expect(&mut play, "White> ");
    play.send_line("hint").expect("it listens");
    expect(&mut play, "Hint: ");
    play.send_line("back").expect("it listens");
    expect(&mut play, "White in hand: 9");
    play.send_line("d2").expect("it listens");
    expect(&mut play, "Millrace plays ");
    expect(&mut play, "White in hand: 8");
    play.send_line("quit").expect("it listens");
    play.exp_eof().expect("it ends");

    let text = fs::read_to_string(&file).expect("it is saved");
    let record = Record::read_all(&text, None).expect("a record").remove(0);
    assert_eq!(record.moves.len(), 2);
    assert_eq!(record.moves[0].turn.on(record.rules.board()).to_string(), "d2");

    let mut play = start(&["--resume", &name]);
    expect(&mut play, "White in hand: 8");
    play.send_line("level").expect("it listens");
    expect(&mut play, "Level 3 of 20");
    // The end of the input, as typed.
    play.send_control('d').expect("it listens");
    play.exp_eof().expect("it ends");
}

#[test]
fn folders_without_tables_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = format!("TablebasePath={}", folder.path().display());
    let mut play = start(&["--side", "black", "-o", &path]);
    expect(&mut play, "there are no tables in it");
    expect(&mut play, "Black> ");
    play.send_line("quit").expect("it listens");
    play.exp_eof().expect("it ends");
}

#[test]
fn the_tab_key_completes() {
    let mut play = start(&["--side", "black"]);
    expect(&mut play, "Millrace plays ");
    expect(&mut play, "Black> ");
    play.send("qui\t\n").expect("it listens");
    expect(&mut play, "quit");
    play.exp_eof().expect("it ends");
}
