//! Contact as a succession of impacts, the sources' own way, as far as they tell it.
//!
//! # Law
//! ```text
//! while a wheel stays on the ground, every τ seconds:  T⁺ = e* T⁻, v⁺ = √e* v⁻                 (1)
//! ```
//! A contact that lasts is hit again and again; each of these impacts has no approach velocity, so that restitution and
//! stick change nothing, but the energetic coefficient (5.2) takes its share every time. τ is not stated. Between the
//! impacts the wheel rolls as in any run. The true motion up to the first lasting contact is taken over.
//!
//! # Source
//! Flickinger 2011, sections 2.2 and 5.1; Flickinger & Bowling 2009, section I.
//!
//! # Tests
//! `tests/flickinger_bicycle.rs`: `eq1_succession_takes_its_share`.

use super::contact::along;
use super::setting::Setting;
use crate::error::Trouble;
use crate::flickinger::case::{Case, Row};
use crate::flickinger::control::Control;

/// Times τ between two impacts of a lasting contact that are tried, s.
pub const PAUSES: [f64; 3] = [0.002, 0.01, 0.1];

/// Kinetic energies that may count as rest, as shares of the largest: gravity starts the bicycle again after each impact,
/// so that it never stops altogether, and the text does not say what it calls rest. Every power of ten between the
/// relative tolerance of the runs, below which nothing is known, and a tenth, above which nobody would speak of rest.
pub const RESTS: [f64; 8] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1];

/// For how long it must be at rest at the end, s, five times the longest pause: just after an impact it always is.
const LEAST: f64 = 0.5;

/// Where a run with a succession of impacts ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Succession {
    /// Distance from the start along the slope, m.
    pub travelled: f64,
    /// Largest kinetic energy of the last half second, as a share of the largest of the run.
    pub left: f64,
    /// How many impacts of lasting contacts there were.
    pub impacts: usize,
}

impl Succession {
    /// Goes on from the first lasting contact of a run to its end.
    pub fn after(setting: &Setting, case: &Case, pause: f64) -> Result<Self, Trouble> {
        let (Some(first), Some(last)) = (case.rows.first(), case.rows.last()) else {
            return Ok(Self { travelled: f64::NAN, left: f64::NAN, impacts: 0 });
        };
        let most = case.rows.iter().fold(0.0, |m: f64, r| m.max(r.kinetic));
        let share = match setting.control {
            Control::Attenuation(limit) => limit.min(1.0),
            _ => 1.0,
        };
        let mut row = lasting(case).unwrap_or(last).clone();
        let mut left = 0.0_f64;
        let mut impacts = 0;
        while row.t < setting.until - 1e-9 {
            let closed = row.modes.iter().any(|m| m.is_closed());
            impacts += usize::from(closed);
            let v = row.v.iter().map(|v| if closed { v * share.sqrt() } else { *v }).collect();
            let step = pause.min(setting.until - row.t);
            row = setting.step(&case.scene, Row { v, ..row }, step)?;
            if row.t >= setting.until - LEAST {
                left = left.max(row.kinetic / most);
            }
        }
        let travelled = along(&row, setting.slope) - along(first, setting.slope);
        Ok(Self { travelled, left, impacts })
    }
}

/// The first sample from which on a wheel stays on the ground until the next sample.
fn lasting(case: &Case) -> Option<&Row> {
    let stays = |w: &&[Row]| {
        let both = w[0].modes.iter().zip(&w[1].modes);
        w[1].t - w[0].t > 0.005 && both.clone().any(|(a, b)| a.is_closed() && b.is_closed())
    };
    case.rows.windows(2).find(stays).map(|w| &w[0])
}
