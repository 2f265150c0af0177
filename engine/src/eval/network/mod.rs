//! A small network that sees rings, spokes and numbers of stones: two layers of clipped neurons, the
//! second chosen by the number of stones. Its numbers are whole, so that it gives the same values
//! on every machine. Inputs that need no updating turn by turn are after the pattern tables of
//! Michael Buro's Othello programs, buckets after chess programs.

mod file;
mod frame;
mod head;

pub use file::{NetworkError, RealHead, RealNetwork};
pub use frame::{ACTIVE, BUCKETS, GROUPS, INPUTS, bucket, inputs};

use crate::{position::Position, rules::Rules};
use head::Head;
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

/// The weights of an input, from `-ONE` to `ONE`: as wide as they are added up, and just a cache line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Column([i16; FIRST]);

/// The networks of a game, one for each part of it: where stones go in the placing phase and what they
/// do in the moving phase have little in common.
#[derive(Debug)]
pub struct Networks {
    moving: Network,
    placing: Network,
}

impl Networks {
    /// The networks that the program has for a game, if they have been trained for that.
    pub fn of(rules: &Rules) -> Option<&'static Networks> {
        static NINE: LazyLock<Networks> = LazyLock::new(|| {
            let read = |name: &str, bytes: &[u8]| {
                Network::from_bytes(bytes).unwrap_or_else(|why| panic!("{name}: {why}"))
            };
            Networks {
                moving: read("nine.net", include_bytes!("nine.net")),
                placing: read("nine-placing.net", include_bytes!("nine-placing.net")),
            }
        });
        has_networks(rules).then(|| &*NINE)
    }

    /// The value of a position for the side to move, in centi-stones; nothing if positions with as
    /// many stones were not among those that its network was trained on.
    #[inline(always)]
    pub fn value(&self, position: &Position) -> Option<i32> {
        let network = if position.is_moving_phase() { &self.moving } else { &self.placing };
        network.value(position)
    }
}

/// Whether the program has networks for a game. What ends a game by its history does not matter to a
/// position's value.
pub fn has_networks(rules: &Rules) -> bool {
    let nine = Rules::default();
    let Rules { repetition, no_mill_plies, .. } = nine;
    Rules { repetition, no_mill_plies, ..*rules } == nine
}

/// A network.
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
    /// What the network says of its own making.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The value of a position for the side to move, in centi-stones; nothing if positions with as
    /// many stones were not among those that it was trained on.
    #[inline(always)]
    pub fn value(&self, position: &Position) -> Option<i32> {
        let bucket = bucket(position);
        self.known[bucket].then(|| self.heads[bucket].value(&self.first(&inputs(position))))
    }

    /// What the first layer passes on, given the inputs that are on.
    #[inline(always)]
    fn first(&self, inputs: &[u16; ACTIVE]) -> [i16; FIRST] {
        // Plain loops: array methods that take closures are not always inlined here.
        let mut first = self.first_bias;
        for input in inputs {
            let column = &self.columns[usize::from(*input)].0;
            for (sum, weight) in first.iter_mut().zip(column) {
                *sum += *weight;
            }
        }
        for sum in &mut first {
            *sum = (*sum).clamp(0, ONE as i16);
        }
        first
    }
}
