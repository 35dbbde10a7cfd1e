//! Features that may all touch each other, with one law of their surfaces: what a pile needs instead of a pair for
//! any two of its grains.

use super::{Feature, FeatureId, Model, Resistance, Shape, Surface, moves_in_plane};

/// Features any two of which may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactGroup {
    /// Unique name.
    pub name: String,
    /// Its features, ascending, each once.
    pub features: Vec<FeatureId>,
    /// The law of all their surfaces.
    pub surface: Surface,
    /// Rolling and spinning friction of any two of them.
    pub resistance: Resistance,
}

/// Pairs up to which a group is written out: each pair then has sites, columns and events of its own, and the group may
/// be simulated by events. 64 features make 2016 pairs.
pub const WRITTEN_OUT: usize = 2048;

impl ContactGroup {
    /// Whether two of its features may touch: different bodies, not both fixed, not carrier and carried, and shapes that have a
    /// gap function. Half-spaces come first.
    pub fn pair(
        &self,
        model: &Model,
        a: FeatureId,
        b: FeatureId,
    ) -> Option<(FeatureId, FeatureId)> {
        let (fa, fb) = (model.feature(a), model.feature(b));
        let fixed = |f: &Feature| f.body.is_none_or(|body| model.is_fixed(body));
        let carries =
            |x: &Feature, y: &Feature| x.body.is_some_and(|body| model.body(body).parent == y.body);
        let joined = !fixed(fa) && !fixed(fb) && (carries(fa, fb) || carries(fb, fa));
        if fa.body == fb.body || (fixed(fa) && fixed(fb)) || joined {
            return None;
        }
        oriented((a, &fa.shape), (b, &fb.shape))
    }

    /// Whether any two of its shapes, half-spaces aside, touch at features that change: all but balls and points.
    pub fn has_polytopes(&self, model: &Model) -> bool {
        let planar = moves_in_plane(model);
        let plain = |s: &Shape| {
            use Shape::{Disk, HalfSpace, Point, Sphere};
            let of_the_plane = planar && matches!(s, Disk { .. });
            matches!(s, Sphere { .. } | Point | HalfSpace { .. }) || of_the_plane
        };
        let solid = |s: &Shape| !matches!(s, Shape::HalfSpace { .. });
        let shapes = || self.features.iter().map(|&f| &model.feature(f).shape);
        shapes().any(|s| !plain(s)) && shapes().filter(|s| solid(s)).count() > 1
    }

    /// Whether it is written out as pairs.
    pub fn is_written_out(&self) -> bool {
        let n = self.features.len();
        n * n.saturating_sub(1) / 2 <= WRITTEN_OUT
    }
}

/// A pair with a terrain or a half-space first, if its shapes have a gap function at all.
pub(super) fn oriented(
    (a, fa): (FeatureId, &Shape),
    (b, fb): (FeatureId, &Shape),
) -> Option<(FeatureId, FeatureId)> {
    let flat = |s: &Shape| matches!(s, Shape::HalfSpace { .. });
    let round = |s: &Shape| matches!(s, Shape::Sphere { .. } | Shape::Disk { .. });
    let point = |s: &Shape| matches!(s, Shape::Point);
    let ground = |s: &Shape| matches!(s, Shape::Terrain { .. });
    match (ground(fa), ground(fb)) {
        (true, false) if !flat(fb) => return Some((a, b)),
        (false, true) if !flat(fa) => return Some((b, a)),
        (false, false) => {}
        _ => return None,
    }
    match (flat(fa), flat(fb)) {
        (true, false) => return Some((a, b)),
        (false, true) => return Some((b, a)),
        _ => {}
    }
    if (round(fa) && (round(fb) || point(fb))) || (point(fa) && round(fb)) {
        return Some((a, b));
    }
    // Whether their sorts go together is told when it is known whether everything moves in a plane.
    let cylinder = |s: &Shape| matches!(s, Shape::Cylinder { .. });
    let convex = |s: &Shape| s.is_polytope() || s.is_smooth() || cylinder(s);
    (convex(fa) && convex(fb) && !(point(fa) && point(fb))).then_some((a, b))
}
