//! A study: a scene, what varies, what is kept. One row at a time.

use crate::dataset::{Manifest, Row, RowsFile, Shard, Text};
use crate::error::{RowFault, StudyError};
use crate::results::{Limits, Measures, Watch, check_name};
use crate::sampling::{Plan, Value};
use crate::witness::{Both, Witness};
use carom::contact::sites;
use carom::hybrid::{Output, Stop};
use carom_report::{ActuatorRecord, Columns, Digest};
use carom_scene::expression::Formula;
use carom_scene::{Fault, Scene, SceneError, stated};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// Rows of a part, unless told otherwise.
const PART_ROWS: u64 = 4096;

/// Everything that a study is asked for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The text of the scene.
    pub text: String,
    /// Its path; files that it includes are looked for beside it.
    pub path: String,
    /// Its name in the folder `source` of the dataset.
    pub name: String,
    /// Changes to it that all rows share.
    pub overrides: Vec<String>,
    /// What varies.
    pub plan: Plan,
    /// Names and expressions.
    pub results: Vec<(String, String)>,
    /// Names of results that a [`Witness`] gives, and what tells each function from others.
    pub functions: Vec<(String, String)>,
    /// Whole runs are kept of rows for which this holds.
    pub keep: Option<String>,
    /// When a run is given up.
    pub limits: Limits,
    /// Rows of a part.
    pub part_rows: u64,
    /// Which part of the study.
    pub shard: Option<Shard>,
}

impl Ask {
    /// A study of a scene in which nothing varies yet.
    pub fn of_scene(text: impl Into<String>, path: impl Into<String>) -> Self {
        let path = path.into();
        Self {
            text: text.into(),
            name: path.clone(),
            path,
            overrides: Vec::new(),
            plan: Plan::nothing(),
            results: Vec::new(),
            functions: Vec::new(),
            keep: None,
            limits: Limits::default(),
            part_rows: PART_ROWS,
            shard: None,
        }
    }
}

/// A study that can be done: its scene, values and results were looked at.
#[derive(Debug)]
pub struct Study {
    ask: Ask,
    columns: Columns,
    measures: Measures,
    /// Names of the columns of results: of expressions, then of functions.
    names: Vec<String>,
    keep: Option<Formula>,
    hash: String,
}

impl Study {
    /// Checks everything that can be checked before the first run.
    pub fn new(ask: Ask) -> Result<Self, StudyError> {
        if ask.part_rows == 0 {
            let (name, what) = ("part-rows".into(), "the number of rows");
            return Err(StudyError::Range { name, what, value: 0.0, allowed: "at least 1".into() });
        }
        if let Some(limit) = ask.limits.time.filter(|s| !(*s > 0.0 && *s < 1e9)) {
            let (name, what) = ("time-limit".into(), "the computing time of a run");
            let allowed = "a number of seconds > 0, below 1e9".into();
            return Err(StudyError::Range { name, what, value: limit, allowed });
        }
        let scene = looked_at(&ask)?;
        let columns = columns(&scene);
        let measures = measures(&ask, &scene, &columns)?;
        let names = names(&ask, &measures)?;
        let keep = ask.keep.as_deref().map(|text| condition(&ask, &names, text)).transpose()?;
        let hash = hash(&ask, &scene)?;
        Ok(Self { ask, columns, measures, names, keep, hash })
    }

    /// What varies.
    pub fn plan(&self) -> &Plan {
        &self.ask.plan
    }

    /// Names of the columns of results.
    pub fn results(&self) -> &[String] {
        &self.names
    }

    /// What is asked for, as it is kept with the dataset.
    pub fn manifest(&self) -> Manifest {
        let (ask, plan) = (&self.ask, &self.ask.plan);
        let text =
            |name: &String, value: &String| Text { name: name.clone(), value: value.clone() };
        let (rows, hash) = plan.table_hash(usize::MAX);
        let own = plan.names().len() - plan.parameters().len();
        let file = RowsFile { names: plan.names()[..own].to_vec(), rows: rows as u64, hash };
        Manifest {
            format: Manifest::format(),
            carom: env!("CARGO_PKG_VERSION").into(),
            scene: ask.name.clone(),
            scene_hash: self.hash.clone(),
            overrides: ask.overrides.clone(),
            rows_file: (rows > 0).then_some(file),
            vary: plan.parameters().iter().map(|p| text(&p.name, &p.text)).collect(),
            seed: plan.seed(),
            results: ask.results.iter().chain(&ask.functions).map(|(n, v)| text(n, v)).collect(),
            keep: ask.keep.clone(),
            step_limit: ask.limits.steps,
            part_rows: ask.part_rows,
            rows: plan.rows(),
            shard: ask.shard,
        }
    }

    /// All changes to the scene of a row.
    pub fn overrides(&self, row: u64) -> Vec<String> {
        let own = self.ask.plan.overrides(&self.ask.plan.values(row));
        self.ask.overrides.iter().cloned().chain(own).collect()
    }

    /// Runs a row; none if `stop` was set before it ended. A row that fails says why.
    pub fn run(&self, number: u64, stop: &AtomicBool) -> Option<Row> {
        self.run_before(number, stop, None)
    }

    /// The same before a witness, who gives the results that are functions.
    pub fn run_before(
        &self,
        number: u64,
        stop: &AtomicBool,
        witness: Option<&mut dyn Witness>,
    ) -> Option<Row> {
        let values = self.ask.plan.values(number);
        let work = AssertUnwindSafe(|| self.attempt(number, &values, stop, witness));
        catch_unwind(work).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a word");
            Some(self.failed(number, &RowFault::Panic(text.into())))
        })
    }

    /// Whether the whole run of a row is to be kept.
    pub fn keeps(&self, row: &Row) -> bool {
        let Some(keep) = &self.keep else { return false };
        let values = self.ask.plan.values(row.number);
        let mut all: Vec<f64> = values.iter().map(Value::number).collect();
        all.extend(&row.results);
        all.push(row.stop_time);
        let holds = keep.value(&all);
        holds != 0.0 && !holds.is_nan()
    }

    /// The row of a run that did not begin, or of which nothing is left.
    pub fn failed(&self, number: u64, fault: &RowFault) -> Row {
        Row {
            number,
            results: vec![f64::NAN; self.names.len()],
            stop: fault.word().into(),
            stop_time: f64::NAN,
            message: Some(fault.to_string()),
            hash: 0,
        }
    }

    fn attempt(
        &self,
        number: u64,
        values: &[Value],
        stop: &AtomicBool,
        mut witness: Option<&mut dyn Witness>,
    ) -> Option<Row> {
        let mut changes = self.ask.overrides.clone();
        changes.extend(self.ask.plan.overrides(values));
        let scene = match Scene::parse_with(&self.ask.text, &self.ask.path, &changes) {
            Ok(scene) => scene,
            Err(error) => return Some(self.failed(number, &RowFault::Scene(error))),
        };
        let own = columns(&scene);
        // A value may change what a scene consists of: names are looked up anew then.
        let anew = (own != self.columns).then(|| measures(&self.ask, &scene, &own)).transpose();
        let anew = match anew {
            Ok(anew) => anew,
            Err(error) => {
                return Some(self.failed(number, &RowFault::Results(Box::new(error))));
            }
        };
        let measures = anew.as_ref().unwrap_or(&self.measures);
        let simulation = match scene.simulation() {
            Ok(simulation) => simulation,
            Err(error) => return Some(self.failed(number, &RowFault::Law(error))),
        };
        let mut options = scene.options.hybrid();
        if !measures.need_samples() && witness.is_none() {
            options.output = Output::Events;
        }
        if let Some(witness) = &mut witness {
            witness.begin(&scene, &changes);
        }
        let parameters: Vec<f64> = values.iter().map(Value::number).collect();
        let mut watch = Watch::new((measures, &own), &parameters, self.ask.limits, stop);
        let mut both = Both(&mut watch, witness.as_mut().map(|w| &mut **w as &mut dyn Witness));
        let ended = simulation.options(options).run_with(scene.options.solver.until, &mut both);
        if watch.abandoned {
            return None;
        }
        let mut results = watch.results();
        // A run that was given up is no run that a function should see.
        if let Some(witness) = witness.filter(|_| watch.fault.is_none() && ended.is_ok()) {
            let (values, fault) = witness.end(&scene, &ended);
            results.extend(values);
            watch.fault = fault;
        }
        results.resize(self.names.len(), f64::NAN);
        let (word, message) = match (watch.fault.take(), ended) {
            (Some(fault), _) => (fault.word(), Some(fault.to_string())),
            (None, Ok(outcome)) => (outcome.stop.word(), told(&outcome.stop)),
            (None, Err(error)) => {
                let fault = RowFault::Numerics(error);
                (fault.word(), Some(fault.to_string()))
            }
        };
        Some(Row {
            number,
            results,
            stop: word.into(),
            stop_time: watch.time(),
            message,
            hash: watch.hash(),
        })
    }
}

/// What a stop of the mechanics says.
fn told(stop: &Stop) -> Option<String> {
    match stop {
        Stop::ReachedEnd | Stop::Observer => None,
        Stop::NoSolution { t, contacts } => {
            Some(format!("no contact forces at t = {t:?} s at {}", contacts.join(", ")))
        }
        Stop::Ambiguous { t, contacts } => {
            Some(format!("several contact forces at t = {t:?} s at {}", contacts.join(", ")))
        }
        Stop::Runaway { t, kinetic, bound } => Some(format!(
            "the impact law has made energy without bound: {kinetic:e} J move at t = {t:?} s, bound {bound:e} J"
        )),
        Stop::OpenLedger { t, closure, bound } => Some(format!(
            "the energy ledger is open by {closure:e} J at t = {t:?} s, bound {bound:e} J"
        )),
    }
}

/// The columns of a run of a scene.
fn columns(scene: &Scene) -> Columns {
    let sites = sites(&scene.model);
    let motor = |name: &String| ActuatorRecord { name: name.clone(), ..ActuatorRecord::default() };
    let motors: Vec<ActuatorRecord> = match scene.controllers.is_empty() {
        true => Vec::new(),
        false => scene.actuators.iter().map(|a| motor(&a.name)).collect(),
    };
    Columns::new(&scene.model, &sites).with_torques(&motors)
}

fn measures(ask: &Ask, scene: &Scene, columns: &Columns) -> Result<Measures, StudyError> {
    let sites: Vec<String> = sites(&scene.model).iter().map(|s| s.name.clone()).collect();
    let numeric = ask.plan.names().iter().zip(ask.plan.numeric());
    let names: Vec<String> =
        numeric.map(|(name, is)| if *is { name.clone() } else { "\u{0}".into() }).collect();
    Measures::new(&ask.results, columns, &sites, &names)
}

/// Names of all columns of results.
fn names(ask: &Ask, measures: &Measures) -> Result<Vec<String>, StudyError> {
    let mut names = measures.names.clone();
    for (name, _) in &ask.functions {
        check_name(name, ask.plan.names())?;
        if names.contains(name) {
            return Err(StudyError::Twice { what: "result", name: name.clone() });
        }
        names.push(name.clone());
    }
    Ok(names)
}

/// A condition over parameters and results.
fn condition(ask: &Ask, results: &[String], text: &str) -> Result<Formula, StudyError> {
    let mut names = ask.plan.names().to_vec();
    names.extend(results.iter().cloned());
    names.push(crate::fixed::STOP_TIME.into());
    Formula::of_names(text, &names).map_err(|source| StudyError::Expression {
        what: "condition",
        name: text.into(),
        source,
    })
}

/// The scene of the first row. It and the ends of all ranges must be readable, but for bodies that overlap at the
/// start: whether they do depends on the row.
fn looked_at(ask: &Ask) -> Result<Scene, StudyError> {
    let first = ask.plan.values(0);
    let read = |values: &[Value]| {
        let changes = ask.plan.overrides(values);
        let all: Vec<&String> = ask.overrides.iter().chain(&changes).collect();
        Scene::parse_with(&ask.text, &ask.path, &all).map_err(|source| StudyError::Scene {
            values: if changes.is_empty() { "its own values".into() } else { changes.join(", ") },
            source: Box::new(source),
        })
    };
    let bad = |fault: &SceneError| !matches!(fault.fault(), Fault::Penetration { .. });
    let own = first.len() - ask.plan.parameters().len();
    for (k, parameter) in ask.plan.parameters().iter().enumerate() {
        for end in parameter.vary.ends() {
            let mut values = first.clone();
            values[own + k] = end;
            match read(&values) {
                Err(StudyError::Scene { values, source }) if bad(&source) => {
                    return Err(StudyError::Scene { values, source });
                }
                _ => {}
            }
        }
    }
    let scene = match read(&first) {
        Err(StudyError::Scene { source, .. }) if !bad(&source) => {
            // Any row that can begin tells what the scene consists of.
            let rows = 1..ask.plan.rows().min(1000);
            rows.map(|row| read(&ask.plan.values(row))).find(Result::is_ok).unwrap_or(read(&first))
        }
        scene => scene,
    }?;
    scene.simulation().map(|_| ()).map_err(|source| StudyError::Law {
        values: ask.plan.overrides(&first).join(", "),
        source: Box::new(source),
    })?;
    Ok(scene)
}

/// The hash of what a scene says without its study, and of what it includes.
fn hash(ask: &Ask, scene: &Scene) -> Result<String, StudyError> {
    let tree = stated(&ask.text, &ask.path, &ask.overrides).map_err(|source| {
        StudyError::Scene { values: "its own values".into(), source: Box::new(source) }
    })?;
    let mut tree = tree;
    if let Some(table) = tree.as_object_mut() {
        table.remove("study");
        table.remove("title");
        table.remove("description");
    }
    let mut digest = Digest::default();
    digest.bytes(tree.to_string().as_bytes());
    // The order of bodies and contacts is that of coordinates and rows.
    for name in scene.model.q_names().into_iter().chain(scene.model.v_names()) {
        digest.bytes(name.as_bytes());
    }
    for site in sites(&scene.model) {
        digest.bytes(site.name.as_bytes());
    }
    // The text of a scene is its tables, which are in it already; that of a robot is not.
    let robot = |text: &str| text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    let own = usize::from(scene.files.first().is_some_and(|file| !robot(&file.text)));
    for file in scene.files.iter().skip(own) {
        digest.bytes(file.text.as_bytes());
    }
    Ok(digest.hex())
}
