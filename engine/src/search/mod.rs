//! The search: finds the best turn of a position within limits.
//!
//! Callers know only what is public here: [`Engine`], [`Limits`], [`Control`], [`Info`]. The search
//! knows nothing of protocols and prints nothing.

mod chance;
mod control;
mod hash;
mod info;
mod level;
mod limits;
mod mirror;
mod node;
mod order;
mod path;
mod quiet;
mod root;
mod settings;
mod threads;
mod time;
mod value;
mod worker;

pub use chance::Chance;
pub use control::Control;
pub use hash::HashError;
pub use info::{Best, Bound, Info, Score};
pub use level::{ELO_RANGE, FULL_LEVEL};
pub use limits::{Clock, Limits};
pub use settings::Settings;

use crate::{game::Game, movegen::Turn, position::Outcome, with_topology};
use hash::Table;
use level::Level;
use order::Memory;
use std::{fmt, time::Instant};
use threads::Task;

/// A player: settings and what it remembers from one search to the next.
pub struct Engine {
    settings: Settings,
    table: Table,
    memories: Vec<Box<Memory>>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine with an empty memory. If there is no memory for a hash table of the size set, it
    /// is made smaller; [`settings`](Self::settings) tells.
    ///
    /// # Panics
    /// If not even a hash table of 1 MiB can be had.
    pub fn new(settings: Settings) -> Self {
        let table = Table::up_to(settings.hash_mib);
        let settings = Settings { hash_mib: table.mib(), ..settings };
        Self { settings, table, memories: Vec::new() }
    }

    /// What it is set to.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. The memory is kept unless its size changes.
    ///
    /// # Errors
    /// If there is no memory for a hash table of the size wanted; nothing is changed then.
    pub fn configure(&mut self, settings: Settings) -> Result<(), HashError> {
        if settings.hash_mib != self.table.mib() {
            self.table = Table::new(settings.hash_mib)?;
        }
        self.settings = settings;
        Ok(())
    }

    /// Forgets everything: the next search is as from a fresh process.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.memories.clear();
    }

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
        let start = Instant::now();
        let mut turns = game.position().turns(game.rules());
        if turns.is_empty() {
            report(&over(game, start));
            control.wait_for_leave(limits);
            return Best { turn: None, ponder: None };
        }
        if turns.iter().any(|t| limits.search_moves.contains(t)) {
            turns.retain(|t| limits.search_moves.contains(t));
        }
        let settings = &self.settings;
        let seed_of_place = game.position().key() ^ game.positions().len() as u64;
        let mut chance = Chance::new(settings.seed, seed_of_place);
        chance.shuffle(&mut turns);
        self.table.grow_older();
        self.memories.resize_with(settings.threads.max(1), Memory::new);
        let level = Level::of(settings);
        let task = Task {
            game,
            limits,
            control,
            settings,
            level,
            table: &self.table,
            start,
            turns: &turns,
        };
        let memories = &mut self.memories;
        let lines = with_topology!(game.rules().board(), T => task.run::<T>(memories, report));
        let line = &lines[level.choose(&lines, &mut chance)];
        let best = Best { turn: Some(line.turn), ponder: self.reply(game, &line.line) };
        control.wait_for_leave(limits);
        best
    }

    /// The reply that is expected to the first turn of a line.
    fn reply(&self, game: &Game, line: &[Turn]) -> Option<Turn> {
        if let Some(reply) = line.get(1) {
            return Some(*reply);
        }
        let next = game.position().after(*line.first()?);
        let known = self.table.probe(next.key())?.turn?;
        next.turns(game.rules()).contains(&known).then_some(known)
    }
}

/// The report on a game that is over.
fn over(game: &Game, start: Instant) -> Info {
    let score = match game.position().outcome(game.rules()) {
        Outcome::Win(..) => Score::Mate(0),
        Outcome::Draw(_) | Outcome::Ongoing => Score::Cp(0),
    };
    Info {
        depth: 0,
        sel_depth: 0,
        multi_pv: 1,
        score,
        bound: None,
        nodes: 0,
        hash_full: 0,
        table_hits: 0,
        time: start.elapsed(),
        pv: Vec::new(),
    }
}
