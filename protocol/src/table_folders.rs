//! Whether a folder that was asked for has tables of a game, so that a wrong one is named before hours
//! are spent without it. Only names of files are looked at.

use anyhow::{Context, bail};
use millrace_engine::{
    Rules,
    table::{Sector, TableFolder, Tables},
};
use std::path::{Path, PathBuf};

/// Checks a folder.
///
/// # Errors
/// If it cannot be read, or has no published tables of these rules; says what it has instead.
pub fn check(rules: &Rules, folder: &Path) -> anyhow::Result<()> {
    let in_words = || format!("folder {}", folder.display());
    match TableFolder::read(folder).with_context(in_words)?.objection(rules) {
        Some(objection) => bail!("{}: {objection}", in_words()),
        None => Ok(()),
    }
}

/// Checks all folders; without any, that the program itself has tables.
///
/// # Errors
/// As [`check`] and [`check_own`].
pub fn check_all(rules: &Rules, folders: &[PathBuf]) -> anyhow::Result<()> {
    match folders {
        [] => check_own(rules),
        folders => folders.iter().try_for_each(|folder| check(rules, folder)),
    }
}

/// Checks that the program itself has tables of these rules.
///
/// # Errors
/// If it has not.
fn check_own(rules: &Rules) -> anyhow::Result<()> {
    const LEAST: usize = 1 << 20;
    // Where there are any, there are those with the fewest stones.
    if !Tables::new(*rules, &[], LEAST).has(Sector::moving(3, 3)) {
        bail!("the program has no tables of {} of its own; name a folder", rules.short_name());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_tables_of_some_games() {
        for (name, has) in [("nine", true), ("tapatan", true), ("lasker", false), ("five", false)] {
            let rules = Rules::parse(name).expect("a preset");
            assert_eq!(check_own(&rules).is_ok(), has, "{name}");
        }
    }
}
