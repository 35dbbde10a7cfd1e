//! A posture as the arguments that start a scene in it.

use carom::model::{JointKind, Model};

/// `--set` arguments: motor coordinates of joints, positions and rotations of free bodies.
pub fn overrides(model: &Model, q: &[f64]) -> Vec<String> {
    let mut all = Vec::new();
    for id in model.body_ids() {
        let body = model.body(id);
        let at = &q[model.q_range(id)];
        let numbers =
            |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
        match body.joint.kind {
            JointKind::Revolute { .. } | JointKind::Prismatic { .. } => {
                all.push(format!("initial.motor.{}={}", key(&body.joint.name), at[0]));
            }
            JointKind::Free => {
                let name = key(&body.name);
                all.push(format!("initial.body.{name}.position=[{}]", numbers(&at[..3])));
                all.push(format!(
                    "initial.body.{name}.rotation={{ quaternion = [{}] }}",
                    numbers(&at[3..])
                ));
            }
            JointKind::Planar => {
                let name = key(&body.name);
                all.push(format!("initial.body.{name}.position=[{}]", numbers(&at[..2])));
                all.push(format!("initial.body.{name}.rotation={}", at[2]));
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
pub fn command(model: &Model, q: &[f64]) -> String {
    let all = overrides(model, q);
    all.iter().map(|o| format!("--set '{o}'")).collect::<Vec<_>>().join(" \\\n    ")
}

/// Coordinates that differ from the start, by name.
pub fn changed(model: &Model, from: &[f64], to: &[f64]) -> Vec<(String, f64, f64)> {
    let rows = model.q_names().into_iter().zip(from.iter().zip(to));
    rows.filter(|(_, (a, b))| (*a - *b).abs() > 1e-12).map(|(n, (a, b))| (n, *a, *b)).collect()
}
