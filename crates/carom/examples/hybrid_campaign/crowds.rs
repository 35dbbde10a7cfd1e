//! Scenes of several mechanisms, and mechanisms with many contacts.

use super::cases::Kind;
use super::mechanisms::{Draw, Parts, add, loaded, tilted};
use super::random::Random;
use carom::dynamics::integrate;
use carom::model::{BodyId, Coordinate, FeatureId, JointKind, Limits, Model, Shape, Surface};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Vector3};

/// Two or three mechanisms, which share nothing but gravity and the law.
pub fn several(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let mut alone: Vec<(Model, Draw)> = Vec::new();
    for _ in 0..2 + random.below(2) {
        let (kind, seed) = (Kind::ALL[random.below(Kind::SINGLE)], random.bits());
        let _in_the_scene = add(kind, &mut Random::new(seed), parts)?;
        // The same once more by itself, so that its start can be drawn.
        let mut own = Parts::new(&mut Random::new(0))?;
        let draw = add(kind, &mut Random::new(seed), &mut own)?;
        alone.push((own.builder.build().ok()?, draw));
    }
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        let (mut q, mut v) = (0, 0);
        for (model, draw) in &alone {
            let part = draw(random, model);
            state.q.rows_mut(q, model.nq()).copy_from(&part.q);
            state.v.rows_mut(v, model.nv()).copy_from(&part.v);
            (q, v) = (q + model.nq(), v + model.nv());
        }
        state
    }))
}

/// A coordinate with limits, and mostly with dry friction.
fn limited(random: &mut Random) -> Coordinate {
    let mut c = loaded(random);
    let (lower, upper) = (random.within(-1.5, -0.05), random.within(0.05, 1.5));
    c.limits = Some(Limits { lower, upper, restitution: random.restitution() });
    if random.chance(0.6) {
        c.friction = random.log(0.01, 2.0);
        c.static_friction = c.friction * random.within(1.0, 1.5);
    }
    c
}

/// A link of a leg, with a foot at its end.
fn shank(
    (random, parts): (&mut Random, &mut Parts),
    (parent, at): (BodyId, Vector3<f64>),
    (floor, surface): (FeatureId, Surface),
    spatial: bool,
) -> Option<(BodyId, f64)> {
    let length = random.within(0.1, 0.3);
    let axis = if spatial { random.axis() } else { Vector3::z_axis() };
    let mass = random.log(0.05, 1.0);
    let bar = random.brick(mass, [0.04, length, 0.04])?;
    let inertia = bar.in_frame(&Pose::translation(Vector3::new(0.0, -0.5 * length, 0.0)));
    let coordinate = Some(vec![limited(random)]);
    let kind = JointKind::Revolute { axis };
    let body = parts.link(Some(parent), kind, Pose::translation(at), coordinate, inertia)?;
    let radius = random.within(0.01, 0.03);
    let end = Vector3::new(0.0, -length, 0.0);
    let foot = parts.shape(Some(body), end, Shape::Sphere { radius })?;
    parts.touch(floor, foot, surface)?;
    Some((body, length))
}

/// A trunk with two to four legs of one or two links over a floor.
pub fn legged(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let spatial = random.chance(0.5);
    let kind = if spatial { JointKind::Free } else { JointKind::Planar };
    let half = [random.within(0.1, 0.3), 0.05, if spatial { 0.1 } else { 0.0 }];
    let (mass, full) = (random.log(0.5, 5.0), [2.0 * half[0], 0.1, 0.2]);
    let trunk = parts.body(kind, random.brick(mass, full)?)?;
    let normal = tilted(random, 0.2, spatial);
    let floor = parts.plane(Vector3::zeros(), normal)?;
    let surface = random.surface();
    for corner in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
        let at = Vector3::new(corner[0] * half[0], corner[1] * half[1], 0.0);
        let point = parts.shape(Some(trunk), at, Shape::Point)?;
        parts.touch(floor, point, surface)?;
    }
    let (legs, links) = (2 + random.below(3), 1 + random.below(2));
    for leg in 0..legs {
        let (x, z) = (if leg % 2 == 0 { -1.0 } else { 1.0 }, if leg < 2 { -1.0 } else { 1.0 });
        let mut at = Vector3::new(x * half[0], -half[1], z * half[2]);
        let mut parent = trunk;
        for _ in 0..links {
            let link = shank((random, parts), (parent, at), (floor, surface), spatial)?;
            (parent, at) = (link.0, Vector3::new(0.0, -link.1, 0.0));
        }
    }
    let (turn, speed) = (random.within(0.0, 2.0), random.within(0.0, 3.0));
    let up = normal.normalize();
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        let r = up * random.within(0.2, 1.2);
        let mut step = vec![0.0; model.nv()];
        let shifts = if spatial { 3 } else { 2 };
        step[..shifts].copy_from_slice(&r.as_slice()[..shifts]);
        let turns = if spatial { 3 } else { 1 };
        for angle in &mut step[shifts..shifts + turns] {
            *angle = random.within(-turn, turn);
        }
        let q = state.q.clone();
        integrate::step(model, q.as_slice(), &step, state.q.as_mut_slice());
        state.v.iter_mut().for_each(|v| *v = random.within(-speed, speed));
        state
    }))
}

/// A chain with balls at its joints over a floor, and balls that fall on it and on each other.
pub fn struck(random: &mut Random, parts: &mut Parts) -> Option<Draw> {
    let spatial = random.chance(0.5);
    let surface = random.surface();
    let floor = parts.plane(Vector3::zeros(), tilted(random, 0.1, spatial))?;
    let links = 1 + random.below(3);
    let mut parent: Option<(BodyId, f64)> = None;
    let mut round: Vec<FeatureId> = Vec::new();
    for _ in 0..links {
        let length = random.within(0.3, 0.5);
        let at = parent.map_or(Vector3::new(-0.5, 0.4, 0.0), |(_, l)| Vector3::new(l, 0.0, 0.0));
        let axis = if spatial { random.axis() } else { Vector3::z_axis() };
        let mass = random.log(0.1, 5.0);
        let bar = random.brick(mass, [length, 0.05, 0.08])?;
        let inertia = bar.in_frame(&Pose::translation(Vector3::new(0.5 * length, 0.0, 0.0)));
        let coordinate = Some(vec![limited(random)]);
        let id = parent.map(|p| p.0);
        let kind = JointKind::Revolute { axis };
        let body = parts.link(id, kind, Pose::translation(at), coordinate, inertia)?;
        let radius = random.within(0.05, 0.12);
        let tip = Vector3::new(length, 0.0, 0.0);
        let tip = parts.shape(Some(body), tip, Shape::Sphere { radius })?;
        parts.touch(floor, tip, surface)?;
        round.push(tip);
        parent = Some((body, length));
    }
    let kind = if spatial { JointKind::Free } else { JointKind::Planar };
    let balls = 1 + random.below(3);
    for _ in 0..balls {
        let (radius, mass) = (random.within(0.05, 0.15), random.log(0.05, 5.0));
        let solid = Matrix3::identity() * (0.4 * mass * radius * radius);
        let body = parts.body(kind, Inertia::new(mass, Vector3::zeros(), solid).ok()?)?;
        let ball = parts.shape(Some(body), Vector3::zeros(), Shape::Sphere { radius })?;
        parts.touch(floor, ball, surface)?;
        for &other in &round {
            parts.touch(other, ball, random.surface())?;
        }
        round.push(ball);
    }
    let (speed, turn) = (random.within(0.0, 3.0), random.within(0.0, 0.5));
    Some(Box::new(move |random, model| {
        let mut state = State::neutral(model);
        let step: Vec<f64> = (0..model.nv())
            .map(|j| if j < links { random.within(-turn, turn) } else { 0.0 })
            .collect();
        let q = state.q.clone();
        integrate::step(model, q.as_slice(), &step, state.q.as_mut_slice());
        for k in 0..balls {
            let q = &mut state.q.as_mut_slice()[links + k * kind.nq()..];
            q[0] = random.within(-0.6, 0.8);
            q[1] = random.within(0.3, 1.5);
            if spatial {
                q[2] = random.within(-0.1, 0.1);
            }
        }
        state.v.iter_mut().for_each(|v| *v = random.within(-speed, speed));
        state
    }))
}
