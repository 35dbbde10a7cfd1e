//! A run that was killed, brought back to its last checkpoint.
//!
//! While a run goes on, all that was computed reaches the disk about once a second, as a checkpoint:
//! ```text
//! events.jsonl, trajectory.csv flushed → rows into trajectory.journal → checkpoint.json replaced
//! ```
//! `checkpoint.json` is the summary that the run would have if it ended there. A run that ends,
//! however it ends, closes its files itself and removes journal and checkpoint. If its process is
//! killed, or the power fails, they are left, and [`recover`] completes the folder from them:
//! `trajectory.parquet` gets its rows and its footer, lines after the checkpoint are cut off, the
//! checkpoint becomes `summary.json` with the stop reason `interrupted`. The result has the same
//! bytes as if the run had been stopped at that sample, result hash included; only where the last sample
//! completed a row group the Parquet file lacks the index of its pages, which is optional.
//!
//! # Assumptions
//! Whoever writes a run holds the [lock](super::lock) of its folder, which the system releases with the
//! process. A run whose lock is held is under way and is left alone. Recovery may itself be killed at any time
//! and is done again by the next reader.
//!
//! # Tests
//! `tests/recovery.rs`; `carom-cli/tests/killed.rs` kills a real process.

use super::digest::Digest;
use super::disk::{FileRecord, change};
use super::folder::{CHECKPOINT, CSV, EVENTS, Folder, JOURNAL, SUMMARY, TRAJECTORY};
use super::journal::JournalContents;
use super::summary::Summary;
use super::trajectory::{TrajectoryReader, TrajectoryWriter, Values};
use crate::error::ReportError;
use std::fs;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What was brought back of a run that was killed.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// The folder.
    pub dir: PathBuf,
    /// Samples.
    pub samples: u64,
    /// Events.
    pub events: u64,
    /// Time of the last sample, s.
    pub t: f64,
    /// Lines of `events.jsonl` after the last checkpoint, which were cut off, a broken one included.
    pub cut: u64,
}

impl std::fmt::Display for Recovered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { dir, samples, events, t, cut } = self;
        write!(
            f,
            "the run in `{}` was interrupted before it ended; recovered {samples} samples and \
             {events} events up to t = {t} s",
            dir.display()
        )?;
        match cut {
            0 => Ok(()),
            1 => write!(f, ", and cut off one line of `{EVENTS}` after them"),
            n => write!(f, ", and cut off {n} lines of `{EVENTS}` after them"),
        }
    }
}

/// Completes the folder of a run that was killed; none if there is nothing to do.
pub fn recover(dir: impl AsRef<Path>) -> Result<Option<Recovered>, ReportError> {
    let dir = dir.as_ref();
    if dir.join(SUMMARY).is_file() || !Folder::holds_run(dir) {
        return Ok(None);
    }
    let folder = Folder::of_idle_run(dir)?;
    if dir.join(SUMMARY).is_file() {
        // Somebody else was faster.
        return Ok(None);
    }
    let path = dir.join(CHECKPOINT);
    let Ok(text) = fs::read_to_string(&path) else {
        return Err(ReportError::NothingRecorded { dir: dir.into() });
    };
    let mut summary: Summary = serde_json::from_str(&text).map_err(|source| ReportError::Json {
        path,
        line: source.line(),
        source,
    })?;
    let (samples, t) = complete_trajectory(dir, summary.counts.samples)?;
    let (events, cut) = keep_lines(&dir.join(EVENTS), summary.counts.events)?;
    let mut files = vec![TRAJECTORY, EVENTS];
    if dir.join(CSV).is_file() {
        keep_lines(&dir.join(CSV), samples + 1)?;
        files.push(CSV);
    }
    for name in files {
        summary.files.insert(name.into(), FileRecord::of(&dir.join(name))?);
    }
    if (samples, events) != (summary.counts.samples, summary.counts.events) {
        // The disk lost what it had confirmed: the hash is of more than there is.
        (summary.counts.samples, summary.counts.events) = (samples, events);
        summary.stop.t = t;
        summary.result_hash.clear();
    }
    folder.write_sealed(SUMMARY, &summary)?;
    folder.remove_checkpoint()?;
    Ok(Some(Recovered { dir: dir.into(), samples, events, t, cut }))
}

/// Makes the trajectory a complete file of that many rows, or of as many as there are; their number
/// and the time of the last.
fn complete_trajectory(dir: &Path, samples: u64) -> Result<(u64, f64), ReportError> {
    let path = dir.join(TRAJECTORY);
    let Some(journal) = JournalContents::read(&dir.join(JOURNAL))? else {
        return Err(ReportError::NothingRecorded { dir: dir.into() });
    };
    append_footer(&path, &journal)?;
    let reader = TrajectoryReader::open(&path)?;
    let heading = reader.heading();
    if journal.columns != (heading.numbers.len(), heading.modes.len()) {
        return Err(ReportError::ForeignColumns);
    }
    let written = reader.rows() as u64;
    let samples = samples.min(written + journal.rows() as u64);
    if written != samples {
        rewrite(dir, &reader, &journal, samples)?;
    }
    Ok((samples, last_time(&path)?))
}

/// Writes the first `samples` rows of file and journal into a new file that takes its place.
fn rewrite(
    dir: &Path,
    reader: &TrajectoryReader,
    journal: &JournalContents,
    samples: u64,
) -> Result<(), ReportError> {
    let path = dir.join(TRAJECTORY);
    let part = dir.join(format!("{TRAJECTORY}.part"));
    let mut writer = TrajectoryWriter::create(part.clone(), reader.heading())?;
    let mut left = samples;
    copy_rows(reader, &mut writer, &mut left)?;
    journal.each_row(left as usize, |row, modes| writer.push(row, modes))?;
    writer.finish()?;
    fs::rename(&part, &path).map_err(ReportError::io("rename", &path))
}

fn last_time(path: &Path) -> Result<f64, ReportError> {
    let reader = TrajectoryReader::open(path)?;
    let Some(last) = reader.groups().checked_sub(1) else { return Ok(0.0) };
    match reader.read(last, 0)? {
        Values::Numbers(t) => Ok(t.last().copied().unwrap_or(0.0)),
        Values::Modes(_) => Ok(0.0),
    }
}

/// The rows of complete row groups, at most `left` of them.
fn copy_rows(
    reader: &TrajectoryReader,
    writer: &mut TrajectoryWriter,
    left: &mut u64,
) -> Result<(), ReportError> {
    let (mut row, mut codes) = (Vec::new(), Vec::new());
    for group in 0..reader.groups() {
        let columns: Vec<Values> =
            (0..reader.names.len()).map(|c| reader.read(group, c)).collect::<Result<_, _>>()?;
        let rows = columns.first().map_or(0, Values::len);
        for index in 0..rows {
            if *left == 0 {
                return Ok(());
            }
            row.clear();
            codes.clear();
            for column in &columns {
                match column {
                    Values::Numbers(numbers) => row.push(numbers[index]),
                    Values::Modes(modes) => codes.push(modes[index]),
                }
            }
            writer.push(&row, &codes)?;
            *left -= 1;
        }
    }
    Ok(())
}

/// Cuts the file after its last complete row group and puts the footer there.
fn append_footer(path: &Path, journal: &JournalContents) -> Result<(), ReportError> {
    let wrap = || ReportError::io("write", path);
    let mut file = change(path)?;
    let mut digest = Digest::default();
    let mut written = (&mut file).take(journal.length);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = written.read(&mut buffer).map_err(wrap())?;
        if count == 0 {
            break;
        }
        digest.bytes(&buffer[..count]);
    }
    if digest.value() != journal.hash {
        let found = journal.length - written.limit();
        return Err(ReportError::Damaged { path: path.into(), written: journal.length, found });
    }
    file.set_len(journal.length).map_err(wrap())?;
    file.seek(SeekFrom::Start(journal.length)).map_err(wrap())?;
    file.write_all(&journal.footer).and_then(|()| file.sync_data()).map_err(wrap())
}

/// Cuts a file of lines after the first `count`; how many it keeps, and how many were cut, a broken
/// one included.
fn keep_lines(path: &Path, count: u64) -> Result<(u64, u64), ReportError> {
    let file = change(path)?;
    let mut reader = BufReader::new(file);
    let (mut lines, mut kept, mut cut) = (0, 0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let bytes = reader.read_until(b'\n', &mut line).map_err(ReportError::io("read", path))?;
        if bytes == 0 {
            break;
        }
        if lines < count && line.ends_with(b"\n") {
            lines += 1;
            kept += bytes as u64;
        } else {
            cut += 1;
        }
    }
    if cut > 0 {
        reader.into_inner().set_len(kept).map_err(ReportError::io("write", path))?;
    }
    Ok((lines, cut))
}
