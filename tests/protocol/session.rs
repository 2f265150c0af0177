//! Sessions with the real program: what it does when, and how often it answers.

use crate::driver::{Driver, MILLRACE, field, wait};
use millrace_engine::{Game, Rules, rules::PRESETS};
use std::{
    process::{Command, Stdio},
    time::Duration,
};

/// Long enough for an answer that must not come to come.
const WHILE: Duration = Duration::from_millis(200);

fn is_best(line: &str) -> bool {
    line.starts_with("bestmove")
}

/// The turn of a `bestmove` line.
fn turn_of(line: &str) -> &str {
    field(line, "bestmove").unwrap_or_else(|| panic!("no turn in '{line}'"))
}

fn nodes(lines: &[String]) -> u64 {
    lines.iter().rev().find_map(|l| field(l, "nodes")?.parse().ok()).expect("nodes are told")
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let mut engine = Driver::start();
    assert_eq!(engine.listen(WHILE), [""; 0]);
    let (lines, status) = engine.finish();
    assert_eq!(lines, [""; 0]);
    assert_eq!(status.code(), Some(0));
}

#[test]
fn the_handshake_names_the_program_and_its_options() {
    let mut engine = Driver::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Millrace "), "{}", lines[0]);
    assert!(lines[1].starts_with("id author "), "{}", lines[1]);
    assert!(lines[2..lines.len() - 1].iter().all(|l| l.starts_with("option name ")), "{lines:?}");
}

#[test]
fn isready_and_stop_are_answered_during_a_search() {
    let mut engine = Driver::start();
    engine.send("go infinite");
    engine.wait_for("info");
    for _ in 0..10 {
        engine.send("isready");
        let lines = engine.until("readyok");
        assert!(!lines.iter().any(|l| is_best(l)), "{lines:?}");
    }
    engine.send("stop");
    engine.wait_for("bestmove");
    assert!(!engine.listen(WHILE).iter().any(|l| is_best(l)));
}

#[test]
fn a_stop_that_follows_at_once_is_not_lost() {
    let mut engine = Driver::start();
    for _ in 0..50 {
        engine.send_bytes(b"go infinite\nstop\n");
        let lines = engine.until("bestmove");
        assert!(lines.iter().any(|l| l.starts_with("info depth ")), "{lines:?}");
    }
    engine.tell("stop");
}

#[test]
fn the_end_of_input_ends_a_search_and_the_program() {
    let mut engine = Driver::start();
    engine.send("go infinite");
    engine.wait_for("info");
    let (lines, status) = engine.finish();
    assert_eq!(lines.iter().filter(|l| is_best(l)).count(), 1);
    assert_eq!(status.code(), Some(0));
}

#[test]
fn quit_ends_a_search_and_the_program() {
    let mut engine = Driver::start();
    engine.send("go infinite");
    engine.wait_for("info");
    engine.send("quit");
    engine.wait_for("bestmove");
    assert_eq!(engine.status().code(), Some(0));
}

#[test]
fn quit_ends_a_count_of_turns() {
    let mut engine = Driver::start();
    engine.send("go perft 100");
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("quit");
    assert_eq!(engine.status().code(), Some(0));
}

#[test]
fn a_command_that_needs_the_engine_ends_the_search_first() {
    for next in [
        "go infinite",
        "position startpos moves d6",
        "ucinewgame",
        "setoption name MultiPV value 2",
    ] {
        let mut engine = Driver::start();
        engine.send("go infinite");
        engine.wait_for("info");
        engine.send(next);
        engine.wait_for("bestmove");
        engine.send("stop");
        engine.send("isready");
        let rest = engine.until("readyok");
        let expected = usize::from(next.starts_with("go"));
        let later = engine.listen(WHILE);
        let bests = rest.iter().chain(&later).filter(|l| is_best(l)).count();
        assert_eq!(bests, expected, "after {next}");
    }
}

#[test]
fn a_search_answers_for_the_position_that_it_was_given() {
    let mut engine = Driver::start();
    engine.send("go infinite");
    engine.wait_for("info");
    engine.send("position startpos moves d6 f4");
    let answer = engine.wait_for("bestmove");
    let mut game = Game::new(Rules::default());
    game.play_text(turn_of(&answer)).expect("legal where the search began");
    let fen = engine.show().into_iter().find(|l| l.starts_with("Fen: "));
    assert_eq!(fen.as_deref(), Some("Fen: 3/1W1/3/4B1/3/3/3 w 8 8 0 2"));
}

#[test]
fn every_go_is_answered_once_by_a_legal_turn_after_an_info_line() {
    for preset in PRESETS {
        let mut engine = Driver::start();
        engine.tell(&format!("setoption name UCI_Variant value {}", preset.name));
        let mut game = Game::new(preset.rules);
        let mut played = Vec::new();
        while !game.outcome().is_over() && played.len() < 60 {
            engine.tell(&format!("position startpos moves {}", played.join(" ")));
            let lines = engine.go("go depth 2");
            let (best, infos) = lines.split_last().expect("until() returns a line");
            let info = infos.iter().rfind(|l| l.starts_with("info depth")).expect("an info line");
            for key in ["depth", "score", "nodes", "time", "pv"] {
                assert!(field(info, key).is_some(), "no {key} in {info}");
            }
            let turn = turn_of(best).to_string();
            game.play_text(&turn).unwrap_or_else(|e| panic!("{}: {e}", preset.name));
            played.push(turn);
        }
        let (rest, _) = engine.finish();
        assert_eq!(rest, [""; 0]);
    }
}

#[test]
fn infinite_waits_for_stop_even_when_all_is_known() {
    let mut engine = Driver::start();
    engine.tell("setoption name UCI_Variant value tapatan");
    engine.send("go infinite");
    engine.wait_for("info");
    assert!(!engine.listen(5 * WHILE).iter().any(|l| is_best(l)));
    engine.send("stop");
    engine.wait_for("bestmove");
}

#[test]
fn go_without_a_limit_is_infinite() {
    for line in ["go", "go winc 10 binc 10", "go movestogo 5", "go searchmoves d6 f4"] {
        let mut engine = Driver::start();
        engine.send(line);
        engine.wait_for("info");
        assert!(!engine.listen(WHILE).iter().any(|l| is_best(l)), "{line}");
        engine.send("stop");
        engine.wait_for("bestmove");
    }
}

#[test]
fn pondering_waits_for_the_hit() {
    for line in ["go ponder wtime 100 btime 100", "go ponder depth 1", "go ponder"] {
        let mut engine = Driver::start();
        engine.send(line);
        engine.wait_for("info");
        assert!(!engine.listen(WHILE).iter().any(|l| is_best(l)), "{line}");
        engine.send("ponderhit");
        engine.wait_for("bestmove");
        engine.send(line);
        engine.send("stop");
        engine.wait_for("bestmove");
    }
}

#[test]
fn searchmoves_are_the_only_turns_searched() {
    let mut engine = Driver::start();
    engine.tell("position startpos moves d6 f4 d7 g4 a1");
    for only in ["c3", "E5", "b2"] {
        let lines = engine.go(&format!("go depth 2 searchmoves {only}"));
        assert_eq!(turn_of(&lines[lines.len() - 1]), only.to_lowercase());
    }
}

#[test]
fn clocks_that_have_run_out_are_played_at_once() {
    let mut engine = Driver::start();
    for line in [
        "go wtime 0 btime 0",
        "go wtime -5000 btime -5000 winc 0 binc 0",
        "go movetime 0",
        "go movetime -1",
        "go wtime 0 btime 100000 movestogo 0",
    ] {
        engine.go(line);
    }
}

#[test]
fn nodes_repeat_after_a_new_game_and_in_a_fresh_process() {
    let search = |engine: &mut Driver| {
        engine.tell("position startpos moves d6 f4 d2 b4");
        let lines = engine.go("go depth 6");
        (nodes(&lines), lines[lines.len() - 1].clone())
    };
    let mut engine = Driver::start();
    let first = search(&mut engine);
    engine.tell("ucinewgame");
    assert_eq!(search(&mut engine), first);
    engine.tell("setoption name Clear Hash");
    assert_eq!(search(&mut engine), first);
    assert_eq!(search(&mut Driver::start()), first);
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    for lines in ["isready\n", "go infinite\n", "go perft 1\n"] {
        let mut child = Command::new(MILLRACE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        // The input stays open: the program must end all the same.
        let mut stdin = child.stdin.take().expect("stdin is piped");
        std::io::Write::write_all(&mut stdin, lines.as_bytes()).expect("the program listens");
        assert_eq!(wait(&mut child).code(), Some(0), "after {lines}");
        let said = child.wait_with_output().expect("the process is ours").stderr;
        assert!(said.is_empty(), "{}", String::from_utf8_lossy(&said));
        drop(stdin);
    }
}

#[test]
fn space_and_line_ends_do_not_matter() {
    let mut engine = Driver::start();
    engine.send_bytes(
        b"\r\n\n   \t \r\n\tposition \t startpos   moves\td6  f4\r\n  setoption  name  move\tOVERHEAD value \t 20 \r\nisready\r\n",
    );
    assert_eq!(engine.until("readyok"), ["readyok"]);
    assert!(engine.show().contains(&"Fen: 3/1W1/3/4B1/3/3/3 w 8 8 0 2".to_string()));
}

#[test]
fn a_last_line_needs_no_line_break() {
    let mut engine = Driver::start();
    engine.send_bytes(b"isready");
    assert_eq!(engine.finish().0, ["readyok"]);
}

#[test]
fn turns_may_be_written_in_several_ways() {
    let mut engine = Driver::start();
    let board = |engine: &mut Driver, moves: &str| {
        engine.tell(&format!("position startpos moves {moves}"));
        engine.show()
    };
    let plain = board(&mut engine, "d6 f4 d5 g4 d7xf4");
    assert_eq!(board(&mut engine, "D6 F4 d5 G4 D7XF4"), plain);
    assert_eq!(board(&mut engine, "d6 f4 d5 g4 d7 xf4"), plain);
    assert_eq!(board(&mut engine, "d6 f4 d5 g4 d7 XF4"), plain);

    let fen = "fen W2/1W1/3/1B4/3/2W/BBW w 0 0";
    engine.tell(&format!("position {fen} moves f2-d2"));
    let slid = engine.show();
    engine.tell(&format!("position {fen} moves f2d2"));
    assert_eq!(engine.show(), slid);
}

#[test]
fn a_recorded_game_ends_as_it_did() {
    let turns = include_str!("../data/games/playok-numbered-as-algebraic.txt");
    let mut engine = Driver::start();
    engine.tell(&format!("position startpos moves {}", turns.trim()));
    let result = engine.show().into_iter().find(|l| l.starts_with("Result: "));
    assert_eq!(result.as_deref(), Some("Result: white (Black is blocked)"));
    assert_eq!(engine.go("go depth 3").last().map(String::as_str), Some("bestmove (none)"));
}

#[test]
fn perft_lists_every_turn_and_the_total() {
    let mut engine = Driver::start();
    engine.tell("setoption name UCI_Variant value three");
    engine.send("go perft 2");
    let lines = engine.until("Nodes: ");
    assert_eq!(lines.len(), 10);
    assert_eq!(lines[9], "Nodes: 72");
    assert!(lines[..9].iter().all(|l| l.ends_with(": 8")), "{lines:?}");
}

#[test]
fn a_log_holds_all_lines_both_ways() {
    let folder = tempfile::tempdir().expect("a folder");
    // Spaces in a value count.
    let path = folder.path().join("two  spaces.log");
    let mut engine = Driver::start();
    engine.tell(&format!("setoption name Log File value {}", path.display()));
    engine.go("go depth 1");
    engine.error("nonsense");
    engine.tell("setoption name Log File value <empty>");
    engine.go("go depth 2");
    engine.finish();
    let log = std::fs::read_to_string(&path).expect("the log is there");
    let lines: Vec<(&str, &str)> = log.lines().filter_map(|l| l.split_once(' ')).collect();
    assert!(lines.iter().all(|(time, _)| time.len() == "2026-01-01T00:00:00.000Z".len()), "{log}");
    let texts: Vec<&str> = lines.iter().map(|(_, text)| *text).collect();
    let place = |beginning: &str| texts.iter().position(|t| t.starts_with(beginning));
    let order = ["> go depth 1", "< info", "< bestmove", "> nonsense", "< info string error"];
    let places: Vec<_> = order.iter().map(|b| place(b).unwrap_or_else(|| panic!("{b}"))).collect();
    assert!(places.is_sorted(), "{log}");
    assert_eq!(place("> go depth 2"), None);
}

#[test]
fn debug_tells_what_is_searched() {
    let mut engine = Driver::start();
    engine.tell("debug on");
    for go in [
        "go depth 1",
        "go wtime 0 winc 5 btime -7 movestogo 3 nodes 9 movetime 1 mate 2 searchmoves d6 a1",
    ] {
        let lines = engine.go(go);
        assert_eq!(lines[0], format!("info string searching 3/3/3/6/3/3/3 w 9 9 0 1: {go}"));
    }
    engine.tell("debug off");
    assert!(engine.go("go depth 1")[0].starts_with("info depth"));
}
