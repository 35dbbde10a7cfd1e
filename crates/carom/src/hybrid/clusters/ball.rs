//! Balls: bodies whose flight is known, and what of the world they may hit.
//!
//! # Rule
//! A ball is an assembly of one body on a planar or free joint with the world that
//! - only gravity pulls: no springs, dampers, friction, limits, rotors, ties, loads;
//! - has its centre of mass in the centre of all its shapes, which are spheres, discs in the plane, or points;
//! - has the same inertia about all axes, or moves in a plane;
//! - may hit fixed planes and fixed spheres, and other assemblies.
//!
//! Everything else about it (contacts that last, accumulating impacts, several contacts at once) is left to the loop that
//! all clusters have.

use super::members::Whole;
use crate::contact::{Site, SiteGeometry};
use crate::geometry::{BodyMotion, Round, SpherePair};
use crate::model::tree::{LinkMotion, WORLD};
use crate::model::{BodyId, Coordinate, Load, Model};
use crate::spatial::Pose;
use nalgebra::Vector3;
use std::ops::Range;

/// A shape of the world that balls may hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fixed {
    Plane { point: Vector3<f64>, normal: Vector3<f64> },
    Sphere { center: Vector3<f64>, radius: f64 },
}

impl Fixed {
    /// Gap to a ball of this radius around `c`, and its round-off, m.
    pub fn gap(&self, c: &Vector3<f64>, radius: f64) -> (f64, f64) {
        let (gap, size) = match self {
            Self::Plane { point, normal } => (normal.dot(&(c - point)) - radius, point.amax()),
            Self::Sphere { center, radius: own } => {
                ((c - center).norm() - own - radius, center.amax() + own)
            }
        };
        (gap, 8.0 * f64::EPSILON * (size + c.amax() + radius))
    }
}

/// What of the world a ball may hit: the shape among all that are fixed, the site, and the radius of the ball there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wall {
    pub site: usize,
    pub fixture: usize,
    pub radius: f64,
}

/// A body whose flight is known.
#[derive(Debug, Clone)]
pub(crate) struct Ball {
    pub body: BodyId,
    /// Where its coordinates and velocities are in the whole.
    pub q: Range<usize>,
    pub v: Range<usize>,
    pub planar: bool,
    /// The frame of its joint in the world.
    pub frame: Pose,
    pub mass: f64,
    /// Moment of inertia about its centre, kg·m².
    pub moment: f64,
    /// Acceleration in the world and in the frame of the joint, m/s².
    pub fall: Vector3<f64>,
    pub fall_in_joint: Vector3<f64>,
    /// Gravity, of which a planar ball follows a part, m/s².
    pub gravity: Vector3<f64>,
    pub walls: Vec<Wall>,
    /// Largest radius of the shapes that may meet others, m.
    pub reach: f64,
}

impl Ball {
    /// The ball that an assembly is, if it is one; what it may hit is among the fixtures.
    pub fn find(whole: &Whole<'_>, assembly: usize, fixtures: &mut Vec<Fixed>) -> Option<Self> {
        let model = whole.model;
        let [body] = whole.assemblies.bodies[assembly][..] else { return None };
        let seat = &model.tree().seats[body.index()];
        let link = &model.tree().links[seat.link];
        let planar = match link.motion {
            LinkMotion::Planar => true,
            LinkMotion::Free => false,
            _ => return None,
        };
        let alone = link.parent == WORLD && seat.pose == Pose::identity();
        let (h, I) = (link.inertia.h, &link.inertia.I);
        let round = I.xx == I.yy && I.yy == I.zz && I.xy == 0.0 && I.xz == 0.0 && I.yz == 0.0;
        let balanced = link.inertia.mass > 0.0 && h == Vector3::zeros() && (planar || round);
        if !(alone && balanced && I.zz > 0.0 && is_free(model, body)) {
            return None;
        }
        let centred = |f: &crate::model::FeatureId| {
            let feature = model.feature(*f);
            let round = feature.shape.core_dimension(model.moves_in_plane()) == Some(0);
            round && feature.placement.r == Vector3::zeros()
        };
        if !whole.exposed[assembly].iter().all(centred) {
            return None;
        }
        let mut walls = Vec::new();
        for site in whole.own_sites(assembly) {
            let (fixture, radius) = hit(model, &whole.sites[site], body)?;
            let fixture = enter(fixture, walls.len(), fixtures);
            walls.push(Wall { site, fixture, radius });
        }
        let gravity = model.gravity();
        let mut fall_in_joint = link.base.R.tr_mul(&gravity);
        if planar {
            fall_in_joint.z = 0.0;
        }
        Some(Self {
            body,
            q: model.q_range(body),
            v: model.v_range(body),
            planar,
            frame: link.base,
            mass: link.inertia.mass,
            moment: I.zz,
            fall: link.base.R * fall_in_joint,
            fall_in_joint,
            gravity,
            walls,
            reach: whole.exposed[assembly]
                .iter()
                .fold(0.0, |r, &f| r.max(model.feature(f).shape.reach())),
        })
    }

    /// P x: the part of a direction that it can be shifted along.
    pub fn shifts(&self, x: &Vector3<f64>) -> Vector3<f64> {
        if !self.planar {
            return *x;
        }
        let k = self.frame.R.column(2);
        x - k * k.dot(x)
    }

    /// Q x: the part of an axis that it can be turned about.
    pub fn turns(&self, x: &Vector3<f64>) -> Vector3<f64> {
        if !self.planar {
            return *x;
        }
        let k = self.frame.R.column(2);
        k * k.dot(x)
    }

    /// Kinetic energy, J.
    pub fn kinetic(&self, v: &Vector3<f64>, w: &Vector3<f64>) -> f64 {
        0.5 * (self.mass * v.norm_squared() + self.moment * w.norm_squared())
    }
}

/// Whether nothing but gravity and contacts acts on a body.
fn is_free(model: &Model, body: BodyId) -> bool {
    let dofs = model.v_range(body);
    let plain = |c: &Coordinate| *c == Coordinate { effort: c.effort, ..Coordinate::default() };
    let tied =
        model.couplings().iter().any(|c| dofs.contains(&c.follower) || dofs.contains(&c.leader));
    let sprung = model.springs().iter().any(|s| s.bodies().contains(&Some(body)));
    let loaded = model.loads().iter().any(|load| match load {
        Load::Body { body: on, .. } => *on == body,
        Load::Joint { dof, .. } => dofs.contains(dof),
    });
    let looped = model.loops().iter().any(|l| l.bodies().contains(&Some(body)));
    model.coordinates()[dofs.clone()].iter().all(plain) && !(tied || sprung || loaded || looped)
}

/// The place of a fixed shape, which most balls know in the same order.
fn enter(fixture: Fixed, guess: usize, fixtures: &mut Vec<Fixed>) -> usize {
    if fixtures.get(guess) == Some(&fixture) {
        return guess;
    }
    fixtures.iter().position(|other| *other == fixture).unwrap_or_else(|| {
        fixtures.push(fixture);
        fixtures.len() - 1
    })
}

/// What of the world a site lets the body hit, and the radius of the body there; none if its gap is no polynomial.
fn hit(model: &Model, site: &Site, body: BodyId) -> Option<(Fixed, f64)> {
    let (a, b) = site.bodies();
    let carrier = rest(model, if b == Some(body) { a } else { b });
    let (shape, center, radius) = match &site.geometry {
        SiteGeometry::OnPlane { plane, shape, .. } if b == Some(body) => {
            let (center, radius) = match shape {
                Round::Point { center } => (center, 0.0),
                Round::Sphere { center, radius } => (center, *radius),
                Round::Ellipsoid { .. } => return None,
            };
            let (point, normal) = (carrier.place(&plane.point), carrier.R * plane.normal);
            (Fixed::Plane { point, normal }, center, radius)
        }
        SiteGeometry::Spheres { spheres: SpherePair { a: first, b: second, .. }, .. } => {
            let (fixed, own) = if b == Some(body) { (first, second) } else { (second, first) };
            let center = carrier.place(&fixed.center);
            (Fixed::Sphere { center, radius: fixed.radius }, &own.center, own.radius)
        }
        _ => return None,
    };
    (*center == Vector3::zeros()).then_some((shape, radius))
}

/// A body that never moves, or the world.
pub(crate) fn rest(model: &Model, body: Option<BodyId>) -> BodyMotion {
    let pose = body.map_or(Pose::identity(), |body| model.tree().seats[body.index()].pose);
    BodyMotion { R: pose.R, r: pose.r, ..BodyMotion::fixed() }
}
