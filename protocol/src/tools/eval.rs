//! The evaluation of a position, term by term, for people.

use millrace_engine::{Color, Game};

/// The terms as lines.
pub fn explain(game: &Game) -> String {
    let position = game.position();
    let count =
        |side: Color| (position.stones(side).count_ones() as i32, i32::from(position.hand(side)));
    let (white, black) = (count(Color::White), count(Color::Black));
    let row = |name: &str, w: i32, b: i32| format!("{name:<22}{w:>7}{b:>7}{:>+7}\n", w - b);
    format!("{:<22}{:>7}{:>7}{:>7}\n", "term", "White", "Black", "diff")
        + &row("stones on the board", white.0, black.0)
        + &row("stones in hand", white.1, black.1)
}
