//! Figures of publication quality: SVG and PNG from the same marks.
//!
//! ```
//! use carom_figure::{Figure, Guide, Panel, Theme};
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
//! # Ok::<(), carom_figure::FigureError>(())
//! ```
//!
//! A [`Figure`] has [`Panel`]s; a panel has axes and items ([`Line`], [`Band`], [`Stems`], [`Guide`], [`Note`],
//! [`Area`], [`Ground`], [`Arrow`], [`Timeline`]), or three axes ([`Space`]). Series differ in colour (Okabe and Ito)
//! *and* in dash or marker, areas in hatching, so figures read in black and white. Labels say quantity / unit.
//! Legends go where no data are; notes move until they cover no text. Long series are thinned without losing extremes.
//! [`Layout::clashes`] finds texts that overlap or leave the figure. The same figure gives the same bytes.
//!
//! A folder uses only folders above it:
//!
//! | folder | what it holds |
//! |---|---|
//! | `numbers` | numbers to pixels |
//! | `marks` | paths, letters, colours, and where there is room for them |
//! | `content` | what a figure consists of, as its author says it |
//! | `layout` | where things go |
//! | `format` | SVG and PNG |
//! | `figure` | the figure |
//! | `overlap` | the check of texts |
//! | `picture` | pictures without axes, such as frames of a film |
//!
//! # Tests
//! Beside the code, and `tests/figure.rs`.

mod content;
mod figure;
mod format;
mod layout;
mod marks;
mod numbers;
mod overlap;
mod picture;

pub use content::axis::Axis;
pub use content::item::{Area, Arrow, Band, BarSort, Ground, Guide, Line, Note, Stems, Timeline};
pub use content::panel::{LegendPlace, Panel};
pub use content::space::{Line3, Space};
pub use content::style::{Dash, Hatch, Marker, Style};
pub use figure::{Figure, Layout};
pub use format::png::FigureError;
pub use marks::colour::{Colour, Theme};
pub use marks::text::{Role, TextBox};
pub use overlap::Clash;
pub use picture::{Lettering, Picture, Rgb, Stroked};
