//! Games that people have played, in the notations in which they were passed around.

use millrace_engine::{
    Game, Rules, TurnError,
    text::record::{GameResult, Record, RecordError, RecordFault},
};

/// Reads the one game of a text under `nine` without the rules of a referee, which these games did
/// not apply.
fn read(text: &str) -> Result<Record, RecordError> {
    let rules: Rules = "nine+repetition=0+no_mill_plies=0".parse().expect("rules");
    let mut records = Record::read_all(text, Some(rules))?;
    assert_eq!(records.len(), 1);
    Ok(records.remove(0))
}

macro_rules! replays {
    ($($name:ident: $file:literal, $turns:literal, $outcome:literal, $result:ident;)*) => {$(
        #[test]
        fn $name() {
            let record = read(include_str!(concat!("../data/games/", $file))).unwrap();
            let game: Game = record.game();
            assert_eq!(record.moves.len(), $turns);
            assert_eq!(game.turns().len(), $turns);
            assert_eq!(game.outcome().to_string(), $outcome);
            assert_eq!(record.result, GameResult::$result);
        }
    )*};
}

replays! {
    playok: "playok-numbered.pgn", 39, "white (Black is blocked)", White;
    playok_by_names: "playok-numbered-as-algebraic.txt", 39, "white (Black is blocked)", White;
    columns_223: "columns-223.txt", 30, "black (White is blocked)", Black;
    columns_200: "columns-200.txt", 43, "white (Black has fewer than three stones)", White;
    columns_232: "columns-232.txt", 43, "white (Black is blocked)", White;
    columns_257: "columns-257.txt", 102, "black (White has fewer than three stones)", Black;
    columns_269: "columns-269.txt", 35, "ongoing", Open;
    annotated: "annotated-895.pgn", 24, "ongoing", Open;
    headers: "headers-0720.pgn", 40, "black (White has fewer than three stones)", Black;
}

const TWELVE_STONES: &str = include_str!("../data/games/columns-305.txt");

#[test]
fn twelve_stones_are_too_many_for_nine() {
    let error = read(TWELVE_STONES).unwrap_err();
    assert_eq!((error.line, error.column, error.turn), (10, 8, Some(19)));
    let why = RecordFault::Turn { text: "d5".into(), why: TurnError::HandEmpty };
    assert_eq!(error.why, why);
    assert_eq!(error.to_string(), "line 10, column 8 (game 1, turn 19): 'd5': no stone is in hand");
}

#[test]
fn twelve_stones_are_right_with_diagonals() {
    let records = Record::read_all(TWELVE_STONES, Rules::named("twelve")).unwrap();
    let game = records[0].game();
    assert_eq!((game.turns().len(), game.outcome().to_string()), (50, "ongoing".to_string()));
}

#[test]
fn both_spellings_of_a_game_are_the_same_game() {
    let numbered = read(include_str!("../data/games/playok-numbered.pgn")).unwrap();
    let named = read(include_str!("../data/games/playok-numbered-as-algebraic.txt")).unwrap();
    assert_eq!(numbered.moves, named.moves);
    assert_eq!(numbered.tag("WhiteElo"), Some("1265"));
    assert_eq!(numbered.tag("TimeControl"), Some("300"));
}

#[test]
fn all_files_in_one_are_read_one_by_one() {
    let text = [
        include_str!("../data/games/playok-numbered.pgn"),
        include_str!("../data/games/columns-223.txt"),
        include_str!("../data/games/columns-257.txt"),
        include_str!("../data/games/headers-0720.pgn"),
        include_str!("../data/games/annotated-895.pgn"),
    ]
    .join("\n");
    let records = Record::read_all(&text, None).unwrap();
    let turns: Vec<usize> = records.iter().map(|record| record.moves.len()).collect();
    assert_eq!(turns, [39, 30, 102, 40, 24]);
}
