//! Files that appear whole or not at all: written aside, then put in place.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A file on its way. If it is dropped unfinished, nothing is left of it.
pub struct WholeFile {
    file: File,
    path: PathBuf,
    aside: Option<OsString>,
}

impl WholeFile {
    /// Begins a file, which shows whether it can be written at all.
    ///
    /// # Errors
    /// If it cannot, or if what stands at its place is no file.
    pub fn begin(path: &Path) -> io::Result<Self> {
        if path.exists() && !path.is_file() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is not a file"));
        }
        let mut aside = path.as_os_str().to_owned();
        aside.push(".new");
        let file = File::create(&aside)?;
        Ok(Self { file, path: path.to_path_buf(), aside: Some(aside) })
    }

    /// Writes all that is to be in it, and puts it in place of any file before it.
    ///
    /// # Errors
    /// If it cannot be written; what was there before stays.
    pub fn finish(mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.sync_all()?;
        if let Some(aside) = &self.aside {
            fs::rename(aside, &self.path)?;
        }
        self.aside = None;
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(aside) = &self.aside {
            // Whoever could not write it may not be able to remove it either.
            let _ = fs::remove_file(aside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finished_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let names = || fs::read_dir(folder.path()).expect("it is there").count();
        drop(WholeFile::begin(&path).expect("it can be begun"));
        assert_eq!(names(), 0);
        WholeFile::begin(&path).and_then(|file| file.finish(b"one")).expect("it is written");
        drop(WholeFile::begin(&path).expect("it can be begun"));
        assert_eq!(fs::read(&path).expect("it is there"), b"one");
        WholeFile::begin(&path).and_then(|file| file.finish(b"two")).expect("it is written");
        assert_eq!((fs::read(&path).expect("it is there"), names()), (b"two".to_vec(), 1));
    }

    #[test]
    fn only_files_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(WholeFile::begin(folder.path()).is_err());
        assert!(WholeFile::begin(&folder.path().join("none/file")).is_err());
        assert!(folder.path().is_dir());
    }
}
