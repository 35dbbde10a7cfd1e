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
    _file: File,
}

impl FolderLock {
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
                return Ok(Self { _file: file });
            }
        }
    }
}
