//! What the heads of all table files have in common, published or not: fields one after the other, and
//! the rules as a text with their fingerprint.

use crate::rules::Rules;

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
