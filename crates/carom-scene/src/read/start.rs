//! The state at the start.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{At, BodyPart, MotionPart, Parts};
use crate::read::body::{merge_motion, motion_of, twice};
use crate::read::limits::{check_limits, joint_angle};
use crate::read::view::{View, angle_of};
use crate::spec::run::{INITIAL, MOTION};
use crate::suggest::nearest;
use crate::warning::{Caution, Cautions};
use carom::model::{BodyId, Coordinate, JointKind, Model};
use carom::spatial::rotation;
use carom::state::State;
use nalgebra::Vector3;
use std::collections::HashMap;

/// Whether a stated value is the joint's or the motor's.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Joint,
    Motor,
}

/// Angle and rate of one joint, and on which side of the transmission each is stated.
#[derive(Clone, Copy, Default)]
struct JointStart {
    angle: Option<(At<f64>, bool)>,
    rate: Option<(At<f64>, bool)>,
}

/// Which coordinates and velocities the scene states, one entry per degree of freedom.
pub(crate) struct Stated {
    pub coordinates: Vec<bool>,
    pub velocities: Vec<bool>,
}

impl Stated {
    fn of(parts: &Parts, ids: &[BodyId], model: &Model, starts: &[JointStart]) -> Self {
        let mut stated =
            Self { coordinates: vec![false; model.nv()], velocities: vec![false; model.nv()] };
        for (i, part) in parts.bodies.iter().enumerate() {
            let range = model.v_range(ids[i]);
            let m = &part.motion;
            // Shifts come before turns.
            let shifts = match part.joint.kind {
                JointKind::Planar => 2,
                JointKind::Free => 3,
                _ => 0,
            };
            for (k, j) in range.enumerate() {
                let (q, v) = match part.joint.is_single() {
                    true => (
                        starts[i].angle.is_some() || part.joint.prescribed.is_some(),
                        starts[i].rate.is_some() || part.joint.prescribed.is_some(),
                    ),
                    false if k < shifts => (m.position.is_some(), m.velocity.is_some()),
                    false => (m.rotation.is_some(), m.angular_velocity.is_some()),
                };
                (stated.coordinates[j], stated.velocities[j]) = (q, v);
            }
        }
        stated
    }

    /// A coordinate is stated: so are the motions that change it, of a quaternion all three.
    fn state_coordinate(&mut self, model: &Model, place: usize) {
        for id in model.body_ids().filter(|id| model.q_range(*id).contains(&place)) {
            let (q, v) = (model.q_range(id), model.v_range(id));
            let turns = match model.body(id).joint.kind {
                JointKind::Free => place - q.start >= 3,
                JointKind::Spherical => true,
                _ => false,
            };
            match turns {
                true => self.coordinates[v.end - 3..v.end].fill(true),
                false => self.coordinates[v.start + place - q.start] = true,
            }
        }
    }
}

/// The state at the start, of everything that the scene states, and what that is.
pub(crate) fn initial_state(
    scene: &View<'_>,
    parts: &mut Parts,
    (ids, model): (&[BodyId], &Model),
    cautions: &mut Cautions,
    close: impl FnOnce(&mut State, &Stated, &mut Cautions) -> Result<(), Flaw>,
) -> Result<State, Flaw> {
    let mut state = State::neutral(model);
    let mut starts: Vec<JointStart> = parts.bodies.iter().map(own_start).collect();
    if let Some(table) = scene.sub("initial", &INITIAL) {
        state.t = table.number_or("time", 0.0);
        stated_angles(&table, parts, &mut starts)?;
        stated_motions(&table, parts)?;
    }
    for (part, start) in parts.bodies.iter_mut().zip(&mut starts) {
        fill(part, start, cautions);
    }
    for (i, part) in parts.bodies.iter().enumerate() {
        let id = ids[i];
        if let Some(motion) = &part.joint.prescribed {
            check_unstated(part, &starts[i])?;
            let [angle, rate, acceleration] = motion.at(state.t);
            if let Some(value) = [angle, rate, acceleration].into_iter().find(|x| !x.is_finite()) {
                let fault = Fault::Range {
                    owner: format!("joint `{}`", part.joint.name),
                    key: "prescribed".into(),
                    value,
                    allowed: format!(
                        "a motion with a rate and an acceleration at t = {} s",
                        state.t
                    ),
                };
                return Err(Flaw::at(part.joint.spot, fault));
            }
            let c = model.body(id).joint.coordinates[0];
            state.q[model.q_range(id).start] = (angle - c.offset) / c.ratio;
            state.v[model.v_range(id).start] = rate / c.ratio;
        } else if part.joint.is_single() {
            set_joint(model, id, &starts[i], &mut state);
        } else {
            set_free(model, id, part, &mut state)?;
        }
    }
    follow(parts, ids, model, &starts, &mut state)?;
    let mut stated = Stated::of(parts, ids, model, &starts);
    if let Some(table) = scene.sub("initial", &INITIAL) {
        by_column(&table, model, &mut state, &mut stated)?;
    }
    let stated_at = state.q.clone();
    close(&mut state, &stated, cautions)?;
    let moved = |place: usize| state.q[place] != stated_at[place];
    let spot = |i: usize| starts[i].angle.map_or(parts.bodies[i].joint.spot, |(at, _)| at.spot);
    check_limits(parts, (ids, model), &state, (spot, moved))?;
    Ok(state)
}

/// Farthest that the length of a stated quaternion may be from one.
const UNIT: f64 = 1e-6;

/// `[initial]` coordinates and velocities, to the bit.
fn by_column(
    table: &View<'_>,
    model: &Model,
    state: &mut State,
    stated: &mut Stated,
) -> Result<(), Flaw> {
    let columns = [
        ("coordinates", "coordinate", model.q_names(), &mut state.q),
        ("velocities", "velocity", model.v_names(), &mut state.v),
    ];
    for (key, what, names, x) in columns {
        let Some(named) = table.node(key).and_then(|n| n.table()) else { continue };
        for entry in named.entries() {
            let Some(place) = names.iter().position(|name| *name == entry.key) else {
                let fault = Fault::UnknownName {
                    owner: format!("initial.{key}"),
                    what,
                    name: crate::source::shorten(&entry.key),
                    suggestion: nearest(&entry.key, names.iter().map(String::as_str)),
                };
                return Err(Flaw::word(entry.key_spot, fault));
            };
            x[place] = angle_of(&entry.node).unwrap_or(0.0);
            match what {
                "velocity" => stated.velocities[place] = true,
                _ => stated.state_coordinate(model, place),
            }
        }
    }
    let Some((name, length)) = crooked(model, state.q.as_slice()) else { return Ok(()) };
    let fault = Fault::Range {
        owner: "initial.coordinates".into(),
        key: format!("length of the quaternion of {name}"),
        value: length,
        allowed: "1, to within a millionth".into(),
    };
    Err(table.flaw("coordinates", fault))
}

/// The first joint whose quaternion has not length one.
fn crooked(model: &Model, q: &[f64]) -> Option<(String, f64)> {
    model.body_ids().find_map(|id| {
        let joint = &model.body(id).joint;
        let shifts = match joint.kind {
            JointKind::Free => 3,
            JointKind::Spherical => 0,
            _ => return None,
        };
        let turn = &q[model.q_range(id)][shifts..];
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        ((length - 1.0).abs() > UNIT).then(|| (joint.name.clone(), length))
    })
}

/// A joint with a prescribed motion has no start of its own.
fn check_unstated(part: &BodyPart, start: &JointStart) -> Result<(), Flaw> {
    let Some((at, _)) = start.angle.or(start.rate) else { return Ok(()) };
    let fault = Fault::NotHere {
        owner: format!("joint `{}`", part.joint.name),
        key: "initial".into(),
        because: "the motion of the joint is prescribed".into(),
        instead: "leave it out; the joint starts where the motion does",
    };
    Err(Flaw::at(at.spot, fault))
}

/// The start of the file of a robot holds where the scene states none.
fn fill(part: &mut BodyPart, start: &mut JointStart, cautions: &mut Cautions) {
    let (mut given, spot) = (part.given, part.joint.spot);
    if let (Some(value), Some(l), None) = (given.angle, part.joint.coordinate.limits, start.angle)
        && (value < l.lower || value > l.upper)
    {
        let (joint, moved) = (part.joint.name.clone(), value.clamp(l.lower, l.upper));
        cautions.push((Caution::MovedInside { joint, value, moved }, spot));
        given.angle = Some(moved);
    }
    if part.joint.prescribed.is_none() && part.joint.mimic.is_none() {
        let at = |value: f64| (At { value, spot }, false);
        start.angle = start.angle.or(given.angle.map(at));
        start.rate = start.rate.or(given.rate.map(at));
    }
    let own = &mut part.motion;
    own.position = own.position.or(given.motion.position);
    own.rotation = own.rotation.or(given.motion.rotation);
    own.velocity = own.velocity.or(given.motion.velocity);
    own.angular_velocity = own.angular_velocity.or(given.motion.angular_velocity);
}

fn own_start(part: &BodyPart) -> JointStart {
    JointStart {
        angle: part.joint.start.map(|at| (at, false)),
        rate: part.joint.start_rate.map(|at| (at, false)),
    }
}

/// `[initial]` angle, rate, motor, motor_rate.
fn stated_angles(table: &View<'_>, parts: &Parts, starts: &mut [JointStart]) -> Result<(), Flaw> {
    let joints: HashMap<&str, usize> =
        parts.bodies.iter().enumerate().map(|(i, b)| (b.joint.name.as_str(), i)).collect();
    for (key, side, is_rate) in [
        ("angle", Side::Joint, false),
        ("rate", Side::Joint, true),
        ("motor", Side::Motor, false),
        ("motor_rate", Side::Motor, true),
    ] {
        let Some(named) = table.node(key).and_then(|n| n.table()) else { continue };
        for entry in named.entries() {
            let Some(&i) = joints.get(entry.key.as_str()) else {
                let mut known: Vec<&str> = joints.keys().copied().collect();
                known.sort_unstable();
                let fault = Fault::UnknownName {
                    owner: format!("initial.{key}"),
                    what: "joint",
                    name: crate::source::shorten(&entry.key),
                    suggestion: nearest(&entry.key, known),
                };
                return Err(Flaw::word(entry.key_spot, fault));
            };
            let joint = &parts.bodies[i].joint;
            check_single(key, entry, joint)?;
            let value = angle_of(&entry.node).unwrap_or(0.0);
            let at = At { value, spot: entry.node.spot };
            let slot = if is_rate { &mut starts[i].rate } else { &mut starts[i].angle };
            if let Some((first, _)) = slot {
                return Err(twice(&joint.name, key, at.spot).also(first.spot));
            }
            *slot = Some((at, side == Side::Motor));
        }
    }
    Ok(())
}

fn check_single(
    key: &str,
    entry: &crate::value::Entry,
    joint: &crate::parts::JointPart,
) -> Result<(), Flaw> {
    let owner = format!("joint `{}`", joint.name);
    if !joint.is_single() {
        let fault = Fault::NotHere {
            owner,
            key: format!("initial.{key}"),
            because: format!("a {} joint has not one degree of freedom", joint.kind.word()),
            instead: "state the start of the body in [initial.body.NAME]",
        };
        return Err(Flaw::at(entry.key_spot, fault));
    }
    if !joint.turns() && entry.node.text().is_some() {
        let fault =
            Fault::Unreadably { owner, key: entry.key.clone(), expected: "a number in metres" };
        return Err(Flaw::value(entry.node.spot, &entry.key, "m", fault));
    }
    Ok(())
}

/// `[initial.body.NAME]`.
fn stated_motions(table: &View<'_>, parts: &mut Parts) -> Result<(), Flaw> {
    let numbers: HashMap<String, usize> =
        parts.bodies.iter().enumerate().map(|(i, b)| (b.name.clone(), i)).collect();
    for (name, view) in table.named("body", &MOTION) {
        let Some(&i) = numbers.get(name) else {
            let mut known: Vec<&str> = numbers.keys().map(String::as_str).collect();
            known.sort_unstable();
            let fault = Fault::UnknownName {
                owner: "initial.body".into(),
                what: "body",
                name: crate::source::shorten(name),
                suggestion: nearest(name, known),
            };
            return Err(Flaw::word(view.spot, fault));
        };
        let motion = motion_of(&view, &parts.bodies[i].joint)?;
        let part = &mut parts.bodies[i];
        merge_motion(&mut part.motion, motion, &part.name)?;
    }
    Ok(())
}

/// q and v of a joint with one degree of freedom: angle = ratio × q + offset.
fn set_joint(model: &Model, id: BodyId, start: &JointStart, state: &mut State) {
    let c = model.body(id).joint.coordinates[0];
    let (q, v) = (model.q_range(id).start, model.v_range(id).start);
    state.q[q] = match start.angle {
        Some((at, true)) => at.value,
        Some((at, false)) => (at.value - c.offset) / c.ratio,
        None => (default_angle(&c) - c.offset) / c.ratio,
    };
    state.v[v] = match start.rate {
        Some((at, true)) => at.value,
        Some((at, false)) => at.value / c.ratio,
        None => 0.0,
    };
}

/// The angle of a joint whose start is not stated: 0, or the limit nearest to it.
fn default_angle(c: &Coordinate) -> f64 {
    c.limits.map_or(0.0, |l| 0.0_f64.max(l.lower).min(l.upper))
}

/// q and v of a planar, spherical or free joint.
fn set_free(model: &Model, id: BodyId, part: &BodyPart, state: &mut State) -> Result<(), Flaw> {
    let m: &MotionPart = &part.motion;
    let (q, v) = (model.q_range(id).start, model.v_range(id).start);
    let r = m.position.map_or(Vector3::zeros(), |at| at.value);
    let rate = m.velocity.map_or(Vector3::zeros(), |at| at.value);
    let w = m.angular_velocity.map_or(Vector3::zeros(), |at| at.value);
    match part.joint.kind {
        JointKind::Planar => {
            check_in_plane(part)?;
            let angle = m.rotation.map_or(0.0, |at| {
                at.value.angle.unwrap_or_else(|| at.value.R[(1, 0)].atan2(at.value.R[(0, 0)]))
            });
            state.q.as_mut_slice()[q..q + 3].copy_from_slice(&[r.x, r.y, angle]);
            state.v.as_mut_slice()[v..v + 3].copy_from_slice(&[rate.x, rate.y, w.z]);
        }
        JointKind::Spherical | JointKind::Free => {
            let shifts = part.joint.kind.nv() - 3;
            if shifts == 3 {
                state.q.as_mut_slice()[q..q + 3].copy_from_slice(r.as_slice());
                state.v.as_mut_slice()[v..v + 3].copy_from_slice(rate.as_slice());
            }
            let mut w_B = w;
            if let Some(turn) = m.rotation {
                let Q = rotation::to_quaternion(&turn.value.R);
                state.q.as_mut_slice()[q + shifts..q + shifts + 4].copy_from_slice(Q.as_slice());
                // The model wants the angular velocity in the body frame.
                w_B = turn.value.R.tr_mul(&w);
            }
            let at = v + shifts;
            state.v.as_mut_slice()[at..at + 3].copy_from_slice(w_B.as_slice());
        }
        _ => {}
    }
    Ok(())
}

/// The start of a planar joint must lie in its plane.
fn check_in_plane(part: &BodyPart) -> Result<(), Flaw> {
    let m = &part.motion;
    let off = |v: Vector3<f64>| v.z != 0.0;
    let faults = [
        ("position", m.position.filter(|at| off(at.value)).map(|at| at.spot)),
        ("velocity", m.velocity.filter(|at| off(at.value)).map(|at| at.spot)),
        (
            "angular_velocity",
            m.angular_velocity
                .filter(|at| at.value.x != 0.0 || at.value.y != 0.0)
                .map(|at| at.spot),
        ),
        (
            "rotation",
            m.rotation.filter(|at| (at.value.R[(2, 2)] - 1.0).abs() > 1e-12).map(|at| at.spot),
        ),
    ];
    for (key, spot) in faults {
        if let Some(spot) = spot {
            let fault = Fault::NotHere {
                owner: format!("body `{}`", part.name),
                key: key.into(),
                because: "its planar joint moves along x and y and turns about z".into(),
                instead: "turn the joint frame, or use a free joint",
            };
            return Err(Flaw::value(spot, key, "", fault));
        }
    }
    Ok(())
}

/// Joints that mimic others start where these lead them.
fn follow(
    parts: &Parts,
    ids: &[BodyId],
    model: &Model,
    starts: &[JointStart],
    state: &mut State,
) -> Result<(), Flaw> {
    let part_of: HashMap<usize, usize> =
        ids.iter().enumerate().map(|(i, id)| (model.v_range(*id).start, i)).collect();
    // A follower may lead another one; as many rounds as there are ties settle every chain.
    for _ in 0..model.couplings().len().min(64) {
        for tie in model.couplings() {
            let (Some(&f), Some(&l)) = (part_of.get(&tie.follower), part_of.get(&tie.leader))
            else {
                continue;
            };
            let lead = joint_angle(model, ids[l], state);
            let c = model.body(ids[f]).joint.coordinates[0];
            let (q, v) = (model.q_range(ids[f]).start, model.v_range(ids[f]).start);
            let angle = tie.ratio * lead.0 + tie.offset;
            let rate = tie.ratio * lead.1;
            let own = joint_angle(model, ids[f], state);
            let scale = 1e-9 * angle.abs().max(1.0);
            if let Some((at, _)) = starts[f].angle.filter(|_| (own.0 - angle).abs() > scale) {
                let fault = Fault::NotFollowing {
                    joint: parts.bodies[f].joint.name.clone(),
                    leader: parts.bodies[l].joint.name.clone(),
                    value: own.0,
                    expected: angle,
                };
                return Err(Flaw::at(at.spot, fault));
            }
            state.q[q] = (angle - c.offset) / c.ratio;
            state.v[v] = rate / c.ratio;
        }
    }
    Ok(())
}
