//! Random postures to start from, the same for a seed on every machine.

use super::constraints::Constraints;
use carom::dynamics::integrate;
use carom::model::Model;
use std::f64::consts::PI;

/// SplitMix64: every start has its own stream, so that threads do not matter.
#[derive(Debug, Clone)]
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let mut stream = Self(seed ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03));
        stream.bits();
        stream
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [a, b).
    pub(crate) fn within(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }
}

/// A posture between near `q` and anywhere: joints within their limits (±π where there are none),
/// quaternions turned by up to one radian, positions of free bodies left to the settling.
pub(crate) fn sample(
    stream: &mut Stream,
    model: &Model,
    constraints: &Constraints,
    q: &[f64],
) -> Vec<f64> {
    // Far samples find other regions, near ones are more often feasible.
    let reach = stream.unit();
    let mut turn = vec![0.0; model.nv()];
    for (dof, turn) in turn.iter_mut().enumerate() {
        let far = somewhere(stream, model, constraints, q, dof);
        if constraints.varied(dof) {
            *turn = reach * far;
        }
    }
    let mut out = q.to_vec();
    integrate::step(model, q, &turn, &mut out);
    out
}

/// A change of one degree of freedom that leads anywhere in its range.
pub(super) fn somewhere(
    stream: &mut Stream,
    model: &Model,
    constraints: &Constraints,
    q: &[f64],
    dof: usize,
) -> f64 {
    let draw = stream.within(-1.0, 1.0);
    let span = constraints.span(dof);
    match model.q_of_v()[dof] {
        None => draw,
        Some(_) if !model.tree().nodes[dof].turns => 0.1 * draw,
        Some(at) => {
            let half = PI / model.coordinates()[dof].ratio.abs();
            let (low, high) = (span.lower.max(q[at] - half), span.upper.min(q[at] + half));
            low + 0.5 * (draw + 1.0) * (high - low) - q[at]
        }
    }
}
