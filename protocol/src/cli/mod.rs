//! The command line: flags as typed here, the [`Request`] that they come to, and running it.

mod request;

pub use request::{Request, Task, UsageError};

use crate::{
    NAME, ProtocolError,
    dialects::{Dialect, NATIVE},
    options,
    session::{Session, serve, with_session},
    state::describe_rules,
    tools::{bench, perft},
};
use anyhow::{Context, anyhow};
use clap::{Args, Parser, Subcommand};
use millrace_engine::{Rules, rules, search::Control};
use std::{
    io::{self, BufReader, Cursor, IsTerminal, Read, Write},
    ops::ControlFlow,
    process::ExitCode,
};

const EXAMPLES: &str = "\
Examples:
  millrace                                   a session: type commands, or let a program type them
  millrace go movetime 1000                  the best turn of the empty board, after one second
  millrace --rules six go depth 12           another game; 'millrace rules' lists them
  millrace --rules nine+fly=0 d              a preset with one rule changed
  millrace --fen '3/3/3/2WWB1/3/3/3 b 7 8' moves
  millrace --moves 'd6 f4 d2' go nodes 100000 searchmoves b4 f2
  millrace -o Threads=2 -o Hash=256 go movetime 2000
  millrace perft --rules lasker 5            turn sequences, the test of turn generation
  millrace bench --depth 8                   speed, and a signature of the search

Exit codes: 0 done, 1 it failed, 2 it was not understood.";

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
    rules: Option<String>,
    /// The position, instead of the empty board
    #[arg(long, global = true, value_name = "FEN")]
    fen: Option<String>,
    /// Turns to be played from there, in one argument
    #[arg(long, global = true, value_name = "TURNS")]
    moves: Option<String>,
    /// An option of the engine; may be given several times
    #[arg(short = 'o', long = "option", global = true, value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
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
    /// Any other command of the protocol.
    #[command(external_subcommand)]
    Other(Vec<String>),
}

#[derive(Debug, Args)]
struct PerftFlags {
    /// Turns of the sequences, 0 to 100
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Threads that count
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Make every turn of the last ply instead of counting them
    #[arg(long)]
    no_bulk: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct BenchFlags {
    /// Depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    depth: Option<u32>,
    /// Threads that search
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Hash table in MiB
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: Option<u32>,
}

/// Runs the program on the process's arguments and streams.
pub fn main() -> ExitCode {
    let request = match Request::try_from(Flags::parse()) {
        Ok(request) => request,
        Err(error) => {
            complain(&anyhow!(error));
            return ExitCode::from(2);
        }
    };
    match run(request) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// Tells an error to people. If nobody reads it, there is nothing left to do about it.
fn complain(error: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "error: {error:#}");
}

fn run(request: Request) -> anyhow::Result<()> {
    let Request { setup, task } = request;
    match task {
        Task::Serve => {
            if io::stdin().is_terminal() && io::stdout().is_terminal() {
                print(&greeting())?;
            }
            let setup = setup.join("\n") + "\n";
            serve(BufReader::new(Cursor::new(setup).chain(io::stdin())), io::stdout())
        }
        Task::Once(line) => with_session(io::stdout(), move |session| once(session, &setup, &line)),
        Task::Perft { rules, position, settings, json } => {
            let report = perft::run(&rules, &position, settings, &|| false)
                .context("the threads cannot be started")?
                .context("the count was stopped")?;
            print(&if json {
                serde_json::to_string_pretty(&report)? + "\n"
            } else {
                report.list() + &report.speed()
            })
        }
        Task::Bench(settings) => {
            let mut shown = Ok(());
            let total = bench::run(settings, &Control::new(), &mut |line| {
                if shown.is_ok() {
                    shown = print(&format!("{line}\n"));
                }
            });
            shown?;
            print(&total.context("the search was stopped")?.list())
        }
        Task::ListRules => print(&list_rules()),
        Task::DescribeRules(rules) => print(&(describe_rules(&rules) + &list_options_of(&rules))),
        Task::ListOptions { markdown: true } => print(&options::markdown()),
        Task::ListOptions { markdown: false } => print(&list_options()),
    }
}

/// Says lines to a session as if they had been typed, and waits for all that the last one starts.
fn once<W: Write>(session: &mut Session<W>, setup: &[String], line: &str) -> anyhow::Result<()> {
    let lines = setup.iter().map(String::as_str).chain([line]);
    for line in lines {
        let heard: Result<ControlFlow<()>, ProtocolError> = session.hear(line);
        if heard?.is_break() {
            break;
        }
    }
    session.finish();
    Ok(())
}

/// Writes to standard output; that nobody reads it is no error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("standard output"),
    }
}

fn greeting() -> String {
    format!(
        "{NAME}, an engine for nine men's morris and its relatives.\n\
         Type 'd' for the board, 'go movetime 1000' for a turn, 'help' for all commands, 'quit' to \
         end.\n"
    )
}

fn list_rules() -> String {
    let mut text = String::from("Presets:\n");
    for preset in rules::PRESETS {
        text += &format!("  {:<12} {}\n", preset.name, preset.about);
    }
    text += "\nOptions, to be changed on top of a preset (nine+fly=0+removals=per-mill):\n";
    for option in rules::OPTIONS {
        let names = format!("{}={}", option.name, option.values().replace(", ", "|"));
        text += &format!("  {names:<44} {}\n", option.about);
    }
    text
}

fn list_options_of(rules: &Rules) -> String {
    let lines = rules::OPTIONS.iter().map(|o| {
        let value = format!("{}={}", o.name, o.value(rules));
        format!("  {value:<30} {}\n", o.about)
    });
    lines.collect()
}

fn list_options() -> String {
    let lines = options::all().iter().map(|entry| {
        let default = entry.default_value().map_or(String::new(), |d| format!(" (default {d})"));
        format!("{}: {}\n    {}{default}\n", entry.name, entry.about, entry.takes())
    });
    lines.collect()
}

/// Whether a line is a command; used to tell usage errors from failures.
fn check_line(line: &str) -> Result<(), ProtocolError> {
    NATIVE.parse(line).map(|_| ())
}
