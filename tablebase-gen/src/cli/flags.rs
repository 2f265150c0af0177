//! The command line as it is typed; `settings` makes sense of it.

use super::exit;
use crate::{plan::PlanFormat, report::ProgressMode};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Solves mill games backwards: for every position win, draw or loss, and the plies to the end.
#[derive(Parser)]
#[command(name = "tablebase-gen", version, after_help = exit::HELP, max_term_width = 100)]
pub struct Flags {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Solve sectors and write their tables.
    #[command(after_long_help = "\
A sector is named by its stones, those of the side to move first: 6-5, or 6-5+1-0 with a stone in \
hand. It is solved together with its twin 5-6, as one unit. Units are solved in order, fewest \
stones first. Stop with Ctrl-C, or even kill the program, at any time: the same command goes on \
with the first unit that is not finished, and the files come out the same.

Examples:
  Six men's morris, the whole game:
    tablebase-gen solve --rules six --out six/
  Nine men's morris up to 12 stones together, with 2 threads and 4 GB:
    tablebase-gen solve --rules nine --out nine/ --max-stones 12 --threads 2 --memory 4000
  A game of your own, two sectors and what they need:
    tablebase-gen solve --rules nine+fly=0+removals=per-mill --out own/ --sectors 5-4,5-5
  One unit, for a workflow engine (see plan --format make):
    tablebase-gen solve --rules nine --unit 6-5 --deps nine/ --out nine/")]
    Solve(SolveFlags),
    /// Show what solving would take: units, positions, memory, disk and time.
    #[command(after_long_help = "\
Time is measured by solving the first units for about a second. A plan that does not fit into \
memory or onto the disk ends with exit code 5 and says what would fit.

Examples:
  tablebase-gen plan --rules nine
  tablebase-gen plan --rules lasker --wdl-only --memory 16000
  tablebase-gen plan --rules nine --format make > nine.mk && make -f nine.mk")]
    Plan(PlanFlags),
    /// Check stored values against those of the positions after each turn.
    #[command(after_long_help = "\
Nothing of the solver is used: turns are generated forwards, and every value and distance must \
follow from those that its turns lead to. Tables without distances can only be found to \
contradict themselves, not proven right. The first wrong positions are shown, and each damaged file is named; \
exit code 4.

Examples:
  tablebase-gen verify --tables six/ --rules six
  tablebase-gen verify --tables nine/ --rules nine --sectors 4-3 --full
  tablebase-gen verify --tables nine/ --rules nine --sample 100000")]
    Verify(VerifyFlags),
    /// Count wins, draws and losses, and find the longest ones.
    #[command(after_long_help = "\
Positions are counted up to the board's symmetries, and again with every placement of the stones. \
With --json an array with an object for each sector is written.

Examples:
  tablebase-gen stats --tables nine/ --rules nine --sectors 3-3,4-3
  tablebase-gen stats --tables six/ --rules six --json")]
    Stats(StatsFlags),
    /// Look up one position: its value, and that of each of its turns.
    #[command(after_long_help = "\
Values are for the side to move: W 25 is a win in 25 plies, D a draw, L 0 a game just lost. The \
best turn comes first.

Example:
  tablebase-gen probe --tables nine/ --rules nine --fen '1W1/W2/3/B4B/3/3/W1B w 0 0'")]
    Probe(ProbeFlags),
    /// Make the published files out of the solver's: far smaller, read at random by the engine.
    #[command(after_long_help = "\
Files of wins, draws and losses end in .mrw, those of distances in .mrd. Sectors whose files are \
there already are passed over. Ctrl-C leaves whole files only. Archives (.mra) take half to two \
thirds of the bytes, hold no distances, and cannot be looked up: `unpack` makes published files of them.

Examples:
  tablebase-gen pack --tables six/ --to packed/
  tablebase-gen pack --tables nine/ --rules nine --to packed/ --wdl-only
  tablebase-gen pack --tables nine/ --rules nine --to small/ --archive")]
    Pack(PackFlags),
    /// Make published files out of archives, or the solver's files out of published ones.
    #[command(after_long_help = "\
Archives become the published files that `pack` would have made, and sectors whose files are there \
already are passed over. Of published files every position is looked up, those that are not stored \
by way of their turns; all sectors that removals lead to must be in the folder. Damaged files are named and \
passed over (exit code 4).

Examples:
  tablebase-gen unpack --tables archive/ --to packed/
  tablebase-gen unpack --tables packed/ --rules six --to six/")]
    Unpack(UnpackFlags),
    /// Check published files and archives whole: every checksum, count and digest.
    #[command(after_long_help = "\
A line for each file of wins, draws and losses: its sector and the digest of its cells. Each damaged file is \
named (exit code 4), as is any other file with the extension of a table that is none; what else is passed over is \
told. Sectors that others in the folder need and that are missing are named too (exit code 3). With --against every position, stored or not, is compared with the solver's files, unless some are damaged.

Examples:
  tablebase-gen check --tables packed/
  tablebase-gen check --tables packed/ --rules six --against six/")]
    Check(CheckFlags),
    /// Put published files of several folders into one file, as the engine's own tables are.
    #[command(after_long_help = "\
Example, from the top of the repository:
  tablebase-gen bundle six/ three/ nine/ --to engine/src/table/data/small.mrb")]
    Bundle(BundleFlags),
    /// Print a hash of each sector's values, the same on every machine.
    #[command(after_long_help = "\
All cells are read, compared with what the files say of themselves, and hashed (XXH3-128). The \
hashes depend on nothing but the values.

Example:
  tablebase-gen digest --tables nine/ --rules nine")]
    Digest(DigestFlags),
}

impl Command {
    /// Whether the work comes to points at which it can be stopped with more said, or less left behind,
    /// than by its end at any moment.
    pub fn has_safe_points(&self) -> bool {
        match self {
            Self::Solve(_) | Self::Pack(_) | Self::Unpack(_) | Self::Bundle(_) => true,
            Self::Verify(_) | Self::Check(_) => true,
            Self::Plan(_) | Self::Stats(_) | Self::Probe(_) | Self::Digest(_) => false,
        }
    }
}

/// The part of the game that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PhaseFlag {
    /// Positions without stones in hand.
    Moving,
    /// The whole game, with its placing phase.
    All,
}

/// Rules and part of the game.
#[derive(Args)]
pub struct GameFlags {
    /// Whether the placing phase is meant too [default: when solving, all, on boards of 24 points
    /// moving; when reading, whatever is in the folder].
    #[arg(long, value_enum)]
    pub phase: Option<PhaseFlag>,
    /// Only sectors with at most N stones of both sides together, hands included.
    #[arg(long, value_name = "N", conflicts_with = "sectors")]
    pub max_stones: Option<u8>,
    /// Only these sectors, separated by commas; when solving, also what they depend on.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub sectors: Vec<String>,
    /// Keep only win, draw and loss: a quarter of the space, no distances.
    #[arg(long)]
    pub wdl_only: bool,
}

/// What may be used of the machine.
#[derive(Args)]
pub struct MachineFlags {
    /// Threads [default: as many as there are processors].
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// Memory to use, in millions of bytes [default: three quarters of what is free].
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
}

/// Flags of `solve`.
#[derive(Args)]
pub struct SolveFlags {
    /// The game: a preset, or options joined by +, such as nine+fly=0.
    #[arg(long)]
    pub rules: String,
    /// Folder for the tables; made if need be.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    /// Part of the game.
    pub game: GameFlags,
    /// Solve exactly this unit, named by one of its sectors; all that it needs must be there.
    #[arg(long, value_name = "SECTOR", conflicts_with_all = ["max_stones", "sectors"])]
    pub unit: Option<String>,
    /// Another folder with tables that a unit needs; may be given several times.
    #[arg(long, value_name = "DIR", requires = "unit")]
    pub deps: Vec<PathBuf>,
    #[command(flatten)]
    /// The machine.
    pub machine: MachineFlags,
    /// Begin even if the disk is not expected to have the space; what is finished is kept.
    #[arg(long)]
    pub force: bool,
    /// Read finished files in full before believing them; without this, head, index and size.
    #[arg(long)]
    pub check: bool,
    /// Use no vector instructions beyond those of every processor; the results are the same.
    #[arg(long)]
    pub portable: bool,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto)]
    pub progress: ProgressMode,
}

/// Flags of `plan`.
#[derive(Args)]
pub struct PlanFlags {
    /// The game: a preset, or options joined by +, such as nine+fly=0.
    #[arg(long)]
    pub rules: String,
    /// Folder for the tables; its disk must have the space.
    #[arg(long, value_name = "DIR", default_value = "tables")]
    pub out: PathBuf,
    #[command(flatten)]
    /// Part of the game.
    pub game: GameFlags,
    #[command(flatten)]
    /// The machine.
    pub machine: MachineFlags,
    /// Form of the plan.
    #[arg(long, value_enum, default_value_t = PlanFormat::Text)]
    pub format: PlanFormat,
    /// Do not measure the speed of this machine.
    #[arg(long)]
    pub no_probe: bool,
}

/// What is meant of a folder that is read.
#[derive(Args)]
pub struct MeantFlags {
    /// The game; can be left out if the folder holds tables of one game.
    #[arg(long)]
    pub rules: Option<String>,
    #[command(flatten)]
    /// Part of the game.
    pub game: GameFlags,
    #[command(flatten)]
    /// The machine.
    pub machine: MachineFlags,
}

/// Which tables are read.
#[derive(Args)]
pub struct TablesFlags {
    /// Folder with the tables.
    #[arg(long, value_name = "DIR", visible_alias = "out")]
    pub tables: PathBuf,
    #[command(flatten)]
    /// What of it is meant.
    pub meant: MeantFlags,
}

/// Flags of `verify`.
#[derive(Args)]
pub struct VerifyFlags {
    #[command(flatten)]
    /// The tables.
    pub tables: TablesFlags,
    /// Verify every cell (the default).
    #[arg(long, conflicts_with = "sample")]
    pub full: bool,
    /// Verify N cells drawn by lot.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Start of the lot; the same seed draws the same cells.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub seed: u64,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto)]
    pub progress: ProgressMode,
}

/// Flags of `stats`.
#[derive(Args)]
pub struct StatsFlags {
    #[command(flatten)]
    /// The tables.
    pub tables: TablesFlags,
    /// Write JSON.
    #[arg(long)]
    pub json: bool,
}

/// Flags of `probe`.
#[derive(Args)]
pub struct ProbeFlags {
    #[command(flatten)]
    /// The tables.
    pub tables: TablesFlags,
    /// The position.
    #[arg(long)]
    pub fen: String,
    /// Write JSON.
    #[arg(long)]
    pub json: bool,
}

/// Flags of `digest`.
#[derive(Args)]
pub struct DigestFlags {
    #[command(flatten)]
    /// The tables.
    pub tables: TablesFlags,
}

/// Flags of `pack`.
#[derive(Args)]
pub struct PackFlags {
    #[command(flatten)]
    /// The solver's tables.
    pub tables: TablesFlags,
    /// Folder for the published files; made if need be.
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
    /// Make archives of wins, draws and losses: the smallest files, to be unpacked before use.
    #[arg(long)]
    pub archive: bool,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto)]
    pub progress: ProgressMode,
}

/// Which published files are read.
#[derive(Args)]
pub struct PackedFlags {
    /// Folder with the published files.
    #[arg(long, value_name = "DIR")]
    pub tables: PathBuf,
    #[command(flatten)]
    /// What of it is meant.
    pub meant: MeantFlags,
}

/// Flags of `unpack`.
#[derive(Args)]
pub struct UnpackFlags {
    #[command(flatten)]
    /// The published files.
    pub packed: PackedFlags,
    /// Folder for the files; made if need be.
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
}

/// Flags of `check`.
#[derive(Args)]
pub struct CheckFlags {
    #[command(flatten)]
    /// The published files.
    pub packed: PackedFlags,
    /// Folder with the solver's files to compare with.
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
}

/// Flags of `bundle`.
#[derive(Args)]
pub struct BundleFlags {
    /// Folders with published files.
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The file to be written.
    #[arg(long, value_name = "FILE")]
    pub to: PathBuf,
}
