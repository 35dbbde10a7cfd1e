//! From the page of a picture to the runs of its points.

use std::path::{Component, Path, PathBuf};

use carom_report::document::RunDocument;
use carom_report::page::report;
use carom_report::run::disk::replace;
use carom_report::run::folder::REPORT;
use carom_report::{Account, ReportError};
use carom_study::StudyError;
use carom_study::dataset::{RUNS, Reader, SOURCE};
use carom_study::pictures::Way;

use super::runs::row_of;
use crate::job::quoted;

/// What the page in `file` says beside its picture; runs that were kept get their reports.
pub fn way(folder: &Path, file: &Path, reader: &Reader) -> Result<Way, StudyError> {
    let scene = folder.join(SOURCE).join(&reader.manifest.scene);
    let mut command = format!("carom report {}", quoted(&scene.display().to_string()));
    for change in &reader.manifest.overrides {
        command.push_str(&format!(" --set {}", quoted(change)));
    }
    let mut way = Way { command, ..Way::default() };
    let runs = folder.join(RUNS);
    let entries = match std::fs::read_dir(&runs) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(way),
        Err(e) => return Err(ReportError::io("read", runs)(e).into()),
    };
    for entry in entries {
        let entry = entry.map_err(ReportError::io("read", &runs))?;
        let Some(row) = entry.file_name().to_str().and_then(row_of) else { continue };
        let page = entry.path().join(REPORT);
        if !page.is_file() {
            let html = report(&RunDocument::new(&Account::load(entry.path())?)?)?;
            replace(&page, html.as_bytes())?;
        }
        way.kept.insert(row, link(file, &page)?);
    }
    Ok(way)
}

/// A page as seen from another: relative, so that the folder may be moved.
fn link(from: &Path, to: &Path) -> Result<String, StudyError> {
    let whole = |path: &Path| std::path::absolute(path).map_err(ReportError::io("find", path));
    let (from, to) = (whole(from)?, whole(to)?);
    let folder: Vec<Component<'_>> = from.parent().unwrap_or(&from).components().collect();
    let target: Vec<Component<'_>> = to.components().collect();
    let shared = folder.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let up = folder[shared..].iter().map(|_| Path::new(".."));
    let down = target[shared..].iter().map(|part| Path::new(part.as_os_str()));
    let path: PathBuf = up.chain(down).collect();
    let parts: Vec<String> =
        path.components().map(|part| encoded(&part.as_os_str().to_string_lossy())).collect();
    Ok(parts.join("/"))
}

/// A name as part of an address.
fn encoded(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    let one = |b: u8| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") };
    name.bytes().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative() {
        let to = Path::new("/a/b.study/runs/row-000000000001.run/report.html");
        let from = |file: &str| link(Path::new(file), to).unwrap();
        let inside = "runs/row-000000000001.run/report.html";
        assert_eq!(from("/a/b.study/pictures/map.html"), format!("../{inside}"));
        assert_eq!(from("/a/map.html"), format!("b.study/{inside}"));
        assert_eq!(
            link(Path::new("/a/x.html"), Path::new("/a/50 % ü.html")).unwrap(),
            "50%20%25%20%C3%BC.html"
        );
    }
}
