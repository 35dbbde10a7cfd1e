//! Files that a scene is read from.

use crate::fault::Fault;
use crate::source::Sources;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest file that is read, bytes.
const LARGEST: u64 = 32 << 20;

/// Where included files are looked for, and those already read.
pub(crate) struct Files {
    folder: PathBuf,
    given: Vec<(String, usize)>,
}

impl Files {
    /// Look beside a file.
    pub fn beside(name: &str) -> Self {
        let folder = Path::new(name).parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Self { folder, given: Vec::new() }
    }

    /// A file whose text is already known.
    pub fn given(&mut self, name: &str, source: usize) {
        self.given.push((name.into(), source));
    }

    /// The number of the source of a file, which is read if need be.
    pub fn source(&mut self, file: &str, sources: &mut Sources) -> Result<usize, Fault> {
        if let Some((_, source)) = self.given.iter().find(|(name, _)| name == file) {
            return Ok(*source);
        }
        let path = self.folder.join(file);
        let name = path.display().to_string();
        let source = sources.add_file(&name, &read_text(&path, &name, true)?);
        self.given(file, source);
        Ok(source)
    }
}

/// The text of a file of bounded size. Included files must be plain files: reading from a device
/// or a pipe might never end.
pub(crate) fn read_text(path: &Path, name: &str, included: bool) -> Result<String, Fault> {
    let unreadable = |e: std::io::Error| Fault::Unreadable { file: name.into(), reason: e.kind() };
    if included && !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        let reason = std::io::ErrorKind::InvalidInput;
        return Err(Fault::Unreadable { file: name.into(), reason });
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let size = bytes.len() as u64;
    if size > LARGEST {
        return Err(Fault::TooLarge { file: name.into(), bytes: size, limit: LARGEST });
    }
    String::from_utf8(bytes)
        .map_err(|e| Fault::NotText { file: name.into(), offset: e.utf8_error().valid_up_to() })
}

/// Whether a text is a robot description rather than TOML.
pub(crate) fn is_urdf(text: &str, name: &str) -> bool {
    let by_name = Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("urdf"));
    by_name || text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}
