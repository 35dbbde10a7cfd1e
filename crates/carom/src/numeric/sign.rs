//! The sign of a number that carries the bound of its own round-off.
//!
//! # Rule
//! ```text
//! x < −β: negative,   |x| ≤ β: zero,   x > β: positive                       (1)
//! ```
//! β is the forward error of the sum that made x, in the units of x. Nothing else in a run decides
//! whether a gap, an approach, a slip, an acceleration or a force is zero.
//!
//! # Tests
//! Beside the code: `eq1_bound_decides`.

/// Below, at or above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Below zero by more than round-off.
    Negative,
    /// Zero to round-off.
    Zero,
    /// Above zero by more than round-off.
    Positive,
}

/// A number with the bound of its round-off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounded {
    /// The number.
    pub value: f64,
    /// Its bound, same unit, ≥ 0.
    pub bound: f64,
}

impl Bounded {
    /// A number and its bound.
    pub fn new(value: f64, bound: f64) -> Self {
        Self { value, bound }
    }

    /// Equation (1); NaN is zero.
    pub fn sign(&self) -> Sign {
        if self.value < -self.bound {
            Sign::Negative
        } else if self.value > self.bound {
            Sign::Positive
        } else {
            Sign::Zero
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_bound_decides() {
        assert_eq!(Bounded::new(1e-15, 1e-16).sign(), Sign::Positive);
        assert_eq!(Bounded::new(-1e-15, 1e-16).sign(), Sign::Negative);
        assert_eq!(Bounded::new(1e-17, 1e-16).sign(), Sign::Zero);
        assert_eq!(Bounded::new(0.0, 0.0).sign(), Sign::Zero);
    }
}
