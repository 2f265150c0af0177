//! The way in: lines of bounded length out of any bytes.

use std::io::{self, BufRead};

/// The longest line that is taken, in bytes; a game record of any length fits.
pub const LONGEST: usize = 1 << 22;

/// What is kept of the buffer after an unusually long line.
const USUAL: usize = 1 << 16;

/// Reads lines.
pub struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
}

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Text, without its line break.
    Text(&'a str),
    /// Not UTF-8; its first word, as far as it is text.
    NotText(&'a str),
    /// Longer than [`LONGEST`], and skipped to its end; its first word, as far as it is text.
    TooLong(&'a str),
}

impl<R: BufRead> Lines<R> {
    /// Reads from `reader`.
    pub fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new() }
    }

    /// The next line; `None` at the end. A last line without a line break counts.
    ///
    /// # Errors
    /// If the reader fails.
    pub fn read(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        self.buffer.shrink_to(USUAL);
        let (mut any, mut too_long) = (false, false);
        loop {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            any |= !bytes.is_empty();
            let end = bytes.iter().position(|b| *b == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let used = end.map_or(bytes.len(), |end| end + 1);
            let room = LONGEST - self.buffer.len();
            too_long |= part.len() > room;
            self.buffer.extend_from_slice(&part[..part.len().min(room)]);
            self.reader.consume(used);
            if end.is_some() || used == 0 {
                break;
            }
        }
        Ok(match std::str::from_utf8(&self.buffer) {
            _ if !any => None,
            _ if too_long => Some(Line::TooLong(first_word(&self.buffer))),
            Ok(text) => Some(Line::Text(text)),
            Err(_) => Some(Line::NotText(first_word(&self.buffer))),
        })
    }
}

fn first_word(bytes: &[u8]) -> &str {
    let words = bytes.split(u8::is_ascii_whitespace);
    let word = words.into_iter().find(|word| !word.is_empty()).unwrap_or_default();
    std::str::from_utf8(word).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// All lines, with a reader whose buffer is smaller than any of them.
    fn read(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(BufReader::with_capacity(3, bytes));
        let mut found = Vec::new();
        while let Some(line) = lines.read().expect("a slice does not fail") {
            found.push(match line {
                Line::Text(text) => text.to_string(),
                other => format!("{other:?}"),
            });
        }
        found
    }

    #[test]
    fn lines_end_anywhere() {
        assert_eq!(read(b""), [""; 0]);
        assert_eq!(read(b"\n"), [""]);
        assert_eq!(read(b"isready\r\n\nquit"), ["isready\r", "", "quit"]);
    }

    #[test]
    fn bytes_that_are_no_text_cost_one_line() {
        assert_eq!(read(b"\xff\xfe\nd\n"), ["NotText(\"\")", "d"]);
        assert_eq!(read(b" position \xff\n"), ["NotText(\"position\")"]);
    }

    #[test]
    fn long_lines_are_skipped_whole_and_their_memory_returned() {
        let mut bytes = vec![b'a'; LONGEST];
        bytes.extend_from_slice(b"\nd\n");
        let mut lines = Lines::new(bytes.as_slice());
        assert_eq!(lines.read().unwrap(), Some(Line::Text("a".repeat(LONGEST).as_str())));
        assert_eq!(lines.read().unwrap(), Some(Line::Text("d")));
        assert!(lines.buffer.capacity() <= USUAL);

        bytes.insert(0, b'a');
        bytes[8] = b' ';
        assert_eq!(read(&bytes), ["TooLong(\"aaaaaaaa\")", "d"]);
    }
}
