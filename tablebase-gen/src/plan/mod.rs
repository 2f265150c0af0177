//! What is to be solved, in which order.
//!
//! A plan is a list of units, each after all that it depends on. It knows sizes, but neither
//! files nor speeds.

mod estimate;
mod print;
mod processor;
#[cfg(test)]
mod tests;

pub use estimate::{Estimate, Limits, estimate, megabytes};
pub use print::{PlanFormat, print};

use crate::sector::{Sector, SectorExt, Unit};
use millrace_engine::{Rules, text::counted};
use std::collections::BTreeSet;

/// The part of a game that is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Positions without stones in hand.
    Moving,
    /// All positions that numbers of stones allow in a game from the empty board.
    All,
}

impl Phase {
    /// What is solved unless something else is asked for: all of the small boards' games.
    pub fn default_for(rules: &Rules) -> Self {
        const SMALL: usize = 17;
        if rules.board().points() <= SMALL { Phase::All } else { Phase::Moving }
    }
}

/// Which units of a game are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    Everything,
    /// Those with at most so many stones of both sides, on the board and in hand.
    MaxStones(u8),
    /// Those of these sectors, and what they depend on.
    Sectors(Vec<Sector>),
}

/// A request that the game cannot meet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No game reaches this sector, or not in the phase that was asked for.
    #[error("sector {sector} does not occur in {rules}{phase}; its sectors are {sectors}")]
    NoSuchSector {
        /// The sector.
        sector: Sector,
        /// The rules' short name.
        rules: String,
        /// What was asked for, if not everything.
        phase: &'static str,
        /// Some of the sectors that do occur.
        sectors: String,
    },
    /// Nothing is left.
    #[error("no sector of {rules} has {} or fewer; the smallest has {fewest}", counted(*stones, "stone"))]
    Empty {
        /// The rules' short name.
        rules: String,
        /// The limit that was asked for.
        stones: u8,
        /// The fewest stones of a sector.
        fewest: u8,
    },
}

/// Units in an order in which they can be solved.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules.
    pub rules: Rules,
    /// The units, each after all that it depends on.
    pub units: Vec<Unit>,
}

impl Plan {
    /// Makes a plan.
    ///
    /// # Errors
    /// If the selection names what the game does not have.
    pub fn new(rules: &Rules, phase: Phase, selection: &Selection) -> Result<Self, PlanError> {
        let all = sectors(rules, phase);
        let wanted: Vec<Sector> = match selection {
            Selection::Everything => all.iter().copied().collect(),
            Selection::MaxStones(most) => {
                all.iter().copied().filter(|s| s.stones() <= *most).collect()
            }
            Selection::Sectors(wanted) => {
                if let Some(unknown) = wanted.iter().find(|s| !all.contains(s)) {
                    return Err(no_such_sector(rules, phase, *unknown, &all));
                }
                wanted.clone()
            }
        };
        if let (true, Selection::MaxStones(stones)) = (wanted.is_empty(), selection) {
            let fewest = all.iter().map(|s| s.stones()).min().unwrap_or(0);
            return Err(PlanError::Empty { rules: rules.short_name(), stones: *stones, fewest });
        }
        Ok(Self { rules: *rules, units: in_order(rules, &wanted) })
    }

    /// All sectors of the plan.
    pub fn sectors(&self) -> impl Iterator<Item = Sector> + '_ {
        self.units.iter().flat_map(|u| u.sectors())
    }
}

fn no_such_sector(
    rules: &Rules,
    phase: Phase,
    sector: Sector,
    all: &BTreeSet<Sector>,
) -> PlanError {
    const SHOWN: usize = 12;
    let mut names: Vec<String> = all.iter().take(SHOWN).map(Sector::to_string).collect();
    if all.len() > SHOWN {
        names.push(format!("… and {} more", all.len() - SHOWN));
    }
    PlanError::NoSuchSector {
        sector,
        rules: rules.short_name(),
        phase: if phase == Phase::Moving { " without stones in hand" } else { "" },
        sectors: names.join(", "),
    }
}

/// All sectors of a game. For [`Phase::All`] those that numbers of stones allow to be reached from
/// the empty board.
pub fn sectors(rules: &Rules, phase: Phase) -> BTreeSet<Sector> {
    match phase {
        Phase::Moving => {
            let sides = || 3..=rules.stones();
            let pairs = sides().flat_map(|own| sides().map(move |opp| Sector::moving(own, opp)));
            pairs.filter(|s| s.has_play(rules)).collect()
        }
        Phase::All => {
            let mut found = BTreeSet::new();
            let mut open = vec![Sector::start(rules)];
            while let Some(sector) = open.pop() {
                if found.insert(sector) {
                    open.extend(sector.successors(rules));
                }
            }
            found
        }
    }
}

/// The units of these sectors and all that they depend on: few stones first, then few in hand, so
/// that tables are needed soon after they are made.
fn in_order(rules: &Rules, sectors: &[Sector]) -> Vec<Unit> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Unit> = sectors.iter().map(|s| Unit::of(*s, rules)).collect();
    while let Some(unit) = open.pop() {
        if found.insert(unit) {
            open.extend(dependencies(rules, unit));
        }
    }
    let mut roots: Vec<Unit> = found.into_iter().collect();
    roots.sort_by_key(|u| (u.first().stones(), u.first().own_hand + u.first().opponent_hand, *u));
    let mut placed = BTreeSet::new();
    let mut order = Vec::new();
    for root in roots {
        // Each unit is met twice: it waits below its dependencies, then it is placed.
        let mut waiting = vec![(root, false)];
        while let Some((unit, dependencies_placed)) = waiting.pop() {
            if placed.contains(&unit) {
                continue;
            }
            if dependencies_placed {
                placed.insert(unit);
                order.push(unit);
                continue;
            }
            waiting.push((unit, true));
            waiting.extend(dependencies(rules, unit).into_iter().rev().map(|u| (u, false)));
        }
    }
    order
}

/// The units that a unit depends on, in ascending order.
pub fn dependencies(rules: &Rules, unit: Unit) -> BTreeSet<Unit> {
    unit.depends_on(rules).into_iter().map(|s| Unit::of(s, rules)).collect()
}
