//! Engines that play by a script: random but repeatable turns, and every kind of misbehaviour.

use crate::dice::Dice;
use millrace_engine::{Game, Position, Rules, text::parse_position};
use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
    thread,
    time::Duration,
};

/// What an engine does at its `at`-th `go` (from 1), or always.
struct Script {
    kind: String,
    at: u32,
    /// Of its turns.
    seed: u64,
    /// The score that it tells, if it tells one.
    score: Option<String>,
    /// Milliseconds that it waits where its kind waits.
    wait: u64,
}

/// Plays: `kind=… at=… seed=… score=… wait=…`; other words are there to be found by.
pub fn main(words: &[String]) -> ExitCode {
    let word = |key: &str| words.iter().find_map(|w| w.strip_prefix(key)?.strip_prefix('='));
    let script = Script {
        kind: word("kind").unwrap_or("random").to_string(),
        at: word("at").map_or(1, |n| n.parse().expect("at is a number")),
        seed: word("seed").map_or(1, |n| n.parse().expect("seed is a number")),
        score: word("score").map(String::from),
        wait: word("wait").map_or(0, |n| n.parse().expect("wait is a number")),
    };
    let mut engine =
        Scripted { script, goes: 0, game: Game::new(Rules::default()), begun: String::new() };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if let Some(code) = engine.hear(line.trim()) {
            return ExitCode::from(code);
        }
    }
    ExitCode::SUCCESS
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    // A driver that has gone away ends the engine by the end of its input.
    let _ = out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush());
}

struct Scripted {
    script: Script,
    goes: u32,
    game: Game,
    /// A turn that was told in part: its removals are still to come.
    begun: String,
}

impl Scripted {
    fn is(&self, kind: &str) -> bool {
        self.script.kind == kind
    }

    /// Whether the time for its misbehaviour has come.
    fn is_due(&self) -> bool {
        self.goes == self.script.at
    }

    /// Answers a line; a number ends the engine.
    fn hear(&mut self, line: &str) -> Option<u8> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" if self.is("mute") => hang(),
            "uci" if self.is("babbler") => babble(),
            "uci" | "gbgp" => {
                say("id name Scripted\nid author Nobody");
                if word == "uci" && !self.script.kind.starts_with("sanmill") {
                    say("option name UCI_Variant type combo default nine");
                }
                say("option name Level type spin default 1 min 0 max 9");
                say(&format!("{word}ok"));
            }
            "isready" => say("readyok"),
            "setoption" => {
                if let Some(rules) = rest.strip_prefix("name UCI_Variant value ") {
                    self.game = Game::new(Rules::parse(rules).expect("rules"));
                }
            }
            "ucinewgame" | "newgame" if self.is("mortal") && self.goes >= self.script.at => {
                return Some(5);
            }
            "position" => self.position(rest),
            "go" => {
                self.goes += 1;
                return self.go(rest);
            }
            "quit" if !self.is("stubborn") => return Some(0),
            _ => {}
        }
        None
    }

    fn position(&mut self, text: &str) {
        let rules = *self.game.rules();
        let (base, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let base = base.trim_end_matches(" moves");
        let first = match base.split_once(' ') {
            Some((_, text)) => parse_position(&rules, text).expect("a position"),
            None => Position::start(&rules),
        };
        let mut game = Game::from_position(rules, first);
        let mut pending = String::new();
        for token in moves.split_whitespace() {
            pending += token;
            if game.play_text(&pending).is_ok() {
                pending.clear();
            }
        }
        self.game = game;
        self.begun = pending;
    }

    /// A turn that depends on seed and position alone; one that goes on as it was begun.
    fn turn(&self) -> String {
        let position = self.game.position();
        let seed = self.script.seed.wrapping_mul(0x9e37_79b9) ^ position.key();
        let board = self.game.rules().board();
        let turns = position.turns(self.game.rules());
        let texts: Vec<String> = turns
            .iter()
            .map(|turn| turn.on(board).to_string())
            .filter(|text| self.begun.is_empty() || text.starts_with(&format!("{}x", self.begun)))
            .collect();
        Dice::new(seed).pick(&texts).clone()
    }

    fn go(&mut self, limits: &str) -> Option<u8> {
        let due = self.is_due();
        match self.script.kind.as_str() {
            "illegal" if due => say("bestmove a1-a1"),
            "illegal-late" if due => {
                thread::sleep(Duration::from_millis(self.script.wait));
                say("bestmove z9");
            }
            "late" if due => {
                thread::sleep(Duration::from_millis(self.script.wait));
                self.answer();
            }
            "crash" if due => {
                eprintln!("all went well");
                eprintln!("but now: out of stones");
                return Some(7);
            }
            "abort" if due => std::process::abort(),
            "hang" | "stubborn" if due => hang(),
            "endless" if due => endless(),
            "chatter" if due => chatter(),
            "nonsense" if due => {
                say("I would rather not");
                hang();
            }
            "refuse" if due => say(
                "info string error bad_move: no such thing\ninfo string error no_position: none",
            ),
            "noise" => {
                say("thinking…\ninfo string hm\ninfo nonsense 5\n\n\tcurrmove x");
                self.answer();
            }
            "claim" if due => say("bestmove draw"),
            "clock" => {
                eprintln!("{limits}");
                self.answer();
            }
            "sanmill" | "sanmill-claim" => self.answer_by_action(),
            "gbgp" => {
                say(&format!("info depth 3 score eval {} nodes 5 pv a1", self.goes));
                say(&format!("bestmove {}", self.turn()));
            }
            _ => self.answer(),
        }
        None
    }

    fn answer(&self) {
        if let Some(score) = &self.script.score {
            say(&format!("info depth 4 score {score} nodes 9 time 0 pv a1"));
        }
        say(&format!("bestmove {}", self.turn()));
    }

    /// Sanmill's form: one action, all on one line, the score White's.
    fn answer_by_action(&self) {
        if self.is("sanmill-claim") && self.game.turns().len() > 12 {
            say("info score 0 bestmove draw");
            return;
        }
        let turn = self.turn();
        let rest = &turn[self.begun.len()..];
        let action = match rest.strip_prefix('x') {
            Some(removals) => format!("x{}", removals.split('x').next().unwrap_or_default()),
            None => rest.split('x').next().unwrap_or_default().to_string(),
        };
        say(&format!("info depth 10 score cp 100 nodes 1291987 bestmove {action}"));
    }
}

fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn babble() -> ! {
    let block = b"blah\n".repeat(1 << 12);
    while io::stdout().write_all(&block).is_ok() {}
    hang()
}

fn endless() -> ! {
    let block = [b'x'; 1 << 16];
    while io::stdout().write_all(&block).is_ok() {}
    hang()
}

fn chatter() -> ! {
    loop {
        say("and another thing");
    }
}
