//! Whether a folder has tables that can be learnt from, so that a wrong one is named before hours are
//! spent without it.

use anyhow::{Context, bail};
use millrace_engine::{
    Rules,
    table::{Kind, Sector, file_stem},
};
use std::{fs, path::Path};

/// How the generator's own files end, which are larger and only it reads.
const UNPACKED: &str = ".mrg";

/// Checks a folder.
///
/// # Errors
/// If it cannot be read, or has no packed tables of these rules; says what it has instead.
pub(super) fn check(rules: &Rules, folder: &Path) -> anyhow::Result<()> {
    let place = folder.display();
    let entries = fs::read_dir(folder).with_context(|| format!("folder {place}"))?;
    let names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let packed = format!(".{}", Kind::Wdl.extension());
    if names.iter().any(|name| name.ends_with(&packed) && is_of(rules, name)) {
        return Ok(());
    }
    let rules_name = rules.short_name();
    if names.iter().any(|name| name.ends_with(UNPACKED) && is_of(rules, name)) {
        bail!(
            "folder {place}: its tables of {rules_name} are not packed; 'tablebase-gen pack' makes \
             tables of them that can be used here"
        );
    }
    if names.iter().any(|name| name.ends_with(&packed)) {
        bail!("folder {place}: its tables are of other rules than {rules_name}");
    }
    bail!("folder {place}: there are no tables in it");
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
        let place = std::env::temp_dir().join(format!("millrace-folders-{}", std::process::id()));
        let rules = Rules::default();
        let told = |name: &str| {
            fs::create_dir_all(&place).expect("a folder");
            fs::write(place.join(name), b"").expect("a file");
            let told = check(&rules, &place).map_err(|error| error.to_string());
            fs::remove_dir_all(&place).expect("it goes again");
            told
        };
        assert_eq!(told("nine-4-3.mrw"), Ok(()));
        assert_eq!(told("nine-8-8_1-1.mrw"), Ok(()));
        let error = |name: &str| told(name).expect_err(name);
        assert!(error("nine-4-3.mrg").contains("'tablebase-gen pack'"));
        assert!(error("nine-nofly-4-3.mrw").contains("other rules than nine"));
        assert!(error("notes.txt").contains("no tables in it"));
        // Distances alone tell nothing: they go with the other file.
        assert!(error("nine-4-3.mrd").contains("no tables in it"));
        assert!(check(&rules, &place).is_err());
    }
}
