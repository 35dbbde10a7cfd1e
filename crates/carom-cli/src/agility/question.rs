//! From a scene and arguments to a stance.

use std::process::ExitCode;

use carom::contact::{Site, sites};
use carom::model::tree::WORLD;
use carom::model::{BodyId, JointKind, Model};
use carom_agility::capability::task::unit;
use carom_agility::{Evaluator, Hold, Stance, Task};
use carom_scene::{Scene, Space};
use nalgebra::Vector3;

use super::refusal::Refusal;
use crate::args::{HoldWord, QuestionArgs};
use crate::scene_file;

/// A contact nearer than this touches, m.
pub const TOUCHING: f64 = 1e-6;

/// Reads the scene, says what it cannot honour, and answers. A posture that is going to be settled on the ground may begin
/// below it.
pub fn ask(
    args: &QuestionArgs,
    settles: bool,
    answer: impl FnOnce(&Scene) -> Result<(), Refusal>,
) -> ExitCode {
    let mut overrides = args.scene.overrides.clone();
    if settles {
        overrides.push("initial.penetration=1e9".into());
    }
    let scene = match Scene::load_with(&args.scene.file, &overrides) {
        Ok(scene) => scene,
        Err(error) => return scene_file::fail(&error),
    };
    if !args.quiet {
        scene_file::warn(&scene);
    }
    match answer(&scene) {
        Ok(()) => ExitCode::SUCCESS,
        Err(refusal) => refusal.report(),
    }
}

/// The stance that is asked for.
pub fn stance<'m>(scene: &'m Scene, args: &QuestionArgs) -> Result<Stance<'m>, Refusal> {
    let model = &scene.model;
    if scene.actuators.is_empty() {
        return Err(no_motors(model));
    }
    let (body, point) = point(model, args.point.as_deref())?;
    let direction = direction(scene, args.direction.as_deref())?;
    let hold = match args.hold {
        HoldWord::Nothing => Hold::Nothing,
        HoldWord::Line => Hold::Line,
        HoldWord::Body => Hold::Body,
    };
    let task = Task { body, point, direction: unit(direction)?, hold };
    let bare = Stance::new(model, &scene.actuators, task).prescribed(&scene.prescribed);
    let contacts = contacts(scene, &bare, args.contacts.as_deref())?;
    Ok(bare.standing_on(contacts))
}

/// Joints that would be driven if their effort were not zero.
fn no_motors(model: &Model) -> Refusal {
    let idle = |b: &BodyId| {
        let joint = &model.body(*b).joint;
        let single = matches!(joint.kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. });
        single && joint.coordinates.iter().all(|c| c.effort == 0.0)
    };
    let names: Vec<String> =
        model.body_ids().filter(idle).map(|b| format!("`{}`", model.body(b).joint.name)).collect();
    let hint = "give joints a finite `effort` above 0, or declare [actuator.NAME] with a `limit`";
    if names.is_empty() {
        return Refusal::new("the mechanism has no motor: no joint states an effort", hint);
    }
    let first = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    Refusal::new(format!("the mechanism has no motor: the effort of {first} is 0"), hint)
}

/// A feature, or the centre of mass of a body.
fn point(model: &Model, name: Option<&str>) -> Result<(BodyId, Vector3<f64>), Refusal> {
    let moves = |b: BodyId| model.tree().seats[b.index()].link != WORLD;
    let Some(name) = name else {
        let first = model.body_ids().find(|&b| moves(b));
        let body = first.ok_or_else(|| Refusal::new("nothing moves", "give a body a joint"))?;
        return Ok((body, model.body(body).inertia.com));
    };
    if let Some(body) = model.body_named(name) {
        return Ok((body, model.body(body).inertia.com));
    }
    let feature = model.feature_named(name).map(|id| model.feature(id));
    if let Some(feature) = feature
        && let Some(body) = feature.body
    {
        return Ok((body, feature.placement.r));
    }
    let bodies = model.body_ids().filter(|&b| moves(b)).map(|b| model.body(b).name.clone());
    let features = model.features().iter().filter(|f| f.body.is_some_and(moves));
    let mut known: Vec<String> = bodies.chain(features.map(|f| f.name.clone())).collect();
    known.dedup();
    Err(Refusal::unknown("body or feature", name, &known))
}

fn direction(scene: &Scene, text: Option<&str>) -> Result<Vector3<f64>, Refusal> {
    let Some(text) = text else {
        let up = -scene.model.gravity();
        if up.norm() > 0.0 {
            return Ok(up);
        }
        let hint = "say where to with --direction X,Y,Z";
        return Err(Refusal::new("there is no gravity to accelerate against", hint));
    };
    let hint = "give numbers such as 0,0,1";
    let bad = || Refusal::new(format!("--direction {text} is no direction"), hint);
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let number = part.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        numbers.push(number.ok_or_else(bad)?);
    }
    match (numbers.as_slice(), scene.space) {
        ([x, y], Space::Planar) => Ok(Vector3::new(*x, *y, 0.0)),
        ([x, y, z], _) => Ok(Vector3::new(*x, *y, *z)),
        _ => Err(bad()),
    }
}

/// Sites by the names of pairs, features or bodies.
fn contacts(scene: &Scene, bare: &Stance<'_>, text: Option<&str>) -> Result<Vec<Site>, Refusal> {
    let model = &scene.model;
    let all: Vec<Site> = sites(model).into_iter().filter(|s| s.pair.is_some()).collect();
    match text {
        Some("all") => return Ok(all),
        Some("none") => return Ok(Vec::new()),
        None => {
            let (q, v) = (scene.initial.q.as_slice(), scene.initial.v.as_slice());
            let mut evaluator = Evaluator::new(bare);
            evaluator.place(scene.initial.t, q, v);
            // What overlaps is going to be settled, or the scene would have been refused.
            let touches = |s: &Site| evaluator.site_state(s, q, v).gap <= TOUCHING;
            return Ok(all.into_iter().filter(touches).collect());
        }
        Some(_) => {}
    }
    let mut chosen: Vec<Site> = Vec::new();
    for name in text.unwrap_or_default().split(',').map(str::trim) {
        let fits: Vec<&Site> = all.iter().filter(|s| answers(model, s, name)).collect();
        if fits.is_empty() {
            let mut known: Vec<String> = model.pairs().iter().map(|p| p.name.clone()).collect();
            known.sort();
            return Err(undeclared(model, name, &known));
        }
        for site in fits {
            if !chosen.iter().any(|s| s.name == site.name) {
                chosen.push(site.clone());
            }
        }
    }
    Ok(chosen)
}

/// Whether a site is meant by a name.
fn answers(model: &Model, site: &Site, name: &str) -> bool {
    let Some(pair) = site.pair.map(|p| model.pair(p)) else { return false };
    let side = |id| {
        let feature = model.feature(id);
        let body = feature.body.map(|b| model.body(b).name.as_str());
        feature.name == name || body == Some(name)
    };
    site.name == name || pair.name == name || side(pair.a) || side(pair.b)
}

/// A foot that the scene does not declare.
fn undeclared(model: &Model, name: &str, known: &[String]) -> Refusal {
    if known.is_empty() || model.body_named(name).is_some() || model.feature_named(name).is_some() {
        let message = format!("`{name}` is part of no contact of the scene");
        return Refusal::new(message, "declare it with [[contact]] between = [..., ...]");
    }
    Refusal::unknown("contact", name, known)
}

/// How a point is called.
pub fn point_name(stance: &Stance<'_>, args: &QuestionArgs) -> String {
    let body = &stance.model().body(stance.task().body).name;
    match &args.point {
        Some(name) if name != body => format!("`{name}`"),
        _ => format!("the centre of mass of `{body}`"),
    }
}

/// Degrees of freedom by the names of joints (all of a joint) or of coordinates.
pub fn coordinates(model: &Model, text: &str) -> Result<Vec<usize>, Refusal> {
    let mut chosen = Vec::new();
    let v_names = model.v_names();
    for name in text.split(',').map(str::trim) {
        let joint = model.body_behind(name).map(|b| model.v_range(b).collect::<Vec<_>>());
        let own = v_names.iter().position(|n| n == name);
        let plain = model
            .q_names()
            .iter()
            .position(|n| n == name)
            .and_then(|place| model.q_of_v().iter().position(|at| *at == Some(place)));
        match (joint, own.or(plain)) {
            (Some(dofs), _) if !dofs.is_empty() => chosen.extend(dofs),
            (_, Some(dof)) => chosen.push(dof),
            _ => {
                let joints = model.bodies().iter().filter(|b| b.joint.kind.nv() > 0);
                let known: Vec<String> = joints.map(|b| b.joint.name.clone()).collect();
                return Err(Refusal::unknown("joint", name, &known));
            }
        }
    }
    Ok(chosen)
}

/// Degrees of freedom that keep their values.
pub fn fixed(model: &Model, args: &QuestionArgs) -> Result<Vec<usize>, Refusal> {
    match (&args.fix, &args.vary) {
        (Some(fix), _) => coordinates(model, fix),
        (None, Some(vary)) => {
            let varied = coordinates(model, vary)?;
            Ok((0..model.nv()).filter(|dof| !varied.contains(dof)).collect())
        }
        (None, None) => Ok(Vec::new()),
    }
}
