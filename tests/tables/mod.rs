//! What the tests of the table generator share.
#![allow(dead_code, reason = "each test program uses its own part of this")]

pub mod slow;

use millrace_engine::Rules;
use millrace_tablebase_gen::{
    file::CellKind,
    plan::{Phase, Plan, Selection},
    sector::Sector,
    solve::{Instructions, Job, Stock, Watch, memory_needed, memory_wanted, solve_unit},
    tables::Tables,
};
use std::{
    ffi::OsStr,
    path::Path,
    process::{Command, Output, Stdio},
    sync::Arc,
};

/// Reads a rules text that is right.
pub fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A file of truths.
pub fn truth(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/truth").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Lets the solver work.
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&self, _plies: Option<u32>, _decided: u64, _total: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

/// All sets of instructions that this processor has, the best one last.
pub fn instructions() -> Vec<Instructions> {
    let best = Instructions::detect();
    let mut all = vec![Instructions::Portable];
    #[cfg(target_arch = "x86_64")]
    if best == Instructions::Avx512 {
        all.push(Instructions::Avx2);
    }
    if best != Instructions::Portable {
        all.push(best);
    }
    all
}

/// How a unit is solved; results must not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The instructions.
    pub instructions: Instructions,
    /// Whether there is no more memory than it takes.
    pub frugal: bool,
}

impl Way {
    /// The fastest.
    pub fn best() -> Self {
        Self { instructions: Instructions::detect(), frugal: false }
    }

    /// All instructions that this machine has, and little memory.
    pub fn all() -> Vec<Self> {
        let with = |instructions| Self { instructions, frugal: false };
        let frugal = Self { frugal: true, ..Self::best() };
        instructions().into_iter().map(with).chain([frugal]).collect()
    }
}

/// The tables of some sectors and all that they depend on, solved in memory by the generator.
pub fn solved(
    rules: &Rules,
    phase: Phase,
    selection: &Selection,
    kind: CellKind,
    way: Way,
) -> (Tables, Vec<Sector>) {
    let plan = Plan::new(rules, phase, selection).expect("the selection is right");
    let tables = Tables::new(*rules, kind, Vec::new());
    let stock = Stock::default();
    for unit in &plan.units {
        let job = Job {
            rules,
            unit: *unit,
            threads: 2,
            memory: if way.frugal {
                memory_needed(rules, *unit, 2)
            } else {
                memory_wanted(rules, *unit, 2)
            },
            wdl_only: kind == CellKind::Wdl,
            instructions: way.instructions,
            stock: &stock,
        };
        let solved = solve_unit(&job, &tables, &Unwatched).expect("the unit can be solved");
        solved.into_iter().for_each(|table| tables.keep(Arc::new(table)));
    }
    (tables, plan.sectors().collect())
}

/// The generator's program.
pub fn generator() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablebase-gen"));
    command.stdin(Stdio::null());
    command
}

/// Runs the generator.
pub fn generate<S: AsRef<OsStr>>(arguments: &[S]) -> Output {
    generator().args(arguments).output().expect("the program can be started")
}

/// Runs the generator and demands an exit code; returns what it wrote to stdout and stderr.
pub fn expect<S: AsRef<OsStr> + std::fmt::Debug>(code: i32, arguments: &[S]) -> (String, String) {
    let output = generate(arguments);
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\nstdout: {out}\nstderr: {err}");
    (out.into_owned(), err.into_owned())
}

/// The path of a folder as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}
