//! The questions' keys: numbers that no other question has, and that the images of a position under
//! the board's symmetries share.

use super::ask::Question;
use crate::{
    board::Topology,
    index::{Classes, Frame, MAX_STONES},
    position::Position,
};
use std::marker::PhantomData;

/// Makes keys. The stones of the side to move are brought to their representative and the others
/// go with them: a placement leaves the stones of the side that is to move next as they are, so
/// their way there is found once for all of them.
pub(super) struct Keys<T> {
    /// Classes of the stones of the side to move, by their number.
    classes: [Option<&'static Classes>; MAX_STONES + 1],
    board: PhantomData<T>,
}

impl<T: Topology> Keys<T> {
    pub(super) fn new() -> Self {
        Self { classes: [None; MAX_STONES + 1], board: PhantomData }
    }

    /// The way of these stones of the side to move.
    #[inline(always)]
    pub(super) fn frame(&mut self, own: u32) -> Frame {
        let size = own.count_ones() as usize;
        self.classes[size].get_or_insert_with(|| Classes::of(T::BOARD, size)).frame(own)
    }

    /// The key of a question about a position.
    pub(super) fn of(&mut self, position: &Position, question: Question) -> u64 {
        key(&self.frame(position.own()), position, question)
    }
}

/// The key of a question about a position, whose side to move has stones that go by this way.
#[inline(always)]
pub(super) fn key(own: &Frame, position: &Position, question: Question) -> u64 {
    let (mover, other) = (position.side(), !position.side());
    let mut image = *position;
    image.stones[mover.index()] = own.representative;
    image.stones[other.index()] = own.image(position.opponent());
    // Steps that can each be undone, so that different questions stay different.
    let key = image.packed() | u64::from(question == Question::Win) << 60;
    let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
