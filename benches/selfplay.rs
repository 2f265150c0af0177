//! The program against itself over pipes, in all games, with a referee of its own: how many games
//! end how, and whether a turn was ever illegal, late or missing.

#[path = "../tests/support/dice.rs"]
mod dice;
#[path = "../tests/support/driver.rs"]
mod driver;

use clap::Parser;
use dice::Dice;
use driver::{Driver, field};
use millrace_engine::{Game, rules::PRESETS};
use std::{
    collections::BTreeMap,
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

#[derive(Parser)]
struct Flags {
    /// Games to be played, spread evenly over the presets
    #[arg(long, default_value_t = 2000)]
    games: usize,
    /// Milliseconds for each turn
    #[arg(long, default_value_t = 5)]
    move_time: u64,
    /// Milliseconds by which an answer may be late (the option Move Overhead)
    #[arg(long, default_value_t = 10)]
    overhead: u64,
    /// Games at a time
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// Random turns at the beginning of a game: up to so many
    #[arg(long, default_value_t = 6)]
    random: usize,
    /// Seed of the random turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// Longer games than this would be a fault of the rules: every game has its draws.
const LONGEST: usize = 2000;

#[derive(Default)]
struct Tally {
    /// Endings by preset.
    endings: BTreeMap<(usize, String), usize>,
    turns: usize,
    times: Vec<Duration>,
    illegal: Vec<String>,
    broken: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (ending, count) in other.endings {
            *self.endings.entry(ending).or_default() += count;
        }
        self.turns += other.turns;
        self.times.extend(other.times);
        self.illegal.extend(other.illegal);
        self.broken.extend(other.broken);
    }
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    let next = AtomicUsize::new(0);
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let work = || {
            let mut tally = Tally::default();
            let mut engine = ready(&flags);
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= flags.games {
                    return tally;
                }
                if let Err(fault) = play(&mut engine, number, &flags, &mut tally) {
                    tally.broken.push(format!("game {number}: {fault}"));
                    engine = ready(&flags);
                }
            }
        };
        let workers: Vec<_> = (0..flags.workers.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            tally.add(worker.join().expect("the referee does not fail"));
        }
    });
    report(&flags, tally)
}

fn ready(flags: &Flags) -> Driver {
    let mut engine = Driver::start();
    engine.tell(&format!("setoption name Move Overhead value {}", flags.overhead));
    engine
}

/// Plays a game to its end. The error says how the program failed to answer.
fn play(
    engine: &mut Driver,
    number: usize,
    flags: &Flags,
    tally: &mut Tally,
) -> Result<(), String> {
    let preset_number = number % PRESETS.len();
    let preset = &PRESETS[preset_number];
    let mut dice = Dice::new(flags.seed.wrapping_add(number as u64));
    let mut game = Game::new(preset.rules);
    let mut line = String::from("position startpos moves");
    for _ in 0..dice.below(flags.random + 1) {
        let turns = game.position().turns(game.rules());
        if game.outcome().is_over() || turns.is_empty() {
            break;
        }
        let turn = *dice.pick(&turns);
        line += &format!(" {}", turn.on(game.rules().board()));
        game.play(turn);
    }
    let start = format!("setoption name UCI_Variant value {}\nucinewgame\n", preset.name);
    engine.try_send(start.as_bytes()).map_err(|e| e.to_string())?;
    while !game.outcome().is_over() && game.turns().len() < LONGEST {
        let ask = format!("{line}\nisready\n");
        engine.try_send(ask.as_bytes()).map_err(|e| e.to_string())?;
        answer(engine, "readyok")?;
        let clock = Instant::now();
        let go = format!("go movetime {}\n", flags.move_time);
        engine.try_send(go.as_bytes()).map_err(|e| e.to_string())?;
        let best = answer(engine, "bestmove")?;
        tally.times.push(clock.elapsed());
        tally.turns += 1;
        let turn = field(&best, "bestmove").unwrap_or_default();
        if let Err(why) = game.play_text(turn) {
            tally.illegal.push(format!("game {number}, {}: {best}: {why}; {line}", preset.name));
            return Ok(());
        }
        line += &format!(" {turn}");
    }
    *tally.endings.entry((preset_number, game.outcome().to_string())).or_default() += 1;
    Ok(())
}

/// Waits for a line with this beginning. An error line in between is a fault.
fn answer(engine: &mut Driver, prefix: &str) -> Result<String, String> {
    loop {
        let line = engine.try_line().map_err(|e| e.to_string())?;
        if line.starts_with("info string error") {
            return Err(line);
        }
        if line.starts_with(prefix) {
            return Ok(line);
        }
    }
}

fn report(flags: &Flags, mut tally: Tally) -> ExitCode {
    for (number, preset) in PRESETS.iter().enumerate() {
        let endings: Vec<String> = tally
            .endings
            .iter()
            .filter(|((n, _), _)| *n == number)
            .map(|((_, ending), count)| format!("{count} {ending}"))
            .collect();
        println!("{:<11} {}", preset.name, endings.join(", "));
    }
    for line in tally.illegal.iter().chain(&tally.broken) {
        println!("{line}");
    }
    let allowed = Duration::from_millis(flags.move_time + flags.overhead);
    let late = tally.times.iter().filter(|time| **time > allowed).count();
    tally.times.sort();
    let worst = tally.times.last().map_or(0.0, |time| time.as_secs_f64() * 1e3);
    let usual = tally.times.get(tally.times.len() / 2).map_or(0.0, |t| t.as_secs_f64() * 1e3);
    let finished: usize = tally.endings.values().sum();
    println!("{finished} of {} games finished, {} turns", flags.games, tally.turns);
    println!("{} illegal turns, {} failures", tally.illegal.len(), tally.broken.len());
    println!(
        "{late} answers later than {} + {} ms; median {usual:.2} ms, worst {worst:.2} ms",
        flags.move_time, flags.overhead
    );
    ExitCode::from(u8::from(finished < flags.games || late > 0))
}
