//! The search against values that other programs have proven, and its promises to callers.

mod answers;
mod levels;
mod values;

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
