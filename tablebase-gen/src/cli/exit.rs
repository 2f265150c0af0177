//! Exit codes, by which scripts and workflow engines know what happened.

use crate::{
    file::FileError, folder::FolderError, plan::PlanError, run::RunError, solve::SolveError,
};
use millrace_engine::{RulesError, table::TableError, text::FenError};

/// All is done.
pub const DONE: u8 = 0;
const OTHER: u8 = 1;
const USAGE: u8 = 2;
const MISSING: u8 = 3;
/// A file is damaged, or holds values that cannot be right.
pub const DAMAGED: u8 = 4;
const NO_SPACE: u8 = 5;
const STOPPED: u8 = 130;

/// The codes for the help.
pub const HELP: &str = "Exit codes: 0 done, 1 something else failed (such as a folder in use), \
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
#[error("{0} positions are wrong")]
pub struct Wrong(pub u64);

/// A folder without tables that others in it need.
#[derive(Debug, thiserror::Error)]
#[error("missing: {0}")]
pub struct Incomplete(pub String);

/// The user has stopped the work.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// The exit code for an error.
pub fn code(error: &anyhow::Error) -> u8 {
    error.chain().find_map(known).unwrap_or(OTHER)
}

fn known(error: &(dyn std::error::Error + 'static)) -> Option<u8> {
    if let Some(error) = error.downcast_ref::<RunError>() {
        return Some(match error {
            RunError::Solve(error) => of_solve(error),
            RunError::File(error) => of_file(error),
            RunError::DoesNotFit(_) | RunError::DiskFull { .. } => NO_SPACE,
        });
    }
    if let Some(error) = error.downcast_ref::<SolveError>() {
        return Some(of_solve(error));
    }
    if let Some(error) = error.downcast_ref::<FileError>() {
        return Some(of_file(error));
    }
    if let Some(FolderError::File(error)) = error.downcast_ref::<FolderError>() {
        return Some(of_file(error));
    }
    if let Some(error) = error.downcast_ref::<TableError>() {
        return match error {
            TableError::Missing => Some(MISSING),
            TableError::Damaged(_) => Some(DAMAGED),
            TableError::Version { .. } | TableError::OtherRules { .. } | TableError::Io(_) => None,
        };
    }
    let usage = error.is::<Usage>()
        || error.is::<PlanError>()
        || error.is::<RulesError>()
        || error.is::<FenError>();
    let kinds = [
        (usage, USAGE),
        (error.is::<DoesNotFit>(), NO_SPACE),
        (error.is::<Wrong>(), DAMAGED),
        (error.is::<Incomplete>(), MISSING),
        (error.is::<Stopped>(), STOPPED),
    ];
    kinds.into_iter().find(|(is, _)| *is).map(|(_, code)| code)
}

fn of_solve(error: &SolveError) -> u8 {
    match error {
        SolveError::Known(error) => of_file(error),
        SolveError::Stopped => STOPPED,
        SolveError::OutOfMemory { .. } => NO_SPACE,
        SolveError::DistanceOverflow { .. } | SolveError::Threads(_) => OTHER,
    }
}

fn of_file(error: &FileError) -> u8 {
    match error {
        FileError::Missing(_) => MISSING,
        FileError::Damaged { .. } => DAMAGED,
        FileError::OtherRules { .. } => USAGE,
        FileError::Full { .. } => NO_SPACE,
        FileError::Io { .. } => OTHER,
    }
}
