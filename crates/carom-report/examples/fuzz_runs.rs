//! A mutation fuzzer of the readers of run folders.
//!
//! ```text
//! cargo run --release -p carom-report --example fuzz_runs -- COUNT [SEED] [FILE]
//! ```
//!
//! Seeds are a few shipped scenes, run here, finished and killed; a case changes some of their files:
//! bits, cuts, numbers of JSON, lines, files of another run, files that are gone. Each is read as every
//! command reads it: strictly, and if that is refused letting damage pass, then drawn and made into a document. A strict
//! reader that takes a changed finished run for whole, a panic, an error without a hint or a case slower
//! than ten seconds is a finding; its number is printed and the exit code is 1. Case number i of a seed
//! is always the same.

use carom_report::document::RunDocument;
use carom_report::plots::{PlotKind, RunPlots};
use carom_report::{Account, Extras, Job, ReportError, RunWriter, SceneRecord, SourceFile};
use carom_scene::Scene;
use carom_testing::{Campaign, Scratch, scene as scene_path, splitmix64};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Scenes that are run, and for how long, s.
const SCENES: [(&str, f64); 5] =
    [("ball", 0.6), ("jumper", 0.02), ("superball", 0.2), ("four_bar", 0.02), ("dominoes", 0.05)];
/// Numbers that make trouble.
const NUMBERS: [&str; 9] =
    ["0", "-1", "1e308", "-1e308", "1e-320", "18446744073709551615", "null", "[]", "\"x\""];

/// All files of a folder, by their names within it.
type Files = Vec<(PathBuf, Vec<u8>)>;

fn main() -> ExitCode {
    let Some(campaign) = Campaign::from_arguments(std::env::args().skip(1)) else {
        return ExitCode::from(2);
    };
    let scratch = Scratch::new("fuzz-runs");
    let seeds: Vec<(Files, bool)> = SCENES
        .iter()
        .flat_map(|(name, until)| [true, false].map(|whole| (*name, *until, whole)))
        .map(|(name, until, whole)| (record(&scratch, name, until, whole), whole))
        .collect();
    let mut shown = [0; 3];
    let code = campaign.run("run folders", |case| {
        let mut random = campaign.seed.wrapping_mul(0x9e37_79b9).wrapping_add(case);
        let dir = scratch.path("case");
        let _ = fs::remove_dir_all(&dir);
        one(&seeds, &dir, &mut random, &mut shown).err()
    });
    let [whole, damaged, refused] = shown;
    println!(
        "run folders: of those now, {whole} were shown as whole, {damaged} as damaged, {refused} not at all"
    );
    code
}

/// The files of a run, finished or killed.
fn record(scratch: &Scratch, name: &str, until: f64, whole: bool) -> Files {
    let dir = scratch.path(&format!("{name}-{whole}"));
    let path = scene_path(&format!("{name}.toml"));
    let scene = Scene::load(&path).expect("a shipped scene");
    let source = |f: &carom_scene::SceneFile| SourceFile {
        name: Path::new(&f.name).file_name().unwrap_or_default().to_string_lossy().into_owned(),
        text: f.text.clone(),
    };
    let sources: Vec<SourceFile> = scene.files.iter().map(source).collect();
    let record = SceneRecord {
        name: format!("{name}.toml"),
        hash: scene.hash.clone(),
        ..Default::default()
    };
    let actuators = scene.actuators.iter().filter(|_| !scene.controllers.is_empty());
    let actuators = actuators.map(|a| carom_report::ActuatorRecord {
        name: a.name.clone(),
        unit: "N·m".into(),
        ..Default::default()
    });
    let job = Job { scene: record, actuators: actuators.collect(), ..Job::default() };
    let extras = Extras { csv: true, npz: false };
    let mut writer =
        RunWriter::create(&dir, &scene.model, job, &sources, extras).expect("a folder");
    writer.checkpoint_every(Duration::from_millis(1));
    let result = scene.simulation().expect("a law").run_with(until, &mut writer);
    if whole {
        writer.finish(&result, false, Duration::ZERO).expect("a disk");
    } else {
        drop(writer);
    }
    let mut files = Vec::new();
    collect(&dir, &dir, &mut files);
    files
}

fn collect(base: &Path, dir: &Path, files: &mut Files) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        match path.strip_prefix(base) {
            Ok(_) if path.is_dir() => collect(base, &path, files),
            Ok(name) => files.push((name.into(), fs::read(&path).expect("a file"))),
            Err(_) => {}
        }
    }
}

/// One case: what is wrong with its handling, if anything.
fn one(
    seeds: &[(Files, bool)],
    dir: &Path,
    random: &mut u64,
    shown: &mut [u64; 3],
) -> Result<(), String> {
    let pick = |random: &mut u64, n: usize| (splitmix64(random) % n.max(1) as u64) as usize;
    let (original, whole) = &seeds[pick(random, seeds.len())];
    let mut files = original.clone();
    // Mostly one file, once.
    for _ in 0..1 + pick(random, 6).saturating_sub(3) {
        let place = pick(random, files.len());
        let name = files[place].0.clone();
        let other = &seeds[pick(random, seeds.len())].0;
        mutate(&mut files[place].1, other, &name, random);
        if pick(random, 20) == 0 {
            files.remove(place);
        }
        if files.is_empty() {
            return Ok(());
        }
    }
    // Only these are of use to a reader; a change of the lock or the CSV file is none.
    let read = ["summary.json", "events.jsonl", "trajectory.parquet"].map(PathBuf::from);
    let of_use = |all: &Files| -> Files {
        all.iter().filter(|(name, _)| read.contains(name)).cloned().collect()
    };
    let touched = of_use(&files) != of_use(original);
    for (name, bytes) in &files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap_or(dir)).map_err(|e| e.to_string())?;
        fs::write(path, bytes).map_err(|e| e.to_string())?;
    }
    let what = pick(random, KINDS.len() + 1);
    match Account::load(dir) {
        Ok(_) if *whole && touched && !is_seal_only(dir) => {
            return Err("damage was not noticed".into());
        }
        // Nothing is damaged: the other reader would give the same.
        Ok(account) => {
            shown[0] += 1;
            return show(&account, what).or_else(hinted);
        }
        Err(error) => hinted(error)?,
    }
    match Account::load_damaged(dir) {
        Ok((account, _)) => {
            shown[1] += 1;
            show(&account, what).or_else(hinted)
        }
        Err(error) => {
            shown[2] += 1;
            hinted(error)
        }
    }
}

/// Whether a summary has lost its seal and nothing else: its records then check the others.
fn is_seal_only(dir: &Path) -> bool {
    fs::read_to_string(dir.join("summary.json")).is_ok_and(|t| !t.contains("\n  \"check\": \""))
}

/// Pictures that are drawn of a run.
const KINDS: [PlotKind; 4] =
    [PlotKind::Overview, PlotKind::Energy, PlotKind::Impulse, PlotKind::Modes];

/// One of the things that are made of a run: a kind of picture, or the document of its page.
fn show(account: &Account, what: usize) -> Result<(), ReportError> {
    let plots = RunPlots::new(account)?;
    let Some(kind) = KINDS.get(what) else {
        return RunDocument::new(account)?.to_json().map(|_| ());
    };
    for plot in plots.of(*kind) {
        plot.figure.svg(carom_figure::Theme::Light);
    }
    Ok(())
}

fn hinted(error: ReportError) -> Result<(), String> {
    if error.to_string().is_empty() || error.hint().is_empty() {
        return Err(format!("no words: {error:?}"));
    }
    Ok(())
}

/// Changes the bytes of a file.
fn mutate(bytes: &mut Vec<u8>, other: &Files, name: &Path, random: &mut u64) {
    let mut pick = |n: usize| (splitmix64(random) % n.max(1) as u64) as usize;
    if bytes.is_empty() {
        return;
    }
    match pick(7) {
        0 => {
            for _ in 0..1 + pick(4) {
                let place = pick(bytes.len());
                bytes[place] ^= 1 << pick(8);
            }
        }
        1 => bytes.truncate(pick(bytes.len())),
        2 => bytes.extend(vec![b'x'; 1 + pick(100)]),
        3 => {
            if let Some((_, swapped)) = other.iter().find(|(n, _)| n == name) {
                bytes.clone_from(swapped);
            }
        }
        4 => {
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
            let (a, b) = (pick(lines.len()), pick(lines.len()));
            if pick(2) == 0 {
                lines.swap(a, b);
            } else {
                lines.remove(a);
            }
            *bytes = lines.concat();
        }
        5 => {
            let (a, b) = (pick(bytes.len()), pick(bytes.len()));
            bytes.drain(a.min(b)..a.max(b));
        }
        _ => number(bytes, pick(1 << 20), NUMBERS[pick(NUMBERS.len())]),
    }
}

/// Puts another value where a number of JSON stands.
fn number(bytes: &mut Vec<u8>, near: usize, value: &str) {
    let digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E');
    let from = near % bytes.len();
    let Some(start) = bytes[from..].iter().position(digit).map(|i| from + i) else { return };
    let end = bytes[start..].iter().position(|b| !digit(b)).map_or(bytes.len(), |i| start + i);
    bytes.splice(start..end, value.bytes());
}
