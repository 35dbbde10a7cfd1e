//! A tower of boxes over a floor.

use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Unit, Vector3};

/// Half extents of a box: width, depth, height, m.
const HALF: [f64; 3] = [0.1, 0.1, 0.05];
const FRICTION: f64 = 0.5;

/// A tower of boxes, each `gap` above the one below it.
pub fn tower(
    planar: bool,
    count: usize,
    gap: f64,
    restitution: f64,
) -> Result<(Model, State), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let up = if planar { Vector3::y() } else { Vector3::z() };
    builder.gravity(-9.81 * up)?;
    let half = if planar { [HALF[0], HALF[2], HALF[1]] } else { HALF };
    let s = half.map(|h| h * h / 3.0);
    let moments = Vector3::new(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
    let inertia = Inertia::new(1.0, Vector3::zeros(), Matrix3::from_diagonal(&moments))?;
    let surface = Surface { restitution, static_friction: FRICTION, friction: FRICTION };
    let floor = Shape::HalfSpace { normal: Unit::new_normalize(up) };
    let at = Pose::identity();
    let floor = Feature { name: "floor".into(), body: None, placement: at, shape: floor };
    let mut below = builder.add_feature(floor)?;
    for k in 0..count {
        let kind = if planar { JointKind::Planar } else { JointKind::Free };
        let joint = Joint::new(format!("b{k}.joint"), kind, Pose::identity());
        let body = Some(builder.add_body(format!("b{k}"), None, joint, inertia)?);
        let shape = Shape::Box { half_extents: half };
        let feature = Feature { name: format!("b{k}"), body, placement: at, shape };
        let feature = builder.add_feature(feature)?;
        builder.add_pair(format!("c{k}"), below, feature, surface)?;
        below = feature;
    }
    let model = builder.build()?;
    let mut state = State::neutral(&model);
    let beside = |k: usize, m: usize| 0.01 * ((k * m % 5) as f64 - 2.0);
    for k in 0..count {
        let height = HALF[2] * (2 * k + 1) as f64 + gap * (k + 1) as f64;
        let (place, per) = if planar { (up * height, 3) } else { (up * height, 7) };
        let place = place + Vector3::x() * beside(k, 7);
        let place = if planar { place } else { place + Vector3::y() * beside(k, 3) };
        let coordinates = if planar { 2 } else { 3 };
        for i in 0..coordinates {
            state.q[per * k + i] = place[i];
        }
    }
    Ok((model, state))
}
