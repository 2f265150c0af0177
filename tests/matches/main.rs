//! Matches as a user plays them: the real runner, against engines that play by a script.
//!
//! The test program is its own scripted engine (`match engine …`), so that nothing else has to be
//! built or installed. For that it has a `main` of its own instead of the built-in one.

#[path = "../support/dice.rs"]
mod dice;

mod arbiter;
mod books;
mod exact;
mod field;
mod interrupt;
mod runner;
mod scripted;
mod trouble;
mod usage;

use libtest_mimic::{Arguments, Failed, Trial};
use std::{panic::catch_unwind, process::ExitCode};

/// Tests by name: `trials![module: test, test; module: test]`.
macro_rules! trials {
    ($($module:ident: $($test:ident),+;)+) => {
        vec![$($(trial(
            concat!(stringify!($module), "::", stringify!($test)),
            $module::$test,
        )),+),+]
    };
}

fn trial(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || catch_unwind(test).map_err(|_| Failed::without_message()))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("engine", script)) =
        arguments.split_first().map(|(first, rest)| (first.as_str(), rest))
    {
        return scripted::main(script);
    }
    let trials = trials! {
        arbiter: games_end_by_the_rules, draws_are_claimed_in_vain, wins_and_draws_are_agreed_on,
            tables_end_games_and_mark_mistakes, long_games_are_drawn, all_rules_can_be_played;
        books: records_tell_what_the_report_counts, the_report_is_the_same_in_json,
            openings_are_played_with_both_colours, a_test_ends_the_match,
            the_verdict_does_not_depend_on_concurrency, parts_make_a_whole,
            deterministic_engines_are_warned_of, openings_are_made;
        exact: any_engine_is_held_against_tables, turns_may_come_action_by_action, an_engine_that_fails_is_named, an_engine_that_is_waited_for_is_named,
            engines_for_accuracy_are_checked;
        field: each_dialect_plays_a_match, dialects_do_not_change_the_games, positions_are_told_in_each_dialect, options_are_checked, clocks_are_told,
            three_engines_are_rated, a_gauntlet_spares_the_others, engines_may_be_restarted;
        interrupt: a_killed_match_goes_on, a_killed_test_goes_on, torn_states_are_mended,
            a_finished_match_can_be_lengthened,
            what_is_to_outlive_its_terminal_does, no_engine_outlives_the_runner,
            a_match_without_a_result_tells_of_none, two_runners_do_not_share_a_state, a_match_goes_on_as_it_began,
            only_a_match_that_can_be_played_takes_a_place;
        trouble: illegal_turns_lose, time_is_looked_at_first, crashes_lose, hangs_lose,
            garbage_loses, noise_is_put_up_with, engines_that_die_between_games_are_restarted,
            a_match_stops_after_many_troubles, engines_that_do_not_start_end_the_match;
        usage: wrong_flags_exit_with_2, files_say_the_same_as_flags, help_teaches;
    };
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
