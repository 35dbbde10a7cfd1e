//! The broad phase: boxes of assemblies in a grid of cells, and who may be near whom.
//!
//! ```text
//! box over [a, b]:  hull of the balls at a, (a + b)/2 and b, wider by (b − a) max |v − v(a)|/4          (1)
//! ```
//! Between two of the three times a ball is off the straight way by at most a Δ²/8, Δ = (b − a)/2, which is an eighth of
//! (1) if its acceleration is constant.
//!
//! A box that covers more than [`MOST_CELLS`] cells is not in the grid but tried with everything. Cells are kept by a hash of
//! their place; that two of them share a list makes work, not mistakes, because boxes are compared.

use nalgebra::Vector3;

/// Cells that a box may cover.
const MOST_CELLS: i64 = 64;
/// Lists of cells for each assembly.
const LISTS: usize = 4;

/// A box along the axes of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub lo: Vector3<f64>,
    pub hi: Vector3<f64>,
}

impl Bounds {
    /// A box that holds nothing.
    pub fn nothing() -> Self {
        Self { lo: Vector3::repeat(f64::INFINITY), hi: Vector3::repeat(f64::NEG_INFINITY) }
    }

    /// Hold a ball as well.
    pub fn hold(&mut self, center: &Vector3<f64>, radius: f64) {
        self.lo = self.lo.inf(&center.add_scalar(-radius));
        self.hi = self.hi.sup(&center.add_scalar(radius));
    }

    /// Wider by so much on all sides.
    pub fn widen(&mut self, by: f64) {
        self.lo.add_scalar_mut(-by);
        self.hi.add_scalar_mut(by);
    }

    /// Whether two boxes have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.hi[k] && other.lo[k] <= self.hi[k])
    }
}

type Cell = (i32, i32, i32);

/// A box and the cells from the first to the last that it covers.
type Placed = (Bounds, Option<(Cell, Cell)>);

/// Where the boxes are.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// Size of a cell, m.
    pub size: f64,
    /// Who covers the cells of a hash; their number is a power of two.
    cells: Vec<Vec<u32>>,
    /// The box of each assembly, and the cells that it covers if these are not too many.
    boxes: Vec<Option<Placed>>,
    wide: Vec<u32>,
    marks: Vec<u32>,
    mark: u32,
}

impl Grid {
    /// For so many assemblies, in cells of this size.
    pub fn new(count: usize, size: f64) -> Self {
        let cells = vec![Vec::new(); (LISTS * count).next_power_of_two()];
        Self { size, cells, boxes: vec![None; count], marks: vec![0; count], ..Self::default() }
    }

    /// Set the box of an assembly.
    pub fn set(&mut self, assembly: usize, bounds: Bounds) {
        let span = self.span(&bounds);
        if let Some((old, place)) = &mut self.boxes[assembly]
            && *place == span
        {
            *old = bounds;
            return;
        }
        self.remove(assembly);
        match span {
            Some(span) => {
                let count = self.cells.len();
                each(span, |cell| self.cells[list(cell, count)].push(assembly as u32));
            }
            None => self.wide.push(assembly as u32),
        }
        self.boxes[assembly] = Some((bounds, span));
    }

    fn remove(&mut self, assembly: usize) {
        let drop = |list: &mut Vec<u32>| {
            let own = list.iter().position(|&other| other == assembly as u32);
            own.map(|own| list.swap_remove(own));
        };
        let count = self.cells.len();
        match self.boxes[assembly].take() {
            Some((_, Some(span))) => {
                each(span, |cell| drop(&mut self.cells[list(cell, count)]));
            }
            Some((_, None)) => drop(&mut self.wide),
            None => {}
        }
    }

    /// The cells that a box covers, unless they are too many.
    fn span(&self, bounds: &Bounds) -> Option<(Cell, Cell)> {
        let place = |x: f64| {
            let cell = (x / self.size).floor();
            (cell.abs() < 1e9).then_some(cell as i32)
        };
        let cell = |r: &Vector3<f64>| Some((place(r.x)?, place(r.y)?, place(r.z)?));
        let (lo, hi) = (cell(&bounds.lo)?, cell(&bounds.hi)?);
        let wide = |a: i32, b: i32| i64::from(b) - i64::from(a) + 1;
        let count =
            wide(lo.0, hi.0).checked_mul(wide(lo.1, hi.1))?.checked_mul(wide(lo.2, hi.2))?;
        (count <= MOST_CELLS).then_some((lo, hi))
    }

    /// All other assemblies whose boxes meet that of an assembly, ascending.
    pub fn near(&mut self, assembly: usize, found: &mut Vec<usize>) {
        found.clear();
        let Some((bounds, span)) = self.boxes[assembly] else { return };
        self.mark += 1;
        self.marks[assembly] = self.mark;
        let (boxes, marks, mark) = (&self.boxes, &mut self.marks, self.mark);
        let mut look = |other: usize| {
            if std::mem::replace(&mut marks[other], mark) == mark {
                return;
            }
            if boxes[other].as_ref().is_some_and(|(theirs, _)| theirs.meets(&bounds)) {
                found.push(other);
            }
        };
        match span {
            Some(span) => {
                let cells = &self.cells;
                each(span, |cell| {
                    let there = cells[list(cell, cells.len())].iter();
                    there.for_each(|&other| look(other as usize));
                });
                self.wide.iter().for_each(|&other| look(other as usize));
            }
            None => (0..boxes.len()).for_each(look),
        }
        found.sort_unstable();
    }
}

/// The list of a cell among so many.
fn list((x, y, z): Cell, count: usize) -> usize {
    let mix = |hash: u64, x: i32| (hash ^ u64::from(x as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = [x, y, z].into_iter().fold(0, |hash, x| mix(hash, x).rotate_left(23));
    (hash >> 20) as usize & (count - 1)
}

fn each((lo, hi): (Cell, Cell), mut visit: impl FnMut(Cell)) {
    for x in lo.0..=hi.0 {
        for y in lo.1..=hi.1 {
            for z in lo.2..=hi.2 {
                visit((x, y, z));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64, y: f64, radius: f64) -> Bounds {
        let mut bounds = Bounds::nothing();
        bounds.hold(&Vector3::new(x, y, 0.0), radius);
        bounds
    }

    #[test]
    fn near_is_who_meets_also_after_moves() {
        let mut grid = Grid::new(6, 1.0);
        // The fourth covers too many cells, the fifth is without bounds.
        let places = [(0.0, 0.0, 0.3), (0.5, 0.0, 0.3), (5.0, 5.0, 0.3), (0.0, 0.0, 30.0)];
        for (k, &(x, y, r)) in places.iter().enumerate() {
            grid.set(k, ball(x, y, r));
        }
        grid.set(4, ball(0.0, 0.0, f64::INFINITY));
        let mut found = Vec::new();
        grid.near(0, &mut found);
        assert_eq!(found, [1, 3, 4]);
        grid.near(3, &mut found);
        assert_eq!(found, [0, 1, 2, 4]);
        grid.set(1, ball(5.2, 5.0, 0.3));
        grid.near(0, &mut found);
        assert_eq!(found, [3, 4]);
        grid.near(2, &mut found);
        assert_eq!(found, [1, 3, 4]);
    }
}
