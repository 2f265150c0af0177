//! Rules texts: spellings, canonical form, fingerprint, and what is refused.

use crate::generated;
use millrace_engine::{
    Rules,
    rules::{OPTIONS, PRESETS},
};
use proptest::prelude::*;
use std::collections::HashMap;

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn spellings_of_the_same_rules_are_equal() {
    for (one, other) in [
        ("nine", "nine+fly=3"),
        ("nine", "NINE"),
        ("nine", " nine + Fly = 3 "),
        ("nine", "fly=3"),
        ("nine", "board=nine+stones=9"),
        ("nine-nofly", "nine+fly=0"),
        ("nine-nofly", "fly=0"),
        ("five", "six+stones=5"),
        ("five", "stones=5+board=six+fly=0"),
        ("six-fly", "six+fly=3"),
        ("morabaraba", "twelve+fly=3"),
        ("twelve", "eleven+stones=12"),
        ("twelve", "fly=0+stones=12+diagonals=yes"),
        ("lasker", "nine+MoveWhilePlacing=TRUE+Stones=10"),
        ("lasker", "nine+move_while_placing=1+stones=10"),
        ("tapatan", "three+diagonals=yes"),
        ("three", "tapatan+diagonals=no"),
        ("nine-holes", "three+fly=3"),
        ("nine+removals=per-mill+blocked=draw", "nine+blocked=DRAW+removals=Per-Mill"),
        ("nine+diagonals=yes", "six+diagonals=yes+board=nine+stones=9+fly=3"),
        ("six", "twelve+stones=6+board=six"),
    ] {
        assert_eq!(rules(one), rules(other), "{one} and {other}");
        assert_eq!(rules(one).canonical(), rules(other).canonical(), "{one} and {other}");
        assert_eq!(rules(one).fingerprint(), rules(other).fingerprint(), "{one} and {other}");
    }
}

#[test]
fn presets_are_read_back_from_every_form() {
    for preset in PRESETS {
        assert_eq!(rules(preset.name), preset.rules);
        assert_eq!(rules(&preset.rules.canonical()), preset.rules);
        assert_eq!(preset.rules.short_name(), preset.name);
        assert_eq!(preset.rules.preset().map(|p| p.name), Some(preset.name));
    }
}

#[test]
fn canonical_text_and_fingerprint_of_nine_are_fixed() {
    let canonical = "board=nine+diagonals=no+stones=9+fly=3+move_while_placing=no+removals=one\
                     +remove_from_mill=if-no-other+blocked=loses+board_full=draw+line_wins=no\
                     +repetition=3+no_mill_plies=100";
    assert_eq!(Rules::default().canonical(), canonical);
    // FNV-1a of that text by another program; tables and records carry it, so it may not change.
    assert_eq!(format!("{:016x}", Rules::default().fingerprint()), NINE_FINGERPRINT);
}

const NINE_FINGERPRINT: &str = "41bee85147d1a758";

#[test]
fn errors_name_the_option() {
    let presets = "presets are nine, nine-nofly, lasker, eleven, twelve, morabaraba, seven, six, \
                   six-fly, five, three, tapatan, nine-holes";
    let options = "options are board, diagonals, stones, fly, move_while_placing, removals, \
                   remove_from_mill, blocked, board_full, line_wins, repetition, no_mill_plies";
    let unknown = |text: &str| format!("unknown rules '{text}'; {presets}");
    let option = |text: &str| format!("unknown rule option '{text}'; {options}");
    for (text, error) in [
        ("", unknown("")),
        ("ten", unknown("ten")),
        ("ten+fly=0", unknown("ten")),
        ("ni\u{7}ne\n!", unknown("ni?ne?!")),
        (&"n".repeat(100_000), unknown(&format!("{}…", "n".repeat(40)))),
        ("nine+", option("")),
        ("nine+six", option("six")),
        ("nine+flie=0", option("flie")),
        ("nine+=0", option("")),
        ("nine+fly=2", "rule option fly cannot be '2'; it takes 0, 3 to 4".into()),
        ("nine+fly", "rule option fly needs a value: fly=…; it takes 0, 3 to 4".into()),
        ("nine+fly=", "rule option fly cannot be ''; it takes 0, 3 to 4".into()),
        ("nine+fly=+3", option("3")),
        ("nine+fly=-1", "rule option fly cannot be '-1'; it takes 0, 3 to 4".into()),
        ("nine+stones=2", "rule option stones cannot be '2'; it takes 3 to 12".into()),
        ("nine+stones=13", "rule option stones cannot be '13'; it takes 3 to 12".into()),
        (
            "nine+no_mill_plies=99999999999999999999",
            "rule option no_mill_plies cannot be '99999999999999999999'; it takes 0, 1 to 10000"
                .into(),
        ),
        ("nine+repetition=1", "rule option repetition cannot be '1'; it takes 0, 2 to 100".into()),
        (
            "nine+line_wins=maybe",
            "rule option line_wins cannot be 'maybe'; it takes no, yes".into(),
        ),
        (
            "nine+blocked=1",
            "rule option blocked cannot be '1'; it takes loses, passes, draw".into(),
        ),
        ("board=ten", "rule option board cannot be 'ten'; it takes nine, six, seven, three".into()),
        ("nine+fly=0+fly=0", "rule option fly is given twice".into()),
        ("nine+fly=0+Fly=3", "rule option fly is given twice".into()),
        ("six+diagonals=yes", "diagonals=yes does not go with board=six, which has none".into()),
        (
            "diagonals=yes+board=seven+stones=7",
            "diagonals=yes does not go with board=seven, which has none".into(),
        ),
        ("board=six", "stones=9 does not fit: board six has 16 points for 18 stones".into()),
        ("three+stones=5", "stones=5 does not fit: board three has 9 points for 10 stones".into()),
        ("seven+stones=9", "stones=9 does not fit: board seven has 17 points for 18 stones".into()),
    ] {
        assert_eq!(Rules::parse(text).map_err(|e| e.to_string()), Err(error), "{text}");
    }
}

#[test]
fn one_option_is_changed_or_nothing() {
    let nine = Rules::default();
    assert_eq!(nine.with("Fly", "0"), Ok(rules("nine-nofly")));
    assert_eq!(nine.with("diagonals", "yes"), Ok(rules("nine+diagonals=yes")));
    assert_eq!(nine.with("board", "six"), Rules::parse("nine+board=six"));
    assert_eq!(nine.with("flie", "0"), Rules::parse("nine+flie=0"));
    assert_eq!(nine.with("fly", "nine"), Rules::parse("nine+fly=nine"));
    assert_eq!(rules("six").with("diagonals", "yes"), Rules::parse("six+diagonals=yes"));
}

proptest! {
    #[test]
    fn every_form_reads_back(rules in generated::rules()) {
        prop_assert_eq!(Rules::parse(&rules.canonical()), Ok(rules));
        prop_assert_eq!(Rules::parse(&rules.short_name()), Ok(rules));
        prop_assert_eq!(Rules::parse(&rules.to_string()), Ok(rules));
    }

    #[test]
    fn the_order_of_options_does_not_matter(
        (text, shuffled) in generated::rules_text().prop_flat_map(|text| {
            let parts: Vec<String> = text.split('+').skip(1).map(String::from).collect();
            let preset = text.split('+').next().unwrap_or_default().to_string();
            let shuffled = Just(parts).prop_shuffle().prop_map(move |parts| {
                std::iter::once(&preset).chain(&parts).cloned().collect::<Vec<_>>().join("+")
            });
            (Just(text), shuffled)
        })
    ) {
        prop_assert_eq!(Rules::parse(&text), Rules::parse(&shuffled));
    }

    #[test]
    fn different_rules_have_different_texts(a in generated::rules(), b in generated::rules()) {
        prop_assert_eq!(a == b, a.canonical() == b.canonical());
        prop_assert_eq!(a == b, a.fingerprint() == b.fingerprint());
    }

    #[test]
    fn setting_an_option_to_its_value_changes_nothing(rules in generated::rules()) {
        for option in OPTIONS {
            prop_assert_eq!(rules.with(option.name, &option.value(&rules)), Ok(rules));
        }
    }
}

#[test]
fn fingerprints_of_presets_differ() {
    let mut seen = HashMap::new();
    for preset in PRESETS {
        let before = seen.insert(preset.rules.fingerprint(), preset.name);
        assert_eq!(before, None, "{} has the fingerprint of another", preset.name);
    }
}
