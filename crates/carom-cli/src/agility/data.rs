//! Answers as JSON and CSV.

use std::path::Path;

use carom_agility::{Capability, CapabilityProblem, Limit, MapPoint, Stance};
use nalgebra::{DMatrix, DVector};
use serde_json::{Map, Value, json};

use super::output;
use super::refusal::Refusal;

/// What stops an acceleration, in words.
pub fn limit_text(stance: &Stance<'_>, limit: Limit) -> String {
    let names = stance.names();
    match limit {
        Limit::TorqueUpper(i) => format!("upper torque of {}", names.motor(i)),
        Limit::TorqueLower(i) => format!("lower torque of {}", names.motor(i)),
        Limit::Slip(i) => format!("slip of {}", names.contact(i)),
        Limit::LiftOff(i) => format!("lift-off of {}", names.contact(i)),
    }
}

/// Rows of λ of each contact: tangents, then the normal.
pub fn contact_forces(stance: &Stance<'_>, at: &Capability) -> Vec<(String, Vec<f64>, f64)> {
    let mut first = 0;
    let mut all = Vec::new();
    for site in stance.contacts() {
        let tangents = at.force.rows(first, site.tangents).iter().copied().collect();
        all.push((site.name.clone(), tangents, at.force[first + site.tangents]));
        first += site.tangents + 1;
    }
    all
}

/// One capability.
pub fn capability_json(stance: &Stance<'_>, at: &Capability) -> Value {
    let motors: Map<String, Value> = stance
        .actuators()
        .iter()
        .zip(&at.torque)
        .map(|(motor, torque)| (motor.name.clone(), json!(torque)))
        .collect();
    let contacts: Vec<Value> = contact_forces(stance, at)
        .into_iter()
        .map(|(name, t, n)| json!({ "name": name, "tangent": t, "normal": n }))
        .collect();
    let active: Vec<Value> = at
        .active
        .iter()
        .map(|a| json!({ "limit": limit_text(stance, a.limit), "worth": a.worth }))
        .collect();
    json!({
        "acceleration": at.acceleration,
        "gap": at.gap,
        "violation": at.violation,
        "torque": motors,
        "contacts": contacts,
        "active": active,
        "vdot": at.vdot.as_slice(),
    })
}

/// What was asked.
pub fn question_json(stance: &Stance<'_>, point: &str) -> Value {
    let task = stance.task();
    let feet: Vec<&str> = stance.contacts().iter().map(|s| s.name.as_str()).collect();
    json!({
        "point": point,
        "direction": task.direction.as_slice(),
        "hold": task.hold.word(),
        "contacts": feet,
    })
}

/// The question in matrices, rows outermost.
pub fn problem_json(problem: &CapabilityProblem) -> Value {
    let rows = |m: &DMatrix<f64>| -> Value {
        m.row_iter().map(|r| r.iter().copied().collect::<Vec<f64>>()).collect()
    };
    let cones: Vec<Value> = problem
        .cones
        .iter()
        .map(|c| json!({ "first": c.first, "tangents": c.tangents, "friction": c.friction }))
        .collect();
    json!({
        "mass_matrix": rows(&problem.mass_matrix),
        "bias": problem.bias.as_slice(),
        "actuation": rows(&problem.actuation),
        "torque_lower": problem.torque_lower.as_slice(),
        "torque_upper": problem.torque_upper.as_slice(),
        "contact_rows": rows(&problem.contact_rows),
        "contact_bias": problem.contact_bias.as_slice(),
        "cones": cones,
        "task_row": problem.task_row.as_slice(),
        "task_bias": problem.task_bias,
        "held_rows": rows(&problem.held.matrix),
        "held_bound": problem.held.bound.as_slice(),
    })
}

/// Coordinates by name.
pub fn posture_json(names: &[String], q: &[f64]) -> Value {
    Value::Object(names.iter().cloned().zip(q.iter().map(|x| json!(x))).collect())
}

/// A gradient by the names of the degrees of freedom.
pub fn gradient_json(names: &[String], gradient: &DVector<f64>) -> Value {
    posture_json(names, gradient.as_slice())
}

/// Write a table.
pub fn write_csv(path: &Path, head: &[&str], rows: &[Vec<String>]) -> Result<(), Refusal> {
    let mut text = head.join(",") + "\n";
    for row in rows {
        text.push_str(&row.join(","));
        text.push('\n');
    }
    output::write(path, text)
}

/// Write a value.
pub fn write_json(path: &Path, value: &Value) -> Result<(), Refusal> {
    output::write(path, format!("{value:#}\n"))
}

/// The rows of a map; holes are empty.
pub fn map_rows(stance: &Stance<'_>, map: &[MapPoint]) -> Vec<Vec<String>> {
    let row = |p: &MapPoint| {
        let mut cells = vec![p.at[0].to_string(), p.at[1].to_string()];
        match &p.result {
            Ok((_, found)) => {
                let first = found.active.first().map(|a| limit_text(stance, a.limit));
                cells.push(found.acceleration.to_string());
                cells.push(first.unwrap_or_default());
            }
            Err(_) => cells.extend([String::new(), String::new()]),
        }
        cells
    };
    map.iter().map(row).collect()
}
