//! Results against values that other programs have proven, or that tables hold.

use super::*;
use millrace_engine::table::{Tables, Wdl};

#[test]
fn proven_values_are_found_to_the_ply() {
    let mut proven = 0;
    for row in values() {
        let Some((_, score)) = score_of(&row[2]).filter(|(plies, _)| *plies <= 11) else {
            continue;
        };
        let game = game(&row[0], &row[1]);
        let (best, info) = run_fresh(&game, &depth(16));
        assert_eq!(info.score, score, "{row:?}");
        let turn = text(&game, &best);
        assert!(row[3].split(' ').any(|t| t == turn), "{turn} is not among {row:?}");
        proven += 1;
    }
    assert_eq!(proven, 9);
}

#[test]
fn draws_are_never_claimed_as_decided() {
    let mut drawn = 0;
    for row in values().iter().filter(|row| row[2] == "D") {
        let (_, info) = run_fresh(&game(&row[0], &row[1]), &nodes(100_000));
        assert!(matches!(info.score, Score::Cp(_)), "{row:?}: {:?}", info.score);
        drawn += 1;
    }
    assert_eq!(drawn, 7);
}

#[test]
fn games_of_three_stones_are_solved_from_the_start() {
    let mut solved = 0;
    for row in truth("three.txt").iter().filter(|row| row.len() > 3 && row[1] == "raw") {
        let game = Game::new(Rules::parse(&row[0]).unwrap());
        let (best, info) = run_fresh(&game, &depth(40));
        let value = row[2].strip_prefix("start ").unwrap();
        assert_eq!(info.score, score_of(value).map_or(Score::Cp(0), |(_, s)| s), "{row:?}");
        let best_first = row[3].strip_prefix("best first: ").unwrap();
        let turn = text(&game, &best);
        assert!(best_first.split(' ').any(|t| t == turn), "{turn} is not among {row:?}");
        solved += 1;
    }
    assert_eq!(solved, 4);
}

#[test]
fn every_first_turn_of_tapatan_has_its_value() {
    let rows = truth("three.txt");
    let row = rows.iter().find(|row| row[0].contains("b2=W 9")).unwrap();
    let list = row[0].split("first moves: ").nth(1).unwrap().split(" (").next().unwrap();
    let list = list.replace("W ", "W_").replace("L ", "L_");
    for (turn, value) in list.split(' ').map(|pair| pair.split_once('=').unwrap()) {
        let mut game = Game::new(Rules::parse("tapatan").unwrap());
        let turn = game.play_text(turn).unwrap();
        game.take_back();
        let limits = Limits { search_moves: vec![turn], ..depth(30) };
        let (_, info) = run_fresh(&game, &limits);
        let expected = score_of(&value.replace('_', " ")).map_or(Score::Cp(0), |(_, s)| s);
        assert_eq!(info.score, expected, "{turn:?}={value}");
    }
}

#[test]
fn proven_results_do_not_depend_on_hash_or_threads() {
    let mut proven = 0;
    for row in values() {
        let Some((plies, score)) = score_of(&row[2]).filter(|(plies, _)| *plies <= 11) else {
            continue;
        };
        let game = game(&row[0], &row[1]);
        for (hash_mib, threads) in [(1, 1), (64, 1), (1, 8), (16, 2)] {
            let settings = Settings { hash_mib, threads, ..without_tables() };
            let (best, info) = run(&mut Engine::new(settings), &game, &depth(plies + 4));
            assert_eq!(info.score, score, "{row:?} {hash_mib} {threads}");
            let turn = text(&game, &best);
            assert!(row[3].split(' ').any(|t| t == turn), "{turn} is not among {row:?}");
        }
        proven += 1;
    }
    assert_eq!(proven, 9);
}

/// What tables say of a position, as the search would; `None` for a draw.
fn exact(tables: &Tables, game: &Game) -> Option<(u32, Score)> {
    let value = tables.value(game.position()).expect("the tables are whole");
    let plies = u32::from(value.plies);
    let turns = plies.div_ceil(2) as i32;
    match value.wdl {
        Wdl::Win => Some((plies, Score::Mate(turns))),
        Wdl::Loss => Some((plies, Score::Mate(-turns))),
        Wdl::Draw => None,
    }
}

#[test]
fn games_of_three_stones_have_their_values_everywhere() {
    let mut walk = Walk(3);
    for name in ["three", "tapatan", "nine-holes"] {
        let rules = Rules::parse(name).unwrap();
        let tables = Tables::new(rules, &[], 1 << 20);
        let mut engine = Engine::new(without_tables());
        for _ in 0..200 {
            let game = walk.game(rules);
            let fresh = Game::from_position(rules, *game.position());
            let known = exact(&tables, &fresh);
            // A draw takes the search to its greatest depth, where it ends by itself.
            let hour = Limits { move_time_ms: Some(3_600_000), ..Limits::default() };
            let (_, info) = run(&mut engine, &fresh, &hour);
            let expected = known.map_or(Score::Cp(0), |(_, score)| score);
            assert_eq!(info.score, expected, "{name} {:?}", fresh.position());
        }
    }
}

#[test]
fn results_of_a_small_game_are_those_of_its_tables() {
    let rules = Rules::parse("six").unwrap();
    let tables = Tables::new(rules, &[], 16 << 20);
    let mut walk = Walk(5);
    let mut engine = Engine::new(without_tables());
    let (mut decided, mut drawn) = (0, 0);
    for _ in 0..300 {
        let game = walk.game(rules);
        let fresh = Game::from_position(rules, *game.position());
        match exact(&tables, &fresh) {
            Some((plies, score)) if plies <= 9 => {
                // Turns that look poor are searched less deep until the win is seen.
                let found = run(&mut engine, &fresh, &depth(plies + 10)).1.score;
                assert_eq!(found, score, "{:?}", fresh.position());
                decided += 1;
            }
            Some(_) => {}
            None => {
                let found = run(&mut engine, &fresh, &depth(7)).1.score;
                assert!(matches!(found, Score::Cp(_)), "{found:?} {:?}", fresh.position());
                drawn += 1;
            }
        }
    }
    assert!(decided > 100 && drawn > 30, "{decided} {drawn}");
}

#[test]
fn no_win_is_claimed_that_the_no_mill_rule_forestalls() {
    // A win in five plies, with no mill before the last of them.
    let position = "3/2W/B2/4B1/W2/3/WB1 b 0 0";
    for (quiet, decided) in [(0, true), (95, true), (96, false), (99, false)] {
        let (_, info) = run_fresh(&game("nine", &format!("{position} {quiet} 60")), &depth(9));
        let expected = if decided { Score::Mate(3) } else { Score::Cp(0) };
        assert_eq!(info.score, expected, "{quiet} plies without a mill");
    }
}

#[test]
fn won_positions_are_won() {
    let mut played = 0;
    for row in values() {
        if score_of(&row[2]).is_none_or(|(plies, _)| plies > 16) {
            continue;
        }
        let mut game = game(&row[0], &row[1]);
        let side = game.position().side();
        let winner = if row[2].starts_with('W') { side } else { !side };
        let mut engine = Engine::new(without_tables());
        for _ in 0..60 {
            let (best, _) = run(&mut engine, &game, &nodes(200_000));
            let Some(turn) = best.turn else { break };
            assert!(game.play(turn));
        }
        assert_eq!(game.outcome().winner(), Some(winner), "{row:?}");
        played += 1;
    }
    assert_eq!(played, 10);
}
