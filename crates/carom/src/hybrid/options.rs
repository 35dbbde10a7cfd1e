//! Every tolerance of a run.

use super::outcome::Stop;
use crate::model::Model;
use crate::numeric::thresholds::run;
use crate::record::Ledger;
use carom_ode::Method;

/// When samples are recorded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Output {
    /// At every step of the integrator, and on both sides of every event.
    Steps,
    /// At multiples of this interval in seconds, from dense output, and on both sides of events.
    Interval(f64),
    /// On both sides of events only, and at start and end.
    Events,
}

/// How time passes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Scheme {
    /// From event to event, each located exactly.
    #[default]
    Events,
    /// In steps of one length, in which whatever happens happens together: see [`crate::stepping`].
    Moreau {
        /// Length of a step, s. Useful: a hundredth of the time that the motion of interest takes, and short enough that
        /// nothing moves further than its own size. Errors are of the order of it.
        step: f64,
    },
}

/// How a run is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How time passes. Default: from event to event.
    pub scheme: Scheme,
    /// Integration method; `None` takes Dormand–Prince down to rtol 1e-8 and DOP853 below.
    pub method: Option<Method>,
    /// Relative error per step of every coordinate and velocity. Default 1e-9; useful 1e-3 to
    /// 1e-13: above, events may be missed; below, round-off rules and steps fail.
    pub rtol: f64,
    /// Absolute error per step, in units of each component (m, rad, m/s, rad/s). Default 1e-11;
    /// useful rtol/1000 to rtol; 0 fails where a component is zero.
    pub atol: f64,
    /// Longest step, s. Default infinite.
    pub max_step: f64,
    /// When samples are recorded. Default: at every step.
    pub output: Output,
    /// Accumulating impacts end when the time that all further bounces would take,
    /// 2 e |uₙ| / (|g̈| (1 − e)), is below this fraction of the time since the start.
    /// Default `None`: rtol. Useful 1e-13 to 1e-4; larger ones change the motion visibly.
    pub zeno: Option<f64>,
    /// Events without time passing after which a time step carries on. Default 200.
    pub events_at_once: usize,
    /// Work of the events of a cluster within a hundredth of √(length/g), each counting the contacts that are closed, above which
    /// time steps carry it. Default 5 000; useful 100 to 1e6: more of it is followed exactly, and takes longer.
    pub events_in_a_rush: usize,
    /// Whether every rule of the safety net is a stop instead. Default false.
    pub strict: bool,
    /// How deep bodies may overlap at the start, m; they are put in touch then. Default `None`: by a
    /// few units of round-off.
    pub penetration: Option<f64>,
    /// Events after which a run is given up. Default ten million.
    pub max_events: u64,
    /// Whether the events of friction (slip stops, slip starts) are projected at the start of fixed steps instead of
    /// located, which is of first order. Only with [`Method::Rk4`]. Default false.
    pub projected_friction: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scheme: Scheme::Events,
            method: None,
            rtol: run::RTOL,
            atol: run::ATOL,
            max_step: f64::INFINITY,
            output: Output::Steps,
            zeno: None,
            events_at_once: 200,
            events_in_a_rush: 5_000,
            strict: false,
            penetration: None,
            max_events: 10_000_000,
            projected_friction: false,
        }
    }
}

impl Options {
    /// The method in force.
    pub fn method(&self) -> Method {
        self.method.unwrap_or(if self.rtol < run::HIGH_ORDER {
            Method::Dop853
        } else {
            Method::DormandPrince
        })
    }

    /// The step over which the events of friction are projected, if they are.
    pub(super) fn projected_step(&self) -> Option<f64> {
        match self.method {
            Some(Method::Rk4 { step }) if self.projected_friction => Some(step),
            _ => None,
        }
    }

    /// The Zeno fraction in force.
    pub fn zeno(&self) -> f64 {
        self.zeno.unwrap_or(self.rtol)
    }

    /// Whether steps have one length, whatever error they make.
    pub(super) fn steps_are_fixed(&self) -> bool {
        matches!(self.method, Some(Method::Rk4 { .. }))
    }

    /// The end of a run whose energies cannot be those of its scene:
    /// ```text
    /// rtol T > |E₀| + |V| + |W| + m g · 1 m     runaway: impacts have made it, and the scene is lost in it     (1)
    /// |C| or what events made > its bound       open ledger                                                   (2)
    /// ```
    /// (1) speaks of laws that may gain by their definition (Newton's with friction, kinematic, kinetic, matrix): between walls that are
    /// near each other they can do so at every impact, ever faster, until positions within one step are round-off.
    pub(super) fn broken_books(&self, ledger: &Ledger, model: &Model, t: f64) -> Option<Stop> {
        let tolerance = self.rtol.max(self.atol);
        let given = ledger.turnover() - ledger.kinetic.abs();
        let most = (given + self.work_tolerance(model) / tolerance) / tolerance;
        if ledger.kinetic > most {
            return Some(Stop::Runaway { t, kinetic: ledger.kinetic, bound: most });
        }
        let bound = self.ledger_bound(ledger, model);
        let open = |e: &f64| e.abs() > bound;
        let closure = [self.unexplained(ledger), ledger.made].into_iter().find(open)?;
        Some(Stop::OpenLedger { t, closure, bound })
    }

    /// What of the closure of a ledger is bounded, J: equation (2) of [`crate::record::Ledger`].
    pub(super) fn unexplained(&self, ledger: &Ledger) -> f64 {
        if self.steps_are_fixed() { ledger.opened } else { ledger.closure() }
    }

    /// Absolute tolerance of works, J: that of the weight, moved by a metre.
    pub(super) fn work_tolerance(&self, model: &Model) -> f64 {
        let weight = model.moving_mass().max(f64::EPSILON) * model.gravity().norm().max(1.0);
        self.rtol.max(self.atol) * weight
    }

    /// How far a ledger may be open, J: a thousand times what the tolerances make of the energies that were turned over, and
    /// what a step may make of works that are nearly none.
    pub(super) fn ledger_bound(&self, ledger: &Ledger, model: &Model) -> f64 {
        1e3 * self.rtol.max(self.atol) * ledger.turnover() + self.work_tolerance(model)
    }
}
