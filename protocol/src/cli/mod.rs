//! The command line: flags as typed here, the [`Request`] that they come to, and running it.

mod flags;
mod play;
mod records;
mod request;
mod tables;
mod tuning;

pub use flags::Flags;
pub use request::{Request, Task, UsageError};

use crate::{
    NAME, ProtocolError,
    dialects::{Dialect, NATIVE},
    r#match::command,
    options,
    resident::keep_code,
    session::{Session, serve, with_session},
    state::describe_rules,
    table_folders::NoTables,
    tools::{accuracy, bench, perft, solve, tune},
};
use anyhow::{Context, anyhow};
use millrace_engine::{Rules, rules, search::Control};
use std::{
    io::{self, BufReader, Cursor, IsTerminal, Read, Write},
    ops::ControlFlow,
    process::ExitCode,
};

/// The exit code for a request that makes no sense.
const USAGE: u8 = 2;

/// Runs the program on the process's arguments and streams.
pub fn main() -> ExitCode {
    let flags = match Flags::read(std::env::args_os()) {
        Ok(flags) => flags,
        Err(told) => return tell(&told),
    };
    if let Some(told) = flags.help_wanted() {
        return tell(&told);
    }
    let request = match Request::try_from(flags) {
        Ok(request) => request,
        Err(error) => {
            complain(&anyhow!(error));
            return ExitCode::from(USAGE);
        }
    };
    match run(request) {
        Ok(code) => code,
        Err(error) => {
            complain(&error);
            if error.is::<NoTables>() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
        }
    }
}

/// Tells what the reading of flags ended with: an error, help or the version.
fn tell(told: &clap::Error) -> ExitCode {
    let shown = told.print().and_then(|()| io::stdout().flush());
    match shown {
        _ if told.use_stderr() => ExitCode::from(USAGE),
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&anyhow!(error).context("standard output"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Tells an error to people, each complaint in a line of its own. If nobody reads it, there is nothing
/// left to do about it.
fn complain(error: &anyhow::Error) {
    for line in format!("{error:#}").lines() {
        let _ = writeln!(io::stderr(), "error: {line}");
    }
}

fn run(request: Request) -> anyhow::Result<ExitCode> {
    let Request { setup, task } = request;
    let task = match task {
        Task::Match(job) => {
            keep_code();
            return command::play(*job, &print);
        }
        Task::Merge(flags) => return command::merge(&flags, &print),
        task => task,
    };
    run_plain(setup, task).map(|()| ExitCode::SUCCESS)
}

/// Runs a task that either succeeds or fails.
fn run_plain(setup: Vec<String>, task: Task) -> anyhow::Result<()> {
    match task {
        Task::Serve => {
            keep_code();
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
        Task::Play { flags, game, rules, settings } => play::play(flags, &game, rules, *settings),
        Task::Analyse { flags, rules, settings } => records::analyse(&flags, rules, &settings),
        Task::Board { rules, position, svg } => records::board(&rules, &position, svg.as_deref()),
        Task::Convert { flags, rules } => records::convert(&flags, rules),
        Task::Bench(settings) => {
            let mut shown = Ok(());
            let total = bench::run(settings, &Control::new(), &mut |line| {
                if shown.is_ok() {
                    shown = print(&format!("{line}\n"));
                }
            });
            shown?;
            print(&total?.context("the search was stopped")?.list())
        }
        Task::Manual => print_bytes(&manual()?),
        Task::Completions(shell) => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut flags::command(), "millrace", &mut text);
            print_bytes(&text)
        }
        Task::Match(job) => command::play(*job, &print).map(|_| ()),
        Task::Merge(flags) => command::merge(&flags, &print).map(|_| ()),
        Task::Openings { rules, flags } => command::make_openings(&flags, &rules, &print),
        Task::Solve { game, settings, json } => {
            let solution = solve::run(&game, &settings)?;
            for fault in &solution.warnings {
                // If nobody reads it, there is nothing left to do about it.
                let _ = writeln!(io::stderr(), "warning: {fault}");
            }
            print(&if json {
                serde_json::to_string_pretty(&solution)? + "\n"
            } else {
                solution.list()
            })
        }
        Task::Accuracy { settings, json } => {
            let report = accuracy::run(&settings)?;
            print(&if json { serde_json::to_string_pretty(&report)? + "\n" } else { report.list() })
        }
        Task::Tune(settings) => {
            let text = tune::run(&settings)?;
            if settings.out.is_none() { print(&text) } else { Ok(()) }
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
    print_bytes(text.as_bytes())
}

/// The manual page, its commands in full.
fn manual() -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let command = flags::command();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands() {
        let name = format!("millrace-{}", sub.get_name());
        let has_more = sub.get_after_help().or(sub.get_after_long_help()).is_some();
        let sub = sub.clone().name(name.clone()).bin_name(name.replacen('-', " ", 1));
        let man = clap_mangen::Man::new(sub);
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
        if has_more {
            man.render_extra_section(&mut page)?;
        }
    }
    Ok(page)
}

fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
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
