//! Principal variation search: the first turn of a node gets the whole window, the others must
//! prove that they are better (Tony Marsland). The kinds of nodes are known at compile time.
//!
//! Turns that look poor are searched less deep or left out, except where a proven result is being
//! made exact: there every turn counts.

use super::{
    busy::{BUSY_DEPTH, PUT_OFF, Work},
    hash::{Entry, Kind},
    mirror::turn,
    order::{CLOSING_RANK, HASH_RANK, Ranked},
    unlisted::{has_one_slide, is_playable},
    value::{INFINITE, LOSS, MAX_PLY, WIN, is_proven, to_table},
    worker::Worker,
};
use crate::{
    board::Topology,
    movegen::{Turn, for_each_turn, threats},
    position::Position,
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

/// A node while its turns are tried.
struct Node<'a> {
    position: &'a Position,
    window: Window,
    depth: i32,
    ply: usize,
    /// The turn that led here.
    last: Option<Turn>,
    /// Whether the side to move is known to stand no better than two plies before.
    fading: bool,
    /// Its key in the hash table.
    key: u64,
    /// Where its turns begin on the list.
    begin: usize,
    /// Its value at a glance, where turns may be left out on the word of it.
    quiet_value: Option<i32>,
}

/// What the turns of a node that have been tried came to.
struct Tried {
    best: i32,
    /// The turn of the best value, if it is above the window's lower end.
    best_turn: Option<Turn>,
    /// What a turn must be better than.
    alpha: i32,
    number: usize,
    /// Those put off; like those tried they come before the next one in the order.
    put_off: usize,
}

impl Tried {
    #[inline(always)]
    fn new(window: Window) -> Self {
        let alpha = window.alpha;
        Self { best: -INFINITE, best_turn: None, alpha, number: 0, put_off: 0 }
    }

    /// Whether this turn and those that come after it are left out.
    #[inline(always)]
    fn leaves_out<N: NodeType>(&self, node: &Node, turn: Turn) -> bool {
        let has_defence = self.number > 0 && self.best > LOSS;
        has_defence && is_hopeless::<N>(node, self.alpha, turn, self.number)
    }
}

impl Worker<'_> {
    /// The value of a position at least `depth` plies deep: exact inside the window, else a bound.
    /// `last` is the turn that led here; none at the root and after a null move.
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
                return self.glance::<T>(position);
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
        // After a null move there is no last turn; the position is none of the game.
        if !N::ROOT
            && last.is_some()
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
        let mut quiet_value = None;
        let mut fading = false;
        self.statics[ply] = INFINITE;
        if !N::PV && !proving {
            let value = self.glance::<T>(position);
            self.statics[ply] = value;
            let before = if ply >= 2 { self.statics[ply - 2] } else { INFINITE };
            fading = before < INFINITE && value <= before;
            let futile = depth <= FUTILE_DEPTH && !is_open(position);
            if value >= window.beta && threats::<T>(&self.rules, position, !position.side) == 0 {
                let ahead = value - FUTILE * (depth + 1) >= window.beta;
                if futile && ahead && !is_proven(window.beta) {
                    return value;
                }
                if last.is_some()
                    && let Some(value) = self.stand_still::<T>(position, window, depth, ply, value)
                {
                    return value;
                }
            }
            quiet_value = futile.then_some(value);
        }

        let begin = self.turns.len();
        let key = place.key;
        let node = Node { position, window, depth, ply, last, fading, key, begin, quiet_value };
        let (best, best_turn) = self.try_turns::<T, N>(&node, hash_turn);
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

    /// Puts the turns of a node, ranked, onto the list, but for one that is there already.
    #[inline(always)]
    fn list_turns<T: Topology, N: NodeType>(
        &mut self,
        node: &Node,
        hash_turn: Option<Turn>,
        listed: Option<Turn>,
    ) {
        let begin = self.turns.len();
        let turns = &mut self.turns;
        if N::ROOT {
            let order = self.root_turns[self.first..].iter().enumerate();
            turns.extend(order.map(|(n, t)| Ranked { turn: t.turn, rank: -(n as i32) }));
            return;
        }
        let Node { position, last, ply, .. } = *node;
        for_each_turn::<T>(&self.rules, position, |turn| {
            if Some(turn) != listed {
                turns.push(Ranked { turn, rank: 0 });
            }
        });
        self.memory.rank::<T>(&self.rules, position, &mut turns[begin..], hash_turn, last, ply);
    }

    /// Searches the turns of a node, and returns the best value and, if it is above the window's
    /// lower end, its turn. The other turns are only looked for once the one that the hash table
    /// knows has been tried: mostly it is enough.
    #[inline(always)]
    fn try_turns<T: Topology, N: NodeType>(
        &mut self,
        node: &Node,
        hash_turn: Option<Turn>,
    ) -> (i32, Option<Turn>) {
        let Node { position, window, depth, begin, .. } = *node;
        let mut first = hash_turn.filter(|t| is_playable::<T>(&self.rules, position, *t));
        match first {
            Some(turn) => self.turns.push(Ranked { turn, rank: HASH_RANK }),
            None => self.list_turns::<T, N>(node, hash_turn, None),
        }
        let below = self.depth_below::<T, N>(node, first.is_some());
        let shares = depth >= BUSY_DEPTH && self.shared.busy.is_shared();
        let mut tried = Tried::new(window);
        loop {
            let at = begin + tried.number;
            if at == self.turns.len() {
                let Some(turn) = first.take() else { break };
                self.list_turns::<T, N>(node, None, Some(turn));
                continue;
            }
            let mut ranked = self.pick(at, self.turns.len());
            if tried.leaves_out::<N>(node, ranked.turn) {
                break;
            }
            let work = (shares && tried.number > 0).then(|| Work::new(position, ranked.turn));
            if let Some(work) = work {
                if let Some(value) = self.found_by_others::<N>(node) {
                    return (value, None);
                }
                if self.puts_off(work, at, &mut ranked, &mut tried) {
                    continue;
                }
            }
            let number = tried.number + tried.put_off;
            let value = self.try_turn::<T, N>(node, tried.alpha, ranked, below, number);
            if let Some(work) = work {
                self.shared.busy.end(work);
            }
            if self.stopped {
                return (0, None);
            }
            if self.cuts_off::<N>(node, &mut tried, ranked.turn, value) {
                break;
            }
            tried.number += 1;
        }
        (tried.best, tried.best_turn)
    }

    /// How deep the turns of a node are searched: as deep as the node itself if there is only one.
    #[inline(always)]
    fn depth_below<T: Topology, N: NodeType>(&self, node: &Node, is_first_alone: bool) -> i32 {
        let forced = if is_first_alone {
            has_one_slide::<T>(&self.rules, node.position)
        } else {
            self.turns.len() - node.begin == 1
        };
        if forced && !N::ROOT { node.depth } else { node.depth - 1 }
    }

    /// Whether a turn, at its place on the list, waits until the others are done because another
    /// thread is at it; if not, it is begun. It waits once.
    #[inline(always)]
    fn puts_off(&mut self, work: Work, at: usize, ranked: &mut Ranked, tried: &mut Tried) -> bool {
        if ranked.rank < -PUT_OFF / 2 {
            ranked.rank += PUT_OFF;
            tried.put_off -= 1;
        } else if self.shared.busy.has(work) {
            self.turns[at].rank -= PUT_OFF;
            tried.put_off += 1;
            return true;
        }
        self.shared.busy.begin(work);
        false
    }

    /// Takes the value of a turn in. Whether it is so high that the others do not matter: then the
    /// order of turns learns from it.
    #[inline(always)]
    fn cuts_off<N: NodeType>(
        &mut self,
        node: &Node,
        tried: &mut Tried,
        turn: Turn,
        value: i32,
    ) -> bool {
        let Node { position, window, depth, ply, last, begin, .. } = *node;
        if N::ROOT {
            self.note_root(turn, value, tried.number == 0 || value > tried.alpha);
        }
        tried.best = tried.best.max(value);
        if value <= tried.alpha {
            return false;
        }
        tried.best_turn = Some(turn);
        tried.alpha = value;
        if N::PV {
            self.extend_line(turn, ply);
        }
        if value < window.beta {
            return false;
        }
        let Self { memory, turns, .. } = self;
        let before = &turns[begin..begin + tried.number];
        memory.learn(position.side, turn, before, last, depth, ply);
        true
    }

    /// The value of a node that another thread has been through meanwhile.
    #[inline(always)]
    fn found_by_others<N: NodeType>(&self, node: &Node) -> Option<i32> {
        let Node { position, window, depth, ply, key, .. } = *node;
        let entry = if N::PV { None } else { self.shared.table.probe(key) };
        entry.and_then(|e| self.known(&e, position, window, depth, ply, window.is_proving()))
    }

    /// The value of one turn of a node, the `number`-th to be tried, searched `below` plies deep.
    #[inline(always)]
    fn try_turn<T: Topology, N: NodeType>(
        &mut self,
        node: &Node,
        alpha: i32,
        ranked: Ranked,
        below: i32,
        number: usize,
    ) -> i32 {
        let Node { position, depth, ply, .. } = *node;
        let (turn, beta) = (ranked.turn, node.window.beta);
        if N::PV {
            self.lines[ply + 1].clear();
        }
        let next = position.after(turn);
        self.path.push(position, &next, turn.is_removal());
        if below > 0 {
            self.shared.table.prefetch(self.path.place::<T>(&next).key);
        }
        let (whole, ply) = (Window { alpha: -beta, beta: -alpha }, ply + 1);
        let mut value = alpha + 1;
        if number > 0 {
            let scout = Window { alpha: -alpha - 1, beta: -alpha };
            let mut less = 0;
            if !node.window.is_proving() && depth >= 3 && number > usize::from(N::PV) {
                less = self.reduction::<N>(node, ranked, number);
            }
            let reduced = (below - less).max(1).min(below);
            value = -self.search::<T, Scout>(&next, scout, reduced, ply, Some(turn));
            if value > alpha && reduced < below {
                value = -self.search::<T, Scout>(&next, scout, below, ply, Some(turn));
            }
        }
        if N::PV && value > alpha && (number == 0 || value < beta || N::ROOT) {
            value = -self.search::<T, OnLine>(&next, whole, below, ply, Some(turn));
        } else if number == 0 {
            value = -self.search::<T, Scout>(&next, whole, below, ply, Some(turn));
        }
        self.path.pop();
        value
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
    fn reduction<N: NodeType>(&self, node: &Node, ranked: Ranked, number: usize) -> i32 {
        let mut less = reduction(node.depth, number);
        if ranked.rank >= CLOSING_RANK {
            // The first removals of a mill are the better ones; the others rarely matter.
            less /= 2;
        } else {
            less -= self.memory.record(node.position.side, ranked.turn, node.last) / 10_000;
        }
        less += i32::from(node.fading);
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
}

/// The depth up to which turns, or all of a position, are left out on the word of the evaluation.
const FUTILE_DEPTH: i32 = 3;

/// Stones of a side, those in hand included, with which a mill or two decide the game: whoever stands
/// well may have lost a few turns later.
const FEW_STONES: u32 = 5;

/// Whether a side has so few stones that the evaluation is not to be trusted that far.
#[inline(always)]
fn is_open(position: &Position) -> bool {
    let stones = |side: usize| position.stones[side].count_ones() + u32::from(position.hands[side]);
    stones(0).min(stones(1)) <= FEW_STONES
}

/// How many turns are looked at that far from the horizon.
fn quiet_turns(depth: i32) -> usize {
    (4 + 4 * depth * depth) as usize
}

/// Whether this turn and those that come after it are not worth a search.
#[inline(always)]
fn is_hopeless<N: NodeType>(node: &Node, alpha: i32, turn: Turn, number: usize) -> bool {
    let Node { depth, quiet_value: Some(value), fading, .. } = *node else { return false };
    let poor = value + FUTILE * (depth + 2) <= alpha;
    !N::PV && !turn.is_removal() && (poor || number > quiet_turns(depth) >> u32::from(fading))
}
