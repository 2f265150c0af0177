//! Runs the real program in a folder of its own, and reads what it leaves behind.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const MILLRACE: &str = env!("CARGO_BIN_EXE_millrace");

/// Far longer than anything takes here; only a program that hangs meets it.
const GUARD: Duration = Duration::from_secs(120);

/// A folder in which matches are played.
pub struct Place {
    folder: TempDir,
    /// Told to every scripted engine, so that its process can be found.
    tag: String,
}

/// What a match said.
pub struct Outcome {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let tag = format!("tag={}-{number}", std::process::id());
        Self { folder: tempfile::tempdir().expect("a folder"), tag }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("it can be written");
    }

    /// Writes a file into a folder, which is made if need be.
    pub fn write_in(&self, folder: &str, name: &str, text: &str) {
        fs::create_dir_all(self.path(folder)).expect("a folder");
        fs::write(self.path(folder).join(name), text).expect("it can be written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }

    /// `--engine` for a scripted engine: its name, what it does, and further keys.
    pub fn scripted(&self, name: &str, script: &str, keys: &str) -> String {
        let own = std::env::current_exe().expect("this program has a path");
        let tag = &self.tag;
        format!("'cmd={}' name={name} 'args=engine {tag} {script}' {keys}", own.display())
    }

    /// `--engine` for this project's own engine. It goes without tables, by which small games would
    /// be played perfectly at any limit.
    pub fn millrace(name: &str, keys: &str) -> String {
        Self::millrace_with_tables(name, &format!("option.TablebaseProbeDepth=100 {keys}"))
    }

    /// [`millrace`](Self::millrace) with the tables that it carries.
    pub fn millrace_with_tables(name: &str, keys: &str) -> String {
        format!("'cmd={MILLRACE}' name={name} option.Hash=1 {keys}")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(MILLRACE);
        command.current_dir(self.folder.path()).args(args).stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, args: &[&str]) -> Outcome {
        let Output { status, stdout, stderr } =
            self.command(args).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Outcome { status, stdout: text(stdout), stderr: text(stderr) }
    }

    /// Plays a match that succeeds. Nothing of it is left behind.
    pub fn play(&self, engines: &[&str], args: &[&str]) -> Outcome {
        let outcome = self.play_anyhow(engines, args);
        assert_eq!(outcome.status.code(), Some(0), "{}", outcome.stderr);
        outcome
    }

    /// Plays a match that may fail.
    pub fn play_anyhow(&self, engines: &[&str], args: &[&str]) -> Outcome {
        let outcome = self.run(&Self::arguments(engines, args));
        assert_eq!(self.engines_left(), [0; 0], "{}", outcome.stderr);
        outcome
    }

    /// Starts a match.
    pub fn start(&self, engines: &[&str], args: &[&str]) -> Child {
        let mut command = self.command(&Self::arguments(engines, args));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts")
    }

    /// Starts a match as `nohup` does.
    #[cfg(unix)]
    pub fn start_to_outlive(&self, engines: &[&str], args: &[&str]) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", MILLRACE]);
        command.args(Self::arguments(engines, args)).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("there is a shell")
    }

    /// Starts the program to read what it says.
    pub fn start_heard(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    fn arguments<'a>(engines: &[&'a str], args: &[&'a str]) -> Vec<&'a str> {
        let engines = engines.iter().flat_map(|engine| ["--engine", engine]);
        ["match"].into_iter().chain(engines).chain(args.iter().copied()).collect()
    }

    /// Plays a match and returns its report.
    pub fn report(&self, engines: &[&str], args: &[&str]) -> serde_json::Value {
        let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        let outcome = self.play(engines, &args);
        serde_json::from_str(&outcome.stdout).expect("JSON")
    }

    /// The games in a state, a value each.
    pub fn games(&self, state: &str) -> Vec<serde_json::Value> {
        let text = self.read(state);
        let lines = text.lines().skip(1);
        lines.map(|line| serde_json::from_str(line).expect("a whole line")).collect()
    }

    /// The process numbers of scripted engines of this place that are alive.
    pub fn engines(&self) -> Vec<u32> {
        let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
        let is_ours = |id: &u32| {
            let folder = Path::new("/proc").join(id.to_string());
            let words = fs::read(folder.join("cmdline")).unwrap_or_default();
            words.split(|b| *b == 0).any(|word| word == self.tag.as_bytes())
        };
        processes
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter(is_ours)
            .collect()
    }

    /// The same, once there has been time for them to end.
    pub fn engines_left(&self) -> Vec<u32> {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let left = self.engines();
            if left.is_empty() || Instant::now() > end {
                return left;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Waits until something is so.
pub fn wait_until(what: impl Fn() -> bool) {
    let end = Instant::now() + GUARD;
    while !what() {
        assert!(Instant::now() < end, "it never happens");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for the end of a process.
pub fn wait(child: &mut Child) -> ExitStatus {
    let end = Instant::now() + GUARD;
    loop {
        if let Some(status) = child.try_wait().expect("it is ours") {
            return status;
        }
        assert!(Instant::now() < end, "the program does not end");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal by name.
#[cfg(unix)]
pub fn signal(child: &Child, name: &str) {
    let command = format!("kill -{name} {}", child.id());
    let status = Command::new("sh").args(["-c", &command]).status().expect("a shell");
    assert!(status.success());
}

/// The number at a path of keys.
pub fn number(value: &serde_json::Value, path: &str) -> f64 {
    value.pointer(path).and_then(|v| v.as_f64()).unwrap_or_else(|| panic!("{path} in {value:#}"))
}

/// What depends on nothing but the results of the games: a report without times and ends.
pub fn results(report: &serde_json::Value) -> serde_json::Value {
    let mut results = report.clone();
    if let Some(map) = results.as_object_mut() {
        map.remove("seconds");
        map.remove("end");
    }
    results
}
