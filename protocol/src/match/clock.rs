//! What an engine may use for a turn, and the clock that the runner keeps for it. The engine's own
//! idea of the time is never asked.

use serde::{Deserialize, Serialize};
use std::{fmt::Write, time::Duration};

/// Time for a number of turns, or for the whole game, and what is added after each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Turns until the time is given again; `None` = once a game.
    pub moves: Option<u32>,
    /// The time.
    pub time: Duration,
    /// The addition.
    pub increment: Duration,
}

/// What limits an engine's turns. At least one of the four is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// A clock.
    pub control: Option<TimeControl>,
    /// Exactly so much a turn.
    pub move_time: Option<Duration>,
    /// Nodes a turn.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// By how much an answer may be late.
    pub margin: Duration,
}

/// Why a limit was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// Not `moves/time+increment`.
    #[error("tc is '{0}'; it must look like 10+0.1, 40/60 or 1:30+1, times in seconds")]
    Control(String),
    /// Not a time in seconds.
    #[error("{0} is '{1}'; it must be a time in seconds, such as 0.1")]
    Seconds(&'static str, String),
    /// Not a whole number above zero.
    #[error("{0} is '{1}'; it must be a whole number, 1 or more")]
    Number(&'static str, String),
    /// Two ways to measure time.
    #[error("tc and st do not go together")]
    Both,
    /// No end at all.
    #[error("nothing limits its turns: give tc, st, nodes or depth")]
    Nothing,
}

/// The most that any time may be, in seconds: a year.
const LONGEST: f64 = 366.0 * 86_400.0;

/// Reads a time in seconds.
///
/// # Errors
/// If it is none, negative, or longer than a year.
pub fn seconds(name: &'static str, text: &str) -> Result<Duration, LimitError> {
    number_of_seconds(text).ok_or_else(|| LimitError::Seconds(name, text.to_string()))
}

fn number_of_seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    (0.0..=LONGEST).contains(&number).then(|| Duration::from_secs_f64(number))
}

impl TimeControl {
    /// Reads `moves/time+increment`, where the first and the last may be missing; the time may be
    /// written in minutes and seconds, `1:30`.
    ///
    /// # Errors
    /// If the text is anything else, or the time zero.
    pub fn parse(text: &str) -> Result<Self, LimitError> {
        Self::read(text).ok_or_else(|| LimitError::Control(text.to_string()))
    }

    fn read(text: &str) -> Option<Self> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|m| *m > 0)?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = match time.split_once(':') {
            Some((minutes, seconds)) => {
                let minutes: u32 = minutes.parse().ok()?;
                number_of_seconds(seconds)?
                    + Duration::from_secs(60).checked_mul(minutes).filter(|_| minutes < 600_000)?
            }
            None => number_of_seconds(time)?,
        };
        let increment = number_of_seconds(increment)?;
        (!time.is_zero()).then_some(Self { moves, time, increment })
    }
}

impl Limit {
    /// Whether the time of its turns is measured.
    pub fn is_timed(&self) -> bool {
        self.control.is_some() || self.move_time.is_some()
    }

    /// In one word, for tags and reports: `10+0.1`, `st=0.01`, `nodes=500`.
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        if let Some(control) = self.control {
            let moves = control.moves.map_or(String::new(), |m| format!("{m}/"));
            let plus = match control.increment {
                Duration::ZERO => String::new(),
                increment => format!("+{}", increment.as_secs_f64()),
            };
            parts.push(format!("{moves}{}{plus}", control.time.as_secs_f64()));
        }
        parts.extend(self.move_time.map(|t| format!("st={}", t.as_secs_f64())));
        parts.extend(self.nodes.map(|n| format!("nodes={n}")));
        parts.extend(self.depth.map(|d| format!("depth={d}")));
        parts.join(" ")
    }
}

/// The clock of one player in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    limit: Limit,
    left: Duration,
    to_go: Option<u32>,
}

/// How a turn was too slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// What it took.
    pub used: Duration,
    /// What it had.
    pub allowed: Duration,
}

impl Clock {
    /// A clock at the beginning of a game.
    pub fn new(limit: Limit) -> Self {
        let left = limit.control.map_or(Duration::ZERO, |control| control.time);
        let to_go = limit.control.and_then(|control| control.moves);
        Self { limit, left, to_go }
    }

    /// The limit that it is for.
    pub fn limit(&self) -> &Limit {
        &self.limit
    }

    /// What the next turn may take, if that is measured. A turn that an engine answers in several
    /// `actions` has the time of a turn for each, unless a clock runs.
    pub fn allowed(&self, actions: u32) -> Option<Duration> {
        match self.limit.control {
            Some(_) => Some(self.left),
            None => self.limit.move_time.map(|time| time * actions),
        }
    }

    /// Takes the time of a turn off the clock.
    ///
    /// # Errors
    /// If it was more than there was, margin included.
    pub fn spend(&mut self, used: Duration, actions: u32) -> Result<(), Overrun> {
        if let Some(allowed) = self.allowed(actions).filter(|a| used > *a + self.limit.margin) {
            return Err(Overrun { used, allowed });
        }
        if let Some(control) = self.limit.control {
            self.left = self.left.saturating_sub(used) + control.increment;
            if let Some(to_go) = &mut self.to_go {
                *to_go -= 1;
                if *to_go == 0 {
                    self.left += control.time;
                    self.to_go = control.moves;
                }
            }
        }
        Ok(())
    }

    /// Milliseconds left, as drivers say it, if a clock runs and `used` of this turn is over.
    fn millis(&self, used: Duration) -> Option<u128> {
        self.limit.control.map(|_| self.left.saturating_sub(used).as_millis())
    }
}

/// The `go` of the player to move (0 White, 1 Black), `used` of whose turn is over already.
pub fn go(clocks: &[Clock; 2], mover: usize, used: Duration, text: &mut String) {
    let own = &clocks[mover];
    text.push_str("go");
    // Writing to a string cannot fail.
    if let (Some(left), Some(control)) = (own.millis(used), own.limit.control) {
        // An engine that is told of one clock only might take the other for run out.
        let other = &clocks[1 - mover];
        let theirs = other.millis(Duration::ZERO).unwrap_or(left);
        let increment = control.increment.as_millis();
        let their_increment =
            other.limit.control.map_or(increment, |control| control.increment.as_millis());
        let (times, increments) = match mover {
            0 => ([left, theirs], [increment, their_increment]),
            _ => ([theirs, left], [their_increment, increment]),
        };
        let _ = write!(text, " wtime {} btime {}", times[0], times[1]);
        if increments != [0; 2] {
            let _ = write!(text, " winc {} binc {}", increments[0], increments[1]);
        }
        if let Some(to_go) = own.to_go {
            let _ = write!(text, " movestogo {to_go}");
        }
    }
    if let Some(time) = own.limit.move_time {
        let _ = write!(text, " movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = own.limit.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(depth) = own.limit.depth {
        let _ = write!(text, " depth {depth}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn control(text: &str) -> Limit {
        let control = TimeControl::parse(text).expect("a control");
        Limit { control: Some(control), margin: ms(5), ..Limit::default() }
    }

    #[test]
    fn controls_are_read_and_described() {
        for text in ["10+0.1", "40/60", "60", "40/60+0.6", "0.05"] {
            assert_eq!(control(text).describe(), text);
        }
        assert_eq!(control("1:30+1").describe(), "90+1");
        for text in ["", "0", "-1", "x", "0/10", "10+", "1/2/3", "nan", "inf", "1e99", "-3:0"] {
            assert!(TimeControl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn time_runs_and_is_given_again() {
        let mut clock = Clock::new(control("2/1+0.1"));
        assert_eq!(clock.spend(ms(400), 1), Ok(()));
        assert_eq!(clock.allowed(1), Some(ms(700)));
        // The margin forgives, but nothing is left then but the increment and the next time.
        assert_eq!(clock.spend(ms(705), 1), Ok(()));
        assert_eq!(clock.allowed(1), Some(ms(1_100)));
        let over = Overrun { used: ms(1_106), allowed: ms(1_100) };
        assert_eq!(clock.spend(ms(1_106), 1), Err(over));
    }

    #[test]
    fn a_move_time_counts_for_each_action() {
        let limit = Limit { move_time: Some(ms(10)), ..Limit::default() };
        let mut clock = Clock::new(limit);
        assert!(clock.spend(ms(11), 1).is_err());
        assert!(clock.spend(ms(11), 2).is_ok());
        let mut free = Clock::new(Limit { nodes: Some(1), ..Limit::default() });
        assert!(free.spend(ms(1_000_000), 1).is_ok());
    }

    #[test]
    fn each_player_is_told_its_own_limits() {
        let nodes = Limit { nodes: Some(7), depth: Some(3), ..Limit::default() };
        let clocks = [Clock::new(control("40/60+0.5")), Clock::new(nodes)];
        let line = |mover, used| {
            let mut text = String::new();
            go(&clocks, mover, used, &mut text);
            text
        };
        assert_eq!(line(0, ms(1_000)), "go wtime 59000 btime 59000 winc 500 binc 500 movestogo 40");
        assert_eq!(line(1, ms(0)), "go nodes 7 depth 3");
        let clocks = [Clock::new(control("10")), Clock::new(control("5"))];
        let mut text = String::new();
        go(&clocks, 1, ms(0), &mut text);
        assert_eq!(text, "go wtime 10000 btime 5000");
    }
}
