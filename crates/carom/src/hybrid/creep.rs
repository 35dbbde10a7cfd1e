//! Slips so slow that their direction turns faster than anything else.
//!
//! # Law
//! The friction of a spatial slip of speed r is along −d, d = uₜ/r, and turns with it at the rate
//! ```text
//! a/r,   a = μd λₙ Gₜₜ                                                        (1)
//! ```
//! which is infinite when a slip leaves rest. Explicit steps would crawl: they need h < r/a. Where h a > r the angle θ
//! of the friction is an unknown of the step instead, and that the slip has no part across it is a condition,
//! ```text
//! d(θ) = cos θ e + sin θ n×e,   λₜ = −μd λₙ d(θ),   d⊥(θ)·uₜ = 0               (2)
//! ```
//! solved by implicit collocation (`carom_ode`, `steered.rs`), so that the law of the slip is the same at any speed,
//! at r = 0 too: there (2) says that the acceleration is along d, the onset of Coulomb's law. e is the direction of the
//! slip at the start of the step. What a turn of θ does to the slips, at constant velocities, is what the modes make of
//! the friction that it adds:
//! ```text
//! B = G f,   f = −μd λₙ d⊥ + S y,   Sᵣ G f = 0                                (3)
//! ```
//! (S of [`linear`](crate::coulomb::linear)), and D the same with d for d⊥. What its own friction can turn a slip by is less
//! than (1) where others hold it, so that slow slips are those with
//! ```text
//! h b > r,   b the size of its own part of D and B                            (4)
//! ```
//! and, beside one of them, those with h b > r/20, which cost nothing more and would slow the rounds of the step down. A contact
//! whose friction is at its limit but which others hold, b = 0 to round-off, has no direction for (2) to find: its friction
//! stays along the reference. So does that of one which slips against its
//! reference, d·uₜ < 0 beyond round-off: it starts along it from what the return of velocities could not take away.
//! One whose friction has just reached its limit has neither slip nor acceleration, and yet b > 0: it is slow, and (2) says
//! how its friction must turn for the slip to be along it.
//!
//! # The step after an event
//! Steps of slow slips say nothing about those without. After an event the step is the last one that nothing slipped in,
//! as far as the slips that are left allow it, h b ≤ r by (1), if that is longer than the step before.
//!
//! # Tests
//! `crates/carom-scene/tests/creep.rs`: `eq2_slow_slip_follows_the_force`, `tolerances_agree`,
//! `eq3_turns_cost_no_evaluation`, `corners_of_a_face_end_together`; a slip without acceleration: `tests/hybrid_wild.rs`,
//! legged 23 of seed 101.

use super::flow::Flow;
use crate::contact::Mode;
use crate::coulomb::velocity;
use crate::dynamics::SingularInertia;
use crate::numeric::reshape_vector;
use crate::numeric::thresholds::{HELD_SLIP, NO_SLIP, SAME_MOTION};
use carom_ode::radau::Tableau;
use nalgebra::{DVector, Vector3};
use std::f64::consts::FRAC_PI_2;

/// Steps of length h are explicit while h a ≤ r times this: stability allows about three, the accuracy of a
/// tight tolerance less; a steered step costs about five times as much.
const EXPLICIT: f64 = 1.0;

/// In a step that is steered for another slip, slips are followed explicitly below this: they slow the rounds down.
const TAGALONG: f64 = 0.05;

/// Length of the step that ends a slip, in units of the time that the slip has left.
const BEYOND_END: f64 = 1.02;

/// Where the angles come from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Course {
    /// They are being sought.
    Given,
    /// They follow the polynomial through the nodes of a step: its start and length, s.
    Step(f64, f64),
}

/// The slow slips of a step.
#[derive(Debug)]
pub(crate) struct Creep {
    pub sites: Vec<usize>,
    /// e and n×e.
    frames: Vec<[Vector3<f64>; 2]>,
    angles: Vec<f64>,
    nodes: Vec<f64>,
    course: Course,
    tableau: Tableau,
    /// Whether the evaluation at hand shall find D and B, and their columns.
    pub differentiates: bool,
    columns: [Vec<[f64; 2]>; 2],
    /// Count of the posture that they belong to.
    known: u64,
    /// Forces were found anew when the slow slips of the step were chosen.
    pub renewed: bool,
    kept: Vec<usize>,
    force: DVector<f64>,
    response: DVector<f64>,
}

impl Creep {
    pub fn new() -> Self {
        Self {
            sites: Vec::new(),
            frames: Vec::new(),
            angles: Vec::new(),
            nodes: Vec::new(),
            course: Course::Given,
            tableau: Tableau::fine(),
            differentiates: false,
            columns: [Vec::new(), Vec::new()],
            known: 0,
            renewed: false,
            kept: Vec::new(),
            force: DVector::zeros(0),
            response: DVector::zeros(0),
        }
    }

    /// No slip is slow.
    pub fn clear(&mut self) {
        self.renewed = false;
        self.sites.clear();
        self.frames.clear();
        self.angles.clear();
    }

    /// The angles of an instant, if a step has found them.
    pub fn at(&mut self, t: f64) {
        let Course::Step(t0, h) = self.course else { return };
        let k = self.sites.len();
        for a in 0..k {
            let node = |i: usize| self.nodes[i * k + a];
            self.angles[a] = self.tableau.inside(node, (t - t0) / h);
        }
    }

    /// d of a slow slip in the tangent basis of its state.
    pub fn direction(&self, site: usize, axes: &[Vector3<f64>; 3]) -> Option<[f64; 2]> {
        let k = self.sites.iter().position(|&s| s == site)?;
        self.along(k, self.angles[k], axes)
    }

    /// The same, if a step has found it.
    pub fn found(&self, site: usize, axes: &[Vector3<f64>; 3]) -> Option<[f64; 2]> {
        matches!(self.course, Course::Step(..)).then(|| self.direction(site, axes)).flatten()
    }

    /// How fast its own friction can turn the k-th slow slip, the others answering, m/s².
    fn own(&self, k: usize) -> f64 {
        let at = k * self.sites.len() + k;
        let size = |columns: &Vec<[f64; 2]>| columns[at][0].hypot(columns[at][1]);
        self.columns.iter().map(size).fold(0.0, f64::max)
    }

    /// The direction at an angle of the k-th slow slip, in the tangent basis of its state.
    fn along(&self, k: usize, angle: f64, axes: &[Vector3<f64>; 3]) -> Option<[f64; 2]> {
        let (sin, cos) = angle.sin_cos();
        let d = self.frames[k][0] * cos + self.frames[k][1] * sin;
        let d = [axes[0].dot(&d), axes[1].dot(&d)];
        let size = d[0].hypot(d[1]);
        (size > 0.0).then(|| d.map(|d| d / size))
    }
}

impl Flow<'_> {
    /// Chooses the slow slips of a step from (t, y) that may be as long as `h`, and how long it may be: a slip that ends
    /// is followed to its end and little further, because beyond it (2) repels.
    pub fn find_creep(&mut self, (t, y): (f64, &[f64]), h: f64) -> Result<f64, SingularInertia> {
        self.creep.clear();
        let pressing = |flow: &Self, site: usize| {
            let spatial = flow.sites[site].tangents == 2 && flow.carried[site].is_none();
            let s = &flow.contacts.states[site];
            let Mode::Slip { reference } = flow.contacts.modes[site] else { return 0.0 };
            let along = s.u[0] * s.axes[0].dot(&reference) + s.u[1] * s.axes[1].dot(&reference);
            if spatial && along >= -flow.contacts.slip_noise[site] {
                h * flow.contacts.nimble[site] / s.u[0].hypot(s.u[1])
            } else {
                0.0
            }
        };
        let all = (0..self.clusters.len()).flat_map(|c| self.clusters.get(c).sites.iter());
        if !all.clone().any(|&site| pressing(self, site) > EXPLICIT) {
            self.contacts.held.fill(false);
            return Ok(f64::INFINITY);
        }
        let mut sites = std::mem::take(&mut self.creep.sites);
        sites.extend(all.filter(|&&site| pressing(self, site) > TAGALONG));
        for &site in &sites {
            let Mode::Slip { reference } = self.contacts.modes[site] else { continue };
            let normal = self.contacts.states[site].axes[2];
            self.creep.frames.push([reference, normal.cross(&reference)]);
            self.creep.angles.push(0.0);
        }
        self.creep.sites = sites;
        self.creep.course = Course::Given;
        self.differentiate((t, y))?;
        self.keep_pressing(h);
        if self.creep.sites.is_empty() {
            return Ok(f64::INFINITY);
        }
        let ends = |&site: &usize| {
            let (s, a) = (&self.contacts.states[site], &self.contacts.accelerations[site]);
            let r = s.u[0].hypot(s.u[1]);
            let slows = -(s.u[0] * a[0] + s.u[1] * a[1]) / r;
            if slows > 0.0 && r > self.no_slip(site) {
                BEYOND_END * r / slows
            } else {
                f64::INFINITY
            }
        };
        Ok(self.creep.sites.iter().map(ends).fold(f64::INFINITY, f64::min))
    }

    /// How long a step may be for all slips to be followed explicitly, s.
    pub fn explicit_step(&self) -> f64 {
        let slips = (0..self.clusters.len()).flat_map(|c| self.clusters.get(c).sites.iter());
        let slips = slips.filter(|&&site| {
            let slips = matches!(self.contacts.modes[site], Mode::Slip { .. });
            slips && self.sites[site].tangents == 2 && !self.is_held(site)
        });
        let longest = |&site: &usize| {
            let s = &self.contacts.states[site];
            EXPLICIT * s.u[0].hypot(s.u[1]) / self.contacts.nimble[site]
        };
        slips.map(longest).fold(f64::INFINITY, f64::min)
    }

    /// Whether a site at the limit of its friction neither slips nor starts to: others hold it.
    pub fn is_held(&self, site: usize) -> bool {
        let (s, a) = (&self.contacts.states[site], &self.contacts.accelerations[site]);
        let starts = a[0].hypot(a[1]) > SAME_MOTION * self.contacts.nimble[site];
        !starts && s.u[0].hypot(s.u[1]) <= self.no_slip(site)
    }

    /// Slip without a direction of its own, m/s.
    fn no_slip(&self, site: usize) -> f64 {
        (NO_SLIP * self.contacts.states[site].speed).max(self.contacts.slip_noise[site])
    }

    /// The angles of the slow slips.
    pub fn steer_creep(&mut self, angles: &[f64]) {
        self.creep.angles.copy_from_slice(angles);
        self.creep.course = Course::Given;
    }

    /// D and B of all slow slips at a state, (3).
    fn differentiate(&mut self, (t, y): (f64, &[f64])) -> Result<(), SingularInertia> {
        let k = self.creep.sites.len();
        for columns in &mut self.creep.columns {
            columns.clear();
            columns.resize(k * k, [0.0; 2]);
        }
        self.creep.differentiates = true;
        let (q, v, _) = self.split(y);
        let done = self.accelerate(t, q, v);
        self.creep.differentiates = false;
        self.creep.known = self.posture.count;
        self.creep.renewed = true;
        done.map(|_| ())
    }

    /// Keeps of the slow slips those that their own friction turns within h, (4); what others hold keeps its direction.
    fn keep_pressing(&mut self, h: f64) {
        self.contacts.held.fill(false);
        let k = self.creep.sites.len();
        let mut pressing = 0.0_f64;
        let mut kept = std::mem::take(&mut self.creep.kept);
        kept.clear();
        for (a, &site) in self.creep.sites.iter().enumerate() {
            let s = &self.contacts.states[site];
            let (r, own) = (s.u[0].hypot(s.u[1]), self.creep.own(a));
            let held = own <= SAME_MOTION * self.contacts.nimble[site];
            self.contacts.held[site] = held && r <= HELD_SLIP * s.speed;
            if !held && h * own > TAGALONG * r {
                kept.push(a);
                pressing = pressing.max(h * own / r);
            }
        }
        if pressing <= EXPLICIT {
            kept.clear();
        }
        let c = &mut self.creep;
        for columns in &mut c.columns {
            for (j, &from) in kept.iter().enumerate() {
                for (a, &of) in kept.iter().enumerate() {
                    columns[j * kept.len() + a] = columns[from * k + of];
                }
            }
        }
        for (a, &from) in kept.iter().enumerate() {
            (c.sites[a], c.frames[a]) = (c.sites[from], c.frames[from]);
        }
        c.sites.truncate(kept.len());
        c.frames.truncate(kept.len());
        c.angles.truncate(kept.len());
        c.kept = kept;
    }

    /// D and B of the slow slips of the step that begins at (t, y), which are known since they were chosen.
    pub fn turning_creep(
        &mut self,
        (t, y): (f64, &[f64]),
        D: &mut [[f64; 2]],
        B: &mut [[f64; 2]],
    ) -> Result<bool, SingularInertia> {
        if self.creep.known != self.posture.count {
            let (q, v, _) = self.split(y);
            self.accelerate(t, q, v)?;
        }
        D.copy_from_slice(&self.creep.columns[0][..D.len()]);
        B.copy_from_slice(&self.creep.columns[1][..B.len()]);
        Ok(true)
    }

    /// Columns of D and B of the slow slips of the cluster at hand, whose forces have just been found.
    pub(super) fn differentiate_creep(&mut self) {
        self.differentiate_along(0, 0.0);
        self.differentiate_along(1, FRAC_PI_2);
    }

    /// What friction along the directions of slow slips, turned by an angle, makes of all of them.
    fn differentiate_along(&mut self, which: usize, turned: f64) {
        let (c, s) = (&mut self.creep, &mut self.scratch);
        let (problem, count) = (&s.rows.problem, c.sites.len());
        for j in 0..count {
            let Some(place) = s.rows.sites.iter().position(|&site| site == c.sites[j]) else {
                continue;
            };
            let contact = s.rows.contact(place);
            let axes = &self.contacts.states[c.sites[j]].axes;
            let Some(along) = c.along(j, c.angles[j] + turned, axes) else { continue };
            reshape_vector(&mut c.force, problem.rows());
            for (i, d) in contact.tangent_rows().zip(along) {
                c.force[i] = -contact.friction * s.x[contact.normal()] * d;
            }
            s.system.answer(problem, &mut c.force);
            velocity(problem, &c.force, &mut c.response);
            c.response -= &problem.b;
            for a in 0..count {
                let Some(place) = s.rows.sites.iter().position(|&site| site == c.sites[a]) else {
                    continue;
                };
                let axes = &self.contacts.states[c.sites[a]].axes;
                let rows = s.rows.contact(place).tangent_rows();
                let turn = rows.zip(axes).map(|(i, axis)| axis * c.response[i]);
                let turn: Vector3<f64> = turn.sum();
                c.columns[which][j * count + a] = [0, 1].map(|f| c.frames[a][f].dot(&turn));
            }
        }
    }

    /// The step that has found the angles.
    pub fn follow_creep(&mut self, t0: f64, h: f64, nodes: &[f64]) {
        self.creep.nodes.clear();
        self.creep.nodes.extend_from_slice(nodes);
        self.creep.course = Course::Step(t0, h);
    }

    /// Slips in the frames of their directions, and their rates.
    pub fn creep_velocities(&self, w: &mut [[f64; 2]], wdot: &mut [[f64; 2]]) {
        for (k, &site) in self.creep.sites.iter().enumerate() {
            let s = &self.contacts.states[site];
            let a = self.contacts.accelerations[site];
            for (c, axis) in self.creep.frames[k].iter().enumerate() {
                let along = [s.axes[0].dot(axis), s.axes[1].dot(axis)];
                w[k][c] = along[0] * s.u[0] + along[1] * s.u[1];
                wdot[k][c] = along[0] * a[0] + along[1] * a[1];
            }
        }
    }
}
