//! Which places of a panel are taken by data.

use super::draw::{Point, Rect};

/// Side of a cell, px.
const CELL: f64 = 3.0;

/// A coarse picture of a panel: taken or free.
#[derive(Debug, Clone)]
pub(crate) struct Busy {
    area: Rect,
    columns: usize,
    rows: usize,
    taken: Vec<bool>,
}

impl Busy {
    /// A free panel.
    pub fn new(area: Rect) -> Self {
        let columns = (area.width() / CELL).ceil().max(1.0) as usize;
        let rows = (area.height() / CELL).ceil().max(1.0) as usize;
        Self { area, columns, rows, taken: vec![false; columns * rows] }
    }

    fn cell(&self, p: Point) -> Option<usize> {
        let column = ((p[0] - self.area.x0) / CELL).floor();
        let row = ((p[1] - self.area.y0) / CELL).floor();
        let inside =
            column >= 0.0 && row >= 0.0 && column < self.columns as f64 && row < self.rows as f64;
        inside.then(|| row as usize * self.columns + column as usize)
    }

    /// Takes the cells around a point.
    pub fn point(&mut self, p: Point, radius: f64) {
        let mut y = -radius;
        while y <= radius {
            self.line([p[0] - radius, p[1] + y], [p[0] + radius, p[1] + y]);
            y += CELL.min(radius.max(0.5));
        }
    }

    /// Takes the cells along a line.
    pub fn line(&mut self, a: Point, b: Point) {
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        if !length.is_finite() {
            return;
        }
        let steps = (length / (0.5 * CELL)).ceil().clamp(1.0, 1e4) as usize;
        for k in 0..=steps {
            let s = k as f64 / steps as f64;
            if let Some(cell) = self.cell([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]) {
                self.taken[cell] = true;
            }
        }
    }

    /// Takes the inside of a polygon, by level lines (even–odd).
    pub fn polygon(&mut self, points: &[Point]) {
        for row in 0..self.rows {
            let y = self.area.y0 + (row as f64 + 0.5) * CELL;
            let mut crossings: Vec<f64> = Vec::new();
            for (k, b) in points.iter().enumerate() {
                let a = points[(k + points.len() - 1) % points.len()];
                if (a[1] <= y) != (b[1] <= y) {
                    crossings.push(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
                }
            }
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let ends = [pair[0].max(self.area.x0), pair[1].min(self.area.x1)];
                if ends[0] <= ends[1] {
                    self.line([ends[0], y], [ends[1], y]);
                }
            }
        }
    }

    /// Number of taken cells under a rectangle.
    pub fn count(&self, r: &Rect) -> usize {
        let range = |a: f64, b: f64, n: usize| {
            let low = (a / CELL).floor().clamp(0.0, n as f64) as usize;
            let high = (b / CELL).ceil().clamp(0.0, n as f64) as usize;
            low..high
        };
        let columns = range(r.x0 - self.area.x0, r.x1 - self.area.x0, self.columns);
        range(r.y0 - self.area.y0, r.y1 - self.area.y0, self.rows)
            .map(|row| columns.clone().filter(|c| self.taken[row * self.columns + c]).count())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_areas_take_their_places() {
        let area = Rect { x0: 10.0, y0: 10.0, x1: 110.0, y1: 70.0 };
        let mut busy = Busy::new(area);
        assert_eq!(busy.count(&area), 0);
        busy.line([10.0, 40.0], [110.0, 40.0]);
        assert!(busy.count(&Rect { x0: 50.0, y0: 35.0, x1: 60.0, y1: 45.0 }) > 0);
        assert_eq!(busy.count(&Rect { x0: 50.0, y0: 12.0, x1: 60.0, y1: 30.0 }), 0);
        busy.polygon(&[[20.0, 12.0], [40.0, 12.0], [40.0, 32.0], [20.0, 32.0]]);
        assert!(busy.count(&Rect { x0: 28.0, y0: 20.0, x1: 31.0, y1: 23.0 }) > 0);
    }
}
