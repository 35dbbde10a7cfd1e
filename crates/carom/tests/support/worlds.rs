//! Small mechanisms with known motions.

use carom::model::{
    BodyId, Feature, FeatureId, Joint, JointKind, Model, ModelBuilder, Shape, Surface,
};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Unit, Vector3};

pub const G: f64 = 9.81;

pub fn surface(restitution: f64, friction: f64) -> Surface {
    Surface { restitution, static_friction: friction, friction }
}

/// A builder that names things by itself.
pub struct World {
    pub builder: ModelBuilder,
    count: usize,
}

impl World {
    pub fn new() -> Self {
        Self { builder: ModelBuilder::new(), count: 0 }
    }

    fn name(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what}{}", self.count)
    }

    pub fn body(&mut self, kind: JointKind, inertia: Inertia) -> BodyId {
        let name = self.name("body");
        let joint = Joint::new(format!("{name}.joint"), kind, Pose::identity());
        self.builder.add_body(name, None, joint, inertia).unwrap()
    }

    pub fn shape(&mut self, body: Option<BodyId>, at: Vector3<f64>, shape: Shape) -> FeatureId {
        let name = self.name("shape");
        let placement = Pose::translation(at);
        self.builder.add_feature(Feature { name, body, placement, shape }).unwrap()
    }

    /// The half-plane under the line through the origin that falls by `slope` towards +x.
    pub fn incline(&mut self, slope: f64) -> FeatureId {
        let normal = Unit::new_normalize(Vector3::new(slope.sin(), slope.cos(), 0.0));
        self.shape(None, Vector3::zeros(), Shape::HalfSpace { normal })
    }

    pub fn touch(&mut self, a: FeatureId, b: FeatureId, surface: Surface) {
        let name = self.name("pair");
        self.builder.add_pair(name, a, b, surface).unwrap();
    }

    pub fn build(self) -> Model {
        self.builder.build().unwrap()
    }
}

pub fn planar_inertia(mass: f64, moment: f64) -> Inertia {
    let diagonal = Vector3::new(0.6 * moment, 0.6 * moment, moment);
    Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&diagonal)).unwrap()
}

/// A square block of side 0.2 m resting on an incline.
pub fn block_on_incline(slope: f64, friction: f64) -> (Model, State) {
    let mut world = World::new();
    let block = world.body(JointKind::Planar, planar_inertia(1.0, 1.0 * 0.04 * 2.0 / 12.0));
    let corners =
        world.shape(Some(block), Vector3::zeros(), Shape::Box { half_extents: [0.1, 0.1, 0.1] });
    let plane = world.incline(slope);
    world.touch(plane, corners, surface(0.0, friction));
    let model = world.build();
    let mut state = State::neutral(&model);
    state.q[0] = 0.1 * slope.sin();
    state.q[1] = 0.1 * slope.cos();
    state.q[2] = -slope;
    (model, state)
}

/// A disk of radius 0.5 m and moment k m r², resting on an incline.
pub fn disk_on_incline(slope: f64, friction: f64, k: f64) -> (Model, State) {
    let mut world = World::new();
    let disk = world.body(JointKind::Planar, planar_inertia(2.0, k * 2.0 * 0.25));
    let rim = world.shape(Some(disk), Vector3::zeros(), Shape::Disk { radius: 0.5 });
    let plane = world.incline(slope);
    world.touch(plane, rim, surface(0.0, friction));
    let model = world.build();
    let mut state = State::neutral(&model);
    state.q[0] = 0.5 * slope.sin();
    state.q[1] = 0.5 * slope.cos();
    (model, state)
}

/// The double pendulum of the dissertation over its floor (ANCHORS of the project: two bars 1 m,
/// 4.04 kg, 0.05 m wide, pivot 1.5 m above the floor, both horizontal and at rest).
pub fn double_pendulum(restitution: f64, friction: f64) -> (Model, State) {
    let (length, mass, width) = (1.0, 4.04, 0.05);
    let moment = mass * (length * length + width * width) / 12.0;
    let bar = Inertia::new(
        mass,
        Vector3::new(length / 2.0, 0.0, 0.0),
        Matrix3::from_diagonal(&Vector3::new(0.2 * moment, moment, moment)),
    )
    .unwrap();
    let mut world = World::new();
    let z = Vector3::z_axis();
    let upper = Joint::revolute("q1", z, Pose::translation(Vector3::new(0.0, 1.5, 0.0)));
    let upper = world.builder.add_body("upper", None, upper, bar).unwrap();
    let knee = Joint::revolute("q2", z, Pose::translation(Vector3::new(length, 0.0, 0.0)));
    let lower = world.builder.add_body("lower", Some(upper), knee, bar).unwrap();
    let tip = world.shape(Some(lower), Vector3::new(length, 0.0, 0.0), Shape::Point);
    let floor = world.incline(0.0);
    world.touch(floor, tip, surface(restitution, friction));
    let model = world.build();
    let state = State::neutral(&model);
    (model, state)
}

/// Balls in a row along x, all touching, the first one coming in at 1 m/s.
pub fn cradle(balls: usize, restitution: f64) -> (Model, State) {
    let mut world = World::new();
    world.builder.gravity(Vector3::zeros()).unwrap();
    let mut shapes = Vec::new();
    for _ in 0..balls {
        let slide = JointKind::Prismatic { axis: Vector3::x_axis() };
        let ball = world.body(slide, planar_inertia(1.0, 0.004));
        shapes.push(world.shape(Some(ball), Vector3::zeros(), Shape::Sphere { radius: 0.1 }));
    }
    for pair in shapes.windows(2) {
        world.touch(pair[0], pair[1], surface(restitution, 0.0));
    }
    let model = world.build();
    let mut state = State::neutral(&model);
    for i in 0..balls {
        state.q[i] = 0.2 * i as f64 - if i == 0 { 0.5 } else { 0.0 };
    }
    state.v[0] = 1.0;
    (model, state)
}
