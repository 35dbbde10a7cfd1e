//! Files of ours: never written through a link, whole or not at all, and known by their hash.
//!
//! A folder may come from anywhere, and a name in it may be a link to something precious. So nothing
//! that exists is opened to be written but for [`change`], which refuses links; new contents go to a
//! new file that takes the place of the name, link or not.
//!
//! # Limits
//! Hard links cannot be told from files; a name that is exchanged between look and use by a process
//! that runs at the same time is found out only where the system numbers its files (Unix).
//!
//! # Tests
//! `tests/links.rs`, `tests/damage.rs`.

use super::digest::Digest;
use crate::error::ReportError;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};

/// Size and hash of a file, as `summary.json` notes them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its length.
    pub bytes: u64,
    /// FNV-1a of its bytes, see [`Digest`].
    pub hash: String,
    /// The same of its parts one after the other, if it has any: a file whose beginning and end are
    /// whole can still be read in part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartRecord>,
}

/// Length and hash of a part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PartRecord {
    /// Its length.
    pub bytes: u64,
    /// FNV-1a of its bytes.
    pub hash: String,
}

impl FileRecord {
    /// The record of a file on disk.
    pub fn of(path: &Path) -> Result<Self, ReportError> {
        let mut file = File::open(path).map_err(ReportError::io("read", path))?;
        let mut buffer = vec![0; 1 << 16];
        let (mut digest, mut bytes) = (Digest::default(), 0);
        loop {
            let count = file.read(&mut buffer).map_err(ReportError::io("read", path))?;
            if count == 0 {
                return Ok(Self { bytes, hash: digest.hex(), parts: Vec::new() });
            }
            digest.bytes(&buffer[..count]);
            bytes += count as u64;
        }
    }

    /// Whether the file on disk is still the one that was written.
    pub fn check(&self, path: &Path) -> Result<(), ReportError> {
        let found = Self::of(path)?;
        if (found.bytes, &found.hash) == (self.bytes, &self.hash) {
            return Ok(());
        }
        let bytes = (self.bytes, found.bytes);
        Err(ReportError::Damaged { path: path.into(), written: bytes.0, found: bytes.1 })
    }

    /// How many parts before the last are whole, up to the first that is not; none if the last is not.
    pub(crate) fn whole_parts(&self, path: &Path) -> Result<Option<usize>, ReportError> {
        let Some(inner) = self.parts.len().checked_sub(1) else { return Ok(None) };
        let mut file = File::open(path).map_err(ReportError::io("read", path))?;
        let mut whole = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let (mut digest, mut taken) = (Digest::default(), (&mut file).take(part.bytes));
            let mut buffer = vec![0; 1 << 16];
            loop {
                let count = taken.read(&mut buffer).map_err(ReportError::io("read", path))?;
                if count == 0 {
                    break;
                }
                digest.bytes(&buffer[..count]);
            }
            whole.push(taken.limit() == 0 && digest.hex() == part.hash);
        }
        let before = whole.iter().take(inner).take_while(|w| **w).count();
        Ok(whole[inner].then_some(before))
    }
}

/// A new file that keeps its own record.
pub(crate) struct RecordedFile {
    file: File,
    digest: Digest,
    bytes: u64,
    parts: Vec<PartRecord>,
    part: (Digest, u64),
}

impl RecordedFile {
    /// Creates the file in place of whatever has its name.
    pub fn create(path: &Path) -> Result<Self, ReportError> {
        let (digest, part) = (Digest::default(), (Digest::default(), 0));
        Ok(Self { file: create(path)?, digest, bytes: 0, parts: Vec::new(), part })
    }

    /// Waits until everything is on the disk.
    pub fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Ends a part here.
    pub fn end_part(&mut self) {
        let (digest, bytes) = std::mem::take(&mut self.part);
        self.parts.push(PartRecord { bytes, hash: digest.hex() });
    }

    /// The record of what was written.
    pub fn record(&self) -> FileRecord {
        FileRecord { bytes: self.bytes, hash: self.digest.hex(), parts: self.parts.clone() }
    }

    /// The hash of what was written.
    pub fn hash(&self) -> u64 {
        self.digest.value()
    }
}

impl Write for RecordedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.digest.bytes(&bytes[..count]);
        self.part.0.bytes(&bytes[..count]);
        self.bytes += count as u64;
        self.part.1 += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A new file in place of whatever has its name; of a link only the link goes.
pub fn create(path: &Path) -> Result<File, ReportError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => {
            return Err(ReportError::io("replace", path)(e));
        }
        _ => {}
    }
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.map_err(ReportError::io("create", path))
}

/// Gives a file new contents, completely or not at all: they are written under another name first,
/// which is removed if the disk refuses.
pub fn replace(path: &Path, contents: &[u8]) -> Result<(), ReportError> {
    let part = part_of(path);
    let refused = |error: ReportError| match error {
        ReportError::Io { source, .. } => ReportError::io("write", path)(source),
        other => other,
    };
    let written = create(&part)
        .map_err(refused)
        .and_then(|mut file| file.write_all(contents).map_err(ReportError::io("write", path)))
        .and_then(|()| fs::rename(&part, path).map_err(ReportError::io("rename", path)));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// The name under which a file is written before it is complete.
pub(crate) fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_os_string();
    part.push(".part");
    PathBuf::from(part)
}

/// Opens a file that exists, to change it; a link is refused.
pub fn change(path: &Path) -> Result<File, ReportError> {
    let known = fs::symlink_metadata(path).map_err(ReportError::io("read", path))?;
    if !known.is_file() {
        return Err(ReportError::Link { path: path.into() });
    }
    let file = OpenOptions::new().read(true).write(true).open(path);
    let file = file.map_err(ReportError::io("write", path))?;
    match file.metadata() {
        Ok(opened) if same_file(&known, &opened) => Ok(file),
        _ => Err(ReportError::Link { path: path.into() }),
    }
}

/// A folder of ours below another: made if it is not there, refused if a part of its way is a link.
pub fn folder_within(base: &Path, name: &Path) -> Result<PathBuf, ReportError> {
    let mut path = base.to_path_buf();
    for part in name.components() {
        let Component::Normal(part) = part else { continue };
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(known) if known.is_dir() => {}
            Ok(_) => return Err(ReportError::Link { path }),
            Err(_) => match fs::create_dir(&path) {
                // Another thread was faster.
                Err(_) if fs::symlink_metadata(&path).is_ok_and(|now| now.is_dir()) => {}
                made => made.map_err(ReportError::io("create", &path))?,
            },
        }
    }
    Ok(path)
}

/// Whether two looks met the same file; where the system does not tell, they did.
pub(crate) fn same_file(a: &Metadata, b: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (a.dev(), a.ino()) == (b.dev(), b.ino())
    }
    #[cfg(not(unix))]
    {
        a.file_type() == b.file_type()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a study keep their runs in one folder, which the first of them makes.
    #[test]
    fn threads_make_one_folder() {
        let base = std::env::temp_dir().join(format!("carom-folders-{}", std::process::id()));
        fs::create_dir_all(&base).unwrap();
        for round in 0..200 {
            let name = PathBuf::from(format!("{round}/runs"));
            std::thread::scope(|scope| {
                let make = || folder_within(&base, &name).unwrap();
                let all: Vec<_> = (0..4).map(|_| scope.spawn(make)).collect();
                all.into_iter().for_each(|one| assert!(one.join().unwrap().is_dir()));
            });
        }
        fs::remove_dir_all(&base).unwrap();
    }
}
