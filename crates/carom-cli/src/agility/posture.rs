//! A posture as the arguments that start a scene in it.
//!
//! A start may be stated in several places of a scene (`initial.motor`, `initial.angle`, the joint, the
//! body, the robot), but only once. So each value goes to the first place that the scene accepts.

use carom::model::{JointKind, Model};
use carom_scene::Scene;

use crate::args::SceneArgs;

/// `--set` values that start the scene in the posture, on top of those it was read with.
pub fn overrides(args: &SceneArgs, model: &Model, q: &[f64]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for choices in parts(model, q) {
        // A half-set posture may penetrate, which is none of our business here.
        let accepted = |choice: &&String| {
            let mut trial = args.overrides.clone();
            trial.extend(all.iter().cloned());
            trial.extend([String::from("initial.penetration=1e9"), String::clone(choice)]);
            Scene::load_with(&args.file, &trial).is_ok()
        };
        let chosen = choices.iter().find(accepted).or(choices.first());
        all.extend(chosen.cloned());
    }
    all
}

/// For each number or vector of a posture, the places where it may be stated.
fn parts(model: &Model, q: &[f64]) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for id in model.body_ids() {
        let body = model.body(id);
        let at = &q[model.q_range(id)];
        let numbers =
            |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
        let (name, joint) = (key(&body.name), key(&body.joint.name));
        let placed = |what: &str, value: String| {
            vec![
                format!("initial.body.{name}.{what}={value}"),
                format!("body.{name}.{what}={value}"),
                format!("urdf.0.{what}={value}"),
            ]
        };
        match body.joint.kind {
            JointKind::Revolute { .. } | JointKind::Prismatic { .. } => {
                let c = &body.joint.coordinates[0];
                let angle = c.ratio * at[0] + c.offset;
                all.push(vec![
                    format!("initial.motor.{joint}={}", at[0]),
                    format!("initial.angle.{joint}={angle}"),
                    format!("joint.{joint}.initial={angle}"),
                    format!("body.{name}.joint.initial={angle}"),
                ]);
            }
            JointKind::Free => {
                all.push(placed("position", format!("[{}]", numbers(&at[..3]))));
                let turn = format!("{{ quaternion = [{}] }}", numbers(&at[3..]));
                all.push(placed("rotation", turn));
            }
            JointKind::Planar => {
                all.push(placed("position", format!("[{}]", numbers(&at[..2]))));
                all.push(placed("rotation", at[2].to_string()));
            }
            JointKind::Fixed | JointKind::Spherical => {}
        }
    }
    all
}

/// A key of TOML, quoted where it must be.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(bare) && !name.is_empty() { name.into() } else { format!("{name:?}") }
}

/// The arguments as a shell wants them.
pub fn command(args: &SceneArgs, model: &Model, q: &[f64]) -> String {
    let all = overrides(args, model, q);
    all.iter().map(|o| format!("--set '{o}'")).collect::<Vec<_>>().join(" \\\n    ")
}

/// Coordinates that differ from the start, by name.
pub fn changed(model: &Model, from: &[f64], to: &[f64]) -> Vec<(String, f64, f64)> {
    let rows = model.q_names().into_iter().zip(from.iter().zip(to));
    rows.filter(|(_, (a, b))| (*a - *b).abs() > 1e-12).map(|(n, (a, b))| (n, *a, *b)).collect()
}
