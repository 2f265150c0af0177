//! Whether a folder that was asked for has tables of a game, so that a wrong one is named before hours
//! are spent without it. Only names of files are looked at.

use anyhow::{Context, bail};
use millrace_engine::{
    Rules,
    table::{Kind, Sector, Tables, file_stem, other_form},
};
use std::{fs, path::Path};

/// Checks a folder.
///
/// # Errors
/// If it cannot be read, or has no published tables of these rules; says what it has instead.
pub fn check(rules: &Rules, folder: &Path) -> anyhow::Result<()> {
    let place = folder.display();
    let entries = fs::read_dir(folder).with_context(|| format!("folder {place}"))?;
    let names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let all = || names.iter().map(String::as_str);
    let own = || all().filter(|name| is_of(rules, name));
    if own().any(is_published) {
        return Ok(());
    }
    let rules_name = rules.short_name();
    if let Some(other) = other_form(own()) {
        bail!("folder {place}: its files of {rules_name} are {other}");
    }
    if all().any(is_published) || other_form(all()).is_some() {
        bail!("folder {place}: its tables are of other rules than {rules_name}");
    }
    bail!("folder {place}: there are no tables in it");
}

/// Checks that the program itself has tables of these rules.
///
/// # Errors
/// If it has not.
pub fn check_own(rules: &Rules) -> anyhow::Result<()> {
    const LEAST: usize = 1 << 20;
    // Where there are any, there are those with the fewest stones.
    if !Tables::new(*rules, &[], LEAST).has(Sector::moving(3, 3)) {
        bail!("the program has no tables of {} of its own; name a folder", rules.short_name());
    }
    Ok(())
}

/// Whether a file's name is that of a table of wins, draws and losses; distances go with one.
fn is_published(name: &str) -> bool {
    name.strip_suffix(Kind::Wdl.extension()).is_some_and(|stem| stem.ends_with('.'))
}

/// Whether a file's name is that of a table of these rules.
fn is_of(rules: &Rules, name: &str) -> bool {
    let sector = Sector::moving(3, 3);
    let stem = file_stem(rules, sector);
    let prefix = stem.strip_suffix(&sector.to_string()).unwrap_or(&stem);
    // Another preset's name may go on where this one ends.
    name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_no_use_is_told_by_what_it_has() {
        let rules = Rules::default();
        let told = |names: &[&str]| {
            let place = tempfile::tempdir().expect("a folder");
            for name in names {
                fs::write(place.path().join(name), b"").expect("a file");
            }
            check(&rules, place.path()).map_err(|error| error.to_string())
        };
        assert_eq!(told(&["nine-4-3.mrw"]), Ok(()));
        assert_eq!(told(&["nine-8-8_1-1.mrw", "nine-4-3.mra"]), Ok(()));
        let error = |names: &[&str]| told(names).expect_err(names[0]);
        assert!(error(&["nine-4-3.mrg"]).contains("tablebase-gen pack"));
        assert!(error(&["nine-4-3.mra"]).contains("tablebase-gen unpack"));
        assert!(error(&["nine-4-3.mra", "six-4-3.mrw"]).contains("tablebase-gen unpack"));
        for foreign in ["nine-nofly-4-3.mrw", "six-4-3.mrg", "six-4-3.mra"] {
            assert!(error(&[foreign]).contains("other rules than nine"), "{foreign}");
        }
        assert!(error(&["notes.txt"]).contains("no tables in it"));
        // Distances alone tell nothing: they go with the other file.
        assert!(error(&["nine-4-3.mrd"]).contains("no tables in it"));
        assert!(check(&rules, Path::new("/no/such/folder")).is_err());
    }

    #[test]
    fn the_program_has_tables_of_some_games() {
        for (name, has) in [("nine", true), ("tapatan", true), ("lasker", false), ("five", false)] {
            let rules = Rules::parse(name).expect("a preset");
            assert_eq!(check_own(&rules).is_ok(), has, "{name}");
        }
    }
}
