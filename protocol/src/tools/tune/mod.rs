//! Fits the engine's evaluation to positions of known value: those of tables, drawn by lot, and
//! those of games that it plays against itself. What the weights mean only the engine knows.

mod fit;
mod games;
mod sample;
mod train;

use crate::{
    table_folders,
    whole_file::{WholeFile, refuse_existing},
};
use anyhow::{Context, ensure};
use fit::{fit, loss};
use games::{Play, play};
use indicatif::{ProgressBar, ProgressStyle};
use millrace_engine::{
    Rules,
    eval::{
        COUNTS, Evaluator, PHASE_NAMES, PHASES,
        network::{FIRST, INPUTS, Network, has_networks},
    },
    search,
    table::Tables,
    text::counted,
};
use sample::{Sample, draw};
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::PathBuf,
};
use train::train;

pub use sample::Part;

/// What is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The weights of what is counted.
    Weights,
    /// The network, going through all samples so often.
    Network {
        /// How often.
        epochs: usize,
    },
}

/// How to fit.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is fitted.
    pub aim: Aim,
    /// What is played.
    pub rules: Rules,
    /// Folders with tables.
    pub folders: Vec<PathBuf>,
    /// Memory for parts of tables, in MiB.
    pub table_mib: usize,
    /// Parts of the game of which positions are drawn.
    pub parts: Vec<Part>,
    /// Positions to draw from tables, of each part.
    pub positions: usize,
    /// Games to play.
    pub games: usize,
    /// Nodes of a turn in them.
    pub nodes: u64,
    /// Start of all chance; not 0.
    pub seed: u64,
    /// The engine's settings for games.
    pub search: search::Settings,
    /// Where weights are written, the terminal if nowhere; a network must be written somewhere.
    pub out: Option<PathBuf>,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
}

const NEEDS_FILE: &str = "a network needs a file to be written to (--out)";
const NEEDS_PHASE: &str = "a network knows one phase of the game (--phase)";

/// One sample of so many is kept back to judge the fit by.
const KEPT_BACK: usize = 10;

/// Samples to learn from, and others to judge by.
struct Lesson {
    learnt: Vec<Sample>,
    kept_back: Vec<Sample>,
}

impl Lesson {
    /// Whole families or games are kept back, as far as may be, since their positions are alike.
    fn of(samples: Vec<Sample>) -> Self {
        let learnt = samples.len() - samples.len() / KEPT_BACK;
        let mut learning = samples;
        let kept_back = learning.split_off(learnt);
        Self { learnt: learning, kept_back }
    }

    fn join(mut self, other: Lesson) -> Self {
        self.learnt.extend(other.learnt);
        self.kept_back.extend(other.kept_back);
        self
    }
}

/// Draws, plays, fits, and returns the text of the weights with an account of how they were made; of
/// a network only the account.
///
/// # Errors
/// If there is nothing to learn from, or a file cannot be written.
pub fn run(settings: &Settings) -> anyhow::Result<String> {
    let rules = settings.rules;
    ensure!(!rules.line_wins(), "there is nothing to weigh in {rules}: a line ends the game");
    if let Aim::Network { .. } = settings.aim {
        ensure!(
            has_networks(&rules),
            "there are networks for nine only, and the program would not use one for {}",
            rules.short_name()
        );
        ensure!(settings.out.is_some(), NEEDS_FILE);
        ensure!(settings.parts.len() == 1, NEEDS_PHASE);
    }
    for folder in &settings.folders {
        table_folders::check(&rules, folder)?;
    }
    let tables = Tables::new(rules, &settings.folders, settings.table_mib << 20);
    let out = place(settings)?;
    let lesson = gather(settings, &tables)?;
    tables.take_faults().iter().for_each(|fault| warn(fault));
    let numbers = match settings.aim {
        Aim::Weights => PHASES * (2 * COUNTS + 1),
        Aim::Network { .. } => INPUTS * FIRST,
    };
    if lesson.learnt.len() < numbers {
        let samples = counted(lesson.learnt.len(), "sample");
        warn(&format!("only {samples} for {numbers} numbers: they are learnt by heart"));
    }
    let (account, bytes) = match settings.aim {
        Aim::Weights => {
            let text = weights(settings, &lesson);
            (text.clone(), text.into_bytes())
        }
        Aim::Network { epochs } => network(settings, epochs, &lesson),
    };
    if let Some(out) = out {
        out.write(&bytes).with_context(|| out.path().display().to_string())?;
    }
    Ok(account)
}

/// The place of the file to be written, if there is to be one.
fn place(settings: &Settings) -> anyhow::Result<Option<WholeFile>> {
    let Some(path) = &settings.out else { return Ok(None) };
    if !settings.overwrite {
        refuse_existing(path, "--overwrite replaces it")?;
    }
    WholeFile::at(path).with_context(|| path.display().to_string()).map(Some)
}

fn weights(settings: &Settings, lesson: &Lesson) -> String {
    let rules = settings.rules;
    let (weights, counts) = fit(&rules, &lesson.learnt);
    let fitted = Evaluator::with_weights(&rules, &weights);
    let mut text = account(settings, lesson, |s| fitted.value(&s.position));
    for (name, count) in PHASE_NAMES.iter().zip(counts) {
        // Writing to a text does not fail.
        let _ = writeln!(text, "# {name:<16}{count:>9} samples");
    }
    text + &weights.to_string()
}

/// The account of a network, and its bytes.
fn network(settings: &Settings, epochs: usize, lesson: &Lesson) -> (String, Vec<u8>) {
    let bar = bar(epochs, "epochs");
    let tell_epoch = &mut |epoch, [loss, right]: [f64; 2]| {
        bar.inc(1);
        let right = 100.0 * right;
        bar.suspend(|| tell(&format!("epoch {epoch}: surprise {loss:.5}, right {right:.2} %")));
    };
    let real = train(&lesson.learnt, &lesson.kept_back, epochs, settings.seed, tell_epoch);
    bar.finish_and_clear();
    let rounded = Network::rounded(&real, "");
    let account = account(settings, lesson, |s| rounded.value(&s.position).unwrap_or(0));
    let network = Network::rounded(&real, &account);
    (account, network.to_bytes())
}

/// All samples, from both sources.
fn gather(settings: &Settings, tables: &Tables) -> anyhow::Result<Lesson> {
    let Settings { rules, positions, games, seed, .. } = *settings;
    let mut lesson = Lesson::of(Vec::new());
    for part in &settings.parts {
        let bar = bar(positions, part.name());
        let drawn = draw(tables, *part, positions, seed, &|n| bar.inc(n));
        bar.finish_and_clear();
        if drawn.len() < positions && !settings.folders.is_empty() {
            let (found, part) = (drawn.len(), part.name());
            let wanted = counted(positions, "position");
            warn(&format!("only {found} of {wanted} of the {part} phase came up"));
        }
        lesson = lesson.join(Lesson::of(drawn));
    }
    let bar = bar(games, "games");
    // What the games teach must not depend on threads or on a level that the user plays at.
    let search::Settings { hash_mib, evaluation, .. } = settings.search;
    let search =
        search::Settings { hash_mib, evaluation, tables: false, ..search::Settings::default() };
    let how = Play { rules, tables, search, nodes: settings.nodes, parts: &settings.parts };
    lesson = lesson.join(Lesson::of(play(&how, games, seed, &|n| bar.inc(n))));
    bar.finish_and_clear();
    ensure!(!lesson.kept_back.is_empty(), too_little(settings, &lesson, &tables.take_faults()));
    Ok(lesson)
}

/// Why a lesson is too short.
fn too_little(settings: &Settings, lesson: &Lesson, faults: &[String]) -> String {
    let Settings { rules, positions, games, .. } = *settings;
    let (found, played) = (lesson.learnt.len(), counted(games, "game"));
    let why = match (found, positions, games) {
        (1.., ..) => format!(
            "there is too little to learn from: positions found: {found}; one of {KEPT_BACK} is kept \
             back to judge by; ask for more by --positions or --games"
        ),
        (_, 0, 0) => "--positions 0 without --games leaves nothing to learn from".to_string(),
        (_, 0, _) => format!("{played} ended before anything could be learnt from them"),
        (_, _, 0) => format!(
            "there is nothing to learn from: no tables of {rules} are at hand (--tables), and no games \
             were asked for (--games)"
        ),
        _ => format!(
            "there is nothing to learn from: no tables of {rules} are at hand (--tables), and \
             {played} ended before anything could be learnt from them"
        ),
    };
    faults.iter().fold(why, |why, fault| format!("{why}\n{fault}"))
}

/// Tells what makes the result doubtful.
fn warn(what: &str) {
    tell(&format!("warning: {what}"));
}

fn tell(line: &str) {
    // Nobody may be reading; the work is worth going on with.
    let _ = writeln!(io::stderr(), "{line}");
}

fn bar(length: usize, name: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(length as u64).with_message(name);
    let template = "{msg:8} {bar:20} {pos}/{len}, {elapsed}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What weights or a network say of their own making.
fn account(settings: &Settings, lesson: &Lesson, value: impl Fn(&Sample) -> i32 + Sync) -> String {
    format!(
        "# Made by 'millrace tune --rules {}{}{} --positions {} --games {} --nodes {} --seed {}'{}.\n\
         # {}; the mean surprise of {} kept back is {:.5} nats.\n",
        settings.rules.short_name(),
        match settings.aim {
            Aim::Weights => String::new(),
            Aim::Network { epochs } => format!(" --network --epochs {epochs}"),
        },
        match settings.parts[..] {
            [part] => format!(" --phase {}", part.name()),
            _ => String::new(),
        },
        settings.positions,
        settings.games,
        settings.nodes,
        settings.seed,
        if settings.folders.is_empty() { "" } else { " with tables" },
        counted(lesson.learnt.len(), "sample"),
        lesson.kept_back.len(),
        loss(&lesson.kept_back, value),
    )
}

#[cfg(test)]
mod tests;
