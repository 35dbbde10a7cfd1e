//! All thresholds of this crate below 1e-5, with meaning and unit.

/// Error of a step, in units of the tolerance, below which its size says nothing about the next step.
pub(crate) const NO_ERROR: f64 = 1e-14;

/// Size below which products leave the range of numbers.
pub(crate) const VANISHES: f64 = 1e-280;

/// The first step.
pub(crate) mod first_step {
    /// Sizes of y and of its rate, in units of the tolerance, below which they give no guess.
    pub const NOTHING: f64 = 1e-5;
    /// The guess then, a fraction of the span.
    pub const GUESS: f64 = 1e-6;
    /// Rate, in units of the tolerance, that is none.
    pub const NO_RATE: f64 = 1e-15;
}

/// Steps that are steered.
pub(crate) mod steered {
    /// Change of an angle, rad, at which it stands.
    pub const STANDS: f64 = 1e-9;
    /// Angle by which B is a difference, rad.
    pub const DIFFERENCE: f64 = 1e-6;
}

/// Part of a step within which the zero of a guard without a derivative is known.
pub(crate) const UNSURE: f64 = 1e-8;

/// Shortest interval that is searched, a fraction of the step.
pub(crate) const SHORTEST: f64 = 1e-13;

/// Longest time by which guards are one event, a fraction of the interval.
pub(crate) const TOGETHER: f64 = 1e-9;

/// Relative change of a root of a quartic at which it is found.
pub(crate) const FOUND: f64 = 1e-12;

/// Correction of the time of an event, a fraction of the step, over which the flow is straight to round-off.
pub(crate) const STRAIGHT: f64 = 1e-8;
