//! The value of a position at a glance, without looking at turns to come.
//!
//! It knows stones, lines and freedom to move, for every board and preset alike; what they are worth
//! is fitted to positions of known value, not guessed. Nothing of search is known here.

mod features;
pub mod network;
mod phase;
mod weights;

pub use features::{COUNT_NAMES, COUNTS, Counts};
pub use phase::{PHASE_NAMES, PHASES, phase};
pub use weights::{MOST, PhaseWeights, Weights, WeightsError};

use crate::{
    board::Topology,
    position::{Color, Position},
    rules::Rules,
    with_topology,
};
use features::count;
use network::Networks;

/// No evaluation leaves `-LIMIT..=LIMIT`.
pub const LIMIT: i32 = 10_000;

/// A term of the evaluation, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// White's share in centi-stones.
    pub white: i32,
    /// Black's share.
    pub black: i32,
}

/// Which evaluation is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The networks for games that they have been trained for, else the weights.
    #[default]
    Auto,
    /// The weights.
    Weights,
    /// The networks where there are any for the game, as with `Auto`.
    Network,
}

impl Choice {
    /// All choices.
    pub const ALL: [Choice; 3] = [Choice::Auto, Choice::Weights, Choice::Network];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Choice::Auto => "auto",
            Choice::Weights => "weights",
            Choice::Network => "network",
        }
    }
}

/// The evaluation of one game.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    rules: Rules,
    weights: &'a Weights,
    networks: Option<&'a Networks>,
}

#[inline(always)]
fn dot(counts: &Counts, weights: &Counts) -> i32 {
    let mut sum = 0;
    for n in 0..COUNTS {
        sum += i32::from(counts[n]) * i32::from(weights[n]);
    }
    sum
}

impl Evaluator<'static> {
    /// The evaluation of a game, as the program has it.
    pub fn of(rules: &Rules) -> Self {
        Self::chosen(rules, Choice::Auto)
    }

    /// The evaluation of a game that was chosen.
    pub fn chosen(rules: &Rules, choice: Choice) -> Self {
        let networks = match choice {
            Choice::Auto | Choice::Network => Networks::of(rules),
            Choice::Weights => None,
        };
        Self { rules: *rules, weights: Weights::of(rules), networks }
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluation by other weights.
    pub fn with_weights(rules: &Rules, weights: &'a Weights) -> Self {
        Self { rules: *rules, weights, networks: None }
    }

    /// Whether a position is valued by a network.
    pub fn uses_network(&self, position: &Position) -> bool {
        self.networks.is_some_and(|networks| networks.value(position).is_some())
    }

    /// The value of a position for the side to move, in centi-stones; for code that knows the board.
    #[inline(always)]
    pub(crate) fn value_on<T: Topology>(&self, position: &Position) -> i32 {
        if let Some(value) = self.networks.and_then(|networks| networks.value(position)) {
            return value.clamp(-LIMIT, LIMIT);
        }
        let Self { rules, weights, .. } = self;
        let weights = &weights.phases[phase(rules, position)];
        let own = count::<T>(rules, position, position.side);
        let other = count::<T>(rules, position, !position.side);
        let sum = dot(&own, &weights.own) - dot(&other, &weights.other) + i32::from(weights.tempo);
        sum.clamp(-LIMIT, LIMIT)
    }

    /// The value of a position for the side to move, in centi-stones.
    pub fn value(&self, position: &Position) -> i32 {
        with_topology!(self.rules.board(), T => self.value_on::<T>(position))
    }
}

/// The value of a position for the side to move, in centi-stones.
pub fn evaluate(rules: &Rules, position: &Position) -> i32 {
    Evaluator::of(rules).value(position)
}

/// What the side to move and the other side have.
pub fn counts(rules: &Rules, position: &Position) -> [Counts; 2] {
    [position.side, !position.side]
        .map(|side| with_topology!(rules.board(), T => count::<T>(rules, position, side)))
}

/// The evaluation by the weights, term by term. The shares add up to it, seen by White.
pub fn explain(rules: &Rules, position: &Position) -> Vec<Term> {
    let [own, other] = counts(rules, position);
    let weights = &Weights::of(rules).phases[phase(rules, position)];
    let by_colour = |name, mover: i32, waiter: i32| match position.side {
        Color::White => Term { name, white: mover, black: waiter },
        Color::Black => Term { name, white: waiter, black: mover },
    };
    let product = |count: i16, weight: i16| i32::from(count) * i32::from(weight);
    let counted = COUNT_NAMES.into_iter().enumerate().map(|(n, name)| {
        by_colour(name, product(own[n], weights.own[n]), product(other[n], weights.other[n]))
    });
    counted.chain([by_colour("side to move", weights.tempo.into(), 0)]).collect()
}

#[cfg(test)]
mod tests;
