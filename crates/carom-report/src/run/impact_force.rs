//! Forces of the impacts of a run, in newtons, for impacts of a stated duration ε.
//!
//! An impact of the engine takes no time and has impulses only. Over a duration ε the same impulses are
//! ```text
//! F̄ = p/ε                                                                       (1)
//! ```
//! the mean forces. The least forces that push and whose work over the mean displacement ε (v⁻ + v⁺)/2 is the change of
//! energy, Flickinger 2011 (3.22)–(3.26), are those of [`carom::impact::force`]:
//! ```text
//! min FᵀGF,   T⁺ − T⁻ = (J ε (v⁻ + v⁺)/2)·F,   0 ≤ Fₙ                           (2)
//! ```
//! Both are proportional to 1/ε. (2) explains the energy, not the impulse: an elastic impact has none.
//!
//! # Tests
//! `tests/impact_forces.rs`: `eq1_mean_forces`, `eq2_least_forces`.

use super::event_line::EventLine;
use carom::contact::{Site, sites};
use carom::hybrid::impact_problem;
use carom::impact::force::{Displacement, Rates, impact_force};
use carom::model::Model;
use nalgebra::DVector;
use serde::{Deserialize, Serialize};

/// Forces of one contact in an impact, N.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForceLine {
    /// Mean tangential force, (1).
    pub mean_tangent: Vec<f64>,
    /// Mean normal force, (1).
    pub mean_normal: f64,
    /// Least tangential force, (2); none where no push has the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_tangent: Option<Vec<f64>>,
    /// Least normal force, (2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_normal: Option<f64>,
}

/// Estimates the forces of the impacts of a model.
#[derive(Debug, Clone)]
pub struct ImpactForces {
    model: Model,
    sites: Vec<Site>,
    duration: f64,
}

impl ImpactForces {
    /// For impacts of so many seconds, > 0.
    pub fn new(model: &Model, duration: f64) -> Self {
        Self { sites: sites(model), model: model.clone(), duration }
    }

    /// Adds forces to the contacts of an event in which velocities jumped; others have none.
    pub fn estimate(&self, event: &mut EventLine) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let fits = [event.velocity_before.len(), event.velocity_after.len()] == [nv; 2];
        if !event.is_jump() || event.q.len() != nq || !fits {
            return;
        }
        let found = |name: &str| self.sites.iter().find(|site| site.name == name);
        let touching: Option<Vec<&Site>> = event.contacts.iter().map(|c| found(&c.name)).collect();
        let least = touching.and_then(|sites| self.least(event, &sites));
        let mut first = 0;
        for c in &mut event.contacts {
            let tangents = c.impulse_tangent.len();
            let rows = least.as_ref().and_then(|f| f.get(first..first + tangents + 1));
            first += tangents + 1;
            c.force = Some(ForceLine {
                mean_tangent: c.impulse_tangent.iter().map(|p| p / self.duration).collect(),
                mean_normal: c.impulse_normal / self.duration,
                least_tangent: rows.map(|rows| rows[..tangents].to_vec()),
                least_normal: rows.map(|rows| rows[tangents]),
            });
        }
    }

    /// The forces (2) of all rows, tangents before the normal, contact by contact.
    fn least(&self, event: &EventLine, sites: &[&Site]) -> Option<Vec<f64>> {
        let problem = impact_problem(&self.model, sites, (&event.q, &event.velocity_before));
        let after = DVector::from_column_slice(&event.velocity_after);
        let displacement = Displacement::MeanVelocity { duration: self.duration };
        let found = impact_force(&problem, &after, &displacement, &Rates::default()).ok()?;
        Some(found.force.as_slice().to_vec())
    }
}
