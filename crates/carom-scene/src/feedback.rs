//! Forces and conditions by expressions, as a scene states them and as a simulation takes them.
//!
//! Expressions are of t, `q.COORDINATE` and `v.COORDINATE`, the columns of a recording.
//!
//! ```text
//! at a joint:  τ = ratio × F          at a point x of a body:  τ = J_xᵀ F                (1)
//! ```
//! F is the force at the joint, or along the axes of the world. Tests: `tests/expressions.rs`.

use crate::expression::{ExpressionError, Formula};
use carom::control::{Bounds, Condition, ForceLaw, Margin};
use carom::dynamics::Kinematics;
use carom::dynamics::jacobian::frame_jacobian;
use carom::model::{BodyId, Model};
use nalgebra::{DMatrix, Vector3};

/// What a force acts on.
#[derive(Debug, Clone, PartialEq)]
pub enum Acting {
    /// A degree of freedom, by one expression.
    Joint {
        /// Index into v.
        dof: usize,
    },
    /// A point of a body, by three expressions.
    Body {
        /// The body.
        body: BodyId,
        /// The point in its frame, m.
        point: Vector3<f64>,
    },
}

/// A force of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneForce {
    /// Its name.
    pub name: String,
    /// What it acts on.
    pub acting: Acting,
    /// Its components: one at a joint, three at a body.
    pub formulas: Vec<Formula>,
}

/// A condition on contacts of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneCondition {
    /// Places of its pairs in the model.
    pub pairs: Vec<usize>,
    /// What it bounds.
    pub bounds: Bounds,
    /// The expression as it is written.
    pub text: String,
    /// The same, ready to be evaluated.
    pub formula: Formula,
}

/// Names that expressions of a scene may use, in the order of their values.
pub(crate) fn names(model: &Model) -> Vec<String> {
    let q = model.q_names().into_iter().map(|name| format!("q.{name}"));
    let v = model.v_names().into_iter().map(|name| format!("v.{name}"));
    std::iter::once("t".to_string()).chain(q).chain(v).collect()
}

/// An expression over the names of a model.
pub(crate) fn formula(text: &str, model: &Model) -> Result<Formula, ExpressionError> {
    Formula::of_names(text, &names(model))
}

fn fill(values: &mut Vec<f64>, t: f64, (q, v): (&[f64], &[f64])) {
    values.clear();
    values.push(t);
    values.extend_from_slice(q);
    values.extend_from_slice(v);
}

impl SceneForce {
    /// The force for a run.
    pub fn law(&self, model: &Model) -> impl ForceLaw + use<> {
        let values = Vec::with_capacity(1 + model.nq() + model.nv());
        Acts { force: self.clone(), values, J: DMatrix::zeros(6, model.nv()) }
    }
}

impl SceneCondition {
    /// The condition for a run.
    pub fn condition(&self, model: &Model) -> Condition<'static> {
        let values = Vec::with_capacity(1 + model.nq() + model.nv());
        let margin = Holds { formula: self.formula.clone(), values };
        Condition {
            pairs: self.pairs.iter().map(|&i| model.pair_id(i)).collect(),
            bounds: self.bounds,
            margin: Box::new(margin),
        }
    }
}

struct Acts {
    force: SceneForce,
    values: Vec<f64>,
    J: DMatrix<f64>,
}

impl ForceLaw for Acts {
    fn add(
        &mut self,
        t: f64,
        state: (&[f64], &[f64]),
        (model, kin): (&Model, &Kinematics),
        tau: &mut [f64],
    ) {
        fill(&mut self.values, t, state);
        let component = |k: usize| self.force.formulas[k].value(&self.values);
        match self.force.acting {
            Acting::Joint { dof } => tau[dof] += model.coordinates()[dof].ratio * component(0),
            Acting::Body { body, point } => {
                let F = [component(0), component(1), component(2)];
                let x = kin.pose(model, body).point(&point);
                self.J.fill(0.0);
                frame_jacobian(model, kin, body, &x, &mut self.J);
                for (j, tau) in tau.iter_mut().enumerate() {
                    // Angular rows come first.
                    *tau += (0..3).map(|k| self.J[(3 + k, j)] * F[k]).sum::<f64>();
                }
            }
        }
    }
}

struct Holds {
    formula: Formula,
    values: Vec<f64>,
}

impl Margin for Holds {
    fn value(&mut self, t: f64, state: (&[f64], &[f64]), _: (&Model, &Kinematics)) -> f64 {
        fill(&mut self.values, t, state);
        self.formula.margin(&self.values)
    }
}
