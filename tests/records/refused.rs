//! What is wrong is named, with its place.

use millrace_engine::text::record::Record;

#[test]
fn errors_name_line_column_turn_and_reason() {
    for (text, message) in [
        (
            "1. d6 f4\n2. d5 z9",
            "line 2, column 7 (game 1, turn 4): 'z9': 'z9' is not a point of this board",
        ),
        ("1. d6 d6", "line 1, column 7 (game 1, turn 2): 'd6': d6 is occupied"),
        (
            "1. d6 f4 2. d5 g4 3. d7 f6",
            "line 1, column 22 (game 1, turn 5): 'd7': a mill is closed: the turn must name a stone \
             that may be removed",
        ),
        (
            "d6 f4\n\nd6 f4\nd6-d5",
            "line 4, column 1 (game 2, turn 3): 'd6-d5': stones may not be moved while stones are in \
             hand",
        ),
        (
            "1. 5 25",
            "line 1, column 6 (game 1, turn 2): '25': the points of this board are numbered from 1 to 24",
        ),
        (
            "1. 0",
            "line 1, column 4 (game 1, turn 1): '0': the points of this board are numbered from 1 to 24",
        ),
        ("1. d6 {never closed", "line 1, column 7 (game 1): this comment has no closing brace"),
        ("1. d6 (1. d2", "line 1, column 7 (game 1): this variation is not closed"),
        ("(1. d2)", "line 1, column 1 (game 1): no turn stands before this variation"),
        ("1. d6 ) f4", "line 1, column 7 (game 1): ')' closes nothing"),
        ("1. d6 } f4", "line 1, column 7 (game 1): '}' closes nothing"),
        ("1. d6 $300", "line 1, column 7 (game 1): '$300' is not a mark from $0 to $255"),
        (
            "[Event \"x]\n1. d6",
            "line 1, column 1 (game 1): this tag is not of the form [Name \"value\"]",
        ),
        (
            "äöü\n1. d6",
            "line 1, column 1 (game 1, turn 1): 'äöü': 'äöü' is not a turn; turns look like d6, d6-d5, d6xb4 or d6-d5xb4",
        ),
        ("1. d6 (1. d2 f4 2. d2)", "line 1, column 20 (game 1, turn 3): 'd2': d2 is occupied"),
        (
            "[Variant \"El Filja\"]\nd6",
            "line 1, column 1 (game 1): the variant 'El Filja' is not known; say by which rules the \
             game was played",
        ),
        (
            "[Variant \"nine+fly=9\"]\nd6",
            "line 1, column 1 (game 1): the variant: rule option fly cannot be '9'; it takes 0, 3 to 4",
        ),
        (
            "\n[FEN \"3/3 w 9 9\"]\nd6",
            "line 2, column 1 (game 1): the first position: the position has 2 rows; the board has 7",
        ),
    ] {
        let error = Record::read_all(text, None).expect_err(text);
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}

#[test]
fn a_record_made_under_other_rules_is_refused() {
    let text = "[Variant \"nine\"]\n[RulesFingerprint \"0123456789abcdef\"]\n1. d6 *";
    let error = Record::read_all(text, None).unwrap_err().to_string();
    let nine = millrace_engine::Rules::default();
    assert!(error.contains("fingerprint 0123456789abcdef;"), "{error}");
    assert!(error.contains(&format!("{:016x}", nine.fingerprint())), "{error}");
    assert!(error.contains(&nine.canonical()), "{error}");
    assert!(Record::read_all(text, Some(nine)).is_ok());
}

#[test]
fn a_bad_game_does_not_spoil_the_others() {
    let text = "1. d6 d6 1-0\n1. d6 f4 0-1\n1. x 1-0\n1. d2 *";
    let read: Vec<bool> =
        millrace_engine::text::record::Reader::new(text, None).map(|r| r.is_ok()).collect();
    assert_eq!(read, [false, true, false, true]);
}

#[test]
fn nesting_has_an_end() {
    let nested = |depth: usize| format!("1. d6 {}{}", "(1. d2 ".repeat(depth), ")".repeat(depth));
    assert!(Record::read_all(&nested(64), None).is_ok());
    let error = Record::read_all(&nested(100_000), None).unwrap_err();
    assert_eq!(error.why.to_string(), "variations are nested more than 64 deep");
}
