//! Verification: every stored value against those of the positions after its turns.
//!
//! This room shares nothing with the solver but the rules: turns are generated forwards, and cells
//! are found by the engine's index. If each value follows from its successors' and each distance
//! is one more than that of the right successor, the tables are right: distances leave no room for
//! wins that only lean on each other. Tables without distances cannot be proven this way, only
//! found to contradict themselves.

mod full;
mod judge;
mod mirror;
mod sample;

pub use full::verify_unit;
pub use judge::{Judge, in_words};
pub use mirror::{Mirrors, check_mirrors};
pub use sample::{Picks, verify_sample};

use crate::{file::CellKind, sector::Sector};
use millrace_engine::{Position, Rules, position::Color, text::fen};
use std::sync::{Mutex, PoisonError};

/// A cell that cannot be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its sector.
    pub sector: Sector,
    /// The position, with White to move, as FEN.
    pub fen: String,
    /// What is stored.
    pub stored: u8,
    /// What follows from the other cells; nothing if they contradict each other.
    pub computed: Option<u8>,
}

impl Mismatch {
    /// The mismatch in a line.
    pub fn in_words(&self, kind: CellKind) -> String {
        let computed = self.computed.map_or("nothing".to_string(), |v| in_words(kind, v));
        format!(
            "sector {}, {}: stored {}, computed {computed}",
            self.sector,
            self.fen,
            in_words(kind, self.stored)
        )
    }
}

/// Mismatches found so far: the first ones, and the number of all.
#[derive(Default)]
pub struct Findings(Mutex<(u64, Vec<Mismatch>)>);

impl Findings {
    /// The most that are kept.
    const KEPT: usize = 10;

    /// Adds a mismatch. The position is made only if it is kept.
    pub fn add(&self, mismatch: impl FnOnce() -> Mismatch) {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.0 += 1;
        if found.1.len() < Self::KEPT {
            found.1.push(mismatch());
        }
    }

    /// The number of all, and some of them.
    pub fn into_parts(self) -> (u64, Vec<Mismatch>) {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A position of a sector with White to move; `None` if it is not one of these rules.
pub fn position_of(rules: &Rules, sector: Sector, own: u32, opponent: u32) -> Option<Position> {
    let hands = [sector.own_hand, sector.opponent_hand];
    Position::new(rules, [own, opponent], hands, Color::White).ok()
}

/// The FEN of stones with White to move. Stones that are no position of the rules are told by
/// their sets, as no FEN would be read back.
fn describe(rules: &Rules, sector: Sector, own: u32, opponent: u32) -> String {
    match position_of(rules, sector, own, opponent) {
        Some(position) => fen(rules, &position),
        None => format!("stones {own:06x} against {opponent:06x}"),
    }
}
