//! Films as GIF, written as they are drawn.
//!
//! All frames share one palette, made from a few of them, so that colours do not flicker, and a frame holds only the
//! rectangle that differs from the one before.

use carom_figure::Picture;
use color_quant::NeuQuant;
use gif::{Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

/// Colours of a GIF.
const COLOURS: usize = 256;
/// One pixel in so many teaches the palette: a good one from a part of them.
const TEACHING: i32 = 7;

/// A film that is being written.
pub struct Gif<W: Write> {
    encoder: Encoder<W>,
    palette: NeuQuant,
    known: HashMap<[u8; 3], u8>,
    before: Vec<u8>,
    /// Time that the frames so far have taken, hundredths of a second.
    shown: u64,
    count: u64,
    fps: f64,
}

impl<W: Write> Gif<W> {
    /// A film of so many frames per second whose colours are those of some of its pictures.
    pub fn new(out: W, samples: &[Picture], fps: f64) -> Result<Self, EncodingError> {
        let all = samples.iter().flat_map(Picture::rgb);
        let rgba: Vec<u8> = all
            .collect::<Vec<u8>>()
            .chunks_exact(3)
            .flat_map(|p| [p[0], p[1], p[2], 255])
            .collect();
        let palette = NeuQuant::new(TEACHING, COLOURS, &rgba);
        let (width, height) = samples.first().map_or((1, 1), |p| (p.width(), p.height()));
        let most = u32::from(u16::MAX);
        let (width, height) = (width.min(most) as u16, height.min(most) as u16);
        let mut encoder = Encoder::new(out, width, height, &palette.color_map_rgb())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let (known, before) = (HashMap::new(), Vec::new());
        Ok(Self { encoder, palette, known, before, shown: 0, count: 0, fps })
    }

    /// Adds a frame.
    pub fn frame(&mut self, picture: &Picture) -> Result<(), EncodingError> {
        let rgb = picture.rgb();
        let colours: Vec<u8> =
            rgb.chunks_exact(3).map(|p| self.colour([p[0], p[1], p[2]])).collect();
        let width = picture.width() as usize;
        let [left, top, right, bottom] = changed(&self.before, &colours, width);
        let rows = (top..bottom).flat_map(|y| &colours[y * width + left..y * width + right]);
        // Times are hundredths of a second: what is rounded off one frame is added to the next.
        self.count += 1;
        let due = (self.count as f64 * 100.0 / self.fps).round() as u64;
        let frame = Frame {
            delay: due.saturating_sub(self.shown).min(u64::from(u16::MAX)) as u16,
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            buffer: Cow::Owned(rows.copied().collect()),
            ..Frame::default()
        };
        self.shown = due;
        self.encoder.write_frame(&frame)?;
        self.before = colours;
        Ok(())
    }

    /// The nearest colour of the palette.
    fn colour(&mut self, rgb: [u8; 3]) -> u8 {
        let palette = &self.palette;
        let find = || palette.index_of(&[rgb[0], rgb[1], rgb[2], 255]) as u8;
        *self.known.entry(rgb).or_insert_with(find)
    }

    /// Ends the film and gives what it was written to.
    pub fn finish(self) -> Result<W, EncodingError> {
        self.encoder.into_inner()
    }
}

/// Left, top, right and bottom of what differs; one pixel if nothing does, everything if there was nothing before.
fn changed(before: &[u8], now: &[u8], width: usize) -> [usize; 4] {
    let height = now.len() / width.max(1);
    if before.len() != now.len() {
        return [0, 0, width, height];
    }
    let mut found = [width, height, 0, 0];
    for (k, _) in before.iter().zip(now).enumerate().filter(|(_, (a, b))| a != b) {
        let (x, y) = (k % width, k / width);
        found = [found[0].min(x), found[1].min(y), found[2].max(x + 1), found[3].max(y + 1)];
    }
    if found[2] == 0 { [0, 0, 1, 1] } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_kept() {
        let before = [0; 12];
        let mut now = before;
        (now[5], now[10]) = (1, 2);
        assert_eq!(changed(&before, &now, 4), [1, 1, 3, 3]);
        assert_eq!(changed(&before, &before, 4), [0, 0, 1, 1]);
        assert_eq!(changed(&[], &now, 4), [0, 0, 4, 3]);
    }

    /// Written and read back: sizes, colours to the palette, and a length that is right to a hundredth of a second.
    #[test]
    fn a_film_comes_back() {
        let picture = |x: f64| {
            let mut picture = Picture::new(32, 16, [255; 3]).unwrap();
            picture.disk([x, 8.0], 4.0, [200, 30, 30], 1.0);
            picture
        };
        let frames: Vec<Picture> = (0..30).map(|k| picture(4.0 + f64::from(k) * 0.8)).collect();
        let mut film = Gif::new(Vec::new(), &frames[..4], 30.0).unwrap();
        for frame in &frames {
            film.frame(frame).unwrap();
        }
        let bytes = film.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (32, 16));
        let (mut count, mut time) = (0, 0);
        let mut canvas = vec![0_u8; 32 * 16 * 4];
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            (count, time) = (count + 1, time + u32::from(frame.delay));
            for (y, row) in frame.buffer.chunks(4 * usize::from(frame.width)).enumerate() {
                let at = 4 * ((usize::from(frame.top) + y) * 32 + usize::from(frame.left));
                canvas[at..at + row.len()].copy_from_slice(row);
            }
        }
        assert_eq!((count, time), (30, 100));
        // Paper and body are the palette's own; of the soft edge, which is rare, near colours do.
        let wanted = frames[29].rgb();
        let mut off = 0;
        for (a, b) in canvas.chunks(4).zip(wanted.chunks(3)) {
            let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(most < 8 || !matches!(b, [255, 255, 255] | [200, 30, 30]), "{a:?} {b:?}");
            off += u32::from(most);
        }
        assert!(off < 3 * 32 * 16, "{off}");
    }
}
