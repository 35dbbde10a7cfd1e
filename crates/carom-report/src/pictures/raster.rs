//! Triangles, lines and surfaces as pixels; what is nearer hides what is farther.

use super::eye::Eye;
use super::mesh::Corner;
use carom_figure::Rgb;
use nalgebra::Vector3;

/// Pixels along each side of a pixel of the picture: edges are smooth.
pub(super) const FINE: usize = 2;
/// Lines lie on the bodies they belong to, nearer by this part.
const LIFT: f64 = 4e-3;

/// Pixels with their distances.
pub(super) struct Raster {
    pub eye: Eye,
    width: usize,
    height: usize,
    depth: Vec<f32>,
    colour: Vec<[f32; 3]>,
}

impl Raster {
    /// An empty picture as `eye` sees it.
    pub fn new(eye: Eye, ground: Rgb) -> Self {
        let eye = eye.finer(FINE as f64);
        let [width, height] = eye.size.map(|s| s as usize);
        let colour = vec![ground.map(f32::from); width * height];
        Self { eye, width, height, depth: vec![f32::INFINITY; width * height], colour }
    }

    /// Paints a pixel that is nearer than what was there.
    fn put(&mut self, k: usize, z: f64, colour: [f32; 3]) {
        if (z as f32) < self.depth[k] {
            self.depth[k] = z as f32;
            self.colour[k] = colour;
        }
    }

    /// A triangle; `shade` gives the colour for a normal that looks at the eye.
    pub fn triangle(&mut self, corners: &[Corner; 3], shade: &dyn Fn(&Vector3<f64>) -> [f32; 3]) {
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|k| self.eye.see(&corners[k].0)) else {
            return;
        };
        let middle = (corners[0].0 + corners[1].0 + corners[2].0) / 3.0;
        let towards = self.eye.place - middle;
        self.scan([a, b, c], |raster, k, w| {
            // 1/z and n/z go evenly over the picture.
            let near = w[0] / a[2] + w[1] / b[2] + w[2] / c[2];
            let part = [w[0] / a[2] / near, w[1] / b[2] / near, w[2] / c[2] / near];
            let n = corners[0].1 * part[0] + corners[1].1 * part[1] + corners[2].1 * part[2];
            let n = if n.dot(&towards) < 0.0 { -n } else { n };
            let z = 1.0 / near;
            if (z as f32) < raster.depth[k] {
                raster.put(k, z, shade(&n.normalize()));
            }
        });
    }

    /// Pixels whose middle is in a triangle, with the weights of its corners.
    fn scan(
        &mut self,
        [a, b, c]: [[f64; 3]; 3],
        mut paint: impl FnMut(&mut Self, usize, [f64; 3]),
    ) {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if area.abs() < 1e-12 {
            return;
        }
        let range = |k: usize, most: usize| {
            let low = a[k].min(b[k]).min(c[k]).floor().max(0.0);
            let high = a[k].max(b[k]).max(c[k]).ceil().min(most as f64);
            (low as usize, high.max(0.0) as usize)
        };
        let ((x0, x1), (y0, y1)) = (range(0, self.width), range(1, self.height));
        for j in y0..y1 {
            for i in x0..x1 {
                let (x, y) = (i as f64 + 0.5, j as f64 + 0.5);
                let w1 = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
                let w2 = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
                let w0 = 1.0 - w1 - w2;
                if w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0 {
                    paint(self, j * self.width + i, [w0, w1, w2]);
                }
            }
        }
    }

    /// Where triangles would throw their shadow on a plane through `r` with normal `n`.
    pub fn shadow(
        &mut self,
        triangles: &[[Corner; 3]],
        (r, n): (&Vector3<f64>, &Vector3<f64>),
        light: &Vector3<f64>,
    ) -> Vec<bool> {
        let mut mask = vec![false; self.width * self.height];
        let down = n.dot(light);
        if down <= 0.05 {
            return mask;
        }
        for corners in triangles {
            let heights = [0, 1, 2].map(|k| n.dot(&(corners[k].0 - r)));
            // What is under the surface throws no shadow on it.
            if heights.iter().any(|h| *h < -1e-9) {
                continue;
            }
            let foot = |k: usize| self.eye.see(&(corners[k].0 - light * (heights[k] / down)));
            if let [Some(a), Some(b), Some(c)] = [foot(0), foot(1), foot(2)] {
                self.scan([a, b, c], |_, k, _| mask[k] = true);
            }
        }
        mask
    }

    /// A whole surface through `r` with normal `n`, seen from above; `paint` is told where a pixel meets it, how far
    /// apart its neighbours do, and which pixel it is.
    pub fn surface(
        &mut self,
        (r, n): (&Vector3<f64>, &Vector3<f64>),
        paint: impl Fn(&Vector3<f64>, [Vector3<f64>; 2], usize) -> [f32; 3],
    ) {
        let height = n.dot(&(r - self.eye.place));
        if height >= 0.0 {
            return;
        }
        let meet = |x: f64, y: f64| {
            let ray = self.eye.ray(x, y);
            let slope = n.dot(&ray);
            (slope < -1e-9).then(|| (height / slope, self.eye.place + ray * (height / slope)))
        };
        let mut found: Vec<(usize, f64, [f32; 3])> = Vec::new();
        for j in 0..self.height {
            for i in 0..self.width {
                let (x, y) = (i as f64 + 0.5, j as f64 + 0.5);
                let Some((z, p)) = meet(x, y) else { continue };
                let k = j * self.width + i;
                if (z as f32) >= self.depth[k] {
                    continue;
                }
                let beside = meet(x + 1.0, y).map_or(p, |(_, q)| q) - p;
                let below = meet(x, y + 1.0).map_or(p, |(_, q)| q) - p;
                found.push((k, z, paint(&p, [beside, below], k)));
            }
        }
        for (k, z, colour) in found {
            self.put(k, z, colour);
        }
    }

    /// A chain of lines, `width` fine pixels wide.
    pub fn line(&mut self, points: &[Vector3<f64>], width: f64, colour: Rgb, opacity: f64) {
        for pair in points.windows(2) {
            let (Some(a), Some(b)) = (self.eye.see(&pair[0]), self.eye.see(&pair[1])) else {
                continue;
            };
            self.stretch(a, b, 0.5 * width, colour.map(f32::from), opacity as f32);
        }
    }

    /// All pixels near a line.
    fn stretch(&mut self, a: [f64; 3], b: [f64; 3], half: f64, colour: [f32; 3], opacity: f32) {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = dx * dx + dy * dy;
        let range = |k: usize, most: usize| {
            let low = (a[k].min(b[k]) - half).floor().max(0.0);
            let high = (a[k].max(b[k]) + half).ceil().min(most as f64);
            (low as usize, high.max(0.0) as usize)
        };
        let ((x0, x1), (y0, y1)) = (range(0, self.width), range(1, self.height));
        for j in y0..y1 {
            for i in x0..x1 {
                let (x, y) = (i as f64 + 0.5 - a[0], j as f64 + 0.5 - a[1]);
                let s =
                    if length > 0.0 { ((x * dx + y * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
                if (x - s * dx).hypot(y - s * dy) > half {
                    continue;
                }
                let z = (1.0 - LIFT) / ((1.0 - s) / a[2] + s / b[2]);
                let k = j * self.width + i;
                if (z as f32) < self.depth[k] {
                    let own = &mut self.colour[k];
                    (0..3).for_each(|c| own[c] += opacity * (colour[c] - own[c]));
                }
            }
        }
    }

    /// The picture, row by row.
    pub fn rgb(&self) -> Vec<u8> {
        let (width, height) = (self.width / FINE, self.height / FINE);
        let mut rgb = Vec::with_capacity(3 * width * height);
        let share = 1.0 / (FINE * FINE) as f32;
        for j in 0..height {
            for i in 0..width {
                let mut sum = [0.0_f32; 3];
                for (dj, di) in (0..FINE).flat_map(|a| (0..FINE).map(move |b| (a, b))) {
                    let own = self.colour[(FINE * j + dj) * self.width + FINE * i + di];
                    (0..3).for_each(|c| sum[c] += share * own[c]);
                }
                rgb.extend(sum.map(|x| x.round().clamp(0.0, 255.0) as u8));
            }
        }
        rgb
    }
}

#[cfg(test)]
mod tests {
    use super::super::eye::View;
    use super::*;
    use crate::stage::Bounds;

    fn raster() -> Raster {
        let bounds = Bounds { min: Vector3::from([-1.0; 3]), max: Vector3::from([1.0; 3]) };
        let view = View { azimuth: 0.0, elevation: 0.0 };
        let eye = Eye::new((view, &Vector3::z()), &bounds, [40.0, 40.0], (None, None, 1.0));
        Raster::new(eye, [255; 3])
    }

    fn square(y: f64, half: f64) -> [[Corner; 3]; 2] {
        let n = Vector3::new(0.0, -1.0, 0.0);
        let at = |x: f64, z: f64| (Vector3::new(x * half, y, z * half), n);
        let [a, b, c, d] = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
        [[a, b, c], [a, c, d]]
    }

    /// Seen from the front (−y), a small square in front hides the middle of a large one, in either order.
    #[test]
    fn what_is_nearer_hides() {
        for order in [[0, 1], [1, 0]] {
            let mut raster = raster();
            for which in order {
                let (y, half, colour) =
                    [(0.5, 0.9, [200.0, 0.0, 0.0]), (-0.5, 0.3, [0.0, 0.0, 200.0])][which];
                for triangle in square(y, half) {
                    raster.triangle(&triangle, &|_| colour);
                }
            }
            let rgb = raster.rgb();
            let at = |x: usize, y: usize| [0, 1, 2].map(|k| rgb[3 * (40 * y + x) + k]);
            assert_eq!((at(20, 20), at(12, 20), at(1, 1)), ([0, 0, 200], [200, 0, 0], [255; 3]));
        }
    }

    #[test]
    fn lines_behind_bodies_are_hidden() {
        let mut raster = raster();
        for triangle in square(0.0, 0.5) {
            raster.triangle(&triangle, &|_| [200.0; 3]);
        }
        let across = |y: f64| [Vector3::new(-0.9, y, 0.0), Vector3::new(0.9, y, 0.0)];
        raster.line(&across(0.5), 8.0, [0; 3], 1.0);
        let at = |raster: &Raster, x: usize| raster.rgb()[3 * (40 * 20 + x)];
        assert_eq!((at(&raster, 20), at(&raster, 8)), (200, 0));
        raster.line(&across(-0.5), 8.0, [0; 3], 1.0);
        assert_eq!(at(&raster, 20), 0);
    }
}
