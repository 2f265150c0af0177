//! Who searches what: threads that come to the same node begin with different turns. A turn that
//! another thread is busy with is put off, and has an entry in the hash table when its time comes
//! (Tom Kerrigan's simplification of ABDADA, by Jean-Christophe Weill).

use crate::{movegen::Turn, position::Position};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Nodes at least so deep say what they search, and put turns off.
pub(super) const BUSY_DEPTH: i32 = 4;

/// What a turn's rank is lowered by when it is put off.
pub(super) const PUT_OFF: i32 = 1 << 28;

/// Enough for all turns under search on all threads to be met rarely; two in one place cost a little
/// work done twice, nothing else.
const PLACES: usize = 1 << 12;

/// The turns under search, each by one word in a place that the word chooses.
pub(super) struct Busy(Box<[AtomicU64]>);

/// A turn of a position.
#[derive(Clone, Copy)]
pub(super) struct Work(u64);

impl Work {
    /// The search of this turn.
    #[inline(always)]
    pub(super) fn new(position: &Position, turn: Turn) -> Self {
        // An odd factor spreads the turn over the word; 0 stands for an empty place.
        Self((position.key() ^ u64::from(turn.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }
}

impl Busy {
    /// Nobody does anything. With one thread there is nobody to be told.
    pub(super) fn new(threads: usize) -> Self {
        let places = if threads > 1 { PLACES } else { 0 };
        Self((0..places).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether there is more than one thread.
    #[inline(always)]
    pub(super) fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    #[inline(always)]
    fn place(&self, work: Work) -> &AtomicU64 {
        &self.0[(work.0 >> 40) as usize % PLACES]
    }

    /// Whether a thread is at it.
    #[inline(always)]
    pub(super) fn has(&self, work: Work) -> bool {
        self.place(work).load(Relaxed) == work.0
    }

    /// Says that a thread is at it.
    #[inline(always)]
    pub(super) fn begin(&self, work: Work) {
        self.place(work).store(work.0, Relaxed);
    }

    /// Says that a thread is done with it.
    #[inline(always)]
    pub(super) fn end(&self, work: Work) {
        // Another's word stays, whoever wrote it.
        let _ = self.place(work).compare_exchange(work.0, 0, Relaxed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Game, rules::Rules};

    #[test]
    fn what_is_begun_is_seen_until_it_ends() {
        let game = Game::new(Rules::default());
        let turns = game.position().turns(game.rules());
        let works: Vec<Work> = turns.iter().map(|t| Work::new(game.position(), *t)).collect();
        let busy = Busy::new(2);
        assert!(busy.is_shared() && !busy.has(works[0]));
        busy.begin(works[0]);
        assert!(busy.has(works[0]) && works[1..].iter().all(|work| !busy.has(*work)));
        busy.end(works[1]);
        assert!(busy.has(works[0]));
        busy.end(works[0]);
        assert!(!busy.has(works[0]));
        assert!(!Busy::new(1).is_shared());
    }
}
