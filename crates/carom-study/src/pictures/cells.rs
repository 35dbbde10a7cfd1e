//! Maps and basins: colour over two parameters.
//!
//! Where the columns have few values, each pair of values is a cell; else the plane is divided. A cell of a map shows
//! the mean of its rows, a cell of a basin the class that most of them have.

use super::picture::{Drawn, Frame, Kind, Picture, not_empty, rows};
use super::scan::Scan;
use crate::dataset::Reader;
use crate::error::StudyError;
use carom_figure::{Area, Colour, Dash, LegendPlace, Panel};
use carom_scene::short_number;
use std::collections::BTreeMap;

/// Values of a column that are cells of their own, at most.
const MOST_VALUES: usize = 600;
/// Cells each way, where there are more values.
const CELLS: usize = 120;
/// Bands of a map, about.
const BANDS: f64 = 8.0;
/// Different classes at most.
const CLASSES: usize = 8;

/// The edges of cells along an axis.
struct Edges(Vec<f64>);

impl Edges {
    /// Between the values that a column has, or of equal cells.
    fn new(values: &[f64], [low, high]: [f64; 2]) -> Self {
        if values.len() > MOST_VALUES {
            let edge = |k: usize| low + (high - low) * k as f64 / CELLS as f64;
            return Self((0..=CELLS).map(edge).collect());
        }
        let middle = |k: usize| 0.5 * (values[k] + values[k + 1]);
        let n = values.len();
        if n < 2 {
            let half = 0.5 * low.abs().max(1.0);
            return Self(vec![low - half, low + half]);
        }
        let mut edges = vec![values[0] - 0.5 * (values[1] - values[0])];
        edges.extend((0..n - 1).map(middle));
        edges.push(values[n - 1] + 0.5 * (values[n - 1] - values[n - 2]));
        Self(edges)
    }

    fn count(&self) -> usize {
        self.0.len() - 1
    }

    /// The cell of a number.
    fn cell(&self, x: f64) -> Option<usize> {
        let after = self.0.partition_point(|edge| *edge <= x);
        let cell = after.checked_sub(1)?;
        // The last edge belongs to the last cell.
        Some(cell.min(self.count() - 1)).filter(|_| x <= self.0[self.count()])
    }

    fn range(&self) -> [f64; 2] {
        [self.0[0], self.0[self.count()]]
    }
}

/// Different values of two columns, as long as there are few.
fn values(scan: &Scan<'_>, places: &[usize]) -> Result<[Vec<f64>; 2], StudyError> {
    let mut all = [Vec::<f64>::new(), Vec::new()];
    scan.numbers(places, |row| {
        for (seen, x) in
            all.iter_mut().zip(row).filter(|(s, x)| x.is_finite() && s.len() <= MOST_VALUES)
        {
            if let Err(at) = seen.binary_search_by(|s| s.total_cmp(x)) {
                seen.insert(at, *x);
            }
        }
    })?;
    Ok(all)
}

/// The panel of cells.
pub fn panels(picture: &Picture, reader: &Reader, scan: &Scan<'_>) -> Result<Drawn, StudyError> {
    let (x, y, value) = (picture.the_x()?, picture.the_y()?, picture.the_value()?);
    let places = [reader.place(x)?, reader.place(y)?];
    let ranges = scan.ranges(&places)?;
    not_empty(picture, &ranges)?;
    let known = values(scan, &places)?;
    let edges = [Edges::new(&known[0], ranges[0]), Edges::new(&known[1], ranges[1])];
    let at = reader.place(value)?;
    let (mut sorts, caption) = match picture.kind {
        Kind::Basin => classes(picture, scan, (&places, at), &edges)?,
        _ => bands(picture, scan, [places[0], places[1], at], &edges)?,
    };
    let axis = |column: &str, edges: &Edges| {
        let [low, high] = edges.range();
        picture.axis(column).range(low, high)
    };
    let mut panel = Panel::new()
        .x(axis(x, &edges[0]))
        .y(axis(y, &edges[1]))
        .legend(LegendPlace::Above)
        .height(400.0);
    for sort in &mut sorts {
        for corners in runs(&edges, &sort.cells) {
            // A thin edge of the same colour: neighbours leave no seam.
            let mut area = Area::new(corners).fill(sort.colour, 1.0);
            area = area.edge(sort.colour, 0.5, Dash::Solid);
            if let Some(name) = sort.name.take() {
                area = area.name(name);
            }
            panel = panel.add(area);
        }
    }
    let frame = Frame { x: edges[0].range(), y: edges[1].range(), places: places.to_vec() };
    Ok(Drawn { panels: vec![picture.marked(panel)], caption, frame: Some(frame) })
}

/// Cells of one look.
struct CellSort {
    name: Option<String>,
    colour: Colour,
    cells: Vec<bool>,
}

fn bands(
    picture: &Picture,
    scan: &Scan<'_>,
    places: [usize; 3],
    edges: &[Edges; 2],
) -> Result<(Vec<CellSort>, String), StudyError> {
    let width = edges[0].count();
    let mut sums = vec![(0.0, 0_u32); width * edges[1].count()];
    let count = scan.numbers(&places, |row| {
        if let (Some(i), Some(j)) = (edges[0].cell(row[0]), edges[1].cell(row[1]))
            && row[2].is_finite()
        {
            let sum = &mut sums[j * width + i];
            *sum = (sum.0 + row[2], sum.1 + 1);
        }
    })?;
    let means: Vec<f64> = sums.iter().map(|(sum, n)| sum / f64::from(*n)).collect();
    let finite = || means.iter().copied().filter(|m| m.is_finite());
    let (low, high) =
        finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), m| (a.min(m), b.max(m)));
    not_empty(picture, &[[low, high]])?;
    let (step, first) = steps(low, high);
    let bands = (((high - first) / step).floor() as usize + 1).max(1);
    let band = |m: f64| (((m - first) / step).floor() as usize).min(bands - 1);
    let (words, unit) = picture.label(picture.the_value()?);
    let unit = if unit.is_empty() { unit } else { format!(" {unit}") };
    let sort = |k: usize| {
        let (from, to) = (first + step * k as f64, first + step * (k + 1) as f64);
        let level = if bands > 1 { 255.0 * k as f64 / (bands - 1) as f64 } else { 128.0 };
        CellSort {
            name: Some(format!("{} … {}{unit}", told(from, step), told(to, step))),
            colour: Colour::Level(level.round() as u8),
            cells: means.iter().map(|m| m.is_finite() && band(*m) == k).collect(),
        }
    };
    let sorts = (0..bands).map(sort).filter(|s| s.cells.contains(&true)).collect();
    let holes = means.iter().filter(|m| !m.is_finite()).count();
    let white = if holes > 0 { " White: no value." } else { "" };
    let caption = format!(
        "{words}: {} to {}{unit}, {}.{white}",
        short_number(low),
        short_number(high),
        rows(count)
    );
    Ok((sorts, caption.replace('-', "−")))
}

/// A round step that divides a range into about [`BANDS`] bands, and where the first begins.
fn steps(low: f64, high: f64) -> (f64, f64) {
    let wanted = (high - low) / BANDS;
    if wanted <= 0.0 || !wanted.is_finite() {
        let step = low.abs().max(1.0);
        return (step, low);
    }
    let power = 10_f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|s| *s >= wanted);
    let step = step.unwrap_or(wanted);
    (step, (low / step).floor() * step)
}

/// A multiple of a step with the digits that it needs.
fn told(x: f64, step: f64) -> String {
    if !(1e-4..1e6).contains(&step) {
        return short_number(if x.abs() < 1e-9 * step { 0.0 } else { x }).replace('-', "−");
    }
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let text = format!("{x:.digits$}");
    match text.trim_start_matches('-').trim_matches(['0', '.']).is_empty() {
        true => "0".into(),
        false => text.replace('-', "−"),
    }
}

fn classes(
    picture: &Picture,
    scan: &Scan<'_>,
    (places, at): (&[usize], usize),
    edges: &[Edges; 2],
) -> Result<(Vec<CellSort>, String), StudyError> {
    let width = edges[0].count();
    let mut names: Vec<String> = Vec::new();
    let mut counts: Vec<BTreeMap<usize, u32>> = vec![BTreeMap::new(); width * edges[1].count()];
    let mut count = 0;
    scan.classes(places, at, |row, class| {
        count += 1;
        let (Some(i), Some(j)) = (edges[0].cell(row[0]), edges[1].cell(row[1])) else { return };
        let Some(class) = class else { return };
        let class = match names.iter().position(|n| n == class) {
            Some(k) => k,
            None if names.len() < CLASSES => {
                names.push(class.into());
                names.len() - 1
            }
            None => CLASSES,
        };
        *counts[j * width + i].entry(class).or_default() += 1;
    })?;
    let most = |cell: &BTreeMap<usize, u32>| {
        cell.iter().max_by_key(|(class, n)| (**n, usize::MAX - **class)).map(|(class, _)| *class)
    };
    let cells: Vec<Option<usize>> = counts.iter().map(most).collect();
    let (words, _) = picture.label(picture.the_value()?);
    let mut order: Vec<usize> = (0..names.len()).collect();
    let number = |k: &usize| names[*k].parse::<f64>().unwrap_or(f64::INFINITY);
    order.sort_by(|a, b| number(a).total_cmp(&number(b)).then(names[*a].cmp(&names[*b])));
    let sort = |(place, class): (usize, usize)| CellSort {
        name: Some(match names.get(class) {
            Some(name) => format!("{words} = {name}").replace('-', "−"),
            None => "others".into(),
        }),
        colour: COLOURS[place % COLOURS.len()],
        cells: cells.iter().map(|c| *c == Some(class)).collect(),
    };
    let others = cells.contains(&Some(CLASSES)).then_some(CLASSES);
    let sorts: Vec<CellSort> = order.into_iter().chain(others).enumerate().map(sort).collect();
    if sorts.is_empty() {
        return Err(picture.needs("at least one row with a class".into()));
    }
    Ok((sorts, format!("{}.", rows(count))))
}

/// Colours of classes: far from each other in lightness too.
const COLOURS: [Colour; 9] = [
    Colour::Level(50),
    Colour::Level(205),
    Colour::Series(1),
    Colour::Series(4),
    Colour::Series(3),
    Colour::Series(2),
    Colour::Series(5),
    Colour::Series(6),
    Colour::Series(7),
];

/// Rectangles of neighbouring cells that belong together, along rows and then over rows with the same ends.
fn runs(edges: &[Edges; 2], cells: &[bool]) -> Vec<Vec<[f64; 2]>> {
    let width = edges[0].count();
    let mut open: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut all = Vec::new();
    let mut close = |(from, to): (usize, usize), start: usize, end: usize| {
        let (x, y) = (&edges[0].0, &edges[1].0);
        let ([left, right], [low, high]) = ([x[from], x[to]], [y[start], y[end]]);
        all.push(vec![[left, low], [right, low], [right, high], [left, high]]);
    };
    for j in 0..edges[1].count() {
        let row = &cells[j * width..(j + 1) * width];
        let mut now = BTreeMap::new();
        let mut i = 0;
        while i < width {
            let end = i + row[i..].iter().take_while(|c| **c).count();
            if end > i {
                now.insert((i, end), open.remove(&(i, end)).unwrap_or(j));
            }
            i = end.max(i + 1);
        }
        for (run, start) in std::mem::replace(&mut open, now) {
            close(run, start, j);
        }
    }
    for (run, start) in open {
        close(run, start, edges[1].count());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_lie_between_values() {
        let edges = Edges::new(&[0.0, 1.0, 3.0], [0.0, 3.0]);
        assert_eq!(edges.0, [-0.5, 0.5, 2.0, 4.0]);
        assert_eq!([0.0, 1.9, 3.0, 4.0].map(|x| edges.cell(x)), [0, 1, 2, 2].map(Some));
        assert_eq!((edges.cell(-0.6), edges.cell(4.1)), (None, None));
    }

    #[test]
    fn rectangles_cover_what_they_should() {
        let edges = [Edges(vec![0.0, 1.0, 2.0, 3.0]), Edges(vec![0.0, 1.0, 2.0])];
        let cells = [true, true, false, true, true, true];
        let found = runs(&edges, &cells);
        let area: f64 = found.iter().map(|r| (r[1][0] - r[0][0]) * (r[2][1] - r[1][1])).sum();
        assert_eq!((found.len(), area), (2, 5.0));
        let block = runs(&edges, &[true; 6]);
        assert_eq!(block, [vec![[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [0.0, 2.0]]]);
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(steps(0.0, 1.0), (0.2, 0.0));
        assert_eq!(steps(-3.0, 77.0), (10.0, -10.0));
        assert_eq!(told(0.30000000000000004, 0.1), "0.3");
        assert_eq!(told(-1e-17, 0.1), "0");
        assert_eq!(steps(5.0, 5.0), (5.0, 5.0));
    }
}
