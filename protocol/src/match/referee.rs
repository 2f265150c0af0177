//! Plays one game: keeps board, history and clocks, and decides how it ends. What engines claim
//! means nothing; only turns count.

use super::{
    adjudicate::{Adjudicator, Verdict},
    clock::Clock,
    openings::Opening,
    player::{Answer, Fault, Player},
    trouble::Trouble,
};
use millrace_engine::{
    Color, DrawReason, Game, Outcome, Rules, Turn, WinReason,
    search::Score,
    text::{fen, record::GameResult},
};
use std::time::Duration;

/// A turn with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The side that made it.
    pub side: Color,
    /// The turn.
    pub turn: Turn,
    /// What the engine thought of it, for its side; nothing in an opening.
    pub score: Option<Score>,
    /// The depth that it reached.
    pub depth: Option<u32>,
    /// The time that it took; nothing in an opening.
    pub time: Option<Duration>,
    /// What an adjudicator has to say about it; usually empty.
    pub remark: String,
}

impl Ply {
    /// A turn of which nothing else is known.
    pub fn new(side: Color, turn: Turn) -> Self {
        Self { side, turn, score: None, depth: None, time: None, remark: String::new() }
    }
}

/// A game that has ended.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// All its turns.
    pub plies: Vec<Ply>,
    /// Its result.
    pub result: GameResult,
    /// How it ended, in a word or two without colours, for counting.
    pub ending: String,
    /// How it ended, as a clause, for reading.
    pub reason: String,
    /// The fault that ended it, if one did, and whose it was.
    pub trouble: Option<(Color, Trouble)>,
}

impl Played {
    /// A game that a side loses by a fault.
    pub fn lost(game: Game, plies: Vec<Ply>, loser: Color, trouble: Trouble) -> Self {
        let result = win_of(!loser);
        let ending = trouble.name().to_string();
        let reason = format!("{loser}: {trouble}");
        Self { game, plies, result, ending, reason, trouble: Some((loser, trouble)) }
    }
}

/// The match is being stopped.
#[derive(Debug)]
pub struct Stopped;

/// The plies of an opening.
pub fn opening_plies(rules: &Rules, opening: &Opening) -> (Game, Vec<Ply>) {
    let game = opening.game(rules);
    let positions = game.positions().iter();
    let plies = positions.zip(game.turns()).map(|(p, turn)| Ply::new(p.side(), *turn)).collect();
    (game, plies)
}

/// Plays a game between White and Black, who are ready for it.
///
/// # Errors
/// If the match is stopped meanwhile.
pub fn play(
    rules: &Rules,
    opening: &Opening,
    players: [&mut Player; 2],
    mut clocks: [Clock; 2],
    adjudicators: &mut [Box<dyn Adjudicator>],
) -> Result<Played, Stopped> {
    let (mut game, mut plies) = opening_plies(rules, opening);
    let [white, black] = players;
    let mut players = [white, black];
    for ply in &plies {
        players.iter_mut().for_each(|player| player.push_turn(ply.turn));
    }
    loop {
        if let Some(verdict) = verdict(&game, &mut plies, adjudicators) {
            return Ok(ended(game, plies, verdict));
        }
        let side = game.position().side();
        let answer = match players[side.index()].choose(&game, &clocks) {
            Ok(answer) => answer,
            Err(Fault::Stopped) => return Err(Stopped),
            Err(Fault::Trouble(trouble)) => return Ok(Played::lost(game, plies, side, trouble)),
        };
        match accept(&mut game, &answer, &mut clocks[side.index()]) {
            Ok(turn) => {
                players.iter_mut().for_each(|player| player.push_turn(turn));
                plies.push(Ply {
                    score: answer.said.score,
                    depth: answer.said.depth,
                    time: Some(answer.used),
                    ..Ply::new(side, turn)
                });
            }
            Err(trouble) => return Ok(Played::lost(game, plies, side, trouble)),
        }
    }
}

/// Makes an answer's turn, if it came in time and is legal; time is looked at first.
fn accept(game: &mut Game, answer: &Answer, clock: &mut Clock) -> Result<Turn, Trouble> {
    clock.spend(answer.used, answer.actions).map_err(|over| Trouble::TimeLoss {
        used: over.used,
        allowed: over.allowed,
        margin: clock.limit().margin,
    })?;
    game.play_text(&answer.token).map_err(|why| Trouble::IllegalTurn {
        token: answer.token.chars().take(40).collect(),
        fen: fen(game.rules(), game.position()),
        why: why.to_string(),
    })
}

/// How a game stands by the rules, then by the adjudicators.
enum End {
    Rules(Outcome),
    Judged(Verdict),
}

fn verdict(
    game: &Game,
    plies: &mut [Ply],
    adjudicators: &mut [Box<dyn Adjudicator>],
) -> Option<End> {
    // All adjudicators see each turn, also the last: they may have a remark on it.
    let mut judged = None;
    for adjudicator in adjudicators {
        let verdict = adjudicator.judge(game, plies);
        judged = judged.or(verdict);
    }
    match game.outcome() {
        Outcome::Ongoing => judged.map(End::Judged),
        outcome => Some(End::Rules(outcome)),
    }
}

fn ended(game: Game, plies: Vec<Ply>, end: End) -> Played {
    let (result, ending, reason) = match end {
        End::Rules(outcome) => (outcome.into(), ending(outcome), outcome.reason()),
        End::Judged(Verdict { result, ending }) => (result, ending, ending.to_string()),
    };
    Played { game, plies, result, ending: ending.to_string(), reason, trouble: None }
}

/// The result of a game that a side wins.
pub(super) fn win_of(color: Color) -> GameResult {
    [GameResult::White, GameResult::Black][color.index()]
}

/// How a game ended, without colours.
fn ending(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ongoing => "unfinished",
        Outcome::Win(_, WinReason::UnderThree) => "fewer than three",
        Outcome::Win(_, WinReason::Blocked) | Outcome::Draw(DrawReason::Blocked) => "blocked",
        Outcome::Win(_, WinReason::BoardFull) | Outcome::Draw(DrawReason::BoardFull) => {
            "board full"
        }
        Outcome::Win(_, WinReason::Line) => "line",
        Outcome::Draw(DrawReason::BothPass) => "both pass",
        Outcome::Draw(DrawReason::Repetition) => "repetition",
        Outcome::Draw(DrawReason::NoMill) => "no mill",
    }
}
