//! Studies of runs and of random jumps.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::options::NamedController;
use crate::parts::Parts;
use crate::read::view::View;
use crate::spec::study::{STUDY, VARY};
use crate::study_choice::{RunsChoice, StudyChoice};
use crate::suggest::nearest;
use carom::contact::sites;
use carom::control::{AnyController, ComputedTorque};
use carom::model::{BodyId, Model};
use carom_agility::{JumpPoint, Varied};
use nalgebra::Vector3;

/// Jumps of a study that states no number.
const SAMPLES: u64 = 2000;

/// What belongs to the other sort of study.
const OF_RUNS: [&str; 6] = ["rows", "result", "keep", "time_limit", "step_limit", "part_rows"];
const OF_JUMPS: [&str; 3] = ["body", "point", "goal"];

/// The study of runs of a scene, if it declares one.
pub(crate) fn runs(scene: &View<'_>) -> Result<Option<RunsChoice>, Flaw> {
    let Some(view) = scene.sub("study", &STUDY).filter(|view| !view.has("foot")) else {
        return Ok(None);
    };
    if let Some(key) = view.first_of(&OF_JUMPS) {
        return Err(view.not_here(
            key,
            "it belongs to studies of jumps",
            "name a `foot`, or leave it out",
        ));
    }
    if let Some((name, range)) = view.named("vary", &VARY).first() {
        let fault = Fault::WrongType {
            owner: view.owner.clone(),
            key: format!("vary.{}", crate::source::shorten(name)),
            expected: "a text such as \"0:1:11\", unless a `foot` is named".into(),
            found: "a table",
        };
        return Err(Flaw::word(range.spot, fault));
    }
    let texts = |key: &str| {
        let entries = view.node(key).and_then(|n| n.table()).map_or(&[][..], |t| t.entries());
        let text = |e: &crate::value::Entry| Some((e.key.clone(), e.node.text()?.to_string()));
        entries.iter().filter_map(text).collect()
    };
    let count = |key: &str| view.number(key).map(|n| n as u64);
    Ok(Some(RunsChoice {
        samples: count("samples"),
        seed: count("seed"),
        vary: texts("vary"),
        rows: view.text("rows").map(str::to_string),
        results: texts("result"),
        keep: view.text("keep").map(str::to_string),
        time_limit: view.number("time_limit"),
        step_limit: count("step_limit"),
        part_rows: count("part_rows"),
    }))
}

/// The study of jumps of a scene, if it declares one.
pub(crate) fn study(
    scene: &View<'_>,
    (parts, ids): (&Parts, &[BodyId]),
    model: &Model,
    controllers: &[NamedController],
) -> Result<Option<StudyChoice>, Flaw> {
    let Some(view) = scene.sub("study", &STUDY).filter(|view| view.has("foot")) else {
        return Ok(None);
    };
    if let Some(key) = view.first_of(&OF_RUNS) {
        return Err(view.not_here(key, "it belongs to studies of runs", "leave it out, or `foot`"));
    }
    let task = controllers.iter().find_map(|c| match &c.law {
        AnyController::ComputedTorque(law) => Some(law),
        _ => None,
    });
    let (foot, feet) = foot(&view, model, task)?;
    let count = |key: &str, default: u64| view.number(key).map_or(default, |n| n as u64);
    Ok(Some(StudyChoice {
        samples: count("samples", SAMPLES),
        seed: count("seed", 1),
        foot,
        varied: varied(&view, parts, ids, model)?,
        point: JumpPoint {
            body: body(&view, model, task)?,
            point: view.vector("point").or(task.map(|t| t.point)).unwrap_or_else(Vector3::zeros),
            goal: view.vector("goal").or(task.map(|t| t.goal)),
            feet,
        },
    }))
}

/// The site that is put on the ground, and all feet: those of the controller, or this one.
fn foot(
    view: &View<'_>,
    model: &Model,
    task: Option<&ComputedTorque>,
) -> Result<(usize, Vec<usize>), Flaw> {
    let name = view.text("foot").ok_or_else(|| view.missing("foot", "the name of a contact"))?;
    let sites = sites(model);
    let site = sites.iter().position(|s| s.pair.is_some() && s.name == name).ok_or_else(|| {
        let known = sites.iter().map(|s| s.name.as_str());
        Flaw::word(view.spot_of("foot"), unknown(view, "contact", name, nearest(name, known)))
    })?;
    let feet = task.map(|t| t.feet.clone()).filter(|f| !f.is_empty());
    Ok((site, feet.unwrap_or_else(|| vec![site])))
}

fn unknown(view: &View<'_>, what: &'static str, name: &str, suggestion: Option<String>) -> Fault {
    let (owner, name) = (view.owner.clone(), crate::source::shorten(name));
    Fault::UnknownName { owner, what, name, suggestion }
}

fn body(view: &View<'_>, model: &Model, task: Option<&ComputedTorque>) -> Result<BodyId, Flaw> {
    let Some(name) = view.text("body") else {
        let missing = || view.missing("body", "the name of a body");
        return task.map(|t| t.body).ok_or_else(missing);
    };
    model.body_named(name).ok_or_else(|| {
        let known = model.bodies().iter().map(|b| b.name.as_str());
        Flaw::word(view.spot_of("body"), unknown(view, "body", name, nearest(name, known)))
    })
}

fn varied(
    view: &View<'_>,
    parts: &Parts,
    ids: &[BodyId],
    model: &Model,
) -> Result<Vec<Varied>, Flaw> {
    let mut all = Vec::new();
    let entries = view.node("vary").and_then(|n| n.table()).map_or(&[][..], |t| t.entries());
    if let Some(entry) = entries.iter().find(|e| e.node.text().is_some()) {
        let fault = Fault::WrongType {
            owner: view.owner.clone(),
            key: format!("vary.{}", crate::source::shorten(&entry.key)),
            expected: "a table with from and to, since a `foot` is named".into(),
            found: "a text",
        };
        return Err(Flaw::word(entry.key_spot, fault));
    }
    for (name, range) in view.named("vary", &VARY) {
        let place = parts.bodies.iter().position(|b| b.joint.name == name && b.joint.is_single());
        let Some(place) = place else {
            let joints = parts.bodies.iter().filter(|b| b.joint.is_single());
            let fault =
                unknown(view, "joint", name, nearest(name, joints.map(|b| b.joint.name.as_str())));
            return Err(Flaw::word(range.spot, fault));
        };
        let turns = parts.bodies[place].joint.turns();
        let end = |key: &'static str| {
            range.angle_or_length(key, turns)?.ok_or_else(|| range.missing(key, "a number"))
        };
        let (from, to) = (end("from")?, end("to")?);
        if to <= from {
            let (owner, key) = (range.owner.clone(), "to".to_string());
            let allowed = format!("more than from = {from}");
            return Err(range.flaw("to", Fault::Range { owner, key, value: to, allowed }));
        }
        all.push(Varied { name: name.into(), q: model.q_range(ids[place]).start, from, to });
    }
    if all.is_empty() {
        return Err(view
            .missing("vary", "at least one range, for example vary.knee = { from = -1, to = 1 }"));
    }
    Ok(all)
}
