//! The tables that are part of the program: those of the small games, and of nine men's morris with
//! few stones. They were made by `tablebase-gen bundle`.

use std::{collections::HashMap, sync::LazyLock};

/// Files one after the other, behind a list of their names and lengths.
static BUNDLE: &[u8] = include_bytes!("data/small.mrb");

/// By name. A bundle that is not whole holds the files that can be made out.
static FILES: LazyLock<HashMap<&'static str, &'static [u8]>> =
    LazyLock::new(|| split(BUNDLE).unwrap_or_default());

/// The bytes of the file with this name.
pub fn find(name: &str) -> Option<&'static [u8]> {
    FILES.get(name).copied()
}

/// The files of a bundle: the number of files; for each the length of its name, the name and the
/// length of its bytes; then the bytes. Numbers are of four bytes, the lowest first.
fn split(bundle: &[u8]) -> Option<HashMap<&str, &[u8]>> {
    fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
        let (taken, left) = rest.split_at_checked(length)?;
        *rest = left;
        Some(taken)
    }
    let number = |rest: &mut &[u8]| {
        take(rest, 4).map(|n| u32::from_le_bytes(n.try_into().expect("four bytes")) as usize)
    };
    let mut rest = bundle;
    let mut list = Vec::new();
    for _ in 0..number(&mut rest)? {
        let length = number(&mut rest)?;
        let name = std::str::from_utf8(take(&mut rest, length)?).ok()?;
        list.push((name, number(&mut rest)?));
    }
    list.into_iter().map(|(name, length)| Some((name, take(&mut rest, length)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rules::Rules,
        table::{PackedFile, Source},
    };

    #[test]
    fn every_file_is_whole_and_under_its_name() {
        let files = split(BUNDLE).expect("the bundle is whole");
        assert!(files.len() > 100);
        for (name, bytes) in files {
            let file =
                PackedFile::open_any(Box::new(bytes)).unwrap_or_else(|e| panic!("{name}: {e}"));
            let header = file.header();
            assert_eq!(crate::table::file_name(&header.rules, header.sector, header.kind), name);
            assert_eq!(Source::bytes(&bytes).len(), file.size());
        }
    }

    #[test]
    fn small_games_are_there() {
        for (rules, sector) in
            [("six", "0-0_6-6"), ("three", "0-0_3-3"), ("tapatan", "3-3"), ("nine", "5-4")]
        {
            let name = format!("{}-{sector}.mrw", Rules::parse(rules).unwrap());
            assert!(find(&name).is_some(), "{name}");
        }
    }
}
