//! What the heads of all table files have in common, published or not: how they begin, fields one after
//! the other, and the rules as a text with their fingerprint.

use super::error::TableError;
use crate::{rules::Rules, text::counted};

/// The longest rules text that is believed.
const LONGEST_TEXT: usize = 4096;

/// Reads fixed fields one after the other, numbers with their lowest byte first.
///
/// # Panics
/// If the bytes are too few: the caller has checked their number.
pub struct Fields<'a>(pub &'a [u8]);

impl Fields<'_> {
    /// The next bytes.
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.0.split_first_chunk().expect("the head has a fixed length");
        self.0 = rest;
        *field
    }

    /// The next four bytes.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    /// The next eight bytes.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

/// How the heads of a form of files begin: with eight bytes that tell the form, its version, and the bytes of
/// the whole head, which ends with the rules text.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// The first bytes.
    pub magic: [u8; 8],
    /// The version that can be read.
    pub version: u32,
    /// Bytes before the rules text.
    pub fixed: usize,
    /// What such a file is called.
    pub form: &'static str,
}

impl Beginning {
    /// The first bytes of a head with this rules text.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(((self.fixed + text.len()) as u32).to_le_bytes());
        bytes
    }

    /// The bytes of the whole head that begins so.
    ///
    /// # Errors
    /// If it is not the head of such a file, or of another version.
    ///
    /// # Panics
    /// If there are less than 16 bytes.
    pub fn length(&self, bytes: &[u8]) -> Result<usize, TableError> {
        let mut fields = Fields(bytes);
        if fields.take() != self.magic {
            let what = format!("it does not begin as {} of this program", self.form);
            return Err(TableError::Damaged(what));
        }
        let found = fields.u32();
        if found != self.version {
            return Err(TableError::Version { found, wanted: self.version });
        }
        let length = fields.u32() as usize;
        if !(self.fixed..=self.fixed + LONGEST_TEXT).contains(&length) {
            let length = counted(length, "byte");
            return Err(TableError::Damaged(format!("its head says that it has {length}")));
        }
        Ok(length)
    }
}

/// The rules that a head tells of.
///
/// # Errors
/// Says what is wrong if the bytes are no canonical rules text of that fingerprint.
pub fn rules_of(text: &[u8], fingerprint: u64) -> Result<Rules, &'static str> {
    let text = std::str::from_utf8(text).map_err(|_| "its rules text is not text")?;
    Rules::parse(text)
        .ok()
        .filter(|r| r.fingerprint() == fingerprint && r.canonical() == text)
        .ok_or("its rules text and fingerprint disagree")
}
