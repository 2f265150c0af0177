//! Games against the engine, without a terminal.

use super::*;
use millrace_engine::{Rules, text::parse_position};
use std::{fs, io::Cursor};

fn setup(person: Color) -> Setup {
    Setup {
        record: Record::new(Rules::default()),
        person,
        move_time: Duration::from_millis(5),
        save: None,
        settings: Settings::default(),
        thinking: false,
    }
}

/// What is said while `lines` are typed.
fn play(setup: Setup, lines: &str) -> String {
    let mut said = Vec::new();
    let mut play = Play::new(setup, &mut said);
    let mut prompts = Vec::new();
    play.run(&mut Plain::new(Cursor::new(lines.to_string()), &mut prompts))
        .expect("no stream fails");
    String::from_utf8(said).expect("text") + &String::from_utf8(prompts).expect("text")
}

#[test]
fn the_engine_answers_every_turn() {
    let said = play(setup(Color::White), "d6\n");
    assert_eq!(said.matches("Millrace plays ").count(), 1, "{said}");
    let said = play(setup(Color::Black), "quit\n");
    assert_eq!(said.matches("Millrace plays ").count(), 1, "{said}");
}

#[test]
fn turns_are_completed_or_asked_for() {
    let mut closing = setup(Color::White);
    let rules = closing.record.rules;
    closing.record.start = Some(parse_position(&rules, "3/1W1/1W1/4BB/3/3/3 w 7 7").expect("fine"));
    let said = play(closing.clone(), "d7\n");
    assert!(said.contains("Which one? d7xg4 d7xf4\n"), "{said}");
    assert!(!said.contains("Millrace plays"), "{said}");
    let said = play(closing, "D7 xf\n");
    assert!(said.contains("Millrace plays"), "{said}");
}

#[test]
fn turns_are_taken_back_with_their_answers() {
    let said = play(setup(Color::White), "back\nd6\nback\nd6\nquit\n");
    assert!(said.contains("There is no turn of yours"), "{said}");
    assert_eq!(said.matches("Millrace plays ").count(), 2, "{said}");
    // The engine's first turn as White stays: there is nothing of the person's before it.
    let said = play(setup(Color::Black), "back\n");
    assert!(said.contains("There is no turn of yours"), "{said}");
}

#[test]
fn commands_answer() {
    let said =
        play(setup(Color::White), "hint\nmoves\nlevel\nlevel 3\nlevel 21\nhelp\nxyz\nd9\nsw\nq\n");
    for part in [
        "Hint: ",
        "a1 a4 a7 ",
        "Level 20 of 20;",
        "Level 3 of 20.",
        "'21' is no level; they go from 0 to 20.",
        "Level 3 of 20;",
        "take your last turn back",
        "'xyz' is neither",
        "'d9' is not a point of this board.",
        "Millrace plays ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn games_are_saved_and_taken_up_again() {
    let folder = std::env::temp_dir().join(format!("millrace-play-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("game.txt");
    let kept = Setup {
        save: Some(Target::new(&file, Some("no")).expect("it is new")),
        ..setup(Color::White)
    };
    play(kept, "d6\nquit\n");
    let text = fs::read_to_string(&file).expect("it is saved");
    let records = Record::read_all(&text, None).expect("it can be read");
    assert_eq!(records[0].moves.len(), 2);
    assert_eq!(records[0].tag("White"), Some("Person"));
    assert!(records[0].moves[1].score.is_some() && records[0].moves[1].time.is_some());
    let again = Setup { record: records[0].clone(), ..setup(Color::White) };
    let said = play(
        again,
        &format!("save {0}\nsave {0}!\nsave\nsave /no/such/folder/x\n", file.display()),
    );
    assert!(said.contains("exists already; 'save "), "{said}");
    assert!(
        said.contains("Saved into ") && said.contains("Where? ") && said.contains("Not saved: ")
    );
    assert_eq!(fs::read_to_string(&file).expect("it is saved"), text);
    fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn a_game_that_is_over_can_be_looked_at_and_begun_anew() {
    let mut over = setup(Color::White);
    let game = include_str!("../../../tests/data/games/columns-223.txt");
    over.record = Record::read_all(game, None).expect("a game").remove(0);
    let said = play(over, "hint\nd6\nnew\nd6\n");
    assert!(said.contains("The game is over: black (White is blocked)."), "{said}");
    assert!(said.contains("There is nothing to do any more."), "{said}");
    assert!(said.contains("the game is over: White is blocked"), "{said}");
    assert_eq!(said.matches("Millrace plays ").count(), 1, "{said}");
}

#[test]
fn other_games_and_names_are_kept() {
    let folder = std::env::temp_dir().join(format!("millrace-kept-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("games.txt");
    let mut other = Record::new(Rules::default());
    other.set_tag("White", "Carl");
    let mut last = Record::new(Rules::default());
    last.set_tag("Date", "2020.01.01");
    last.set_tag("White", "Millrace 0.0.9, level 3");
    last.set_tag("Black", "Anna");
    let text = format!("{other}{last}");
    fs::write(&file, &text).expect("the folder is ours");
    assert_eq!((engine_side(&last), engine_level(&last)), (Some(Color::White), Some(3)));
    let target = Target::resumed(&file, &text, None, false).expect("its form is the own one");
    play(Setup { save: Some(target), record: last, ..setup(Color::Black) }, "quit\n");
    let text = fs::read_to_string(&file).expect("it is saved");
    let records = Record::read_all(&text, None).expect("it can be read");
    assert_eq!(records.len(), 2);
    assert_eq!(records[0], other);
    assert_eq!(records[1].tag("Black"), Some("Anna"));
    assert_eq!(records[1].moves.len(), 1);
    let foreign = include_str!("../../../tests/data/games/columns-223.txt");
    let refused = Target::resumed(&file, foreign, None, false).expect_err("it is foreign");
    assert!(refused.to_string().contains("--save"), "{refused}");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn bytes_that_are_no_text_are_not_understood() {
    let (mut said, mut prompts) = (Vec::new(), Vec::new());
    let mut play = Play::new(setup(Color::White), &mut said);
    let lines: &[u8] = b"d\xff\nd6\n";
    play.run(&mut Plain::new(lines, &mut prompts)).expect("no stream fails");
    let said = String::from_utf8(said).expect("text");
    assert_eq!(said.matches("Millrace plays ").count(), 1, "{said}");
    assert!(!said.contains("Thinking"), "{said}");
}
