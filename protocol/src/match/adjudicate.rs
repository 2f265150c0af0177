//! Ends games whose result is clear before the rules end them. Each way to know that is an
//! [`Adjudicator`]; the referee asks them all after each turn and takes the first verdict. A source
//! of exact values joins as one more of them.

use super::{pairs::Pairs, referee::Ply};
use millrace_engine::{Color, Game, search::Score, text::record::GameResult};
use serde::{Deserialize, Serialize};

/// How a game ends before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The result.
    pub result: GameResult,
    /// Why, in a word or two.
    pub ending: &'static str,
}

/// Someone who may know the result of a game that goes on.
pub trait Adjudicator: Send {
    /// Called after each turn with all turns so far, those of the opening included. May write a
    /// remark on the last turn.
    fn judge(&mut self, game: &Game, plies: &mut [Ply]) -> Option<Verdict>;
}

/// A win that both engines see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// For so many turns of each side in a row.
    pub moves: u32,
    /// At least so many hundredths of a stone.
    pub score: u32,
}

/// A draw that both engines see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// Not before so many plies of the game.
    pub from: u32,
    /// For so many turns of each side in a row.
    pub moves: u32,
    /// At most so many hundredths of a stone.
    pub score: u32,
}

/// A game that is too long is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// Plies after which it is.
    pub plies: u32,
}

/// The scores of the last `moves` turns of each side, latest first; `None` if one is missing.
fn last_scores(plies: &[Ply], moves: u32) -> Option<Vec<(Color, i32)>> {
    let wanted = 2 * moves as usize;
    let last = plies.len().checked_sub(wanted)?;
    plies[last..].iter().rev().map(|ply| Some((ply.side, number(ply.score?)))).collect()
}

/// A score as one number: proven results lie beyond all others.
fn number(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp.clamp(-i32::MAX + 1, i32::MAX - 1),
        Score::Mate(turns) if turns > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

impl Adjudicator for Resign {
    fn judge(&mut self, _game: &Game, plies: &mut [Ply]) -> Option<Verdict> {
        let scores = last_scores(plies, self.moves)?;
        let least = i64::from(self.score);
        let wins = |color: Color| {
            scores.iter().all(|(side, score)| {
                let for_color = if *side == color { i64::from(*score) } else { -i64::from(*score) };
                for_color >= least
            })
        };
        let winner = Color::BOTH.into_iter().find(|color| wins(*color))?;
        let result = [GameResult::White, GameResult::Black][winner.index()];
        Some(Verdict { result, ending: "win agreed" })
    }
}

impl Adjudicator for Draw {
    fn judge(&mut self, _game: &Game, plies: &mut [Ply]) -> Option<Verdict> {
        let long_enough = plies.len() >= self.from as usize;
        let scores = last_scores(plies, self.moves).filter(|_| long_enough)?;
        let level = scores.iter().all(|(_, score)| score.unsigned_abs() <= self.score);
        level.then_some(Verdict { result: GameResult::Draw, ending: "draw agreed" })
    }
}

impl Adjudicator for Length {
    fn judge(&mut self, _game: &Game, plies: &mut [Ply]) -> Option<Verdict> {
        let too_long = plies.len() >= self.plies as usize;
        too_long.then_some(Verdict { result: GameResult::Draw, ending: "length" })
    }
}

/// Reads a whole number from a list, at least `least`.
fn whole(pairs: &Pairs, key: &str, default: u32, least: u32) -> Result<u32, String> {
    let Some(text) = pairs.get(key) else { return Ok(default) };
    text.parse()
        .ok()
        .filter(|n| *n >= least)
        .ok_or_else(|| format!("{key} is '{text}'; it must be a whole number, {least} or more"))
}

impl Resign {
    /// Reads `moves=3 score=500`.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn parse(pairs: &Pairs) -> Result<Self, String> {
        pairs.check(&["moves", "score"]).map_err(|error| error.to_string())?;
        Ok(Self { moves: whole(pairs, "moves", 3, 1)?, score: whole(pairs, "score", 500, 1)? })
    }
}

impl Draw {
    /// Reads `from=60 moves=8 score=10`.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn parse(pairs: &Pairs) -> Result<Self, String> {
        pairs.check(&["from", "moves", "score"]).map_err(|error| error.to_string())?;
        Ok(Self {
            from: whole(pairs, "from", 60, 0)?,
            moves: whole(pairs, "moves", 8, 1)?,
            score: whole(pairs, "score", 10, 0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_engine::{Rules, Turn};

    /// Plies with these scores, each for the side that moved.
    fn plies(scores: &[Option<Score>]) -> Vec<Ply> {
        let sides = [Color::White, Color::Black].into_iter().cycle();
        scores
            .iter()
            .zip(sides)
            .map(|(score, side)| Ply { score: *score, ..Ply::new(side, Turn::PASS) })
            .collect()
    }

    fn cp(list: &[i32]) -> Vec<Ply> {
        plies(&list.iter().map(|cp| Some(Score::Cp(*cp))).collect::<Vec<_>>())
    }

    fn judged(mut adjudicator: impl Adjudicator, mut plies: Vec<Ply>) -> Option<GameResult> {
        let game = Game::new(Rules::default());
        adjudicator.judge(&game, &mut plies).map(|verdict| verdict.result)
    }

    #[test]
    fn a_win_takes_both_engines() {
        let resign = Resign { moves: 2, score: 300 };
        assert_eq!(judged(resign, cp(&[0, 300, -300, 400, -1000])), Some(GameResult::Black));
        assert_eq!(judged(resign, cp(&[300, -300, 400, -301])), Some(GameResult::White));
        assert_eq!(judged(resign, cp(&[300, -300, 400, -299])), None);
        assert_eq!(judged(resign, cp(&[-300, 400, -301])), None);
        assert_eq!(judged(resign, cp(&[300, 300, 300, 300])), None);
        let mates = [Score::Mate(3), Score::Mate(-2), Score::Cp(i32::MAX), Score::Cp(i32::MIN)];
        assert_eq!(judged(resign, plies(&mates.map(Some))), Some(GameResult::White));
        assert_eq!(judged(resign, plies(&[None, Some(mates[1]), Some(mates[0]), None])), None);
    }

    #[test]
    fn a_draw_takes_both_engines_and_time() {
        let draw = Draw { from: 4, moves: 1, score: 10 };
        assert_eq!(judged(draw, cp(&[99, 99, 10, -10])), Some(GameResult::Draw));
        assert_eq!(judged(draw, cp(&[99, 10, -10])), None);
        assert_eq!(judged(draw, cp(&[0, 0, 0, 11])), None);
        assert_eq!(judged(Length { plies: 3 }, cp(&[9, 9, 9])), Some(GameResult::Draw));
        assert_eq!(judged(Length { plies: 3 }, cp(&[9, 9])), None);
    }

    #[test]
    fn lists_are_read_with_defaults() {
        let parse = |text: &str| text.parse::<Pairs>().expect("pairs");
        assert_eq!(Resign::parse(&parse("moves=4")), Ok(Resign { moves: 4, score: 500 }));
        assert_eq!(Draw::parse(&parse("from=0")), Ok(Draw { from: 0, moves: 8, score: 10 }));
        assert!(Resign::parse(&parse("moves=0")).is_err());
        assert!(Draw::parse(&parse("plies=8")).is_err());
    }
}
