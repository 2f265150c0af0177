//! Game records: what people and programs have written, read, and written again.

#[path = "../support/dice.rs"]
mod dice;

mod forms;
mod games;
mod mutated;
mod refused;
mod round_trip;
