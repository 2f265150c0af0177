//! Makes openings: random turns, each class of positions under the board's symmetries once, and if
//! wanted only those in which a short search finds one side ahead by so much.

use super::Opening;
use millrace_engine::{
    Color, Game, Position, Rules,
    search::{Chance, Control, Engine, Limits, Score, Settings},
};
use rayon::prelude::*;
use std::{collections::HashSet, ops::RangeInclusive};

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The rules.
    pub rules: Rules,
    /// Turns of both sides together.
    pub plies: u32,
    /// How many.
    pub count: usize,
    /// Of all chance; not 0.
    pub seed: u64,
    /// The scores that are wanted, whichever side is ahead, in hundredths of a stone; any if none.
    pub score: Option<RangeInclusive<u32>>,
    /// Nodes of the search that says so.
    pub nodes: u64,
}

/// Candidates that are searched at a time. The result does not depend on the number of threads,
/// since candidates are taken in the order in which they were drawn.
const BATCH: usize = 64;
/// Draws in a row without anything new after which there is taken to be nothing more.
const PATIENCE: usize = 20_000;
/// Candidates in a row with other scores than are wanted after which none is taken to have such a
/// one: fewer if not one has been found, since then it is mostly the wish that is wrong. One
/// candidate of a thousand with such a score is found by so few 98 times of 100.
const TRIES: usize = 20_000;
const FIRST_TRIES: usize = 64 * BATCH;

/// How far the making of openings has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Openings that were handed over.
    pub found: usize,
    /// Candidates, no two alike, among which they were found.
    pub tried: usize,
    /// Whether it ended because too many in a row had other scores.
    pub given_up: bool,
}

/// Makes openings and hands over each as it is found; `tell` hears how far it has come. There are less
/// than wished in the end only if no more were found.
///
/// # Errors
/// Whatever `hand_over` returns.
pub fn make<E>(
    wish: &Wish,
    hand_over: &mut dyn FnMut(&Opening) -> Result<(), E>,
    tell: &mut dyn FnMut(Made),
) -> Result<Made, E> {
    let mut chance = Chance::new(wish.seed, 0);
    let mut seen = HashSet::new();
    let (mut made, mut refused) = (Made::default(), 0);
    while made.found < wish.count && !made.given_up {
        let missing = wish.count - made.found;
        let wanted = wish.score.as_ref().map_or(missing, |_| BATCH).min(BATCH);
        let batch = draw(wish, wanted, &mut chance, &mut seen);
        if batch.is_empty() {
            break;
        }
        made.tried += batch.len();
        let kept: Vec<Opening> = match &wish.score {
            None => batch,
            Some(wanted) => {
                batch.into_par_iter().filter(|opening| lies_in(wish, wanted, opening)).collect()
            }
        };
        refused = if kept.is_empty() { refused + BATCH } else { 0 };
        for opening in kept.iter().take(missing) {
            hand_over(opening)?;
            made.found += 1;
        }
        made.given_up = refused >= if made.found == 0 { FIRST_TRIES } else { TRIES };
        tell(made);
    }
    Ok(made)
}

/// Draws up to `count` openings that are different from all seen.
fn draw(
    wish: &Wish,
    count: usize,
    chance: &mut Chance,
    seen: &mut HashSet<(u64, u32)>,
) -> Vec<Opening> {
    let mut batch = Vec::new();
    let mut failures = 0;
    while batch.len() < count && failures < PATIENCE {
        let drawn = random_game(wish, chance);
        match drawn.filter(|game| seen.insert(class(&wish.rules, game.position()))) {
            Some(game) => {
                failures = 0;
                batch.push(Opening { first: game.positions()[0], turns: game.turns().to_vec() });
            }
            None => failures += 1,
        }
    }
    batch
}

/// A game of so many random turns; `None` if it was over before or is now.
fn random_game(wish: &Wish, chance: &mut Chance) -> Option<Game> {
    let mut game = Game::new(wish.rules);
    for _ in 0..wish.plies {
        let turns = game.position().turns(&wish.rules);
        if game.outcome().is_over() || turns.is_empty() {
            return None;
        }
        game.play(turns[chance.below(turns.len() as u64) as usize]);
    }
    (!game.outcome().is_over()).then_some(game)
}

/// The same for positions that are images of each other, and for no others: the least pair of stone
/// sets among all images, with hands and side.
fn class(rules: &Rules, position: &Position) -> (u64, u32) {
    let [white, black] = Color::BOTH.map(|color| position.stones(color));
    let images = rules.board().symmetries().iter();
    let least = images.map(|s| u64::from(s.set(white)) << 32 | u64::from(s.set(black))).min();
    let hands = Color::BOTH.map(|color| u32::from(position.hand(color)));
    (least.unwrap_or_default(), hands[0] << 8 | hands[1] << 4 | position.side() as u32)
}

/// Whether a search finds one side ahead by as much as is wanted, but no win.
fn lies_in(wish: &Wish, wanted: &RangeInclusive<u32>, opening: &Opening) -> bool {
    let mut engine = Engine::new(Settings { hash_mib: 1, threads: 1, ..Settings::default() });
    let limits = Limits { nodes: Some(wish.nodes), ..Limits::default() };
    let mut score = None;
    let game = opening.game(&wish.rules);
    engine.search(&game, &limits, &Control::new(), &mut |info| {
        if info.bound.is_none() && info.multi_pv == 1 {
            score = Some(info.score);
        }
    });
    matches!(score, Some(Score::Cp(cp)) if wanted.contains(&cp.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn wish(rules: &str, plies: u32, count: usize) -> Wish {
        let rules = Rules::parse(rules).expect("rules");
        Wish { rules, plies, count, seed: 1, score: None, nodes: 2_000 }
    }

    fn made(wish: &Wish) -> Vec<Opening> {
        let mut list = Vec::new();
        let mut told = Made::default();
        let mut hand_over = |opening: &Opening| {
            list.push(opening.clone());
            Ok::<_, Infallible>(())
        };
        let made = make(wish, &mut hand_over, &mut |made| told = made);
        assert_eq!((made, told.found), (Ok(told), list.len()));
        list
    }

    #[test]
    fn all_first_turns_are_found_once_a_class() {
        // The 24 points fall into four classes: corners and middles of the middle square, and of
        // the two others, which the symmetries exchange.
        assert_eq!(made(&wish("nine", 1, 100)).len(), 4);
        // Corner, side, centre.
        assert_eq!(made(&wish("three", 1, 100)).len(), 3);
        assert_eq!(made(&wish("nine", 0, 100)).len(), 1);
    }

    #[test]
    fn openings_repeat_for_a_seed_and_differ_up_to_symmetry() {
        let wish = wish("nine", 6, 150);
        let list = made(&wish);
        assert_eq!(list.len(), 150);
        assert_eq!(made(&wish), list);
        assert_ne!(made(&Wish { seed: 2, ..wish.clone() }), list);
        // Every image of every position is compared, by plain means.
        let mut seen: HashSet<u64> = HashSet::new();
        for opening in &list {
            let position = *opening.game(&wish.rules).position();
            assert!(seen.insert(position.packed()));
            let [white, black] = Color::BOTH.map(|c| position.stones(c));
            let hands = Color::BOTH.map(|c| position.hand(c));
            for s in wish.rules.board().symmetries() {
                let stones = [s.set(white), s.set(black)];
                let image = Position::new(&wish.rules, stones, hands, position.side());
                seen.insert(image.expect("an image of a position").packed());
            }
        }
    }

    #[test]
    fn an_impossible_band_is_given_up_soon() {
        let wish = Wish { score: Some(9_000..=9_001), nodes: 1, ..wish("nine", 4, 10) };
        let mut steps = 0;
        let made =
            make::<Infallible>(&wish, &mut |_| unreachable!("it is impossible"), &mut |_| {
                steps += 1
            });
        assert_eq!(made, Ok(Made { found: 0, tried: FIRST_TRIES, given_up: true }));
        assert_eq!(steps, FIRST_TRIES / BATCH);
    }

    #[test]
    fn openings_of_a_band_are_a_part_of_all() {
        // Of six men's morris the program knows all values, so that nobody is ahead by a little.
        for (rules, band) in [("six", 0..=30), ("nine", 0..=30), ("nine", 60..=120)] {
            let any = wish(rules, 6, 10);
            let all = made(&Wish { count: 2_000, ..any.clone() });
            let list = made(&Wish { score: Some(band.clone()), ..any.clone() });
            assert_eq!(list.len(), 10);
            assert!(list.iter().all(|o| all.contains(o) && lies_in(&any, &band, o)));
            assert!(all.iter().any(|o| !lies_in(&any, &band, o)));
        }
    }
}
