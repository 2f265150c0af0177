//! What to say to somebody whose folder holds other files than a command reads.

use crate::file::FileError;
use std::{fs, path::Path};

/// A form of table files.
struct Form {
    extensions: &'static [&'static str],
    told: &'static str,
}

const FORMS: [Form; 3] = [
    Form {
        extensions: &["mrg"],
        told: "solved tables (.mrg), which `probe`, `verify`, `stats` and `digest` read; `pack` makes \
               published ones of them",
    },
    Form {
        extensions: &["mrw", "mrd"],
        told: "published tables (.mrw), which the engine and `check` read; `unpack` makes solved ones \
               of them",
    },
    Form {
        extensions: &["mra"],
        told: "archives (.mra), which `check` reads; `unpack` makes published tables of them",
    },
];

/// If a file is missing and its folder holds tables of other forms, which, and what reads them.
pub fn hint(error: &anyhow::Error) -> Option<String> {
    let missing = error.chain().find_map(|e| e.downcast_ref::<FileError>())?;
    let FileError::Missing(path) = missing else { return None };
    let held = held(path.parent()?)?;
    let wanted = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let others = |form: &&Form| {
        let is_held = form.extensions.iter().any(|e| held.iter().any(|h| h == e));
        is_held && !form.extensions.contains(&wanted)
    };
    let told: Vec<&str> = FORMS.iter().filter(others).map(|form| form.told).collect();
    (!told.is_empty()).then(|| format!("the folder holds {}", told.join(", and ")))
}

/// The extensions of a folder's files.
fn held(folder: &Path) -> Option<Vec<String>> {
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    Some(names.filter_map(|p| Some(p.extension()?.to_str()?.to_string())).collect())
}
