//! The command line: flags to settings to work, errors to exit codes.

pub mod exit;
mod flags;
mod hint;
mod pack;
mod packed;
mod passed;
mod read;
mod settings;
mod tally;

use crate::{
    file::demand_folder,
    folder::{Claim, claim, demand_makeable},
    plan::{Limits, Phase, Plan, Selection, estimate, megabytes, print, sectors},
    report::Report,
    run::{RunError, RunSettings, run},
    sector::Unit,
    solve::{Instructions, SolveError},
};
use anyhow::{Context, Result};
use clap::Parser;
use exit::{DoesNotFit, Stopped, Usage};
use flags::{Command, Flags, PlanFlags, SolveFlags};
use millrace_engine::hangup;
use settings::{Machine, Part};
use std::{
    ffi::OsString,
    fmt::Display,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};
use tally::{Tally, told};

/// Set by Ctrl-C where the work comes to safe points, at which it looks here.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether it does.
static HAS_SAFE_POINTS: AtomicBool = AtomicBool::new(false);

/// Runs the program with these arguments, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // First of all, so that there is no moment in which a stop has another exit code.
    let listening = listen_for_stop();
    let flags = match Flags::try_parse_from(arguments) {
        Ok(flags) => flags,
        Err(error) => {
            // The text goes where it can; there is nobody else to tell.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
        }
    };
    match listening.and_then(|()| work(&flags.command)) {
        Ok(()) => ExitCode::from(exit::DONE),
        Err(error) => {
            let code = exit::code(&error);
            complain(format_args!("{error:#}"));
            if let Some(hint) = hint::hint(&error) {
                complain(hint);
            }
            ExitCode::from(code)
        }
    }
}

fn work(command: &Command) -> Result<()> {
    HAS_SAFE_POINTS.store(command.has_safe_points(), Ordering::Relaxed);
    match command {
        Command::Solve(flags) => solve(flags),
        Command::Plan(flags) => plan(flags),
        Command::Verify(flags) => read::verify(flags),
        Command::Stats(flags) => read::stats(flags),
        Command::Probe(flags) => read::probe_position(flags),
        Command::Digest(flags) => read::digest(flags),
        Command::Pack(flags) => pack::pack(flags),
        Command::Unpack(flags) => packed::unpack(flags),
        Command::Check(flags) => packed::check(flags),
        Command::Bundle(flags) => packed::bundle(flags),
    }
}

/// Tells people what is wrong, each complaint in a line of its own; what belongs to the line before is
/// indented.
fn complain(what: impl Display) {
    for line in what.to_string().lines() {
        let name = if line.starts_with(' ') { "" } else { "tablebase-gen: " };
        // If nobody reads it, there is nothing left to do about it.
        let _ = writeln!(io::stderr(), "{name}{line}");
    }
}

/// Lets Ctrl-C stop the work at its next safe point, and a second one at once. Where there are no safe
/// points the first one does.
fn listen_for_stop() -> Result<()> {
    let stop = || {
        if !HAS_SAFE_POINTS.load(Ordering::Relaxed) || STOP.swap(true, Ordering::Relaxed) {
            // Files appear whole or not at all, so this is safe too.
            std::process::exit(exit::STOPPED.into());
        }
    };
    hangup::stays_ignored(|| ctrlc::set_handler(stop)).context("Ctrl-C cannot be listened for")
}

/// Writes text to stdout. A reader that has seen enough is no error.
fn put(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.context(STDOUT),
    }
}

/// What to call it where it cannot be written to.
const STDOUT: &str = "stdout";

/// Ends a report on work that ends with an error, which outweighs that of the report.
fn end_early(report: &Report, word: &str) {
    if let Err(error) = report.end(word) {
        complain(format_args!("{STDOUT}: {error}"));
    }
}

/// Ends a report on work of which the tally tells what came.
fn finish(report: &Report, tally: Tally) -> Result<()> {
    if tally.has_wrong() {
        end_early(report, "failed");
        return Ok(tally.end()?);
    }
    report.end("done").context(STDOUT)
}

fn solve(flags: &SolveFlags) -> Result<()> {
    let rules = settings::rules(&flags.rules)?;
    let machine = Machine::new(&flags.machine)?;
    let part = Part::new(&rules, &flags.game)?;
    let kind = settings::kind(&flags.game);
    flags.deps.iter().try_for_each(|folder| demand_folder(folder))?;
    let (plan, claimed) = match &flags.unit {
        None => (Plan::new(&rules, part.phase, &part.selection)?, Claim::Folder),
        Some(name) => {
            let unit = Unit::of(settings::sector(name)?, &rules);
            let known = [part.phase, Phase::All]
                .iter()
                .any(|phase| sectors(&rules, *phase).contains(&unit.first()));
            if !known {
                let wanted = Selection::Sectors(vec![unit.first()]);
                Plan::new(&rules, part.phase, &wanted)?;
            }
            (Plan { rules, units: vec![unit] }, Claim::Unit(unit))
        }
    };
    let _lock = claim(&flags.out, &rules, kind, claimed)?;
    let costs = estimate(&plan, kind, machine.threads);
    let report = Report::new(flags.progress, "solved", costs.cells());
    let settings = RunSettings {
        out: flags.out.clone(),
        deps: flags.deps.clone(),
        kind,
        threads: machine.threads,
        memory: machine.memory,
        disk: if flags.force { u64::MAX } else { free_disk(&flags.out)? },
        instructions: if flags.portable { Instructions::Portable } else { Instructions::detect() },
        check: flags.check,
        stop: &STOP,
    };
    match run(&plan, &settings, &report) {
        Ok(()) => report.end("done").context(STDOUT),
        Err(RunError::Solve(SolveError::Stopped)) => {
            end_early(&report, "stopped");
            Err(Stopped.into())
        }
        Err(RunError::Solve(SolveError::OutOfMemory { unit, needed, allowed })) => {
            end_early(&report, "failed");
            let limits = Limits { memory: machine.memory, disk: u64::MAX };
            let said = costs.objections(&plan, &limits, kind);
            let plain = format!(
                "unit {unit} needs {} of memory and {} are left",
                megabytes(needed),
                megabytes(allowed)
            );
            let text = if said.is_empty() { plain } else { said.join("\n") };
            Err(DoesNotFit(text).into())
        }
        Err(RunError::Wrong(faults)) => {
            end_early(&report, "failed");
            Err(told(faults))
        }
        Err(error) => {
            end_early(&report, "failed");
            Err(error.into())
        }
    }
}

fn plan(flags: &PlanFlags) -> Result<()> {
    let rules = settings::rules(&flags.rules)?;
    let machine = Machine::new(&flags.machine)?;
    let part = Part::new(&rules, &flags.game)?;
    let kind = settings::kind(&flags.game);
    let out = flags
        .out
        .to_str()
        .filter(|o| o.chars().all(|c| c.is_ascii_alphanumeric() || "._-/:\\".contains(c)))
        .ok_or_else(|| {
            Usage("--out has characters that make and Snakemake do not take".to_string())
        })?;
    demand_makeable(&flags.out)?;
    let plan = Plan::new(&rules, part.phase, &part.selection)?;
    let mut costs = estimate(&plan, kind, machine.threads);
    let limits = Limits { memory: machine.memory, disk: free_disk(&flags.out)? };
    let timed =
        matches!(flags.format, crate::plan::PlanFormat::Text | crate::plan::PlanFormat::Json);
    if timed && !flags.no_probe {
        costs.probe(&plan, kind, machine.threads, machine.memory)?;
    }
    put(&print(&plan, &costs, kind, out.trim_end_matches('/'), flags.format))?;
    let objections = costs.objections(&plan, &limits, kind);
    if objections.is_empty() {
        return Ok(());
    }
    Err(DoesNotFit(objections.join("\n")).into())
}

/// Bytes free where a folder is or would be made.
fn free_disk(folder: &Path) -> Result<u64> {
    let mut place = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from("."));
    while !place.exists() {
        if !place.pop() {
            break;
        }
    }
    fs4::available_space(&place).with_context(|| place.display().to_string())
}
