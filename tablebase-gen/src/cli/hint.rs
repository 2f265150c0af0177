//! What to say to somebody whose folder holds other files than a command reads.

use super::{
    exit::{Nothing, file_error},
    tally::SomeWrong,
};
use crate::{
    archive::rules_of_archive,
    file::{FileError, TableFile, names_in},
};
use anyhow::Context;
use millrace_engine::{
    Rules,
    table::{Mapped, PackedFile},
};
use std::{collections::BTreeSet, path::Path};

/// A form of table files.
pub struct Form {
    extensions: &'static [&'static str],
    /// What they are called.
    pub name: &'static str,
    use_of: &'static str,
}

/// What the solver writes.
pub const SOLVED: Form = Form {
    extensions: &["mrg"],
    name: "solved tables (.mrg)",
    use_of: "which `probe`, `verify`, `stats` and `digest` read; `pack` makes published ones of them",
};
/// What the engine reads.
pub const PUBLISHED: Form = Form {
    extensions: &["mrw", "mrd"],
    name: "published tables (.mrw)",
    use_of: "which the engine and `check` read; `unpack` makes solved ones of them",
};
/// What is kept and sent.
pub const ARCHIVES: Form = Form {
    extensions: &["mra"],
    name: "archives (.mra)",
    use_of: "which `check` reads; `unpack` makes published tables of them",
};

/// All of them.
pub const ALL_FORMS: [Form; 3] = [SOLVED, PUBLISHED, ARCHIVES];

const AGAIN: &str = "delete a damaged solved table, and `solve` with the same flags makes it anew";

impl Form {
    /// Whether a file's name is that of such a table.
    pub fn has(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|e| e.to_str());
        extension.is_some_and(|e| self.extensions.contains(&e))
    }
}

/// The rules that a table file of any form is of.
///
/// # Errors
/// If it cannot be read.
pub fn rules_of_file(path: &Path) -> anyhow::Result<Rules> {
    if SOLVED.has(path) {
        return Ok(TableFile::open_any(path)?.header().rules);
    }
    let rules = match ARCHIVES.has(path) {
        true => rules_of_archive(path),
        false => Mapped::open(path)
            .and_then(|mapped| Ok(PackedFile::open_any(Box::new(mapped))?.header().rules)),
    };
    rules.with_context(|| path.display().to_string())
}

/// Whether a file is a solved table that is damaged.
pub fn is_damaged_and_solved(error: &FileError) -> bool {
    matches!(error, FileError::Damaged { path, .. } if SOLVED.has(path))
}

/// What can be done about an error: if what is meant is missing and the folder holds other tables, which,
/// and what reads them; if a solved table is damaged, how it is made anew.
pub fn hint(error: &anyhow::Error) -> Option<String> {
    let file = file_error(error);
    let some = error.chain().find_map(|e| e.downcast_ref::<SomeWrong>());
    if file.is_some_and(is_damaged_and_solved) || some.is_some_and(|some| some.solved) {
        return Some(AGAIN.to_string());
    }
    if let Some(nothing) = error.chain().find_map(|e| e.downcast_ref::<Nothing>()) {
        return held(&nothing.folder, |_| true, nothing.form);
    }
    let (FileError::Missing(path) | FileError::NoKind { path, .. }) = file? else { return None };
    // Of the folder itself, if that is what is missing, there is nothing to say.
    ALL_FORMS.iter().find(|form| form.has(path))?;
    held(path.parent()?, |form| !form.has(path), "")
}

/// The tables of a folder, of the forms that matter. What reads those of the form `read` is known.
fn held(folder: &Path, matters: impl Fn(&Form) -> bool, read: &str) -> Option<String> {
    let paths: Vec<_> = names_in(folder).ok()?.iter().map(|name| folder.join(name)).collect();
    let told = |form: &Form| {
        let some = || paths.iter().filter(|path| form.has(path));
        some().next()?;
        let games: BTreeSet<String> =
            some().filter_map(|path| Some(rules_of_file(path).ok()?.short_name())).collect();
        let games: Vec<String> = games.into_iter().collect();
        let of = if games.is_empty() { String::new() } else { format!(" of {}", games.join(", ")) };
        let use_of =
            if read.contains(form.name) { String::new() } else { format!(", {}", form.use_of) };
        Some(format!("{}{of}{use_of}", form.name))
    };
    let told: Vec<String> = ALL_FORMS.iter().filter(|f| matters(f)).filter_map(told).collect();
    (!told.is_empty()).then(|| format!("the folder holds {}", told.join(", and ")))
}
