//! How soon the real program answers: `isready` and `stop` during a search on all threads, and the
//! handshake of a fresh process; and what memory it takes. Times are those that a driver on the
//! other side of a pipe sees.

#[path = "../tests/support/driver.rs"]
mod driver;

use clap::Parser;
use driver::Driver;
use std::{
    thread,
    time::{Duration, Instant},
};

#[derive(Parser)]
struct Flags {
    /// Answers of each kind to be timed
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,
    /// Threads that search; 0 = one a core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=512))]
    threads: u16,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let flags = Flags::parse();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = if flags.threads == 0 { cores } else { usize::from(flags.threads) };
    println!("{cores} cores, {threads} threads that search, {} samples of each", flags.samples);

    show("start to uciok", (0..flags.samples).map(|_| handshake()).collect());

    let mut engine = Driver::start();
    engine.tell("setoption name Hash value 16");
    engine.send("go movetime 1000");
    engine.wait_for("bestmove");
    match resident(engine.id()) {
        Some(kib) => println!("resident after a search, Hash 16: {:.1} MiB", kib as f64 / 1024.0),
        None => println!("resident after a search, Hash 16: not known on this system"),
    }

    engine.tell(&format!("setoption name Threads value {threads}"));
    engine.send("go infinite");
    engine.wait_for("info");
    let samples = (0..flags.samples).map(|number| {
        pause(number);
        timed(&mut engine, "isready", "readyok")
    });
    show("isready to readyok during a search", samples.collect());
    engine.send("stop");
    engine.wait_for("bestmove");

    let samples = (0..flags.samples).map(|number| {
        engine.send("go infinite");
        engine.wait_for("info");
        pause(number);
        timed(&mut engine, "stop", "bestmove")
    });
    show("stop to bestmove", samples.collect());
}

/// Lets the search get somewhere, and not always to the same point.
fn pause(number: u32) {
    thread::sleep(Duration::from_micros(5_000 + 997 * u64::from(number % 20)));
}

fn timed(engine: &mut Driver, question: &str, answer: &str) -> Duration {
    let start = Instant::now();
    engine.send(question);
    engine.wait_for(answer);
    start.elapsed()
}

fn handshake() -> Duration {
    let start = Instant::now();
    let mut engine = Driver::start();
    engine.send("uci");
    engine.wait_for("uciok");
    start.elapsed()
}

/// Resident memory in KiB, where the system tells.
fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn show(what: &str, mut samples: Vec<Duration>) {
    samples.sort();
    let millis = |permille: usize| {
        let place = (samples.len() * permille).div_ceil(1000).clamp(1, samples.len());
        samples[place - 1].as_secs_f64() * 1e3
    };
    println!(
        "{what}: median {:.2} ms, 99th percentile {:.2} ms, worst {:.2} ms",
        millis(500),
        millis(990),
        millis(1000)
    );
}
