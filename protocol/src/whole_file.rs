//! Files that appear whole or not at all: written aside, then put in place. Until there is something to
//! write nothing stands beside them, so that nothing is left there however the program ends.

use anyhow::{Context, bail};
use std::{
    ffi::{OsStr, OsString},
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
        let name = file_name(path)?;
        // A link goes on to point at the file.
        let path = if path.exists() { path.canonicalize()? } else { path.to_path_buf() };
        if path.exists() && !path.is_file() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is not a plain file"));
        }
        let mut aside = OsString::from(".");
        aside.push(path.file_name().unwrap_or(name));
        aside.push(format!(".{}", process::id()));
        let aside = path.with_file_name(aside);
        let tried = File::create_new(&aside).and_then(|_| fs::remove_file(&aside));
        tried.map_err(|error| {
            io::Error::new(error.kind(), format!("no file can be made there: {error}"))
        })?;
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

/// The name of the file that a path is of.
fn file_name(path: &Path) -> io::Result<&OsStr> {
    let is_folder = path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator);
    match path.file_name() {
        Some(name) if !is_folder => Ok(name),
        _ if path == Path::new("") => Err(io::Error::other("the name of a file is wanted")),
        _ => Err(io::Error::other("it is a folder, and a file is wanted")),
    }
}

/// Tries a place that something will be written to once there is something: a file, new or to be
/// replaced, or a device.
///
/// # Errors
/// If that could not be done.
pub fn try_place(path: &Path) -> anyhow::Result<()> {
    let tried = match file_name(path) {
        Err(error) => Err(error),
        Ok(_) if path.is_file() => File::options().append(true).open(path).map(drop),
        Ok(_) if path.exists() => Ok(()),
        Ok(_) => WholeFile::at(path).map(drop),
    };
    tried.with_context(|| path.display().to_string())
}

/// Refuses to replace a file; `otherwise` says what to do instead.
///
/// # Errors
/// If there is something.
pub fn refuse_existing(path: &Path, otherwise: &str) -> anyhow::Result<()> {
    file_name(path).with_context(|| path.display().to_string())?;
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
        let refused = |path: &Path| {
            let error = WholeFile::at(path).expect_err("it is no place for a file").to_string();
            assert!(format!("{:#}", try_place(path).expect_err("nor here")).contains(&error));
            error
        };
        assert!(refused(folder.path()).contains("it is a folder"));
        assert!(refused(&folder.path().join("new/")).contains("it is a folder"));
        assert!(refused(&folder.path().join("none/file")).contains("no file can be made there"));
        assert!(refused(Path::new("..")).contains("it is a folder"));
        assert!(refused(Path::new("")).contains("the name of a file is wanted"));
        let told = refuse_existing(folder.path(), "--overwrite replaces it").unwrap_err();
        assert!(format!("{told:#}").contains("it is a folder"), "{told:#}");
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
