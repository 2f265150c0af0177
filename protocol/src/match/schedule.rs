//! Which game is played by whom, from which opening: everything follows from a game's number, so
//! that a match can be stopped, split among machines and put together again.
//!
//! The match goes round by round. In a round every pairing plays one opening twice, with colours
//! swapped; all pairings of a round have the same opening.

use serde::{Deserialize, Serialize};

/// A part of the rounds: number `index` (from 1) of `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part.
    pub index: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// Reads `2/8`.
    pub fn parse(text: &str) -> Option<Self> {
        let (index, of) = text.split_once('/')?;
        let shard = Self { index: index.parse().ok()?, of: of.parse().ok()? };
        (1..=shard.of).contains(&shard.index).then_some(shard)
    }

    fn has(self, round: u32) -> bool {
        round % self.of == self.index - 1
    }
}

/// The games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u32,
    shard: Shard,
}

/// One game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number, from 0.
    pub game: usize,
    /// The round, from 0; also the number of the opening.
    pub round: u32,
    /// The number of the pairing.
    pub pairing: usize,
    /// The engines that play White and Black.
    pub players: [usize; 2],
    /// Whether the pairing's first engine has White.
    pub first_is_white: bool,
}

impl Schedule {
    /// A match of `players` engines: each against each, or, if there are `seeds`, the first so many
    /// against all others.
    pub fn new(players: usize, seeds: Option<usize>, rounds: u32, shard: Shard) -> Self {
        let firsts = seeds.unwrap_or(players);
        let others = |first: usize| seeds.unwrap_or(first + 1)..players;
        let pairings = (0..firsts).flat_map(|a| others(a).map(move |b| [a, b])).collect();
        Self { pairings, rounds, shard }
    }

    /// The pairings, each by the numbers of its engines.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The pairs of games to be played, in order, by their numbers.
    pub fn pairs(&self) -> impl Iterator<Item = usize> {
        let (count, shard) = (self.pairings.len(), self.shard);
        let rounds = (0..self.rounds).filter(move |round| shard.has(*round));
        rounds
            .flat_map(move |round| (0..count).map(move |pairing| round as usize * count + pairing))
    }

    /// The number of pairs to be played.
    pub fn pair_count(&self) -> usize {
        let left = self.rounds.saturating_sub(self.shard.index - 1);
        left.div_ceil(self.shard.of) as usize * self.pairings.len()
    }

    /// The game with this number; `None` if it is not to be played here.
    pub fn slot(&self, game: usize) -> Option<Slot> {
        let pair = game / 2;
        let round = u32::try_from(pair.checked_div(self.pairings.len())?).ok()?;
        let pairing = pair % self.pairings.len();
        let first_is_white = game.is_multiple_of(2);
        let [first, second] = self.pairings[pairing];
        let players = if first_is_white { [first, second] } else { [second, first] };
        (round < self.rounds && self.shard.has(round)).then_some(Slot {
            game,
            round,
            pairing,
            players,
            first_is_white,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn slots(schedule: &Schedule) -> Vec<Slot> {
        let games = schedule.pairs().flat_map(|pair| [2 * pair, 2 * pair + 1]);
        games.map(|game| schedule.slot(game).expect("a game of the schedule")).collect()
    }

    #[test]
    fn each_plays_each_with_both_colours() {
        let schedule = Schedule::new(4, None, 3, Shard::WHOLE);
        assert_eq!(schedule.pairings().len(), 6);
        let slots = slots(&schedule);
        assert_eq!(slots.len(), 36);
        let different: BTreeSet<_> = slots.iter().map(|s| (s.round, s.players)).collect();
        assert_eq!(different.len(), 36);
        assert!(slots.iter().all(|s| s.players[0] != s.players[1] && s.round < 3));
        assert_eq!(schedule.slot(36), None);
    }

    #[test]
    fn a_gauntlet_leaves_the_others_alone() {
        let schedule = Schedule::new(4, Some(1), 2, Shard::WHOLE);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [0, 3]]);
        let schedule = Schedule::new(4, Some(2), 2, Shard::WHOLE);
        assert_eq!(schedule.pairings(), [[0, 2], [0, 3], [1, 2], [1, 3]]);
    }

    #[test]
    fn shards_share_out_all_rounds() {
        for of in 1..5 {
            let mut all = Vec::new();
            for index in 1..=of {
                let schedule = Schedule::new(3, None, 10, Shard { index, of });
                let own = slots(&schedule);
                assert_eq!(own.len(), 2 * schedule.pair_count());
                all.extend(own.iter().map(|s| s.game));
            }
            all.sort_unstable();
            assert_eq!(all, (0..60).collect::<Vec<_>>(), "{of} shards");
        }
        assert_eq!(Shard::parse("2/3"), Some(Shard { index: 2, of: 3 }));
        for text in ["0/3", "4/3", "1/0", "1", "x/2", "1/2/3"] {
            assert_eq!(Shard::parse(text), None, "{text}");
        }
    }
}
