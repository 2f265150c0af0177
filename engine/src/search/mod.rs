//! The search: finds the best turn of a position within limits.
//!
//! Callers know only what is public here: [`Engine`], [`Limits`], [`Control`], [`Info`]. The search
//! knows nothing of protocols and prints nothing.

mod bounds;
mod busy;
mod certain;
mod chance;
mod control;
mod glance;
mod hash;
mod info;
mod level;
mod limits;
mod mirror;
mod node;
mod null;
mod order;
mod past;
mod path;
mod quiet;
mod root;
mod settings;
mod tables;
mod threads;
mod time;
mod unlisted;
mod value;
mod worker;

pub use certain::{certain_line, certain_value};
pub use chance::Chance;
pub use control::Control;
pub use hash::HashError;
pub use info::{Best, Bound, Info, Score};
pub use level::{ELO_RANGE, FULL_LEVEL};
pub use limits::{Clock, Limits};
pub use settings::Settings;

use crate::{
    eval::Choice,
    game::Game,
    movegen::Turn,
    position::Outcome,
    rules::Rules,
    table::{FaultName, Tables, Value},
    with_topology,
};
use hash::Table;
use level::Level;
use order::Memory;
use std::{collections::HashSet, fmt, path::PathBuf, time::Instant};
use tables::{Advice, advise};
use threads::Task;

/// A player: settings and what it remembers from one search to the next.
pub struct Engine {
    settings: Settings,
    table: Table,
    memories: Vec<Box<Memory>>,
    /// What the evaluations that the memories hold were made by.
    evaluated_by: Option<(Rules, Choice)>,
    tables: Option<OpenTables>,
    faults: Vec<String>,
    /// What has been told, also of tables that are closed by now.
    told: HashSet<FaultName>,
}

/// Tables, with the settings that they were opened by.
struct OpenTables {
    tables: Tables,
    folders: Vec<PathBuf>,
    mib: usize,
}

/// Turns of a settled line that are reported, unless fewer nodes are asked for.
const LONGEST_LINE: usize = 12;

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
        Self {
            settings,
            table,
            memories: Vec::new(),
            evaluated_by: None,
            tables: None,
            faults: Vec::new(),
            told: HashSet::new(),
        }
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
        self.memories.resize_with(self.settings.threads.max(1), Memory::new);
        self.memories.iter_mut().for_each(|memory| memory.forget());
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
        self.open_tables(game.rules());
        let settings = &self.settings;
        let seed_of_place = game.position().key() ^ game.positions().len() as u64;
        let mut chance = Chance::new(settings.seed, seed_of_place);
        chance.shuffle(&mut turns);
        self.table.grow_older();
        let evaluated_by = Some((*game.rules(), settings.evaluation));
        if self.evaluated_by != evaluated_by {
            self.memories.iter_mut().for_each(|memory| memory.glances.forget());
            self.evaluated_by = evaluated_by;
        }
        self.memories.resize_with(settings.threads.max(1), Memory::new);
        let level = Level::of(settings);
        let tables = self.tables.as_ref().map(|open| &open.tables).filter(|_| level.is_full());
        let (mut hits, mut asks_children) = (0, false);
        match tables.and_then(|t| advise(t, game, &turns, limits, settings.multi_pv, &mut hits)) {
            Some(Advice::Settled(turns)) => {
                let longest =
                    limits.nodes.map_or(LONGEST_LINE, |n| n.clamp(2, LONGEST_LINE as u64) as usize);
                let best = self.settled(game, &turns, longest, hits, start, report);
                control.wait_for_leave(limits);
                return best;
            }
            Some(Advice::Only(worth)) if settings.multi_pv <= worth.len() => turns = worth.into(),
            Some(Advice::Only(_)) => asks_children = true,
            None => {}
        }
        let task = Task {
            game,
            limits,
            control,
            settings,
            level,
            table: &self.table,
            start,
            turns: &turns,
            tables,
            asks_children,
            hits,
        };
        let memories = &mut self.memories;
        let lines = with_topology!(game.rules().board(), T => task.run::<T>(memories, report));
        let line = &lines[level.choose(&lines, &mut chance)];
        let best = Best { turn: Some(line.turn), ponder: self.reply(game, &line.line) };
        control.wait_for_leave(limits);
        best
    }

    /// The faults of tables found since the last call, each in one line. Of a folder or file each kind of
    /// fault is told once, whatever rules and settings follow.
    pub fn take_faults(&mut self) -> Vec<String> {
        let mut faults = std::mem::take(&mut self.faults);
        if let Some(open) = &self.tables {
            faults.extend(open.tables.take_new_faults(&mut self.told));
        }
        faults
    }

    /// Makes the tables at hand those of the rules and settings.
    fn open_tables(&mut self, rules: &Rules) {
        let settings = &self.settings;
        let right = |open: &OpenTables| {
            (open.tables.rules(), &open.folders, open.mib)
                == (rules, &settings.table_folders, settings.table_memory_mib)
        };
        if self.tables.as_ref().is_some_and(right) && settings.tables {
            return;
        }
        self.faults = self.take_faults();
        self.tables = self.settings.tables.then(|| {
            let (folders, mib) =
                (self.settings.table_folders.clone(), self.settings.table_memory_mib);
            OpenTables { tables: Tables::new(*rules, &folders, mib << 20), folders, mib }
        });
    }

    /// The answer to a root of which everything is known; `turns` are its turns, best first, and
    /// lines have at most `longest`.
    fn settled(
        &self,
        game: &Game,
        turns: &[(Turn, Value)],
        longest: usize,
        hits: u64,
        start: Instant,
        report: &mut dyn FnMut(&Info),
    ) -> Best {
        let mut best = Best { turn: None, ponder: None };
        let Some(open) = &self.tables else { return best };
        for (number, (turn, value)) in turns.iter().take(self.settings.multi_pv).enumerate() {
            let line = tables::line(&open.tables, game.position(), *turn, longest);
            if number == 0 {
                best = Best { turn: Some(*turn), ponder: line.get(1).copied() };
            }
            report(&Info {
                depth: 1,
                sel_depth: line.len() as u32,
                multi_pv: number + 1,
                score: tables::to_score(*value),
                bound: None,
                nodes: hits,
                hash_full: 0,
                table_hits: hits,
                time: start.elapsed(),
                pv: line,
            });
        }
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
