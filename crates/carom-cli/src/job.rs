//! What `carom run` was asked for: arguments as overrides of the scene, and the record of the job.

use std::path::{Component, Path, PathBuf};

use carom::hybrid::{Method, Scheme};
use carom::impact::LawChoice;
use carom::model::JointKind;
use carom_report::{
    ActuatorRecord, Job, LawRecord, LawsRecord, OptionsRecord, PairLawRecord, SceneRecord,
    SourceFile, SurfaceRecord,
};
use carom_scene::{LawWords, Scene};

use crate::args::RunArgs;

/// What happens where colliding contacts have different laws; see `carom::hybrid::Laws`.
const MIXED: &str = "the law of the scene, if colliding contacts have different ones";

/// All changes to the scene: the law of `--law`, so that `--set law.…` adds to it, those of `--set`,
/// then the other options as the same.
///
/// So every value is checked in one place and a fault names the same path as in a file.
pub fn overrides(args: &RunArgs) -> Vec<String> {
    let mut all: Vec<String> = args.law.as_deref().map(law_override).into_iter().collect();
    all.extend_from_slice(&args.scene.overrides);
    let named = [
        ("solver.until", &args.until),
        ("solver.rtol", &args.rtol),
        ("solver.atol", &args.atol),
        ("solver.method", &args.method),
        ("output.interval", &args.output_interval),
    ];
    for (path, value) in named {
        all.extend(value.as_ref().map(|value| format!("{path}={value}")));
    }
    all.extend(args.strict.then(|| "solver.strict=true".into()));
    all
}

/// `newton` or `differential,restitution=kinetic` as an override of the whole law.
pub fn law_override(law: &str) -> String {
    let mut parts = law.split(',');
    let formulation = parts.next().unwrap_or_default();
    let mut table = format!("law={{ formulation = {}", toml_value(formulation));
    for part in parts {
        match part.split_once('=') {
            Some((key, value)) => {
                table.push_str(&format!(", {} = {}", key.trim(), toml_value(value)))
            }
            None => table.push_str(&format!(", {}", part.trim())),
        }
    }
    table.push_str(" }");
    table
}

/// Numbers and flags as they are, anything else as a text.
fn toml_value(text: &str) -> String {
    let text = text.trim();
    let plain = matches!(text, "true" | "false") || text.parse::<f64>().is_ok();
    if plain { text.into() } else { format!("{text:?}") }
}

/// The files of a scene as they are kept with the run: the scene first, then what it includes, all
/// at the same places relative to each other. Files included by an absolute path are not moved by
/// a copy and stay where they are.
pub fn keep(scene: &Scene, path: &Path) -> Vec<SourceFile> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let inside = |name: &str| Path::new(name).strip_prefix(folder).ok().map(Path::to_path_buf);
    let files = scene.files.iter().filter_map(|f| Some((inside(&f.name)?, &f.text)));
    let files: Vec<_> = files.filter(|(name, _)| name.is_relative()).collect();
    // So many folders deep that no `..` leads out of the copy.
    let depth = files.iter().map(|(name, _)| climbs(name)).max().unwrap_or(0);
    let copy = |(name, text): &(PathBuf, &String)| SourceFile {
        name: settle(depth, name),
        text: String::clone(text),
    };
    files.iter().map(copy).collect()
}

/// How far above its start a relative path leads.
fn climbs(path: &Path) -> usize {
    let (mut height, mut most) = (0_isize, 0_isize);
    for part in path.components() {
        match part {
            Component::ParentDir => height += 1,
            Component::Normal(_) => height -= 1,
            _ => {}
        }
        most = most.max(height);
    }
    most.unsigned_abs()
}

/// A relative path seen from `depth` folders further up, without `..`.
fn settle(depth: usize, path: &Path) -> String {
    let mut parts: Vec<String> = (0..depth).map(|_| "below".into()).collect();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    parts.join("/")
}

/// The record of a job.
pub fn job(scene: &Scene, path: &Path, overrides: &[String], kept: &[SourceFile]) -> Job {
    Job {
        scene: SceneRecord {
            name: path.display().to_string(),
            title: scene.title.clone(),
            hash: scene.hash.clone(),
            overrides: overrides.to_vec(),
        },
        law: laws(scene),
        surfaces: surfaces(scene),
        actuators: actuators(scene),
        options: options(scene),
        repeat: repeat(overrides, kept),
    }
}

fn repeat(overrides: &[String], kept: &[SourceFile]) -> String {
    let scene = kept.first().map_or("", |f| f.name.as_str());
    let mut command = format!("carom run {}", quoted(&format!("source/{scene}")));
    for change in overrides {
        command.push_str(&format!(" --set {}", quoted(change)));
    }
    command
}

/// A word of a shell command.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/=+".contains(c);
    if word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn laws(scene: &Scene) -> LawsRecord {
    let pairs: Vec<PairLawRecord> = scene
        .model
        .pairs()
        .iter()
        .zip(&scene.pairs)
        .filter_map(|(pair, info)| {
            let law = law_record(info.law.as_ref()?);
            Some(PairLawRecord { pair: pair.name.clone(), law })
        })
        .collect();
    let mixed = (!pairs.is_empty()).then(|| MIXED.into());
    LawsRecord { scene: law_record(&scene.law), pairs, mixed }
}

fn law_record(law: &LawChoice) -> LawRecord {
    let law = LawWords::of(law);
    let mut record = LawRecord { formulation: law.formulation.into(), ..LawRecord::default() };
    let mut set = |key: &str, value: serde_json::Value| {
        record.options.insert(key.into(), value);
    };
    set("rule", law.rule.into());
    if let Some((key, word)) = law.which {
        set(key, word.into());
    }
    for (key, on) in law.flags {
        set(key, on.into());
    }
    for number in law.numbers {
        set(number.key, number.value.into());
    }
    for (method, ratio) in law.energy_control {
        set("energy_control", serde_json::json!({ "method": method, "ratio": ratio }));
    }
    record
}

fn surfaces(scene: &Scene) -> Vec<SurfaceRecord> {
    let pairs = scene.model.pairs().iter().zip(&scene.pairs);
    let record = pairs.map(|(pair, info)| SurfaceRecord {
        pair: pair.name.clone(),
        restitution: pair.surface.restitution,
        restitution_from: info.restitution.to_string(),
        friction: pair.surface.friction,
        static_friction: pair.surface.static_friction,
        friction_from: info.friction.to_string(),
    });
    record.collect()
}

/// The motors that controllers command.
fn actuators(scene: &Scene) -> Vec<ActuatorRecord> {
    if scene.controllers.is_empty() { Vec::new() } else { motors(scene) }
}

/// All motors of a scene.
pub fn motors(scene: &Scene) -> Vec<ActuatorRecord> {
    let model = &scene.model;
    let names = model.v_names();
    let shifts = |dof: usize| {
        let body = model.body_ids().find(|id| model.v_range(*id).contains(&dof));
        body.is_some_and(|id| matches!(model.body(id).joint.kind, JointKind::Prismatic { .. }))
    };
    let finite = |x: f64| x.is_finite().then_some(x);
    let record = scene.actuators.iter().map(|a| ActuatorRecord {
        name: a.name.clone(),
        joint: names[a.dof].clone(),
        lower: finite(a.lower),
        upper: finite(a.upper),
        unit: if shifts(a.dof) { "N".into() } else { "N·m".into() },
    });
    record.collect()
}

fn options(scene: &Scene) -> OptionsRecord {
    let options = scene.options.hybrid();
    let (method, step) = match options.method() {
        _ if matches!(options.scheme, Scheme::Moreau { .. }) => {
            ("moreau", Some(scene.options.solver.step))
        }
        Method::DormandPrince => ("dopri5", None),
        Method::Dop853 => ("dop853", None),
        Method::Rk4 { step } => ("rk4", Some(step)),
    };
    OptionsRecord {
        until: scene.options.solver.until,
        method: method.into(),
        rtol: step.is_none().then_some(options.rtol),
        atol: step.is_none().then_some(options.atol),
        step,
        max_step: Some(options.max_step).filter(|s| s.is_finite()),
        zeno: options.zeno(),
        output_interval: scene.options.output.interval,
        strict: options.strict,
        friction_events: options.projected_friction.then(|| "projected".into()),
        impact_duration: scene.options.output.impact_duration,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_is_an_override() {
        assert_eq!(law_override("newton"), "law={ formulation = \"newton\" }");
        assert_eq!(
            law_override("constraint,complementarity=true"),
            "law={ formulation = \"constraint\", complementarity = true }"
        );
        assert_eq!(
            law_override("dissipation,energy_control.method=attenuation,energy_control.ratio=0.5"),
            "law={ formulation = \"dissipation\", energy_control.method = \"attenuation\", \
             energy_control.ratio = 0.5 }"
        );
    }

    #[test]
    fn copies_keep_their_places() {
        assert_eq!(climbs(Path::new("robots/leg.urdf")), 0);
        assert_eq!(climbs(Path::new("../../a/leg.urdf")), 2);
        assert_eq!(settle(2, Path::new("../../a/leg.urdf")), "a/leg.urdf");
        assert_eq!(settle(2, Path::new("scene.toml")), "below/below/scene.toml");
        assert_eq!(settle(0, Path::new("robots/leg.urdf")), "robots/leg.urdf");
    }

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("a=1"), "a=1");
        assert_eq!(quoted("a b'c"), "'a b'\\''c'");
    }
}
