//! The search: finds the best turn of a position within limits.
//!
//! Callers know only what stands in this file: [`Engine`], [`Limits`], [`Control`], [`Info`].

use crate::{game::Game, movegen::Turn};
use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// What a side has on its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds left; may be zero or negative, which asks for a turn at once.
    pub time_ms: Option<i64>,
    /// Milliseconds added after each own turn.
    pub increment_ms: i64,
}

/// When a search ends. Without any limit it is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// White's and Black's clocks.
    pub clocks: [Clock; 2],
    /// Turns until the next time control.
    pub moves_to_go: Option<u32>,
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// Greatest number of nodes.
    pub nodes: Option<u64>,
    /// Milliseconds for this turn exactly.
    pub move_time_ms: Option<i64>,
    /// Stop once a win in so many own turns is proven.
    pub mate: Option<u32>,
    /// Give no answer before [`Control::stop`].
    pub infinite: bool,
    /// Search on the opponent's time: give no answer before [`Control::stop`] or
    /// [`Control::ponder_hit`]; the clocks count from the latter.
    pub ponder: bool,
    /// Search only these turns; empty = all.
    pub search_moves: Vec<Turn>,
}

/// What the engine is set to. Every field may be changed between searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the hash table in MiB, 1 to 65536.
    pub hash_mib: usize,
    /// Threads that search, 1 to 512.
    pub threads: usize,
    /// Number of best turns to report, 1 to 64.
    pub multi_pv: usize,
    /// Time kept back from every turn for the way to the referee's clock.
    pub move_overhead: Duration,
    /// Strength from 0 (beginner) to 20 (full).
    pub skill_level: u8,
    /// Play at about this rating instead of at `skill_level`.
    pub elo: Option<u32>,
    /// Seed of all chance in play; 0 = varied from search to search.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            skill_level: 20,
            elo: None,
            seed: 1,
        }
    }
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of about one stone.
    Cp(i32),
    /// A proven win in so many own turns, or (negative or zero) a proven loss in so many of the
    /// loser's turns.
    Mate(i32),
}

/// How a score of an unfinished window is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// What is known after an iteration, or part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies searched in full.
    pub depth: u32,
    /// The deepest ply reached.
    pub sel_depth: u32,
    /// Rank of this line among the best ones, from 1.
    pub multi_pv: usize,
    /// Its value.
    pub score: Score,
    /// Set if the value is only a bound.
    pub bound: Option<Bound>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Permille of the hash table in use.
    pub hash_full: u32,
    /// Positions answered by tables.
    pub table_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The line of best play, the turn to be made first. Empty if there is no legal turn.
    pub pv: Vec<Turn>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// The turn to make; `None` if there is no legal one.
    pub turn: Option<Turn>,
    /// The reply that is expected.
    pub ponder: Option<Turn>,
}

/// A handle by which other threads steer a running search. Clones steer the same search. A fresh
/// one is made for each search.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    ponder_hit: AtomicBool,
    changed: Condvar,
    lock: Mutex<()>,
}

impl Control {
    /// A handle for a search that has not been told anything.
    pub fn new() -> Self {
        Self::default()
    }

    fn raise(&self, flag: &AtomicBool) {
        // The lock orders the flag before a waiter's check, so that no wake-up is lost.
        let guard = self.0.lock.lock();
        flag.store(true, Ordering::Release);
        drop(guard);
        self.0.changed.notify_all();
    }

    /// Ends the search; its answer comes at once.
    pub fn stop(&self) {
        self.raise(&self.0.stopped);
    }

    /// The opponent has made the expected turn: the search goes on as a normal one.
    pub fn ponder_hit(&self) {
        self.raise(&self.0.ponder_hit);
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether the expected turn has been made.
    #[inline]
    pub fn is_ponder_hit(&self) -> bool {
        self.0.ponder_hit.load(Ordering::Relaxed)
    }

    /// Sleeps until the answer may be given: at once, or under `infinite` and `ponder` when the
    /// search is told so.
    fn wait_for_leave(&self, limits: &Limits) {
        let Ok(mut guard) = self.0.lock.lock() else { return };
        while !self.is_stopped() && (limits.infinite || (limits.ponder && !self.is_ponder_hit())) {
            match self.0.changed.wait(guard) {
                Ok(next) => guard = next,
                Err(_) => return,
            }
        }
    }
}

/// A player: settings and what it remembers from one search to the next.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
}

impl Engine {
    /// An engine with an empty memory.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// What it is set to.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. The memory is kept unless its size changes.
    pub fn configure(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Forgets everything: the next search is as from a fresh process.
    pub fn new_game(&mut self) {}

    /// Searches the current position of a game and returns the turn to make. Blocks until the
    /// limits, or `control`, end it; `report` is called from this thread, at least once before the
    /// end and with at least depth, score and line.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Best {
        let turn = game.position().turns(game.rules()).first().copied();
        report(&Info {
            depth: 1,
            sel_depth: 1,
            multi_pv: 1,
            score: Score::Cp(0),
            bound: None,
            nodes: 1,
            hash_full: 0,
            table_hits: 0,
            time: Duration::ZERO,
            pv: turn.into_iter().collect(),
        });
        control.wait_for_leave(limits);
        Best { turn, ponder: None }
    }
}
