//! Keyframes: a start by name.

use super::actuator::motor_name;
use super::body::Seat;
use super::contact::unknown;
use super::item::Item;
use super::tag::{Attribute, Tag};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{At, BodyPart, MotorPart, Turn};
use carom::model::JointKind;
use carom::spatial::{Pose, rotation};
use nalgebra::{Matrix3, Vector3, Vector4};

/// Put the joints and controls of the keyframe of that name into the parts.
pub(crate) fn keyframe(
    model: &Tag,
    wanted: &Attribute,
    (place, prefix): (&Pose, &str),
    (seats, parts): (&[Seat], &mut [BodyPart]),
    motors: &mut [MotorPart],
) -> Result<(), Flaw> {
    let keys: Vec<&Tag> = model.all("keyframe").flat_map(|section| section.all("key")).collect();
    let Some(tag) = keys.iter().find(|key| key.text("name") == Some(wanted.value.as_str())) else {
        return Err(unknown(model, "keyframe", wanted, keys.iter().filter_map(|k| k.text("name"))));
    };
    let item = Item::plain(tag);
    let count = |size: fn(&JointKind) -> usize| -> usize {
        seats.iter().map(|s| size(&s.joint.part.kind)).sum()
    };
    let (nq, nv) = (count(JointKind::nq), count(JointKind::nv));
    let q = item.numbers("qpos", nq..=nq)?;
    let v = item.numbers("qvel", nv..=nv)?;
    let (mut iq, mut iv) = (0, 0);
    for seat in seats {
        let kind = &seat.joint.part.kind;
        let own_q = q.as_ref().map(|q| &q[iq..iq + kind.nq()]);
        let own_v = v.as_ref().map(|v| &v[iv..iv + kind.nv()]);
        set(&mut parts[seat.part], seat, (own_q, own_v), (place, &item))?;
        (iq, iv) = (iq + kind.nq(), iv + kind.nv());
    }
    if let Some(c) = item.numbers("ctrl", 0..=usize::MAX)? {
        // Motors that were left out have their controls too; theirs have no effect.
        let declared: usize = model.all("actuator").map(|section| section.children.len()).sum();
        if c.len() != declared {
            let (owner, key, found) = (tag.called(), "ctrl".to_string(), c.len());
            let expected = format!("{declared} numbers");
            let fault = Fault::Length { owner, key, expected, found };
            return Err(Flaw::value(item.spot_of("ctrl"), "ctrl", "", fault));
        }
        let tags = model.all("actuator").flat_map(|section| &section.children);
        for ((number, tag), value) in tags.enumerate().zip(c) {
            let name = motor_name(tag, number, prefix);
            motors.iter_mut().filter(|m| m.name == name).for_each(|m| m.value = value);
        }
    }
    Ok(())
}

fn set(
    part: &mut BodyPart,
    seat: &Seat,
    (q, v): (Option<&[f64]>, Option<&[f64]>),
    (place, item): (&Pose, &Item<'_>),
) -> Result<(), Flaw> {
    let spot = item.spot_of("qpos");
    let given = &mut part.given;
    if seat.joint.part.is_single() {
        given.angle = q.map(|q| q[0] - seat.joint.reference).or(given.angle);
        given.rate = v.map(|v| v[0]);
        return Ok(());
    }
    let shifts = seat.joint.part.kind.plain();
    if let Some(q) = q {
        let Q = Vector4::from_column_slice(&q[shifts..]);
        if Q.norm() == 0.0 {
            return Err(item.range("qpos", 0.0, "quaternions that are not zero"));
        }
        let R = rotation::from_quaternion(&Q.normalize());
        let free = shifts == 3;
        let R = if free { place.R * R } else { R };
        given.motion.rotation = Some(At { value: Turn { R, angle: None }, spot });
        if free {
            let value = place.point(&Vector3::from_column_slice(&q[..3]));
            given.motion.position = Some(At { value, spot });
        }
    }
    if let Some(v) = v {
        let R = given.motion.rotation.map_or_else(Matrix3::identity, |at| at.value.R);
        let value = R * Vector3::from_column_slice(&v[shifts..]);
        given.motion.angular_velocity = Some(At { value, spot });
        if shifts == 3 {
            let value = place.R * Vector3::from_column_slice(&v[..3]);
            given.motion.velocity = Some(At { value, spot });
        }
    }
    Ok(())
}
