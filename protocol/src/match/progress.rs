//! What a user sees while a match goes on: a bar with the standing on a terminal, now and then a
//! line elsewhere, and every trouble at once. All of it goes to standard error.

use super::{report::one_line, settings::Settings, standing::Standing, trouble::Trouble};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

/// The view of a match in progress.
#[derive(Clone)]
pub struct Progress {
    bar: Option<ProgressBar>,
    every: u64,
}

impl Progress {
    /// For so many games, `done` of which have been played; without a terminal, a line is written
    /// every so many pairs.
    pub fn new(games: usize, done: usize, every: u64) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(
                Some(games as u64),
                ProgressDrawTarget::stderr_with_hz(10),
            );
            let template = "{bar:20} {pos}/{len} games, {elapsed}, {eta} left\n{wide_msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.with_position(done as u64)
        });
        if let Some(bar) = &bar {
            bar.reset_eta();
            // Games may be long, and time should be seen to pass.
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        Self { bar, every }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            // If nobody listens, the match goes on.
            None => drop(writeln!(io::stderr(), "{line}")),
        }
    }

    /// Something doubtful.
    pub fn warn(&self, text: &str) {
        self.say(&format!("warning: {text}"));
    }

    /// Something that went wrong.
    pub fn trouble(&self, name: &str, game: usize, trouble: &Trouble) {
        self.say(&format!("game {game}, {name}: {trouble}"));
    }

    /// A game has ended, and `new_pair` says whether a pair has with it.
    pub fn update(&self, settings: &Settings, standing: &Standing, new_pair: bool) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(standing.played as u64);
                if new_pair {
                    bar.set_message(one_line(settings, standing));
                }
            }
            None => {
                let due = self.every > 0 && standing.pairs().is_multiple_of(self.every);
                if new_pair && due {
                    self.say(&one_line(settings, standing));
                }
            }
        }
    }

    /// The match is over; its last view is left to the report.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
