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

/// Slip below this fraction of the velocities that it is a difference of has no direction of its own.
/// It occurs where a contact has let go that other contacts of the same body hold in place.
pub const NO_SLIP: f64 = 1e-9;

/// Round-off of a slip velocity, a fraction of the velocities that it is a difference of: redundant
/// contacts that hold each other still leave this much.
pub const SLIP_NOISE: f64 = 1e-12;

/// Round-off of a contact velocity just before an event, a fraction of the terms that it is a sum of.
pub const VELOCITY_NOISE: f64 = 1e-13;

/// Contact velocities below this fraction of the largest of the same impact count as zero.
/// Useful range 1e-13 (round-off of u = J v) to 1e-9; a larger value turns slow impacts into touching
/// contacts.
pub const ZERO_VELOCITY: f64 = 1e-11;

/// Round-off of a contact force, a fraction of the largest of its cluster.
pub const FORCE_NOISE: f64 = 1e-12;

/// Slip that a guard has found to end has ended below this fraction of the velocities that it is a
/// difference of, m/s per m/s.
pub const SLIP_ENDED: f64 = 1e-9;

/// Rate of a normal velocity along a path, over what its own impulse alone would do, that is round-off: the contact is
/// wedged.
pub const WEDGED: f64 = 1e-12;

/// Stability A/Gₙₙ of a slipping contact at which it jams: forces are a million times what they were.
pub const JAMS: f64 = 1e-6;

/// |v̇| below this fraction of the free acceleration is rest.
pub const AT_REST: f64 = 1e-10;

/// |v| below this fraction of the velocities of the event is rest.
pub const REST_SPEED: f64 = 1e-12;

/// Resolution of time, a fraction of its value: a few units in the last place. A velocity that its
/// acceleration takes away within that is zero.
pub const TIME_RESOLUTION: f64 = 64.0 * f64::EPSILON;

/// Progress of time below this fraction of its value is none.
pub const NO_TIME: f64 = 1e-13;

/// Overlap at the start, in units of the round-off of the gap, that counts as touching: what a scene
/// written with nine digits leaves.
pub const PENETRATION: f64 = 1e6;

/// Progress of time in twenty thousand steps, a fraction of √(length/g), below which a run leads nowhere.
pub const NO_PROGRESS: f64 = 1e-9;

/// Pivot, a fraction of its row, below which contacts count as nearly redundant along a motion.
pub const NEARLY_SINGULAR: f64 = 1e-5;

/// How far beyond its end a corner, an edge or a face reaches, a fraction of the size of the shapes: a contact point
/// closer to the end than this is on it. Useful 1e-12 (round-off) to 1e-7; what a contact is off by is at most this
/// times the sine of a tilt.
pub const EXTENT: f64 = 1e-9;

/// Depth to which polytopes may overlap by features that are not watched before that is an event, a fraction of their
/// size.
pub const UNWATCHED: f64 = 1e-10;
/// How far the axis of a joint may lean, 1 − |cos|, for the mechanism to count as planar: round-off of products
/// of rotations.
pub const UPRIGHT: f64 = 1e-12;

/// Residual of a loop, a fraction of the numbers that place it, at which the start counts as closed: what a scene
/// written with six digits leaves is taken out at the first event. Useful 1e-9 to 1e-5.
pub const LOOP_OPEN: f64 = 1e-6;

/// Residual of a loop, a fraction of the numbers that place it, to which the start is assembled: round-off.
pub const LOOP_CLOSED: f64 = 1e-13;

/// Certificate of a time step of many contacts at which no further sweep is made: far below the error of the step itself, which is
/// of the order of h. Useful 1e-8 to 1e-3.
pub const SWEPT: f64 = 1e-6;
