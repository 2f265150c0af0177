//! Fits the engine's evaluation to positions of known value: those of tables, drawn by lot, and
//! those of games that it plays against itself. What the weights mean only the engine knows.

mod fit;
mod folders;
mod games;
mod sample;
mod train;

use crate::whole_file::WholeFile;
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
};
use sample::{Sample, draw};
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::{Path, PathBuf},
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
}

const NEEDS_FILE: &str = "a network needs a file to be written to (--out)";

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
    }
    for folder in &settings.folders {
        folders::check(&rules, folder)?;
    }
    let tables = Tables::new(rules, &settings.folders, settings.table_mib << 20);
    // Begun first: hours of work should not end at a folder that is not there.
    let out = settings.out.as_deref().map(begin).transpose()?;
    let lesson = gather(settings, &tables)?;
    let numbers = match settings.aim {
        Aim::Weights => PHASES * (2 * COUNTS + 1),
        Aim::Network { .. } => INPUTS * FIRST,
    };
    if lesson.learnt.len() < numbers {
        let samples = lesson.learnt.len();
        warn(&format!("only {samples} samples for {numbers} numbers: they are learnt by heart"));
    }
    let (account, bytes) = match settings.aim {
        Aim::Weights => {
            let text = weights(settings, &lesson);
            (text.clone(), text.into_bytes())
        }
        Aim::Network { epochs } => network(settings, epochs, &lesson),
    };
    if let Some((out, path)) = out {
        out.finish(&bytes).with_context(|| path.display().to_string())?;
    }
    Ok(account)
}

fn begin(path: &Path) -> anyhow::Result<(WholeFile, &Path)> {
    let file = WholeFile::begin(path).with_context(|| path.display().to_string())?;
    Ok((file, path))
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
    let tell = &mut |epoch, [loss, right]: [f64; 2]| {
        bar.inc(1);
        bar.suspend(|| {
            eprintln!("epoch {epoch}: surprise {loss:.5}, right {:.2} %", 100.0 * right)
        });
    };
    let real = train(&lesson.learnt, &lesson.kept_back, epochs, settings.seed, tell);
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
            warn(&format!("only {found} of {positions} positions of the {part} phase were found"));
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
    let faults = tables.take_faults();
    ensure!(
        !lesson.kept_back.is_empty(),
        "there is nothing to learn from: no tables of {rules} are at hand, and too few games were \
         asked for{}",
        faults.iter().map(|fault| format!("; {fault}")).collect::<String>()
    );
    Ok(lesson)
}

/// Tells what makes the result doubtful.
fn warn(what: &str) {
    // Nobody may be reading; the work is worth going on with.
    let _ = writeln!(io::stderr(), "warning: {what}");
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
         # {} samples; the mean surprise of {} others is {:.5} nats.\n",
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
        lesson.learnt.len(),
        lesson.kept_back.len(),
        loss(&lesson.kept_back, value),
    )
}

#[cfg(test)]
mod tests;
