//! The generator's program against truth files: statistics, values, best turns.

mod tables;

use millrace_engine::{Game, Outcome, Position, Rules};
use millrace_tablebase_gen::{
    file::CellKind,
    plan::{Phase, Selection},
    sector::Sector,
    solve::cell,
    tables::Tables,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
};
use tables::{Way, expect, rules, solved, text, truth};

/// The objects of `stats --json`, by own and opponent's stones without any in hand.
fn statistics(folder: &Path, rules: &str) -> HashMap<(u64, u64), Value> {
    let (out, _) = expect(0, &["stats", "--tables", text(folder), "--rules", rules, "--json"]);
    let all: Vec<Value> = serde_json::from_str(&out).expect("it is JSON");
    let number = |v: &Value, name: &str| v[name].as_u64().expect("a number");
    all.into_iter()
        .filter(|v| number(v, "own_hand") == 0 && number(v, "opponent_hand") == 0)
        .map(|v| ((number(&v, "own"), number(&v, "opponent")), v))
        .collect()
}

/// All numbers of a text, in order.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

/// Compares a `sector|…` line of a truth file.
fn compare_sector(line: &str, found: &HashMap<(u64, u64), Value>) {
    let fields: Vec<&str> = line.split('|').collect();
    let [own, opponent] = numbers(fields[1])[..] else { panic!("{line}") };
    let found = &found[&(own, opponent)];
    let said = |names: [&str; 4]| names.map(|n| found[n].as_u64().expect("a number"));
    let raw = said(["raw_positions", "raw_wins", "raw_draws", "raw_losses"]);
    assert_eq!(numbers(fields[2]), raw, "{line}");
    // "up to 16 symmetries" has a number in some files' first line only.
    assert_eq!(numbers(fields[3]), said(["positions", "wins", "draws", "losses"]), "{line}");

    let longest = numbers(fields[4]);
    let (win, loss) = if longest.len() == 2 {
        (longest[0], longest[1])
    } else {
        // longest win 25 (raw 408, classes 27), longest loss 26 (raw 1104, classes 70)
        for (plies, raw, classes) in
            [(0, 1, 2), (3, 4, 5)].map(|(a, b, c)| (longest[a], longest[b], longest[c]))
        {
            assert_eq!(by_plies(found, plies), (classes, raw), "{line}");
        }
        (longest[0], longest[3])
    };
    assert_eq!(found["longest_win"].as_u64().unwrap_or(0), win, "{line}");
    assert_eq!(found["longest_loss"].as_u64().unwrap_or(0), loss, "{line}");
    let blocked = numbers(fields[5]);
    assert_eq!(by_plies(found, 0).1, blocked[0], "{line}");
    if let Some(classes) = blocked.get(1) {
        assert_eq!(by_plies(found, 0).0, *classes, "{line}");
    }
}

/// Positions so many plies from the end: up to symmetry, and all placements.
fn by_plies(found: &Value, plies: u64) -> (u64, u64) {
    let rows = found["histogram"].as_array().expect("an array");
    let row = rows.iter().find(|r| r["plies"].as_u64() == Some(plies));
    let number = |name| row.and_then(|r| r[name].as_u64()).unwrap_or(0);
    (number("positions"), number("raw_positions"))
}

/// Compares a `hist|own,opponent| L 26:1104 … D:4112 … W 25:408` line.
fn compare_histogram(line: &str, found: &HashMap<(u64, u64), Value>) {
    let fields: Vec<&str> = line.split('|').collect();
    let [own, opponent] = numbers(fields[1])[..] else { panic!("{line}") };
    let found = &found[&(own, opponent)];
    let mut expected = BTreeMap::new();
    let mut draws = 0;
    let mut words = fields[2].split_whitespace();
    while let Some(word) = words.next() {
        match word.strip_prefix("D:") {
            Some(count) => draws = count.parse().expect("a number"),
            None => {
                let [plies, count] = numbers(words.next().expect("plies"))[..] else {
                    panic!("{line}")
                };
                assert_eq!(word == "W", plies % 2 == 1);
                expected.insert(plies, count);
            }
        }
    }
    let rows = found["histogram"].as_array().expect("an array");
    let seen: BTreeMap<u64, u64> = rows
        .iter()
        .map(|r| (r["plies"].as_u64().unwrap(), r["raw_positions"].as_u64().unwrap()))
        .collect();
    assert_eq!(seen, expected, "{line}");
    assert_eq!(found["raw_draws"].as_u64(), Some(draws), "{line}");
}

/// Compares the lines of a file of values, by way of `probe --json`.
fn compare_values(file: &str, folder_of: impl Fn(&str) -> Option<String>) -> usize {
    let mut compared = 0;
    for line in truth(file).lines().filter(|l| !l.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').collect();
        let Some(folder) = folder_of(fields[0]) else { continue };
        let probe =
            ["probe", "--tables", &folder, "--rules", fields[0], "--fen", fields[1], "--json"];
        let (out, _) = expect(0, &probe);
        let found: Value = serde_json::from_str(&out).expect("it is JSON");
        let value = |v: &Value| {
            let letter = v["value"].as_str().expect("a word")[..1].to_uppercase();
            v["plies"].as_u64().map_or(letter.clone(), |p| format!("{letter} {p}"))
        };
        assert_eq!(value(&found), fields[2], "{line}");
        let turns = found["turns"].as_array().expect("an array");
        assert_eq!(turns.len().to_string(), fields[4], "{line}");
        let is_best = |t: &&Value| value(t) == value(&turns[0]);
        let best: BTreeSet<&str> =
            turns.iter().take_while(is_best).map(|t| t["turn"].as_str().unwrap()).collect();
        assert_eq!(best, fields[3].split(' ').collect(), "{line}");
        assert_eq!(value(&turns[0]), fields[2], "the best turn keeps the value: {line}");
        compared += 1;
    }
    compared
}

#[test]
fn six_is_solved_as_known() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for game in ["six", "six-fly"] {
        let out = folder.path().join(game);
        expect(0, &["solve", "--rules", game, "--out", text(&out)]);
        // Each game's folder says by itself which game it is.
        expect(0, &["verify", "--tables", text(&out)]);
    }
    let found = statistics(&folder.path().join("six"), "six");
    let file = truth("sectors_six.txt");
    let lines: Vec<&str> = file.lines().filter(|l| l.starts_with("sector|")).collect();
    assert_eq!(lines.len(), 16);
    lines.iter().for_each(|line| compare_sector(line, &found));

    let compared = compare_values("values_six.txt", |rules| {
        Some(text(&folder.path().join(rules)).to_string())
    });
    assert_eq!(compared, 10);
}

#[test]
fn nine_with_few_stones_is_as_known() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = text(folder.path());
    expect(0, &["solve", "--rules", "nine", "--max-stones", "8", "--out", out]);
    let found = statistics(folder.path(), "nine");
    let file = truth("sectors_nine.txt");
    let mut seen = 0;
    for line in file.lines() {
        if line.starts_with("sector|") {
            compare_sector(line, &found);
            seen += 1;
        } else if line.starts_with("hist|") {
            compare_histogram(line, &found);
            seen += 1;
        }
    }
    assert_eq!(seen, 8);
    for line in truth("sectors_nine_wdl.txt").lines() {
        let [own, opponent, expected @ ..] = &numbers(line)[..] else { continue };
        if let Some(found) = found.get(&(*own, *opponent)) {
            let said = ["positions", "wins", "draws", "losses"].map(|n| found[n].as_u64().unwrap());
            assert_eq!(expected, said, "{line}");
        }
    }
    assert_eq!(compare_values("values_nine.txt", |_| Some(out.to_string())), 15);
}

/// What a whole solution says of all positions that games reach.
struct Reached {
    positions: usize,
    values: [usize; 3],
    longest: u32,
}

fn value(tables: &Tables, rules: &Rules, position: &Position) -> Option<u32> {
    match position.outcome(rules) {
        Outcome::Win(..) => return Some(0),
        Outcome::Draw(_) => return None,
        Outcome::Ongoing => {}
    }
    let sector = Sector::of(position);
    let found = tables.cell(sector, position.own(), position.opponent()).expect("it is solved");
    assert_ne!(found, cell::NONE, "games reach only positions");
    cell::plies(found)
}

fn count<'a>(
    tables: &Tables,
    rules: &Rules,
    positions: impl Iterator<Item = &'a Position>,
) -> Reached {
    let mut reached = Reached { positions: 0, values: [0; 3], longest: 0 };
    for position in positions {
        let value = value(tables, rules, position);
        reached.positions += 1;
        reached.values[value.map_or(1, |plies| if plies % 2 == 1 { 0 } else { 2 })] += 1;
        reached.longest = reached.longest.max(value.unwrap_or(0));
    }
    reached
}

/// All positions that games reach, by their numbers.
fn reachable(rules: &Rules, up_to_symmetry: bool) -> HashMap<u64, Position> {
    let start = Position::start(rules);
    let mut found = HashMap::from([(start.packed(), start)]);
    let mut open = vec![start];
    while let Some(position) = open.pop() {
        for turn in position.turns(rules) {
            let mut next = position.after(turn);
            if up_to_symmetry {
                next = next.class(rules).0;
            }
            if found.insert(next.packed(), next).is_none() {
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn three_is_solved_as_known() {
    let file = truth("three.txt");
    let mut compared = 0;
    for line in file.lines() {
        let fields: Vec<&str> = line.split('|').collect();
        if fields.len() < 7 {
            continue;
        }
        let rules = rules(fields[0]);
        let (tables, _) =
            solved(&rules, Phase::All, &Selection::Everything, CellKind::Distance, Way::best());
        let positions = reachable(&rules, fields[1] != "raw");
        let all = count(&tables, &rules, positions.values());
        let moving = count(&tables, &rules, positions.values().filter(|p| p.is_moving_phase()));
        for (field, reached) in [(fields[4], &all), (fields[5], &moving)] {
            let [wins, draws, losses] = reached.values;
            let said = [reached.positions, wins, draws, losses].map(|n| n as u64);
            assert_eq!(numbers(field), said, "{line}");
        }
        assert_eq!(numbers(fields[6]), [u64::from(all.longest)], "{line}");

        let short = |value: Option<u32>| match value {
            None => "D".to_string(),
            Some(plies) => format!("{} {plies}", if plies % 2 == 1 { "W" } else { "L" }),
        };
        let start = Position::start(&rules);
        assert_eq!(fields[2], format!("start {}", short(value(&tables, &rules, &start))), "{line}");
        compared += 1;
    }
    assert_eq!(compared, 8);

    // first moves: a1=D b1=L 8 … (value for White)
    let mut game = "";
    for line in file.lines() {
        match line.trim_start().strip_prefix("first moves: ") {
            None => game = line.split('|').next().expect("there is a first field"),
            Some(moves) => compare_first_moves(game, moves),
        }
    }
}

fn compare_first_moves(game: &str, moves: &str) {
    let rules = rules(game);
    let (tables, _) =
        solved(&rules, Phase::All, &Selection::Everything, CellKind::Distance, Way::best());
    let moves = moves.split(" (").next().expect("there is a first part");
    let mut seen = 0;
    let words: Vec<&str> = moves.split('=').collect();
    for pair in words.windows(2) {
        let turn = pair[0].rsplit(' ').next().expect("there is a last word");
        let mut said = pair[1].split(' ');
        let letter = said.next().expect("there is a first word");
        let mut after = Game::new(rules);
        after.play_text(turn).expect("it is legal");
        let found = value(&tables, &rules, after.position());
        let expected = match letter {
            "D" => None,
            // The value is White's, the position Black's, one ply later.
            _ => said.next().and_then(|n| n.parse::<u32>().ok()).map(|plies| plies - 1),
        };
        assert_eq!(found, expected, "{game}: {turn}");
        let white_wins = found.map(|plies| plies % 2 == 0);
        assert_eq!(white_wins, (letter != "D").then_some(letter == "W"), "{game}: {turn}");
        seen += 1;
    }
    assert_eq!(seen, 9);
}
