//! One thread's way to the answer of one question.
//!
//! A question about a position is answered by questions about those after its turns. Positions
//! that are images of each other under the board's symmetries, and ways that lead to one position,
//! have one answer.

use super::{SolveError, Solver, order::Order};
use crate::{
    board::{Symmetry, Topology},
    index::{Classes, MAX_STONES},
    movegen::for_each_turn,
    position::{Color, Outcome, Position},
    table::{Coverage, Sector, Wdl},
};
use smallvec::SmallVec;
use std::{
    marker::PhantomData,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// What is asked of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
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

    /// The question about the position after a turn whose "no" is a "yes" here.
    fn other(self) -> Self {
        match self {
            Question::Draw => Question::Win,
            Question::Win => Question::Draw,
        }
    }
}

/// A position after a turn.
struct Next {
    position: Position,
    rank: i32,
    /// The key of the question about it, if it is to be searched, else 0.
    key: u64,
}

type Turns = SmallVec<[Next; 32]>;

/// One thread's work on one question.
pub(super) struct Asker<'a, T> {
    solver: &'a Solver<'a>,
    /// Set when another thread has the answer.
    done: &'a AtomicBool,
    number: usize,
    symmetries: &'static [Symmetry],
    /// Classes of White's stones, by their number.
    classes: [Option<&'static Classes>; MAX_STONES + 1],
    /// The sector that was met last, and whether its positions are searched.
    sector: Option<(Sector, bool)>,
    nodes: u64,
    probes: u64,
    board: PhantomData<T>,
}

/// After so many nodes, the threads' common counts are brought up to date.
const TOLD: u64 = 1 << 12;

impl<'a, T: Topology> Asker<'a, T> {
    pub(super) fn new(solver: &'a Solver<'a>, done: &'a AtomicBool, number: usize) -> Self {
        Self {
            solver,
            done,
            number,
            symmetries: T::BOARD.symmetries(),
            classes: [None; MAX_STONES + 1],
            sector: None,
            nodes: 0,
            probes: 0,
            board: PhantomData,
        }
    }

    /// Answers the question.
    pub(super) fn answer(
        mut self,
        position: &Position,
        question: Question,
    ) -> Result<bool, SolveError> {
        let key = self.key(position, question);
        let answer = self.holds(position, key, question);
        self.tell();
        answer
    }

    fn tell(&mut self) {
        self.solver.nodes.fetch_add(std::mem::take(&mut self.nodes), Relaxed);
        self.solver.probes.fetch_add(std::mem::take(&mut self.probes), Relaxed);
    }

    fn holds(
        &mut self,
        position: &Position,
        key: u64,
        question: Question,
    ) -> Result<bool, SolveError> {
        self.nodes += 1;
        if self.nodes >= TOLD {
            self.tell();
        }
        let Solver { tables, stop, answers, .. } = self.solver;
        let enough = question.enough();
        match position.outcome_on::<T>(tables.rules()) {
            Outcome::Ongoing => {}
            Outcome::Draw(_) => return Ok(Wdl::Draw >= enough),
            Outcome::Win(winner, _) => return Ok(winner == position.side()),
        }
        if !self.is_searched(position) {
            self.probes += 1;
            let sector = Sector::of(position);
            let value = tables.wdl_until(position, enough).ok_or(SolveError::Missing(sector))?;
            return Ok(value >= enough);
        }
        if let Some(known) = answers.recall(key) {
            return Ok(known);
        }
        if stop.load(Relaxed) || self.done.load(Relaxed) {
            return Err(SolveError::Stopped);
        }
        let mut found = false;
        for next in self.in_order(position, question) {
            if !self.holds(&next.position, next.key, question.other())? {
                found = true;
                break;
            }
        }
        answers.remember(key, found);
        Ok(found)
    }

    /// Whether a position's value has to be searched for, and is not looked up.
    fn is_searched(&mut self, position: &Position) -> bool {
        let sector = Sector::of(position);
        match self.sector {
            Some((met, searched)) if met == sector => searched,
            _ => {
                let tables = self.solver.tables;
                let ends = !sector.is_moving_phase() && !tables.rules().move_while_placing();
                // One ply before the moving phase the best order of placements saves look-ups.
                let stored = sector.coverage(tables.rules()) != Coverage::Derived;
                let searched = (position.owed() > 0 || ends) && !(stored && tables.has(sector));
                // Positions that owe removals come only at the root.
                self.sector = (position.owed() == 0).then_some((sector, searched));
                searched
            }
        }
    }

    /// The positions after all turns, the most promising first: before all others one that has been
    /// found to answer the question already, since trees that meet again are searched once.
    fn in_order(&mut self, position: &Position, question: Question) -> Turns {
        let rules = self.solver.tables.rules();
        let answers = &self.solver.answers;
        let order = Order::new::<T>(rules, &self.solver.evaluator, position);
        let mut turns = Turns::new();
        for_each_turn::<T>(rules, position, |turn| {
            let next = position.after(turn);
            let rank = order.rank::<T>(position, turn, &next);
            turns.push(Next { position: next, rank, key: 0 });
        });
        turns.sort_by_key(|next| std::cmp::Reverse(next.rank));
        for next in &mut turns {
            if self.is_searched(&next.position) {
                next.key = self.key(&next.position, question.other());
                answers.foresee(next.key);
            }
        }
        if question == Question::Win && turns.len() > 1 {
            // Mostly denied, for which all turns must be tried: the threads begin at different ones.
            let others = turns.len() - 1;
            turns[1..].rotate_left(others * self.number / self.solver.threads);
        }
        let answers = |next: &Next| next.key != 0 && answers.recall(next.key) == Some(false);
        if let Some(found) = turns.iter().position(answers) {
            turns.swap(0, found);
        }
        turns
    }

    /// A number that no other question has, and that the images of a position share.
    fn key(&mut self, position: &Position, question: Question) -> u64 {
        let [white, black] = Color::BOTH.map(|side| position.stones(side));
        let size = white.count_ones() as usize;
        let classes = *self.classes[size].get_or_insert_with(|| Classes::of(T::BOARD, size));
        let (class, symmetry) = classes.class_of(white);
        let mut other = self.symmetries[symmetry].set(black);
        if classes.is_symmetric(class) {
            let images = classes.stabiliser(class).map(|s| self.symmetries[s].set(other));
            other = images.min().unwrap_or(other);
        }
        let mut image = *position;
        image.stones = [classes.representative(class), other];
        // Steps that can each be undone, so that different questions stay different.
        let key = image.packed() | u64::from(question == Question::Win) << 60;
        let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}
