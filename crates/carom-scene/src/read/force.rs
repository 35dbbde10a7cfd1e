//! Forces by expressions.

use crate::error::Flaw;
use crate::expression::Formula;
use crate::fault::Fault;
use crate::feedback::{Acting, SceneForce, formula};
use crate::read::view::View;
use crate::spec::control::FORCE;
use crate::suggest::nearest;
use crate::value::Node;
use carom::model::{JointKind, Model};
use nalgebra::Vector3;

/// All forces in the order of the file.
pub(crate) fn forces(scene: &View<'_>, model: &Model) -> Result<Vec<SceneForce>, Flaw> {
    let mut all = Vec::new();
    for (name, view) in scene.named("force", &FORCE) {
        let acting = acting(&view, model)?;
        let formulas = components(&view, model, &acting)?;
        all.push(SceneForce { name: name.into(), acting, formulas });
    }
    Ok(all)
}

fn acting(view: &View<'_>, model: &Model) -> Result<Acting, Flaw> {
    match (view.text("joint"), view.text("body")) {
        (Some(_), Some(_)) => {
            Err(view.conflict("joint", "body", "a force acts on a joint or on a body"))
        }
        (Some(name), None) => {
            let known = || model.bodies().iter().map(|b| b.joint.name.as_str());
            let body = model.body_behind(name);
            let body =
                body.ok_or_else(|| unknown(view, ("joint", name), nearest(name, known())))?;
            let kind = model.body(body).joint.kind;
            if !matches!(kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. }) {
                let because = format!("a {} joint has not one degree of freedom", kind.word());
                return Err(view.not_here("joint", because, "let the force act on the body"));
            }
            if let Some(key) = view.first_of(&["point"]) {
                return Err(view.not_here(key, "a joint has no point", "leave it out"));
            }
            Ok(Acting::Joint { dof: model.v_range(body).start })
        }
        (None, Some(name)) => {
            let known = || model.bodies().iter().map(|b| b.name.as_str());
            let body = model.body_named(name);
            let body = body.ok_or_else(|| unknown(view, ("body", name), nearest(name, known())))?;
            let point = view.vector("point").unwrap_or_else(Vector3::zeros);
            Ok(Acting::Body { body, point })
        }
        (None, None) => Err(view.missing("joint", "the name of a joint, or `body`")),
    }
}

fn unknown(view: &View<'_>, (key, name): (&'static str, &str), suggestion: Option<String>) -> Flaw {
    let (owner, what, name) = (view.owner.clone(), key, crate::source::shorten(name));
    Flaw::word(view.spot_of(key), Fault::UnknownName { owner, what, name, suggestion })
}

fn components(view: &View<'_>, model: &Model, acting: &Acting) -> Result<Vec<Formula>, Flaw> {
    let node = view.node("force").ok_or_else(|| view.missing("force", "numbers or expressions"))?;
    let wanted = match acting {
        Acting::Joint { .. } => 1,
        Acting::Body { .. } if view.planar => 2,
        Acting::Body { .. } => 3,
    };
    let list: Vec<&Node> = match node.list() {
        Some(list) => list.iter().collect(),
        None => vec![node],
    };
    if list.len() != wanted || (wanted > 1 && node.list().is_none()) {
        let (owner, key, found) = (view.owner.clone(), "force".to_string(), list.len());
        let expected = format!("{wanted} numbers or expressions");
        return Err(view.flaw("force", Fault::Length { owner, key, expected, found }));
    }
    let mut formulas = Vec::new();
    for node in list {
        formulas.push(component(view, model, node)?);
    }
    if wanted > 1 {
        formulas.resize(3, Formula::Number(0.0));
    }
    Ok(formulas)
}

fn component(view: &View<'_>, model: &Model, node: &Node) -> Result<Formula, Flaw> {
    let Some(text) = node.text() else {
        return Ok(Formula::Number(node.number().unwrap_or(0.0)));
    };
    let at = |fault: Fault| Flaw::value(node.spot, "force", "N·m or N", fault);
    let (owner, key) = (view.owner.clone(), "force".to_string());
    let found = formula(text, model).map_err(|source| {
        at(Fault::Expression { owner: owner.clone(), key: key.clone(), source })
    })?;
    match found.rough_part() {
        None => Ok(found),
        Some(part) => Err(at(Fault::NotHere {
            owner,
            key: part.into(),
            because: "forces are continuous between events".into(),
            instead: "use continuous functions: min, max, tanh",
        })),
    }
}
