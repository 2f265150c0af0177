//! Settings made from flags: checked, with defaults from this machine and from the folder.

use super::{
    exit::{Nothing, Usage},
    flags::{GameFlags, MachineFlags, MeantFlags, PhaseFlag, TablesFlags},
    hint::{Form, SOLVED, rules_of_file},
    tally::Tally,
};
use crate::{
    file::{CellKind, names_in},
    plan::{Phase, Plan, Selection, sectors},
    sector::Sector,
    tables::Tables,
};
use anyhow::{Context, Result};
use millrace_engine::Rules;
use std::{path::Path, thread};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What may be used of the machine.
pub struct Machine {
    /// Threads, at least 1.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
}

impl Machine {
    /// Checks the flags.
    pub fn new(flags: &MachineFlags) -> Result<Self> {
        const MOST_THREADS: usize = 1024;
        let threads = match flags.threads {
            None => thread::available_parallelism().map_or(1, usize::from),
            Some(threads @ 1..=MOST_THREADS) => threads,
            Some(other) => {
                let text = format!("--threads is {other}; it takes 1 to {MOST_THREADS}");
                return Err(Usage(text).into());
            }
        };
        let memory = match flags.memory {
            None => free_memory() / 4 * 3,
            Some(0) => return Err(Usage("--memory is 0; it takes 1 or more".to_string()).into()),
            Some(megabytes) => megabytes.saturating_mul(1_000_000),
        };
        Ok(Self { threads, memory })
    }
}

/// Bytes that this process can use without others having to give way.
fn free_memory() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let free = system.available_memory();
    system.cgroup_limits().map_or(free, |limits| free.min(limits.free_memory))
}

/// Reads a rules text.
pub fn rules(text: &str) -> Result<Rules> {
    Rules::parse(text).context("--rules")
}

/// Which part of a game is meant.
pub struct Part {
    /// The phase.
    pub phase: Phase,
    /// The units.
    pub selection: Selection,
}

impl Part {
    /// Checks the flags.
    pub fn new(rules: &Rules, flags: &GameFlags) -> Result<Self> {
        let selection = match (flags.max_stones, flags.sectors.as_slice()) {
            (Some(most), _) => Selection::MaxStones(most),
            (None, []) => Selection::Everything,
            (None, names) => Selection::Sectors(
                names.iter().map(|name| sector(name)).collect::<Result<Vec<Sector>>>()?,
            ),
        };
        let phase = match flags.phase {
            Some(PhaseFlag::Moving) => Phase::Moving,
            Some(PhaseFlag::All) => Phase::All,
            None => Phase::default_for(rules),
        };
        Ok(Self { phase, selection })
    }
}

/// Reads the name of a sector.
pub fn sector(name: &str) -> Result<Sector> {
    name.parse().map_err(|e: crate::sector::SectorError| Usage(e.to_string()).into())
}

/// What the cells are to say.
pub fn kind(flags: &GameFlags) -> CellKind {
    if flags.wdl_only { CellKind::Wdl } else { CellKind::Distance }
}

/// Tables that are read, and which of them are meant.
pub struct Source {
    /// The tables.
    pub tables: Tables,
    /// The sectors that are meant, in ascending order.
    pub sectors: Vec<Sector>,
    /// The machine.
    pub machine: Machine,
    /// The most stones that were asked for, if tables with more are there.
    most: Option<u8>,
}

impl Source {
    /// Checks the flags and looks into the folder.
    pub fn new(flags: &TablesFlags) -> Result<Self> {
        Self::of_kind(flags, flags.meant.game.wdl_only)
    }

    /// As [`new`](Self::new), for work that can leave the distances of tables aside.
    pub fn of_any_kind(flags: &TablesFlags) -> Result<Self> {
        Self::of_kind(flags, false)
    }

    fn of_kind(flags: &TablesFlags, wdl_only: bool) -> Result<Self> {
        let MeantFlags { game, machine, .. } = &flags.meant;
        let rules = rules_meant(&flags.meant, &flags.tables, &[SOLVED], SOLVED.name)?;
        let machine = Machine::new(machine)?;
        let part = Part::new(&rules, game)?;
        let all = possible(&rules, game);
        let folders = vec![flags.tables.clone()];
        let (tables, present) = if wdl_only {
            let tables = Tables::new(rules, CellKind::Wdl, folders);
            let present = tables.present(&all)?;
            (tables, present)
        } else {
            Tables::of_any_kind(rules, &folders, &all)?
        };
        let most = game.max_stones.filter(|_| !present.is_empty());
        let sectors = chosen(&rules, part.selection, &all, present)?;
        Ok(Self { tables, sectors, machine, most })
    }

    /// The sectors that are meant.
    ///
    /// # Errors
    /// If there are none.
    pub fn some_sectors(&self, folder: &Path) -> Result<&[Sector]> {
        if self.sectors.is_empty() {
            let rules = Some(self.tables.rules().short_name());
            let (folder, most) = (folder.to_path_buf(), self.most);
            return Err(Nothing { folder, form: SOLVED.name, rules, most }.into());
        }
        Ok(&self.sectors)
    }
}

/// The rules that are named, or else those of the tables in the folder.
pub fn rules_meant(
    meant: &MeantFlags,
    folder: &Path,
    forms: &[Form],
    name: &'static str,
) -> Result<Rules> {
    match &meant.rules {
        Some(text) => rules(text),
        None => rules_of_folder(folder, forms, name),
    }
}

/// The rules of the tables in a folder, of some forms that are called `name` together, if they are all of
/// one game. Damaged ones are passed over as long as there are others.
fn rules_of_folder(folder: &Path, forms: &[Form], name: &'static str) -> Result<Rules> {
    let (mut found, mut damaged): (Option<Rules>, Vec<anyhow::Error>) = (None, Vec::new());
    for name in names_in(folder)? {
        let path = folder.join(name);
        if !forms.iter().any(|form| form.has(&path)) {
            continue;
        }
        let rules = match rules_of_file(&path) {
            Ok(rules) => rules,
            Err(error) => {
                damaged.push(error);
                continue;
            }
        };
        if let Some(other) = found.filter(|other| *other != rules) {
            let text = format!(
                "{} holds tables of {other} and of {rules}; say which with --rules",
                folder.display()
            );
            return Err(Usage(text).into());
        }
        found = Some(rules);
    }
    if let Some(rules) = found {
        return Ok(rules);
    }
    let mut tally = Tally::of_files();
    for error in damaged {
        tally.take::<()>(Err(error))?;
    }
    tally.end()?;
    Err(Nothing { folder: folder.to_path_buf(), form: name, rules: None, most: None }.into())
}

/// The sectors that a folder may hold tables of: those of both phases, unless only the moving phase
/// is wanted.
pub fn possible(rules: &Rules, flags: &GameFlags) -> Vec<Sector> {
    let mut all = sectors(rules, Phase::Moving);
    all.extend(sectors(rules, Phase::All));
    if flags.phase == Some(PhaseFlag::Moving) {
        all.retain(|s| s.is_moving_phase());
    }
    all.into_iter().collect()
}

/// Of the possible sectors those that were asked for: of all, only those that are present.
///
/// # Errors
/// If what was asked for is something that the game does not have.
pub fn chosen(
    rules: &Rules,
    selection: Selection,
    possible: &[Sector],
    present: Vec<Sector>,
) -> Result<Vec<Sector>> {
    Ok(match selection {
        Selection::Everything => present,
        Selection::MaxStones(most) => {
            if possible.iter().all(|s| s.stones() > most) {
                // Its error names the fewest stones that there are.
                Plan::new(rules, Phase::All, &selection)?;
            }
            present.into_iter().filter(|s| s.stones() <= most).collect()
        }
        Selection::Sectors(wanted) => {
            if wanted.iter().any(|s| !possible.contains(s)) {
                // Its error names the sectors that there are.
                Plan::new(rules, Phase::All, &Selection::Sectors(wanted.clone()))?;
            }
            wanted
        }
    })
}
