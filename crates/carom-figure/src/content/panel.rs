//! A panel: two axes, or three, and what is drawn between them.

use super::axis::Axis;
use super::item::{Item, Line, Note, Timeline};
use super::space::Space;
use crate::numbers::scale::Extent;

/// Where the legend of a panel goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LegendPlace {
    /// Inside where there is an empty corner or edge, otherwise above.
    #[default]
    Auto,
    /// Above the axes.
    Above,
    /// Nowhere.
    None,
}

/// One set of axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) right: Option<Axis>,
    pub(crate) items: Vec<Item>,
    pub(crate) equal: bool,
    pub(crate) one_zero: bool,
    pub(crate) height: Option<f64>,
    pub(crate) legend: LegendPlace,
    pub(crate) bare: bool,
    pub(crate) space: Option<Space>,
}

impl Panel {
    /// An empty panel.
    pub fn new() -> Self {
        Self::default()
    }

    /// A panel in three dimensions, drawn in parallel projection.
    pub fn space(space: Space) -> Self {
        Self { space: Some(space), equal: true, bare: true, ..Self::default() }
    }

    /// With a heading.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// With this horizontal axis: `.x(("t", "s"))` or an [`Axis`].
    pub fn x(mut self, axis: impl Into<Axis>) -> Self {
        self.x = axis.into();
        self
    }

    /// With this left axis.
    pub fn y(mut self, axis: impl Into<Axis>) -> Self {
        self.y = axis.into();
        self
    }

    /// With a right axis.
    pub fn right(mut self, axis: impl Into<Axis>) -> Self {
        self.right = Some(axis.into());
        self
    }

    /// With a line that has a name in the legend.
    pub fn line(self, name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        self.add(Line::new(name, x, y))
    }

    /// With a note at a point.
    pub fn note(self, x: f64, y: f64, text: impl Into<String>) -> Self {
        self.add(Note::new(x, y, text))
    }

    /// With anything: [`Line`], [`Band`](crate::Band), [`Stems`](crate::Stems), [`Guide`](crate::Guide), [`Note`],
    /// [`Area`](crate::Area), [`Ground`](crate::Ground), [`Arrow`](crate::Arrow), [`Timeline`].
    // Items are an inner matter; and nothing is summed here.
    #[allow(private_bounds, clippy::should_implement_trait)]
    pub fn add(mut self, item: impl Into<Item>) -> Self {
        self.items.push(item.into());
        self
    }

    /// With the same length of a unit on both axes.
    pub fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    /// With the zero of the left and of the right axis at the same height.
    pub fn one_zero(mut self) -> Self {
        self.one_zero = true;
        self
    }

    /// With this height of the axes, px.
    pub fn height(mut self, height: f64) -> Self {
        self.height = Some(height);
        self
    }

    /// With the legend there.
    pub fn legend(mut self, place: LegendPlace) -> Self {
        self.legend = place;
        self
    }

    /// Without axes, for pictures.
    pub fn bare(mut self) -> Self {
        self.bare = true;
        self
    }

    /// Whether nothing is drawn in it.
    pub fn is_empty(&self) -> bool {
        let blank = |item: &Item| match item {
            Item::Line(l) => !l.x.iter().zip(&l.y).any(|(x, y)| x.is_finite() && y.is_finite()),
            Item::Band(b) => b.x.is_empty(),
            Item::Stems(s) => s.x.is_empty(),
            Item::Area(a) => a.points.is_empty(),
            Item::Timeline(t) => t.bars.is_empty(),
            Item::Guide(_) | Item::Note(_) | Item::Label(_) => true,
            Item::Ground(_) | Item::Arrow(_) => false,
        };
        self.space.as_ref().is_none_or(Space::is_empty) && self.items.iter().all(blank)
    }

    /// Whether its height may be chosen.
    pub(crate) fn is_free(&self) -> bool {
        !self.equal && self.height.is_none() && self.timeline().is_none()
    }

    /// The timeline, if it is one.
    pub(crate) fn timeline(&self) -> Option<&Timeline> {
        self.items.iter().find_map(|item| match item {
            Item::Timeline(t) => Some(t),
            _ => None,
        })
    }

    /// Extents of all items on the horizontal, the left and the right axis.
    pub(crate) fn extents(&self) -> [Extent; 3] {
        let mut e = [Extent::EMPTY; 3];
        let logs = [self.x.log, self.y.log, self.right.as_ref().is_some_and(|a| a.log)];
        let mut add = |axis: usize, values: &[f64]| e[axis].add_all(values, logs[axis]);
        for item in &self.items {
            match item {
                Item::Line(l) => {
                    add(0, &l.x);
                    add(if l.right { 2 } else { 1 }, &l.y);
                }
                Item::Band(b) => {
                    add(0, &b.x);
                    add(1, &b.low);
                    add(1, &b.high);
                }
                Item::Stems(s) => {
                    let axis = if s.right { 2 } else { 1 };
                    add(0, &s.x);
                    add(axis, &s.y);
                    add(axis, &[0.0]);
                }
                Item::Area(a) => a.points.iter().for_each(|p| {
                    add(0, &p[..1]);
                    add(1, &p[1..]);
                }),
                Item::Arrow(a) => [a.from, a.to].iter().for_each(|p| {
                    add(0, &p[..1]);
                    add(1, &p[1..]);
                }),
                Item::Timeline(t) => t.bars.iter().for_each(|b| add(0, &[b.2, b.3])),
                Item::Guide(g) => add(if g.vertical { 0 } else { 1 }, &[g.at]),
                Item::Note(n) => {
                    add(0, &n.at[..1]);
                    add(1, &n.at[1..]);
                }
                Item::Ground(_) | Item::Label(_) => {}
            }
        }
        e
    }
}
