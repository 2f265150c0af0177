//! The cells of a table as one stream of bits, and back.

use super::{
    around::{Around, CELL, TWIN, add_replies, look_around, threats},
    mix::{Mixer, Surroundings},
};
use crate::{
    pack::patterns,
    solve::{Instructions, Isa, Work},
};
use millrace_engine::{
    index::{gather, rank, scatter, unrank},
    table::{
        Block, Shape,
        codec::{
            coder::BitCoder,
            context::{
                Cell, FREEDOMS, MOST_PATTERNS, NEIGHBOURS, PATTERN_POINTS, RowContext, UNKNOWN,
                Visitor,
            },
        },
        two_colouring,
    },
};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Goes through all stored cells of a table. Writers give the cells of each row, readers leave them as
/// they are. Returns a byte for each cell, with [`CELL`] and [`TWIN`] in it; `None` if `stop` was set.
pub fn code_table<C: BitCoder>(
    shape: &Shape,
    coder: &mut C,
    give: impl FnMut(usize, &mut Vec<u8>),
    stop: &AtomicBool,
    instructions: Instructions,
) -> Option<Vec<u8>> {
    instructions.run(Table { shape, coder, give, stop })
}

/// [`code_table`].
struct Table<'a, C, G> {
    shape: &'a Shape,
    coder: &'a mut C,
    give: G,
    stop: &'a AtomicBool,
}

impl<C: BitCoder, G: FnMut(usize, &mut Vec<u8>)> Work for Table<'_, C, G> {
    type Output = Option<Vec<u8>>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        let Self { shape, coder, mut give, stop } = self;
        let columns = shape.columns;
        let mut bytes = vec![0; shape.rows() * columns];
        let mut context = RowContext::new(shape, &patterns(shape.board));
        let mut mixers = [mixer(), mixer()];
        let mut around = vec![Around::default(); columns];
        let [mut threat, mut given, mut cells] = [(); 3].map(|()| vec![0; columns]);
        let colour = two_colouring(shape.board).unwrap_or(0);
        let is_late =
            |row: usize| (shape.classes.representative(row) & colour).count_ones() % 2 == 1;
        // A slide changes the colour of a stone's point: what the late rows need is known before
        // them. No slide leads to a late row, unless symmetries exchange the colours.
        let exchanged = shape.board.symmetries().iter().any(|s| s.set(colour) != colour);
        for late in [false, true] {
            for row in (0..shape.rows()).filter(|row| is_late(*row) == late) {
                if stop.load(Relaxed) {
                    return None;
                }
                give(row, &mut given);
                let known = |other: usize| {
                    let is_known = (is_late(other), other) < (late, row);
                    is_known.then(|| &bytes[other * columns..][..columns])
                };
                look_around(shape, row, known, &mut around);
                threats(shape, row, &mut threat);
                let block = Block { row, rows: 1, first: 0, end: columns };
                let seen = Seen { given: &given, around: &around, threats: &threat };
                context.walk(&block, &mut cells, &mut Coding { seen, mixers: &mut mixers, coder });
                let line = &mut bytes[row * columns..][..columns];
                line.copy_from_slice(&cells);
                add_twins(shape, row, line);
                if !late || exchanged {
                    add_replies(shape, row, line);
                }
            }
        }
        Some(bytes)
    }
}

/// Fills in the cells that equal one before them, since a symmetry keeps the row's stones.
fn add_twins(shape: &Shape, row: usize, line: &mut [u8]) {
    if !shape.classes.is_symmetric(row) {
        return;
    }
    let symmetries = shape.stabiliser(row);
    let free = shape.board.all() & !shape.classes.representative(row);
    for column in 0..line.len() {
        if line[column] == UNKNOWN {
            let stones = scatter(unrank(column as u32, shape.sector.opponent.into()), free);
            let images = symmetries.iter().map(|s| s.set(stones));
            let first = images.min().map_or(column, |first| rank(gather(first, free)) as usize);
            line[column] = line[first] & CELL | TWIN;
        }
    }
}

/// Patterns that are looked up together with the first points of the next one.
const WIDENED: [usize; 4] = [0, 1, 3, 5];
/// Points of the next pattern.
const WIDER: u32 = 4;
/// Opinions that are asked.
const OPINIONS: usize = MOST_PATTERNS + WIDENED.len() + 6;
/// Entries of a pattern's table.
const PATTERN: usize = 3usize.pow(PATTERN_POINTS as u32);

fn mixer() -> Mixer<OPINIONS> {
    let mut sizes = [4 * PATTERN; OPINIONS];
    sizes[MOST_PATTERNS..][..WIDENED.len()].fill(PATTERN * 3usize.pow(WIDER));
    sizes[MOST_PATTERNS + WIDENED.len()..].copy_from_slice(&[
        NEIGHBOURS * 16,
        243 * 16,
        216 * 64,
        216 * 16,
        FREEDOMS * 16,
        4096 * 4,
    ]);
    Mixer::new(&sizes, 256, &[1024, 216])
}

/// What is known of a row's cells beside their [`Cell`]s.
struct Seen<'a> {
    given: &'a [u8],
    around: &'a [Around],
    threats: &'a [u8],
}

struct Coding<'a, C> {
    seen: Seen<'a>,
    /// For a win, and for a loss if it is no win.
    mixers: &'a mut [Mixer<OPINIONS>; 2],
    coder: &'a mut C,
}

impl<C: BitCoder> Visitor for Coding<'_, C> {
    #[inline(always)]
    fn value(&mut self, cell: &Cell, place: usize) -> u8 {
        let given = self.seen.given[place];
        let at = surroundings(cell, &self.seen.around[place], self.seen.threats[place].into());
        let [win, loss] = self.mixers;
        if win.code(self.coder, &at, given == 2) {
            return 2;
        }
        loss.code(self.coder, &at, given == 1).into()
    }
}

/// The best that a known slide achieves: 3 a win, 2 a draw, 1 a loss, 0 if none is known.
#[inline(always)]
fn best(around: &Around, can_close: bool) -> usize {
    (0..3).rev().find(|worth| around.answered(*worth, can_close) > 0).map_or(0, |worth| worth + 1)
}

/// Puts digits of these bases together, the first one highest. Digits that are too great count as the
/// greatest.
#[inline(always)]
fn digits<const N: usize>(digits: [(usize, usize); N]) -> usize {
    digits.into_iter().fold(0, |number, (digit, base)| number * base + digit.min(base - 1))
}

/// Where to look; `tablebase-gen/FORMAT.md` has the same as a table.
#[inline(always)]
fn surroundings(cell: &Cell, around: &Around, threats: usize) -> Surroundings<OPINIONS> {
    let closings = cell.closings / 8;
    let (sure, open) = (best(around, false), best(around, true));
    // If the other side can close a line, a slide after which it has no other one may be good too.
    let open = if open == 0 && around.answered(3, true) > 0 { 3 } else { open };
    let unknown = around.unknown();
    let summary = digits([(sure, 4), (open, 4), (closings, 4), (threats, 4)]);
    let known = digits([0, 1, 2].map(|code| (around.cells(code), 6)));
    let near = cell.neighbours / 16;

    let mut opinions = [0; OPINIONS];
    for (number, opinion) in opinions[..MOST_PATTERNS].iter_mut().enumerate() {
        *opinion = digits([(cell.pattern(number), PATTERN), (threats, 2), (closings, 2)]) as u32;
    }
    for (opinion, number) in opinions[MOST_PATTERNS..].iter_mut().zip(WIDENED) {
        const BASE: usize = 3usize.pow(WIDER);
        let wider = cell.pattern(number + 1) % BASE;
        *opinion = digits([(cell.pattern(number), PATTERN), (wider, BASE)]) as u32;
    }
    let answered = |worth, can_close| around.answered(worth, can_close);
    let lost = answered(0, false) + answered(0, true);
    let rest = [
        cell.neighbours * 16 + digits([(sure, 4), (open, 4)]),
        digits([
            (answered(2, false), 3),
            (answered(2, true), 3),
            (answered(1, false), 3),
            (answered(1, true), 3),
            (lost, 3),
            (closings, 4),
            (threats, 4),
        ]),
        digits([(known, 216), (sure, 4), (open, 4), (closings, 4)]),
        digits([(near, 216), (closings, 4), (threats, 4)]),
        digits([(cell.freedom, FREEDOMS), (threats, 4), (closings, 4)]),
        digits([
            (around.narrow(), 4),
            (summary, 256),
            (unknown, 4),
            (unknown.saturating_sub(3), 4),
        ]),
    ];
    for (opinion, entry) in opinions[MOST_PATTERNS + WIDENED.len()..].iter_mut().zip(rest) {
        *opinion = entry as u32;
    }
    Surroundings {
        opinions,
        weights: digits([(sure, 4), (open, 4), (closings, 4), (unknown, 4)]) as u32,
        corrections: [digits([(summary, 256), (unknown, 4)]) as u32, near as u32],
    }
}
