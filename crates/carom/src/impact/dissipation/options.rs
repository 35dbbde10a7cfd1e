//! Parameters of the dissipation principle.

use crate::impact::error::{Field, ImpactError};

/// Parameters of the dissipation principle; the defaults are those of section 4.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DissipationOptions {
    /// v_s of the smoothed friction (4.10), in units of velocity: the slip speed at which μ − μ_min has fallen to 1/e.
    ///
    /// Default 1.4e-4 m/s (section 4.1; Table 2.1 has 1e-5). Useful range 1e-8 to 1e-1 of the contact velocities:
    /// a wider layer lets slow slip carry nearly static friction, a thinner one is a jump from μs to μd.
    pub slip_speed: f64,
    /// a of the smoothed friction (4.10), default 1. Useful range 0.2 to 5.
    pub exponent: f64,
    /// Velocity that counts as much as a unit of friction coefficient in the distance (4.4), default 1 m/s.
    ///
    /// It matters only where several contacts compete. In other units than SI, convert it with `slip_speed`.
    pub velocity_unit: f64,
    /// e*: energy allowed after the impact over that before, the constraint (5.9). `None` or a value above 1: none.
    pub energy_limit: Option<f64>,
    /// Number of regions after which the search over several contacts returns the best motion so far, default 20 000:
    /// of two contacts. One of n contacts counts (n/2)³ times, which is what it costs, and all sets of released contacts
    /// count together.
    ///
    /// A typical problem needs ten; thousands are needed where a wide layer (`slip_speed` near the contact velocities)
    /// meets spatial contacts. [`Certificate::bound`](super::Certificate::bound) tells what could still be gained.
    pub region_limit: usize,
}

impl Default for DissipationOptions {
    fn default() -> Self {
        Self {
            slip_speed: 1.4e-4,
            exponent: 1.0,
            velocity_unit: 1.0,
            energy_limit: None,
            region_limit: 20_000,
        }
    }
}

impl DissipationOptions {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), ImpactError> {
        positive("slip_speed", self.slip_speed)?;
        positive("exponent", self.exponent)?;
        positive("velocity_unit", self.velocity_unit)?;
        match self.energy_limit {
            Some(limit) => energy_limit(limit),
            None => Ok(()),
        }
    }

    /// e* if it binds: at most 1.
    pub fn binding_energy_limit(&self) -> Option<f64> {
        self.energy_limit.filter(|e| *e <= 1.0)
    }
}

/// Checks a limit e* on the energy: not negative.
pub fn energy_limit(value: f64) -> Result<(), ImpactError> {
    if value >= 0.0 {
        return Ok(());
    }
    Err(ImpactError::OutOfRange {
        field: Field::Law("energy_limit"),
        value,
        min: 0.0,
        max: f64::INFINITY,
    })
}

fn positive(name: &'static str, value: f64) -> Result<(), ImpactError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ImpactError::OutOfRange {
        field: Field::Law(name),
        value,
        min: f64::MIN_POSITIVE,
        max: f64::MAX,
    })
}
