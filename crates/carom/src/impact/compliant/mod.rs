//! The compliant path: every contact a spring with two stiffnesses, so that there is always an answer.
//!
//! # Law
//! Along a clock t, with q frozen, every contact i that is not apart has a compression δᵢ ≥ 0 and a normal force Fᵢ:
//! ```text
//! F = k δ^η,   δ̇ = −χ uₙ,   χ = 1 while uₙ < 0 (loading),  1/e² while uₙ > 0 (unloading)        (1)
//! e = 0:  δ drops to zero as soon as uₙ ≥ 0                                                    (2)
//! ṗₙ = F,   u̇ = G ṗ                                                                            (3)
//! slip:   ṗₜ = −μd F uₜ/‖uₜ‖                                                                   (4)
//! rest:   u̇ₜ = 0 with ‖ṗₜ‖ ≤ μs F,  else slip along u̇ₜ with μd                                  (5)
//! ```
//! δ = 0 at the start; a contact with δ = 0 and uₙ ≥ 0 carries nothing until uₙ < 0. The impact ends when all δ = 0 and
//! all uₙ ≥ 0. For η = 1, (1) is Ḟ = −κ uₙ with κ = k while loading and k/e² while unloading.
//!
//! # Why there is always an answer
//! The normal forces are known at every instant, so the friction of the contacts at rest is the solution of a convex
//! problem,
//! ```text
//! min ½ ṗₜᵀ G ṗₜ + ṗₜᵀ b  over  ‖ṗₜᵢ‖ ≤ μᵢ Fᵢ                                                  (6)
//! ```
//! which exists, and whose accelerations are unique, for any number of contacts, any μ and any rank of G: no Painlevé
//! paradox. Redundant contacts share as `hold` says; what they share has no effect on the motion.
//!
//! # Energy
//! With V(δ) = k δ^{η+1}/(η+1), loading from δ₁ to δ₂ does the work −(V₂ − V₁) and unloading from δ₂ to δ₁ the work
//! e²(V₂ − V₁). Each bit of compression that is ever unloaded was loaded before, so that over the whole path
//! ```text
//! Wₙ = −Σ (V loaded) + e² Σ (V unloaded) ≤ −(1 − e²) Σ (V loaded) ≤ 0                          (7)
//! ```
//! at every contact, however often loading resumes halfway, with equality if nothing is dropped. Friction works against
//! slip. So no energy is gained, and restitution is energetic at every contact.
//!
//! # Rule for several contacts
//! All contacts that are not apart take part, colliding, touching or separating alike, **each with its own e**: energy
//! passes through touching contacts, as it does in Newton's cradle. (Hurmuzlu & Marghitu give touching contacts no
//! restitution; that is the rule of [`differential`](super::differential).) Impulses are shared by stiffness: only the
//! ratios of k matter, and equal ones keep symmetric problems symmetric. With one colliding contact and no other the
//! law is the differential law with energetic restitution, since then the clock does not matter.
//!
//! # Solution
//! In one set of modes all is analytic, and each step is a power series (`series`), exact to round-off where it is
//! linear. Events are zeros of its polynomials. Where slip is so slow that its direction is stiff, and where it leaves
//! rest, steps are implicit (`stiff`). Modes at rest come from (6) (`decide`, `disks`). An instant where they stay
//! undecided is carried over by a step of first order (`march`).
//!
//! | file | noun |
//! |---|---|
//! | `system` | the problem in units of its own, its state and modes |
//! | `path`, `step`, `pace`, `scratch` | the walk, one step of it, how fast things happen, what it works on |
//! | `series`, `edge` | power series of a step |
//! | `stiff`, `stiff_jacobian`, `stiff_step`, `lu` | implicit steps |
//! | `events`, `root` | what ends a set of modes, and when |
//! | `decide`, `hold` | friction of contacts at rest: modes, and who shares what |
//! | `disks`, `limit_set`, `disk`, `barrier` | the convex problem (6) |
//! | `march`, `plastic` | steps of first order, the last resort |
//!
//! # Limits
//! - Velocities below 1e-13 of the largest one before are zero. Accuracy about 1e-11 (planar) and 1e-10 (spatial) of
//!   the largest velocity.
//! - A long path ends early. After s = 16 (1 + contacts) changes between loading and unloading all velocities below 1e-12
//!   of the largest one before, and what is stored at such velocities, are dropped, after 2s changes those below 1e-11,
//!   and so on. After 600 (1 + contacts) steps all is dropped, the contacts go on with e = 0 for 1000 short steps, and a
//!   plastic impact without friction ends the rest (`plastic`). Contacts of different frequency √(kG) raise both bounds
//!   by a quarter of their ratio, at most 50 times.
//!   [`Solved::residual`](super::Solved::residual) tells what was dropped; above 1e-9 the answer is by `plastic close`.
//! - Contacts wedged against each other, where nothing moves any more while forces balance, end without restitution.
//! - e = 0 is not the limit e → 0 where others press the contact: there the force need not drop to zero.
//! - If no impulse can stop a contact (its row of G is zero, or prescribed motion drives it) there is no answer:
//!   [`Reason::Immovable`](super::Reason::Immovable), [`ImpactError::Jammed`](super::ImpactError::Jammed).
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | δ | `delta` | compression | of k and the clock |
//! | k | `k` | stiffness, by contact | any, ratios matter |
//! | η | `exponent` | 1 linear, 1.5 Hertz | 1 |
//! | χ | `give` | compliance of unloading over that of loading | 1 |
//! | uₙ, uₜ | `u` | contact velocities | m/s |
//! | ṗ | `rate` | rates of impulse | – |
//!
//! # Source
//! The bi-stiffness contact is Stronge's, the law of several such contacts Liu, Zhao & Brogliato's (2008, 2009), here
//! with time as the clock and Coulomb friction by (6); neither text was at hand. (6) and the solution are ours.
//!
//! # Tests
//! `tests/compliant/`: `eq1_…` to `eq7_…` by number.

mod barrier;
mod decide;
mod disk;
mod disks;
mod edge;
mod events;
mod hold;
mod law;
mod limit_set;
mod lu;
mod march;
mod pace;
mod path;
mod plastic;
mod root;
mod scratch;
mod series;
mod step;
mod stiff;
mod stiff_jacobian;
mod stiff_step;
mod system;

pub use law::Compliant;
pub(crate) use scratch::CompliantScratch;
