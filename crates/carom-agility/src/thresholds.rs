//! All thresholds of this crate, with meaning and unit. One module for each file that uses them.

/// Constraints of postures.
pub(crate) mod constraints {
    /// A bound nearer than this is met, m or rad.
    pub const MET: f64 = 1e-9;
}

/// Footholds.
pub(crate) mod foothold {
    /// A slope below this fraction of the largest changes nothing.
    pub const NOTHING: f64 = 1e-9;

    /// Singular values of N, which is orthonormal, below this are zero.
    pub const RANK: f64 = 1e-12;
}

/// Climbs.
pub(crate) mod climb {
    /// Radius at which a climb ends, rad or m; below 1e-9 round-off decides whether a step is uphill.
    pub const RADIUS: f64 = 1e-8;

    /// Gain predicted with curvature, over the capability, at which a climb ends: round-off of the programs.
    pub const GAIN: f64 = 1e-11;
}

/// Newton's steps of climbs.
pub(crate) mod newton {
    /// Curvatures below this fraction of the largest are flat: the error of differences.
    pub const FLAT: f64 = 1e-6;

    /// Slopes below this fraction of the largest are zero.
    pub const LEVEL: f64 = 1e-9;

    /// A bound within this fraction of the radius is that of the box.
    pub const AT_EDGE: f64 = 1e-9;

    /// A force below this fraction of the largest is at the apex of its cone.
    pub const APEX: f64 = 1e-6;

    /// Singular values of rows of unit length below this are zero.
    pub const RANK: f64 = 1e-9;
}

/// Settling.
pub(crate) mod settle {
    /// Worst miss that is accepted, m or rad; round-off of the gaps is far below.
    pub const SETTLED: f64 = 1e-11;

    /// Violated heights are lifted to this, so that rounding does not let them fall below zero, m.
    pub const LIFT: f64 = 1e-12;

    /// How far beyond its range a coordinate is still at its end, rad or m.
    pub const WITHIN: f64 = 1e-14;

    /// Pivots of the slopes below this fraction are zero.
    pub const RANK: f64 = 1e-9;
}

/// Ends of climbs.
pub(crate) mod ends {
    /// A miss that moving the mechanism may add by round-off, m.
    pub const SAME_MISS: f64 = 1e-11;

    /// Capabilities that differ by less than this fraction are the same.
    pub const SAME: f64 = 1e-9;
}

/// Stationarity.
pub(crate) mod stationarity {
    /// Promise, as a fraction of a*, that counts as none.
    pub const PROMISE: f64 = 1e-8;
}

/// Mirror images.
pub(crate) mod mirror {
    /// Sine of an angle between directions that are the same.
    pub const STRAIGHT: f64 = 1e-6;
}

/// Curvatures.
pub(crate) mod curvature {
    /// Friction below this fraction of the largest force is none.
    pub const NO_FRICTION: f64 = 1e-9;
}

/// Reduction to torques.
pub(crate) mod reduce {
    /// Eigenvalues of the scaled G below this fraction of the largest are zero.
    pub const RANK: f64 = 1e-11;

    /// Accelerations, over their size, that no force of redundant contacts can explain.
    pub const CONTRADICTION: f64 = 1e-7;
}

/// The closed form.
pub(crate) mod closed_form {
    /// Rows with |E| below this fraction of the largest do not depend on a.
    pub const FLAT: f64 = 1e-13;
}

/// The largest acceleration.
pub(crate) mod largest {
    /// Multipliers below this fraction of the largest are those of constraints that do not matter.
    pub const IDLE: f64 = 1e-9;

    /// λₙ below this fraction of the largest force is the end of the contact.
    pub const APEX: f64 = 1e-9;
}

/// Differences.
pub(crate) mod evaluator {
    /// ε of central differences, rad or m: the cube root of round-off.
    pub const TWO_POINTS: f64 = 1e-5;
}

/// Sets of accelerations.
pub(crate) mod reach {
    /// Corners of a set whose constraints are all linear are exact to this fraction of its size.
    pub const CORNER: f64 = 1e-9;
}

/// Counts of freedoms.
pub(crate) mod problem {
    /// Singular values of rows of unit length below this fraction of the largest are zero.
    pub const RANK: f64 = 1e-9;
}

/// The dual simplex method.
pub(crate) mod simplex {
    /// Violations below this count as none; rows and variables have unit size.
    pub const FEASIBLE: f64 = 1e-12;

    /// Violations of a fresh solution below this are round-off.
    pub const ROUND_OFF: f64 = 1e-11;

    /// A violation that no exchange can mend is a contradiction above this, else round-off.
    pub const CONTRADICTION: f64 = 1e-9;

    /// Entries of α below this are zero.
    pub const PIVOT: f64 = 1e-9;

    /// How far multipliers may fall below zero for a better pivot; the objective has unit size.
    pub const SLACK: f64 = 1e-12;

    /// A multiplier below this, of an objective of unit size, is a step that leads nowhere.
    pub const STEP: f64 = 1e-14;
}

/// Cuts of cones.
pub(crate) mod cuts {
    /// Relative violation of a cone at which the polish is tried.
    pub const NEAR: f64 = 1e-7;

    /// Relative violation of a cone that is accepted when the polish does not hold.
    pub const EXACT: f64 = 1e-14;

    /// Half-spaces of one cone nearer than this angle would make the basis singular; they leave a relative
    /// violation of its square over eight.
    pub const ANGLE: f64 = 1e-6;
}

/// The interior-point method.
pub(crate) mod interior {
    /// Relative gap and residuals that end the iteration.
    pub const EXACT: f64 = 1e-11;

    /// Relative gap and residuals that are still an answer when round-off ends the iteration.
    pub const GOOD: f64 = 1e-6;

    /// Part of the largest diagonal that is added before factors are taken; refinement removes its effect.
    pub const LIFT: f64 = 1e-14;
}

/// The polish.
pub(crate) mod polish {
    /// λₙ below this fraction of the largest force is the apex of its cone.
    pub const APEX: f64 = 1e-6;

    /// Residual of (1) that counts as zero, and violation that is let pass.
    pub const ROUND_OFF: f64 = 1e-13;

    /// Pivots of scaled units below this are zero.
    pub const PIVOT: f64 = 1e-9;

    /// The same where the least change is sought.
    pub const RANK: f64 = 1e-10;

    /// Multipliers, of an objective of unit size, that are not negative.
    pub const SIGN: f64 = 1e-11;
}
