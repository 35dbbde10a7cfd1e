//! Controllers.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::files::Files;
use crate::options::NamedController;
use crate::read::joint::read_prescribed;
use crate::read::torque_file::torque_table;
use crate::read::view::{View, angle_of};
use crate::source::{Sources, Spot};
use crate::spec::control::CONTROLLER;
use crate::spec::joint::PRESCRIBED;
use crate::suggest::nearest;
use carom::contact::sites;
use carom::control::{
    Actuator, AnyController, ComputedTorque, Interpolation, JointGoal, JointPd, Prescribed,
};
use carom::model::{JointKind, Model};
use carom::state::State;
use nalgebra::Vector3;

/// Keys that belong to one type of controller only.
const OWN: &[(&str, &[&str])] = &[
    ("computed_torque", &["body", "point", "goal", "feet"]),
    ("pd", &["angle", "motion", "torque"]),
    ("table", &["file", "interpolation"]),
];

/// What controllers are read against.
pub(crate) struct Plant<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub actuators: &'a [Actuator],
}

/// All controllers in the order of the file.
pub(crate) fn controllers(
    scene: &View<'_>,
    plant: &Plant<'_>,
    (sources, files): (&mut Sources, &mut Files),
) -> Result<Vec<NamedController>, Flaw> {
    let mut all = Vec::new();
    for (name, view) in scene.named("controller", &CONTROLLER) {
        let kind = view
            .text("type")
            .ok_or_else(|| view.missing("type", "\"computed_torque\", \"pd\" or \"table\""))?;
        check_keys(kind, &view)?;
        let law = match kind {
            "computed_torque" => AnyController::ComputedTorque(task(&view, plant)?),
            "pd" => AnyController::JointPd(joint_pd(&view, plant)?),
            _ => {
                let interpolation = match view.text("interpolation") {
                    Some("hold") => Interpolation::Hold,
                    _ => Interpolation::Linear,
                };
                let own = own_actuators(&view, plant)?;
                let table = torque_table(&view, (plant, &own), interpolation, (sources, files))?;
                AnyController::Table(table)
            }
        };
        all.push(NamedController { name: name.into(), law });
    }
    Ok(all)
}

/// No key of another type of controller.
fn check_keys(kind: &str, view: &View<'_>) -> Result<(), Flaw> {
    for (owner, keys) in OWN.iter().filter(|(owner, _)| *owner != kind) {
        if let Some(key) = view.first_of(keys) {
            let because = format!("it belongs to type = \"{owner}\", not \"{kind}\"");
            return Err(view.not_here(key, because, "leave it out, or change the type"));
        }
    }
    if kind == "table"
        && let Some(key) = view.first_of(&["stiffness", "damping"])
    {
        return Err(view.not_here(key, "a table has no gains", "leave it out"));
    }
    Ok(())
}

/// Indices of the actuators that are named; all without the key.
fn own_actuators(view: &View<'_>, plant: &Plant<'_>) -> Result<Vec<usize>, Flaw> {
    if plant.actuators.is_empty() {
        return Err(Flaw::at(view.spot, Fault::NoActuators { owner: view.owner.clone() }));
    }
    let Some(list) = view.node("actuators").and_then(|n| n.list()) else {
        return Ok((0..plant.actuators.len()).collect());
    };
    let mut own = Vec::new();
    for node in list {
        let index = find_actuator(view, plant, (node.text().unwrap_or_default(), node.spot))?;
        if own.contains(&index) {
            let name = plant.actuators[index].name.clone();
            return Err(Flaw::word(node.spot, Fault::Duplicate { what: "actuator", name }));
        }
        own.push(index);
    }
    Ok(own)
}

fn find_actuator(
    view: &View<'_>,
    plant: &Plant<'_>,
    (name, spot): (&str, Spot),
) -> Result<usize, Flaw> {
    let known = || plant.actuators.iter().map(|a| a.name.as_str());
    known()
        .position(|n| n == name)
        .ok_or_else(|| Flaw::word(spot, unknown(view, "actuator", name, nearest(name, known()))))
}

fn unknown(view: &View<'_>, what: &'static str, name: &str, suggestion: Option<String>) -> Fault {
    let (owner, name) = (view.owner.clone(), crate::source::shorten(name));
    Fault::UnknownName { owner, what, name, suggestion }
}

fn task(view: &View<'_>, plant: &Plant<'_>) -> Result<ComputedTorque, Flaw> {
    let model = plant.model;
    let name = view.text("body").ok_or_else(|| view.missing("body", "the name of a body"))?;
    let body = model.body_named(name).ok_or_else(|| {
        let known = model.bodies().iter().map(|b| b.name.as_str());
        let fault = unknown(view, "body", name, nearest(name, known));
        Flaw::word(view.spot_of("body"), fault)
    })?;
    Ok(ComputedTorque {
        actuators: own_actuators(view, plant)?,
        body,
        point: view.vector("point").unwrap_or_else(Vector3::zeros),
        goal: view.vector("goal").ok_or_else(|| view.missing("goal", "a position"))?,
        stiffness: gain(view)?,
        damping: view.number_or("damping", 0.0),
        feet: feet(view, model)?,
    })
}

fn gain(view: &View<'_>) -> Result<f64, Flaw> {
    view.number("stiffness").ok_or_else(|| view.missing("stiffness", "a number ≥ 0"))
}

/// Sites of the contacts that are named.
fn feet(view: &View<'_>, model: &Model) -> Result<Vec<usize>, Flaw> {
    let sites = sites(model);
    let mut feet = Vec::new();
    for node in view.node("feet").and_then(|n| n.list()).unwrap_or_default() {
        let name = node.text().unwrap_or_default();
        let pair = model.pairs().iter().position(|p| p.name == name).ok_or_else(|| {
            let known = model.pairs().iter().map(|p| p.name.as_str());
            let fault = unknown(view, "contact", name, nearest(name, known));
            Flaw::word(node.spot, fault)
        })?;
        let pair = Some(model.pair_id(pair));
        feet.extend(sites.iter().enumerate().filter(|(_, s)| s.pair == pair).map(|(i, _)| i));
    }
    Ok(feet)
}

fn joint_pd(view: &View<'_>, plant: &Plant<'_>) -> Result<JointPd, Flaw> {
    let own = own_actuators(view, plant)?;
    if !view.has("stiffness") {
        return Err(view.missing("stiffness", "a number ≥ 0, or numbers by motor"));
    }
    let stiffness = gains(view, plant, ("stiffness", &own))?;
    let damping = gains(view, plant, ("damping", &own))?;
    let torque = gains(view, plant, ("torque", &own))?;
    let mut goals: Vec<JointGoal> = own
        .iter()
        .enumerate()
        .map(|(k, &actuator)| {
            let dof = plant.actuators[actuator].dof;
            let c = &plant.model.coordinates()[dof];
            let place = plant.model.q_of_v()[dof].unwrap_or(0);
            let offset = c.ratio * plant.state.q[place] + c.offset;
            let reference = Prescribed { dof, offset, ..Prescribed::default() };
            let (stiffness, damping, constant) = (stiffness[k], damping[k], torque[k]);
            JointGoal { actuator, reference, stiffness, damping, constant }
        })
        .collect();
    for (actuator, reference) in references(view, plant)? {
        match goals.iter_mut().find(|g| g.actuator == actuator) {
            Some(goal) => goal.reference = reference,
            None => {
                let name = plant.actuators[actuator].name.clone();
                let fault = unknown(view, "actuator of its own", &name, None);
                return Err(Flaw::at(view.spot, fault));
            }
        }
    }
    Ok(JointPd { goals })
}

/// One number for each own motor: the same for all, or by name, 0 for those without.
fn gains(
    view: &View<'_>,
    plant: &Plant<'_>,
    (key, own): (&str, &[usize]),
) -> Result<Vec<f64>, Flaw> {
    let Some(table) = view.node(key).and_then(|n| n.table()) else {
        return Ok(vec![view.number_or(key, 0.0); own.len()]);
    };
    let mut all = vec![0.0; own.len()];
    for entry in table.entries() {
        let actuator = find_actuator(view, plant, (&entry.key, entry.key_spot))?;
        let Some(place) = own.iter().position(|&i| i == actuator) else {
            let fault = unknown(view, "actuator of its own", &entry.key, None);
            return Err(Flaw::word(entry.key_spot, fault));
        };
        all[place] = entry.node.number().unwrap_or(f64::NAN);
        if !(all[place] >= 0.0 || (key == "torque" && all[place].is_finite())) {
            let (owner, key) = (view.owner.clone(), format!("{key}.{}", entry.key));
            let allowed = "a number ≥ 0".to_string();
            let fault = Fault::Range { owner, key: key.clone(), value: all[place], allowed };
            return Err(Flaw::value(entry.node.spot, &key, "", fault));
        }
    }
    Ok(all)
}

/// Stated angles and motions by actuator.
fn references(view: &View<'_>, plant: &Plant<'_>) -> Result<Vec<(usize, Prescribed)>, Flaw> {
    let mut found: Vec<(usize, Prescribed)> = Vec::new();
    for entry in view.node("angle").and_then(|n| n.table()).map_or(&[][..], |t| t.entries()) {
        let actuator = find_actuator(view, plant, (&entry.key, entry.key_spot))?;
        let dof = plant.actuators[actuator].dof;
        if entry.node.text().is_some() && !turns(plant.model, dof) {
            let (owner, key) = (view.owner.clone(), entry.key.clone());
            let fault = Fault::Unreadably { owner, key, expected: "a number in metres" };
            return Err(Flaw::value(entry.node.spot, &entry.key, "m", fault));
        }
        let offset = angle_of(&entry.node).unwrap_or(0.0);
        found.push((actuator, Prescribed { dof, offset, ..Prescribed::default() }));
    }
    for (name, motion) in view.named("motion", &PRESCRIBED) {
        let actuator = find_actuator(view, plant, (name, motion.spot))?;
        if found.iter().any(|f| f.0 == actuator) {
            let (what, name) = ("reference", name.to_string());
            return Err(Flaw::word(motion.spot, Fault::Duplicate { what, name }));
        }
        let dof = plant.actuators[actuator].dof;
        let reference = read_prescribed(&motion, turns(plant.model, dof))?;
        found.push((actuator, Prescribed { dof, ..reference }));
    }
    Ok(found)
}

/// Whether a degree of freedom turns.
fn turns(model: &Model, dof: usize) -> bool {
    let body = model.body_ids().find(|id| model.v_range(*id).contains(&dof));
    body.is_none_or(|id| !matches!(model.body(id).joint.kind, JointKind::Prismatic { .. }))
}
