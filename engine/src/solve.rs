//! Exact values of positions that no table holds, by searching on to those that one does.
//!
//! Made for the placing phase, which comes to an end after so many turns; positions of phases that
//! go round must be in tables. The two questions "at least a draw?" and "a win?" are answered one
//! after the other, as Ralph Gasser did for nine men's morris (1996).

use crate::{
    eval::Evaluator,
    position::{Color, Outcome, Position},
    table::{Sector, Tables, Wdl},
};
use smallvec::SmallVec;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
};

/// Why a value could not be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A table is missing.
    #[error("sector {0} is needed, and there is no table of it")]
    Missing(Sector),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// A search with what it remembers from question to question.
pub struct Solver<'a> {
    tables: &'a Tables,
    evaluator: Evaluator<'static>,
    memory: Vec<AtomicU64>,
    threads: usize,
    stop: &'a AtomicBool,
    nodes: AtomicU64,
    probes: AtomicU64,
}

/// Low bits of a remembered key that hold its answer; the place tells what they were.
const ANSWERED: u64 = 1;
const YES: u64 = 2;
/// Places that are looked at for a key.
const NEAR: usize = 4;

impl<'a> Solver<'a> {
    /// A solver that remembers within about so many bytes, at least 1 MiB.
    pub fn new(tables: &'a Tables, memory: usize, threads: usize, stop: &'a AtomicBool) -> Self {
        // The greatest power of two that fits.
        let places = 1usize << (memory.max(1 << 20) / 8).ilog2();
        Self {
            tables,
            evaluator: Evaluator::of(tables.rules()),
            memory: (0..places.max(1 << 17)).map(|_| AtomicU64::new(0)).collect(),
            threads: threads.max(1),
            stop,
            nodes: AtomicU64::new(0),
            probes: AtomicU64::new(0),
        }
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Positions looked up in tables so far.
    pub fn probes(&self) -> u64 {
        self.probes.load(Relaxed)
    }

    /// The value of a position for the side to move.
    ///
    /// # Errors
    /// If a table is missing, or it was told to stop.
    pub fn value(&self, position: &Position) -> Result<Wdl, SolveError> {
        if self.tables.has(Sector::of(position))
            && let Some(value) = self.tables.wdl(position)
        {
            self.probes.fetch_add(1, Relaxed);
            return Ok(value);
        }
        if self.ask(position, Question::Draw)? {
            return Ok(if self.ask(position, Question::Win)? { Wdl::Win } else { Wdl::Draw });
        }
        Ok(Wdl::Loss)
    }

    /// All threads ask the same, each in an order of its own where all turns are to be tried, and
    /// share what they find.
    fn ask(&self, position: &Position, question: Question) -> Result<bool, SolveError> {
        let done = AtomicBool::new(false);
        let run = |number: usize| {
            let asker = Asker { solver: self, done: &done, number };
            let answer = asker.holds(position, question);
            if !matches!(answer, Err(SolveError::Stopped)) {
                done.store(true, Relaxed);
            }
            answer
        };
        thread::scope(|scope| {
            let run = &run;
            let helpers: Vec<_> = (1..self.threads)
                .filter_map(|n| thread::Builder::new().spawn_scoped(scope, move || run(n)).ok())
                .collect();
            let mut answers = vec![run(0)];
            answers.extend(helpers.into_iter().filter_map(|h| h.join().ok()));
            let answered = answers.iter().find(|a| !matches!(a, Err(SolveError::Stopped)));
            *answered.unwrap_or(&Err(SolveError::Stopped))
        })
    }
}

/// What is asked of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// At least a draw?
    Draw,
    /// A win?
    Win,
}

impl Question {
    /// The least value for which the answer is yes.
    fn enough(self) -> Wdl {
        match self {
            Question::Draw => Wdl::Draw,
            Question::Win => Wdl::Win,
        }
    }

    fn answer(self, value: Wdl) -> bool {
        value >= self.enough()
    }

    /// The question about the position after a turn whose "no" is a "yes" here.
    fn other(self) -> Self {
        match self {
            Question::Draw => Question::Win,
            Question::Win => Question::Draw,
        }
    }
}

/// One thread's work on one question.
struct Asker<'a> {
    solver: &'a Solver<'a>,
    /// Set when another thread has the answer.
    done: &'a AtomicBool,
    number: usize,
}

fn in_hand(position: &Position) -> usize {
    Color::BOTH.iter().map(|side| usize::from(position.hand(*side))).sum()
}

impl Asker<'_> {
    fn holds(&self, position: &Position, question: Question) -> Result<bool, SolveError> {
        let Solver { tables, stop, nodes, probes, .. } = self.solver;
        let rules = tables.rules();
        if stop.load(Relaxed) || self.done.load(Relaxed) {
            return Err(SolveError::Stopped);
        }
        nodes.fetch_add(1, Relaxed);
        match position.outcome(rules) {
            Outcome::Ongoing => {}
            Outcome::Draw(_) => return Ok(question.answer(Wdl::Draw)),
            Outcome::Win(winner, _) => {
                let won = winner == position.side();
                return Ok(question.answer(if won { Wdl::Win } else { Wdl::Loss }));
            }
        }
        let sector = Sector::of(position);
        let searched =
            position.owed() > 0 || !sector.is_moving_phase() && !rules.move_while_placing();
        if tables.has(sector) || !searched {
            probes.fetch_add(1, Relaxed);
            let enough = question.enough();
            let value = tables.wdl_until(position, enough).ok_or(SolveError::Missing(sector))?;
            return Ok(value >= enough);
        }
        let key = self.key(position, question);
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        let mut found = false;
        for next in self.in_order(position, question) {
            if !self.holds(&next, question.other())? {
                found = true;
                break;
            }
        }
        self.remember(key, found);
        Ok(found)
    }

    /// The positions after all turns, the most promising first: before all others one that has been
    /// found to answer the question already, since trees that meet again are searched once.
    fn in_order(&self, position: &Position, question: Question) -> SmallVec<[Position; 64]> {
        let rules = self.solver.tables.rules();
        let mut turns: SmallVec<[(i32, Position); 64]> = position
            .turns(rules)
            .iter()
            .map(|turn| {
                let next = position.after(*turn);
                (self.solver.evaluator.value(&next), next)
            })
            .collect();
        turns.sort_unstable_by_key(|(value, next)| (*value, next.packed()));
        let mut turns: SmallVec<[Position; 64]> = turns.into_iter().map(|(_, next)| next).collect();
        if question == Question::Win && turns.len() > 1 {
            // Most such questions are denied, for which all turns must be tried: the threads begin
            // at different ones.
            let others = turns.len() - 1;
            turns[1..].rotate_left(others * self.number / self.solver.threads);
        }
        if in_hand(position) > 1 {
            let answers =
                |next: &Position| self.recall(self.key(next, question.other())) == Some(false);
            if let Some(found) = turns.iter().position(answers) {
                turns.swap(0, found);
            }
        }
        turns
    }

    /// A number that no other question has.
    fn key(&self, position: &Position, question: Question) -> u64 {
        let (representative, _) = position.class(self.solver.tables.rules());
        // Steps that can each be undone, so that different questions stay different.
        let key = representative.packed() | u64::from(question == Question::Win) << 60;
        let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    fn near(&self, key: u64) -> impl Iterator<Item = &AtomicU64> {
        let memory = &self.solver.memory;
        let first = key as usize % (memory.len() / NEAR) * NEAR;
        memory[first..first + NEAR].iter()
    }

    fn recall(&self, key: u64) -> Option<bool> {
        let is_it = |entry: &u64| entry & ANSWERED != 0 && (entry ^ key) & !3 == 0;
        self.near(key).map(|e| e.load(Relaxed)).find(is_it).map(|entry| entry & YES != 0)
    }

    fn remember(&self, key: u64, answer: bool) {
        let entry = key & !3 | ANSWERED | if answer { YES } else { 0 };
        let mut places = self.near(key);
        let free = places.find(|e| e.load(Relaxed) & ANSWERED == 0);
        let place = free.or_else(|| self.near(key).nth((key >> 40) as usize % NEAR));
        if let Some(place) = place {
            place.store(entry, Relaxed);
        }
    }
}
