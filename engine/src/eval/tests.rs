//! What must hold of the evaluation whatever its weights.

use super::*;
use crate::{Game, rules::PRESETS};

/// Positions of random games of every preset.
fn positions() -> Vec<(Rules, Position)> {
    let mut state = 3u64;
    let mut found = Vec::new();
    for preset in PRESETS {
        for _ in 0..8 {
            let mut game = Game::new(preset.rules);
            for _ in 0..80 {
                found.push((preset.rules, *game.position()));
                let turns = game.position().turns(game.rules());
                if turns.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(turns[(state >> 33) as usize % turns.len()]);
            }
        }
    }
    found
}

#[test]
fn it_stays_within_its_limit() {
    // Twice what a side can have of everything, so that the limit holds beyond what is reached.
    for weights in [&PLACING, &MOVING] {
        let most = Count {
            stones: 12,
            liberties: 24,
            stuck: 12,
            open_twos: 24,
            threats: 24,
            in_mills: 12,
            flies: 1,
        };
        assert!(weights.total(&most).abs() + weights.side_to_move < LIMIT / 2);
    }
    for (rules, position) in positions() {
        assert!(evaluate(&rules, &position).abs() <= LIMIT);
    }
}

#[test]
fn images_and_exchanged_colours_are_worth_the_same() {
    for (rules, position) in positions() {
        let value = evaluate(&rules, &position);
        for symmetry in rules.board().symmetries() {
            assert_eq!(evaluate(&rules, &position.mapped(symmetry)), value);
        }
        let exchanged = Position {
            stones: [position.stones[1], position.stones[0]],
            hands: [position.hands[1], position.hands[0]],
            side: !position.side,
            ..position
        };
        assert_eq!(evaluate(&rules, &exchanged), value);
    }
}

#[test]
fn terms_add_up() {
    for (rules, position) in positions() {
        let sum: i32 = explain(&rules, &position).iter().map(|t| t.white - t.black).sum();
        let sign = if position.side() == Color::White { 1 } else { -1 };
        assert_eq!(sum * sign, evaluate(&rules, &position));
    }
}

#[test]
fn a_stone_more_in_hand_is_worth_more() {
    for (rules, position) in positions() {
        if position.hand(position.side) == 0 || rules.move_while_placing {
            continue;
        }
        let mut richer = position;
        richer.hands[position.side.index()] += 1;
        assert!(evaluate(&rules, &richer) > evaluate(&rules, &position));
    }
}

#[test]
fn a_stone_less_is_worth_less_whatever_it_blocks() {
    for (rules, position) in positions() {
        let total = position.own().count_ones() + u32::from(position.hand(position.side));
        // Coming down to the flying stones is another matter.
        if rules.line_wins || total <= u32::from(rules.fly) + 1 {
            continue;
        }
        for point in Points(position.own()) {
            let mut poorer = position;
            poorer.stones[position.side.index()] &= !(1 << point);
            assert!(evaluate(&rules, &poorer) < evaluate(&rules, &position), "{position:?}");
        }
    }
}
