//! What a match is, once everything asked for has been checked. The settings stand in the state of
//! a match, so that it can go on, or be merged, without the command that began it.

use super::{
    adjudicate::{Adjudicator, Draw, Length, Resign},
    openings::Opening,
    player::PlayerSettings,
    schedule::{Schedule, Shard},
    sprt::Sprt,
    tables::{Arbiter, TableSettings},
};
use millrace_engine::{Rules, table::Tables};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// All that results depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The rules.
    #[serde(with = "rules_text")]
    pub rules: Rules,
    /// The engines; two or more.
    pub players: Vec<PlayerSettings>,
    /// With a number, a gauntlet: the first so many play all others, who do not play each other.
    pub seeds: Option<usize>,
    /// Rounds; in each, every pairing plays a pair of games.
    pub rounds: u32,
    /// The part of the rounds that is played.
    pub shard: Shard,
    /// The openings as text, in the order in which they are played. None: the start of the rules.
    pub openings: Vec<String>,
    /// A test that may end the match.
    pub sprt: Option<Sprt>,
    /// Wins by agreement.
    pub resign: Option<Resign>,
    /// Draws by agreement.
    pub draw: Option<Draw>,
    /// Games that tables judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<TableSettings>,
    /// The longest game.
    pub length: Length,
    /// How long an answer may take that nothing else limits.
    pub guard: Duration,
    /// Troubles of one engine that end the match.
    pub max_troubles: Option<u64>,
}

/// By what means a match is played; results do not depend on it.
#[derive(Clone, Debug)]
pub struct Means {
    /// Games at a time.
    pub concurrency: usize,
    /// Whether each of them has a processor of its own.
    pub affinity: bool,
    /// Where the state is kept.
    pub state: PathBuf,
    /// What to do with a state that is there.
    pub before: Before,
    /// Where records go.
    pub record: Option<PathBuf>,
    /// Where all talk goes.
    pub log: Option<PathBuf>,
    /// Whether the report is JSON.
    pub json: bool,
    /// Pairs after which the standing is told where no progress bar can be shown; 0 = never.
    pub report_every: u64,
}

/// What to do with a state that is there before the match begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Leave it alone, and do not begin.
    Refuse,
    /// Go on with it.
    Resume,
    /// Lose it.
    Overwrite,
}

/// Memory for parts of tables, in bytes.
const TABLE_MEMORY: usize = 256 << 20;

impl Settings {
    /// The games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.players.len(), self.seeds, self.rounds, self.shard)
    }

    /// The openings; never none.
    ///
    /// # Errors
    /// If one is not legal, which in checked settings does not happen.
    pub fn openings(&self) -> Result<Vec<Opening>, String> {
        if self.openings.is_empty() {
            return Ok(vec![Opening::start(&self.rules)]);
        }
        let lines = self.openings.iter();
        lines.map(|line| Opening::parse(&self.rules, line)).collect()
    }

    /// The tables, if there are to be any; to be opened once for all games.
    pub fn tables(&self) -> Option<Arc<Tables>> {
        let settings = self.tables.as_ref()?;
        Some(Arc::new(Tables::new(self.rules, &settings.folders, TABLE_MEMORY)))
    }

    /// Those who may end a game early, with the tables of this match.
    pub fn adjudicators(&self, tables: Option<&Arc<Tables>>) -> Vec<Box<dyn Adjudicator>> {
        let mut list: Vec<Box<dyn Adjudicator>> = vec![Box::new(self.length)];
        if let Some(resign) = self.resign {
            list.push(Box::new(resign));
        }
        if let Some(draw) = self.draw {
            list.push(Box::new(draw));
        }
        if let (Some(settings), Some(tables)) = (&self.tables, tables) {
            list.push(Box::new(Arbiter::new(tables.clone(), settings.ends)));
        }
        list
    }

    /// A name for this match that others hardly have: a hash (FNV-1a) of the settings without what
    /// may differ between its parts.
    pub fn id(&self) -> String {
        let common = self.common();
        let text = serde_json::to_string(&common).unwrap_or_default();
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// These settings without what may differ between parts of one match: how many rounds there
    /// are, which of them are played here, and where tables lie.
    fn common(&self) -> Settings {
        let tables = self.tables.as_ref();
        let tables = tables.map(|t| TableSettings { folders: Vec::new(), ends: t.ends });
        Settings { rounds: 0, shard: Shard::WHOLE, tables, ..self.clone() }
    }

    /// The first thing, if any, in which other settings are those of another match.
    pub fn differs_from(&self, other: &Settings) -> Option<&'static str> {
        let differing = [
            (self.rules != other.rules, "the rules"),
            (self.players != other.players, "the engines"),
            (self.seeds != other.seeds, "the seeds"),
            (self.openings != other.openings, "the openings"),
            (self.sprt != other.sprt, "the SPRT"),
            (self.resign != other.resign, "the terms of --resign"),
            (self.draw != other.draw, "the terms of --draw"),
            (self.length != other.length, "the plies allowed (--max-plies)"),
            (self.guard != other.guard, "the times of --guard"),
            (self.max_troubles != other.max_troubles, "the troubles allowed (--max-troubles)"),
            (self.common() != other.common(), "the uses of tables (--tables, --tables-end)"),
        ];
        differing.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
    }
}

/// Rules as their canonical text.
mod rules_text {
    use millrace_engine::Rules;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(rules: &Rules, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&rules.canonical())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rules, D::Error> {
        Rules::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}
