//! The start: positions and velocities of free bodies, angles and rates of joints.

use carom::model::{BodyId, JointKind};
use carom::spatial::rotation::from_quaternion;
use carom_scene::{Scene, Space};
use nalgebra::{Matrix3, Vector3, Vector4};
use serde_json::Value;

use super::offer::AXES;
use super::parameter::{Grip, Parameter, around, key, list};

/// The start of everything that has one of its own.
pub fn starts(scene: &Scene, tree: &Value) -> Vec<Parameter> {
    let model = &scene.model;
    let mut all = Vec::new();
    for id in model.body_ids() {
        let body = model.body(id);
        match body.joint.kind {
            JointKind::Revolute { .. } | JointKind::Prismatic { .. } => {
                all.extend(joint(scene, tree, id));
            }
            JointKind::Planar | JointKind::Free if body.parent.is_none() => {
                all.extend(free(scene, tree, id));
            }
            _ => {}
        }
    }
    all
}

/// Angle and rate of a joint with one degree of freedom.
fn joint(scene: &Scene, tree: &Value, id: BodyId) -> Vec<Parameter> {
    let model = &scene.model;
    let joint = &model.body(id).joint;
    let (q, v) = (model.q_range(id).start, model.v_range(id).start);
    let led = model.couplings().iter().any(|c| c.follower == v);
    if led || scene.prescribed.iter().any(|p| p.dof == v) {
        return Vec::new();
    }
    let c = &joint.coordinates[0];
    let turns = matches!(joint.kind, JointKind::Revolute { .. });
    let (units, reaches) = if turns {
        (["rad", "rad/s"], [std::f64::consts::PI, 10.0])
    } else {
        (["m", "m/s"], [1.0, 5.0])
    };
    let place = Place { tree, body: &model.body(id).name, joint: &joint.name };
    let mut all = Vec::new();
    for (k, word) in ["angle", "rate"].into_iter().enumerate() {
        let (path, motor) = place.of_joint(word);
        let own = if k == 0 { scene.initial.q[q] } else { scene.initial.v[v] };
        let offset = if k == 0 { c.offset } else { 0.0 };
        let value = if motor { own } else { c.ratio * own + offset };
        let mut range = around(value, reaches[k]);
        if let (Some(limits), 0) = (c.limits, k) {
            let seen = |angle: f64| if motor { (angle - c.offset) / c.ratio } else { angle };
            let (a, b) = (seen(limits.lower), seen(limits.upper));
            range = [range[0].max(a.min(b)), range[1].min(a.max(b))];
        }
        let name = match (k, turns, motor) {
            (0, _, true) => "motor",
            (0, true, _) => "angle",
            (0, false, _) => "position",
            (_, _, true) => "motor rate",
            _ => "rate",
        };
        all.push(Parameter {
            path,
            label: format!("{}: {name}", joint.name),
            value,
            unit: units[k],
            range,
            group: "initial",
            seed: None,
            grip: (k == 0).then(|| Grip {
                body: model.body(id).name.clone(),
                way: "joint",
                gain: if motor { 1.0 / c.ratio } else { 1.0 },
            }),
        });
    }
    all
}

/// Where the start of a body or joint is stated.
struct Place<'a> {
    tree: &'a Value,
    body: &'a str,
    joint: &'a str,
}

impl Place<'_> {
    fn at<'b>(&'b self, keys: &[&str]) -> Option<&'b Value> {
        keys.iter().try_fold(self.tree, |value, key| value.get(key))
    }

    /// Path of the `angle` or `rate` of a joint, and whether it is the motor's.
    fn of_joint(&self, word: &str) -> (String, bool) {
        let (joint, own) = (self.joint, if word == "angle" { "initial" } else { "initial_rate" });
        let motor = if word == "angle" { "motor" } else { "motor_rate" };
        if self.at(&["initial", motor, joint]).is_some() {
            return (format!("initial.{motor}.{}", key(joint)), true);
        }
        let path = if self.at(&["initial", word, joint]).is_some() {
            format!("initial.{word}.{}", key(joint))
        } else if self.at(&["body", self.body, "joint"]).is_some() {
            format!("body.{}.joint.{own}", key(self.body))
        } else if self.at(&["joint", joint, "child"]).is_some() {
            format!("joint.{}.{own}", key(joint))
        } else {
            // A joint of a robot description.
            format!("initial.{word}.{}", key(joint))
        };
        (path, false)
    }

    /// Path of the table that states a quantity of a free body, or would; and what it states.
    fn of_body(&self, word: &str) -> Option<(String, Option<&Value>)> {
        if let Some(stated) = self.at(&["initial", "body", self.body, word]) {
            return Some((format!("initial.body.{}", key(self.body)), Some(stated)));
        }
        match self.at(&["body", self.body]) {
            // Its place is that of its joint.
            Some(table) if table.get("joint").is_some() => None,
            Some(table) if table.get("mass").or(table.get("density")).is_some() => {
                Some((format!("body.{}", key(self.body)), table.get(word)))
            }
            _ => self.of_robot(word),
        }
    }

    /// The root of a robot that floats: the description may state its place.
    fn of_robot(&self, word: &str) -> Option<(String, Option<&Value>)> {
        let robots = self.tree.get("urdf").and_then(Value::as_array);
        let mut stated =
            robots.into_iter().flatten().enumerate().filter(|(_, r)| r.get(word).is_some());
        match (stated.next(), stated.next()) {
            (Some((i, robot)), None) => Some((format!("urdf.{i}"), robot.get(word))),
            (None, _) => Some((format!("initial.body.{}", key(self.body)), None)),
            // Two robots with places of their own: which is whose is not known here.
            _ => None,
        }
    }
}

/// A quantity of a free body: its word, label, unit, reach and values.
struct Quantity {
    word: &'static str,
    label: &'static str,
    unit: &'static str,
    reach: f64,
    values: Vec<f64>,
}

/// Position, orientation and velocities of a free body.
fn free(scene: &Scene, tree: &Value, id: BodyId) -> Vec<Parameter> {
    let model = &scene.model;
    let body = model.body(id);
    let place = Place { tree, body: &body.name, joint: &body.joint.name };
    let mut all = Vec::new();
    for quantity in quantities(scene, id) {
        let Some((table, stated)) = place.of_body(quantity.word) else { continue };
        let path = format!("{table}.{}", quantity.word);
        if let [value] = quantity.values[..] {
            let grip = (quantity.word == "rotation").then_some("turn");
            all.push(component(&body.name, &quantity, (path, String::new(), value), (None, grip)));
            continue;
        }
        let numbers = |v: &Value| v.as_array().is_some_and(|l| l.iter().all(Value::is_number));
        let seed =
            (!stated.is_some_and(numbers)).then(|| format!("{path}={}", list(&quantity.values)));
        for (k, value) in quantity.values.iter().enumerate() {
            let at = (format!("{path}.{k}"), format!(" {}", AXES[k]), *value);
            let grip = (quantity.word == "position").then_some(AXES[k]);
            all.push(component(&body.name, &quantity, at, (seed.clone(), grip)));
        }
    }
    all
}

fn component(
    body: &str,
    quantity: &Quantity,
    (path, axis, value): (String, String, f64),
    (seed, way): (Option<String>, Option<&'static str>),
) -> Parameter {
    Parameter {
        path,
        label: format!("{body}: {}{axis}", quantity.label),
        value,
        unit: quantity.unit,
        range: around(value, quantity.reach),
        group: "initial",
        seed,
        grip: way.map(|way| Grip { body: body.into(), way, gain: 1.0 }),
    }
}

fn quantities(scene: &Scene, id: BodyId) -> Vec<Quantity> {
    let model = &scene.model;
    let q = &scene.initial.q.as_slice()[model.q_range(id)];
    let v = &scene.initial.v.as_slice()[model.v_range(id)];
    let planar = model.body(id).joint.kind == JointKind::Planar;
    let (position, velocity, turn, spin) = if planar {
        (q[..2].to_vec(), v[..2].to_vec(), vec![q[2]], vec![v[2]])
    } else {
        let turned = from_quaternion(&Vector4::from_column_slice(&q[3..7]));
        let w = turned * Vector3::from_column_slice(&v[3..6]);
        let spin: Vec<f64> = w.iter().map(|x| x + 0.0).collect();
        (q[..3].to_vec(), v[..3].to_vec(), roll_pitch_yaw(&turned).to_vec(), spin)
    };
    let pi = std::f64::consts::PI;
    let of = |word, label, unit, reach, values| Quantity { word, label, unit, reach, values };
    // A spatial scene writes three coordinates, also for a body that moves in the plane only.
    let whole = !planar || scene.space == Space::Planar;
    let mut all = Vec::new();
    if whole {
        all.push(of("position", "position", "m", 1.0, position));
        all.push(of("rotation", "rotation", "rad", pi, turn));
        all.push(of("velocity", "velocity", "m/s", 5.0, velocity));
        all.push(of("angular_velocity", "spin", "rad/s", 20.0, spin));
    }
    all
}

/// Roll, pitch and yaw of a rotation, R = Rz(yaw) Ry(pitch) Rx(roll).
fn roll_pitch_yaw(turned: &Matrix3<f64>) -> [f64; 3] {
    let pitch = (0.0 - turned[(2, 0)]).clamp(-1.0, 1.0).asin();
    if pitch.cos() > 1e-9 {
        return [turned[(2, 1)].atan2(turned[(2, 2)]), pitch, turned[(1, 0)].atan2(turned[(0, 0)])];
    }
    // Looking straight up or down: roll and yaw turn about one axis.
    [0.0, pitch, (0.0 - turned[(0, 1)]).atan2(turned[(1, 1)])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::spatial::rotation::from_rpy;

    #[test]
    fn turns_by_three_angles() {
        for [roll, pitch, yaw] in [
            [0.3, -0.4, 2.0],
            [0.0, 0.0, 0.0],
            [-3.0, 1.5, -1.0],
            [0.0, std::f64::consts::FRAC_PI_2, 0.7],
        ] {
            let turned = from_rpy(roll, pitch, yaw);
            let [a, b, c] = roll_pitch_yaw(&turned);
            assert!((from_rpy(a, b, c) - turned).norm() < 1e-7, "{roll} {pitch} {yaw}");
        }
    }
}
