//! Integrators with dense output, and the location of events on it, for flows that jump.
//!
//! # What is solved
//! ```text
//! ẏ = f(t, y)              until the first t at which a guard g(t, y) passes through zero
//! ```
//!
//! # Map
//! A folder uses only folders above it; nothing here knows mechanics.
//!
//! | folder | what it holds |
//! |---|---|
//! | [`ode`] | methods, step control, dense output, [`Integrator`] |
//! | [`events`] | guards, [`Locator`], [`polish`] |
//!
//! # First example
//! When does a falling ball reach the ground?
//! ```
//! use carom_ode::{Guard, Integrator, Locator, Method, Tolerance, polish};
//! use std::convert::Infallible;
//!
//! let mut fall = |_: f64, y: &[f64], f: &mut [f64]| -> Result<(), Infallible> {
//!     f.copy_from_slice(&[y[1], -9.81]);
//!     Ok(())
//! };
//! let mut height = |_: f64, y: &[f64], g: &mut [f64], gdot: &mut [f64]| -> Result<(), Infallible> {
//!     (g[0], gdot[0]) = (y[0], y[1]);
//!     Ok(())
//! };
//! let mut flow = Integrator::new(Method::DormandPrince, Tolerance::uniform(2, 1e-9, 1e-9)?)?;
//! let mut locator = Locator::new(2);
//! flow.restart::<Infallible>(0.0, &[1.0, 0.0])?;
//! locator.arm(&[Guard::falling(1e-15)]);
//! let t = loop {
//!     flow.advance(&mut fall, 10.0)?;
//!     let dense = flow.dense(&mut fall)?;
//!     if let Some(crossing) = locator.locate(&dense, &mut height)? {
//!         break polish(&mut flow, &mut fall, &mut locator, &mut height, crossing)?;
//!     }
//! };
//! assert!((t - (2.0_f64 / 9.81).sqrt()).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod events;
pub mod ode;
mod thresholds;

pub use events::{Crossing, Direction, Guard, Guards, Locator, MAX_RESTEPS, polish};
pub use ode::radau;
pub use ode::{
    ControlLaw, Dense, FSAL_DISPLACEMENT, FlowError, Integrator, Method, Norm, Projection, Rate,
    Step, Tolerance, ToleranceError, Trajectory, Work,
};
