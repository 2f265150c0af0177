//! What a match has shown, for people and for programs.

use super::{
    rating::{Rating, ratings},
    runner::End,
    settings::Settings,
    sprt::{Decision, Model, Sprt},
    standing::Standing,
    stats::{Estimate, Tally},
};
use millrace_engine::text::counted;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::{self, Write},
    time::Duration,
};

/// A report.
#[derive(Debug, Serialize)]
pub struct Report {
    rules: String,
    fingerprint: String,
    games_played: usize,
    games_planned: usize,
    pairs_counted: u64,
    engines: Vec<EngineReport>,
    pairings: Vec<PairingReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    /// Games that White won, drew and lost.
    white: [u64; 3],
    endings: BTreeMap<String, u64>,
    /// Unknown before a pair is complete.
    plies_a_game: Option<f64>,
    repeated_games: u64,
    /// By how much the latest answer was late that lost a game on time.
    #[serde(skip_serializing_if = "Option::is_none")]
    latest_ms: Option<f64>,
    end: &'static str,
    seconds: f64,
    #[serde(skip)]
    rate: f64,
}

#[derive(Debug, Serialize)]
struct EngineReport {
    name: String,
    limit: String,
    pairs: u64,
    /// Unknown before a pair is complete.
    score: Option<f64>,
    rating: Rating,
    troubles: BTreeMap<&'static str, u64>,
}

#[derive(Debug, Serialize)]
struct PairingReport {
    first: String,
    second: String,
    wins: u64,
    draws: u64,
    losses: u64,
    /// By points of the first engine: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    /// This and all that follows is unknown before a pair is complete.
    score: Option<Estimate>,
    elo: Option<Estimate>,
    normalized_elo: Option<Estimate>,
    superiority: Option<f64>,
    draw_ratio: Option<f64>,
    #[serde(skip)]
    tally: Tally,
}

#[derive(Debug, Serialize)]
struct SprtReport {
    #[serde(flatten)]
    test: Sprt,
    llr: f64,
    lower: f64,
    upper: f64,
    decision: Decision,
}

/// The time of this run and the games played in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// The time.
    pub time: Duration,
    /// The games.
    pub games: usize,
}

impl Report {
    /// The report of a match that stands so.
    pub fn new(settings: &Settings, standing: &Standing, end: End, pace: Pace) -> Self {
        let schedule = settings.schedule();
        let results: Vec<([usize; 2], Tally)> =
            schedule.pairings().iter().copied().zip(standing.tallies.iter().copied()).collect();
        let rated = ratings(settings.players.len(), &results);
        let name = |index: usize| settings.players[index].name.clone();
        let engine = |index: usize| {
            let own = results.iter().fold(Tally::default(), |sum, ([a, b], tally)| match index {
                i if i == *a => sum.plus(tally),
                i if i == *b => sum.plus(&tally.mirrored()),
                _ => sum,
            });
            EngineReport {
                name: name(index),
                limit: settings.players[index].limit.describe(),
                pairs: own.count(),
                score: known(&own, own.score()),
                rating: rated[index],
                troubles: standing.troubles[index].clone(),
            }
        };
        let sprt = settings.sprt.map(|test| {
            let ((lower, upper), llr) = (test.bounds(), standing.llr);
            SprtReport { test, llr, lower, upper, decision: standing.decision }
        });
        let counted = 2 * standing.pairs();
        let plies_a_game = (counted > 0).then(|| standing.plies as f64 / counted as f64);
        let seconds = pace.time.as_secs_f64();
        Self {
            rules: settings.rules.to_string(),
            fingerprint: format!("{:016x}", settings.rules.fingerprint()),
            games_played: standing.played,
            games_planned: 2 * schedule.pair_count(),
            pairs_counted: standing.pairs(),
            engines: (0..settings.players.len()).map(engine).collect(),
            pairings: results
                .iter()
                .map(|([a, b], tally)| PairingReport::new(name(*a), name(*b), tally))
                .collect(),
            sprt,
            white: standing.white,
            endings: standing.endings.clone(),
            plies_a_game,
            repeated_games: standing.repeated,
            latest_ms: standing.latest.map(|latest| latest.as_secs_f64() * 1e3),
            end: match end {
                End::Complete => "complete",
                End::Verdict => "verdict",
                End::Troubles => "troubles",
                End::Interrupted => "interrupted",
                End::Unfinished => "unfinished",
            },
            seconds,
            rate: pace.games as f64 / seconds.max(1e-9),
        }
    }
}

impl PairingReport {
    fn new(first: String, second: String, tally: &Tally) -> Self {
        let [wins, draws, losses] = tally.games;
        let of_tally = |estimate: Estimate| known(tally, estimate);
        Self {
            first,
            second,
            wins,
            draws,
            losses,
            pairs: tally.pairs,
            score: of_tally(tally.score_interval()),
            elo: of_tally(tally.elo()),
            normalized_elo: of_tally(tally.normalized_elo()),
            superiority: known(tally, tally.superiority()),
            draw_ratio: known(tally, tally.draw_ratio()),
            tally: *tally,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = &self.tally;
        writeln!(f, "{} against {}", self.first, self.second)?;
        if tally.count() == 0 {
            return writeln!(f, "  no pair of games is complete");
        }
        let [zero, half, one, more, two] = self.pairs;
        let (games, score) = ((self.wins + self.draws + self.losses) as f64, tally.score());
        // Whole and half points, whatever a mean lost in its last digits.
        let points = (score * games * 2.0).round() / 2.0;
        writeln!(f, "  score       {points} : {} of {games}, {}", games - points, Percent(score))?;
        writeln!(
            f,
            "  games       {} won, {} drawn, {} lost; {} drawn",
            self.wins,
            self.draws,
            self.losses,
            Percent(tally.draw_ratio())
        )?;
        writeln!(f, "  pairs       0: {zero}, ½: {half}, 1: {one}, 1½: {more}, 2: {two}")?;
        writeln!(f, "  Elo         {}", Interval(&tally.elo()))?;
        writeln!(f, "  normalized  {}", Interval(&tally.normalized_elo()))?;
        writeln!(f, "  LOS         {}", Percent(tally.superiority()))
    }
}

/// Something that pairs tell, if there are some.
fn known<T>(tally: &Tally, told: T) -> Option<T> {
    (tally.count() > 0).then_some(told)
}

/// A share as a percentage.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} %", 100.0 * self.0)
    }
}

/// An estimate with its bounds.
struct Interval<'a>(&'a Estimate);

impl fmt::Display for Interval<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { low, value, high } = self.0;
        write!(f, "{value:+.1} (95 %: {low:+.1} to {high:+.1})")
    }
}

fn sprt_line(test: &Sprt, llr: f64, decision: Decision) -> String {
    let (lower, upper) = test.bounds();
    let model = match test.model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
    };
    let verdict = match decision {
        Decision::Open => "no verdict",
        Decision::H0 => "H0 accepted",
        Decision::H1 => "H1 accepted",
    };
    format!(
        "LLR {llr:.2} ({lower:.2}, {upper:.2}) [{}, {}] {model}: {verdict}",
        test.elo0, test.elo1
    )
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} of {} games, {} counted",
            self.rules,
            self.games_played,
            self.games_planned,
            counted(self.pairs_counted, "pair")
        )?;
        for engine in &self.engines {
            writeln!(f, "  {} ({})", engine.name, engine.limit)?;
        }
        for pairing in &self.pairings {
            pairing.write(f)?;
        }
        if self.engines.len() > 2 {
            self.write_ratings(f)?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(f, "  SPRT        {}", sprt_line(&sprt.test, sprt.llr, sprt.decision))?;
        }
        let [wins, draws, losses] = self.white;
        writeln!(f, "White         {wins} won, {draws} drawn, {losses} lost")?;
        let endings: Vec<String> = self.endings.iter().map(|(e, n)| format!("{e} {n}")).collect();
        match self.plies_a_game {
            Some(plies) => {
                writeln!(f, "endings       {}; {plies:.1} plies a game", endings.join(", "))?;
            }
            None => writeln!(f, "endings       none counted")?,
        }
        if self.repeated_games > 0 {
            let games = counted(self.repeated_games, "game");
            writeln!(f, "repetitions   {games} the same as an earlier one")?;
        }
        writeln!(f, "troubles      {}", self.list_troubles())?;
        if let Some(latest) = self.latest_ms {
            let margin = latest.ceil().max(1.0);
            writeln!(
                f,
                "time losses   the latest answer was {latest:.1} ms late; 'timemargin={margin}' in --each \
                 would forgive that"
            )?;
        }
        match self.end {
            "complete" | "verdict" => {}
            end => writeln!(f, "end           {end}")?,
        }
        match self.rate {
            0.0 => write!(f, "time          not measured"),
            rate => write!(f, "time          {:.1} s, {rate:.1} games/s", self.seconds),
        }
    }
}

impl Report {
    fn list_troubles(&self) -> String {
        let of_engine = |engine: &EngineReport| {
            let list: Vec<String> =
                engine.troubles.iter().map(|(what, n)| format!("{n} × {what}")).collect();
            (!list.is_empty()).then(|| format!("{}: {}", engine.name, list.join(", ")))
        };
        let list: Vec<String> = self.engines.iter().filter_map(of_engine).collect();
        if list.is_empty() { "none".to_string() } else { list.join("; ") }
    }

    fn write_ratings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<&EngineReport> = self.engines.iter().collect();
        order.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        let width = order.iter().map(|e| e.name.chars().count()).max().unwrap_or(0);
        writeln!(f, "{:<width$}   rating    ±95 %   games    score", "ratings")?;
        for engine in order {
            let Rating { elo, margin } = engine.rating;
            let games = 2 * engine.pairs;
            let score = engine.score.map_or("-".to_string(), |score| Percent(score).to_string());
            writeln!(f, "{:<width$} {elo:>+8.1} {margin:>8.1} {games:>7} {score:>9}", engine.name)?;
        }
        Ok(())
    }
}

/// The standing in one line.
pub fn one_line(settings: &Settings, standing: &Standing) -> String {
    let mut text = counted(standing.pairs(), "pair");
    // A terminal cuts the line off, and the test is what a match with one is played for.
    if let Some(test) = &settings.sprt {
        let (lower, upper) = test.bounds();
        let _ = write!(text, ", LLR {:.2} ({lower:.2}, {upper:.2})", standing.llr);
    }
    if standing.pairs() == 0 {
        return text;
    }
    if let [tally] = standing.tallies.as_slice() {
        let ([wins, draws, losses], [zero, half, one, more, two]) = (tally.games, tally.pairs);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            ", {}: +{wins} ={draws} -{losses}, pairs {zero}-{half}-{one}-{more}-{two}, Elo {}, LOS {}",
            settings.players[0].name,
            Interval(&tally.elo()),
            Percent(tally.superiority()),
        );
    } else {
        let schedule = settings.schedule();
        let results: Vec<_> =
            schedule.pairings().iter().copied().zip(standing.tallies.iter().copied()).collect();
        let rated = ratings(settings.players.len(), &results);
        let mut order: Vec<_> = settings.players.iter().zip(rated).collect();
        order.sort_by(|a, b| b.1.elo.total_cmp(&a.1.elo));
        for (player, rating) in order {
            let _ = write!(text, ", {} {:+.0}", player.name, rating.elo);
        }
    }
    text
}
