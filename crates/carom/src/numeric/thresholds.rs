//! Every threshold that decides what round-off is, with its meaning.
//!
//! | name | of what | fraction of |
//! |---|---|---|
//! | [`COUPLING`] | entry of G between two contacts | the largest that it could be, √(Gᵢᵢ Gⱼⱼ) |
//! | [`SOLVED`] | certificate of a Coulomb problem that needs no further attempt | 1 |
//! | [`ACCEPTED`] | certificate of a Coulomb problem that is an answer | 1 |
//! | [`POLISHED`] | certificate at which nothing can be gained | 1 |
//! | [`STILL`] | slip of an answer that counts as none | the scale of its velocities |

/// Coupling between contacts below this fraction of the largest possible is the round-off of G, which
/// is a sum over the joints of a tree. Useful 1e-15 to 1e-10; a larger value cuts real problems apart.
pub const COUPLING: f64 = 1e-13;

/// Certificate at which no further attempt is made: round-off of badly conditioned problems.
pub const SOLVED: f64 = 1e-11;

/// Largest certificate of an answer. Round-off gives about 1e-15 times the condition of G; useful
/// 1e-12 to 1e-8, larger values accept wrong modes.
pub const ACCEPTED: f64 = 1e-9;

/// Certificate at which an answer is as good as its numbers.
pub const POLISHED: f64 = 1e-13;

/// Slip below this fraction of the scale of velocities is stick where μs or μd must be chosen.
pub const STILL: f64 = 1e-10;

/// Accelerations (or velocities) that differ by less than this fraction of their scale are one motion.
pub const SAME_MOTION: f64 = 1e-7;

/// ε of the least compliance G + ε g I that is tried where nothing else has an answer.
pub const SOFTEST: f64 = 1e-10;

/// ε of the compliance G + ε g I on which Newton's method is started: large against round-off, so that
/// its systems are regular, small against the coupling of contacts, so that few steps take it back.
pub const SOFT: f64 = 1e-7;

/// How much larger than what a problem brings the numbers of its answer may be before they count as
/// cancelling each other.
pub const LEVERAGE: f64 = 1e3;
