//! Free bodies that are set down at the start.
//!
//! # Rule
//! A free body is moved along gravity, d, until it, or what it carries, touches something; its orientation and all joints stay
//! as they are stated. The lowest body comes first, so that others come to stand on it.
//! ```text
//! gᵢ(s): gap of pair i after a shift by s d, a convex function of s                                  (1)
//! s ← s + minᵢ gᵢ(s)/cᵢ,   cᵢ = (gᵢ(s′) − gᵢ(s))/(s − s′),   s′ the shift before                      (2)
//! ```
//! A chord of a convex function reaches zero before the function does, so that (2) never goes too far, and it converges like
//! a secant method; the first step has cᵢ = 1, as no gap shrinks faster than the body moves. A pair whose gap does not shrink
//! will not touch. What overlaps at first is lifted until it does not.
//!
//! # Tests
//! `tests/settling.rs`: `eq2_sets_bodies_down`, `lowest_first`, `nothing_to_stand_on`.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::gap::gap;
use crate::parts::{PairPart, Parts};
use crate::read::view::View;
use crate::spec::run::INITIAL;
use crate::suggest::nearest;
use carom::dynamics::{Kinematics, kinematics};
use carom::model::{BodyId, JointKind, Model};
use carom::state::State;
use nalgebra::Vector3;

/// Steps of equation (2); ten are usual.
const MOST_STEPS: usize = 200;

/// Liftings of what overlaps.
const MOST_LIFTS: usize = 100;

/// A step of equation (2) is none below this share of the sizes of the numbers.
const NO_STEP: f64 = 4.0 * f64::EPSILON;

/// Gaps that are none, likewise.
const TOUCHING: f64 = 16.0 * f64::EPSILON;

/// A scene that is built, before it is checked.
pub(crate) struct Settling<'a> {
    pub parts: &'a Parts,
    pub ids: &'a [BodyId],
    pub model: &'a Model,
    pub pairs: &'a [PairPart],
}

impl Settling<'_> {
    /// Set down what the scene says.
    pub fn settle(&self, scene: &View<'_>, state: &mut State) -> Result<(), Flaw> {
        let Some(table) = scene.sub("initial", &INITIAL) else { return Ok(()) };
        let Some(node) = table.node("settle") else { return Ok(()) };
        let mut chosen = match node.list() {
            Some(_) => self.named(&table)?,
            None if table.flag("settle") == Some(true) => {
                self.ids.iter().copied().filter(|id| self.is_free(*id)).collect()
            }
            None => return Ok(()),
        };
        let g = self.model.gravity();
        let size = g.norm();
        if size == 0.0 {
            let because = "without gravity nothing is set down";
            return Err(table.not_here("settle", because, "leave it out, or state a gravity"));
        }
        let down = g / size;
        let kin = self.placed(state);
        let height = |id: &BodyId| -down.dot(&kin.pose(self.model, *id).r);
        chosen.sort_by(|a, b| height(a).total_cmp(&height(b)));
        for id in chosen {
            if !self.set_down(id, &down, state) {
                let because = format!("nothing that `{}` may touch lies below it", self.name(id));
                let instead = "name the bodies that are set down, or state a contact";
                return Err(table.not_here("settle", because, instead));
            }
        }
        Ok(())
    }

    fn name(&self, id: BodyId) -> &str {
        &self.model.body(id).name
    }

    fn is_free(&self, id: BodyId) -> bool {
        let body = self.model.body(id);
        body.parent.is_none() && matches!(body.joint.kind, JointKind::Free | JointKind::Planar)
    }

    fn named(&self, table: &View<'_>) -> Result<Vec<BodyId>, Flaw> {
        let list = table.node("settle").and_then(|n| n.list()).unwrap_or_default();
        let mut chosen = Vec::new();
        for node in list {
            let name = node.text().unwrap_or("");
            let place = self.parts.bodies.iter().position(|b| b.name == name);
            let id =
                place.map(|i| self.ids[i]).filter(|id| self.is_free(*id)).ok_or_else(|| {
                    let free = self.ids.iter().filter(|id| self.is_free(**id));
                    let suggestion = nearest(name, free.map(|id| self.name(*id)));
                    let (owner, what) = ("initial.settle".into(), "free body");
                    let name = crate::source::shorten(name);
                    Flaw::word(node.spot, Fault::UnknownName { owner, what, name, suggestion })
                })?;
            if !chosen.contains(&id) {
                chosen.push(id);
            }
        }
        Ok(chosen)
    }

    fn placed(&self, state: &State) -> Kinematics {
        let mut kin = Kinematics::new(self.model);
        kinematics(self.model, state.q.as_slice(), state.v.as_slice(), &mut kin);
        kin
    }

    /// Whether a body moves with another one.
    fn carries(&self, root: BodyId, body: Option<BodyId>) -> bool {
        let mut above = body;
        while let Some(id) = above {
            if id == root {
                return true;
            }
            above = self.model.body(id).parent;
        }
        false
    }

    /// Pairs of which one side, and not both, moves with the body; those under a condition are left out.
    fn outer_pairs(&self, root: BodyId) -> Vec<usize> {
        let crosses = |i: &usize| {
            let pair = &self.model.pairs()[*i];
            let [a, b] = [pair.a, pair.b].map(|f| self.carries(root, self.model.feature(f).body));
            a != b && !self.pairs[*i].bound
        };
        (0..self.model.pairs().len()).filter(crosses).collect()
    }

    /// Equation (2); whether the body touches something then.
    fn set_down(&self, id: BodyId, down: &Vector3<f64>, state: &mut State) -> bool {
        let pairs = self.outer_pairs(id);
        let along = self.model.body(id).joint.placement.R.tr_mul(down);
        let count = if self.model.body(id).joint.kind == JointKind::Free { 3 } else { 2 };
        let at = self.model.q_range(id).start;
        let origin: Vec<f64> = state.q.as_slice()[at..at + count].to_vec();
        let size = origin.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let mut gaps = |s: f64| -> Vec<f64> {
            for (k, x) in origin.iter().enumerate() {
                state.q[at + k] = x + s * along[k];
            }
            let kin = self.placed(state);
            pairs.iter().map(|&i| gap(self.model, &kin, &self.model.pairs()[i])).collect()
        };
        let least = |g: &[f64]| g.iter().copied().fold(f64::INFINITY, f64::min);
        let mut s = 0.0;
        let mut now = gaps(s);
        for _ in 0..MOST_LIFTS {
            if least(&now) >= 0.0 {
                break;
            }
            s += 2.0 * least(&now) - NO_STEP * size;
            now = gaps(s);
        }
        let mut rates = vec![1.0; pairs.len()];
        for _ in 0..MOST_STEPS {
            if least(&now) <= TOUCHING * size {
                return true;
            }
            let reach = now.iter().zip(&rates).filter(|(_, rate)| **rate > 0.0);
            let mut step = reach.map(|(g, rate)| g / rate).fold(f64::INFINITY, f64::min);
            if !step.is_finite() {
                return false;
            }
            let mut next = gaps(s + step);
            // Too far by round-off alone.
            while least(&next) < 0.0 && step > 0.0 {
                step = (step + 2.0 * least(&next) - NO_STEP * size).max(0.0);
                next = gaps(s + step);
            }
            if step == 0.0 {
                return true;
            }
            for (k, rate) in rates.iter_mut().enumerate() {
                *rate = (now[k] - next[k]) / step;
            }
            (s, now) = (s + step, next);
        }
        true
    }
}
