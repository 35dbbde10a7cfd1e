//! The folder of a study: opened, resumed, filled.

use super::journal::{JOURNAL, Journal};
use super::manifest::{MANIFEST, Manifest};
use super::part::{Form, PARTS, count, path_of};
use super::reader::rows_of;
use super::row::Row;
use crate::error::StudyError;
use crate::sampling::Plan;
use carom_report::run::disk::{folder_within, replace};
use carom_report::{FolderLock, ReportError, SourceFile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folder of the scene.
pub const SOURCE: &str = "source";
/// Folder of whole runs.
pub const RUNS: &str = "runs";
/// Folder of pictures.
pub const PICTURES: &str = "pictures";

/// Everything that a study writes; the last three are of studies of jumps, which are told by their manifest.
const NAMES: [&str; 9] =
    [MANIFEST, JOURNAL, PARTS, SOURCE, RUNS, PICTURES, "study.csv", "study.svg", "study.png"];

/// A study on disk, in the making.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    /// What is asked for.
    pub manifest: Manifest,
    form: Form,
    /// Parts of this shard that are not whole, and how many rows each lacks.
    open: BTreeMap<u64, u64>,
    /// Rows that are done and in no part.
    waiting: BTreeMap<u64, Row>,
    journal: Journal,
    /// The next row to be looked at, and rows that are given out.
    next: u64,
    done: u64,
    before: u64,
    ended: bool,
    _lock: FolderLock,
}

impl Store {
    /// Opens the folder for what is asked for: empty, or with rows of the same study.
    pub fn open(
        dir: &Path,
        mut manifest: Manifest,
        (plan, results): (&Plan, &[String]),
        sources: &[SourceFile],
    ) -> Result<Self, StudyError> {
        let known = dir.is_dir().then(|| Manifest::load(dir)).transpose()?.flatten();
        if let Some(there) = &known {
            let hash = |rows: u64| plan.table_hash(rows as usize).1;
            there.check(&manifest, dir, hash)?;
        }
        check_shards(&manifest)?;
        let lock = FolderLock::claim(dir, |name| NAMES.contains(&name.trim_end_matches(".part")))?;
        folder_within(dir, Path::new(PARTS))?;
        match known {
            // Rows that are there stay, also where fewer are asked for now.
            Some(there) if there.rows >= manifest.rows => manifest = there,
            Some(_) => replace(&dir.join(MANIFEST), manifest.text().as_bytes())?,
            None => begin(dir, &manifest, sources)?,
        }
        let notes = [
            ("carom.study", timeless(&manifest)),
            ("carom.scene_hash", manifest.scene_hash.clone()),
            ("carom.version", manifest.carom.clone()),
        ];
        let form = Form::new(plan, results, &notes)
            .map_err(|source| ReportError::Parquet { path: dir.join(PARTS), source })?;
        let (mut open, mut waiting, mut done) = look(dir, &manifest, results)?;
        for row in Journal::read(dir)? {
            let fits = row.results.len() == results.len() && row.number < manifest.rows;
            if fits && open.contains_key(&(row.number / manifest.part_rows)) {
                waiting.insert(row.number, row);
            }
        }
        done += waiting.len() as u64;
        for number in waiting.keys() {
            *open.entry(number / manifest.part_rows).or_default() -= 1;
        }
        let first = open.first_key_value().map(|(part, _)| part * manifest.part_rows);
        let next = first.unwrap_or(manifest.rows);
        let journal = Journal::start(dir, waiting.values())?;
        let mut store = Self {
            dir: dir.into(),
            manifest,
            form,
            open,
            waiting,
            journal,
            next,
            done,
            before: done,
            ended: false,
            _lock: lock,
        };
        // A process that was killed between the last row of a part and the part.
        let parts: Vec<u64> = store.open.keys().copied().collect();
        for part in parts {
            store.close_part(part, plan)?;
        }
        Ok(store)
    }

    /// Rows that are done, and how many there are in all, of this shard.
    pub fn progress(&self) -> (u64, u64) {
        (self.done, self.total())
    }

    /// Whether the last row was the last of its part, so that others may go on.
    pub fn ended_part(&self) -> bool {
        self.ended
    }

    /// Rows that were done when the folder was opened.
    pub fn done_before(&self) -> u64 {
        self.before
    }

    fn total(&self) -> u64 {
        let m = &self.manifest;
        let Some(shard) = m.shard else { return m.rows };
        let parts = (m.parts() + shard.count - shard.index) / shard.count;
        let last = m.parts().saturating_sub(1);
        let missing = m.part_rows * m.parts() - m.rows;
        parts * m.part_rows - if m.parts() > 0 && m.owns(last) { missing } else { 0 }
    }

    /// The next row that is to be computed; none if there are no more.
    pub fn claim(&mut self) -> Claim {
        let m = &self.manifest;
        while self.next < m.rows {
            let part = self.next / m.part_rows;
            if !self.open.contains_key(&part) {
                // On to the next part that is not whole.
                let Some((next, _)) = self.open.range(part..).next() else { return Claim::Nothing };
                self.next = next * m.part_rows;
                continue;
            }
            // At most one part ahead of the first that is not whole.
            let ahead = self.open.range(..part).count();
            if ahead > 1 {
                return Claim::Later;
            }
            let row = self.next;
            self.next += 1;
            if !self.waiting.contains_key(&row) {
                return Claim::Row(row);
            }
        }
        Claim::Nothing
    }

    /// Takes a row; a part that is whole now is written.
    pub fn push(&mut self, row: Row, plan: &Plan) -> Result<(), StudyError> {
        self.journal.push(&row)?;
        let part = row.number / self.manifest.part_rows;
        self.waiting.insert(row.number, row);
        self.done += 1;
        *self.open.entry(part).or_default() -= 1;
        self.ended = self.close_part(part, plan)?;
        if self.ended {
            self.journal = Journal::start(&self.dir, self.waiting.values())?;
        }
        Ok(())
    }

    /// Writes a part if all its rows are done.
    fn close_part(&mut self, part: u64, plan: &Plan) -> Result<bool, StudyError> {
        if self.open.get(&part) != Some(&0) {
            return Ok(false);
        }
        let range = self.manifest.rows_of(part);
        let rows: Vec<Row> =
            self.waiting.range(range.clone()).map(|(_, row)| row.clone()).collect();
        self.form.write(&path_of(&self.dir, range.start), plan, &rows)?;
        self.open.remove(&part);
        for row in &rows {
            self.waiting.remove(&row.number);
        }
        Ok(true)
    }

    /// Ends the work; the journal goes if every row is in a part. Rows of parts that are not whole are put into parts
    /// all the same, for those who look at the study as far as it is.
    pub fn finish(self, plan: &Plan) -> Result<bool, StudyError> {
        if self.open.is_empty() {
            self.journal.remove()?;
            return Ok(true);
        }
        self.journal.sync()?;
        for part in self.open.keys() {
            let range = self.manifest.rows_of(*part);
            let rows: Vec<Row> =
                self.waiting.range(range.clone()).map(|(_, r)| r.clone()).collect();
            if !rows.is_empty() {
                self.form.write(&path_of(&self.dir, range.start), plan, &rows)?;
            }
        }
        Ok(false)
    }
}

/// What a worker is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Compute this row.
    Row(u64),
    /// Wait until an earlier part is whole.
    Later,
    /// There is nothing more.
    Nothing,
}

/// The manifest without what may change while the parts stay.
fn timeless(manifest: &Manifest) -> String {
    let mut value = serde_json::to_value(manifest).unwrap_or_default();
    if let Some(table) = value.as_object_mut() {
        for key in ["rows", "shard", "rows_file", "scene"] {
            table.remove(key);
        }
        // The list on the slowest axis may grow.
        if let Some(first) = table.get_mut("vary").and_then(|v| v.get_mut(0)) {
            let list = first["value"].as_str().is_some_and(|v| v.starts_with('['));
            if list && let Some(first) = first.as_object_mut() {
                first.remove("value");
            }
        }
    }
    value.to_string()
}

fn check_shards(manifest: &Manifest) -> Result<(), StudyError> {
    let (parts, part_rows) = (manifest.parts(), manifest.part_rows);
    match manifest.shard {
        Some(shard) if shard.count > parts => {
            Err(StudyError::Shards { shards: shard.count, parts, part_rows })
        }
        _ => Ok(()),
    }
}

/// The files that come first; the manifest is the last of them.
fn begin(dir: &Path, manifest: &Manifest, sources: &[SourceFile]) -> Result<(), StudyError> {
    if !super::reader::parts(dir)?.is_empty() {
        return Err(StudyError::NotAStudy { dir: dir.into() });
    }
    for source in sources {
        let name = Path::new(SOURCE).join(&source.name);
        let parent = folder_within(dir, name.parent().unwrap_or(Path::new(SOURCE)))?;
        replace(&parent.join(name.file_name().unwrap_or_default()), source.text.as_bytes())?;
    }
    replace(&dir.join(MANIFEST), manifest.text().as_bytes())?;
    Ok(())
}

/// Parts that are not whole with the number of their rows, rows of those that are partly there, and how many rows are in whole ones.
type Found = (BTreeMap<u64, u64>, BTreeMap<u64, Row>, u64);

fn look(dir: &Path, manifest: &Manifest, results: &[String]) -> Result<Found, StudyError> {
    let (mut open, mut waiting, mut done) = (BTreeMap::new(), BTreeMap::new(), 0);
    for part in (0..manifest.parts()).filter(|part| manifest.owns(*part)) {
        let range = manifest.rows_of(part);
        let path = path_of(dir, range.start);
        let (there, wanted) =
            (if path.exists() { count(&path)? } else { 0 }, range.end - range.start);
        if there > wanted {
            return Err(StudyError::Damaged { path, problem: "it has more rows than its study" });
        }
        if there == wanted {
            done += wanted;
            continue;
        }
        open.insert(part, wanted);
        if there > 0 {
            let rows = rows_of(&path, results)?;
            let own = rows.into_iter().filter(|row| range.contains(&row.number));
            waiting.extend(own.map(|row| (row.number, row)));
        }
    }
    Ok((open, waiting, done))
}
