//! What the rows that are known already tell of a row's cells.
//!
//! A slide of the side to move leads to another row, where it is the other side's turn, and all
//! slides of that side stay there. So a known row tells of each of its columns how well the other
//! side fares if it is to move, and that tells of the cells one slide before.

use millrace_engine::{
    board::{MAX_POINTS, Points},
    index::{gather, next_of_size, rank, scatter, unrank},
    table::{Shape, codec::context::UNKNOWN},
};

/// The cell in a table's byte, [`UNKNOWN`] if there is none.
pub const CELL: u8 = 3;
/// In a table's byte, that the cell is not stored: it equals one before it.
pub const TWIN: u8 = 1 << 7;

/// A slide within a row, on the row's free points as bits from 0.
struct Slide {
    from: u32,
    both: u32,
    /// The other two points of a line that the slide can close; all bits if there is none.
    line: u32,
}

/// The slides of the side that is not to move, on the points that the row leaves free.
fn slides(shape: &Shape, row: usize) -> Vec<Slide> {
    let g = shape.board.geometry();
    let free = g.all & !shape.classes.representative(row);
    let slide = |from: usize, to: usize| {
        let through = &g.through[to][..usize::from(g.through_count[to])];
        let closable = |line: &&u32| *line >> from & 1 == 0 && *line & !free == 0;
        let line = through.iter().find(closable).map_or(u32::MAX, |line| gather(*line, free));
        let from = gather(1 << from, free);
        Slide { from, both: from | gather(1 << to, free), line }
    };
    Points(free)
        .flat_map(|from| Points(g.joined[from] & free).map(move |to| slide(from, to)))
        .collect()
}

/// A cell's rank from the side to move's point of view, by its code: draw, loss, win.
const WORTH: [usize; 3] = [1, 0, 2];

/// Adds to a row's bytes what follows for the other side, if it is to move there, from its slides
/// that close nothing: bits 2 and 3 the worst cell that it can lead to (0 loss, 1 draw, 2 win, 3 none),
/// 4 whether a slide closes a line, 5 and 6 the number of slides to such a worst cell, at most 3.
///
/// # Panics
/// If the row has another number of columns.
#[inline(always)]
pub fn add_replies(shape: &Shape, row: usize, bytes: &mut [u8]) {
    assert_eq!(bytes.len(), shape.columns);
    let slides = slides(shape, row);
    let mut stones = unrank(0, shape.sector.opponent.into());
    for column in 0..bytes.len() {
        let (mut leads, mut closing) = ([0u8; 4], false);
        for slide in &slides {
            if stones & slide.both != slide.from {
                continue;
            }
            if stones & slide.line == slide.line {
                closing = true;
                continue;
            }
            let cell = bytes[rank(stones ^ slide.both) as usize] & CELL;
            leads[WORTH.get(usize::from(cell)).map_or(3, |worth| *worth)] += 1;
        }
        let worst = (0..3).find(|worth| leads[*worth] > 0);
        // Who cannot move has lost.
        let blocked = if closing { 3 } else { 2 };
        let (worst, ways) = worst.map_or((blocked, 0), |worth| (worth as u8, leads[worth]));
        bytes[column] |= worst << 2 | u8::from(closing) << 4 | ways.min(3) << 5;
        stones = next_of_size(stones);
    }
}

/// How many lines the other side can close by a slide, for each column of a row, at most 3.
#[inline(always)]
pub fn threats(shape: &Shape, row: usize, threats: &mut [u8]) {
    let slides = slides(shape, row);
    let mut stones = unrank(0, shape.sector.opponent.into());
    for threat in threats {
        let closes = |s: &&Slide| stones & s.both == s.from && stones & s.line == s.line;
        *threat = slides.iter().filter(closes).count().min(3) as u8;
        stones = next_of_size(stones);
    }
}

/// What known rows tell of a cell: numbers of the slides of the side to move that close nothing, a
/// byte each.
#[derive(Clone, Copy, Default)]
pub struct Around {
    /// By the worst cell that the other side's answers lead to, and by 4 more if it can close a line.
    answers: u64,
    /// From the lowest byte on: slides that have but one answer so bad, slides into rows that are
    /// not known, and drawn, lost and won cells with the same stones of the other side.
    more: u64,
}

impl Around {
    /// Slides after which the other side's best answer leads to a cell of this worth (0 loss, 1
    /// draw, 2 win, 3 unknown), with or without it being able to close a line.
    #[inline(always)]
    pub fn answered(&self, worth: usize, can_close: bool) -> usize {
        (self.answers >> (8 * (worth + 4 * usize::from(can_close))) & 255) as usize
    }

    /// Slides that but one answer keeps from leading to something better.
    #[inline(always)]
    pub fn narrow(&self) -> usize {
        (self.more & 255) as usize
    }

    /// Slides into rows that are not known.
    #[inline(always)]
    pub fn unknown(&self) -> usize {
        (self.more >> 8 & 255) as usize
    }

    /// Slides into rows whose cell for the same stones of the other side has this code.
    #[inline(always)]
    pub fn cells(&self, code: usize) -> usize {
        (self.more >> (8 * (2 + code)) & 255) as usize
    }
}

/// What a known row's byte adds.
static ADDED: [Around; 256] = {
    let mut added = [Around { answers: 0, more: 0 }; 256];
    let mut byte = 0;
    while byte < 256 {
        let (cell, worst, closing, ways) = (byte & 3, byte >> 2 & 3, byte >> 4 & 1, byte >> 5 & 3);
        added[byte].answers = 1 << (8 * (worst + 4 * closing));
        let narrow = ways == 1 && worst < 2;
        let cells = if cell == UNKNOWN as usize { 0 } else { 1 << (8 * (2 + cell)) };
        added[byte].more = narrow as u64 | cells;
        byte += 1;
    }
    added
};

/// Fills in what is known around each column of a row. `known` has the bytes of rows that are known
/// already.
#[inline(always)]
pub fn look_around<'a>(
    shape: &Shape,
    row: usize,
    known: impl Fn(usize) -> Option<&'a [u8]>,
    around: &mut [Around],
) {
    let g = shape.board.geometry();
    let own = shape.classes.representative(row);
    let free = g.all & !own;
    around.fill(Around::default());
    for from in Points(own) {
        let rest = own & !(1 << from);
        for to in Points(g.joined[from] & !own) {
            let through = &g.through[to][..usize::from(g.through_count[to])];
            if through.iter().any(|line| rest & line == *line) {
                continue;
            }
            let (next, symmetry) = shape.classes.class_of(rest | 1 << to);
            let taken = gather(1 << to, free);
            let Some(bytes) = known(next) else {
                let mut stones = unrank(0, shape.sector.opponent.into());
                for around in &mut *around {
                    around.more += u64::from(stones & taken == 0) << 8;
                    stones = next_of_size(stones);
                }
                continue;
            };
            // Where the stone of each free point of this row goes in the other one.
            let beside = g.all & !shape.classes.representative(next);
            let symmetry = &shape.board.symmetries()[symmetry];
            let mut images = [[0u32; 256]; MAX_POINTS / 8];
            for (byte, images) in images.iter_mut().enumerate() {
                for value in 1..256u32 {
                    let lowest = value & value.wrapping_neg();
                    let rest = images[(value ^ lowest) as usize];
                    let point = scatter(lowest << (8 * byte), free);
                    images[value as usize] = rest | gather(symmetry.set(point), beside);
                }
            }
            let mut stones = unrank(0, shape.sector.opponent.into());
            for around in &mut *around {
                if stones & taken == 0 {
                    let image = |byte: usize| images[byte][(stones >> (8 * byte) & 255) as usize];
                    let column = rank(image(0) | image(1) | image(2));
                    let added = &ADDED[usize::from(bytes[column as usize])];
                    around.answers += added.answers;
                    around.more += added.more;
                }
                stones = next_of_size(stones);
            }
        }
    }
}
