//! Colours of pictures: those of the page.

use carom_figure::{Rgb, Theme};

/// The colours of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ink {
    pub paper: Rgb,
    pub text: Rgb,
    pub faint: Rgb,
    pub grid: Rgb,
    pub body: Rgb,
    pub edge: Rgb,
    pub ground: Rgb,
    pub ground_edge: Rgb,
    pub force: Rgb,
    pub impulse: Rgb,
    pub stick: Rgb,
    pub slip: Rgb,
    pub trail: Rgb,
}

impl Ink {
    pub fn of(theme: Theme) -> Self {
        match theme {
            Theme::Dark => Self {
                paper: [28, 32, 38],
                text: [230, 233, 237],
                faint: [154, 164, 177],
                grid: [43, 48, 56],
                body: [86, 105, 127],
                edge: [195, 208, 222],
                ground: [36, 39, 44],
                ground_edge: [139, 138, 132],
                force: [222, 140, 210],
                impulse: [245, 130, 58],
                stick: [210, 210, 210],
                slip: [242, 184, 50],
                trail: [92, 176, 255],
            },
            Theme::Light | Theme::Page => Self {
                paper: [255, 255, 255],
                text: [29, 34, 41],
                faint: [93, 102, 115],
                grid: [230, 233, 238],
                body: [185, 199, 214],
                edge: [55, 71, 90],
                ground: [236, 234, 229],
                ground_edge: [111, 106, 96],
                force: [180, 70, 140],
                impulse: [213, 94, 0],
                stick: [64, 64, 64],
                slip: [180, 120, 0],
                trail: [11, 107, 203],
            },
        }
    }
}

/// Between two colours; 0 is the first.
pub(super) fn mixed(a: Rgb, b: Rgb, part: f64) -> Rgb {
    [0, 1, 2].map(|k| {
        let (a, b) = (f64::from(a[k]), f64::from(b[k]));
        (a + (b - a) * part.clamp(0.0, 1.0)).round() as u8
    })
}
