//! Scenes in space.

use super::eye::Eye;
use super::ink::{Ink, mixed};
use super::look::Look;
use super::mesh::Mesh;
use super::moment::{Moment, Motion, round_up};
use super::raster::{FINE, Raster};
use super::signs;
use crate::stage::{End, Form};
use carom::spatial::Pose;
use carom_figure::{FigureError, Picture, Rgb};
use nalgebra::Vector3;

/// Radius of what has none, as a part of the size of the mechanism.
const THIN: f64 = 0.011;
/// Distance of the camera that follows, in sizes of the mechanism.
const NEAR: f64 = 4.5;
/// Grid lines across the motion, about.
const LINES: f64 = 10.0;
/// Surfaces with shadows, at most.
const SHADED: usize = 4;
/// Light that comes from everywhere.
const AMBIENT: f64 = 0.62;

/// Draws a moment.
pub(super) fn picture(
    motion: &Motion,
    moment: &Moment,
    look: &Look,
) -> Result<Picture, FigureError> {
    // Checked before anything is reserved.
    Picture::new(look.width, look.height, [0; 3])?;
    let ink = Ink::of(look.theme);
    let up = motion.stage.up;
    let follows = motion.follows(look);
    let (target, distance) = match follows {
        true => (Some(moment.com), Some(NEAR * motion.sizes.mechanism)),
        false => (None, None),
    };
    let size = [look.width, look.height].map(f64::from);
    let eye = Eye::new((look.view, &up), &motion.bounds, size, (target, distance, look.zoom));
    let mut raster = Raster::new(eye, ink.paper);
    let light = (eye.right * -0.35 + up * 1.0 - eye.ahead * 0.55).normalize();
    let mesh = bodies(motion, moment);
    let step =
        round_up(if follows { NEAR * motion.sizes.mechanism } else { motion.sizes.extent } / LINES);
    surfaces(&mut raster, motion, &mesh, &light, (step, &ink));
    let shade = |n: &Vector3<f64>| lit(ink.body, n, &light);
    for triangle in &mesh.triangles {
        raster.triangle(triangle, &shade);
    }
    let width = 1.3 * look.unit() * FINE as f64;
    for edge in &mesh.edges {
        raster.line(edge, width, ink.edge, 0.75);
    }
    for trail in &moment.trails {
        let count = trail.len().max(2) - 1;
        for (k, pair) in trail.windows(2).enumerate() {
            let opacity = 0.8 * (k + 1) as f64 / count as f64;
            raster.line(pair, 1.5 * width, ink.trail, opacity);
        }
    }
    let mut picture = Picture::over(look.width, look.height, &raster.rgb())?;
    let seen = |p: &Vector3<f64>| eye.see(p).map(|[x, y, _]| [x, y]);
    signs::contacts(&mut picture, moment, &motion.arrows(look), &ink, look.unit(), &seen);
    if look.clock {
        signs::clock(&mut picture, moment, motion.end - motion.start, look, &ink);
        if motion.stage.fixed.iter().any(|drawn| drawn.form == Form::Plane) {
            signs::scale(&mut picture, step, look, &ink);
        }
    }
    Ok(picture)
}

/// Everything solid.
fn bodies(motion: &Motion, moment: &Moment) -> Mesh {
    let stage = &motion.stage;
    let thin = THIN * motion.sizes.mechanism;
    let mut mesh = Mesh::default();
    for (body, pose) in stage.bodies.iter().zip(&moment.poses) {
        for drawn in &body.shapes {
            mesh.add(drawn, pose, thin);
        }
    }
    for drawn in &stage.fixed {
        mesh.add(drawn, &Pose::identity(), thin);
    }
    let end = |e: &End| e.body.map_or(e.point, |b| moment.poses[b].point(&e.point));
    for [a, b] in stage.links.iter().chain(&stage.springs) {
        mesh.bar(end(a), end(b), thin);
    }
    for pin in &stage.joints {
        let pose = &moment.poses[pin.body];
        let at = pose.point(&pin.at);
        let half = pose.R * pin.axis * (2.2 * thin);
        mesh.bar(at - half, at + half, 1.5 * thin);
    }
    mesh
}

/// Planes with their grids and shadows.
fn surfaces(
    raster: &mut Raster,
    motion: &Motion,
    mesh: &Mesh,
    light: &Vector3<f64>,
    (step, ink): (f64, &Ink),
) {
    let centre = (motion.bounds.min + motion.bounds.max) * 0.5;
    let planes = motion.stage.fixed.iter().filter(|drawn| drawn.form == Form::Plane);
    for (count, drawn) in planes.enumerate() {
        let n: Vector3<f64> = drawn.pose.R.column(2).into();
        let axes = [0, 1].map(|k| -> Vector3<f64> { drawn.pose.R.column(k).into() });
        let r = drawn.pose.r;
        let shadow = match count < SHADED {
            true => raster.shadow(&mesh.triangles, (&r, &n), light),
            false => Vec::new(),
        };
        let base = lit(ink.ground, &n, light);
        let line = ink.ground_edge.map(f32::from);
        let paper = ink.paper.map(f32::from);
        let paint = |p: &Vector3<f64>, beside: [Vector3<f64>; 2], k: usize| {
            let mut colour = base;
            if shadow.get(k).copied().unwrap_or(false) {
                colour = colour.map(|c| 0.8 * c);
            }
            let cover = axes.iter().map(|axis| {
                let apart = beside[0].dot(axis).abs() + beside[1].dot(axis).abs();
                grid((p - r).dot(axis), step, apart)
            });
            blend(&mut colour, line, 0.28 * cover.fold(0.0, f64::max));
            // Far away the ground becomes paper.
            let far = (p - centre).norm() / motion.sizes.extent;
            blend(&mut colour, paper, ((far - 1.6) / 4.0).clamp(0.0, 1.0));
            colour
        };
        raster.surface((&r, &n), paint);
    }
}

/// How much of a pixel a grid line covers: `apart` is how far its neighbours are, in the same unit as `x`.
fn grid(x: f64, step: f64, apart: f64) -> f64 {
    let off = (x / step - (x / step).round()).abs() * step;
    let wide = 0.9 * apart;
    let cover = (1.0 - (off - 0.5 * wide) / apart.max(1e-12)).clamp(0.0, 1.0);
    // Lines that come closer than a few pixels become a grey.
    cover * (1.0 - apart / (0.5 * step)).clamp(0.0, 1.0)
}

fn blend(colour: &mut [f32; 3], other: [f32; 3], part: f64) {
    (0..3).for_each(|k| colour[k] += part as f32 * (other[k] - colour[k]));
}

/// A colour in the light.
fn lit(colour: Rgb, n: &Vector3<f64>, light: &Vector3<f64>) -> [f32; 3] {
    let share = AMBIENT + (1.0 - AMBIENT) * (0.5 + 0.5 * n.dot(light)).clamp(0.0, 1.0);
    mixed([0; 3], colour, share).map(f32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_lines_are_at_round_places() {
        assert_eq!(grid(2.0, 1.0, 0.01), 0.98);
        assert_eq!(grid(2.5, 1.0, 0.01), 0.0);
        assert_eq!(grid(2.0, 1.0, 1.0), 0.0, "closer than pixels");
    }
}
