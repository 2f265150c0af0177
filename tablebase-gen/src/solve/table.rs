//! One sector's table while it is being solved.

use super::{
    Job, SectorTable,
    classes::Classes,
    external::External,
    flying::{FlyingGroup, Wings},
    layout::Layout,
    moves::Movement,
    step::Group,
};
use crate::{
    memory::{self, Refused},
    sector::Sector,
};
use std::sync::{Arc, Mutex};

/// What is fixed about one sector's table.
pub struct Shape {
    /// Where its positions lie.
    pub layout: Layout,
    /// How its mover moves.
    pub movement: Movement,
    /// The mover's wings, if it flies.
    pub wings: Option<Wings>,
    /// Turns out of the unit.
    pub externals: Vec<External>,
    /// Number, within the unit, of the table whose turns lead here: positions decided here are
    /// reported to it.
    pub reports_to: Option<usize>,
}

impl Shape {
    /// The shape of a sector's table; `makes` supplies classes by number of stones.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(
        job: &Job,
        sector: Sector,
        makes: &mut dyn FnMut(usize) -> Result<Arc<Classes>, Refused>,
    ) -> Result<Self, Refused> {
        let movement = Movement::new(job.rules, sector);
        let layout = Layout::new(
            sector,
            job.rules.board(),
            makes(sector.opponent.into())?,
            movement.places,
            !movement.passes(),
        );
        let members: Vec<Sector> = job.unit.sectors().collect();
        let twin = members.iter().position(|s| *s == sector.swapped());
        let externals = External::all(job.rules, &layout, &movement, twin.is_some(), makes)?;
        let reports_to = twin.filter(|t| Movement::new(job.rules, members[*t]).slides);
        let wings = (movement.flies && movement.slides).then(|| Wings::new(&layout));
        Ok(Self { layout, movement, wings, externals, reports_to })
    }
}

/// What changes of one sector's table.
pub struct State {
    undecided: Vec<u64>,
    open: Vec<Vec<u64>>,
    frames_open: Vec<u32>,
    frames_winning: Vec<u8>,
    cells: Vec<u8>,
}

impl State {
    /// The state of a table of which nothing is known.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(shape: &Shape) -> Result<Self, Refused> {
        let rows = shape.layout.rows();
        let (rows_of_bits, frames) = match &shape.wings {
            None => (rows, 0),
            Some(wings) => (0, rows * wings.frames()),
        };
        let after = rows_of_bits * shape.layout.words_after();
        let planes = 0..shape.movement.planes();
        Ok(Self {
            undecided: memory::zeroed(rows_of_bits * shape.layout.columns.words())?,
            open: planes.map(|_| memory::zeroed(after)).collect::<Result<_, _>>()?,
            frames_open: memory::zeroed(frames)?,
            frames_winning: memory::zeroed(frames)?,
            cells: memory::zeroed(rows * shape.layout.columns.count())?,
        })
    }

    /// The table in groups of rows that may be worked on at the same time.
    pub fn groups(&mut self, shape: &Shape) -> Vec<Mutex<Group<'_>>> {
        let rows = shape.layout.group_rows();
        let columns = shape.layout.columns.count();
        let words = rows * shape.layout.columns.words();
        let after = rows * shape.layout.words_after();
        let frames = rows * shape.wings.as_ref().map_or(1, Wings::frames);
        let mut undecided = self.undecided.chunks_mut(words);
        let mut open: Vec<_> = self.open.iter_mut().map(|p| p.chunks_mut(after)).collect();
        let mut flying =
            self.frames_open.chunks_mut(frames).zip(self.frames_winning.chunks_mut(frames));
        let groups =
            self.cells.chunks_mut(rows * columns).enumerate().map(|(number, cells)| Group {
                first: number * rows,
                undecided: undecided.next().unwrap_or_default(),
                open: open.iter_mut().map(|p| p.next().unwrap_or_default()).collect(),
                flying: flying.next().map(|(open, winning)| FlyingGroup { open, winning }),
                left: vec![0; cells.len() / columns],
                fresh: vec![[0; 2]; cells.len() / columns],
                heard: vec![0; cells.len() / columns],
                counted: vec![false; cells.len() / columns],
                cells,
            });
        groups.map(Mutex::new).collect()
    }

    /// The finished table.
    pub fn finish(self, shape: &Shape) -> SectorTable {
        SectorTable {
            sector: shape.layout.sector,
            columns: shape.layout.columns.count(),
            cells: self.cells,
        }
    }
}
