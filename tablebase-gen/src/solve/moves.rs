//! How a side moves, as the solver sees it, and one row's turns in its own coordinates.
//!
//! All turns of a position keep the opponent's stones where they are, up to a removal; so they
//! stay in the row, and a removal is only a *kind* of turn: kind 0 removes nothing, kind `c` has
//! closed `c` mills (or any number of them, where one turn removes one stone).

use super::{
    isa::{Arrival, BLOCK_BITS, Block, COUNT_BITS, HAVING, Isa, SPARE, Work},
    layout::Layout,
    plane::PlaneShape,
};
use crate::{memory, sector::Sector};
use millrace_engine::{
    Rules,
    board::{Geometry, Points, at_most},
    rules::{Blocked, BoardFull, Removals, RemoveFromMill},
};

/// The most kinds of turns that close mills.
pub const MAX_KINDS: usize = 3;

/// What the rules let the mover of a sector do.
pub struct Movement {
    /// The board.
    pub geometry: &'static Geometry,
    /// Stones may be moved along edges or, if `flies`, anywhere.
    pub slides: bool,
    /// See `slides`.
    pub flies: bool,
    /// Stones may be placed.
    pub places: bool,
    /// Kinds of closing turns that are told apart.
    pub kinds: usize,
    /// A line ends the game.
    pub line_wins: bool,
    /// Which stones may be removed.
    pub remove_from_mill: RemoveFromMill,
    /// What being blocked means.
    pub blocked: Blocked,
    /// What a full board means.
    pub board_full: BoardFull,
    /// Whether the opponent flies or has stones in hand, so that it is never blocked itself.
    pub opponent_is_free: bool,
}

impl Movement {
    /// How the side to move of a sector moves.
    pub fn new(rules: &Rules, sector: Sector) -> Self {
        let geometry = rules.board().geometry();
        let through = geometry.through_count[..geometry.points].iter().max();
        let kinds = match rules.removals() {
            // Four lines through a point would take more stones than any board of such has room for.
            Removals::PerMill if !rules.line_wins() => {
                through.map_or(1, |most| usize::from(*most).min(MAX_KINDS))
            }
            _ => 1,
        };
        let flies = |hand, stones| hand == 0 && stones <= rules.fly();
        Self {
            geometry,
            slides: sector.own > 0 && (sector.own_hand == 0 || rules.move_while_placing()),
            flies: flies(sector.own_hand, sector.own),
            places: sector.own_hand > 0,
            kinds,
            line_wins: rules.line_wins(),
            remove_from_mill: rules.remove_from_mill(),
            blocked: rules.blocked(),
            board_full: rules.board_full(),
            opponent_is_free: sector.opponent_hand > 0
                || flies(sector.opponent_hand, sector.opponent),
        }
    }

    /// Number of planes of open turns: one a kind, quiet turns first.
    pub fn planes(&self) -> usize {
        self.kinds + 1
    }

    /// Whether a position without turns passes.
    #[inline(always)]
    pub fn passes(&self) -> bool {
        !self.places && self.blocked == Blocked::Passes
    }

    /// The stones of a set that stand in mills.
    #[inline(always)]
    pub fn in_mills(&self, set: u32) -> u32 {
        let lines = &self.geometry.lines[..self.geometry.line_count];
        lines.iter().filter(|line| set & **line == **line).fold(0, |all, line| all | line)
    }

    /// The stones of the opponent that may be removed.
    pub fn removable(&self, opponent: u32) -> u32 {
        if self.remove_from_mill == RemoveFromMill::Always {
            return opponent;
        }
        let outside = opponent & !self.in_mills(opponent);
        if outside == 0 && self.remove_from_mill == RemoveFromMill::IfNoOther {
            opponent
        } else {
            outside
        }
    }

    /// The kind of a turn to `point` when the mover's other stones are `others`.
    #[inline(always)]
    pub fn kind(&self, point: usize, others: u32, no_target: bool) -> usize {
        let lines = &self.geometry.through[point][..self.geometry.through_count[point] as usize];
        let closed = lines.iter().filter(|line| others & **line == **line).count();
        if no_target { 0 } else { closed.min(self.kinds) }
    }

    /// The stones that can have been the last to move if that was a turn of this kind.
    #[inline(always)]
    fn last_moved(&self, own: u32, kind: usize, no_target: bool) -> u32 {
        if no_target {
            return if kind == 0 { own } else { 0 };
        }
        if self.kinds == 1 {
            let closed = self.closing(own);
            return if kind == 0 { own & !closed } else { own & closed };
        }
        let right = |point: &usize| self.kind(*point, own, false) == kind;
        Points(own).filter(right).fold(0, |set, point| set | 1 << point)
    }

    /// The points whose two partners on some line are in a set.
    #[inline(always)]
    fn closing(&self, set: u32) -> u32 {
        let closers = &self.geometry.closers[..self.geometry.closer_count];
        closers.iter().fold(0, |found, c| {
            found | set.rotate_left(c.first) & set.rotate_left(c.second) & c.targets
        })
    }

    /// Whether a side without wings could move a stone.
    pub fn can_slide(&self, stones: u32, empty: u32) -> bool {
        Points(stones).any(|p| self.geometry.joined[p] & empty != 0)
    }

    /// Whether a set is too small to hold a line.
    pub fn lineless(&self, set: u32) -> bool {
        at_most(set, 2) || self.in_mills(set) == 0
    }
}

/// One row: what does not depend on the mover's stones.
#[derive(Clone, Copy)]
pub struct Row {
    /// The opponent's stones.
    pub opponent: u32,
    /// All other points.
    pub free: u32,
    /// Closing a mill removes nothing, because no stone may be removed.
    pub no_target: bool,
}

impl Row {
    /// A row of a table.
    pub fn new(movement: &Movement, opponent: u32) -> Self {
        let free = movement.geometry.all & !opponent;
        // Under `line_wins` a line matters, whatever could be removed.
        let no_target = !movement.line_wins && movement.removable(opponent) == 0;
        Self { opponent, free, no_target }
    }

    /// The compact index bit of a point.
    #[inline(always)]
    pub fn bit<I: Isa>(&self, point: usize) -> u32 {
        I::extract(1 << point, self.free)
    }

    /// Lists the compact index of every position from which a turn of this kind leads to `index`; `placed` tells whether
    /// that turn was a placement.
    #[inline(always)]
    pub fn before<I: Isa>(
        &self,
        movement: &Movement,
        index: u32,
        kind: usize,
        placed: bool,
        found: &mut Vec<u32>,
    ) {
        let own = I::deposit(index, self.free);
        let empty = self.free & !own;
        for to in Points(movement.last_moved(own, kind, self.no_target)) {
            if placed {
                let lifted = index ^ self.bit::<I>(to);
                found.push(lifted);
                continue;
            }
            for from in Points(movement.geometry.joined[to] & empty) {
                found.push(index ^ I::extract(1 << from | 1 << to, self.free));
            }
        }
        let passing = kind == 0 && !placed && movement.passes();
        if passing && !movement.can_slide(own, empty) {
            found.push(index);
        }
    }

    /// Whether `wanted` holds for the compact index and kind after some turn, or pass, from `index`.
    #[inline(always)]
    pub fn has_turn<I: Isa>(
        &self,
        movement: &Movement,
        index: u32,
        wanted: impl Fn(u32, usize) -> bool,
    ) -> bool {
        let own = I::deposit(index, self.free);
        let empty = self.free & !own;
        let mut stuck = true;
        if movement.slides {
            for from in Points(own) {
                for to in Points(movement.geometry.joined[from] & empty) {
                    stuck = false;
                    let others = own & !(1 << from);
                    let kind = movement.kind(to, others, self.no_target);
                    if wanted(I::extract(others | 1 << to, self.free), kind) {
                        return true;
                    }
                }
            }
        }
        if movement.places {
            for to in Points(empty) {
                let kind = movement.kind(to, own, self.no_target);
                if wanted(I::extract(own | 1 << to, self.free), kind) {
                    return true;
                }
            }
        }
        stuck && movement.passes() && wanted(index, 0)
    }

    /// As [`before`](Self::before), for many messages at once: writes to the start of `found`, and
    /// returns how many. For sides that slide, where one kind of closing turns is told apart.
    #[inline(always)]
    pub fn before_many<I: Isa>(
        &self,
        movement: &Movement,
        layout: &Layout,
        messages: &[u32],
        found: &mut Vec<u32>,
    ) -> usize {
        I::apart(BeforeMany { row: self, movement, layout, messages, found })
    }
}

/// [`Row::before_many`].
struct BeforeMany<'a> {
    row: &'a Row,
    movement: &'a Movement,
    layout: &'a Layout,
    messages: &'a [u32],
    found: &'a mut Vec<u32>,
}

impl Work for BeforeMany<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        let Self { row, movement, layout, messages, found } = self;
        let (indices, closes) = layout.message_bits();
        let g = movement.geometry;
        let mut count = 0;
        for to in Points(row.free) {
            let mut arrival =
                Arrival { indices, closes, to: row.bit::<I>(to), lines: [!0; 4], line_count: 0 };
            for line in &g.through[to][..usize::from(g.through_count[to])] {
                if line & row.opponent == 0 && !row.no_target {
                    arrival.lines[arrival.line_count] = I::extract(*line, row.free);
                    arrival.line_count += 1;
                }
            }
            for from in Points(g.joined[to] & row.free) {
                memory::make_room(found, count + messages.len() + SPARE);
                count += I::arrive(messages, &arrival, row.bit::<I>(from), &mut found[count..]);
            }
        }
        count
    }
}

/// A line's other two points, as seen from a point that may complete it.
#[derive(Clone, Copy)]
struct Line {
    high: u32,
    low: Block,
    /// Whether one of them is the bit that planes leave out.
    top: bool,
}

/// A slide or placement of one row, for all positions of a block at once. "High" bits of a
/// compact index choose the block, the others lie within it.
#[derive(Clone, Copy)]
struct Move {
    /// Bits that the block's number must have (the stone leaves from there).
    need: u32,
    /// Bits that it must not have (the stone goes there).
    forbid: u32,
    /// Change of words within the block.
    words: u32,
    /// Change of bits within a word.
    shift: i32,
    /// The positions of the block that can make the move.
    mask: Block,
    /// First of the lines that it may complete, and their number.
    lines: (u16, u8),
}

/// The turns of one row by blocks. Kept and refilled from row to row.
pub struct Frame {
    moves: Vec<Move>,
    lines: Vec<Line>,
    /// For each high bit of a compact index, clear and set, the moves that it allows.
    allowed: Vec<[MoveSet; 2]>,
    plane: PlaneShape,
}

/// Moves by number.
type MoveSet = [u64; MOVE_WORDS];
/// Enough for all edges of a board, both ways, and all placements.
const MOVE_WORDS: usize = 2;

impl Frame {
    /// A frame to be filled.
    pub fn new() -> Self {
        let plane = PlaneShape::new(0, 0, false);
        Self { moves: Vec::new(), lines: Vec::new(), allowed: Vec::new(), plane }
    }

    /// Makes this the frame of a row, for planes of some shape.
    pub fn fill<I: Isa>(&mut self, movement: &Movement, row: &Row, plane: PlaneShape) {
        self.plane = plane;
        self.moves.clear();
        self.lines.clear();
        for to in Points(row.free) {
            if movement.slides {
                for from in Points(movement.geometry.joined[to] & row.free) {
                    self.add::<I>(movement, row, Some(from), to);
                }
            }
            if movement.places {
                self.add::<I>(movement, row, None, to);
            }
        }
        let high_bits = plane.high_bits() as usize;
        self.allowed.clear();
        self.allowed.resize(high_bits, [[0; MOVE_WORDS]; 2]);
        for (number, made) in self.moves.iter().enumerate() {
            for (bit, [clear, set]) in self.allowed.iter_mut().enumerate() {
                clear[number >> 6] |= u64::from(made.need >> bit & 1 == 0) << (number & 63);
                set[number >> 6] |= u64::from(made.forbid >> bit & 1 == 0) << (number & 63);
            }
        }
    }

    /// The moves from number `64 × word` on that positions of block `number` can make, as bits.
    #[inline(always)]
    fn possible(&self, number: u32, word: usize) -> u64 {
        let left = self.moves.len() - 64 * word;
        let mut set = if left < 64 { (1 << left) - 1 } else { !0 };
        for (bit, sides) in self.allowed.iter().enumerate() {
            set &= sides[(number >> bit & 1) as usize][word];
        }
        set
    }

    fn add<I: Isa>(&mut self, movement: &Movement, row: &Row, from: Option<usize>, to: usize) {
        let first = self.lines.len();
        if !row.no_target {
            let taken = row.opponent | from.map_or(0, |from| 1 << from);
            let through = &movement.geometry.through[to];
            for line in &through[..movement.geometry.through_count[to] as usize] {
                if line & taken == 0 {
                    self.lines.push(line_of(I::extract(*line, row.free), self.plane.top()));
                }
            }
        }
        let position = |point: usize| row.bit::<I>(point).trailing_zeros();
        let mut made = Move {
            need: 0,
            forbid: 0,
            words: 0,
            shift: 0,
            mask: Block::ONES,
            lines: (first as u16, (self.lines.len() - first) as u8),
        };
        // The bit that planes leave out goes where the number of ones says.
        let top = self.plane.top();
        if let Some(from) = from.filter(|from| row.bit::<I>(*from) != top) {
            made.touch(position(from), true);
        }
        if row.bit::<I>(to) != top {
            made.touch(position(to), false);
        }
        self.moves.push(made);
    }

    /// The positions of block `number` from which a turn leads to a position that is set in its
    /// kind's plane. Stops early once all of `wanted` are found.
    #[inline(always)]
    pub fn pull<I: Isa>(&self, planes: &[&[Block]], number: u32, wanted: I::Bits) -> I::Bits {
        let mut found = I::load(&Block::ZERO);
        for word in 0..self.moves.len().div_ceil(64) {
            let mut possible = self.possible(number, word);
            while possible != 0 {
                let made = &self.moves[64 * word + possible.trailing_zeros() as usize];
                possible &= possible - 1;
                found = I::or(found, self.brought::<I>(made, planes, number));
                if I::is_zero(I::without(wanted, found)) {
                    return found;
                }
            }
        }
        found
    }

    /// The positions of block `number` from which one move leads to a set position.
    #[inline(always)]
    fn brought<I: Isa>(&self, made: &Move, planes: &[&[Block]], number: u32) -> I::Bits {
        let mut bits = made.bring::<I>(planes[0], number);
        if made.lines.1 > 0 {
            let closed = self.closed::<I>(made, number, planes.len() - 1);
            bits = I::without(bits, I::or(closed[0], I::or(closed[1], closed[2])));
            for kind in 1..planes.len() {
                if !I::is_zero(closed[kind - 1]) {
                    let after = made.bring::<I>(planes[kind], number);
                    bits = I::or(bits, I::and(after, closed[kind - 1]));
                }
            }
        }
        I::and(bits, I::load(&made.mask))
    }

    /// The positions of a block for which a move completes one, two or three lines; where fewer
    /// kinds are told apart, the last kind takes all above it.
    #[inline(always)]
    fn closed<I: Isa>(&self, made: &Move, number: u32, kinds: usize) -> [I::Bits; MAX_KINDS] {
        let none = I::load(&Block::ZERO);
        let mut at_least = [none; MAX_KINDS];
        let (first, count) = made.lines;
        for line in &self.lines[usize::from(first)..usize::from(first) + usize::from(count)] {
            if number & line.high != line.high {
                continue;
            }
            let mut complete = I::load(&line.low);
            if line.top {
                complete = I::and(complete, I::load(self.plane.with_top(number)));
            }
            if kinds >= 3 {
                at_least[2] = I::or(at_least[2], I::and(at_least[1], complete));
            }
            if kinds >= 2 {
                at_least[1] = I::or(at_least[1], I::and(at_least[0], complete));
            }
            at_least[0] = I::or(at_least[0], complete);
        }
        let [one, two, three] = at_least;
        [I::without(one, two), I::without(two, three), three]
    }

    /// How many turns of each position of block `number` lead to a position that is set in its
    /// kind's plane, bit by bit.
    #[inline(always)]
    pub fn count<I: Isa>(&self, planes: &[&[Block]], number: u32) -> [I::Bits; COUNT_BITS] {
        let mut counts = [I::load(&Block::ZERO); COUNT_BITS];
        for word in 0..self.moves.len().div_ceil(64) {
            let mut possible = self.possible(number, word);
            while possible != 0 {
                let made = &self.moves[64 * word + possible.trailing_zeros() as usize];
                possible &= possible - 1;
                add_one::<I>(&mut counts, self.brought::<I>(made, planes, number));
            }
        }
        counts
    }

    /// The positions of block `number` that have a turn at all.
    #[inline(always)]
    pub fn movable<I: Isa>(&self, number: u32) -> I::Bits {
        let mut found = I::load(&Block::ZERO);
        for word in 0..self.moves.len().div_ceil(64) {
            let mut possible = self.possible(number, word);
            while possible != 0 {
                let made = &self.moves[64 * word + possible.trailing_zeros() as usize];
                possible &= possible - 1;
                found = I::or(found, I::load(&made.mask));
            }
        }
        found
    }
}

/// Adds one to the numbers of some positions.
#[inline(always)]
pub fn add_one<I: Isa>(counts: &mut [I::Bits; COUNT_BITS], positions: I::Bits) {
    let mut carried = positions;
    for count in counts {
        let next = I::and(*count, carried);
        *count = I::differ(*count, carried);
        carried = next;
    }
}

impl Move {
    /// The bits that the positions of block `number` reach by this move.
    #[inline(always)]
    fn bring<I: Isa>(&self, plane: &[Block], number: u32) -> I::Bits {
        let bits = I::load(&plane[(number ^ self.need ^ self.forbid) as usize]);
        let bits = if self.words == 0 { bits } else { I::flip_words(bits, self.words) };
        if self.shift == 0 { bits } else { I::shift(bits, self.shift) }
    }

    /// Takes in that a stone leaves, or goes to, the point with this compact index bit.
    fn touch(&mut self, bit: u32, leaves: bool) {
        if bit >= BLOCK_BITS {
            let high = 1 << (bit - BLOCK_BITS);
            if leaves {
                self.need |= high
            } else {
                self.forbid |= high
            }
            return;
        }
        for (mask, having) in self.mask.0.iter_mut().zip(HAVING[bit as usize].0) {
            *mask &= if leaves { having } else { !having };
        }
        if bit >= 6 {
            self.words |= 1 << (bit - 6);
        } else {
            // The turn is looked at from the position before it: bits are brought from where the
            // stone has arrived.
            self.shift += if leaves { 1 << bit } else { -(1 << bit) };
        }
    }
}

fn line_of(compact: u32, top: u32) -> Line {
    let within = compact & !top;
    let mut line = Line { high: within >> BLOCK_BITS, low: Block::ONES, top: compact & top != 0 };
    for bit in Points(within & ((1 << BLOCK_BITS) - 1)) {
        for (word, having) in line.low.0.iter_mut().zip(HAVING[bit].0) {
            *word &= having;
        }
    }
    line
}
