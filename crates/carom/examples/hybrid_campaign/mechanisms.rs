//! Random mechanisms of every kind, with random starts.

use super::cases::Kind;
use super::crowds;
use super::random::Random;
use carom::dynamics::integrate;
use carom::model::{
    BodyId, Coordinate, Feature, FeatureId, Joint, JointKind, Limits, Model, ModelBuilder, Shape,
    Spring, Surface,
};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Unit, Vector3};
use std::f64::consts::TAU;

/// Draws a start; it may penetrate.
pub type Draw = Box<dyn Fn(&mut Random, &Model) -> State>;

/// A mechanism of a kind.
pub fn mechanism(kind: Kind, random: &mut Random) -> Option<(Model, Draw)> {
    let mut parts = Parts::new(random)?;
    let draw = add(kind, random, &mut parts)?;
    Some((parts.builder.build().ok()?, draw))
}

/// Adds a mechanism of a kind to a scene; returns how it starts.
pub fn add(kind: Kind, random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    match kind {
        Kind::Planar => planar(random, parts),
        Kind::Box => block(random, parts),
        Kind::Round => round(random, parts),
        Kind::Chain => chain(random, parts, false),
        Kind::SpatialChain => chain(random, parts, true),
        Kind::Balls => balls(random, parts),
        Kind::Rattle => rattle(random, parts),
        Kind::Several => crowds::several(random, parts),
        Kind::Legged => crowds::legged(random, parts),
        Kind::Struck => crowds::struck(random, parts),
    }
}

/// A builder that names things by itself.
pub struct Parts {
    pub builder: ModelBuilder,
    count: usize,
}

impl Parts {
    pub fn new(random: &mut Random) -> Option<Self> {
        let mut builder = ModelBuilder::new();
        let g = match random.below(12) {
            0 => 0.0,
            1 => 1.62,
            _ => 9.81,
        };
        builder.gravity(Vector3::new(0.0, -g, 0.0)).ok()?;
        Some(Self { builder, count: 0 })
    }

    fn name(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what}{}", self.count)
    }

    pub fn body(&mut self, kind: JointKind, inertia: Inertia) -> Option<BodyId> {
        self.link(None, kind, Pose::identity(), None, inertia)
    }

    pub fn link(
        &mut self,
        parent: Option<BodyId>,
        kind: JointKind,
        at: Pose,
        coordinates: Option<Vec<Coordinate>>,
        inertia: Inertia,
    ) -> Option<BodyId> {
        let name = self.name("body");
        let joint = Joint::new(format!("{name}.joint"), kind, at);
        let joint = match coordinates {
            Some(coordinates) => joint.with_coordinates(coordinates),
            None => joint,
        };
        self.builder.add_body(name, parent, joint, inertia).ok()
    }

    pub fn shape(
        &mut self,
        body: Option<BodyId>,
        at: Vector3<f64>,
        shape: Shape,
    ) -> Option<FeatureId> {
        let name = self.name("shape");
        let placement = Pose::translation(at);
        self.builder.add_feature(Feature { name, body, placement, shape }).ok()
    }

    /// A plane through a point.
    pub fn plane(&mut self, at: Vector3<f64>, normal: Vector3<f64>) -> Option<FeatureId> {
        self.shape(None, at, Shape::HalfSpace { normal: Unit::new_normalize(normal) })
    }

    pub fn touch(&mut self, a: FeatureId, b: FeatureId, surface: Surface) -> Option<()> {
        let name = self.name("pair");
        self.builder.add_pair(name, a, b, surface).ok().map(|_| ())
    }
}

/// A direction within `most` of vertical.
pub fn tilted(random: &mut Random, most: f64, spatial: bool) -> Vector3<f64> {
    let z = if spatial { random.within(-most, most) } else { 0.0 };
    Vector3::new(random.within(-most, most), 1.0, z)
}

/// A single body `height` above the plane, any attitude, any velocity.
fn thrown(reach: f64, normal: Vector3<f64>, spatial: bool, speed: f64, spin: f64) -> Draw {
    Box::new(move |random, model| {
        let height = reach * random.within(0.6, 3.0);
        let mut state = State::neutral(model);
        let r = normal.normalize() * height;
        if spatial {
            let turn = if random.chance(0.2) { Vector3::zeros() } else { random.vector(3.0) };
            let step = [r.x, r.y, r.z, turn.x, turn.y, turn.z];
            let q = state.q.clone();
            integrate::step(model, q.as_slice(), &step, state.q.as_mut_slice());
        } else {
            (state.q[0], state.q[1]) = (r.x, r.y);
            state.q[2] = if random.chance(0.2) { 0.0 } else { random.within(-3.0, 3.0) };
        }
        let shifts = if spatial { 3 } else { 2 };
        for (i, v) in state.v.iter_mut().enumerate() {
            *v = random.within(-1.0, 1.0) * if i < shifts { speed } else { spin };
        }
        state
    })
}

fn sizes(random: &mut Random) -> (f64, f64, f64, f64) {
    let (mass, size) = (random.log(0.05, 10.0), random.log(0.03, 1.0));
    let speed = if random.chance(0.2) { 0.0 } else { random.within(0.0, 3.0) };
    let spin = if random.chance(0.2) { 0.0 } else { random.log(0.5, 30.0) };
    (mass, size, speed, spin)
}

fn planar(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let (mass, size, speed, spin) = sizes(random);
    let moment = mass * size * size * random.within(0.1, 0.6);
    let inertia = planar_inertia(mass, moment)?;
    let body = parts.body(JointKind::Planar, inertia)?;
    let normal = tilted(random, 0.6, false);
    let plane = parts.plane(Vector3::zeros(), normal)?;
    let surface = random.surface();
    if random.chance(0.7) {
        let corners = 1 + random.below(6);
        for k in 0..corners {
            let angle = (k as f64 + random.within(0.0, 0.9)) * TAU / corners as f64;
            let r = size * random.within(0.5, 1.0);
            let at = Vector3::new(r * angle.cos(), r * angle.sin(), 0.0);
            let point = parts.shape(Some(body), at, Shape::Point)?;
            parts.touch(plane, point, surface)?;
        }
    } else {
        let semi_axes = [size, size * random.within(0.2, 1.0)];
        let ellipse = parts.shape(Some(body), Vector3::zeros(), Shape::Ellipse { semi_axes })?;
        parts.touch(plane, ellipse, surface)?;
    }
    Some(thrown(size, normal, false, speed, spin))
}

fn planar_inertia(mass: f64, moment: f64) -> Option<Inertia> {
    let diagonal = Vector3::new(0.6 * moment, 0.6 * moment, moment);
    Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&diagonal)).ok()
}

fn block(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let (mass, size, speed, spin) = sizes(random);
    let half = [size, size * random.within(0.2, 1.0), size * random.within(0.2, 1.0)];
    let body = parts.body(JointKind::Free, random.brick(mass, half.map(|h| 2.0 * h))?)?;
    let normal = tilted(random, 0.5, true);
    let plane = parts.plane(Vector3::zeros(), normal)?;
    let shape = parts.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents: half })?;
    parts.touch(plane, shape, random.surface())?;
    Some(thrown(1.8 * size, normal, true, speed, spin))
}

fn round(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let (mass, size, speed, spin) = sizes(random);
    let ratio = [random.within(0.2, 1.0), random.within(0.2, 1.0)];
    let (shape, sides) = match random.below(4) {
        0 => (Shape::Sphere { radius: size }, [1.5 * size; 3]),
        1 => {
            let semi_axes = [size, ratio[0] * size, ratio[1] * size];
            (Shape::Ellipsoid { semi_axes }, semi_axes.map(|a| 1.5 * a))
        }
        2 => (Shape::Disk { radius: size }, [1.5 * size, 1.5 * size, 0.1 * size]),
        _ => {
            let radius = 0.5 * ratio[0] * size;
            let half_length = size - radius;
            (Shape::Capsule { radius, half_length }, [2.0 * size, 1.5 * radius, 1.5 * radius])
        }
    };
    let body = parts.body(JointKind::Free, random.brick(mass, sides)?)?;
    let normal = tilted(random, 0.5, true);
    let plane = parts.plane(Vector3::zeros(), normal)?;
    let shape = parts.shape(Some(body), Vector3::zeros(), shape)?;
    parts.touch(plane, shape, random.surface())?;
    Some(thrown(1.1 * size, normal, true, speed, spin))
}

/// Limits, a spring, a damper, a rotor, a transmission, each or none.
pub fn loaded(random: &mut Random) -> Coordinate {
    let mut c = Coordinate::default();
    if random.chance(0.5) {
        let (lower, upper) = (random.within(-2.5, -0.1), random.within(0.1, 2.5));
        c.limits = Some(Limits { lower, upper, restitution: random.restitution() });
    }
    if random.chance(0.4) {
        let stiffness = random.log(0.5, 100.0);
        c.spring = Some(Spring { stiffness, rest: random.within(-1.0, 1.0) });
    }
    if random.chance(0.4) {
        c.damping = random.log(0.001, 1.0);
    }
    if random.chance(0.2) {
        c.rotor_inertia = random.log(0.001, 0.1);
    }
    if random.chance(0.2) {
        c.ratio = random.within(0.3, 2.0) * if random.chance(0.5) { -1.0 } else { 1.0 };
    }
    c
}

fn chain(random: &mut Random, parts: &mut Parts, spatial: bool) -> Option<Draw> {
    let links = 1 + random.below(4);
    let lengths: Vec<f64> = (0..links).map(|_| random.within(0.2, 0.6)).collect();
    let reach: f64 = lengths.iter().sum();
    let height = reach * random.within(0.3, 1.1);
    let floor = parts.plane(Vector3::zeros(), tilted(random, 0.2, spatial))?;
    let surface = random.surface();
    let mut parent: Option<(BodyId, f64)> = None;
    for &length in &lengths {
        let at = parent.map_or(Vector3::new(0.0, height, 0.0), |(_, l)| Vector3::new(l, 0.0, 0.0));
        let axis = if spatial { random.axis() } else { Vector3::z_axis() };
        let kind = match (parent.is_none(), random.below(6)) {
            (true, 0) if spatial => JointKind::Free,
            (true, 0) => JointKind::Planar,
            (_, 1) if spatial => JointKind::Spherical,
            (_, 2) if spatial => JointKind::Prismatic { axis },
            (_, 2) => JointKind::Prismatic { axis: Vector3::x_axis() },
            _ => JointKind::Revolute { axis },
        };
        let coordinates = (kind.nv() == 1).then(|| vec![loaded(random)]);
        let mass = random.log(0.1, 5.0);
        let bar = random.brick(mass, [length, 0.05, 0.08])?;
        let inertia = bar.in_frame(&Pose::translation(Vector3::new(0.5 * length, 0.0, 0.0)));
        let id = parent.map(|p| p.0);
        let body = parts.link(id, kind, Pose::translation(at), coordinates, inertia)?;
        let radius = random.within(0.01, 0.08);
        let tip = match random.below(3) {
            0 => Shape::Sphere { radius },
            _ => Shape::Point,
        };
        let tip = parts.shape(Some(body), Vector3::new(length, 0.0, 0.0), tip)?;
        parts.touch(floor, tip, surface)?;
        parent = Some((body, length));
    }
    let (turn, speed) = (random.within(0.1, 2.5), random.within(0.0, 4.0));
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        let step: Vec<f64> = (0..model.nv()).map(|_| random.within(-turn, turn)).collect();
        let q = state.q.clone();
        integrate::step(model, q.as_slice(), &step, state.q.as_mut_slice());
        state.v.iter_mut().for_each(|v| *v = random.within(-speed, speed));
        state
    }))
}

fn balls(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let spatial = random.chance(0.5);
    let kind = if spatial { JointKind::Free } else { JointKind::Planar };
    let count = 2 + random.below(4);
    let tower = random.chance(0.3);
    let mut planes = vec![parts.plane(Vector3::zeros(), tilted(random, 0.2, spatial))?];
    if random.chance(0.3) {
        planes.push(parts.plane(Vector3::new(-1.0, 0.0, 0.0), Vector3::new(1.0, 0.3, 0.0))?);
        planes.push(parts.plane(Vector3::new(1.0, 0.0, 0.0), Vector3::new(-1.0, 0.3, 0.0))?);
    }
    let same = random.chance(0.5);
    let mut radii: Vec<f64> = Vec::new();
    let mut shapes = Vec::new();
    for k in 0..count {
        let radius = if same && k > 0 { radii[0] } else { random.within(0.05, 0.2) };
        let mass = if same { 1.0 } else { random.log(0.05, 5.0) };
        let moment = 0.4 * mass * radius * radius;
        let solid = Matrix3::identity() * moment;
        let body = parts.body(kind, Inertia::new(mass, Vector3::zeros(), solid).ok()?)?;
        let ball = parts.shape(Some(body), Vector3::zeros(), Shape::Sphere { radius })?;
        for &plane in &planes {
            let surface = random.surface();
            parts.touch(plane, ball, surface)?;
        }
        for &other in &shapes {
            let surface = random.surface();
            parts.touch(other, ball, surface)?;
        }
        shapes.push(ball);
        radii.push(radius);
    }
    let step = kind.nq();
    let speed = if tower { 0.0 } else { random.within(0.0, 3.0) };
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        let mut height = 0.5;
        for (k, radius) in radii.iter().enumerate() {
            let q = &mut state.q.as_mut_slice()[k * step..];
            if tower {
                // One upon the other, touching.
                height += radius;
                q[1] = height;
                height += radius;
            } else {
                q[0] = random.within(-0.6, 0.6);
                q[1] = random.within(0.2, 1.5);
                if spatial {
                    q[2] = random.within(-0.3, 0.3);
                }
            }
        }
        state.v.iter_mut().for_each(|v| *v = random.within(-1.0, 1.0) * speed);
        state
    }))
}

fn rattle(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    match random.below(4) {
        0 => slot(random, parts),
        1 => stops(random, parts),
        2 => rocking(random, parts),
        _ => groove(random, parts),
    }
}

/// A planar block between a floor and a ceiling that are little further apart than it is high.
fn slot(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let (mass, size, speed, spin) = sizes(random);
    let half = [size, size * random.within(0.2, 1.0), size];
    let body = parts.body(JointKind::Planar, random.brick(mass, half.map(|h| 2.0 * h))?)?;
    let clearance = size * random.log(1e-4, 0.3);
    let surface = random.surface();
    let shape = parts.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents: half })?;
    let floor = parts.plane(Vector3::zeros(), Vector3::y())?;
    let ceiling = parts.plane(Vector3::new(0.0, 2.0 * half[1] + clearance, 0.0), -Vector3::y())?;
    parts.touch(floor, shape, surface)?;
    parts.touch(ceiling, shape, surface)?;
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        state.q[1] = half[1] + clearance * random.within(0.1, 0.9);
        state.q[2] = 0.3 * clearance / size * random.within(-1.0, 1.0);
        let scale = [speed, speed, 0.1 * spin];
        for (v, s) in state.v.iter_mut().zip(scale) {
            *v = s * random.within(-1.0, 1.0);
        }
        state
    }))
}

/// Sliders one upon the other, each with a spring and narrow limits.
fn stops(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let count = 1 + random.below(3);
    let clearance = random.log(1e-3, 0.3);
    let mut parent = None;
    for _ in 0..count {
        let limits = Limits {
            lower: -clearance,
            upper: clearance * random.within(0.5, 1.5),
            restitution: random.restitution(),
        };
        let spring = Spring { stiffness: random.log(1.0, 1000.0), rest: random.within(-0.2, 0.2) };
        let damping = if random.chance(0.5) { 0.0 } else { random.log(0.01, 1.0) };
        let c = Coordinate {
            limits: Some(limits),
            spring: random.chance(0.7).then_some(spring),
            damping,
            ..Coordinate::default()
        };
        let axis = if random.chance(0.5) { Vector3::y_axis() } else { Vector3::x_axis() };
        let mass = random.log(0.1, 5.0);
        let brick = random.brick(mass, [0.1; 3])?;
        let kind = JointKind::Prismatic { axis };
        parent = Some(parts.link(parent, kind, Pose::identity(), Some(vec![c]), brick)?);
    }
    let speed = random.within(0.0, 5.0);
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        state.q.iter_mut().for_each(|q| *q = clearance * random.within(-0.4, 0.4));
        state.v.iter_mut().for_each(|v| *v = random.within(-speed, speed));
        state
    }))
}

/// A slender planar block that rocks from corner to corner.
fn rocking(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let (mass, size) = (random.log(0.1, 10.0), random.within(0.1, 1.0));
    let half = [size * random.within(0.05, 0.5), size, size];
    let body = parts.body(JointKind::Planar, random.brick(mass, half.map(|h| 2.0 * h))?)?;
    let shape = parts.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents: half })?;
    let floor = parts.plane(Vector3::zeros(), tilted(random, 0.02, false))?;
    parts.touch(floor, shape, random.surface())?;
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        let angle: f64 = random.within(-0.3, 0.3);
        state.q[1] = half[1] * angle.cos() + half[0] * angle.sin().abs() + 0.02 * half[1];
        state.q[2] = angle;
        state
    }))
}

/// A ball, or two, in a groove.
fn groove(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let spatial = random.chance(0.5);
    let kind = if spatial { JointKind::Free } else { JointKind::Planar };
    let steep = random.log(0.1, 3.0);
    let walls = [
        parts.plane(Vector3::zeros(), Vector3::new(steep, 1.0, 0.0))?,
        parts.plane(Vector3::zeros(), Vector3::new(-steep, 1.0, 0.0))?,
    ];
    let count = 1 + random.below(2);
    let radius = random.within(0.05, 0.2);
    let mut last = None;
    for _ in 0..count {
        let mass = random.log(0.05, 5.0);
        let solid = Matrix3::identity() * (0.4 * mass * radius * radius);
        let body = parts.body(kind, Inertia::new(mass, Vector3::zeros(), solid).ok()?)?;
        let ball = parts.shape(Some(body), Vector3::zeros(), Shape::Sphere { radius })?;
        let surface = random.surface();
        for wall in walls {
            parts.touch(wall, ball, surface)?;
        }
        if let Some(other) = last {
            parts.touch(other, ball, random.surface())?;
        }
        last = Some(ball);
    }
    let (step, speed) = (kind.nq(), random.within(0.0, 2.0));
    let symmetric = random.chance(0.3);
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        for k in 0..count {
            let q = &mut state.q.as_mut_slice()[k * step..];
            q[0] = if symmetric { 0.0 } else { random.within(-0.3, 0.3) };
            q[1] = radius * (1.0 + steep) + random.within(0.0, 1.5);
        }
        if !symmetric {
            state.v.iter_mut().for_each(|v| *v = random.within(-1.0, 1.0) * speed);
        }
        state
    }))
}
