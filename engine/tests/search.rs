//! The search against values that other programs have proven, and its promises to callers.

use millrace_engine::{
    Game, Rules, Turn,
    rules::PRESETS,
    search::{Best, Clock, Control, Engine, Info, Limits, Score, Settings},
    text::parse_position,
};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// What is tested here is the search.
fn without_tables() -> Settings {
    Settings { tables: false, ..Settings::default() }
}

fn truth(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../tests/data/truth/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split('|').map(str::to_string).collect())
        .collect()
}

/// The rows of the files of single positions.
fn values() -> Vec<Vec<String>> {
    ["values_nine.txt", "values_six.txt"].into_iter().flat_map(truth).collect()
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn nodes(most: u64) -> Limits {
    Limits { nodes: Some(most), ..Limits::default() }
}

/// Searches, checks what holds for every search, and returns the last report on the best line.
fn run(engine: &mut Engine, game: &Game, limits: &Limits) -> (Best, Info) {
    let mut last = None;
    let best = engine.search(game, limits, &Control::new(), &mut |info| {
        check_line(game, &info.pv);
        if info.multi_pv == 1 {
            last = Some(info.clone());
        }
    });
    let info = last.expect("there is a report");
    let legal = game.position().turns(game.rules());
    assert_eq!(best.turn.is_none(), legal.is_empty());
    if let Some(turn) = best.turn {
        assert!(legal.contains(&turn), "{turn:?} is not legal");
        let allowed = legal.iter().any(|t| limits.search_moves.contains(t));
        assert!(!allowed || limits.search_moves.contains(&turn));
        if let Some(reply) = best.ponder {
            let next = game.position().after(turn);
            assert!(next.turns(game.rules()).contains(&reply), "{reply:?} is no reply");
        }
    }
    (best, info)
}

fn run_fresh(game: &Game, limits: &Limits) -> (Best, Info) {
    run(&mut Engine::new(without_tables()), game, limits)
}

fn check_line(game: &Game, line: &[Turn]) {
    let mut position = *game.position();
    for turn in line {
        assert!(position.turns(game.rules()).contains(turn), "{line:?} is not legal");
        position = position.after(*turn);
    }
}

fn game(rules: &str, position: &str) -> Game {
    let rules = Rules::parse(rules).unwrap();
    Game::from_position(rules, parse_position(&rules, position).unwrap())
}

fn text(game: &Game, best: &Best) -> String {
    best.turn.unwrap().on(game.rules().board()).to_string()
}

/// `W 9` as plies and score; `None` for a draw.
fn score_of(value: &str) -> Option<(u32, Score)> {
    let (word, plies) = value.split_once(' ')?;
    let plies: u32 = plies.parse().ok()?;
    let turns = plies.div_ceil(2) as i32;
    Some((plies, Score::Mate(if word == "W" { turns } else { -turns })))
}

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
    let game = game("six", "3/1WB/WWB1/1BB/2W b 1 2");
    for (hash_mib, threads) in [(1, 1), (64, 1), (1, 8), (16, 2)] {
        let settings = Settings { hash_mib, threads, ..without_tables() };
        let (best, info) = run(&mut Engine::new(settings), &game, &depth(14));
        assert_eq!(info.score, Score::Mate(6));
        assert_eq!(text(&game, &best), "b2xe1");
    }
}

/// A small generator for walks through games (Donald Knuth's constants).
struct Walk(u64);

impl Walk {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }

    /// A game of random turns that ends, if at all, only by its history.
    fn game(&mut self, rules: Rules) -> Game {
        let mut game = Game::new(rules);
        for _ in 0..self.below(60) {
            let turns = game.position().turns(&rules);
            if turns.is_empty() {
                game.take_back();
                break;
            }
            game.play(turns[self.below(turns.len())]);
        }
        game
    }
}

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
