//! A position drawn with characters. The picture follows from the points' names, which give file
//! and rank, and from which points are joined, so that any board draws itself.

use millrace_engine::{
    Color, Position, Rules,
    board::{Geometry, Points},
};

/// Columns from one file to the next, and rows from one rank to the next.
const WIDE: usize = 4;
const HIGH: usize = 2;

/// The place of a point on the canvas, given the top rank.
fn place(g: &Geometry, top: u8, point: usize) -> (usize, usize) {
    let [file, rank] = g.names[point];
    (usize::from(file - b'a') * WIDE, usize::from(top - rank) * HIGH)
}

/// The board with the stones of a position: `W`, `B` and `.` for empty points, one line a row, with
/// ranks at the left, files below, and the stones in hand at the right of the first rows.
pub fn draw(rules: &Rules, position: &Position) -> String {
    let g = rules.board().geometry();
    let names = &g.names[..g.points];
    let top = names.iter().map(|n| n[1]).max().unwrap_or(b'1');
    let right = names.iter().map(|n| n[0]).max().unwrap_or(b'a');
    let width = usize::from(right - b'a') * WIDE + 1;
    let mut canvas = vec![vec![b' '; width]; usize::from(top - b'1') * HIGH + 1];
    for from in 0..g.points {
        for to in Points(g.joined[from] & !((2 << from) - 1)) {
            connect(&mut canvas, place(g, top, from), place(g, top, to));
        }
    }
    for point in 0..g.points {
        let (x, y) = place(g, top, point);
        let stone = Color::BOTH.iter().position(|c| position.stones(*c) >> point & 1 == 1);
        canvas[y][x] = stone.map_or(b'.', |color| b"WB"[color]);
    }
    let mut text = String::new();
    for (y, row) in canvas.iter().enumerate() {
        let label = if y % HIGH == 0 { char::from(top - (y / HIGH) as u8) } else { ' ' };
        let row = String::from_utf8_lossy(row);
        let beside = match y {
            0 => format!("   {} to move", position.side()),
            1 => format!("   White in hand: {}", position.hand(Color::White)),
            2 => format!("   Black in hand: {}", position.hand(Color::Black)),
            _ => String::new(),
        };
        let line = format!("{label} {row}{beside}");
        text += line.trim_end();
        text.push('\n');
    }
    let files: String =
        (b'a'..=right).map(|f| format!("{:WIDE$}", char::from(f))).collect::<String>();
    text + "  " + files.trim_end() + "\n"
}

/// Draws the line between two joined points, the ends left out.
fn connect(canvas: &mut [Vec<u8>], (x1, y1): (usize, usize), (x2, y2): (usize, usize)) {
    let (dx, dy) = (x2 as isize - x1 as isize, y2 as isize - y1 as isize);
    let stroke = match (dx, dy) {
        (0, _) => b'|',
        (_, 0) => b'-',
        _ if (dx > 0) == (dy > 0) => b'\\',
        _ => b'/',
    };
    let steps = if dy == 0 { dx.abs() } else { dy.abs() };
    for step in 1..steps {
        let x = x1 as isize + dx * step / steps;
        let y = y1 as isize + dy * step / steps;
        canvas[y as usize][x as usize] = stroke;
    }
}
