//! A position as a drawing in SVG, for pages and prints. Where a point lies follows from its name,
//! as in [`diagram`](crate::diagram).

use millrace_engine::{Board, Color, Position, Rules, Turn, board::Points};
use std::fmt::Write;

/// From one file or rank to the next.
const STEP: usize = 60;
/// Around the points, for stones and the names of files and ranks.
const MARGIN: usize = 44;

/// The look of a drawing that stands by itself; a page brings its own.
pub const STYLE: &str = include_str!("svg.css");

/// What a turn is shown for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It was played.
    Played,
    /// It would have been better.
    Better,
}

impl Role {
    fn class(self) -> &'static str {
        match self {
            Role::Played => "played",
            Role::Better => "better",
        }
    }
}

/// File and rank of a point, from the lower left.
fn steps(board: Board, point: usize) -> (usize, usize) {
    let [file, rank] = board.geometry().names[point];
    (usize::from(file - b'a'), usize::from(rank - b'1'))
}

/// Files and ranks of a board; boards are as wide as they are high.
fn extent(board: Board) -> usize {
    (0..board.points()).map(|point| steps(board, point).0).max().unwrap_or(0)
}

/// Where a point is drawn.
pub fn place(board: Board, point: usize) -> (usize, usize) {
    let (file, rank) = steps(board, point);
    (MARGIN + file * STEP, MARGIN + (extent(board) - rank) * STEP)
}

/// Width and height of a drawing.
pub fn size(board: Board) -> usize {
    2 * MARGIN + extent(board) * STEP
}

/// The stones of a position in words, for those who cannot see them.
pub fn describe(rules: &Rules, position: &Position) -> String {
    let list = |color: Color| {
        let mut names: Vec<_> =
            position.points(color).map(|point| rules.board().point_name(point)).collect();
        names.sort_unstable();
        let hand = match position.hand(color) {
            0 => String::new(),
            stones => format!(" and {stones} in hand"),
        };
        let stones = if names.is_empty() { "no stone".to_string() } else { names.join(" ") };
        format!("{color}: {stones}{hand}.")
    };
    format!("{} {} {} to move.", list(Color::White), list(Color::Black), position.side())
}

/// Lines, names of files and ranks, and points without stones.
pub fn ground(board: Board) -> String {
    let g = board.geometry();
    let mut text = String::new();
    // Writing to a string cannot fail.
    for from in 0..g.points {
        for to in Points(g.joined[from] & !((2 << from) - 1)) {
            let ((x1, y1), (x2, y2)) = (place(board, from), place(board, to));
            let _ = writeln!(text, r#"<path class="line" d="M{x1} {y1}L{x2} {y2}"/>"#);
        }
    }
    for point in 0..g.points {
        let (x, y) = place(board, point);
        let _ = writeln!(text, r#"<circle class="point" cx="{x}" cy="{y}" r="4"/>"#);
    }
    let end = size(board) - MARGIN / 4;
    for step in 0..=extent(board) {
        let at = MARGIN + step * STEP;
        let file = char::from(b'a' + step as u8);
        let rank = extent(board) - step + 1;
        let _ = writeln!(text, r#"<text class="name" x="{at}" y="{end}">{file}</text>"#);
        let _ = writeln!(text, r#"<text class="name" x="10" y="{}">{rank}</text>"#, at + 5);
    }
    text
}

fn stones(board: Board, position: &Position) -> String {
    let mut text = String::new();
    for color in Color::BOTH {
        let class = ["white", "black"][color.index()];
        for point in position.points(color) {
            let (x, y) = place(board, point);
            let _ = writeln!(text, r#"<circle class="stone {class}" cx="{x}" cy="{y}" r="20"/>"#);
        }
    }
    text
}

/// A turn: an arrow for a move, a ring for a placement, a cross over each stone removed.
fn marks(board: Board, turn: Turn, role: Role) -> String {
    let (mut text, class) = (String::new(), role.class());
    let at = |point| place(board, point);
    match (turn.from().map(at), turn.to().map(at)) {
        (Some(from), Some(to)) => {
            let _ = writeln!(text, r#"<path class="arrow {class}" d="{}"/>"#, arrow(from, to));
        }
        (None, Some((x, y))) => {
            let _ = writeln!(text, r#"<circle class="ring {class}" cx="{x}" cy="{y}" r="24"/>"#);
        }
        _ => {}
    }
    for (x, y) in turn.removals().map(at) {
        let d = format!("M{} {}l24 24m0 -24l-24 24", x - 12, y - 12);
        let _ = writeln!(text, r#"<path class="cross {class}" d="{d}"/>"#);
    }
    text
}

/// A line with a head, as the data of a path.
fn arrow(from: (usize, usize), to: (usize, usize)) -> String {
    let ((x1, y1), (x2, y2)) = ((from.0 as f64, from.1 as f64), (to.0 as f64, to.1 as f64));
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
    const HEAD: f64 = 16.0;
    let side = |turn: f64| {
        let (bx, by) =
            (x2 - HEAD * ux - turn * HEAD * uy / 1.6, y2 - HEAD * uy + turn * HEAD * ux / 1.6);
        format!("M{bx:.1} {by:.1}L{x2:.1} {y2:.1}")
    };
    format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}{}{}", side(1.0), side(-1.0))
}

/// A whole drawing that needs nothing else: a position, and turns that may be made in it.
pub fn drawing(rules: &Rules, position: &Position, turns: &[(Turn, Role)]) -> String {
    let (board, side) = (rules.board(), size(rules.board()));
    // Stones in hand stand in a line below the board.
    let height = side + 30;
    let marks: String = turns.iter().map(|(turn, role)| marks(board, *turn, *role)).collect();
    let shown: Vec<String> = turns
        .iter()
        .map(|(turn, role)| format!(" {}: {}.", role.class(), turn.on(board)))
        .collect();
    let words = describe(rules, position) + &shown.concat();
    let [white, black] = Color::BOTH.map(|color| position.hand(color));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {height}\" width=\"{side}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{words}\">\n<title>{words}</title>\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{side}\" height=\"{height}\"/>\n{}{}{marks}\
         <text class=\"hand\" x=\"{}\" y=\"{}\">{} to move \u{b7} in hand: White {white}, Black {black}</text>\n\
         </svg>\n",
        ground(board),
        stones(board, position),
        side / 2,
        side + 18,
        position.side(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_engine::{rules::PRESETS, text::parse_position};

    #[test]
    fn every_stone_line_and_point_is_drawn_on_every_board() {
        for preset in PRESETS {
            let rules = preset.rules;
            let start = Position::start(&rules);
            let turn = start.turns(&rules)[0];
            let position = start.after(turn);
            let text = drawing(&rules, &position, &[(position.turns(&rules)[0], Role::Better)]);
            let g = rules.board().geometry();
            let edges: u32 = (0..g.points).map(|p| g.joined[p].count_ones()).sum();
            assert_eq!(text.matches("class=\"line\"").count() as u32, edges / 2, "{}", preset.name);
            assert_eq!(text.matches("class=\"point\"").count(), g.points);
            assert_eq!(text.matches("class=\"stone white\"").count(), 1);
            assert_eq!(text.matches("class=\"ring better\"").count(), 1);
        }
    }

    #[test]
    fn words_say_what_is_drawn() {
        let rules = Rules::default();
        let position = parse_position(&rules, "W2/1W1/3/1B4/3/2W/BBW b 0 1").expect("a position");
        let words = describe(&rules, &position);
        assert_eq!(words, "White: a7 d6 f2 g1. Black: a1 b4 d1 and 1 in hand. Black to move.");
    }
}
