//! The engine against the slow twin: random games and random positions under many rules, compared
//! at every ply.

use crate::{
    dice::Dice,
    twin::{PRESETS, Record, State, Twin},
};
use millrace_engine::{
    Game, Outcome, Position, Rules, Turn,
    perft::{LastPly, perft},
    text::{fen, parse_position},
};
use std::collections::{BTreeMap, BTreeSet};

/// Rules on top of presets, every option with every value and the odd ones together.
const COMBINATIONS: &[&str] = &[
    "nine+removals=per-mill",
    "nine+remove_from_mill=always",
    "nine+remove_from_mill=never",
    "nine+blocked=passes",
    "nine+blocked=draw",
    "nine+fly=4",
    "nine+move_while_placing=yes+removals=per-mill",
    "nine+repetition=2+no_mill_plies=12",
    "nine+repetition=0+no_mill_plies=0",
    "nine+line_wins=yes",
    "nine+stones=3+no_mill_plies=7",
    "nine+diagonals=yes+removals=per-mill+remove_from_mill=never",
    "lasker+fly=0+blocked=passes",
    "lasker+remove_from_mill=never+repetition=2",
    "eleven+removals=per-mill+remove_from_mill=always",
    "twelve+board_full=loses",
    "twelve+board_full=loses+remove_from_mill=never+blocked=passes",
    "twelve+move_while_placing=yes+blocked=draw",
    "morabaraba+removals=per-mill+fly=4",
    "morabaraba+remove_from_mill=never",
    "seven+stones=8+removals=per-mill",
    "seven+stones=8+fly=4+blocked=passes",
    "seven+line_wins=yes",
    "six+stones=8+board_full=loses+blocked=passes",
    "six+stones=8+remove_from_mill=never",
    "six+stones=7+blocked=draw+no_mill_plies=5",
    "six-fly+removals=per-mill+remove_from_mill=always",
    "six+stones=3+fly=4+repetition=2",
    "five+move_while_placing=yes+line_wins=yes",
    "five+blocked=passes+repetition=3+no_mill_plies=30",
    "three+stones=4+blocked=passes",
    "three+blocked=draw+repetition=2",
    "three+line_wins=no",
    "three+line_wins=no+stones=4+remove_from_mill=never+blocked=passes",
    "tapatan+stones=4+blocked=draw",
    "tapatan+line_wins=no+fly=3+move_while_placing=yes",
    "nine-holes+fly=4+stones=4+blocked=passes+no_mill_plies=9",
];

fn all_rules() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|p| p.0).chain(COMBINATIONS.iter().copied())
}

/// What was met on the way, so that the test can tell that nothing has been left out.
type Tally = BTreeMap<String, usize>;

fn note(tally: &mut Tally, what: impl ToString) {
    *tally.entry(what.to_string()).or_default() += 1;
}

/// Compares the legal turns and the end of one position; returns the turns with their texts.
fn compare(
    twin: &Twin,
    state: &State,
    rules: &Rules,
    pos: &Position,
    tally: &mut Tally,
) -> BTreeMap<String, (Turn, State)> {
    let here = || format!("{rules}: {}", fen(rules, pos));
    let end = twin.end(state).unwrap_or_else(|| "Ongoing".to_string());
    assert_eq!(format!("{:?}", pos.outcome(rules)), end, "{}", here());
    note(tally, &end);

    let mut theirs: BTreeMap<String, State> = twin.turns(state).into_iter().collect();
    let ours = pos.turns(rules);
    let texts: BTreeSet<String> = ours.iter().map(|t| t.on(rules.board()).to_string()).collect();
    assert_eq!(texts.len(), ours.len(), "a turn is listed twice in {}", here());
    assert!(texts.iter().eq(theirs.keys()), "{}\n{texts:?}\n{:?}", here(), theirs.keys());
    for last in [LastPly::Bulk, LastPly::Made] {
        assert_eq!(perft(rules, pos, 1, last), ours.len() as u64, "{last:?} in {}", here());
    }
    assert_eq!(ours.is_empty(), pos.outcome(rules).is_over(), "{}", here());
    ours.into_iter()
        .map(|turn| {
            let text = turn.on(rules.board()).to_string();
            let next = theirs.remove(&text).expect("the texts are the same");
            (text, (turn, next))
        })
        .collect()
}

/// Chooses a turn: often one that removes a stone or that repeats a position, so that games meet
/// more than the middle of the road.
fn choose(
    turns: &BTreeMap<String, (Turn, State)>,
    record: &Record,
    dice: &mut Dice,
) -> (String, Turn, State) {
    let removals: Vec<_> = turns.iter().filter(|(text, _)| text.contains('x')).collect();
    let repeats: Vec<_> = turns.iter().filter(|(_, (_, next))| record.has_seen(next)).collect();
    let all: Vec<_> = turns.iter().collect();
    let from = match dice.below(4) {
        0 if !removals.is_empty() => removals,
        1 if !repeats.is_empty() => repeats,
        _ => all,
    };
    let (text, (turn, next)) = dice.pick(&from);
    (text.to_string(), *turn, next.clone())
}

/// Plays one game on both sides of the comparison, on beyond draws by history.
fn play(twin: &Twin, first: State, game: &mut Game, plies: usize, dice: &mut Dice, t: &mut Tally) {
    let rules = *game.rules();
    let mut state = first;
    let mut record = Record::new(&state);
    for _ in 0..plies {
        let pos = *game.position();
        let turns = compare(twin, &state, &rules, &pos, t);
        let verdict = record.verdict(twin, &state);
        assert_eq!(format!("{:?}", game.outcome()), verdict, "{rules}: {}", fen(&rules, &pos));
        assert_eq!(usize::from(pos.quiet_plies()), record.quiet, "{}", fen(&rules, &pos));
        note(t, verdict);
        if turns.is_empty() {
            return;
        }
        let (text, turn, next) = choose(&turns, &record, dice);
        assert!(game.play(turn), "{rules}: {} {text}", fen(&rules, &pos));
        let shown = fen(&rules, game.position());
        assert!(shown.starts_with(&format!("{} ", twin.fen(&next))), "{rules}: {shown} {text}");
        record.add(&state, &text, &next);
        note(t, format!("{} removals", text.matches('x').count()));
        if text == "pass" {
            note(t, "pass");
        }
        state = next;
    }
}

#[test]
fn random_games_agree_at_every_ply() {
    let (games, plies) = if cfg!(debug_assertions) { (2, 60) } else { (12, 250) };
    let mut tally = Tally::new();
    for (number, text) in all_rules().enumerate() {
        let twin = Twin::new(text);
        let rules: Rules = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut dice = Dice::new(number as u64);
        for _ in 0..games {
            play(&twin, twin.start(), &mut Game::new(rules), plies, &mut dice, &mut tally);
        }
    }
    for met in ["Win(White, UnderThree)", "Win(Black, Line)", "Draw(Repetition)", "Draw(NoMill)"] {
        assert!(tally.contains_key(met), "no game met {met}: {tally:?}");
    }
}

/// A position thrown together: any number of stones, but often many, and often none in hand.
fn random_state(twin: &Twin, dice: &mut Dice) -> State {
    let stones = twin.number("stones");
    let mut free = twin.points.clone();
    let mut state = State { side: *dice.pick(&['W', 'B']), ..twin.start() };
    state.stones.clear();
    let full_hands = dice.below(2) == 0;
    let many = dice.below(2) == 0;
    for side in ['W', 'B'] {
        let fewest = if many { stones - dice.below(2) } else { 0 };
        let on_board = fewest + dice.below(stones - fewest + 1);
        for _ in 0..on_board {
            state.stones.insert(free.swap_remove(dice.below(free.len())), side);
        }
        let hand = if full_hands { dice.below(stones - on_board + 1) } else { 0 };
        state.hands.insert(side, hand);
    }
    state.owed = if dice.below(4) == 0 { 1 + dice.below(3) } else { 0 };
    state
}

#[test]
fn random_positions_agree() {
    let (positions, plies) = if cfg!(debug_assertions) { (60, 2) } else { (600, 6) };
    let mut tally = Tally::new();
    for (number, text) in all_rules().enumerate() {
        let twin = Twin::new(text);
        let rules: Rules = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut dice = Dice::new(1000 + number as u64);
        for _ in 0..positions {
            let state = random_state(&twin, &mut dice);
            let owed = if state.owed > 0 { format!(" x{}", state.owed) } else { String::new() };
            let given = twin.fen(&state) + &owed;
            let read = parse_position(&rules, &given);
            assert_eq!(read.is_ok(), twin.accepts(&state), "{text}: {given}: {read:?}");
            let Ok(pos) = read else {
                note(&mut tally, "refused");
                continue;
            };
            assert_eq!(fen(&rules, &pos), twin.fen(&state) + " 0 1" + &owed);
            if state.owed > 0 {
                note(&mut tally, format!("x{}", state.owed));
            }
            let mut game = Game::from_position(rules, pos);
            play(&twin, state, &mut game, plies, &mut dice, &mut tally);
        }
    }
    for met in [
        "Ongoing",
        "Win(White, UnderThree)",
        "Win(Black, UnderThree)",
        "Win(White, Blocked)",
        "Win(Black, Blocked)",
        "Win(White, BoardFull)",
        "Win(Black, BoardFull)",
        "Win(White, Line)",
        "Win(Black, Line)",
        "Draw(Blocked)",
        "Draw(BothPass)",
        "Draw(BoardFull)",
        "pass",
        "refused",
        "x1",
        "x2",
        "0 removals",
        "1 removals",
        "2 removals",
    ] {
        assert!(tally.contains_key(met), "no position met {met}: {tally:?}");
    }
}

/// The twin and the engine name the same presets, and no other.
#[test]
fn presets_are_the_known_ones() {
    let theirs: Vec<&str> = PRESETS.iter().map(|p| p.0).collect();
    let ours: Vec<&str> = millrace_engine::rules::PRESETS.iter().map(|p| p.name).collect();
    assert_eq!(ours, theirs);
    for name in theirs {
        let (rules, twin) = (Rules::named(name).unwrap(), Twin::new(name));
        for option in millrace_engine::rules::OPTIONS {
            assert_eq!(option.value(&rules), twin.option(option.name), "{name}: {}", option.name);
        }
    }
    assert_eq!(Game::new(Rules::default()).outcome(), Outcome::Ongoing);
}
