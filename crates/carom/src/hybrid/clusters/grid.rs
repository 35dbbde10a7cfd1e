//! The broad phase: boxes of assemblies in a grid of cells, and who may be near whom.
//!
//! ```text
//! box over [a, b]:  hull of the balls at a, (a + b)/2 and b, wider by (b − a) max |v − v(a)|/4          (1)
//! ```
//! Between two of the three times a ball is off the straight way by at most a Δ²/8, Δ = (b − a)/2, which is an eighth of
//! (1) if its acceleration is constant.
//!
//! A box that covers more than [`MOST_CELLS`] cells is not in the grid but tried with everything. Cells are kept by a hash of
//! their place; that two of them share a list makes work, not mistakes, because boxes are compared. Boxes are kept in single
//! precision, because what is compared with many others should be small: rounding never falls, so that boxes which meet still
//! do. Cells have the multiples of their size in their middle, so that bodies of a plane through the origin are in one
//! layer of them.

use nalgebra::Vector3;

/// Cells that a box may cover.
const MOST_CELLS: i64 = 64;
/// Lists of cells for each assembly: few cells share one, and those without anybody cost no cache.
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
}

/// A box in single precision.
#[derive(Debug, Clone, Copy)]
struct Outline {
    lo: [f32; 3],
    hi: [f32; 3],
}

impl Outline {
    /// The outline of what is nowhere.
    const NOWHERE: Self = Self { lo: [f32::INFINITY; 3], hi: [f32::NEG_INFINITY; 3] };

    fn of(bounds: &Bounds) -> Self {
        let single = |r: &Vector3<f64>| [r.x as f32, r.y as f32, r.z as f32];
        Self { lo: single(&bounds.lo), hi: single(&bounds.hi) }
    }

    /// Whether two boxes have a point in common.
    fn meets(&self, other: &Self) -> bool {
        // Without branches: which of the six comparisons fails first is chance.
        (0..3).fold(true, |so, k| so & (self.lo[k] <= other.hi[k]) & (other.lo[k] <= self.hi[k]))
    }
}

type Cell = (i32, i32, i32);

/// The cells from the first to the last that a box covers; none if they are too many.
type Span = Option<(Cell, Cell)>;

/// Where the boxes are.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// Size of a cell, m.
    pub size: f64,
    /// Who covers the cells of a hash; their number is a power of two.
    cells: Vec<Vec<u32>>,
    /// The box of each assembly.
    boxes: Vec<Outline>,
    /// The cells of each assembly, once it has a box.
    spans: Vec<Option<Span>>,
    wide: Vec<u32>,
    marks: Vec<u32>,
    mark: u32,
}

impl Grid {
    /// For so many assemblies, in cells of this size.
    pub fn new(count: usize, size: f64) -> Self {
        let cells = vec![Vec::new(); (LISTS * count).next_power_of_two()];
        let (boxes, spans) = (vec![Outline::NOWHERE; count], vec![None; count]);
        Self { size, cells, boxes, spans, marks: vec![0; count], ..Self::default() }
    }

    /// Set the box of an assembly.
    pub fn set(&mut self, assembly: usize, bounds: &Bounds) {
        self.boxes[assembly] = Outline::of(bounds);
        let span = self.span(bounds);
        if self.spans[assembly] == Some(span) {
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
        self.spans[assembly] = Some(span);
    }

    fn remove(&mut self, assembly: usize) {
        let drop = |list: &mut Vec<u32>| {
            let own = list.iter().position(|&other| other == assembly as u32);
            own.map(|own| list.swap_remove(own));
        };
        let count = self.cells.len();
        match self.spans[assembly].take() {
            Some(Some(span)) => each(span, |cell| drop(&mut self.cells[list(cell, count)])),
            Some(None) => drop(&mut self.wide),
            None => {}
        }
    }

    /// The cells that a box covers, unless they are too many.
    fn span(&self, bounds: &Bounds) -> Span {
        let place = |x: f64| {
            let x = x / self.size + 0.5;
            let cut = x as i32;
            (x.abs() < 1e9).then(|| cut - i32::from(x < f64::from(cut)))
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
        let Some(span) = self.spans[assembly] else { return };
        self.search(assembly, (self.boxes[assembly], span), found);
    }

    /// All other assemblies whose boxes meet a box within that of an assembly, ascending.
    pub fn near_within(&mut self, assembly: usize, bounds: &Bounds, found: &mut Vec<usize>) {
        found.clear();
        self.search(assembly, (Outline::of(bounds), self.span(bounds)), found);
    }

    /// All others whose boxes meet an outline.
    fn search(&mut self, but: usize, (outline, span): (Outline, Span), found: &mut Vec<usize>) {
        self.mark += 1;
        self.marks[but] = self.mark;
        let (boxes, marks, mark) = (&self.boxes, &mut self.marks, self.mark);
        let mut look = |other: usize| {
            if boxes[other].meets(&outline) && std::mem::replace(&mut marks[other], mark) != mark {
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
            grid.set(k, &ball(x, y, r));
        }
        grid.set(4, &ball(0.0, 0.0, f64::INFINITY));
        let mut found = Vec::new();
        grid.near(0, &mut found);
        assert_eq!(found, [1, 3, 4]);
        grid.near(3, &mut found);
        assert_eq!(found, [0, 1, 2, 4]);
        grid.set(1, &ball(5.2, 5.0, 0.3));
        grid.near(0, &mut found);
        assert_eq!(found, [3, 4]);
        grid.near(2, &mut found);
        assert_eq!(found, [1, 3, 4]);
    }

    #[test]
    fn boxes_in_single_precision_touch_where_they_do() {
        // A tenth is no number of single precision: boxes that meet there must still meet, and others must not.
        let mut grid = Grid::new(2, 1.0);
        grid.set(0, &ball(0.1 - 0.3, 0.0, 0.3));
        grid.set(1, &ball(0.1 + 0.3, 0.0, 0.3));
        let mut found = Vec::new();
        grid.near(0, &mut found);
        assert_eq!(found, [1]);
        grid.near_within(0, &ball(0.1 - 0.01, 0.0, 0.01), &mut found);
        assert_eq!(found, [1]);
        grid.near_within(0, &ball(0.1 - 0.01, 0.0, 0.009), &mut found);
        assert!(found.is_empty());
    }
}
