//! Archives: what was packed comes back to the byte, and whatever else is in a file or a folder is named.

mod tables;

use millrace_engine::{
    Rules,
    table::{Kind, PackedFile, Sector, Tables, codec::context::UNKNOWN, file_name},
};
use millrace_tablebase_gen::{
    archive::{archive_name, read_archive},
    pack::PackError,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{LazyLock, atomic::AtomicBool},
};
use tables::{expect, rules, text};

/// A game solved, packed and archived, in a folder each.
struct Made {
    folder: tempfile::TempDir,
}

const QUIET: [&str; 2] = ["--progress", "quiet"];

impl Made {
    fn new(rules: &str, more: &[&str]) -> Self {
        let made = Self { folder: tempfile::tempdir().expect("a folder can be made") };
        let [solved, packed, archived] = ["solved", "packed", "archived"].map(|n| made.path(n));
        let game = |command: &'static str| [&[command, "--rules", rules], more, &QUIET].concat();
        expect(0, &[&game("solve"), &["--out", text(&solved)][..]].concat());
        let pack = |to: &Path, how: &'static str| {
            let paths = ["--tables", text(&solved), "--to", text(to), how];
            expect(0, &[&game("pack"), &paths[..]].concat());
        };
        pack(&packed, "--wdl-only");
        pack(&archived, "--archive");
        made
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Six men's morris with at most eight stones, on the board and in hand.
static SIX: LazyLock<Made> =
    LazyLock::new(|| Made::new("six", &["--phase", "all", "--max-stones", "8"]));

fn sector(own: u8, opponent: u8) -> Sector {
    Sector { own, opponent, own_hand: 0, opponent_hand: 0 }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a plain name");
    let mut names: Vec<String> = entries.map(|e| name(e.expect("it can be read"))).collect();
    names.sort();
    names
}

#[test]
fn an_archive_becomes_what_pack_makes() {
    for (rules, more) in [
        ("nine", &["--phase", "moving", "--max-stones", "8"][..]),
        ("nine", &["--phase", "all", "--max-stones", "6"]),
        ("twelve", &["--max-stones", "6"]),
        ("six-fly+fly=4", &["--phase", "moving", "--max-stones", "8"]),
        ("five+removals=per-mill+blocked=passes", &["--phase", "moving", "--max-stones", "8"]),
        ("seven", &["--phase", "moving", "--max-stones", "7"]),
        ("six", &[]),
        ("three", &[]),
        ("tapatan", &[]),
        ("nine-holes+fly=0", &[]),
    ] {
        let made = Made::new(rules, more);
        let [packed, archived, again] = ["packed", "archived", "again"].map(|n| made.path(n));
        let game = ["--rules", rules];
        let unpack = ["unpack", "--tables", text(&archived), "--to", text(&again)];
        expect(0, &[&unpack[..], &game].concat());
        assert_eq!(files(&packed), files(&again), "{rules}");
        for name in files(&packed) {
            let (one, other) = (fs::read(packed.join(&name)), fs::read(again.join(&name)));
            assert!(one.expect("it is there") == other.expect("it is there"), "{name}");
        }
        let check = |folder| expect(0, &["check", "--tables", text(folder), "--rules", rules]).0;
        assert_eq!(check(&packed), check(&archived));
        let size = |folder: &Path, name: &String| {
            fs::metadata(folder.join(name)).expect("it is there").len()
        };
        let sum = |folder: &Path| files(folder).iter().map(|n| size(folder, n)).sum::<u64>();
        assert!(sum(&archived) < sum(&packed), "{rules}");
    }
}

/// The reader in Python was written from the format's page.
#[test]
fn another_reader_reads_the_same() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_archive.py");
    let six = rules("six");
    for sector in [sector(3, 3), sector(4, 3)] {
        let archive = SIX.path("archived").join(archive_name(&six, sector));
        let started = Command::new("python3").arg(&script).arg(archive).arg("six").output();
        let Ok(output) = started else {
            eprintln!("skipped: there is no python3 here");
            return;
        };
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        let digits = output.stdout.iter().filter(|b| b.is_ascii_digit());
        let read: Vec<u8> = digits.map(|digit| digit - b'0').collect();
        let packed = SIX.path("packed").join(file_name(&six, sector, Kind::Wdl));
        let packed = PackedFile::open(Box::new(fs::read(packed).expect("it is there")), &six);
        let packed = packed.expect("it is whole");
        let blocks = 0..packed.header().blocks as usize;
        let cells = blocks.flat_map(|block| packed.read_wdl(block).expect("it is whole"));
        let stored: Vec<u8> = cells.filter(|cell| *cell != UNKNOWN).collect();
        assert!(read == stored, "{sector}");
    }
}

#[test]
fn an_archive_is_the_same_wherever_it_is_made() {
    let again = SIX.path("archived again");
    let (solved, archived) = (SIX.path("solved"), SIX.path("archived"));
    let pack = ["pack", "--tables", text(&solved), "--to", text(&again), "--archive"];
    expect(0, &[&pack[..], &["--threads", "1"], &QUIET].concat());
    for name in files(&archived) {
        let (one, other) = (fs::read(archived.join(&name)), fs::read(again.join(&name)));
        assert!(one.expect("it is there") == other.expect("it is there"), "{name}");
    }
}

/// Reads an archive from these bytes.
fn read(bytes: &[u8], rules: &Rules, sector: Sector) -> Result<u128, PackError> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("some.mra");
    fs::write(&path, bytes).expect("it can be written");
    Ok(read_archive(&path, rules, sector, &AtomicBool::new(false))?.head.digest)
}

#[test]
fn damage_is_told_and_never_believed() {
    let six = rules("six");
    let name = archive_name(&six, sector(4, 3));
    let whole = fs::read(SIX.path("archived").join(name)).expect("it is there");
    let right = read(&whole, &six, sector(4, 3)).expect("it is whole");
    let packed = SIX.path("packed").join(file_name(&six, sector(4, 3), Kind::Wdl));
    let packed = PackedFile::open(Box::new(fs::read(packed).expect("it is there")), &six);
    assert_eq!(packed.expect("it is whole").header().digest, right);

    let mut seed = 5u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (seed >> 33) as usize % n
    };
    for round in 0..400 {
        let mut damaged = whole.clone();
        match round % 4 {
            0 => damaged.truncate(below(whole.len())),
            1 => damaged.extend([0; 9]),
            2 => damaged[below(200)] ^= 1 << below(8),
            _ => {
                let place = below(whole.len());
                damaged[place] ^= 1 << below(8);
            }
        }
        let read = read(&damaged, &six, sector(4, 3));
        let is_told = matches!(read, Err(PackError::Table(_)));
        assert!(is_told, "round {round}: {read:?}");
    }
}

/// Whatever the stream holds, it is read to its end; the digest tells that it is not the right one.
#[test]
fn a_stream_of_anything_is_no_table() {
    let six = rules("six");
    let name = archive_name(&six, sector(4, 3));
    let whole = fs::read(SIX.path("archived").join(name)).expect("it is there");
    let head = u32::from_le_bytes(whole[12..16].try_into().expect("four bytes")) as usize;
    for byte in [0, 0x55, 0xff] {
        let mut forged = whole.clone();
        let end = forged.len() - 8;
        forged[head..end].fill(byte);
        let checksum = xxhash_rust::xxh3::xxh3_64(&forged[..end]);
        forged[end..].copy_from_slice(&checksum.to_le_bytes());
        let read = read(&forged, &six, sector(4, 3)).expect_err("it is not the table");
        assert!(read.to_string().contains("digest"), "{read}");
    }
}

#[test]
fn foreign_archives_are_named() {
    let (six, other) = (rules("six"), rules("six+removals=per-mill"));
    let path = SIX.path("archived").join(archive_name(&six, sector(4, 3)));
    let whole = fs::read(&path).expect("it is there");
    let told = |read: Result<u128, PackError>| read.expect_err("it is foreign").to_string();
    assert!(told(read(&whole, &other, sector(4, 3))).contains("removals=per-mill"));
    assert!(told(read(&whole, &six, sector(3, 3))).contains("4-3"));
    let mut newer = whole.clone();
    newer[8] = 2;
    assert!(told(read(&newer, &six, sector(4, 3))).contains("version is 2"));

    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::copy(&path, folder.path().join(archive_name(&six, sector(3, 3)))).expect("it is copied");
    let check = ["check", "--tables", text(folder.path()), "--rules", "six"];
    let (_, told) = expect(4, &check);
    assert!(told.contains("six-3-3.mra") && told.contains("4-3"), "{told}");
    let to = folder.path().join("to");
    let unpack = ["unpack", "--tables", text(folder.path()), "--rules", "six", "--to", text(&to)];
    let (_, told) = expect(4, &unpack);
    assert!(told.contains("six-3-3.mra"), "{told}");
    assert_eq!(files(&to), Vec::<String>::new());
}

#[test]
fn the_engine_tells_what_a_folder_holds() {
    for (name, tool) in [("archived", "tablebase-gen unpack"), ("solved", "tablebase-gen pack")] {
        let tables = Tables::new(rules("six"), &[SIX.path(name)], 1 << 20);
        let faults = tables.take_faults();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].contains(name) && faults[0].contains(tool), "{faults:?}");
    }
    let tables = Tables::new(rules("six"), &[SIX.path("packed")], 1 << 20);
    assert_eq!(tables.take_faults(), Vec::<String>::new());
}

#[test]
fn commands_tell_which_files_they_read() {
    let on = |command: &'static str, folder: &str| {
        let mut arguments = vec![command.to_string(), "--rules".into(), "six".into()];
        arguments.extend(["--tables".into(), text(&SIX.path(folder)).into()]);
        if command == "probe" {
            arguments.extend(["--fen".into(), "WWW/1B/BB1/3/2/3 w 0 0".into()]);
        }
        if command == "pack" {
            arguments.extend(["--to".into(), text(&SIX.path("to")).into()]);
        }
        expect(3, &arguments).1
    };
    for command in ["stats", "verify", "digest", "pack"] {
        assert!(on(command, "packed").contains("published tables (.mrw)"), "{command}");
        assert!(on(command, "archived").contains("archives (.mra)"), "{command}");
    }
    assert!(on("check", "solved").contains("solved tables (.mrg)"));
}

/// A copy of a folder in which a bit of some files is flipped.
fn damaged(form: &str, names: &[&String]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for file in files(&SIX.path(form)) {
        let mut bytes = fs::read(SIX.path(form).join(&file)).expect("it is there");
        if names.contains(&&file) {
            let place = bytes.len() / 2;
            bytes[place] ^= 4;
        }
        fs::write(folder.path().join(&file), bytes).expect("it can be written");
    }
    folder
}

#[test]
fn every_damaged_file_is_named_and_the_others_are_read() {
    let six = rules("six");
    for (form, bad) in [
        ("packed", [sector(4, 3), sector(3, 3)].map(|s| file_name(&six, s, Kind::Wdl))),
        ("archived", [sector(4, 3), sector(3, 3)].map(|s| archive_name(&six, s))),
    ] {
        let folder = damaged(form, &bad.each_ref());
        let here = text(folder.path());
        let whole = expect(0, &["check", "--tables", text(&SIX.path(form))]).0;
        let (out, told) = expect(4, &["check", "--tables", here]);
        assert_eq!(out.lines().count() + 2, whole.lines().count(), "{form}");
        let named = |told: &str| bad.iter().all(|name| told.contains(name.as_str()));
        assert!(named(&told) && told.contains("2 of "), "{told}");
        // Nothing is compared then, which is said.
        if form == "packed" {
            let solved = SIX.path("solved");
            let against = ["check", "--tables", here, "--against", text(&solved)];
            assert!(expect(4, &against).1.contains("nothing is compared"), "{form}");
        }
        let to = folder.path().join("to");
        let (_, told) = expect(4, &["unpack", "--tables", here, "--to", text(&to)]);
        assert!(named(&told), "{told}");
        assert!(!files(&to).is_empty(), "{form}");
        if form == "archived" {
            let made = files(&SIX.path("packed"));
            assert_eq!(files(&to).len() + 2, made.len());
            assert!(files(&to).iter().all(|name| made.contains(name)));
        }
    }
    // Of a single file there is nobody else to tell the rules.
    let folder = tempfile::tempdir().expect("a folder can be made");
    let name = archive_name(&six, sector(3, 3));
    fs::write(folder.path().join(&name), "no archive").expect("it can be written");
    let (_, told) = expect(4, &["check", "--tables", text(folder.path())]);
    assert!(told.contains(&name), "{told}");
}

#[test]
fn tables_of_another_game_are_named() {
    for (form, told) in [
        ("packed", "the folder holds published tables (.mrw) of six"),
        ("archived", "the folder holds archives (.mra) of six"),
    ] {
        let tables = SIX.path(form);
        let (_, said) = expect(3, &["check", "--tables", text(&tables), "--rules", "nine"]);
        assert!(said.contains("(.mra) of nine") && said.contains(told), "{said}");
        let few = ["check", "--tables", text(&tables), "--rules", "six", "--max-stones"];
        assert!(expect(2, &[&few[..], &["2"]].concat()).1.contains("the smallest has 6"));
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let some = archive_name(&rules("six"), sector(4, 4));
    fs::copy(SIX.path("archived").join(&some), folder.path().join(&some)).expect("it is copied");
    let (_, said) = expect(3, &["check", "--tables", text(folder.path()), "--max-stones", "6"]);
    assert!(said.contains("of six with at most 6 stones"), "{said}");
}

#[test]
fn missing_sectors_are_named() {
    let six = rules("six");
    for (form, name) in [
        ("packed", file_name(&six, sector(3, 3), Kind::Wdl)),
        ("archived", archive_name(&six, sector(3, 3))),
    ] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for file in files(&SIX.path(form)) {
            fs::copy(SIX.path(form).join(&file), folder.path().join(&file)).expect("it is copied");
        }
        let check = ["check", "--tables", text(folder.path()), "--rules", "six"];
        let whole = expect(0, &check).0;
        fs::remove_file(folder.path().join(name)).expect("it was there");
        let (out, told) = expect(3, &check);
        assert_eq!(out.lines().count() + 1, whole.lines().count());
        assert!(told.contains("missing: 3-3 (needed by "), "{told}");
        // Who asks for some of them asks for no others.
        expect(0, &[&check[..], &["--sectors", "4-3"]].concat());
    }
}

#[test]
fn a_check_can_be_stopped() {
    let six = rules("six");
    let name = file_name(&six, sector(4, 4), Kind::Wdl);
    let bytes = fs::read(SIX.path("packed").join(name)).expect("it is there");
    let file = PackedFile::open(Box::new(bytes), &six).expect("it is whole");
    assert!(!file.check(None, &AtomicBool::new(true)).expect("nothing is wrong"));
    assert!(file.check(None, &AtomicBool::new(false)).expect("nothing is wrong"));
    let path = SIX.path("archived").join(archive_name(&six, sector(4, 4)));
    let stopped = read_archive(&path, &six, sector(4, 4), &AtomicBool::new(true));
    assert!(matches!(stopped.err(), Some(PackError::Stopped)));
}
