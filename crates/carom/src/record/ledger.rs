//! The energy ledger: where every joule went.
//!
//! ```text
//! T + V_gravity + V_spring = E₀ + W_applied − D_dampers + W_attenuation + W_steps
//!                               + Σ (flow friction + impact works)                            (1)
//! ```
//! Works are signed as done on the mechanism, so losses are negative. The right side is summed
//! along the run, the left side computed from the state: their difference is the closure C.
//!
//! ```text
//! C = C_flow + C_events                                                                        (2)
//! ```
//! C_events is the sum of what C changed by across events, where no time passes: a sound event moves no joule that is not
//! booked, whatever the method. C_flow is the error of the method. Where the step is chosen by an error estimate, C as a
//! whole is bounded by the tolerance; a fixed step promises a power of its length and no size, so that C_flow is told as
//! a number and only C_events is bounded.
//!
//! Tests: `tests/hybrid_random.rs`: `eq1_ledger_closes`; `tests/fixed_step.rs`: `eq2_the_error_of_a_fixed_step_is_told`,
//! `eq2_energy_made_at_an_event_is_a_fault`, `eq2_energy_made_anywhere_is_a_fault`.

/// Work done on the mechanism at one contact site, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SiteWork {
    /// Friction while sliding.
    pub sliding: f64,
    /// Normal impulses.
    pub impact_normal: f64,
    /// Friction impulses.
    pub impact_friction: f64,
}

impl SiteWork {
    /// Sum of all.
    pub fn total(&self) -> f64 {
        self.sliding + self.impact_normal + self.impact_friction
    }
}

/// Energies now and works so far, J.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ledger {
    /// Stored energy at the start.
    pub initial: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Energy in the field of gravity.
    pub gravity: f64,
    /// Energy in joint springs.
    pub spring: f64,
    /// Work of actuators, user forces and prescribed motions.
    pub applied: f64,
    /// The part of it that prescribed motions did by impulses: they keep their velocity through an impact.
    pub jolts: f64,
    /// Work of joint dampers, ≤ 0.
    pub damping: f64,
    /// Work of energy control by attenuation, ≤ 0: no contact takes it up.
    pub attenuation: f64,
    /// What time steps that carried clusters over, velocities returned to zero at events, and bodies put
    /// in touch at the start made (+) or lost (−).
    pub carried: f64,
    /// What of it was made, ≥ 0, but for bodies put in touch at the start: energy from nowhere, which must be small.
    pub made: f64,
    /// C_events of equation (2), followed where the step is fixed.
    pub opened: f64,
    /// One per site.
    pub sites: Vec<SiteWork>,
    /// Contacts of groups that are not written out as sites.
    pub groups: SiteWork,
}

impl Ledger {
    /// An empty ledger for so many sites.
    pub fn new(sites: usize) -> Self {
        Self { sites: vec![SiteWork::default(); sites], ..Self::default() }
    }

    /// Forget everything but the number of sites.
    pub fn clear(&mut self) {
        let mut sites = std::mem::take(&mut self.sites);
        sites.fill(SiteWork::default());
        *self = Self { sites, ..Self::default() };
    }

    /// Stored energy: kinetic, gravity and springs.
    pub fn stored(&self) -> f64 {
        self.kinetic + self.gravity + self.spring
    }

    /// Work at all contacts.
    pub fn contact_work(&self) -> f64 {
        self.sites.iter().map(SiteWork::total).sum::<f64>() + self.groups.total()
    }

    /// Size of the energies that equation (1) speaks of, J: what there was, is, and was given. Works of
    /// contacts are no part of it: they cannot be larger, and if they are something is wrong.
    pub fn turnover(&self) -> f64 {
        let given = [self.initial, self.kinetic, self.gravity, self.spring, self.applied];
        given.iter().map(|e| e.abs()).sum()
    }

    /// Energy that a time step or a return of velocities made or lost, J.
    pub fn carry(&mut self, energy: f64) {
        self.carried += energy;
        self.made += energy.max(0.0);
    }

    /// Left side minus right side of equation (1), J.
    pub fn closure(&self) -> f64 {
        self.stored()
            - (self.initial + self.applied + self.damping)
            - (self.attenuation + self.carried + self.contact_work())
    }

    /// Energy lost since the start, J: what is no longer stored and was not taken out by forces.
    pub fn lost(&self) -> f64 {
        -(self.damping + self.attenuation + self.carried + self.contact_work())
    }
}
