//! Whose turns are measured: those of this program's engine, or of another one that speaks a
//! dialect. What a turn is worth is not known here.

use super::Settings;
use crate::r#match::{
    clock::Clock,
    player::{Around, Fault, Player, PlayerSettings},
    process::Stop,
};
use anyhow::{Context, anyhow};
use millrace_engine::{
    Game, Rules, Turn,
    search::{self, Control, Engine, Limits},
    text::fen,
};
use std::{
    io::{self, Write},
    sync::Arc,
    time::{Duration, Instant},
};

/// A turn that was chosen.
pub(super) struct Choice {
    /// As it was said.
    pub(super) text: String,
    /// The turn; `None` if what was said is not legal.
    pub(super) turn: Option<Turn>,
    /// The time that it took.
    pub(super) time: Duration,
}

/// Someone who chooses turns.
pub(super) trait Contestant {
    /// Chooses a turn in a game of which nothing came before.
    fn choose(&mut self, game: &Game) -> anyhow::Result<Choice>;
}

/// This program's engine, without tables.
pub(super) struct Own<'a> {
    engine: Engine,
    limits: &'a Limits,
}

impl<'a> Own<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        let engine = Engine::new(search::Settings { tables: false, ..settings.search.clone() });
        Self { engine, limits: &settings.limits }
    }
}

impl Contestant for Own<'_> {
    fn choose(&mut self, game: &Game) -> anyhow::Result<Choice> {
        self.engine.new_game();
        let begun = Instant::now();
        let turn = self.engine.search(game, self.limits, &Control::new(), &mut |_| {}).turn;
        let text = turn.map_or("none".to_string(), |t| t.on(game.rules().board()).to_string());
        Ok(Choice { text, turn, time: begun.elapsed() })
    }
}

/// How long an engine may be silent where nothing else limits it.
const GUARD: Duration = Duration::from_secs(60);

/// What another engine's process needs around it.
pub(super) fn around(rules: Rules) -> anyhow::Result<Around> {
    let stop = Arc::new(Stop::new().context("the engine cannot be waited for")?);
    // If nobody reads it, there is nothing left to do about it.
    let tell = Box::new(|text: &str| drop(writeln!(io::stderr(), "warning: {text}")));
    Ok(Around { rules, guard: GUARD, stop, log: None, pulse: None, tell })
}

/// Another engine. Each position is a new game to it.
pub(super) struct Other<'a> {
    settings: &'a PlayerSettings,
    around: &'a Around,
    player: Option<Player<'a>>,
}

impl<'a> Other<'a> {
    /// Starts the engine. Also returns what is doubtful about its options.
    ///
    /// # Errors
    /// If it does not start.
    pub(super) fn start(
        settings: &'a PlayerSettings,
        around: &'a Around,
    ) -> anyhow::Result<(Self, Vec<String>)> {
        let player = Player::start(settings, around)
            .map_err(|fault| anyhow!("{}: {}", settings.name, words(fault)))?;
        let warnings = player.warnings().to_vec();
        Ok((Self { settings, around, player: Some(player) }, warnings))
    }

    fn ask(&mut self, game: &Game) -> Result<Choice, Fault> {
        let mut player = match self.player.take() {
            Some(player) => player,
            None => Player::start(self.settings, self.around)?,
        };
        player.begin_game(game.position())?;
        player.await_ready()?;
        let clocks = [self.settings.limit; 2].map(Clock::new);
        let answer = player.choose(game, &clocks)?;
        if self.settings.restart {
            player.quit();
        } else {
            self.player = Some(player);
        }
        let turn = game.clone().play_text(&answer.token).ok();
        Ok(Choice { text: answer.token, turn, time: answer.used })
    }
}

impl Contestant for Other<'_> {
    fn choose(&mut self, game: &Game) -> anyhow::Result<Choice> {
        self.ask(game).map_err(|fault| {
            let place = fen(game.rules(), game.position());
            anyhow!("{}: {} (in {place})", self.settings.name, words(fault))
        })
    }
}

impl Drop for Other<'_> {
    fn drop(&mut self) {
        self.player.take().into_iter().for_each(Player::quit);
    }
}

fn words(fault: Fault) -> String {
    match fault {
        Fault::Trouble(trouble) => trouble.to_string(),
        Fault::Stopped => "stopped".to_string(),
    }
}
