//! The scene that is looked at: its documents, and new runs with changed values.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use carom::impact::ImpactError;
use carom_report::document::RunDocument;
use carom_report::looks::Looks;
use carom_report::{ReportError, SavedScene};
use carom_scene::{Place, Scene, SceneError, override_keys, override_parts, stated};
use serde_json::{Value, json};

use super::choices::{choices, own};
use super::gauge::{Gauges, Stage};
use super::offer::offer;
use super::parameter::Parameter;
use super::turns::Turns;
use crate::args::DamageArgs;
use crate::live::{simulate, too_many};
use crate::salvage::load;

/// Runs that go at once, at most.
const RUNS: usize = 2;

/// A scene, how it was changed before, and runs of it.
pub struct Workshop {
    /// File of the scene.
    path: PathBuf,
    /// Overrides that it was opened with.
    overrides: Vec<String>,
    /// Ready documents with their names.
    documents: Vec<(String, String)>,
    turns: Turns,
    /// How far runs have come.
    pub gauges: Gauges,
    /// Files of the scene when it was read last.
    files: Mutex<Vec<PathBuf>>,
}

/// A run that is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Changes `path=value` of the scene.
    pub set: Vec<String>,
    /// What its gauge is read by.
    pub name: Option<String>,
    /// Text of the scene instead of that of its file.
    pub text: Option<String>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// The scene cannot be read.
    Scene(Box<SceneError>),
    /// The law cannot be made.
    Law(ImpactError),
    /// The document cannot be made.
    Report(ReportError),
    /// A change that might read files.
    Files {
        /// The change.
        change: String,
    },
    /// A text that names a file which the scene does not.
    Foreign {
        /// The file.
        file: String,
    },
    /// More samples than memory is kept for.
    Samples {
        /// How many there would be.
        samples: f64,
    },
    /// Nobody waits for the answer.
    Cancelled,
}

impl Refusal {
    /// Message, hint and place, in the words of the command line.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Scene(error) => scene_error(error),
            Self::Law(error) => plain(&error.to_string(), error.hint()),
            Self::Report(error) => plain(&error.to_string(), error.hint()),
            Self::Files { change } => plain(
                &format!("`{change}` is not changed from a page: it may name files"),
                "change it in the scene, or with --set on the command line",
            ),
            Self::Foreign { file } => plain(
                &format!("the text names the file `{file}`, which the scene on disk does not"),
                "files are named in the scene on disk; edit and save it there, it is watched",
            ),
            Self::Samples { samples } => plain(
                &format!("the run would have {samples:.1e} samples, too many to show"),
                "let `output.interval` be longer, or `until` shorter; `carom run` has no such bound",
            ),
            Self::Cancelled => plain("the run was cancelled", ""),
        }
    }
}

fn plain(message: &str, hint: &str) -> Value {
    json!({ "message": message, "hint": hint, "place": null })
}

/// File, line and column of a place.
fn spot(place: &Place) -> Option<Value> {
    match place {
        Place::File { file, line, column } => {
            Some(json!({ "file": file, "line": line, "column": column }))
        }
        _ => None,
    }
}

/// The report of the command line, part by part.
fn scene_error(error: &SceneError) -> Value {
    let report = error.report();
    let lines: Vec<&str> = report.lines().collect();
    let headline = lines.first().and_then(|l| l.strip_prefix("error: ")).unwrap_or(&report);
    let detail: Vec<&str> = lines
        .iter()
        .filter(|l| !l.starts_with("  -->"))
        .filter_map(|l| l.strip_prefix("   "))
        .collect();
    json!({
        "message": headline,
        "hint": error.hint(),
        "place": error.place().map(|p| p.to_string()),
        "at": error.place().and_then(spot),
        "detail": detail.join("\n"),
        "report": report,
    })
}

impl Workshop {
    fn new(path: PathBuf, overrides: Vec<String>, documents: Vec<(String, String)>) -> Self {
        let (turns, gauges) = (Turns::new(RUNS), Gauges::default());
        let files = Mutex::new(vec![path.clone()]);
        Self { path, overrides, documents, turns, gauges, files }
    }

    /// A scene file with overrides.
    pub fn of_scene(path: PathBuf, overrides: Vec<String>) -> Result<Self, Refusal> {
        let workshop = Self::new(path, overrides, Vec::new());
        workshop.scene(&[])?;
        Ok(workshop)
    }

    /// A run on disk: its document, and its scene as it was kept.
    pub fn of_run(dir: PathBuf, care: DamageArgs) -> Result<Self, ReportError> {
        let account = load(&dir, care)?;
        let summary = &account.summary;
        let path = SavedScene::load(&dir, summary)?.path;
        let document = RunDocument::new(&account)?;
        let name = dir.file_name().map_or("run".into(), |n| n.to_string_lossy().into_owned());
        let overrides = summary.job.scene.overrides.clone();
        Ok(Self::new(path, overrides, vec![(name, document.to_json()?)]))
    }

    /// File of the scene.
    pub fn name(&self) -> String {
        let name = self.path.file_name();
        name.map_or(String::new(), |n| n.to_string_lossy().into_owned())
    }

    /// Names of the ready documents.
    pub fn names(&self) -> Vec<&str> {
        self.documents.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// A ready document by its number.
    pub fn document(&self, number: &str) -> Option<&str> {
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let place: usize = number.parse().ok().filter(|_| digits)?;
        self.documents.get(place).map(|(_, document)| document.as_str())
    }

    /// The scene as it is on disk now, with further changes.
    fn scene(&self, changes: &[String]) -> Result<(Scene, Vec<String>), Refusal> {
        let all: Vec<String> = self.overrides.iter().chain(changes).cloned().collect();
        match Scene::load_with(&self.path, &all) {
            Ok(scene) => {
                *self.files.lock().unwrap_or_else(PoisonError::into_inner) = files_of(&scene);
                Ok((scene, all))
            }
            Err(error) => Err(Refusal::Scene(Box::new(error))),
        }
    }

    /// A scene by its text, or as it is on disk.
    fn scene_by(
        &self,
        text: Option<&str>,
        changes: &[String],
    ) -> Result<(Scene, Vec<String>), Refusal> {
        let Some(text) = text else { return self.scene(changes) };
        let all: Vec<String> = self.overrides.iter().chain(changes).cloned().collect();
        let name = self.path.display().to_string();
        self.refuse_foreign(text, &name)?;
        let scene = Scene::parse_with(text, &name, &all);
        let scene = scene.map_err(|error| Refusal::Scene(Box::new(error)))?;
        // What the text reads, the scene on disk reads as well.
        let known = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        match files_of(&scene).into_iter().find(|file| !known.contains(file)) {
            Some(file) => Err(Refusal::Foreign { file: file.display().to_string() }),
            None => Ok((scene, all)),
        }
    }

    /// Texts from a page name no file that the scene on disk does not name: words that are new in a text and the name of
    /// something beside the scene are refused before anything is read.
    fn refuse_foreign(&self, text: &str, name: &str) -> Result<(), Refusal> {
        let refused = |error| Refusal::Scene(Box::new(error));
        let words = |text: &str| stated::<&str>(text, name, &[]).map(|tree| words_of(&tree));
        let ours = fs::read_to_string(&self.path).ok().and_then(|text| words(&text).ok());
        let ours = ours.unwrap_or_default();
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let foreign =
            |word: &String| !ours.contains(word) && fs::symlink_metadata(folder.join(word)).is_ok();
        match words(text).map_err(refused)?.into_iter().find(foreign) {
            Some(file) => Err(Refusal::Foreign { file }),
            None => Ok(()),
        }
    }

    /// Another one whenever a file of the scene was changed.
    pub fn stamp(&self) -> String {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut hasher = DefaultHasher::new();
        for file in files.iter() {
            let known = fs::metadata(file).ok();
            let when = known.as_ref().and_then(|m| m.modified().ok());
            (file, known.map(|m| m.len()), when).hash(&mut hasher);
        }
        json!({ "stamp": format!("{:016x}", hasher.finish()) }).to_string()
    }

    /// Values that can be changed.
    fn parameters(&self, scene: &Scene) -> Result<Vec<Parameter>, Refusal> {
        // The first file of a scene is its own text.
        let text = scene.files.first().map_or("", |f| f.text.as_str());
        let name = self.path.display().to_string();
        let tree = stated(text, &name, &self.overrides);
        Ok(offer(scene, &tree.map_err(|e| Refusal::Scene(Box::new(e)))?))
    }

    /// What the robots of the scene look like, as JSON.
    pub fn looks(&self) -> Result<String, Refusal> {
        let (scene, _) = self.scene(&[])?;
        let looks = Looks::of(&scene, None).unwrap_or_default();
        looks.to_json().map_err(Refusal::Report)
    }

    /// The scene, or another text of it, and what can be changed in it, as JSON.
    pub fn offer(&self, text: Option<&str>) -> Result<String, Refusal> {
        let (scene, _) = self.scene_by(text, &[])?;
        let parameters = self.parameters(&scene)?;
        let laws = choices(&scene);
        let law = own(&scene, &laws);
        let text = scene.files.first().map_or("", |f| f.text.as_str());
        let title = scene.title.clone().unwrap_or_else(|| self.name());
        let offer = json!({
            "name": self.name(),
            "path": self.path.display().to_string(),
            "title": title,
            "text": text,
            "overrides": self.overrides,
            "parameters": parameters.iter().map(Parameter::to_json).collect::<Vec<_>>(),
            "laws": laws.iter().map(|law| law.to_json()).collect::<Vec<_>>(),
            "law": law,
        });
        Ok(offer.to_string())
    }

    /// Runs the scene as it is ordered; the document as JSON.
    pub fn run(&self, order: &Order, gone: &dyn Fn() -> bool) -> Result<String, Refusal> {
        let (changes, text) = (order.set.as_slice(), order.text.as_deref());
        if let Some(change) = changes.iter().find(|change| may_name_files(change)) {
            return Err(Refusal::Files { change: change.clone() });
        }
        let seeds = if changes.is_empty() {
            Vec::new()
        } else {
            seeds(&self.parameters(&self.scene_by(text, &[])?.0)?, changes)
        };
        let changes: Vec<String> = seeds.into_iter().chain(changes.iter().cloned()).collect();
        let (scene, all) = self.scene_by(text, &changes)?;
        if let Some(samples) = too_many(&scene) {
            return Err(Refusal::Samples { samples });
        }
        let gauge = self.gauges.open(order.name.as_deref());
        let _turn = self.turns.wait(gone).ok_or(Refusal::Cancelled)?;
        let (start, end) = (scene.initial.t, scene.options.solver.until);
        let mut onlooker = |t: f64, events: u64| {
            gauge.reach((start, t, end), events);
            !gone()
        };
        let lived = simulate(scene, (&self.path, &all), &mut onlooker).map_err(Refusal::Law)?;
        if gone() || lived.account.summary.stop.reason == "interrupted" {
            return Err(Refusal::Cancelled);
        }
        gauge.note(Stage::Drawing);
        let document = RunDocument::new(&lived.account).map_err(Refusal::Report)?;
        document.to_json().map_err(Refusal::Report)
    }
}

/// Files that a scene was read from.
fn files_of(scene: &Scene) -> Vec<PathBuf> {
    scene.files.iter().map(|file| PathBuf::from(&file.name)).collect()
}

/// All words that stand as values in a scene, but for what it says of itself.
fn words_of(tree: &Value) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut waiting: Vec<&Value> = match tree {
        Value::Object(table) => {
            let speaks = |key: &str| matches!(key, "title" | "description" | "space");
            table.iter().filter(|(key, _)| !speaks(key)).map(|(_, value)| value).collect()
        }
        other => vec![other],
    };
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(word) if !word.is_empty() => drop(words.insert(word.clone())),
            Value::Array(list) => waiting.extend(list),
            Value::Object(table) => waiting.extend(table.values()),
            _ => {}
        }
    }
    words
}

/// What must be stated before parts of it can be changed, in order and once each.
fn seeds(parameters: &[Parameter], changes: &[String]) -> Vec<String> {
    let mut seeds: Vec<String> = Vec::new();
    for change in changes {
        let path = change.split('=').next().unwrap_or_default().trim();
        let seed = parameters.iter().find(|p| p.path == path).and_then(|p| p.seed.as_ref());
        if let Some(seed) = seed
            && !seeds.contains(seed)
        {
            seeds.push(seed.clone());
        }
    }
    seeds
}

/// Whether a change might name a file: entries of robot descriptions do, but for their place and
/// turn, controllers may, but for their numbers, and so may whatever speaks of a file or a mesh.
///
/// The path is parsed as it will be when the change is applied; what is no change is refused there.
fn may_name_files(change: &str) -> bool {
    let Some((keys, value)) = override_parts(change) else { return false };
    let key = |i: usize| keys.get(i).map(String::as_str);
    // Keys within the value may be written with escapes.
    let all = override_keys(change).unwrap_or_default();
    let speaks = |word: &str| all.iter().any(|key| key == word) || value.contains(word);
    match key(0) {
        Some("urdf" | "mjcf") => !matches!(key(2), Some("position" | "rotation")),
        Some("controller") => value.parse::<f64>().is_err(),
        Some("title" | "description") => false,
        _ => speaks("file") || speaks("mesh") || speaks("urdf") || speaks("mjcf"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_not_named_from_a_page() {
        for bad in [
            "urdf.0.file=/etc/passwd",
            "mjcf.0.file=/etc/passwd",
            "urdf=[{file=\"x\"}]",
            "\"urdf\".0.file=x",
            "controller.a.file=x",
            "controller={ a = { file = \"x\" } }",
            " urdf .0={}",
            "u\"r\"df=[{file=\"/etc/passwd\"}]",
            "cont\"r\"oller={jump={type=\"table\",file=\"secret.txt\"}}",
            "\"\"urdf\"\".0.file=x",
            "body={a={mesh=\"x\"}}",
            r#"body.a.shape={"m\u0065sh"="x"}"#,
            r#"body={a=[[{"me\U00000073h"="x"}]]}"#,
        ] {
            assert!(may_name_files(bad), "{bad}");
        }
        for good in [
            "urdf.0.position.2=1",
            "contact.0.friction=1",
            "controller.a.stiffness=1e2",
            "title=\"urdf.0.file\"",
        ] {
            assert!(!may_name_files(good), "{good}");
        }
    }
}
