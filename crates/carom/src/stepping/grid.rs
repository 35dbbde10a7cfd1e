//! Which of many balls and planes are near each other, in O(N log N): a uniform grid.
//!
//! Cells are as wide as the largest ball of ordinary size and the margin, so that what is near is in neighbouring cells. Balls more than
//! [`LARGE`] times as large as the median, and planes, are compared with all others.

use nalgebra::Vector3;

/// Size, in units of the median radius, from which a ball is compared with all others.
const LARGE: f64 = 4.0;

/// Bounds of a feature.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ball {
    /// A ball.
    Round { center: Vector3<f64>, radius: f64 },
    /// What is below a plane.
    Plane { point: Vector3<f64>, normal: Vector3<f64> },
}

/// Buffers of the search.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    radii: Vec<f64>,
    cells: Vec<([i64; 3], usize)>,
    others: Vec<usize>,
}

/// The cells around one of which each pair of cells is met once.
const AHEAD: [[i64; 3]; 13] = [
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

impl Grid {
    /// Places of all pairs whose bounds are at most `margin` apart, the smaller first, ascending.
    pub fn pairs(&mut self, balls: &[Ball], margin: f64, pairs: &mut Vec<(usize, usize)>) {
        pairs.clear();
        let width = self.sort(balls, margin);
        let mut note = |a: usize, b: usize| {
            if a != b && is_near(&balls[a], &balls[b], margin) {
                pairs.push((a.min(b), a.max(b)));
            }
        };
        for (place, &a) in self.others.iter().enumerate() {
            self.others[place + 1..].iter().for_each(|&b| note(a, b));
            self.cells.iter().for_each(|&(_, b)| note(a, b));
        }
        let mut start = 0;
        while start < self.cells.len() && width > 0.0 {
            let cell = self.cells[start].0;
            let end = start + self.cells[start..].iter().take_while(|c| c.0 == cell).count();
            for i in start..end {
                self.cells[i + 1..end].iter().for_each(|&(_, b)| note(self.cells[i].1, b));
            }
            for step in AHEAD {
                let next = [cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]];
                let from = self.cells.partition_point(|c| c.0 < next);
                let there = self.cells[from..].iter().take_while(|c| c.0 == next);
                for &(_, b) in there {
                    self.cells[start..end].iter().for_each(|&(_, a)| note(a, b));
                }
            }
            start = end;
        }
        pairs.sort_unstable();
    }

    /// Balls of ordinary size into cells, everything else aside; returns the width of a cell.
    fn sort(&mut self, balls: &[Ball], margin: f64) -> f64 {
        let radius = |ball: &Ball| match ball {
            Ball::Round { radius, .. } => *radius,
            Ball::Plane { .. } => f64::INFINITY,
        };
        self.radii.clear();
        self.radii.extend(balls.iter().map(radius).filter(|r| r.is_finite()));
        self.radii.sort_unstable_by(f64::total_cmp);
        let median = self.radii.get(self.radii.len() / 2).copied().unwrap_or(0.0);
        let most = self.radii.iter().rev().find(|r| **r <= LARGE * median).copied().unwrap_or(0.0);
        let width = 2.0 * most + margin.max(0.0);
        self.cells.clear();
        self.others.clear();
        for (i, ball) in balls.iter().enumerate() {
            match ball {
                Ball::Round { center, radius } if *radius <= most && width > 0.0 => {
                    let cell = center.map(|x| (x / width).floor() as i64);
                    self.cells.push(([cell.z, cell.y, cell.x], i));
                }
                _ => self.others.push(i),
            }
        }
        self.cells.sort_unstable();
        width
    }
}

fn is_near(a: &Ball, b: &Ball, margin: f64) -> bool {
    match (a, b) {
        (Ball::Round { center: x, radius: r }, Ball::Round { center: y, radius: s }) => {
            let apart = r + s + margin;
            (x - y).norm_squared() <= apart * apart
        }
        (Ball::Plane { point, normal }, Ball::Round { center, radius })
        | (Ball::Round { center, radius }, Ball::Plane { point, normal }) => {
            normal.dot(&(center - point)) <= radius + margin
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_exactly_what_comparing_all_pairs_finds() {
        let mut seed = 3_u64;
        let mut random = move || carom_testing::splitmix64(&mut seed) as f64 / 2f64.powi(64);
        for round in 0..20 {
            let mut balls: Vec<Ball> = (0..200)
                .map(|i| {
                    let center = Vector3::new(random(), random(), random()) * 2.0;
                    let radius = if i % 50 == 7 { 0.6 } else { 0.02 + 0.08 * random() };
                    Ball::Round { center, radius }
                })
                .collect();
            balls.push(Ball::Plane { point: Vector3::zeros(), normal: Vector3::z() });
            let margin = 0.01 * f64::from(round % 3);
            let mut found = Vec::new();
            Grid::default().pairs(&balls, margin, &mut found);
            let mut expected = Vec::new();
            for a in 0..balls.len() {
                for b in a + 1..balls.len() {
                    if is_near(&balls[a], &balls[b], margin) {
                        expected.push((a, b));
                    }
                }
            }
            assert_eq!(found, expected);
        }
    }
}
