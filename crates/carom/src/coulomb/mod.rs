//! The one Coulomb problem: unilateral contact with friction, for forces, impulses and their rates.
//!
//! # Law
//! ```text
//! w = G x + b                                                               (1)
//! 0 ≤ xₙ − a ⟂ wₙ ≥ 0                                  Signorini            (2)
//! wₜ = 0 and ‖xₜ‖ ≤ μs xₙ,  or  xₜ = −μd xₙ wₜ/‖wₜ‖    Coulomb              (3)
//! sliding along û already:  xₜ = −μd xₙ û                                   (4)
//! bilateral:  w = 0, x of either sign                                       (5)
//! moments:    (3) or (4) for further rows of the same xₙ, with coefficients of their own        (6)
//! ```
//! | | x | w | b | who asks |
//! |---|---|---|---|---|
//! | forces | λ | accelerations | those without contact forces | events, the flow |
//! | impulses | p | velocities after (plus e uₙ⁻) | velocities before | Newton, Poisson, the time step |
//! | rates | ṗ | u̇ − r, r the least allowed | −r | paths of differential impact |
//!
//! a ≥ 0 is what presses in any case (the release of stored compression), zero otherwise. A *driven*
//! contact has xₙ = a in place of (2): its normal impulse is the clock of a path, or its a the bound of a dry friction
//! that no normal force makes, |x| ≤ μ a (a joint's). Rolling and spinning friction are (6): a contact without a normal
//! row that *follows* another one.
//!
//! # Existence and uniqueness
//! - Without (4), G positive semidefinite: (1)–(3) has a solution whenever some motion v has J v + b
//!   separating everywhere, that is, unless a body is wedged in space that leaves it no way out
//!   (Stewart & Trinkle 1996, Anitescu & Potra 1997: the matrix of the linear form is copositive).
//! - μ = 0, G positive semidefinite: w is unique; x is unique up to the null space of G.
//! - (4) with A = Gₙₙ − μd Gₙₜ û of one contact: A > 0 one solution; A < 0, b > 0 two; A < 0, b < 0
//!   none; A = 0: one (open) for b > 0, none for b < 0 (Painlevé).
//! - Otherwise both can fail for large μ. Nothing is assumed: an answer is judged by its certificate.
//!
//! # Parts
//! | file | noun |
//! |---|---|
//! | `problem` | G, b, contacts |
//! | `mode` | what a contact does: one set of modes for everybody |
//! | `certificate` | the residual, from the definition (1)–(5), not from a solver |
//! | `linear` | forces of one set of modes |
//! | `blocks` | contacts that do not feel each other are problems of their own |
//! | `alone` | one contact in the plane, in closed form |
//! | `pivot` | mend the worst violation |
//! | `newton` | semismooth Newton on the circular cone |
//! | `rank` | its step on many contacts of few bodies |
//! | `polygon` | Lemke's pivoting, exact in the plane, a polygon in space |
//! | `gauss_seidel` | sweeps for large blocks |
//! | `enumerate` | all modes of a small block, to count solutions |
//! | `share`, `margin` | redundant forces inside their cones, by the widest margin |
//! | `solved` | how an answer was found, and how good it is |
//! | `solver` | the order of attempts |
//! | `viscous` | friction that is a little viscous, taken back: slips that G hardly sees |
//! | `sparse` | hundreds and thousands of contacts, without G |
#![allow(non_snake_case)]

mod alone;
pub mod blocks;
pub mod certificate;
pub mod enumerate;
mod gauss_seidel;
pub mod linear;
mod margin;
pub mod mode;
mod newton;
mod pivot;
mod polygon;
pub mod problem;
mod rank;
pub mod share;
pub mod solved;
pub mod solver;
pub mod sparse;
mod viscous;

pub use blocks::Blocks;
pub use certificate::{residual, scale, velocity};
pub use linear::ModeSystem;
pub(crate) use mode::along;
pub use mode::{Mode, Tangent};
pub use problem::{Contact, Duty, Problem};
pub use solved::{Method, Solved};
pub use solver::Solver;
pub use sparse::{SparseProblem, SparseSolver};
