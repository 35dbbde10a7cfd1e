//! Colours by their duty, and the themes that give them values.
//!
//! Series have the colours of Okabe and Ito, which readers with any of the common colour deficiencies tell apart;
//! the yellow is left out because it vanishes on white paper, and purple, orange and sky blue are darker on white than
//! theirs, so that thin lines keep a contrast of 3 to 1. Colour is never the only difference: see
//! [`Dash`](crate::Dash) and [`Marker`](crate::Marker).

/// A colour by its duty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Text and axes.
    Ink,
    /// Less important text and lines.
    Soft,
    /// Grid lines.
    Faint,
    /// Background.
    Paper,
    /// Inside of things that are solid.
    Solid,
    /// One of the series; counted modulo [`Colour::SERIES`].
    Series(u8),
    /// A level of a map, from 0 (light) to 255 (dark): the lightness falls evenly, so that maps read in black and white.
    Level(u8),
}

/// Where the values of the colours come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// On white.
    #[default]
    Light,
    /// On near black.
    Dark,
    /// CSS variables of the page around an inline SVG, see [`Theme::stylesheet`]; light where they are not defined.
    /// Pixels are those of [`Theme::Light`].
    Page,
}

const LIGHT: [[u8; 3]; 8] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [180, 70, 140],
    [180, 120, 0],
    [46, 140, 196],
    [64, 64, 64],
    [140, 140, 140],
];

const DARK: [[u8; 3]; 8] = [
    [74, 150, 235],
    [245, 130, 58],
    [60, 205, 150],
    [222, 140, 210],
    [242, 184, 50],
    [152, 212, 250],
    [210, 210, 210],
    [150, 150, 150],
];

/// Colours of levels at equal distances, from the lowest.
const LEVELS: [[u8; 3]; 6] =
    [[253, 246, 205], [184, 222, 170], [98, 185, 168], [46, 134, 168], [40, 82, 140], [36, 30, 86]];

/// The colour of a level, between the two next in the list.
fn level(k: u8) -> [u8; 3] {
    let at = f64::from(k) / 255.0 * (LEVELS.len() - 1) as f64;
    let first = (at as usize).min(LEVELS.len() - 2);
    let part = at - first as f64;
    let mixed = |c: usize| {
        let (a, b) = (f64::from(LEVELS[first][c]), f64::from(LEVELS[first + 1][c]));
        (a + part * (b - a)).round() as u8
    };
    [mixed(0), mixed(1), mixed(2)]
}

impl Colour {
    /// Number of different series.
    pub const SERIES: u8 = 8;

    fn name(self) -> String {
        match self {
            Self::Ink => "ink".into(),
            Self::Soft => "soft".into(),
            Self::Faint => "faint".into(),
            Self::Paper => "paper".into(),
            Self::Solid => "solid".into(),
            Self::Series(k) => format!("series-{}", k % Self::SERIES),
            Self::Level(k) => format!("level-{k}"),
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        let duties = [Self::Ink, Self::Soft, Self::Faint, Self::Paper, Self::Solid];
        duties.into_iter().chain((0..Self::SERIES).map(Self::Series))
    }
}

impl Theme {
    /// Red, green and blue.
    pub fn rgb(self, colour: Colour) -> [u8; 3] {
        let dark = self == Self::Dark;
        match colour {
            Colour::Ink => {
                if dark {
                    [232, 232, 232]
                } else {
                    [26, 26, 26]
                }
            }
            Colour::Soft => {
                if dark {
                    [165, 165, 165]
                } else {
                    [95, 95, 95]
                }
            }
            Colour::Faint => {
                if dark {
                    [52, 54, 58]
                } else {
                    [226, 226, 226]
                }
            }
            Colour::Paper => {
                if dark {
                    [22, 23, 26]
                } else {
                    [255, 255, 255]
                }
            }
            Colour::Solid => {
                if dark {
                    [62, 66, 72]
                } else {
                    [222, 226, 230]
                }
            }
            Colour::Series(k) => {
                let table = if dark { &DARK } else { &LIGHT };
                table[usize::from(k % Colour::SERIES)]
            }
            Colour::Level(k) => level(k),
        }
    }

    /// The colour as SVG and CSS write it.
    pub fn css(self, colour: Colour) -> String {
        let [r, g, b] = self.rgb(colour);
        let value = format!("#{r:02x}{g:02x}{b:02x}");
        match self {
            Self::Page => format!("var(--figure-{},{value})", colour.name()),
            _ => value,
        }
    }

    /// CSS for a page with inline figures of [`Theme::Page`]: the variables under the selectors `light` and `dark`.
    pub fn stylesheet(light: &str, dark: &str) -> String {
        let block = |selector: &str, theme: Theme| {
            let lines: Vec<String> =
                Colour::all().map(|c| format!("--figure-{}:{}", c.name(), theme.css(c))).collect();
            format!("{selector}{{{}}}\n", lines.join(";"))
        };
        block(light, Self::Light) + &block(dark, Self::Dark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of the WCAG.
    fn luminance(c: [u8; 3]) -> f64 {
        let linear = |x: u8| {
            let x = f64::from(x) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2])
    }

    #[test]
    fn levels_darken_evenly() {
        // Lightness of CIE 1976, 0 to 100.
        let lightness = |k: u8| 116.0 * luminance(Theme::Light.rgb(Colour::Level(k))).cbrt() - 16.0;
        let steps: Vec<f64> =
            (0..15).map(|k| lightness(17 * k) - lightness(17 * (k + 1))).collect();
        assert!(steps.iter().all(|s| (2.5..8.5).contains(s)), "{steps:?}");
        assert!(lightness(0) > 95.0 && lightness(255) < 18.0);
    }

    #[test]
    fn every_series_stands_out_from_the_paper() {
        for theme in [Theme::Light, Theme::Dark] {
            let paper = luminance(theme.rgb(Colour::Paper));
            for k in 0..Colour::SERIES {
                let series = luminance(theme.rgb(Colour::Series(k)));
                let (dim, bright) = (paper.min(series), paper.max(series));
                assert!((bright + 0.05) / (dim + 0.05) > 3.0, "{theme:?} {k}");
            }
        }
    }

    #[test]
    fn a_page_can_change_every_colour() {
        let css = Theme::stylesheet(":root", ":root.dark");
        for colour in Colour::all() {
            assert_eq!(css.matches(&format!("--figure-{}:", colour.name())).count(), 2);
            assert!(Theme::Page.css(colour).starts_with("var(--figure-"));
        }
    }
}
