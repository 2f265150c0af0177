//! The stages of the table generator's solver, on one thread; elements are cells, or messages.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use millrace_engine::{Rules, rules::PRESETS};
use millrace_tablebase_gen::{
    file::CellKind,
    plan::{Phase, Plan, Selection},
    sector::Unit,
    solve::{
        Instructions, Job, Stock, Watch, memory_wanted, solve_unit,
        stages::{LookUps, Stages},
    },
    tables::Tables,
};
use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

/// A unit that is large enough to be typical, and small enough to be solved often.
const UNIT: &str = "6-4";

struct Unwatched;

impl Watch for Unwatched {
    fn step(&self, _plies: Option<u32>, _decided: u64, _total: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

fn nine() -> Rules {
    PRESETS.iter().find(|p| p.name == "nine").expect("nine is a preset").rules
}

fn job<'a>(rules: &'a Rules, unit: Unit, stock: &'a Stock) -> Job<'a> {
    Job {
        rules,
        unit,
        threads: 1,
        memory: memory_wanted(rules, unit, 1),
        wdl_only: false,
        instructions: Instructions::detect(),
        stock,
    }
}

/// The tables that the unit needs, in memory, and the unit itself.
fn prepared(rules: &Rules, stock: &Stock) -> (Tables, Unit) {
    let sectors = vec![UNIT.parse().expect("a sector")];
    let plan = Plan::new(rules, Phase::Moving, &Selection::Sectors(sectors)).expect("a plan");
    let tables = Tables::new(*rules, CellKind::Distance, Vec::new());
    let (last, before) = plan.units.split_last().expect("some unit");
    for unit in before {
        let solved = solve_unit(&job(rules, *unit, stock), &tables, &Unwatched).expect("solved");
        solved.into_iter().for_each(|table| tables.keep(Arc::new(table)));
    }
    (tables, *last)
}

fn stages(c: &mut Criterion) {
    let (rules, stock) = (nine(), Stock::default());
    let (tables, unit) = prepared(&rules, &stock);
    let job = job(&rules, unit, &stock);
    let begin = |work: &mut dyn FnMut(&Stages)| {
        Stages::of(&job, &tables, &Unwatched, |stages| work(stages)).expect("there are threads");
    };
    let mut group = c.benchmark_group("solver");
    group.sample_size(10).measurement_time(Duration::from_secs(10));

    group.throughput(Throughput::Elements(unit.cells(rules.board())));
    group.bench_function(BenchmarkId::new("captures", UNIT), |b| {
        b.iter_custom(|times| {
            let mut spent = Duration::ZERO;
            for _ in 0..times {
                begin(&mut |stages| {
                    let started = Instant::now();
                    stages.captures().expect("the tables are there");
                    spent += started.elapsed();
                });
            }
            spent
        });
    });

    // The first two with much to do in each row, the others with little.
    for (name, plies) in [("wins", 3), ("losses", 4), ("late wins", 31), ("late losses", 32)] {
        let mut told = 0;
        begin(&mut |stages| told = up_to(stages, plies));
        group.throughput(Throughput::Elements(told));
        group.bench_function(BenchmarkId::new(format!("layer of {name}"), UNIT), |b| {
            b.iter_custom(|times| {
                let mut spent = Duration::ZERO;
                for _ in 0..times {
                    begin(&mut |stages| {
                        up_to(stages, plies);
                        let started = Instant::now();
                        stages.layer(plies);
                        spent += started.elapsed();
                    });
                }
                spent
            });
        });
    }
    group.finish();
}

/// Goes through all layers before one, and brings that one its messages; returns their number.
fn up_to(stages: &Stages, plies: u32) -> u64 {
    stages.captures().expect("the tables are there");
    stages.layer(0);
    for before in 1..plies {
        stages.tell(before);
        stages.layer(before);
    }
    stages.tell(plies)
}

fn look_ups(c: &mut Criterion) {
    let mut group = c.benchmark_group("solver");
    for sector in ["6-4", "8-8"] {
        let sector_of = sector.parse().expect("a sector");
        let look_ups = LookUps::new(nine().board(), sector_of).expect("there is memory");
        let mut ranks = Vec::new();
        group.throughput(Throughput::Elements(look_ups.indices.len() as u64));
        group.bench_function(BenchmarkId::new("ranks", sector), |b| {
            b.iter(|| look_ups.ranks(black_box(&look_ups.indices), &mut ranks));
        });
        group.throughput(Throughput::Elements(look_ups.sets.len() as u64));
        group.bench_function(BenchmarkId::new("symmetry class", sector), |b| {
            b.iter(|| look_ups.classes(black_box(&look_ups.sets)));
        });
    }
    group.finish();
}

criterion_group!(benches, look_ups, stages);
criterion_main!(benches);
