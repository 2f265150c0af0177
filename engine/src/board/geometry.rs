//! What the rules need to know of a board, derived from its [`Layout`] at compile time.

use super::layout::Layout;

/// The most points that any board has.
pub const MAX_POINTS: usize = 24;
const MAX_LINES: usize = 20;
const MAX_PAIRS: usize = 24;

/// A way to complete a line: a point of `targets` whose partners on the line lie `first` and
/// `second` bits below it (modulo 32).
#[derive(Clone, Copy)]
pub struct Closer {
    /// Left rotation that brings one partner onto the point.
    pub first: u32,
    /// Left rotation that brings the other partner onto the point.
    pub second: u32,
    /// The points for which these two distances are those of a line.
    pub targets: u32,
}

/// A way to slide: all edges whose ends are the same number of bits apart (modulo 32).
#[derive(Clone, Copy)]
pub struct Step {
    /// Left rotation that carries a stone along the edge.
    pub rotation: u32,
    /// The points where such an edge ends.
    pub targets: u32,
}

/// Derived facts of one board. Point sets are masks with bit `p` for point `p`.
pub struct Geometry {
    /// Number of points.
    pub points: usize,
    /// All points.
    pub all: u32,
    /// Names, two ASCII bytes a point.
    pub names: [[u8; 2]; MAX_POINTS],
    /// Number of lines.
    pub line_count: usize,
    /// The lines as point sets.
    pub lines: [u32; MAX_LINES],
    /// Number of lines through each point.
    pub through_count: [u8; MAX_POINTS],
    /// The lines through each point, without that point.
    pub through: [[u32; 4]; MAX_POINTS],
    /// The points joined to each point.
    pub joined: [u32; MAX_POINTS],
    /// Number of entries of `closers`.
    pub closer_count: usize,
    /// All ways to complete a line, grouped by distances.
    pub closers: [Closer; MAX_PAIRS],
    /// Number of entries of `steps`.
    pub step_count: usize,
    /// All edges in both directions, grouped by distance.
    pub steps: [Step; MAX_PAIRS],
    /// Number of ranks that have points.
    pub row_count: usize,
    /// Number of points of each rank, top rank first.
    pub row_lengths: [usize; 8],
    /// Points in the order in which position texts list them: top rank first, by file.
    pub reading_order: [u8; MAX_POINTS],
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    a[0] == b[0] && a[1] == b[1]
}

const fn point_of(layout: &Layout, name: &str) -> usize {
    let mut p = 0;
    while !same(layout.names[p], name) {
        p += 1;
    }
    p
}

const fn distance(from: usize, to: usize) -> u32 {
    (to as u32).wrapping_sub(from as u32) & 31
}

impl Geometry {
    /// Derives everything from the names, lines and joints. Runs at compile time.
    pub const fn derive(layout: &Layout) -> Self {
        let points = layout.names.len();
        let mut g = Self {
            points,
            all: (1 << points) - 1,
            names: [[b' '; 2]; MAX_POINTS],
            line_count: 0,
            lines: [0; MAX_LINES],
            through_count: [0; MAX_POINTS],
            through: [[0; 4]; MAX_POINTS],
            joined: [0; MAX_POINTS],
            closer_count: 0,
            closers: [Closer { first: 0, second: 0, targets: 0 }; MAX_PAIRS],
            step_count: 0,
            steps: [Step { rotation: 0, targets: 0 }; MAX_PAIRS],
            row_count: 0,
            row_lengths: [0; 8],
            reading_order: [0; MAX_POINTS],
        };
        let mut p = 0;
        while p < points {
            let name = layout.names[p].as_bytes();
            g.names[p] = [name[0], name[1]];
            p += 1;
        }
        g.add_lines(layout, layout.lines);
        g.add_lines(layout, layout.diagonals);
        let mut j = 0;
        while j < layout.joints.len() {
            let joint = layout.joints[j];
            g.join(point_of(layout, joint[0]), point_of(layout, joint[1]));
            j += 1;
        }
        g.list_rows();
        g
    }

    const fn add_lines(&mut self, layout: &Layout, lines: &[[&str; 3]]) {
        let mut l = 0;
        while l < lines.len() {
            let on = [
                point_of(layout, lines[l][0]),
                point_of(layout, lines[l][1]),
                point_of(layout, lines[l][2]),
            ];
            self.lines[self.line_count] = 1 << on[0] | 1 << on[1] | 1 << on[2];
            self.line_count += 1;
            self.add_closer(on[0], on[1], on[2]);
            self.add_closer(on[1], on[2], on[0]);
            self.add_closer(on[2], on[0], on[1]);
            self.join(on[0], on[1]);
            self.join(on[1], on[2]);
            l += 1;
        }
    }

    const fn add_closer(&mut self, point: usize, one: usize, two: usize) {
        let through = self.through_count[point] as usize;
        self.through[point][through] = 1 << one | 1 << two;
        self.through_count[point] += 1;

        let (a, b) = (distance(one, point), distance(two, point));
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        let mut k = 0;
        while k < self.closer_count
            && !(self.closers[k].first == first && self.closers[k].second == second)
        {
            k += 1;
        }
        if k == self.closer_count {
            self.closers[k] = Closer { first, second, targets: 0 };
            self.closer_count += 1;
        }
        self.closers[k].targets |= 1 << point;
    }

    const fn join(&mut self, a: usize, b: usize) {
        self.joined[a] |= 1 << b;
        self.joined[b] |= 1 << a;
        self.add_step(a, b);
        self.add_step(b, a);
    }

    const fn add_step(&mut self, from: usize, to: usize) {
        let rotation = distance(from, to);
        let mut k = 0;
        while k < self.step_count && self.steps[k].rotation != rotation {
            k += 1;
        }
        if k == self.step_count {
            self.steps[k] = Step { rotation, targets: 0 };
            self.step_count += 1;
        }
        self.steps[k].targets |= 1 << to;
    }

    const fn list_rows(&mut self) {
        let mut listed = 0;
        let mut rank = b'9';
        while rank > b'0' {
            let before = listed;
            let mut file = b'a';
            while file <= b'z' {
                let mut p = 0;
                while p < self.points {
                    if self.names[p][0] == file && self.names[p][1] == rank {
                        self.reading_order[listed] = p as u8;
                        listed += 1;
                    }
                    p += 1;
                }
                file += 1;
            }
            if listed > before {
                self.row_lengths[self.row_count] = listed - before;
                self.row_count += 1;
            }
            rank -= 1;
        }
    }
}
