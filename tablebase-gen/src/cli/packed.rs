//! The commands that read published files.

use super::{
    STOP,
    exit::{Stopped, Wrong},
    flags::{BundleFlags, CheckFlags, PackedFlags, UnpackFlags},
    listen_for_stop, put,
    settings::{self, Machine, Part},
};
use crate::{
    file::{CellKind, FileError, NewTable, Part as FilePart, write_table},
    sector::Sector,
    tables::Tables,
    unpack::{compare, unpack_sector},
};
use anyhow::{Context, Result};
use millrace_engine::{
    Rules,
    table::{self, Coverage, Kind, Mapped, PackedFile, TableError, file_name},
};
use std::{collections::BTreeMap, fs, io::Write, path::Path, sync::atomic::Ordering};

/// Memory for decoded blocks while whole tables are read.
const CACHE: usize = 1 << 30;

/// Opens a published file.
pub(super) fn open(path: &Path, rules: &Rules) -> Result<PackedFile, TableError> {
    PackedFile::open(Box::new(Mapped::open(path)?), rules)
}

/// Published files that are read, and the sectors that are meant.
struct Published {
    rules: Rules,
    sectors: Vec<Sector>,
    machine: Machine,
}

impl Published {
    fn new(flags: &PackedFlags) -> Result<Self> {
        let rules = settings::rules(&flags.rules)?;
        let machine = Machine::new(&flags.machine)?;
        let part = Part::new(&rules, &flags.game)?;
        let possible = settings::possible(&rules, &flags.game);
        let file = |s: &Sector| flags.tables.join(file_name(&rules, s.told_by(&rules), Kind::Wdl));
        let mut present: Vec<Sector> =
            possible.iter().filter(|s| file(s).exists()).copied().collect();
        // The last placements follow from the moving phase, but are only meant where others are too.
        let is_own = |s: &Sector| s.told_by(&rules) == *s;
        if !present.iter().any(|s| !s.is_moving_phase() && is_own(s)) {
            present.retain(|s| s.is_moving_phase());
        }
        let all = settings::chosen(&rules, part.selection, &possible, present)?;
        if all.is_empty() {
            let path = flags.tables.join(format!("(published tables of {rules})"));
            return Err(FileError::Missing(path).into());
        }
        Ok(Self { rules, sectors: all, machine })
    }

    fn tables(&self, folder: &Path) -> table::Tables {
        table::Tables::new(self.rules, &[folder.to_path_buf()], CACHE)
    }
}

pub(super) fn unpack(flags: &UnpackFlags) -> Result<()> {
    let published = Published::new(&flags.packed)?;
    let rules = published.rules;
    fs::create_dir_all(&flags.to).map_err(|e| FileError::io(&flags.to, e))?;
    listen_for_stop()?;
    let tables = published.tables(&flags.packed.tables);
    for sector in &published.sectors {
        let distances = tables.has_distances(*sector) && !flags.packed.game.wdl_only;
        let kind = if distances { CellKind::Distance } else { CellKind::Wdl };
        let solved = unpack_sector(&tables, *sector, kind, published.machine.threads, &STOP);
        if STOP.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        let solved = solved.with_context(|| told(&tables, *sector))?;
        let name = crate::file::file_name(&rules, *sector, kind);
        let new = NewTable {
            rules: &rules,
            sector: *sector,
            kind,
            columns: solved.columns,
            cells: &solved.cells,
        };
        write_table(&flags.to.join(name), &new, published.machine.threads)?;
        put(&format!("unpacked {sector}\n"))?;
    }
    Ok(())
}

/// Why a sector could not be read.
fn told(tables: &table::Tables, sector: Sector) -> String {
    let faults = tables.take_faults();
    if faults.is_empty() {
        return format!("sector {sector} needs tables that are not there");
    }
    faults.join("; ")
}

pub(super) fn check(flags: &CheckFlags) -> Result<()> {
    let published = Published::new(&flags.packed)?;
    let rules = published.rules;
    let folder = &flags.packed.tables;
    listen_for_stop()?;
    let stored = published.sectors.iter().filter(|s| s.coverage(&rules) != Coverage::Derived);
    for sector in stored {
        if STOP.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        let path = |kind| folder.join(file_name(&rules, *sector, kind));
        let in_words = |path: &Path| path.display().to_string();
        let wdl = path(Kind::Wdl);
        let values = open(&wdl, &rules).with_context(|| in_words(&wdl))?;
        values.check(None).with_context(|| in_words(&wdl))?;
        let distances = path(Kind::Distance);
        if distances.exists() {
            let file = open(&distances, &rules).with_context(|| in_words(&distances))?;
            file.check(Some(&values)).with_context(|| in_words(&distances))?;
        }
        put(&format!("{sector:<12} {:032x}\n", values.header().digest))?;
    }
    let Some(against) = &flags.against else { return Ok(()) };
    let tables = published.tables(folder);
    let mut wrong = 0;
    for sector in &published.sectors {
        let distances = tables.has_distances(*sector);
        let kind = if distances { CellKind::Distance } else { CellKind::Wdl };
        let solved = Tables::new(rules, kind, vec![against.clone()]);
        let solved = solved.load(*sector, published.machine.threads)?;
        let read = unpack_sector(&tables, *sector, kind, published.machine.threads, &STOP);
        if STOP.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        let read = read.with_context(|| told(&tables, *sector))?;
        wrong += compare(&read, &solved);
    }
    if wrong > 0 { Err(Wrong(wrong).into()) } else { Ok(()) }
}

pub(super) fn bundle(flags: &BundleFlags) -> Result<()> {
    let mut files = BTreeMap::new();
    for folder in &flags.folders {
        for entry in fs::read_dir(folder).map_err(|e| FileError::io(folder, e))? {
            let path = entry.map_err(|e| FileError::io(folder, e))?.path();
            let published = path.extension().is_some_and(|e| e == "mrw" || e == "mrd");
            let name = path.file_name().and_then(|n| n.to_str()).map(str::to_string);
            let Some(name) = name.filter(|_| published) else { continue };
            let in_words = || path.display().to_string();
            PackedFile::open_any(Box::new(Mapped::open(&path)?)).with_context(in_words)?;
            files.insert(name, fs::read(&path).map_err(|e| FileError::io(&path, e))?);
        }
    }
    let mut bytes = (files.len() as u32).to_le_bytes().to_vec();
    for (name, file) in &files {
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name.bytes());
        bytes.extend((file.len() as u32).to_le_bytes());
    }
    files.values().for_each(|file| bytes.extend(file));
    let part = FilePart::create(&flags.to)?;
    let written = part.file().write_all(&bytes);
    written.map_err(|e| FileError::refused(&flags.to, bytes.len() as u64, e))?;
    Ok(part.put_in_place(&flags.to)?)
}
