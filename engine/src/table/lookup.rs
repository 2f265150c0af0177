//! One look-up on its way through cells: those in blocks at hand come first, then blocks are read.
//!
//! The positions after the turns of a position lie close together. So a look-up keeps the blocks that
//! it meets, and asks the cache, which all threads share, but once for each.

use super::{
    cache::BlockName,
    codec::context::UNKNOWN,
    opened::Opened,
    sector::{Row, RowCut},
    tables::Tables,
};
use crate::memory;
use smallvec::SmallVec;
use std::sync::Arc;

/// A row of a file, and the way to its cells.
pub(super) struct FileRow<'a> {
    opened: &'a Opened,
    row: Row,
    cut: RowCut,
}

/// Where a cell stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    opened: &'a Opened,
    name: BlockName,
    block: u32,
    /// The cell's place in the block.
    number: u32,
}

/// The places of the positions after some turns.
pub(super) type Places<'a> = SmallVec<[Place<'a>; 32]>;

impl<'a> FileRow<'a> {
    /// The row of these stones of the side to move.
    #[inline(always)]
    pub fn of(opened: &'a Opened, own: u32) -> Self {
        let (shape, cut) = (opened.file.shape(), opened.file.header().cut);
        let row = shape.row(own);
        let cut = cut.row(shape, row.number);
        Self { opened, row, cut }
    }

    /// Where the position with these stones of the other side stands.
    #[inline(always)]
    pub fn place(&self, opponent: u32) -> Place<'a> {
        let (block, number) = self.cut.find(self.row.column(opponent));
        let name = BlockName::new(self.opened.number, block as u32);
        Place { opened: self.opened, name, block: block as u32, number: number as u32 }
    }
}

impl<'a> Place<'a> {
    /// Where a file of the same sector has the cell.
    fn in_file(&self, opened: &'a Opened) -> Self {
        let before = &self.opened.file;
        let (block, number) = (self.block as usize, self.number as usize);
        let (row, column) = before.header().cut.cell(before.shape(), block, number);
        let (shape, cut) = (opened.file.shape(), opened.file.header().cut);
        let (block, number) = cut.find(shape, row, column);
        let name = BlockName::new(opened.number, block as u32);
        Place { opened, name, block: block as u32, number: number as u32 }
    }

    /// The byte of the block in which the cell stands.
    #[inline(always)]
    fn byte(&self) -> usize {
        self.number as usize / 4
    }

    /// What a block says there; `None` if its cells do not reach so far, or the cell is not stored.
    #[inline(always)]
    fn cell(&self, cells: &[u8]) -> Option<u8> {
        let cell = cells.get(self.byte())? >> (self.number % 4 * 2) & 3;
        (cell != UNKNOWN).then_some(cell)
    }
}

/// A look-up.
pub(super) struct Lookup<'a> {
    pub tables: &'a Tables,
    held: SmallVec<[(BlockName, Arc<[u8]>); HELD]>,
    /// The one of the blocks held that makes room for the next.
    oldest: usize,
}

/// Blocks that are held at once.
const HELD: usize = 8;

impl<'a> Lookup<'a> {
    pub fn new(tables: &'a Tables) -> Self {
        Self { tables, held: SmallVec::new(), oldest: 0 }
    }

    /// Looks at cells until `look`, which is told each, says that it has seen enough: first at those
    /// in blocks at hand, then at those for which the least has to be read. False if some of them
    /// could not be had and the others were not enough.
    pub fn look(&mut self, places: &[Place<'a>], mut look: impl FnMut(u8) -> bool) -> bool {
        let mut unread = Places::new();
        for places in places.chunks(HELD) {
            self.foresee(places);
            for place in places {
                match self.at_hand(place) {
                    Some(cell) if look(cell) => return true,
                    Some(_) => {}
                    None => unread.push(*place),
                }
            }
        }
        unread.is_empty() || self.look_at_unread(unread, look)
    }

    /// As [`look`](Self::look), at cells that have to be read.
    #[cold]
    fn look_at_unread(&mut self, mut unread: Places<'a>, mut look: impl FnMut(u8) -> bool) -> bool {
        let mut all = true;
        while let Some(last) = last_of_cheapest(&unread) {
            let cells =
                self.tables.wdl_block(last.opened, last.block as usize, last.number as usize);
            let Some(cells) = cells else {
                // The file is out of use now; another one may take over.
                let next = self.tables.wdl_file(last.opened.file.header().sector);
                if let Some(next) = next {
                    let lost = unread.iter_mut().filter(|place| place.name == last.name);
                    lost.for_each(|place| *place = place.in_file(next));
                } else {
                    all = false;
                    unread.retain(|place| place.name != last.name);
                }
                continue;
            };
            for place in unread.iter().filter(|p| p.name == last.name) {
                match place.cell(&cells) {
                    None => all = false,
                    Some(cell) if look(cell) => return true,
                    Some(_) => {}
                }
            }
            self.hold(last.name, cells);
            unread.retain(|place| place.name != last.name);
        }
        all
    }

    /// Blocks lie far apart in memory: all are asked for before the first is waited for.
    #[inline(always)]
    fn foresee(&self, places: &[Place]) {
        for (number, place) in places.iter().enumerate() {
            let is_first = places[..number].iter().all(|before| before.name != place.name);
            match self.held(place.name) {
                Some(cells) => memory::prefetch(cells, place.byte()),
                None if is_first => self.tables.cache().foresee(place.name, place.byte()),
                None => {}
            }
        }
    }

    #[inline(always)]
    fn held(&self, name: BlockName) -> Option<&[u8]> {
        self.held.iter().find(|(held, _)| *held == name).map(|(_, cells)| &**cells)
    }

    /// A cell of a block that is held: it is there at once.
    #[inline(always)]
    pub fn held_cell(&self, place: &Place) -> Option<u8> {
        self.held(place.name).and_then(|cells| place.cell(cells))
    }

    /// A cell of a block that is held, or in the cache.
    #[inline(always)]
    fn at_hand(&mut self, place: &Place) -> Option<u8> {
        if let Some(cells) = self.held(place.name) {
            return place.cell(cells);
        }
        let cells = self.tables.cache().find(place.name)?;
        let cell = place.cell(&cells);
        self.hold(place.name, cells);
        cell
    }

    fn hold(&mut self, name: BlockName, cells: Arc<[u8]>) {
        if let Some((_, held)) = self.held.iter_mut().find(|(held, _)| *held == name) {
            *held = cells;
        } else if self.held.len() < HELD {
            self.held.push((name, cells));
        } else {
            self.held[self.oldest] = (name, cells);
            self.oldest = (self.oldest + 1) % HELD;
        }
    }
}

/// Of the block that takes the fewest cells to be read for each of its places, the last place. Of
/// equal blocks it is the first.
fn last_of_cheapest<'a>(places: &[Place<'a>]) -> Option<Place<'a>> {
    let last = |name: BlockName| {
        let here = || places.iter().filter(|p| p.name == name);
        let last = here().max_by_key(|p| p.number)?;
        Some((last.number as usize / here().count(), *last))
    };
    let lasts = places.iter().filter_map(|place| last(place.name));
    lasts.min_by_key(|(cells, _)| *cells).map(|(_, last)| last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, Sector};

    fn tables() -> Tables {
        Tables::new(Rules::parse("nine").unwrap(), &[], 1 << 20)
    }

    fn place(tables: &Tables, own: u32, opponent: u32) -> Place<'_> {
        let file = tables.wdl_file(Sector::moving(5, 4)).expect("it is part of the program");
        FileRow::of(file, own).place(opponent)
    }

    #[test]
    fn cells_at_hand_come_first() {
        let tables = tables();
        let near = place(&tables, 0b11111, 0b1111 << 5);
        let far = place(&tables, 0b11111 << 10, 0b1011 << 20);
        assert!(near.name != far.name);
        let mut lookup = Lookup::new(&tables);
        assert!(lookup.held_cell(&near).is_none());
        assert!(lookup.look(&[near], |_| false));
        let cell = lookup.held_cell(&near).expect("it has been looked at");
        let mut seen = Vec::new();
        assert!(lookup.look(&[far, near], |cell| {
            seen.push(cell);
            true
        }));
        assert_eq!(seen, [cell]);
        assert!(tables.cache().find(far.name).is_none(), "it was not needed");
    }

    #[test]
    fn of_blocks_to_be_read_the_cheapest_comes_first() {
        let tables = tables();
        let first = place(&tables, 0b11111, 0b1111 << 5);
        let at = |block: u32, number: u32| Place {
            name: BlockName::new(0, block),
            block,
            number,
            ..first
        };
        let last = |places: &[Place]| last_of_cheapest(places).map(|p| (p.block, p.number));
        assert_eq!(last(&[]), None);
        assert_eq!(last(&[at(1, 500), at(2, 700), at(2, 300)]), Some((2, 700)));
        assert_eq!(last(&[at(1, 300), at(2, 700), at(2, 300)]), Some((1, 300)));
        assert_eq!(last(&[at(3, 70), at(1, 70)]), Some((3, 70)));
    }

    #[test]
    fn more_blocks_than_are_held_are_all_looked_at() {
        let tables = tables();
        let sets = (0..12u32).map(|n| (0b11111 << n, 0b1111 << (n + 6)));
        let places: Places = sets.map(|(own, opponent)| place(&tables, own, opponent)).collect();
        let one_by_one = places.iter().map(|place| {
            let mut cell = None;
            Lookup::new(&tables).look(&[*place], |found| {
                cell = Some(found);
                true
            });
            cell.expect("it is stored")
        });
        let mut one_by_one: Vec<u8> = one_by_one.collect();
        one_by_one.sort_unstable();
        let mut lookup = Lookup::new(&tables);
        for _ in 0..2 {
            let mut seen = Vec::new();
            assert!(lookup.look(&places, |cell| {
                seen.push(cell);
                false
            }));
            seen.sort_unstable();
            assert_eq!(seen, one_by_one);
        }
        assert_eq!(lookup.held.len(), HELD);
    }
}
