//! The path of an impact in impulse space, per colliding contact.
//!
//! Between two stages of a trace the velocities of planar contacts are linear in the impulse. The
//! slip of a spatial contact turns, so points are put between: with K the matrix of that contact
//! alone,
//! ```text
//! du/dpₙ = K (−μ û, 1),   û = uₜ/‖uₜ‖                                              (1)
//! ```
//! by steps of Runge and Kutta that start at one stage; the stages themselves are those of the law.
//!
//! # Limits
//! (1) holds for one contact that takes part alone. With several, stages are joined by lines.
//!
//! # Tests
//! `eq1_meets_the_next_stage`; `tests/document.rs`: `paths_lead_from_before_to_after`.

use carom::impact::{ContactSpace, Stage};
use nalgebra::{Matrix3, Vector3};
use serde::{Serialize, Serializer};

/// Points between two stages of a spatial slip.
const POINTS: usize = 24;

/// A named point of a path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathStage {
    /// What happened.
    pub name: &'static str,
    /// Place in the lists of the path.
    pub index: usize,
}

/// The path of one contact: one entry per point in each list; written in single precision, which is
/// enough to draw, as the event has the exact ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ImpulsePath {
    /// Place of the site.
    pub site: usize,
    /// Normal impulse of this contact, N·s.
    #[serde(serialize_with = "single")]
    pub p: Vec<f64>,
    /// Tangential velocity, m/s.
    #[serde(serialize_with = "single")]
    pub u_t: Vec<f64>,
    /// Along the second tangent, m/s; none in the plane.
    #[serde(serialize_with = "single_if_any")]
    pub u_t2: Option<Vec<f64>>,
    /// Normal velocity, m/s.
    #[serde(serialize_with = "single")]
    pub u_n: Vec<f64>,
    /// Named points.
    pub stages: Vec<PathStage>,
    /// Work of all impulses so far, J.
    #[serde(serialize_with = "single")]
    pub work: Vec<f64>,
}

fn single<S: Serializer>(list: &[f64], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(list.iter().map(|x| *x as f32))
}

#[expect(clippy::ref_option, reason = "serde passes references to fields")]
fn single_if_any<S: Serializer>(list: &Option<Vec<f64>>, to: S) -> Result<S::Ok, S::Error> {
    match list {
        Some(list) => single(list, to),
        None => to.serialize_none(),
    }
}

/// A point of a path: normal impulse, velocities t₁, t₂, n, work.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    p: f64,
    u: Vector3<f64>,
    work: f64,
}

impl ImpulsePath {
    /// The path of contact `k` of `space`, whose site is `site`, by the stages of its trace;
    /// `curved` puts points between the stages of a slip that turns.
    pub(super) fn new(
        (space, stages): (&ContactSpace, &[Stage]),
        (k, site): (usize, usize),
        curved: bool,
    ) -> Self {
        let spatial = space.contacts[k].tangents == 2;
        let mut path = Self { site, u_t2: spatial.then(Vec::new), ..Self::default() };
        let mut last: Option<Point> = None;
        for stage in stages {
            let point = point(space, k, stage);
            if let Some(last) = last.filter(|_| curved && spatial) {
                path.slip(space, k, (last, point));
            }
            path.stages.push(PathStage { name: stage.event.as_str(), index: path.p.len() });
            path.push(point);
            last = Some(point);
        }
        path
    }

    fn push(&mut self, point: Point) {
        self.p.push(point.p);
        self.u_t.push(point.u.x);
        if let Some(list) = &mut self.u_t2 {
            list.push(point.u.y);
        }
        self.u_n.push(point.u.z);
        self.work.push(point.work);
    }

    /// Points between two stages by equation (1), if the contact slips there.
    fn slip(&mut self, space: &ContactSpace, k: usize, (from, to): (Point, Point)) {
        let speed = |u: &Vector3<f64>| u.x.hypot(u.y);
        let scale = space.velocity_scale.max(f64::MIN_POSITIVE);
        if speed(&from.u) <= 1e-9 * scale || to.p <= from.p {
            return;
        }
        let c = &space.contacts[k];
        let K = Matrix3::from_fn(|i, j| space.G[(c.first + i, c.first + j)]);
        let rate = |u: &Vector3<f64>| {
            let size = speed(u).max(f64::MIN_POSITIVE);
            K * Vector3::new(-c.friction * u.x / size, -c.friction * u.y / size, 1.0)
        };
        let h = (to.p - from.p) / POINTS as f64;
        let mut u = from.u;
        for i in 1..POINTS {
            let s = i as f64 / POINTS as f64;
            let k1 = rate(&u);
            let k2 = rate(&(u + k1 * (0.5 * h)));
            let k3 = rate(&(u + k2 * (0.5 * h)));
            let k4 = rate(&(u + k3 * h));
            u += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
            let work = from.work + s * (to.work - from.work);
            self.push(Point { p: from.p + i as f64 * h, u, work });
        }
    }
}

fn point(space: &ContactSpace, k: usize, stage: &Stage) -> Point {
    let c = &space.contacts[k];
    let tangent = |i: usize| if i < c.tangents { stage.velocity[c.first + i] } else { 0.0 };
    Point {
        p: stage.impulses[c.normal()],
        u: Vector3::new(tangent(0), tangent(1), stage.velocity[c.normal()]),
        work: stage.normal_work + stage.friction_work,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::impact::{Differential, ImpactLaw, ImpactSolution, ImpactWorkspace, Restitution};
    use nalgebra::{DMatrix, DVector};

    /// A slip that turns: the last point before each stage lies on the way to it.
    #[test]
    fn eq1_meets_the_next_stage() {
        let mut space = ContactSpace::default();
        space.resize(3);
        space.G = DMatrix::from_row_slice(3, 3, &[2.0, 0.3, 0.6, 0.3, 1.0, -0.2, 0.6, -0.2, 1.0]);
        space.u_pre = DVector::from_vec(vec![1.5, 0.8, -2.0]);
        space.push_contact(2, [0.3, 0.3], 0.8, true);
        space.classify();
        let mut out = ImpactSolution::traced();
        let law = Differential { restitution: Restitution::Energetic };
        law.resolve(&space, &mut ImpactWorkspace::new(), &mut out).unwrap();
        let stages = &out.trace.stages;
        let path = ImpulsePath::new((&space, stages), (0, 7), true);
        assert_eq!((path.site, path.stages[0].index), (7, 0));
        assert!(path.p.len() > 2 * POINTS, "{path:?}");
        assert!(path.p.windows(2).all(|w| w[1] >= w[0]));
        // Slip does not stop here, so the steps must arrive where the closed form does: the last
        // step is as long as the others and as straight.
        for stage in &path.stages[1..] {
            let i = stage.index;
            let d = |list: &[f64], i: usize| list[i] - list[i - 1];
            let t2 = path.u_t2.as_ref().unwrap();
            for list in [&path.u_t, t2, &path.u_n] {
                let (last, before) = (d(list, i), d(list, i - 1));
                let bend = d(list, i - 1) - d(list, i - 2);
                assert!((last - before - bend).abs() < 2e-5, "{list:?} at {i}");
            }
        }
    }
}
