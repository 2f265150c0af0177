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
    signal(child, "-INT");
}

#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().expect("there is kill").success());
}

/// Waits until a child has finished a unit; returns what it said of that, and what it says then.
#[cfg(unix)]
fn first_unit(child: &mut Child) -> (String, impl Iterator<Item = String> + use<>) {
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut lines = lines.map(|l| l.expect("it is text"));
    let first = lines.find(|l| l.contains("unit_done")).expect("the first units are small");
    (first, lines)
}

#[cfg(unix)]
#[test]
fn what_is_to_outlive_its_terminal_does() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
        .arg(generator().get_program())
        .args(["solve", "--rules", "nine", "--max-stones", "11", "--out", text(folder.path())])
        .args(["--progress", "jsonl", "--threads", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let (_, lines) = first_unit(&mut child);
    signal(&child, "-HUP");
    let rest = lines.last().expect("there is an end");
    assert_eq!(child.wait().expect("it is our child").code(), Some(0));
    assert!(rest.contains("done"), "{rest}");
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
    let (first, lines) = first_unit(&mut child);
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

/// Runs the generator in so many kilobytes of addresses; returns its exit code and what it complains of.
#[cfg(target_os = "linux")]
fn within(kilobytes: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$@\""), "sh"])
        .arg(generator().get_program())
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The least memory that is taken suffices, however many threads there are: each has messages of its own.
#[cfg(target_os = "linux")]
#[test]
fn the_least_memory_is_enough_for_many_threads() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let [deps, out] = ["deps", "out"].map(|name| folder.path().join(name));
    let (deps, out) = (text(&deps), text(&out));
    let solve = ["solve", "--rules", "nine", "--progress", "quiet"];
    expect(0, &[&solve[..], &["--max-stones", "8", "--threads", "1", "--out", deps]].concat());
    let unit = ["--unit", "6-3", "--deps", deps, "--out", out, "--threads", "8", "--memory"];
    let (_, said) = expect(5, &[&solve[..], &unit, &["1"]].concat());
    let least = said.split("--memory ").nth(1).and_then(|rest| rest.split([',', '\n']).next());
    let least: u64 = least.and_then(|n| n.trim().parse().ok()).unwrap_or_else(|| panic!("{said}"));
    let given = least.to_string();
    let arguments = [&solve[..], &unit, &[given.as_str()]].concat();
    let mut child = generator().args(&arguments).spawn().expect("it can be started");
    let mut most = 0;
    let status = loop {
        let told = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        most = most.max(peak.unwrap_or(0) * 1024);
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        thread::sleep(std::time::Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(0));
    assert!((1..=least * 1_000_000).contains(&most), "{most} bytes of {least} MB");
}

/// However much of it is allowed: what is large is refused by the exit code for that, and the unit, or the
/// table's file, is named.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_is_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = text(folder.path());
    let quiet = ["--progress", "quiet"];
    let solve = ["solve", "--rules", "nine", "--out", out, "--memory", "4000", "--threads", "1"];
    expect(0, &[&solve[..], &["--max-stones", "9"], &quiet].concat());
    let all = [&solve[..], &["--sectors", "5-5"], &quiet].concat();
    for kilobytes in [60_000, 80_000, 100_000, 120_000] {
        let (code, said) = within(kilobytes, &all);
        assert_eq!(code, Some(5), "{kilobytes} kB: {said}");
        assert!(said.contains("unit 5-5: the system refuses"), "{kilobytes} kB: {said}");
        assert!(said.contains("ulimit -v") && said.contains("--memory"), "{said}");
    }
    expect(0, &all);
    let digest = ["digest", "--tables", out, "--sectors", "5-5", "--threads"];
    let (code, said) = within(40_000, &[&digest[..], &["1"]].concat());
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("nine-5-5.mrg: the system refuses"), "{said}");
    // Threads that are not started are done without, where that is possible, and told of where not.
    let (code, said) = within(120_000, &[&digest[..], &["500"]].concat());
    assert_eq!(code, Some(0), "{said}");
    let many = ["solve", "--rules", "nine", "--max-stones", "6", "--threads", "500", "--out"];
    let new = folder.path().join("new");
    let (code, said) = within(300_000, &[&many[..], &[text(&new), "--memory", "90000"]].concat());
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("does not start 500 threads") && said.contains("--threads"), "{said}");
}

/// What only Linux tells of a process.
#[cfg(target_os = "linux")]
mod first_moment {
    use super::{Path, PathBuf, digests, expect, generator, interrupt, text, unfinished};
    use std::{
        fs,
        io::{self, Read, Write},
        process::{Child, ExitStatus},
        sync::{
            Arc,
            atomic::{AtomicBool, AtomicUsize, Ordering},
        },
        thread,
        time::Duration,
    };

    /// A pipe into which nothing more goes: who writes to it waits.
    struct Full {
        reader: io::PipeReader,
        writer: io::PipeWriter,
        is_open: Arc<AtomicBool>,
    }

    impl Full {
        fn new() -> Self {
            let (reader, writer) = io::pipe().expect("a pipe can be made");
            let mut filler = writer.try_clone().expect("it has two ends");
            let (written, is_open) =
                (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
            let (counted, ends) = (written.clone(), is_open.clone());
            thread::spawn(move || {
                while !ends.load(Ordering::Relaxed) && filler.write(b" ").is_ok() {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            });
            let mut before = 0;
            loop {
                thread::sleep(Duration::from_millis(50));
                let now = written.load(Ordering::Relaxed);
                if now > 0 && now == before {
                    return Self { reader, writer, is_open };
                }
                before = now;
            }
        }

        fn end(&self) -> io::PipeWriter {
            self.writer.try_clone().expect("it has many ends")
        }

        /// Lets all that is written through, until nobody writes any more.
        fn open(self) {
            let Self { mut reader, writer, is_open } = self;
            is_open.store(true, Ordering::Relaxed);
            drop(writer);
            reader.read_to_end(&mut Vec::new()).expect("it can be read");
        }
    }

    fn ended(child: &mut Child) -> Option<ExitStatus> {
        child.try_wait().expect("it is our child")
    }

    /// Waits until a process answers Ctrl-C itself, or has ended.
    fn wait_until_it_listens(child: &mut Child) {
        for _ in 0..6000 {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
            let status = status.unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            if caught.is_some_and(|mask| mask >> 1 & 1 == 1) || ended(child).is_some() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
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
            let spawned = generator().args(command).stderr(full.end()).spawn();
            let mut child = spawned.expect("it can be started");
            wait_until_it_listens(&mut child);
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
        full.open();
    }

    /// Held up at its first output, so that it cannot be done before it is stopped, each command that
    /// writes or checks ends at the next safe point, and goes on when it is run again.
    #[test]
    fn stopped_early_it_leaves_nothing_half_done() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| text(&folder.path().join(name)).to_string();
        let [solved, packed, archives, to] = ["solved", "packed", "archives", "to"].map(path);
        let quiet = ["--progress", "quiet"];
        let solve = ["solve", "--rules", "six", "--max-stones", "7", "--phase", "moving", "--out"];
        expect(0, &[&solve[..], &[&solved], &quiet].concat());
        let pack = ["pack", "--tables", &solved, "--to"];
        expect(0, &[&pack[..], &[&packed], &quiet].concat());
        expect(0, &[&pack[..], &[&archives, "--archive"], &quiet].concat());
        let lines = ["--progress", "jsonl"];
        let commands: [&[&str]; 7] = [
            &[&solve[..], &[&to], &lines].concat(),
            &[&["verify", "--tables", &solved], &lines[..]].concat(),
            &[&pack[..], &[&to], &lines].concat(),
            &[&pack[..], &[&to, "--archive"], &lines].concat(),
            &["unpack", "--tables", &packed, "--to", &to],
            &["unpack", "--tables", &archives, "--to", &to],
            &["check", "--tables", &packed, "--against", &solved],
        ];
        let whole = digests(Path::new(&solved));
        for command in commands {
            let full = Full::new();
            let mut process = generator();
            process.args(command).args(["--threads", "1"]).stdout(full.end());
            let mut child = process.spawn().expect("it can be started");
            // The command has an end of the pipe too.
            drop(process);
            wait_until_it_listens(&mut child);
            thread::sleep(Duration::from_millis(100));
            interrupt(&child);
            thread::sleep(Duration::from_millis(100));
            full.open();
            let status = child.wait().expect("it is our child");
            assert_eq!(status.code(), Some(130), "{command:?}");
            if Path::new(&to).exists() {
                assert_eq!(unfinished(Path::new(&to)), Vec::<PathBuf>::new());
            }
            expect(0, command);
            if Path::new(&to).exists() {
                if ["solve", "unpack"].contains(&command[0]) && !command.contains(&&archives[..]) {
                    assert_eq!(digests(Path::new(&to)), whole, "{command:?}");
                }
                fs::remove_dir_all(&to).expect("it can be removed");
            }
        }
    }
}
