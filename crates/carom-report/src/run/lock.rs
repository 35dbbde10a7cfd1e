//! Who writes a folder: one process at a time.
//!
//! The lock is on a file of its own, `.carom.lock`, which is made once and never removed, so that two
//! processes always mean the same file. It is held until the last file is written and the system
//! releases it with the process, however that ends. Where the file system has no locks there is none.
//!
//! # Tests
//! `tests/folder.rs`: `a_folder_has_one_writer`; `carom-cli/tests/two_writers.rs` with processes.

use super::disk::same_file;
use crate::error::ReportError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;

/// The file that is locked.
pub const LOCK: &str = ".carom.lock";

/// The right to write a folder, for as long as it is kept.
#[derive(Debug)]
pub struct FolderLock {
    /// None where the system has no such lock.
    _file: Option<File>,
}

impl FolderLock {
    /// Takes a folder for the output of a command: it is made, or is empty, or holds only what the
    /// command itself writes, by name; hidden files do not count.
    pub fn claim(dir: &Path, own: impl Fn(&str) -> bool) -> Result<Self, ReportError> {
        fs::create_dir_all(dir).map_err(ReportError::io("create", dir))?;
        for entry in fs::read_dir(dir).map_err(ReportError::io("read", dir))? {
            let entry = entry.map_err(ReportError::io("read", dir))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') && !own(&name) {
                return Err(ReportError::Occupied { dir: dir.into(), found: name });
            }
        }
        Self::take(dir)
    }

    /// Takes the lock of the folder itself, which leaves no file in it, where the system has such
    /// locks.
    pub fn of_folder(dir: &Path) -> Result<Self, ReportError> {
        let file = File::open(dir).ok();
        match file.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => Err(ReportError::UnderWay { dir: dir.into() }),
            _ => Ok(Self { _file: file }),
        }
    }

    /// Takes the lock of a folder that exists; an error if another process has it.
    pub fn take(dir: &Path) -> Result<Self, ReportError> {
        let path = dir.join(LOCK);
        loop {
            if fs::symlink_metadata(&path).is_ok_and(|m| !m.is_file()) {
                return Err(ReportError::Link { path });
            }
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(ReportError::io("create", &path))?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Err(ReportError::UnderWay { dir: dir.into() });
            }
            // Somebody may have removed the file between its opening and its locking.
            let (held, there) = (file.metadata(), fs::symlink_metadata(&path));
            if let (Ok(held), Ok(there)) = (held, there)
                && same_file(&held, &there)
            {
                return Ok(Self { _file: Some(file) });
            }
        }
    }
}
