//! Where a posture may be: feet on the ground, everything else above it, joints within their limits.

use crate::capability::evaluator::{Evaluator, add_site_row};
use crate::capability::stance::Stance;
use crate::error::AgilityError;
use crate::thresholds::constraints::MET;
use carom::contact::{Site, SiteGeometry, sites};
use carom::dynamics::jacobian::add_point_row;
use carom::dynamics::loops::LoopRows;
use carom::model::tree::WORLD;
use carom::model::{BodyId, Model};
use nalgebra::{DMatrix, DVector, Vector3};

/// The range of one degree of freedom, in its own coordinate; infinite where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// A point of a body that must stay above a plane of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Above {
    body: BodyId,
    point: Vector3<f64>,
    origin: Vector3<f64>,
    normal: Vector3<f64>,
}

/// H, K and the limits of equation (1).
#[derive(Debug, Clone)]
pub struct Constraints {
    others: Vec<Site>,
    above: Vec<Above>,
    spans: Vec<Span>,
    assumed: Vec<bool>,
    varied: Vec<bool>,
}

/// A bound of the posture that holds with equality.
#[derive(Debug, Clone, PartialEq)]
pub enum PostureLimit {
    /// A degree of freedom at the lower end of its range.
    Lower(usize),
    /// A degree of freedom at the upper end of its range.
    Upper(usize),
    /// A contact that is not kept, but touches.
    Gap(String),
    /// The joint of a body on the ground.
    Joint(BodyId),
    /// The centre of mass of a body on the ground.
    Centre(BodyId),
}

/// Values and slopes of H (then ties) and K in one posture.
#[derive(Debug, Clone)]
pub struct Local {
    /// H: gaps of the feet, then how far ties are off, then loops.
    pub equal: DVector<f64>,
    /// ∂H/∂q, one row each.
    pub equal_rows: DMatrix<f64>,
    /// K.
    pub clear: DVector<f64>,
    /// ∂K/∂q, one row each.
    pub clear_rows: DMatrix<f64>,
}

impl Constraints {
    /// Those of a stance; the coordinates (by place in v) in `fixed` keep their values.
    pub fn new(stance: &Stance<'_>, fixed: &[usize]) -> Result<Self, AgilityError> {
        let model = stance.model();
        let mut varied = vec![true; model.nv()];
        for &index in fixed {
            *varied.get_mut(index).ok_or(AgilityError::Coordinate { index })? = false;
        }
        for motion in stance.motions() {
            varied[motion.dof] = false;
        }
        let feet: Vec<&str> = stance.contacts().iter().map(|s| s.name.as_str()).collect();
        let apart = |site: &Site| site.pair.is_some() && !feet.contains(&site.name.as_str());
        Ok(Self {
            others: sites(model).into_iter().filter(apart).collect(),
            above: above(stance),
            spans: (0..model.nv()).map(|dof| span(model, dof)).collect(),
            assumed: vec![false; model.nv()],
            varied,
        })
    }

    /// Keep joints without limits that have springs or lead others within half a turn of `q`: springs could
    /// be wound up without end. Postures of other joints only repeat after a turn, which needs no bound.
    pub fn within_half_a_turn(mut self, model: &Model, q: &[f64]) -> Self {
        let tied =
            |dof: usize| model.couplings().iter().any(|c| c.follower == dof || c.leader == dof);
        for (dof, span) in self.spans.iter_mut().enumerate() {
            let Some(at) = model.q_of_v()[dof].filter(|_| model.tree().nodes[dof].turns) else {
                continue;
            };
            let c = &model.coordinates()[dof];
            if c.spring.is_none() && !tied(dof) {
                continue;
            }
            let half = std::f64::consts::PI / c.ratio.abs();
            if span.lower == f64::NEG_INFINITY {
                (span.lower, self.assumed[dof]) = (q[at] - half, true);
            }
            if span.upper == f64::INFINITY {
                (span.upper, self.assumed[dof]) = (q[at] + half, true);
            }
        }
        self
    }

    /// Whether an end of the range of a degree of freedom is not stated but assumed.
    pub fn assumed(&self, dof: usize) -> bool {
        self.assumed[dof]
    }

    /// Bounds that hold with equality in the posture `q`, within 1e-9 m or rad.
    pub fn limits_met(&self, evaluator: &mut Evaluator<'_, '_>, q: &[f64]) -> Vec<PostureLimit> {
        let model = evaluator.stance().model();
        evaluator.place(0.0, q, &vec![0.0; model.nv()]);
        let local = self.local(evaluator, q);
        let mut met = Vec::new();
        for (dof, at) in model.q_of_v().iter().enumerate() {
            let Some(at) = at.filter(|_| self.varied[dof]) else { continue };
            let span = self.spans[dof];
            if q[at] - span.lower <= MET {
                met.push(PostureLimit::Lower(dof));
            } else if span.upper - q[at] <= MET {
                met.push(PostureLimit::Upper(dof));
            }
        }
        for i in (0..local.clear.len()).filter(|&i| local.clear[i] <= MET) {
            met.push(match self.others.get(i) {
                Some(site) => PostureLimit::Gap(site.name.clone()),
                None => match &self.above[i - self.others.len()] {
                    a if a.point == Vector3::zeros() => PostureLimit::Joint(a.body),
                    a => PostureLimit::Centre(a.body),
                },
            });
        }
        met.dedup();
        met
    }

    /// The range of a degree of freedom.
    pub fn span(&self, dof: usize) -> Span {
        self.spans[dof]
    }

    /// Whether a degree of freedom may change.
    pub fn varied(&self, dof: usize) -> bool {
        self.varied[dof]
    }

    /// H and K at the posture where the evaluator was placed, which is `q`.
    pub(super) fn local(&self, evaluator: &Evaluator<'_, '_>, q: &[f64]) -> Local {
        let stance = evaluator.stance();
        let (model, kin) = (stance.model(), evaluator.kinematics());
        let n = model.nv();
        let rest = vec![0.0; n];
        let mut row = vec![0.0; n];
        let (feet, ties) = (stance.contacts(), model.couplings());
        let mut loops = Vec::new();
        for one in model.loops() {
            let equations = LoopRows::new(model, (kin, evaluator.products()), one);
            equations.visit(model.moves_in_plane(), |row| loops.push(row));
        }
        let mut equal = DVector::zeros(feet.len() + ties.len() + loops.len());
        let mut equal_rows = DMatrix::zeros(equal.len(), n);
        for (i, equation) in loops.iter().enumerate() {
            let at = feet.len() + ties.len() + i;
            row.fill(0.0);
            equation.add_to(model, kin, &mut row);
            equal[at] = equation.value;
            equal_rows.row_mut(at).copy_from_slice(&row);
        }
        for (i, site) in feet.iter().enumerate() {
            equal[i] = self.gap(evaluator, site, (q, &rest), &mut row);
            equal_rows.row_mut(i).copy_from_slice(&row);
        }
        for (i, tie) in ties.iter().enumerate() {
            let angle = |dof: usize| {
                let c = &model.coordinates()[dof];
                model.q_of_v()[dof].map_or(0.0, |at| c.ratio * q[at] + c.offset)
            };
            let at = feet.len() + i;
            equal[at] = angle(tie.follower) - tie.ratio * angle(tie.leader) - tie.offset;
            equal_rows[(at, tie.follower)] += model.coordinates()[tie.follower].ratio;
            equal_rows[(at, tie.leader)] -= tie.ratio * model.coordinates()[tie.leader].ratio;
        }
        let count = self.others.len() + self.above.len();
        let (mut clear, mut clear_rows) = (DVector::zeros(count), DMatrix::zeros(count, n));
        for (i, site) in self.others.iter().enumerate() {
            clear[i] = self.gap(evaluator, site, (q, &rest), &mut row);
            clear_rows.row_mut(i).copy_from_slice(&row);
        }
        for (i, a) in self.above.iter().enumerate() {
            let x = kin.pose(model, a.body).point(&a.point);
            row.fill(0.0);
            add_point_row(model, kin, (a.body, &x), &a.normal, 1.0, &mut row);
            clear[self.others.len() + i] = a.normal.dot(&(x - a.origin));
            clear_rows.row_mut(self.others.len() + i).copy_from_slice(&row);
        }
        Local { equal, equal_rows, clear, clear_rows }
    }

    fn gap(
        &self,
        evaluator: &Evaluator<'_, '_>,
        site: &Site,
        state: (&[f64], &[f64]),
        row: &mut [f64],
    ) -> f64 {
        let at = evaluator.site_state(site, state.0, state.1);
        row.fill(0.0);
        let model = evaluator.stance().model();
        add_site_row(model, evaluator.kinematics(), site, &at, 2, row);
        at.gap
    }

    /// Worst miss of H, K and the limits in a posture, m or rad.
    pub fn miss(&self, evaluator: &mut Evaluator<'_, '_>, q: &[f64]) -> f64 {
        let model = evaluator.stance().model();
        evaluator.place(0.0, q, &vec![0.0; model.nv()]);
        let local = self.local(evaluator, q);
        self.miss_of(&local, model, q)
    }

    pub(super) fn miss_of(&self, local: &Local, model: &Model, q: &[f64]) -> f64 {
        let mut worst = local.equal.iter().fold(0.0_f64, |w, h| w.max(h.abs()));
        worst = local.clear.iter().fold(worst, |w, k| w.max(-k));
        for (span, at) in self.spans.iter().zip(model.q_of_v()) {
            if let Some(at) = at {
                worst = worst.max(span.lower - q[*at]).max(q[*at] - span.upper);
            }
        }
        worst
    }
}

/// Limits in the coordinate itself: those of the joint behind its transmission.
fn span(model: &Model, dof: usize) -> Span {
    let c = &model.coordinates()[dof];
    let Some(limits) = c.limits else {
        return Span { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    };
    let (a, b) = ((limits.lower - c.offset) / c.ratio, (limits.upper - c.offset) / c.ratio);
    Span { lower: a.min(b), upper: a.max(b) }
}

/// Joint origins and centres of mass of all moving bodies over the planes that the feet stand on.
fn above(stance: &Stance<'_>) -> Vec<Above> {
    let model = stance.model();
    let mut planes: Vec<(Vector3<f64>, Vector3<f64>)> = Vec::new();
    for site in stance.contacts() {
        let SiteGeometry::OnPlane { plane_body, plane, .. } = &site.geometry else { continue };
        let seat = plane_body.map(|b| model.tree().seats[b.index()]);
        let world = match seat {
            None => (plane.point, plane.normal),
            Some(seat) if seat.link == WORLD => {
                (seat.pose.point(&plane.point), seat.pose.direction(&plane.normal))
            }
            // The heights over a plane that moves are those of its own pairs.
            Some(_) => continue,
        };
        if !planes.contains(&world) {
            planes.push(world);
        }
    }
    let mut all = Vec::new();
    for (origin, normal) in planes {
        for body in model.body_ids().filter(|b| model.tree().seats[b.index()].link != WORLD) {
            let com = model.body(body).inertia.com;
            all.push(Above { body, point: Vector3::zeros(), origin, normal });
            if com != Vector3::zeros() {
                all.push(Above { body, point: com, origin, normal });
            }
        }
    }
    all
}
