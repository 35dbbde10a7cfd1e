//! A run by time steps: [`crate::stepping`]'s (1) to (7), step after step, with the same records as a run by events.
//!
//! # Rules
//! - t_k = t₀ + k h; the last step is cut to end with the run. Samples are taken at ends of steps: at all of them, or at the
//!   first at or after each multiple of the interval asked for.
//! - An event is told for a step in which something collides, or a recorded site changes its mode; one per step, in the middle
//!   of it, with the sites concerned. Sites of groups that are not written out make none.
//! - Contacts that slipped in the step before have μd, all others μs.
//! - The velocity at which bias and forces are taken is that of the middle, extrapolated by the acceleration of the step before.
//! - *Rest*: where nothing drives the mechanism and its velocities have been below
//!   ```text
//!   ½ m (κ h |g|)²,   κ = 10 residual, at least 1e-6 and at most 1e-3            (1)
//!   ```
//!   of kinetic energy for [`QUIET`] steps, it rests for good: what the residual leaves undecided is no motion. The residual is the
//!   largest of as many steps, since velocities wander within all of them. A step that was
//!   solved badly decides nothing: above 1e-4 its residual counts as that. A ball may spin about the normal of its only
//!   contact for ever; then there is no rest, however still everything else is.
//!
//! # Tests
//! `tests/stepping.rs`.
//!
//! | file | noun |
//! |---|---|
//! | `run` | step after step |
//! | `press` | forces and impulses of a step |
//! | `conditions` | contacts that are in play while something holds |
//! | `land` | positions without overlap |
//! | `books` | works, modes, events, rest |
//! | `samples` | what is told under way |

mod books;
mod conditions;
mod land;
mod press;
mod run;
mod samples;

pub(super) use press::softened;
pub(super) use run::Stepped;
