//! The command line as it is typed.

use super::{
    check_line,
    play::PlayFlags,
    records::{AnalyseFlags, BoardFlags, ConvertFlags},
    request::NOT_WITH_RECORD,
    tables::{ACCURACY_HELP, AccuracyFlags, SOLVE_HELP, SolveFlags},
    tuning::{TUNE_HELP, TuneFlags},
};
use crate::{
    r#match::{
        command::{MATCH_HELP, OPENINGS_HELP},
        flags::{MatchFlags, OpeningsFlags},
    },
    tools::bench,
};
use clap::{
    Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand,
    error::ErrorKind,
};
use clap_complete::Shell;
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  millrace                                   a session: type commands, or let a program type them
  millrace go movetime 1000                  the best turn of the empty board, after one second
  millrace --rules six go depth 12           another game; 'millrace rules' lists them
  millrace --rules nine+fly=0 d              a preset with one rule changed
  millrace --fen '3/3/3/2WWB1/3/3/3 b 7 8' moves
  millrace --moves 'd6 f4 d2' go nodes 100000 searchmoves b4 f2
  millrace -o Threads=2 -o Hash=256 go movetime 2000
  millrace play --side black --level 8       a game in the terminal
  millrace analyse game.txt --html game.html   where a game was lost, to be read in a browser
  millrace board '3/3/3/2WWB1/3/3/3 b 7 8' --svg board.svg
  millrace convert game.txt --to playok      records of games in another form
  millrace perft --rules lasker 5            turn sequences, the test of turn generation
  millrace bench --depth 8                   speed, and a signature of the search
  millrace solve --rules six                 the exact value of the empty board
  millrace openings --plies 6 --count 20     openings for matches; see 'millrace match --help'

Exit codes: 0 done, 1 it failed, 2 it was not understood, or a folder of --tables has none of the
game, 130 a match was stopped.";

/// The command line as typed.
#[derive(Debug, Parser)]
#[command(
    name = "millrace",
    version,
    about = "An engine for nine men's morris and its relatives",
    long_about = "An engine for nine men's morris and its relatives.\n\nWithout a command it speaks a \
                  protocol in the manner of UCI on its standard input and output. With one, it \
                  does that and ends.",
    after_help = EXAMPLES,
    disable_help_subcommand = true
)]
pub struct Flags {
    /// What is played: a preset, or options joined by '+' (nine+fly=0)
    #[arg(long, global = true, value_name = "RULES")]
    pub(super) rules: Option<String>,
    /// The position, instead of the empty board
    #[arg(long, global = true, value_name = "FEN")]
    pub(super) fen: Option<String>,
    /// Turns to be played from there, in one argument
    #[arg(long, global = true, value_name = "TURNS")]
    pub(super) moves: Option<String>,
    /// An option of the engine; may be given several times
    #[arg(short = 'o', long = "option", global = true, value_name = "NAME=VALUE")]
    pub(super) options: Vec<String>,
    #[command(subcommand)]
    pub(super) command: Option<Subcommands>,
}

/// The flags before a command that mean something to it. The others are refused, and its help does not
/// list them.
fn scene(command: &str) -> &'static [&'static str] {
    match command {
        "match" | "openings" | "convert" => &["rules"],
        "analyse" | "accuracy" | "tune" => &["rules", "options"],
        "match merge" | "bench" | "rules" | "options" | "man" | "completions" => &[],
        _ => &["rules", "fen", "moves", "options"],
    }
}

/// The flags before a command.
fn scene_flags() -> Vec<Arg> {
    Flags::command().get_arguments().filter(|arg| arg.is_global_set()).cloned().collect()
}

/// The command line, in which each command's help lists the flags that it takes.
pub(super) fn command() -> Command {
    narrowed(Flags::command(), "", &scene_flags())
}

fn narrowed(command: Command, path: &str, scene_flags: &[Arg]) -> Command {
    command.mut_subcommands(|inner| {
        let path = below(path, inner.get_name());
        let is_refused = |arg: &&Arg| !scene(&path).contains(&arg.get_id().as_str());
        let hidden = scene_flags.iter().filter(is_refused).map(|arg| arg.clone().hide(true));
        narrowed(inner.args(hidden), &path, scene_flags)
    })
}

/// The words of a command within another.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path} {name}") }
}

/// The command that was given, and the first flag that does not go with it, with the reason.
fn misplaced(matches: &ArgMatches) -> Option<(String, String)> {
    let (mut path, mut inner) = (String::new(), matches);
    while let Some((name, matches)) = inner.subcommand() {
        (path, inner) = (below(&path, name), matches);
    }
    let is_refused = |arg: &Arg| {
        let id = arg.get_id().as_str();
        !scene(&path).contains(&id) && matches.value_source(id).is_some()
    };
    let flag = scene_flags().into_iter().find(is_refused)?;
    let why = match (path.as_str(), flag.get_id().as_str()) {
        ("analyse" | "convert", "fen" | "moves") => NOT_WITH_RECORD,
        _ => "does not go with this command",
    };
    let told = format!("--{} {why}", flag.get_long().unwrap_or_default());
    Some((path, told))
}

impl Flags {
    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    /// If it is not understood; also if it asks for help or the version.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut command = command();
        let matches = command.try_get_matches_from_mut(words)?;
        if let Some((path, told)) = misplaced(&matches) {
            let mut given = &mut command;
            for name in path.split(' ') {
                given = given.find_subcommand_mut(name).expect("it has been given");
            }
            return Err(given.error(ErrorKind::ArgumentConflict, told));
        }
        Flags::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// The help for a command of the program, if `help COMMAND` asks for it. Of the protocol's
    /// own commands the session tells more.
    pub(super) fn help_wanted(&self) -> Option<clap::Error> {
        let Some(Subcommands::Other(words)) = &self.command else { return None };
        let [help, about] = words.as_slice() else { return None };
        if help != "help" || check_line(&words.join(" ")).is_ok() {
            return None;
        }
        command().find_subcommand(about)?;
        Flags::read(["millrace", about, "--help"].map(OsString::from)).err()
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Subcommands {
    /// Search, and print the best turn: go depth 10, go movetime 1000, …
    Go {
        /// As in the protocol: depth N, movetime MS, nodes N, wtime MS …; last: searchmoves TURN …
        #[arg(value_name = "WORD", allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Show the board
    D,
    /// List the legal turns
    Moves,
    /// Explain the evaluation
    Eval,
    /// Count turn sequences
    Perft(PerftFlags),
    /// Search a fixed set of positions to a fixed depth
    Bench(BenchFlags),
    /// Play against the engine in the terminal
    Play(PlayFlags),
    /// Judge every turn of a game, and name the one that decided it
    Analyse(AnalyseFlags),
    /// Draw a position
    Board(BoardFlags),
    /// Write records of games in another form
    Convert(ConvertFlags),
    /// Let engines play each other: which one is stronger?
    #[command(after_long_help = MATCH_HELP)]
    Match(Box<MatchFlags>),
    /// Make openings for matches: random turns, no two alike up to symmetry
    #[command(after_long_help = OPENINGS_HELP)]
    Openings(OpeningsFlags),
    /// Find the exact value of the position and of each of its turns, by search and tables
    #[command(after_long_help = SOLVE_HELP)]
    Solve(SolveFlags),
    /// Measure how often the engine without tables, or another engine, keeps the value of positions drawn
    /// by lot
    #[command(after_long_help = ACCURACY_HELP)]
    Accuracy(AccuracyFlags),
    /// Fit the evaluation's weights to positions of tables and to games of its own
    #[command(after_long_help = TUNE_HELP)]
    Tune(TuneFlags),
    /// List the games, or spell one out
    Rules {
        /// A preset, or options joined by '+'
        #[arg(value_name = "RULES")]
        text: Option<String>,
    },
    /// List the engine's options
    Options {
        /// As a Markdown table
        #[arg(long)]
        markdown: bool,
    },
    /// Print the manual page, in the form of man
    Man,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Any other command of the protocol.
    #[command(external_subcommand)]
    Other(Vec<String>),
}

#[derive(Debug, Args)]
pub(super) struct PerftFlags {
    /// Turns of the sequences, 0 to 100
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(super) depth: u32,
    /// Threads that count
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(super) threads: u16,
    /// Make every turn of the last ply instead of counting them
    #[arg(long)]
    pub(super) no_bulk: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct BenchFlags {
    /// Depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000),
        default_value_t = bench::Settings::default().depth)]
    pub(super) depth: u32,
    /// Threads that search
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512),
        default_value_t = bench::Settings::default().threads as u16)]
    pub(super) threads: u16,
    /// Hash table in MiB
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536),
        default_value_t = bench::Settings::default().hash as u32)]
    pub(super) hash: u32,
}
