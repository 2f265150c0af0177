//! What a check of a folder passes over: files that are no tables, and tables that are not meant.

use super::{
    complain,
    hint::{ALL_FORMS, SOLVED, rules_of_file},
    tally::Tally,
};
use crate::{
    archive::archive_name,
    file::names_in,
    plan::{Phase, sectors},
};
use anyhow::Result;
use millrace_engine::{
    Rules,
    table::{Kind, file_name},
    text::counted,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    path::Path,
};

/// Names shown of each kind.
const SHOWN: usize = 6;

/// Tells which files of a folder are passed over when its tables of a game are meant, and hands those
/// that should be tables and are none to the tally.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn tell_passed_over(folder: &Path, rules: &Rules, tally: &mut Tally) -> Result<()> {
    let names = names_in(folder)?;
    let meant = meant(rules, |name| names.contains(OsStr::new(name)));
    let mut passed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in &names {
        let shown = name.to_string_lossy().into_owned();
        if meant.contains(&shown) {
            continue;
        }
        let path = folder.join(name);
        let is_table = ALL_FORMS.iter().any(|form| form.has(&path));
        let why = if !is_table || path.is_dir() {
            "no table".to_string()
        } else {
            match rules_of_file(&path) {
                Err(error) => {
                    tally.take::<()>(Err(error))?;
                    continue;
                }
                Ok(other) if other != *rules => format!("of {other}"),
                Ok(_) if SOLVED.has(&path) => "in the solver's form".to_string(),
                Ok(_) => {
                    "of no use under this name, or without the file that it goes with".to_string()
                }
            }
        };
        passed.entry(why).or_default().push(shown);
    }
    for (why, names) in passed {
        let list = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if names.len() > SHOWN { ", …" } else { "" };
        let count = counted(names.len(), "file");
        complain(format_args!("passed over as {why}: {count} ({list}{more})"));
    }
    Ok(())
}

/// The names of the files that a folder may hold of a game. Distances go with the file of wins, draws
/// and losses beside them.
fn meant(rules: &Rules, is_there: impl Fn(&String) -> bool) -> BTreeSet<String> {
    let all = [Phase::Moving, Phase::All].into_iter().flat_map(|phase| sectors(rules, phase));
    let mut names = BTreeSet::new();
    for sector in all {
        let values = file_name(rules, sector, Kind::Wdl);
        if is_there(&values) {
            names.insert(file_name(rules, sector, Kind::Distance));
        }
        names.extend([values, archive_name(rules, sector)]);
    }
    names
}
