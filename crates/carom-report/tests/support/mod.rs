//! A ball over a plane, run into a folder of its own.
#![allow(dead_code)]

pub mod scenes;

use carom::hybrid::{Options, Output, Simulation};
use carom::impact::{Differential, Restitution};
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::record::Recording;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use carom_report::{Extras, Job, RunWriter, SceneRecord, SourceFile, Summary};
use nalgebra::{Matrix3, Vector3};
use std::path::Path;
use std::time::Duration;

/// A ball of radius 5 cm over the plane y = 0, with spin, so that friction works.
pub fn ball() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, -9.81, 0.0)).unwrap();
    let inertia = Inertia::new(0.1, Vector3::zeros(), Matrix3::identity() * 1e-4).unwrap();
    let joint = Joint::new("ball", JointKind::Planar, Pose::identity());
    let body = builder.add_body("ball", None, joint, inertia).unwrap();
    let at = |name: &str, body, shape| Feature {
        name: name.into(),
        body,
        placement: Pose::identity(),
        shape,
    };
    let sphere = builder.add_feature(at("sphere", Some(body), Shape::Sphere { radius: 0.05 }));
    let plane = Shape::HalfSpace { normal: Vector3::y_axis() };
    let ground = builder.add_feature(at("ground", None, plane)).unwrap();
    let surface = Surface { restitution: 0.5, static_friction: 0.3, friction: 0.3 };
    builder.add_pair("ball-ground", ground, sphere.unwrap(), surface).unwrap();
    builder.build().unwrap()
}

pub fn start(model: &Model) -> State {
    let mut state = State::neutral(model);
    state.q[1] = 1.05;
    state.v[0] = 0.4;
    state.v[2] = 3.0;
    state
}

pub fn simulation(model: &Model, output: Output) -> Simulation<'_> {
    let law = Differential { restitution: Restitution::Energetic };
    let options = Options { output, ..Options::default() };
    Simulation::new(model, start(model), law).options(options)
}

pub fn job() -> Job {
    Job {
        scene: SceneRecord { name: "ball.toml".into(), hash: "abc".into(), ..Default::default() },
        ..Job::default()
    }
}

/// The run in memory, for comparison.
pub fn recording(model: &Model, output: Output) -> Recording {
    simulation(model, output).run_until(2.0).unwrap().recording
}

/// The same run on disk.
pub fn write(dir: &Path, model: &Model, output: Output, extras: Extras) -> Summary {
    let source = [SourceFile { name: "ball.toml".into(), text: "# ball\n".into() }];
    let mut writer = RunWriter::create(dir, model, job(), &source, extras).unwrap();
    let result = simulation(model, output).run_with(2.0, &mut writer);
    writer.finish(&result, false, Duration::from_millis(5)).unwrap()
}
