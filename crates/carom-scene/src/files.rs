//! Files that a scene is read from.

use crate::fault::Fault;
use crate::source::Sources;
use crate::xml::outer_tag;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest file that is read, bytes.
const LARGEST: u64 = 32 << 20;

/// Where included files are looked for, and those already read.
pub(crate) struct Files {
    folder: PathBuf,
    scene: Option<String>,
    given: Vec<(String, usize)>,
}

impl Files {
    /// Look beside a file.
    pub fn beside(name: &str) -> Self {
        let folder = Path::new(name).parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Self { folder, scene: None, given: Vec::new() }
    }

    /// A file whose text is already known.
    pub fn given(&mut self, name: &str, source: usize) {
        self.given.push((name.into(), source));
    }

    /// Whether a name is that of the scene itself, whose files lie beside it.
    pub fn is_scene(&self, name: &str) -> bool {
        self.scene.as_deref() == Some(name)
    }

    /// A robot file that is the whole scene.
    pub fn given_as_scene(&mut self, name: &str, source: usize) {
        self.scene = Some(name.into());
        self.given(name, source);
    }

    /// Whether there is a file of this name beside the scene.
    pub fn exists(&self, file: &str) -> bool {
        self.folder.join(file).is_file()
    }

    /// The name and the bytes of a file that may be no text.
    pub fn bytes(&self, file: &str) -> Result<(String, Vec<u8>), Fault> {
        let path = self.folder.join(file);
        let name = path.display().to_string();
        let bytes = read_bytes(&path, &name, true)?;
        Ok((name, bytes))
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

/// The text of a file of bounded size.
pub(crate) fn read_text(path: &Path, name: &str, included: bool) -> Result<String, Fault> {
    String::from_utf8(read_bytes(path, name, included)?)
        .map_err(|e| Fault::NotText { file: name.into(), offset: e.utf8_error().valid_up_to() })
}

/// The bytes of a file of bounded size. Included files must be plain files: reading from a device
/// or a pipe might never end.
fn read_bytes(path: &Path, name: &str, included: bool) -> Result<Vec<u8>, Fault> {
    let unreadable = |e: std::io::Error| Fault::Unreadable { file: name.into(), reason: e.kind() };
    if included && !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        let reason = std::io::ErrorKind::InvalidInput;
        return Err(Fault::Unreadable { file: name.into(), reason });
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let size = bytes.len() as u64;
    match size > LARGEST {
        true => Err(Fault::TooLarge { file: name.into(), bytes: size, limit: LARGEST }),
        false => Ok(bytes),
    }
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Toml,
    Urdf,
    Mjcf,
}

/// Whether a text is a scene, or a robot description of which sort.
pub(crate) fn format(text: &str, name: &str) -> Format {
    let ends =
        |ending: &str| Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
    match outer_tag(text) {
        Some("mujoco" | "mujocoinclude") => Format::Mjcf,
        Some(_) => Format::Urdf,
        None if ends("urdf")
            || text.trim_start_matches('\u{feff}').trim_start().starts_with('<') =>
        {
            Format::Urdf
        }
        None => Format::Toml,
    }
}
