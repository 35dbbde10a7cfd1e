//! A mug from a mesh: it comes to rest, at a height that its centre of mass has on its support.

use super::support::{G, load, run};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// At rest nothing is below the floor, three corners at least are on it, and the centre of mass is over them.
#[test]
fn a_mug_comes_to_rest() {
    let scene = load("mug.toml", &[]);
    let done = run(&scene);
    assert_eq!(done.state.v.amax(), 0.0);
    let q = &done.state.q;
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[3], q[4], q[5], q[6]));
    let place = |x: &Vector3<f64>| turn * x + Vector3::new(q[0], q[1], q[2]);
    let mut feet = Vec::new();
    let features = (0..scene.model.pairs().len()).map(|k| {
        let pair = &scene.model.pairs()[k];
        [pair.a, pair.b].map(|id| scene.model.feature(id))
    });
    for feature in features.flatten() {
        let carom::model::Shape::Convex { hull, .. } = &feature.shape else { continue };
        for x in hull.corners.iter().map(|x| place(&feature.placement.point(x))) {
            assert!(x.z > -1e-12, "{x}");
            if x.z < 1e-9 {
                feet.push(x);
            }
        }
    }
    assert!(feet.len() >= 3, "{feet:?}");
    let body = scene.model.body_ids().next().unwrap();
    let inertia = &scene.model.body(body).inertia;
    let com = place(&inertia.com);
    // Over its support: from the centre, no direction has all feet on its other side.
    for k in 0..360 {
        let (s, c) = f64::from(k).to_radians().sin_cos();
        let ahead = feet.iter().any(|x| c * (x.x - com.x) + s * (x.y - com.y) > 0.0);
        assert!(ahead, "all feet behind at {k}°");
    }
    let stored = inertia.mass * G * com.z;
    assert!((done.ledger.stored() - stored).abs() < 1e-12, "{} {stored}", done.ledger.stored());
}
