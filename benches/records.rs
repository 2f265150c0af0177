//! Game records: reading and writing.

#[allow(dead_code, reason = "each bench uses a part of it")]
mod support;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millrace_engine::{
    Game, Rules,
    text::record::{Entry, Record},
};
use std::{hint::black_box, time::Duration};

/// A file of games of about 60 turns each, with figures beside every turn as match runners write
/// them.
fn games(count: usize) -> String {
    let long = include_str!("../tests/data/games/columns-257.txt");
    let whole = Record::read_all(long, None).expect("a record").remove(0);
    let mut record = Record { moves: whole.moves[..60].to_vec(), ..Record::new(Rules::default()) };
    for entry in &mut record.moves {
        *entry = Entry {
            depth: Some(12),
            time: Some(Duration::from_millis(101)),
            ..Entry::from(entry.turn)
        };
    }
    record.to_string().repeat(count)
}

fn reading(c: &mut Criterion) {
    const GAMES: usize = 100;
    let native = games(GAMES);
    let mut playok = String::new();
    for record in Record::read_all(&native, None).expect("records") {
        record.write_playok(&mut playok).expect("a string takes all");
    }
    let mut group = c.benchmark_group("records");
    group.throughput(Throughput::Elements(GAMES as u64));
    for (name, text) in [("native", &native), ("playok", &playok)] {
        group.bench_function(format!("read 100 games of 60 turns/{name}"), |b| {
            b.iter(|| {
                let records = Record::read_all(black_box(text), None).expect("records");
                assert_eq!(records.len(), GAMES);
                records
            });
        });
    }
    let record =
        Record::from(&Record::read_all(&native, None).expect("records")[0].game() as &Game);
    group.throughput(Throughput::Elements(1));
    group.bench_function("write", |b| b.iter(|| black_box(&record).to_string()));
    group.finish();
}

criterion_group! { name = benches; config = support::short(); targets = reading }
criterion_main!(benches);
