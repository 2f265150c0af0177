//! What a position's value must be, given those of the positions after its turns.

use crate::{
    file::CellKind,
    solve::cell::{DRAW, LOSS, NONE, WIN},
};
use millrace_engine::{Outcome, Position, Rules};

/// The value of a position that is lost as it stands; in tables of both kinds.
const LOST_HERE: u8 = 1;
/// Stands for "no value" among verdicts.
const NO_VERDICT: u16 = 256;

/// Compares the values of successors for the side that chooses among them.
pub struct Judge {
    /// How good it is to leave the opponent a value; 0 is no value at all.
    appeal: [u8; 256],
    /// The value of the side that can reach such an appeal at best.
    verdict: [u16; 256],
}

impl Judge {
    /// A judge of tables of this kind.
    pub fn new(kind: CellKind) -> Self {
        // Every value that can be left to the opponent, the best first.
        let ranking: Vec<(u8, u16)> = match kind {
            CellKind::Wdl => vec![(LOSS, WIN.into()), (DRAW, DRAW.into()), (WIN, LOSS.into())],
            CellKind::Distance => {
                // A cell is the plies to the end plus one, so odd cells are losses.
                let after = |cell: u8| if cell == 254 { NO_VERDICT } else { u16::from(cell) + 1 };
                let losses = (1..=253).step_by(2).map(|c| (c, after(c)));
                let wins = (2..=254).rev().step_by(2).map(|c| (c, after(c)));
                losses.chain([(DRAW, DRAW.into())]).chain(wins).collect()
            }
        };
        let mut judge = Self { appeal: [0; 256], verdict: [NO_VERDICT; 256] };
        for (place, (left, value)) in ranking.into_iter().enumerate() {
            let appeal = u8::MAX - place as u8;
            judge.appeal[usize::from(left)] = appeal;
            judge.verdict[usize::from(appeal)] = value;
        }
        judge
    }

    /// How good it is to leave the opponent this value; 0 if it is no value.
    #[inline(always)]
    pub fn appeal(&self, left: u8) -> u8 {
        self.appeal[usize::from(left)]
    }

    /// The value of a position whose best turn has this appeal, if there is such a value.
    #[inline(always)]
    pub fn verdict(&self, best: u8) -> Option<u8> {
        u8::try_from(self.verdict[usize::from(best)]).ok()
    }

    /// The value of a position without turns, or that is no position.
    pub fn end(rules: &Rules, position: &Position) -> Option<u8> {
        match position.outcome(rules) {
            Outcome::Ongoing => None,
            Outcome::Draw(_) => Some(DRAW),
            Outcome::Win(winner, _) if winner == position.side() => Some(NONE),
            Outcome::Win(..) => Some(LOST_HERE),
        }
    }

    /// The value of a position, by asking for those of all positions after its turns.
    ///
    /// # Errors
    /// If a value cannot be had.
    pub fn value<E>(
        &self,
        rules: &Rules,
        position: &Position,
        mut ask: impl FnMut(&Position) -> Result<u8, E>,
    ) -> Result<Option<u8>, E> {
        if let Some(value) = Judge::end(rules, position) {
            return Ok(Some(value));
        }
        let mut best = 0;
        for turn in position.turns(rules) {
            best = best.max(self.appeal(ask(&position.after(turn))?));
        }
        Ok(self.verdict(best))
    }
}

/// A value in words, such as `win in 5` or `draw`.
pub fn in_words(kind: CellKind, value: u8) -> String {
    match (kind, value) {
        (_, DRAW) => "draw".to_string(),
        (_, NONE) => "no position".to_string(),
        (CellKind::Wdl, LOSS) => "loss".to_string(),
        (CellKind::Wdl, WIN) => "win".to_string(),
        (CellKind::Wdl, other) => format!("unknown value {other}"),
        (CellKind::Distance, value) => {
            let word = if value % 2 == 0 { "win" } else { "loss" };
            format!("{word} in {}", value - 1)
        }
    }
}
