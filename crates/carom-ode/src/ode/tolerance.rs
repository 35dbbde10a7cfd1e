//! Error tolerances per component, and the norm that compares an error with them.
//!
//! # Law
//! ```text
//! sᵢ = atolᵢ + rtolᵢ mᵢ,  mᵢ = max(|yᵢ(t₀)|, |yᵢ(t₁)|)        (1)
//! ‖e‖ = maxᵢ |eᵢ|/sᵢ    or    √(Σ (eᵢ/sᵢ)²/n)                 (2)
//! ```
//! Components of one block (a unit quaternion, a position vector) share the largest mᵢ of the
//! block, so that the error control does not depend on how the axes lie.
//!
//! # Limits
//! A component with atol = 0 and y = 0 has s = 0: any error there, however small, is too large.
//!
//! # Tests
//! `eq1_scale`, `eq1_block`, `eq2_norms`, `nan_is_never_small`, `bad_values_are_named`.

use std::ops::Range;
use thiserror::Error;

/// A tolerance that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ToleranceError {
    /// A value is negative or not finite, or both values of a component are zero.
    #[error(
        "component {component}: rtol = {rtol}, atol = {atol}; both must be finite, >= 0, and one of them > 0"
    )]
    Value {
        /// Which component.
        component: usize,
        /// Its relative tolerance.
        rtol: f64,
        /// Its absolute tolerance, in units of the component.
        atol: f64,
    },
    /// The two lists differ in length, or are empty.
    #[error(
        "{rtol} relative and {atol} absolute tolerances; there must be one of each per component"
    )]
    Length {
        /// Number of relative tolerances.
        rtol: usize,
        /// Number of absolute tolerances.
        atol: usize,
    },
    /// The step of the fixed-step method is not a positive number.
    #[error("fixed step {step}; it must be finite and > 0")]
    FixedStep {
        /// Step given, s.
        step: f64,
    },
    /// A block reaches beyond the state.
    #[error("block {start}..{end} does not fit a state of {len} components")]
    Block {
        /// First component.
        start: usize,
        /// One past the last component.
        end: usize,
        /// Components of the state.
        len: usize,
    },
}

impl ToleranceError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Value { .. } => {
                "useful: rtol from 1e-3 to 1e-13, atol about rtol times the size of the component"
            }
            Self::Length { .. } => "give as many tolerances as the state has components",
            Self::FixedStep { .. } => "give the step in seconds, such as 0.001",
            Self::Block { .. } => "blocks are ranges of component indices",
        }
    }
}

/// How scaled errors of the components become one number, equation (2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Norm {
    /// The largest. A body at rest does not loosen the tolerance of a moving one.
    #[default]
    Max,
    /// Root mean square, as in most general solvers.
    Rms,
}

/// rtol and atol of every component.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    rtol: Vec<f64>,
    atol: Vec<f64>,
    blocks: Vec<Range<usize>>,
    norm: Norm,
}

impl Tolerance {
    /// One rtol (1) and one atol (unit of the component) per component.
    pub fn new(rtol: Vec<f64>, atol: Vec<f64>) -> Result<Self, ToleranceError> {
        if rtol.len() != atol.len() || rtol.is_empty() {
            return Err(ToleranceError::Length { rtol: rtol.len(), atol: atol.len() });
        }
        let good = |x: f64| x.is_finite() && x >= 0.0;
        for (component, (&r, &a)) in rtol.iter().zip(&atol).enumerate() {
            if !good(r) || !good(a) || r + a == 0.0 {
                return Err(ToleranceError::Value { component, rtol: r, atol: a });
            }
        }
        Ok(Self { rtol, atol, blocks: Vec::new(), norm: Norm::default() })
    }

    /// The same rtol and atol for all `n` components.
    pub fn uniform(n: usize, rtol: f64, atol: f64) -> Result<Self, ToleranceError> {
        Self::new(vec![rtol; n], vec![atol; n])
    }

    /// The same tolerances measured in another norm.
    pub fn with_norm(mut self, norm: Norm) -> Self {
        self.norm = norm;
        self
    }

    /// Declares components that share one magnitude, such as the four of a quaternion.
    pub fn with_block(mut self, block: Range<usize>) -> Result<Self, ToleranceError> {
        if block.start >= block.end || block.end > self.len() {
            return Err(ToleranceError::Block {
                start: block.start,
                end: block.end,
                len: self.len(),
            });
        }
        self.blocks.push(block);
        Ok(self)
    }

    /// Number of components.
    #[inline]
    pub fn len(&self) -> usize {
        self.rtol.len()
    }

    /// Never true: a tolerance speaks of at least one component.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rtol.is_empty()
    }

    /// Scales sᵢ of equation (1) between two states.
    pub fn scale(&self, y0: &[f64], y1: &[f64], s: &mut [f64]) {
        let n = s.len();
        let (y0, y1, rtol, atol) = (&y0[..n], &y1[..n], &self.rtol[..n], &self.atol[..n]);
        if self.blocks.is_empty() {
            for i in 0..n {
                s[i] = atol[i] + rtol[i] * y0[i].abs().max(y1[i].abs());
            }
            return;
        }
        for i in 0..n {
            s[i] = y0[i].abs().max(y1[i].abs());
        }
        for block in &self.blocks {
            let largest = s[block.clone()].iter().fold(0.0, |m: f64, &x| m.max(x));
            s[block.clone()].fill(largest);
        }
        for i in 0..n {
            s[i] = atol[i] + rtol[i] * s[i];
        }
    }

    /// Collects scaled errors into the norm of equation (2).
    pub(super) fn measure(&self) -> Measure {
        Measure { norm: self.norm, sum: 0.0, count: 0 }
    }

    /// ‖x‖ in units of the tolerance.
    pub fn norm(&self, x: &[f64], s: &[f64]) -> f64 {
        let mut m = self.measure();
        for (&x, &s) in x.iter().zip(s) {
            m.add(x, s);
        }
        m.value()
    }
}

/// A norm being collected, component by component.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    norm: Norm,
    sum: f64,
    count: usize,
}

impl Measure {
    /// Adds one component with its scale. 0/0 counts as 0: nothing is wrong with no error.
    #[inline]
    pub(super) fn add(&mut self, x: f64, s: f64) {
        let r = if x == 0.0 { 0.0 } else { (x / s).abs() };
        self.count += 1;
        match self.norm {
            Norm::Max => {
                // `f64::max` would forget a NaN.
                if r > self.sum || r.is_nan() {
                    self.sum = r;
                }
            }
            Norm::Rms => self.sum += r * r,
        }
    }

    /// The norm so far.
    #[inline]
    pub(super) fn value(self) -> f64 {
        match self.norm {
            Norm::Max => self.sum,
            Norm::Rms => (self.sum / self.count.max(1) as f64).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_scale() {
        let tol = Tolerance::new(vec![0.1, 0.0], vec![1.0, 2.0]).unwrap();
        let mut s = [0.0; 2];
        tol.scale(&[10.0, 5.0], &[-20.0, 9.0], &mut s);
        assert_eq!(s, [3.0, 2.0]);
    }

    #[test]
    fn eq1_block() {
        let tol = Tolerance::uniform(3, 0.5, 0.0).unwrap().with_block(0..2).unwrap();
        let mut s = [0.0; 3];
        tol.scale(&[0.0, 4.0, 1.0], &[0.0, 2.0, 0.0], &mut s);
        assert_eq!(s, [2.0, 2.0, 0.5]);
    }

    #[test]
    fn eq2_norms() {
        let tol = Tolerance::uniform(2, 0.0, 1.0).unwrap();
        assert_eq!(tol.norm(&[3.0, -4.0], &[1.0, 1.0]), 4.0);
        let rms = tol.with_norm(Norm::Rms);
        assert!((rms.norm(&[3.0, -4.0], &[1.0, 1.0]) - 12.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn nan_is_never_small() {
        for norm in [Norm::Max, Norm::Rms] {
            let tol = Tolerance::uniform(3, 0.0, 1.0).unwrap().with_norm(norm);
            assert!(tol.norm(&[0.0, f64::NAN, 1.0], &[1.0; 3]).is_nan());
        }
    }

    #[test]
    fn bad_values_are_named() {
        let e = Tolerance::new(vec![1e-3, -1.0], vec![0.0, 0.0]).unwrap_err();
        assert_eq!(e, ToleranceError::Value { component: 1, rtol: -1.0, atol: 0.0 });
        assert!(Tolerance::uniform(2, 0.0, 0.0).is_err());
        assert!(Tolerance::uniform(0, 1e-6, 1e-6).is_err());
        assert!(Tolerance::uniform(2, 1e-6, 1e-6).unwrap().with_block(1..3).is_err());
    }
}
