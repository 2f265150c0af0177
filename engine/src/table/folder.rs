//! Folders of tables, as far as the names of their files tell: which of them serve a game, and what the
//! others hold instead. No file is opened here.

use super::header::Kind;
use crate::{
    rules::{OPTIONS, Rules},
    sector::Sector,
};
use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
    path::{Path, PathBuf},
};

/// A folder and the names of its files.
pub struct TableFolder {
    path: PathBuf,
    names: HashSet<String>,
}

impl TableFolder {
    /// Looks into a folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        let entries = fs::read_dir(path)?.flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        Ok(Self { path: path.to_path_buf(), names })
    }

    /// The path of a file of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        self.names.contains(name).then(|| self.path.join(name))
    }

    /// Why the folder is of no use for a game, and what it holds instead; `None` if there are tables
    /// of wins, draws and losses of it. Distances alone are of no use.
    pub fn objection(&self, rules: &Rules) -> Option<Objection> {
        let game = rules.short_name();
        let is_own = |name: &&String| game_of(stem(name)).as_ref() == Some(&game);
        let own = || self.names.iter().filter(is_own);
        let is_published = |name: &&String| Kind::Wdl.extension() == extension(name);
        if own().any(|name| is_published(&name)) {
            return None;
        }
        if let Some(form) = other_form(own()) {
            return Some(Objection::OtherForm { game, form });
        }
        let is_table = |name: &&String| is_published(name) || other_form([*name]).is_some();
        let tables = self.names.iter().filter(is_table);
        let games: BTreeSet<String> = tables.filter_map(|name| game_of(stem(name))).collect();
        if games.is_empty() {
            return Some(Objection::NoTables { wanted: game });
        }
        let found = games.into_iter().collect::<Vec<_>>().join(", ");
        Some(Objection::OtherGames { found, wanted: game })
    }
}

/// Why a folder is of no use for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    /// Its files of the game cannot be looked up as they are.
    #[error("its files of {game} are {form}")]
    OtherForm {
        /// The game.
        game: String,
        /// What they are, and what is to be done with them.
        form: &'static str,
    },
    /// Its tables are of other games.
    #[error("its tables are of {found}, and those of {wanted} are wanted")]
    OtherGames {
        /// The games.
        found: String,
        /// The game.
        wanted: String,
    },
    /// There are none.
    #[error("there are no tables in it, and those of {wanted} are wanted")]
    NoTables {
        /// The game.
        wanted: String,
    },
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The short name of the rules whose tables have files that are named so. Undoes
/// [`file_stem`](super::header::file_stem).
fn game_of(stem: &str) -> Option<String> {
    let is_sector = |text: &str| text.replace('_', "+").parse::<Sector>().is_ok();
    let end = stem.match_indices('-').map(|(at, _)| at).find(|at| is_sector(&stem[at + 1..]))?;
    // Names of options have the character in them that stands for the one between options.
    let mut name = stem[..end].to_string();
    for option in OPTIONS {
        let (written, meant) = (format!("_{}-", option.name), format!("+{}=", option.name));
        name = name.replace(&written, &meant);
    }
    Some(name)
}

/// What the generator calls files of these names that cannot be looked up, and how to make tables of
/// them; `None` if there are no such files.
fn other_form<'a>(names: impl IntoIterator<Item = &'a String>) -> Option<&'static str> {
    const FORMS: [(&str, &str); 2] = [
        ("mra", "archives (.mra), not tables: unpack them with tablebase-gen unpack"),
        ("mrg", "solved tables (.mrg): make tables for reading with tablebase-gen pack"),
    ];
    let extensions: HashSet<&str> = names.into_iter().map(|name| extension(name)).collect();
    FORMS.iter().find(|(form, _)| extensions.contains(form)).map(|(_, told)| *told)
}

#[cfg(test)]
mod tests {
    use super::{super::header::file_stem, *};

    fn objection(rules: &str, names: &[&str]) -> Option<String> {
        let names = names.iter().map(ToString::to_string).collect();
        let rules = Rules::parse(rules).expect("rules");
        TableFolder { path: PathBuf::new(), names }.objection(&rules).map(|o| o.to_string())
    }

    #[test]
    fn folders_with_tables_of_the_game_serve() {
        for names in [
            &["nine-4-3.mrw"][..],
            &["nine-8-8_1-1.mrw", "nine-4-3.mra"],
            &["six-4-3.mrw", "nine-4-3.mrw", "notes.txt"],
        ] {
            assert_eq!(objection("nine", names), None, "{names:?}");
        }
        assert_eq!(objection("nine+fly=0+stones=8", &["nine-nofly_stones-8-4-3.mrw"]), None);
    }

    #[test]
    fn a_folder_of_no_use_is_told_by_what_it_has() {
        let told = |names: &[&str]| objection("nine", names).expect("it is of no use");
        assert!(told(&["nine-4-3.mrg"]).contains("tablebase-gen pack"));
        assert!(told(&["nine-4-3.mra"]).contains("tablebase-gen unpack"));
        assert!(told(&["nine-4-3.mra", "six-4-3.mrw"]).contains("tablebase-gen unpack"));
        for (name, game) in [
            ("nine-nofly-4-3.mrw", "nine-nofly"),
            ("nine_no_mill_plies-50-8-8_1-1.mrw", "nine+no_mill_plies=50"),
            ("six_removals-per-mill_fly-3-4-3.mrg", "six+removals=per-mill+fly=3"),
            ("six-4-3.mra", "six"),
        ] {
            let expected = format!("its tables are of {game}, and those of nine are wanted");
            assert_eq!(told(&[name]), expected);
        }
        let several = told(&["six-4-3.mrw", "six-3-3.mrw", "lasker-3-3.mrw"]);
        assert!(several.starts_with("its tables are of lasker, six,"), "{several}");
        for names in [&["notes.txt"][..], &["nine-4-3.mrd"], &["nine-x.mrw"], &[]] {
            assert!(told(names).contains("there are no tables in it"), "{names:?}");
        }
    }

    #[test]
    fn names_of_files_tell_the_rules() {
        let rules =
            ["nine", "six-fly", "nine-holes", "nine+fly=0+removals=per-mill+blocked=passes"];
        for name in rules.into_iter().chain(["board=seven+stones=7+no_mill_plies=12"]) {
            let rules = Rules::parse(name).expect("rules");
            for sector in [Sector::moving(4, 3), Sector::start(&rules)] {
                let game = game_of(&file_stem(&rules, sector));
                assert_eq!(game, Some(rules.short_name()), "{name}");
            }
        }
    }
}
