//! What must hold of every board, position and text.

use crate::generated;
use millrace_engine::{
    Board, Color, Game, Position, Rules, Turn,
    movegen::MAX_REMOVALS,
    perft::{LastPly, perft},
    text::{fen, parse_position, parse_turn},
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

fn turn_texts(rules: &Rules, turns: impl IntoIterator<Item = Turn>) -> BTreeSet<String> {
    turns.into_iter().map(|t| t.on(rules.board()).to_string()).collect()
}

/// The image of a turn's text when its points are renamed one by one.
fn renamed(board: Board, number: usize, text: &str) -> String {
    let symmetry = &board.symmetries()[number];
    let mut image = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let point = rest.get(..2).and_then(|name| board.point(name)).filter(|_| text != "pass");
        let taken = match point {
            Some(point) => {
                image += board.point_name(symmetry.point(point));
                2
            }
            None => {
                image += &rest[..1];
                1
            }
        };
        rest = &rest[taken..];
    }
    image
}

#[test]
fn symmetries_are_a_group_that_keeps_lines_and_edges() {
    for (board, order) in [
        (Board::Nine, 16),
        (Board::NineDiagonals, 16),
        (Board::Six, 16),
        (Board::Seven, 8),
        (Board::Three, 8),
        (Board::ThreeDiagonals, 8),
    ] {
        let (g, symmetries) = (board.geometry(), board.symmetries());
        let image = |n: usize| (0..g.points).map(|p| symmetries[n].point(p)).collect::<Vec<_>>();
        let all: HashSet<Vec<usize>> = (0..symmetries.len()).map(image).collect();
        assert_eq!((symmetries.len(), all.len()), (order, order), "{board}");
        assert!(image(0).into_iter().eq(0..g.points), "{board}: the identity comes first");
        for (n, one) in symmetries.iter().enumerate() {
            assert_eq!(one.set(g.all), g.all);
            let back = &symmetries[one.inverse()];
            assert!((0..g.points).all(|p| back.point(one.point(p)) == p), "{board}: {n}");
            for other in symmetries {
                let both = (0..g.points).map(|p| other.point(one.point(p))).collect::<Vec<_>>();
                assert!(all.contains(&both), "{board}: {n} and another lead out of the group");
            }
            let lines: HashSet<u32> = g.lines[..g.line_count].iter().copied().collect();
            assert!(lines.iter().all(|l| lines.contains(&one.set(*l))), "{board}: {n}");
            for p in 0..g.points {
                assert_eq!(one.set(1 << p), 1 << one.point(p));
                assert_eq!(one.set(g.joined[p]), g.joined[one.point(p)], "{board}: {n}");
            }
        }
    }
}

/// A turn has room for all removals: nobody has stones enough to close more lines at once.
#[test]
fn no_stone_can_close_more_lines_than_a_turn_has_room_for() {
    for board in Board::ALL {
        let g = board.geometry();
        for point in 0..g.points {
            let through = &g.through[point][..g.through_count[point].into()];
            // Lines through one point share nothing else, so that their union is what is needed.
            let needed = through.iter().take(MAX_REMOVALS + 1).fold(1 << point, |set, l| set | l);
            let fits = needed.count_ones() as usize <= g.points / 2;
            assert!(through.len() <= MAX_REMOVALS || !fits, "{board}: {}", board.point_name(point));
        }
    }
}

/// GBGP text of a position, where the notation can tell it: the hands follow from the turns made.
fn gbgp(rules: &Rules, pos: &Position) -> Option<String> {
    let turns = i32::from(pos.move_number()) - 1;
    let made = [turns + i32::from(pos.side() == Color::Black), turns];
    let agree = Color::BOTH.iter().all(|c| {
        let placed = i32::from(rules.stones() - pos.hand(*c));
        placed == made[c.index()].min(rules.stones().into())
    });
    if !agree || rules.move_while_placing() || pos.owed() > 0 {
        return None;
    }
    let names = |color| {
        let points: Vec<&str> = pos.points(color).map(|p| rules.board().point_name(p)).collect();
        points.join(",")
    };
    let side = ["w", "b"][pos.side().index()];
    let (white, black) = (names(Color::White), names(Color::Black));
    Some(format!("{side}:w{white}:b{black}:{}", pos.move_number()))
}

/// Sanmill's text of a position on a board of 24 points.
fn sanmill(pos: &Position) -> String {
    let rings = ["d5 e5 e4 e3 d3 c3 c4 c5", "d6 f6 f4 f2 d2 b2 b4 b6", "d7 g7 g4 g1 d1 a1 a4 a7"];
    let stone = |name: &str| {
        let point = Board::Nine.point(name).unwrap();
        let owner = Color::BOTH.into_iter().find(|c| pos.stones(*c) >> point & 1 == 1);
        owner.map_or('*', |c| ['O', '@'][c.index()])
    };
    let rings: Vec<String> =
        rings.iter().map(|ring| ring.split(' ').map(stone).collect()).collect();
    let count = |c: Color| format!("{} {}", pos.stones(c).count_ones(), pos.hand(c));
    let mut due = [0; 2];
    due[pos.side().index()] = pos.owed();
    let (phase, place_or_select) = if pos.is_moving_phase() { ("m", "s") } else { ("p", "p") };
    format!(
        "{} {} {phase} {} {} {} {} {} 0 0 0 0 0 {} {} ids:nodes",
        rings.join("/"),
        ["w", "b"][pos.side().index()],
        if pos.owed() > 0 { "r" } else { place_or_select },
        count(Color::White),
        count(Color::Black),
        due[0],
        due[1],
        pos.quiet_plies(),
        pos.move_number(),
    )
}

proptest! {
    #[test]
    fn images_of_a_position_have_the_images_of_its_turns(game in generated::game()) {
        let (rules, pos) = (*game.rules(), *game.position());
        let board = rules.board();
        let turns = pos.turns(&rules);
        let leaves = perft(&rules, &pos, 2, LastPly::Bulk);
        let (class, _) = pos.class(&rules);
        for (number, symmetry) in board.symmetries().iter().enumerate() {
            let image = pos.mapped(symmetry);
            prop_assert_eq!(image.outcome(&rules), pos.outcome(&rules));
            let mapped = turn_texts(&rules, turns.iter().map(|t| t.mapped(symmetry)));
            prop_assert_eq!(&mapped, &turn_texts(&rules, image.turns(&rules)));
            let texts = turn_texts(&rules, turns.iter().copied());
            let by_name: BTreeSet<String> =
                texts.iter().map(|text| renamed(board, number, text)).collect();
            prop_assert_eq!(&mapped, &by_name);
            prop_assert_eq!(perft(&rules, &image, 2, LastPly::Bulk), leaves);
            for turn in &turns {
                let there = pos.after(*turn).mapped(symmetry);
                prop_assert_eq!(there, image.after(turn.mapped(symmetry)));
            }

            let (class_of_image, way) = image.class(&rules);
            prop_assert_eq!(class_of_image, class);
            let way = &board.symmetries()[way];
            prop_assert_eq!(image.mapped(way), class);
            prop_assert_eq!(class.mapped(&board.symmetries()[way.inverse()]), image);
        }
    }

    #[test]
    fn turns_taken_back_leave_the_game_as_it_was(game in generated::game()) {
        let mut replayed = Game::new(*game.rules());
        let mut states = vec![(*replayed.position(), replayed.outcome(), replayed.occurrences())];
        for turn in game.turns() {
            prop_assert!(replayed.play(*turn));
            states.push((*replayed.position(), replayed.outcome(), replayed.occurrences()));
        }
        prop_assert_eq!(replayed.positions(), game.positions());
        while let Some((position, outcome, occurrences)) = states.pop() {
            prop_assert_eq!(*replayed.position(), position);
            prop_assert_eq!(replayed.outcome(), outcome);
            prop_assert_eq!(replayed.occurrences(), occurrences);
            prop_assert_eq!(replayed.turns().len(), states.len());
            prop_assert_eq!(replayed.take_back().is_some(), !states.is_empty());
        }
        prop_assert_eq!(replayed.position(), &Position::start(game.rules()));
    }

    #[test]
    fn positions_read_back_from_their_texts(game in generated::game()) {
        let rules = game.rules();
        for pos in game.positions() {
            let text = fen(rules, pos);
            // A side that has just closed the last mill is on turn no more, so every position of
            // a game can be given from outside.
            let read = parse_position(rules, &text);
            prop_assert_eq!(read.as_ref(), Ok(pos), "{}", text);
            prop_assert_eq!(read.map(|p| (p.key(), p.packed())), Ok((pos.key(), pos.packed())));
            prop_assert_eq!(parse_position(rules, &text.to_lowercase()), Ok(*pos));
            if let Some(text) = gbgp(rules, pos) {
                let read = parse_position(rules, &text);
                let seen = |p: &Position| (p.packed(), p.move_number());
                prop_assert_eq!(read.as_ref().map(seen), Ok(seen(pos)), "{}", text);
            } else {
                prop_assert!(rules.move_while_placing(), "{}", text);
            }
            if rules.board().points() == 24 {
                prop_assert_eq!(parse_position(rules, &sanmill(pos)), Ok(*pos));
            }
            let built = Position::new(
                rules,
                Color::BOTH.map(|c| pos.stones(c)),
                Color::BOTH.map(|c| pos.hand(c)),
                pos.side(),
            );
            prop_assert_eq!(built.map(|p| p.key()), Ok(pos.key()));
        }
    }

    #[test]
    fn packed_positions_can_be_unpacked(game in generated::game()) {
        for pos in game.positions() {
            let n = pos.packed();
            let field = |shift: u32, bits: u32| (n >> shift & ((1 << bits) - 1)) as u32;
            prop_assert_eq!([field(0, 24), field(24, 24)], Color::BOTH.map(|c| pos.stones(c)));
            let hands = Color::BOTH.map(|c| u32::from(pos.hand(c)));
            prop_assert_eq!([field(48, 4), field(52, 4)], hands);
            prop_assert_eq!(field(56, 1) as usize, pos.side().index());
            prop_assert_eq!(field(57, 2), u32::from(pos.owed()));
            prop_assert_eq!(n >> 59, 0);
        }
    }

    #[test]
    fn keys_are_equal_where_positions_are(game in generated::game()) {
        let seen: HashSet<u64> = game.positions().iter().map(Position::packed).collect();
        let keys: HashSet<u64> = game.positions().iter().map(Position::key).collect();
        prop_assert_eq!(seen.len(), keys.len());
        let of_replies: HashSet<u64> = game
            .position()
            .turns(game.rules())
            .iter()
            .map(|turn| game.position().after(*turn).key())
            .collect();
        let replies: HashSet<String> = game
            .position()
            .turns(game.rules())
            .iter()
            .map(|turn| fen(game.rules(), &game.position().after(*turn)))
            .collect();
        prop_assert_eq!(of_replies.len(), replies.len());
    }

    #[test]
    fn turns_read_back_from_every_spelling(game in generated::game()) {
        let (rules, pos) = (game.rules(), game.position());
        for turn in pos.turns(rules) {
            let text = turn.on(rules.board()).to_string();
            for spelling in [text.clone(), text.to_uppercase(), text.replace('-', "")] {
                prop_assert_eq!(parse_turn(rules, pos, &spelling), Ok(turn), "{}", spelling);
            }
            prop_assert_eq!(Turn::from_bits(turn.bits()), turn);
            prop_assert_eq!(turn.removed().count_ones() as usize, turn.removals().count());
            prop_assert_eq!(turn.is_removal(), turn.removed() != 0);
        }
    }

    #[test]
    fn a_turn_is_a_move_and_then_its_removals(game in generated::game()) {
        let (rules, pos) = (game.rules(), game.position());
        for turn in pos.turns(rules) {
            let removals: Vec<usize> = turn.removals().collect();
            let mut made = turn.without_removals();
            for (number, point) in removals.iter().enumerate() {
                let text = owing(rules, pos, made, removals.len() - number);
                let owing = parse_position(rules, &text);
                prop_assert!(owing.is_ok(), "{}: {:?}", text, owing);
                let owing = owing.unwrap();
                let rest: String = removals[number..]
                    .iter()
                    .map(|p| format!("x{}", rules.board().point_name(*p)))
                    .collect();
                let removal = parse_turn(rules, &owing, &rest);
                prop_assert_eq!(removal.map(|r| owing.after(r)), Ok(pos.after(turn)), "{}", text);
                made = made.removing(number, *point);
            }
        }
    }
}

/// The position within a turn, after a part of it, when the same side still owes removals.
fn owing(rules: &Rules, pos: &Position, made: Turn, owed: usize) -> String {
    let after = fen(rules, &pos.after(made));
    let mut fields: Vec<&str> = after.split(' ').collect();
    fields[1] = ["w", "b"][pos.side().index()];
    let number = pos.move_number().to_string();
    fields[5] = &number;
    format!("{} x{owed}", fields.join(" "))
}

/// Texts near valid ones: a few characters changed, put in or taken out.
fn mutated(valid: Vec<String>) -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..3, prop::sample::select(&LETTERS[..]));
    (prop::sample::select(valid), prop::collection::vec(edit, 0..5)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (place, kind, letter) in edits {
            let at = place.index(chars.len() + 1);
            match kind {
                0 => chars.insert(at, letter),
                1 if at < chars.len() => chars[at] = letter,
                _ if at < chars.len() => drop(chars.remove(at)),
                _ => {}
            }
        }
        chars.into_iter().collect()
    })
}

const LETTERS: [char; 32] = [
    'a',
    'b',
    'c',
    'd',
    'e',
    'g',
    'w',
    'W',
    'B',
    'x',
    '-',
    '+',
    '=',
    ':',
    ',',
    '/',
    ' ',
    '\t',
    '0',
    '1',
    '2',
    '3',
    '4',
    '6',
    '9',
    'O',
    '@',
    '*',
    '\n',
    '\0',
    'ß',
    '\u{1F600}',
];

fn texts(of: &[&str]) -> Vec<String> {
    of.iter().map(|t| t.to_string()).collect()
}

fn any_text(valid: &[&str]) -> impl Strategy<Value = String> + use<> {
    prop_oneof![1 => ".*", 1 => any::<String>(), 6 => mutated(texts(valid))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_rules_text_is_refused_or_reads_back(text in any_text(&[
        "nine", "nine-nofly+fly=3", "six+stones=4+fly=0", "board=three+stones=3+line_wins=yes",
        "nine+removals=per-mill+remove_from_mill=never+blocked=passes+board_full=loses",
        "lasker+move_while_placing=no+repetition=0+no_mill_plies=50+diagonals=yes",
    ])) {
        match Rules::parse(&text) {
            Ok(rules) => prop_assert_eq!(Rules::parse(&rules.canonical()), Ok(rules)),
            Err(error) => prop_assert!(error.to_string().chars().count() < 400),
        }
    }

    #[test]
    fn any_position_text_is_refused_or_reads_back(rules in generated::rules(), text in any_text(&[
        "3/3/3/6/3/3/3 w 9 9 0 1", "3/2B/2B/1B3W/B2/1W1/W2 b 0 0 12 40",
        "WW1/3/3/3B1W/B2/BB1/2W w 5 5", "WWW/3/3/3B1W/B2/BB1/3 w 0 0 0 20 x1",
        "B1W/BBB/4/1W1/W2 w 0 0", "B1B/1WB/1W1W1/BW1/BWB b 0 1", "BB1/2W/WWB w 0 0",
        "w:w:b:1", "b:wb4:b:1", "w:wb4,d6:bd2,f4:3",
        "O*******/********/*@****** w p p 1 8 1 8 0 0 0 0 0 0 0 0 2 ids:nodes",
        "OOO****@/@@******/*O****** b m r 4 0 3 0 0 1 0 0 0 0 0 3 20",
    ])) {
        match parse_position(&rules, &text) {
            Ok(pos) => {
                prop_assert_eq!(parse_position(&rules, &fen(&rules, &pos)), Ok(pos));
                // What was taken can be played.
                let turns = pos.turns(&rules);
                prop_assert_eq!(turns.is_empty(), pos.outcome(&rules).is_over());
                let leaves = |last| perft(&rules, &pos, 2, last);
                prop_assert_eq!(leaves(LastPly::Bulk), leaves(LastPly::Made));
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 300),
        }
    }

    #[test]
    fn any_turn_text_is_refused_or_prints_the_same(game in generated::game(), text in any_text(&[
        "d6", "d6-d5", "a1-a4xg7", "A1A4", "xb4", "d6xb4xa1", "pass", "b2xd2", "c3-c2", "a3xb2",
    ])) {
        let (rules, pos) = (game.rules(), game.position());
        match parse_turn(rules, pos, &text) {
            Ok(turn) => {
                let shown = turn.on(rules.board()).to_string();
                let spelled = |text: &str| text.to_lowercase().replace('-', "");
                prop_assert_eq!(spelled(&shown), spelled(&text));
                prop_assert!(pos.turns(rules).contains(&turn));
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 300),
        }
    }
}
