//! Models for a sector, found from a sample of its rows.

use super::{
    cells::{BlockCells, Cells},
    error::PackError,
    patterns::candidates,
    train::Training,
};
use millrace_engine::table::{
    Cut, Shape,
    codec::{
        coder::Encoder,
        context::RowContext,
        distance::{DistanceModel, Tally, walk},
        model::{Layout, Model},
    },
};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Cells that the weights are found from, at most.
const SAMPLES: usize = 4_000_000;
/// Cells of the rows that are looked at for them, at most.
const LOOKED_AT: usize = 48_000_000;
/// Cells whose distances are counted, at most.
const COUNTED: usize = 24_000_000;
/// Cells that candidates are compared on, at most.
const COMPARED: usize = 1_000_000;
/// Times that the sample is gone through.
const EPOCHS: usize = 3;

fn go_on(stop: &AtomicBool) -> Result<(), PackError> {
    if stop.load(Relaxed) { Err(PackError::Stopped) } else { Ok(()) }
}

/// Blocks drawn by lot, about so many cells of them; all, if there are no more.
fn draw(shape: &Shape, cut: Cut, cells: usize, seed: u64) -> Vec<usize> {
    let blocks = cut.blocks(shape);
    let size = cut.rows_per_block as usize * cut.width(shape);
    let wanted = (cells / size).max(1);
    if wanted >= blocks {
        return (0..blocks).collect();
    }
    // Steps of a length without common divisor visit every block once before any twice.
    let mut step = (blocks as f64 * 0.618_033_988) as usize | 1;
    while gcd(step, blocks) > 1 {
        step += 1;
    }
    (0..wanted).map(|k| (seed as usize + k * step) % blocks).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The model of wins, draws and losses that makes the sector smallest.
///
/// # Errors
/// If `stop` was set before it was found, or the system has no memory for the sample.
pub fn wdl_model(
    shape: &Shape,
    cut: Cut,
    cells: &mut Cells,
    stop: &AtomicBool,
) -> Result<Model, PackError> {
    let blocks = draw(shape, cut, LOOKED_AT, 0);
    let compared = draw(shape, cut, COMPARED, 1);
    let whole = shape.rows() as f64 * shape.columns as f64;
    let mut best: Option<(f64, Model)> = None;
    for patterns in candidates(shape) {
        let layout = Layout::new(&patterns).expect("patterns are few and small");
        let model = train(shape, cut, cells, &blocks, layout, stop)?;
        let (mut bytes, mut seen) = (0, 0);
        let mut values = BlockCells::default();
        for number in &compared {
            go_on(stop)?;
            let block = cut.block(shape, *number);
            cells.block(&block, &mut values);
            let mut encoder = Encoder::default();
            model.code(shape, &block, &mut values.wdl, &mut encoder);
            bytes += encoder.finish().len();
            seen += block.cells();
        }
        let size = model.encode().len() as f64 + bytes as f64 * whole / seen as f64;
        if best.as_ref().is_none_or(|(least, _)| size < *least) {
            best = Some((size, model));
        }
    }
    Ok(best.expect("there is always the model without patterns").1)
}

fn train(
    shape: &Shape,
    cut: Cut,
    cells: &mut Cells,
    blocks: &[usize],
    layout: Layout,
    stop: &AtomicBool,
) -> Result<Model, PackError> {
    let mut context = RowContext::new(shape, &layout.patterns);
    let looked_at: usize = blocks.len() * cut.rows_per_block as usize * cut.width(shape);
    let training = Training::new(layout, looked_at, looked_at.div_ceil(SAMPLES) as u64);
    let mut training =
        training.map_err(|refused| PackError::Memory { sector: shape.sector, refused })?;
    let (mut values, mut out) = (BlockCells::default(), Vec::new());
    for number in blocks {
        go_on(stop)?;
        let block = cut.block(shape, *number);
        cells.block(&block, &mut values);
        out.resize(block.cells(), 0);
        training.draw(&mut context, &block, &values.wdl, &mut out);
    }
    training.fit(EPOCHS, stop).ok_or(PackError::Stopped)
}

/// The model of distances.
///
/// # Errors
/// If `stop` was set before it was found.
pub fn distance_model(
    shape: &Shape,
    cut: Cut,
    cells: &mut Cells,
    stop: &AtomicBool,
) -> Result<DistanceModel, PackError> {
    let mut tally = Tally::default();
    let mut values = BlockCells::default();
    for number in draw(shape, cut, COUNTED, 2) {
        go_on(stop)?;
        let block = cut.block(shape, number);
        cells.block(&block, &mut values);
        walk(shape, &block, &values.wdl, &mut values.plies, &mut tally);
    }
    Ok(DistanceModel::of_tally(&tally))
}

#[cfg(test)]
mod tests {
    use super::{super::cells::Origin, *};
    use crate::{
        file::CellKind,
        pack::transpose::Transposed,
        sector::{Sector, SectorExt},
        solve::{SectorTable, cell},
    };
    use millrace_engine::Rules;

    #[test]
    fn models_are_looked_for_until_it_is_stopped() {
        let rules = Rules::named("six").expect("a preset");
        let sector = Sector::moving(4, 3);
        let columns = sector.columns(rules.board()) as usize;
        let cells = vec![cell::DRAW; sector.cells(rules.board()) as usize];
        let table = SectorTable { sector, columns, cells };
        let shape = Shape::new(&rules, sector);
        let view = Transposed::new(&table, &shape).expect("there is memory");
        let mut cells = Cells::new(Origin::Solved(&view, CellKind::Distance));
        let cut = Cut { rows_per_block: 1, parts_per_row: 1 };
        for stopped in [false, true] {
            let stop = AtomicBool::new(stopped);
            let ends = [
                wdl_model(&shape, cut, &mut cells, &stop).map(drop),
                distance_model(&shape, cut, &mut cells, &stop).map(drop),
            ];
            for end in ends {
                assert_eq!(end.is_err(), stopped);
                assert!(matches!(end, Ok(()) | Err(PackError::Stopped)));
            }
        }
    }
}
