//! A folder of a test's own.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many folders this process has made: two tests may choose the same name.
static MADE: AtomicU64 = AtomicU64::new(0);

/// A new folder among the temporary files, removed with all that is in it when it is dropped, also
/// when the test fails.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder whose name shows whose it is.
    ///
    /// # Panics
    /// If the system refuses it.
    pub fn new(name: &str) -> Self {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = format!("carom-{}-{number}-{name}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        // A process of the same number may have been killed before it could tidy up.
        let _ = std::fs::remove_dir_all(&path);
        if let Err(error) = std::fs::create_dir_all(&path) {
            panic!("{}: {error}", path.display());
        }
        Self(path)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// A path in it; nothing is made.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The same as text, for command lines.
    ///
    /// # Panics
    /// If the path is no UTF-8.
    pub fn text(&self, name: &str) -> String {
        match self.path(name).into_os_string().into_string() {
            Ok(text) => text,
            Err(path) => panic!("{} is no UTF-8", path.display()),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays() {
        let (one, two) = (Scratch::new("twin"), Scratch::new("twin"));
        assert_ne!(one.folder(), two.folder());
        std::fs::write(one.path("file"), "text").unwrap();
        std::fs::create_dir(one.path("inner")).unwrap();
        let (there, text) = (one.folder().to_path_buf(), one.text("file"));
        assert_eq!(text, there.join("file").to_str().unwrap());
        drop(one);
        assert!(!there.exists() && two.folder().exists());
    }

    #[test]
    fn a_failing_test_leaves_nothing_either() {
        let (send, receive) = std::sync::mpsc::channel();
        let failed = std::thread::spawn(move || {
            let scratch = Scratch::new("failing");
            send.send(scratch.folder().to_path_buf()).unwrap();
            panic!("as a failing test would");
        });
        let there = receive.recv().unwrap();
        assert!(failed.join().is_err() && !there.exists());
    }
}
