//! Mechanisms with loops, and their closed forms.

use carom::model::{Anchor, BodyId, Joint, Loop, LoopKind, Model, ModelBuilder};
use carom::spatial::{Inertia, Pose, rotation};
use carom::state::State;
use nalgebra::{Matrix3, Vector3};

/// Crank radius and rod length of the slider-crank, m.
pub const R: f64 = 0.1;
pub const L: f64 = 0.3;

/// A thin rod along x of the body frame, from its origin.
pub fn rod(mass: f64, length: f64) -> Inertia {
    let i = mass * length * length / 12.0;
    let about = Matrix3::from_diagonal(&Vector3::new(0.0, i, i));
    Inertia::new(mass, Vector3::new(length / 2.0, 0.0, 0.0), about).unwrap()
}

/// A frame at a point along x of a body.
pub fn at(body: Option<BodyId>, x: f64) -> Anchor {
    Anchor { body, placement: Pose::translation(Vector3::new(x, 0.0, 0.0)) }
}

pub fn turn(name: &str, x: f64) -> Joint {
    Joint::revolute(name, Vector3::z_axis(), Pose::translation(Vector3::new(x, 0.0, 0.0)))
}

/// Crank (1 kg), rod (0.5 kg), slider (0.5 kg) on the x axis, the wrist pin a loop.
pub fn slider_crank(gravity: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, -gravity, 0.0)).unwrap();
    let crank = builder.add_body("crank", None, turn("main", 0.0), rod(1.0, R)).unwrap();
    let conrod = builder.add_body("conrod", Some(crank), turn("crankpin", R), rod(0.5, L)).unwrap();
    let guide = Joint::prismatic("guide", Vector3::x_axis(), Pose::identity());
    let ball = Inertia::point(0.5, Vector3::zeros()).unwrap();
    let slider = builder.add_body("slider", None, guide, ball).unwrap();
    let kind = LoopKind::Point;
    let (a, b) = (at(Some(conrod), L), at(Some(slider), 0.0));
    builder.add_loop(Loop { name: "wristpin".into(), kind, a, b }).unwrap();
    builder.build().unwrap()
}

/// Rod angle in the world and slider position at a crank angle.
pub fn slider_of(theta: f64) -> (f64, f64) {
    let beta = -(R * theta.sin() / L).asin();
    (beta, R * theta.cos() + L * beta.cos())
}

/// The state of the slider-crank at a crank angle and rate, by closed forms.
pub fn slider_crank_state(theta: f64, rate: f64) -> State {
    let (beta, x) = slider_of(theta);
    let beta_rate = -R * theta.cos() * rate / (L * beta.cos());
    let x_rate = -R * theta.sin() * rate - L * beta.sin() * beta_rate;
    State {
        t: 0.0,
        q: vec![theta, beta - theta, x].into(),
        v: vec![rate, beta_rate - rate, x_rate].into(),
    }
}

/// Kinetic energy of the slider-crank per half squared crank rate: the inertia that the crank feels.
pub fn felt_inertia(theta: f64) -> f64 {
    let s = slider_crank_state(theta, 1.0);
    let (beta, _) = slider_of(theta);
    let beta_rate = s.v[0] + s.v[1];
    let center = Vector3::new(
        -R * theta.sin() - L / 2.0 * beta.sin() * beta_rate,
        R * theta.cos() + L / 2.0 * beta.cos() * beta_rate,
        0.0,
    );
    let conrod = 0.5 * (center.norm_squared() + L * L / 12.0 * beta_rate * beta_rate);
    R * R / 3.0 + conrod + 0.5 * s.v[2] * s.v[2]
}

/// A four-bar of links 0.2, 0.5, 0.4 m on a base of 0.45 m, its last pin closed by a loop of `kind`; everything
/// turned by `tilt`.
pub fn four_bar(kind: LoopKind, tilt: Vector3<f64>) -> Model {
    let mut builder = ModelBuilder::new();
    let R_W = rotation::exp(&tilt);
    builder.gravity(R_W * Vector3::new(0.0, -9.81, 0.0)).unwrap();
    let base = |name: &str, x: f64| {
        let r = R_W * Vector3::new(x, 0.0, 0.0);
        Joint::revolute(name, Vector3::z_axis(), Pose::new(R_W, r))
    };
    let crank = builder.add_body("crank", None, base("crank", 0.0), rod(0.3, 0.2)).unwrap();
    let coupler =
        builder.add_body("coupler", Some(crank), turn("pin", 0.2), rod(0.6, 0.5)).unwrap();
    let rocker = builder.add_body("rocker", None, base("rocker", 0.45), rod(0.5, 0.4)).unwrap();
    let (a, b) = (at(Some(coupler), 0.5), at(Some(rocker), 0.4));
    builder.add_loop(Loop { name: "top".into(), kind, a, b }).unwrap();
    builder.build().unwrap()
}

/// Angles of coupler (in the world) and rocker of the four-bar, open branch, by Freudenstein's closed form.
pub fn four_bar_of(theta: f64) -> (f64, f64) {
    let (a, b, c, d) = (0.2_f64, 0.5_f64, 0.4_f64, 0.45_f64);
    let (x, y) = (a * theta.cos() - d, a * theta.sin());
    // |B + b e(φ) − D|: rocker end relative to the rocker's pin lies on both circles.
    let s = x.hypot(y);
    let along = (c * c + s * s - b * b) / (2.0 * s);
    let across = (c * c - along * along).sqrt();
    let (ux, uy) = (x / s, y / s);
    let end = (ux * along + uy * across, uy * along - ux * across);
    let rocker = end.1.atan2(end.0);
    let coupler = (end.1 - y).atan2(end.0 - x);
    (coupler, rocker)
}
