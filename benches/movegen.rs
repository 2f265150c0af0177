//! Turns: listed, counted, and made.

mod support;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millrace_engine::perft::{LastPly, perft};
use std::hint::black_box;

fn movegen(c: &mut Criterion) {
    for (name, rules, pos) in support::phases() {
        let turns = pos.turns(&rules);
        let mut group = c.benchmark_group(format!("movegen/{name}"));
        group.throughput(Throughput::Elements(turns.len() as u64));
        group.bench_function("list", |b| b.iter(|| black_box(&pos).turns(&rules)));
        group.bench_function("count", |b| {
            b.iter(|| perft(&rules, black_box(&pos), 1, LastPly::Bulk))
        });
        group.bench_function("make", |b| {
            b.iter(|| turns.iter().fold(0, |keys, turn| keys ^ black_box(&pos).after(*turn).key()));
        });
        group.bench_function("outcome", |b| b.iter(|| black_box(&pos).outcome(&rules)));
        group.finish();
    }
}

criterion_group! { name = benches; config = support::short(); targets = movegen }
criterion_main!(benches);
