//! A small network that sees rings, spokes and numbers of stones: two layers of clipped neurons, the
//! second chosen by the number of stones. Its numbers are whole, so that it gives the same values
//! on every machine. Inputs that need no updating turn by turn are after the pattern tables of
//! Michael Buro's Othello programs, buckets after chess programs.

mod file;
mod frame;

pub use file::{NetworkError, RealHead, RealNetwork};
pub use frame::{ACTIVE, BUCKETS, GROUPS, INPUTS, bucket, inputs};

use crate::{position::Position, rules::Rules};
use std::sync::LazyLock;

/// Neurons of the first layer.
pub const FIRST: usize = 32;
/// Neurons of the second layer.
pub const SECOND: usize = 16;

/// What stands for 1 in the activity of a neuron, and in the weights of the first layer.
pub const ONE: i32 = 127;
/// What stands for 1 in the weights of the second layer.
pub const SECOND_ONE: i32 = 64;
/// What stands for a centi-stone in the weights of the output.
pub const OUT_ONE: i32 = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct Column([i8; FIRST]);

/// The part of the network that is chosen by the number of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct Head {
    second: [[i16; FIRST]; SECOND],
    second_bias: [i32; SECOND],
    out: [i16; SECOND],
    out_bias: i32,
}

/// The network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// What it says of its own making.
    account: String,
    /// By bucket, whether it has been trained at all.
    known: [bool; BUCKETS],
    columns: Box<[Column]>,
    first_bias: [i16; FIRST],
    heads: Box<[Head]>,
}

impl Network {
    /// The network that the program has for a game, if it has been trained for that.
    pub fn of(rules: &Rules) -> Option<&'static Network> {
        static NINE: LazyLock<Network> = LazyLock::new(|| {
            Network::from_bytes(include_bytes!("nine.net"))
                .unwrap_or_else(|why| panic!("nine.net: {why}"))
        });
        let nine = Rules::default();
        // What ends a game by its history does not matter to a position's value.
        let Rules { repetition, no_mill_plies, .. } = nine;
        (Rules { repetition, no_mill_plies, ..*rules } == nine).then(|| &*NINE)
    }

    /// What the network says of its own making.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The value of a position for the side to move, in centi-stones; nothing if positions with as
    /// many stones were not among those that it was trained on.
    #[inline(always)]
    pub fn value(&self, position: &Position) -> Option<i32> {
        let bucket = bucket(position);
        self.known[bucket].then(|| self.value_of(&inputs(position), bucket))
    }

    /// The value, given the inputs that are on and the bucket.
    #[inline(always)]
    fn value_of(&self, inputs: &[u16; ACTIVE], bucket: usize) -> i32 {
        // Plain loops: array methods that take closures are not always inlined here.
        let mut first = self.first_bias;
        for input in inputs {
            let column = &self.columns[usize::from(*input)].0;
            for (sum, weight) in first.iter_mut().zip(column) {
                *sum += i16::from(*weight);
            }
        }
        for sum in &mut first {
            *sum = (*sum).clamp(0, ONE as i16);
        }
        let head = &self.heads[bucket];
        let mut value = head.out_bias;
        for n in 0..SECOND {
            let mut sum = head.second_bias[n];
            for (input, weight) in first.iter().zip(&head.second[n]) {
                sum += i32::from(*input) * i32::from(*weight);
            }
            let active = sum.clamp(0, ONE * SECOND_ONE) / SECOND_ONE;
            value += active * i32::from(head.out[n]);
        }
        value / (ONE * OUT_ONE)
    }
}
