//! The command that makes published files: several sectors at a time, since finding a model is work
//! for one thread.

use super::{
    STOP, exit::Stopped, flags::PackFlags, listen_for_stop, packed::open, settings::Source,
};
use crate::{
    file::{FileError, sync_folder},
    pack::{PackError, PackSettings, Packed, pack_sector},
    report::{Report, UnitDone},
    sector::{Sector, SectorExt, Unit},
};
use anyhow::Result;
use millrace_engine::table::{Coverage, Kind, file_name};
use std::{
    cmp::Reverse,
    fs,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

/// Bytes of memory that packing a sector takes beside its table: samples and models.
const BESIDE_TABLE: u64 = 300 << 20;

pub(super) fn pack(flags: &PackFlags) -> Result<()> {
    let source = Source::of_any_kind(&flags.tables)?;
    let rules = *source.tables.rules();
    let all = source.some_sectors(&flags.tables.tables)?;
    let stored = all.iter().copied().filter(|s| s.coverage(&rules) != Coverage::Derived);
    let is_open =
        |s: &Sector| open(&flags.to.join(file_name(&rules, *s, Kind::Wdl)), &rules).is_err();
    let mut sectors: Vec<Sector> = stored.filter(is_open).collect();
    let cells = |s: &Sector| s.cells(rules.board());
    // The largest first, so that no thread has much left to do when the others are through.
    sectors.sort_by_key(|s| (Reverse(cells(s)), *s));
    listen_for_stop()?;
    fs::create_dir_all(&flags.to).map_err(|e| FileError::io(&flags.to, e))?;
    let threads = source.machine.threads;
    let each = sectors.first().map_or(1, |largest| cells(largest) + BESIDE_TABLE);
    let at_once = threads.min(sectors.len()).min((source.machine.memory / each) as usize).max(1);
    let settings = PackSettings {
        rules,
        out: flags.to.clone(),
        archive: flags.archive,
        distances: !flags.tables.game.wdl_only,
        threads: threads.div_ceil(at_once),
        stop: &STOP,
    };
    let report = Report::new(flags.progress, "packed", sectors.iter().map(cells).sum());
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        while failed().is_none() {
            let Some(sector) = sectors.get(next.fetch_add(1, Relaxed)) else { break };
            if let Err(error) = pack_one(&source, &settings, *sector, &report) {
                failed().get_or_insert(error);
            }
        }
    };
    thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(work))));
    match failed().take() {
        Some(error) if error.is::<Stopped>() => {
            report.end("stopped");
            return Err(error);
        }
        Some(error) => return Err(error),
        None => {}
    }
    sync_folder(&flags.to)?;
    report.end("done");
    Ok(())
}

fn pack_one(
    source: &Source,
    settings: &PackSettings,
    sector: Sector,
    report: &Report,
) -> Result<()> {
    let unit = Unit::of(sector, &settings.rules);
    let cells = sector.cells(settings.rules.board());
    report.begin(unit, cells);
    let started = Instant::now();
    let file = source.tables.file(sector)?;
    let (kind, digest) = (file.header().kind, file.header().digest);
    let solved = source.tables.load(sector, settings.threads)?;
    let packed = pack_sector(settings, &solved, kind, digest);
    source.tables.forget(sector);
    let Packed { cells: stored, wdl_bytes, distance_bytes } = match packed {
        Err(PackError::Stopped) => return Err(Stopped.into()),
        other => other?,
    };
    let note = format!(", {stored} cells in {wdl_bytes} + {distance_bytes} bytes");
    let bytes = Some(wdl_bytes + distance_bytes);
    report.finish(&UnitDone { unit, cells, time: started.elapsed(), bytes, note });
    Ok(())
}
