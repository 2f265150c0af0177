//! What engines say of their turns, as the first words of a comment: `+0.35/12 0.104s`, score and
//! depth and time. The form is that of the match runners cutechess and fastchess.

use super::Entry;
use crate::search::Score;
use std::{fmt::Write, time::Duration};

/// Score, depth and time as words; empty if there are none.
pub(super) fn figures(entry: &Entry) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match entry.score {
        Some(Score::Cp(cp)) => {
            let (sign, size) = (if cp < 0 { '-' } else { '+' }, cp.unsigned_abs());
            write!(text, "{sign}{}.{:02}", size / 100, size % 100)
        }
        Some(Score::Mate(turns)) => {
            write!(text, "{}M{}", if turns > 0 { '+' } else { '-' }, turns.unsigned_abs())
        }
        None => Ok(()),
    };
    if let Some(depth) = entry.depth {
        let _ = write!(text, "/{depth}");
    }
    if let Some(time) = entry.time {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{}.{:03}s", time.as_secs(), time.subsec_millis());
    }
    text
}

/// Takes the figures off the beginning of a comment, and returns the rest.
pub(super) fn take_figures<'a>(entry: &mut Entry, comment: &'a str) -> &'a str {
    let mut rest = comment.trim_start();
    let word = |text: &'a str| text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (first, after) = word(rest);
    if let Some((score, depth)) = score_and_depth(first) {
        (entry.score, entry.depth) = (score, depth);
        rest = after.trim_start();
    }
    let (first, after) = word(rest);
    if let Some(time) = seconds(first) {
        entry.time = Some(time);
        rest = after.trim_start();
    }
    rest
}

/// `+0.35/12`, `+M5/12`, `+0.35` or `/12`.
fn score_and_depth(word: &str) -> Option<(Option<Score>, Option<u32>)> {
    let (score, depth) = match word.split_once('/') {
        Some((score, depth)) => (score, Some(digits(depth)?)),
        None => (word, None),
    };
    if score.is_empty() {
        return depth.map(|depth| (None, Some(depth)));
    }
    let (sign, size) = match score.split_at_checked(1)? {
        ("+", size) => (1, size),
        ("-", size) => (-1, size),
        _ => return None,
    };
    let score = match size.strip_prefix('M') {
        Some(turns) => Score::Mate(sign * i32::try_from(digits(turns)?).ok()?),
        None => {
            let (whole, parts) = size.split_once('.')?;
            let parts = digits(parts).filter(|_| parts.len() == 2)?;
            let hundredths = i64::from(digits(whole)?) * 100 + i64::from(parts);
            Score::Cp(i32::try_from(i64::from(sign) * hundredths).ok()?)
        }
    };
    Some((Some(score), depth))
}

/// `0.104s` or `3s`, to the millisecond.
fn seconds(word: &str) -> Option<Duration> {
    let number = word.strip_suffix('s')?;
    let (whole, parts) = number.split_once('.').unwrap_or((number, "0"));
    let millis = digits(&format!("{:0<3}", parts.get(..parts.len().min(3))?))?;
    digits(parts)?;
    Some(Duration::from_secs(digits(whole)?.into()) + Duration::from_millis(millis.into()))
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::Turn;

    fn read(comment: &str) -> (Entry, &str) {
        let mut entry = Entry::from(Turn::PASS);
        let rest = take_figures(&mut entry, comment);
        (entry, rest)
    }

    #[test]
    fn figures_come_back_as_they_were() {
        for score in [None, Some(Score::Cp(-7)), Some(Score::Cp(20_012)), Some(Score::Mate(-3))] {
            for depth in [None, Some(1), Some(u32::MAX)] {
                for time in [None, Some(Duration::from_millis(1_004))] {
                    let entry = Entry { score, depth, time, ..Entry::from(Turn::PASS) };
                    let text = figures(&entry);
                    assert_eq!(read(&text), (entry.clone(), ""), "{text}");
                    let more = format!("{text} and so on");
                    assert_eq!(read(&more), (entry, "and so on"), "{more}");
                }
            }
        }
        let extreme = Entry { score: Some(Score::Cp(i32::MIN)), ..Entry::from(Turn::PASS) };
        assert_eq!(read(&figures(&extreme)).0, extreme);
    }

    #[test]
    fn what_is_no_figure_stays_text() {
        for text in
            ["+1", "0.35", "+0.3", "+M", "/", "s", ".5s", "1..2s", "+9999999999.00", "1.xs", "–"]
        {
            assert_eq!(read(text), (Entry::from(Turn::PASS), text), "{text}");
        }
        assert_eq!(read("0.1s").0.time, Some(Duration::from_millis(100)));
        assert_eq!(read("2s").0.time, Some(Duration::from_secs(2)));
    }
}
