//! The work of one layer on one row: from the messages that have come for it to the positions
//! that they decide.
//!
//! Positions decided in `d` plies are found from those decided in `d − 1`. A position is won as
//! soon as one turn leads to a lost one; it is lost when the last of its turns has been found to
//! lead to a won one, which is looked up in the planes of *open* turns. Rows with many messages
//! are worked on a block at a time, the others message by message; both give the same.

use super::{
    flying::{FlyingGroup, FlyingRow, Wings},
    isa::{Block, COUNT_BITS, Isa, Listed, SPARE, Work},
    layout::{Layout, clear_bit, has_bit},
    loops::{close, count_down, count_rows, place_rows, settle, take_undecided},
    mail::Inbox,
    moves::{Frame, MAX_KINDS, Movement, Row, add_one},
};
use crate::memory;
use smallvec::SmallVec;
use std::ops::Range;

/// The rows of one group: planes and cells.
pub struct Group<'a> {
    /// Number of its first row.
    pub first: usize,
    /// Bit rows of the positions that are not decided.
    pub undecided: &'a mut [u64],
    /// For each kind of turn, bit rows of the positions after it that the opponent is not known
    /// to win.
    pub open: Vec<&'a mut [u64]>,
    /// The cells.
    pub cells: &'a mut [u8],
    /// How many positions of each row are not decided.
    pub left: Vec<u32>,
    /// Messages about won positions that each row has had.
    pub heard: Vec<u32>,
    /// Rows whose undecided cells hold the number of turns that are still open.
    pub counted: Vec<bool>,
    /// For layers of even and of odd number the last one, plus one, that has decided something in
    /// each row.
    pub fresh: Vec<[u32; 2]>,
    /// In place of planes, if the mover flies.
    pub flying: Option<FlyingGroup<'a>>,
}

/// The open rows of all kinds of turns.
type Open<'a> = SmallVec<[&'a mut [u64]; MAX_KINDS + 1]>;

/// Memory that a thread uses from row to row.
pub struct Scratch {
    frame: Frame,
    planes: Vec<Vec<Block>>,
    wanted: Vec<Block>,
    /// Positions from which a turn leads to a message's, and their columns.
    before: Vec<u32>,
    columns: Vec<u32>,
    /// Frames of a flying side at which something has changed.
    touched: Vec<u32>,
    /// Compact indices that have just been decided.
    pub decided: Vec<u32>,
    /// Their columns.
    decided_columns: Vec<u32>,
    /// Messages of a group, sorted by row.
    pub sorted: Vec<u32>,
    /// Where each row's messages begin.
    pub begins: Vec<u32>,
}

impl Scratch {
    /// Fresh memory.
    pub fn new() -> Self {
        Self {
            frame: Frame::new(),
            planes: Vec::new(),
            wanted: Vec::new(),
            before: Vec::new(),
            columns: Vec::new(),
            touched: Vec::new(),
            decided: Vec::new(),
            decided_columns: Vec::new(),
            sorted: Vec::new(),
            begins: Vec::new(),
        }
    }

    /// Makes so many empty planes of so many blocks.
    fn make_planes(&mut self, blocks: usize, count: usize) {
        self.planes.resize_with(count, Vec::new);
        for plane in &mut self.planes {
            plane.clear();
            plane.resize(blocks, Block::ZERO);
        }
    }

    /// Sorts the messages of a group by row.
    pub fn sort(&mut self, layout: &Layout, chunks: &Inbox) {
        let rows = layout.group_rows();
        self.begins.clear();
        self.begins.resize(rows + 1, 0);
        for chunk in chunks {
            count_rows(layout, chunk.messages(), &mut self.begins);
        }
        for row in 0..rows {
            self.begins[row + 1] += self.begins[row];
        }
        let count = self.begins[rows] as usize;
        memory::make_room(&mut self.sorted, count);
        for chunk in chunks {
            place_rows(layout, chunk.messages(), &mut self.begins, &mut self.sorted);
        }
        // Each begin has moved to the next one's place.
        self.begins.rotate_right(1);
        self.begins[0] = 0;
    }
}

/// One table's part in a layer.
pub struct Step<'a> {
    /// The table's shape.
    pub layout: &'a Layout,
    /// How its mover moves.
    pub movement: &'a Movement,
    /// Its wings, if it flies.
    pub wings: Option<&'a Wings>,
    /// The cell of the positions that this layer decides.
    pub cell: u8,
    /// Whether they are won.
    pub wins: bool,
}

/// From so many messages for sixteen blocks on, won and lost positions of a row are looked for a
/// block at a time (measured).
const DENSE_WINS: usize = 96;
const DENSE_LOSSES: usize = 300;

/// From so many messages on they are gone through together (measured).
const MANY: usize = 8;
/// Once a row has had so many messages about won positions for sixteen blocks, the open turns of all
/// its positions are counted; before that they are looked for where it matters (measured).
const COUNT_FROM: usize = 16;
/// Rows with so many messages are asked for while the row before is worked on: bit rows at the
/// first figure, cells, which not all messages touch, at the second (measured).
const FORESEE_BITS: usize = 8;
const FORESEE_CELLS: usize = 32;

impl Step<'_> {
    /// Works on one row of a group; `scratch.decided` are the compact indices it has decided.
    #[inline(always)]
    pub fn row<I: Isa>(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let layout = self.layout;
        let messages = scratch.begins[nth] as usize..scratch.begins[nth + 1] as usize;
        scratch.decided.clear();
        if group.left[nth] == 0 {
            return;
        }
        if self.wings.is_some() {
            self.flying_row::<I>(group, nth, messages, scratch);
            return;
        }
        let row = Row::new(self.movement, layout.classes.representatives[group.first + nth]);
        let words = layout.columns.words();
        let undecided = &mut group.undecided[nth * words..][..words];
        let cells = &mut group.cells[nth * layout.columns.count()..][..layout.columns.count()];
        let many = if self.wins { DENSE_WINS } else { DENSE_LOSSES };
        let dense = messages.len() * 16 > many * layout.plane.blocks();
        if self.wins {
            if dense {
                self.win_blocks::<I>(undecided, &row, messages, scratch);
            } else {
                self.win_each::<I>(undecided, &row, messages, scratch);
            }
        } else {
            let after = layout.words_after();
            let open = group.open.iter_mut().map(|rows| &mut rows[nth * after..][..after]);
            let mut open: Open = open.collect();
            let (heard, counted) = (&mut group.heard[nth], &mut group.counted[nth]);
            *heard = heard.saturating_add(messages.len() as u32);
            let few =
                !dense && !*counted && (*heard as usize) < layout.plane.blocks() * COUNT_FROM / 16;
            if !dense && !few && !*counted {
                self.count_row::<I>(undecided, cells, &row, &open, scratch);
            }
            *counted = !dense && !few;
            let kept = close(layout, &mut open, &mut scratch.sorted[messages.clone()]);
            let messages = messages.start..messages.start + kept;
            if dense {
                self.lose_blocks::<I>(undecided, &row, &open, scratch);
            } else if few {
                self.lose_few::<I>(undecided, &row, &open, messages, scratch);
            } else {
                self.lose_each::<I>(undecided, cells, &row, messages, scratch);
            }
        }
        group.left[nth] -= scratch.decided.len() as u32;
        settle(undecided, cells, &scratch.decided_columns[..scratch.decided.len()], self.cell);
    }

    /// Asks for what [`row`](Self::row) will need.
    #[inline(always)]
    pub fn foresee(&self, group: &Group, nth: usize, scratch: &Scratch) {
        let messages = (scratch.begins[nth + 1] - scratch.begins[nth]) as usize;
        if messages < FORESEE_BITS || group.left[nth] == 0 || self.wings.is_some() {
            return;
        }
        let (columns, words) = (self.layout.columns.count(), self.layout.columns.words());
        memory::prefetch_all(&group.undecided[nth * words..][..words]);
        if !self.wins {
            let after = self.layout.words_after();
            for rows in &group.open {
                memory::prefetch_all(&rows[nth * after..][..after]);
            }
            if messages >= FORESEE_CELLS {
                memory::prefetch_all(&group.cells[nth * columns..][..columns]);
            }
        }
    }

    /// [`row`](Self::row) for a mover that flies.
    #[inline(always)]
    fn flying_row<I: Isa>(
        &self,
        group: &mut Group,
        nth: usize,
        messages: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let Some((wings, mut at)) = self.wings.zip(self.fly(group, nth)) else { return };
        if self.wins {
            for message in &scratch.sorted[messages] {
                wings.win::<I>(&mut at, *message, &mut scratch.decided);
            }
        } else {
            scratch.touched.clear();
            for message in &scratch.sorted[messages] {
                wings.close::<I>(&mut at, *message, &mut scratch.touched);
            }
            wings.lose(&mut at, &scratch.touched, &mut scratch.decided);
        }
        group.left[nth] -= scratch.decided.len() as u32;
    }

    /// One row of a mover that flies.
    #[inline(always)]
    pub fn fly<'g>(&'g self, group: &'g mut Group, nth: usize) -> Option<FlyingRow<'g>> {
        let frames = self.wings?.frames();
        let columns = self.layout.columns.count();
        let state = group.flying.as_mut()?;
        Some(FlyingRow {
            layout: self.layout,
            movement: self.movement,
            row: Row::new(self.movement, self.layout.classes.representatives[group.first + nth]),
            group: FlyingGroup {
                open: &mut state.open[nth * frames..][..frames],
                winning: &mut state.winning[nth * frames..][..frames],
            },
            cells: &mut group.cells[nth * columns..][..columns],
            cell: self.cell,
        })
    }

    /// Lists the positions before some messages at the start of `scratch.before`, with their
    /// columns, and returns how many.
    #[inline(always)]
    fn before<I: Isa>(&self, row: &Row, messages: Range<usize>, scratch: &mut Scratch) -> usize {
        let (layout, movement) = (self.layout, self.movement);
        let messages = &scratch.sorted[messages];
        let simple = movement.kinds == 1 && !movement.places && !movement.passes();
        let count = if I::MANY_AT_ONCE && simple && messages.len() >= MANY {
            row.before_many::<I>(movement, layout, messages, &mut scratch.before)
        } else {
            scratch.before.clear();
            for message in messages {
                let index = layout.message_index(*message);
                let kind = Layout::message_kind(*message);
                let placed = index.count_ones() > u32::from(layout.sector.own);
                row.before::<I>(movement, index, kind, placed, &mut scratch.before);
            }
            scratch.before.len()
        };
        layout.columns.ranks(&scratch.before[..count], &mut scratch.columns);
        count
    }

    #[inline(always)]
    fn win_each<I: Isa>(
        &self,
        undecided: &mut [u64],
        row: &Row,
        messages: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let count = self.before::<I>(row, messages, scratch);
        scratch.decided.resize(count, 0);
        memory::make_room(&mut scratch.decided_columns, count);
        let won = take_undecided(
            undecided,
            &scratch.before[..count],
            &scratch.columns[..count],
            &mut scratch.decided,
            &mut scratch.decided_columns,
        );
        scratch.decided.truncate(won);
    }

    /// Finds the lost ones among the positions before some messages by looking for an open turn of
    /// each.
    #[inline(always)]
    fn lose_few<I: Isa>(
        &self,
        undecided: &mut [u64],
        row: &Row,
        open: &Open,
        messages: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let count = self.before::<I>(row, messages, scratch);
        scratch.decided_columns.clear();
        for (index, column) in scratch.before[..count].iter().zip(&scratch.columns) {
            if !has_bit(undecided, *column as usize) {
                continue;
            }
            let is_open = |after: u32, kind: usize| has_bit(open[kind], self.layout.after(after));
            if !row.has_turn::<I>(self.movement, *index, is_open) {
                clear_bit(undecided, *column as usize);
                scratch.decided.push(*index);
                scratch.decided_columns.push(*column);
            }
        }
    }

    /// Finds the lost ones among the positions before some messages: those that have no open turn
    /// left. `cells` hold the numbers of open turns of positions that are not decided.
    #[inline(always)]
    fn lose_each<I: Isa>(
        &self,
        undecided: &[u64],
        cells: &mut [u8],
        row: &Row,
        messages: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let count = self.before::<I>(row, messages, scratch);
        memory::make_room(&mut scratch.decided_columns, count);
        let columns = &scratch.columns[..count];
        let lost = count_down(undecided, cells, columns, &mut scratch.decided_columns);
        let (indices, lost) = (&self.layout.columns.indices, &scratch.decided_columns[..lost]);
        scratch.decided.extend(lost.iter().map(|column| indices[*column as usize]));
    }

    /// Writes the number of open turns into the cells of all undecided positions of a row.
    #[inline(always)]
    fn count_row<I: Isa>(
        &self,
        undecided: &[u64],
        cells: &mut [u8],
        row: &Row,
        open: &Open,
        scratch: &mut Scratch,
    ) {
        self.open_planes::<I>(open, scratch);
        self.frame_row::<I>(undecided, row, scratch);
        I::apart(CountRow { step: self, cells, scratch });
    }

    #[inline(always)]
    fn win_blocks<I: Isa>(
        &self,
        undecided: &[u64],
        row: &Row,
        messages: Range<usize>,
        scratch: &mut Scratch,
    ) {
        scratch.make_planes(self.layout.plane.blocks(), self.movement.planes());
        for message in &scratch.sorted[messages] {
            let plane = &mut scratch.planes[Layout::message_kind(*message)];
            self.layout.plane.set(plane, self.layout.message_index(*message));
        }
        self.pull_row::<I>(undecided, row, scratch);
    }

    #[inline(always)]
    fn lose_blocks<I: Isa>(
        &self,
        undecided: &[u64],
        row: &Row,
        open: &Open,
        scratch: &mut Scratch,
    ) {
        self.open_planes::<I>(open, scratch);
        self.pull_row::<I>(undecided, row, scratch);
    }

    /// Spreads the open rows out to `scratch.planes`.
    #[inline(always)]
    fn open_planes<I: Isa>(&self, open: &Open, scratch: &mut Scratch) {
        scratch.make_planes(self.layout.plane.blocks(), self.movement.planes());
        for (open, plane) in open.iter().zip(&mut scratch.planes) {
            self.layout.spread_after::<I>(open, plane);
        }
    }

    /// Decides the undecided positions from which a turn leads to a position in
    /// `scratch.planes`, or, if they are to be lost, from which none does.
    #[inline(always)]
    fn pull_row<I: Isa>(&self, undecided: &[u64], row: &Row, scratch: &mut Scratch) {
        self.frame_row::<I>(undecided, row, scratch);
        I::apart(PullRow { step: self, scratch });
    }

    /// Makes ready what is needed to go through a row by blocks.
    #[inline(always)]
    pub fn frame_row<I: Isa>(&self, undecided: &[u64], row: &Row, scratch: &mut Scratch) {
        scratch.frame.fill::<I>(self.movement, row, self.layout.plane);
        scratch.wanted.clear();
        scratch.wanted.resize(self.layout.plane.blocks(), Block::ZERO);
        self.layout.columns.spread::<I>(undecided, self.layout.plane, &mut scratch.wanted);
    }

    /// [`Frame::pull`], passes included.
    #[inline(always)]
    fn pull<I: Isa>(
        &self,
        frame: &Frame,
        planes: &[&[Block]],
        number: u32,
        wanted: I::Bits,
    ) -> I::Bits {
        let found = frame.pull::<I>(planes, number, wanted);
        if !self.movement.passes() {
            return found;
        }
        let stays = I::load(&planes[0][number as usize]);
        I::or(found, I::without(stays, frame.movable::<I>(number)))
    }

    /// Turns the undecided positions of a row into draws.
    #[inline(always)]
    pub fn end(&self, group: &mut Group, nth: usize) {
        if group.left[nth] == 0 || self.wings.is_some() {
            return;
        }
        let (columns, words) = (self.layout.columns.count(), self.layout.columns.words());
        let cells = &mut group.cells[nth * columns..][..columns];
        for (cells, word) in cells.chunks_mut(64).zip(&group.undecided[nth * words..][..words]) {
            if *word != 0 {
                for (nth, cell) in cells.iter_mut().enumerate() {
                    // All bits of the mask are set but for undecided positions.
                    *cell &= ((word >> nth & 1) as u8).wrapping_sub(1);
                }
            }
        }
    }
}

/// [`Step::pull_row`], when all is ready.
struct PullRow<'a> {
    step: &'a Step<'a>,
    scratch: &'a mut Scratch,
}

impl Work for PullRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Self { step, scratch } = self;
        let planes = views(&scratch.planes);
        let planes = &planes[..step.movement.planes()];
        let mut count = 0;
        for (number, block) in scratch.wanted.iter_mut().enumerate() {
            let wanted = I::load(block);
            if I::is_zero(wanted) {
                continue;
            }
            let found = step.pull::<I>(&scratch.frame, planes, number as u32, wanted);
            let new = if step.wins { I::and(wanted, found) } else { I::without(wanted, found) };
            I::store(block, new);
            count += block.0.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        }
        scratch.decided.resize(count + SPARE, 0);
        memory::make_room(&mut scratch.decided_columns, count + SPARE);
        let lists =
            Listed { indices: &mut scratch.decided[..], columns: &mut scratch.decided_columns[..] };
        step.layout.columns.list::<I>(&scratch.wanted, step.layout.plane, lists);
        scratch.decided.truncate(count);
    }
}

/// [`Step::count_row`], when all is ready.
struct CountRow<'a> {
    step: &'a Step<'a>,
    cells: &'a mut [u8],
    scratch: &'a Scratch,
}

impl Work for CountRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Self { step, cells, scratch } = self;
        let planes = views(&scratch.planes);
        let planes = &planes[..step.movement.planes()];
        for (number, block) in scratch.wanted.iter().enumerate() {
            if I::is_zero(I::load(block)) {
                continue;
            }
            let mut counts = scratch.frame.count::<I>(planes, number as u32);
            if step.movement.passes() {
                let stays = I::load(&planes[0][number]);
                let stuck = I::without(stays, scratch.frame.movable::<I>(number as u32));
                add_one::<I>(&mut counts, stuck);
            }
            let mut written = [Block::ZERO; COUNT_BITS];
            for (written, count) in written.iter_mut().zip(counts) {
                I::store(written, count);
            }
            step.layout.columns.write_counts::<I>(
                number,
                step.layout.plane,
                block,
                &written,
                cells,
            );
        }
    }
}

/// Planes as slices.
#[inline(always)]
fn views(planes: &[Vec<Block>]) -> [&[Block]; MAX_KINDS + 1] {
    let mut views: [&[Block]; MAX_KINDS + 1] = [&[]; MAX_KINDS + 1];
    for (view, plane) in views.iter_mut().zip(planes) {
        *view = plane;
    }
    views
}
