//! How a match stands: games are put together to pairs, and pairs to tallies.
//!
//! Under a sequential test, pairs count in the order of the schedule, each once all before it have
//! ended, and none after a verdict. So the verdict does not depend on which games happen to end
//! first: not on concurrency, and not on interruptions. It also takes no part for short games.

use super::{
    schedule::Schedule,
    settings::Settings,
    sprt::{Decision, Sprt},
    state::GameLine,
    stats::Tally,
    trouble::Trouble,
};
use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    time::Duration,
};

/// The state of a match.
pub struct Standing {
    schedule: Schedule,
    sprt: Option<Sprt>,
    /// Games whose pairs do not count yet.
    waiting: HashMap<usize, GameLine>,
    /// Under a test: pairs that have not been counted, in order.
    due: VecDeque<usize>,
    /// Games that have ended.
    pub played: usize,
    /// Counted pairs by pairing.
    pub tallies: Vec<Tally>,
    /// Counted games that White won, drew and lost.
    pub white: [u64; 3],
    /// How counted games ended.
    pub endings: BTreeMap<String, u64>,
    /// What went wrong in all games, by engine.
    pub troubles: Vec<BTreeMap<&'static str, u64>>,
    /// By how much the latest answer was late that lost a game on time.
    pub latest: Option<Duration>,
    /// Turns of counted games.
    pub plies: u64,
    /// Counted games that are the same as an earlier one of the same two engines.
    pub repeated: u64,
    seen: HashSet<(usize, usize, u64)>,
    /// The log-likelihood ratio of the test.
    pub llr: f64,
    /// What the test has found.
    pub decision: Decision,
}

impl Standing {
    /// At the beginning.
    pub fn new(settings: &Settings) -> Self {
        let schedule = settings.schedule();
        let due = settings.sprt.map_or_else(VecDeque::new, |_| schedule.pairs().collect());
        Self {
            sprt: settings.sprt,
            waiting: HashMap::new(),
            due,
            played: 0,
            tallies: vec![Tally::default(); schedule.pairings().len()],
            white: [0; 3],
            endings: BTreeMap::new(),
            troubles: vec![BTreeMap::new(); settings.players.len()],
            latest: None,
            plies: 0,
            repeated: 0,
            seen: HashSet::new(),
            llr: 0.0,
            decision: Decision::Open,
            schedule,
        }
    }

    /// Pairs that count.
    pub fn pairs(&self) -> u64 {
        self.tallies.iter().map(Tally::count).sum()
    }

    /// Troubles of an engine.
    pub fn troubles_of(&self, player: usize) -> u64 {
        self.troubles[player].values().sum()
    }

    /// Adds a game. Says whether pairs began to count by that.
    pub fn add(&mut self, line: GameLine) -> bool {
        self.played += 1;
        for incident in &line.troubles {
            if let Some(of_player) = self.troubles.get_mut(incident.player) {
                *of_player.entry(incident.trouble.name()).or_default() += 1;
            }
            if let Trouble::TimeLoss { used, allowed, .. } = incident.trouble {
                self.latest = self.latest.max(Some(used.saturating_sub(allowed)));
            }
        }
        let pair = line.game / 2;
        self.waiting.insert(line.game, line);
        let before = self.pairs();
        match self.sprt {
            None => self.count_if_complete(pair),
            Some(sprt) => self.count_in_order(&sprt),
        }
        self.pairs() > before
    }

    fn is_complete(&self, pair: usize) -> bool {
        self.waiting.contains_key(&(2 * pair)) && self.waiting.contains_key(&(2 * pair + 1))
    }

    fn count_if_complete(&mut self, pair: usize) {
        if self.is_complete(pair) {
            self.count(pair);
        }
    }

    fn count_in_order(&mut self, sprt: &Sprt) {
        while let Some(pair) = self.due.front().copied().filter(|pair| self.is_complete(*pair)) {
            if self.decision != Decision::Open {
                return;
            }
            self.due.pop_front();
            self.count(pair);
            self.llr = sprt.llr(&self.tallies[0]);
            self.decision = sprt.decide(self.llr);
        }
    }

    fn count(&mut self, pair: usize) {
        let mut half_points = [0; 2];
        let mut pairing = 0;
        for (half, game) in [2 * pair, 2 * pair + 1].into_iter().enumerate() {
            let Some((line, slot)) = self.waiting.remove(&game).zip(self.schedule.slot(game))
            else {
                continue;
            };
            let white = line.half_points();
            half_points[half] = if slot.first_is_white { white } else { 2 - white };
            pairing = slot.pairing;
            self.white[usize::from(2 - white)] += 1;
            self.plies += line.plies as u64;
            *self.endings.entry(line.ending).or_default() += 1;
            let [white, black] = slot.players;
            self.repeated += u64::from(!self.seen.insert((white, black, line.turns)));
        }
        self.tallies[pairing].add(half_points);
    }
}
