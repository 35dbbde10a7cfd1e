//! Event-driven simulation of rigid multibody systems that hit, rebound, stick, slip and roll.
//!
//! # What is solved
//! ```text
//! M(q) v̇ + h(q, v) = τ + Jᵀλ          between events, λ by the contact modes
//! M (v⁺ − v⁻) = Jᵀp                    at an impact, p by an impact law
//! ```
//!
//! # Conventions
//! SI units, `f64`, right-handed frames, quaternions (w, x, y, z). The normal n points from surface or
//! body A to the body B that may leave; gap g > 0 apart; uₙ = Jₙ v > 0 separates; λₙ, pₙ ≥ 0 push.
//! Planar mechanisms move in the x–y plane by planar joints; there is no second engine for them.
//!
//! # Map
//! | folder | what it holds |
//! |---|---|
//! | [`numeric`] | when a number is zero; all thresholds |
//! | [`spatial`] | six-dimensional algebra |
//! | [`complementarity`] | complementarity problems, minimum-norm solves |
//! | [`coulomb`] | the one problem of contact with friction |
//! | [`model`] | what the mechanism is; [`model::ModelBuilder`] |
//! | [`state`] | t, q, v |
//! | [`dynamics`] | smooth motion: kernels without allocation |
//! | [`geometry`] | gaps between shapes and their derivatives |
//! | [`contact`] | forces while bodies touch |
//! | [`impact`] | velocity jumps: one problem, many laws |
//! | [`control`] | forces and motions that a mechanism is given |
//! | [`record`] | events, samples, the energy ledger |
//! | [`stepping`] | the contacts of a time step |
//! | [`hybrid`] | the run: [`hybrid::Simulation`] |
//!
//! # First example
//! A pendulum that swings against a stop:
//! ```
//! use carom::hybrid::Simulation;
//! use carom::impact::{Differential, Restitution};
//! use carom::model::{Coordinate, Joint, Limits, ModelBuilder};
//! use carom::spatial::{Inertia, Pose};
//! use carom::state::State;
//! use nalgebra::Vector3;
//!
//! let mut builder = ModelBuilder::new();
//! let stop = Limits { lower: -0.5, upper: 3.0, restitution: 0.8 };
//! let joint = Joint::revolute("pivot", Vector3::z_axis(), Pose::identity())
//!     .with_coordinates(vec![Coordinate { limits: Some(stop), ..Coordinate::default() }]);
//! let bob = Inertia::point(1.0, Vector3::new(0.0, -1.0, 0.0))?;
//! builder.add_body("bob", None, joint, bob)?;
//! let model = builder.build()?;
//!
//! let mut state = State::neutral(&model);
//! state.q[0] = 1.0;
//! let law = Differential { restitution: Restitution::Energetic };
//! let run = Simulation::new(&model, state, law).run_until(5.0).map_err(|f| f.0)?;
//! let hit = &run.events()[0];
//! // Energy: ½ ω² = g (cos 0.5 − cos 1), and the stop gives back 0.8 of the speed.
//! let speed = (2.0 * 9.81 * (0.5_f64.cos() - 1.0_f64.cos())).sqrt();
//! assert!((hit.v_pre[0] + speed).abs() < 1e-7 && (hit.v_post[0] - 0.8 * speed).abs() < 1e-7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod complementarity;
pub mod contact;
pub mod control;
pub mod coulomb;
pub mod dynamics;
pub mod geometry;
pub mod hybrid;
pub mod impact;
pub mod model;
pub mod numeric;
pub mod record;
pub mod spatial;
pub mod state;
pub mod stepping;
