//! A slow and obvious second implementation of the games, to hold the engine against.
//!
//! It works on point names and maps, knows its own lists of points, lines and presets, and shares
//! no code with the engine. Every rule is written as the rules page says it, at whatever cost.

use std::collections::{BTreeMap, BTreeSet, HashMap};

pub type Point = &'static str;

const NINE: &str = "a1 d1 g1, b2 d2 f2, c3 d3 e3, a4 b4 c4, e4 f4 g4, c5 d5 e5, b6 d6 f6, a7 d7 g7, \
                    a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7";
const NINE_DIAGONALS: &str = "a1 b2 c3, g1 f2 e3, a7 b6 c5, g7 f6 e5";
const SIX: &str = "a1 c1 e1, b2 c2 d2, b4 c4 d4, a5 c5 e5, a1 a3 a5, b2 b3 b4, d2 d3 d4, e1 e3 e5";
const SIX_JOINTS: &str = "c1 c2, a3 b3, d3 e3, c4 c5";
const SEVEN_CENTRE: &str = "a3 b3 c3, c3 d3 e3, c1 c2 c3, c3 c4 c5";
const THREE: &str = "a1 b1 c1, a2 b2 c2, a3 b3 c3, a1 a2 a3, b1 b2 b3, c1 c2 c3";
const THREE_DIAGONALS: &str = "a1 b2 c3, a3 b2 c1";

const DEFAULTS: &str = "board=nine+diagonals=no+stones=9+fly=3+move_while_placing=no+removals=one\
    +remove_from_mill=if-no-other+blocked=loses+board_full=draw+line_wins=no+repetition=3\
    +no_mill_plies=100";

/// Every preset and what it changes in the defaults.
pub const PRESETS: [(&str, &str); 13] = [
    ("nine", ""),
    ("nine-nofly", "fly=0"),
    ("lasker", "stones=10+move_while_placing=yes"),
    ("eleven", "diagonals=yes+stones=11+fly=0"),
    ("twelve", "diagonals=yes+stones=12+fly=0"),
    ("morabaraba", "diagonals=yes+stones=12"),
    ("seven", "board=seven+stones=7+fly=0"),
    ("six", "board=six+stones=6+fly=0"),
    ("six-fly", "board=six+stones=6"),
    ("five", "board=six+stones=5+fly=0"),
    ("three", "board=three+stones=3+line_wins=yes+fly=0"),
    ("tapatan", "board=three+diagonals=yes+stones=3+line_wins=yes+fly=0"),
    ("nine-holes", "board=three+stones=3+line_wins=yes"),
];

/// Stones, hands, the side to move (`W` or `B`), and the removals that it still owes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub stones: BTreeMap<Point, char>,
    pub hands: BTreeMap<char, usize>,
    pub side: char,
    pub owed: usize,
}

/// The rules of one game.
pub struct Twin {
    options: HashMap<String, String>,
    /// From the top row down, each row from left to right.
    pub points: Vec<Point>,
    lines: Vec<Vec<Point>>,
    joined: BTreeSet<(Point, Point)>,
}

fn other(side: char) -> char {
    if side == 'W' { 'B' } else { 'W' }
}

fn name(side: char) -> &'static str {
    if side == 'W' { "White" } else { "Black" }
}

fn groups(text: &'static str) -> Vec<Vec<Point>> {
    text.split(", ").map(|group| group.split(' ').collect()).collect()
}

impl Twin {
    /// Reads a rules text that starts with a preset.
    pub fn new(text: &str) -> Self {
        let (preset, changes) = text.split_once('+').unwrap_or((text, ""));
        let of_preset = PRESETS.iter().find(|p| p.0 == preset).expect("a known preset").1;
        let mut options = HashMap::new();
        for part in [DEFAULTS, of_preset, changes].iter().flat_map(|t| t.split('+')) {
            if let Some((option, value)) = part.split_once('=') {
                options.insert(option.to_string(), value.to_string());
            }
        }
        let (mut lines, joints) = match options["board"].as_str() {
            "nine" => (groups(NINE), vec![]),
            "six" => (groups(SIX), groups(SIX_JOINTS)),
            "seven" => ([groups(SIX), groups(SEVEN_CENTRE)].concat(), vec![]),
            _ => (groups(THREE), vec![]),
        };
        if options["diagonals"] == "yes" {
            let nine = options["board"] == "nine";
            lines.extend(groups(if nine { NINE_DIAGONALS } else { THREE_DIAGONALS }));
        }
        let mut joined = BTreeSet::new();
        for group in lines.iter().chain(&joints) {
            for pair in group.windows(2) {
                joined.insert((pair[0], pair[1]));
                joined.insert((pair[1], pair[0]));
            }
        }
        let named: BTreeSet<Point> = lines.concat().into_iter().collect();
        let mut points: Vec<Point> = named.into_iter().collect();
        points.sort_by_key(|p| (std::cmp::Reverse(p.as_bytes()[1]), p.as_bytes()[0]));
        Self { options, points, lines, joined }
    }

    pub fn option(&self, option: &str) -> &str {
        &self.options[option]
    }

    pub fn number(&self, option: &str) -> usize {
        self.option(option).parse().expect("a number")
    }

    pub fn start(&self) -> State {
        let stones = self.number("stones");
        State {
            stones: BTreeMap::new(),
            hands: BTreeMap::from([('W', stones), ('B', stones)]),
            side: 'W',
            owed: 0,
        }
    }

    fn on_board(&self, s: &State, side: char) -> Vec<Point> {
        self.points.iter().copied().filter(|p| s.stones.get(p) == Some(&side)).collect()
    }

    fn all_stones(&self, s: &State, side: char) -> usize {
        self.on_board(s, side).len() + s.hands[&side]
    }

    /// The lines through a point that hold three stones of one side.
    fn mills_through(&self, s: &State, point: Point, side: char) -> usize {
        let is_mill = |line: &&Vec<Point>| line.iter().all(|p| s.stones.get(p) == Some(&side));
        self.lines.iter().filter(|line| line.contains(&point)).filter(is_mill).count()
    }

    fn holds_line(&self, s: &State, side: char) -> bool {
        self.points.iter().any(|p| self.mills_through(s, p, side) > 0)
    }

    /// The stones of the opponent that the side to move may remove, had it closed a mill.
    fn removable(&self, s: &State) -> Vec<Point> {
        let opponent = other(s.side);
        let all = self.on_board(s, opponent);
        let outside: Vec<Point> =
            all.iter().copied().filter(|p| self.mills_through(s, p, opponent) == 0).collect();
        match self.option("remove_from_mill") {
            "always" => all,
            "never" => outside,
            _ if outside.is_empty() => all,
            _ => outside,
        }
    }

    /// Placements (from nowhere) and moves of the side to move, mills not yet thought of.
    fn actions(&self, s: &State) -> Vec<(Option<Point>, Point)> {
        let mut found = Vec::new();
        let hand = s.hands[&s.side];
        let own = self.on_board(s, s.side);
        let empty: Vec<Point> =
            self.points.iter().copied().filter(|p| !s.stones.contains_key(p)).collect();
        if hand > 0 {
            found.extend(empty.iter().map(|to| (None, *to)));
        }
        if hand == 0 || self.option("move_while_placing") == "yes" {
            let flies = hand == 0 && own.len() <= self.number("fly");
            for from in own {
                for to in &empty {
                    if flies || self.joined.contains(&(from, *to)) {
                        found.push((Some(from), *to));
                    }
                }
            }
        }
        found
    }

    /// How the position ends the game, if it does, in the words of the engine's outcome type.
    pub fn end(&self, s: &State) -> Option<String> {
        let (me, you) = (s.side, other(s.side));
        if s.owed > 0 {
            return None;
        }
        if self.option("line_wins") == "yes" {
            if let Some(side) = [you, me].into_iter().find(|side| self.holds_line(s, *side)) {
                return Some(format!("Win({}, Line)", name(side)));
            }
        } else if let Some(side) = [me, you].into_iter().find(|side| self.all_stones(s, *side) < 3)
        {
            return Some(format!("Win({}, UnderThree)", name(other(side))));
        }
        if !self.actions(s).is_empty() {
            return None;
        }
        if s.stones.len() == self.points.len() {
            return Some(match self.option("board_full") {
                "loses" => format!("Win({}, BoardFull)", name(you)),
                _ => "Draw(BoardFull)".to_string(),
            });
        }
        match self.option("blocked") {
            "loses" => Some(format!("Win({}, Blocked)", name(you))),
            "draw" => Some("Draw(Blocked)".to_string()),
            _ => {
                let opponents = State { side: you, ..s.clone() };
                self.actions(&opponents).is_empty().then(|| "Draw(BothPass)".to_string())
            }
        }
    }

    /// Every legal turn as text, with the position after it.
    pub fn turns(&self, s: &State) -> Vec<(String, State)> {
        let mut found = Vec::new();
        if self.end(s).is_some() {
            return found;
        }
        if s.owed > 0 {
            self.remove(s.clone(), s.owed, String::new(), &mut found);
            return found;
        }
        for (from, to) in self.actions(s) {
            let mut next = s.clone();
            let text = match from {
                Some(from) => {
                    next.stones.remove(from);
                    format!("{from}-{to}")
                }
                None => {
                    *next.hands.get_mut(&s.side).expect("both sides have a hand") -= 1;
                    to.to_string()
                }
            };
            next.stones.insert(to, s.side);
            let mills = self.mills_through(&next, to, s.side);
            let due = match (self.option("line_wins"), self.option("removals")) {
                ("yes", _) => 0,
                (_, "one") => mills.min(1),
                _ => mills,
            };
            self.remove(next, due, text, &mut found);
        }
        if found.is_empty() {
            let next = State { side: other(s.side), ..s.clone() };
            found.push(("pass".to_string(), next));
        }
        found
    }

    fn remove(&self, s: State, due: usize, text: String, found: &mut Vec<(String, State)>) {
        let targets = if due > 0 { self.removable(&s) } else { vec![] };
        if targets.is_empty() {
            found.push((text, State { side: other(s.side), owed: 0, ..s }));
            return;
        }
        for target in targets {
            let mut next = s.clone();
            next.stones.remove(target);
            self.remove(next, due - 1, format!("{text}x{target}"), found);
        }
    }

    /// Whether such a position may be given from outside: the side to move has not won, not both
    /// sides hold a line that ends the game, and owed removals can have come about.
    pub fn accepts(&self, s: &State) -> bool {
        let you = other(s.side);
        let line_wins = self.option("line_wins") == "yes";
        if s.owed > 0 {
            return !line_wins && !self.removable(s).is_empty() && self.can_owe(s);
        }
        if line_wins { !self.holds_line(s, s.side) } else { self.all_stones(s, you) >= 3 }
    }

    /// Whether some stone stands in mills enough to have brought so many removals, after those
    /// already made in the same turn, against an opponent who had three stones before them.
    fn can_owe(&self, s: &State) -> bool {
        let opponents = self.all_stones(s, other(s.side));
        self.points.iter().any(|p| {
            let mills = self.mills_through(s, p, s.side);
            let due = if self.option("removals") == "one" { mills.min(1) } else { mills };
            due >= s.owed && opponents + (due - s.owed) >= 3
        })
    }

    /// The position as text, without the counters of a game.
    pub fn fen(&self, s: &State) -> String {
        let mut rows: Vec<String> = Vec::new();
        for (index, point) in self.points.iter().enumerate() {
            if index == 0 || self.points[index - 1].as_bytes()[1] != point.as_bytes()[1] {
                rows.push(String::new());
            }
            let row = rows.last_mut().expect("a row was begun");
            match (s.stones.get(point), row.pop()) {
                (None, Some(c)) if c.is_ascii_digit() => row.push((c as u8 + 1) as char),
                (stone, before) => {
                    row.extend(before);
                    row.push(*stone.unwrap_or(&'1'));
                }
            }
        }
        let side = s.side.to_ascii_lowercase();
        format!("{} {side} {} {}", rows.join("/"), s.hands[&'W'], s.hands[&'B'])
    }
}

/// What only the history of a game tells.
pub struct Record {
    seen: BTreeMap<State, usize>,
    pub quiet: usize,
}

impl Record {
    pub fn new(first: &State) -> Self {
        Self { seen: BTreeMap::from([(first.clone(), 1)]), quiet: 0 }
    }

    pub fn add(&mut self, before: &State, turn: &str, after: &State) {
        let moving = before.hands.values().all(|hand| *hand == 0);
        self.quiet = if moving && !turn.contains('x') { self.quiet + 1 } else { 0 };
        *self.seen.entry(after.clone()).or_default() += 1;
    }

    pub fn has_seen(&self, state: &State) -> bool {
        self.seen.contains_key(state)
    }

    /// The state of the game in this position, in the words of the engine's outcome type.
    pub fn verdict(&self, twin: &Twin, now: &State) -> String {
        let (repetition, no_mill) = (twin.number("repetition"), twin.number("no_mill_plies"));
        if let Some(end) = twin.end(now) {
            end
        } else if repetition > 0 && self.seen[now] >= repetition {
            "Draw(Repetition)".to_string()
        } else if no_mill > 0 && self.quiet >= no_mill {
            "Draw(NoMill)".to_string()
        } else {
            "Ongoing".to_string()
        }
    }
}
