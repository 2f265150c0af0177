//! What must hold of the evaluation whatever its weights.

use super::*;
use crate::{Game, board::Points, rules::PRESETS};

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

/// The same with the colours exchanged.
fn exchanged(position: &Position) -> Position {
    Position {
        stones: [position.stones[1], position.stones[0]],
        hands: [position.hands[1], position.hands[0]],
        side: !position.side,
        ..*position
    }
}

#[test]
fn images_and_exchanged_colours_are_worth_the_same() {
    for (rules, position) in positions() {
        let value = evaluate(&rules, &position);
        assert!(value.abs() <= LIMIT);
        for symmetry in rules.board().symmetries() {
            assert_eq!(evaluate(&rules, &position.mapped(symmetry)), value);
        }
        assert_eq!(evaluate(&rules, &exchanged(&position)), value);
    }
}

#[test]
fn terms_add_up() {
    for (rules, position) in positions() {
        let sum: i32 = explain(&rules, &position).iter().map(|t| t.white - t.black).sum();
        let sign = if position.side() == Color::White { 1 } else { -1 };
        let weighed = Evaluator::chosen(&rules, Choice::Weights).value(&position);
        assert_eq!((sum * sign).clamp(-LIMIT, LIMIT), weighed);
    }
}

/// Counts as the rules' words have them, point by point and line by line.
fn slow_counts(rules: &Rules, position: &Position, side: Color) -> Counts {
    let g = rules.board().geometry();
    let own = |p: usize| position.stones(side) >> p & 1 == 1;
    let other = |p: usize| position.stones(!side) >> p & 1 == 1;
    let empty = |p: usize| !own(p) && !other(p);
    let near = |p: usize| Points(g.joined[p]);
    let lines = |p: usize| g.through[p][..g.through_count[p].into()].iter();
    let points = || 0..g.points;
    let closes = |p: usize, of: &dyn Fn(usize) -> bool| lines(p).any(|l| Points(*l).all(of));
    let flies = position.flies(rules, side);
    let waits = position.hand(!side) > 0 || position.flies(rules, !side);
    let open = |p: usize| empty(p) && closes(p, &own);
    let in_mill = |p: usize| own(p) && closes(p, &own);
    let slides_there = |p: usize, which: &dyn Fn(usize) -> bool| {
        let by = |line: u32| near(p).any(|m| own(m) && line >> m & 1 == 0 && which(m));
        open(p) && lines(p).any(|l| Points(*l).all(own) && by(*l))
    };
    let threat = |p: usize| {
        let enough = position.stones(side).count_ones() > 2;
        let by_move = if flies { open(p) && enough } else { slides_there(p, &|_| true) };
        if position.hand(side) > 0 { open(p) } else { by_move }
    };
    let exits = |p: usize| near(p).filter(|q| empty(*q)).count();
    let liberty = |p: usize| empty(p) && near(p).any(own);
    let number = |of: &dyn Fn(usize) -> bool| points().filter(|p| of(*p)).count() as i16;
    let threats = number(&threat);
    [
        number(&own) + i16::from(position.hand(side)),
        number(&liberty),
        points().filter(|p| own(*p)).map(exits).sum::<usize>() as i16,
        number(&|p| !flies && own(p) && exits(p) == 0),
        number(&|p| !flies && own(p) && exits(p) == 1),
        number(&open),
        number(&|p| open(p) && (waits || near(p).any(other))),
        threats,
        (threats - 1).max(0),
        number(&|p| open(p) && !threat(p) && near(p).any(liberty)),
        number(&in_mill),
        number(&|p| in_mill(p) && exits(p) > 0),
        number(&|p| slides_there(p, &in_mill)),
        number(&|p| own(p) && closes(p, &empty)),
        number(&|p| own(p) && closes(p, &other)),
        number(&|p| own(p) && near(p).count() >= 3) + number(&|p| own(p) && near(p).count() >= 4),
    ]
}

#[test]
fn counts_are_those_of_the_slow_way() {
    for (rules, position) in positions() {
        let slow = [position.side, !position.side].map(|s| slow_counts(&rules, &position, s));
        assert_eq!(counts(&rules, &position), slow, "{position:?}");
    }
}

/// A stone more is better as a rule, but not always: it may block the others.
#[test]
fn stones_count() {
    let (mut better, mut all) = (0, 0);
    for (rules, position) in positions() {
        let total = position.own().count_ones() + u32::from(position.hand(position.side));
        // Coming down to the flying stones is another matter.
        if rules.line_wins() || total <= u32::from(rules.fly()) + 1 {
            continue;
        }
        for point in Points(position.own()) {
            let mut poorer = position;
            poorer.stones[position.side.index()] &= !(1 << point);
            all += 1;
            better += usize::from(evaluate(&rules, &poorer) < evaluate(&rules, &position));
        }
    }
    assert!(better * 10 > all * 9, "{better} of {all}");
}

#[test]
fn weights_survive_their_text() {
    for preset in PRESETS {
        let weights = Weights::of(&preset.rules);
        assert_eq!(weights.to_string().parse().as_ref(), Ok(weights));
    }
}

#[test]
fn wrong_texts_say_where_and_why() {
    let good = Weights::of(&Rules::default()).to_string();
    let told = |text: &str| text.parse::<Weights>().expect_err("it is wrong").to_string();
    let with = |from: &str, to: &str| {
        assert!(good.contains(from));
        told(&good.replacen(from, to, 1))
    };
    assert!(told("tempo 3").starts_with("line 1: 'tempo 3' is neither"));
    assert!(told("").contains("'stones' of phase 'placing 1-4' is missing"));
    assert_eq!(told("[sleeping]"), "line 1: there is no 'sleeping' here");
    assert!(with("liberties", "freedoms").ends_with("there is no 'freedoms' here"));
    assert!(with("liberties", "slides").contains("'slides' for the second time"));
    assert!(with("tempo", "tempo 7").contains("is neither '[PHASE]' nor"));
    let number = |text: &str| told(&format!("[flying]\ntempo {text}"));
    for text in ["601", "-601", "1-", "--2", "5x", "99999999999"] {
        assert!(number(text).contains("whole number from -600 to 600"), "{text}");
    }
}
