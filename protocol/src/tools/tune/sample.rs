//! Positions with exact values, drawn by lot from tables.
//!
//! Positions are drawn in families that share the stones of one side: their values stand in one row
//! of a table, so that what has been decoded for one serves the others.

use millrace_engine::{
    Color, Outcome, Position, Rules,
    board::Points,
    search::Chance,
    table::{Sector, Tables, Value, Wdl},
};
use rayon::prelude::*;

/// A position and what is aimed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// Who wins, from 0, a loss of the side to move, to 1, a win.
    pub target: f32,
}

/// Positions of a family whose values stand in one row.
const FAMILY: usize = 256;
/// Positions of a family whose values follow from those of several rows.
const DERIVED_FAMILY: usize = GREATEST_FAMILY;
/// Draws for each position of a family before it is given up.
const TRIES: usize = 8;
/// Of positions whose values must be brought together from rows of their own, one of so many is
/// kept.
const COSTLY: u64 = 8;

/// Positions of a family of the placing phase: closed mills lead to other rows, too many for a few.
const PLACING_FAMILY: usize = GREATEST_FAMILY;
/// The same with one stone left to place.
const LAST_PLACING_FAMILY: usize = 48;
/// Draws for each of them. Most never come up: a mill has cost the other side a stone, and stays.
const PLACING_TRIES: usize = 32;
/// Of those that never come up, one of so many is kept, for searches make odd turns.
const UNLIKELY: u64 = 16;

/// Positions of the greatest families. If so few positions are wanted that not even
/// [`FEWEST_FAMILIES`] come together, all families are smaller by as much: positions of one are alike, and of
/// few families there would be none to judge by that is unlike those that were learnt.
const GREATEST_FAMILY: usize = 1024;
const FEWEST_FAMILIES: usize = 64;
/// Families that are drawn at a time.
const ROUND: usize = 256;
/// Families after which it is taken that there are no tables, and after which nothing more is drawn.
const PATIENT: u64 = 1000;
const LAST_FAMILY: u64 = 10_000_000;

/// Where positions are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Nobody has stones in hand.
    Moving,
    /// Stones are left to place.
    Placing,
}

impl Part {
    /// Both.
    pub const ALL: [Part; 2] = [Part::Moving, Part::Placing];

    /// The part that a position belongs to.
    pub fn of(position: &Position) -> Self {
        if position.is_moving_phase() { Part::Moving } else { Part::Placing }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Part::Moving => "moving",
            Part::Placing => "placing",
        }
    }
}

/// Draws about so many positions of a part of the game for which there are tables. The same seed
/// draws the same, however many threads there are; `advance` hears of each family.
pub fn draw(
    tables: &Tables,
    part: Part,
    count: usize,
    seed: u64,
    advance: &(dyn Fn(u64) + Sync),
) -> Vec<Sample> {
    let most = count.div_ceil(FEWEST_FAMILIES).min(GREATEST_FAMILY);
    let mut drawn: Vec<Sample> = Vec::with_capacity(count);
    let mut number = 0;
    // In rounds, since how many a family has is not known before.
    while drawn.len() < count && number < LAST_FAMILY {
        let wanted = (count - drawn.len()).div_ceil(scaled(FAMILY, most)).clamp(1, ROUND) as u64;
        let families: Vec<Vec<Sample>> = (number..number + wanted)
            .into_par_iter()
            .map(|number| {
                let place = (number + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
                let family = family(tables, part, most, &mut Chance::new(seed, place));
                advance(family.len() as u64);
                family
            })
            .collect();
        if families.iter().all(Vec::is_empty) && drawn.is_empty() && number >= PATIENT {
            break;
        }
        number += wanted;
        drawn.extend(families.into_iter().flatten());
    }
    drawn.truncate(count);
    drawn
}

/// The numbers of stones of a family: each total on the board as often as the others.
fn sector(rules: &Rules, part: Part, chance: &mut Chance) -> Option<Sector> {
    let most = u64::from(rules.stones());
    let mut between = |low: u64, high: u64| low + chance.below((high + 1).saturating_sub(low));
    let (own, opponent, hands) = match part {
        Part::Moving => {
            let total = between(6, 2 * most);
            let own = between(3.max(total.saturating_sub(most)), most.min(total - 3));
            (own, total - own, [0; 2])
        }
        Part::Placing => {
            // Who is to move has as many left as the other, or one more. There are more positions with
            // few left, and it is there that searches end.
            let left = between(1, 2 * most).min(between(1, 2 * most));
            let hands = [left.div_ceil(2), left / 2];
            // Few stones are lost while placing, and most often none.
            let mut placed = |hand: u64| {
                let lost = between(0, 3).min(between(0, 3));
                (most - hand).checked_sub(lost)
            };
            let own = placed(hands[0])?;
            (own, placed(hands[1])?, hands)
        }
    };
    let [own, opponent, own_hand, opponent_hand] =
        [own, opponent, hands[0], hands[1]].map(|n| n as u8);
    Some(Sector { own, opponent, own_hand, opponent_hand })
}

/// The size of a family where the greatest ones have `most` positions.
fn scaled(size: usize, most: usize) -> usize {
    (size * most / GREATEST_FAMILY).max(1)
}

fn family(tables: &Tables, part: Part, most: usize, chance: &mut Chance) -> Vec<Sample> {
    match part {
        Part::Moving => moving_family(tables, most, chance),
        Part::Placing => placing_family(tables, most, chance),
    }
}

fn moving_family(tables: &Tables, most: usize, chance: &mut Chance) -> Vec<Sample> {
    let rules = tables.rules();
    let mut found = Vec::new();
    let drawn = sector(rules, Part::Moving, chance).filter(|s| tables.has(*s));
    let Some(mut sector) = drawn else { return found };
    // The greater side's stones are the row; between equals either may be. Derived families are
    // greater, and drawn less often.
    let may_derive = chance.below((DERIVED_FAMILY / FAMILY) as u64) == 0;
    if sector.own < sector.opponent && !may_derive {
        sector = sector.swapped();
    }
    let own_is_row = sector.own > sector.opponent || sector.own == sector.opponent && !may_derive;
    let size = scaled(if own_is_row { FAMILY } else { DERIVED_FAMILY }, most);
    let is_near = !own_is_row && sector.opponent - sector.own <= 1;
    let kin = Kin::new(rules, sector, own_is_row, chance);
    for _ in 0..TRIES * size {
        if found.len() == size {
            break;
        }
        let Some(position) = kin.draw(rules, chance) else { continue };
        if sector.own == sector.opponent && tables.stores(&position) != own_is_row {
            continue;
        }
        if is_near
            && position.turns(rules).iter().any(|turn| turn.is_removal())
            && chance.below(COSTLY) > 0
        {
            continue;
        }
        // The distance of a derived value would need those of all turns.
        let target = match own_is_row {
            true => tables.value(&position).map(target),
            false => tables.wdl(&position).map(usual_target),
        };
        found.extend(target.map(|target| Sample { position, target }));
    }
    found
}

fn placing_family(tables: &Tables, most: usize, chance: &mut Chance) -> Vec<Sample> {
    let rules = tables.rules();
    let mut found = Vec::new();
    let drawn = sector(rules, Part::Placing, chance).filter(|s| tables.has(*s));
    let Some(sector) = drawn else { return found };
    // Where a placement of the side to move comes first, it is the opponent's stones that stay.
    let own_is_row = sector.own_hand == sector.opponent_hand;
    let lost = [(sector.opponent, sector.opponent_hand), (sector.own, sector.own_hand)]
        .map(|(board, hand)| u32::from(rules.stones().saturating_sub(board + hand)));
    let comes_up = |stones: u32, lost: u32| {
        let mills = mills(rules, stones);
        mills.div_ceil(2) <= lost && lost <= mills
    };
    let mut kin = Kin::new(rules, sector, own_is_row, chance);
    for _ in 0..PLACING_TRIES {
        if comes_up(kin.shared, lost[usize::from(!own_is_row)]) {
            break;
        }
        kin = Kin::new(rules, sector, own_is_row, chance);
    }
    // After the last placement, half of the positions are not stored, and lead to many rows.
    let is_last = sector.own_hand + sector.opponent_hand == 1;
    let size = scaled(if is_last { LAST_PLACING_FAMILY } else { PLACING_FAMILY }, most);
    for _ in 0..PLACING_TRIES * size {
        if found.len() == size {
            break;
        }
        let Some(position) = kin.draw(rules, chance) else { continue };
        let likely = comes_up(position.own(), lost[0]) && comes_up(position.opponent(), lost[1]);
        if !likely && chance.below(UNLIKELY) > 0 {
            continue;
        }
        let target = tables.value(&position).map(target);
        found.extend(target.map(|target| Sample { position, target }));
    }
    found
}

/// Lines full of stones of one side.
fn mills(rules: &Rules, stones: u32) -> u32 {
    let g = rules.board().geometry();
    g.lines[..g.line_count].iter().map(|line| u32::from(line & !stones == 0)).sum()
}

/// Positions that share the stones of one side.
struct Kin {
    sector: Sector,
    own_is_row: bool,
    shared: u32,
}

impl Kin {
    fn new(rules: &Rules, sector: Sector, own_is_row: bool, chance: &mut Chance) -> Self {
        let count = if own_is_row { sector.own } else { sector.opponent };
        Self { sector, own_is_row, shared: points(chance, rules.board().all(), count) }
    }

    /// One of them, if the draw gives one of the rules in which the game goes on.
    fn draw(&self, rules: &Rules, chance: &mut Chance) -> Option<Position> {
        let Self { sector, own_is_row, shared } = *self;
        let count = if own_is_row { sector.opponent } else { sector.own };
        let varied = points(chance, rules.board().all() & !shared, count);
        let stones = if own_is_row { [shared, varied] } else { [varied, shared] };
        let hands = [sector.own_hand, sector.opponent_hand];
        let position = Position::new(rules, stones, hands, Color::White).ok()?;
        (position.outcome(rules) == Outcome::Ongoing).then_some(position)
    }
}

/// So many of the points, each set with the same chance.
fn points(chance: &mut Chance, from: u32, count: u8) -> u32 {
    let mut left: Vec<usize> = Points(from).collect();
    (0..count)
        .fold(0, |set, _| set | 1 << left.swap_remove(chance.below(left.len() as u64) as usize))
}

/// Plies after which the difference between early and late wins has fallen to about a third.
const HASTE: f32 = 30.0;

/// What a value is worth: a late win is a little less than an early one, so that there is a way to
/// go.
pub fn target(value: Value) -> f32 {
    let soon = (-f32::from(value.plies) / HASTE).exp();
    match value.wdl {
        Wdl::Win => 0.92 + 0.08 * soon,
        Wdl::Draw => 0.5,
        Wdl::Loss => 0.08 - 0.08 * soon,
    }
}

/// The plies that are taken for those of a decided position whose distance is not known.
const USUAL: u16 = 30;

/// What a value is worth of which the distance is not known.
pub fn usual_target(wdl: Wdl) -> f32 {
    target(Value { wdl, plies: USUAL })
}
