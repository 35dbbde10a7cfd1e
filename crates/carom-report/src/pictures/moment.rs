//! Where everything is at a time.

use super::look::Look;
use crate::document::{Packed, PageEvent, Pieces, RunDocument, SiteTrack, Spot};
use crate::stage::{Bounds, Stage};
use carom::spatial::Pose;
use carom::spatial::rotation::from_quaternion;
use nalgebra::{Vector3, Vector4};

/// Longest arrow, as a part of the size of the picture's content.
pub(super) const ARROW: f64 = 0.22;
/// Impulses stay this long on the screen, s of the reader's time.
const HOLD: f64 = 0.3;
/// How far trails reach back, s.
const TRAIL: f64 = 1.5;
/// Points of a trail.
const TRAIL_POINTS: usize = 120;
/// A mechanism that goes this many times farther than it is large is best followed.
const FAR: f64 = 25.0;

/// A track of three numbers per frame; one entry alone holds for all.
struct Track(Vec<f64>);

impl Track {
    fn new(packed: &Packed) -> Self {
        Self(packed.to_f64())
    }

    fn at(&self, spot: &Spot) -> Vector3<f64> {
        if self.0.len() == 3 {
            return Vector3::new(self.0[0], self.0[1], self.0[2]);
        }
        Vector3::from_fn(|k, _| spot.number(&self.0, 3, k))
    }
}

/// One contact over time.
struct SiteMotion {
    limit: bool,
    modes: Vec<f64>,
    point: Track,
    axes: [Option<Track>; 3],
    force: Track,
}

impl SiteMotion {
    fn new(site: &SiteTrack) -> Self {
        Self {
            limit: site.kind == "limit",
            modes: site.modes.to_f64(),
            point: Track::new(&site.point),
            axes: [
                Some(Track::new(&site.tangent1)),
                site.tangent2.as_ref().map(Track::new),
                Some(Track::new(&site.normal)),
            ],
            force: Track::new(&site.force),
        }
    }

    fn mode(&self, spot: &Spot) -> u8 {
        let place = if self.modes.len() == 1 { 0 } else { spot.first };
        self.modes.get(place).map_or(0, |m| *m as u8)
    }

    /// Components along t₁, t₂, n as a vector of the world.
    fn vector(&self, spot: &Spot, parts: &Vector3<f64>) -> Vector3<f64> {
        let along = |(k, axis): (usize, &Option<Track>)| {
            axis.as_ref().map_or(Vector3::zeros(), |a| a.at(spot) * parts[k])
        };
        self.axes.iter().enumerate().map(along).sum()
    }
}

/// A contact that is closed.
pub(super) struct Touch {
    pub point: Vector3<f64>,
    pub force: Vector3<f64>,
    pub slips: bool,
}

/// An impulse of the last moment.
pub(super) struct Blow {
    pub point: Vector3<f64>,
    pub impulse: Vector3<f64>,
    /// 0 is now, 1 almost forgotten.
    pub age: f64,
}

/// Everything at a time.
pub(super) struct Moment {
    pub t: f64,
    pub poses: Vec<Pose>,
    pub com: Vector3<f64>,
    pub touches: Vec<Touch>,
    pub blows: Vec<Blow>,
    /// Paths of points up to now, oldest first.
    pub trails: Vec<Vec<Vector3<f64>>>,
}

/// Lengths that a run is drawn by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// The whole motion, m.
    pub extent: f64,
    /// The mechanism itself, m.
    pub mechanism: f64,
    /// What arrows are measured by, m.
    pub size: f64,
    /// Force and impulse of the longest arrows, N and N·s.
    pub force: f64,
    pub impulse: f64,
}

/// A run over time.
pub(super) struct Motion {
    pub stage: Stage,
    pub bounds: Bounds,
    pub sizes: Sizes,
    pieces: Pieces,
    bodies: usize,
    poses: Vec<f64>,
    com: Vec<f64>,
    sites: Vec<SiteMotion>,
    events: Vec<PageEvent>,
    anchors: Vec<(usize, Vector3<f64>)>,
    pub start: f64,
    pub end: f64,
}

impl Sizes {
    /// For a picture in which the mechanism is followed, and is large.
    fn near(mut self) -> Self {
        self.size = self.size.min(3.0 * self.mechanism);
        self
    }
}

impl Motion {
    pub fn new(stage: Stage, document: &RunDocument) -> Self {
        let t = document.t.to_f64();
        let page = &document.stage.bounds;
        let bounds = Bounds { min: page.min.into(), max: page.max.into() };
        let mut motion = Self {
            anchors: anchors(&stage),
            bodies: stage.bodies.len(),
            pieces: document.pieces(),
            poses: document.poses.to_f64(),
            com: document.com.to_f64(),
            sites: document.sites.iter().map(SiteMotion::new).collect(),
            events: document.events.clone(),
            start: t.first().copied().unwrap_or(0.0),
            end: t.last().copied().unwrap_or(0.0),
            sizes: Sizes { extent: 1.0, mechanism: 1.0, size: 1.0, force: 1.0, impulse: 1.0 },
            stage,
            bounds,
        };
        motion.sizes = motion.measure();
        motion
    }

    fn measure(&self) -> Sizes {
        let extent = self.bounds.size().norm().max(1e-6);
        let mut own = Bounds::empty();
        self.stage.widen(&self.poses_at(&self.pieces.at(self.start)), &mut own);
        let mechanism = own.size().norm();
        let mechanism = if mechanism > 0.0 { mechanism.min(extent) } else { extent };
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let forces = self.sites.iter().flat_map(|site| site.force.0.chunks(3).map(norm));
        let contacts = self.events.iter().flat_map(|event| &event.contacts);
        let impulses = contacts.map(|contact| norm(&contact.impulse));
        Sizes {
            extent,
            mechanism,
            size: extent.min(8.0 * mechanism),
            force: round_up(forces.fold(0.0, f64::max)),
            impulse: round_up(impulses.fold(0.0, f64::max)),
        }
    }

    /// Whether the mechanism is followed: if that is asked for, or if it would hardly be seen otherwise.
    pub fn follows(&self, look: &Look) -> bool {
        look.follow.unwrap_or(self.sizes.extent > FAR * self.sizes.mechanism)
    }

    /// Lengths of arrows in a picture.
    pub fn arrows(&self, look: &Look) -> Sizes {
        if self.follows(look) { self.sizes.near() } else { self.sizes }
    }

    fn poses_at(&self, spot: &Spot) -> Vec<Pose> {
        let width = 7 * self.bodies;
        let pose = |body: usize| {
            let x = |k: usize| spot.number(&self.poses, width, 7 * body + k);
            let Q = Vector4::new(x(3), x(4), x(5), x(6));
            Pose::new(from_quaternion(&Q.normalize()), Vector3::new(x(0), x(1), x(2)))
        };
        (0..self.bodies).map(pose).collect()
    }

    /// Everything at a time of a film of a speed.
    pub fn at(&self, t: f64, speed: f64) -> Moment {
        let t = t.clamp(self.start, self.end);
        let spot = self.pieces.at(t);
        Moment {
            t,
            poses: self.poses_at(&spot),
            com: Vector3::from_fn(|k, _| spot.number(&self.com, 3, k)),
            touches: self.touches(&spot),
            blows: self.blows(t, HOLD * speed),
            trails: self.trails(t),
        }
    }

    fn touches(&self, spot: &Spot) -> Vec<Touch> {
        let closed = self.sites.iter().filter(|site| !site.limit && site.mode(spot) > 0);
        let touch = |site: &SiteMotion| Touch {
            point: site.point.at(spot),
            force: site.vector(spot, &site.force.at(spot)),
            slips: site.mode(spot) == 2,
        };
        closed.map(touch).collect()
    }

    fn blows(&self, t: f64, hold: f64) -> Vec<Blow> {
        let mut blows = Vec::new();
        let until = self.events.partition_point(|event| event.t <= t);
        for event in self.events[..until].iter().rev().take_while(|event| event.t >= t - hold) {
            let spot = Spot::frame(event.frame);
            let age = if hold > 0.0 { (t - event.t) / hold } else { 0.0 };
            for contact in &event.contacts {
                let site = &self.sites[contact.site];
                let impulse = Vector3::from(contact.impulse);
                if !site.limit && impulse.norm() > 0.0 {
                    let impulse = site.vector(&spot, &impulse);
                    blows.push(Blow { point: site.point.at(&spot), impulse, age });
                }
            }
        }
        blows
    }

    /// Impacts are corners: their times are among the points.
    fn trails(&self, t: f64) -> Vec<Vec<Vector3<f64>>> {
        let from = (t - TRAIL).max(self.start);
        let step = (t - from) / TRAIL_POINTS as f64;
        let mut times: Vec<f64> = (0..=TRAIL_POINTS).map(|k| from + step * k as f64).collect();
        let first = self.events.partition_point(|event| event.t <= from);
        let recent = self.events[first..].iter().take_while(|event| event.t < t);
        times.extend(recent.take(TRAIL_POINTS).map(|event| event.t));
        times.sort_by(f64::total_cmp);
        let mut trails = vec![Vec::with_capacity(times.len()); self.anchors.len()];
        for time in times {
            let poses = self.poses_at(&self.pieces.at(time));
            for (trail, (body, point)) in trails.iter_mut().zip(&self.anchors) {
                trail.push(poses[*body].point(point));
            }
        }
        trails
    }
}

/// Points whose paths are drawn: named points of a body if they are few, else its centre of mass.
fn anchors(stage: &Stage) -> Vec<(usize, Vector3<f64>)> {
    let mut all = Vec::new();
    for (index, body) in stage.bodies.iter().enumerate() {
        let points: Vec<_> =
            body.shapes.iter().filter(|s| s.form == crate::stage::Form::Point).collect();
        match points.len() {
            1 | 2 => all.extend(points.iter().map(|s| (index, s.pose.r))),
            _ if !body.shapes.is_empty() => all.push((index, body.com)),
            _ => {}
        }
    }
    all
}

/// The next of 1, 2, 5 × 10ᵏ that is not smaller; 1 for 0.
pub(super) fn round_up(x: f64) -> f64 {
    if !(x > 0.0 && x.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(x.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    power * steps.into_iter().find(|s| x <= s * power * (1.0 + 1e-12)).unwrap_or(10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers() {
        let found = [0.0, 0.3, 1.0, 4.1, 7.0, 120.0].map(round_up);
        let wanted = [1.0, 0.5, 1.0, 5.0, 10.0, 200.0];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12 * b), "{found:?}");
    }
}
