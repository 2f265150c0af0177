//! The symmetries of a board: all renumberings of its points that keep its lines and its edges.
//!
//! They are found by a backtracking search over the derived tables, once a process and board.
//! The boards of squares have 16 (8 of the square, times turning the rings inside out), the others
//! the 8 of the square.

use super::{Board, Geometry, MAX_POINTS, Points};
use std::sync::OnceLock;

/// One renumbering of the points, ready to be applied to point sets.
pub struct Symmetry {
    image: [u8; MAX_POINTS],
    inverse: u8,
    /// The image of every byte value of each of the three bytes of a set.
    bytes: [[u32; 256]; 3],
}

impl Symmetry {
    fn new(image: [u8; MAX_POINTS], points: usize) -> Self {
        let mut bytes = [[0; 256]; 3];
        for (byte, table) in bytes.iter_mut().enumerate() {
            for (value, entry) in table.iter_mut().enumerate() {
                *entry = Points(value as u32)
                    .map(|bit| byte * 8 + bit)
                    .filter(|p| *p < points)
                    .fold(0, |set, p| set | 1 << image[p]);
            }
        }
        Self { image, inverse: 0, bytes }
    }

    /// Where a point goes.
    ///
    /// # Panics
    /// If `point` is not below [`MAX_POINTS`].
    #[inline]
    pub fn point(&self, point: usize) -> usize {
        self.image[point] as usize
    }

    /// Where a set of points goes; what is not on the board is left out.
    #[inline]
    pub fn set(&self, set: u32) -> u32 {
        self.bytes[0][(set & 255) as usize]
            | self.bytes[1][(set >> 8 & 255) as usize]
            | self.bytes[2][(set >> 16 & 255) as usize]
    }

    /// The number of the symmetry that undoes this one.
    pub fn inverse(&self) -> usize {
        self.inverse as usize
    }
}

impl Board {
    /// All symmetries. The first is the identity; [`Symmetry::inverse`] is a number in this slice.
    pub fn symmetries(self) -> &'static [Symmetry] {
        static FOUND: [OnceLock<Vec<Symmetry>>; Board::ALL.len()] =
            [const { OnceLock::new() }; Board::ALL.len()];
        FOUND[self as usize].get_or_init(|| find(self.geometry()))
    }
}

fn find(g: &Geometry) -> Vec<Symmetry> {
    let mut images = Vec::new();
    extend(g, &mut [0; MAX_POINTS], 0, 0, &mut images);
    let mut found: Vec<Symmetry> = images.iter().map(|i| Symmetry::new(*i, g.points)).collect();
    for symmetry in &mut found {
        let undoes = |other: &[u8; MAX_POINTS]| {
            (0..g.points).all(|p| other[symmetry.image[p] as usize] as usize == p)
        };
        symmetry.inverse = images.iter().position(undoes).expect("symmetries form a group") as u8;
    }
    found
}

/// Gives point `next` every image that keeps the edges to the points before it, in ascending
/// order, so that the identity is found first.
fn extend(
    g: &Geometry,
    image: &mut [u8; MAX_POINTS],
    next: usize,
    used: u32,
    found: &mut Vec<[u8; MAX_POINTS]>,
) {
    if next == g.points {
        if keeps_lines(g, image) {
            found.push(*image);
        }
        return;
    }
    for candidate in Points(g.all & !used) {
        let keeps_edges =
            (0..next).all(|p| (g.joined[next] >> p & 1) == (g.joined[candidate] >> image[p] & 1));
        if keeps_edges {
            image[next] = candidate as u8;
            extend(g, image, next + 1, used | 1 << candidate, found);
        }
    }
}

fn keeps_lines(g: &Geometry, image: &[u8; MAX_POINTS]) -> bool {
    let lines = &g.lines[..g.line_count];
    lines.iter().all(|line| lines.contains(&Points(*line).fold(0, |set, p| set | 1 << image[p])))
}
