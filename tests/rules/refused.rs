//! Positions and turns that are wrong, each with what is said about it.

use millrace_engine::{
    Color, Position, Rules,
    text::{parse_position, parse_turn},
};

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// What is said about a position text; empty if it is taken.
fn position_error(on: &str, text: &str) -> String {
    parse_position(&rules(on), text).err().map(|e| e.to_string()).unwrap_or_default()
}

fn assert_positions(rows: &[(&str, &str, &str)]) {
    for (on, text, error) in rows {
        assert_eq!(position_error(on, text), *error, "{on}: {text}");
    }
}

#[test]
fn shapes_of_fen() {
    const NAMES: &str = "rows, side, white hand, black hand [, plies since removal, move number, \
                         x<removals owed>]";
    let short =
        |text: &str, got: &str| format!("the position '{text}' has {got} and needs 4: {NAMES}");
    let many = "the position has 7 fields, x<n> not counted, and takes 6 at most";
    assert_positions(&[
        ("nine", "", "the position is empty"),
        ("nine", " \t\r\n", "the position is empty"),
        ("nine", "3/3/3/6/3/3/3", &short("3/3/3/6/3/3/3", "1 field")),
        ("nine", "3/3/3/6/3/3/3  w 9", &short("3/3/3/6/3/3/3 w 9", "3 fields")),
        ("nine", "3/3/3/6/3/3/3 w 9 9 0 1 1", &format!("{many}: {NAMES}")),
        ("nine", "x1", &short("x1", "1 field")),
        ("nine", "x", &short("x", "1 field")),
        ("nine", "3/3/3/6/3/3/3 w x", &short("3/3/3/6/3/3/3 w x", "2 fields")),
        ("nine", "3/3/3/6/3/3/3 w 9 x1", &short("3/3/3/6/3/3/3 w 9 x1", "3 fields")),
        ("nine", "3336333 w 9 9", "the position has 1 row; the board has 7"),
        ("nine", "3/3/3/1/3/3/3 w 9 9", "row 4 '1' has 1 point; the board has 6 there"),
        ("nine", "3/3/3/6/3/3 w 9 9 0 1", "the position has 6 rows; the board has 7"),
        ("nine", "3/3/3/6/3/3/3/3 w 9 9 0 1", "the position has 8 rows; the board has 7"),
        ("six", "3/3/3/6/3/3/3 w 6 6 0 1", "the position has 7 rows; the board has 5"),
        ("three", "3/3 w 3 3", "the position has 2 rows; the board has 3"),
        ("nine", "3/3/3/5/3/3/3 w 9 9", "row 4 '5' has 5 points; the board has 6 there"),
        ("nine", "3/3/3/WB5/3/3/3 w 8 8", "row 4 'WB5' has 7 points; the board has 6 there"),
        ("nine", "3/3/3/6/3/3/WBWB w 7 7", "row 7 'WBWB' has 4 points; the board has 3 there"),
        ("nine", "3//3/6/3/3/3 w 9 9", "row 2 '' has 0 points; the board has 3 there"),
        ("six", "3/3/3/3/3 w 6 6", "row 3 '3' has 3 points; the board has 4 there"),
        ("seven", "3/3/4/3/3 w 7 7", "row 3 '4' has 4 points; the board has 5 there"),
        (
            "nine",
            "3/3/3/99999999999999999999999999999999999999999999/3/3/3 w 9 9",
            "row 4 '9999999999999999999999999999999999999999…' has 396 points; the board has 6 \
             there",
        ),
        (
            "nine",
            "3/3/3/6/3/3/2R w 9 9",
            "a character of the rows is 'R'; it must be W, B or a digit from 1 to 9",
        ),
        (
            "nine",
            "3/3/3/6/3/3/30 w 9 9",
            "a character of the rows is '0'; it must be W, B or a digit from 1 to 9",
        ),
        (
            "nine",
            "3/3/3/6/3/3/2\u{0} w 9 9",
            "a character of the rows is '?'; it must be W, B or a digit from 1 to 9",
        ),
        ("nine", "3/3/3/6/3/3/3 white 9 9", "the side to move is 'white'; it must be w or b"),
    ]);
    let long = format!("3/3/3/6/3/3/3 w 9 9 {}", "0".repeat(1 << 20));
    assert_eq!(position_error("nine", &long), "the position is 1048596 bytes long");
}

#[test]
fn numbers_of_fen() {
    assert_positions(&[
        (
            "nine",
            "3/3/3/6/3/3/3 w 13 9",
            "White's hand is '13'; it must be a number of stones, 0 to 12",
        ),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 -1",
            "Black's hand is '-1'; it must be a number of stones, 0 to 12",
        ),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 +9",
            "Black's hand is '+9'; it must be a number of stones, 0 to 12",
        ),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 99999999999999999999999",
            "Black's hand is '99999999999999999999999'; it must be a number of stones, 0 to 12",
        ),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 9 65536 1",
            "plies since removal is '65536'; it must be a number, 0 to 65535",
        ),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 9 0 1.5",
            "move number is '1.5'; it must be a number, 0 to 65535",
        ),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 9 0 1 x4",
            "removals owed is 'x4'; it must be x and a number of removals, 0 to 3",
        ),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 9 0 1 x",
            "removals owed is 'x'; it must be x and a number of removals, 0 to 3",
        ),
    ]);
}

#[test]
fn stones_and_hands() {
    let too_many = "White has 1 stone on the board and 9 in hand, together more than 9";
    assert_positions(&[
        ("nine", "3/3/3/6/3/3/W2 w 9 9", too_many),
        ("nine", "3/3/3/6/3/3/W2 w 8 9", ""),
        (
            "nine",
            "3/3/3/6/3/3/3 w 9 10",
            "Black has 0 stones on the board and 10 in hand, together more than 9",
        ),
        (
            "five",
            "BBB/BBB/4/3/3 w 5 0",
            "Black has 6 stones on the board and 0 in hand, together more than 5",
        ),
        ("nine", "3/3/3/1B3W/3/B2/WW1 w 0 0", "White cannot be to move: it has already won"),
        ("nine", "3/3/3/1B3W/3/B2/WW1 b 0 0", ""),
        ("nine", "3/3/3/1B3W/3/B2/WW1 w 0 1", ""),
        ("nine", "3/3/3/6/3/3/3 w 0 0", "White cannot be to move: it has already won"),
        ("three", "B2/1B1/WWW w 0 1", "White cannot be to move: it has already won"),
        ("three", "B2/1B1/WWW b 0 1", ""),
        ("three", "BBB/3/WWW b 0 0", "both sides hold a line"),
        ("tapatan", "BW1/1BW/2B b 1 0", "Black cannot be to move: it has already won"),
        ("three", "BW1/1BW/2B b 1 0", ""),
        ("nine", "BBB/3/3/6/3/3/WWW b 6 6", ""),
    ]);
}

#[test]
fn owed_removals() {
    assert_positions(&[
        ("nine", "BB1/3/3/6/3/3/WWW w 6 7 0 4 x0", ""),
        ("nine", "BB1/3/3/6/3/3/WWW w 6 7 0 4 x1", ""),
        ("nine", "BB1/3/3/6/3/3/WWW w 6 7 0 4 X1", ""),
        ("nine", "BB1/3/3/6/3/3/WWW w 6 7 x1", ""),
        ("nine", "BB1/3/3/6/3/3/WWW b 6 7 0 4 x1", "Black cannot owe 1 removal: it has no mill"),
        ("nine", "BB1/3/3/6/3/3/WW1 w 6 7 0 4 x1", "White cannot owe 1 removal: it has no mill"),
        (
            "nine",
            "BB1/3/3/5W/3/2W/WWW w 4 7 0 4 x2",
            "White cannot owe 2 removals: that is more than one turn can remove with its mills",
        ),
        (
            "nine+removals=per-mill",
            "BB1/3/3/6/3/3/WWW w 6 7 0 4 x2",
            "White cannot owe 2 removals: that is more than one turn can remove with its mills",
        ),
        ("nine+removals=per-mill", "BBW/3/3/5W/3/3/WWW w 4 7 0 4 x2", ""),
        (
            "nine+removals=per-mill",
            "BBW/3/3/5W/3/3/WWW w 4 7 0 4 x3",
            "White cannot owe 3 removals: that is more than one turn can remove with its mills",
        ),
        // The first of two removals has taken Black below three; the second is still due.
        ("nine+removals=per-mill", "BBW/3/3/5W/3/3/WWW w 0 0 0 4 x1", ""),
        (
            "nine+removals=per-mill",
            "BBW/3/3/5W/3/3/WWW w 0 0 0 4 x2",
            "White cannot be to move: it has already won",
        ),
        ("nine", "BB1/3/3/6/3/3/WWW w 0 0 0 4 x1", "White cannot be to move: it has already won"),
        (
            "nine",
            "3/3/3/6/3/3/WWW w 6 9 0 4 x1",
            "White cannot owe 1 removal: no stone may be removed",
        ),
        (
            "nine+remove_from_mill=never",
            "BBB/3/3/6/3/3/WWW w 6 6 0 4 x1",
            "White cannot owe 1 removal: no stone may be removed",
        ),
        ("nine", "BBB/3/3/6/3/3/WWW w 6 6 0 4 x1", ""),
        (
            "three",
            "BB1/3/WWW w 0 1 0 4 x1",
            "White cannot owe 1 removal: these rules remove no stones",
        ),
    ]);
}

#[test]
fn gbgp_positions() {
    const STONES: &str = "it must be the side's letter, then different points separated by commas";
    const HANDS: &str = "a GBGP position does not tell the hands where stones may move while \
                         others are placed";
    assert_positions(&[
        ("nine", "w:w:b:1", ""),
        ("nine", "b:wb4:b:1", ""),
        ("nine", "B:WB4:B:1", ""),
        ("nine", "w:wb4:bd2:2", ""),
        ("nine", "b:wb4,c4:bd2:2", ""),
        (
            "nine",
            "w:wb4,c4:bd2:2",
            "White has 2 stones on the board, but has placed only 1 by move 2",
        ),
        ("nine", "w:w:bd2:1", "Black has 1 stone on the board, but has placed only 0 by move 1"),
        ("nine", "w:wa1,a4,a7:bd2,d1:4", ""),
        (
            "three",
            "w:wa1:bb2:3",
            "White has placed 2 stones by move 3, but on the board there are only 1, and these rules \
             remove none",
        ),
        ("three", "w:wa1,b1:bb2,a2:3", ""),
        ("nine", "b:wa1,d1:bd2,a4,g7:60", "Black cannot be to move: it has already won"),
        ("lasker", "w:w:b:1", HANDS),
        (
            "nine",
            "w:w:b",
            "the position 'w:w:b' has 3 fields and needs 4: side:w<stones>:b<stones>:move number",
        ),
        (
            "nine",
            "w:w:b:1:1",
            "the position 'w:w:b:1:1' has 5 fields and needs 4: side:w<stones>:b<stones>:move number",
        ),
        (
            "nine",
            "w:w :b:1",
            "the position 'w:w :b:1' has 2 fields and needs 1: side:w<stones>:b<stones>:move number",
        ),
        ("nine", "x:w:b:1", "the side to move is 'x'; it must be w or b"),
        ("nine", "w:w:b:0", "the move number is '0'; it must be 1 or more"),
        ("nine", "w:w:b:70000", "the move number is '70000'; it must be a number, 0 to 65535"),
        ("nine", "w:b:w:1", &format!("White's stones is 'b'; {STONES}")),
        ("nine", "w:wd4:bd2:2", &format!("White's stones is 'wd4'; {STONES}")),
        ("nine", "w:wa1,a1:bd2:3", &format!("White's stones is 'wa1,a1'; {STONES}")),
        ("nine", "w:wa1,:bd2:3", &format!("White's stones is 'wa1,'; {STONES}")),
        ("six", "w:wa1:bg7:2", &format!("Black's stones is 'bg7'; {STONES}")),
        ("nine", "w:wa1:ba1:2", "both sides have a stone on a1"),
    ]);
}

#[test]
fn sanmill_positions() {
    const BOARD: &str = "it must be three rings of eight characters, O, @ or *, on a board of 24 \
                         points";
    assert_positions(&[
        ("nine", "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1 ids:nodes", ""),
        (
            "nine",
            "OOO****@/********/******** w p r 3 6 1 8 1 0 0 0 0 0 0 0 3",
            "White cannot owe 1 removal: it has no mill",
        ),
        ("nine", "*OOO***@/********/******** w p r 3 6 1 8 1 0 0 0 0 0 0 0 3", ""),
        (
            "nine",
            "*OOO***@/********/******** w p r 3 6 1 8 0 0 0 0 0 0 0 0 3",
            "the action is r, but White has no removal due",
        ),
        (
            "nine",
            "*OOO***@/********/******** w p p 3 6 1 8 1 0 0 0 0 0 0 0 3",
            "White has 1 removal due, but the action is not r",
        ),
        (
            "nine",
            "*OOO***@/********/******** w p p 3 6 1 8 0 2 0 0 0 0 0 0 3",
            "Black has 2 removals due, but is not to move",
        ),
        (
            "nine",
            "O*******/********/@******* w m s 1 8 1 8 0 0 0 0 0 0 0 0 2",
            "the phase is m, but 8 white and 8 black stones are in hand",
        ),
        (
            "nine",
            "O*******/********/@******* w o ? 1 8 1 8 0 0 0 0 0 0 0 0 2",
            "the phase is o, but the game is not over",
        ),
        ("nine", "OO******/********/@@@***** w o ? 2 0 3 0 0 0 0 0 0 0 0 0 20", ""),
        (
            "nine",
            "O*******/********/@******* w p p 1 8 1 8 0 0 32 0 0 0 0 0 2",
            "a point of a last turn is '32'; it must be -1 or 0 to 31",
        ),
        (
            "nine",
            "O*******/********/@******* w p p 1 8 1 8 0 0 -1 31 -2 0 0 0 2",
            "a point of a last turn is '-2'; it must be -1 or 0 to 31",
        ),
        (
            "nine",
            "O*******/********/@******* w p p 2 7 1 8 0 0 0 0 0 0 0 0 2",
            "White is said to have 2 stones on the board, but there are 1",
        ),
        (
            "nine",
            "O*******/********/@******* w p p 1 9 1 8 0 0 0 0 0 0 0 0 2",
            "White has 1 stone on the board and 9 in hand, together more than 9",
        ),
        (
            "nine",
            "X*******/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
            &format!("the board is 'X*******/********/********'; {BOARD}"),
        ),
        (
            "nine",
            "*******/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
            &format!("the board is '*******/********/********'; {BOARD}"),
        ),
        (
            "six",
            "********/********/******** w p p 0 6 0 6 0 0 0 0 0 0 0 0 1",
            &format!("the board is '********/********/********'; {BOARD}"),
        ),
        (
            "nine",
            "********/********/******** w q p 0 9 0 9 0 0 0 0 0 0 0 0 1",
            "the phase is 'q'; it must be r, p, m or o",
        ),
        (
            "nine",
            "********/********/******** w p q 0 9 0 9 0 0 0 0 0 0 0 0 1",
            "the action is 'q'; it must be p, s, r or ?",
        ),
        (
            "nine",
            "********/********/******** w p p 0 9 0 9 -1 0 0 0 0 0 0 0 1",
            "removals due is '-1'; it must be a number of stones, 0 to 12",
        ),
    ]);
}

#[test]
fn positions_from_stone_sets() {
    let nine = Rules::default();
    let error = |stones, hands| {
        Position::new(&nine, stones, hands, Color::White).map_err(|e| e.to_string()).err()
    };
    assert_eq!(error([1 << 24, 0], [8, 9]).unwrap(), "a stone stands outside the board");
    assert_eq!(error([u32::MAX, 0], [0, 9]).unwrap(), "a stone stands outside the board");
    assert_eq!(error([1, 1], [8, 8]).unwrap(), "both sides have a stone on a1");
    assert_eq!(
        error([0, 0], [9, 255]).unwrap(),
        "Black has 0 stones on the board and 255 in hand, together more than 9"
    );
    assert_eq!(error([0, 0], [9, 9]), None);
}

#[test]
fn turns() {
    const START: &str = "3/3/3/6/3/3/3 w 9 9";
    const PLACING: &str = "BB1/3/3/6/3/3/WW1 w 7 7";
    const MOVING: &str = "3/2B/2B/1B3W/B1W/1W1/W2 w 0 0";
    const DOUBLE: &str = "WW1/3/3/3B1W/B2/BB1/2W w 5 5";
    let not_a_turn = |text: &str| {
        format!("'{text}' is not a turn; turns look like d6, d6-d5, d6xb4 or d6-d5xb4")
    };
    let said = |text: &str| text.to_string();
    for (on, fen, text, error) in [
        ("nine", START, "", not_a_turn("")),
        ("nine", START, "d", not_a_turn("d")),
        ("nine", START, "d6 ", not_a_turn("d6 ")),
        ("nine", START, "d6-", not_a_turn("d6-")),
        ("nine", START, "d6x", not_a_turn("d6x")),
        ("nine", START, "x", not_a_turn("x")),
        ("nine", START, "ä", not_a_turn("ä")),
        ("nine", START, "d6d5d7", not_a_turn("d6d5d7")),
        ("nine", START, "\u{1b}[2J", said("'?[' is not a point of this board")),
        ("nine", START, &"d6".repeat(1 << 19), not_a_turn(&format!("{}…", "d6".repeat(20)))),
        ("nine", START, "d4", said("'d4' is not a point of this board")),
        ("nine", START, "h9", said("'h9' is not a point of this board")),
        ("nine", START, "a1xzz", said("'zz' is not a point of this board")),
        ("six", "3/3/4/3/3 w 6 6", "d6", said("'d6' is not a point of this board")),
        ("nine", START, "a1xb2xb4xb6xd6", said("no turn removes more than 3 stones")),
        ("nine", START, "a1-a4", said("stones may not be moved while stones are in hand")),
        ("nine", START, "pass", said("the side to move may not pass")),
        ("nine", PLACING, "a1", said("a1 is occupied")),
        ("nine", PLACING, "a7", said("a7 is occupied")),
        ("nine", PLACING, "g4xa7", said("no mill is closed, so nothing may be removed")),
        ("nine", PLACING, "xa7", said("no mill is closed, so nothing may be removed")),
        (
            "nine",
            PLACING,
            "g1",
            said("a mill is closed: the turn must name a stone that may be removed"),
        ),
        ("nine", PLACING, "g1xd1", said("there is no stone of the opponent on d1")),
        ("nine", PLACING, "g1xg7", said("there is no stone of the opponent on g7")),
        ("nine", PLACING, "g1xa7xd7", said("the turn removes more stones than its mills allow")),
        (
            "nine",
            "B2/BBB/3/6/2W/3/WW1 w 6 5",
            "g1xb6",
            said("the stone on b6 stands in a mill and may not be removed"),
        ),
        ("nine", MOVING, "a4", said("no stone is in hand")),
        ("nine", MOVING, "a1-a1", said("a1 is occupied")),
        (
            "nine",
            MOVING,
            "a1-a7",
            said("a1 and a7 are not joined, and the side to move does not fly"),
        ),
        ("nine", MOVING, "b4-a4", said("there is no own stone on b4")),
        ("nine", MOVING, "g7-a4", said("there is no own stone on g7")),
        (
            "lasker",
            PLACING,
            "a1-b4",
            said("a1 and b4 are not joined, and the side to move does not fly"),
        ),
        (
            "nine+removals=per-mill",
            DOUBLE,
            "g7xb2",
            said("a mill is closed: the turn must name each stone removed"),
        ),
        (
            "nine+removals=per-mill",
            DOUBLE,
            "g7xb2xb2",
            said("there is no stone of the opponent on b2"),
        ),
        (
            "nine+remove_from_mill=always",
            PLACING,
            "g1",
            said("a mill is closed: the turn must name a stone removed"),
        ),
        (
            "nine",
            "BB1/3/3/6/3/3/WWW w 6 7 x1",
            "g7",
            said("a removal is owed and must be made first"),
        ),
        (
            "nine",
            "BB1/3/3/6/3/3/WWW w 6 7 x1",
            "pass",
            said("a removal is owed and must be made first"),
        ),
        (
            "nine",
            "BB1/3/3/6/3/3/WWW w 6 7 x1",
            "xa7xd7",
            said("the turn removes more stones than its mills allow"),
        ),
        (
            "nine",
            "3/B2/3/1B4/3/B2/WW1 w 0 0",
            "a1-a4",
            said("the game is over: White has fewer than three stones"),
        ),
        ("nine", "BWB/3/3/W4W/3/3/BWB b 0 0", "pass", said("the game is over: Black is blocked")),
        ("three", "B2/1B1/WWW b 0 1", "c3", said("the game is over: White has completed a line")),
    ] {
        let rules = rules(on);
        let pos = parse_position(&rules, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let said = parse_turn(&rules, &pos, text).map_err(|e| e.to_string());
        let shown: String = text.chars().take(20).collect();
        assert_eq!(said, Err(error), "{on}: {fen}: {shown}");
    }
}
