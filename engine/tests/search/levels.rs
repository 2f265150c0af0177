//! Weaker play.

use super::*;

#[test]
fn weak_levels_take_a_win_in_sight() {
    let game = game("nine", "3/WB1/3/WW1B2/1WW/2B/3 w 0 0");
    for skill_level in [10, 19] {
        let settings = Settings { skill_level, ..without_tables() };
        let (best, info) = run(&mut Engine::new(settings), &game, &depth(6));
        assert_eq!(info.score, Score::Mate(2));
        assert_eq!(text(&game, &best), "b4-c4");
    }
}

#[test]
fn the_weakest_level_looks_no_deeper_than_a_beginner() {
    let settings = Settings { skill_level: 0, ..without_tables() };
    let hour = Limits { move_time_ms: Some(3_600_000), ..Limits::default() };
    let (_, info) = run(&mut Engine::new(settings), &Game::new(Rules::default()), &hour);
    assert_eq!(info.depth, 1);
}
