//! What is known of one jump.

use carom_agility::JumpMeasure;

/// One jump of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Jump {
    /// Its number, from 0.
    pub sample: u64,
    /// The varied coordinates, in the order of the study.
    pub at: Vec<f64>,
    /// Largest acceleration of the point along its direction, m/s²; NaN if the posture cannot stand.
    pub capability: f64,
    /// The same along a straight line by the torque limits alone, the feet held, as in the capability
    /// equations of Flickinger 2011, m/s²; NaN if there is none.
    pub dce: f64,
    /// Why there is no `dce`; empty where there is one.
    pub no_dce: String,
    /// The measures.
    pub measure: JumpMeasure,
    /// Steps of the integrator; 0 if the simulation failed.
    pub steps: u64,
    /// Why the simulation ended.
    pub ended: String,
}
