//! Unilateral contact with Coulomb friction as one complementarity problem.
//!
//! Newton's law, both phases of Poisson's and the slipping case of the restitution matrix are the
//! same problem with different data; it is stated in [`data`], solved by [`solver`] and judged by
//! its certificate, which uses the true circular cone. The parts:
//!
//! | file | noun |
//! |---|---|
//! | `data` | b, preload, friction; the certificate |
//! | `modes` | the linear system that belongs to one set of contact modes |
//! | `polyhedral` | the linear complementarity problem: exact in the plane, a polygon in space |
//! | `newton_step` | nonsmooth Newton iteration on the circular cone |
//! | `settle` | from a guess to the best answer near it |
//! | `solver` | the order in which these are tried, static and dynamic friction |

pub(crate) mod data;
pub(crate) mod modes;
pub(crate) mod newton_step;
pub(crate) mod polyhedral;
pub(crate) mod settle;
pub(crate) mod solver;

pub(crate) use data::CoulombData;
pub(crate) use modes::{ContactMode, ModeSystem, Tangent};
pub(crate) use solver::CoulombSolver;
