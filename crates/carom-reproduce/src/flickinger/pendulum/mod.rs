//! The double pendulum over a floor: every run of table 2.4, and section 5.5.
//!
//! Two equal bars, the pivot 1.5 m above the floor, one contact at the tip. The law is the source's own: normal
//! restitution, stick if the friction cone allows it, else the dissipation principle; the energy is limited by
//! attenuation, or in section 5.5 also by a constraint of the search.
//!
//! # A limit that explains section 5.5
//! One contact with e = 1 does the work W = ½ pₜ (uₜ⁻ + uₜ⁺). The constraint W ≤ 0 therefore binds only where stick
//! would gain, and there its solution with friction is uₜ⁺ = −uₜ⁻: the tip goes back as it came. With two degrees of
//! freedom that reverses the whole velocity, v⁺ = −v⁻, and a motion that started at rest retraces its path. Attenuation
//! instead keeps uₜ⁺ = 0 and shrinks v⁺. The two cannot give the same velocities after such an impact.
//! `tests/flickinger_pendulum.rs`: `the_constraint_turns_the_motion_back`.
//!
//! # Source
//! Flickinger 2011, sections 2.3, 3.4.1, 3.6.1, 5.2, 5.5, tables 2.1, 2.4, 3.1, 3.3, 5.1, 5.3.

mod claims;
mod control_claims;
mod experiment;
mod figures;
mod setting;

pub use experiment::{PENDULUM, PENDULUM_CONTROL};
pub use setting::{FLOOR, SECTION_5_5, Setting, TABLE_2_4, floors};
