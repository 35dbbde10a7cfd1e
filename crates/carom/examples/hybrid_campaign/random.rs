//! Random numbers that are the same everywhere.
#![allow(non_snake_case)]

use carom::model::Surface;
use carom::spatial::Inertia;
use nalgebra::{Matrix3, Unit, Vector3};

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        Self(random.bits())
    }

    pub fn bits(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    /// Uniform in [a, b).
    pub fn within(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in the logarithm.
    pub fn log(&mut self, a: f64, b: f64) -> f64 {
        self.within(a.ln(), b.ln()).exp()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.within(0.0, 1.0) < p
    }

    pub fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.within(-size, size))
    }

    pub fn axis(&mut self) -> Unit<Vector3<f64>> {
        loop {
            let a = self.vector(1.0);
            if (0.1..1.0).contains(&a.norm()) {
                return Unit::new_normalize(a);
            }
        }
    }

    /// Inertia of a box of these full sides.
    pub fn brick(&mut self, mass: f64, sides: [f64; 3]) -> Option<Inertia> {
        let square = |i: usize, j: usize| mass / 12.0 * (sides[i].powi(2) + sides[j].powi(2));
        let moments = Vector3::new(square(1, 2), square(0, 2), square(0, 1));
        Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&moments)).ok()
    }

    /// Any surface: plastic to elastic, smooth to sticky, with and without a static excess.
    pub fn surface(&mut self) -> Surface {
        let restitution = self.restitution();
        let friction = match self.below(10) {
            0 => 0.0,
            1 => self.within(1.0, 5.0),
            _ => self.within(0.0, 1.0),
        };
        let excess = if self.chance(0.5) { 1.0 } else { self.within(1.0, 2.0) };
        Surface { restitution, static_friction: friction * excess, friction }
    }

    pub fn restitution(&mut self) -> f64 {
        match self.below(10) {
            0 | 1 => 0.0,
            2 => 1.0,
            3 => self.within(0.9, 1.0),
            _ => self.within(0.0, 0.9),
        }
    }
}
