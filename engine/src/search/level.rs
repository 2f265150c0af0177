//! Weaker play: a level looks less deep, and takes at times a turn that it holds to be nearly as
//! good as the best. It never picks at random among all turns.

use super::{
    Settings,
    chance::Chance,
    value::{LOSS, is_proven},
    worker::RootTurn,
};
use std::ops::RangeInclusive;

/// The level that plays with full strength.
pub const FULL_LEVEL: u8 = 20;
/// Levels and their ratings, from a ladder of matches (see SEARCH.md). Only differences are measured:
/// that a beginner has 600 is convention.
const RATINGS: [(u32, u8); 8] = [
    (600, 0),
    (820, 3),
    (1090, 6),
    (1250, 9),
    (1390, 12),
    (1460, 15),
    (1490, 18),
    (1550, FULL_LEVEL),
];
/// The ratings of level 0 and of full strength.
pub const ELO_RANGE: RangeInclusive<u32> = RATINGS[0].0..=RATINGS[RATINGS.len() - 1].0;

/// Lines among which a weaker level chooses.
const CHOICE: usize = 4;

/// The strongest level that is not above a rating, those between measured ones evenly spaced.
fn level_of(elo: u32) -> u8 {
    for pair in RATINGS.windows(2) {
        let [(low, from), (high, to)] = [pair[0], pair[1]];
        if elo < high {
            let steps = u32::from(to - from) * elo.saturating_sub(low) / (high - low);
            return from + steps as u8;
        }
    }
    FULL_LEVEL
}

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Steps below full strength, 0 to 20.
    weakness: i32,
}

impl Level {
    pub(super) fn of(settings: &Settings) -> Self {
        let level = settings.elo.map_or(settings.skill_level.min(FULL_LEVEL), level_of);
        Self { weakness: i32::from(FULL_LEVEL - level) }
    }

    /// Whether nothing is held back.
    pub(super) fn is_full(self) -> bool {
        self.weakness == 0
    }

    /// The number of best lines that must be known.
    pub(super) fn lines(self, wanted: usize) -> usize {
        if self.weakness == 0 { wanted } else { wanted.max(CHOICE) }
    }

    /// The greatest depth it looks.
    pub(super) fn depth(self) -> Option<i32> {
        (self.weakness > 0).then_some(1 + (20 - self.weakness) * 3 / 5)
    }

    /// The number of the line to play, the best lines coming first.
    pub(super) fn choose(self, lines: &[RootTurn], chance: &mut Chance) -> usize {
        if self.weakness == 0 {
            return 0;
        }
        let best = lines[0].known_value();
        let mut chosen = (0, i32::MIN);
        for (n, line) in lines.iter().take(CHOICE).enumerate() {
            let value = line.known_value();
            // What is seen to win is played, and what is seen to lose is not.
            let blunder = is_proven(best) || value <= LOSS || value < best - 6 * self.weakness;
            if n > 0 && blunder {
                break;
            }
            let tempted = value + chance.below(6 * self.weakness as u64 + 1) as i32;
            if tempted > chosen.1 {
                chosen = (n, tempted);
            }
        }
        chosen.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_those_of_their_levels() {
        for (elo, level) in RATINGS {
            assert_eq!(level_of(elo), level);
        }
        assert_eq!(level_of(0), 0);
        assert_eq!(level_of(u32::MAX), FULL_LEVEL);
        assert!((500..2000).map(level_of).is_sorted());
    }
}
