//! Gap, relative velocity and their rates at one site, from the geometry of its pair.
//!
//! γ is the acceleration of a row at v̇ = 0, so that the acceleration of row e is J_e v̇ + γ, with
//! curvature and turning normals included: see [`crate::geometry`].
//!
//! # Limits
//! A disk that lies flat and concentric spheres have no single contact point; `degenerate` says so.

use super::delassus::{Instant, RowBlock};
use super::site::{Site, SiteGeometry};
use crate::dynamics::Kinematics;
use crate::dynamics::jacobian::VelocityProducts;
use crate::geometry::{Approach, BodyMotion, Gap, Status, approach_plane, gap_to_plane};
use crate::model::{BodyId, Model};
use nalgebra::Vector3;

/// What is known of a site at one instant.
#[derive(Debug, Clone, Copy)]
pub struct SiteState {
    /// Gap, m (rad at a revolute limit), > 0 apart.
    pub gap: f64,
    /// t₁, t₂ and n in the world.
    pub axes: [Vector3<f64>; 3],
    /// Contact point in the world.
    pub x: Vector3<f64>,
    /// Relative velocity along the axes, m/s.
    pub u: [f64; 3],
    /// Accelerations along the axes at v̇ = 0, m/s².
    pub gamma: [f64; 3],
    /// Round-off of the gap, m.
    pub noise: f64,
    /// Size of the velocities that u is a difference of, m/s.
    pub speed: f64,
    /// Whether the contact point is not defined.
    pub degenerate: bool,
}

impl SiteState {
    /// Size of the numbers that place the contact, m: what its round-off is eight units of.
    pub fn length(&self) -> f64 {
        self.noise / (8.0 * f64::EPSILON)
    }
}

/// Round-off of a gap computed from numbers of this size, m.
fn round_off(size: f64) -> f64 {
    8.0 * f64::EPSILON * size
}

impl Default for SiteState {
    fn default() -> Self {
        Self {
            gap: f64::INFINITY,
            axes: [Vector3::x(), Vector3::y(), Vector3::z()],
            x: Vector3::zeros(),
            u: [0.0; 3],
            gamma: [0.0; 3],
            noise: 0.0,
            speed: 0.0,
            degenerate: false,
        }
    }
}

impl SiteState {
    /// From a gap whose numbers, and whose velocities, are of these sizes.
    fn of(gap: &Gap, (size, speed): (f64, f64)) -> Self {
        Self {
            gap: gap.gap,
            axes: [gap.tangents[0], gap.tangents[1], gap.normal],
            x: (gap.point_a + gap.point_b) * 0.5,
            u: [gap.u_t[0], gap.u_t[1], gap.u_n],
            gamma: [gap.bias_t[0], gap.bias_t[1], gap.bias_n],
            noise: round_off(size),
            speed,
            degenerate: gap.status != Status::Regular,
        }
    }

    /// Append the rows of this site: its tangents, then the normal.
    pub fn push_rows(&self, site: &Site, at: &Instant<'_>, block: &mut RowBlock) {
        if let SiteGeometry::Limit { dof, side, .. } = site.geometry {
            let ratio = at.model.coordinates()[dof].ratio;
            block.push_combination(at, &[(dof, side * ratio)]);
            return;
        }
        if let SiteGeometry::JointFriction { dof, .. } = site.geometry {
            // The force that presses moves nothing: its row is zero.
            let ratio = at.model.coordinates()[dof].ratio;
            block.push_combination(at, &[(dof, ratio)]);
            block.push_combination(at, &[]);
            return;
        }
        let bodies = site.bodies();
        if let SiteGeometry::Moment { .. } = site.geometry {
            (0..site.tangents).for_each(|k| block.push_turn(at, bodies, &self.axes[k]));
            return;
        }
        for k in (0..site.tangents).chain([2]) {
            block.push_direction(at, bodies, &self.x, &self.axes[k]);
        }
    }
}

/// The state of `site` for the posture, twists and velocity products given.
pub fn site_state(
    model: &Model,
    site: &Site,
    (kin, products): (&Kinematics, &VelocityProducts),
    (q, v): (&[f64], &[f64]),
) -> SiteState {
    match &site.geometry {
        SiteGeometry::Limit { dof, q: place, side, bound } => {
            let c = &model.coordinates()[*dof];
            let gap = side * (c.ratio * q[*place] + c.offset - bound);
            let u = [0.0, 0.0, side * c.ratio * v[*dof]];
            let [size, speed] = joint_scale(model, kin, *dof);
            let ends = c.limits.map_or([0.0; 2], |range| [range.lower, range.upper]);
            let ends = ends.into_iter().filter(|end| end.is_finite());
            let range = ends.fold(bound.abs(), |range, end| range.max(end.abs()));
            let angle = (c.ratio * q[*place]).abs() + c.offset.abs() + range;
            let noise = round_off(angle.max(size));
            SiteState { gap, u, noise, speed: speed.max(u[2].abs()), ..SiteState::default() }
        }
        SiteGeometry::JointFriction { dof, .. } => {
            let u = [model.coordinates()[*dof].ratio * v[*dof], 0.0, 0.0];
            let [_, speed] = joint_scale(model, kin, *dof);
            SiteState { gap: 0.0, u, speed: speed.max(u[0].abs()), ..SiteState::default() }
        }
        _ => {
            let (a, b) = site.bodies();
            let carrier = |body| body_motion(model, kin, products, body);
            state_between(site, &carrier(a), &carrier(b))
        }
    }
}

/// What the angle of a joint and its rate are differences of: a radian and the turn of its link, or the place and the velocity of the
/// link where it slides. A stop at zero has no size of its own but that of the range which it ends.
fn joint_scale(model: &Model, kin: &Kinematics, dof: usize) -> [f64; 2] {
    let node = &model.tree().nodes[dof];
    let link = &kin.links[node.link];
    if node.turns { [1.0, link.V.w.norm()] } else { [link.o.norm(), link.V.v.norm()] }
}

/// The same between two bodies whose motions are given; what is a joint's own has none.
#[inline]
pub fn state_between(site: &Site, a: &BodyMotion, b: &BodyMotion) -> SiteState {
    match &site.geometry {
        SiteGeometry::OnPlane { plane, shape, .. } => {
            let size = span(a, &plane.point) + span(b, shape.center()) + shape.size();
            let speed = pace(a, &plane.point) + pace(b, shape.center());
            SiteState::of(&gap_to_plane(plane, a, shape, b), (size, speed))
        }
        SiteGeometry::Spheres { spheres, .. } => {
            let radii = spheres.a.radius + spheres.b.radius;
            let size = span(a, &spheres.a.center) + span(b, &spheres.b.center) + radii;
            let speed = pace(a, &spheres.a.center) + pace(b, &spheres.b.center);
            SiteState::of(&spheres.gap(a, b), (size, speed))
        }
        SiteGeometry::Lines { lines, .. } => {
            let radii = lines.a.radius + lines.b.radius;
            let size = span(a, &lines.a.start) + span(b, &lines.b.start) + radii;
            let speed = pace(a, &lines.a.start) + pace(b, &lines.b.start);
            SiteState::of(&lines.gap(a, b), (size, speed))
        }
        SiteGeometry::Smooth { pair, .. } => {
            let sizes = pair.a.size() + pair.b.size();
            let size = span(a, &pair.a.center) + span(b, &pair.b.center) + sizes;
            let speed = pace(a, &pair.a.center) + pace(b, &pair.b.center);
            SiteState::of(&pair.gap(a, b), (size, speed))
        }
        SiteGeometry::LinePoint { pair, .. } => {
            let radii = pair.line.radius + pair.radius;
            let size = span(a, &pair.line.start) + span(b, &pair.point) + radii;
            let speed = pace(a, &pair.line.start) + pace(b, &pair.point);
            SiteState::of(&pair.gap(a, b), (size, speed))
        }
        SiteGeometry::Idle { .. }
        | SiteGeometry::Moment { .. }
        | SiteGeometry::Limit { .. }
        | SiteGeometry::JointFriction { .. } => SiteState::default(),
    }
}

/// Gap and its derivatives between two bodies whose motions are given; none of what is a joint's own or stands for nothing.
pub(super) fn gap_between(site: &Site, a: &BodyMotion, b: &BodyMotion) -> Option<Gap> {
    Some(match &site.geometry {
        SiteGeometry::OnPlane { plane, shape, .. } => gap_to_plane(plane, a, shape, b),
        SiteGeometry::Spheres { spheres, .. } => spheres.gap(a, b),
        SiteGeometry::Lines { lines, .. } => lines.gap(a, b),
        SiteGeometry::Smooth { pair, .. } => pair.gap(a, b),
        SiteGeometry::LinePoint { pair, .. } => pair.gap(a, b),
        SiteGeometry::Idle { .. }
        | SiteGeometry::Moment { .. }
        | SiteGeometry::Limit { .. }
        | SiteGeometry::JointFriction { .. } => return None,
    })
}

/// Gap and its rate alone, without what accelerations need.
pub fn site_approach(
    model: &Model,
    site: &Site,
    kin: &Kinematics,
    state: (&[f64], &[f64]),
) -> Approach {
    if let SiteGeometry::Limit { dof, q, side, bound } = &site.geometry {
        let c = &model.coordinates()[*dof];
        let gap = side * (c.ratio * state.0[*q] + c.offset - bound);
        return Approach { gap, rate: side * c.ratio * state.1[*dof] };
    }
    if let SiteGeometry::JointFriction { .. } = &site.geometry {
        return Approach { gap: 0.0, rate: 0.0 };
    }
    let (a, b) = site.bodies();
    approach_between(site, &body_twist(model, kin, a), &body_twist(model, kin, b))
}

/// The same between two bodies whose motions are given; what is a joint's own has none.
pub fn approach_between(site: &Site, a: &BodyMotion, b: &BodyMotion) -> Approach {
    match &site.geometry {
        SiteGeometry::Limit { .. }
        | SiteGeometry::JointFriction { .. }
        | SiteGeometry::Moment { .. } => Approach { gap: f64::INFINITY, rate: 0.0 },
        SiteGeometry::OnPlane { plane, shape, .. } => approach_plane(plane, a, shape, b),
        SiteGeometry::Spheres { spheres, .. } => spheres.approach(a, b),
        SiteGeometry::Lines { lines, .. } => lines.approach(a, b),
        SiteGeometry::Smooth { pair, .. } => pair.approach(a, b),
        SiteGeometry::LinePoint { pair, .. } => pair.approach(a, b),
        SiteGeometry::Idle { .. } => Approach { gap: f64::INFINITY, rate: 0.0 },
    }
}

/// Round-off of the gap between two bodies whose motions are given, m.
pub fn gap_noise(site: &Site, a: &BodyMotion, b: &BodyMotion) -> f64 {
    match &site.geometry {
        SiteGeometry::Limit { .. }
        | SiteGeometry::JointFriction { .. }
        | SiteGeometry::Moment { .. } => 0.0,
        SiteGeometry::OnPlane { plane, shape, .. } => {
            round_off(span(a, &plane.point) + span(b, shape.center()) + shape.size())
        }
        SiteGeometry::Spheres { spheres, .. } => {
            let radii = spheres.a.radius + spheres.b.radius;
            round_off(span(a, &spheres.a.center) + span(b, &spheres.b.center) + radii)
        }
        SiteGeometry::Lines { lines, .. } => {
            let radii = lines.a.radius + lines.b.radius;
            round_off(span(a, &lines.a.start) + span(b, &lines.b.start) + radii)
        }
        SiteGeometry::Smooth { pair, .. } => {
            let sizes = pair.a.size() + pair.b.size();
            round_off(span(a, &pair.a.center) + span(b, &pair.b.center) + sizes)
        }
        SiteGeometry::LinePoint { pair, .. } => {
            let radii = pair.line.radius + pair.radius;
            round_off(span(a, &pair.line.start) + span(b, &pair.point) + radii)
        }
        SiteGeometry::Idle { .. } => 0.0,
    }
}

/// A body's pose and twist as the geometry wants them; accelerations are left out.
pub fn body_twist(model: &Model, kin: &Kinematics, body: Option<BodyId>) -> BodyMotion {
    let Some(body) = body else { return BodyMotion::fixed() };
    let pose = kin.pose(model, body);
    let twist = kin.twist_at(model, body, &pose.r);
    BodyMotion { R: pose.R, r: pose.r, w: twist.w, v: twist.v, ..BodyMotion::fixed() }
}

/// Size of the numbers that place a point of a body.
fn span(body: &BodyMotion, local: &Vector3<f64>) -> f64 {
    body.r.amax() + local.amax()
}

/// Size of the velocities that move a point of a body.
fn pace(body: &BodyMotion, local: &Vector3<f64>) -> f64 {
    body.v.amax() + body.w.amax() * local.amax()
}

/// A body's motion as the geometry wants it.
fn body_motion(
    model: &Model,
    kin: &Kinematics,
    products: &VelocityProducts,
    body: Option<BodyId>,
) -> BodyMotion {
    let Some(body) = body else { return BodyMotion::fixed() };
    let pose = kin.pose(model, body);
    let twist = kin.twist_at(model, body, &pose.r);
    let bias = products.at(model, kin, body, &pose.r);
    BodyMotion { R: pose.R, r: pose.r, w: twist.w, v: twist.v, a0: bias.v, alpha0: bias.w }
}
