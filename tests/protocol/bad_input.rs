//! Whatever comes in: a specific error, nothing changed, the process alive.

use crate::driver::Driver;

/// Lines, the code of their error, and a word of its text that says what is wrong.
const BAD: &[(&str, &str, &str)] = &[
    // Words.
    ("hello", "unknown_command", "'hello'"),
    ("Go depth 1", "unknown_command", "'Go'"),
    ("\u{1}\u{2}\u{7f}", "unknown_command", "'???'"),
    ("isready now", "bad_argument", "'now'"),
    ("debug", "missing_value", "debug"),
    ("debug maybe", "bad_argument", "'maybe'"),
    ("gbgp now", "bad_argument", "'now'"),
    ("bench depth 1 depth 2", "repeated", "'depth'"),
    ("bench depth 0", "bad_number", "depth"),
    ("bench slowly", "bad_argument", "'slowly'"),
    // Limits.
    ("go fast", "bad_argument", "'fast'"),
    ("go depth", "missing_value", "depth"),
    ("go depth 2 depth 3", "repeated", "'depth'"),
    ("go infinite infinite", "repeated", "'infinite'"),
    ("go searchmoves a1 depth 1 searchmoves a4", "repeated", "'searchmoves'"),
    ("go depth 0", "bad_number", "from 1 to"),
    ("go depth x", "bad_number", "'x'"),
    ("go depth 5.5", "bad_number", "'5.5'"),
    ("go depth -3", "bad_number", "'-3'"),
    ("go depth 4294967297", "bad_number", "depth"),
    ("go nodes 99999999999999999999999999", "bad_number", "nodes"),
    ("go movetime 9223372036854775807", "bad_number", "movetime"),
    ("go movetime 99999999999999999999999", "bad_number", "movetime"),
    ("go wtime", "missing_value", "wtime"),
    ("go wtime btime 5", "bad_number", "'btime'"),
    ("go wtime 100 btime -9223372036854775808", "bad_number", "btime"),
    ("go winc 1e3", "bad_number", "winc"),
    ("go movestogo -1", "bad_number", "movestogo"),
    ("go mate 0", "bad_number", "mate"),
    ("go perft", "missing_value", "perft"),
    ("go perft -1", "bad_number", "perft"),
    ("go perft 101", "bad_number", "perft"),
    ("go perft 2 searchmoves d6", "bad_argument", "go perft does not know 'searchmoves'"),
    ("go depth 2 perft 2", "bad_argument", "go perft does not know 'depth'"),
    ("go searchmoves", "missing_value", "searchmoves"),
    ("go depth 3 searchmoves a1 d6", "illegal_move", "moves[1] 'd6': d6 is occupied"),
    ("go searchmoves a1 nonsense", "bad_move", "moves[1] 'nonsense'"),
    // Options.
    ("setoption", "missing_value", "setoption"),
    ("setoption name", "missing_value", "name"),
    ("setoption title Hash value 1", "bad_argument", "'title'"),
    ("setoption name Colour value 1", "unknown_option", "'Colour'"),
    ("setoption name Hash", "missing_value", "Hash"),
    ("setoption name Hash value", "missing_value", "Hash"),
    ("setoption name Hash value 0", "bad_value", "1 to 65536"),
    ("setoption name Hash value 65537", "bad_value", "1 to 65536"),
    ("setoption name Hash value lots", "bad_value", "'lots'"),
    ("setoption name Threads value 513", "bad_value", "1 to 512"),
    ("setoption name Threads value -1", "bad_value", "Threads"),
    ("setoption name MultiPV value 99999999999999999999", "bad_value", "MultiPV"),
    ("setoption name Skill Level value 21", "bad_value", "0 to 20"),
    ("setoption name Ponder value maybe", "bad_value", "true or false"),
    ("setoption name Clear Hash value true", "bad_value", "no value"),
    ("setoption name UCI_Variant value chess", "bad_rules", "'chess'"),
    ("setoption name UCI_Variant value nine+wings=2", "bad_rules", "'wings'"),
    ("setoption name UCI_Variant value nine+fly", "bad_rules", "fly needs a value: fly="),
    ("setoption name UCI_Variant value six+stones=9", "bad_rules", "16 points"),
    ("setoption name UCI_Variant value six+diagonals=yes", "bad_rules", "diagonals"),
    ("setoption name Board value six", "bad_rules", "stones=9"),
    ("setoption name Fly value 1", "bad_value", "Fly"),
    ("setoption name Removals value all", "bad_value", "per-mill"),
    ("setoption name Log File value /no/such/folder/log", "log_file", "/no/such/folder/log"),
    // Positions.
    ("position", "missing_value", "position"),
    ("position here", "bad_argument", "'here'"),
    ("position startpos d6", "bad_argument", "'d6'"),
    ("position fen", "bad_position", "empty"),
    ("position fen moves d6", "bad_position", "empty"),
    ("position fen 3/3/3/6/3/3 w 9 9", "bad_position", "6 rows"),
    ("position fen 3/3/3/7/3/3/3 w 9 9", "bad_position", "row 4"),
    ("position fen 3/3/3/5/3/3/3 w 9 9", "bad_position", "row 4"),
    ("position fen 3/3/3/6/3/3/2Q w 9 9", "bad_position", "'Q'"),
    ("position fen 3/3/3/6/3/3/3 x 9 9", "bad_position", "side to move"),
    ("position fen 3/3/3/6/3/3/3 w 9", "bad_position", "fields"),
    ("position fen 3/3/3/6/3/3/3 w 9 9 0 1 7", "bad_position", "takes 6 at most"),
    ("position fen 3/3/3/6/3/3/3 w 10 9", "bad_position", "White"),
    ("position fen 3/3/3/6/3/3/3 w 9 -1", "bad_position", "Black's hand"),
    ("position fen WWW/WWW/WWW/W5/3/3/3 w 0 0", "bad_position", "White"),
    ("position fen WWW/3/3/6/3/3/BBB w 7 0", "bad_position", "White has 3"),
    ("position fen 3/3/3/6/3/3/3 w 9 9 0 99999", "bad_position", "move number"),
    ("position fen 3/3/3/6/3/3/3 w 9 9 0 1 x1", "bad_position", "owe"),
    ("position fen WW1/3/3/6/3/3/BBB b 0 0", "bad_position", "already won"),
    ("position pos w:wb4,c4:bd2", "bad_position", "fields"),
    ("position pos w:wb4,z4:bd2:2", "bad_position", "White's stones"),
    // Turns.
    ("position startpos moves d6 d9", "bad_move", "moves[1] 'd9'"),
    ("position startpos moves d6 f4 d4", "bad_move", "moves[2] 'd4'"),
    ("position startpos moves d6 d6", "illegal_move", "moves[1] 'd6': d6 is occupied"),
    ("position startpos moves d6 f4 d6-d7", "illegal_move", "moves[2] 'd6-d7'"),
    ("position startpos moves d6 xf4", "illegal_move", "moves[1] 'xf4'"),
    ("position startpos moves d6 f4 d5 g4 d7 a1", "illegal_move", "moves[4] 'd7'"),
    ("position startpos moves d6 f4 d5 g4 d7 xa1", "illegal_move", "moves[5] 'xa1'"),
    ("position startpos moves d6 f4 d5 g4 d7 xf4 xg4", "illegal_move", "moves[6] 'xg4'"),
    ("position startpos moves d6 f4 d5 g4 d7xd6", "illegal_move", "moves[4] 'd7xd6'"),
    ("position startpos moves pass", "illegal_move", "moves[0] 'pass'"),
    ("position startpos moves \u{e9}\u{e9}", "bad_move", "moves[0]"),
];

#[test]
fn every_bad_line_has_its_error_and_changes_nothing() {
    let mut engine = Driver::start();
    engine.tell("setoption name NoMillPlies value 60");
    engine.tell("position startpos moves d6 f4");
    let before = engine.show();
    for (line, code, part) in BAD {
        let error = engine.error(line);
        let prefix = format!("info string error {code}: ");
        assert!(error.starts_with(&prefix) && error.contains(part), "'{line}' gives '{error}'");
        assert_eq!(engine.show(), before, "after '{line}'");
    }
}

#[test]
fn after_a_refused_position_nothing_is_searched() {
    let mut engine = Driver::start();
    for good in ["position startpos moves d6", "ucinewgame", "newgame"] {
        engine.error("position startpos moves d6 d6");
        for go in ["go depth 1", "go infinite"] {
            let error = engine.error(go);
            assert!(error.starts_with("info string error no_position: "), "{error}");
        }
        // Other commands still work, and do not make it good.
        engine.tell("setoption name MultiPV value 1");
        engine.error("position fen what");
        engine.error("go");
        engine.tell(good);
        engine.go("go depth 1");
    }
}

#[test]
fn a_bad_option_does_not_disturb_a_search() {
    let mut engine = Driver::start();
    engine.send("go infinite");
    engine.wait_for("info");
    engine.send("setoption name Hash value 0");
    engine.wait_for("info string error bad_value");
    engine.send("isready");
    assert!(!engine.until("readyok").iter().any(|l| l.starts_with("bestmove")));
    engine.send("stop");
    engine.wait_for("bestmove");
}

#[test]
fn errors_are_one_line_and_quote_little() {
    let mut engine = Driver::start();
    for size in [1 << 10, 1 << 20] {
        let error = engine.error(&"a".repeat(size));
        assert!(error.starts_with("info string error unknown_command: "), "{error:.100}");
        assert!(error.len() < 300, "{} bytes", error.len());
        for line in ["setoption name ", "position fen ", "position startpos moves ", "go depth "] {
            let error = engine.error(&format!("{line}{}", "a".repeat(size)));
            assert!(error.starts_with("info string error ") && error.len() < 400, "{error:.500}");
        }
    }
}

#[test]
fn a_line_without_end_costs_no_memory() {
    let mut engine = Driver::start();
    for _ in 0..64 {
        engine.send_bytes(&[b'a'; 1 << 20]);
    }
    let error = engine.error("");
    assert!(error.starts_with("info string error line_too_long: "), "{error}");
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id()));
        let status = status.expect("the process is alive");
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("a peak");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kib < 60 << 10, "{kib} KiB");
    }
}

#[test]
fn a_million_turns_are_refused_at_the_first_bad_one() {
    let mut engine = Driver::start();
    let error = engine.error(&format!("position startpos moves{}", " d6".repeat(1 << 20)));
    assert!(error.starts_with("info string error illegal_move: moves[1] 'd6': "), "{error}");
}

#[test]
fn after_a_position_refused_for_whatever_reason_nothing_is_searched() {
    let long = format!("position startpos moves{}", " d6".repeat(3 << 19));
    let lines: [&[u8]; 8] = [
        b"position",
        b"position foo",
        b"position startpos foo",
        b"position startpos move d6 f4",
        b"position startpos moves d6 d6",
        b"position fen 3/3 w 9 9",
        b"position startpos moves d6 f4 \xff",
        long.as_bytes(),
    ];
    for line in lines {
        let mut engine = Driver::start();
        engine.send("position startpos moves d6");
        engine.send_bytes(line);
        assert!(engine.error("").starts_with("info string error "));
        let error = engine.error("go depth 1");
        assert!(error.starts_with("info string error no_position: "), "{error}");
        engine.send("position startpos moves d6");
        engine.send("go depth 1");
        engine.until("bestmove");
    }
}

#[test]
fn a_refused_new_beginning_ends_the_search_all_the_same() {
    for line in ["go depth x", "go searchmoves z9", "position foo", "ucinewgame x"] {
        let mut engine = Driver::start();
        engine.send("go infinite");
        engine.send(line);
        let lines = engine.until("info string error");
        assert!(lines.iter().any(|l| l.starts_with("bestmove ")), "{line}: {lines:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let mut engine = Driver::start();
    engine.send_bytes(b"\xff\xfe\x00go\n");
    assert!(engine.error("").starts_with("info string error not_text: "));
    let mut noise = Vec::new();
    for byte in 0..=255 {
        noise.extend([byte; 3]);
    }
    engine.send_bytes(&noise);
    engine.send("");
    engine.send("isready");
    let lines = engine.until("readyok");
    assert!(lines.len() > 1 && lines[..lines.len() - 1].iter().all(|l| l.contains("error")));
}
