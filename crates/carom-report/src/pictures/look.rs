//! What is asked of a picture.

use super::eye::View;
use carom_figure::Theme;

/// Size, camera and theme of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Width, px.
    pub width: u32,
    /// Height, px.
    pub height: u32,
    /// Light or dark.
    pub theme: Theme,
    /// From where a scene in space is seen; planar ones are always seen from the front.
    pub view: View,
    /// How much larger than the whole motion would fit.
    pub zoom: f64,
    /// Whether the centre of mass stays in the middle; if nothing is said, where the motion goes far.
    pub follow: Option<bool>,
    /// How much slower or faster than life the film goes: impulses are seen as long at any speed.
    pub speed: f64,
    /// Whether the time is told.
    pub clock: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            width: 960,
            height: 600,
            theme: Theme::Light,
            view: View::default(),
            zoom: 1.0,
            follow: None,
            speed: 1.0,
            clock: true,
        }
    }
}

impl Look {
    /// Lines and letters are made for this height, px.
    const HEIGHT: f64 = 600.0;

    /// Pixels of a length that is one pixel in a picture of usual size.
    pub(super) fn unit(&self) -> f64 {
        (f64::from(self.height.min(self.width)) / Self::HEIGHT).max(0.35)
    }
}
