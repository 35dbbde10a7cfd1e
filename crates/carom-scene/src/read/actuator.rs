//! Motors: those that a scene declares, and those that the efforts of joints imply.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::read::motor::motors;
use crate::read::view::View;
use crate::spec::control::ACTUATOR;
use crate::suggest::nearest;
use carom::control::Actuator;
use carom::model::{BodyId, Model};
use std::collections::{HashMap, HashSet};

/// All actuators: declared ones in the order of the file, those of robot files whose names are free,
/// then one for each joint with a finite effort > 0 that none of them drives.
pub(crate) fn actuators(
    scene: &View<'_>,
    parts: &Parts,
    ids: &[BodyId],
    model: &Model,
) -> Result<Vec<Actuator>, Flaw> {
    let mut all = Vec::new();
    // Looked up by name and degree of freedom: robots may have thousands of joints.
    let mut names: HashSet<String> = HashSet::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, body) in parts.bodies.iter().enumerate() {
        places.entry(&body.joint.name).or_insert(place);
    }
    for (name, view) in scene.named("actuator", &ACTUATOR) {
        all.push(actuator(name, &view, (parts, &places), ids, model)?);
        names.insert(name.into());
    }
    for motor in motors(parts, ids, model) {
        if names.insert(motor.name.clone()) {
            all.push(motor);
        }
    }
    let driven: HashSet<usize> = all.iter().map(|a| a.dof).collect();
    for (part, id) in parts.bodies.iter().zip(ids) {
        let joint = &part.joint;
        let effort = joint.coordinate.effort;
        let dof = model.v_range(*id).start;
        let led = joint.mimic.is_some() || joint.prescribed.is_some();
        let drives = joint.is_single() && !led && effort > 0.0 && effort.is_finite();
        if drives && !driven.contains(&dof) && names.insert(joint.name.clone()) {
            all.push(Actuator::symmetric(&joint.name, dof, effort));
        }
    }
    Ok(all)
}

fn actuator(
    name: &str,
    view: &View<'_>,
    (parts, places): (&Parts, &HashMap<&str, usize>),
    ids: &[BodyId],
    model: &Model,
) -> Result<Actuator, Flaw> {
    let wanted = view.text("joint").unwrap_or(name);
    let Some(&place) = places.get(wanted) else {
        let fault = Fault::UnknownName {
            owner: view.owner.clone(),
            what: "joint",
            name: crate::source::shorten(wanted),
            suggestion: nearest(wanted, parts.bodies.iter().map(|b| b.joint.name.as_str())),
        };
        return Err(Flaw::word(view.spot_of("joint"), fault));
    };
    let joint = &parts.bodies[place].joint;
    if !joint.is_single() {
        let (actuator, joint, kind) = (name.into(), joint.name.clone(), joint.kind.word());
        let fault = Fault::NoDrive { actuator, joint, kind };
        return Err(Flaw::word(view.spot_of("joint"), fault));
    }
    if joint.prescribed.is_some() {
        let (actuator, joint) = (name.into(), joint.name.clone());
        let fault = Fault::NoDrive { actuator, joint, kind: "prescribed" };
        return Err(Flaw::word(view.spot_of("joint"), fault));
    }
    let (lower, upper) = limits(view, joint.coordinate.effort)?;
    Ok(Actuator { name: name.into(), dof: model.v_range(ids[place]).start, lower, upper })
}

/// The limits that are stated, or those of the joint.
fn limits(view: &View<'_>, effort: f64) -> Result<(f64, f64), Flaw> {
    if view.has("limit") && view.has("limits") {
        return Err(view.conflict("limit", "limits", "`limits` are those either way already"));
    }
    if let Some(ends) = view.numbers("limits") {
        let (lower, upper) = (ends[0], ends[1]);
        if lower <= 0.0 && upper >= 0.0 && upper > lower {
            return Ok((lower, upper));
        }
        let allowed = "a lower end ≤ 0 and an upper end ≥ 0 that differ".to_string();
        let value = if lower > 0.0 { lower } else { upper };
        let fault =
            Fault::Range { owner: view.owner.clone(), key: "limits".into(), value, allowed };
        return Err(view.flaw("limits", fault));
    }
    let limit = view.number("limit").unwrap_or(effort);
    if limit > 0.0 {
        return Ok((-limit, limit));
    }
    let allowed = "a number > 0: a motor without force drives nothing".to_string();
    let fault =
        Fault::Range { owner: view.owner.clone(), key: "limit".into(), value: limit, allowed };
    Err(view.flaw("limit", fault))
}
