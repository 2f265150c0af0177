//! The generator under bad luck: killed, stopped, out of disk.

mod tables;

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
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

/// Sends what Ctrl-C sends.
#[cfg(unix)]
fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("there is kill").success());
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
    interrupt(&child);
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

/// Stopped as soon as there is something to see, a command leaves nothing half done.
#[cfg(unix)]
#[test]
fn every_command_that_writes_or_checks_stops_at_a_safe_point() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| text(&folder.path().join(name)).to_string();
    let (solved, packed, archives, to) =
        (path("solved"), path("packed"), path("archives"), path("to"));
    let quiet = ["--progress", "quiet"];
    let solve = ["solve", "--rules", "nine", "--out", &solved];
    expect(0, &[&solve[..], &["--max-stones", "8"], &quiet].concat());
    let pack = ["pack", "--tables", &solved, "--to"];
    expect(0, &[&pack[..], &[&packed, "--max-stones", "7"], &quiet].concat());
    expect(0, &[&pack[..], &[&archives, "--archive"], &quiet].concat());
    let lines = ["--threads", "1", "--progress", "jsonl"];
    let commands: [&[&str]; 6] = [
        &[&["verify", "--tables", &solved], &lines[..]].concat(),
        &[&pack[..], &[&to], &lines].concat(),
        &[&pack[..], &[&to, "--archive"], &lines].concat(),
        &["unpack", "--tables", &packed, "--to", &to, "--threads", "1"],
        &["unpack", "--tables", &archives, "--to", &to, "--threads", "1"],
        &["check", "--tables", &packed, "--against", &solved, "--threads", "1"],
    ];
    for command in commands {
        let spawned = generator().args(command).stdout(Stdio::piped()).spawn();
        let mut child = spawned.expect("it can be started");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        assert!(lines.next().is_some(), "{command:?}");
        interrupt(&child);
        lines.for_each(drop);
        let status = child.wait().expect("it is our child");
        assert_eq!(status.code(), Some(130), "{command:?}");
        if Path::new(&to).exists() {
            assert_eq!(unfinished(Path::new(&to)), Vec::<PathBuf>::new());
            fs::remove_dir_all(&to).expect("it can be removed");
        }
    }
}

/// What only Linux tells of a process.
#[cfg(target_os = "linux")]
mod first_moment {
    use super::{generator, interrupt};
    use std::{
        fs,
        io::{self, Write},
        process::Child,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
        thread,
        time::Duration,
    };

    /// A pipe into which nothing more goes: who writes to it waits.
    struct Full {
        _reader: io::PipeReader,
        writer: io::PipeWriter,
    }

    impl Full {
        fn new() -> Self {
            let (reader, writer) = io::pipe().expect("a pipe can be made");
            let mut filler = writer.try_clone().expect("it has two ends");
            let written = Arc::new(AtomicUsize::new(0));
            let counted = written.clone();
            // It ends when the reader is gone.
            thread::spawn(move || {
                while filler.write(b" ").is_ok() {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            });
            let mut before = 0;
            loop {
                thread::sleep(Duration::from_millis(50));
                let now = written.load(Ordering::Relaxed);
                if now > 0 && now == before {
                    return Self { _reader: reader, writer };
                }
                before = now;
            }
        }
    }

    /// Whether a process answers Ctrl-C itself.
    fn listens(pid: u32) -> bool {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught
            .is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|m| m >> 1 & 1 == 1))
    }

    /// Each command listens for Ctrl-C before it does anything: held up at the first thing that it has to
    /// say, a complaint about its flags, it ends with the exit code for that.
    #[test]
    fn stopped_at_its_first_moment_it_says_so() {
        let full = Full::new();
        let commands: [&[&str]; 11] = [
            &["solve", "--rules", "checkers", "--out", "nowhere"],
            &["plan", "--rules", "checkers"],
            &["verify", "--tables", "nowhere"],
            &["stats", "--tables", "nowhere"],
            &["probe", "--tables", "nowhere", "--fen", "x"],
            &["digest", "--tables", "nowhere"],
            &["pack", "--tables", "nowhere", "--to", "nowhere"],
            &["pack", "--tables", "nowhere", "--to", "nowhere", "--archive"],
            &["unpack", "--tables", "nowhere", "--to", "nowhere"],
            &["check", "--tables", "nowhere"],
            &["bundle", "nowhere", "--to", "nowhere"],
        ];
        for command in commands {
            let stderr = full.writer.try_clone().expect("it has many ends");
            let spawned = generator().args(command).stderr(stderr).spawn();
            let mut child = spawned.expect("it can be started");
            let ended = |child: &mut Child| child.try_wait().expect("it is our child");
            for _ in 0..6000 {
                if listens(child.id()) || ended(&mut child).is_some() {
                    break;
                }
                thread::sleep(Duration::from_millis(10));
            }
            // Where the work comes to safe points, the second one ends it at once.
            let status = loop {
                if let Some(status) = ended(&mut child) {
                    break status;
                }
                interrupt(&child);
                thread::sleep(Duration::from_millis(10));
            };
            assert_eq!(status.code(), Some(130), "{command:?}");
        }
    }
}
