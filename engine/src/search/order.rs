//! The order in which turns are tried: what has refuted something before comes first.
//!
//! Killers, countermoves and history count only turns that remove nothing; a turn that closes a
//! mill is judged by the stone it removes.

use super::{glance::Glances, value::MAX_PLY};
use crate::{
    board::{MAX_POINTS, Points, Topology},
    movegen::{Prospects, Turn},
    position::{Color, Position},
    rules::Rules,
};

/// A turn and its rank; higher is tried earlier.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub turn: Turn,
    pub rank: i32,
}

/// The rank of the turn that the hash table knows.
pub(super) const HASH_RANK: i32 = 1 << 30;
/// Turns ranked from here on close a mill.
pub(super) const CLOSING_RANK: i32 = 1 << 20;
const KILLER_RANK: i32 = 1 << 18;
/// No history count leaves `-HISTORY_LIMIT..=HISTORY_LIMIT`.
const HISTORY_LIMIT: i32 = 16_384;

/// A row for each point that a stone can come from, and one for the hand.
const SOURCES: usize = MAX_POINTS + 1;
const TURNS: usize = SOURCES * MAX_POINTS;

/// The number of a turn without its removals, below [`TURNS`].
#[inline(always)]
fn number(turn: Turn) -> usize {
    // A pass has no points; it never competes with another turn, so any number does.
    turn.from().unwrap_or(MAX_POINTS) * MAX_POINTS + turn.to().unwrap_or(0)
}

/// What one thread has learnt: about turns, and the evaluations that it has made.
pub(super) struct Memory {
    pub(super) glances: Glances,
    /// Room for the turns of a path; between searches it is empty.
    pub(super) turns: Vec<Ranked>,
    quiet: [[i16; TURNS]; 2],
    removal: [[[i16; MAX_POINTS]; MAX_POINTS]; 2],
    /// By the destination of the opponent's last turn.
    after: [[[i16; TURNS]; MAX_POINTS]; 2],
    counter: [[Turn; TURNS]; 2],
    killers: [[Turn; 2]; MAX_PLY + 2],
}

/// Stands for "none" among killers: its rank would be that of any only turn.
const NO_TURN: Turn = Turn::PASS;

impl Memory {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            glances: Glances::new(),
            turns: Vec::with_capacity(4096),
            quiet: [[0; TURNS]; 2],
            removal: [[[0; MAX_POINTS]; MAX_POINTS]; 2],
            after: [[[0; TURNS]; MAX_POINTS]; 2],
            counter: [[NO_TURN; TURNS]; 2],
            killers: [[NO_TURN; 2]; MAX_PLY + 2],
        })
    }

    /// Forgets everything. What has been touched before costs the next search no page faults.
    pub(super) fn forget(&mut self) {
        self.glances.forget();
        self.quiet.as_flattened_mut().fill(0);
        self.removal.as_flattened_mut().as_flattened_mut().fill(0);
        self.after.as_flattened_mut().as_flattened_mut().fill(0);
        self.counter.as_flattened_mut().fill(NO_TURN);
        self.killers.as_flattened_mut().fill(NO_TURN);
    }

    /// Ranks turns that close a mill, and no others.
    #[inline(always)]
    pub(super) fn rank_closings<T: Topology>(&self, position: &Position, turns: &mut [Ranked]) {
        let stones = Stones::of::<T>(position);
        for ranked in turns {
            ranked.rank = self.closing_rank::<T>(&stones, position.side, ranked.turn);
        }
    }

    #[inline(always)]
    fn closing_rank<T: Topology>(&self, stones: &Stones, side: Color, turn: Turn) -> i32 {
        let counts = &self.removal[side.index()][turn.to().unwrap_or(0)];
        let worth = |p| stones.worth::<T>(p) + i32::from(counts[p]) / 16;
        CLOSING_RANK + Points(turn.removed()).map(worth).sum::<i32>()
    }

    /// Ranks the turns of a position. `last` is the turn that led to it.
    #[inline(always)]
    pub(super) fn rank<T: Topology>(
        &self,
        rules: &Rules,
        position: &Position,
        turns: &mut [Ranked],
        hash_turn: Option<Turn>,
        last: Option<Turn>,
        ply: usize,
    ) {
        let side = position.side.index();
        let sight = Sight::of::<T>(rules, position);
        let killers = self.killers[ply];
        let answered = last.map_or(0, |t| t.to().unwrap_or(0));
        let counter = last.map_or(NO_TURN, |t| self.counter[side][number(t)]);
        for ranked in turns {
            let turn = ranked.turn;
            ranked.rank = if Some(turn) == hash_turn {
                HASH_RANK
            } else if turn.is_removal() {
                self.closing_rank::<T>(&sight.stones, position.side, turn)
            } else {
                let n = number(turn);
                let mut rank =
                    i32::from(self.quiet[side][n]) + i32::from(self.after[side][answered][n]);
                rank += sight.quiet_bonus::<T>(turn);
                if turn == killers[0] {
                    rank += KILLER_RANK;
                } else if turn == killers[1] {
                    rank += KILLER_RANK - 1;
                } else if turn == counter {
                    rank += KILLER_RANK / 4;
                }
                rank
            };
        }
    }

    /// Learns that `best` has refuted a position after the turns in `tried` had not.
    pub(super) fn learn(
        &mut self,
        side: Color,
        best: Turn,
        tried: &[Ranked],
        last: Option<Turn>,
        depth: i32,
        ply: usize,
    ) {
        let side = side.index();
        let bonus = (depth * depth * 8 + 32 * depth).min(2048);
        let answered = last.map_or(0, |t| t.to().unwrap_or(0));
        if !best.is_removal() {
            let killers = &mut self.killers[ply];
            if killers[0] != best {
                *killers = [best, killers[0]];
            }
            if let Some(last) = last {
                self.counter[side][number(last)] = best;
            }
            self.adjust(side, answered, best, bonus);
        } else {
            self.adjust(side, answered, best, bonus);
        }
        for ranked in tried {
            if ranked.turn != best {
                self.adjust(side, answered, ranked.turn, -bonus);
            }
        }
    }

    fn adjust(&mut self, side: usize, answered: usize, turn: Turn, bonus: i32) {
        if turn.is_removal() {
            let to = turn.to().unwrap_or(0);
            for point in Points(turn.removed()) {
                nudge(&mut self.removal[side][to][point], bonus);
            }
        } else {
            nudge(&mut self.quiet[side][number(turn)], bonus);
            nudge(&mut self.after[side][answered][number(turn)], bonus);
        }
    }

    /// What the turn has done so far, for the depth it deserves.
    #[inline(always)]
    pub(super) fn record(&self, side: Color, turn: Turn, last: Option<Turn>) -> i32 {
        let answered = last.map_or(0, |t| t.to().unwrap_or(0));
        let n = number(turn);
        i32::from(self.quiet[side.index()][n]) + i32::from(self.after[side.index()][answered][n])
    }

    /// Forgets the killers two plies on, which belong to another branch.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) {
        self.killers[ply + 1] = [NO_TURN; 2];
    }
}

/// Moves a count towards a limit, by less the nearer it is.
#[inline(always)]
fn nudge(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// The stones as the side to move sees them.
struct Stones {
    own: u32,
    opponent: u32,
    empty: u32,
}

/// What can be seen of a position without trying turns.
struct Sight {
    stones: Stones,
    prospects: Prospects,
    /// Own stones that alone keep the opponent from having a line.
    holding: u32,
    /// Own stones in mills, which they may leave and return to.
    in_mills: u32,
}

/// The worth of a turn that removes nothing, in counts of the history.
const BLOCKS: i32 = 12_000;
const LETS_GO: i32 = 8_000;
const OPENS_MILL: i32 = 4_000;
const PAIRS: i32 = 1_500;

impl Stones {
    #[inline(always)]
    fn of<T: Topology>(position: &Position) -> Self {
        let empty = position.empty(T::G.all);
        Self { own: position.own(), opponent: position.opponent(), empty }
    }

    /// How much the opponent will miss the stone on a point: by the lines through it that are
    /// its own but for an empty point, and those of ours that it blocks.
    #[inline(always)]
    fn worth<T: Topology>(&self, point: usize) -> i32 {
        let mut worth = 0;
        for k in 0..T::G.through_count[point] as usize {
            let partners = T::G.through[point][k];
            let theirs = (partners & self.opponent).count_ones() as i32;
            let ours = (partners & self.own).count_ones() as i32;
            let free = partners & self.empty != 0;
            worth += match (theirs, ours) {
                (1, 0) if free => 1500,
                (0, 2) => 1400,
                (2, _) => 600,
                (0, 1) if free => 300,
                _ => 0,
            };
        }
        worth + 40 * (T::G.joined[point] & self.empty).count_ones() as i32
    }
}

impl Sight {
    #[inline(always)]
    fn of<T: Topology>(rules: &Rules, position: &Position) -> Self {
        let stones = Stones::of::<T>(position);
        let Stones { own, opponent, .. } = stones;
        Self {
            stones,
            prospects: Prospects::of::<T>(rules, position),
            holding: own & T::closing(opponent),
            in_mills: T::in_mills(own),
        }
    }

    #[inline(always)]
    fn quiet_bonus<T: Topology>(&self, turn: Turn) -> i32 {
        let onto = turn.to().map_or(0, |to| 1 << to);
        let mut bonus = 0;
        if onto & self.prospects.threatened != 0 {
            bonus += BLOCKS;
        }
        if onto & self.prospects.pairing != 0 {
            bonus += PAIRS;
        }
        if let Some(from) = turn.from() {
            if self.holding >> from & 1 == 1 {
                bonus -= LETS_GO;
            }
            // The way back must not be barred at once.
            if self.in_mills >> from & 1 == 1 && T::G.joined[from] & self.stones.opponent == 0 {
                bonus += OPENS_MILL;
            }
        }
        bonus
    }
}
