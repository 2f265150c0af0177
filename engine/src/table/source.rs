//! Where the bytes of a table come from: a file in memory-mapped form, the program itself, or
//! anything else that can lend bytes.

use super::error::TableError;
use memmap2::Mmap;
use std::{
    fs::{self, File},
    io,
    ops::Deref,
    path::Path,
};

/// Something that lends the bytes of a file.
pub trait Source: Send + Sync {
    /// All bytes.
    fn bytes(&self) -> &[u8];
}

impl Source for &'static [u8] {
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl Source for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// A file that the operating system pages in as it is read.
pub struct Mapped(Mmap);

impl Mapped {
    /// Maps a file.
    ///
    /// # Errors
    /// If it is missing, is no plain file, or cannot be mapped.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let refused = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => TableError::Missing,
            _ => TableError::Io(e),
        };
        // A pipe would be waited for.
        if !fs::metadata(path).map_err(refused)?.is_file() {
            return Err(TableError::damaged("it is no plain file"));
        }
        let file = File::open(path).map_err(refused)?;
        // SAFETY: the bytes are only ever read, and every use is checked: whatever another process
        // writes there meanwhile, each block's checksum is compared before it is believed. A file
        // cut short while it is mapped ends the process, as with any mapped file.
        let map = unsafe { Mmap::map(&file) }?;
        #[cfg(unix)]
        // Advice that is not taken costs nothing.
        let _ = map.advise(memmap2::Advice::Random);
        Ok(Self(map))
    }
}

impl Source for Mapped {
    fn bytes(&self) -> &[u8] {
        self.0.deref()
    }
}
