//! One sector's table while it is being solved.

use super::{
    Job, SectorTable,
    classes::Classes,
    external::External,
    flying::{FlyingGroup, Wings},
    isa::Block,
    layout::Layout,
    memory,
    moves::Movement,
    step::Group,
};
use crate::sector::Sector;
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
    pub fn new(job: &Job, sector: Sector, makes: &mut dyn FnMut(usize) -> Arc<Classes>) -> Self {
        let layout = Layout::new(sector, job.rules.board(), makes(sector.opponent.into()));
        let movement = Movement::new(job.rules, sector);
        let members: Vec<Sector> = job.unit.sectors().collect();
        let twin = members.iter().position(|s| *s == sector.swapped());
        let externals = External::all(job.rules, &layout, &movement, twin.is_some(), makes);
        let reports_to = twin.filter(|t| Movement::new(job.rules, members[*t]).slides);
        let wings = (movement.flies && movement.slides).then(|| Wings::new(&layout));
        Self { layout, movement, wings, externals, reports_to }
    }

    /// Number of stones that the mover may have before a turn, and after one.
    fn stones(&self) -> (u32, Vec<u32>) {
        let own = u32::from(self.layout.sector.own);
        let after = [(self.movement.slides, own), (self.movement.places, own + 1)];
        (own, after.into_iter().filter(|(possible, _)| *possible).map(|(_, n)| n).collect())
    }

    /// Rows of planes that hold all positions before a turn, and after one.
    pub fn templates(&self) -> (Vec<Block>, Vec<Block>) {
        let (before, after) = self.stones();
        (self.layout.template(&[before]), self.layout.template(&after))
    }
}

/// What changes of one sector's table.
pub struct State {
    undecided: Vec<Block>,
    open: Vec<Vec<Block>>,
    frames_open: Vec<u32>,
    frames_winning: Vec<u8>,
    cells: Vec<u8>,
}

impl State {
    /// The state of a table of which nothing is known.
    pub fn new(shape: &Shape) -> Self {
        let rows = shape.layout.rows();
        let (planes, frames) = match &shape.wings {
            None => (rows * shape.layout.blocks, 0),
            Some(wings) => (0, rows * wings.frames()),
        };
        Self {
            undecided: memory::zeroed(planes),
            open: (0..shape.movement.planes()).map(|_| memory::zeroed(planes)).collect(),
            frames_open: memory::zeroed(frames),
            frames_winning: memory::zeroed(frames),
            cells: memory::zeroed(rows * shape.layout.columns.count()),
        }
    }

    /// The table in groups of rows that may be worked on at the same time.
    pub fn groups(&mut self, shape: &Shape) -> Vec<Mutex<Group<'_>>> {
        let rows = shape.layout.group_rows();
        let columns = shape.layout.columns.count();
        let blocks = rows * shape.layout.blocks;
        let frames = rows * shape.wings.as_ref().map_or(1, Wings::frames);
        let mut undecided = self.undecided.chunks_mut(blocks);
        let mut open: Vec<_> = self.open.iter_mut().map(|p| p.chunks_mut(blocks)).collect();
        let mut flying =
            self.frames_open.chunks_mut(frames).zip(self.frames_winning.chunks_mut(frames));
        let groups =
            self.cells.chunks_mut(rows * columns).enumerate().map(|(number, cells)| Group {
                first: number * rows,
                undecided: undecided.next().unwrap_or_default(),
                open: open.iter_mut().map(|p| p.next().unwrap_or_default()).collect(),
                flying: flying.next().map(|(open, winning)| FlyingGroup { open, winning }),
                left: vec![0; cells.len() / columns],
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
