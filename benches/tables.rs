//! How long a look-up takes: with its block in the cache, and with the block still to be decoded from
//! a file that the system has in memory.
//!
//! `cargo bench --bench tables -- --tables DIR --rules nine --sectors 8-8,8-7,9-8`; without a folder,
//! the program's own tables are measured.

use clap::Parser;
use millrace_engine::{Color, Outcome, Position, Rules, table::Tables};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

#[derive(Parser)]
struct Flags {
    /// Folders with published tables
    #[arg(long)]
    tables: Vec<PathBuf>,
    #[arg(long, default_value = "nine")]
    rules: Rules,
    /// Sectors, each measured with its twin
    #[arg(long, value_delimiter = ',', default_value = "5-4,4-4")]
    sectors: Vec<String>,
    /// Positions of each sector
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// Measure distances too
    #[arg(long)]
    distances: bool,
    /// What cargo adds
    #[arg(long, hide = true)]
    bench: bool,
}

/// Times in ascending order.
struct Times(Vec<Duration>);

impl Times {
    fn of(positions: &[Position], mut look_up: impl FnMut(&Position) -> bool) -> Self {
        let mut times = Vec::with_capacity(positions.len());
        for position in positions {
            let start = Instant::now();
            assert!(look_up(position), "a table is missing");
            times.push(start.elapsed());
        }
        times.sort();
        Self(times)
    }

    fn in_words(&self) -> String {
        let micros = |d: &Duration| d.as_secs_f64() * 1e6;
        let mean = self.0.iter().map(micros).sum::<f64>() / self.0.len() as f64;
        let at = |percent: usize| micros(&self.0[self.0.len() * percent / 100]);
        format!("mean {mean:8.2} us, median {:8.2}, 99th percentile {:8.2}", at(50), at(99))
    }
}

fn main() {
    let flags = Flags::parse();
    let rules = flags.rules;
    let mut seed = 1u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (seed >> 33) % n
    };
    let mut position = |own: u32, opponent: u32| loop {
        let mut sets = [0u32; 2];
        for (side, size) in [own, opponent].into_iter().enumerate() {
            while sets[side].count_ones() < size {
                let point = 1 << random(rules.board().points() as u64);
                sets[side] |= point & !(sets[0] | sets[1]);
            }
        }
        let made = Position::new(&rules, sets, [0; 2], Color::White);
        if let Some(made) = made.ok().filter(|p| p.outcome(&rules) == Outcome::Ongoing) {
            return made;
        }
    };
    // Enough for the blocks of one position, too little to meet those of another again.
    let cold = Tables::new(rules, &flags.tables, 1 << 20);
    let warm = Tables::new(rules, &flags.tables, 1 << 30);
    for name in &flags.sectors {
        let numbers: Vec<u32> = name.split('-').filter_map(|n| n.parse().ok()).collect();
        let [a, b] = numbers[..] else { panic!("'{name}' is not a sector such as 8-7") };
        let mut all = Vec::new();
        for (own, opponent) in [(a, b), (b, a)] {
            all.extend((0..flags.positions).map(|_| position(own, opponent)));
        }
        let wanted = all.len();
        all.retain(|p| warm.wdl(p).is_some());
        if all.len() < wanted {
            println!("{name}: {} of {wanted} need tables that are missing", wanted - all.len());
        }
        let (stored, derived): (Vec<Position>, Vec<Position>) =
            all.into_iter().partition(|p| cold.stores(p));
        for (kind, positions) in [("stored", stored), ("derived", derived)] {
            if positions.is_empty() {
                continue;
            }
            let times = Times::of(&positions, |p| cold.wdl(p).is_some());
            println!("{name} {kind:<8} cold {}", times.in_words());
            for round in 0..2 {
                let times = Times::of(&positions, |p| warm.wdl(p).is_some());
                if round == 1 {
                    println!("{name} {kind:<8} warm {}", times.in_words());
                }
            }
            if flags.distances {
                let times = Times::of(&positions, |p| cold.value(p).is_some());
                println!("{name} {kind:<8} cold, distances {}", times.in_words());
            }
        }
    }
    let faults = cold.take_faults();
    assert!(faults.is_empty(), "{faults:?}");
}
