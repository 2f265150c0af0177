//! Patterns: sets of points whose stones are weighed together.

use millrace_engine::{Board, table::Shape};

/// Cells from which patterns can pay for themselves.
const WORTH_PATTERNS: usize = 20_000;

/// The lists of patterns to be tried for a sector.
pub fn candidates(shape: &Shape) -> Vec<Vec<u32>> {
    const CERTAIN: usize = 10_000_000;
    let cells = shape.rows() * shape.columns;
    let all = patterns(shape.board);
    match cells {
        0..WORTH_PATTERNS => vec![Vec::new()],
        WORTH_PATTERNS..CERTAIN => vec![Vec::new(), all[..all.len().min(3)].to_vec(), all],
        _ => vec![all],
    }
}

/// The patterns of a board: its rings, and what lies along each side.
pub fn patterns(board: Board) -> Vec<u32> {
    let names: &[&str] = match board {
        Board::Nine | Board::NineDiagonals => &[
            "a1 a4 a7 d7 g7 g4 g1 d1",
            "b2 b4 b6 d6 f6 f4 f2 d2",
            "c3 c4 c5 d5 e5 e4 e3 d3",
            "a1 a4 a7 b2 b4 b6 c4",
            "a7 d7 g7 b6 d6 f6 d5",
            "g7 g4 g1 f6 f4 f2 e4",
            "g1 d1 a1 f2 d2 b2 d3",
            "a4 b4 c4 e4 f4 g4 d1 d7",
        ],
        Board::Six | Board::Seven => {
            &["a1 a3 a5 c5 e5 e3 e1 c1", "b2 b3 b4 c4 d4 d3 d2 c2", "a3 b3 c5 c4 e3 d3 c1 c2"]
        }
        Board::Three | Board::ThreeDiagonals => &[],
    };
    let set =
        |names: &&str| names.split(' ').filter_map(|n| board.point(n)).map(|p| 1u32 << p).sum();
    names.iter().map(set).collect()
}
