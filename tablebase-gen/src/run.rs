//! Solving many units: each one is solved while the one before it is being written.
//!
//! A unit counts as finished when all of its files are in place. Whatever ends a run, the next one
//! goes on with the first unit that is not finished.

use crate::{
    file::{CellKind, FileError, NewTable, file_name, names_in, write_table},
    memory,
    plan::{Limits, Plan, estimate, megabytes},
    report::{Report, UnitDone},
    sector::{Sector, SectorExt, Unit},
    solve::{Instructions, Job, SectorTable, SolveError, Stock, Watch, memory_wanted, solve_unit},
    tables::Tables,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// How a run works.
pub struct RunSettings<'a> {
    /// Where files go.
    pub out: PathBuf,
    /// Where tables of units outside the plan are, searched before `out`.
    pub deps: Vec<PathBuf>,
    /// What cells say.
    pub kind: CellKind,
    /// Threads to use.
    pub threads: usize,
    /// Bytes of memory to use.
    pub memory: u64,
    /// Bytes of disk that the files may be expected to take.
    pub disk: u64,
    /// Instructions to use.
    pub instructions: Instructions,
    /// Whether finished files are read in full before they are believed.
    pub check: bool,
    /// Set from outside to stop the run.
    pub stop: &'a AtomicBool,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A unit could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not begun, because files of units that should be finished are wrong or missing.
    #[error("{}", in_lines(.0))]
    Wrong(Vec<FileError>),
    /// It is not begun, because it would not come to an end.
    #[error("{0}")]
    DoesNotFit(String),
    /// The disk is full.
    #[error(
        "{full}; what is left to be written needs about {rest} in all. What is finished is kept: \
         make space and run this again", rest = megabytes(*rest)
    )]
    DiskFull {
        /// The file that did not fit.
        full: FileError,
        /// About the bytes that this file and all later ones need.
        rest: u64,
    },
}

fn in_lines(faults: &[FileError]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Solves the units of a plan that are not finished yet.
///
/// # Errors
/// See [`RunError`]. Units finished before stay.
pub fn run(plan: &Plan, settings: &RunSettings, report: &Report) -> Result<(), RunError> {
    let mut folders = settings.deps.clone();
    folders.push(settings.out.clone());
    let run = Run {
        plan,
        settings,
        report,
        tables: Tables::new(plan.rules, settings.kind, folders),
        stock: Stock::default(),
        failed: AtomicBool::new(false),
        unwritten: Mutex::default(),
    };
    let open = run.open_units()?;
    run.refuse_what_lacks_tables(&open)?;
    run.tell_passed_over();
    run.refuse_what_cannot_fit(&open)?;
    let explain = |(unit, error)| run.explain(&open, unit, error);
    let alone = || run.solve_all(&open, |solved| run.write(solved).map_err(explain));
    if settings.threads == 1 {
        return alone();
    }
    let (sender, receiver) = mpsc::sync_channel(0);
    thread::scope(|scope| {
        let writer = thread::Builder::new().spawn_scoped(scope, || run.write_all(receiver));
        let Ok(writer) = writer else { return alone() };
        let solved = run
            .solve_all(&open, |solved| sender.send(solved).map_err(|_| SolveError::Stopped.into()));
        drop(sender);
        let written = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // What stopped the writer also stopped the solver, so it is the cause.
        written.map_err(explain)?;
        solved
    })
}

struct Solved {
    unit: Unit,
    tables: Vec<Arc<SectorTable>>,
    time: Duration,
}

struct Run<'a> {
    plan: &'a Plan,
    settings: &'a RunSettings<'a>,
    report: &'a Report,
    tables: Tables,
    stock: Stock,
    /// Whether writing has failed, so that solving need not go on.
    failed: AtomicBool,
    /// Bytes of tables that wait to be written.
    unwritten: Mutex<BTreeMap<Sector, u64>>,
}

impl Run<'_> {
    /// The units that are not finished. All are looked at, whatever is wrong with some.
    fn open_units(&self) -> Result<Vec<Unit>, RunError> {
        let (mut open, mut faults) = (Vec::new(), Vec::new());
        for unit in &self.plan.units {
            let s = self.settings;
            match self.tables.has_unit(&s.out, *unit, s.check, s.threads, s.stop) {
                Ok(true) => self.report.skip(*unit, unit.cells(self.plan.rules.board())),
                Ok(false) => open.push(*unit),
                Err(wrong) => faults.extend(wrong),
            }
            if self.is_stopped() {
                return Err(SolveError::Stopped.into());
            }
        }
        if faults.is_empty() { Ok(open) } else { Err(RunError::Wrong(faults)) }
    }

    /// Looks for all tables of units outside the plan that those to be solved need.
    fn refuse_what_lacks_tables(&self, open: &[Unit]) -> Result<(), RunError> {
        let own: BTreeSet<Sector> = self.plan.sectors().collect();
        let needed = open.iter().flat_map(|u| u.depends_on(&self.plan.rules));
        let needed: BTreeSet<Sector> = needed.filter(|s| !own.contains(s)).collect();
        if needed.is_empty() {
            return Ok(());
        }
        let folders = self.settings.deps.iter();
        let mut faults: Vec<FileError> = folders.filter_map(|f| names_in(f).err()).collect();
        if faults.is_empty() {
            faults = needed.iter().filter_map(|s| self.tables.file(*s).err()).collect();
        }
        if faults.is_empty() { Ok(()) } else { Err(RunError::Wrong(faults)) }
    }

    /// Warns of damaged files for which others have been used.
    fn tell_passed_over(&self) {
        for error in self.tables.passed_over() {
            self.report.warn(&format!("warning: {error}; another folder's is used"));
        }
    }

    fn refuse_what_cannot_fit(&self, open: &[Unit]) -> Result<(), RunError> {
        let RunSettings { memory, disk, kind, threads, .. } = *self.settings;
        let left = Plan { rules: self.plan.rules, units: open.to_vec() };
        let objections =
            estimate(&left, kind, threads).objections(&left, &Limits { memory, disk }, kind);
        if objections.is_empty() {
            return Ok(());
        }
        Err(RunError::DoesNotFit(objections.join("\n")))
    }

    fn solve_all(
        &self,
        open: &[Unit],
        hand_over: impl Fn(Solved) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        for (number, unit) in open.iter().enumerate() {
            if self.is_stopped() {
                return Err(SolveError::Stopped.into());
            }
            let cells = unit.cells(self.plan.rules.board());
            self.report.begin(*unit, cells);
            self.make_room(*unit, &open[number..])?;
            let started = Instant::now();
            let job = Job {
                rules: &self.plan.rules,
                unit: *unit,
                threads: self.settings.threads,
                memory: self.settings.memory.saturating_sub(self.held_bytes()),
                wdl_only: self.settings.kind == CellKind::Wdl,
                instructions: self.settings.instructions,
                stock: &self.stock,
            };
            let solved = solve_unit(&job, &self.tables, self);
            self.tell_passed_over();
            let solved = solved?;
            let time = started.elapsed();
            let tables: Vec<Arc<SectorTable>> = solved.into_iter().map(Arc::new).collect();
            for table in &tables {
                self.tables.keep(table.clone());
                self.with_unwritten(|u| u.insert(table.sector, table.cells.len() as u64));
            }
            hand_over(Solved { unit: *unit, tables, time })?;
        }
        Ok(())
    }

    /// Frees tables that no open unit needs any more, and more if memory is short; then reads the
    /// tables that the unit needs, as far as there is room for them.
    fn make_room(&self, unit: Unit, open: &[Unit]) -> Result<(), RunError> {
        let rules = &self.plan.rules;
        let needed_later: BTreeSet<Sector> =
            open.iter().flat_map(|u| u.depends_on(rules)).collect();
        for sector in self.tables.kept() {
            if !needed_later.contains(&sector) {
                self.tables.forget(sector);
            }
        }
        let own = memory_wanted(rules, unit, self.settings.threads);
        let now = unit.depends_on(rules);
        let room = || self.settings.memory.saturating_sub(own + self.held_bytes());
        let short = || self.settings.memory < own + self.held_bytes();
        // What is written can be read again; the tables needed now go last.
        let mut can_go: Vec<Sector> = self.tables.kept();
        can_go.sort_by_key(|s| (!now.contains(s), *s));
        let was_short = short();
        if was_short {
            self.stock.clear();
        }
        while short() {
            if self.with_unwritten(|u| u.is_empty()) {
                match can_go.pop() {
                    Some(sector) => self.tables.forget(sector),
                    None => break,
                }
            } else if self.is_stopped() {
                return Err(SolveError::Stopped.into());
            } else {
                thread::sleep(Duration::from_millis(5));
            }
        }
        if was_short {
            // What the units before have freed lies in many pieces, too small for this one.
            memory::give_back();
        }
        for sector in now {
            if sector.cells(rules.board()) <= room() {
                let (threads, stop) = (self.settings.threads, self.settings.stop);
                self.tables.load_until(sector, threads, stop)?.ok_or(SolveError::Stopped)?;
            }
        }
        Ok(())
    }

    /// Bytes of tables in memory: kept for later units, or not yet written.
    fn held_bytes(&self) -> u64 {
        let board = self.plan.rules.board();
        let mut sectors: BTreeSet<Sector> = self.tables.kept().into_iter().collect();
        self.with_unwritten(|u| sectors.extend(u.keys()));
        sectors.iter().map(|s| s.cells(board)).sum()
    }

    fn with_unwritten<R>(&self, change: impl FnOnce(&mut BTreeMap<Sector, u64>) -> R) -> R {
        change(&mut self.unwritten.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes units as they come. On failure says which one.
    fn write_all(&self, receiver: mpsc::Receiver<Solved>) -> Result<(), (Unit, FileError)> {
        receiver.into_iter().try_for_each(|solved| self.write(solved))
    }

    /// Writes a unit. On failure says which one.
    fn write(&self, solved: Solved) -> Result<(), (Unit, FileError)> {
        let (unit, time) = (solved.unit, solved.time);
        let bytes = self.write_unit(solved).map_err(|error| {
            self.failed.store(true, Ordering::Relaxed);
            (unit, error)
        })?;
        self.report.finish(&UnitDone {
            unit,
            cells: unit.cells(self.plan.rules.board()),
            time,
            bytes: Some(bytes),
            note: String::new(),
        });
        Ok(())
    }

    fn write_unit(&self, solved: Solved) -> Result<u64, FileError> {
        let mut bytes = 0;
        for table in solved.tables {
            let sector = table.sector;
            let new = NewTable {
                rules: &self.plan.rules,
                sector,
                kind: self.settings.kind,
                columns: table.columns,
                cells: &table.cells,
            };
            let path = self.settings.out.join(file_name(&self.plan.rules, sector, new.kind));
            write_table(&path, &new, self.settings.threads)?;
            bytes += std::fs::metadata(&path).map_err(|e| FileError::io(&path, e))?.len();
            drop(table);
            self.with_unwritten(|u| u.remove(&sector));
        }
        Ok(bytes)
    }

    /// Says how much space is missing in all, if that was the reason.
    fn explain(&self, open: &[Unit], unit: Unit, error: FileError) -> RunError {
        let FileError::Full { needed, path } = &error else { return error.into() };
        let board = self.plan.rules.board();
        let name = |s: &Sector| file_name(&self.plan.rules, *s, self.settings.kind);
        let this = unit.sectors().find(|s| path.ends_with(name(s))).unwrap_or(unit.first());
        let left = open.iter().skip_while(|u| **u != unit).flat_map(|u| u.sectors());
        let cells: u128 = left.skip_while(|s| *s != this).map(|s| u128::from(s.cells(board))).sum();
        let rest = cells * u128::from(*needed) / u128::from(this.cells(board).max(1));
        RunError::DiskFull { full: error, rest: rest as u64 }
    }
}

impl Watch for Run<'_> {
    fn step(&self, plies: Option<u32>, decided: u64, total: u64) {
        self.report.step(plies, decided, total);
    }

    fn is_stopped(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.settings.stop.load(Ordering::Relaxed)
    }
}
