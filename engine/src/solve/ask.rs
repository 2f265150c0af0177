//! One thread's way to the answer of one question.
//!
//! A question about a position is answered by questions about those after its turns. Positions
//! that are images of each other under the board's symmetries, and ways that lead to one position,
//! have one answer.

use super::{
    SolveError, Solver,
    key::{Keys, key},
    order::Order,
    ways::Ways,
};
use crate::{
    board::Topology,
    index::MAX_STONES,
    movegen::{Turn, for_each_turn},
    position::{Color, Outcome, Position},
    table::{Coverage, Sector, Wdl},
};
use smallvec::SmallVec;
use std::{
    cmp::Reverse,
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

/// A turn that is to be tried.
struct Next {
    turn: Turn,
    rank: i32,
    /// The key of the question about the position after it, if that is to be searched, else 0.
    key: u64,
}

type Turns = SmallVec<[Next; 32]>;

/// One thread's work on one question.
pub(super) struct Asker<'a, T> {
    solver: &'a Solver<'a>,
    /// Set when another thread has the answer.
    done: &'a AtomicBool,
    ways: &'a Ways,
    number: usize,
    keys: Keys<T>,
    /// By the four numbers of a sector, whether its positions are searched.
    searched: Vec<Option<bool>>,
    nodes: u64,
    probes: u64,
}

/// After so many nodes, the threads' common counts are brought up to date.
const TOLD: u64 = 1 << 12;
/// With so many stones in hand threads look where the others are; with fewer an answer is there
/// sooner than it could be shared out.
const SHARED: usize = 5;
/// With so many stones in hand, what is known of the answers to a turn counts in the order, and how
/// much each answer that is open counts against the turn, and each that refutes it.
const LOOKED_UP: usize = 6;
const OPEN: i32 = 20;
const REFUTED: i32 = 20_000;

/// Stones in hand of both sides.
#[inline(always)]
fn in_hand(position: &Position) -> usize {
    Color::BOTH.iter().map(|side| usize::from(position.hand(*side))).sum()
}

impl<'a, T: Topology> Asker<'a, T> {
    pub(super) fn new(
        solver: &'a Solver<'a>,
        done: &'a AtomicBool,
        ways: &'a Ways,
        number: usize,
    ) -> Self {
        let searched = vec![None; (MAX_STONES + 1).pow(4)];
        Self { solver, done, ways, number, keys: Keys::new(), searched, nodes: 0, probes: 0 }
    }

    /// Answers the question.
    pub(super) fn answer(
        mut self,
        position: &Position,
        question: Question,
    ) -> Result<bool, SolveError> {
        let key = self.keys.of(position, question);
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
        let left = in_hand(position);
        let shared = left >= SHARED;
        if shared {
            self.ways.tell(self.number, left, key);
        }
        let found = self.search(position, question, left)?;
        if shared {
            self.ways.tell(self.number, left, 0);
        }
        answers.remember(key, found);
        Ok(found)
    }

    /// Whether a position's value has to be searched for, and is not looked up.
    fn is_searched(&mut self, position: &Position) -> bool {
        let sector = Sector::of(position);
        let tables = self.solver.tables;
        let find = || {
            let ends = !sector.is_moving_phase() && !tables.rules().move_while_placing();
            // One ply before the moving phase the best order of placements saves look-ups.
            let stored = sector.coverage(tables.rules()) != Coverage::Derived;
            (position.owed() > 0 || ends) && !(stored && tables.has(sector))
        };
        if position.owed() > 0 {
            // Comes only at the root.
            return find();
        }
        let Sector { own, opponent, own_hand, opponent_hand } = sector;
        let numbers = [own, opponent, own_hand, opponent_hand];
        let place = numbers.iter().fold(0, |n, part| n * (MAX_STONES + 1) + usize::from(*part));
        *self.searched[place].get_or_insert_with(find)
    }

    /// Whether there is a turn after which the other question is answered by no.
    fn search(
        &mut self,
        position: &Position,
        question: Question,
        left: usize,
    ) -> Result<bool, SolveError> {
        let mut turns = self.turns(position, question);
        if left == 1
            && position.owed() == 0
            && self.is_found_stored(position, &mut turns, question)?
        {
            return Ok(true);
        }
        if self.is_found_known(&mut turns) {
            return Ok(true);
        }
        if turns.len() > 1 {
            self.rank(position, &mut turns, question, left);
        }
        self.is_found(position, &turns, question, left)
    }

    /// All turns, with the keys of the questions about the positions after them.
    fn turns(&mut self, position: &Position, question: Question) -> Turns {
        let Solver { tables, answers, .. } = self.solver;
        let mut turns = Turns::new();
        for_each_turn::<T>(tables.rules(), position, |turn| {
            turns.push(Next { turn, rank: 0, key: 0 });
        });
        let quiet = self.keys.frame(position.opponent());
        // The positions after quiet turns are of one sector.
        let mut is_searched = None;
        for next in &mut turns {
            let after = position.after(next.turn);
            if next.turn.removed() == 0 {
                if *is_searched.get_or_insert_with(|| self.is_searched(&after)) {
                    next.key = key(&quiet, &after, question.other());
                    answers.foresee(next.key);
                }
            } else if self.is_searched(&after) {
                next.key = self.keys.of(&after, question.other());
                answers.foresee(next.key);
            }
        }
        turns
    }

    /// Whether one of the last placements is found in a stored cell. Those that are looked at lie in
    /// one row, and are taken out of the turns.
    fn is_found_stored(
        &mut self,
        position: &Position,
        turns: &mut Turns,
        question: Question,
    ) -> Result<bool, SolveError> {
        let tables = self.solver.tables;
        let full = position.empty(T::G.all).count_ones() <= 1;
        let quiet = turns.iter().find(|next| next.turn.removed() == 0);
        let sector = quiet.map(|next| Sector::of(&position.after(next.turn)));
        // Where a line wins or the board is full, games that are over have no cells.
        let Some(sector) = sector.filter(|_| !full && !tables.rules().line_wins()) else {
            return Ok(false);
        };
        let Some(shape) = tables.shape(sector) else { return Ok(false) };
        let mut stones = SmallVec::<[u32; 32]>::new();
        turns.retain(|next| {
            let after = position.after(next.turn);
            let stored = next.turn.removed() == 0 && shape.keeps(after.own() | after.opponent());
            if stored {
                stones.push(after.opponent());
            }
            !stored
        });
        let less = question.other().enough();
        let (mut found, mut looks) = (false, 0);
        let looked = tables.cells(sector, position.opponent(), &stones, |cell| {
            looks += 1;
            found = Wdl::of_cell(cell) < less;
            found
        });
        self.nodes += looks;
        self.probes += looks;
        looked.map(|()| found).ok_or(SolveError::Missing(sector))
    }

    /// Whether one of the turns has been found to be good enough before. Those that have been found
    /// not to be are taken out.
    fn is_found_known(&self, turns: &mut Turns) -> bool {
        let mut found = false;
        turns.retain(|next| {
            let known = self.known(next);
            found |= known == Some(false);
            known.is_none()
        });
        found
    }

    /// The answer about the position after a turn, if it is remembered.
    #[inline(always)]
    fn known(&self, next: &Next) -> Option<bool> {
        if next.key != 0 { self.solver.answers.recall(next.key) } else { None }
    }

    /// Brings the most promising turns to the front.
    fn rank(&mut self, position: &Position, turns: &mut Turns, question: Question, left: usize) {
        let rules = self.solver.tables.rules();
        let order = Order::new::<T>(rules, &self.solver.evaluator, position, left);
        for next in turns.iter_mut() {
            let after = position.after(next.turn);
            next.rank = order.rank::<T>(position, next.turn, &after);
            if question == Question::Draw && left >= LOOKED_UP && next.key != 0 {
                next.rank -= self.open_answers(&after, question);
            }
        }
        turns.sort_by_key(|next| Reverse(next.rank));
    }

    /// How much speaks against a turn to a position by what is known of the positions after that:
    /// where most have been found good enough, little is left to search.
    fn open_answers(&mut self, position: &Position, question: Question) -> i32 {
        let turns = self.turns(position, question.other());
        let known = turns.iter().map(|next| match self.known(next) {
            Some(true) => 0,
            Some(false) => REFUTED,
            None => OPEN,
        });
        known.sum()
    }

    /// Tries the turns one after the other; those that another thread is at, last.
    fn is_found(
        &mut self,
        position: &Position,
        turns: &Turns,
        question: Question,
        left: usize,
    ) -> Result<bool, SolveError> {
        let mut later = SmallVec::<[&Next; 32]>::new();
        for (number, next) in turns.iter().enumerate() {
            // A draw is mostly found by the first turn, and then no other needs to be tried.
            let may_wait = left > SHARED && (number > 0 || question == Question::Win);
            if may_wait && self.ways.is_taken(self.number, left - 1, next.key) {
                later.push(next);
            } else if !self.holds(&position.after(next.turn), next.key, question.other())? {
                return Ok(true);
            }
        }
        for next in later {
            if !self.holds(&position.after(next.turn), next.key, question.other())? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
