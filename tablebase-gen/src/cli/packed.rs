//! The commands that read published files.

use super::{
    STOP, complain,
    exit::{Incomplete, Nothing, Stopped, Unreadable, Usage, Wrong},
    flags::{BundleFlags, CheckFlags, PackedFlags, UnpackFlags},
    hint::{ARCHIVES, PUBLISHED},
    pack::{check_archive, unpack_archives, waiting},
    passed::tell_passed_over,
    put,
    settings::{self, Machine, Part},
    tally::Tally,
};
use crate::{
    archive::archive_name,
    file::{CellKind, FileError, NewTable, Part as FilePart, names_in, write_table},
    folder,
    sector::{Sector, Unit},
    solve::SectorTable,
    tables::Tables,
    unpack::{compare, unpack_sector},
};
use anyhow::{Context, Result};
use millrace_engine::{
    Rules,
    table::{self, Coverage, Kind, Mapped, PackedFile, TableError, file_name},
};
use std::{
    collections::{BTreeMap, HashMap},
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    slice,
    sync::atomic::Ordering,
};

/// What the commands of this room read.
const FORMS: &str = "published tables (.mrw) or archives (.mra)";
/// Memory for decoded blocks while whole tables are read.
const CACHE: usize = 1 << 30;

/// Opens a published file.
pub(super) fn open(path: &Path, rules: &Rules) -> Result<PackedFile, TableError> {
    PackedFile::open(Box::new(Mapped::open(path)?), rules)
}

/// Published files or archives that are read, and the sectors that are meant.
pub(super) struct Published {
    folder: PathBuf,
    pub(super) rules: Rules,
    /// The sectors whose positions can be looked up.
    pub(super) sectors: Vec<Sector>,
    /// The sectors whose archives are meant.
    pub(super) archives: Vec<Sector>,
    pub(super) machine: Machine,
}

impl Published {
    fn new(flags: &PackedFlags) -> Result<Self> {
        Self::of(flags, rules_meant(flags)?)
    }

    fn of(flags: &PackedFlags, rules: Rules) -> Result<Self> {
        let machine = Machine::new(&flags.meant.machine)?;
        let part = Part::new(&rules, &flags.meant.game)?;
        let possible = settings::possible(&rules, &flags.meant.game);
        let is_own = |s: &Sector| s.told_by(&rules) == *s;
        let names = names_in(&flags.tables)?;
        let is_there = |name: String| names.contains(OsStr::new(&name));
        let archive = |s: &Sector| is_there(archive_name(&rules, *s));
        let archived: Vec<Sector> =
            possible.iter().filter(|s| is_own(s) && archive(s)).copied().collect();
        let file = |s: &Sector| is_there(file_name(&rules, s.told_by(&rules), Kind::Wdl));
        let mut present: Vec<Sector> = possible.iter().filter(|s| file(s)).copied().collect();
        // The last placements follow from the moving phase, but are only meant where others are too.
        if !present.iter().any(|s| !s.is_moving_phase() && is_own(s)) {
            present.retain(|s| s.is_moving_phase());
        }
        let are_packed = !present.is_empty();
        let nothing = |most| Nothing {
            folder: flags.tables.clone(),
            form: FORMS,
            rules: Some(rules.short_name()),
            most,
        };
        let mut sectors = settings::chosen(&rules, part.selection.clone(), &possible, present)?;
        let mut archives: Vec<Sector> = Vec::new();
        if archived.is_empty() {
            if !are_packed {
                return Err(nothing(None).into());
            }
        } else {
            archives = settings::chosen(&rules, part.selection, &possible, archived)?;
            archives.iter_mut().for_each(|s| *s = s.told_by(&rules));
            archives.sort();
            archives.dedup();
            if are_packed {
                archives.retain(archive);
            } else {
                sectors.clear();
            }
        }
        if sectors.is_empty() && archives.is_empty() {
            return Err(nothing(flags.meant.game.max_stones).into());
        }
        Ok(Self { folder: flags.tables.clone(), rules, sectors, archives, machine })
    }

    fn tables(&self) -> table::Tables {
        table::Tables::new(self.rules, slice::from_ref(&self.folder), CACHE).without_own()
    }

    /// The stored sectors that removals, placements and turns lead to from some sectors, and that have
    /// no file; each with one that leads there.
    fn missing<'a>(&self, from: impl IntoIterator<Item = &'a Sector>) -> Option<Incomplete> {
        let mut missing = BTreeMap::new();
        for sector in from {
            let unit = Unit::of(*sector, &self.rules);
            for needed in unit.depends_on(&self.rules).into_iter().chain([*sector]) {
                let needed = needed.told_by(&self.rules);
                let is_there = |name: String| self.folder.join(name).exists();
                if !is_there(file_name(&self.rules, needed, Kind::Wdl))
                    && !is_there(archive_name(&self.rules, needed))
                {
                    missing.entry(needed).or_insert(*sector);
                }
            }
        }
        let say = |(missing, from): (&Sector, &Sector)| format!("{missing} (needed by {from})");
        let all: Vec<String> = missing.iter().map(say).collect();
        (!all.is_empty()).then(|| Incomplete(all.join(", ")))
    }

    /// Looks up all positions of a sector.
    fn look_up(
        &self,
        tables: &table::Tables,
        sector: Sector,
        kind: CellKind,
        before: &Tally,
    ) -> Result<SectorTable> {
        let found = unpack_sector(tables, sector, kind, self.machine.threads, &STOP)
            .with_context(|| format!("sector {sector}"))?;
        if STOP.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        // Also where all has been found: distances may have been passed over.
        let faults = tables.take_faults();
        if !faults.is_empty() {
            return Err(Unreadable(faults.join("\n")).into());
        }
        if let Some(table) = found {
            return Ok(table);
        }
        // A fault is told once, but what it is a fault of may be needed by many.
        if before.has_wrong() {
            let text = format!("sector {sector} needs tables that are damaged or missing");
            return Err(Unreadable(text).into());
        }
        let any = || Incomplete(format!("tables that sector {sector} needs"));
        Err(self.missing([&sector]).unwrap_or_else(any).into())
    }
}

/// The rules of the files that are meant.
fn rules_meant(flags: &PackedFlags) -> Result<Rules> {
    settings::rules_meant(&flags.meant, &flags.tables, &[PUBLISHED, ARCHIVES], FORMS)
}

pub(super) fn unpack(flags: &UnpackFlags) -> Result<()> {
    let published = Published::new(&flags.packed)?;
    folder::make_to_write(&flags.to)?;
    // Archives beside published files are mostly what is left of work that was stopped.
    if !waiting(flags, &published).is_empty() || published.sectors.is_empty() {
        return unpack_archives(flags, &published, waiting(flags, &published));
    }
    let rules = published.rules;
    let tables = published.tables();
    let mut tally = Tally::default();
    for sector in &published.sectors {
        let distances = tables.has_distances(*sector) && !flags.packed.meant.game.wdl_only;
        let kind = if distances { CellKind::Distance } else { CellKind::Wdl };
        let solved = published.look_up(&tables, *sector, kind, &tally);
        let Some(solved) = tally.take(solved)? else { continue };
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
    Ok(tally.end()?)
}

pub(super) fn check(flags: &CheckFlags) -> Result<()> {
    let (rules, folder) = (rules_meant(&flags.packed)?, &flags.packed.tables);
    let mut tally = Tally::of_files();
    tell_passed_over(folder, &rules, &mut tally)?;
    let published = match Published::of(&flags.packed, rules) {
        Err(nothing) if tally.has_wrong() => {
            complain(format_args!("{nothing:#}"));
            return Ok(tally.end()?);
        }
        published => published?,
    };
    if flags.against.is_some() && published.sectors.is_empty() {
        let text = "archives cannot be compared with solved tables position by position: unpack them, \
                    then `check --against`";
        return Err(Usage(text.into()).into());
    }
    if let Some(against) = &flags.against {
        // Before all is read for nothing.
        names_in(against)?;
    }
    let tell = |sector: &Sector, digest: Option<u128>| match digest {
        Some(digest) => put(&format!("{sector:<12} {digest:032x}\n")),
        None => Ok(()),
    };
    let stored = published.sectors.iter().filter(|s| s.coverage(&rules) != Coverage::Derived);
    for sector in stored {
        tell(sector, check_files(folder, &rules, *sector, &mut tally)?)?;
    }
    for sector in &published.archives {
        tell(sector, tally.take(check_archive(folder, &rules, *sector))?)?;
    }
    match &flags.against {
        Some(_) if tally.has_wrong() => {
            complain("nothing is compared, since not all files can be used");
        }
        Some(against) => compare_all(&published, against)?,
        None => {}
    }
    if flags.packed.meant.game.sectors.is_empty() {
        let all = published.sectors.iter().chain(&published.archives);
        published.missing(all).map_or(Ok(()), |missing| tally.also(missing))?;
    }
    Ok(tally.end()?)
}

/// Checks a sector's published files whole, each by itself, and hands what is wrong with them to the
/// tally; returns the digest of the cells if all are right.
fn check_files(
    folder: &Path,
    rules: &Rules,
    sector: Sector,
    tally: &mut Tally,
) -> Result<Option<u128>> {
    let path = |kind| folder.join(file_name(rules, sector, kind));
    let values = tally.take(check_file(&path(Kind::Wdl), rules, None))?;
    let distances = path(Kind::Distance);
    if distances.exists() {
        let beside = values.as_ref().ok_or_else(|| lonely(&distances).into());
        let checked = beside.and_then(|beside| check_file(&distances, rules, Some(beside)));
        if tally.take(checked)?.is_none() {
            return Ok(None);
        }
    }
    Ok(values.map(|values| values.header().digest))
}

/// Distances without the values that they are of.
fn lonely(path: &Path) -> Unreadable {
    let why = "the file of wins, draws and losses that it goes with cannot be used";
    Unreadable(format!("{}: {why}", path.display()))
}

/// Checks a published file whole; one of distances together with the one beside it.
fn check_file(path: &Path, rules: &Rules, beside: Option<&PackedFile>) -> Result<PackedFile> {
    let in_words = || path.display().to_string();
    let file = open(path, rules).with_context(in_words)?;
    match file.check(beside, &STOP).with_context(in_words)? {
        true => Ok(file),
        false => Err(Stopped.into()),
    }
}

/// Compares all positions with the solver's tables, of all sectors that can be compared.
fn compare_all(published: &Published, against: &Path) -> Result<()> {
    let tables = published.tables();
    let threads = published.machine.threads;
    let (mut wrong, mut tally) = (0, Tally::of("sector", "compared"));
    for sector in &published.sectors {
        let distances = tables.has_distances(*sector);
        let kind = if distances { CellKind::Distance } else { CellKind::Wdl };
        let solved = Tables::new(published.rules, kind, vec![against.to_path_buf()]);
        let both = || {
            let solved = solved.load_until(*sector, threads, &STOP)?.ok_or(Stopped)?;
            Ok((solved, published.look_up(&tables, *sector, kind, &tally)?))
        };
        if let Some((solved, read)) = tally.take(both())? {
            wrong += compare(&read, &solved);
        }
    }
    if wrong == 0 {
        return Ok(tally.end()?);
    }
    if let Err(some) = tally.end() {
        complain(some);
    }
    Err(Wrong(wrong).into())
}

pub(super) fn bundle(flags: &BundleFlags) -> Result<()> {
    let to = file_at(&flags.to)?;
    let (mut files, mut tally) = (BTreeMap::new(), Tally::of_files());
    for folder in &flags.folders {
        let mut names = Vec::new();
        for name in names_in(folder)? {
            let is_meant = PUBLISHED.has(Path::new(&name));
            names.extend(name.into_string().ok().filter(|_| is_meant));
        }
        if names.is_empty() {
            let (folder, form) = (folder.clone(), PUBLISHED.name);
            return Err(Nothing { folder, form, rules: None, most: None }.into());
        }
        // Distances are checked with the file that they go with, so they come behind it.
        names.sort_by_key(|name| (name.ends_with(Kind::Distance.extension()), name.clone()));
        let mut values = HashMap::new();
        for name in names {
            let path = folder.join(&name);
            let Some(file) = tally.take(whole(&path, &name, &values))? else { continue };
            let bytes = fs::read(&path).map_err(|e| FileError::io(&path, e))?;
            if file.header().kind == Kind::Wdl {
                values.insert(name.clone(), file);
            }
            files.insert(name, bytes);
        }
    }
    tally.end()?;
    let mut bytes = (files.len() as u32).to_le_bytes().to_vec();
    for (name, file) in &files {
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name.bytes());
        bytes.extend((file.len() as u32).to_le_bytes());
    }
    files.values().for_each(|file| bytes.extend(file));
    let part = FilePart::create(&to)?;
    let written = part.file().write_all(&bytes);
    written.map_err(|e| FileError::refused(&to, bytes.len() as u64, e))?;
    Ok(part.put_in_place(&to)?)
}

/// Where a file is to be written: behind a link, if the path is one. What is no file is not replaced.
fn file_at(path: &Path) -> Result<PathBuf> {
    match fs::metadata(path) {
        Ok(there) if there.is_file() => Ok(fs::canonicalize(path)?),
        Ok(_) => Err(Usage(format!("{} is there and is no file", path.display())).into()),
        Err(_) => Ok(path.to_path_buf()),
    }
}

/// A published file that has been checked whole, with the one that it goes with, if there is one, among
/// those by their names that are right.
fn whole(path: &Path, name: &str, values: &HashMap<String, PackedFile>) -> Result<PackedFile> {
    let in_words = || path.display().to_string();
    let opened = Mapped::open(path).and_then(|mapped| PackedFile::open_any(Box::new(mapped)));
    let header = opened.with_context(in_words)?.header().clone();
    if file_name(&header.rules, header.sector, header.kind) != name {
        let what = format!("it holds sector {} under another name", header.sector);
        return Err(TableError::Damaged(what)).with_context(in_words);
    }
    let beside = match header.kind {
        Kind::Wdl => None,
        Kind::Distance => {
            let name = file_name(&header.rules, header.sector, Kind::Wdl);
            Some(values.get(&name).ok_or_else(|| lonely(path))?)
        }
    };
    check_file(path, &header.rules, beside)
}
