//! One thread's share of a search: its own tables and counters, and the signals by which all
//! threads stop together.

use super::{
    Control, Limits,
    busy::Busy,
    hash::Table,
    order::{Memory, Ranked},
    path::Path,
    time::Budget,
    value::{INFINITE, MAX_PLY},
};
use crate::{
    eval::Evaluator, game::Game, movegen::Turn, position::Position, rules::Rules, table::Tables,
};
use std::{
    mem,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Nodes after which even the first iteration is broken off when time is up: about a millisecond.
const FIRST_ITERATION_NODES: u64 = 4096;

/// Nodes between two looks at clock and signals; well under a millisecond.
const POLL_NODES: u64 = 256;

/// A counter on a cache line of its own, so that threads do not slow each other down.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct Counter(pub AtomicU64);

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub budget: Option<Budget>,
    pub start: Instant,
    /// When the opponent made the expected turn, once a thread has seen it.
    pub ponder_hit: OnceLock<Instant>,
    /// Tells all threads to stop.
    pub abort: AtomicBool,
    /// Nodes of each thread.
    pub nodes: Vec<Counter>,
    /// Nodes that threads have been granted out of the limit.
    pub granted: Counter,
    /// What the threads search, for each other to see.
    pub busy: Busy,
    pub tables: Option<&'a Tables>,
    /// The least depth at which tables are asked.
    pub probe_depth: i32,
    /// Whether they are asked for the positions after the root's turns, of whatever kind.
    pub asks_children: bool,
    /// Positions that tables have answered for.
    pub hits: Counter,
}

impl Shared<'_> {
    /// Nodes of all threads, up to their last look at the signals.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.0.load(Relaxed)).sum()
    }

    /// Grants a thread its next nodes, none if all are granted.
    fn grant(&self) -> u64 {
        let Some(most) = self.limits.nodes else { return POLL_NODES };
        let before = self.granted.0.fetch_add(POLL_NODES, Relaxed);
        POLL_NODES.min(most.saturating_sub(before))
    }

    pub(super) fn count_hit(&self) {
        self.hits.0.fetch_add(1, Relaxed);
    }

    /// The time that counts against the budget; none while the opponent's time is used.
    pub(super) fn time_used(&self) -> Option<Duration> {
        if !self.limits.ponder {
            return Some(self.start.elapsed());
        }
        let hit = self.control.is_ponder_hit();
        hit.then(|| self.ponder_hit.get_or_init(Instant::now).elapsed())
    }

    /// Whether time is used up.
    fn is_late(&self) -> bool {
        self.budget.is_some_and(|b| self.time_used().is_some_and(|used| used >= b.hard))
    }
}

/// A turn of the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootTurn {
    pub turn: Turn,
    /// The value in the current iteration, or `-INFINITE` if it is not known to be the best.
    pub value: i32,
    /// The value in the last iteration.
    pub previous: i32,
    pub sel_depth: usize,
    /// The line that begins with the turn.
    pub line: Vec<Turn>,
}

impl RootTurn {
    pub(super) fn new(turn: Turn) -> Self {
        Self { turn, value: -INFINITE, previous: -INFINITE, sel_depth: 0, line: vec![turn] }
    }

    /// The newest value that stands for the line.
    pub(super) fn known_value(&self) -> i32 {
        if self.value > -INFINITE { self.value } else { self.previous }
    }
}

/// A thread of a search.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    /// 0 for the thread that keeps time and reports.
    pub number: usize,
    pub rules: Rules,
    pub evaluator: Evaluator<'static>,
    pub position: Position,
    pub memory: &'a mut Memory,
    pub path: Path,
    /// The turns of all positions on the current path, one after the other.
    pub turns: Vec<Ranked>,
    /// The best line from each ply on.
    pub lines: Vec<Vec<Turn>>,
    pub root_turns: Vec<RootTurn>,
    /// Root turns before this one are settled in this iteration.
    pub first: usize,
    /// The evaluations of the positions on the current path where they were made, else `INFINITE`.
    pub statics: Vec<i32>,
    pub nodes: u64,
    /// Nodes granted so far; then signals are looked at, and more are asked for.
    next_poll: u64,
    pub sel_depth: usize,
    /// The depth of the last iteration that was completed.
    pub completed: i32,
    pub stopped: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        number: usize,
        game: &Game,
        evaluator: Evaluator<'static>,
        path: Path,
        memory: &'a mut Memory,
        root_turns: Vec<RootTurn>,
    ) -> Self {
        Self {
            shared,
            number,
            rules: *game.rules(),
            evaluator,
            position: *game.position(),
            path,
            turns: mem::take(&mut memory.turns),
            memory,
            lines: vec![Vec::new(); MAX_PLY + 2],
            root_turns,
            first: 0,
            statics: vec![INFINITE; MAX_PLY + 2],
            nodes: 0,
            next_poll: shared.grant(),
            sel_depth: 0,
            completed: 0,
            stopped: false,
        }
    }

    /// Counts a node, and says whether the search is over.
    #[inline(always)]
    pub(super) fn visit(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        self.next_poll = self.nodes + self.shared.grant();
        self.publish();
        if self.nodes >= self.next_poll {
            // Asked for nodes, so many nodes it is, even if the first iteration is not through.
            self.stopped = true;
            return;
        }
        let Shared { abort, control, .. } = self.shared;
        if abort.load(Relaxed) || control.is_stopped() || self.shared.is_late() {
            abort.store(true, Relaxed);
            // The first iteration is finished where the answer comes from, unless it takes long:
            // nearly always it is a matter of microseconds, and there is a turn to show for it.
            self.stopped =
                self.number > 0 || self.completed > 0 || self.nodes > FIRST_ITERATION_NODES;
        }
    }

    /// Makes the nodes so far known to the other threads.
    pub(super) fn publish(&self) {
        self.shared.nodes[self.number].0.store(self.nodes, Relaxed);
    }

    /// Ends the work: the turns' room goes back to where it came from.
    pub(super) fn finish(mut self) -> (i32, Vec<RootTurn>) {
        self.turns.clear();
        self.memory.turns = self.turns;
        (self.completed, self.root_turns)
    }

    /// Notes that a turn, followed by the line of the next ply, is the best line from `ply` on.
    pub(super) fn extend_line(&mut self, turn: Turn, ply: usize) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(turn);
        line.extend_from_slice(&lower[0]);
    }
}
