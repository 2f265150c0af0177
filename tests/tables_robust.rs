//! The generator under bad luck: killed, stopped, out of disk.

mod tables;

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Instant,
};
use tables::{expect, generator, text};

fn digests(folder: &Path) -> String {
    expect(0, &["digest", "--tables", text(folder), "--rules", "six"]).0
}

fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("the folder is there");
    files
        .map(|e| e.expect("it can be read").path())
        .filter(|p| p.extension().is_some_and(|e| e == "part"))
        .collect()
}

#[test]
fn killed_at_any_moment_it_goes_on() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let whole = folder.path().join("whole");
    let started = Instant::now();
    expect(0, &["solve", "--rules", "six", "--out", text(&whole)]);
    let all = started.elapsed();

    let torn = folder.path().join("torn");
    let arguments = ["solve", "--rules", "six", "--out", text(&torn), "--progress", "quiet"];
    let mut seed = u64::from(std::process::id());
    let mut kills = 0;
    while kills < 20 {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let wait = all.mul_f64((seed >> 40) as f64 / (1 << 24) as f64 / 4.0);
        let mut child = generator().args(arguments).spawn().expect("it can be started");
        thread::sleep(wait);
        let ended = child.try_wait().expect("it is our child");
        child.kill().expect("it can be killed");
        child.wait().expect("it is our child");
        match ended {
            None => kills += 1,
            // Done before all kills were: begin anew.
            Some(status) => {
                assert!(status.success());
                assert_eq!(digests(&torn), digests(&whole));
                fs::remove_dir_all(&torn).expect("it can be removed");
            }
        }
    }
    expect(0, &arguments);
    assert_eq!(unfinished(&torn), Vec::<PathBuf>::new());
    assert_eq!(digests(&torn), digests(&whole));
}

#[cfg(unix)]
#[test]
fn stopped_by_the_user_it_keeps_its_state() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = text(folder.path());
    let mut child = generator()
        .args(["solve", "--rules", "nine", "--max-stones", "14", "--out", out])
        .args(["--progress", "jsonl", "--threads", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut lines = lines.map(|l| l.expect("it is text"));
    let first = lines.find(|l| l.contains("unit_done")).expect("the first units are small");
    assert!(first.contains("3-3"), "{first}");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("there is kill").success());
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().expect("it is our child").code(), Some(130));
    assert!(rest.last().expect("there is an end").contains("stopped"), "{rest:?}");
    assert_eq!(unfinished(folder.path()), Vec::<PathBuf>::new());
    // What is there is whole, and is not done again.
    let (said, _) = expect(
        0,
        &[
            "solve",
            "--rules",
            "nine",
            "--max-stones",
            "6",
            "--out",
            out,
            "--check",
            "--progress",
            "jsonl",
        ],
    );
    assert!(said.contains("unit_skipped"), "{said}");
}

/// A small file system in memory, if this user may make one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(path: &Path, size: &str) -> Option<Self> {
        fs::create_dir_all(path).expect("a folder can be made");
        let option = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &option, "tmpfs", text(path)])
            .output()
            .is_ok_and(|o| o.status.success());
        mounted.then(|| Self(path.to_path_buf()))
    }

    fn grow(&self, size: &str) -> bool {
        let option = format!("remount,size={size}");
        let status = Command::new("mount").args(["-o", &option, text(&self.0)]).status();
        status.is_ok_and(|s| s.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A folder that is still mounted is only untidy.
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_stops_it_cleanly() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), "600k") else {
        eprintln!("skipped: this user may not mount file systems");
        return;
    };
    let arguments = ["solve", "--rules", "six", "--out", text(&disk.0), "--force"];
    let (_, said) = expect(5, &arguments[..5]);
    assert!(said.contains("are needed and") && said.contains("--max-stones"), "{said}");
    assert_eq!(fs::read_dir(&disk.0).expect("it is there").count(), 0, "nothing is left");
    for _ in 0..2 {
        let (_, said) = expect(5, &arguments);
        assert!(said.contains("needs about"), "{said}");
        assert_eq!(unfinished(&disk.0), Vec::<PathBuf>::new());
    }
    expect(0, &["verify", "--tables", text(&disk.0), "--rules", "six", "--max-stones", "6"]);
    assert!(disk.grow("20m"), "a tmpfs can grow");
    expect(0, &arguments);

    let whole = folder.path().join("whole");
    expect(0, &["solve", "--rules", "six", "--out", text(&whole)]);
    assert_eq!(digests(&disk.0), digests(&whole));
}
