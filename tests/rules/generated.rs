//! Strategies: any rules, and any position that play under them can reach.

use millrace_engine::{
    Game, Rules,
    rules::{OPTIONS, OptionKind, PRESETS},
};
use proptest::prelude::*;

/// A value of one option as text; for numbers, any that it takes.
fn value(kind: OptionKind) -> BoxedStrategy<String> {
    match kind {
        OptionKind::Choice(words) => proptest::sample::select(words).prop_map(String::from).boxed(),
        OptionKind::Number(low, high, true) => {
            prop_oneof![Just(0), low..=high].prop_map(|n| n.to_string()).boxed()
        }
        OptionKind::Number(low, high, false) => (low..=high).prop_map(|n| n.to_string()).boxed(),
    }
}

/// A rules text: a preset with any options changed, in any order. Not always without
/// contradiction.
pub fn rules_text() -> impl Strategy<Value = String> {
    let changes: Vec<BoxedStrategy<Option<String>>> = OPTIONS
        .iter()
        .map(|o| {
            proptest::option::weighted(0.2, value(o.kind).prop_map(|v| format!("{}={v}", o.name)))
                .boxed()
        })
        .collect();
    (0..PRESETS.len(), changes).prop_flat_map(|(preset, changes)| {
        let changes: Vec<String> = changes.into_iter().flatten().collect();
        Just(changes).prop_shuffle().prop_map(move |changes| {
            [&[PRESETS[preset].name.to_string()], changes.as_slice()].concat().join("+")
        })
    })
}

/// Rules without contradiction.
pub fn rules() -> impl Strategy<Value = Rules> {
    rules_text().prop_filter_map("the options contradict each other", |text| text.parse().ok())
}

/// A game of up to 80 turns under any rules.
pub fn game() -> impl Strategy<Value = Game> {
    (rules(), proptest::collection::vec(any::<u16>(), 0..80)).prop_map(|(rules, choices)| {
        let mut game = Game::new(rules);
        for choice in choices {
            let turns = game.position().turns(&rules);
            if turns.is_empty() {
                break;
            }
            game.play(turns[usize::from(choice) % turns.len()]);
        }
        game
    })
}
