//! What the generator says of files and folders that are not what they should be, and how it goes on.

mod tables;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tables::{expect, text};
use tempfile::TempDir;

const QUIET: [&str; 2] = ["--progress", "quiet"];
const AGAIN: &str = "delete a damaged solved table";

/// A folder with a part of a game, solved and packed.
struct Made {
    folder: TempDir,
}

impl Made {
    fn new() -> Self {
        let made = Self { folder: tempfile::tempdir().expect("a folder can be made") };
        let (solved, packed) = (made.path("solved"), made.path("packed"));
        expect(0, &[&SOLVE[..], &["--out", text(&solved)], &QUIET].concat());
        let pack = ["pack", "--tables", text(&solved), "--to", text(&packed)];
        expect(0, &[&pack[..], &QUIET].concat());
        made
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Spoils files of a folder in their last block or in their head.
    fn spoil(&self, folder: &str, names: &[&str]) -> PathBuf {
        let folder = self.path(folder);
        for (number, name) in names.iter().enumerate() {
            let mut bytes = fs::read(folder.join(name)).expect("it is there");
            let place = if number % 2 == 0 { 20 } else { bytes.len() / 2 };
            bytes[place] ^= 0x10;
            fs::write(folder.join(name), bytes).expect("it can be written");
        }
        folder
    }
}

const SOLVE: [&str; 7] = ["solve", "--rules", "five", "--phase", "moving", "--max-stones", "8"];

#[test]
fn damaged_solved_tables_are_all_named_and_how_they_are_made_anew() {
    let made = Made::new();
    let bad = ["five-3-3.mrg", "five-5-3.mrg", "five-3-5.mrg"];
    let here = made.spoil("solved", &bad);
    let named = |bad: &[&str], said: &str| {
        assert_eq!(said.matches(AGAIN).count(), 1, "{said}");
        for name in bad {
            let named = said.matches(&format!("{} is damaged", text(&here.join(name)))).count();
            assert_eq!(named, 1, "{name}: {said}");
        }
    };
    for command in ["verify", "stats", "digest"] {
        named(&bad, &expect(4, &[command, "--tables", text(&here)]).1);
    }
    // 4-3 leads to 3-3, and cannot be verified either.
    let (_, said) = expect(4, &["verify", "--tables", text(&here)]);
    assert!(said.contains("3 of 4 units cannot be verified"), "{said}");
    let (_, said) = expect(4, &["verify", "--tables", text(&here), "--sample", "1000"]);
    assert!(said.contains("five-3-3.mrg is damaged") && said.contains(AGAIN), "{said}");

    let to = made.path("again");
    let pack = ["pack", "--tables", text(&here), "--to", text(&to)];
    // Of 3-5 nothing is packed: its values follow from those of 5-3.
    named(&bad[..2], &expect(4, &[&pack[..], &QUIET].concat()).1);
    let names = names_in(&to);
    assert!(names.contains(&"five-4-4.mrw".into()) && !names.contains(&"five-3-3.mrw".into()));

    let probe = ["probe", "--tables", text(&here), "--fen", "WW1/2W/4/B2/1BB w 0 0"];
    assert!(expect(4, &probe).1.contains(AGAIN));
    named(&bad, &expect(4, &[&SOLVE[..], &["--out", text(&here), "--check"]].concat()).1);
    // With one of its files gone a unit is solved anew, whatever the other one holds.
    for name in &bad[..2] {
        let (_, said) = expect(4, &[&SOLVE[..], &["--out", text(&here), "--check"]].concat());
        assert_eq!(said.matches(AGAIN).count(), 1, "{said}");
        fs::remove_file(here.join(name)).expect("it is there");
    }
    expect(0, &[&SOLVE[..], &["--out", text(&here)]].concat());
    expect(0, &["verify", "--tables", text(&here)]);
}

/// Damage may show when a file is opened, or only when its cells are read.
#[test]
fn a_damaged_table_is_no_matter_where_another_folder_has_a_good_one() {
    let made = Made::new();
    let good = made.path("solved");
    let needed = ["five-3-4.mrg", "five-4-3.mrg"];
    for folder in ["bad", "worse"] {
        fs::create_dir(made.path(folder)).expect("it can be made");
        for name in needed {
            fs::copy(good.join(name), made.path(folder).join(name)).expect("it is there");
        }
    }
    let (bad, worse) = (made.spoil("bad", &needed), made.spoil("worse", &[needed[1], needed[0]]));
    let solve = ["solve", "--rules", "five", "--unit", "4-4"];
    let (one, other) = (made.path("one"), made.path("other"));
    let folders = ["--deps", text(&bad), "--deps", text(&worse), "--deps"];
    for memory in [&[][..], &["--memory", "20"]] {
        let to = ["--out", text(&one)];
        let arguments = [&solve[..], &folders, &[text(&good)], &to, &QUIET, memory].concat();
        let (_, said) = expect(0, &arguments);
        assert!(said.contains("another folder's is used"), "{said}");
        for line in said.lines() {
            assert!(line.starts_with("tablebase-gen: warning: "), "{said}");
        }
        let table = fs::read(one.join("five-4-4.mrg")).expect("it is made");
        assert!(table == fs::read(good.join("five-4-4.mrg")).expect("it was there"));
        fs::remove_dir_all(&one).expect("it is there");
    }
    let arguments = [&solve[..], &folders[..4], &["--out", text(&other)], &QUIET].concat();
    let (_, said) = expect(4, &arguments);
    assert!(said.contains("is damaged") && said.contains(AGAIN), "{said}");
}

#[test]
fn a_missing_table_is_named_as_it_is_wanted() {
    let made = Made::new();
    let empty = made.path("empty");
    fs::create_dir(&empty).expect("a folder");
    let told = |folder: &Path, sector: &str| {
        let path = folder.join(format!("five-{sector}.mrg"));
        format!("{} is missing, as is five-{sector}-wdl.mrg\n", text(&path))
    };
    // The second position's turns lead to two sectors.
    let positions =
        [("WW1/2W/4/B2/1BB w 0 0", &["3-3"][..]), ("WW1/2W/3W/BB1/B1B w 0 0", &["4-4", "3-4"])];
    let packed = made.path("packed");
    for folder in [&empty, &packed] {
        for (fen, sectors) in positions {
            let probe = ["probe", "--tables", text(folder), "--rules", "five", "--fen", fen];
            let (_, said) = expect(3, &probe);
            for sector in sectors {
                assert!(said.contains(&told(folder, sector)), "{sector}: {said}");
            }
            // Where other tables are, that is told, and nothing of them is taken for missing.
            assert_eq!(said.contains("the folder holds"), folder == &packed, "{said}");
            // Only who asks for tables without distances is told of these alone.
            let (_, said) = expect(3, &[&probe[..], &["--wdl-only"]].concat());
            for sector in sectors {
                let path = folder.join(format!("five-{sector}-wdl.mrg"));
                assert!(said.contains(&format!("{} is missing\n", text(&path))), "{said}");
            }
        }
        let to = made.path("to");
        for command in [&["stats"][..], &["digest"], &["verify"], &["pack", "--to", text(&to)]] {
            let more = ["--tables", text(folder), "--rules", "five", "--sectors", "3-3"];
            let (_, said) = expect(3, &[command, &more].concat());
            assert!(said.contains(&told(folder, "3-3")), "{command:?}: {said}");
        }
    }
}

#[test]
fn what_cannot_be_used_is_counted_without_rules_too() {
    let made = Made::new();
    let (solved, packed, archives) = (made.path("solved"), made.path("packed"), made.path("small"));
    let pack = ["pack", "--archive", "--tables", text(&solved), "--to", text(&archives)];
    expect(0, &[&pack[..], &QUIET].concat());
    for folder in [&solved, &packed, &archives] {
        for name in names_in(folder) {
            let mut bytes = fs::read(folder.join(&name)).expect("it is there");
            bytes[20] ^= 0x10;
            fs::write(folder.join(&name), bytes).expect("it can be written");
        }
    }
    let to = made.path("to");
    let commands: [(&PathBuf, &[&str]); 8] = [
        (&solved, &["verify"]),
        (&solved, &["stats"]),
        (&solved, &["digest"]),
        (&solved, &["pack", "--to", text(&to)]),
        (&packed, &["check"]),
        (&packed, &["unpack", "--to", text(&to)]),
        (&archives, &["check"]),
        (&archives, &["unpack", "--to", text(&to)]),
    ];
    for (folder, command) in commands {
        let on =
            |more: &[&str]| expect(4, &[command, &["--tables", text(folder)], more].concat()).1;
        let (without, with) = (on(&[]), on(&["--rules", "five"]));
        for name in names_in(folder) {
            let told = without.matches(text(&folder.join(&name))).count();
            assert_eq!(told, 1, "{command:?} {name}: {without}");
        }
        let all = names_in(folder).len();
        assert!(without.contains(&format!("{all} of {all} files cannot be used\n")), "{without}");
        assert!(with.contains(" cannot be "), "{with}");
        let again = folder == &solved;
        assert!([with, without].iter().all(|said| said.contains(AGAIN) == again), "{command:?}");
    }
}

#[test]
fn all_that_is_needed_and_not_there_is_named() {
    let made = Made::new();
    let (solved, packed) = (made.path("solved"), made.path("packed"));
    let gone = ["five-4-4.mrg", "five-3-4.mrg"].map(|name| solved.join(name));
    gone.iter().for_each(|path| fs::remove_file(path).expect("it is there"));
    // A slide stays in the sector, one that closes a mill leads to another.
    let probe = ["probe", "--tables", text(&solved), "--fen", "WW1/2W/3W/BB1/B1B w 0 0"];
    let (_, said) = expect(3, &probe);
    assert!(gone.iter().all(|path| said.matches(text(path)).count() == 1), "{said}");

    let check = ["check", "--tables", text(&packed), "--against", text(&solved)];
    let (_, said) = expect(3, &check);
    assert!(gone.iter().all(|path| said.matches(text(path)).count() == 1), "{said}");
    assert!(said.contains("2 of 6 sectors cannot be compared"), "{said}");
    let bad = ["five-5-3.mrg", "five-3-3.mrg"];
    made.spoil("solved", &bad);
    let (_, said) = expect(4, &check);
    let named = |name: &&str| said.contains(&format!("{} is damaged", text(&solved.join(name))));
    assert!(bad.iter().all(named), "{said}");
}

#[test]
fn what_is_unpacked_is_what_the_folder_holds() {
    let made = Made::new();
    let here = made.spoil("packed", &["five-4-4.mrd"]);
    let to = made.path("again");
    let (_, said) = expect(4, &["unpack", "--tables", text(&here), "--to", text(&to)]);
    assert!(said.contains("five-4-4.mrd: it is damaged"), "{said}");
    // Without its distances the sector is not made as if there had never been any.
    let names = names_in(&to);
    assert!(names.contains(&"five-3-3.mrg".into()), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("five-4-4")), "{names:?}");

    // The program's own tables of six do not stand in for what is missing.
    let six = made.path("six");
    let solve = ["solve", "--rules", "six", "--phase", "moving", "--max-stones", "7", "--out"];
    expect(0, &[&solve[..], &[text(&six)], &QUIET].concat());
    let (packed, to) = (made.path("six-packed"), made.path("six-again"));
    expect(0, &[&["pack", "--tables", text(&six), "--to", text(&packed)][..], &QUIET].concat());
    fs::remove_file(packed.join("six-3-3.mrw")).expect("it is there");
    let (_, said) = expect(3, &["unpack", "--tables", text(&packed), "--to", text(&to)]);
    assert!(said.contains("missing: 3-3 (needed by 3-4)\n"), "{said}");
    assert!(!names_in(&to).contains(&"six-3-3.mrg".into()));
}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("the folder is there");
    names.map(|e| e.expect("it can be read").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn places_that_cannot_be_made_are_named() {
    let made = Made::new();
    let (solved, packed, file) = (made.path("solved"), made.path("packed"), made.path("file"));
    fs::write(&file, "").expect("it can be written");
    let commands: [&[&str]; 4] = [
        &["solve", "--rules", "five", "--out"],
        &["pack", "--tables", text(&solved), "--to"],
        &["pack", "--archive", "--tables", text(&solved), "--to"],
        &["unpack", "--tables", text(&packed), "--to"],
    ];
    for command in commands {
        for place in [file.clone(), file.join("x/y")] {
            let (_, said) = expect(2, &[command, &[text(&place)]].concat());
            assert_eq!(said, format!("tablebase-gen: {} is not a folder\n", text(&file)));
        }
        // A folder in which nobody can make anything.
        if cfg!(target_os = "linux") {
            for place in ["/proc/none/such", "/proc"] {
                let (_, said) = expect(1, &[command, &[place]].concat());
                let told = said.starts_with(&format!("tablebase-gen: {place}"));
                assert!(told && said.contains(" cannot be made: "), "{command:?}: {said}");
            }
        }
    }
    for place in ["none/x.mrb", "file/x.mrb"] {
        let place = made.path(place);
        let (_, said) = expect(1, &["bundle", text(&packed), "--to", text(&place)]);
        assert!(said.contains(&format!("{} cannot be made: ", text(&place))), "{said}");
    }
    let (_, said) = expect(2, &["bundle", text(&packed), "--to", text(&packed)]);
    assert_eq!(said, format!("tablebase-gen: {} is there and is no file\n", text(&packed)));
}

/// A plan is refused where its solve would be, and alike.
#[cfg(unix)]
#[test]
fn a_plan_refuses_places_that_cannot_be_made() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let here = text(folder.path());
    let long = "x".repeat(300);
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).expect("it can be made");
    let places = ["link".to_string(), "link/in".to_string(), long.clone(), format!("new/{long}/x")];
    for place in places.map(|place| format!("{here}/{place}")) {
        let of_game = ["--rules", "five", "--phase", "moving", "--out", &place];
        let (_, solving) = expect(1, &[&["solve"], &of_game[..]].concat());
        let (listed, planning) = expect(1, &[&["plan", "--no-probe"], &of_game[..]].concat());
        assert!(
            solving.starts_with(&format!("tablebase-gen: {place} cannot be made: ")),
            "{solving}"
        );
        assert_eq!((planning, listed), (solving, String::new()));
    }
    let place = format!("{here}/new/folder");
    expect(0, &["plan", "--no-probe", "--rules", "five", "--out", &place]);
    assert_eq!(names_in(folder.path()), ["link"], "a plan makes nothing");
}

#[test]
fn a_file_is_no_folder() {
    let made = Made::new();
    let (here, packed) = (made.path("solved"), made.path("packed"));
    let (here, packed) = (text(&here), text(&packed));
    let file = made.path("file");
    fs::write(&file, "").expect("it can be written");
    let file = text(&file);
    let (inside, new) = (format!("{file}/in/side"), format!("{here}/new"));
    for place in [file, &inside] {
        for arguments in [
            &["pack", "--tables", here, "--to", place][..],
            &["pack", "--tables", place, "--to", &new],
            &["pack", "--rules", "five", "--tables", place, "--to", &new],
            &["solve", "--rules", "five", "--out", place],
            &["solve", "--rules", "five", "--unit", "4-4", "--out", &new, "--deps", place],
            &["solve", "--rules", "five", "--unit", "3-3", "--out", &new, "--deps", place],
            &["plan", "--rules", "five", "--out", place],
            &["verify", "--tables", place],
            &["verify", "--rules", "five", "--tables", place],
            &["stats", "--tables", place],
            &["stats", "--rules", "five", "--tables", place],
            &["digest", "--tables", place],
            &["digest", "--rules", "five", "--tables", place, "--sectors", "3-3"],
            &["probe", "--rules", "five", "--tables", place, "--fen", "WW1/2W/4/B2/1BB w 0 0"],
            &["unpack", "--tables", packed, "--to", place],
            &["unpack", "--tables", place, "--to", &new],
            &["unpack", "--rules", "five", "--tables", place, "--to", &new],
            &["check", "--tables", place],
            &["check", "--rules", "five", "--tables", place],
            &["check", "--tables", packed, "--against", place],
            &["bundle", packed, place, "--to", &new],
        ] {
            let (_, said) = expect(2, arguments);
            assert_eq!(said, format!("tablebase-gen: {file} is not a folder\n"), "{arguments:?}");
            assert!(!Path::new(&new).exists(), "{arguments:?}");
        }
    }
}

#[test]
fn a_folder_that_is_missing_is_named_alike() {
    let made = Made::new();
    let [packed, nowhere, new] = ["packed", "nowhere", "new"].map(|name| made.path(name));
    let (packed, nowhere, new) = (text(&packed), text(&nowhere), text(&new));
    for arguments in [
        &["pack", "--to", new, "--tables", nowhere][..],
        &["verify", "--tables", nowhere],
        &["stats", "--tables", nowhere],
        &["digest", "--tables", nowhere],
        &["probe", "--fen", "WW1/2W/4/B2/1BB w 0 0", "--tables", nowhere],
        &["unpack", "--to", new, "--tables", nowhere],
        &["check", "--tables", nowhere],
        &["check", "--tables", packed, "--against", nowhere],
        &["bundle", nowhere, "--to", new],
    ] {
        let with_rules = [arguments, &["--rules", "five"]].concat();
        let bundles = arguments[0] == "bundle";
        for arguments in [Some(arguments), (!bundles).then_some(&with_rules[..])] {
            let Some(arguments) = arguments else { continue };
            let (_, said) = expect(3, arguments);
            let told = format!("tablebase-gen: {nowhere} is missing\n");
            assert_eq!(said, told, "{arguments:?}");
            assert!(!Path::new(new).exists(), "{arguments:?}");
        }
    }
}

#[test]
fn check_tells_what_it_passes_over() {
    let made = Made::new();
    let here = made.path("packed");
    let check = |code| expect(code, &["check", "--rules", "five", "--tables", text(&here)]);
    let (digests, said) = check(0);
    assert!(!said.contains("passed over"), "{said}");
    let copy = |from: &Path, name: &str| {
        fs::copy(from, here.join(name)).expect("it is copied");
    };
    for name in ["README.md", "notes.txt"] {
        fs::write(here.join(name), "text").expect("it can be written");
    }
    fs::create_dir(here.join("older.mrw")).expect("a folder");
    copy(&made.path("solved/five-3-3.mrg"), "five-3-3.mrg");
    copy(&here.join("five-3-3.mrw"), "copy.mrw");
    let other = made.path("other");
    let rules = ["--rules", "six", "--max-stones", "6", "--phase", "moving"];
    expect(0, &[&["solve", "--out", text(&other)], &rules[..], &QUIET].concat());
    copy(&other.join("six-3-3.mrg"), "six-3-3.mrg");
    let (again, said) = check(0);
    assert_eq!(again, digests);
    for told in [
        "passed over as no table: 3 files (README.md, notes.txt, older.mrw)",
        "passed over as of six: 1 file (six-3-3.mrg)",
        "passed over as in the solver's form: 1 file (five-3-3.mrg)",
        "passed over as of no use under this name, or without the file that it goes with: 1 file (copy.mrw)",
    ] {
        assert_eq!(said.matches(told).count(), 1, "{told}: {said}");
    }
    for name in ["five-9-9.mrw", "odd.mra", "odd.mrd", "odd.mrg"] {
        fs::write(here.join(name), "no table").expect("it can be written");
        let (again, said) = check(4);
        assert_eq!(again, digests);
        assert!(said.contains(name) && said.contains("damaged"), "{name}: {said}");
        fs::remove_file(here.join(name)).expect("it is there");
    }
    // Nothing else is there.
    let odd = made.path("odd");
    fs::create_dir(&odd).expect("a folder");
    fs::write(odd.join("five-9-9.mrw"), "").expect("it can be written");
    let (_, said) = expect(4, &["check", "--rules", "five", "--tables", text(&odd)]);
    assert!(said.contains("five-9-9.mrw") && said.contains("holds no published"), "{said}");
}

#[test]
fn folders_and_pipes_are_no_tables() {
    let made = Made::new();
    let here = made.path("odd");
    for (name, commands) in [
        ("five-3-3.mrg", &["verify", "stats", "digest", "check"][..]),
        ("five-3-3.mrw", &["check"]),
        ("five-3-3.mra", &["check"]),
    ] {
        fs::create_dir_all(here.join(name)).expect("a folder");
        let named = |command: &str| {
            let (_, said) = expect(4, &[command, "--rules", "five", "--tables", text(&here)]);
            assert!(said.contains("it is no plain file"), "{command} {name}: {said}");
        };
        let others = commands.iter().filter(|command| **command != "check");
        others.for_each(|command| named(command));
        fs::remove_dir(here.join(name)).expect("it is empty");
        let pipe = Command::new("mkfifo").arg(here.join(name)).status();
        if pipe.is_ok_and(|status| status.success()) {
            commands.iter().for_each(|command| named(command));
            fs::remove_file(here.join(name)).expect("it is there");
        }
    }
    let (packed, nowhere) = (made.path("packed"), made.path("nowhere"));
    let check = ["check", "--tables", text(&packed), "--against", text(&nowhere)];
    assert_eq!(expect(3, &check).0, "");
}

#[test]
fn a_bundle_is_refused_for_all_that_is_damaged() {
    let made = Made::new();
    let to = made.path("x.mrb");
    let here = made.path("packed");
    expect(0, &["bundle", text(&here), "--to", text(&to)]);
    fs::remove_file(&to).expect("it is there");
    let bad = ["five-3-3.mrw", "five-4-4.mrw", "five-5-3.mrd"];
    made.spoil("packed", &bad);
    let (_, said) = expect(4, &["bundle", text(&here), "--to", text(&to)]);
    for name in bad {
        assert!(said.contains(text(&here.join(name))), "{name}: {said}");
    }
    // Distances are of no use without the values that they are of.
    let count = "5 of 8 files cannot be used";
    assert!(said.contains(count), "{said}");
    let (_, said) = expect(4, &["check", "--tables", text(&here)]);
    assert!(said.contains(count), "{said}");
    let empty = made.path("empty");
    fs::create_dir(&empty).expect("a folder");
    let (_, said) = expect(3, &["bundle", text(&empty), "--to", text(&to)]);
    assert!(said.contains("holds no published tables"), "{said}");
    assert!(!to.exists());
}

#[cfg(unix)]
#[test]
fn a_bundle_is_written_behind_a_link_and_replaces_files_alone() {
    let made = Made::new();
    let (here, file, link) = (made.path("packed"), made.path("x.mrb"), made.path("link"));
    fs::write(&file, "old").expect("it can be written");
    std::os::unix::fs::symlink(&file, &link).expect("it can be made");
    expect(0, &["bundle", text(&here), "--to", text(&link)]);
    assert!(link.is_symlink());
    assert!(fs::read(&file).expect("it is there").len() > 1000, "the new one is longer");
    let (_, said) = expect(2, &["bundle", text(&here), "--to", "/dev/null"]);
    assert_eq!(said, "tablebase-gen: /dev/null is there and is no file\n");
}

#[test]
fn samples_that_are_too_large_are_refused() {
    let made = Made::new();
    let here = made.path("solved");
    let verify = ["verify", "--tables", text(&here), "--sample"];
    let (_, said) = expect(5, &[&verify[..], &["18446744073709551615"]].concat());
    assert!(said.contains("of memory"), "{said}");
    expect(2, &[&verify[..], &["5", "--seed", "0"]].concat());
    let noun = |sample| expect(0, &[&verify[..], &[sample]].concat()).1;
    assert_eq!(noun("40").matches(" of them looked at").count(), 4);
}
