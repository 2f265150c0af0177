//! The table of options: what the handshake announces, what `setoption` accepts and what the
//! README lists are all made from it. Rule options come from the engine's own table.

use crate::ProtocolError;
use millrace_engine::{
    Rules, RulesError,
    eval::Choice,
    rules::{OPTIONS as RULE_OPTIONS, OptionInfo, OptionKind, PRESETS},
    search::{ELO_RANGE, FULL_LEVEL, Settings},
    text::quoted,
};
use std::{path::PathBuf, sync::LazyLock, time::Duration};

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What is played.
    pub rules: Rules,
    /// What the search is set to, but for `elo`, which `limit_strength` turns on.
    pub search: Settings,
    /// Whether the driver will ask for searches on the opponent's time.
    pub ponder: bool,
    /// Whether scores come with chances of win, draw and loss.
    pub show_wdl: bool,
    /// Whether to play at `elo`.
    pub limit_strength: bool,
    /// The rating to play at.
    pub elo: u32,
    /// Folders of endgame tables, separated as the platform separates paths.
    pub table_path: String,
    /// Whether to play from a book.
    pub own_book: bool,
    /// Whether a turn is sent action by action.
    pub split_moves: bool,
    /// Where all lines in and out are written; empty = nowhere.
    pub log_file: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            search: Settings::default(),
            ponder: false,
            show_wdl: false,
            limit_strength: false,
            elo: *ELO_RANGE.end(),
            table_path: String::new(),
            own_book: false,
            split_moves: false,
            log_file: PathBuf::new(),
        }
    }
}

impl Options {
    /// The search's settings with everything counted in.
    pub fn settings(&self) -> Settings {
        let folders = std::env::split_paths(&self.table_path);
        Settings {
            elo: self.limit_strength.then_some(self.elo),
            tables: self.search.table_probe_depth < NEVER,
            table_folders: folders.filter(|f| !f.as_os_str().is_empty()).collect(),
            ..self.search.clone()
        }
    }
}

/// The type of an option, with how its value is read from and written to [`Options`].
#[derive(Clone, Copy)]
enum Kind {
    Spin { min: i64, max: i64, get: fn(&Options) -> i64, set: fn(&mut Options, i64) },
    Check { get: fn(&Options) -> bool, set: fn(&mut Options, bool) },
    Evaluation,
    Text { set: fn(&mut Options, &str) },
    Button,
    Variant,
    Rule(&'static OptionInfo),
}

/// One option.
pub struct Entry {
    /// Its name, matched without regard to case.
    pub name: &'static str,
    /// What it means, in one line.
    pub about: &'static str,
    kind: Kind,
}

/// An option's type and range as the handshake announces them.
enum Shape {
    Spin(i64, i64),
    Check,
    Combo(Vec<String>),
    Text,
    Button,
}

macro_rules! spin {
    ($min:expr, $max:expr, $($field:ident).+) => {
        Kind::Spin {
            min: $min,
            max: $max,
            get: |o| o.$($field).+ as i64,
            set: |o, v| o.$($field).+ = v as _,
        }
    };
}

macro_rules! check {
    ($($field:ident).+) => {
        Kind::Check { get: |o| o.$($field).+, set: |o, v| o.$($field).+ = v }
    };
}

/// The depth that means that tables are not used, neither in the search nor before it.
const NEVER: u32 = 100;

/// The options that are not rules.
const OWN: &[Entry] = &[
    Entry { name: "Hash", about: "hash table in MiB", kind: spin!(1, 65_536, search.hash_mib) },
    Entry { name: "Clear Hash", about: "forget what was searched", kind: Kind::Button },
    Entry { name: "Threads", about: "threads that search", kind: spin!(1, 512, search.threads) },
    Entry { name: "Ponder", about: "the driver may send `go ponder`", kind: check!(ponder) },
    Entry { name: "MultiPV", about: "best turns to report", kind: spin!(1, 64, search.multi_pv) },
    Entry {
        name: "Move Overhead",
        about: "milliseconds kept back from every turn",
        kind: Kind::Spin {
            min: 0,
            max: 60_000,
            get: |o| o.search.move_overhead.as_millis() as i64,
            set: |o, v| o.search.move_overhead = Duration::from_millis(v as u64),
        },
    },
    Entry {
        name: "UCI_Variant",
        about: "the game: a preset, or any rules text such as `nine+fly=0`",
        kind: Kind::Variant,
    },
    Entry {
        name: "TwelveMensMorris",
        about: "in GBGP: play `morabaraba` if true, else `nine`",
        kind: Kind::Check {
            get: |o| Some(o.rules) == Rules::named("morabaraba"),
            set: |o, v| {
                o.rules = if v { Rules::named("morabaraba") } else { None }.unwrap_or_default()
            },
        },
    },
    Entry {
        name: "UCI_ShowWDL",
        about: "add chances of win, draw and loss to scores",
        kind: check!(show_wdl),
    },
    Entry {
        name: "UCI_LimitStrength",
        about: "play at the rating of UCI_Elo",
        kind: check!(limit_strength),
    },
    Entry {
        name: "UCI_Elo",
        about: "that rating",
        kind: spin!(*ELO_RANGE.start() as i64, *ELO_RANGE.end() as i64, elo),
    },
    Entry {
        name: "Skill Level",
        about: "strength, 20 = full",
        kind: spin!(0, FULL_LEVEL as i64, search.skill_level),
    },
    Entry {
        name: "TablebasePath",
        about: "folders of endgame tables, separated as the platform separates paths",
        kind: Kind::Text { set: |o, v| o.table_path = v.to_string() },
    },
    Entry {
        name: "TablebaseProbeDepth",
        about: "least depth at which tables are asked, 100 = never",
        kind: spin!(0, NEVER as i64, search.table_probe_depth),
    },
    Entry {
        name: "TablebaseMemory",
        about: "memory for tables in MiB",
        kind: spin!(1, 1_048_576, search.table_memory_mib),
    },
    Entry {
        name: "Evaluation",
        about: "the fitted weights, or the network where there is one for the game",
        kind: Kind::Evaluation,
    },
    Entry { name: "OwnBook", about: "play from the opening book", kind: check!(own_book) },
    Entry {
        name: "SplitMoves",
        about: "send and take turns action by action",
        kind: check!(split_moves),
    },
    Entry {
        name: "Seed",
        about: "seed of all chance, 0 = varied",
        kind: spin!(0, i64::MAX, search.seed),
    },
    Entry {
        name: "Log File",
        about: "write all lines in and out to this file",
        kind: Kind::Text { set: |o, v| o.log_file = v.into() },
    },
];

/// All options in the order of the handshake: the rules follow the variant.
static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let rule = |info: &'static OptionInfo| Entry {
        name: info.title,
        about: info.about,
        kind: Kind::Rule(info),
    };
    let mut table = Vec::new();
    for entry in OWN {
        table.push(Entry { ..*entry });
        if matches!(entry.kind, Kind::Variant) {
            table.extend(RULE_OPTIONS.iter().map(rule));
        }
    }
    table
});

/// All options.
pub fn all() -> &'static [Entry] {
    &TABLE
}

const NO_YES: [&str; 2] = ["no", "yes"];
/// How an empty text is written, as UCI has it.
const EMPTY: &str = "<empty>";

impl Entry {
    fn shape(&self) -> Shape {
        match self.kind {
            Kind::Spin { min, max, .. } => Shape::Spin(min, max),
            Kind::Check { .. } => Shape::Check,
            Kind::Text { .. } => Shape::Text,
            Kind::Button => Shape::Button,
            Kind::Variant => Shape::Combo(PRESETS.iter().map(|p| p.name.to_string()).collect()),
            Kind::Evaluation => Shape::Combo(Choice::ALL.map(|c| c.name().to_string()).into()),
            Kind::Rule(info) => match info.kind {
                OptionKind::Choice(words) if words == NO_YES => Shape::Check,
                OptionKind::Choice(words) => {
                    Shape::Combo(words.iter().map(|w| w.to_string()).collect())
                }
                // A short range with a hole is announced value by value.
                OptionKind::Number(min, max, true) if min > 1 && max - min < 3 => {
                    let values = std::iter::once(0).chain(min..=max);
                    Shape::Combo(values.map(|v| v.to_string()).collect())
                }
                OptionKind::Number(min, max, zero) => {
                    Shape::Spin(if zero { 0 } else { min.into() }, max.into())
                }
            },
        }
    }

    /// The value before anything is set, as the handshake has it; `None` for a button.
    pub fn default_value(&self) -> Option<String> {
        let options = Options::default();
        Some(match self.kind {
            Kind::Spin { get, .. } => get(&options).to_string(),
            Kind::Check { get, .. } => get(&options).to_string(),
            Kind::Text { .. } => EMPTY.to_string(),
            Kind::Button => return None,
            Kind::Variant => options.rules.short_name(),
            Kind::Evaluation => options.search.evaluation.name().to_string(),
            Kind::Rule(info) => match (self.shape(), info.value(&options.rules)) {
                (Shape::Check, value) => (value == "yes").to_string(),
                (_, value) => value,
            },
        })
    }

    /// What follows the name in the handshake, such as `type spin default 16 min 1 max 65536`.
    pub fn declaration(&self) -> String {
        let default = self.default_value().unwrap_or_default();
        match self.shape() {
            Shape::Spin(min, max) => format!("type spin default {default} min {min} max {max}"),
            Shape::Check => format!("type check default {default}"),
            Shape::Combo(words) => {
                let list: String = words.iter().map(|w| format!(" var {w}")).collect();
                format!("type combo default {default}{list}")
            }
            Shape::Text => format!("type string default {default}"),
            Shape::Button => "type button".to_string(),
        }
    }

    /// The values that it takes, for people.
    pub fn takes(&self) -> String {
        if let Kind::Rule(info) = self.kind
            && !matches!(self.shape(), Shape::Check)
        {
            return info.values();
        }
        match self.shape() {
            Shape::Spin(min, max) => format!("{min} to {max}"),
            Shape::Check => "true or false".to_string(),
            Shape::Combo(words) => words.join(", "),
            Shape::Text => "a text".to_string(),
            Shape::Button => "no value".to_string(),
        }
    }

    /// Whether setting this option means "clear the hash table".
    pub fn is_button(&self) -> bool {
        matches!(self.kind, Kind::Button)
    }

    /// Sets the option.
    ///
    /// # Errors
    /// If the value is missing, not of the option's type or out of its range; nothing is changed
    /// then.
    pub fn set(&self, options: &mut Options, value: Option<&str>) -> Result<(), ProtocolError> {
        let bad = |value: &str| ProtocolError::BadValue {
            name: self.name,
            takes: self.takes(),
            value: quoted(value),
        };
        if let Kind::Button = self.kind {
            return value.map_or(Ok(()), |value| Err(bad(value)));
        }
        let missing = || ProtocolError::MissingValue(format!("option {}", self.name));
        let value = value.ok_or_else(missing)?;
        if let Kind::Text { set } = self.kind {
            set(options, if value == EMPTY { "" } else { value });
            return Ok(());
        }
        if value.is_empty() {
            return Err(missing());
        }
        match self.kind {
            Kind::Spin { min, max, set, .. } => {
                let number = value.parse().ok().filter(|n| (min..=max).contains(n));
                set(options, number.ok_or_else(|| bad(value))?);
            }
            Kind::Check { set, .. } => set(options, flag(value).ok_or_else(|| bad(value))?),
            Kind::Evaluation => {
                let chosen = Choice::ALL.into_iter().find(|c| c.name().eq_ignore_ascii_case(value));
                options.search.evaluation = chosen.ok_or_else(|| bad(value))?;
            }
            Kind::Variant => options.rules = Rules::parse(value)?,
            Kind::Rule(info) => {
                options.rules = match options.rules.with(info.name, value) {
                    Err(RulesError::BadValue { .. }) => return Err(bad(value)),
                    result => result?,
                }
            }
            Kind::Text { .. } | Kind::Button => {}
        }
        Ok(())
    }
}

fn flag(text: &str) -> Option<bool> {
    ["false", "true"].iter().position(|word| word.eq_ignore_ascii_case(text)).map(|i| i == 1)
}

/// The option with this name, in either case.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<&'static Entry, ProtocolError> {
    all()
        .iter()
        .find(|entry| entry.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| ProtocolError::UnknownOption(quoted(name)))
}

/// The table as Markdown, for the README.
pub fn markdown() -> String {
    let mut text = String::from("| option | default | values | meaning |\n|---|---|---|---|\n");
    for entry in all() {
        let default = entry.default_value().map_or("–".to_string(), |d| format!("`{d}`"));
        text += &format!("| {} | {default} | {} | {} |\n", entry.name, entry.takes(), entry.about);
    }
    text
}
