//! Exit codes, by which scripts and workflow engines know what happened.

use super::tally::SomeWrong;
use crate::{
    file::FileError, folder::FolderError, memory::Refused, plan::PlanError, run::RunError,
    solve::SolveError,
};
use millrace_engine::{
    RulesError,
    table::TableError,
    text::{FenError, counted},
};
use std::path::PathBuf;

/// All is done.
pub const DONE: u8 = 0;
const OTHER: u8 = 1;
const USAGE: u8 = 2;
const MISSING: u8 = 3;
/// A file is damaged, or holds values that cannot be right.
pub const DAMAGED: u8 = 4;
const NO_SPACE: u8 = 5;
/// The user has stopped the work.
pub const STOPPED: u8 = 130;

/// The codes for the help.
pub const HELP: &str = "Exit codes: 0 done, 1 something else failed (such as a folder in use, or one that cannot be made), \
2 wrong usage, 3 a needed file is missing, 4 a file is damaged, 5 out of memory or disk, \
130 stopped with all finished work kept.";

/// A request that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// A request for more than there is.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DoesNotFit(pub String);

/// Tables that contradict themselves; the report has been given.
#[derive(Debug, thiserror::Error)]
#[error("wrong: {}", counted(*.0, "position"))]
pub struct Wrong(pub u64);

/// A folder without tables that others in it need.
#[derive(Debug, thiserror::Error)]
#[error("missing: {0}")]
pub struct Incomplete(pub String);

/// A sector that could not be looked up, since files that it needs are damaged.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// A folder without the tables that are meant.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} holds no {form}{}{}",
    folder.display(),
    rules.as_ref().map_or(String::new(), |rules| format!(" of {rules}")),
    most.map_or(String::new(), |most| format!(" with at most {}", counted(most, "stone")))
)]
pub struct Nothing {
    /// The folder.
    pub folder: PathBuf,
    /// What was looked for.
    pub form: &'static str,
    /// The rules' short name, if it was one game's tables.
    pub rules: Option<String>,
    /// The most stones that were asked for, if tables with more are there.
    pub most: Option<u8>,
}

/// The user has stopped the work.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// The exit code for an error.
pub fn code(error: &anyhow::Error) -> u8 {
    error.chain().find_map(known).unwrap_or(OTHER)
}

/// What is wrong with a file of the solver's, wherever it came up.
pub fn file_error(error: &anyhow::Error) -> Option<&FileError> {
    error.chain().find_map(as_file_error)
}

fn as_file_error<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a FileError> {
    let of_solve = |error: &'a SolveError| match error {
        SolveError::Known(error) => Some(error),
        _ => None,
    };
    if let Some(error) = error.downcast_ref::<RunError>() {
        return match error {
            RunError::File(error) => Some(error),
            RunError::Solve(error) => of_solve(error),
            RunError::Wrong(files) => files.first(),
            RunError::DoesNotFit(_) | RunError::DiskFull { .. } => None,
        };
    }
    if let Some(FolderError::File(error)) = error.downcast_ref::<FolderError>() {
        return Some(error);
    }
    let solving = error.downcast_ref::<SolveError>().and_then(of_solve);
    solving.or_else(|| error.downcast_ref::<FileError>())
}

fn known(error: &(dyn std::error::Error + 'static)) -> Option<u8> {
    if let Some(error) = as_file_error(error) {
        return Some(of_file(error));
    }
    if let Some(error) = error.downcast_ref::<RunError>() {
        return match error {
            RunError::Solve(error) => Some(of_solve(error)),
            RunError::DoesNotFit(_) | RunError::DiskFull { .. } => Some(NO_SPACE),
            RunError::File(_) | RunError::Wrong(_) => None,
        };
    }
    if let Some(error) = error.downcast_ref::<SolveError>() {
        return Some(of_solve(error));
    }
    if let Some(error) = error.downcast_ref::<TableError>() {
        return match error {
            TableError::Missing => Some(MISSING),
            // As with the solver's files: one bit makes a version of another.
            TableError::Damaged(_) | TableError::Version { .. } => Some(DAMAGED),
            TableError::OtherRules { .. } => Some(USAGE),
            TableError::Io(_) => None,
        };
    }
    if let Some(error) = error.downcast_ref::<SomeWrong>() {
        return Some(error.code());
    }
    let usage = error.is::<Usage>()
        || error.is::<PlanError>()
        || error.is::<RulesError>()
        || error.is::<FenError>();
    let kinds = [
        (usage, USAGE),
        (error.is::<DoesNotFit>() || error.is::<Refused>(), NO_SPACE),
        (error.is::<Wrong>(), DAMAGED),
        (error.is::<Unreadable>(), DAMAGED),
        (error.is::<Incomplete>() || error.is::<Nothing>(), MISSING),
        (error.is::<Stopped>(), STOPPED),
    ];
    kinds.into_iter().find(|(is, _)| *is).map(|(_, code)| code)
}

fn of_solve(error: &SolveError) -> u8 {
    match error {
        SolveError::Known(error) => of_file(error),
        SolveError::Stopped => STOPPED,
        SolveError::OutOfMemory { .. }
        | SolveError::Refused { .. }
        | SolveError::Threads { .. } => NO_SPACE,
        SolveError::DistanceOverflow { .. } => OTHER,
    }
}

fn of_file(error: &FileError) -> u8 {
    match error {
        FileError::Missing(_) | FileError::NoKind { .. } => MISSING,
        FileError::Damaged { .. } => DAMAGED,
        FileError::OtherRules { .. } | FileError::NotAFolder(_) => USAGE,
        FileError::Full { .. } | FileError::NoMemory { .. } => NO_SPACE,
        FileError::CannotMake { .. } | FileError::Io { .. } => OTHER,
    }
}
