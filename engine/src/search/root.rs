//! Iterative deepening: the root is searched one ply deeper each time, in a narrow window around
//! the value expected, until time or limits end it.

use super::{
    Bound, Info,
    mirror::turn,
    node::{Root, Window},
    value::{INFINITE, MAX_DEPTH, distance, is_proven, to_score},
    worker::{RootTurn, Shared, Worker},
};
use crate::{board::Topology, movegen::Turn};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// What the main thread does beside searching.
pub(super) struct Reporter<'a> {
    pub report: &'a mut dyn FnMut(&Info),
    /// Lines that are reported.
    pub shown: usize,
}

/// Half the width of the first window, in centi-stones.
const FIRST_WIDTH: i32 = 18;
/// Reports on unfinished windows begin after this, so as not to drown the others.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Deepens until the search ends. `wanted` is the number of best lines, `deepest` the greatest
    /// depth in plies.
    pub(super) fn deepen<T: Topology>(
        &mut self,
        wanted: usize,
        deepest: i32,
        mut reporter: Option<Reporter>,
    ) {
        let wanted = wanted.clamp(1, self.root_turns.len());
        let mut pace = Pace::default();
        let mut depth = 0;
        while depth < deepest.clamp(1, MAX_DEPTH) {
            depth += 1;
            // The first helper shares the main thread's depth turn by turn; the others skip every
            // third one, each another, so that they run ahead.
            if self.number > 1 && depth > 1 && (depth + self.number as i32) % 3 == 0 {
                continue;
            }
            for root in &mut self.root_turns {
                root.previous = root.known_value();
                root.value = -INFINITE;
            }
            let mut exact = true;
            self.sel_depth = 0;
            for line in 0..wanted {
                self.first = line;
                exact &= self.narrow::<T>(depth, line, &mut reporter);
                self.root_turns[..=line].sort_by_key(|r| std::cmp::Reverse(r.known_value()));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            for line in 0..wanted {
                self.lengthen::<T>(line);
            }
            self.publish();
            if let Some(reporter) = &mut reporter {
                self.report_lines(reporter, wanted, depth);
                pace.note(self.root_turns[0].turn, self.root_turns[0].value);
                if self.is_enough(&pace, wanted, exact) {
                    break;
                }
            }
        }
        self.publish();
        if let Some(reporter) = &mut reporter
            && self.stopped
        {
            self.report_lines(reporter, wanted, self.completed.max(1));
        }
    }

    /// Searches for the best line but those before it, opening the window until the value lies in
    /// it. Says whether the value is proven and exact: no search, however deep, will change it.
    fn narrow<T: Topology>(
        &mut self,
        depth: i32,
        line: usize,
        reporter: &mut Option<Reporter>,
    ) -> bool {
        let expected = self.root_turns[line].previous;
        let settled = expected > -INFINITE && is_proven(expected);
        let mut width = if settled { 1 } else { FIRST_WIDTH };
        let mut window = Window { alpha: -INFINITE, beta: INFINITE };
        if depth > 3 && expected > -INFINITE {
            window.alpha = (expected - width).max(-INFINITE);
            window.beta = (expected + width).min(INFINITE);
        }
        loop {
            let position = self.position;
            let value = self.search::<T, Root>(&position, window, depth, 0, None);
            self.root_turns[line..].sort_by_key(|r| std::cmp::Reverse(r.value));
            if self.stopped {
                return false;
            }
            if settled && (value < expected) == (expected > 0) && value != expected {
                // Too shallow to see the proof again; it stands nevertheless.
                self.root_turns[line].value = expected;
                return false;
            }
            let low = value <= window.alpha && window.alpha > -INFINITE;
            let high = value >= window.beta && window.beta < INFINITE;
            if !low && !high || is_proven(value) && distance(value) > depth {
                return window.is_proving() && distance(value) <= depth;
            }
            if is_proven(value) {
                // Once a result is proven, only its distance is still open; it rarely changes.
                window = Window { alpha: value - 1, beta: value + 1 };
            } else if low {
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = (value - width).max(-INFINITE);
            } else {
                window.beta = (value + width).min(INFINITE);
            }
            width *= 3;
            if let Some(reporter) = reporter
                && line < reporter.shown
                && self.shared.start.elapsed() > BOUNDS_AFTER
            {
                let bound = if low { Bound::Upper } else { Bound::Lower };
                let info = self.info(line, depth, Some(bound));
                (reporter.report)(&info);
            }
        }
    }

    /// Continues the line of a proven result by what the hash table knows, turn by turn as long as
    /// each is a step nearer to the end.
    fn lengthen<T: Topology>(&mut self, line: usize) {
        let value = self.root_turns[line].value;
        if !is_proven(value) {
            return;
        }
        let line = &mut self.root_turns[line].line;
        let mut position = line.iter().fold(self.position, |p, turn| p.after(*turn));
        while (line.len() as i32) < distance(value) {
            let place = self.path.place::<T>(&position);
            let Some(entry) = self.shared.table.probe(place.key) else { return };
            let Some(next) = entry.turn.map(|t| turn::<T, true>(t, place.image)) else { return };
            let left = distance(value) - line.len() as i32;
            let legal = || position.turns(&self.rules).contains(&next);
            if !is_proven(entry.value) || distance(entry.value) != left || !legal() {
                return;
            }
            line.push(next);
            position = position.after(next);
        }
    }

    /// Whether the main thread ends the search after an iteration.
    fn is_enough(&self, pace: &Pace, wanted: usize, exact: bool) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_turns[0];
        // What is proven exactly for every line shown stays as it is at any depth.
        if exact && self.root_turns[..wanted].iter().all(|r| is_proven(r.value)) {
            return true;
        }
        if let Some(mate) = limits.mate
            && best.value > 0
            && is_proven(best.value)
            && distance(best.value) < 2 * mate as i32
        {
            return true;
        }
        let (Some(budget), Some(used)) = (self.shared.budget, self.shared.time_used()) else {
            return false;
        };
        if budget.from_clock && self.root_turns.len() == 1 {
            return true;
        }
        budget.from_clock && used >= budget.soft.mul_f64(pace.factor()) || used >= budget.hard
    }

    fn report_lines(&self, reporter: &mut Reporter, wanted: usize, depth: i32) {
        for line in 0..wanted.min(reporter.shown) {
            let info = self.info(line, depth, None);
            (reporter.report)(&info);
        }
    }

    fn info(&self, line: usize, depth: i32, bound: Option<Bound>) -> Info {
        let mut info = describe(self.shared, &self.root_turns[line], line, depth);
        if self.root_turns[line].known_value() == -INFINITE {
            info.score = to_score(self.evaluator.value(&self.position));
        }
        info.nodes = info.nodes.max(self.nodes);
        info.bound = bound;
        info
    }
}

/// The report on a line, whose rank is counted from 0.
pub(super) fn describe(shared: &Shared, root: &RootTurn, rank: usize, depth: i32) -> Info {
    Info {
        depth: depth as u32,
        sel_depth: root.sel_depth.max(depth as usize) as u32,
        multi_pv: rank + 1,
        score: to_score(root.known_value()),
        bound: None,
        nodes: shared.total_nodes(),
        hash_full: shared.table.full(),
        table_hits: shared.hits.0.load(Relaxed),
        time: shared.start.elapsed(),
        pv: root.line.clone(),
    }
}

/// How settled the best turn is from iteration to iteration.
#[derive(Default)]
struct Pace {
    best: Option<Turn>,
    /// Iterations for which it has stood.
    steady: u32,
    value: i32,
    fallen: bool,
}

impl Pace {
    fn note(&mut self, best: Turn, value: i32) {
        self.steady = if self.best == Some(best) { self.steady + 1 } else { 0 };
        self.best = Some(best);
        self.fallen = value < self.value - 25;
        self.value = value;
    }

    /// By how much the soft limit is stretched.
    fn factor(&self) -> f64 {
        let unsettled = match self.steady {
            0 => 1.6,
            1 => 1.25,
            2 => 1.0,
            3..=5 => 0.85,
            _ => 0.7,
        };
        if self.fallen { unsettled * 1.4 } else { unsettled }
    }
}
