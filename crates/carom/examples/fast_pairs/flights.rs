//! Two boxes or ellipsoids, the second perhaps a flat ellipse, without gravity on random fast flights: whether they overlap before the event that is found.

use carom::contact::polytope_gap;
use carom::dynamics::{Kinematics, kinematics};
use carom::hybrid::{Options, Output, Simulation};
use carom::impact::Newton;
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// A small generator, so that flights are the same every time.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        2.0 * (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }
}

/// What came of one flight.
pub struct Flight {
    /// Whether the bodies met.
    pub met: bool,
    /// Least gap before they met, or until the end, by sampling, m.
    pub least: f64,
}

fn model(random: &mut Random) -> Result<Model, carom::model::ModelError> {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::zeros())?;
    let mut features = Vec::new();
    for name in ["a", "b"] {
        // From plates of a millimetre to cubes.
        let half = random.vector().map(|x| 10f64.powf(-2.0 + 1.3 * x) * 0.5);
        let s = half.map(|h| h * h / 3.0);
        let moments = Vector3::new(s.y + s.z, s.x + s.z, s.x + s.y);
        let inertia = Inertia {
            mass: 1.0,
            com: Vector3::zeros(),
            about_com: Matrix3::from_diagonal(&moments),
        };
        let joint = Joint::new(format!("{name}.joint"), JointKind::Free, Pose::identity());
        let body = builder.add_body(name, None, joint, inertia)?;
        let shape = match random.next() {
            x if x < 0.3 => Shape::Ellipsoid { semi_axes: half.into() },
            x if x > 0.6 && name == "b" => Shape::Ellipse { semi_axes: [half.x, half.y] },
            _ => Shape::Box { half_extents: half.into() },
        };
        let placement = Pose::identity();
        features.push(builder.add_feature(Feature {
            name: name.into(),
            body: Some(body),
            placement,
            shape,
        })?);
    }
    let surface = Surface { restitution: 1.0, static_friction: 0.0, friction: 0.0 };
    builder.add_pair("pair", features[0], features[1], surface)?;
    builder.build()
}

/// One flight: the second body is sent at the first, with any spin.
pub fn fly(random: &mut Random, samples: usize) -> Result<Flight, Box<dyn std::error::Error>> {
    let model = model(random)?;
    let mut state = State::neutral(&model);
    let speed = 10f64.powf(1.5 + 2.0 * random.next());
    let away = random.vector().normalize();
    for k in 0..2 {
        let q = UnitQuaternion::new(random.vector() * 3.0);
        state.q.rows_mut(7 * k + 3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
        let spin = random.vector() * 0.3 * speed;
        state.v.rows_mut(6 * k + 3, 3).copy_from(&spin);
    }
    state.q.rows_mut(7, 3).copy_from(&(away * 1.0));
    let aim = random.vector() * 0.05 - away;
    state.v.rows_mut(6, 3).copy_from(&(aim * speed));
    let until = 2.0 / speed;
    let start = state.clone();
    let options =
        Options { output: Output::Interval(until / samples as f64), ..Options::default() };
    let run = Simulation::new(&model, start, Newton).options(options).run_until(until);
    let run = run.map_err(|e| e.0.to_string())?;
    let first = run.events().iter().find(|e| e.kind.is_jump()).map(|e| e.t);
    let mut kin = Kinematics::new(&model);
    let mut least = f64::INFINITY;
    for (k, &t) in run.recording.t.iter().enumerate() {
        if first.is_some_and(|first| t > first) {
            break;
        }
        kinematics(&model, &run.recording.q[k], &vec![0.0; model.nv()], &mut kin);
        let gap = polytope_gap(&model, &kin, &model.pairs()[0]).unwrap_or(f64::INFINITY);
        least = least.min(gap);
    }
    Ok(Flight { met: first.is_some(), least })
}
