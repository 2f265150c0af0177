//! Against a search that leaves nothing out, and by any number of threads.

use super::*;
use crate::{Color, Outcome, Rules, table::Wdl};
use std::collections::HashMap;

/// Every turn of every position, down to the tables.
fn plain(tables: &Tables, known: &mut HashMap<u64, Wdl>, position: &Position) -> Wdl {
    let rules = tables.rules();
    match position.outcome(rules) {
        Outcome::Ongoing => {}
        Outcome::Draw(_) => return Wdl::Draw,
        Outcome::Win(winner, _) if winner == position.side() => return Wdl::Win,
        Outcome::Win(..) => return Wdl::Loss,
    }
    if position.is_moving_phase() {
        return tables.wdl(position).expect("tables of few stones are built in");
    }
    if let Some(value) = known.get(&position.packed()) {
        return *value;
    }
    let turns = position.turns(rules);
    let after = turns.iter().map(|turn| plain(tables, known, &position.after(*turn)).reversed());
    let value = after.max().expect("a game that goes on has turns");
    known.insert(position.packed(), value);
    value
}

struct Lot(u64);

impl Lot {
    fn points(&mut self, free: u32, count: u32) -> u32 {
        let mut set = 0u32;
        while set.count_ones() < count {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            set |= 1 << ((self.0 >> 33) % 24) & free;
        }
        set
    }
}

/// Positions whose stones, placed and in hand, are few enough for the tables of the program itself.
fn positions(rules: &Rules) -> Vec<Position> {
    let mut lot = Lot(1);
    // White's and Black's stones on the board and in hand.
    let numbers = [
        ([3, 4], [1, 1]),
        ([4, 2], [1, 1]),
        ([1, 4], [2, 2]),
        ([4, 1], [1, 2]),
        ([2, 3], [2, 2]),
        ([5, 2], [0, 1]),
        ([3, 1], [2, 2]),
        ([1, 3], [2, 2]),
    ];
    let mut found = Vec::new();
    for (board, hands) in numbers.into_iter().cycle().take(64) {
        let white = lot.points(rules.board().all(), board[0]);
        let black = lot.points(rules.board().all() & !white, board[1]);
        let side = if hands[0] == hands[1] { Color::White } else { Color::Black };
        let position = Position::new(rules, [white, black], hands, side);
        found.extend(position.ok().filter(|p| p.outcome(rules) == Outcome::Ongoing));
    }
    assert!(found.len() > 50, "{} of the positions are of the rules", found.len());
    found
}

#[test]
fn any_number_of_threads_finds_what_a_plain_search_finds() {
    let rules = Rules::default();
    let tables = Tables::new(rules, &[], 64 << 20);
    let (stop, mut known, mut seen) = (AtomicBool::new(false), HashMap::new(), [0; 3]);
    for position in positions(&rules) {
        let value = plain(&tables, &mut known, &position);
        seen[value as usize] += 1;
        for threads in [1, 2, 3, 8] {
            let solver = Solver::new(&tables, 1, threads, &stop);
            let found = solver.value(&position);
            assert_eq!(found, Ok(value), "{position:?} on {threads} threads");
        }
    }
    assert!(seen.iter().all(|count| *count > 2), "all values are among them: {seen:?}");
}

#[test]
fn a_search_that_is_told_to_stop_says_so() {
    let tables = Tables::new(Rules::default(), &[], 1 << 20);
    let stop = AtomicBool::new(true);
    let solver = Solver::new(&tables, 1, 2, &stop);
    assert_eq!(solver.value(&Position::start(tables.rules())), Err(SolveError::Stopped));
}
