//! Perft on one thread, with the last ply counted in bulk and made; elements are turn sequences.

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use millrace_engine::{
    Position, Rules,
    perft::{LastPly, perft},
    rules::PRESETS,
};
use std::hint::black_box;

/// The depth with about a million turn sequences or more.
fn depth(rules: &Rules, pos: &Position) -> u32 {
    (1..12).find(|d| perft(rules, pos, *d, LastPly::Bulk) > 500_000).unwrap_or(1)
}

fn measure(c: &mut Criterion, group: &str, name: &str, rules: &Rules, pos: &Position) {
    let depth = depth(rules, pos);
    let mut group = c.benchmark_group(group);
    group.throughput(Throughput::Elements(perft(rules, pos, depth, LastPly::Bulk)));
    for last in [LastPly::Bulk, LastPly::Made] {
        let id = BenchmarkId::new(name, format!("{last:?}"));
        group.bench_function(id, |b| b.iter(|| perft(rules, black_box(pos), depth, last)));
    }
    group.finish();
}

fn perft_of_presets(c: &mut Criterion) {
    for preset in PRESETS {
        let start = Position::start(&preset.rules);
        measure(c, "perft/start", preset.name, &preset.rules, &start);
    }
}

fn perft_of_phases(c: &mut Criterion) {
    for (name, rules, pos) in support::phases() {
        measure(c, "perft/phase", name, &rules, &pos);
    }
}

criterion_group! { name = benches; config = support::short(); targets = perft_of_presets, perft_of_phases }
criterion_main!(benches);
