//! Positions of games that the engine plays against itself from random openings, and of turns that
//! it might have made there. Tables say what they are worth; of drawn ones the game's result does,
//! since what is to be learnt from a draw is who is more likely to go wrong, and in games of short
//! thought both sides do.

use super::sample::{Part, Sample, usual_target};
use millrace_engine::{
    Color, Game, Outcome, Position, Rules,
    search::{self, Chance, Control, Engine, Limits},
    table::{Tables, Wdl},
};
use rayon::prelude::*;

/// How to play.
pub struct Play<'a> {
    /// The rules.
    pub rules: Rules,
    /// Tables that end a game in which a side has gone wrong, if they know the position. Drawn games
    /// are played on: who goes wrong first is what is to be learnt.
    pub tables: &'a Tables,
    /// The search's settings.
    pub search: search::Settings,
    /// Nodes of a turn.
    pub nodes: u64,
    /// Parts of the game of which positions are wanted.
    pub parts: &'a [Part],
}

/// Games that one engine plays in a row; the result does not depend on the number of threads.
const ROUND: usize = 16;

/// Plays so many games and returns their positions after the openings. The same seed plays the same
/// games; `advance` hears of each one.
pub fn play(play: &Play, games: usize, seed: u64, advance: &(dyn Fn(u64) + Sync)) -> Vec<Sample> {
    let rounds = games.div_ceil(ROUND);
    let played: Vec<Vec<Sample>> = (0..rounds)
        .into_par_iter()
        .map(|round| {
            let mut engine = Engine::new(play.search.clone());
            let mut found = Vec::new();
            for number in round * ROUND..games.min((round + 1) * ROUND) {
                let mut chance = Chance::new(seed, !(number as u64).wrapping_mul(0x9e37_79b9));
                engine.new_game();
                found.extend(one(play, &mut engine, &mut chance));
                advance(1);
            }
            found
        })
        .collect();
    played.into_iter().flatten().collect()
}

/// The positions of one game. A game that is over before the opening is has none.
fn one(play: &Play, engine: &mut Engine, chance: &mut Chance) -> Vec<Sample> {
    let mut game = Game::new(play.rules);
    let placements = 2 * u64::from(play.rules.stones());
    for _ in 0..2 + chance.below(placements - 2) {
        let turns = game.position().turns(&play.rules);
        if turns.is_empty() {
            return Vec::new();
        }
        game.play(turns[chance.below(turns.len() as u64) as usize]);
    }
    let begin = game.turns().len();
    let limits = Limits { nodes: Some(play.nodes), ..Limits::default() };
    let result = loop {
        if let Some(result) = known(play, &game) {
            break result;
        }
        match engine.search(&game, &limits, &Control::new(), &mut |_| {}).turn {
            Some(turn) if game.play(turn) => {}
            _ => return Vec::new(),
        }
    };
    let mut found = Vec::new();
    for position in &game.positions()[begin..] {
        let white = position.side() == Color::White;
        let lean = if white { result } else { 1.0 - result };
        found.extend(
            judged(play, position)
                .map(|target| Sample { position: *position, target: target.unwrap_or(lean) }),
        );
        // Searches look at what might have been played much more often than at what was.
        let turns = position.turns(&play.rules);
        if turns.is_empty() {
            continue;
        }
        let other = position.after(turns[chance.below(turns.len() as u64) as usize]);
        if let Some(Some(target)) = judged(play, &other) {
            found.push(Sample { position: other, target });
        }
    }
    found
}

/// What is aimed at in a position whose part of the game is wanted, if tables tell a winner.
fn judged(play: &Play, position: &Position) -> Option<Option<f32>> {
    if !play.parts.contains(&Part::of(position)) || position.outcome(&play.rules).is_over() {
        return None;
    }
    let decided = play.tables.wdl(position).filter(|wdl| *wdl != Wdl::Draw);
    Some(decided.map(usual_target))
}

/// What White has got, once that is known.
fn known(play: &Play, game: &Game) -> Option<f32> {
    let position = game.position();
    match game.outcome() {
        Outcome::Win(Color::White, _) => return Some(1.0),
        Outcome::Win(Color::Black, _) => return Some(0.0),
        Outcome::Draw(_) => return Some(0.5),
        Outcome::Ongoing => {}
    }
    if !position.is_moving_phase() {
        return None;
    }
    let wdl = play.tables.wdl(position).filter(|wdl| *wdl != Wdl::Draw)?;
    let value = usual_target(wdl);
    Some(if position.side() == Color::White { value } else { 1.0 - value })
}
