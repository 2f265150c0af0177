//! The boards as people describe them: the points' names, the lines that can hold a mill, and the
//! joints between points that share no line. Nothing else about a board is written down anywhere;
//! [`Geometry`](super::Geometry) derives the rest.
//!
//! Points are listed ring by ring from the outside in, each ring clockwise from its lower left
//! corner, and a centre point comes last. So a ring is one byte of a point set, which keeps the
//! number of distinct bit distances along lines small.

/// A board by its names.
pub struct Layout {
    /// File letter and rank digit of every point; the position in this list is the point's number.
    pub names: &'static [&'static str],
    /// Every line, in order along the line, so that neighbours on it are joined.
    pub lines: &'static [[&'static str; 3]],
    /// Lines that only some games draw, likewise.
    pub diagonals: &'static [[&'static str; 3]],
    /// Pairs of joined points that are not neighbours on a line.
    pub joints: &'static [[&'static str; 2]],
}

/// The sides of three squares and the four lines across their midpoints.
pub const NINE: Layout = Layout {
    names: &[
        "a1", "a4", "a7", "d7", "g7", "g4", "g1", "d1", "b2", "b4", "b6", "d6", "f6", "f4", "f2",
        "d2", "c3", "c4", "c5", "d5", "e5", "e4", "e3", "d3",
    ],
    lines: &[
        ["a1", "a4", "a7"],
        ["a7", "d7", "g7"],
        ["g7", "g4", "g1"],
        ["g1", "d1", "a1"],
        ["b2", "b4", "b6"],
        ["b6", "d6", "f6"],
        ["f6", "f4", "f2"],
        ["f2", "d2", "b2"],
        ["c3", "c4", "c5"],
        ["c5", "d5", "e5"],
        ["e5", "e4", "e3"],
        ["e3", "d3", "c3"],
        ["a4", "b4", "c4"],
        ["d7", "d6", "d5"],
        ["g4", "f4", "e4"],
        ["d1", "d2", "d3"],
    ],
    diagonals: &[],
    joints: &[],
};

/// [`NINE`] and the four lines through the corners.
pub const NINE_DIAGONALS: Layout = Layout {
    diagonals: &[["a1", "b2", "c3"], ["a7", "b6", "c5"], ["g7", "f6", "e5"], ["g1", "f2", "e3"]],
    ..NINE
};

/// The sides of two squares; their midpoints are joined, but hold no line.
pub const SIX: Layout = Layout {
    names: &[
        "a1", "a3", "a5", "c5", "e5", "e3", "e1", "c1", "b2", "b3", "b4", "c4", "d4", "d3", "d2",
        "c2",
    ],
    lines: &[
        ["a1", "a3", "a5"],
        ["a5", "c5", "e5"],
        ["e5", "e3", "e1"],
        ["e1", "c1", "a1"],
        ["b2", "b3", "b4"],
        ["b4", "c4", "d4"],
        ["d4", "d3", "d2"],
        ["d2", "c2", "b2"],
    ],
    diagonals: &[],
    joints: &[["c1", "c2"], ["a3", "b3"], ["d3", "e3"], ["c4", "c5"]],
};

/// [`SIX`] with a centre point, which completes the four midpoint lines.
pub const SEVEN: Layout = Layout {
    names: &[
        "a1", "a3", "a5", "c5", "e5", "e3", "e1", "c1", "b2", "b3", "b4", "c4", "d4", "d3", "d2",
        "c2", "c3",
    ],
    lines: &[
        ["a1", "a3", "a5"],
        ["a5", "c5", "e5"],
        ["e5", "e3", "e1"],
        ["e1", "c1", "a1"],
        ["b2", "b3", "b4"],
        ["b4", "c4", "d4"],
        ["d4", "d3", "d2"],
        ["d2", "c2", "b2"],
        ["a3", "b3", "c3"],
        ["c3", "d3", "e3"],
        ["c1", "c2", "c3"],
        ["c3", "c4", "c5"],
    ],
    diagonals: &[],
    joints: &[],
};

/// Rows and columns of a 3 × 3 grid.
pub const THREE: Layout = Layout {
    names: &["a1", "a2", "a3", "b3", "c3", "c2", "c1", "b1", "b2"],
    lines: &[
        ["a1", "a2", "a3"],
        ["b1", "b2", "b3"],
        ["c1", "c2", "c3"],
        ["a1", "b1", "c1"],
        ["a2", "b2", "c2"],
        ["a3", "b3", "c3"],
    ],
    diagonals: &[],
    joints: &[],
};

/// [`THREE`] and its two diagonals.
pub const THREE_DIAGONALS: Layout =
    Layout { diagonals: &[["a1", "b2", "c3"], ["a3", "b2", "c1"]], ..THREE };
