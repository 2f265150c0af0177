//! A game: rules, a first position, the turns since, and what only the history can tell.

use crate::{
    movegen::Turn,
    position::{DrawReason, Outcome, Position},
    rules::Rules,
    text::{parse_part, parse_turn},
};

pub use crate::text::TurnError;

/// A game in progress.
///
/// Turns may go on after a draw by repetition or by the no-mill rule, since not every referee
/// applies them; [`outcome`](Self::outcome) says what these rules make of the position reached.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    /// The positions so far, the first one and the current one included.
    positions: Vec<Position>,
    turns: Vec<Turn>,
}

impl Game {
    /// A game from the empty board.
    pub fn new(rules: Rules) -> Self {
        Self::from_position(rules, Position::start(&rules))
    }

    /// A game from a position of these rules.
    pub fn from_position(rules: Rules, position: Position) -> Self {
        Self { rules, positions: vec![position], turns: Vec::new() }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.positions[self.turns.len()]
    }

    /// All positions, from the first to the current one.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The turns made.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Makes a turn.
    ///
    /// # Errors
    /// If it is not legal; nothing is changed then.
    pub fn play_text(&mut self, text: &str) -> Result<Turn, TurnError> {
        let turn = parse_turn(&self.rules, self.position(), text)?;
        self.push(turn);
        Ok(turn)
    }

    /// Makes a turn of which removals may be missing. Its side is still to move then, and owes them;
    /// the turn that makes them is a removal alone.
    ///
    /// # Errors
    /// If no legal turn begins so; nothing is changed then.
    pub fn play_part_text(&mut self, text: &str) -> Result<Turn, TurnError> {
        let (turn, owed) = parse_part(&self.rules, self.position(), text)?;
        if owed == 0 {
            self.push(turn);
        } else {
            self.positions.push(self.position().after_part(turn, owed));
            self.turns.push(turn);
        }
        Ok(turn)
    }

    /// Makes a turn if it is legal, and says whether it was.
    pub fn play(&mut self, turn: Turn) -> bool {
        let legal = self.position().turns(&self.rules).contains(&turn);
        if legal {
            self.push(turn);
        }
        legal
    }

    fn push(&mut self, turn: Turn) {
        self.positions.push(self.position().after(turn));
        self.turns.push(turn);
    }

    /// Takes the last turn back, if there is one.
    pub fn take_back(&mut self) -> Option<Turn> {
        let turn = self.turns.pop()?;
        self.positions.pop();
        Some(turn)
    }

    /// How often the current position has occurred, this time included: the same stones, hands
    /// and side to move.
    pub fn occurrences(&self) -> usize {
        let current = self.position();
        self.positions.iter().filter(|p| p.packed() == current.packed()).count()
    }

    /// The state of the game. An end by the position itself counts before a draw by history.
    pub fn outcome(&self) -> Outcome {
        let position = self.position();
        let here = position.outcome(&self.rules);
        if here.is_over() || position.owed() > 0 {
            return here;
        }
        let repetition = usize::from(self.rules.repetition());
        if repetition > 0 && self.occurrences() >= repetition {
            return Outcome::Draw(DrawReason::Repetition);
        }
        let limit = self.rules.no_mill_plies();
        if limit > 0 && position.quiet_plies() >= limit {
            return Outcome::Draw(DrawReason::NoMill);
        }
        Outcome::Ongoing
    }
}
