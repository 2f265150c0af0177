//! Files that appear whole or not at all: written aside, then put in place. Until there is something to
//! write nothing stands beside them, so that nothing is left there however the program ends.

use anyhow::bail;
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

/// The place of a file that can be written, as often as there is something new.
#[derive(Clone, Debug)]
pub struct WholeFile {
    path: PathBuf,
    aside: PathBuf,
}

impl WholeFile {
    /// A place, which is tried: hours of work should not end at a folder that is not there.
    ///
    /// # Errors
    /// If no file can be written there, or what stands there is none.
    pub fn at(path: &Path) -> io::Result<Self> {
        // A link goes on to point at the file.
        let path = if path.exists() { path.canonicalize()? } else { path.to_path_buf() };
        if path.exists() && !path.is_file() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is not a plain file"));
        }
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}", process::id()));
        let aside = path.with_file_name(name);
        File::create_new(&aside)?;
        fs::remove_file(&aside)?;
        Ok(Self { path, aside })
    }

    /// Where it is; of a link, where that points.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all that is to be in the file, and puts it in place of any file before it.
    ///
    /// # Errors
    /// If it cannot be written; what was there before stays.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let written = self.write_aside(bytes).and_then(|()| fs::rename(&self.aside, &self.path));
        written.inspect_err(|_| {
            // The first failure is the one to be told.
            let _ = fs::remove_file(&self.aside);
        })
    }

    fn write_aside(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(&self.aside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        match fs::metadata(&self.path) {
            Ok(old) => fs::set_permissions(&self.aside, old.permissions()),
            Err(_) => Ok(()),
        }
    }
}

/// Refuses to replace a file; `otherwise` says what to do instead.
///
/// # Errors
/// If there is something.
pub fn refuse_existing(path: &Path, otherwise: &str) -> anyhow::Result<()> {
    if path.exists() {
        bail!("{} exists already; {otherwise}", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_written_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let names = || fs::read_dir(folder.path()).expect("it is there").count();
        // A process that is stopped drops nothing.
        std::mem::forget(WholeFile::at(&path).expect("it can be written"));
        assert_eq!(names(), 0);
        let file = WholeFile::at(&path).expect("it can be written");
        for text in [b"one", b"two"] {
            file.write(text).expect("it is written");
            std::mem::forget(WholeFile::at(&path).expect("it can be written"));
            assert_eq!((fs::read(&path).expect("it is there"), names()), (text.to_vec(), 1));
        }
        assert!(refuse_existing(&path, "take another").is_err());
    }

    #[test]
    fn only_files_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(WholeFile::at(folder.path()).is_err());
        assert!(WholeFile::at(&folder.path().join("none/file")).is_err());
        assert!(folder.path().is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").expect("it is written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
        symlink(&file, &link).expect("a link");
        WholeFile::at(&link).and_then(|whole| whole.write(b"new")).expect("it is written");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).expect("it is there"), b"new");
        let mode = fs::metadata(&file).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
