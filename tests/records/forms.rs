//! Spellings: one short game in all the ways in which people and programs write it, and what can
//! stand beside turns.

use millrace_engine::{
    Rules,
    search::Score,
    text::{
        fen,
        record::{GameResult, Record},
    },
};
use std::time::Duration;

/// The one game of a text.
fn read(text: &str) -> Record {
    let mut records = Record::read_all(text, None).unwrap_or_else(|e| panic!("{text:?}: {e}"));
    assert_eq!(records.len(), 1, "{text:?}");
    records.remove(0)
}

fn turns(record: &Record) -> String {
    let texts: Vec<String> =
        record.moves.iter().map(|e| e.turn.on(record.rules.board()).to_string()).collect();
    texts.join(" ")
}

#[test]
fn a_game_may_be_spelt_in_many_ways() {
    for text in [
        "d6 f4 d5 g4 d7xf4 f4",
        "d6\nf4\nd5\ng4\nd7\nxf4\nf4\n",
        "D6 F4 D5 G4 D7XF4 F4",
        "d6, f4, d5, g4, d7xf4, f4",
        "1. d6 f4 2. d5 g4 3. d7xf4 f4",
        "1.d6 f4 2.d5 g4 3.d7xf4 f4",
        "1. d6 1... f4 2. d5 2... g4 3. d7xf4 3… f4",
        "1 d6 f4\n2 d5 g4\n3 d7xf4 f4",
        "1) d6 f4\r\n2) d5 g4\r\n3) d7xf4 f4\r\n",
        " 1.\td6\tf4\r\n 2.\td5\tg4\r\n 3.\td7xf4\tf4",
        "\u{feff}1. d6 f4\r2. d5 g4\r3. d7xf4 f4\r",
        "1. d6 f4 2. d5 g4 3. d7×f4 f4",
        "1. d6 f4 2. d5 g4 3. d7 x f4 f4",
        "1. d6! f4?! 2. d5 $14 g4 ?? 3. d7 {closes} xf4!! f4 *",
        "% from a program\n1. d6 f4 ; a good answer\n2. d5 g4 3. d7xf4 f4",
        "1. d6 f4 2. d5 (2. d7 f6 (2... g4)) 2... g4 3. d7xf4 f4",
        "[Event \"?\"]\n\n1. d6 f4\n\n2. d5 g4\n\n3. d7xf4 f4",
        "[Event unquoted]\n1. d6 f4 2. d5 g4 3. d7xf4 f4",
        "5 14 8 15 2x14 14",
        "1. 5 14 2. 8 15 3. 2x14 14",
        "1. 5 14 2.\n8 15 3.\n2 x14 14 *",
    ] {
        assert_eq!(turns(&read(text)), "d6 f4 d5 g4 d7xf4 f4", "{text:?}");
    }
}

#[test]
fn numbers_may_be_broken_at_the_ends_of_lines() {
    let whole = include_str!("../data/games/playok-numbered.pgn");
    let broken = whole.replace(" 11.", " 1\n1.").replace("17.", "1\r\n7.").replace("20.", "2\n0.");
    assert!(broken.len() > whole.len() + 2);
    assert_eq!(read(&broken), read(whole));
}

#[test]
fn moves_may_be_written_with_any_dash() {
    let start = "[FEN \"W2/1W1/3/1B4/3/2W/BBW w 0 0 5 20\"]\n";
    for turn in ["f2-d2", "f2d2", "F2–D2", "f2 - d2", "f2- d2", "f2→d2", "20. f2−d2"] {
        let record = read(&format!("{start}{turn}"));
        assert_eq!(turns(&record), "f2-d2", "{turn}");
        assert_eq!(
            fen(&record.rules, record.game().position()),
            "W2/1W1/3/1B4/3/1W1/BBW b 0 0 6 20"
        );
    }
}

#[test]
fn an_owed_removal_can_come_first() {
    let record = read("[FEN \"1W1/1W1/1W1/4B1/3/1B1/3 w 6 6 0 4 x1\"]\n4. xf4 a1");
    assert_eq!(turns(&record), "xf4 a1");
}

#[test]
fn marks_comments_and_variations_are_kept_with_their_turns() {
    let record = read(
        "{before} 1. d6!? {+0.12/9 0.250s a\n  point} ({or} 1. d2 {quiet} f4) 1... f4 $7 $200 ; { }\n\
         2. {after Black's} d5 (2. b4) (2. b6 d2) {both} g4 {-M3/21} *",
    );
    assert_eq!(record.comment, "before");
    let [d6, f4, d5, g4] = &record.moves[..] else { panic!("{record:?}") };
    assert_eq!((d6.marks.as_slice(), d6.comment.as_str()), (&[5][..], "a point"));
    assert_eq!((d6.score, d6.depth), (Some(Score::Cp(12)), Some(9)));
    assert_eq!(d6.time, Some(Duration::from_millis(250)));
    let [instead] = &d6.variations[..] else { panic!("{d6:?}") };
    assert_eq!((instead.comment.as_str(), instead.moves.len()), ("or", 2));
    assert_eq!(instead.moves[0].comment, "quiet");
    assert_eq!((f4.marks.as_slice(), f4.comment.as_str()), (&[7, 200][..], "{ } after Black's"));
    assert_eq!((d5.variations.len(), d5.comment.as_str()), (2, "both"));
    assert_eq!((g4.score, g4.depth), (Some(Score::Mate(-3)), Some(21)));
}

#[test]
fn tags_are_kept_in_order_known_or_not() {
    let record = read(
        "[Event \"A \\\"fine\\\" \\\\ event\"]\n[Opening \"d6\"][ECO  \"M00\" ]\n[Empty \"\"]\nd6 *",
    );
    let tags: Vec<(&str, &str)> =
        record.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let event = ("Event", "A \"fine\" \\ event");
    assert_eq!(tags, [event, ("Opening", "d6"), ("ECO", "M00"), ("Empty", "")]);
}

#[test]
fn the_variant_names_the_rules() {
    for (variant, rules) in [
        ("Nine Men's Morris", "nine"),
        ("Twelve Men's Morris", "morabaraba"),
        ("morabaraba", "morabaraba"),
        ("nine+fly=0+removals=per-mill", "nine-nofly+removals=per-mill"),
        ("NINE-HOLES", "nine-holes"),
    ] {
        let record = read(&format!("[Variant \"{variant}\"]\n1. b2 *"));
        assert_eq!(record.rules, Rules::parse(rules).unwrap(), "{variant}");
    }
    let six = Rules::named("six");
    let records = Record::read_all("[Variant \"El Filja\"]\n1. c4 *", six).unwrap();
    assert_eq!(Some(records[0].rules), six);
}

#[test]
fn results_come_from_the_text_before_the_board() {
    let result = |text: &str| {
        let record = read(text);
        (record.result, record.reason)
    };
    assert_eq!(result("1. d6 f4 1-0"), (GameResult::White, String::new()));
    assert_eq!(result("1. d6 f4 1/2-1/2").0, GameResult::Draw);
    assert_eq!(result("1. d6 f4 ½-½").0, GameResult::Draw);
    // Sanmill writes the result into the tag alone.
    assert_eq!(result("[Result \"0-1\"]\n1. d6 f4 *").0, GameResult::Black);
    let resigned = result("[Result \"0-1\"]\n[Termination \"White resigns\"]\n1. d6 f4 0-1");
    assert_eq!(resigned, (GameResult::Black, "White resigns".to_string()));
    let line = "[Variant \"three\"]\n1. a1 b1 2. a2 b2 3. a3";
    let won = (GameResult::White, "White has completed a line".to_string());
    assert_eq!(result(line), won);
    assert_eq!(result(&format!("{line} *")), won);
    assert_eq!(result("1. d6 f4"), (GameResult::Open, String::new()));
}

#[test]
fn games_end_where_the_next_begins() {
    let count = |text: &str| {
        let records = Record::read_all(text, None).unwrap_or_else(|e| panic!("{text:?}: {e}"));
        records.iter().map(|record| record.moves.len()).collect::<Vec<_>>()
    };
    assert_eq!(count(""), [0; 0]);
    assert_eq!(count(" \n\r\n\t\n"), [0; 0]);
    assert_eq!(count("d6 f4\n\nd2 b4 d3\n\n\n"), [2, 3]);
    assert_eq!(count("1. d6 f4 2. d5\n1. d2\n\n2. d3"), [3, 2]);
    assert_eq!(count("1. d6 f4 2. d5 g4 1. d2 f4"), [4, 2]);
    assert_eq!(count("1. d6 f4 1-0 {resigned} 1. d2 f4 2. b4 *"), [2, 3]);
    assert_eq!(
        count("[White \"A\"]\n\n1. d6\n[White \"B\"]\n\n1. d2 f4\n*\n[White \"C\"]"),
        [1, 2, 0]
    );
    let comments = Record::read_all("1. d6 * {end}\n{begin} 1. d2 *", None).unwrap();
    assert_eq!(
        (comments[0].moves[0].comment.as_str(), comments[1].comment.as_str()),
        ("end", "begin")
    );
}
