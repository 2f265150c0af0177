//! Analyse: what each turn of a game was worth, and which one decided it.

mod json;
mod judge;
mod page;
mod table;
mod value;
mod verdict;

pub use json::json;
pub use judge::{Ends, Judge, Judgement, Searcher, TableJudge};
pub use page::page;
pub use table::table;
pub use value::{Standing, Value};
pub use verdict::Verdict;

use crate::svg::{self, Role};
use millrace_engine::{
    Color, Game, Outcome, Position, Rules, Turn,
    text::record::{GameResult, Record},
};

/// A turn with what it was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The side that made it.
    pub side: Color,
    /// Its number, as game records count.
    pub number: u32,
    /// The turn.
    pub turn: Turn,
    /// The position before it.
    pub position: Position,
    /// The best value that its side could have, and the value that the turn left, counted from
    /// before the turn.
    pub before: Value,
    /// See `before`.
    pub after: Value,
    /// The best line, its first turn being the best one.
    pub best: Vec<Turn>,
    /// What the turn was.
    pub verdict: Verdict,
}

impl Judged {
    /// Whether both values are proven.
    pub fn is_exact(&self) -> bool {
        self.before.is_exact() && self.after.is_exact()
    }

    /// The number of the turn as records write it: `7.` or `7...`.
    pub fn count(&self) -> String {
        format!("{}{}", self.number, if self.side == Color::White { "." } else { "..." })
    }

    /// What the turn did, as the end of "this turn …".
    pub fn words(&self) -> &'static str {
        self.verdict.words(self.before.is_exact(), self.after.is_exact())
    }

    /// The best line, if it begins with another turn.
    pub fn better(&self) -> Option<&[Turn]> {
        self.best.first().filter(|best| **best != self.turn).map(|_| self.best.as_slice())
    }

    /// The line that would have been better by enough to speak of.
    pub fn blamed_for(&self) -> Option<&[Turn]> {
        self.better().filter(|_| !self.verdict.sign().is_empty())
    }
}

/// A game with every turn judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The record.
    pub record: Record,
    /// Its turns.
    pub turns: Vec<Judged>,
    /// The place in `turns` of the one that decided the game.
    pub decisive: Option<usize>,
    /// The last position.
    pub last: Position,
    /// Its value, for the side to move.
    pub end: Value,
}

impl Analysis {
    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.record.rules
    }

    /// The turn that decided the game.
    pub fn decisive_turn(&self) -> Option<&Judged> {
        self.turns.get(self.decisive?)
    }

    /// Who played, as far as the record says: `Anna – Ben`.
    pub fn players(&self) -> Option<String> {
        let name = |tag| self.record.tag(tag).filter(|name| !matches!(*name, "" | "?"));
        match (name("White"), name("Black")) {
            (None, None) => None,
            (white, black) => {
                Some(format!("{} – {}", white.unwrap_or("White"), black.unwrap_or("Black")))
            }
        }
    }

    /// The answer in a sentence or two.
    pub fn summary(&self) -> String {
        let board = self.rules().board();
        let Some(turn) = self.decisive_turn() else {
            return "No single turn decided the game.".to_string();
        };
        let mut text = format!(
            "{} {} decided the game: it {}.",
            turn.count(),
            turn.turn.on(board),
            turn.words()
        );
        if let Some(better) = turn.better() {
            let better = better[0].on(board);
            text += &format!(" Better was {better} ({} for {}).", turn.before, turn.side);
        }
        text
    }
}

/// Judges every turn of a record. The sources are asked in their order until one knows; `progress`
/// hears how many of how many positions are done.
///
/// The game is gone through from its end, so that what is found out about later positions helps
/// with earlier ones.
pub fn analyse(
    record: Record,
    judges: &mut [&mut dyn Judge],
    progress: &mut dyn FnMut(usize, usize),
) -> Analysis {
    let mut game = record.game();
    let total = game.positions().len();
    let mut turns = Vec::new();
    let last = *game.position();
    // No source knows draws by history. Those inside a record were not claimed by its players.
    let mut next = match game.outcome() {
        Outcome::Draw(_) => Judgement { value: Value::Draw, line: Vec::new(), depth: None },
        _ => judge(judges, &game),
    };
    let end = next.value;
    progress(1, total);
    while let Some(turn) = game.take_back() {
        let here = judge(judges, &game);
        turns.push(judged(&game, turn, &here, next.value.before_turn()));
        next = here;
        progress(turns.len() + 1, total);
    }
    turns.reverse();
    let decisive = decisive(&turns, record.result);
    Analysis { record, turns, decisive, last, end }
}

/// The board before the decisive turn as a drawing, with that turn and the better one; the last
/// position if no turn decided the game.
pub fn drawing(analysis: &Analysis) -> String {
    let rules = analysis.rules();
    let Some(turn) = analysis.decisive_turn() else {
        return svg::drawing(rules, &analysis.last, &[]);
    };
    let better = turn.better().map(|line| (line[0], Role::Better));
    let shown: Vec<(Turn, Role)> = better.into_iter().chain([(turn.turn, Role::Played)]).collect();
    svg::drawing(rules, &turn.position, &shown)
}

/// What the first source that knows says. If none does, nothing is known: an estimate of nothing.
fn judge(judges: &mut [&mut dyn Judge], game: &Game) -> Judgement {
    let unknown = Judgement { value: Value::Score(0), line: Vec::new(), depth: None };
    judges.iter_mut().find_map(|judge| judge.judge(game)).unwrap_or(unknown)
}

fn judged(game: &Game, turn: Turn, here: &Judgement, after: Value) -> Judged {
    let position = *game.position();
    let is_best = here.line.first() == Some(&turn);
    // Of the two searches the later one has seen more: a turn that leaves more than the best was
    // thought to be worth is the best.
    let (before, best) = if is_best || after.is_better_than(here.value) {
        (after, if is_best { here.line.clone() } else { vec![turn] })
    } else {
        (here.value, here.line.clone())
    };
    let verdict = if position.turns(game.rules()).len() == 1 {
        Verdict::Forced
    } else if best.first() == Some(&turn) {
        Verdict::Best
    } else {
        Verdict::of(before, after)
    };
    Judged {
        side: position.side(),
        number: position.move_number().into(),
        turn,
        position,
        before,
        after,
        best,
        verdict,
    }
}

/// The place of the turn that decided the game: the last by which the loser's standing sank for
/// good; in a game that nobody won, the last that let a win or a draw slip; else the turn that cost
/// most, if it cost anything worth a word.
fn decisive(turns: &[Judged], result: GameResult) -> Option<usize> {
    let loser = match result {
        GameResult::White => Some(Color::Black),
        GameResult::Black => Some(Color::White),
        GameResult::Draw | GameResult::Open => None,
    };
    let is_his = |turn: &&Judged| loser.is_none_or(|loser| turn.side == loser);
    let grave = turns.iter().rposition(|turn| turn.verdict.is_grave() && is_his(&turn));
    let cost = |turn: &Judged| turn.before.centistones() - turn.after.centistones();
    let dearest = || {
        let blamed = |(_, turn): &(usize, &Judged)| !turn.verdict.sign().is_empty() && is_his(turn);
        turns.iter().enumerate().filter(blamed).max_by_key(|(_, turn)| cost(turn)).map(|(n, _)| n)
    };
    grave.or_else(dearest)
}
