//! Figures of publication quality: SVG and PNG from the same marks.
//!
//! ```
//! use carom_report::figure::{Figure, Guide, Panel, Theme};
//!
//! let t: Vec<f64> = (0..100).map(|k| f64::from(k) * 0.01).collect();
//! let y: Vec<f64> = t.iter().map(|t| 1.0 - 4.905 * t * t).collect();
//! let panel = Panel::new()
//!     .x(("t", "s"))
//!     .y(("height", "m"))
//!     .line("ball", &t, &y)
//!     .add(Guide::vertical(0.4515, "impact"));
//! let figure = Figure::new("A falling ball").panel(panel);
//! assert!(figure.layout().clashes().is_empty());
//! let text = figure.svg(Theme::Light);
//! let pixels = figure.png(Theme::Dark, 2.0)?;
//! # assert!(text.starts_with("<svg") && pixels.starts_with(b"\x89PNG"));
//! # Ok::<(), carom_report::figure::FigureError>(())
//! ```
//!
//! A [`Figure`] has [`Panel`]s; a panel has axes and items ([`Line`], [`Band`], [`Stems`], [`Guide`], [`Note`],
//! [`Area`], [`Ground`], [`Arrow`], [`Timeline`]), or three axes ([`Space`]). Series differ in colour (Okabe and Ito)
//! *and* in dash or marker, areas in hatching, so figures read in black and white. Labels say quantity / unit.
//! Legends go where no data are; notes move until they cover no text. Long series are thinned without losing extremes.
//! [`Layout::clashes`] finds texts that overlap or leave the figure. The same figure gives the same bytes.
//!
//! | file | noun |
//! |---|---|
//! | `figure`, `panel`, `axis`, `item`, `space` | what a figure consists of, as its author says it |
//! | `style`, `colour` | looks and themes |
//! | `plan`, `frame`, `data`, `legend`, `notes`, `busy` | where things go |
//! | `scale`, `ticks`, `thin`, `clip` | numbers to pixels |
//! | `font`, `missing`, `text` | letters, measured |
//! | `draw`, `svg`, `png` | marks, and the two formats |
//! | `overlap` | the check of texts |
//!
//! # Tests
//! Beside the code, and `tests/figure.rs`.

mod axis;
mod busy;
mod clip;
mod colour;
mod data;
mod draw;
#[allow(clippy::module_inception)]
mod figure;
mod font;
mod frame;
mod item;
mod legend;
mod missing;
mod notes;
mod overlap;
mod panel;
mod plan;
mod png;
mod scale;
mod space;
mod style;
mod svg;
mod text;
mod thin;
mod ticks;

pub use axis::Axis;
pub use colour::{Colour, Theme};
pub use figure::{Figure, Layout};
pub use item::{Area, Arrow, Band, BarSort, Ground, Guide, Line, Note, Stems, Timeline};
pub use overlap::Clash;
pub use panel::{LegendPlace, Panel};
pub use png::FigureError;
pub use space::{Line3, Space};
pub use style::{Dash, Hatch, Marker, Style};
pub use text::{Role, TextBox};
