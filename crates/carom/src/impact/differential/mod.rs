//! Differential impact: colliding contacts drive, touching ones slip, stick, detach, re-attach.
//!
//! # Law
//! Along a clock s every contact that is closed satisfies, with ṗ = dp/ds and u̇ = G ṗ,
//! ```text
//! ṗₙ = d + x,   0 ≤ x ⟂ u̇ₙ − r ≥ 0                                       (1)
//! slip:  ṗₜ = −μd ṗₙ û,   û = uₜ/‖uₜ‖                                      (2)
//! rest (uₜ = 0):  u̇ₜ = 0 and ‖ṗₜ‖ ≤ μs ṗₙ,  or  (2) with û = u̇ₜ/‖u̇ₜ‖      (3)
//! open (uₙ > 0):  ṗ = 0 until uₙ returns to zero, then closed without restitution   (4)
//! ```
//! Touching contacts have d = r = 0. While no slip turns, ṗ and u̇ are constant between events (a slip stops, an open
//! contact closes, compression ends, the impact ends), and the stage is exact: in the plane, always. A stage in which a
//! slip turns is integrated implicitly (`collocation`) to 1e-13 a step.
//!
//! *One colliding contact c.* The clock is its normal impulse: d = 1, and (1) without x. Compression ends at uₙ = 0 with
//! impulse p_c and normal work W_c < 0 of that contact. The impact ends at
//! ```text
//! kinematic:  uₙ⁺ = −e uₙ⁻                                                (5)
//! kinetic:    p_r = e p_c                                                  (6)
//! energetic:  W_r = −e² W_c                                                (7)
//! ```
//! If friction at the other contacts drives uₙ below zero again before that, compression resumes and p_c, W_c, p_r, W_r
//! are the sums over all such intervals.
//!
//! *Several colliding contacts* act together by complementarity. While compression lasts, 0 ≤ s ≤ 1, each must slow
//! down at least in proportion to its own approach; whoever is slowed more by the others takes no impulse:
//! ```text
//! compression:  d = 0,  uₙ ≥ (1 − s) uₙ⁻,  r = −uₙ⁻                        (8)
//! kinematic:    d = 0,  uₙ ≥ −s e uₙ⁻,     r = −e uₙ⁻,   0 ≤ s ≤ 1         (9)
//! kinetic:      d = e p_c,  uₙ ≥ 0,        r = 0,        0 ≤ s ≤ 1         (10)
//! energetic:    d = 0,  uₙ ≥ −s uₙ⁻,       r = −uₙ⁻  until W_r = −e² W_c   (11)
//! ```
//! each contact with its own e, p_c, W_c. With one contact (8)–(11) are the one-contact law on another clock; contacts
//! that do not feel each other get what each would get alone; a symmetric problem has a symmetric answer.
//!
//! # Modes
//! (1) to (3) at an instant are one Coulomb problem ([`coulomb`](crate::coulomb)) with ṗ and u̇ as unknowns; its answer
//! is certified at every stage. The modes before are kept where they still fit. No answer and several are Painlevé's
//! paradoxes of contacts that slip. No answer is
//! [`ImpactError::NoConsistentMode`](super::ImpactError::NoConsistentMode). Several are those of a contact that pushes itself
//! down by its friction: without x its u̇ₙ − r is f > 0, and every x adds A x, A < 0. Slightly compliant contacts choose:
//! a spring that presses with x as the stage begins obeys
//! ```text
//! δ̈ = −(f + A x),   x ∝ δ:   lets go if f + A x > 0,  presses ever harder if not                     (12)
//! ```
//! Contacts that did not press, x = 0, remain so. One that begins to slip at the edge of stick has f + A x = 0 there; the
//! friction that it then lacks pushes it off, because A < 0 makes Gₙₜ û > Gₙₙ/μ > 0: it lets go. The answer says that it was chosen (`Solved::unique`); a contact that
//! presses ever harder is [`ImpactError::AmbiguousModes`](super::ImpactError::AmbiguousModes), for the compliant path.
//! Where only μs > μd makes stick and slip coexist, stick wins. Redundant contacts (rank-deficient G) have many ṗ;
//! the one of least norm is taken, in the sense that each contact is infinitely slightly soft, or, where that would pull, the nearest
//! to one that does not ([`share`](crate::coulomb::share)).
//!
//! Where one of them comes to the limit of its friction or of pressing they share anew, as long as there is room and the path comes
//! on. A contact at the limit of friction that others hold in place slips nowhere, and has no direction to turn.
//!
//! # One contact
//! Alone, a contact needs no modes: [`planar`](super::planar) is the closed form in the plane, [`spatial`](super::spatial)
//! the solution to round-off with two tangents. All are the same law, so the choice changes the cost, not the answer.
//!
//! # Assumptions
//! - q is frozen; finite forces do no work during the impact; touching contacts have no restitution.
//!
//! - Tangents are orthonormal directions, so that ‖·‖ is the Euclidean norm of the two rows.
//!
//! # Limits
//! - (8), (9), (11) use velocity as a clock: where more impulse makes a contact approach faster (large μ), there may be
//!   no mode although one contact alone would pass through.
//! - Kinematic restitution can gain energy, kinetic and energetic restitution at one colliding contact cannot
//!   (kinetic: not in the plane with one contact; with several, `impact::audit` reports it).
//!
//! # Source
//! Hurmuzlu & Marghitu 1994, section 3.1, (5)–(27). Their list procedure (steps 2–11) can return pulling contacts and is
//! replaced by the conditions themselves; (17) ends compression; (21), missing in print, is (7) solved for the impulse.
//! (8)–(11) are ours. Slip in space as in Morgan 2011, chapter 4. Checked against brute-force
//! integration in impulse space, an implicit marching scheme for several contacts in space, `planar` and `spatial`.
//!
//! # Tests
//! `tests/differential/`: `eq1_…` to `eq11_…` by number; `tests/impact_spatial`: `eq6_to_eq8_implicit_marching`, `eq9_to_eq12_phases`,
//! `eq12_several_answers_as_compliance_decides`, `stacks_that_slide_are_landed_on` for redundant contacts, and
//! `a_stone_comes_to_rest` in `carom-scene` for those that share anew;
//! `choice_does_not_change_the_answer` in `law`.

mod collocation;
mod curve;
mod drive;
mod flow;
mod law;
mod locate;
mod narrate;
mod nodes;
mod rates;
mod scratch;

pub use curve::STEP_TOLERANCE;
pub use law::{Differential, resolve_staged};
pub use scratch::DifferentialScratch;
