//! The generator's program as scripts see it: exit codes, the contract of units, damage, plans.

mod tables;

use millrace_engine::Rules;
use millrace_tablebase_gen::{
    file::{CellKind, NewTable, TableFile, file_name, write_table},
    folder::{Claim, claim},
    sector::{Sector, SectorExt},
    solve::cell,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use tables::{expect, generate, rules, text};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// A folder with a solved game.
fn solved(rules: &str, more: &[&str]) -> TempDir {
    let out = folder();
    let mut arguments = vec!["solve", "--rules", rules, "--out", text(out.path())];
    arguments.extend(more);
    expect(0, &arguments);
    out
}

fn tables_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|e| e.expect("it can be read").path())
        .filter(|p| p.extension().is_some_and(|e| e == "mrg"))
        .collect();
    files.sort();
    files
}

fn table(folder: &Path, rules: &str, sector: &str) -> PathBuf {
    let sector = sector.parse().expect("a sector");
    folder.join(file_name(&tables::rules(rules), sector, CellKind::Distance))
}

#[test]
fn wrong_usage_is_two() {
    let out = folder();
    let out = text(out.path());
    let wrong: &[&[&str]] = &[
        &[],
        &["solve"],
        &["solve", "--rules", "six"],
        &["solve", "--rules", "checkers", "--out", out],
        &["solve", "--rules", "six", "--out", out, "--threads", "0"],
        &["solve", "--rules", "six", "--out", out, "--memory", "0"],
        &["solve", "--rules", "six", "--out", out, "--sectors", "7-3"],
        &["solve", "--rules", "six", "--out", out, "--sectors", "x"],
        &["solve", "--rules", "six", "--out", out, "--unit", "6-7"],
        &["solve", "--rules", "nine", "--out", out, "--max-stones", "5"],
        &["solve", "--rules", "six", "--out", out, "--deps", out],
        &["solve", "--rules", "six", "--out", out, "--unit", "3-3", "--max-stones", "7"],
        &["plan", "--rules", "six", "--format", "xml"],
        &["verify", "--tables", out, "--rules", "six", "--full", "--sample", "3"],
        &["verify", "--tables", out, "--rules", "six", "--sample", "0"],
        &["probe", "--tables", out, "--rules", "six", "--fen", "nonsense"],
    ];
    for arguments in wrong {
        let (_, said) = expect(2, arguments);
        assert!(!said.is_empty(), "{arguments:?}");
    }
    assert!(expect(0, &["--help"]).0.contains("solve"));
    for command in ["solve", "plan", "verify", "stats", "probe", "digest"] {
        assert!(expect(0, &[command, "--help"]).0.contains("Example"), "{command}");
    }
}

#[test]
fn missing_files_are_three_and_named() {
    let out = folder();
    let here = text(out.path());
    let (_, said) = expect(3, &["solve", "--rules", "nine", "--unit", "4-3", "--out", here]);
    assert!(said.contains("nine-3-3.mrg"), "{said}");
    // All at once, of the folder that is searched first.
    let deps = folder();
    let unit = ["solve", "--rules", "nine", "--unit", "5-4", "--out", here, "--deps"];
    let (_, said) = expect(3, &[&unit[..], &[text(deps.path())]].concat());
    for name in ["nine-3-5.mrg", "nine-4-4.mrg"] {
        let told = format!("{} is missing\n", text(&deps.path().join(name)));
        assert_eq!(said.matches(&told).count(), 1, "{name}: {said}");
    }
    let nowhere = out.path().join("nowhere");
    let (_, said) = expect(3, &[&unit[..], &[text(&nowhere)]].concat());
    assert!(said.contains(&format!(" {} is missing\n", text(&nowhere))), "{said}");
    let commands: [&[&str]; 4] = [&["verify"], &["stats"], &["digest"], &["probe"]];
    for command in commands {
        let mut arguments = command.to_vec();
        arguments.extend(["--tables", here, "--rules", "nine"]);
        if command == ["probe"] {
            arguments.extend(["--fen", "1W1/W2/3/B4B/3/3/W1B w 0 0"]);
        }
        expect(3, &arguments);
    }
    expect(3, &["stats", "--tables", text(&out.path().join("nowhere")), "--rules", "six"]);

    let six = solved("five", &[]);
    let lost = table(six.path(), "five", "4-4");
    fs::remove_file(&lost).unwrap();
    let (_, said) = expect(3, &["verify", "--tables", text(six.path()), "--rules", "five"]);
    assert!(said.contains(text(&lost)), "{said}");
    // Solving again brings it back, and only it.
    let (_, said) = expect(0, &["solve", "--rules", "five", "--out", text(six.path())]);
    assert!(said.contains("solved 4-4") && !said.contains("solved 4-3"), "{said}");
    let verify = ["verify", "--tables", text(six.path()), "--rules", "five"];
    expect(0, &verify);
    // What a sector needs is named, all of it.
    let needed = ["4-4", "3-5"].map(|name| table(six.path(), "five", name));
    needed.iter().for_each(|path| fs::remove_file(path).unwrap());
    for sample in [&[][..], &["--sample", "1000"]] {
        let (_, said) = expect(3, &[&verify[..], &["--sectors", "5-4"], sample].concat());
        let named = |path: &PathBuf| said.matches(text(path)).count() == 1;
        assert!(needed.iter().all(named), "{said}");
    }
}

#[test]
fn damage_is_four_and_named() {
    let out = solved("five", &["--max-stones", "8", "--phase", "moving"]);
    let here = text(out.path());
    let path = table(out.path(), "five", "4-4");
    let whole = fs::read(&path).unwrap();
    for place in [3, 60, whole.len() / 3, whole.len() / 2, whole.len() - 30, whole.len() - 3] {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x10;
        fs::write(&path, &damaged).unwrap();
        for command in ["verify", "stats", "digest"] {
            let (out, said) = expect(4, &[command, "--tables", here, "--rules", "five"]);
            assert!(said.contains(text(&path)), "byte {place}: {said}");
            // The others are read all the same, those before it and those after it.
            assert!(command == "verify" || out.contains("3-3") && out.contains("5-3"), "{out}");
        }
        let again = [
            "solve",
            "--rules",
            "five",
            "--phase",
            "moving",
            "--max-stones",
            "8",
            "--out",
            here,
            "--check",
        ];
        let (_, said) = expect(4, &again);
        assert!(said.contains(text(&path)), "byte {place}: {said}");
    }
    for length in [0, 50, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let (_, said) = expect(4, &["verify", "--tables", here, "--rules", "five"]);
        assert!(said.contains(text(&path)), "{length} bytes: {said}");
        let again =
            ["solve", "--rules", "five", "--phase", "moving", "--max-stones", "8", "--out", here];
        expect(4, &again);
    }
}

#[test]
fn tables_of_other_rules_are_refused() {
    let out = solved("five", &["--max-stones", "6", "--phase", "moving"]);
    let mine = table(out.path(), "five", "3-3");
    let other = table(out.path(), "five+fly=3", "3-3");
    fs::rename(mine, &other).unwrap();
    let arguments = ["stats", "--tables", text(out.path()), "--rules", "five+fly=3"];
    let (_, said) = expect(2, &arguments);
    assert!(said.contains("fly=0") && said.contains("fly=3"), "{said}");
}

/// Replaces one cell of a table, with checksums as they should be.
fn falsify(path: &Path, rules: &Rules, place: usize, change: impl Fn(u8) -> u8) {
    let file = TableFile::open(path, rules).unwrap();
    let header = file.header().clone();
    let mut cells = file.read_all(1).unwrap();
    cells[place] = change(cells[place]);
    let columns = header.columns as usize;
    let table =
        NewTable { rules, sector: header.sector, kind: header.kind, columns, cells: &cells };
    write_table(path, &table, 1).unwrap();
}

#[test]
fn every_false_value_is_found() {
    for (kind, more) in [(CellKind::Distance, &[][..]), (CellKind::Wdl, &["--wdl-only"])] {
        let rules = rules("five");
        let out = solved("five", more);
        let here = text(out.path());
        let sectors = ["3-3", "4-4", "3-5", "5-4", "2-2+3-3", "0-0+5-5", "3-3+1-1"];
        for (number, name) in sectors.iter().enumerate() {
            let sector: Sector = name.parse().unwrap();
            let path = out.path().join(file_name(&rules, sector, kind));
            let whole = fs::read(&path).unwrap();
            for step in 0..4 {
                let cells = sector.cells(rules.board()) as usize;
                let place = (number * 7919 + step * 104_729) % cells;
                // A value that may be right elsewhere, or a distance that is off by a turn.
                let change = |old: u8| match kind {
                    CellKind::Wdl => (old + 1) % 3,
                    CellKind::Distance if old > 2 && step % 2 == 0 => old - 2,
                    CellKind::Distance if old == cell::DRAW => 2,
                    CellKind::Distance => old + 2,
                };
                falsify(&path, &rules, place, change);
                let (found, said) = expect(4, &["verify", "--tables", here, "--rules", "five"]);
                assert!(found.contains(&format!("sector {name}, ")), "{name} {place}: {found}");
                assert!(found.contains("stored") && said.contains("wrong"), "{found} {said}");
                // A lot that draws every cell several times finds it as well.
                let many = (20 * cells).min(60_000).to_string();
                if step == 0 && cells < 3000 {
                    let sample = ["verify", "--tables", here, "--sectors", name, "--sample", &many];
                    expect(4, &sample);
                }
                fs::write(&path, &whole).unwrap();
            }
        }
        expect(0, &["verify", "--tables", here, "--rules", "five", "--full"]);
        expect(0, &["verify", "--tables", here, "--rules", "five", "--sample", "2000"]);
    }
}

#[test]
fn units_one_by_one_are_the_same_game() {
    let at_once = solved("five", &["--phase", "moving"]);
    let deps = folder();
    let (listed, _) = expect(
        0,
        &["plan", "--rules", "five", "--phase", "moving", "--format", "json", "--no-probe"],
    );
    let plan: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let here = text(deps.path());
    for unit in plan["units"].as_array().unwrap() {
        let unit = unit["unit"].as_str().unwrap();
        let solve = ["solve", "--rules", "five", "--unit", unit, "--deps", here, "--out", here];
        expect(0, &solve);
    }
    // Finished valid output is success at once: nothing is solved, not even needed files are.
    let last = folder();
    for name in ["5-4", "4-5"] {
        let from = table(deps.path(), "five", name);
        fs::copy(&from, last.path().join(from.file_name().unwrap())).unwrap();
    }
    let again = [
        "solve",
        "--rules",
        "five",
        "--unit",
        "4-5",
        "--deps",
        text(last.path()),
        "--out",
        text(last.path()),
    ];
    let (_, said) = expect(0, &again);
    assert!(said.contains("there already"), "{said}");

    let digests = |folder: &Path| expect(0, &["digest", "--tables", text(folder)]).0;
    assert_eq!(digests(at_once.path()), digests(deps.path()));
    for (a, b) in tables_in(at_once.path()).iter().zip(tables_in(deps.path())) {
        assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap(), "{}", a.display());
    }
}

#[test]
fn digests_depend_on_values_alone() {
    let digests = |more: &[&str]| {
        let out = solved("five", more);
        expect(0, &["digest", "--tables", text(out.path()), "--rules", "five"]).0
    };
    let expected = digests(&["--threads", "1"]);
    assert_eq!(expected.lines().count(), {
        let plan = ["plan", "--rules", "five", "--format", "json", "--no-probe"];
        let plan: serde_json::Value = serde_json::from_str(&expect(0, &plan).0).unwrap();
        let units = plan["units"].as_array().unwrap();
        units.iter().map(|u| u["sectors"].as_array().unwrap().len()).sum::<usize>()
    });
    for more in [&["--threads", "3"][..], &["--portable"], &["--memory", "40", "--threads", "2"]] {
        assert_eq!(digests(more), expected, "{more:?}");
    }
}

#[test]
fn two_runs_into_one_folder_exclude_each_other() {
    let out = folder();
    let five = rules("five");
    let solve = ["solve", "--rules", "five", "--max-stones", "6", "--out", text(out.path())];
    let unit = |name| {
        let here = text(out.path());
        ["solve", "--rules", "five", "--unit", name, "--deps", here, "--out", here]
    };
    {
        let _held = claim(out.path(), &five, CellKind::Distance, Claim::Folder).unwrap();
        for arguments in [&solve[..], &unit("3-3")] {
            let (_, said) = expect(1, arguments);
            assert!(said.contains("another run"), "{said}");
        }
    }
    {
        let three = millrace_tablebase_gen::sector::Unit::of("3-3".parse().unwrap(), &five);
        let _held = claim(out.path(), &five, CellKind::Distance, Claim::Unit(three)).unwrap();
        expect(1, &solve);
        expect(1, &unit("3-3"));
        // Another unit may be solved at the same time, but here it waits for the first.
        expect(3, &unit("4-3"));
    }
    expect(0, &solve);
}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("the folder is there");
    names.map(|e| e.expect("it can be read").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn locks_are_gone_when_nobody_holds_them() {
    let out = solved("five", &["--max-stones", "7", "--phase", "moving"]);
    let units = |name| {
        let here = text(out.path());
        ["solve", "--rules", "five", "--unit", name, "--deps", here, "--out", here]
    };
    expect(0, &units("4-4"));
    assert!(names_in(out.path()).iter().all(|name| name.ends_with(".mrg")));
    // What is refused leaves nothing behind, not even the folder that was to hold it.
    let place = folder();
    let here = place.path().join("new/tables");
    for (code, more) in [
        (5, &["--rules", "nine", "--memory", "200"][..]),
        (3, &["--rules", "nine", "--unit", "4-3"]),
    ] {
        expect(code, &[&["solve", "--out", text(&here)], more].concat());
        assert_eq!(names_in(place.path()), Vec::<String>::new(), "{more:?}");
    }
    fs::create_dir_all(&here).unwrap();
    expect(5, &["solve", "--out", text(&here), "--rules", "nine", "--memory", "200"]);
    assert_eq!(names_in(&here), Vec::<String>::new());
}

/// Locks are removed and made anew all the time, and still never held by two.
#[test]
fn a_lock_is_held_by_one() {
    let out = folder();
    let five = rules("five");
    let unit = |name: &str| {
        millrace_tablebase_gen::sector::Unit::of(name.parse().expect("a sector"), &five)
    };
    let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..300 {
                    let held = claim(out.path(), &five, CellKind::Distance, Claim::Folder);
                    match held {
                        Ok(_held) => {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            taken.fetch_add(1, Ordering::SeqCst);
                            thread::yield_now();
                            holders.fetch_sub(1, Ordering::SeqCst);
                        }
                        Err(error) => assert!(error.to_string().contains("another run"), "{error}"),
                    }
                }
            });
        }
    });
    assert!(taken.into_inner() > 0);
    // Units of one folder do not stand in each other's way.
    thread::scope(|scope| {
        for name in ["3-3", "4-3", "4-4", "5-3"] {
            let (out, five, unit) = (&out, &five, unit(name));
            scope.spawn(move || {
                for _ in 0..100 {
                    let held = claim(out.path(), five, CellKind::Distance, Claim::Unit(unit));
                    assert!(held.is_ok(), "{:?}", held.err());
                }
            });
        }
    });
    assert_eq!(names_in(out.path()), Vec::<String>::new());
}

#[test]
fn what_is_meant_and_not_there_is_named() {
    let out = solved("five", &["--max-stones", "7", "--phase", "moving"]);
    let (here, to) = (text(out.path()), out.path().join("to"));
    for command in ["stats", "verify", "digest", "pack"] {
        let on = |code, more: &[&str]| {
            let own = if command == "pack" { &["--to", text(&to)][..] } else { &[] };
            expect(code, &[&[command, "--tables", here], own, more].concat()).1
        };
        // No game has so few, other tables are there, and no game's tables are.
        let said = on(2, &["--max-stones", "2"]);
        assert!(said.contains("no sector of five") && said.contains("smallest has 6"), "{said}");
        let said = on(3, &["--rules", "six"]);
        assert!(said.contains("holds no solved tables (.mrg) of six"), "{said}");
        assert!(said.contains("the folder holds solved tables (.mrg) of five"), "{said}");
        assert!(!to.exists());
    }
    fs::remove_file(table(out.path(), "five", "3-3")).unwrap();
    let (_, said) = expect(3, &["stats", "--tables", here, "--max-stones", "6"]);
    assert!(said.contains("solved tables (.mrg) of five with at most 6 stones"), "{said}");
    let empty = folder();
    let (_, said) = expect(3, &["stats", "--tables", text(empty.path())]);
    assert!(said.ends_with("holds no solved tables (.mrg)\n"), "{said}");
}

#[test]
fn what_does_not_fit_is_five() {
    let out = folder();
    let solve = ["solve", "--rules", "nine", "--out", text(out.path()), "--memory", "200"];
    let (_, said) = expect(5, &solve);
    assert!(said.contains("--memory") && said.contains("--max-stones"), "{said}");
    assert_eq!(tables_in(out.path()), Vec::<PathBuf>::new(), "it is refused before it is begun");
    let plan = ["plan", "--rules", "nine", "--memory", "200", "--no-probe"];
    let (table, said) = expect(5, &plan);
    assert!(table.contains("8-8") && said.contains("--max-stones"), "{table} {said}");

    let small = solved("nine", &["--max-stones", "7"]);
    let verify = ["verify", "--tables", text(small.path()), "--memory", "1"];
    assert!(expect(5, &verify).1.contains("--memory"));
}

#[test]
fn progress_for_scripts() {
    let out = folder();
    let solve = ["solve", "--rules", "five", "--out", text(out.path()), "--progress", "jsonl"];
    let (lines, said) = expect(0, &solve);
    assert_eq!(said, "");
    let events: Vec<serde_json::Value> =
        lines.lines().map(|l| serde_json::from_str(l).expect("each line is JSON")).collect();
    let count = |event: &str| events.iter().filter(|e| e["event"] == event).count();
    assert_eq!(count("unit_started"), count("unit_done"));
    assert!(count("unit_done") > 10);
    assert_eq!(events.last().unwrap()["state"], "done");
    let (lines, _) = expect(0, &solve);
    assert_eq!(lines.lines().filter(|l| l.contains("unit_skipped")).count(), count("unit_done"));
}

/// Nothing can be told then, but the work is done, and the exit code is the one that it would be.
#[cfg(target_os = "linux")]
#[test]
fn complaints_that_cannot_be_written_change_nothing() {
    let out = folder();
    let out = text(out.path());
    for (code, command) in [
        (0, &["solve", "--rules", "five", "--phase", "moving", "--out", out][..]),
        (0, &["verify", "--tables", out, "--full"]),
        (0, &["digest", "--tables", out]),
        (3, &["verify", "--tables", "no such folder"]),
        (2, &["probe", "--tables", out, "--rules", "five", "--fen", "no position"]),
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let status = tables::generator().args(command).stderr(full).output().unwrap().status;
        assert_eq!(status.code(), Some(code), "{command:?}");
    }
    assert_eq!(tables_in(Path::new(out)).len(), 9);
}

/// The work is done all the same, but whoever waited for its progress is told.
#[cfg(target_os = "linux")]
#[test]
fn progress_that_cannot_be_written_is_told() {
    let (out, to) = (folder(), folder());
    let (out, to) = (text(out.path()), text(to.path()));
    for command in [
        &["solve", "--rules", "five", "--phase", "moving", "--out", out][..],
        &["verify", "--tables", out],
        &["pack", "--tables", out, "--to", to],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut process = tables::generator();
        let process = process.args(command).args(["--progress", "jsonl"]).stdout(full);
        let output = process.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.starts_with("tablebase-gen: stdout: "), "{command:?}: {said}");
    }
    assert_eq!(tables_in(Path::new(out)).len(), 9);
    expect(0, &["check", "--tables", to]);
}

#[test]
fn plans_for_workflow_engines() {
    let plan = |format: &str| {
        let arguments =
            ["plan", "--rules", "five", "--phase", "moving", "--out", "t", "--format", format];
        expect(0, &arguments).0
    };
    let text = plan("text");
    assert!(text.contains("5-4") && text.contains("all 6"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&plan("json")).unwrap();
    assert_eq!(json["units"][1]["unit"], "4-3");
    assert_eq!(json["units"][1]["depends_on"][0], "3-3");
    assert!(json["seconds"].as_f64().unwrap() > 0.0);
    let snakemake = plan("snakemake");
    assert!(snakemake.contains("rule unit_5_4:") && snakemake.contains("t/five-5-4.mrg"));
    let make = plan("make");
    assert!(make.contains("$(OUT)/five-5-4.mrg $(OUT)/five-4-5.mrg &: "), "{make}");
}

#[test]
fn a_makefile_solves_the_game() {
    let out = folder();
    let arguments = ["plan", "--rules", "five", "--phase", "moving", "--format", "make"];
    let (makefile, _) = expect(0, &arguments);
    let path = out.path().join("plan.mk");
    fs::write(&path, makefile).unwrap();
    let version = std::process::Command::new("make").arg("--version").output();
    let new_enough = version.is_ok_and(|v| {
        let text = String::from_utf8_lossy(&v.stdout).into_owned();
        let number = text.lines().next().and_then(|l| l.strip_prefix("GNU Make "));
        number.and_then(|n| n.parse::<f32>().ok()).is_some_and(|n| n >= 4.3)
    });
    if !new_enough {
        eprintln!("skipped: there is no GNU make 4.3");
        return;
    }
    let status = std::process::Command::new("make")
        .args(["-j2", "-f", text(&path), "OUT=made"])
        .arg(format!("TABLEBASE_GEN={}", env!("CARGO_BIN_EXE_tablebase-gen")))
        .current_dir(out.path())
        .output()
        .unwrap();
    assert!(status.status.success(), "{status:?}");
    let made = out.path().join("made");
    assert_eq!(tables_in(&made).len(), 9);
    expect(0, &["verify", "--tables", text(&made), "--rules", "five"]);
}

#[test]
fn a_reader_that_stops_is_no_error() {
    let out = solved("five", &["--phase", "moving"]);
    let mut child = tables::generator()
        .args(["stats", "--tables", text(out.path()), "--json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert!(generate(&["--version"]).status.success());
}
