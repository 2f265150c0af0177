//! Lines into commands: words are told apart and numbers are checked, but nothing is looked up in
//! a game. Shared by all dialects, so that they differ only in what they must.

use crate::ProtocolError;
use millrace_engine::{Board, search::Limits, text::quoted};

/// What a line asks for. Texts are borrowed from the line.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<'a> {
    /// The handshake of the native dialect.
    Uci,
    /// The handshake of the GBGP dialect.
    Gbgp,
    /// More `info string` lines, or fewer.
    Debug(bool),
    /// Is everything before this done?
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name, words joined by single spaces.
        name: String,
        /// What follows the word `value`, if that word is there.
        value: Option<&'a str>,
    },
    /// Nothing: kept for old drivers.
    Register,
    /// Forget what was learnt, and set up the start.
    NewGame,
    /// Set up a position and play turns from it.
    Position {
        /// The text of the position; `None` = the start.
        base: Option<String>,
        /// The turns.
        moves: Vec<&'a str>,
    },
    /// Search.
    Go {
        /// When to end, without the turns to search.
        limits: Limits,
        /// The turns to search; empty = all.
        search_moves: Vec<&'a str>,
    },
    /// Count turns to a depth.
    Perft(u32),
    /// End the search.
    Stop,
    /// The expected turn was made.
    PonderHit,
    /// End the program.
    Quit,
    /// Show the position.
    Show,
    /// List the legal turns.
    Moves,
    /// Explain the evaluation.
    Eval,
    /// Search the fixed set of positions.
    Bench(BenchArgs),
    /// Show the rules.
    Rules,
    /// List the commands.
    Help,
}

/// What `bench` may be told; `None` = its own default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchArgs {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Threads.
    pub threads: Option<usize>,
    /// Hash table in MiB.
    pub hash: Option<usize>,
}

/// The largest time that is taken, about 31 years in milliseconds.
const MAX_TIME: i64 = 1_000_000_000_000;
/// The largest count of plies, turns or own turns that is taken.
const MAX_COUNT: i64 = 10_000;
/// The largest number of nodes that is taken.
const MAX_NODES: i64 = i64::MAX;
/// The deepest perft that is taken; far beyond what ends.
const MAX_PERFT: i64 = 100;

/// Commands that stand alone, and what they are.
fn lone(word: &str) -> Option<(&'static str, Command<'static>)> {
    Some(match word {
        "uci" => ("uci", Command::Uci),
        "gbgp" => ("gbgp", Command::Gbgp),
        "isready" => ("isready", Command::IsReady),
        "ucinewgame" => ("ucinewgame", Command::NewGame),
        "newgame" => ("newgame", Command::NewGame),
        "stop" => ("stop", Command::Stop),
        "ponderhit" => ("ponderhit", Command::PonderHit),
        "quit" => ("quit", Command::Quit),
        "d" => ("d", Command::Show),
        "moves" => ("moves", Command::Moves),
        "eval" => ("eval", Command::Eval),
        "rules" => ("rules", Command::Rules),
        "help" => ("help", Command::Help),
        _ => return None,
    })
}

impl<'a> Command<'a> {
    /// Reads a line; `None` if it is blank.
    ///
    /// # Errors
    /// Says which word is wrong, missing or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Command<'a>>, ProtocolError> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        if let Some((name, command)) = lone(first) {
            return match words.next() {
                None => Ok(Some(command)),
                Some(word) => Err(bad_argument(name, word)),
            };
        }
        match first {
            "debug" => debug(words),
            "register" => Ok(Command::Register),
            "setoption" => set_option(line),
            "position" => position(words),
            "go" => go(words),
            "bench" => bench(words),
            _ => Err(ProtocolError::UnknownCommand(quoted(first))),
        }
        .map(Some)
    }
}

fn bad_argument(command: &'static str, word: &str) -> ProtocolError {
    ProtocolError::BadArgument { command, word: quoted(word) }
}

fn missing(what: &str) -> ProtocolError {
    ProtocolError::MissingValue(what.to_string())
}

/// Reads the number that must follow `what`.
fn number<'a>(
    what: &'static str,
    min: i64,
    max: i64,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<i64, ProtocolError> {
    let text = words.next().ok_or_else(|| missing(what))?;
    text.parse().ok().filter(|n| (min..=max).contains(n)).ok_or_else(|| ProtocolError::BadNumber {
        what,
        min,
        max,
        text: quoted(text),
    })
}

/// Reads the milliseconds that must follow `what`; a clock may have run out, so they may be negative.
fn time<'a>(
    what: &'static str,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<i64, ProtocolError> {
    number(what, -MAX_TIME, MAX_TIME, words)
}

fn debug<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, ProtocolError> {
    match words.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        Some(word) => Err(bad_argument("debug", word)),
        None => Err(missing("debug")),
    }
}

/// The value is taken from the line itself, since spaces within it may matter (paths).
fn set_option(line: &str) -> Result<Command<'_>, ProtocolError> {
    let start = line.as_ptr() as usize;
    let mut words = line.split_ascii_whitespace().skip(1);
    match words.next() {
        Some("name") => {}
        Some(word) => return Err(bad_argument("setoption", word)),
        None => return Err(missing("setoption")),
    }
    let (mut name, mut value) = (String::new(), None);
    for word in words {
        if word == "value" {
            let end = word.as_ptr() as usize - start + word.len();
            value = Some(line[end..].trim());
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if name.is_empty() { Err(missing("name")) } else { Ok(Command::SetOption { name, value }) }
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, ProtocolError> {
    let (mut base, mut moves) = (None, Vec::new());
    let kind = words.next().ok_or_else(|| missing("position"))?;
    let after = match kind {
        "startpos" => words.next(),
        "fen" | "pos" => {
            let mut text = String::new();
            let after = words.by_ref().find(|word| {
                let found = *word == "moves";
                if !found {
                    text.push_str(word);
                    text.push(' ');
                }
                found
            });
            base = Some(text);
            after
        }
        word => return Err(bad_argument("position", word)),
    };
    match after {
        Some("moves") => moves.extend(words),
        Some(word) => return Err(bad_argument("position", word)),
        None => {}
    }
    Ok(Command::Position { base, moves })
}

/// The words that `go` knows.
const GO: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "movetime",
    "mate",
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

/// Notes a word that may come once.
fn once<'a>(
    command: &'static str,
    word: &'a str,
    seen: &mut Vec<&'a str>,
) -> Result<(), ProtocolError> {
    if seen.contains(&word) {
        return Err(ProtocolError::Repeated { command, word: quoted(word) });
    }
    seen.push(word);
    Ok(())
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, ProtocolError> {
    let mut limits = Limits::default();
    let [white, black] = &mut limits.clocks;
    let (mut search_moves, mut seen) = (Vec::new(), Vec::new());
    let mut perft = None;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let words = &mut words;
        once("go", word, &mut seen)?;
        match word {
            "wtime" => white.time_ms = Some(time("wtime", words)?),
            "btime" => black.time_ms = Some(time("btime", words)?),
            "winc" => white.increment_ms = time("winc", words)?,
            "binc" => black.increment_ms = time("binc", words)?,
            "movestogo" => {
                // Some drivers send 0 for "the rest of the game".
                let turns = number("movestogo", 0, MAX_COUNT, words)?;
                limits.moves_to_go = (turns > 0).then_some(turns as u32);
            }
            "depth" => limits.depth = Some(number("depth", 1, MAX_COUNT, words)? as u32),
            "nodes" => limits.nodes = Some(number("nodes", 1, MAX_NODES, words)? as u64),
            "movetime" => limits.move_time_ms = Some(time("movetime", words)?),
            "mate" => limits.mate = Some(number("mate", 1, MAX_COUNT, words)? as u32),
            "perft" => perft = Some(number("perft", 0, MAX_PERFT, words)? as u32),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                // GBGP lets other words follow.
                while let Some(turn) = words.next_if(|word| !GO.contains(word)) {
                    search_moves.push(turn);
                }
                if search_moves.is_empty() {
                    return Err(missing("searchmoves"));
                }
            }
            word => return Err(bad_argument("go", word)),
        }
    }
    if let Some(depth) = perft {
        return match seen.iter().find(|word| **word != "perft") {
            Some(word) => Err(bad_argument("go perft", word)),
            None => Ok(Command::Perft(depth)),
        };
    }
    complete(&mut limits);
    Ok(Command::Go { limits, search_moves })
}

/// Fills in what a driver leaves out: a clock for the other side, and `infinite` where nothing else
/// would ever end the search.
fn complete(limits: &mut Limits) {
    let [white, black] = limits.clocks.map(|clock| clock.time_ms);
    limits.clocks[0].time_ms = white.or(black);
    limits.clocks[1].time_ms = black.or(white);
    limits.infinite |= !limits.ponder && !has_end(limits);
}

/// Whether limits end a search without being told.
pub fn has_end(limits: &Limits) -> bool {
    limits.clocks.iter().any(|clock| clock.time_ms.is_some())
        || limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.move_time_ms.is_some()
        || limits.mate.is_some()
}

/// Limits as words of `go`, each with a space before it.
pub fn describe(limits: &Limits, board: Board) -> String {
    let mut text = String::new();
    let mut say = |word: &str, value: Option<i64>| {
        if let Some(value) = value {
            text += &format!(" {word} {value}");
        }
    };
    for (clock, [time, increment]) in
        limits.clocks.iter().zip([["wtime", "winc"], ["btime", "binc"]])
    {
        say(time, clock.time_ms);
        say(increment, (clock.increment_ms != 0).then_some(clock.increment_ms));
    }
    say("movestogo", limits.moves_to_go.map(i64::from));
    say("depth", limits.depth.map(i64::from));
    // Beyond what a line can say, it is as good as no limit.
    say("nodes", limits.nodes.and_then(|nodes| nodes.try_into().ok()));
    say("movetime", limits.move_time_ms);
    say("mate", limits.mate.map(i64::from));
    for (word, set) in [(" infinite", limits.infinite), (" ponder", limits.ponder)] {
        text += if set { word } else { "" };
    }
    for (index, turn) in limits.search_moves.iter().enumerate() {
        text += if index == 0 { " searchmoves " } else { " " };
        text += &turn.on(board).to_string();
    }
    text
}

fn bench<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, ProtocolError> {
    let (mut args, mut seen) = (BenchArgs::default(), Vec::new());
    while let Some(word) = words.next() {
        once("bench", word, &mut seen)?;
        match word {
            "depth" => args.depth = Some(number("depth", 1, MAX_COUNT, &mut words)? as u32),
            "threads" => args.threads = Some(number("threads", 1, 512, &mut words)? as usize),
            "hash" => args.hash = Some(number("hash", 1, 65_536, &mut words)? as usize),
            word => return Err(bad_argument("bench", word)),
        }
    }
    Ok(Command::Bench(args))
}
