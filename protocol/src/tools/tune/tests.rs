//! Tuning on a small game whose tables are part of the program.

use super::*;
use millrace_engine::eval::Weights;

fn settings() -> Settings {
    Settings {
        aim: Aim::Weights,
        rules: Rules::parse("six").expect("a preset"),
        folders: Vec::new(),
        table_mib: 64,
        parts: Part::ALL.to_vec(),
        positions: 20_000,
        games: 40,
        nodes: 200,
        seed: 5,
        search: search::Settings { hash_mib: 1, ..search::Settings::default() },
        out: None,
    }
}

#[test]
fn a_seed_repeats_itself() {
    let settings = Settings { positions: 6_000, ..settings() };
    let text = run(&settings).expect("it runs");
    // Neither threads nor the level that the user plays at are the games' business.
    let search = search::Settings { threads: 2, skill_level: 3, ..settings.search.clone() };
    assert_eq!(run(&Settings { search, ..settings.clone() }).expect("it runs"), text);
    let other = run(&Settings { seed: 6, ..settings }).expect("it runs");
    assert_ne!(other, text);
}

#[test]
fn positions_kept_back_surprise_less() {
    let settings = settings();
    let tables = Tables::new(settings.rules, &[], 64 << 20);
    let lesson = gather(&settings, &tables).expect("there are tables");
    let untaught = Weights::default();
    let (weights, _) = fit(&settings.rules, &lesson.learnt);
    let [before, after] = [&untaught, &weights].map(|weights| {
        let evaluator = Evaluator::with_weights(&settings.rules, weights);
        loss(&lesson.kept_back, |s| evaluator.value(&s.position))
    });
    assert!((before - std::f64::consts::LN_2).abs() < 1e-3, "{before}");
    assert!(after < 0.9 * before, "{before} {after}");
}

#[test]
fn samples_are_as_the_tables_say() {
    let settings = settings();
    let tables = Tables::new(settings.rules, &[], 64 << 20);
    for part in [Part::Moving, Part::Placing] {
        let drawn = draw(&tables, part, 500, 1, &|_| {});
        assert!(drawn.len() > 300, "{}", drawn.len());
        for sample in drawn {
            assert_eq!(sample.position.is_moving_phase(), part == Part::Moving);
            let value = tables.value(&sample.position).expect("it is known");
            let possible = [sample::target(value), sample::usual_target(value.wdl)];
            assert!(possible.contains(&sample.target), "{sample:?} {value:?}");
        }
    }
}

#[test]
fn a_network_that_would_not_be_used_is_refused() {
    let out = Some(std::env::temp_dir().join("never-written.net"));
    for name in ["lasker", "six", "eleven", "nine-nofly"] {
        let rules = Rules::parse(name).expect("a preset");
        let aim = Aim::Network { epochs: 1 };
        let error = run(&Settings { aim, rules, out: out.clone(), ..settings() });
        let error = error.expect_err("there is no network").to_string();
        assert!(error.contains("would not use one") && error.contains(name), "{error}");
    }
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let rules = Rules::parse("five").expect("a preset");
    let error = run(&Settings { rules, games: 0, ..settings() }).expect_err("no tables, no games");
    assert!(error.to_string().contains("no tables"), "{error}");
    let rules = Rules::parse("three").expect("a preset");
    assert!(run(&Settings { rules, ..settings() }).is_err());
}

#[test]
fn a_file_that_cannot_be_written_is_found_out_first() {
    let folder = std::env::temp_dir();
    for out in [folder.join("no-such-folder/weights.txt"), folder] {
        let error = run(&Settings { out: Some(out.clone()), positions: 0, games: 0, ..settings() });
        let error = format!("{:#}", error.expect_err("it cannot be written"));
        assert!(error.contains(&*out.to_string_lossy()), "{error}");
    }
}
