//! Functions of time and state whose zero ends a mode.

/// Which way a guard must pass through zero to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From positive to negative: a gap, a normal force, a friction-cone margin.
    Falling,
    /// From negative to positive.
    Rising,
    /// Any way: a slip velocity with a sign.
    Either,
}

/// One guard as the locator sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guard {
    /// Which way it must pass through zero.
    pub direction: Direction,
    /// η: values up to η count as zero, in units of the guard. A useful value is the round-off of
    /// the guard, some 16 ε times the size of the numbers it is computed from; 0 is allowed and
    /// then only an exact zero at the start of a step is one.
    pub noise: f64,
}

impl Guard {
    /// A guard that counts when it falls through zero.
    #[inline]
    pub fn falling(noise: f64) -> Self {
        Self { direction: Direction::Falling, noise }
    }

    /// A guard that counts when it rises through zero.
    #[inline]
    pub fn rising(noise: f64) -> Self {
        Self { direction: Direction::Rising, noise }
    }

    /// A guard that counts whichever way it passes through zero.
    #[inline]
    pub fn either(noise: f64) -> Self {
        Self { direction: Direction::Either, noise }
    }
}

/// Evaluates all guards at once, because they share kinematics.
///
/// Closures `FnMut(t, y, g, gdot) -> Result<(), E>` are guards.
pub trait Guards {
    /// Why the guards could not be evaluated.
    type Error;

    /// Writes the values into `g` and, where known, the time derivatives into `gdot`, which arrives
    /// filled with NaN: an entry left NaN means that the derivative is not supplied.
    fn evaluate(
        &mut self,
        t: f64,
        y: &[f64],
        g: &mut [f64],
        gdot: &mut [f64],
    ) -> Result<(), Self::Error>;

    /// Least and largest value of guard `k` at the states where the step that is being searched evaluated its rates, if
    /// somebody has looked: such states are on the solution to the accuracy of a stage.
    fn glimpsed(&self, _k: usize) -> Option<[f64; 2]> {
        None
    }
}

impl<F, E> Guards for F
where
    F: FnMut(f64, &[f64], &mut [f64], &mut [f64]) -> Result<(), E>,
{
    type Error = E;

    fn evaluate(&mut self, t: f64, y: &[f64], g: &mut [f64], gdot: &mut [f64]) -> Result<(), E> {
        self(t, y, g, gdot)
    }
}
