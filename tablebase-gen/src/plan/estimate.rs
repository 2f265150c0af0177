//! What a plan costs: memory and disk by size, time by solving a little of it here and now.

use super::{Plan, processor::processor_time};
use crate::{
    file::CellKind,
    sector::{SectorExt, Unit},
    solve::{
        Instructions, Job, SolveError, Stock, Watch, is_placing, memory_needed, memory_wanted,
        solve_unit,
    },
    tables::Tables,
};
use millrace_engine::Board;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// What may be used.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes free on disk.
    pub disk: u64,
}

/// The cost of one unit.
#[derive(Clone, Copy, Debug)]
pub struct UnitCost {
    /// The unit.
    pub unit: Unit,
    /// Cells of its tables.
    pub cells: u64,
    /// About how many cells of a unit that is solved by layers take as much time.
    pub work: u64,
    /// Positions up to symmetry.
    pub classes: u64,
    /// Positions, each placement counted.
    pub placements: u64,
    /// Bytes of memory that it cannot do without.
    pub memory: u64,
    /// Bytes of memory with which it is as fast as it can be.
    pub memory_wanted: u64,
    /// About the bytes of its files, rather too many than too few.
    pub disk: u64,
}

/// The cost of a plan.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Unit by unit, in the plan's order.
    pub units: Vec<UnitCost>,
    /// Cells of units solved by layers a second, if they were measured.
    pub rate: Option<f64>,
}

/// How many times faster sectors are solved that no game comes back to; measured with nine's.
const PLACING_FASTER: u64 = 2;

/// About the bytes on disk of a unit's files, rather too many than too few.
fn disk(board: Board, unit: Unit, kind: CellKind) -> u64 {
    // Of nine's moving phase a thousand cells take 350 with distances, of its placing phase 376, and
    // smaller parts of the moving phase 50 to 70 without; the rest is margin.
    let each = match kind {
        CellKind::Distance => 450,
        CellKind::Wdl => 90,
    };
    unit.cells(board) / 1000 * each + 4096
}

/// The costs of a plan with so many threads; without a rate.
pub fn estimate(plan: &Plan, kind: CellKind, threads: usize) -> Estimate {
    let board = plan.rules.board();
    let cost = |unit: &Unit| {
        let cells = unit.cells(board);
        let faster = if is_placing(&plan.rules, *unit) { PLACING_FASTER } else { 1 };
        UnitCost {
            unit: *unit,
            cells,
            work: cells.div_ceil(faster),
            classes: unit.sectors().map(|s| s.classes(board)).sum(),
            placements: unit.sectors().map(|s| s.placements(board)).sum(),
            memory: memory_needed(&plan.rules, *unit, threads),
            memory_wanted: memory_wanted(&plan.rules, *unit, threads),
            disk: disk(board, *unit, kind),
        }
    };
    Estimate { units: plan.units.iter().map(cost).collect(), rate: None }
}

impl Estimate {
    /// Cells of all units.
    pub fn cells(&self) -> u64 {
        self.units.iter().map(|u| u.cells).sum()
    }

    /// The work of all units.
    pub fn work(&self) -> u64 {
        self.units.iter().map(|u| u.work).sum()
    }

    /// Bytes of all files.
    pub fn disk(&self) -> u64 {
        self.units.iter().map(|u| u.disk).sum()
    }

    /// Bytes of memory of the largest unit.
    pub fn memory(&self) -> u64 {
        self.units.iter().map(|u| u.memory).max().unwrap_or(0)
    }

    /// Bytes of memory with which the largest unit is as fast as it can be.
    pub fn memory_wanted(&self) -> u64 {
        self.units.iter().map(|u| u.memory_wanted).max().unwrap_or(0)
    }

    /// Seconds for so much work, if the rate is known.
    pub fn seconds(&self, work: u64) -> Option<f64> {
        self.rate.map(|rate| work as f64 / rate)
    }

    /// Why the plan, of which this is the estimate, does not fit, and what would; empty if it fits.
    pub fn objections(&self, plan: &Plan, limits: &Limits, kind: CellKind) -> Vec<String> {
        let mut found = Vec::new();
        let smaller = |fits: &dyn Fn(&[UnitCost]) -> bool| {
            let stones = |u: &UnitCost| u.unit.first().stones();
            let within = |most: u8| -> Vec<UnitCost> {
                self.units.iter().copied().filter(|u| stones(u) <= most).collect()
            };
            let most = self.units.iter().map(stones).filter(|m| fits(&within(*m))).max();
            most.map_or(String::new(), |m| format!(", or solve less: --max-stones {m} fits"))
        };
        if let Some(largest) = self.units.iter().find(|u| u.memory > limits.memory) {
            let needed = self.memory();
            found.push(format!(
                "unit {} needs {} of memory and {} may be used; use --memory {}{}",
                largest.unit,
                megabytes(largest.memory),
                megabytes(limits.memory),
                needed.div_ceil(1_000_000),
                smaller(&|units| units.iter().all(|u| u.memory <= limits.memory)),
            ));
        }
        if self.disk() > limits.disk {
            let wdl = match kind {
                CellKind::Distance => {
                    let board = plan.rules.board();
                    let needed = |u: &UnitCost| disk(board, u.unit, CellKind::Wdl);
                    let needed = self.units.iter().map(needed).sum();
                    format!("; --wdl-only needs about {}", megabytes(needed))
                }
                CellKind::Wdl => String::new(),
            };
            found.push(format!(
                "about {} of disk are needed and {} are free{wdl}{}",
                megabytes(self.disk()),
                megabytes(limits.disk),
                smaller(&|units| units.iter().map(|u| u.disk).sum::<u64>() <= limits.disk),
            ));
        }
        found
    }

    /// Measures the rate: solves the plan's first units in memory for about a second, and takes into
    /// account that larger ones are slower.
    ///
    /// # Errors
    /// If the solver fails.
    pub fn probe(
        &mut self,
        plan: &Plan,
        kind: CellKind,
        threads: usize,
        memory: u64,
    ) -> Result<(), SolveError> {
        const ENOUGH: Duration = Duration::from_millis(800);
        /// Long before the first units of any game are through, even on a slow machine.
        const PATIENCE: Duration = Duration::from_secs(10);
        /// With more stones more positions are decided, each of which is some work: how many times
        /// slower nine's moving phase is as a whole than its first units.
        const SLOWER: f64 = 2.5;
        /// Threads that have the machine for themselves wait for each other so much: times their share
        /// of the processor time. More than that is other work, and none of the estimate's.
        const WAITING: f64 = 1.25;
        let tables = Tables::new(plan.rules, kind, Vec::new());
        let stock = Stock::default();
        let started = Instant::now();
        let used_before = processor_time();
        let watch = Patience(started + PATIENCE);
        let mut work = 0;
        for cost in &self.units {
            let job = Job {
                rules: &plan.rules,
                unit: cost.unit,
                threads,
                memory,
                wdl_only: kind == CellKind::Wdl,
                instructions: Instructions::detect(),
                stock: &stock,
            };
            match solve_unit(&job, &tables, &watch) {
                Ok(solved) => {
                    work += cost.work;
                    let used = processor_time().zip(used_before).map(|(now, then)| now - then);
                    let alone = used.map(|used| used.mul_f64(WAITING) / threads as u32);
                    let taken = started.elapsed();
                    let seconds = alone.map_or(taken, |a| a.min(taken)).as_secs_f64().max(1e-6);
                    self.rate = Some(work as f64 / seconds / SLOWER);
                    solved.into_iter().for_each(|table| tables.keep(Arc::new(table)));
                }
                Err(SolveError::Stopped | SolveError::OutOfMemory { .. }) => break,
                Err(error) => return Err(error),
            }
            if started.elapsed() > ENOUGH {
                break;
            }
        }
        Ok(())
    }
}

/// Stops a probe that takes too long.
struct Patience(Instant);

impl Watch for Patience {
    fn step(&self, _plies: Option<u32>, _decided: u64, _total: u64) {}

    fn is_stopped(&self) -> bool {
        Instant::now() > self.0
    }
}

/// A number of bytes for people, in the unit of `--memory`.
pub fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
