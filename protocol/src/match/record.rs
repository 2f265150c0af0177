//! Records of games, appended to a file as the games end.

use super::{
    referee::{Played, Ply},
    schedule::Slot,
    settings::Settings,
};
use millrace_engine::{
    Position,
    text::record::{Entry, Record},
};
use std::{
    fs::{File, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    time::SystemTime,
};

/// A game as it is written down.
pub fn record(settings: &Settings, id: &str, slot: &Slot, played: &Played) -> Record {
    let rules = settings.rules;
    let first = played.game.positions()[0];
    let [white, black] = slot.players.map(|index| &settings.players[index]);
    let opening = played.plies.iter().take_while(|ply| ply.time.is_none()).count();
    let half = if slot.first_is_white { 1 } else { 2 };
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let tags = [
        ("Match", format!("{id} game {}", slot.game)),
        ("Event", "Millrace match".to_string()),
        ("Date", date.get(..10).unwrap_or_default().replace('-', ".")),
        ("Round", format!("{}.{half}", slot.round + 1)),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("WhiteTimeControl", white.limit.describe()),
        ("BlackTimeControl", black.limit.describe()),
        ("OpeningPlies", opening.to_string()),
    ];
    Record {
        tags: tags.into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
        start: (first != Position::start(&rules)).then_some(first),
        moves: played.plies.iter().map(entry).collect(),
        result: played.result,
        reason: played.reason.clone(),
        ..Record::new(rules)
    }
}

fn entry(ply: &Ply) -> Entry {
    Entry {
        score: ply.score,
        depth: ply.depth,
        time: ply.time,
        comment: ply.remark.clone(),
        ..Entry::from(ply.turn)
    }
}

/// A file of records that is written by one match at a time.
pub struct RecordFile {
    file: File,
    end: u64,
}

impl RecordFile {
    /// Opens a file, which may have records in it already.
    ///
    /// # Errors
    /// If it cannot be opened, or another match writes to it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file =
            File::options().create(true).truncate(false).read(true).write(true).open(path)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(io::Error::other("another match writes to it"));
        }
        let end = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, end })
    }

    /// Cuts off what a match wrote after it had last saved its state, which then ended at `end`:
    /// those games are played again. Says whether the file now ends there; if it holds records of
    /// others, nothing is done.
    ///
    /// # Errors
    /// If the file cannot be read or cut.
    pub fn cut_back(&mut self, end: u64, id: &str) -> io::Result<bool> {
        if end >= self.end {
            return Ok(end == self.end);
        }
        self.file.seek(SeekFrom::Start(end))?;
        let mut tail = Vec::new();
        self.file.read_to_end(&mut tail)?;
        let own = format!("[Match \"{id}");
        let tail = String::from_utf8_lossy(&tail);
        let mut lines = tail.lines().filter(|line| line.starts_with("[Match")).peekable();
        // A record that was cut short may have no more than a part of its first line.
        let begun = lines.peek().is_some() || own.starts_with(tail.as_ref());
        let all_own = lines.all(|line| line.starts_with(&own) || own.starts_with(line));
        if !begun || !all_own || !tail.starts_with(&own[..own.len().min(tail.len())]) {
            self.file.seek(SeekFrom::Start(self.end))?;
            return Ok(false);
        }
        self.file.set_len(end)?;
        self.end = self.file.seek(SeekFrom::Start(end))?;
        Ok(true)
    }

    /// Appends a record. Returns where the file ends now.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &Record) -> io::Result<u64> {
        let text = record.to_string();
        self.file.write_all(text.as_bytes())?;
        self.end += text.len() as u64;
        Ok(self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_records_are_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let cut = |text: &str, end: usize| {
            std::fs::write(&path, text).expect("it can be written");
            let mut file = RecordFile::open(&path).expect("it opens");
            let done = file.cut_back(end as u64, "beef").expect("it can be cut");
            file.append(&Record::new(millrace_engine::Rules::default())).expect("it is written");
            let text = std::fs::read_to_string(&path).expect("it is there");
            (done, text[..text.find("[Variant").expect("a record")].to_string())
        };
        let before = "[Match \"cafe game 9\"]\n\n*\n\n";
        let own = "[Match \"beef game 1\"]\n[White \"x\"]\n\n1. a1 *\n\n";
        let all = |parts: &[&str]| parts.concat();
        let n = before.len();
        assert_eq!(cut(&all(&[before, own, own]), n), (true, before.to_string()));
        assert_eq!(cut(&all(&[before, &own[..4]]), n), (true, before.to_string()));
        assert_eq!(cut(&all(&[before, own, &own[..30]]), n), (true, before.to_string()));
        assert_eq!(cut(before, n), (true, before.to_string()));
        for tail in [all(&[own, before]), all(&[before]), "other\n".to_string()] {
            let text = all(&[before, &tail]);
            assert_eq!(cut(&text, n), (false, text.clone()), "{tail}");
        }
    }

    #[test]
    fn two_matches_do_not_share_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let first = RecordFile::open(&path).expect("it opens");
        assert!(RecordFile::open(&path).is_err());
        drop(first);
        assert!(RecordFile::open(&path).is_ok());
    }
}
