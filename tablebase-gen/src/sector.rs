//! Sectors and units: which positions are solved together, and what must be known before.
//!
//! This room knows only numbers of stones and what the rules allow of them; no positions, no
//! files. Solving by numbers of stones, removals last to first, is after Ralph Gasser's "Solving
//! Nine Men's Morris" (1996).

pub use millrace_engine::{Sector, SectorError};

use millrace_engine::{
    Board, Rules,
    board::{MAX_POINTS, Symmetry},
    rules::Removals,
};
use std::{collections::BTreeSet, fmt};

/// What a sector means to a solver.
pub trait SectorExt: Sized {
    /// Whether the sector's positions fit onto the board under these rules and are not all at an
    /// end already.
    fn has_play(self, rules: &Rules) -> bool;

    /// Rows of the sector's table: the classes of the opponent's stones.
    fn rows(self, board: Board) -> u64;

    /// Columns of the sector's table: the placements of the own stones beside given stones of the
    /// opponent.
    fn columns(self, board: Board) -> u64;

    /// Cells of the sector's table.
    fn cells(self, board: Board) -> u64;

    /// Placements of the stones, each counted.
    fn placements(self, board: Board) -> u64;

    /// Placements of the stones up to the board's symmetries.
    fn classes(self, board: Board) -> u64;

    /// The sectors that one turn can lead to, as seen by the side that is to move then. Passes
    /// and slides lead to the swapped sector, if stones may be moved here at all.
    fn successors(self, rules: &Rules) -> Vec<Sector>;
}

impl SectorExt for Sector {
    fn has_play(self, rules: &Rules) -> bool {
        let own = self.own.saturating_add(self.own_hand);
        let opponent = self.opponent.saturating_add(self.opponent_hand);
        let fewest = if rules.line_wins() { rules.stones() } else { 3 };
        let right = |stones| (fewest..=rules.stones()).contains(&stones);
        right(own) && right(opponent)
    }

    fn rows(self, board: Board) -> u64 {
        let symmetries = board.symmetries();
        let fixed: u64 = symmetries.iter().map(|s| cycle_sums(board, s, self.opponent, 0)).sum();
        fixed / symmetries.len() as u64
    }

    fn columns(self, board: Board) -> u64 {
        binomial(board.points() as u64 - u64::from(self.opponent), self.own.into())
    }

    fn cells(self, board: Board) -> u64 {
        self.rows(board) * self.columns(board)
    }

    fn placements(self, board: Board) -> u64 {
        binomial(board.points() as u64, self.opponent.into()) * self.columns(board)
    }

    fn classes(self, board: Board) -> u64 {
        let symmetries = board.symmetries();
        let fixed: u64 =
            symmetries.iter().map(|s| cycle_sums(board, s, self.opponent, self.own)).sum();
        fixed / symmetries.len() as u64
    }

    fn successors(self, rules: &Rules) -> Vec<Sector> {
        let mut found = Vec::new();
        if self.own_hand > 0 {
            let placed = Sector { own: self.own + 1, own_hand: self.own_hand - 1, ..self };
            with_removals(placed, rules, &mut found);
        }
        if self.own > 0 && (self.own_hand == 0 || rules.move_while_placing()) {
            with_removals(self, rules, &mut found);
        }
        found
    }
}

/// Adds the sectors after a placement or move that has left these numbers of stones.
fn with_removals(left: Sector, rules: &Rules, found: &mut Vec<Sector>) {
    let fewest = if rules.line_wins() { 0 } else { 3 };
    for removed in 0..=most_removals(left, rules) {
        let left = Sector { opponent: left.opponent - removed, ..left };
        if left.opponent + left.opponent_hand >= fewest {
            found.push(left.swapped());
        }
    }
}

/// The most stones that the turn can have removed which left `own` stones on the board.
fn most_removals(left: Sector, rules: &Rules) -> u8 {
    if rules.line_wins() || left.own < 3 {
        return 0;
    }
    let most = match rules.removals() {
        Removals::One => 1,
        Removals::PerMill => {
            let g = rules.board().geometry();
            let lines = g.through_count[..g.points].iter().copied().max().unwrap_or(0);
            // Two lines through a point take five stones, three take seven.
            lines.min((left.own - 1) / 2)
        }
    };
    most.min(left.opponent)
}

/// The disjoint pairs of point sets of sizes `a` and `b` that a symmetry maps to themselves
/// (Burnside's lemma): sets are unions of its cycles.
fn cycle_sums(board: Board, symmetry: &Symmetry, a: u8, b: u8) -> u64 {
    const SIZES: usize = MAX_POINTS / 2 + 1;
    let (a, b) = (usize::from(a), usize::from(b));
    debug_assert!(a < SIZES && b < SIZES);
    let mut ways = [[0u64; SIZES]; SIZES];
    ways[0][0] = 1;
    let mut seen = 0u32;
    for start in 0..board.points() {
        let mut length = 0;
        let mut point = start;
        while seen >> point & 1 == 0 {
            seen |= 1 << point;
            length += 1;
            point = symmetry.point(point);
        }
        if length == 0 {
            continue;
        }
        for i in (0..=a).rev() {
            for j in (0..=b).rev() {
                let with_a = if i >= length { ways[i - length][j] } else { 0 };
                let with_b = if j >= length { ways[i][j - length] } else { 0 };
                ways[i][j] += with_a + with_b;
            }
        }
    }
    ways[a][b]
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// Sectors that are solved together because turns lead both ways between them: a sector and its
/// swapped twin. A sector from which no game comes back to itself is a unit alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    first: Sector,
    paired: bool,
}

impl Unit {
    /// The unit that a sector belongs to under these rules.
    pub fn of(sector: Sector, rules: &Rules) -> Self {
        let twin = sector.swapped();
        let leads = |from: Sector, to: Sector| from.successors(rules).contains(&to);
        let paired = twin != sector && leads(sector, twin) && leads(twin, sector);
        Self { first: if paired { sector.max(twin) } else { sector }, paired }
    }

    /// Its sectors: one, or two of which the first is the greater in the order of [`Sector`].
    pub fn sectors(&self) -> impl Iterator<Item = Sector> + use<> {
        let twin = self.paired.then(|| self.first.swapped());
        [Some(self.first), twin].into_iter().flatten()
    }

    /// The greater of its sectors in the order of [`Sector`].
    pub fn first(&self) -> Sector {
        self.first
    }

    /// Whether it has two sectors.
    pub fn is_paired(&self) -> bool {
        self.paired
    }

    /// The sectors outside the unit that one turn can lead to, in ascending order. Sectors in
    /// which a side has fewer than three stones are ends, not tables, and are not listed.
    pub fn depends_on(&self, rules: &Rules) -> Vec<Sector> {
        let reached: BTreeSet<Sector> = self.sectors().flat_map(|s| s.successors(rules)).collect();
        reached.into_iter().filter(|s| self.sectors().all(|own| own != *s)).collect()
    }

    /// Cells of its tables.
    pub fn cells(&self, board: Board) -> u64 {
        self.sectors().map(|s| s.cells(board)).sum()
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)
    }
}
