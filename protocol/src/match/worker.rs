//! A worker plays one game after the other with engines of its own, which it keeps running from game
//! to game. All of its processes are started by its thread and end before it does.

use super::{
    clock::Clock,
    openings::Opening,
    player::{Around, Fault, Player},
    referee::{Played, Stopped, opening_plies, play},
    schedule::Slot,
    settings::Settings,
    state::Incident,
    trouble::Trouble,
};
use millrace_engine::{Color, table::Tables};
use std::sync::Arc;

/// What a worker plays with.
pub struct Worker<'a> {
    settings: &'a Settings,
    around: &'a Around,
    openings: &'a [Opening],
    tables: Option<Arc<Tables>>,
    players: Vec<Option<Player<'a>>>,
}

impl<'a> Worker<'a> {
    /// A worker without engines; each is started when it is first needed.
    pub fn new(
        settings: &'a Settings,
        around: &'a Around,
        openings: &'a [Opening],
        tables: Option<Arc<Tables>>,
    ) -> Self {
        let players = settings.players.iter().map(|_| None).collect();
        Self { settings, around, openings, tables, players }
    }

    /// Starts all engines that are not running. Returns what is doubtful about them, each with the
    /// engine's number.
    ///
    /// # Errors
    /// The first that does not start, with its number.
    pub fn start_all(&mut self) -> Result<Vec<(usize, String)>, (usize, Fault)> {
        let mut warnings = Vec::new();
        for index in 0..self.players.len() {
            let player = self.running(index).map_err(|fault| (index, fault))?;
            warnings.extend(player.warnings().iter().map(|text| (index, text.clone())));
        }
        Ok(warnings)
    }

    /// Ends all engines.
    pub fn quit_all(&mut self) {
        self.players.iter_mut().filter_map(Option::take).for_each(Player::quit);
    }

    fn running(&mut self, index: usize) -> Result<&mut Player<'a>, Fault> {
        let player = match self.players[index].take() {
            Some(player) => player,
            None => Player::start(&self.settings.players[index], self.around)?,
        };
        Ok(self.players[index].insert(player))
    }

    /// Plays a game. Returns it with all that went wrong.
    ///
    /// # Errors
    /// If the match is stopped meanwhile.
    pub fn play(&mut self, slot: &Slot) -> Result<(Played, Vec<Incident>), Stopped> {
        let opening = &self.openings[slot.round as usize % self.openings.len()];
        let mut incidents = Vec::new();
        let ready = self.make_ready(slot, opening, &mut incidents)?;
        let played = match ready {
            Err((loser, trouble)) => {
                let (game, plies) = opening_plies(&self.settings.rules, opening);
                Played::lost(game, plies, loser, trouble)
            }
            Ok(()) => self.contest(slot, opening)?,
        };
        if let Some((side, trouble)) = &played.trouble {
            let player = slot.players[side.index()];
            if trouble.spoils_process() {
                self.players[player] = None;
            }
            incidents.push(Incident { player, trouble: trouble.clone() });
        }
        for index in slot.players {
            if self.settings.players[index].restart {
                self.players[index].take().into_iter().for_each(Player::quit);
            }
        }
        Ok((played, incidents))
    }

    fn contest(&mut self, slot: &Slot, opening: &Opening) -> Result<Played, Stopped> {
        let clocks = slot.players.map(|index| Clock::new(self.settings.players[index].limit));
        let running = self.players.get_disjoint_mut(slot.players);
        let Ok([Some(white), Some(black)]) = running else { return Err(Stopped) };
        let mut adjudicators = self.settings.adjudicators(self.tables.as_ref());
        play(&self.settings.rules, opening, [white, black], clocks, &mut adjudicators)
    }

    /// Makes both engines ready, at the same time. One that has died since its last game is started
    /// anew; if that does not help, it has lost.
    #[allow(clippy::type_complexity, reason = "a stop is another matter than a loss")]
    fn make_ready(
        &mut self,
        slot: &Slot,
        opening: &Opening,
        incidents: &mut Vec<Incident>,
    ) -> Result<Result<(), (Color, Trouble)>, Stopped> {
        let was_running = slot.players.map(|index| self.players[index].is_some());
        let mut begun = slot.players.map(|index| {
            let player = self.running(index)?;
            player.begin_game(&opening.first)
        });
        for (result, index) in begun.iter_mut().zip(slot.players) {
            if let (Ok(()), Some(player)) = (&result, &mut self.players[index]) {
                *result = player.await_ready();
            }
        }
        let sides = Color::BOTH.into_iter().zip(slot.players);
        for (((side, player), result), was_running) in sides.zip(begun).zip(was_running) {
            let trouble = match result {
                Ok(()) => continue,
                Err(Fault::Stopped) => return Err(Stopped),
                Err(Fault::Trouble(trouble)) => trouble,
            };
            self.players[player] = None;
            if !was_running {
                return Ok(Err((side, trouble)));
            }
            incidents
                .push(Incident { player, trouble: Trouble::Restart { why: trouble.to_string() } });
            let again = self.running(player).and_then(|player| {
                player.begin_game(&opening.first)?;
                player.await_ready()
            });
            match again {
                Ok(()) => {}
                Err(Fault::Stopped) => return Err(Stopped),
                Err(Fault::Trouble(trouble)) => {
                    self.players[player] = None;
                    return Ok(Err((side, trouble)));
                }
            }
        }
        Ok(Ok(()))
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.quit_all();
    }
}
