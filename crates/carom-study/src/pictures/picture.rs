//! What is to be drawn.

use super::scan::Scan;
use super::{cells, histogram, parallel, points};
use crate::dataset::Reader;
use crate::error::StudyError;
use carom_figure::{Axis, Colour, Figure, Guide, Panel};

/// Sorts of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Points.
    Scatter,
    /// Values at events over a parameter.
    Bifurcation,
    /// A value by colour over two parameters.
    Map,
    /// Classes by colour over two parameters.
    Basin,
    /// One line for each row across several axes.
    Parallel,
    /// How often values come.
    Histogram,
}

impl Kind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Scatter => "scatter",
            Self::Bifurcation => "bifurcation",
            Self::Map => "map",
            Self::Basin => "basin",
            Self::Parallel => "parallel",
            Self::Histogram => "histogram",
        }
    }
}

/// A picture of some columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Its sort.
    pub kind: Kind,
    /// Columns on the horizontal axis.
    pub x: Vec<String>,
    /// Column on the vertical axis.
    pub y: Option<String>,
    /// Column that is shown by colour.
    pub value: Option<String>,
    /// Which rows.
    pub condition: Option<String>,
    /// What axes say: column, words, unit.
    pub labels: Vec<(String, String, String)>,
    /// Upright lines: where, and what they say.
    pub marks: Vec<(f64, String)>,
    /// Heading.
    pub title: Option<String>,
}

impl Picture {
    /// Draws it.
    pub fn draw(&self, reader: &Reader) -> Result<Figure, StudyError> {
        let scan = Scan::new(reader, self.condition.as_deref())?;
        Ok(self.drawn(reader, &scan)?.figure(self))
    }

    /// Its panels.
    pub(super) fn drawn(&self, reader: &Reader, scan: &Scan<'_>) -> Result<Drawn, StudyError> {
        match self.kind {
            Kind::Scatter | Kind::Bifurcation => points::panels(self, reader, scan),
            Kind::Map | Kind::Basin => cells::panels(self, reader, scan),
            Kind::Parallel => parallel::panels(self, reader, scan),
            Kind::Histogram => histogram::panels(self, reader, scan),
        }
    }

    /// The one column on the horizontal axis.
    pub(super) fn the_x(&self) -> Result<&str, StudyError> {
        match self.x.as_slice() {
            [x] => Ok(x),
            _ => Err(self.needs("one column for --x".into())),
        }
    }

    /// The column on the vertical axis.
    pub(super) fn the_y(&self) -> Result<&str, StudyError> {
        self.y.as_deref().ok_or_else(|| self.needs("a column for --y".into()))
    }

    /// The column that is shown by colour.
    pub(super) fn the_value(&self) -> Result<&str, StudyError> {
        self.value.as_deref().ok_or_else(|| self.needs("a column for --value".into()))
    }

    pub(super) fn needs(&self, needs: String) -> StudyError {
        StudyError::Picture { picture: self.kind.word(), needs }
    }

    /// A panel with its upright lines.
    pub(super) fn marked(&self, panel: Panel) -> Panel {
        self.marks.iter().fold(panel, |panel, (at, words)| {
            panel.add(Guide::vertical(*at, words.clone()).colour(Colour::Ink))
        })
    }

    /// The axis of a column.
    pub(super) fn axis(&self, column: &str) -> Axis {
        let (words, unit) = self.label(column);
        Axis::new(words, unit)
    }

    /// What a column is called, and its unit.
    pub(super) fn label(&self, column: &str) -> (String, String) {
        let found = self.labels.iter().find(|(name, ..)| name == column);
        match found {
            Some((_, words, unit)) => (words.clone(), unit.clone()),
            None => (column.trim_start_matches('$').to_string(), String::new()),
        }
    }
}

/// Panels, the caption under them, and the axes of a picture that has two.
pub(super) struct Drawn {
    pub panels: Vec<Panel>,
    pub caption: String,
    pub frame: Option<Frame>,
}

/// Two axes from end to end, and the columns along them: one, then one or more.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub x: [f64; 2],
    pub y: [f64; 2],
    pub places: Vec<usize>,
}

impl Drawn {
    /// A picture whose panels have axes of their own.
    pub fn without_frame(panels: Vec<Panel>, caption: String) -> Self {
        Self { panels, caption, frame: None }
    }

    /// The figure of all panels.
    pub fn figure(self, picture: &Picture) -> Figure {
        let title = picture.title.clone().unwrap_or_default();
        let columns = if self.panels.len() > 1 { 2 } else { 1 };
        let figure = Figure::new(title).columns(columns).caption(self.caption);
        self.panels.into_iter().fold(figure, Figure::panel)
    }
}

/// An error if a range is empty.
pub(super) fn not_empty(picture: &Picture, ranges: &[[f64; 2]]) -> Result<(), StudyError> {
    match ranges.iter().all(|r| r[0] <= r[1]) {
        true => Ok(()),
        false => Err(picture.needs("at least one row with numbers in all its columns".into())),
    }
}

/// A number of rows for people.
pub(super) fn rows(count: u64) -> String {
    format!("{count} {}", if count == 1 { "run" } else { "runs" })
}
