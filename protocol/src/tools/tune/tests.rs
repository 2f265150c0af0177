//! Tuning on a small game whose tables are part of the program.

use super::*;
use millrace_engine::{eval::Weights, table::Sector};
use std::{collections::HashSet, fs};

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
        overwrite: false,
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

/// Few positions are none of one family, neither those that are learnt nor those kept back.
#[test]
fn few_positions_are_of_many_families() {
    let tables = Tables::new(settings().rules, &[], 64 << 20);
    for (part, count) in [(Part::Moving, 60), (Part::Moving, 600), (Part::Placing, 600)] {
        let drawn = draw(&tables, part, count, 3, &|_| {});
        assert_eq!(drawn.len(), count);
        let Lesson { learnt, kept_back } = Lesson::of(drawn);
        for samples in [learnt, kept_back] {
            let sectors: HashSet<Sector> =
                samples.iter().map(|sample| Sector::of(&sample.position)).collect();
            let rows: HashSet<u32> = samples.iter().map(|sample| sample.position.own()).collect();
            assert!(sectors.len() >= 4 && rows.len() >= 4, "{part:?} {count}: {sectors:?}");
        }
    }
}

#[test]
fn games_teach_what_is_asked_for() {
    for part in Part::ALL {
        let settings = Settings { parts: vec![part], positions: 0, games: 20, ..settings() };
        let tables = Tables::new(settings.rules, &[], 64 << 20);
        let Lesson { learnt, kept_back } = gather(&settings, &tables).expect("games are played");
        assert!(learnt.iter().chain(&kept_back).all(|s| Part::of(&s.position) == part));
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
    // What was asked for is told, and what is at hand only where that is the reason.
    let told = |settings| run(&settings).expect_err("it is too little").to_string();
    let nothing = Settings { positions: 0, games: 0, ..settings() };
    assert_eq!(told(nothing), "--positions 0 without --games leaves nothing to learn from");
    let few = told(Settings { positions: 4, games: 0, ..settings() });
    assert!(few.contains("positions found: 8") && !few.contains("tables"), "{few}");
    let two_phases = Settings {
        aim: Aim::Network { epochs: 1 },
        rules: Rules::default(),
        out: Some("never-written.net".into()),
        ..settings()
    };
    assert!(told(two_phases).contains("--phase"));
}

#[test]
fn a_file_is_replaced_only_if_that_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("weights.txt");
    fs::write(&out, "dear").expect("it can be written");
    let settings = Settings { out: Some(out.clone()), positions: 2_000, games: 0, ..settings() };
    let error = run(&settings).expect_err("it is there").to_string();
    assert!(error.contains("weights.txt exists already; --overwrite"), "{error}");
    assert_eq!(fs::read(&out).expect("it is there"), b"dear");
    let text = run(&Settings { overwrite: true, ..settings }).expect("it runs");
    assert_eq!(fs::read_to_string(&out).expect("it is there"), text);
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
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
