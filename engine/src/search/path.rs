//! The way to the current position: the game so far and the turns of the search, for the draws
//! that only a history can show.
//!
//! A position met again since the root is scored as a draw at once: whoever gains by going round
//! can do so without. Positions of the game before the root count as the rules say.

use super::mirror::{Image, least};
use crate::{board::Topology, game::Game, position::Position};

/// From a root with more stones, images of the same position are hardly ever both reached.
const FEW_STONES: u32 = 7;

fn stones_on_board(position: &Position) -> u32 {
    (position.stones[0] | position.stones[1]).count_ones()
}

#[derive(Clone, Copy)]
struct Step {
    key: u64,
    /// Turns without placement or removal up to here; no position before them can recur.
    reversible: u16,
}

/// More turns back than any search looks, with room to count on.
const FAR: usize = 60_000;

/// Positions from the last irreversible turn before the root to the current one.
#[derive(Clone)]
pub(super) struct Path {
    steps: Vec<Step>,
    root: usize,
    repetition: usize,
    no_mill_plies: u16,
    /// Stones on the board and in hand at the root.
    material: [u32; 2],
    /// Mixed from the positions of the game that are drawn when met again; 0 if there are none.
    drawn: u64,
    /// Whether positions share their values with their images.
    mirrors: bool,
}

/// Where the hash table keeps a position.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub key: u64,
    /// How turns are turned that are kept there.
    pub image: Image,
}

/// What two positions share if turns that can be taken back may lead from one to the other.
fn material(position: &Position) -> [u32; 2] {
    [0, 1].map(|s| position.stones[s].count_ones() << 8 | u32::from(position.hands[s]))
}

/// The positions of a game since its last irreversible turn, the current one included.
pub(super) fn linked(game: &Game) -> &[Position] {
    let here = material(game.position());
    let count = game.positions().iter().rev().take_while(|p| material(p) == here).count();
    &game.positions()[game.positions().len() - count..]
}

impl Path {
    /// The path of a search from the current position of a game.
    pub(super) fn new(game: &Game) -> Self {
        let rules = game.rules();
        let steps: Vec<Step> = linked(game)
            .iter()
            .enumerate()
            .map(|(n, p)| Step { key: p.key(), reversible: n.min(FAR) as u16 })
            .collect();
        let mut path = Self {
            root: steps.len() - 1,
            steps,
            repetition: rules.repetition().into(),
            no_mill_plies: rules.no_mill_plies(),
            material: material(game.position()),
            drawn: 0,
            mirrors: false,
        };
        path.drawn = path.find_drawn();
        path.mirrors = path.drawn == 0 && stones_on_board(game.position()) <= FEW_STONES;
        path
    }

    /// A number that stands for the set of positions that one more visit turns into draws.
    fn find_drawn(&self) -> u64 {
        if self.repetition == 0 {
            return 0;
        }
        let mut keys: Vec<u64> = self.steps[..self.root].iter().map(|s| s.key).collect();
        keys.sort_unstable();
        keys.chunk_by(|a, b| a == b)
            .filter(|same| same.len() + 1 >= self.repetition)
            .fold(0, |mixed, same| mixed ^ same[0].wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    /// Enters the position that a turn leads to.
    #[inline(always)]
    pub(super) fn push(&mut self, before: &Position, after: &Position, removes: bool) {
        let same = before.hands == after.hands && !removes;
        let reversible = if same { self.steps[self.steps.len() - 1].reversible + 1 } else { 0 };
        self.steps.push(Step { key: after.key(), reversible });
    }

    /// Enters the position after a null move. Nothing before it can recur.
    #[inline(always)]
    pub(super) fn push_null(&mut self, after: &Position) {
        self.steps.push(Step { key: after.key(), reversible: 0 });
    }

    /// Leaves the position entered last.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    /// Whether the turn that led here cannot be taken back.
    #[inline(always)]
    pub(super) fn is_fresh(&self) -> bool {
        self.steps[self.steps.len() - 1].reversible == 0
    }

    /// Whether the game is drawn by its history in the position entered last. `proving` asks for
    /// the rule to the letter: where distances of proven results are looked for, going round is
    /// merely slow, and must not make values depend on the way.
    #[inline(always)]
    pub(super) fn is_drawn(&self, position: &Position, proving: bool) -> bool {
        if self.no_mill_plies > 0 && position.quiet_plies >= self.no_mill_plies {
            return true;
        }
        let last = self.steps.len() - 1;
        let Step { key, reversible } = self.steps[last];
        let mut before = 0;
        // Two plies are too few to bring anything back.
        for back in (4..=usize::from(reversible)).step_by(2) {
            if self.steps[last - back].key == key {
                if last - back < self.root {
                    before += 1;
                } else if !proving {
                    return true;
                }
                if before + 1 == self.repetition {
                    return true;
                }
            }
        }
        false
    }

    /// Where the value of a position is kept: under its own key or that of its least image, mixed
    /// with what of the history the value depends on, so that no other history meets it.
    #[inline(always)]
    pub(super) fn place<T: Topology>(&self, position: &Position) -> Place {
        if self.mirrors && position.hand(position.side) > 0 {
            let (representative, image) = least::<T>(position);
            return Place { key: representative.key(), image };
        }
        /// Plies before the no-mill draw from which values are taken to depend on it.
        const NEAR: u16 = 24;
        let mut key = position.key();
        if self.no_mill_plies > 0 && position.quiet_plies + NEAR >= self.no_mill_plies {
            key ^= u64::from(position.quiet_plies).wrapping_mul(0x9fb2_1c65_1e98_df25);
        }
        if self.drawn != 0 && material(position) == self.material {
            key ^= self.drawn;
        }
        Place { key, image: Image::SAME }
    }

    /// Whether a win in so many plies from a position comes before the no-mill draw.
    #[inline(always)]
    pub(super) fn in_time(&self, position: &Position, plies: i32) -> bool {
        self.no_mill_plies == 0
            || i32::from(position.quiet_plies) + plies <= i32::from(self.no_mill_plies)
    }
}
