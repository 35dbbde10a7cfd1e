//! Shared by the tests: a small generator of random numbers, states and mechanisms.
#![allow(dead_code, non_snake_case)]

pub mod grounds;
pub mod stacks;
pub mod worlds;

use carom::model::{Coordinate, Joint, JointKind, Limits, Model, ModelBuilder, Spring};
use carom::spatial::{Inertia, Pose, rotation};
use carom::state::State;
use nalgebra::{Matrix3, Unit, Vector3};

/// SplitMix64: tiny, seedable, the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn bits(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [a, b).
    pub fn within(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), self.within(-1.0, 1.0))
    }

    pub fn axis(&mut self) -> Unit<Vector3<f64>> {
        loop {
            let a = self.vector();
            if a.norm() > 0.1 {
                return Unit::new_normalize(a);
            }
        }
    }

    pub fn rotation(&mut self) -> Matrix3<f64> {
        let axis = self.axis();
        rotation::exp(&(axis.into_inner() * self.within(-3.0, 3.0)))
    }

    pub fn pose(&mut self) -> Pose {
        let r = self.vector();
        Pose::new(self.rotation(), r)
    }

    /// A body of 0.2 to 2 kg whose inertia is that of a random box.
    pub fn inertia(&mut self) -> Inertia {
        let mass = self.within(0.2, 2.0);
        let side = [self.within(0.1, 1.0), self.within(0.1, 1.0), self.within(0.1, 1.0)];
        let square = |i: usize, j: usize| mass / 12.0 * (side[i].powi(2) + side[j].powi(2));
        let principal =
            Matrix3::from_diagonal(&Vector3::new(square(1, 2), square(0, 2), square(0, 1)));
        let R = self.rotation();
        Inertia::new(mass, self.vector() * 0.5, R * principal * R.transpose()).unwrap()
    }
}

/// A random forest with all kinds of joints and at most `most` degrees of freedom.
pub fn random_tree(random: &mut Random, most: usize) -> Model {
    tree(random, most, true)
}

/// The same without dampers, springs and limits.
pub fn undamped_tree(random: &mut Random, most: usize) -> Model {
    tree(random, most, false)
}

fn tree(random: &mut Random, most: usize, loaded: bool) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(random.vector() * 9.81).unwrap();
    let mut ids = Vec::new();
    let mut free = 1 + random.below(most);
    while free > 0 {
        let parent = if ids.is_empty() || random.unit() < 0.1 {
            None
        } else if random.unit() < 0.6 {
            ids.last().copied()
        } else {
            Some(ids[random.below(ids.len())])
        };
        let kind = random_kind(random, free);
        let name = format!("b{}", ids.len());
        let mut coordinates = random_coordinates(random, &kind);
        for c in coordinates.iter_mut().filter(|_| !loaded) {
            (c.damping, c.spring, c.limits) = (0.0, None, None);
        }
        let joint =
            Joint::new(format!("j{name}"), kind, random.pose()).with_coordinates(coordinates);
        ids.push(builder.add_body(name, parent, joint, random.inertia()).unwrap());
        free -= kind.nv();
    }
    builder.build().unwrap()
}

fn random_kind(random: &mut Random, free: usize) -> JointKind {
    loop {
        let kind = match random.below(8) {
            0 => JointKind::Fixed,
            1..=3 => JointKind::Revolute { axis: random.axis() },
            4 => JointKind::Prismatic { axis: random.axis() },
            5 => JointKind::Planar,
            6 => JointKind::Spherical,
            _ => JointKind::Free,
        };
        if kind.nv() <= free {
            return kind;
        }
    }
}

fn random_coordinates(random: &mut Random, kind: &JointKind) -> Vec<Coordinate> {
    let single = matches!(kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. });
    let mut coordinates = vec![Coordinate::default(); kind.nv()];
    for (i, c) in coordinates.iter_mut().enumerate() {
        if single && random.unit() < 0.5 {
            c.ratio = random.within(0.3, 2.0) * if random.unit() < 0.5 { -1.0 } else { 1.0 };
            c.offset = random.within(-1.0, 1.0);
        }
        if random.unit() < 0.5 {
            c.rotor_inertia = random.within(0.0, 0.2);
        }
        c.damping = random.within(0.0, 0.5);
        if i < kind.plain() && random.unit() < 0.5 {
            let (stiffness, rest) = (random.within(0.0, 20.0), random.within(-1.0, 1.0));
            c.spring = Some(Spring { stiffness, rest });
            c.limits = Some(Limits { lower: -2.0, upper: 2.0, restitution: 0.5 });
        }
    }
    coordinates
}

/// A random state of a model.
pub fn random_state(random: &mut Random, model: &Model) -> State {
    let mut state = State::neutral(model);
    let turn: Vec<f64> = (0..model.nv()).map(|_| random.within(-2.0, 2.0)).collect();
    let q0 = state.q.clone();
    carom::dynamics::integrate::step(model, q0.as_slice(), &turn, state.q.as_mut_slice());
    for v in state.v.iter_mut() {
        *v = random.within(-2.0, 2.0);
    }
    state
}
