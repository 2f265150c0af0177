//! Solving one unit: from the tables of the units that it depends on to its own.
//!
//! A solver knows rules and sectors, and reads solved tables through [`Known`]; it knows nothing
//! of files, folders or terminals.

mod begin;
mod classes;
mod external;
mod flying;
mod frugal;
mod isa;
mod layout;
mod loops;
mod mail;
mod moves;
mod placing;
mod plane;
mod removal;
pub mod stages;
mod step;
mod table;
mod unit;

pub(crate) use classes::Classes as SetClasses;
pub use isa::Instructions;
pub(crate) use isa::{Isa, Work};
pub use mail::Stock;
pub use placing::is_placing;
pub use unit::solve_unit;

use crate::{
    file::FileError,
    memory::{self, Refused},
    sector::{Sector, Unit},
    threads::begin,
};
use classes::choose;
use millrace_engine::{Rules, text::counted};

/// What a cell of a table says, as a byte.
pub mod cell {
    /// Nobody can force the end of the game.
    pub const DRAW: u8 = 0;
    /// No position of these rules.
    pub const NONE: u8 = 255;
    /// The greatest distance, in plies, that a cell can hold.
    pub const MAX_PLIES: u32 = 253;
    /// The side to move loses, in tables without distances.
    pub const LOSS: u8 = 1;
    /// The side to move wins, in tables without distances.
    pub const WIN: u8 = 2;

    /// The cell of a position that is decided in this many plies, if it can hold them: a loss for
    /// the side to move if the number is even, a win if it is odd.
    pub fn decided(plies: u32) -> Option<u8> {
        (plies <= MAX_PLIES).then_some(plies as u8 + 1)
    }

    /// The plies to the end, if the cell is of a table with distances and decided.
    pub fn plies(cell: u8) -> Option<u32> {
        (cell != DRAW && cell != NONE).then(|| u32::from(cell) - 1)
    }
}

/// What is to be solved, and with what.
pub struct Job<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The unit.
    pub unit: Unit,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Bytes of memory that the solver may use.
    pub memory: u64,
    /// Whether cells hold only win, draw or loss.
    pub wdl_only: bool,
    /// The instructions to use; results do not depend on them.
    pub instructions: Instructions,
    /// Memory for messages, which goes from one solve to the next.
    pub stock: &'a Stock,
}

/// The tables of the units solved before.
pub trait Known: Sync {
    /// Appends the cells of rows `first..first + count` of a solved sector to `cells`. They are of
    /// the kind that the job asks for.
    ///
    /// # Errors
    /// If the table is missing or damaged.
    fn rows(
        &self,
        sector: Sector,
        first: usize,
        count: usize,
        cells: &mut Vec<u8>,
    ) -> Result<(), SolveError>;
}

/// Is told how far the solver is, and may stop it.
pub trait Watch: Sync {
    /// `decided` of the unit's `total` cells are settled; if the work goes by plies, those up to
    /// `plies` plies from the end.
    fn step(&self, plies: Option<u32>, decided: u64, total: u64);
    /// Whether the solver should give up soon.
    fn is_stopped(&self) -> bool;
}

/// A solved sector.
///
/// A row is a class of the opponent's stones under the board's symmetries, by ascending
/// representative (the smallest set of the class as a number). A column is a placement of the own
/// stones on the points that the representative leaves free, numbered in ascending order: as a
/// number of so many bits, all numbers with the right count of ones ascending.
pub struct SectorTable {
    /// The sector.
    pub sector: Sector,
    /// Cells of a row.
    pub columns: usize,
    /// All rows, one after the other.
    pub cells: Vec<u8>,
}

/// Why a unit was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A table that the unit depends on cannot be read.
    #[error(transparent)]
    Known(#[from] FileError),
    /// [`Watch::is_stopped`] said so.
    #[error("stopped")]
    Stopped,
    /// A position is further from its end than a cell can say.
    #[error(
        "unit {unit} holds positions more than {max} plies from their end, which its cells cannot \
         hold; solve these rules without distances",
        max = cell::MAX_PLIES
    )]
    DistanceOverflow {
        /// The unit.
        unit: Unit,
    },
    /// The unit does not fit.
    #[error("unit {unit} needs {needed} bytes of memory, and {allowed} are allowed")]
    OutOfMemory {
        /// The unit.
        unit: Unit,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that it may use.
        allowed: u64,
    },
    /// The system gave less memory than is allowed.
    #[error("unit {unit}: {refused}, or allow less by --memory, with which solving is slower")]
    Refused {
        /// The unit.
        unit: Unit,
        /// What it refused.
        refused: Refused,
    },
    /// The system gave fewer threads.
    #[error(
        "unit {unit}: the system does not start {} ({why}); use fewer by --threads, or raise its limits \
         (ulimit -u, ulimit -v)",
        counted(*threads, "thread")
    )]
    Threads {
        /// The unit.
        unit: Unit,
        /// How many were asked for.
        threads: usize,
        /// The operating system's reason.
        why: rayon::ThreadPoolBuildError,
    },
}

impl SolveError {
    fn refused(unit: Unit, refused: Refused) -> Self {
        Self::Refused { unit, refused }
    }
}

/// The threads of a job. Once they run, all the memory that the job may come to use is asked for and let go
/// again: later, in the midst of things, a refusal could but end the program.
fn pool(job: &Job) -> Result<rayon::ThreadPool, SolveError> {
    let Job { unit, threads, .. } = *job;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|thread| {
        begin(|builder, starting| {
            let run = move || {
                drop(starting);
                thread.run();
            };
            builder.spawn(run).map(drop)
        })
    });
    let pool = pool.build().map_err(|why| SolveError::Threads { unit, threads, why })?;
    let most = job.memory.min(memory_wanted(job.rules, unit, threads));
    memory::demand(most).map_err(|refused| SolveError::refused(unit, refused))?;
    Ok(pool)
}

/// Bytes of memory that [`solve_unit`] cannot do without for a unit and so many threads, beside what `Known`
/// holds. With less than [`memory_wanted`] it is slower.
pub fn memory_needed(rules: &Rules, unit: Unit, threads: usize) -> u64 {
    if let Some(bytes) = placing::memory_needed(rules, unit, threads) {
        return bytes;
    }
    let moves: Vec<_> = unit.sectors().map(|s| moves::Movement::new(rules, s)).collect();
    let kinds = moves.iter().map(|m| m.kinds).max().unwrap_or(1) as u64;
    let flies = moves.iter().any(|m| m.flies && m.slides);
    // Of the stones of each side, and of those after a removal and a placement.
    let sets = |stones: u8, hand: u8| -> usize {
        let numbers = stones.saturating_sub(1)..=stones + hand.min(1);
        numbers.map(|n| choose(rules.board().points(), n.into())).sum()
    };
    let both = |s: Sector| sets(s.own, s.own_hand) + sets(s.opponent, s.opponent_hand);
    let classes = unit.sectors().map(both).max().unwrap_or(0) as u64 * CLASS_BYTES;
    // Cells and bit rows, the turns of each kind out of the unit, and frames (measured).
    let cells = unit.cells(rules.board());
    cells * (1 + kinds)
        + if flies { cells } else { 0 }
        + classes
        + FIRST_THREAD
        + (threads as u64).saturating_sub(1) * thread_memory(unit, cells)
}

/// Bytes that each further thread has of its own. Of messages to a table it has an open chunk for each group
/// of rows; small tables have few groups.
fn thread_memory(unit: Unit, cells: u64) -> u64 {
    // Measured with up to 8 threads: 11 MB for nine's 8-3, 2 for 5-5, which is one table, 0.8 for 4-3.
    const TABLE: u64 = 9 << 19;
    const BESIDE: u64 = 2 << 20;
    let tables = unit.sectors().count() as u64;
    (tables * TABLE + BESIDE).min((1 << 20) + cells)
}

/// Bytes of memory with which [`solve_unit`] is as fast as it can be.
pub fn memory_wanted(rules: &Rules, unit: Unit, threads: usize) -> u64 {
    // Messages about whole layers (measured: up to five quarters).
    let layers = if is_placing(rules, unit) { 0 } else { unit.cells(rules.board()) * 3 / 2 };
    memory_needed(rules, unit, threads) + layers
}

/// Bytes that the classes of all sets of a size take up for each set.
const CLASS_BYTES: u64 = 16;
/// Bytes for what the first thread has of its own.
const FIRST_THREAD: u64 = 8 << 20;
