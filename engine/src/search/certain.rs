//! What tables say for certain of a game as it stands, for those who judge games and not only turns.
//!
//! Tables know neither repetition nor the no-mill rule. Both only ever make draws, so a draw is
//! certain; a win is, if its distance is less than what the no-mill rule leaves and no position
//! on the way to it can be a repetition. The distance falls with every ply of best play, so that
//! only positions nearer to the end count.

use super::{
    past::Past,
    tables::{Effort, best_turn, hardest, line},
};
use crate::{
    game::Game,
    movegen::Turn,
    table::{Tables, Value, Wdl},
};
use std::collections::HashMap;

/// The value of a game's current position, for the side to move. `None` if the tables do not know
/// it, or if the game's history may make another value of it.
pub fn certain_value(tables: &Tables, game: &Game) -> Option<Value> {
    let (rules, position) = (game.rules(), game.position());
    if position.outcome(rules).is_over() {
        return tables.value(position);
    }
    if game.outcome().is_over() {
        return None;
    }
    if tables.wdl(position)? == Wdl::Draw {
        return Some(Value::DRAW);
    }
    let value = tables.value(position)?;
    let limit = rules.no_mill_plies();
    let in_time = limit == 0 || position.quiet_plies().saturating_add(value.plies) <= limit;
    (in_time && !may_repeat(tables, game, value)).then_some(value)
}

/// Whether a game that is decided in so many plies may come through a position that is a draw when
/// it occurs once more.
fn may_repeat(tables: &Tables, game: &Game, value: Value) -> bool {
    let repetition = usize::from(game.rules().repetition());
    if repetition == 0 {
        return false;
    }
    let mut counts: HashMap<u64, usize> = HashMap::new();
    game.positions().iter().any(|position| {
        let count = counts.entry(position.packed()).or_default();
        *count += 1;
        let is_brink = *count + 1 >= repetition && position.packed() != game.position().packed();
        is_brink
            && tables.value(position).is_none_or(|v| v.wdl != Wdl::Draw && v.plies < value.plies)
    })
}

/// The line of best play from a position of which [`certain_value`] knows the value, at most so many
/// turns of it. Of drawn turns only one is told, the hardest to answer: what follows is a matter
/// of taste.
pub fn certain_line(tables: &Tables, game: &Game, value: Value, longest: usize) -> Vec<Turn> {
    let root = game.position();
    if value.wdl != Wdl::Draw {
        let first = best_turn(tables, root).map(|(turn, _)| turn);
        return first.map(|turn| line(tables, root, turn, longest)).unwrap_or_default();
    }
    let turns = root.turns(game.rules());
    let past = Past::of(game);
    let keeps = |turn: &Turn| {
        let next = root.after(*turn);
        past.draws(&next) || tables.wdl(&next) == Some(Wdl::Draw)
    };
    let keeping: Vec<Turn> = turns.into_iter().filter(keeps).collect();
    let hardest = hardest(tables, root, keeping, Effort::WHOLE, &mut 0);
    hardest.into_iter().take(longest.min(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Position, Rules, text};

    fn tables(rules: &str) -> Tables {
        Tables::new(Rules::parse(rules).expect("rules"), &[], 16 << 20)
    }

    fn played(tables: &Tables, turns: &str) -> Game {
        let mut game = Game::new(*tables.rules());
        for turn in turns.split_whitespace() {
            game.play_text(turn).expect("a legal turn");
        }
        game
    }

    #[test]
    fn a_decided_game_is_played_out_along_its_line() {
        let tables = tables("tapatan");
        let mut game = played(&tables, "");
        let value = certain_value(&tables, &game).expect("it is known");
        assert_eq!(value, Value { wdl: Wdl::Win, plies: 9 });
        let line = certain_line(&tables, &game, value, usize::MAX);
        assert_eq!(line.len(), 9);
        for (number, turn) in line.into_iter().enumerate() {
            assert!(!game.outcome().is_over());
            assert!(game.play(turn));
            let value = certain_value(&tables, &game).expect("it is known");
            assert_eq!(usize::from(value.plies), 8 - number);
        }
        assert!(game.position().outcome(tables.rules()).is_over());
    }

    #[test]
    fn a_drawn_turn_is_told() {
        let tables = tables("six");
        let game = played(&tables, "");
        let value = certain_value(&tables, &game).expect("it is known");
        assert_eq!(value, Value::DRAW);
        let line = certain_line(&tables, &game, value, 12);
        assert_eq!(line.len(), 1);
        let next = game.position().after(line[0]);
        assert_eq!(tables.wdl(&next), Some(Wdl::Draw));
        assert_eq!(certain_line(&tables, &game, value, 0), []);
    }

    /// The same stones, with all numbers of plies since the last mill.
    #[test]
    fn a_win_that_may_come_too_late_is_not_certain() {
        let tables = tables("six");
        let rules = *tables.rules();
        let limit = rules.no_mill_plies();
        let (position, value) = won_position(&tables);
        assert!(limit > value.plies);
        let fen = text::fen(&rules, &position);
        for quiet in 0..limit {
            let mut words: Vec<String> = fen.split(' ').map(String::from).collect();
            words[4] = quiet.to_string();
            let position = text::parse_position(&rules, &words.join(" ")).expect("a position");
            assert_eq!(position.quiet_plies(), quiet);
            let found = certain_value(&tables, &Game::from_position(rules, position));
            let expected = (quiet + value.plies <= limit).then_some(value);
            assert_eq!(found, expected, "{quiet}");
        }
    }

    /// A position with no stones in hand that is won, but not at once.
    fn won_position(tables: &Tables) -> (Position, Value) {
        let rules = tables.rules();
        let mut position = Position::start(rules);
        for number in 0..100_000usize {
            let turns = position.turns(rules);
            let Some(turn) = turns.get(number * 7919 % turns.len().max(1)) else {
                position = Position::start(rules);
                continue;
            };
            position = position.after(*turn);
            let placed = Color::BOTH.into_iter().all(|side| position.hand(side) == 0);
            let value = tables.value(&position).expect("all are known");
            if placed && value.wdl == Wdl::Win && value.plies > 4 {
                return (position, value);
            }
        }
        panic!("there is one");
    }

    #[test]
    fn a_win_by_way_of_a_repetition_is_not_certain() {
        let tables = tables("six");
        let rules = *tables.rules();
        let (position, value) = won_position(&tables);
        let text = |turn: Turn| turn.on(rules.board()).to_string();
        let back = |turn: &str| turn.split_once('-').map(|(from, to)| format!("{to}-{from}"));
        let (mut certain, mut uncertain) = (0, 0);
        for first in position.turns(&rules) {
            let second_position = position.after(first);
            for second in second_position.turns(&rules) {
                // Both step to and fro, so that the game comes to the first position for the second
                // time, and has been twice in the three others.
                let (Some(third), Some(fourth)) = (back(&text(first)), back(&text(second))) else {
                    continue;
                };
                let mut game = Game::from_position(rules, second_position);
                let cycle = [text(second), third, fourth, text(first)];
                let walk = cycle.iter().chain(&cycle[..3]);
                if walk.into_iter().any(|turn| game.play_text(turn).is_err())
                    || game.position().packed() != position.packed()
                {
                    continue;
                }
                assert!(!game.outcome().is_over());
                let is_nearer = |p: &Position| {
                    tables.value(p).is_some_and(|v| v.wdl != Wdl::Draw && v.plies < value.plies)
                };
                let found = certain_value(&tables, &game);
                if game.positions()[..3].iter().any(is_nearer) {
                    uncertain += 1;
                    assert_eq!(found, None);
                } else {
                    certain += 1;
                    assert_eq!(found, Some(value));
                }
            }
        }
        assert!(certain > 0 && uncertain > 0, "{certain} {uncertain}");
    }
}
