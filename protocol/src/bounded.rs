//! Files from outside, read whole if that is not too much: devices may have no end.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The most that is read, in MiB: some hundred thousand games.
const MOST_MIB: u64 = 256;

/// All that is in something.
///
/// # Errors
/// If it cannot be read, or is too much.
pub fn bytes(from: impl Read) -> io::Result<Vec<u8>> {
    let most = MOST_MIB << 20;
    let mut bytes = Vec::new();
    if from.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(io::Error::other(format!("there are more than {MOST_MIB} MiB in it")));
    }
    Ok(bytes)
}

/// All that is in a file.
///
/// # Errors
/// As [`bytes`].
pub fn file(path: &Path) -> io::Result<Vec<u8>> {
    File::open(path).and_then(bytes)
}

/// All that is in a file of text.
///
/// # Errors
/// As [`bytes`], or if it is not UTF-8.
pub fn text(path: &Path) -> io::Result<String> {
    let not_text = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    String::from_utf8(file(path)?).map_err(not_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        assert_eq!(bytes(&b"all"[..]).expect("it is little"), b"all");
        let error = bytes(io::repeat(0)).expect_err("it has no end");
        assert_eq!(error.to_string(), "there are more than 256 MiB in it");
        assert!(text(Path::new("no such file")).is_err());
    }
}
