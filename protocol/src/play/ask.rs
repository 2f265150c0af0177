//! Asking a person for a line: with editing and completion in a terminal, plainly elsewhere.

use rustyline::{
    Context, Helper,
    completion::{Completer, Pair},
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::MemHistory,
    validate::Validator,
};
use std::io::{self, BufRead, Write};

/// A way to ask.
pub trait Ask {
    /// Asks for a line, of which `choices` may be typed in part; `None` at the end of the input.
    ///
    /// # Errors
    /// If reading or writing fails.
    fn ask(&mut self, prompt: &str, choices: &[String]) -> anyhow::Result<Option<String>>;
}

/// Asks on any streams.
pub struct Plain<R, W> {
    reader: R,
    writer: W,
}

impl<R: BufRead, W: Write> Plain<R, W> {
    /// Reads from `reader` and prompts on `writer`.
    pub fn new(reader: R, writer: W) -> Self {
        Self { reader, writer }
    }
}

impl<R: BufRead, W: Write> Ask for Plain<R, W> {
    fn ask(&mut self, prompt: &str, _: &[String]) -> anyhow::Result<Option<String>> {
        write!(self.writer, "{prompt}")?;
        self.writer.flush()?;
        let mut line = Vec::new();
        let got = self.reader.read_until(b'\n', &mut line)?;
        Ok((got > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }
}

/// Asks in a terminal, where lines can be edited and the Tab key completes them.
pub struct Editor {
    editor: rustyline::Editor<Choices, MemHistory>,
}

impl Editor {
    /// An editor on this process's terminal.
    ///
    /// # Errors
    /// If there is none.
    pub fn new() -> anyhow::Result<Self> {
        let config =
            rustyline::Config::builder().completion_type(rustyline::CompletionType::List).build();
        let mut editor = rustyline::Editor::with_history(config, MemHistory::new())?;
        editor.set_helper(Some(Choices(Vec::new())));
        Ok(Self { editor })
    }
}

impl Ask for Editor {
    fn ask(&mut self, prompt: &str, choices: &[String]) -> anyhow::Result<Option<String>> {
        self.editor.set_helper(Some(Choices(choices.to_vec())));
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.editor.add_history_entry(&line)?;
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Ok(None)
            }
            // What is no text is not understood, like other things that are no commands.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Ok(Some(char::REPLACEMENT_CHARACTER.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The words that complete a line.
struct Choices(Vec<String>);

impl Helper for Choices {}
impl Highlighter for Choices {}
impl Hinter for Choices {
    type Hint = String;
}
impl Validator for Choices {}

impl Completer for Choices {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let begun = line.get(..at).unwrap_or(line).trim_start().to_lowercase();
        let fitting = self.0.iter().filter(|choice| choice.starts_with(&begun));
        let pair = |choice: &String| Pair { display: choice.clone(), replacement: choice.clone() };
        Ok((0, fitting.map(pair).collect()))
    }
}
