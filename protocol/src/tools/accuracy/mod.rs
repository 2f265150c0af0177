//! How often the engine without tables, or another engine, makes a turn that keeps the value of the
//! position, win or draw, judged by tables. Positions are drawn by lot, so the figure is one of play, not of openings.

mod contestant;

use crate::{r#match::player::PlayerSettings, table_folders};
use anyhow::{bail, ensure};
use contestant::{Contestant, Other, Own, around};
use indicatif::ProgressBar;
use millrace_engine::{
    Color, Game, Outcome, Position, Rules, Turn,
    search::{self, Limits},
    solve::Solver,
    table::{Sector, Tables, Wdl},
    text::{counted, fen},
};
use serde::Serialize;
use std::{path::PathBuf, sync::atomic::AtomicBool, time::Duration};

/// How to measure.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is played.
    pub rules: Rules,
    /// Folders with tables.
    pub folders: Vec<PathBuf>,
    /// Positions of each band and kind.
    pub positions: usize,
    /// Whether positions with stones in hand are left out.
    pub moving_only: bool,
    /// The limits of each turn.
    pub limits: Limits,
    /// The engine's settings; tables are turned off.
    pub search: search::Settings,
    /// Another engine to be measured instead, within limits of its own.
    pub engine: Option<PlayerSettings>,
    /// Start of the lot.
    pub seed: u64,
}

/// The stones on the board of a band, fewest and most; or the stones in hand.
#[derive(Clone, Copy, Debug)]
enum Band {
    Moving(u8, u8),
    Placing(u8),
}

/// Bands of both phases: stones on the board, and stones in hand while placing.
const BANDS: &[Band] = &[
    Band::Moving(6, 9),
    Band::Moving(10, 12),
    Band::Moving(13, 15),
    Band::Moving(16, 18),
    Band::Placing(2),
    Band::Placing(4),
    Band::Placing(6),
];
/// Draws of the lot for each position that is wanted, before a band is given up.
const TRIES: usize = 4000;
/// Memory for tables and for the search of placing positions.
const MEMORY: usize = 256 << 20;

/// A row of the report.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Stones on the board, or in hand.
    pub band: String,
    /// `hard` if at most a quarter of the turns keep the value, else `other`.
    pub kind: &'static str,
    /// Positions.
    pub positions: usize,
    /// Those in which the value was kept.
    pub kept: usize,
    /// The share kept, in percent, and its 95 % bounds.
    pub percent: [f64; 3],
    /// Milliseconds that a turn took on average.
    pub mean_ms: f64,
}

/// The report.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The rules.
    pub rules: String,
    /// The engine, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// What is doubtful about its options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Start of the lot.
    pub seed: u64,
    /// The table.
    pub rows: Vec<Row>,
    /// Positions in which the value was lost, with the turn made.
    pub failed: Vec<(String, String)>,
    /// Bands of which no positions were found, and why.
    pub left_out: Vec<String>,
}

/// The lot.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % n.max(1)
    }

    /// So many of the points, each set with the same chance.
    fn points(&mut self, from: u32, count: u8) -> u32 {
        let mut left: Vec<u32> = (0..24).filter(|p| from >> p & 1 == 1).collect();
        let mut set = 0;
        for _ in 0..count {
            let place = self.below(left.len() as u64) as usize;
            set |= 1 << left.swap_remove(place);
        }
        set
    }

    /// A position of a band, if the draw gives one of the rules.
    fn position(&mut self, rules: &Rules, band: Band) -> Option<Position> {
        let most = rules.stones();
        let (counts, hands) = match band {
            Band::Moving(low, high) => {
                let total = low + self.below(u64::from(high - low) + 1) as u8;
                let least = total.saturating_sub(most).max(3);
                let greatest = most.min(total.checked_sub(3)?);
                let first = least + self.below(u64::from(greatest.checked_sub(least)?) + 1) as u8;
                ([first, total - first], [0; 2])
            }
            Band::Placing(hands) => {
                let each = hands / 2;
                let placed = most.checked_sub(each)?;
                // A stone has been removed of each side as often as not.
                let lost = [self.below(2) as u8, self.below(2) as u8];
                (lost.map(|l| placed.saturating_sub(l)), [each; 2])
            }
        };
        let all = rules.board().all();
        let own = self.points(all, counts[0]);
        let opponent = self.points(all & !own, counts[1]);
        let position = Position::new(rules, [own, opponent], hands, Color::White).ok()?;
        (position.outcome(rules) == Outcome::Ongoing).then_some(position)
    }
}

/// A position with the turns that keep its value.
struct Drawn {
    position: Position,
    keeping: Vec<Turn>,
    hard: bool,
}

/// Runs the measurement.
///
/// # Errors
/// If no band's tables are at hand, or another engine does not start, crashes or does not answer.
pub fn run(settings: &Settings) -> anyhow::Result<Report> {
    let Some(engine) = &settings.engine else {
        return measure_all(settings, &mut Own::new(settings));
    };
    let around = around(settings.rules)?;
    let (mut other, warnings) = Other::start(engine, &around)?;
    let report = measure_all(settings, &mut other)?;
    Ok(Report { engine: Some(engine.name.clone()), warnings, ..report })
}

fn measure_all(settings: &Settings, contestant: &mut dyn Contestant) -> anyhow::Result<Report> {
    let rules = settings.rules;
    ensure!(!rules.line_wins(), "there are no bands of stones in {rules}");
    // What was measured without them would be taken for what was measured with them.
    table_folders::check_all(&rules, &settings.folders)?;
    let tables = Tables::new(rules, &settings.folders, MEMORY);
    let stop = AtomicBool::new(false);
    let solver = Solver::new(&tables, MEMORY, 1, &stop);
    let mut report = Report {
        rules: rules.short_name(),
        engine: None,
        warnings: Vec::new(),
        seed: settings.seed,
        rows: Vec::new(),
        failed: Vec::new(),
        left_out: tables.take_faults(),
    };
    // Seen on a terminal only.
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_secs(1));
    for (number, band) in BANDS.iter().enumerate() {
        let Some(band) = band.within(&rules) else { continue };
        if settings.moving_only && matches!(band, Band::Placing(_)) {
            continue;
        }
        let mut lot = Lot(settings.seed.wrapping_add(number as u64 * 0x9e37_79b9));
        let drawn = draw(&tables, &solver, &mut lot, band, settings.positions, &bar);
        report.left_out.extend(tables.take_faults());
        if drawn.is_empty() {
            report.left_out.push(format!("{}: no such positions with tables", band.name()));
        }
        for hard in [true, false] {
            let part: Vec<&Drawn> = drawn.iter().filter(|d| d.hard == hard).collect();
            if !part.is_empty() {
                let failed = &mut report.failed;
                let row = measure(contestant, &rules, band, hard, &part, failed, &bar)?;
                report.rows.push(row);
            }
        }
    }
    bar.finish_and_clear();
    if report.rows.is_empty() {
        bail!("{}\nno tables of {rules} are at hand", report.left_out.join("\n"));
    }
    Ok(report)
}

/// Draws positions of a band, as many hard ones as others.
fn draw(
    tables: &Tables,
    solver: &Solver,
    lot: &mut Lot,
    band: Band,
    wanted: usize,
    bar: &ProgressBar,
) -> Vec<Drawn> {
    let mut found = Vec::new();
    let mut missing = [wanted; 2];
    for _ in 0..wanted * TRIES {
        if missing == [0; 2] {
            break;
        }
        let Some(position) = lot.position(tables.rules(), band) else { continue };
        if matches!(band, Band::Moving(..)) && !tables.has(Sector::of(&position)) {
            continue;
        }
        let Some(drawn) = judge(tables, solver, position) else { continue };
        let left = &mut missing[usize::from(drawn.hard)];
        if *left > 0 {
            *left -= 1;
            found.push(drawn);
            let drawn = counted(found.len(), "position");
            bar.set_message(format!("{}: {drawn} drawn", band.name()));
        }
    }
    found
}

/// The turns that keep the value; none if all do or none does, or the value is not known.
fn judge(tables: &Tables, solver: &Solver, position: Position) -> Option<Drawn> {
    let turns = position.turns(tables.rules());
    let mut valued = Vec::with_capacity(turns.len());
    for turn in turns {
        let next = position.after(turn);
        valued.push((turn, solver.value(&next).ok()?.reversed()));
    }
    let best: Wdl = valued.iter().map(|(_, value)| *value).max()?;
    let all = valued.len();
    let keeping: Vec<Turn> =
        valued.into_iter().filter(|(_, v)| *v == best).map(|(turn, _)| turn).collect();
    let hard = keeping.len() * 4 <= all;
    (keeping.len() < all).then_some(Drawn { position, keeping, hard })
}

fn measure(
    contestant: &mut dyn Contestant,
    rules: &Rules,
    band: Band,
    hard: bool,
    part: &[&Drawn],
    failed: &mut Vec<(String, String)>,
    bar: &ProgressBar,
) -> anyhow::Result<Row> {
    let mut kept = 0;
    let mut time = Duration::ZERO;
    for (number, drawn) in part.iter().enumerate() {
        let all = counted(part.len(), "turn");
        bar.set_message(format!("{}: {number} of {all}", band.name()));
        let choice = contestant.choose(&Game::from_position(*rules, drawn.position))?;
        time += choice.time;
        if choice.turn.is_some_and(|turn| drawn.keeping.contains(&turn)) {
            kept += 1;
        } else {
            failed.push((fen(rules, &drawn.position), choice.text));
        }
    }
    Ok(Row {
        band: band.name(),
        kind: if hard { "hard" } else { "other" },
        positions: part.len(),
        kept,
        percent: bounds(kept, part.len()),
        mean_ms: time.as_secs_f64() * 1000.0 / part.len() as f64,
    })
}

/// A share in percent with its 95 % bounds (Edwin Wilson 1927).
fn bounds(kept: usize, all: usize) -> [f64; 3] {
    const Z: f64 = 1.959_964;
    let (n, p) = (all as f64, kept as f64 / all as f64);
    let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    [p, middle - half, middle + half].map(|share| (share * 100.0).clamp(0.0, 100.0))
}

impl Band {
    /// The part of the band that a game can come to.
    fn within(self, rules: &Rules) -> Option<Self> {
        let (each, all) = (rules.stones(), 2 * rules.stones());
        match self {
            Band::Moving(low, high) => (low <= all).then_some(Band::Moving(low, high.min(all))),
            Band::Placing(hands) => (hands / 2 <= each).then_some(self),
        }
    }

    fn name(self) -> String {
        match self {
            Band::Moving(low, high) if low == high => format!("{low} stones"),
            Band::Moving(low, high) => format!("{low}-{high} stones"),
            Band::Placing(hands) => format!("{hands} in hand"),
        }
    }
}

impl Report {
    /// The report as lines.
    pub fn list(&self) -> String {
        let mut text = format!("Rules: {}\nSeed: {}\n", self.rules, self.seed);
        if let Some(engine) = &self.engine {
            text += &format!("Engine: {engine}\n");
        }
        for warning in &self.warnings {
            text += &format!("warning: {warning}\n");
        }
        text += &format!(
            "{:<14} {:<6} {:>9} {:>6} {:>7} {:>15} {:>9}\n",
            "band", "kind", "positions", "kept", "%", "95 %", "ms"
        );
        for row in &self.rows {
            let [share, low, high] = row.percent;
            let range = format!("{low:.1} - {high:.1}");
            text += &format!(
                "{:<14} {:<6} {:>9} {:>6} {share:>7.1} {range:>15} {:>9.1}\n",
                row.band, row.kind, row.positions, row.kept, row.mean_ms
            );
        }
        for note in &self.left_out {
            text += &format!("left out: {note}\n");
        }
        for (position, turn) in &self.failed {
            text += &format!("failed: {position} {turn}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_the_share() {
        assert_eq!(bounds(0, 10)[0], 0.0);
        let [share, low, high] = bounds(90, 100);
        assert!(
            (share - 90.0).abs() < 1e-9
                && (low - 82.56).abs() < 0.01
                && (high - 94.48).abs() < 0.01
        );
        assert!(bounds(10, 10)[2] <= 100.0);
    }

    #[test]
    fn the_lot_draws_positions_of_its_band() {
        let rules = Rules::default();
        let mut lot = Lot(7);
        for band in BANDS {
            let drawn: Vec<Position> =
                (0..200).filter_map(|_| lot.position(&rules, *band)).collect();
            assert!(drawn.len() > 20, "{}", band.name());
            for position in drawn {
                let stones = (position.own() | position.opponent()).count_ones() as u8;
                match band {
                    Band::Moving(low, high) => assert!((*low..=*high).contains(&stones)),
                    Band::Placing(hands) => {
                        assert_eq!(
                            position.hand(Color::White) + position.hand(Color::Black),
                            *hands
                        );
                    }
                }
            }
        }
    }
}
