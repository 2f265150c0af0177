//! What the search does with tables: cuts inside the tree, and choosing among the root's turns.
//!
//! A table knows neither repetition nor the no-mill rule, so what it says is held against the
//! game's history here. Choosing the drawn turn after which most answers lose is after the
//! common advice of endgame literature: set problems.

use super::{
    Limits, Score,
    node::Window,
    past::Past,
    value::{LOSS, WIN, table_win, win_in},
    worker::Worker,
};
use crate::{
    game::Game,
    movegen::Turn,
    position::Position,
    table::{Sector, Tables, Value, Wdl},
};
use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};

impl Worker<'_> {
    /// The value of a position that tables know. Only positions after a turn that cannot be taken
    /// back are asked for: between two of them, what the tables would say does not change.
    #[inline(always)]
    pub(super) fn look_up(
        &mut self,
        position: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let tables = self.shared.tables?;
        let asked = self.path.is_fresh() || ply == 1 && self.shared.asks_children;
        if depth < self.shared.probe_depth || !asked || !tables.has(Sector::of(position)) {
            return None;
        }
        self.ask(tables, position, window, ply)
    }

    #[cold]
    fn ask(
        &mut self,
        tables: &Tables,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Option<i32> {
        let wdl = tables.wdl(position)?;
        self.shared.count_hit();
        if wdl == Wdl::Draw {
            return Some(0);
        }
        let sign = if wdl == Wdl::Win { 1 } else { -1 };
        if tables.has_distances(Sector::of(position))
            && let Some(value) = tables.value(position)
            && self.path.in_time(position, value.plies.into())
        {
            return Some(sign * win_in(ply + usize::from(value.plies)));
        }
        // Who asks for the distance of a proven result is not helped by knowing the winner alone.
        let proving_it = if wdl == Wdl::Win { window.alpha >= WIN } else { window.beta <= LOSS };
        (!proving_it).then_some(sign * table_win(ply))
    }
}

/// What tables say of the root.
pub(super) enum Advice {
    /// The values of all turns are known and the result is decided: the turns, best first.
    Settled(Vec<(Turn, Value)>),
    /// Only these turns are worth a search.
    Only(Vec<Turn>),
}

/// The most time that is spent on finding the most difficult of drawn turns.
const MOST_TIME: Duration = Duration::from_millis(300);
/// The share of a turn's time that this may take.
const SHARE: i64 = 4;

/// Judges the turns of a root, of which so many are to be reported. `None` if some value is not
/// known.
pub(super) fn advise(
    tables: &Tables,
    game: &Game,
    turns: &[Turn],
    limits: &Limits,
    reported: usize,
    hits: &mut u64,
) -> Option<Advice> {
    let root = game.position();
    if !turns.iter().any(|t| tables.has(Sector::of(&root.after(*t)))) {
        return None;
    }
    let past = Past::of(game);
    let mut known = Vec::with_capacity(turns.len());
    for turn in turns {
        let next = root.after(*turn);
        let wdl = tables.wdl(&next)?.reversed();
        known.push((*turn, if past.draws(&next) { Wdl::Draw } else { wdl }));
        *hits += 1;
    }
    let best = known.iter().map(|(_, wdl)| *wdl).max()?;
    if best != Wdl::Draw
        && let Some(settled) = settle(tables, root, &known, best, reported)
        && settled[0].1.wdl == best
    {
        return Some(Advice::Settled(settled));
    }
    let equal: Vec<Turn> =
        known.iter().filter(|(_, wdl)| *wdl == best).map(|(turn, _)| *turn).collect();
    let fresh = |turn: &&Turn| !past.has(&root.after(**turn));
    let mut worth: Vec<Turn> = equal.iter().filter(fresh).copied().collect();
    if worth.is_empty() {
        worth = equal;
    }
    if best == Wdl::Draw {
        worth = hardest(tables, root, worth, Effort::of(limits), hits);
    }
    Some(Advice::Only(worth))
}

/// The turns of a decided root, best first, with their distances: those that keep its value, and
/// the others if more are to be reported. `None` if a distance is not at hand.
fn settle(
    tables: &Tables,
    root: &Position,
    known: &[(Turn, Wdl)],
    best: Wdl,
    reported: usize,
) -> Option<Vec<(Turn, Value)>> {
    let equals = known.iter().filter(|(_, wdl)| *wdl == best).count();
    let mut settled = Vec::with_capacity(known.len());
    for (turn, wdl) in known.iter().filter(|(_, wdl)| *wdl == best || reported > equals) {
        let next = root.after(*turn);
        let value = match wdl {
            Wdl::Draw => Value::DRAW,
            _ => Some(tables.value(&next)?.before())
                .filter(|v| in_time(tables, &next, v.plies))
                .unwrap_or(Value::DRAW),
        };
        settled.push((*turn, value));
    }
    settled.sort_by_key(|(_, value)| Reverse(value.rank()));
    Some(settled)
}

/// Whether a decided game that goes on from here as tables advise both sides ends before the
/// no-mill rule draws it.
fn in_time(tables: &Tables, position: &Position, plies: u16) -> bool {
    let rules = tables.rules();
    let limit = rules.no_mill_plies();
    if limit == 0 || position.quiet_plies().saturating_add(plies) <= limit {
        return true;
    }
    let mut position = *position;
    for left in (0..plies).rev() {
        if position.quiet_plies() >= limit {
            return position.outcome(rules).is_over();
        }
        if position.quiet_plies().saturating_add(left) < limit {
            return true;
        }
        let Some((turn, _)) = best_turn(tables, &position) else { return true };
        position = position.after(turn);
    }
    true
}

/// The turn that ends the game soonest for the winner or latest for the loser.
pub(super) fn best_turn(tables: &Tables, position: &Position) -> Option<(Turn, Value)> {
    let turns = position.turns(tables.rules());
    let valued = turns.iter().map(|turn| {
        let value = tables.value(&position.after(*turn))?;
        Some((*turn, value.before()))
    });
    let valued: Option<Vec<(Turn, Value)>> = valued.collect();
    valued?.into_iter().max_by_key(|(_, value)| value.rank())
}

/// The line of best play that begins with a turn, at most so many turns of it.
pub(super) fn line(tables: &Tables, root: &Position, turn: Turn, longest: usize) -> Vec<Turn> {
    let mut line = vec![turn];
    let mut position = root.after(turn);
    let mut value = tables.value(&position);
    while line.len() < longest
        && let Some(known) = value
        && let Some((turn, after)) = step(tables, &position, known)
    {
        line.push(turn);
        position = position.after(turn);
        value = Some(after);
    }
    line
}

/// A turn that keeps the value of a position, and the value after it.
fn step(tables: &Tables, position: &Position, value: Value) -> Option<(Turn, Value)> {
    position.turns(tables.rules()).into_iter().find_map(|turn| {
        let after = tables.value(&position.after(turn))?;
        (after.before() == value).then_some((turn, after))
    })
}

/// What finding the most difficult of drawn turns may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    time: Duration,
    look_ups: u64,
}

impl Effort {
    /// Whatever it takes.
    pub const WHOLE: Effort = Effort { time: Duration::MAX, look_ups: u64::MAX };

    /// A search that is limited by depth or nodes alone repeats exactly, so time does not count
    /// then. There are a few hundred look-ups at most; who asks for few nodes wants an answer
    /// sooner than that.
    fn of(limits: &Limits) -> Self {
        let clocks = limits.clocks.iter().filter_map(|c| c.time_ms).min().map(|ms| ms / 30);
        let told = limits.move_time_ms.into_iter().chain(clocks).min();
        let share = |ms: i64| Duration::from_millis((ms / SHARE).max(0) as u64);
        let repeats = limits.depth.is_some() || limits.nodes.is_some();
        let otherwise = if repeats { Effort::WHOLE.time } else { MOST_TIME };
        let time = told.map_or(otherwise, |ms| share(ms).min(MOST_TIME));
        Self { time, look_ups: limits.nodes.unwrap_or(Effort::WHOLE.look_ups) }
    }
}

/// Of drawn turns, those that are hardest for the opponent: the greatest share of losing answers,
/// then the longest way until they have lost. All of them, if finding out takes more than it may.
pub(super) fn hardest(
    tables: &Tables,
    root: &Position,
    turns: Vec<Turn>,
    effort: Effort,
    hits: &mut u64,
) -> Vec<Turn> {
    let start = Instant::now();
    let mut left = effort.look_ups;
    let mut ranked = Vec::with_capacity(turns.len());
    for turn in &turns {
        let next = root.after(*turn);
        let answers = next.turns(tables.rules());
        let (mut losing, mut plies) = (0u64, 0u64);
        for answer in &answers {
            if left == 0 || start.elapsed() > effort.time {
                return turns;
            }
            let after = next.after(*answer);
            let Some(wdl) = tables.wdl(&after) else { return turns };
            *hits += 1;
            left -= 1;
            if wdl == Wdl::Win {
                losing += 1;
                plies += tables.value(&after).map_or(0, |v| v.plies.into());
            }
        }
        // Parts of a million, so that whole numbers can be compared.
        let share = losing * 1_000_000 / answers.len().max(1) as u64;
        ranked.push((*turn, (share, plies / losing.max(1))));
    }
    let best = ranked.iter().map(|(_, rank)| *rank).max();
    ranked.into_iter().filter(|(_, rank)| Some(*rank) == best).map(|(turn, _)| turn).collect()
}

/// A value as callers see it.
pub(super) fn to_score(value: Value) -> Score {
    let plies = i32::from(value.plies);
    match value.wdl {
        Wdl::Draw => Score::Cp(0),
        Wdl::Win => Score::Mate((plies + 1) / 2),
        Wdl::Loss => Score::Mate(-plies / 2),
    }
}
