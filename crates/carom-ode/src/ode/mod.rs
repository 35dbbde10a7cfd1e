//! Integrators of a smooth piece: one step at a time, with the solution within it.
//!
//! | file | noun |
//! |---|---|
//! | `rate` | the right-hand side ẏ = f(t, y) and its projection |
//! | `tolerance` | rtol, atol per component and the error norm |
//! | `step_control` | the length of the next step |
//! | `stages` | stage rates and their combinations |
//! | `dormand_prince`, `dop853`, `dop853_table`, `rk4` | one method each |
//! | `radau` | nodes and weights of implicit collocation |
//! | `steered` | steps of flows whose directions their own velocity decides |
//! | `dense` | the solution within a step |
//! | `scheme` | what all methods have in common |
//! | `first_step` | the first step of all |
//! | `integrator` | one step at a time |
//! | `landing` | the end of a step at an event |
//! | `flow_error` | how integration fails |

mod dense;
mod dop853;
mod dop853_table;
mod dormand_prince;
mod first_step;
mod flow_error;
mod integrator;
mod landing;
pub mod radau;
mod rate;
mod rk4;
mod scheme;
mod stages;
mod steered;
mod step_control;
mod tolerance;

pub use dense::{Dense, Trajectory};
pub use flow_error::FlowError;
pub use integrator::{FSAL_DISPLACEMENT, Integrator, Step, Work};
pub use rate::{Projection, Rate};
pub use scheme::Method;
pub use step_control::ControlLaw;
pub use tolerance::{Norm, Tolerance, ToleranceError};
