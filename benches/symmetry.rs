//! Classes of positions under the symmetries of their board; elements are positions.

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use millrace_engine::{Game, Position, Rules, rules::PRESETS};
use std::hint::black_box;

/// The positions of one game in which turns are chosen by a fixed pattern.
fn positions_of_a_game(rules: Rules) -> Vec<Position> {
    let mut game = Game::new(rules);
    for ply in 0..200 {
        let turns = game.position().turns(&rules);
        if turns.is_empty() {
            break;
        }
        game.play(turns[ply * 7 % turns.len()]);
    }
    game.positions().to_vec()
}

fn classes(c: &mut Criterion) {
    let mut group = c.benchmark_group("symmetry");
    for preset in PRESETS.iter().filter(|p| ["nine", "seven", "six", "three"].contains(&p.name)) {
        let positions = positions_of_a_game(preset.rules);
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(BenchmarkId::new("class", preset.name), |b| {
            b.iter(|| {
                let keys = positions.iter().map(|p| black_box(p).class(&preset.rules).0.key());
                keys.fold(0, |all, key| all ^ key)
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    for (name, rules, pos) in support::phases() {
        group.bench_function(BenchmarkId::new("class", name), |b| {
            b.iter(|| black_box(&pos).class(&rules));
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = support::short(); targets = classes }
criterion_main!(benches);
