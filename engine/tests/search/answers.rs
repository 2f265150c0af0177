//! What every search promises: legal turns, limits kept, the same answer to the same question.

use super::*;

#[test]
fn turns_are_legal_in_random_positions_of_every_game() {
    let others = [
        "nine+removals=per-mill",
        "morabaraba+removals=per-mill+remove_from_mill=always",
        "six+blocked=passes",
        "lasker+repetition=2",
        "twelve+board_full=loses+remove_from_mill=never",
        "six+blocked=draw+no_mill_plies=5",
        "nine+fly=4+repetition=0+no_mill_plies=0",
    ];
    let others = others.into_iter().map(|text| Rules::parse(text).unwrap());
    let mut walk = Walk(1);
    for rules in PRESETS.iter().map(|preset| preset.rules).chain(others) {
        let mut engine = Engine::new(Settings { hash_mib: 1, ..without_tables() });
        for n in 0..40 {
            run(&mut engine, &walk.game(rules), &nodes([1, 20, 2000][n % 3]));
        }
    }
}

/// Searches so many random positions of every preset for a millisecond each.
fn search_in_a_hurry(positions: usize) {
    let mut walk = Walk(11);
    let limits = Limits { move_time_ms: Some(1), ..Limits::default() };
    for preset in PRESETS {
        let mut engine = Engine::new(Settings { hash_mib: 1, ..without_tables() });
        for _ in 0..positions {
            run(&mut engine, &walk.game(preset.rules), &limits);
        }
    }
}

#[test]
fn turns_are_legal_in_a_millisecond() {
    search_in_a_hurry(60);
}

#[test]
#[ignore = "takes some minutes"]
fn turns_are_legal_in_a_millisecond_in_ten_thousand_positions_of_every_game() {
    search_in_a_hurry(10_000);
}

#[test]
fn the_same_search_twice_is_the_same_search() {
    let mut walk = Walk(7);
    let mut engine = Engine::new(without_tables());
    for rules in ["nine", "lasker", "six-fly", "three"] {
        let rules = Rules::parse(rules).unwrap();
        let games = [walk.game(rules), walk.game(rules)];
        let play = |engine: &mut Engine| {
            games.each_ref().map(|game| {
                let (best, info) = run(engine, game, &depth(9));
                (best, info.nodes, info.score, info.pv)
            })
        };
        let fresh = play(&mut Engine::new(without_tables()));
        for _ in 0..2 {
            engine.new_game();
            assert_eq!(play(&mut engine), fresh);
        }
    }
}

#[test]
fn nodes_are_counted_to_the_node() {
    let game = Game::new(Rules::default());
    for most in [1, 10, 1000, 54_321] {
        assert_eq!(run_fresh(&game, &nodes(most)).1.nodes, most);
    }
}

#[test]
fn a_lost_root_is_reported_and_has_no_turn() {
    let (best, info) = run_fresh(&game("nine", "3/B2/3/1B4/3/B2/WW1 w 0 0"), &depth(5));
    assert_eq!(best, Best { turn: None, ponder: None });
    assert_eq!(info.score, Score::Mate(0));
}

#[test]
fn no_clock_is_too_short_for_a_turn() {
    let game = Game::new(Rules::default());
    let mut engine = Engine::new(without_tables());
    for ms in [i64::MIN, -1, 0, 1] {
        let mine = Clock { time_ms: Some(ms), increment_ms: ms };
        for moves_to_go in [None, Some(0), Some(1)] {
            let clocks = [mine, Clock::default()];
            let limits = Limits { clocks, moves_to_go, ..Limits::default() };
            assert!(run(&mut engine, &game, &limits).1.depth >= 1);
        }
        let limits = Limits { move_time_ms: Some(ms), ..Limits::default() };
        assert!(run(&mut engine, &game, &limits).1.depth >= 1);
    }
}

#[test]
fn a_search_ends_by_itself_once_nothing_can_change() {
    let game = game("nine", "3/2W/B2/4B1/W2/3/WB1 b 0 0");
    let hour = Limits { move_time_ms: Some(3_600_000), ..Limits::default() };
    let mate = Limits { mate: Some(3), ..Limits::default() };
    for limits in [hour, mate] {
        assert_eq!(run_fresh(&game, &limits).1.score, Score::Mate(3));
    }
}

#[test]
fn an_only_turn_is_played_at_once_under_a_clock() {
    let game = game("nine-nofly", "B2/3/3/W4W/3/3/BWB b 0 0");
    let legal = game.position().turns(game.rules()).len();
    assert_eq!(legal, 1);
    let mine = Clock { time_ms: Some(3_600_000), increment_ms: 0 };
    let limits = Limits { clocks: [mine; 2], ..Limits::default() };
    assert_eq!(run_fresh(&game, &limits).1.depth, 1);
}

#[test]
fn infinite_and_ponder_wait_to_be_told() {
    let game = game("nine", "3/2W/B2/4B1/W2/3/WB1 b 0 0");
    let infinite = Limits { infinite: true, ..Limits::default() };
    let ponder = Limits { ponder: true, move_time_ms: Some(1), ..Limits::default() };
    for (limits, hit) in [(infinite, false), (ponder.clone(), false), (ponder, true)] {
        let (control, told) = (Control::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(60));
                told.store(true, Ordering::SeqCst);
                if hit { control.ponder_hit() } else { control.stop() }
            });
            let mut engine = Engine::new(without_tables());
            let best = engine.search(&game, &limits, &control, &mut |_| {});
            assert!(told.load(Ordering::SeqCst));
            assert!(best.turn.is_some());
        });
    }
}

#[test]
fn a_game_drawn_by_its_history_is_still_played() {
    let mut game = game("nine", "W1W/2B/1W1/2B3/W2/3/B1B w 0 0");
    for _ in 0..3 {
        for turn in ["a7-a4", "f6-f4", "a4-a7", "f4-f6"] {
            game.play_text(turn).unwrap();
        }
    }
    assert!(game.outcome().is_over());
    run_fresh(&game, &depth(8));
}

#[test]
fn several_lines_are_different_and_in_order() {
    let game = game("nine", "W2/BBB/2W/5B/2B/2W/3 b 0 0");
    let settings = Settings { multi_pv: 64, ..without_tables() };
    let mut lines: Vec<Info> = Vec::new();
    Engine::new(settings).search(&game, &depth(5), &Control::new(), &mut |info| {
        if info.multi_pv == 1 {
            lines.clear();
        }
        lines.push(info.clone());
    });
    let legal = game.position().turns(game.rules()).len();
    assert_eq!(lines.len(), legal);
    let mut firsts: Vec<Turn> = lines.iter().map(|info| info.pv[0]).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), legal);
    let rank = |score: Score| match score {
        Score::Cp(value) => value,
        Score::Mate(turns) if turns > 0 => 1_000_000 - turns,
        Score::Mate(turns) => -1_000_000 - turns,
    };
    assert!(lines.is_sorted_by(|a, b| rank(a.score) >= rank(b.score)));
}

#[test]
fn owed_removals_are_searched() {
    let game = game("nine", "3/3/2B/1B4/3/B2/WWW w 6 6 0 4 x1");
    assert_eq!(game.position().owed(), 1);
    let (best, _) = run_fresh(&game, &depth(6));
    assert!(best.turn.unwrap().is_removal());
}

#[test]
fn a_hash_size_that_cannot_be_had_changes_nothing() {
    let mut engine = Engine::new(without_tables());
    let huge = Settings { hash_mib: usize::MAX, threads: 3, ..without_tables() };
    assert!(engine.configure(huge).is_err());
    assert_eq!(*engine.settings(), without_tables());
    run(&mut engine, &Game::new(Rules::default()), &depth(4));
}

#[test]
fn tables_are_asked_for_the_hardest_draw_only_as_far_as_nodes_allow() {
    // The start of six is a draw, and the program carries all of its tables.
    let game = Game::new(Rules::parse("six").unwrap());
    let turns = game.position().turns(game.rules()).len() as u64;
    let hits = |limits: &Limits| {
        let (_, info) = run(&mut Engine::new(Settings::default()), &game, limits);
        info.table_hits
    };
    let whole = hits(&depth(1));
    assert!(whole > 10 * turns, "{whole}");
    for most in [1, 20] {
        let few = hits(&nodes(most));
        assert!((turns..=turns + 2 * most).contains(&few), "{few} with {most} nodes");
    }
    assert!(hits(&nodes(100_000)) >= whole);
}

#[test]
fn nodes_are_no_more_on_several_threads() {
    let game = Game::new(Rules::parse("nine").unwrap());
    let search = |threads, most| {
        let settings = Settings { threads, ..without_tables() };
        let (best, info) = run(&mut Engine::new(settings), &game, &nodes(most));
        (best, info.nodes, info.depth)
    };
    for most in [1, 2, 100, 5_000] {
        assert_eq!(search(4, most), search(1, most));
        assert_eq!(search(4, most).1, most);
    }
    for most in [20_000, 40_123, 100_000] {
        for threads in [2, 4] {
            assert!(search(threads, most).1 <= most, "{threads} threads, {most} nodes");
        }
    }
}
