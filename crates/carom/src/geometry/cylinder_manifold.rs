//! A cylinder and any other convex shape: all features by which they touch, or nearly (rules 2 to 4 of `cylinder_pair`).

use super::cylinder_pair::{CylinderPair, FLAT_ENDS, FLAT_FROM, FLAT_UP_TO, Flat, Motions};
use super::lines::PARALLEL;
use super::manifold::{ALONG, CROSSES, facing};
use super::parts::{Convex, Part, Touch};
use super::separation::{Features, Placed, Separation};
use crate::numeric::thresholds::LIES_FLAT;
use nalgebra::Vector3;

impl CylinderPair {
    /// Rules 1 to 4 into `found`, and the gap; `settled` where caps that lie flat may change, which is at events or
    /// where nothing is closed. Faces up to `reach` below the nearest parts, m, lie opposite.
    pub fn manifold(
        &mut self,
        motions: Motions<'_>,
        (reach, settled): (f64, bool),
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) -> Separation {
        found.clear();
        self.place(motions);
        if settled {
            self.find_flat(motions);
        }
        self.line = false;
        let nearest = self.separation(motions);
        if let Some(flat) = self.flat {
            self.common_polygon(flat, motions, found);
            if !found.is_empty() {
                return nearest;
            }
        }
        let limit = nearest.gap + reach;
        for shape in 0..2 {
            self.opposite(shape, (nearest.gap - reach, limit), motions, found);
            self.along(shape, limit, motions, found);
        }
        if let Features::Parts { a, b, .. } = nearest.features
            && let Some(touch) = self.touch(nearest.features, motions)
            && (found.is_empty() || self.holds([a, b], &touch, motions) >= -self.delta)
            && self.is_new(nearest.features, &touch.x[1], found)
        {
            self.line = self.lies_along([a, b], touch.gap, motions, found);
            if !self.line {
                found.insert(0, (nearest.features, touch.x[1]));
            }
        }
        nearest
    }

    /// Whether two edges run along each other, and what was found is as near on both sides as where they cross: these
    /// carry the line then. Otherwise the crossing does, and ends as near as that are left out.
    fn lies_along(
        &self,
        [a, b]: [Part; 2],
        gap: f64,
        motions: Motions<'_>,
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) -> bool {
        let (Part::Edge(i), Part::Edge(j)) = (a, b) else { return false };
        let along = |k: usize, edge: usize| self.shapes[k].edge(motions[k], edge).map(|e| e.1);
        let Some((d, e)) = along(0, i).zip(along(1, j)) else { return false };
        if d.dot(&e).abs() < ALONG {
            return false;
        }
        let near = |f: &(Features, Vector3<f64>), reach: f64| {
            self.touch(f.0, motions).is_some_and(|t| t.gap <= gap + reach * self.delta)
        };
        let carried = found.iter().filter(|f| near(f, 1.0)).count() > 1;
        if !carried {
            found.retain(|f| !near(f, 4.0));
        }
        carried
    }

    fn is_new(
        &self,
        features: Features,
        x: &Vector3<f64>,
        found: &[(Features, Vector3<f64>)],
    ) -> bool {
        found.iter().all(|(f, y)| *f != features && (x - y).norm() > 4.0 * self.delta)
    }

    /// Add two parts if their nearest points lie in them, no farther apart than `limit`, and the normal is inside of
    /// `cone`, of the part of shape `of`.
    fn offer(
        &self,
        (own, other): (Part, Part),
        of: usize,
        limit: f64,
        motions: Motions<'_>,
        will_do: impl Fn(&Touch) -> bool,
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) {
        let parts = if of == 0 { [own, other] } else { [other, own] };
        let Some(features) = self.features(parts, motions) else { return };
        let Some(touch) = self.touch(features, motions) else { return };
        let [xa, xb] = &touch.x;
        let reach = self.shapes[0].reaches((motions[0], &self.x[0]), parts[0], [xa, xb]);
        let reach = reach.min(self.shapes[1].reaches((motions[1], &self.x[1]), parts[1], [xb, xa]));
        if reach >= -self.delta
            && touch.gap <= limit
            && will_do(&touch)
            && self.is_new(features, xb, found)
        {
            found.push((features, *xb));
        }
    }

    /// Rule 3: what of the other shape is over a face of `shape`.
    fn opposite(
        &mut self,
        shape: usize,
        (least, limit): (f64, f64),
        motions: Motions<'_>,
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) {
        let other = 1 - shape;
        let mut best: Option<(f64, usize, Vector3<f64>)> = None;
        for k in 0.. {
            let Some(n) = self.face(shape, k, motions) else { break };
            let Some(base) = self.shapes[shape].on_face(motions[shape], k) else { break };
            let s =
                -self.shapes[other].height((motions[other], &self.x[other]), &-n) - n.dot(&base);
            if best.is_none_or(|b| s > b.0) {
                best = Some((s, k, n));
            }
        }
        let Some((s, face, n)) = best else { return };
        if s < least {
            return;
        }
        let face_part = Part::Face(face);
        if let Some(cylinder) = self.shapes[other].cylinder() {
            for k in 0..cylinder.rims() {
                let a = motions[other].R * cylinder.outward(k);
                if n.cross(&a).norm() > LIES_FLAT {
                    self.offer((face_part, Part::Rim(k)), shape, limit, motions, |_| true, found);
                }
            }
            let mut edges = std::mem::take(&mut self.borders[0]);
            // What is flat has no side.
            if let (Convex::Polytope(_), 2..) = (&self.shapes[shape], cylinder.rims()) {
                self.shapes[shape].border(face_part, &mut edges);
                let sign = if shape == 0 { 1.0 } else { -1.0 };
                let up = |t: &Touch| sign * t.normal.dot(&n) >= CROSSES;
                for &k in &edges {
                    self.offer((Part::Edge(k), Part::Edge(0)), shape, limit, motions, up, found);
                }
            }
            self.borders[0] = edges;
        }
        if let Convex::Polytope(p) = &self.shapes[other]
            && p.vertices.len() > 1
        {
            let placed = Placed { shape: p, motion: motions[other], x: &self.x[other] };
            let heights = placed.x.iter().map(|x| n.dot(x)).enumerate();
            let Some((corner, _)) = heights.min_by(|x, y| x.1.total_cmp(&y.1)) else { return };
            let part = match facing(&placed, corner, &n) {
                Some(face) => Part::Face(face),
                None => Part::Edge(0),
            };
            let mut corners = std::mem::take(&mut self.outline);
            self.shapes[other].outline(part, &mut corners);
            for &corner in &corners {
                self.offer((face_part, corner), shape, limit, motions, |_| true, found);
            }
            self.outline = corners;
        }
    }

    /// Normal of a face in the world; none after the last.
    fn face(&self, shape: usize, k: usize, motions: Motions<'_>) -> Option<Vector3<f64>> {
        let count = match &self.shapes[shape] {
            Convex::Polytope(p) => p.faces.len(),
            Convex::Cylinder(_) => 2,
            Convex::HalfSpace(_) => 1,
            Convex::Smooth(_) => 0,
        };
        if k < count { self.shapes[shape].normal(motions[shape], k) } else { None }
    }

    /// Rule 4: ends of the side of `shape` and of edges of the other that run along it.
    fn along(
        &mut self,
        shape: usize,
        limit: f64,
        motions: Motions<'_>,
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) {
        let other = 1 - shape;
        let Some(cylinder) = self.shapes[shape].cylinder().filter(|c| c.rims() > 1) else {
            return;
        };
        let axis = motions[shape].R * cylinder.outward(0);
        let count = match &self.shapes[other] {
            Convex::Polytope(p) => p.edges.len(),
            Convex::Cylinder(c) => c.rims() - 1,
            _ => 0,
        };
        let sign = if other == 0 { 1.0 } else { -1.0 };
        let mut ends = std::mem::take(&mut self.outline);
        for k in 0..count {
            let edge = Part::Edge(k);
            let Some((_, d, _)) = self.shapes[other].edge(motions[other], k) else { continue };
            if d.dot(&axis).abs() < ALONG {
                continue;
            }
            let cone = |t: &Touch| {
                let seen = (motions[other], &self.x[other][..]);
                let cone = self.shapes[other].cone(seen, edge, &(sign * t.normal));
                cone * self.size >= -self.delta
            };
            for rim in 0..cylinder.rims() {
                self.offer((Part::Rim(rim), edge), shape, limit, motions, cone, found);
            }
            self.shapes[other].outline(edge, &mut ends);
            for &end in &ends {
                self.offer((Part::Edge(0), end), shape, limit, motions, cone, found);
            }
        }
        self.outline = ends;
    }

    /// Rule 2: which cap lies flat on what; a face before an edge, the greatest separation first.
    fn find_flat(&mut self, motions: Motions<'_>) {
        let before = self.flat.take();
        let mut nearest: Option<f64> = None;
        let mut best: Option<(bool, f64, Flat)> = None;
        for shape in 0..2 {
            if self.shapes[shape].cylinder().is_none() {
                continue;
            }
            for cap in 0..2 {
                for at in 0..self.parts[1 - shape].len() {
                    let other = self.parts[1 - shape][at];
                    let flat = Flat { shape, cap, other };
                    let limit = if before == Some(flat) { FLAT_UP_TO } else { FLAT_FROM };
                    if self.tilt(flat, motions) > limit * LIES_FLAT || !self.supports(flat, motions)
                    {
                        continue;
                    }
                    let Some(lowest) = self.lowest_of(flat, motions) else { continue };
                    let face = matches!(other, Part::Face(_));
                    let rank = |b: &(bool, f64, Flat)| (face, lowest.gap) > (b.0, b.1);
                    let distance = nearest.unwrap_or_else(|| self.nearest(motions).gap);
                    nearest = Some(distance);
                    if lowest.gap >= distance - self.size * FLAT_ENDS * LIES_FLAT
                        && best.as_ref().is_none_or(rank)
                    {
                        best = Some((face, lowest.gap, flat));
                    }
                }
            }
        }
        self.flat = best.map(|b| b.2);
    }

    /// Whether an edge is what the other shape turns to a cap.
    fn supports(&self, flat: Flat, motions: Motions<'_>) -> bool {
        let other = 1 - flat.shape;
        let Some(n) = self.shapes[flat.shape].normal(motions[flat.shape], flat.cap) else {
            return false;
        };
        let seen = (motions[other], &self.x[other][..]);
        match flat.other {
            Part::Face(_) => true,
            part => self.shapes[other].cone(seen, part, &-n) >= -FLAT_ENDS * LIES_FLAT,
        }
    }

    /// Rule 2: the features of the common polygon of a flat cap and what it lies on.
    pub(super) fn common_polygon(
        &mut self,
        flat: Flat,
        motions: Motions<'_>,
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) {
        let (shape, other) = (flat.shape, 1 - flat.shape);
        let cap = Part::Face(flat.cap);
        let Some(n) = self.shapes[shape].normal(motions[shape], flat.cap) else { return };
        let mut corners = std::mem::take(&mut self.outline);
        let [mut own, mut border] = std::mem::take(&mut self.borders);
        self.shapes[other].outline(flat.other, &mut corners);
        for &corner in &corners {
            self.offer((cap, corner), shape, f64::INFINITY, motions, |_| true, found);
        }
        if let Part::Face(_) = flat.other {
            self.shapes[shape].outline(cap, &mut corners);
            for &corner in &corners {
                self.offer((corner, flat.other), shape, f64::INFINITY, motions, |_| true, found);
            }
        }
        self.shapes[shape].border(cap, &mut own);
        self.shapes[other].border(flat.other, &mut border);
        let sign = if shape == 0 { 1.0 } else { -1.0 };
        let caps = self.shapes[other].cylinder().is_some() && matches!(flat.other, Part::Face(_));
        for &i in &own {
            for &j in &border {
                if caps && !(self.crosses(shape, i, motions) && self.crosses(other, j, motions)) {
                    continue;
                }
                self.offer_crossing(shape, [i, j], (sign * n, motions), found);
            }
        }
        self.outline = corners;
        self.borders = [own, border];
    }

    /// Whether one end of a straight edge of a cap lies over the cap of the other shape, and one does not.
    fn crosses(&self, shape: usize, edge: usize, motions: Motions<'_>) -> bool {
        let over = |x: &Vector3<f64>| {
            let cylinder = self.shapes[1 - shape].cylinder();
            cylinder.is_some_and(|c| c.inside_cap(motions[1 - shape], x) >= -self.delta)
        };
        let edge = self.shapes[shape].edge(motions[shape], edge);
        edge.is_some_and(|(x, d, length)| over(&x) != over(&(x + d * length)))
    }

    /// A crossing of two edges whose normal is near `n`.
    fn offer_crossing(
        &self,
        shape: usize,
        [i, j]: [usize; 2],
        (n, motions): (Vector3<f64>, Motions<'_>),
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) {
        let (a, b) = if shape == 0 { (i, j) } else { (j, i) };
        let Some((_, da, _)) = self.shapes[0].edge(motions[0], a) else { return };
        let Some((_, db, _)) = self.shapes[1].edge(motions[1], b) else { return };
        let m = da.cross(&db);
        let up = m.dot(&n);
        if m.norm() <= PARALLEL || up.abs() < CROSSES * m.norm() {
            return;
        }
        let features = Features::Parts { a: Part::Edge(a), b: Part::Edge(b), positive: up > 0.0 };
        let Some(touch) = self.touch(features, motions) else { return };
        let [xa, xb] = &touch.x;
        let reach = self.shapes[0].reaches((motions[0], &[]), Part::Edge(a), [xa, xb]);
        let reach = reach.min(self.shapes[1].reaches((motions[1], &[]), Part::Edge(b), [xb, xa]));
        if reach >= -self.delta && self.is_new(features, xb, found) {
            found.push((features, *xb));
        }
    }
}
