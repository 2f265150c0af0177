//! Models for a sector, found from a sample of its rows.

use super::{
    cells::{BlockCells, Cells},
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
pub fn wdl_model(shape: &Shape, cut: Cut, cells: &mut Cells) -> Model {
    let blocks = draw(shape, cut, LOOKED_AT, 0);
    let compared = draw(shape, cut, COMPARED, 1);
    let whole = shape.rows() as f64 * shape.columns as f64;
    let mut best: Option<(f64, Model)> = None;
    for patterns in candidates(shape) {
        let layout = Layout::new(&patterns).expect("patterns are few and small");
        let model = train(shape, cut, cells, &blocks, layout);
        let (mut bytes, mut seen) = (0, 0);
        let mut values = BlockCells::default();
        for number in &compared {
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
    best.expect("there is always the model without patterns").1
}

fn train(shape: &Shape, cut: Cut, cells: &mut Cells, blocks: &[usize], layout: Layout) -> Model {
    let mut context = RowContext::new(shape, &layout.patterns);
    let looked_at: usize = blocks.len() * cut.rows_per_block as usize * cut.width(shape);
    let mut training = Training::new(layout, looked_at.div_ceil(SAMPLES) as u64);
    let (mut values, mut out) = (BlockCells::default(), Vec::new());
    for number in blocks {
        let block = cut.block(shape, *number);
        cells.block(&block, &mut values);
        out.resize(block.cells(), 0);
        training.draw(&mut context, &block, &values.wdl, &mut out);
    }
    training.fit(EPOCHS)
}

/// The model of distances.
pub fn distance_model(shape: &Shape, cut: Cut, cells: &mut Cells) -> DistanceModel {
    let mut tally = Tally::default();
    let mut values = BlockCells::default();
    for number in draw(shape, cut, COUNTED, 2) {
        let block = cut.block(shape, number);
        cells.block(&block, &mut values);
        walk(shape, &block, &values.wdl, &mut values.plies, &mut tally);
    }
    DistanceModel::of_tally(&tally)
}
