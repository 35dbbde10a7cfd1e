//! What the polynomials of a film may err by.
//!
//! Rule (1) of [`film`](super::film), quantity by quantity.

use super::between::Stretch;
use super::film::{Camera, Sort};

/// What a row may err by, and what it may err by as long as a piece is longer than a quarter of a step.
pub(super) struct Limits {
    pub always: Vec<f64>,
    pub coarse: Vec<f64>,
    /// The same of places and directions of contacts that are closed.
    pub frames: (f64, f64),
    /// Frames beyond which this film is given up.
    pub room: usize,
}

impl Limits {
    /// What number `i` of a row may err by.
    pub fn of(&self, i: usize, fine: bool, camera: &Camera<'_>) -> f64 {
        if fine {
            return self.always[i];
        }
        let reel = camera.parts.reel();
        if i < reel {
            return self.always[i].min(self.coarse[i]);
        }
        match ((i - reel) / 12, (i - reel) % 12) {
            // Where an open contact is nobody sees.
            (site, _) if camera.open[site] => f64::INFINITY,
            (_, 0..3) => self.frames.0,
            _ => self.frames.1,
        }
    }
}

impl Camera<'_> {
    /// What rows may err by (1), with the absolute tolerance of the run.
    pub fn limits(&mut self, (error, atol): (f64, f64), room: usize) -> Limits {
        let parts = self.parts;
        let mut always = vec![f64::INFINITY; parts.len()];
        let mut coarse = always.clone();
        let size = self.size();
        for body in 0..parts.bodies {
            always[7 * body..7 * body + 3].fill((error * size).max(atol));
            always[7 * body + 3..7 * body + 7].fill(error);
        }
        always[parts.com()..parts.com() + 3].fill((error * size).max(atol));
        for (k, column) in self.table.numbers.iter().enumerate() {
            let group = column.name.split('.').next();
            let same = self
                .table
                .numbers
                .iter()
                .filter(|c| c.unit == column.unit && c.name.split('.').next() == group);
            let range = same.map(|c| range(&c.values)).fold(0.0, f64::max);
            let largest = column.values.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            // What is drawn has single precision.
            let limit = |factor: f64| (factor * error * range).max(1e-7 * largest);
            let place = parts.column() + k;
            match self.sorts[k] {
                Sort::Time | Sort::Acceleration => {}
                Sort::Q(_) => always[place] = limit(1.0).max(atol),
                Sort::V(_) => always[place] = limit(10.0).max(10.0 * atol),
                Sort::Gap(site) if !self.cast.gaps[site] => {}
                _ => coarse[place] = limit(100.0),
            }
        }
        let (far, turned) = (100.0 * error * size, 100.0 * error);
        Limits { always, coarse, frames: (far, turned), room }
    }

    /// What the samples allow: where they are rare, the motion between them is not known to ε.
    pub fn doubt(&mut self, stretches: &[Stretch]) -> f64 {
        let ranges = self.between.ranges(self.table);
        self.between.doubt(stretches, &ranges)
    }

    /// L of rule (1): how far some body, or the centre of mass, goes.
    fn size(&mut self) -> f64 {
        let samples = self.table.len();
        let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); 3 * (self.parts.bodies + 1)];
        for k in (0..samples).step_by((samples / 2000).max(1)) {
            self.between.sample(k, &mut self.q, &mut self.v);
            self.posture.place(&self.q, &self.v);
            let com = self.posture.com();
            let places = self.posture.poses().iter().map(|pose| pose.r).chain([com]);
            let numbers = places.flat_map(<[f64; 3]>::from);
            for (x, range) in numbers.zip(&mut ranges) {
                *range = (range.0.min(x), range.1.max(x));
            }
        }
        let size = ranges.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
        // What only turns about its own centre has no such size.
        if size > 0.0 { size } else { 1.0 }
    }
}

fn range(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if high > low { high - low } else { 0.0 }
}
