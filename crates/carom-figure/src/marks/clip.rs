//! Lines and polygons cut at a rectangle, so that no file format has to do it.

use super::draw::{Point, Rect};

/// The part of a line inside a rectangle (Liang and Barsky: the parameter is bounded by each edge in turn).
pub(crate) fn clip_line(a: Point, b: Point, r: &Rect) -> Option<(Point, Point)> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let (mut s0, mut s1) = (0.0f64, 1.0f64);
    for (p, q) in
        [(-d[0], a[0] - r.x0), (d[0], r.x1 - a[0]), (-d[1], a[1] - r.y0), (d[1], r.y1 - a[1])]
    {
        if p == 0.0 {
            if q < 0.0 {
                return None;
            }
        } else if p < 0.0 {
            s0 = s0.max(q / p);
        } else {
            s1 = s1.min(q / p);
        }
    }
    let at = |s: f64| [a[0] + s * d[0], a[1] + s * d[1]];
    (s0 <= s1).then(|| (if s0 == 0.0 { a } else { at(s0) }, if s1 == 1.0 { b } else { at(s1) }))
}

/// The pieces of a chain inside a rectangle; points that are not finite part the chain.
pub(crate) fn clip_chain(points: &[Point], r: &Rect) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in points.windows(2) {
        let finite = pair.iter().flatten().all(|x| x.is_finite());
        let part = if finite { clip_line(pair[0], pair[1], r) } else { None };
        let Some((a, b)) = part else {
            open = false;
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if open && a == pair[0] => piece.push(b),
            _ => pieces.push(vec![a, b]),
        }
        open = b == pair[1];
    }
    pieces
}

/// The part of a polygon where n·p ≤ c (Sutherland and Hodgman, one edge).
pub(crate) fn clip_half(polygon: &[Point], n: Point, c: f64) -> Vec<Point> {
    let side = |p: Point| n[0] * p[0] + n[1] * p[1] - c;
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, &b) in polygon.iter().enumerate() {
        let a = polygon[(k + polygon.len() - 1) % polygon.len()];
        let (sa, sb) = (side(a), side(b));
        if (sa <= 0.0) != (sb <= 0.0) {
            let s = sa / (sa - sb);
            kept.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
        }
        if sb <= 0.0 {
            kept.push(b);
        }
    }
    kept
}

/// The part of a polygon inside a rectangle.
pub(crate) fn clip_polygon(polygon: &[Point], r: &Rect) -> Vec<Point> {
    let mut kept = polygon.to_vec();
    for (n, c) in
        [([-1.0, 0.0], -r.x0), ([1.0, 0.0], r.x1), ([0.0, -1.0], -r.y0), ([0.0, 1.0], r.y1)]
    {
        kept = clip_half(&kept, n, c);
    }
    kept
}

/// Parallel lines inside a convex polygon, `step` px apart.
pub(crate) fn hatch_lines(polygon: &[Point], direction: Point, step: f64) -> Vec<(Point, Point)> {
    let n = [-direction[1], direction[0]];
    let along = |p: &Point, d: Point| p[0] * d[0] + p[1] * d[1];
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for p in polygon {
        low = low.min(along(p, n));
        high = high.max(along(p, n));
    }
    if !(high - low).is_finite() || high <= low {
        return Vec::new();
    }
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).filter_map(|k| chord(polygon, n, k as f64 * step, direction)).collect()
}

/// Where the line n·p = c crosses a convex polygon.
fn chord(polygon: &[Point], n: Point, c: f64, direction: Point) -> Option<(Point, Point)> {
    let mut crossings: Vec<Point> = Vec::new();
    for (k, b) in polygon.iter().enumerate() {
        let a = polygon[(k + polygon.len() - 1) % polygon.len()];
        let (sa, sb) = (n[0] * a[0] + n[1] * a[1] - c, n[0] * b[0] + n[1] * b[1] - c);
        if (sa < 0.0) != (sb < 0.0) {
            let s = sa / (sa - sb);
            crossings.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
        }
    }
    let along = |p: &Point| p[0] * direction[0] + p[1] * direction[1];
    let first = crossings.iter().copied().min_by(|a, b| along(a).total_cmp(&along(b)))?;
    let last = crossings.iter().copied().max_by(|a, b| along(a).total_cmp(&along(b)))?;
    (along(&last) - along(&first) > 0.5).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Rect = Rect { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 };

    #[test]
    fn a_line_is_cut_where_it_leaves() {
        assert_eq!(clip_line([-1.0, 0.5], [2.0, 0.5], &UNIT), Some(([0.0, 0.5], [1.0, 0.5])));
        assert_eq!(clip_line([0.2, 0.3], [0.4, 0.5], &UNIT), Some(([0.2, 0.3], [0.4, 0.5])));
        assert_eq!(clip_line([2.0, 0.0], [3.0, 1.0], &UNIT), None);
        assert_eq!(clip_line([-0.5, 0.6], [0.6, -0.5], &UNIT).map(|_| ()), Some(()));
        assert_eq!(clip_line([-0.9, 0.6], [0.6, -0.9], &UNIT), None);
    }

    #[test]
    fn a_chain_falls_into_pieces() {
        let chain = [
            [0.1, 0.5],
            [0.5, 0.5],
            [0.5, 3.0],
            [0.7, 3.0],
            [0.7, 0.5],
            [f64::NAN, 0.0],
            [0.2, 0.2],
            [0.3, 0.2],
        ];
        let pieces = clip_chain(&chain, &UNIT);
        assert_eq!(pieces.len(), 3);
        assert_eq!(pieces[0], [[0.1, 0.5], [0.5, 0.5], [0.5, 1.0]]);
        assert_eq!(pieces[1], [[0.7, 1.0], [0.7, 0.5]]);
    }

    #[test]
    fn the_area_of_a_cut_polygon() {
        let triangle = [[-1.0, 0.0], [1.0, 0.0], [1.0, 2.0]];
        let cut = clip_polygon(&triangle, &UNIT);
        let twice: f64 = (0..cut.len())
            .map(|k| (cut[k], cut[(k + 1) % cut.len()]))
            .map(|(a, b)| a[0] * b[1] - b[0] * a[1])
            .sum();
        assert!((twice.abs() / 2.0 - 1.0).abs() < 1e-12, "{cut:?}");
    }

    #[test]
    fn hatching_stays_inside() {
        let square = [[1.0, 0.0], [21.0, 0.0], [21.0, 20.0], [1.0, 20.0]];
        let lines = hatch_lines(&square, [0.0, 1.0], 4.0);
        let places: Vec<f64> = lines.iter().map(|(a, _)| a[0].abs()).collect();
        assert_eq!(lines.len(), 5, "{places:?}");
        assert!(lines.iter().all(|(a, b)| a[0] == b[0] && a[0] > 1.0 && a[0] < 21.0));
        assert!(lines.iter().all(|(a, b)| a[1] == 0.0 && b[1] == 20.0));
    }
}
