//! The slow obvious solver: every position up to symmetry in a hash table, its turns made one by
//! one by the rules crate, values found ply by ply. It knows nothing of sectors' dependencies,
//! rows or columns, and shares nothing with the generator but forward turns.

use millrace_engine::{Outcome, Position, Rules, position::Color};
use millrace_tablebase_gen::sector::Sector;
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// A value: plies to the end, odd if the side to move wins; `None` is a draw.
pub type Value = Option<u32>;

/// Position keys are well mixed already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Numbers = HashMap<u64, u32, BuildHasherDefault<Mixed>>;

/// A solved set of sectors that no turn leaves.
pub struct Slow {
    rules: Rules,
    numbers: Numbers,
    values: Vec<Value>,
}

/// Stands for a successor that is lost as it stands and in no sector.
const LOST: u32 = u32::MAX;

impl Slow {
    /// Solves all positions of these sectors.
    pub fn solve(rules: &Rules, sectors: &[Sector]) -> Self {
        let mut numbers = Numbers::default();
        let mut positions = Vec::new();
        for sector in sectors {
            for_each_placement(rules, *sector, |position| {
                if position.class(rules).0 == position {
                    numbers.insert(position.key(), positions.len() as u32);
                    positions.push(position);
                }
            });
        }
        let mut values = vec![None; positions.len()];
        let mut newly = Vec::new();
        let mut first = vec![0];
        let mut next = Vec::new();
        for (number, position) in positions.iter().enumerate() {
            match position.outcome(rules) {
                Outcome::Ongoing => {
                    for turn in position.turns(rules) {
                        let after = seen_by_white(rules, &position.after(turn));
                        let key = after.class(rules).0.key();
                        next.push(*numbers.get(&key).unwrap_or_else(|| {
                            let end = after.outcome(rules);
                            assert_eq!(end.winner(), Some(Color::Black), "left all sectors");
                            &LOST
                        }));
                    }
                }
                Outcome::Draw(_) => {}
                Outcome::Win(winner, _) => {
                    assert_eq!(winner, Color::Black, "the side to move has won before");
                    values[number] = Some(0);
                    newly.push(number as u32);
                }
            }
            first.push(next.len());
        }
        let mut slow = Self { rules: *rules, numbers, values };
        slow.iterate(&first, &next, newly);
        slow
    }

    /// In each ply, everything that leads to what the ply before decided is looked at again.
    fn iterate(&mut self, first: &[usize], next: &[u32], mut newly: Vec<u32>) {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.values.len()];
        let mut to_see = Vec::new();
        for number in 0..self.values.len() {
            for after in &next[first[number]..first[number + 1]] {
                if *after == LOST {
                    to_see.push(number as u32);
                } else {
                    before[*after as usize].push(number as u32);
                }
            }
        }
        let mut plies = 1;
        loop {
            to_see.extend(newly.iter().flat_map(|n| before[*n as usize].iter().copied()));
            to_see.sort_unstable();
            to_see.dedup();
            to_see.retain(|n| self.values[*n as usize].is_none());
            newly.clear();
            for number in to_see.drain(..) {
                let after = &next[first[number as usize]..first[number as usize + 1]];
                let value = |n: &u32| if *n == LOST { Some(0) } else { self.values[*n as usize] };
                let lost = |n| value(n).is_some_and(|v| v % 2 == 0);
                let won = |n| value(n).is_some_and(|v| v % 2 == 1);
                // What this ply decides must not be seen before the next.
                if after.iter().any(lost) || (!after.is_empty() && after.iter().all(won)) {
                    newly.push(number);
                }
            }
            if newly.is_empty() {
                return;
            }
            for number in &newly {
                self.values[*number as usize] = Some(plies);
            }
            plies += 1;
        }
    }

    /// The value of a position with White to move.
    pub fn value(&self, position: &Position) -> Value {
        let key = position.class(&self.rules).0.key();
        self.values[self.numbers[&key] as usize]
    }
}

/// The position as White's if Black is to move, without counters.
fn seen_by_white(rules: &Rules, position: &Position) -> Position {
    let side = position.side();
    let hands = [position.hand(side), position.hand(!side)];
    Position::new(rules, [position.own(), position.opponent()], hands, Color::White)
        .expect("a legal turn leads to a position")
}

/// Calls `visit` with the positions of a sector, White to move, but for some that are no
/// representatives of their class: those have the smallest white set of all.
fn for_each_placement(rules: &Rules, sector: Sector, mut visit: impl FnMut(Position)) {
    let board = rules.board();
    let hands = [sector.own_hand, sector.opponent_hand];
    for_each_subset(board.all(), sector.own.into(), &mut |own| {
        if board.symmetries().iter().any(|s| s.set(own) < own) {
            return;
        }
        for_each_subset(board.all() & !own, sector.opponent.into(), &mut |opponent| {
            if let Ok(position) = Position::new(rules, [own, opponent], hands, Color::White) {
                visit(position);
            }
        });
    });
}

fn for_each_subset(set: u32, size: u32, visit: &mut dyn FnMut(u32)) {
    fn choose(left: u32, size: u32, chosen: u32, visit: &mut dyn FnMut(u32)) {
        if size == 0 {
            return visit(chosen);
        }
        if left.count_ones() < size {
            return;
        }
        let lowest = left & left.wrapping_neg();
        choose(left ^ lowest, size - 1, chosen | lowest, visit);
        choose(left ^ lowest, size, chosen, visit);
    }
    choose(set, size, 0, visit);
}
