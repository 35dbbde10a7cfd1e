//! Capability over two coordinates: the field of figure 6.1.
//!
//! Each posture has the two coordinates given and is put on the ground by the least change of the
//! others; where that fails, or where no torques keep the contacts, the field has a hole.

use crate::capability::evaluator::Evaluator;
use crate::capability::largest::{Capability, capability};
use crate::capability::stance::Stance;
use crate::error::AgilityError;
use crate::posture::{Constraints, settle};
use crate::threads;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One axis of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapAxis {
    /// The degree of freedom (place in v); it must have a coordinate of its own.
    pub dof: usize,
    /// First value of the coordinate, rad or m.
    pub from: f64,
    /// Last value.
    pub to: f64,
    /// How many values, at least one.
    pub count: usize,
}

impl MapAxis {
    /// The value at place `i`.
    pub fn value(&self, i: usize) -> f64 {
        if self.count < 2 {
            return self.from;
        }
        let s = i as f64 / (self.count - 1) as f64;
        self.from * (1.0 - s) + self.to * s
    }
}

/// One point of a map.
#[derive(Debug, Clone)]
pub struct MapPoint {
    /// Values of the two coordinates.
    pub at: [f64; 2],
    /// Posture and capability, or why there is none.
    pub result: Result<(Vec<f64>, Capability), AgilityError>,
}

/// The field, the second axis running fastest; the degrees of freedom in `fixed` keep their values,
/// the others put the contacts on the ground. `progress` hears how many points are done.
pub fn capability_map(
    stance: &Stance<'_>,
    q: &[f64],
    (axes, fixed): ([MapAxis; 2], &[usize]),
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<MapPoint>, AgilityError> {
    let model = stance.model();
    for axis in &axes {
        if model.q_of_v().get(axis.dof).copied().flatten().is_none() {
            return Err(AgilityError::Coordinate { index: axis.dof });
        }
    }
    let kept: Vec<usize> = fixed.iter().copied().chain(axes.map(|a| a.dof)).collect();
    let constraints = Constraints::new(stance, &kept)?;
    let total = axes[0].count * axes[1].count;
    let done = AtomicUsize::new(0);
    let point = |evaluator: &mut Evaluator<'_, '_>, i: usize| {
        let at = [axes[0].value(i / axes[1].count), axes[1].value(i % axes[1].count)];
        let mut posture = q.to_vec();
        for (axis, value) in axes.iter().zip(at) {
            if let Some(place) = model.q_of_v()[axis.dof] {
                posture[place] = value;
            }
        }
        let inside = axes.iter().zip(at).all(|(axis, value)| {
            let span = constraints.span(axis.dof);
            span.lower <= value && value <= span.upper
        });
        let result = if inside {
            field(evaluator, &constraints, &posture)
        } else {
            Err(AgilityError::BeyondLimits { values: at })
        };
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        MapPoint { at, result }
    };
    threads::on(threads, || {
        (0..total).into_par_iter().map_init(|| Evaluator::new(stance), point).collect()
    })
}

fn field(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    q: &[f64],
) -> Result<(Vec<f64>, Capability), AgilityError> {
    let q = settle(evaluator, constraints, q)?;
    let rest = vec![0.0; evaluator.stance().model().nv()];
    let found = capability(&evaluator.problem(0.0, &q, &rest))?;
    Ok((q, found))
}
