//! All threads search the same root and help each other through the hash table (Lazy SMP) and by
//! leaving each other's turns for later; in the end they vote.

use super::{
    Control, Info, Limits, Settings,
    busy::Busy,
    hash::Table,
    level::Level,
    order::Memory,
    path::Path,
    root::{Reporter, describe},
    time::Budget,
    value::{MAX_DEPTH, is_proven},
    worker::{Counter, RootTurn, Shared, Worker},
};
use crate::{board::Topology, eval::Evaluator, game::Game, movegen::Turn, table::Tables};
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

/// What a search is made of.
pub(super) struct Task<'a> {
    pub game: &'a Game,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub settings: &'a Settings,
    pub level: Level,
    pub table: &'a Table,
    pub start: Instant,
    /// The turns to choose from, in the order in which equals are preferred. Not empty.
    pub turns: &'a [Turn],
    pub tables: Option<&'a Tables>,
    pub asks_children: bool,
    /// Positions that tables have answered for before the search.
    pub hits: u64,
}

/// What it may take to start a thread: on a short budget, fewer are started.
const START_MICROS: u128 = 100;
/// Nodes for which another thread is worth starting. Threads learn of each other's nodes now and then
/// only, so that a limit of few would be overrun.
const START_NODES: u64 = 10_000;

/// What one thread has found.
struct Found {
    depth: i32,
    lines: Vec<RootTurn>,
}

impl Task<'_> {
    /// Searches on one thread for each memory, and returns the best lines, best first.
    pub(super) fn run<T: Topology>(
        &self,
        memories: &mut [Box<Memory>],
        report: &mut dyn FnMut(&Info),
    ) -> Vec<RootTurn> {
        let side = self.game.position().side();
        let budget = Budget::new(self.limits, self.settings, side);
        let in_time = budget.map_or(usize::MAX, |b| (b.hard.as_micros() / START_MICROS) as usize);
        let in_nodes = self.limits.nodes.map_or(usize::MAX, |n| (n / START_NODES) as usize);
        let helpers = in_time.min(in_nodes).min(memories.len() - 1);
        let shared = Shared {
            table: self.table,
            limits: self.limits,
            control: self.control,
            budget,
            start: self.start,
            ponder_hit: OnceLock::new(),
            abort: AtomicBool::new(false),
            nodes: (0..=helpers).map(|_| Counter::default()).collect(),
            granted: Counter::default(),
            busy: Busy::new(helpers + 1),
            tables: self.tables,
            probe_depth: self.settings.table_probe_depth.min(MAX_DEPTH as u32) as i32,
            asks_children: self.asks_children,
            hits: Counter(self.hits.into()),
        };
        let wanted = self.level.lines(self.settings.multi_pv);
        let told = self.limits.depth.map_or(MAX_DEPTH, |d| d.min(MAX_DEPTH as u32) as i32);
        let deepest = self.level.depth().map_or(told, |d| d.min(told));
        let path = Path::new(self.game);
        let evaluator = Evaluator::chosen(self.game.rules(), self.settings.evaluation);
        let worker = |number, memory| {
            let roots = self.turns.iter().map(|t| RootTurn::new(*t)).collect();
            Worker::new(&shared, number, self.game, evaluator, path.clone(), memory, roots)
        };
        let (first, others) = memories.split_first_mut().expect("there is at least one thread");
        let mut found = thread::scope(|scope| {
            let helpers: Vec<_> = (1..)
                .zip(others)
                .take(helpers)
                .filter_map(|(number, memory)| {
                    let worker = worker(number, memory);
                    // A thread that the system refuses is done without.
                    thread::Builder::new()
                        .spawn_scoped(scope, move || search::<T>(worker, wanted, deepest, None))
                        .ok()
                })
                .collect();
            let reporter = Reporter { report: &mut *report, shown: self.settings.multi_pv };
            let main = search::<T>(worker(0, first), wanted, deepest, Some(reporter));
            shared.abort.store(true, Relaxed);
            let mut found = vec![main];
            found.extend(helpers.into_iter().filter_map(|h| h.join().ok()));
            found
        });
        let chosen = if wanted > 1 { 0 } else { vote(&found, deepest) };
        let Found { depth, lines } = found.swap_remove(chosen);
        if chosen > 0 {
            report(&describe(&shared, &lines[0], 0, depth));
        }
        lines
    }
}

fn search<T: Topology>(
    mut worker: Worker,
    wanted: usize,
    deepest: i32,
    reporter: Option<Reporter>,
) -> Found {
    worker.deepen::<T>(wanted, deepest, reporter);
    if wanted == 1 && worker.completed == deepest {
        // Who gets to the depth asked for first ends the search for all.
        worker.shared.abort.store(true, Relaxed);
    }
    let (depth, lines) = worker.finish();
    Found { depth, lines }
}

/// The number of the thread to follow: each votes for its turn, with more weight the deeper it has
/// looked and the better it likes it. A proven result needs no majority. Where some have got to
/// `deepest`, only they vote.
fn vote(found: &[Found], deepest: i32) -> usize {
    let value = |f: &Found| f.lines[0].known_value();
    let settled = is_proven(value(&found[0]));
    let done = |f: &Found| f.depth >= deepest;
    let least = if !settled && found.iter().any(done) { deepest } else { 1 };
    let voters = || found.iter().enumerate().filter(move |(_, f)| f.depth >= least);
    let worst = voters().map(|(_, f)| value(f)).min().unwrap_or(0);
    let weight = |f: &Found| i64::from(value(f) - worst + 15) * i64::from(f.depth);
    let support = |turn: Turn| -> i64 {
        voters().filter(|(_, f)| f.lines[0].turn == turn).map(|(_, f)| weight(f)).sum()
    };
    if settled {
        // Who has not found a proven loss yet knows less, not better.
        let proven = voters().filter(|(_, f)| is_proven(value(f)));
        let best = proven.max_by_key(|(n, f)| (value(f), std::cmp::Reverse(*n)));
        return best.map_or(0, |(n, _)| n);
    }
    voters()
        .max_by_key(|(n, f)| {
            let proven = if is_proven(value(f)) { value(f) } else { 0 };
            (proven, support(f.lines[0].turn), std::cmp::Reverse(*n))
        })
        .map_or(0, |(n, _)| n)
}
