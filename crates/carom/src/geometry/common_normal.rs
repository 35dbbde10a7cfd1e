//! The search for the common normal of two smooth shapes, or of an edge and one.
//!
//! # Law
//! s, w, H and T as in `smooth_pair`, (1) to (3); c are the centres and h(n) = n·(x(n) − c) the heights over them.
//! ```text
//! n ← n + T y normalised,   Tᵀ(H + s) T y = Tᵀ w,   halved until s rises                               (1)
//! leave the axis of a flat shape along e if e·w > |D_A Qᵀe| + |D_B Qᵀe|, w from centre to centre      (2)
//! s_λ(n) = n·(c_B − c_A) − λ (h_A(n) + h_B(n)),   λ ← λ + max s_λ/(2 (h_A + h_B)),   from 0 to 1      (3)
//! ```
//! (2): there D Qᵀn vanishes, s has a corner, and w is of no use to Newton's method. (3): where s is positive it has one
//! maximum, which is the distance, but shapes that touch or overlap may have several. Those of shapes made smaller are apart, and as they
//! grow their normal goes along, up to where they touch. So a maximum that is an overlap by more than [`DEEP`] is taken only if
//! (3) finds none that is less.
//!
//! # Limits
//! Of shapes that overlap more deeply than (3) can follow the normal, the better of two maxima is taken.
//!
//! # Tests
//! `tests/smooth_pairs.rs`: (1) `eq2_is_the_distance`, (2) `the_axis_of_a_flat_shape_is_left`, (3) `eq3_thin_shapes_that_touch`.

use super::smooth_pair::{Free, Placed};
use super::tangents::tangents;
use crate::numeric::thresholds::geometry::DEEP;
use nalgebra::Vector3;

/// Steps of equation (3); six are usual, the sharpest ellipsoids need twenty.
const MOST_STEPS: usize = 100;

/// Halvings of one step of equation (3).
const MOST_HALVINGS: usize = 40;

/// Turn of the normal, rad, below which steps of equation (3) are so good that round-off decides about s.
const NEWTON: f64 = crate::numeric::thresholds::geometry::NEWTON;

/// Turn of the normal, rad, that is round-off.
pub(super) const TURNED: f64 = 4.0 * f64::EPSILON;

/// A direction, w and s of equation (2).
#[derive(Clone, Copy)]
pub(super) struct Top {
    pub(super) n: Vector3<f64>,
    pub(super) w: Vector3<f64>,
    pub(super) s: f64,
}

impl Top {
    pub(super) fn of(n: Vector3<f64>, at: &impl Fn(&Vector3<f64>) -> (Vector3<f64>, f64)) -> Self {
        let (w, s) = at(&n);
        Self { n, w, s }
    }

    /// Halve a step until it raises s; whether one did.
    fn climb(
        &mut self,
        at: &impl Fn(&Vector3<f64>) -> (Vector3<f64>, f64),
        step: &Vector3<f64>,
    ) -> bool {
        let (turn, mut share) = (step.norm(), 1.0);
        for _ in 0..MOST_HALVINGS {
            let trial = Self::of((self.n + share * step).normalize(), at);
            let risen = trial.s > self.s;
            if risen || share * turn <= TURNED {
                *self = trial;
                return risen;
            }
            share *= 0.5;
        }
        false
    }
}

/// Equation (1) from a direction on, and (2).
pub(super) fn raise(
    [pa, pb]: [&Placed; 2],
    along: Option<&Vector3<f64>>,
    at: &impl Fn(&Vector3<f64>) -> (Vector3<f64>, f64),
    top: &mut Top,
) {
    let mut last = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let Top { n, w, s } = *top;
        let free = Free::of(&n, along);
        if pa.is_axial(&n) || pb.is_axial(&-n) {
            // w is that of the centre, of which Newton's method knows nothing.
            match off_axis([pa, pb], (&n, s), &free) {
                Some(step) if top.climb(at, &step) => continue,
                _ => break,
            }
        }
        let H = pa.curvature(&n) + pb.curvature(&-n);
        let newton = free.solve(&H, s, &w);
        let leave = || off_axis([pa, pb], (&n, s), &free);
        let Some(step) = newton.or_else(|| free.solve(&H, s.abs(), &w)) else {
            match leave() {
                Some(step) if top.climb(at, &step) => continue,
                _ => break,
            }
        };
        let turn = step.norm();
        if newton.is_some() && turn <= NEWTON {
            // Round-off does not let steps become shorter for ever. Near the axis of a disk, which is sharp there, they may not yet be so
            // short that it decides, or not leave the axis.
            if turn > TURNED && turn < 0.5 * last {
                *top = Top::of((n + step).normalize(), at);
                last = turn;
                continue;
            }
            let gains = 0.5 * step.dot(&w) > f64::EPSILON * (w.norm() + pa.center.norm());
            if gains && top.climb(at, &step) {
                last = turn;
                continue;
            }
            if leave().is_some_and(|step| top.climb(at, &step)) {
                last = f64::INFINITY;
                continue;
            }
            break;
        }
        if !top.climb(at, &step) && !leave().is_some_and(|step| top.climb(at, &step)) {
            break;
        }
    }
}

/// Near the axis of a disk, where Newton's method sees one of its points only, the step that leaves it: along the slope of its
/// centre, if that is steeper than any of its points makes up for.
fn off_axis(
    [a, b]: [&Placed; 2],
    (n, s): (&Vector3<f64>, f64),
    free: &Free,
) -> Option<Vector3<f64>> {
    let ((xa, Da), (xb, Db)) = (a.middle(n), b.middle(&-n));
    let slope = free.project(&(xb - xa));
    let spread = |e: &Vector3<f64>| Da.tr_mul(e).norm() + Db.tr_mul(e).norm();
    // The steepest way of the centres, and that of the middle of an ellipse: where w leaves D, e = D⁻²w is steep enough.
    let across = Da * Da.transpose() + Db * Db.transpose();
    let ways = [Some(slope), free.solve(&across, 0.0, &slope)];
    let rise = |e: Vector3<f64>| (e.dot(&slope) - spread(&e), e);
    let ways = ways.into_iter().flatten().filter_map(|e| e.try_normalize(0.0)).map(rise);
    let (gain, e) = ways.max_by(|x, y| x.0.total_cmp(&y.0))?;
    let leaves = spread(&e) > 0.0 && gain > TURNED * slope.norm();
    leaves.then(|| e * (gain / (slope.norm() + s.abs())))
}

/// Directions between the axes of disks and their nearest points, across `along`: a disk has no curvature at its axis,
/// where the way from centre to centre may point.
pub(super) fn starts(
    [a, b]: [&Placed; 2],
    along: Option<&Vector3<f64>>,
    edge: bool,
) -> [Vector3<f64>; 16] {
    let part = |v: Vector3<f64>| along.map_or(v, |d| v - d * d.dot(&v));
    // Where an edge is nearest to the centre of the other shape.
    let foot = b.center - part(b.center - a.center);
    let near = if edge { foot } else { a.center };
    let mut axes = [Vector3::zeros(); 4];
    // From disk to centre.
    let mut ways = [b.center - near; 2];
    if let Some((z, _)) = &a.flat {
        let [e, border] = a.towards(z, &b.center);
        axes[..2].copy_from_slice(&[*z, e]);
        ways[0] -= border;
    }
    if let Some((z, _)) = &b.flat {
        let [e, border] = b.towards(z, &near);
        axes[2..].copy_from_slice(&[-z, -e]);
        ways[1] += border;
    }
    let [z, e, y, f] = axes;
    let straight = (b.center - near).try_normalize(0.0).unwrap_or(z + y);
    let all = [
        z,
        y,
        ways[0],
        ways[1],
        e + z,
        f + y,
        z + f,
        e + y,
        z + y + 0.05 * (e + f),
        e + f,
        e + z + f + y,
        straight + z + y + 0.05 * (e + f),
        y + 0.1 * f + 0.1 * e,
        z + 0.1 * f + 0.1 * e,
        f + 0.1 * y,
        e + 0.1 * z,
    ];
    all.map(|v| across(&v, along).unwrap_or_else(|| start(b.center - a.center, along)))
}

/// The direction of `v` across `along`; none where all of `v` is along it, and the rest round-off, which may point anywhere.
fn across(v: &Vector3<f64>, along: Option<&Vector3<f64>>) -> Option<Vector3<f64>> {
    let first = along.map_or(*v, |d| v - d * d.dot(v)).try_normalize(0.0)?;
    let Some(d) = along else { return Some(first) };
    let second = first - d * d.dot(&first);
    // What was a direction across is one still; half of round-off is along.
    (second.norm_squared() > 0.5).then(|| second.normalize())
}

/// The first normal: from centre to centre, across `along`.
pub(super) fn start(d: Vector3<f64>, along: Option<&Vector3<f64>>) -> Vector3<f64> {
    let beside = || along.map_or_else(Vector3::z, |z| tangents(z, false)[0]);
    across(&d, along).unwrap_or_else(beside)
}

/// Equation (3) if a maximum is an overlap that is deep: a better one, if there is one.
pub(super) fn grow(
    [pa, pb]: [&Placed; 2],
    along: Option<&Vector3<f64>>,
    (best, at): (&mut Top, &impl Fn(&Vector3<f64>) -> (Vector3<f64>, f64)),
) {
    let heights = |n: &Vector3<f64>| pa.height(n) + pb.height(&-n);
    if best.s >= -DEEP * heights(&best.n) {
        return;
    }
    let mut n = start(pb.center - pa.center, along);
    let mut share = 0.0_f64;
    let mut s = n.dot(&(pb.center - pa.center));
    for _ in 0..MOST_STEPS {
        let size = heights(&n);
        let rest = s <= DEEP * size;
        share = if rest { 1.0 } else { (share + 0.5 * s / size).min(1.0) };
        let [sa, sb] = [pa.scaled(share), pb.scaled(share)];
        let smaller = |n: &Vector3<f64>| {
            let w = sb.point(&-n) - sa.point(n);
            (w, n.dot(&w) - sa.short(n) - sb.short(&-n))
        };
        let mut top = Top::of(n, &smaller);
        raise([&sa, &sb], along, &smaller, &mut top);
        (n, s) = (top.n, top.s);
        if share == 1.0 {
            break;
        }
    }
    let found = Top::of(n, at);
    if found.s > best.s {
        *best = found;
    }
}
