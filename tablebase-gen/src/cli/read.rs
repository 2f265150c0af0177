//! The commands that read tables.

use super::{
    STOP, complain, end_early,
    exit::{DoesNotFit, Stopped, Wrong},
    finish,
    flags::{DigestFlags, ProbeFlags, StatsFlags, VerifyFlags},
    put,
    settings::Source,
    tally::{Tally, told},
};
use crate::{
    check::{Findings, Picks, verify_sample, verify_unit},
    file::FileError,
    plan::megabytes,
    probe::probe,
    report::{Report, UnitDone},
    sector::{Sector, SectorExt, Unit},
    stats::sector_stats,
};
use anyhow::{Context, Result};
use millrace_engine::text::{fen, parse_position};
use std::{collections::BTreeSet, sync::atomic::Ordering, time::Instant};

pub(super) fn verify(flags: &VerifyFlags) -> Result<()> {
    let source = Source::new(&flags.tables)?;
    let rules = *source.tables.rules();
    let sectors = source.some_sectors(&flags.tables.tables)?;
    let units: BTreeSet<Unit> = sectors.iter().map(|s| Unit::of(*s, &rules)).collect();
    let mut units: Vec<Unit> = units.into_iter().collect();
    // Few stones first, so that a table that several units need is read once.
    units.sort_by_key(|u| (u.first().stones(), *u));

    let board = rules.board();
    let picks = flags.sample.map(|n| picks(&source, &units, n, flags.seed)).transpose()?;
    let report =
        Report::new(flags.progress, "verified", units.iter().map(|u| u.cells(board)).sum());
    let (findings, mut tally) = (Findings::default(), Tally::of("unit", "verified"));
    for (number, unit) in units.iter().enumerate() {
        let cells = unit.cells(board);
        report.begin(*unit, cells);
        make_room(&source, *unit, &units[number..], picks.is_none())?;
        let started = Instant::now();
        let (threads, tables) = (source.machine.threads, &source.tables);
        let mut faults = faults_of(&source, *unit, picks.as_ref()).into_iter();
        let first = faults.next();
        faults.for_each(|fault| tally.name(&fault.into()));
        let verified = match (first, &picks) {
            (Some(fault), _) => Err(fault),
            _ if STOP.load(Ordering::Relaxed) => Ok(String::new()),
            (None, Some(picks)) => {
                let done = verify_sample(tables, *unit, picks, threads, &findings, &STOP);
                done.map(|done| format!(", {done} of them looked at"))
            }
            (None, None) => verify_unit(tables, *unit, threads, &findings, &|done| {
                report.step(None, done, cells);
                !STOP.load(Ordering::Relaxed)
            })
            .map(|()| String::new()),
        };
        if STOP.load(Ordering::Relaxed) {
            end_early(&report, "stopped");
            return Err(Stopped.into());
        }
        let Some(note) = tally.take(verified.map_err(Into::into))? else {
            report.fail(*unit, cells);
            continue;
        };
        let time = started.elapsed();
        report.finish(&UnitDone { unit: *unit, cells, time, bytes: None, note });
    }
    let (wrong, first) = findings.into_parts();
    if wrong == 0 {
        return finish(&report, tally);
    }
    end_early(&report, if tally.has_wrong() { "failed" } else { "done" });
    if let Err(some) = tally.end() {
        complain(some);
    }
    for mismatch in first {
        put(&format!("{}\n", mismatch.in_words(source.tables.kind())))?;
    }
    Err(Wrong(wrong).into())
}

/// What is wrong with the tables that verifying a unit takes, what is damaged first. Those that it takes
/// whole are kept.
fn faults_of(source: &Source, unit: Unit, picks: Option<&Picks>) -> Vec<FileError> {
    let tables = &source.tables;
    let needed = match picks {
        Some(picks) if !picks.has(unit) => Vec::new(),
        _ => unit.depends_on(tables.rules()).into_iter().collect(),
    };
    let fault = |sector| match picks {
        Some(_) => tables.file(sector).err(),
        None => tables.load_until(sector, source.machine.threads, &STOP).err(),
    };
    let mut faults: Vec<FileError> = unit.sectors().chain(needed).filter_map(fault).collect();
    faults.sort_by_key(|fault| !matches!(fault, FileError::Damaged { .. }));
    faults
}

/// Draws a sample, if there is memory for one so large.
fn picks(source: &Source, units: &[Unit], number: u64, seed: u64) -> Result<Picks> {
    let (needed, allowed) = (Picks::bytes(number), source.machine.memory);
    if needed > allowed {
        let text = format!(
            "a sample of {number} needs {} of memory and {} may be used",
            megabytes(needed),
            megabytes(allowed)
        );
        return Err(DoesNotFit(text).into());
    }
    Ok(Picks::draw(&source.tables, units, number, seed, &STOP))
}

/// Forgets the tables that no unit to come needs, and refuses what does not fit.
fn make_room(source: &Source, unit: Unit, open: &[Unit], whole: bool) -> Result<()> {
    let rules = source.tables.rules();
    let needs = |u: &Unit| -> Vec<Sector> { u.sectors().chain(u.depends_on(rules)).collect() };
    let bytes = |sectors: &BTreeSet<Sector>| -> u64 {
        sectors.iter().map(|s| s.cells(rules.board())).sum()
    };
    let now: BTreeSet<Sector> = needs(&unit).into_iter().collect();
    let (needed, allowed) = (bytes(&now), source.machine.memory);
    if whole && needed > allowed {
        let text = format!(
            "verifying unit {unit} needs {} of memory and {} may be used; use --memory {} or \
             --sample",
            megabytes(needed),
            megabytes(allowed),
            needed.div_ceil(1_000_000)
        );
        return Err(DoesNotFit(text).into());
    }
    let later: BTreeSet<Sector> = open.iter().flat_map(needs).collect();
    let mut held: BTreeSet<Sector> = source.tables.kept().into_iter().collect();
    for sector in held.clone() {
        let with_now: BTreeSet<Sector> = held.union(&now).copied().collect();
        let useless = !later.contains(&sector);
        if !now.contains(&sector) && (useless || bytes(&with_now) > allowed) {
            source.tables.forget(sector);
            held.remove(&sector);
        }
    }
    Ok(())
}

pub(super) fn stats(flags: &StatsFlags) -> Result<()> {
    let source = Source::new(&flags.tables)?;
    let (mut separator, mut tally) = ("[\n", Tally::default());
    for sector in source.some_sectors(&flags.tables.tables)? {
        let counted = || Ok(sector_stats(&*source.tables.file(*sector)?, source.machine.threads)?);
        let Some(stats) = tally.take(counted())? else { continue };
        if flags.json {
            put(&format!("{separator}{}", stats.to_json()))?;
            separator = ",\n";
        } else {
            put(&stats.to_text())?;
        }
    }
    if flags.json {
        put(if separator == "[\n" { "[]\n" } else { "\n]\n" })?;
    }
    Ok(tally.end()?)
}

pub(super) fn probe_position(flags: &ProbeFlags) -> Result<()> {
    let source = Source::new(&flags.tables)?;
    let rules = source.tables.rules();
    let position = parse_position(rules, &flags.fen).context("--fen")?;
    let text = fen(rules, &position);
    let probed = probe(&source.tables, &position).map_err(told)?;
    if flags.json {
        put(&format!("{}\n", probed.to_json(&source.tables, &text)))
    } else {
        put(&probed.to_text(&source.tables, &text))
    }
}

pub(super) fn digest(flags: &DigestFlags) -> Result<()> {
    let source = Source::new(&flags.tables)?;
    let mut tally = Tally::default();
    for sector in source.some_sectors(&flags.tables.tables)? {
        let checked = || {
            let file = source.tables.file(*sector)?;
            file.check(source.machine.threads)?;
            Ok(file.header().digest)
        };
        if let Some(digest) = tally.take(checked())? {
            put(&format!("{sector:<12} {digest:032x}\n"))?;
        }
    }
    Ok(tally.end()?)
}
