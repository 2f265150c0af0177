//! Games that people have played, turn by turn.

use millrace_engine::{Game, Rules, TurnError};

/// The turns of a record whose points are named: no tags, move numbers or result, and a removal
/// that stands apart joined to its turn.
fn turns(record: &str) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    let text = record.lines().filter(|l| !l.starts_with('['));
    for token in text.flat_map(str::split_whitespace) {
        if token.starts_with('x') {
            turns.last_mut().expect("a removal follows a turn").push_str(token);
        } else if token.starts_with(|c: char| c.is_ascii_lowercase()) {
            turns.push(token.to_string());
        }
    }
    turns
}

/// Replays a record under `nine` without the rules of a referee, which these games did not apply.
fn replay(record: &str) -> Result<Game, (usize, TurnError)> {
    let rules: Rules = "nine+repetition=0+no_mill_plies=0".parse().unwrap();
    let mut game = Game::new(rules);
    for (index, turn) in turns(record).iter().enumerate() {
        game.play_text(turn).map_err(|error| (index, error))?;
    }
    Ok(game)
}

macro_rules! replays {
    ($($name:ident: $file:literal, $turns:literal, $outcome:literal;)*) => {$(
        #[test]
        fn $name() {
            let game = replay(include_str!(concat!("../data/games/", $file))).unwrap();
            assert_eq!(game.turns().len(), $turns);
            assert_eq!(game.outcome().to_string(), $outcome);
        }
    )*};
}

replays! {
    playok: "playok-numbered-as-algebraic.txt", 39, "white (Black is blocked)";
    columns_223: "columns-223.txt", 30, "black (White is blocked)";
    columns_200: "columns-200.txt", 43, "white (Black has fewer than three stones)";
    columns_232: "columns-232.txt", 43, "white (Black is blocked)";
    columns_257: "columns-257.txt", 102, "black (White has fewer than three stones)";
    columns_269: "columns-269.txt", 35, "ongoing";
    annotated: "annotated-895.pgn", 24, "ongoing";
    headers: "headers-0720.pgn", 40, "black (White has fewer than three stones)";
}

#[test]
fn twelve_stones_are_too_many_for_nine() {
    let (index, error) = replay(include_str!("../data/games/columns-305.txt")).unwrap_err();
    assert_eq!((index, error), (18, TurnError::HandEmpty));
}
