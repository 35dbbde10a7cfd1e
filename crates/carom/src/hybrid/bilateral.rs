//! Bilateral rows: couplings between coordinates, prescribed motions, and the equations of loops.
//!
//! ```text
//! φ_f = r φ_l + o,  φ = ratio q + offset on both sides           (1)
//! φ(t) given with its first two derivatives                      (2)
//! φ = 0 with φ̈ = J v̇ + γ, see crate::dynamics::loops            (3)
//! ```
//! All are J v̇ = target: in forces, in impacts (where they are eliminated), in projections, in time steps.

use crate::control::Prescribed;
use crate::dynamics::Kinematics;
use crate::dynamics::jacobian::VelocityProducts;
use crate::dynamics::loops::{LoopRow, LoopRows};
use crate::model::Model;

/// What J of a bilateral row is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// A combination of up to two joint rates.
    Joints { terms: [(usize, f64); 2], count: usize },
    /// An equation of a loop: which, and its row.
    Loop(usize, LoopRow),
}

/// A bilateral row: its form, where it is, and what it must be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bilateral {
    pub form: Form,
    /// Position of the row.
    pub value: f64,
    /// Size of the numbers that it is a sum of.
    pub size: f64,
    /// Position, velocity and acceleration J v̇ that the row must have.
    pub target: [f64; 3],
    /// Prescribed motions do work, couplings and loops do not.
    pub prescribed: bool,
}

impl Bilateral {
    /// A row of joint rates.
    fn joints(
        (model, q): (&Model, &[f64]),
        (terms, count): ([(usize, f64); 2], usize),
        target: [f64; 3],
        prescribed: bool,
    ) -> Self {
        let places = model.q_of_v();
        let term = |&(dof, c): &(usize, f64)| places[dof].map_or(0.0, |at| c * q[at]);
        let value: f64 = terms.iter().map(term).sum();
        let size = terms.iter().map(|t| term(t).abs()).sum::<f64>() + target[0].abs();
        Self { form: Form::Joints { terms, count }, value, size, target, prescribed }
    }
}

/// All bilateral rows of a model at time t, in the order of [`joined`]: couplings, prescribed motions, loops.
/// Poses, twists and velocity products must belong to the state.
pub(crate) fn bilaterals(
    (model, prescribed): (&Model, &[Prescribed]),
    (kin, products): (&Kinematics, &VelocityProducts),
    (t, q): (f64, &[f64]),
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
        rows.push(Bilateral::joints((model, q), (terms, 2), [offset, 0.0, 0.0], false));
    }
    for p in prescribed {
        let c = &coordinates[p.dof];
        let mut target = p.at(t);
        target[0] -= c.offset;
        let terms = [(p.dof, c.ratio), (p.dof, 0.0)];
        rows.push(Bilateral::joints((model, q), (terms, 1), target, true));
    }
    for (i, one) in model.loops().iter().enumerate() {
        let equations = LoopRows::new(model, (kin, products), one);
        equations.visit(model.moves_in_plane(), |row| {
            let target = [0.0, 0.0, -row.gamma];
            let (value, size) = (row.value, row.size);
            let form = Form::Loop(i, row);
            rows.push(Bilateral { form, value, size, target, prescribed: false });
        });
    }
}

/// The two ends of every bilateral row: degrees of freedom on whose parts it acts; none is the world.
pub(crate) fn joined(model: &Model, prescribed: &[Prescribed]) -> Vec<[Option<usize>; 2]> {
    let mut ends = Vec::new();
    ends.extend(model.couplings().iter().map(|c| [Some(c.follower), Some(c.leader)]));
    ends.extend(prescribed.iter().map(|p| [Some(p.dof), None]));
    for one in model.loops() {
        let tree = model.tree();
        let dof = |body: crate::model::BodyId| tree.links.get(tree.seats[body.index()].link);
        let both = one.bodies().map(|body| body.and_then(dof).map(|link| link.v));
        let count = LoopRows::count(&one.kind, model.moves_in_plane());
        ends.extend(std::iter::repeat_n(both, count));
    }
    ends
}
