//! The evaluation of a position, term by term, for people.

use millrace_engine::{
    Game,
    eval::{Choice, Evaluator, Term, explain},
};

/// The terms as lines, in hundredths of a stone, and the total as the search sees it.
pub fn table(game: &Game, choice: Choice) -> String {
    let (rules, position) = (game.rules(), game.position());
    let mut text = format!("{:<18}{:>7}{:>7}{:>7}\n", "Term", "White", "Black", "Sum");
    for Term { name, white, black } in explain(rules, position) {
        text += &format!("{name:<18}{white:>7}{black:>7}{:>+7}\n", white - black);
    }
    let evaluator = Evaluator::chosen(rules, choice);
    if evaluator.uses_network(position) {
        let weighed = Evaluator::chosen(rules, Choice::Weights).value(position);
        text += &format!("By weights: {weighed:+}, but the network is used\n");
    }
    text +=
        &format!("Eval: {:+} for {}, who is to move\n", evaluator.value(position), position.side());
    if game.outcome().is_over() {
        text += &format!(
            "Result: {}; what ends a game is not left to the evaluation\n",
            game.outcome()
        );
    }
    text
}
