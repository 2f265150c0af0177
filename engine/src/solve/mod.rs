//! Exact values of positions that no table holds, by searching on to those that one does.
//!
//! Made for the placing phase, which comes to an end after so many turns; positions of phases that
//! go round must be in tables. The two questions "at least a draw?" and "a win?" are answered one
//! after the other, as Ralph Gasser did for nine men's morris (1996).

mod answers;
mod ask;
mod key;
mod order;
#[cfg(test)]
mod tests;
mod ways;

use crate::{
    eval::Evaluator,
    position::Position,
    table::{Sector, Tables, Wdl},
    with_topology,
};
use answers::Answers;
use ask::{Asker, Question};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
};
use ways::Ways;

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
    answers: Answers,
    threads: usize,
    stop: &'a AtomicBool,
    nodes: AtomicU64,
    probes: AtomicU64,
}

impl<'a> Solver<'a> {
    /// A solver that remembers within about so many bytes, at least 1 MiB.
    pub fn new(tables: &'a Tables, memory: usize, threads: usize, stop: &'a AtomicBool) -> Self {
        Self {
            tables,
            evaluator: Evaluator::of(tables.rules()),
            answers: Answers::new(memory),
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

    /// All threads ask the same, share what they find, and keep out of each other's way.
    fn ask(&self, position: &Position, question: Question) -> Result<bool, SolveError> {
        let (done, ways) = (AtomicBool::new(false), Ways::new(self.threads));
        let run = |number: usize| {
            let board = self.tables.rules().board();
            let answer = with_topology!(board, T => {
                Asker::<T>::new(self, &done, &ways, number).answer(position, question)
            });
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
