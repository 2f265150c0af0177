//! What the user sees while a run goes on: a bar on a terminal, a log line a unit, or JSON lines.

use crate::sector::Unit;
use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use millrace_engine::text::counted;
use serde_json::{Value, json};
use std::{
    io::{self, IsTerminal, Write},
    sync::Mutex,
    time::{Duration, Instant},
};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProgressMode {
    /// A bar on stderr if it is a terminal, and a log line a unit.
    Auto,
    /// One JSON object a line on stdout, and nothing else there.
    Jsonl,
    /// Only what goes wrong.
    Quiet,
}

/// Progress of one run over many units.
pub struct Report {
    mode: ProgressMode,
    /// The word for what is done with a unit, such as `solved`.
    done_word: &'static str,
    bar: ProgressBar,
    total: u64,
    started: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    unit: Option<Unit>,
    unit_started: Option<Instant>,
    /// Cells of the units that are finished, and of those among them that took time.
    finished: u64,
    worked: u64,
    last_step: Option<Instant>,
    /// Why output failed first, unless its reader had gone away.
    refused: Option<io::Error>,
}

/// What is known of a finished unit.
pub struct UnitDone {
    /// The unit.
    pub unit: Unit,
    /// Its cells.
    pub cells: u64,
    /// Time that its work took.
    pub time: Duration,
    /// Bytes of its files, if some were written.
    pub bytes: Option<u64>,
    /// More to say in a log line.
    pub note: String,
}

impl Report {
    /// A report on units with `total` cells together.
    pub fn new(mode: ProgressMode, done_word: &'static str, total: u64) -> Self {
        let target = match mode {
            ProgressMode::Auto if io::stderr().is_terminal() => ProgressDrawTarget::stderr(),
            _ => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template("{bar:30} {percent:>3}% {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let started = Instant::now();
        Self { mode, done_word, bar, total, started, state: Mutex::default() }
    }

    /// Work on a unit begins.
    pub fn begin(&self, unit: Unit, cells: u64) {
        self.with_state(|s| {
            s.unit = Some(unit);
            s.unit_started = Some(Instant::now());
        });
        self.json("unit_started", || json!({"unit": unit.to_string(), "positions": cells}));
    }

    /// Of the current unit `done` of `total` positions are done; `plies` plies are if the work
    /// goes by plies.
    pub fn step(&self, plies: Option<u32>, done: u64, total: u64) {
        const PAUSE: Duration = Duration::from_millis(200);
        let now = Instant::now();
        let Some((unit, rate, left)) = self.with_state(|s| {
            if s.last_step.is_some_and(|last| now - last < PAUSE) {
                return None;
            }
            s.last_step = Some(now);
            let worked = s.worked + done;
            let rate = worked as f64 / (now - self.started).as_secs_f64().max(1e-3);
            let open = self.total.saturating_sub(s.finished + done);
            let left = (worked > 0).then(|| open as f64 / rate.max(1.0));
            self.bar.set_position(s.finished + done);
            Some((s.unit?, rate, left))
        }) else {
            return;
        };
        let memory = memory_used();
        let unit = unit.to_string();
        if self.mode == ProgressMode::Jsonl {
            self.json("step", || {
                json!({"unit": unit, "plies": plies, "done": done, "positions": total,
                    "positions_per_second": rate.round(), "memory_bytes": memory,
                    "seconds_left": left.map(f64::round)})
            });
        } else if !self.bar.is_hidden() {
            let plies = plies.map_or(String::new(), |p| format!(", ply {p}"));
            let left = left.map_or("?".to_string(), |seconds| {
                HumanDuration(Duration::from_secs_f64(seconds.min(1e9))).to_string()
            });
            self.bar.set_message(format!(
                "unit {unit}{plies}, {:.1} million positions/s, {} of memory, {left} left",
                rate / 1e6,
                HumanBytes(memory)
            ));
        }
    }

    /// A unit is finished.
    pub fn finish(&self, done: &UnitDone) {
        self.with_state(|s| {
            s.finished += done.cells;
            s.worked += done.cells;
            self.bar.set_position(s.finished);
        });
        let seconds = done.time.as_secs_f64();
        let rate = done.cells as f64 / seconds.max(1e-6);
        self.json("unit_done", || {
            json!({"unit": done.unit.to_string(), "positions": done.cells, "seconds": seconds,
                "positions_per_second": rate.round(), "bytes": done.bytes,
                "memory_bytes": memory_used()})
        });
        let bytes = done.bytes.map_or(String::new(), |b| format!(", {} on disk", HumanBytes(b)));
        self.log(&format!(
            "{} {}: {} in {seconds:.2} s, {:.1} million/s{bytes}{}",
            self.done_word,
            done.unit,
            counted(done.cells, "position"),
            rate / 1e6,
            done.note
        ));
    }

    /// A unit needs no work.
    pub fn skip(&self, unit: Unit, cells: u64) {
        self.with_state(|s| s.finished += cells);
        self.json("unit_skipped", || json!({"unit": unit.to_string(), "positions": cells}));
        self.log(&format!("{unit} is there already"));
    }

    /// A unit cannot be worked on, as has been told.
    pub fn fail(&self, unit: Unit, cells: u64) {
        self.with_state(|s| s.finished += cells);
        self.json("unit_failed", || json!({"unit": unit.to_string(), "positions": cells}));
    }

    /// The run is over.
    ///
    /// # Errors
    /// If some of what was to be written to stdout could not be.
    pub fn end(&self, word: &str) -> io::Result<()> {
        self.bar.finish_and_clear();
        let seconds = self.started.elapsed().as_secs_f64();
        let worked = self.with_state(|s| s.worked);
        self.json("end", || json!({"state": word, "positions": worked, "seconds": seconds}));
        self.log(&format!(
            "{word}: {} in {seconds:.1} s, {:.1} million/s",
            counted(worked, "position"),
            worked as f64 / seconds.max(1e-6) / 1e6
        ));
        self.with_state(|s| s.refused.take()).map_or(Ok(()), Err)
    }

    /// A line for people on stderr, above the bar.
    pub fn log(&self, line: &str) {
        if self.mode == ProgressMode::Auto {
            tell(&self.bar, line);
        }
    }

    /// A line about something that is wrong, on stderr in any mode.
    pub fn warn(&self, line: &str) {
        tell(&self.bar, format_args!("tablebase-gen: {line}"));
    }

    fn with_state<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        change(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn json(&self, event: &str, fields: impl FnOnce() -> Value) {
        if self.mode != ProgressMode::Jsonl {
            return;
        }
        let mut object = fields();
        object["event"] = event.into();
        // No reason to stop working, and of a reader that has gone away none to say anything.
        if let Err(error) = writeln!(io::stdout().lock(), "{object}")
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.with_state(|s| s.refused.get_or_insert(error).kind());
        }
    }
}

/// Writes a line to stderr, above the bar. If nobody reads it, there is nothing left to do about it.
fn tell(bar: &ProgressBar, line: impl std::fmt::Display) {
    let _ = bar.suspend(|| writeln!(io::stderr(), "{line}"));
}

/// Bytes of memory that this process holds now.
fn memory_used() -> u64 {
    let pid = Pid::from_u32(std::process::id());
    let mut system = System::new();
    let what = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, what);
    system.process(pid).map_or(0, sysinfo::Process::memory)
}
