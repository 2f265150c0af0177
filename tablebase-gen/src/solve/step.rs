//! The work of one layer on one row: from the messages that have come for it to the positions
//! that they decide.
//!
//! Positions decided in `d` plies are found from those decided in `d − 1`. A position is won as
//! soon as one turn leads to a lost one; it is lost when the last of its turns has been found to
//! lead to a won one, which is looked up in the planes of *open* turns. Rows with many messages
//! are worked on a block at a time, the others message by message; both give the same.

use super::{
    flying::{FlyingGroup, FlyingRow, Wings},
    isa::{Block, COUNT_BITS, Isa, Work},
    layout::{Layout, clear_bit, set_bit, set_first, set_in_plane},
    memory,
    moves::{Frame, MAX_KINDS, Movement, Row, add_one},
};
use millrace_engine::rules::{Blocked, BoardFull};
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
    /// Rows whose undecided cells hold the number of turns that are still open.
    pub counted: Vec<bool>,
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
            frame: Frame::default(),
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
    pub fn sort(&mut self, layout: &Layout, chunks: &[Vec<u32>]) {
        let rows = layout.group_rows();
        self.begins.clear();
        self.begins.resize(rows + 1, 0);
        for chunk in chunks {
            count_rows(layout, chunk, &mut self.begins);
        }
        for row in 0..rows {
            self.begins[row + 1] += self.begins[row];
        }
        let count = self.begins[rows] as usize;
        if self.sorted.len() < count {
            self.sorted.resize(count.next_power_of_two(), 0);
        }
        for chunk in chunks {
            place_rows(layout, chunk, &mut self.begins, &mut self.sorted);
        }
        // Each begin has moved to the next one's place.
        self.begins.rotate_right(1);
        self.begins[0] = 0;
    }
}

/// Counts the messages of each row in the element behind the row's.
#[inline(never)]
fn count_rows(layout: &Layout, messages: &[u32], counts: &mut [u32]) {
    for message in messages {
        counts[layout.message_row(*message) + 1] += 1;
    }
}

/// Moves each row's messages to its place in `sorted`, and the place on.
#[inline(never)]
fn place_rows(layout: &Layout, messages: &[u32], places: &mut [u32], sorted: &mut [u32]) {
    for message in messages {
        let place = &mut places[layout.message_row(*message)];
        sorted[*place as usize] = *message;
        *place += 1;
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
const DENSE_WINS: usize = 128;
const DENSE_LOSSES: usize = 400;

/// From so many messages on they are gone through together (measured).
const MANY: usize = 8;
/// Rows with so many messages are asked for while the row before is worked on: bit rows at the
/// first figure, cells, which not all messages touch, at the second (measured).
const FORESEE_BITS: usize = 8;
const FORESEE_CELLS: usize = 32;
/// So far ahead cells are asked for.
const AHEAD: usize = 16;

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
        let dense = messages.len() * 16 > many * layout.blocks;
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
            let counted = &mut group.counted[nth];
            if !dense && !*counted {
                self.count_row::<I>(undecided, cells, &row, &open, scratch);
            }
            *counted = !dense;
            let kept = close(layout, &mut open, &mut scratch.sorted[messages.clone()]);
            let messages = messages.start..messages.start + kept;
            if dense {
                self.lose_blocks::<I>(undecided, &row, &open, scratch);
            } else {
                self.lose_each::<I>(undecided, cells, &row, messages, scratch);
            }
        }
        group.left[nth] -= scratch.decided.len() as u32;
        if dense {
            layout.columns.ranks(&scratch.decided, &mut scratch.decided_columns);
        }
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
    fn fly<'g>(&'g self, group: &'g mut Group, nth: usize) -> Option<FlyingRow<'g>> {
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
        if scratch.decided_columns.len() < count {
            scratch.decided_columns.resize(count.next_power_of_two(), 0);
        }
        let won = take_undecided(
            undecided,
            &scratch.before[..count],
            &scratch.columns[..count],
            &mut scratch.decided,
            &mut scratch.decided_columns,
        );
        scratch.decided.truncate(won);
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
        scratch.decided_columns.clear();
        count_down(undecided, cells, &scratch.columns[..count], &mut scratch.decided_columns);
        let indices = &self.layout.columns.indices;
        scratch.decided.extend(scratch.decided_columns.iter().map(|c| indices[*c as usize]));
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
        scratch.make_planes(self.layout.blocks, self.movement.planes());
        for message in &scratch.sorted[messages] {
            let plane = &mut scratch.planes[Layout::message_kind(*message)];
            set_in_plane(plane, self.layout.message_index(*message));
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
        scratch.make_planes(self.layout.blocks, self.movement.planes());
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
    fn frame_row<I: Isa>(&self, undecided: &[u64], row: &Row, scratch: &mut Scratch) {
        scratch.frame.fill::<I>(self.movement, row);
        scratch.wanted.clear();
        scratch.wanted.resize(self.layout.blocks, Block::ZERO);
        self.layout.columns.spread::<I>(undecided, &mut scratch.wanted);
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

    /// Decides what is over before any turn, and makes the row ready.
    #[inline(always)]
    pub fn begin<I: Isa>(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let (layout, movement) = (self.layout, self.movement);
        let columns = layout.columns.count();
        let row = Row::new(movement, layout.classes.representatives[group.first + nth]);
        let cells = &mut group.cells[nth * columns..][..columns];
        scratch.decided.clear();
        let lined =
            |index: u32| movement.line_wins && !movement.lineless(I::deposit(index, row.free));
        let over = movement.line_wins && !movement.lineless(row.opponent);
        group.left[nth] = if over { 0 } else { columns as u32 };
        for (index, cell) in layout.columns.indices.iter().zip(cells.iter_mut()) {
            if lined(*index) {
                *cell = super::cell::NONE;
                group.left[nth] -= u32::from(!over);
            } else if over {
                *cell = self.cell;
                scratch.decided.push(*index);
            }
        }
        if over {
            return;
        }
        if self.wings.is_some() {
            self.begin_flying(group, nth, scratch);
        } else {
            self.begin_bits::<I>(group, nth, scratch);
        }
    }

    #[inline(always)]
    fn begin_flying(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let columns = &self.layout.columns;
        let Some((wings, mut at)) = self.wings.zip(self.fly(group, nth)) else { return };
        if columns.width > u32::from(self.layout.sector.own) {
            wings.begin(&mut at.group);
            return;
        }
        // The board is full: the row's one position is over.
        if self.movement.board_full == BoardFull::Loses {
            at.cells[0] = self.cell;
            scratch.decided.extend(&columns.indices);
        }
        group.left[nth] = 0;
    }

    #[inline(always)]
    fn begin_bits<I: Isa>(&self, group: &mut Group, nth: usize, scratch: &mut Scratch) {
        let (layout, movement) = (self.layout, self.movement);
        let (words, after) = (layout.columns.words(), layout.words_after());
        let row = Row::new(movement, layout.classes.representatives[group.first + nth]);
        let cells = &mut group.cells[nth * layout.columns.count()..][..layout.columns.count()];
        for rows in &mut group.open {
            let (slid, put) = rows[nth * after..][..after].split_at_mut(words);
            set_first(slid, layout.columns.count());
            if let Some(placed) = &layout.placed {
                set_first(put, placed.count());
            }
        }
        let undecided = &mut group.undecided[nth * words..][..words];
        set_first(undecided, layout.columns.count());
        if movement.line_wins {
            for (column, _) in cells.iter().enumerate().filter(|(_, c)| **c == super::cell::NONE) {
                clear_bit(undecided, column);
            }
        }
        if movement.places {
            return;
        }
        self.frame_row::<I>(undecided, &row, scratch);
        for (number, block) in scratch.wanted.iter().enumerate() {
            let wanted = I::load(block);
            if I::is_zero(wanted) {
                continue;
            }
            let stuck = I::without(wanted, scratch.frame.movable::<I>(number as u32));
            if !I::is_zero(stuck) {
                list::<I>(stuck, number, &mut scratch.decided);
            }
        }
        let stuck = scratch.decided.len() as u32;
        for index in &scratch.decided {
            clear_bit(undecided, layout.columns.rank(*index));
        }
        let passing = self.settle_stuck::<I>(undecided, &row, &mut scratch.decided);
        group.left[nth] = group.left[nth] + passing - stuck;
        for index in &scratch.decided {
            cells[layout.columns.rank(*index)] = self.cell;
        }
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

    /// Of positions without a turn, keeps as decided those that are lost, puts back those that
    /// pass, and leaves the drawn ones out. Returns how many pass.
    fn settle_stuck<I: Isa>(&self, undecided: &mut [u64], row: &Row, stuck: &mut Vec<u32>) -> u32 {
        let movement = self.movement;
        let mut passing = 0;
        stuck.retain(|index| {
            let own = I::deposit(*index, row.free);
            let empty = row.free & !own;
            if empty == 0 {
                return movement.board_full == BoardFull::Loses;
            }
            let can_pass = movement.opponent_is_free || movement.can_slide(row.opponent, empty);
            if movement.blocked == Blocked::Passes && can_pass {
                set_bit(undecided, self.layout.columns.rank(*index));
                passing += 1;
            }
            movement.blocked == Blocked::Loses
        });
        passing
    }
}

/// Of some positions, given by index and column, moves those that are not decided to `found` and
/// `columns_found`, which must have room for all. Returns how many.
#[inline(never)]
fn take_undecided(
    undecided: &mut [u64],
    indices: &[u32],
    columns: &[u32],
    found: &mut [u32],
    columns_found: &mut [u32],
) -> usize {
    // Whether a position is decided already is a matter of chance, so nothing is jumped over: each
    // is written down, and the next one takes its place if it was not wanted.
    let mut count = 0;
    for (index, column) in indices.iter().zip(columns) {
        let word = &mut undecided[*column as usize >> 6];
        let left = *word >> (column & 63) & 1;
        *word &= !(1 << (column & 63));
        found[count] = *index;
        columns_found[count] = *column;
        count += left as usize;
    }
    count
}

/// Takes the messages' positions out of the open ones. Moves those to the front of the messages
/// that have not come before, as equal positions send them, and returns how many.
#[inline(never)]
fn close(layout: &Layout, open: &mut [&mut [u64]], messages: &mut [u32]) -> usize {
    let mut kept = 0;
    for nth in 0..messages.len() {
        let message = messages[nth];
        let bit = layout.after(layout.message_index(message));
        let word = &mut open[Layout::message_kind(message)][bit >> 6];
        messages[kept] = message;
        kept += (*word >> (bit & 63) & 1) as usize;
        *word &= !(1 << (bit & 63));
    }
    kept
}

/// Takes one off the counts of some columns that are not decided, and lists those that reach 0.
#[inline(never)]
fn count_down(undecided: &[u64], cells: &mut [u8], columns: &[u32], zero: &mut Vec<u32>) {
    for (nth, column) in columns.iter().enumerate() {
        if let Some(ahead) = columns.get(nth + AHEAD) {
            memory::prefetch(cells, *ahead as usize);
        }
        // Decided cells are never 0, and stay as they are: cheaper than a jump that nobody can
        // foresee.
        let counts = undecided[*column as usize >> 6] >> (column & 63) & 1;
        let cell = &mut cells[*column as usize];
        *cell = cell.wrapping_sub(counts as u8);
        if *cell == 0 {
            zero.push(*column);
        }
    }
}

/// Writes down that some columns are decided.
#[inline(never)]
fn settle(undecided: &mut [u64], cells: &mut [u8], columns: &[u32], cell: u8) {
    for column in columns {
        clear_bit(undecided, *column as usize);
        cells[*column as usize] = cell;
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
        for (number, block) in scratch.wanted.iter().enumerate() {
            let wanted = I::load(block);
            if I::is_zero(wanted) {
                continue;
            }
            let found = step.pull::<I>(&scratch.frame, planes, number as u32, wanted);
            let new = if step.wins { I::and(wanted, found) } else { I::without(wanted, found) };
            if !I::is_zero(new) {
                list::<I>(new, number, &mut scratch.decided);
            }
        }
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
            step.layout.columns.write_counts::<I>(number, block, &written, cells);
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

/// Lists the compact indices of a block's bits.
#[inline(always)]
fn list<I: Isa>(found: I::Bits, number: usize, listed: &mut Vec<u32>) {
    let mut bits = Block::ZERO;
    I::store(&mut bits, found);
    for (word, mut left) in bits.0.into_iter().enumerate() {
        while left != 0 {
            listed.push((number * 512 + word * 64) as u32 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
