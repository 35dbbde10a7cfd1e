//! Torques given beforehand as a table in time.
//!
//! # Law
//! Between the rows k and k + 1,
//! ```text
//! linear:  u = uₖ + (uₖ₊₁ − uₖ)(t − tₖ)/(tₖ₊₁ − tₖ)                      (1)
//! hold:    u = uₖ                                                       (2)
//! ```
//! Before the first row its torques hold, after the last row the last ones. The times of the rows are
//! knots: the flow stops there, so that kinks and jumps fall between steps.
//!
//! # Tests
//! Beside the code: `eq1_eq2_between_rows`; `tests/control_table.rs`: `momentum_is_the_integral`.

use super::ControlError;
use super::controller::{Controller, Situation, check_indices};
use crate::contact::Site;
use crate::model::Model;

/// What holds between two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// Equation (1).
    #[default]
    Linear,
    /// Equation (2).
    Hold,
}

/// A table of torques.
#[derive(Debug, Clone, PartialEq)]
pub struct TorqueTable {
    actuators: Vec<usize>,
    times: Vec<f64>,
    /// One row per time.
    torques: Vec<Vec<f64>>,
    interpolation: Interpolation,
    /// How many rows lie behind.
    passed: usize,
}

impl TorqueTable {
    /// A table for `actuators` from rows (t, torque of each actuator).
    pub fn new(
        actuators: Vec<usize>,
        rows: &[Vec<f64>],
        interpolation: Interpolation,
    ) -> Result<Self, ControlError> {
        let expected = actuators.len() + 1;
        if rows.is_empty() {
            return Err(ControlError::Row { row: 0, found: 0, expected });
        }
        let (mut times, mut torques) = (Vec::new(), Vec::new());
        for (row, numbers) in rows.iter().enumerate() {
            if numbers.len() != expected {
                return Err(ControlError::Row { row, found: numbers.len(), expected });
            }
            if let Some(&value) = numbers.iter().find(|x| !x.is_finite()) {
                return Err(ControlError::Value { what: "torque or time", value });
            }
            if let Some(&before) = times.last()
                && numbers[0] <= before
            {
                return Err(ControlError::Order { row, t: numbers[0], before });
            }
            times.push(numbers[0]);
            torques.push(numbers[1..].to_vec());
        }
        Ok(Self { actuators, times, torques, interpolation, passed: 0 })
    }

    /// The actuators that it commands.
    pub fn actuators(&self) -> &[usize] {
        &self.actuators
    }

    /// The torque of the `k`-th own actuator by the formula now in force.
    fn torque(&self, k: usize, t: f64) -> f64 {
        let last = self.torques.len() - 1;
        let i = self.passed;
        if i == 0 {
            return self.torques[0][k];
        }
        if i > last || self.interpolation == Interpolation::Hold {
            return self.torques[i - 1][k];
        }
        let (a, b) = (self.torques[i - 1][k], self.torques[i][k]);
        let (t0, t1) = (self.times[i - 1], self.times[i]);
        a + (b - a) * (t - t0) / (t1 - t0)
    }
}

impl Controller for TorqueTable {
    fn command(&mut self, at: &Situation<'_>, u: &mut [f64]) {
        for k in 0..self.actuators.len() {
            u[self.actuators[k]] += self.torque(k, at.t);
        }
    }

    fn check(&self, _: &Model, _: &[Site], actuators: usize) -> Result<(), ControlError> {
        check_indices((&self.actuators, actuators), (&[], 0))
    }

    fn start(&mut self, t: f64) {
        self.passed = self.times.partition_point(|x| *x <= t);
    }

    fn next_knot(&self) -> Option<f64> {
        self.times.get(self.passed).copied()
    }

    fn pass_knot(&mut self) -> bool {
        self.passed += 1;
        self.interpolation == Interpolation::Hold && self.passed > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(table: &mut TorqueTable, t: f64) -> f64 {
        table.start(t);
        table.torque(0, t)
    }

    #[test]
    fn eq1_eq2_between_rows() {
        let rows = [vec![1.0, 2.0], vec![3.0, 6.0], vec![4.0, -1.0]];
        let mut linear = TorqueTable::new(vec![0], &rows, Interpolation::Linear).unwrap();
        let mut hold = TorqueTable::new(vec![0], &rows, Interpolation::Hold).unwrap();
        for (t, l, h) in
            [(0.0, 2.0, 2.0), (1.0, 2.0, 2.0), (1.5, 3.0, 2.0), (3.5, 2.5, 6.0), (9.0, -1.0, -1.0)]
        {
            assert_eq!((at(&mut linear, t), at(&mut hold, t)), (l, h), "t = {t}");
        }
        linear.start(0.0);
        assert_eq!(linear.next_knot(), Some(1.0));
        assert!(!linear.pass_knot());
        // Beyond the knot the formula of before goes on until the knot is passed.
        assert_eq!(linear.torque(0, 3.5), 7.0);
    }

    #[test]
    fn bad_tables() {
        let make = |rows: &[Vec<f64>]| TorqueTable::new(vec![0], rows, Interpolation::Linear);
        assert!(matches!(make(&[]), Err(ControlError::Row { .. })));
        assert!(matches!(make(&[vec![0.0]]), Err(ControlError::Row { found: 1, .. })));
        assert!(matches!(make(&[vec![0.0, f64::NAN]]), Err(ControlError::Value { .. })));
        let twice = [vec![0.0, 1.0], vec![0.0, 2.0]];
        assert!(matches!(make(&twice), Err(ControlError::Order { row: 1, .. })));
    }
}
