//! What comes with the program: completions, the manual page, an example in Python.

use crate::driver::MILLRACE;
use std::process::Command;

fn printed(args: &[&str]) -> String {
    let output = Command::new(MILLRACE).args(args).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).expect("text")
}

const COMMANDS: [&str; 7] = ["go", "perft", "analyse", "convert", "board", "play", "completions"];

#[test]
fn every_shell_gets_completions_for_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = printed(&["completions", shell]);
        for command in COMMANDS {
            assert!(text.contains(command), "{command} in {shell}");
        }
    }
}

#[test]
fn the_manual_page_has_every_command_and_its_flags() {
    let text = printed(&["man"]);
    assert!(text.contains(".TH millrace 1"), "{text:.300}");
    for command in COMMANDS {
        assert!(text.contains(&format!("millrace {command}")), "{command}");
    }
    for flag in ["\\-\\-html", "\\-\\-resume", "\\-\\-to", "\\-\\-no\\-bulk", "option.NAME"] {
        assert!(text.contains(flag), "{flag}");
    }
}

#[test]
fn the_example_in_python_plays_a_game() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol/examples/driver.py");
    let lines = std::fs::read_to_string(example).expect("the example").lines().count();
    assert!(lines <= 50, "{lines} lines");
    let run = Command::new("python3").args([example, MILLRACE, "six", "12"]).output();
    let output = match run {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: there is no python3 on the path");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).expect("text");
    let (turns, result) = text.trim().split_once(" | ").expect("turns and a result");
    let rules = millrace_engine::Rules::named("six").expect("a preset");
    let mut game = millrace_engine::Game::new(rules);
    for turn in turns.split(' ') {
        game.play_text(turn).unwrap_or_else(|error| panic!("{turn}: {error}"));
    }
    assert_eq!(game.turns().len(), 12);
    assert_eq!(game.outcome().to_string(), result);
}
