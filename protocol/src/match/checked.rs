//! Settings made of flags: everything read, checked and given its default.

use super::{
    adjudicate::{Draw, Length, Resign},
    affinity,
    clock::{Limit, TimeControl, seconds},
    dialect::Proto,
    flags::MatchFlags,
    openings::{self, Opening, Order},
    pairs::{Pairs, words},
    player::PlayerSettings,
    schedule::Shard,
    settings::{Before, Means, Settings},
    sprt::Sprt,
    tables::TableSettings,
};
use crate::{bounded, table_folders};
use millrace_engine::{Rules, text::counted};
use std::{
    fmt::Display,
    path::{Path, PathBuf},
    str::FromStr,
    thread,
    time::Duration,
};

/// What is wrong with flags, or with the file that stands in for them.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {why}")]
pub struct Wrong {
    /// Where.
    place: String,
    /// What.
    why: String,
}

fn wrong(place: impl Display, why: impl Display) -> Wrong {
    Wrong { place: place.to_string(), why: why.to_string() }
}

/// A match to be played.
#[derive(Debug)]
pub struct Job {
    /// What.
    pub plan: Plan,
    /// How.
    pub means: Means,
    /// What the user should know before.
    pub warnings: Vec<String>,
}

/// What is to be played.
#[derive(Debug)]
pub enum Plan {
    /// A match from its beginning.
    Whole(Box<Settings>),
    /// The rest of a match.
    Rest(Box<Rest>),
}

/// What was said about a match that goes on.
#[derive(Debug)]
pub struct Rest {
    flags: MatchFlags,
    rules: Option<Rules>,
}

impl Rest {
    /// The settings that were given; those that were not are the saved ones.
    ///
    /// # Errors
    /// Names the first thing that is wrong.
    pub fn over(&self, saved: &Settings) -> Result<Settings, Wrong> {
        if self.flags.engine.is_empty() && self.flags.each.is_some() {
            return Err(wrong("--each", "of a match that goes on it takes every --engine as well"));
        }
        if self.flags.openings.is_none() && self.flags.seed.is_some() {
            return Err(wrong("--seed", "of a match that goes on it takes --openings as well"));
        }
        // What is doubtful was said when the match began.
        settings(&self.flags, self.rules, Some(saved), &mut Vec::new())
    }
}

/// Rounds without a test, and the most rounds with one.
const ROUNDS: u32 = 100;
const ROUNDS_OF_TEST: u32 = 50_000;
const MOST_ROUNDS: u32 = 1_000_000;
const MOST_CONCURRENT: usize = 1024;
const GUARD: f64 = 60.0;
const LONGEST_GAME: u32 = 2_000;

impl Job {
    /// Makes a job of flags, and of rules if they were given beside them.
    ///
    /// # Errors
    /// Names the first thing that is wrong.
    pub fn new(flags: MatchFlags, rules: Option<Rules>) -> Result<Self, Wrong> {
        let flags = match flags.config.clone() {
            Some(path) => {
                let place = format!("--config {}", path.display());
                let text = bounded::text(&path).map_err(|error| wrong(&place, error))?;
                flags.or(toml::from_str(&text).map_err(|error| wrong(&place, error))?)
            }
            None => flags,
        };
        let mut warnings = Vec::new();
        let means = means(&flags, &mut warnings)?;
        let plan = match means.before {
            Before::Resume => Plan::Rest(Box::new(Rest { flags, rules })),
            _ => Plan::Whole(Box::new(settings(&flags, rules, None, &mut warnings)?)),
        };
        Ok(Self { plan, means, warnings })
    }
}

fn within<T: PartialOrd + Display + Copy>(
    flag: &str,
    value: Option<T>,
    default: T,
    least: T,
    most: T,
) -> Result<T, Wrong> {
    match value {
        Some(value) if !(least..=most).contains(&value) => {
            Err(wrong(flag, format!("{value} is not within {least} to {most}")))
        }
        value => Ok(value.unwrap_or(default)),
    }
}

fn means(flags: &MatchFlags, warnings: &mut Vec<String>) -> Result<Means, Wrong> {
    let concurrency = within("--concurrency", flags.concurrency, 1, 1, MOST_CONCURRENT)?;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    if concurrency > processors {
        warnings.push(format!(
            "--concurrency {concurrency} on {processors} processors: engines will wait for each \
             other"
        ));
    }
    if flags.affinity && !affinity::WORKS {
        warnings.push("--affinity has no effect on this system".to_string());
    }
    Ok(Means {
        concurrency,
        affinity: flags.affinity,
        state: flags.state.clone().unwrap_or_else(|| PathBuf::from("match.state")),
        before: match (flags.resume, flags.overwrite) {
            (true, _) => Before::Resume,
            (_, true) => Before::Overwrite,
            _ => Before::Refuse,
        },
        record: flags.record.clone(),
        log: flags.log.clone(),
        json: flags.json,
        report_every: flags.report_every.unwrap_or(10),
    })
}

/// The part of the match that is to be played.
fn shard(flags: &MatchFlags, saved: Option<&Settings>) -> Result<Shard, Wrong> {
    match &flags.shard {
        None => Ok(saved.map_or(Shard::WHOLE, |saved| saved.shard)),
        Some(text) => {
            Shard::parse(text).ok_or_else(|| wrong("--shard", format!("'{text}' is not like 1/4")))
        }
    }
}

/// What can be done, but is hardly meant.
fn doubts(rounds: u32, shard: Shard, openings: usize, has_test: bool) -> Vec<String> {
    let mut found = Vec::new();
    if shard.index > rounds {
        let Shard { index, of } = shard;
        found.push(format!(
            "--shard {index}/{of} has none of the rounds, of which there are {rounds}"
        ));
    }
    if openings == 0 && rounds > 1 {
        found.push(
            "without --openings every pair begins from the empty board, and engines that always \
             play alike repeat their games; 'millrace openings' makes some"
                .to_string(),
        );
    } else if openings > 0 && (openings as u64) < u64::from(rounds) && !has_test {
        let (openings, rounds) = (counted(openings, "opening"), counted(rounds, "round"));
        found.push(format!("{openings} for {rounds}: each is played again"));
    }
    found
}

/// The settings of flags. What they leave open is as in `saved`, or has its default.
fn settings(
    flags: &MatchFlags,
    rules: Option<Rules>,
    saved: Option<&Settings>,
    warnings: &mut Vec<String>,
) -> Result<Settings, Wrong> {
    let rules = match (rules, &flags.rules) {
        (Some(rules), _) => rules,
        (None, Some(text)) => Rules::parse(text).map_err(|error| wrong("rules", error))?,
        (None, None) => saved.map_or_else(Rules::default, |saved| saved.rules),
    };
    let players = match saved {
        Some(saved) if flags.engine.is_empty() => saved.players.clone(),
        _ => players(flags)?,
    };
    let seeds = flags.seeds.or(saved.and_then(|saved| saved.seeds));
    if seeds.is_some_and(|seeds| !(1..players.len()).contains(&seeds)) {
        let most = players.len() - 1;
        return Err(wrong("--seeds", format!("with {} engines it takes 1 to {most}", most + 1)));
    }
    let of = |flag: &'static str, why: String| wrong(flag, why);
    let sprt = flags.sprt.as_ref().map(Sprt::parse).transpose().map_err(|e| of("--sprt", e))?;
    let sprt = sprt.or(saved.and_then(|saved| saved.sprt));
    if sprt.is_some() && players.len() > 2 {
        return Err(wrong("--sprt", "a test is between two engines"));
    }
    let default = if sprt.is_some() { ROUNDS_OF_TEST } else { ROUNDS };
    let default = saved.map_or(default, |saved| saved.rounds);
    let rounds = within("--rounds", flags.rounds, default, 1, MOST_ROUNDS)?;
    let shard = shard(flags, saved)?;
    let openings = arranged(flags, &rules)?;
    check_openings(&rules, &players, &openings)?;
    warnings.extend(doubts(rounds, shard, openings.len(), sprt.is_some()));
    let lines = match saved {
        Some(saved) if flags.openings.is_none() => saved.openings.clone(),
        _ => openings.iter().map(|opening| opening.text(&rules).to_string()).collect(),
    };
    let guard = saved.map_or(GUARD, |saved| saved.guard.as_secs_f64());
    let guard = within("--guard", flags.guard, guard, 0.01, 1e7)?;
    let resign = flags.resign.as_ref().map(Resign::parse).transpose();
    let draw = flags.draw.as_ref().map(Draw::parse).transpose();
    let plies = saved.map_or(LONGEST_GAME, |saved| saved.length.plies);
    let max_troubles = flags
        .max_troubles
        .map(|n| within("--max-troubles", Some(n), 1, 1, u64::MAX))
        .transpose()?;
    Ok(Settings {
        rules,
        players,
        seeds,
        rounds,
        shard,
        openings: lines,
        sprt,
        resign: resign.map_err(|e| of("--resign", e))?.or(saved.and_then(|saved| saved.resign)),
        draw: draw.map_err(|e| of("--draw", e))?.or(saved.and_then(|saved| saved.draw)),
        tables: tables(flags, &rules, saved.and_then(|saved| saved.tables.as_ref()))?,
        length: Length { plies: within("--max-plies", flags.max_plies, plies, 1, 1 << 20)? },
        guard: Duration::from_secs_f64(guard),
        max_troubles: max_troubles.or(saved.and_then(|saved| saved.max_troubles)),
    })
}

fn tables(
    flags: &MatchFlags,
    rules: &Rules,
    saved: Option<&TableSettings>,
) -> Result<Option<TableSettings>, Wrong> {
    let folders = flags.tables.as_ref().or(saved.map(|saved| &saved.folders));
    let ends = flags.tables_end.or(saved.map(|saved| saved.ends));
    let Some(folders) = folders else {
        return match ends {
            Some(_) => Err(wrong("--tables-end", "it says nothing without --tables")),
            None => Ok(None),
        };
    };
    table_folders::check_all(rules, folders).map_err(|error| wrong("--tables", error))?;
    Ok(Some(TableSettings { folders: folders.clone(), ends: ends.unwrap_or_default() }))
}

/// The openings in the order in which they are played.
fn arranged(flags: &MatchFlags, rules: &Rules) -> Result<Vec<Opening>, Wrong> {
    const FLAG: &str = "--openings";
    let Some(pairs) = &flags.openings else { return Ok(Vec::new()) };
    pairs.check(&["file", "order", "start"]).map_err(|error| wrong(FLAG, error))?;
    let file = pairs.get("file").ok_or_else(|| wrong(FLAG, "file= is missing"))?;
    let order = match pairs.get("order") {
        None | Some("sequential") => Order::Sequential,
        Some("random") => Order::Random,
        Some(other) => {
            return Err(wrong(FLAG, format!("order is '{other}'; it takes sequential or random")));
        }
    };
    let start = whole::<usize>(pairs, "start").map_err(|why| wrong(FLAG, why))?.unwrap_or(1);
    let text =
        bounded::text(Path::new(file)).map_err(|error| wrong(FLAG, format!("{file}: {error}")))?;
    let mut list =
        openings::read(rules, &text).map_err(|error| wrong(FLAG, format!("{file}: {error}")))?;
    if list.is_empty() {
        return Err(wrong(FLAG, format!("{file} has no openings in it")));
    }
    if start == 0 || start > list.len() {
        return Err(wrong(FLAG, format!("start is {start}; {file} has 1 to {}", list.len())));
    }
    let seed = within("--seed", flags.seed, 1, 1, u64::MAX)?;
    openings::arrange(&mut list, order, start, seed);
    Ok(list)
}

/// Refuses openings that an engine cannot be told.
fn check_openings(
    rules: &Rules,
    players: &[PlayerSettings],
    openings: &[Opening],
) -> Result<(), Wrong> {
    for player in players {
        let dialect = player.proto.dialect();
        let untold = |opening: &&Opening| dialect.position(rules, &opening.first).is_none();
        if let Some(opening) = openings.iter().find(untold) {
            return Err(wrong(
                "--openings",
                format!(
                    "{} cannot be told '{}' in its dialect, {}",
                    player.name,
                    opening.text(rules),
                    player.proto.name()
                ),
            ));
        }
    }
    Ok(())
}

fn players(flags: &MatchFlags) -> Result<Vec<PlayerSettings>, Wrong> {
    if flags.engine.len() < 2 {
        return Err(wrong("--engine", "a match takes two engines or more"));
    }
    let each = flags.each.clone().unwrap_or_default();
    each.check(KEYS).map_err(|error| wrong("--each", error))?;
    let mut players: Vec<PlayerSettings> = Vec::new();
    for (index, pairs) in flags.engine.iter().enumerate() {
        let place = format!("--engine (number {})", index + 1);
        let mut player = player(pairs, &each).map_err(|why| wrong(&place, why))?;
        let taken = |name: &str| players.iter().any(|other| other.name == name);
        if taken(&player.name) {
            if pairs.get("name").is_some() {
                return Err(wrong(&place, format!("the name {} is taken", player.name)));
            }
            let numbered = (2..).map(|n| format!("{}-{n}", player.name));
            player.name = numbered.into_iter().find(|name| !taken(name)).unwrap_or_default();
        }
        players.push(player);
    }
    Ok(players)
}

/// An engine that is described outside of a match.
///
/// # Errors
/// Names what is wrong.
pub fn lone(own: &Pairs, each: &Pairs) -> Result<PlayerSettings, Wrong> {
    player(own, each).map_err(|why| wrong("--engine", why))
}

/// The keys of an engine.
const KEYS: &[&str] = &[
    "cmd",
    "name",
    "args",
    "dir",
    "proto",
    "tc",
    "st",
    "nodes",
    "depth",
    "timemargin",
    "restart",
    "option.",
];

fn player(own: &Pairs, each: &Pairs) -> Result<PlayerSettings, String> {
    own.check(KEYS).map_err(|error| error.to_string())?;
    let pairs = own.clone().or(each);
    let cmd = pairs.get("cmd").filter(|cmd| !cmd.is_empty()).ok_or("cmd= is missing")?;
    let stem = Path::new(cmd).file_stem().map_or(cmd.into(), |stem| stem.to_string_lossy());
    let name = pairs.get("name").filter(|name| !name.is_empty()).unwrap_or(&stem).to_string();
    if name.chars().any(char::is_control) {
        return Err("the name has control characters in it".to_string());
    }
    let proto = match pairs.get("proto") {
        None => Proto::default(),
        Some(text) => Proto::ALL
            .into_iter()
            .find(|proto| proto.name() == text)
            .ok_or_else(|| format!("proto is '{text}'; it takes native, gbgp or sanmill"))?,
    };
    let restart = match pairs.get("restart") {
        None | Some("off" | "false") => false,
        Some("on" | "true") => true,
        Some(other) => return Err(format!("restart is '{other}'; it takes on or off")),
    };
    let options = pairs.0.iter().filter_map(|(key, value)| {
        key.strip_prefix("option.").map(|name| (name.to_string(), value.clone()))
    });
    let options: Vec<_> = options.collect();
    if let Some((name, value)) = options.iter().find(|(n, v)| (n.clone() + v).contains('\n')) {
        return Err(format!("option {name} has a line break in it: {value:?}"));
    }
    Ok(PlayerSettings {
        name,
        cmd: PathBuf::from(cmd),
        args: words(pairs.get("args").unwrap_or_default()).map_err(|error| error.to_string())?,
        dir: pairs.get("dir").map(PathBuf::from),
        proto,
        options,
        limit: limit(&pairs)?,
        restart,
    })
}

fn limit(pairs: &Pairs) -> Result<Limit, String> {
    let texts = |error: super::clock::LimitError| error.to_string();
    let control = pairs.get("tc").map(TimeControl::parse).transpose().map_err(texts)?;
    let move_time = pairs.get("st").map(|t| seconds("st", t)).transpose().map_err(texts)?;
    let margin = whole::<u64>(pairs, "timemargin")?.unwrap_or(0);
    if control.is_some() && move_time.is_some() {
        return Err(super::clock::LimitError::Both.to_string());
    }
    if move_time.is_some_and(|time| time.is_zero()) {
        return Err("st must be more than 0".to_string());
    }
    let at_least_one = |key: &'static str, n: Option<u64>| match n {
        Some(0) => Err(format!("{key} must be 1 or more")),
        n => Ok(n),
    };
    let nodes = at_least_one("nodes", whole(pairs, "nodes")?)?;
    let depth = at_least_one("depth", whole::<u32>(pairs, "depth")?.map(u64::from))?;
    let limit = Limit {
        control,
        move_time,
        nodes,
        depth: depth.map(|depth| depth as u32),
        margin: Duration::from_millis(margin.min(86_400_000)),
    };
    match limit.is_timed() || nodes.is_some() || depth.is_some() {
        true => Ok(limit),
        false => Err(super::clock::LimitError::Nothing.to_string()),
    }
}

/// A whole number of a list, if it is there.
fn whole<T: FromStr>(pairs: &Pairs, key: &str) -> Result<Option<T>, String> {
    let Some(text) = pairs.get(key) else { return Ok(None) };
    let number = text.parse().map_err(|_| format!("{key} is '{text}'; it takes a whole number"))?;
    Ok(Some(number))
}
