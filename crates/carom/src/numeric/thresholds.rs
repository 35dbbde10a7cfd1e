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

/// What G = Z Zᵀ leaves of a diagonal entry of G, a fraction of the largest one, where it is round-off: small against
/// [`ACCEPTED`], the least softness with which Z is used.
pub const FACTOR_RANK: f64 = 1e-13;

/// How much larger than what a problem brings the numbers of its answer may be before they count as
/// cancelling each other.
pub const LEVERAGE: f64 = 1e3;

/// Units of round-off by which a row of w = G x + b is known, in units of the scale of its terms.
pub const ROUNDED: f64 = 8.0;

/// Slip below this fraction of the velocities that it is a difference of has no direction of its own.
/// It occurs where a contact has let go that other contacts of the same body hold in place.
pub const NO_SLIP: f64 = 1e-9;

/// The same of a slip that its own friction does not change because others hold it: what such a velocity is, is what
/// returns to their constraints leave of it.
pub const HELD_SLIP: f64 = 1e-7;

/// Round-off of a slip velocity, a fraction of the velocities that it is a difference of: redundant
/// contacts that hold each other still leave this much.
pub const SLIP_NOISE: f64 = 1e-12;

/// Round-off of a contact velocity just before an event, a fraction of the terms that it is a sum of.
pub const VELOCITY_NOISE: f64 = 1e-13;

/// Round-off of u⁺ = u⁻ + G p, a fraction of its terms |G||p|: that of the sum, and of G, which is a sum over the joints of a
/// tree itself. Useful 1e-15 to 1e-12; what is off by more is no round-off but a wrong answer.
pub const TERMS_NOISE: f64 = 256.0 * f64::EPSILON;

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

/// Tilt, rad, up to which the cap of a cylinder lies flat on what it touches: it stands on corners of its rim then, and on
/// the lowest point of its rim otherwise. Useful 1e-9 (below, the curvature of a rolling rim is round-off) to 1e-6; what a
/// contact is off by is at most a third of this times the radius.
pub const LIES_FLAT: f64 = 1e-8;

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

/// Estimate of the error of a step along a path of turning slips, relative, at which it is taken: the error itself is about its
/// power 1.8. Measured on 2 000 random contacts: the same to round-off from 1e-13 to 1e-9, off by 2e-10 at 1e-8.
pub const STEP_ESTIMATE: f64 = 1e-9;

/// Certificate of a time step of many contacts at which no further sweep is made: far below the error of the step itself,
/// which is of the order of h. Useful 1e-9 to 1e-3.
pub const SWEPT: f64 = 1e-6;

/// Velocity, in units of what gravity makes in one time step, below which nothing moves: the certificate of a step times the
/// condition of a wall of hundreds of bricks. Useful 1e-8 to 1e-4; what creeps more slowly is stopped.
pub const STEPPED_REST: f64 = 1e-6;

/// The same where steps are solved to no more than a ten-thousandth: what is faster moves, however badly its forces are known.
/// Useful 1e-5 to 1e-2; with ten times the residual of a pile that still falls, centimetres per second would be rest.
pub const STEPPED_REST_MOST: f64 = 1e-3;

/// The path of friction that is a little viscous; σ is a fraction of the scale of velocities.
pub mod viscous {
    /// σ below which modes are told from the path: above, most slips that matter are below ten σ.
    pub const EXACT: f64 = 1e-3;
    /// σ of the last stage: slips of ten times this are the round-off of ill-conditioned problems.
    pub const LEAST: f64 = 1e-13;
    /// ‖F‖ of a stage, a fraction of the forces, at which σ falls again.
    pub const STAGE: f64 = 1e-10;
    /// The same where Newton's method comes no closer.
    pub const ROUGH: f64 = 1e-7;
}

/// Linear complementarity and linear systems.
pub mod complementarity {
    /// Largest residual of an answer, a fraction of its scale.
    pub const TOLERANCE: f64 = 1e-10;

    /// Answers that differ by less than this fraction of their size are one.
    pub const APART: f64 = 1e-8;

    /// Unknowns below this fraction of the largest that a degenerate basis leaves are round-off.
    pub const DEGENERATE: f64 = 1e-13;

    /// Entry of an eliminated bilateral row, of scaled numbers, that says that the row cannot be held.
    pub const HELD: f64 = 1e-9;

    /// A negative unknown above this fraction of the largest is zero.
    pub const NEGATIVE: f64 = 1e-12;

    /// Relative size below which a pivot counts as zero, unless told otherwise.
    pub const RANK_TOLERANCE: f64 = 1e-12;

    /// A pivot below this fraction of its row is zero, unless told otherwise.
    pub const PIVOT: f64 = 1e-11;

    /// Ratios of a pivot row that differ by less than this fraction are a tie.
    pub const TIE: f64 = 1e-12;
}

/// Rotations and inertias.
pub mod rotation {
    /// Relative slack of the triangle inequality: files carry rounded numbers.
    pub const TRIANGLE_SLACK: f64 = 1e-6;

    /// Half angle, rad, whose square is below round-off.
    pub const SMALL_TURN: f64 = 1e-8;
}

/// Smooth dynamics.
pub mod dynamics {
    /// D relative to the inertia it is taken from, below which M counts as singular.
    pub const SINGULAR: f64 = 1e-14;

    /// Smallest share of the largest principal moment about the centre that can be divided by here.
    pub const THIN: f64 = 1e-9;

    /// Sine of an angle that is round-off of the poses.
    pub const STRAIGHT: f64 = 1e-14;
}

/// Controllers.
pub mod control {
    /// A pivot below this fraction of the largest one belongs to a redundant row.
    pub const REDUNDANT: f64 = 1e-11;
}

/// Impact laws.
pub mod impact {
    /// Rows of A whose independent part is below this fraction of their length are redundant, and pivots
    /// of the scaled block matrix below it count as zero. Useful range 1e-13 to 1e-9.
    pub const DEPENDENT: f64 = 1e-11;

    /// A gain below this fraction of Σ|pᵢ|·max|u| is round-off, not a gain.
    pub const NO_GAIN: f64 = 1e-13;

    /// Ratios of impulses that differ by less than this fraction are the same.
    pub const SAME_RATIO: f64 = 1e-12;

    /// A discriminant below this fraction of its terms is that of a double root.
    pub const DOUBLE_ROOT: f64 = 1e-14;

    /// Eigenvalue of G, over the largest, along which impulses move nothing.
    pub const IDLE: f64 = 1e-12;

    /// Part of a direction, over its size, that impulses reach by round-off only.
    pub const UNREACHABLE: f64 = 1e-13;

    /// Figure of an audit that no law exceeds by round-off or by the softness of redundant contacts.
    pub const KEPT: f64 = 1e-7;

    /// Rows are normalised, so this is a distance relative to 1 + |b|: a row counts as satisfied above −`SATISFIED`.
    ///
    /// Useful range 1e-15 to 1e-10; larger values return points visibly outside, smaller ones may never be satisfied.
    pub const SATISFIED: f64 = 1e-14;

    /// A row whose part outside the span of the active ones is shorter than this is dependent on them.
    pub const LEAST_DISTANCE_DEPENDENT: f64 = 1e-10;

    /// Row, of scaled numbers, that says nothing; and a multiplier that is none.
    pub const NO_ROW: f64 = 1e-13;

    /// What such a row may ask for.
    pub const ASKS_TOO_MUCH: f64 = 1e-11;

    /// Largest residual of an admissible set; that of a Coulomb problem of a small cluster.
    pub const ADMISSIBLE: f64 = 1e-10;

    /// Friction work above this fraction of the energy scale Σ|p| max|u| is not round-off.
    pub const DRIVES: f64 = 1e-7;

    /// Rate duₙ/dp of a sticking contact, in units of c, below which G is singular; and the share of the approach velocity
    /// that is round-off when both velocities vanish together.
    pub const WEDGED: f64 = 1e-12;

    /// Approach with which a path in space begins, as a fraction of the slip: its curved pieces look for a
    /// rise through zero, which a start at zero would seem to be. The answer errs by the same fraction.
    pub const APPROACH: f64 = 1e-12;

    /// An impulse that changes the normal velocity by less than this fraction of the slip is none. Where a
    /// contact presses itself its impulse stops the slip, so it is never small.
    pub const NONE: f64 = 1e-9;

    /// Contact velocities that differ by less than this fraction of the slip are the same.
    pub const AS_ONE: f64 = 1e-9;

    /// Largest relative asymmetry of M that is taken for round-off: |M_ij − M_ji| ≤ 1e-9 √(M_ii M_jj).
    pub const ASYMMETRY: f64 = 1e-9;

    /// A bilateral row whose independent part is below this fraction of its length is redundant.
    pub const REDUCTION_DEPENDENT: f64 = 1e-10;

    /// Approach velocities within this fraction of the largest one are a tie.
    pub const TIE: f64 = 1e-9;
}

/// Johnson's constraint law.
pub mod constraint {
    /// Diagonal entry of M, over the largest, below which the coordinate has no inertia.
    pub const MASSLESS: f64 = 1e-14;

    /// Pivot of M with a diagonal of ones below which it is eliminated as singular; the answer is the same.
    pub const SINGULAR: f64 = 1e-10;

    /// Negative eigenvalue of M, over the largest, beyond round-off.
    pub const INDEFINITE: f64 = 1e-12;
}

/// The law of the restitution matrix.
pub mod matrix {
    /// A row whose part outside the span of those before it is below this fraction (squared length) is
    /// dependent. G is a Gram matrix, so 1e-12 means 1e-6 of its length; useful range 1e-14 to 1e-10.
    pub const DEPENDENT: f64 = 1e-12;

    /// Violation of the stick test that is round-off, relative to the scales of the contact.
    pub const ROUND_OFF: f64 = 1e-11;

    /// Change of the impulses, over their size, at which directions of slip are found.
    pub const STEADY: f64 = 1e-14;
}

/// The dissipation principle, in scaled quantities.
pub mod dissipation {
    /// Singular values below this fraction of the largest count as zero.
    pub const RANK: f64 = 1e-10;

    /// Relative residual of (1) above which the normal velocities are unreachable.
    pub const CONSISTENT: f64 = 1e-9;

    /// How close to its pole a branch is drawn, over the range of μ.
    pub const NEAR_POLE: f64 = 1e-6;

    /// Residual of the equations of a set of modes at which nothing can be gained.
    pub const EXACT: f64 = 1e-15;

    /// Singular value, over the largest, of equations that say the same.
    pub const REDUNDANT: f64 = 1e-11;

    /// Work beyond its limit that is round-off.
    pub const ENERGY: f64 = 1e-13;

    /// Proximal step at which the programme is solved.
    pub const MOVED: f64 = 1e-14;

    /// Slack of the conditions, scaled, so that the impulses that came in satisfy them.
    pub const SLACK: f64 = 1e-12;

    /// Slip, scaled, below which a contact sticks.
    pub const REST: f64 = 1e-10;

    /// Violation of the friction law that is none, in the plane and in space.
    pub const VIOLATION: [f64; 2] = [1e-11, 1e-8];

    /// Gap between the best distance and its bound at which the search ends, in the plane and in space.
    pub const GAP: [f64; 2] = [1e-8, 1e-6];

    /// σⱼ below this fraction of the largest entry of T is zero: slip that no impulse of this contact can change.
    pub const TIED: f64 = 1e-13;

    /// Smallest τ examined when part of the slip is tied: a contact that jams would take an infinite impulse at 0.
    pub const TIED_TAU: f64 = 1e-12;

    /// τ below which slip is too small to tell from stick.
    pub const STUCK_TAU: f64 = 1e-30;

    /// Relative slack granted to the friction bound, for round-off.
    pub const SINGLE_SLACK: f64 = 1e-14;
}

/// The path of one spatial contact.
pub mod hodograph {
    /// Omitted terms, relative to the slip speed at the start of a piece: some eight pieces leave 1e-13.
    pub const TRUNCATION: f64 = 1e-14;

    /// Axes of T below this fraction of the largest entry of K, with a coupling below it too, count as absent.
    pub const SINGULAR: f64 = 1e-14;

    /// Slip below this fraction of the velocity scale has stopped.
    pub const STOPPED: f64 = 1e-15;

    /// Normal velocity, as a fraction of the scale, that counts as zero where K is singular and the contact sticks.
    pub const WEDGED: f64 = 1e-12;

    /// Largest last terms, relative to the sum of all.
    pub const CONVERGED: f64 = 1e-15;

    /// Correction of a direction, rad, after which the next is below round-off.
    pub const LAST_TURN: f64 = 1e-9;
}

/// The compliant path, in units of the impact.
pub mod compliant {
    /// Weight of the barrier of `impact/compliant/barrier` at which it ends.
    pub const LAST: f64 = 1e-14;

    /// Slip below this fraction of the velocity scale is rest.
    pub const REST: f64 = 1e-12;

    /// Accelerations below this fraction of what the friction of the contact can do to it are zero.
    pub const STILL: f64 = 1e-9;

    /// Accelerations below this fraction of the terms that they are made of are round-off.
    pub const NOISE: f64 = 1e-13;

    /// Distance from its limit, relative, at which friction is inside.
    pub const INSIDE: f64 = 1e-7;

    /// Moment after which the force of a contact that just begins is looked at, in units of the clock.
    pub const MOMENT: f64 = 1e-6;

    /// ε of friction disks, (2) of `impact/compliant/disks`: compliance of redundant directions over the mobility.
    pub const SOFT: f64 = 1e-10;

    /// Change of a round of friction forces, over their size, at which rounds end.
    pub const ROUNDED: f64 = 1e-15;

    /// Friction within this fraction of its limit is at its limit.
    pub const AT_LIMIT: f64 = 1e-12;

    /// What is left out of the friction along redundant directions, relative to it at the start; it moves nothing.
    pub const EDGE: f64 = 1e-12;

    /// Velocities below this fraction of the largest one at the start are zero.
    pub const ZERO: f64 = 1e-13;

    /// Excess over the friction disk that counts as such, relative to its square.
    pub const DISK: f64 = 1e-8;

    /// Eigenvalue of (1), relative to the trace of the contact's block of G, below which a direction is redundant.
    pub const RANK: f64 = 1e-11;

    /// Velocities, relative to the largest one before, that a path may drop without being called closed.
    pub const TAIL: f64 = 1e-9;

    /// Least stiffness of a contact, and the inverse of the largest, over that of the others.
    pub const STIFFNESS: f64 = 1e-12;

    /// Mobility of a contact, over the largest, below which nothing can move it.
    pub const IMMOVABLE: f64 = 1e-15;

    /// Approach after the impact, over the velocities before, at which the law has failed.
    pub const STILL_APPROACHES: f64 = 1e-6;

    /// Change of the directions at the limit of friction at which they are found, rad.
    pub const STEADY: f64 = 1e-14;

    /// Progress of the clock, in units of 1/ω, that counts as such; also the first short step.
    pub const PROGRESS: f64 = 1e-8;

    /// Normal velocities below this fraction of the largest one, at all contacts that carry and after a whole step, mean
    /// that the contacts are wedged: their forces balance, and the impact is over.
    pub const WEDGED: f64 = 1e-11;

    /// Approach that is left, in units of the velocity scale.
    pub const LEFT: f64 = 1e-13;

    /// Softness of redundant contacts, relative to the diagonal.
    pub const PLASTIC_SOFT: f64 = 1e-13;

    /// What is left out of a step, in units of the velocity scale.
    pub const REMAINDER: f64 = 2e-16;

    /// Difference of the two methods that a stiff step may show, in units of the velocity scale.
    pub const STIFF_TOLERANCE: f64 = 1e-11;

    /// Difference that is none: the next step is as long as may be.
    pub const NO_ERROR: f64 = 1e-20;

    /// Shortest stiff step, in units of 1/ω.
    pub const SHORTEST: f64 = 1e-10;

    /// Compression that a nonlinear contact starts with, over that of the impact: its stiffness is zero without.
    pub const FIRST_PRESS: f64 = 1e-8;

    /// Residual, in units of the velocity scale, at which the equations are solved.
    pub const CONVERGED: f64 = 4e-16;

    /// Residual that is taken for round-off if it falls no more.
    pub const ROUND_OFF: f64 = 1e-13;

    /// A coefficient of restitution below this counts as zero: what it gives back is below the accuracy of the path.
    pub const PLASTIC: f64 = 1e-9;
}

/// The sparse Coulomb solver.
pub mod sparse {
    /// τ at which the path of contacts a little apart ends: the matrix of a step has entries of 1/τ, and below this their
    /// round-off is larger than what is left of the path. Useful 1e-12 to 1e-8.
    pub const LEAST: f64 = 1e-10;

    /// Differences that are kept: more cost memory and forget changes of modes later, fewer learn less. Useful 5 to 30.
    pub const DEPTH: usize = 12;

    /// Growth of the change of a sweep, over the least so far, that says that modes have changed. Useful 1.5 to 100.
    pub const GROWTH: f64 = 10.0;

    /// A direction of the normal equations below this fraction of the largest was not learned.
    pub const RANK: f64 = 1e-12;
}

/// Shapes.
pub mod geometry {
    /// Height above a face, or of a round shape that lies flat, as a share of its size, that counts as none. Useful from 1e-12
    /// to 1e-6: curvature terms grow with its inverse.
    pub const FLAT: f64 = 1e-9;

    /// The same for the points of a mesh, whose files keep them in single precision, 6e-8 of the size or so: faces of a part
    /// that was turned are flat to no more. Useful from 2e-7 to 1e-4, beyond which shapes can be seen to change.
    pub const ROUGH: f64 = 1e-6;

    /// Part of an axis across the upright that is round-off.
    pub const UPRIGHT: f64 = 1e-12;

    /// Distance of two centres, as a share of the sum of the radii, below which there is no normal.
    pub const CONCENTRIC: f64 = 1e-12;

    /// Overlap of smooth shapes, as a share of their sizes, from which on another common normal is looked for. Useful from 1e-8, below
    /// which contacts at rest would ask for it, to 1e-2.
    pub const DEEP: f64 = 1e-6;

    /// Turn of a common normal, rad, below which steps are so good that round-off decides.
    pub const NEWTON: f64 = 1e-5;

    /// Sine of the angle between two edges below which they count as parallel.
    pub const PARALLEL: f64 = 1e-5;
}

/// Runs.
pub mod run {
    /// Length of the first time step that carries a cluster over, in units of its time scale.
    pub const FIRST_STEP: f64 = 1e-5;

    /// Flight of an elastic contact, in units of √(ℓ/a) of its cluster, that is too short to be followed: in one of them nothing
    /// moves by more than 1e-8 ℓ. Useful 1e-7 to 1e-3; smaller ones follow a million impacts, larger ones close visible rebounds.
    pub const SHORT_FLIGHT: f64 = 1e-4;

    /// A command this close to a limit, relative to the larger of limit and range, is on it.
    pub const NOISE: f64 = 1e-11;

    /// A change of a command within an event, in units of its motor's range, that is a jump.
    pub const JUMP: f64 = 1e-6;

    /// Relative error per step where none is given.
    pub const RTOL: f64 = 1e-9;

    /// Absolute error per step where none is given, in units of each component.
    pub const ATOL: f64 = 1e-11;

    /// Relative error per step below which the method of order eight takes fewer evaluations.
    pub const HIGH_ORDER: f64 = 1e-8;
}
