//! The energy ledger of a run, line by line.
//!
//! ```text
//! Σ stored = initial + Σ works + closure                                       (1)
//! ```
//! # Tests
//! `tests/document.rs`: `eq1_the_books_close`.

use crate::run::EnergyRecord;
use serde::Serialize;

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// What it is.
    pub label: String,
    /// Energy, J; losses are negative.
    pub value: f64,
    /// Always `J`.
    pub unit: &'static str,
    /// `work` done on the mechanism, or energy `stored` at the end.
    pub kind: &'static str,
}

/// The ledger, equation (1).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Books {
    /// Stored at the start, J.
    pub initial: f64,
    /// Works, then what is stored at the end.
    pub rows: Vec<Entry>,
    /// What the ledger does not explain, J.
    pub closure: f64,
}

impl Books {
    /// The books of a run; works that are zero have no line.
    pub fn new(energy: &EnergyRecord) -> Self {
        let mut rows = Vec::new();
        let mut add = |kind, label: String, value: f64| {
            if value != 0.0 || kind == "stored" {
                rows.push(Entry { label, value, unit: "J", kind });
            }
        };
        add("work", "applied forces".into(), energy.applied);
        add("work", "dampers".into(), energy.damping);
        add("work", "energy control".into(), energy.attenuation);
        add("work", "time steps".into(), energy.carried);
        for c in &energy.contacts {
            add("work", format!("{}: sliding", c.name), c.sliding);
            add("work", format!("{}: impacts, normal", c.name), c.impact_normal);
            add("work", format!("{}: impacts, friction", c.name), c.impact_friction);
        }
        add("stored", "kinetic at the end".into(), energy.kinetic);
        add("stored", "gravity at the end".into(), energy.gravity);
        add("stored", "springs at the end".into(), energy.spring);
        Self { initial: energy.initial, rows, closure: energy.closure }
    }
}
