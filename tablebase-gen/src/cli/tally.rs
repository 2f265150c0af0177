//! Work that goes on where single tables are damaged, each of which is named once.

use super::{
    complain,
    exit::{DAMAGED, Incomplete, Stopped, code, file_error},
    hint::is_damaged_and_solved,
};
use millrace_engine::text::counted;
use std::collections::HashSet;

/// Things of which some cannot be worked on; what is wrong with each has been told.
#[derive(Debug, thiserror::Error)]
#[error("{wrong} of {} cannot be {done}", counted(*all, noun))]
pub struct SomeWrong {
    wrong: usize,
    all: usize,
    noun: &'static str,
    done: &'static str,
    code: u8,
    /// Whether some are damaged files of the solver's.
    pub solved: bool,
}

impl SomeWrong {
    /// The exit code of the gravest.
    pub fn code(&self) -> u8 {
        self.code
    }
}

/// Tells what is wrong with several files, but for the gravest fault, which is handed back as what the
/// command ends with: a damaged file outweighs others.
///
/// # Panics
/// If there are no faults.
pub fn told<E: Into<anyhow::Error>>(faults: impl IntoIterator<Item = E>) -> anyhow::Error {
    let mut faults: Vec<anyhow::Error> = faults.into_iter().map(Into::into).collect();
    let gravest = faults.iter().position(|fault| code(fault) == DAMAGED).unwrap_or(0);
    let gravest = faults.remove(gravest);
    for fault in faults {
        complain(format_args!("{fault:#}"));
    }
    gravest
}

/// Goes on where single tables are damaged, and remembers that there were some.
pub struct Tally {
    noun: &'static str,
    done: &'static str,
    all: usize,
    codes: Vec<u8>,
    told: HashSet<String>,
    solved: bool,
}

impl Default for Tally {
    fn default() -> Self {
        Self::of("table", "used")
    }
}

impl Tally {
    /// A tally of files that are to be used.
    pub fn of_files() -> Self {
        Self::of("file", "used")
    }

    /// A tally of what `noun` means, which is to be `done`.
    pub fn of(noun: &'static str, done: &'static str) -> Self {
        Self { noun, done, all: 0, codes: Vec::new(), told: HashSet::new(), solved: false }
    }

    /// What came of a table, if it can be used. If not, that is told; the same fault is told once.
    ///
    /// # Errors
    /// If the user has stopped the work.
    pub fn take<V>(&mut self, result: anyhow::Result<V>) -> anyhow::Result<Option<V>> {
        self.all += 1;
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is::<Stopped>() => Err(error),
            Err(error) => {
                self.codes.push(code(&error));
                self.name(&error);
                Ok(None)
            }
        }
    }

    /// Tells a fault without counting it.
    pub fn name(&mut self, error: &anyhow::Error) {
        self.solved |= file_error(error).is_some_and(is_damaged_and_solved);
        let words = format!("{error:#}");
        if !self.told.contains(&words) {
            complain(&words);
            self.told.insert(words);
        }
    }

    /// Something else that is wrong, which is told if there were wrong tables too.
    ///
    /// # Errors
    /// If there were none: then it is what the command ends with.
    pub fn also(&self, incomplete: Incomplete) -> Result<(), Incomplete> {
        if !self.has_wrong() {
            return Err(incomplete);
        }
        complain(incomplete);
        Ok(())
    }

    /// Whether all tables were right.
    ///
    /// # Errors
    /// If they were not. A damaged one outweighs others.
    pub fn end(self) -> Result<(), SomeWrong> {
        let Some(first) = self.codes.first() else { return Ok(()) };
        let code = if self.codes.contains(&DAMAGED) { DAMAGED } else { *first };
        let Self { noun, done, all, solved, .. } = self;
        Err(SomeWrong { wrong: self.codes.len(), all, noun, done, code, solved })
    }

    /// Whether there were some that cannot be used.
    pub fn has_wrong(&self) -> bool {
        !self.codes.is_empty()
    }
}
