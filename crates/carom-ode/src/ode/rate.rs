//! The right-hand side ẏ = f(t, y) that an integrator follows.
#![allow(non_snake_case)]

/// What a projection did to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// The state lay on the manifold already and was not touched.
    Unchanged,
    /// The state was moved; the integrator measures how far.
    Moved,
}

/// A smooth flow ẏ = f(t, y), with an optional way back to the manifold on which y lives.
///
/// Closures `FnMut(t, y, dydt) -> Result<(), E>` are rates without projection.
pub trait Rate {
    /// Why the right-hand side could not be evaluated.
    type Error;

    /// Writes f(t, y) into `dydt`. Every entry must be written.
    fn rate(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), Self::Error>;

    /// Returns y to its manifold after a step (unit quaternions, active constraints).
    ///
    /// The default leaves y alone. A displacement above
    /// [`FSAL_DISPLACEMENT`](super::FSAL_DISPLACEMENT) of the error tolerance costs one more
    /// rate evaluation, because the rate at the end of the step is then stale.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, Self::Error> {
        let _ = (t, y);
        Ok(Projection::Unchanged)
    }

    /// Number of angles z that steer the flow in the step that begins (`steered.rs`); none by default.
    fn unknowns(&self) -> usize {
        0
    }

    /// Sets z for the rates that follow.
    fn steer(&mut self, z: &[f64]) {
        let _ = z;
    }

    /// The velocities at the last rate whose angles z are, each in a frame that stays through the step,
    /// and their rates.
    fn velocities(&self, w: &mut [[f64; 2]], wdot: &mut [[f64; 2]]) {
        let _ = (w, wdot);
    }

    /// What unit vectors along d and across it add to ẇ at (t, y) and the z that is set, column after column: D and
    /// B = ∂ẇ/∂z, with [`velocities`](Self::velocities) those of this evaluation; false, the default, if they are not known.
    fn turning(
        &mut self,
        t: f64,
        y: &[f64],
        D: &mut [[f64; 2]],
        B: &mut [[f64; 2]],
    ) -> Result<bool, Self::Error> {
        let _ = (t, y, D, B);
        Ok(false)
    }

    /// z at the nodes of the step from `t0` of length `h` that was taken: rates within it follow the
    /// polynomial through them. Node by node.
    fn steered(&mut self, t0: f64, h: f64, nodes: &[f64]) {
        let _ = (t0, h, nodes);
    }
}

impl<F, E> Rate for F
where
    F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
{
    type Error = E;

    fn rate(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), E> {
        self(t, y, dydt)
    }
}
