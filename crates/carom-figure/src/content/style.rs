//! How lines and points look: dashes and markers tell series apart where colour cannot.

use crate::marks::colour::Colour;
use crate::marks::draw::{Path, Point};

/// Pattern of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dash {
    /// Unbroken.
    #[default]
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dash and dot.
    DashDot,
    /// Long dashes.
    Long,
    /// Dash and two dots.
    DashDotDot,
}

impl Dash {
    /// The pattern of the k-th series.
    pub fn of_series(k: usize) -> Self {
        const ALL: [Dash; 6] =
            [Dash::Solid, Dash::Dashed, Dash::DashDot, Dash::Dotted, Dash::Long, Dash::DashDotDot];
        ALL[k % ALL.len()]
    }

    /// Lengths of strokes and gaps, px.
    pub(crate) fn lengths(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Dashed => &[6.0, 3.0],
            Self::Dotted => &[1.6, 2.4],
            Self::DashDot => &[7.0, 2.5, 1.6, 2.5],
            Self::Long => &[12.0, 4.0],
            Self::DashDotDot => &[7.0, 2.5, 1.6, 2.0, 1.6, 2.5],
        }
    }
}

/// Sign at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// Filled circle.
    Dot,
    /// Circle with paper inside.
    Circle,
    /// Filled square.
    Square,
    /// Filled triangle, point up.
    Triangle,
    /// Filled diamond.
    Diamond,
    /// Diagonal cross.
    Cross,
    /// Filled triangle, point down.
    Down,
}

impl Marker {
    /// The sign of the k-th series.
    pub fn of_series(k: usize) -> Self {
        const ALL: [Marker; 7] = [
            Marker::Dot,
            Marker::Square,
            Marker::Triangle,
            Marker::Diamond,
            Marker::Circle,
            Marker::Cross,
            Marker::Down,
        ];
        ALL[k % ALL.len()]
    }

    /// Its outline around a point with radius r, px.
    pub(crate) fn path(self, c: Point, r: f64) -> Path {
        let at = |x: f64, y: f64| [c[0] + x * r, c[1] + y * r];
        match self {
            Self::Dot | Self::Circle => Path::circle(c, r),
            Self::Square => {
                Path::polygon(&[at(-0.88, -0.88), at(0.88, -0.88), at(0.88, 0.88), at(-0.88, 0.88)])
            }
            Self::Triangle => Path::polygon(&[at(0.0, -1.15), at(1.05, 0.75), at(-1.05, 0.75)]),
            Self::Down => Path::polygon(&[at(0.0, 1.15), at(1.05, -0.75), at(-1.05, -0.75)]),
            Self::Diamond => {
                Path::polygon(&[at(0.0, -1.25), at(1.05, 0.0), at(0.0, 1.25), at(-1.05, 0.0)])
            }
            Self::Cross => {
                let mut path = Path::line(at(-0.85, -0.85), at(0.85, 0.85));
                path.extend(Path::line(at(-0.85, 0.85), at(0.85, -0.85)));
                path
            }
        }
    }
}

/// Lines inside an area, for readers without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hatch {
    /// None.
    #[default]
    None,
    /// Rising to the right.
    Rising,
    /// Falling to the right.
    Falling,
    /// Both.
    Crossed,
    /// Upright.
    Upright,
}

impl Hatch {
    /// The directions of its lines, as slopes in px with y down.
    pub(crate) fn directions(self) -> &'static [Point] {
        const R: f64 = std::f64::consts::FRAC_1_SQRT_2;
        match self {
            Self::None => &[],
            Self::Rising => &[[R, -R]],
            Self::Falling => &[[R, R]],
            Self::Crossed => &[[R, -R], [R, R]],
            Self::Upright => &[[0.0, 1.0]],
        }
    }
}

/// Look of a line with or without markers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Colour.
    pub colour: Colour,
    /// Pattern.
    pub dash: Dash,
    /// Width, px; 0 draws markers only.
    pub width: f64,
    /// Sign at each point.
    pub marker: Option<Marker>,
    /// Radius of the markers, px.
    pub radius: f64,
    /// 1 opaque, 0 invisible.
    pub opacity: f64,
}

impl Style {
    /// The look of the k-th series.
    pub fn of_series(k: usize) -> Self {
        let colour = Colour::Series((k % usize::from(Colour::SERIES)) as u8);
        Self { colour, dash: Dash::of_series(k), ..Self::default() }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self {
            colour: Colour::Ink,
            dash: Dash::Solid,
            width: 1.5,
            marker: None,
            radius: 3.0,
            opacity: 1.0,
        }
    }
}
