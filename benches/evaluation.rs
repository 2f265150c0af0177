//! The value of a position at a glance: by the weights, and by the network where there is one.

mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use millrace_engine::eval::{Choice, Evaluator};
use std::hint::black_box;

fn evaluation(c: &mut Criterion) {
    for (name, rules, pos) in support::phases() {
        let mut group = c.benchmark_group(format!("evaluation/{name}"));
        for choice in [Choice::Weights, Choice::Network] {
            let evaluator = Evaluator::chosen(&rules, choice);
            if choice == Choice::Network && !evaluator.uses_network(&pos) {
                continue;
            }
            group.bench_function(choice.name(), |b| b.iter(|| evaluator.value(black_box(&pos))));
        }
        group.finish();
    }
}

criterion_group! { name = benches; config = support::short(); targets = evaluation }
criterion_main!(benches);
