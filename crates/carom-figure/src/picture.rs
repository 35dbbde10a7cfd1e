//! A picture in pixels: areas, lines and words over a ground, drawn as the marks of figures are.
//!
//! Figures have axes and a layout; a frame of a film has neither. Its author knows where everything is, in pixels from
//! the upper left corner, and which colour it has.

use tiny_skia::{
    FillRule, IntSize, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, Transform,
};

use crate::format::png::{FigureError, LARGEST, outlined};
use crate::marks::font::Weight;
use crate::marks::text::Words;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// A picture.
#[derive(Debug, Clone)]
pub struct Picture {
    pixels: Pixmap,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroked {
    /// Its colour.
    pub colour: Rgb,
    /// Its width, px.
    pub width: f64,
    /// 1 hides what is behind it.
    pub opacity: f64,
}

impl Stroked {
    /// A line that hides what is behind it.
    pub fn new(colour: Rgb, width: f64) -> Self {
        Self { colour, width, opacity: 1.0 }
    }

    /// The same, to be seen through.
    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }
}

/// Where a text sits: its size, colour, and which part of its width is left of its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lettering {
    /// Size of the letters, px.
    pub size: f64,
    /// Their colour.
    pub colour: Rgb,
    /// 0 begins at its place, 0.5 is centred there, 1 ends there.
    pub anchor: f64,
    /// Thick letters.
    pub strong: bool,
}

impl Picture {
    /// An empty picture of one colour.
    pub fn new(width: u32, height: u32, ground: Rgb) -> Result<Self, FigureError> {
        let mut pixels = blank(width, height)?;
        let [r, g, b] = ground;
        pixels.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
        Ok(Self { pixels })
    }

    /// A picture over pixels: red, green and blue of each, row by row.
    pub fn over(width: u32, height: u32, rgb: &[u8]) -> Result<Self, FigureError> {
        let [w, h] = [width, height].map(f64::from);
        let size = FigureError::Size { width: w, height: h };
        let shape = IntSize::from_wh(width, height).ok_or(size.clone())?;
        let opaque = |p: &[u8]| [p[0], p[1], p[2], 255];
        let data: Vec<u8> = rgb.chunks_exact(3).flat_map(opaque).collect();
        Ok(Self { pixels: Pixmap::from_vec(data, shape).ok_or(size)? })
    }

    /// Fills the area within a closed chain of points.
    pub fn area(&mut self, points: &[[f64; 2]], colour: Rgb, opacity: f64) {
        let Some(path) = chain(points, true) else { return };
        let paint = paint(colour, opacity);
        self.pixels.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }

    /// Draws a chain of lines, closed or open.
    pub fn line(&mut self, points: &[[f64; 2]], closed: bool, look: Stroked) {
        let Some(path) = chain(points, closed) else { return };
        let stroke = Stroke {
            width: look.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let paint = paint(look.colour, look.opacity);
        self.pixels.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }

    /// Fills a circle.
    pub fn disk(&mut self, centre: [f64; 2], radius: f64, colour: Rgb, opacity: f64) {
        let [x, y] = centre.map(|x| x as f32);
        let Some(path) = PathBuilder::from_circle(x, y, radius as f32) else { return };
        let paint = paint(colour, opacity);
        self.pixels.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }

    /// Sets a text with its baseline at a height; gives its width, px.
    pub fn text(&mut self, text: &str, at: [f64; 2], look: Lettering) -> f64 {
        let weight = if look.strong { Weight::Semibold } else { Weight::Regular };
        let words = Words::with_weight(text, look.size, weight);
        let x = at[0] - look.anchor * words.width;
        let paint = paint(look.colour, 1.0);
        for (outline, place) in outlined(&words) {
            let place = place.post_translate(x as f32, at[1] as f32);
            self.pixels.fill_path(&outline, &paint, FillRule::Winding, place, None);
        }
        words.width
    }

    /// Width, px.
    pub fn width(&self) -> u32 {
        self.pixels.width()
    }

    /// Height, px.
    pub fn height(&self) -> u32 {
        self.pixels.height()
    }

    /// Red, green and blue of each pixel, row by row.
    pub fn rgb(&self) -> Vec<u8> {
        // The ground is opaque, so nothing is multiplied in.
        self.pixels.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect()
    }

    /// The picture as PNG.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        let (width, height) = (self.width(), self.height());
        self.pixels.encode_png().map_err(|_| FigureError::Encoding { width, height })
    }
}

fn blank(width: u32, height: u32) -> Result<Pixmap, FigureError> {
    let [w, h] = [width, height].map(f64::from);
    let size = FigureError::Size { width: w, height: h };
    let room = w <= LARGEST && h <= LARGEST;
    Pixmap::new(width, height).filter(|_| room).ok_or(size)
}

fn paint(colour: Rgb, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    let [r, g, b] = colour;
    paint.set_color_rgba8(r, g, b, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8);
    paint.anti_alias = true;
    paint
}

/// A chain of points; none if a number is not finite or nothing is left to draw.
fn chain(points: &[[f64; 2]], closed: bool) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for (k, [x, y]) in points.iter().enumerate() {
        if !(x.is_finite() && y.is_finite()) {
            return None;
        }
        let (x, y) = (*x as f32, *y as f32);
        if k == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(picture: &Picture, x: usize, y: usize) -> Rgb {
        let k = 3 * (y * picture.width() as usize + x);
        picture.rgb()[k..k + 3].try_into().unwrap()
    }

    #[test]
    fn areas_lines_and_grounds() {
        let mut picture = Picture::new(20, 10, [255, 255, 255]).unwrap();
        picture.area(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]], [200, 0, 0], 1.0);
        picture.disk([15.0, 5.0], 3.0, [0, 0, 200], 1.0);
        assert_eq!((at(&picture, 4, 4), at(&picture, 15, 5)), ([200, 0, 0], [0, 0, 200]));
        assert_eq!(at(&picture, 11, 0), [255, 255, 255]);
        let look = Stroked::new([0, 0, 0], 2.0).opacity(0.5);
        picture.line(&[[0.0, 8.0], [10.0, 8.0]], false, look);
        let [r, g, _] = at(&picture, 5, 8);
        assert!((99..=101).contains(&r) && g == 0, "half over red: {r} {g}");
        let again = Picture::over(20, 10, &picture.rgb()).unwrap();
        assert_eq!(again.rgb(), picture.rgb());
        picture.line(&[[f64::NAN, 0.0], [1.0, 1.0]], false, look);
        assert_eq!(again.rgb(), picture.rgb(), "what has no place is not drawn");
        assert!(Picture::new(0, 5, [0; 3]).is_err() && Picture::new(30_000, 5, [0; 3]).is_err());
    }

    #[test]
    fn words_take_the_room_they_measure() {
        let mut picture = Picture::new(200, 40, [255; 3]).unwrap();
        let look = Lettering { size: 20.0, colour: [0; 3], anchor: 1.0, strong: false };
        let width = picture.text("0.4515 s", [190.0, 30.0], look);
        let dark = |x: usize| (0..40).any(|y| at(&picture, x, y)[0] < 128);
        let (left, right) = ((0..200).find(|x| dark(*x)), (0..200).rfind(|x| dark(*x)));
        let (left, right) = (left.unwrap() as f64, right.unwrap() as f64);
        assert!(left >= 190.0 - width - 1.0 && right <= 190.0, "{left} {right} {width}");
        assert!(right - left > 0.85 * width);
    }
}
