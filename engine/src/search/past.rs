//! A game's past as far as it matters to the turns of its current position: which of them lead back,
//! and which are drawn by what has gone before.

use super::path::linked;
use crate::{game::Game, position::Position, rules::Rules};

/// What a game's past says of the positions after its current one.
pub(super) struct Past<'a> {
    rules: &'a Rules,
    /// The earlier positions that a turn may lead back to, as [`Position::packed`] has them.
    seen: Vec<u64>,
}

impl<'a> Past<'a> {
    pub(super) fn of(game: &'a Game) -> Self {
        let waiting = !game.position().side();
        let before = linked(game).iter().filter(|p| p.side() == waiting);
        Self { rules: game.rules(), seen: before.map(Position::packed).collect() }
    }

    fn visits(&self, next: &Position) -> usize {
        let wanted = next.packed();
        self.seen.iter().filter(|seen| **seen == wanted).count()
    }

    /// Whether the game has been here before.
    pub(super) fn has(&self, next: &Position) -> bool {
        self.visits(next) > 0
    }

    /// Whether the game is drawn by repetition or by the no-mill rule once this position is reached.
    pub(super) fn draws(&self, next: &Position) -> bool {
        let rules = self.rules;
        let repetition = usize::from(rules.repetition());
        let drawn = repetition > 0 && self.visits(next) + 1 >= repetition
            || rules.no_mill_plies() > 0 && next.quiet_plies() >= rules.no_mill_plies();
        drawn && !next.outcome(rules).is_over()
    }
}
