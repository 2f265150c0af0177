//! Tables as adjudicators: they end games whose value they know, and mark turns that gave a value
//! away. A value counts only if neither repetition nor the no-mill rule can make another of it.

use super::{
    adjudicate::{Adjudicator, Verdict},
    referee::{Ply, win_of},
};
use clap::ValueEnum;
use millrace_engine::{
    Color, Game, Outcome,
    search::certain_value,
    table::{Tables, Wdl},
    text::record::GameResult,
};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc};

/// Which known values end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Ends {
    /// All.
    #[default]
    All,
    /// Wins; drawn games go on.
    Wins,
    /// None: turns are marked, and the game is played out.
    None,
}

/// Tables as the settings of a match have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSettings {
    /// Folders with tables, beside those of the program itself.
    pub folders: Vec<PathBuf>,
    /// Which known values end a game.
    pub ends: Ends,
}

/// Judges one game by tables.
pub struct Arbiter {
    tables: Arc<Tables>,
    ends: Ends,
    /// The value before the turn to come, for White.
    last: Option<Wdl>,
}

impl Arbiter {
    /// An arbiter of a game that has not begun.
    pub fn new(tables: Arc<Tables>, ends: Ends) -> Self {
        Self { tables, ends, last: None }
    }

    /// The value of the current position for a side, or the result, if the game is over.
    fn value(&self, game: &Game, side: Color) -> Option<Wdl> {
        match game.outcome() {
            Outcome::Ongoing => {
                let wdl = certain_value(&self.tables, game)?.wdl;
                Some(if game.position().side() == side { wdl } else { wdl.reversed() })
            }
            Outcome::Draw(_) => Some(Wdl::Draw),
            Outcome::Win(winner, _) if winner == side => Some(Wdl::Win),
            Outcome::Win(..) => Some(Wdl::Loss),
        }
    }

    /// The best value that the side which made the last turn could have had, as far as is known.
    fn best_before(&self, game: &Game, side: Color) -> Option<Wdl> {
        let mut game = game.clone();
        game.take_back()?;
        let turns = game.position().turns(game.rules());
        let values = turns.into_iter().filter_map(|turn| {
            game.play(turn);
            let value = self.value(&game, side);
            game.take_back();
            value
        });
        values.max()
    }
}

impl Adjudicator for Arbiter {
    fn judge(&mut self, game: &Game, plies: &mut [Ply]) -> Option<Verdict> {
        let now = self.value(game, Color::White);
        let before = std::mem::replace(&mut self.last, now);
        let for_white = now?;
        // What stands in an opening is nobody's fault.
        if let Some(ply) = plies.last_mut().filter(|ply| ply.time.is_some()) {
            let for_mover = |wdl: Wdl| if ply.side == Color::White { wdl } else { wdl.reversed() };
            let after = for_mover(for_white);
            let before = before.map(for_mover).or_else(|| self.best_before(game, ply.side));
            if let Some(before) = before.filter(|before| *before > after) {
                ply.remark = format!("{} to {}", word(before), word(after));
            }
        }
        let (result, ending) = match for_white {
            Wdl::Draw => (GameResult::Draw, "draw by tables"),
            Wdl::Win => (win_of(Color::White), "win by tables"),
            Wdl::Loss => (win_of(Color::Black), "win by tables"),
        };
        let ends = match self.ends {
            Ends::All => true,
            Ends::Wins => for_white != Wdl::Draw,
            Ends::None => false,
        };
        ends.then_some(Verdict { result, ending })
    }
}

fn word(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_engine::Rules;
    use std::time::Duration;

    /// The remark on each turn, and the verdict with the number of plies before it.
    fn judged(
        rules: &str,
        ends: Ends,
        opening: usize,
        turns: &str,
    ) -> (Vec<String>, Option<String>) {
        let rules = Rules::parse(rules).expect("rules");
        let tables = Arc::new(Tables::new(rules, &[], 16 << 20));
        let mut arbiter = Arbiter::new(tables, ends);
        let mut game = Game::new(rules);
        let mut plies = Vec::new();
        for (number, text) in turns.split_whitespace().enumerate() {
            let side = game.position().side();
            let turn = game.play_text(text).expect("a legal turn");
            let time = (number >= opening).then_some(Duration::ZERO);
            plies.push(Ply { time, ..Ply::new(side, turn) });
            if number + 1 < opening {
                continue;
            }
            if let Some(Verdict { result, ending }) = arbiter.judge(&game, &mut plies) {
                let text = format!("{} {ending} {}", result.as_str(), plies.len());
                return (remarks(&plies), Some(text));
            }
        }
        (remarks(&plies), None)
    }

    fn remarks(plies: &[Ply]) -> Vec<String> {
        plies.iter().map(|ply| ply.remark.clone()).collect()
    }

    /// In tapatan the empty board is won, by b2 alone.
    #[test]
    fn turns_that_give_a_value_away_are_marked() {
        let (remarks, verdict) = judged("tapatan", Ends::None, 0, "a1 b2");
        assert_eq!(verdict, None);
        assert!(remarks[0].starts_with("win to "), "{remarks:?}");
        assert_eq!(judged("tapatan", Ends::None, 1, "a1 b2").0[0], "");
        assert_eq!(judged("tapatan", Ends::None, 0, "b2").0, [""]);
        let (remarks, verdict) = judged("three", Ends::None, 0, "a1");
        assert_eq!((remarks, verdict), (vec![String::new()], None));
    }

    #[test]
    fn known_values_end_the_game() {
        let verdict = |ends, turns| judged("tapatan", ends, 0, turns).1;
        assert_eq!(verdict(Ends::All, "b2 a1").as_deref(), Some("1-0 win by tables 1"));
        assert_eq!(verdict(Ends::Wins, "b2 a1").as_deref(), Some("1-0 win by tables 1"));
        assert_eq!(verdict(Ends::None, "b2 a1"), None);
        let drawn = |ends| judged("six", ends, 0, "a1 a3").1;
        assert_eq!(drawn(Ends::All).as_deref(), Some("1/2-1/2 draw by tables 1"));
        assert_eq!(drawn(Ends::Wins), None);
    }

    /// Of nine, the tables know no position with stones in hand.
    #[test]
    fn what_is_not_known_is_left_alone() {
        assert_eq!(judged("nine", Ends::All, 0, "d6 f4"), (vec![String::new(); 2], None));
    }
}
