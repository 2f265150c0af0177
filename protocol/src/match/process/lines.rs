//! Lines out of a stream of bytes, and the last lines of another.

use std::collections::VecDeque;

/// The longest line that is taken, in bytes.
const LONGEST: usize = 1 << 20;
/// The lines of standard error that are kept, and how much of each.
const KEPT: usize = 5;
const KEPT_BYTES: usize = 200;

/// Bytes that have come in, from which lines are taken.
#[derive(Default)]
pub(super) struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where no line break was found.
    scanned: usize,
}

impl LineBuffer {
    /// Adds bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.start == self.bytes.len() {
            self.bytes.clear();
            (self.start, self.scanned) = (0, 0);
        } else if self.start > LONGEST {
            self.bytes.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Moves the next whole line into `line`. Bytes that are no text become replacement characters.
    pub(super) fn take(&mut self, line: &mut String) -> bool {
        let Some(end) = self.bytes[self.scanned..].iter().position(|b| *b == b'\n') else {
            self.scanned = self.bytes.len();
            return false;
        };
        let end = self.scanned + end;
        let text = String::from_utf8_lossy(&self.bytes[self.start..end]);
        line.clear();
        line.push_str(text.trim_end_matches('\r'));
        (self.start, self.scanned) = (end + 1, end + 1);
        true
    }

    /// Whether more has come without a line break than any line may hold.
    pub(super) fn is_too_long(&self) -> bool {
        self.scanned - self.start > LONGEST
    }
}

/// The last lines of a stream.
#[derive(Default)]
pub(super) struct Tail {
    lines: VecDeque<Vec<u8>>,
    /// Whether the last one goes on.
    open: bool,
}

impl Tail {
    /// Adds bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|b| *b == b'\n') {
            if !self.open {
                self.lines.push_back(Vec::new());
            }
            if let Some(line) = self.lines.back_mut() {
                let room = KEPT_BYTES.saturating_sub(line.len());
                line.extend(part.iter().take(room).filter(|b| **b != b'\n'));
            }
            self.open = !part.ends_with(b"\n");
            if self.lines.len() > KEPT {
                self.lines.pop_front();
            }
        }
    }

    /// The lines, without blank ones and without what a terminal might obey.
    pub(super) fn lines(&self) -> Vec<String> {
        let clean = |bytes: &Vec<u8>| -> String {
            let text = String::from_utf8_lossy(bytes);
            text.trim().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
        };
        self.lines.iter().map(clean).filter(|line| !line.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_as_they_went_in() {
        let mut buffer = LineBuffer::default();
        let mut line = String::new();
        let mut found = Vec::new();
        for part in [b"id na".as_slice(), b"me x\r\n\nready", b"ok\n", b"\xff\nrest"] {
            buffer.push(part);
            while buffer.take(&mut line) {
                found.push(line.clone());
            }
        }
        assert_eq!(found, ["id name x", "", "readyok", "\u{fffd}"]);
        assert!(!buffer.is_too_long());
        buffer.push(&vec![b'x'; LONGEST]);
        assert!(!buffer.take(&mut line) && buffer.is_too_long());
    }

    #[test]
    fn long_talk_leaves_no_heap_of_bytes() {
        let mut buffer = LineBuffer::default();
        let mut line = String::new();
        let block = [b"info\n".repeat(1 << 10).as_slice(), b"in"].concat();
        for _ in 0..2_000 {
            buffer.push(&block);
            while buffer.take(&mut line) {}
        }
        assert!(buffer.bytes.len() < 2 * LONGEST, "{}", buffer.bytes.len());
    }

    #[test]
    fn the_last_lines_are_kept() {
        let mut tail = Tail::default();
        for n in 0..9 {
            tail.push(format!("line {n}\n").as_bytes());
        }
        tail.push(b"no ");
        tail.push(b"end\x1b");
        tail.push(&[b'x'; 1000]);
        let lines = tail.lines();
        assert_eq!(lines[..3], ["line 5", "line 6", "line 7"]);
        assert!(lines[4].starts_with("no end?xx") && lines[4].len() <= KEPT_BYTES, "{lines:?}");
    }
}
