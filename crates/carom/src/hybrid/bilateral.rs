//! Bilateral rows: couplings between coordinates, and prescribed motions.
//!
//! ```text
//! φ_f = r φ_l + o,  φ = ratio q + offset on both sides           (1)
//! φ(t) given with its first two derivatives                      (2)
//! ```

use crate::control::Prescribed;
use crate::model::Model;

/// A bilateral row: its terms, and what it must be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bilateral {
    pub terms: [(usize, f64); 2],
    pub count: usize,
    /// Position, velocity and acceleration of the row.
    pub target: [f64; 3],
    /// Prescribed motions do work, couplings do not.
    pub prescribed: bool,
}

/// All bilateral rows of a model at time t: couplings, then prescribed motions.
pub(crate) fn bilaterals(
    model: &Model,
    prescribed: &[Prescribed],
    t: f64,
    rows: &mut Vec<Bilateral>,
) {
    rows.clear();
    let coordinates = model.coordinates();
    for c in model.couplings() {
        let terms = [
            (c.follower, coordinates[c.follower].ratio),
            (c.leader, -c.ratio * coordinates[c.leader].ratio),
        ];
        let offset =
            c.offset + c.ratio * coordinates[c.leader].offset - coordinates[c.follower].offset;
        rows.push(Bilateral { terms, count: 2, target: [offset, 0.0, 0.0], prescribed: false });
    }
    for p in prescribed {
        let c = &coordinates[p.dof];
        let mut target = p.at(t);
        target[0] -= c.offset;
        let terms = [(p.dof, c.ratio), (p.dof, 0.0)];
        rows.push(Bilateral { terms, count: 1, target, prescribed: true });
    }
}
