//! Fewer points for long series, with the same picture.
//!
//! Where x grows, only the first, smallest, largest and last y of each pixel column are kept, so extremes stay. Other
//! chains are put on a grid of half a pixel and pieces that were drawn already are left out; the grid gets coarser
//! until at most [`MOST`] points are left.
//!
//! # Tests
//! `extremes_are_kept`, `a_tangle_stays_small`.

use super::draw::Point;
use std::collections::BTreeSet;

/// Most points of a chain.
pub(crate) const MOST: usize = 12_000;

/// Thins one chain of finite points; it may fall into several.
pub(crate) fn thin(points: Vec<Point>) -> Vec<Vec<Point>> {
    if points.len() < 1000 {
        return vec![points];
    }
    let grows = points.windows(2).all(|p| p[1][0] >= p[0][0]);
    if grows { vec![min_max(&points)] } else { tangle(&points) }
}

/// First, smallest, largest and last of each pixel column, in order.
fn min_max(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for column in points.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
        let by_y = |a: &usize, b: &usize| column[*a][1].total_cmp(&column[*b][1]);
        let low = (0..column.len()).min_by(by_y).unwrap_or(0);
        let high = (0..column.len()).max_by(by_y).unwrap_or(0);
        let mut chosen = [0, low.min(high), low.max(high), column.len() - 1].to_vec();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|k| column[k]));
    }
    kept
}

/// Pieces of a chain on a grid that gets coarser until few are left.
fn tangle(points: &[Point]) -> Vec<Vec<Point>> {
    let mut grid = 0.5;
    loop {
        let pieces = on_grid(points, grid);
        if pieces.iter().map(Vec::len).sum::<usize>() <= MOST || grid > 16.0 {
            return pieces;
        }
        grid *= 2.0;
    }
}

fn on_grid(points: &[Point], grid: f64) -> Vec<Vec<Point>> {
    type Cell = (i32, i32);
    let cell = |p: &Point| ((p[0] / grid).round() as i32, (p[1] / grid).round() as i32);
    let mut drawn: BTreeSet<(Cell, Cell)> = BTreeSet::new();
    let mut pieces: Vec<Vec<Point>> = vec![vec![points[0]]];
    let (mut last, mut broken) = (points[0], false);
    for p in points {
        let (a, b) = (cell(&last), cell(p));
        if a == b {
            continue;
        }
        let is_new = drawn.insert((a.min(b), a.max(b)));
        if is_new && broken {
            pieces.push(vec![last]);
        }
        if let (true, Some(piece)) = (is_new, pieces.last_mut()) {
            piece.push(*p);
        }
        (last, broken) = (*p, !is_new);
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_kept() {
        let mut points: Vec<Point> =
            (0..100_000).map(|k| [k as f64 * 0.006, (k as f64 * 0.7).sin()]).collect();
        points[31_415][1] = 9.0;
        points[77_777][1] = -7.0;
        let thinned = thin(points.clone());
        assert_eq!(thinned.len(), 1);
        assert!(thinned[0].len() <= 4 * 601);
        for extreme in [points[31_415], points[77_777], points[0], points[99_999]] {
            assert!(thinned[0].contains(&extreme));
        }
        // No point is moved, and the order stays.
        assert!(thinned[0].iter().all(|p| points.contains(p)));
        assert!(thinned[0].windows(2).all(|p| p[0][0] <= p[1][0]));
    }

    #[test]
    fn a_tangle_stays_small() {
        let points: Vec<Point> = (0..400_000)
            .map(|k| f64::from(k) * 0.01)
            .map(|s| [300.0 + 200.0 * (1.1 * s).sin(), 200.0 + 150.0 * (1.3702 * s).cos()])
            .collect();
        let pieces = thin(points);
        assert!(pieces.iter().map(Vec::len).sum::<usize>() <= MOST);
        let all = || pieces.iter().flatten();
        assert!(all().any(|p| p[0] > 498.0) && all().any(|p| p[0] < 102.0));
        assert!(all().any(|p| p[1] > 348.0) && all().any(|p| p[1] < 52.0));
    }

    #[test]
    fn short_chains_are_left_alone() {
        let points = vec![[0.0, 0.0], [0.001, 1.0], [5.0, 2.0]];
        assert_eq!(thin(points.clone()), vec![points]);
    }
}
