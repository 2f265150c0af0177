//! Position and turn texts, in and out.

mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use millrace_engine::{
    Game, Rules,
    text::{fen, parse_position, parse_turn},
};
use std::hint::black_box;

const GAME: &str = include_str!("../tests/data/games/playok-numbered-as-algebraic.txt");

fn positions(c: &mut Criterion) {
    let nine = Rules::default();
    for (name, text) in [
        ("fen", "B2/WBW/W1B/1B2BW/1BW/1W1/W1B w 0 0 12 30"),
        ("gbgp", "w:wa1,d2,f6,g4:bb4,d5,e5,c3:20"),
        ("sanmill", "O**@*O**/*@**O**@/O****@** w m s 4 0 4 0 0 0 0 0 0 0 0 8 20 ids:nodes"),
    ] {
        let pos = parse_position(&nine, text).expect("the text is a position of nine");
        c.bench_function(&format!("text/position/{name}"), |b| {
            b.iter(|| parse_position(&nine, black_box(text)));
        });
        c.bench_function(&format!("text/fen/{name}"), |b| b.iter(|| fen(&nine, black_box(&pos))));
    }
}

fn turns(c: &mut Criterion) {
    for (name, rules, pos) in support::phases() {
        let text = pos.turns(&rules)[0].on(rules.board()).to_string();
        c.bench_function(&format!("text/turn/{name}"), |b| {
            b.iter(|| parse_turn(&rules, &pos, black_box(&text)));
        });
    }
    c.bench_function("text/game of 39 turns", |b| {
        b.iter(|| {
            let mut game = Game::new(Rules::default());
            let legal = GAME.split_whitespace().all(|turn| game.play_text(turn).is_ok());
            assert!(legal, "the game was played under these rules");
            game
        });
    });
}

fn rules(c: &mut Criterion) {
    c.bench_function("text/rules", |b| {
        b.iter(|| Rules::parse(black_box("morabaraba+removals=per-mill+fly=0")));
    });
    let nine = Rules::default();
    c.bench_function("text/fingerprint", |b| b.iter(|| black_box(&nine).fingerprint()));
}

criterion_group! { name = benches; config = support::short(); targets = positions, turns, rules }
criterion_main!(benches);
