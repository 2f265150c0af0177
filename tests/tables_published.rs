//! Published tables: what is packed is what was solved, whoever reads it and whatever happens to it.

mod tables;

use millrace_engine::{
    Color, Game, Outcome, Position, Rules, Turn,
    search::{Control, Engine, Limits, Score, Settings},
    table::{Kind, PackedFile, Sector, TableError, Tables, Value, Wdl, file_name},
    text::parse_position,
};
use std::{
    collections::{HashMap, HashSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
    thread,
};
use tables::{expect, rules, text};

/// Solved and published tables in one folder each; removed when the last test is done.
struct Made {
    _folder: tempfile::TempDir,
    packed: PathBuf,
}

/// Solves and packs, and compares every position of both.
fn made(rules: &str, more: &[&str]) -> Made {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (solved, packed) = (folder.path().join("solved"), folder.path().join("packed"));
    let game = |command: &'static str| [&[command, "--rules", rules], more].concat();
    let (s, p) = (text(&solved), text(&packed));
    expect(0, &[&game("solve"), &["--out", s, "--progress", "quiet"][..]].concat());
    expect(0, &[&game("pack"), &["--tables", s, "--to", p, "--progress", "quiet"][..]].concat());
    expect(0, &[&game("check"), &["--tables", p, "--against", s][..]].concat());
    Made { _folder: folder, packed }
}

/// Six men's morris with at most eight stones, on the board and in hand.
static SIX: LazyLock<Made> =
    LazyLock::new(|| made("six", &["--phase", "all", "--max-stones", "8"]));

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % n
    }

    /// A position without stones in hand under way.
    fn position(&mut self, rules: &Rules, own: usize, opponent: usize) -> Position {
        self.with_hands(rules, (own, opponent), [0; 2])
    }

    fn with_hands(
        &mut self,
        rules: &Rules,
        (own, opponent): (usize, usize),
        hands: [u8; 2],
    ) -> Position {
        loop {
            let mut sets = [0u32; 2];
            for (set, size) in [(0, own), (1, opponent)] {
                while (sets[set].count_ones() as usize) < size {
                    let point = 1 << self.below(rules.board().points());
                    if (sets[0] | sets[1]) & point == 0 {
                        sets[set] |= point;
                    }
                }
            }
            let position = Position::new(rules, sets, hands, Color::White);
            if let Ok(position) = position
                && position.outcome(rules) == Outcome::Ongoing
            {
                return position;
            }
        }
    }
}

#[test]
fn packed_is_unpacked() {
    for (rules, more) in [
        ("six-fly+fly=4", &["--phase", "moving", "--max-stones", "8"][..]),
        ("five+removals=per-mill+blocked=passes", &["--phase", "moving", "--max-stones", "8"]),
        ("six+move_while_placing=yes+stones=3", &[]),
        ("seven", &["--phase", "moving", "--max-stones", "7"]),
        ("three", &[]),
        ("tapatan", &[]),
        ("nine-holes+fly=0", &[]),
        ("twelve", &["--max-stones", "6"]),
        ("nine+stones=3", &["--phase", "all"]),
        ("morabaraba+stones=3+removals=per-mill+fly=0", &["--phase", "all"]),
        ("nine", &["--phase", "all", "--max-stones", "7"]),
    ] {
        made(rules, more);
    }
}

#[test]
fn what_was_packed_can_be_unpacked_to_the_same_digest() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name);
    let (solved, packed, again) = (path("solved"), path("packed"), path("again"));
    expect(0, &["solve", "--rules", "three", "--out", text(&solved), "--progress", "quiet"]);
    let game = ["--rules", "three", "--progress", "quiet"];
    expect(0, &[&["pack", "--tables", text(&solved), "--to", text(&packed)], &game[..]].concat());
    expect(0, &["unpack", "--tables", text(&packed), "--rules", "three", "--to", text(&again)]);
    let digest = |folder: &Path| expect(0, &["digest", "--tables", text(folder)]).0;
    assert_eq!(digest(&solved), digest(&again));
}

/// Without distances the engine knows who wins, and the solver's tables may have them or not.
#[test]
fn distances_can_be_left_out() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name);
    let game = ["--rules", "six+fly=4", "--phase", "moving", "--max-stones", "6"];
    let quiet = ["--progress", "quiet"];
    let mut files = Vec::new();
    for (solved, more) in [("distances", &[][..]), ("wdl", &["--wdl-only"])] {
        let (solved, packed) = (path(solved), path(&format!("{solved}-packed")));
        expect(0, &[&["solve", "--out", text(&solved)], &game[..], more, &quiet].concat());
        let pack = ["pack", "--tables", text(&solved), "--to", text(&packed), "--wdl-only"];
        expect(0, &[&pack, &game[..], &quiet].concat());
        let rules = rules("six+fly=4");
        let tables = Tables::new(rules, &[packed], 1 << 20);
        let position = Dice(2).position(&rules, 3, 3);
        assert_eq!(tables.value(&position).is_some(), tables.wdl(&position) == Some(Wdl::Draw));
        assert!(tables.has(sector((3, 3))) && !tables.has_distances(sector((3, 3))));
        files
            .push((0..50).map(|n| tables.wdl(&Dice(n).position(&rules, 3, 3))).collect::<Vec<_>>());
    }
    assert_eq!(files[0], files[1]);
}

#[test]
fn threads_do_not_change_the_files() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name);
    let solved = path("solved");
    let game = ["--rules", "six", "--phase", "moving", "--max-stones", "7", "--progress", "quiet"];
    expect(0, &[&["solve", "--out", text(&solved)], &game[..]].concat());
    for (threads, name) in [("1", "one"), ("3", "three")] {
        let to = path(name);
        let pack = ["pack", "--tables", text(&solved), "--to", text(&to), "--threads", threads];
        expect(0, &[&pack, &game[..]].concat());
    }
    for entry in fs::read_dir(path("one")).expect("it is there") {
        let one = entry.expect("it can be read").path();
        let other = path("three").join(one.file_name().expect("it has a name"));
        assert_eq!(fs::read(&one).unwrap(), fs::read(other).unwrap(), "{}", one.display());
    }
}

/// The reader in Python was written from the format's page.
#[test]
fn another_reader_reads_the_same() {
    let rules = rules("six");
    let tables = Tables::new(rules, std::slice::from_ref(&SIX.packed), 16 << 20);
    let mut dice = Dice(3);
    let positions: Vec<Position> = (0..10_000)
        .map(|n| {
            // Every second ply of the placing phase is not stored.
            let placing = [((3, 4), [1, 0]), ((3, 3), [1, 1]), ((2, 3), [2, 1]), ((4, 3), [1, 0])];
            let moving = [(3, 3), (3, 4), (4, 3), (4, 4)].map(|stones| (stones, [0; 2]));
            let (stones, hands) = if n % 3 == 0 { placing[n % 4] } else { moving[n % 4] };
            dice.with_hands(&rules, stones, hands)
        })
        .collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_tables.py");
    let started = Command::new("python3")
        .arg(script)
        .args([text(&SIX.packed), "six"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        eprintln!("skipped: there is no python3 here");
        return;
    };
    let mut input = child.stdin.take().expect("it is piped");
    let line = |p: &Position| {
        let (own, opponent) = (p.hand(Color::White), p.hand(Color::Black));
        format!("{} {} {own} {opponent}\n", p.own(), p.opponent())
    };
    let lines: String = positions.iter().map(line).collect();
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it does not panic").expect("all is read");
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).expect("it is text");
    assert_eq!(answers.lines().count(), positions.len());
    for (position, answer) in positions.iter().zip(answers.lines()) {
        assert_eq!(in_words(tables.value(position).expect("all is there")), answer);
    }
}

fn in_words(value: Value) -> String {
    match value.wdl {
        Wdl::Draw => "D".to_string(),
        Wdl::Win => format!("W {}", value.plies),
        Wdl::Loss => format!("L {}", value.plies),
    }
}

/// A damaged file gives no answer or the right one.
#[test]
fn damage_never_gives_a_wrong_value() {
    let rules = rules("six");
    let right = Tables::new(rules, std::slice::from_ref(&SIX.packed), 4 << 20);
    let mut dice = Dice(9);
    let positions: Vec<Position> = (0..40).map(|_| dice.position(&rules, 4, 3)).collect();
    let values: Vec<_> = positions.iter().map(|p| right.value(p)).collect();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    let others = [(3, 3)].map(sector);
    for sector in others {
        for kind in [Kind::Wdl, Kind::Distance] {
            let name = file_name(&rules, sector, kind);
            fs::copy(SIX.packed.join(&name), copy.join(&name)).unwrap();
        }
    }
    let whole: Vec<(PathBuf, Vec<u8>)> = [Kind::Wdl, Kind::Distance]
        .map(|kind| {
            let name = file_name(&rules, sector((4, 3)), kind);
            (copy.join(&name), fs::read(SIX.packed.join(&name)).unwrap())
        })
        .into();
    for round in 0..400 {
        let (path, bytes) = &whole[round % 2];
        for (path, bytes) in &whole {
            fs::write(path, bytes).unwrap();
        }
        let mut damaged = bytes.clone();
        match round % 5 {
            0 => damaged.truncate(dice.below(bytes.len())),
            1 => damaged.iter_mut().for_each(|b| *b = dice.below(256) as u8),
            2 => damaged.extend([0; 7]),
            _ => {
                // The head more often than its share.
                let most = if dice.below(2) == 0 { 700 } else { bytes.len() };
                let place = dice.below(most);
                damaged[place] ^= 1 << dice.below(8);
            }
        }
        fs::write(path, &damaged).unwrap();
        let tables = Tables::new(rules, std::slice::from_ref(&copy), 4 << 20);
        for (position, value) in positions.iter().zip(&values) {
            let read = tables.value(position);
            assert!(read.is_none() || read == *value, "round {round}: {read:?}");
        }
        let faults = tables.take_faults();
        assert!(faults.len() <= 1, "{faults:?}");
        assert!(faults.iter().all(|f| f.contains("six-4-3")), "{faults:?}");
    }
}

/// Whichever block is read first, the bytes are named among which one is wrong.
#[test]
fn damage_is_named_by_its_place() {
    let name = file_name(&rules("six"), sector((4, 3)), Kind::Wdl);
    let whole = fs::read(SIX.packed.join(name)).unwrap();
    let file = PackedFile::open_any(Box::new(whole.clone())).expect("it is whole");
    let header = file.header();
    let (first, end) =
        (header.length() + header.model_length as usize, header.index_offset as usize);
    for place in [first, (first + end) / 2, end - 1] {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        let read = |block| {
            let file = PackedFile::open_any(Box::new(damaged.clone())).expect("its head is whole");
            file.read_wdl(block).err().map(|error| error.to_string())
        };
        let said: HashSet<String> = (0..header.blocks as usize).filter_map(read).collect();
        let [said] = Vec::from_iter(&said)[..] else { panic!("{said:?}") };
        let words: Vec<&str> = said.split(' ').collect();
        let at = words.iter().position(|word| *word == "bytes").expect("bytes are named");
        let number = |k: usize| words[at + k].parse::<usize>().expect("a number");
        assert!((number(1)..number(3)).contains(&place), "byte {place}: {said}");
    }
}

/// Spoils every page of a file's blocks, but not what is checked when it is opened.
fn spoil_blocks(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let file = PackedFile::open_any(Box::new(bytes.clone())).expect("it is whole");
    let header = file.header();
    let first = header.length() + header.model_length as usize;
    for place in (first..header.index_offset as usize).step_by(20) {
        bytes[place] ^= 0x10;
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn where_blocks_are_damaged_the_next_place_takes_over() {
    let rules = rules("six");
    let right = Tables::new(rules, std::slice::from_ref(&SIX.packed), 4 << 20).without_own();
    let mut dice = Dice(3);
    let stones = [(4, 3), (3, 4), (4, 4), (5, 3)];
    let positions: Vec<Position> =
        (0..80).map(|n| dice.position(&rules, stones[n % 4].0, stones[n % 4].1)).collect();
    for kinds in [&[Kind::Wdl][..], &[Kind::Distance], &[Kind::Wdl, Kind::Distance]] {
        let bad = tempfile::tempdir().expect("a folder can be made");
        for entry in fs::read_dir(&SIX.packed).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), bad.path().join(entry.file_name())).unwrap();
        }
        let names = || kinds.iter().map(|kind| file_name(&rules, sector((4, 3)), *kind));
        names().for_each(|name| spoil_blocks(&bad.path().join(name)));
        let bad = bad.path().to_path_buf();
        let both = [bad.clone(), SIX.packed.clone()];
        for tables in
            [Tables::new(rules, &[bad], 4 << 20), Tables::new(rules, &both, 4 << 20).without_own()]
        {
            for position in &positions {
                assert_eq!(tables.wdl(position), right.wdl(position), "{kinds:?}");
                assert_eq!(tables.value(position), right.value(position), "{kinds:?}");
            }
            let faults = tables.take_faults();
            assert_eq!(faults.len(), kinds.len(), "{faults:?}");
            assert!(names().all(|name| faults.iter().any(|f| f.contains(&name))), "{faults:?}");
        }
    }
}

fn sector((own, opponent): (u8, u8)) -> Sector {
    Sector { own, opponent, own_hand: 0, opponent_hand: 0 }
}

#[test]
fn foreign_files_are_named_once_and_done_without() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let six = rules("six");
    let other = rules("six+removals=per-mill");
    let name = |rules: &Rules| file_name(rules, sector((4, 3)), Kind::Wdl);
    fs::copy(SIX.packed.join(name(&six)), folder.path().join(name(&other))).unwrap();
    let tables = Tables::new(other, &[folder.path().to_path_buf(), "nowhere".into()], 1 << 20);
    let position = Dice(1).position(&other, 4, 3);
    for _ in 0..3 {
        assert_eq!(tables.value(&position), None);
    }
    let faults = tables.take_faults();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].contains("nowhere"));
    assert!(faults[1].contains("removals=one") && faults[1].contains("removals=per-mill"));

    let mut bytes = fs::read(SIX.packed.join(name(&six))).unwrap();
    bytes[8] = 2;
    let opened = PackedFile::open(Box::new(bytes), &six);
    assert!(matches!(opened.err(), Some(TableError::Version { found: 2, wanted: 1 })));
}

#[test]
fn eight_threads_share_a_small_cache() {
    let rules = rules("nine");
    let tables = Tables::new(rules, &[], 1 << 20);
    let alone = Tables::new(rules, &[], 64 << 20);
    let mut dice = Dice(5);
    let positions: Vec<Position> = (0..400)
        .map(|n| {
            let (own, opponent) = [(5, 4), (4, 5), (6, 3), (4, 4), (3, 5)][n % 5];
            dice.position(&rules, own, opponent)
        })
        .collect();
    let expected: Vec<_> = positions.iter().map(|p| alone.wdl(p)).collect();
    assert!(expected.iter().all(Option::is_some));
    thread::scope(|scope| {
        for number in 0..8usize {
            let (tables, positions, expected) = (&tables, &positions, &expected);
            scope.spawn(move || {
                for k in 0..positions.len() {
                    let n = (k * 7 + number * 191) % positions.len();
                    assert_eq!(tables.wdl(&positions[n]), expected[n]);
                }
            });
        }
    });
    assert_eq!(tables.take_faults(), Vec::<String>::new());
}

/// The best turn by distances alone.
fn best(tables: &Tables, position: &Position) -> Turn {
    let turns = position.turns(tables.rules());
    let value = |turn: &Turn| tables.value(&position.after(*turn)).expect("it is there").before();
    *turns.iter().max_by_key(|turn| value(turn).rank()).expect("the game is not over")
}

fn winner(rules: &Rules, position: &Position) -> Option<Color> {
    position.outcome(rules).winner()
}

#[test]
fn won_positions_are_won_in_time_and_drawn_ones_kept() {
    let rules = rules("nine");
    let tables = Tables::new(rules, &[], 64 << 20);
    let mut dice = Dice(11);
    let (mut won, mut drawn) = (0, 0);
    while won < 1000 || drawn < 1000 {
        let (own, opponent) = (3 + dice.below(3), 3 + dice.below(3));
        if own + opponent > 9 {
            continue;
        }
        let root = dice.position(&rules, own, opponent);
        let value = tables.value(&root).expect("it is there");
        match value.wdl {
            Wdl::Win if won < 1000 => {
                won += 1;
                for perfect in [true, false] {
                    let plies = play(&tables, root, perfect, &mut dice, value.plies.into());
                    if perfect {
                        assert_eq!(plies, Some(value.plies.into()));
                    } else {
                        assert!(plies.is_some());
                    }
                }
            }
            Wdl::Draw if drawn < 1000 => {
                drawn += 1;
                let mut position = root;
                for ply in 0..60 {
                    if position.outcome(&rules).is_over() {
                        break;
                    }
                    let turn = if ply % 2 == 0 {
                        best(&tables, &position)
                    } else {
                        let turns = position.turns(&rules);
                        turns[dice.below(turns.len())]
                    };
                    position = position.after(turn);
                }
                assert_ne!(winner(&rules, &position), Some(Color::Black));
            }
            _ => {}
        }
    }
}

/// Plays a won position out within so many plies; the number that it took, if White has won.
fn play(
    tables: &Tables,
    root: Position,
    perfect: bool,
    dice: &mut Dice,
    most: usize,
) -> Option<usize> {
    let rules = tables.rules();
    let mut position = root;
    for ply in 0..=most {
        if position.outcome(rules).is_over() {
            return (winner(rules, &position) == Some(Color::White)).then_some(ply);
        }
        let turn = if perfect || ply % 2 == 0 {
            best(tables, &position)
        } else {
            let turns = position.turns(rules);
            turns[dice.below(turns.len())]
        };
        position = position.after(turn);
    }
    None
}

#[test]
fn the_engine_announces_and_keeps_its_word() {
    let rules = rules("nine");
    let mut engine = Engine::new(Settings::default());
    let tables = Tables::new(rules, &[], 64 << 20);
    let mut dice = Dice(17);
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let mut seen: HashMap<Wdl, usize> = HashMap::new();
    while seen.values().filter(|n| **n >= 12).count() < 3 {
        let (own, opponent) = (3 + dice.below(3), 3 + dice.below(3));
        if own + opponent > 9 {
            continue;
        }
        let root = dice.position(&rules, own, opponent);
        let value = tables.value(&root).expect("it is there");
        let count = seen.entry(value.wdl).or_default();
        *count += 1;
        if *count > 12 {
            continue;
        }
        let game = Game::from_position(rules, root);
        let mut told = None;
        let mut hits = 0;
        let best = engine.search(&game, &limits, &Control::new(), &mut |info| {
            told = Some(info.score);
            hits = info.table_hits;
        });
        assert!(hits > 0);
        let after = tables.value(&root.after(best.turn.expect("there is one"))).unwrap().before();
        assert_eq!(after, value);
        let own_turns = (i32::from(value.plies) + 1) / 2;
        match value.wdl {
            Wdl::Win => assert_eq!(told, Some(Score::Mate(own_turns))),
            Wdl::Loss => assert_eq!(told, Some(Score::Mate(-i32::from(value.plies) / 2))),
            Wdl::Draw => assert!(matches!(told, Some(Score::Cp(_)))),
        }
    }
    assert!(engine.take_faults().is_empty());
}

/// A win that takes longer than the no-mill rule allows is none.
#[test]
fn the_rules_of_a_game_count_before_the_tables() {
    let tables = Tables::new(rules("nine"), &[], 16 << 20);
    let mut dice = Dice(23);
    let (root, value) = loop {
        let root = dice.position(tables.rules(), 4, 4);
        let value = tables.value(&root).expect("it is there");
        if value.wdl == Wdl::Win && value.plies >= 9 && best_is_quiet(&tables, &root) {
            break (root, value);
        }
    };
    let late = millrace_engine::text::fen(tables.rules(), &root).replace(" 0 1", " 99 60");
    let late = parse_position(tables.rules(), &late).expect("it is a position");
    assert_eq!(late.quiet_plies(), 99);
    let mut engine = Engine::new(Settings::default());
    let limits = Limits { depth: Some(3), ..Limits::default() };
    for (position, wins) in [(root, true), (late, false)] {
        let game = Game::from_position(*tables.rules(), position);
        let mut told = None;
        engine.search(&game, &limits, &Control::new(), &mut |info| told = Some(info.score));
        let announced = Some(Score::Mate((i32::from(value.plies) + 1) / 2));
        assert_eq!(told == announced, wins, "{told:?}");
    }
}

fn best_is_quiet(tables: &Tables, root: &Position) -> bool {
    let turns = root.turns(tables.rules());
    let wins = |turn: &&Turn| tables.wdl(&root.after(**turn)) == Some(Wdl::Loss);
    turns.iter().filter(wins).all(|turn| !turn.is_removal())
}
