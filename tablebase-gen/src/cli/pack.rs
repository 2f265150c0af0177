//! The commands that make published files and archives, and files out of archives: several sectors at
//! a time, since finding a model is work for one thread, as is an archive.

use super::{
    STOP, end_early,
    exit::Stopped,
    finish,
    flags::{PackFlags, UnpackFlags},
    packed::{Published, open},
    put,
    settings::{Machine, Source},
    tally::Tally,
};
use crate::{
    archive::{Unpacked, archive_name, open_archive, read_archive},
    file::{CellKind, sync_folder},
    folder,
    pack::{PackError, PackSettings, Packed, archive_sector, pack_archived, pack_sector},
    report::{Report, UnitDone},
    sector::{Sector, SectorExt, Unit},
    threads::share,
};
use anyhow::{Context, Result};
use millrace_engine::{
    Rules,
    table::{Coverage, Kind, file_name},
    text::counted,
};
use std::{
    cmp::Reverse,
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Instant,
};

/// Bytes of memory that packing a sector takes beside its table: samples and models.
const BESIDE_TABLE: u64 = 300 << 20;

/// Sectors that are worked on side by side.
struct Together {
    sectors: Vec<Sector>,
    at_once: usize,
    /// Threads for each of them.
    threads: usize,
}

impl Together {
    /// Sectors of which each takes `bytes` of memory.
    fn new(
        rules: &Rules,
        mut sectors: Vec<Sector>,
        machine: &Machine,
        bytes: impl Fn(u64) -> u64,
    ) -> Self {
        let cells = |s: &Sector| s.cells(rules.board());
        // The largest first, so that no thread has much left to do when the others are through.
        sectors.sort_by_key(|s| (Reverse(cells(s)), *s));
        let each = sectors.first().map_or(1, |largest| bytes(cells(largest)));
        let most = machine.threads.min(sectors.len());
        let at_once = most.min((machine.memory / each.max(1)) as usize).max(1);
        Self { sectors, at_once, threads: machine.threads.div_ceil(at_once) }
    }

    /// Works on all of them, or until the first failure.
    fn run(&self, work: impl Fn(Sector) -> Result<()> + Sync) -> Result<()> {
        let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
        let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = || {
            while failed().is_none() {
                let Some(sector) = self.sectors.get(next.fetch_add(1, Relaxed)) else { break };
                if let Err(error) = work(*sector) {
                    failed().get_or_insert(error);
                }
            }
        };
        share(self.at_once, worker);
        failed().take().map_or(Ok(()), Err)
    }
}

pub(super) fn pack(flags: &PackFlags) -> Result<()> {
    let source = Source::of_any_kind(&flags.tables)?;
    let rules = *source.tables.rules();
    let all = source.some_sectors(&flags.tables.tables)?;
    let stored = all.iter().copied().filter(|s| s.coverage(&rules) != Coverage::Derived);
    let with_distances =
        !flags.tables.meant.game.wdl_only && source.tables.kind() == CellKind::Distance;
    let is_open = |s: &Sector| {
        if flags.archive {
            let path = flags.to.join(archive_name(&rules, *s));
            return open_archive(&path, &rules, *s).is_err();
        }
        let is_whole = |kind| open(&flags.to.join(file_name(&rules, *s, kind)), &rules).is_ok();
        !is_whole(Kind::Wdl) || with_distances && !is_whole(Kind::Distance)
    };
    let sectors: Vec<Sector> = stored.filter(is_open).collect();
    folder::make_to_write(&flags.to)?;
    // An archive is made from its own copy of the cells.
    let copies = if flags.archive { 2 } else { 1 };
    let bytes = |cells| copies * cells + BESIDE_TABLE;
    let together = Together::new(&rules, sectors, &source.machine, bytes);
    let settings = PackSettings {
        rules,
        out: flags.to.clone(),
        distances: !flags.tables.meant.game.wdl_only,
        threads: together.threads,
        stop: &STOP,
    };
    let total = together.sectors.iter().map(|s| s.cells(rules.board())).sum();
    let report = Report::new(flags.progress, "packed", total);
    let tally = Mutex::new(Tally::default());
    match together.run(|sector| pack_one(flags, &source, &settings, sector, &report, &tally)) {
        Err(error) if error.is::<Stopped>() => {
            end_early(&report, "stopped");
            return Err(error);
        }
        done => done?,
    }
    sync_folder(&flags.to)?;
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    finish(&report, tally)
}

fn pack_one(
    flags: &PackFlags,
    source: &Source,
    settings: &PackSettings,
    sector: Sector,
    report: &Report,
    tally: &Mutex<Tally>,
) -> Result<()> {
    let unit = Unit::of(sector, &settings.rules);
    let cells = sector.cells(settings.rules.board());
    report.begin(unit, cells);
    let started = Instant::now();
    let read = || {
        let file = source.tables.file(sector)?;
        let solved = source.tables.load_until(sector, settings.threads, settings.stop)?;
        let solved = solved.ok_or(Stopped)?;
        Ok((file.header().kind, file.header().digest, solved))
    };
    let read = held(tally).take(read())?;
    let Some((kind, digest, solved)) = read else {
        report.fail(unit, cells);
        return Ok(());
    };
    let packed = if flags.archive {
        archive_sector(settings, &solved, kind, digest).map_err(of_pack)
    } else {
        pack_sector(settings, &solved, kind, digest).map_err(of_pack)
    };
    source.tables.forget(sector);
    let Packed { cells: stored, wdl_bytes, distance_bytes } = packed?;
    let note = format!(", {} in {wdl_bytes} + {distance_bytes} bytes", counted(stored, "cell"));
    let bytes = Some(wdl_bytes + distance_bytes);
    report.finish(&UnitDone { unit, cells, time: started.elapsed(), bytes, note });
    Ok(())
}

/// The sectors whose archives are meant and that are not unpacked yet.
pub(super) fn waiting(flags: &UnpackFlags, published: &Published) -> Vec<Sector> {
    let rules = published.rules;
    let is_open =
        |s: &&Sector| open(&flags.to.join(file_name(&rules, **s, Kind::Wdl)), &rules).is_err();
    published.archives.iter().filter(is_open).copied().collect()
}

/// Makes published files out of these sectors' archives.
pub(super) fn unpack_archives(
    flags: &UnpackFlags,
    published: &Published,
    sectors: Vec<Sector>,
) -> Result<()> {
    let rules = published.rules;
    let bytes = |cells| cells + BESIDE_TABLE;
    let together = Together::new(&rules, sectors, &published.machine, bytes);
    let settings = PackSettings {
        rules,
        out: flags.to.clone(),
        distances: false,
        threads: together.threads,
        stop: &STOP,
    };
    let tally = Mutex::new(Tally::default());
    together.run(|sector| {
        let archive = archive_of(&flags.packed.tables, &rules, sector);
        let Some(archive) = held(&tally).take(archive)? else { return Ok(()) };
        pack_archived(&settings, &archive).map_err(of_pack)?;
        put(&format!("unpacked {sector}\n"))
    })?;
    sync_folder(&flags.to)?;
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner).end()?)
}

fn held(tally: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a sector's archive whole.
fn archive_of(folder: &Path, rules: &Rules, sector: Sector) -> Result<Unpacked> {
    let path = folder.join(archive_name(rules, sector));
    match read_archive(&path, rules, sector, &STOP) {
        // That is no fault of the file.
        Err(PackError::Stopped) => Err(Stopped.into()),
        read => read.map_err(of_pack).with_context(|| path.display().to_string()),
    }
}

/// Checks a sector's archive whole; returns the digest of its cells.
pub(super) fn check_archive(folder: &Path, rules: &Rules, sector: Sector) -> Result<u128> {
    Ok(archive_of(folder, rules, sector)?.head.digest)
}

fn of_pack(error: PackError) -> anyhow::Error {
    match error {
        PackError::Stopped => Stopped.into(),
        PackError::File(error) => error.into(),
        PackError::Table(error) => error.into(),
        PackError::Memory { sector, refused } => {
            anyhow::Error::new(refused).context(format!("sector {sector}"))
        }
    }
}
