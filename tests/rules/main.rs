//! The games as the rules have them: against figures from elsewhere, against a slow twin, by
//! properties that must hold everywhere, and with everything from outside that is wrong.

mod generated;
mod properties;
mod refused;
mod rules_texts;
mod truth;
mod twin_games;

#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/twin.rs"]
mod twin;
