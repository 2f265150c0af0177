//! Whether a folder that was asked for has tables of a game, so that a wrong one is named before hours
//! are spent without it. Only names of files are looked at.

use millrace_engine::{
    Rules,
    table::{Sector, TableFolder, Tables},
};
use std::path::{Path, PathBuf};

/// Why there are no tables where they were asked for. A command that is told so has been asked for what
/// cannot be, as by any other wrong value of a flag.
#[derive(Debug, thiserror::Error)]
pub enum NoTables {
    /// A folder is of no use.
    #[error("folder {}: {why}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What it has instead, or the operating system's reason.
        why: String,
    },
    /// The program carries none of the game.
    #[error("the program has no tables of {0} of its own; name a folder")]
    Own(String),
}

/// Checks a folder.
///
/// # Errors
/// If it cannot be read, or has no published tables of these rules; says what it has instead.
pub fn check(rules: &Rules, folder: &Path) -> Result<(), NoTables> {
    let refused = |why| NoTables::Folder { folder: folder.to_path_buf(), why };
    let read = TableFolder::read(folder).map_err(|error| refused(error.to_string()))?;
    read.objection(rules).map_or(Ok(()), |objection| Err(refused(objection.to_string())))
}

/// Checks all folders; without any, that the program itself has tables.
///
/// # Errors
/// As [`check`] and [`check_own`].
pub fn check_all(rules: &Rules, folders: &[PathBuf]) -> Result<(), NoTables> {
    match folders {
        [] => check_own(rules),
        folders => folders.iter().try_for_each(|folder| check(rules, folder)),
    }
}

/// Checks that the program itself has tables of these rules.
///
/// # Errors
/// If it has not.
fn check_own(rules: &Rules) -> Result<(), NoTables> {
    const LEAST: usize = 1 << 20;
    // Where there are any, there are those with the fewest stones.
    if !Tables::new(*rules, &[], LEAST).has(Sector::moving(3, 3)) {
        return Err(NoTables::Own(rules.short_name()));
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
