//! Principal variation search: the first turn of a node gets the whole window, the others must
//! prove that they are better (Tony Marsland). The kinds of nodes are known at compile time.
//!
//! Turns that look poor are searched less deep or left out, except where a proven result is being
//! made exact: there every turn counts.

use super::{
    hash::{Entry, Kind},
    mirror::turn,
    order::{CLOSING_RANK, Ranked},
    value::{INFINITE, LOSS, MAX_PLY, WIN, distance, from_table, is_proven, to_table, win_in},
    worker::Worker,
};
use crate::{
    board::Topology,
    movegen::{Turn, for_each_turn},
    position::{Color, Outcome, Position},
    rules::{Blocked, BoardFull, Removals},
};

/// A kind of node.
pub(super) trait NodeType {
    /// Whether the window may be open, so that a line of best play is wanted.
    const PV: bool;
    /// Whether it is the first node.
    const ROOT: bool;
}

/// The first node.
pub(super) struct Root;
/// A node on a principal variation.
pub(super) struct OnLine;
/// A node of which only is asked on which side of a bound it lies.
pub(super) struct Scout;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeType for OnLine {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeType for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// About the natural logarithm, from below: harmonic numbers are the same on every machine.
const fn log(n: usize) -> f64 {
    let mut sum = 0.0;
    let mut k = 1;
    while k < n {
        sum += 1.0 / k as f64;
        k += 1;
    }
    sum
}

/// Plies by which a turn is searched less deep, by depth and number in the order.
static REDUCTIONS: [[i8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut depth = 0;
    while depth < 64 {
        let mut number = 0;
        while number < 64 {
            table[depth][number] = (0.3 + log(depth) * log(number) / 2.2) as i8;
            number += 1;
        }
        depth += 1;
    }
    table
};

#[inline(always)]
fn reduction(depth: i32, number: usize) -> i32 {
    i32::from(REDUCTIONS[depth.clamp(0, 63) as usize][number.min(63)])
}

/// Centi-stones that a quiet turn can hardly bring, for each ply left.
const FUTILE: i32 = 60;

/// What a node is asked.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// Whether only proven results lie inside, so that their distances are what is looked for.
    #[inline(always)]
    pub(super) fn is_proving(self) -> bool {
        self.alpha >= WIN || self.beta <= LOSS
    }
}

impl Worker<'_> {
    /// The value of a position at least `depth` plies deep: exact inside the window, else a bound.
    /// `last` is the turn that led here.
    pub(super) fn search<T: Topology, N: NodeType>(
        &mut self,
        position: &Position,
        mut window: Window,
        mut depth: i32,
        ply: usize,
        last: Option<Turn>,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<T>(position, window, ply);
        }
        if self.visit() {
            return 0;
        }
        if !N::ROOT {
            if let Some(value) = self.ended::<T, true>(position, window, ply) {
                return value;
            }
            if ply >= MAX_PLY {
                return self.evaluator.value_on::<T>(position);
            }
            window = self.reachable::<T>(position, window, ply);
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        if N::PV {
            self.sel_depth = self.sel_depth.max(ply);
        }
        self.memory.enter(ply);

        let proving = window.is_proving();
        let place = self.path.place::<T>(position);
        let entry = self.shared.table.probe(place.key);
        if !N::PV
            && let Some(value) =
                entry.and_then(|e| self.known(&e, position, window, depth, ply, proving))
        {
            return value;
        }
        if !N::ROOT
            && let Some(value) = self.look_up(position, window, depth, ply)
        {
            return value;
        }
        let hash_turn = if N::ROOT {
            None
        } else {
            entry.and_then(|e| e.turn).map(|t| turn::<T, true>(t, place.image))
        };
        if !N::ROOT && !proving && hash_turn.is_none() && depth >= 4 {
            depth -= 1;
        }
        let quiet_value = if N::PV || proving || depth > FUTILE_DEPTH {
            None
        } else {
            let value = self.evaluator.value_on::<T>(position);
            if value - FUTILE * (depth + 1) >= window.beta
                && !is_proven(window.beta)
                && !threatened::<T>(position)
            {
                return value;
            }
            Some(value)
        };

        let begin = self.turns.len();
        self.list_turns::<T, N>(position, hash_turn, last, ply);
        let (best, best_turn) =
            self.try_turns::<T, N>(position, window, depth, ply, last, begin, quiet_value);
        self.turns.truncate(begin);
        if self.stopped {
            return 0;
        }
        if !N::ROOT || self.first == 0 {
            let kind = if best >= window.beta {
                Kind::Lower
            } else if N::PV && best_turn.is_some() {
                Kind::Exact
            } else {
                Kind::Upper
            };
            let value = to_table(best, ply);
            self.shared.table.store(
                place.key,
                Entry {
                    turn: best_turn.map(|t| turn::<T, false>(t, place.image)),
                    value,
                    depth,
                    kind,
                    full_width: proving,
                },
            );
        }
        best
    }

    /// Puts the turns of a position, ranked, onto the list.
    #[inline(always)]
    fn list_turns<T: Topology, N: NodeType>(
        &mut self,
        position: &Position,
        hash_turn: Option<Turn>,
        last: Option<Turn>,
        ply: usize,
    ) {
        let begin = self.turns.len();
        let turns = &mut self.turns;
        if N::ROOT {
            let order = self.root_turns[self.first..].iter().enumerate();
            turns.extend(order.map(|(n, t)| Ranked { turn: t.turn, rank: -(n as i32) }));
            return;
        }
        for_each_turn::<T>(&self.rules, position, |turn| turns.push(Ranked { turn, rank: 0 }));
        self.memory.rank::<T>(position, &mut turns[begin..], hash_turn, last, ply);
    }

    /// Searches the turns listed from `begin` on, and returns the best value and, if it is above
    /// the window's lower end, its turn.
    #[inline(always)]
    #[expect(clippy::too_many_arguments)]
    fn try_turns<T: Topology, N: NodeType>(
        &mut self,
        position: &Position,
        window: Window,
        depth: i32,
        ply: usize,
        last: Option<Turn>,
        begin: usize,
        quiet_value: Option<i32>,
    ) -> (i32, Option<Turn>) {
        let Window { mut alpha, beta } = window;
        let proving = window.is_proving();
        let end = self.turns.len();
        let forced = end - begin == 1;
        let mut best = -INFINITE;
        let mut best_turn = None;
        for number in 0..end - begin {
            let Ranked { turn, rank } = self.pick(begin + number, end);
            let quiet = !turn.is_removal();
            if !N::PV && !proving && quiet && best > LOSS && number > 0 {
                let poor = quiet_value.is_some_and(|v| v + FUTILE * (depth + 2) <= alpha);
                if depth <= FUTILE_DEPTH && (poor || number > quiet_turns(depth)) {
                    break;
                }
            }
            if N::PV {
                self.lines[ply + 1].clear();
            }
            let next = position.after(turn);
            self.path.push(position, &next, !quiet);
            let below = if forced && !N::ROOT { depth } else { depth - 1 };
            if below > 0 {
                self.shared.table.prefetch(self.path.place::<T>(&next).key);
            }
            let value = {
                let mut value = alpha + 1;
                if number > 0 {
                    let scout = Window { alpha: -alpha - 1, beta: -alpha };
                    let mut less = 0;
                    if !proving && depth >= 3 && number > usize::from(N::PV) {
                        less = self.reduction::<N>(position.side, turn, last, rank, depth, number);
                    }
                    let reduced = (below - less).max(1).min(below);
                    value = -self.search::<T, Scout>(&next, scout, reduced, ply + 1, Some(turn));
                    if value > alpha && reduced < below {
                        value = -self.search::<T, Scout>(&next, scout, below, ply + 1, Some(turn));
                    }
                }
                if N::PV && value > alpha && (number == 0 || value < beta || N::ROOT) {
                    let whole = Window { alpha: -beta, beta: -alpha };
                    value = -self.search::<T, OnLine>(&next, whole, below, ply + 1, Some(turn));
                } else if number == 0 {
                    let whole = Window { alpha: -beta, beta: -alpha };
                    value = -self.search::<T, Scout>(&next, whole, below, ply + 1, Some(turn));
                }
                value
            };
            self.path.pop();
            if self.stopped {
                return (0, None);
            }
            if N::ROOT {
                self.note_root(turn, value, number == 0 || value > alpha);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_turn = Some(turn);
                    alpha = value;
                    if N::PV {
                        self.extend_line(turn, ply);
                    }
                    if value >= beta {
                        let Self { memory, turns, .. } = self;
                        let tried = &turns[begin..begin + number];
                        memory.learn(position.side, turn, tried, last, depth, ply);
                        break;
                    }
                }
            }
        }
        (best, best_turn)
    }

    /// Brings the highest-ranked of the turns from `at` on to the front.
    #[inline(always)]
    pub(super) fn pick(&mut self, at: usize, end: usize) -> Ranked {
        let turns = &mut self.turns[at..end];
        let mut highest = 0;
        for (n, ranked) in turns.iter().enumerate() {
            if ranked.rank > turns[highest].rank {
                highest = n;
            }
        }
        turns.swap(0, highest);
        turns[0]
    }

    #[inline(always)]
    fn reduction<N: NodeType>(
        &self,
        side: Color,
        turn: Turn,
        last: Option<Turn>,
        rank: i32,
        depth: i32,
        number: usize,
    ) -> i32 {
        let mut less = reduction(depth, number);
        if rank >= CLOSING_RANK {
            // The first removals of a mill are the better ones; the others rarely matter.
            less /= 2;
        } else {
            less -= self.memory.record(side, turn, last) / 10_000;
        }
        if N::PV {
            less -= 1;
        }
        less.max(0)
    }

    fn note_root(&mut self, turn: Turn, value: i32, counts: bool) {
        let (sel_depth, line) = (self.sel_depth, &self.lines[1]);
        let Some(root) = self.root_turns[self.first..].iter_mut().find(|r| r.turn == turn) else {
            return;
        };
        root.value = -INFINITE;
        if counts {
            root.value = value;
            root.sel_depth = sel_depth;
            root.line.clear();
            root.line.push(turn);
            root.line.extend_from_slice(line);
        }
    }

    /// The value of a game that is over. With `HISTORY`, by the way it came as well.
    #[inline(always)]
    pub(super) fn ended<T: Topology, const HISTORY: bool>(
        &self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Option<i32> {
        match position.outcome_on::<T>(&self.rules) {
            Outcome::Ongoing => {
                let proving = window.is_proving();
                (HISTORY && self.path.is_drawn(position, proving)).then_some(0)
            }
            Outcome::Draw(_) => Some(0),
            Outcome::Win(winner, _) if winner == position.side => Some(win_in(ply)),
            Outcome::Win(..) => Some(-win_in(ply)),
        }
    }

    /// What the hash table's value is good for here.
    #[inline(always)]
    fn known(
        &self,
        entry: &Entry,
        position: &Position,
        window: Window,
        depth: i32,
        ply: usize,
        proving: bool,
    ) -> Option<i32> {
        let value = from_table(entry.value, ply);
        let high = entry.kind.is_lower() && value >= window.beta;
        let low = entry.kind.is_upper() && value <= window.alpha;
        if !high && !low {
            return None;
        }
        if is_proven(value) && !self.path.in_time(position, distance(entry.value)) {
            return None;
        }
        // A proof holds whatever the depth at which it was found.
        let proof = high && value >= WIN || low && value <= LOSS;
        (proof || entry.depth >= depth && (entry.full_width || !proving)).then_some(value)
    }

    /// The window without values that cannot come out: results nearer than the game can end.
    #[inline(always)]
    fn reachable<T: Topology>(&self, position: &Position, window: Window, ply: usize) -> Window {
        let Window { mut alpha, mut beta } = window;
        if alpha >= WIN {
            beta = beta.min(win_in(ply + self.least_plies::<T>(position, position.side)));
        } else {
            beta = beta.min(win_in(ply + 1));
        }
        if beta <= LOSS {
            alpha = alpha.max(-win_in(ply + 1 + self.least_plies::<T>(position, !position.side)));
        } else {
            alpha = alpha.max(-win_in(ply + 2));
        }
        Window { alpha, beta }
    }

    /// The fewest plies in which a side can win, were it to move: stones must be removed turn by
    /// turn, or the opponent must be blocked.
    fn least_plies<T: Topology>(&self, position: &Position, side: Color) -> usize {
        let rules = &self.rules;
        if rules.line_wins {
            return 1;
        }
        let total = |s| position.stones(s).count_ones() as usize + usize::from(position.hand(s));
        let their_total = total(!side);
        let at_once = if rules.removals == Removals::One { 1 } else { 3 };
        let by_removal = 2 * their_total.saturating_sub(2).div_ceil(at_once).max(1) - 1;
        let flying = their_total <= usize::from(rules.fly) && !rules.move_while_placing;
        let can_fill = their_total + total(side) >= T::G.points;
        let loses = rules.blocked == Blocked::Loses || rules.board_full == BoardFull::Loses;
        if loses && (can_fill || !flying) {
            // The opponent can only be blocked once its hand is empty.
            by_removal.min(2 * usize::from(position.hand(!side)) + 1)
        } else {
            by_removal
        }
    }
}

/// The depth up to which turns are left out on the word of the evaluation.
const FUTILE_DEPTH: i32 = 3;

/// How many turns are looked at that far from the horizon.
fn quiet_turns(depth: i32) -> usize {
    (4 + 4 * depth * depth) as usize
}

/// Whether the opponent may be about to close a mill.
#[inline(always)]
fn threatened<T: Topology>(position: &Position) -> bool {
    T::closing(position.opponent()) & position.empty(T::G.all) != 0
}
