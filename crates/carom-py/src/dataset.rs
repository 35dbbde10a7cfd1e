//! Datasets of studies: columns as arrays, and pictures.

use std::path::PathBuf;

use carom_figure::Theme;
use carom_study::dataset::{Column, Reader};
use carom_study::pictures::{Kind, Picture};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{of_study, plain};

/// A dataset on disk.
#[pyclass(frozen, module = "carom._carom")]
pub struct Dataset {
    reader: Reader,
}

/// What is to be drawn.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Drawn {
    kind: String,
    x: Vec<String>,
    y: Option<String>,
    value: Option<String>,
    condition: Option<String>,
    labels: Vec<(String, String, String)>,
    marks: Vec<(f64, String)>,
    title: Option<String>,
}

const KINDS: [Kind; 6] =
    [Kind::Scatter, Kind::Bifurcation, Kind::Map, Kind::Basin, Kind::Parallel, Kind::Histogram];

impl Drawn {
    fn picture(self) -> PyResult<Picture> {
        let kind = KINDS.into_iter().find(|kind| kind.word() == self.kind).ok_or_else(|| {
            let words = KINDS.map(Kind::word).join(", ");
            PyValueError::new_err(format!("kind is {:?}, must be one of {words}", self.kind))
        })?;
        let Self { x, y, value, condition, labels, marks, title, .. } = self;
        Ok(Picture { kind, x, y, value, condition, labels, marks, title })
    }
}

#[pymethods]
impl Dataset {
    /// Opens the folder of a study, finished or not.
    #[new]
    fn new(py: Python<'_>, dir: PathBuf) -> PyResult<Self> {
        let reader = Reader::open(&dir).map_err(|error| of_study(py, &error))?;
        Ok(Self { reader })
    }

    /// What was asked for.
    #[getter]
    fn manifest(&self) -> String {
        self.reader.manifest.text()
    }

    /// Names of all columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.reader.names.clone()
    }

    /// Rows that are there.
    #[getter]
    fn rows(&self, py: Python<'_>) -> PyResult<u64> {
        self.reader.rows().map_err(|error| of_study(py, &error))
    }

    /// A column: an array of numbers, or a list of texts.
    fn column(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let read = || {
            let place = [self.reader.place(name)?];
            let parts = 0..self.reader.parts().len();
            parts.map(|part| Ok(self.reader.read(part, &place)?.remove(0))).collect()
        };
        let parts: Result<Vec<Column>, _> = py.detach(read);
        let parts = parts.map_err(|error| of_study(py, &error))?;
        if matches!(parts.first(), Some(Column::Texts(_))) {
            let all: Vec<Option<String>> = parts.into_iter().flat_map(Column::texts).collect();
            return Ok(all.into_pyobject(py)?.unbind());
        }
        let all: Vec<f64> = parts.into_iter().flat_map(Column::numbers).collect();
        Ok(PyArray1::from_vec(py, all).into_any().unbind())
    }

    /// Draws a picture: `svg`, `png` or `pdf`.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        drawn: Drawn,
        format: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let picture = drawn.picture()?;
        let figure = py.detach(|| picture.draw(&self.reader));
        let figure = figure.map_err(|error| of_study(py, &error))?;
        let bytes = match format {
            "svg" => figure.svg(Theme::Light).into_bytes(),
            "pdf" => figure.pdf(Theme::Light),
            "png" => figure
                .png(Theme::Light, 2.0)
                .map_err(|error| plain(py, "StudyError", &error.to_string(), error.hint()))?,
            _ => {
                let message = format!("format is {format:?}, must be svg, png or pdf");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(PyBytes::new(py, &bytes))
    }
}
