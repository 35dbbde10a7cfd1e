//! Postures made of known optima: a limb of one is put into another, or thrown anew.
//!
//! A mechanism with several limbs has an optimum for nearly every combination of the ways in which each
//! limb can be folded. Random starts would have to draw all limbs right at once; a hop changes one limb and
//! lets the climb mend the rest, so that what was found for one limb is kept.

use super::constraints::Constraints;
use super::sample::{Stream, somewhere};
use carom::dynamics::integrate;
use carom::model::Model;
use carom::model::tree::WORLD;

/// Optima that hops start from: the best so many.
const PARENTS: f64 = 6.0;

/// A posture near one of the `known`, which are sorted, best first.
pub(super) fn hop(
    stream: &mut Stream,
    model: &Model,
    constraints: &Constraints,
    known: &[Vec<f64>],
) -> Vec<f64> {
    let most = PARENTS.min(known.len() as f64);
    // The square prefers the better ones.
    let parent = &known[(stream.unit().powi(2) * most) as usize];
    let links = &model.tree().links;
    let link = (stream.unit() * links.len() as f64) as usize;
    let donor = &known[(stream.unit() * known.len() as f64) as usize];
    let cross = stream.unit() < 0.5;
    let mut turn = vec![0.0; model.nv()];
    for dof in 0..model.nv() {
        let thrown = somewhere(stream, model, constraints, parent, dof);
        let of = model.tree().nodes[dof].link;
        // A root is moved alone: its subtree is everything.
        let moved = of == link || (links[link].parent != WORLD && below(model, of, link));
        if !moved || !constraints.varied(dof) {
            continue;
        }
        turn[dof] = match model.q_of_v()[dof] {
            Some(at) if cross => donor[at] - parent[at],
            _ => thrown,
        };
    }
    let mut q = parent.to_vec();
    integrate::step(model, parent, &turn, &mut q);
    q
}

/// Whether a link hangs on another.
fn below(model: &Model, mut link: usize, root: usize) -> bool {
    while link != WORLD {
        if link == root {
            return true;
        }
        link = model.tree().links[link].parent;
    }
    false
}
