//! What ends a flow: the conditions that guards watch, and their values.
//!
//! Gap of an open site; normal force, friction-cone margin μs²λₙ² − λₜ² and slip along its reference
//! direction of a closed one, and its stability A/Gₙₙ, whose zero is the dynamic jam; limits and knots of
//! the motors; conditions on contacts; the end of a time step that carries a cluster.
//!
//! # Overlap
//! A guard that starts below zero is silent. Overlapping by round-off and approaching is an event at
//! once; overlapping and separating is none:
//! ```text
//! g < −β and ġ ≤ 0 to round-off at the start of a step: touches now                         (1)
//! ```
//! the stable rule of event-driven particle dynamics (Bannerman, Strobl, Formella & Pöschel 2012). What separates may turn
//! around before it has come apart, within one step; the guard of a site that overlaps at an event is
//! ```text
//! max(g, τ ġ),   τ = 1 s: both must be negative, so that only the sign of ġ matters     (3)
//! ```
//! Forces jump where the direction of a slip that is too slow to have one is found anew, by its velocity before the step and by
//! the step itself ([`super::creep`]), and so may start below zero too:
//! ```text
//! λₙ < −β at the start of such a step, in any of these directions: lets go now    (2)
//! ```
//! Between short steps of a slip at the resolution of velocities they change from one to the next, so that (2) is asked of every
//! step in which something slips in space.
//!
//! A force that ends is zero at its event. Near a jam it may pass through infinity instead, and pulls just after; such an event is
//! ```text
//! t = sup {τ : λₙ(τ) ≥ −β}     the last instant at which it pushes                  (4)
//! ```
//! and of this force alone: what was found at a later instant has not happened.
//!
//! Forces are round-off by the load of their cluster. It is the largest of them, but not less than what the terms of an acceleration amount
//! to, because bodies that fly on together press each other with nothing but the round-off of these:
//! ```text
//! load = max over the cluster of ‖λ‖, (Σⱼ |Jₙⱼ v̇ⱼ| + |J̇ₙv| + s²/ℓ)/Gₙₙ                        (5)
//! ```
//! v̇ without contacts, s the speeds that uₙ is a difference of, ℓ the numbers that place the contact: J̇ₙv is itself a difference of
//! terms of that size. The margin of a cone is known to the load times the forces in it. These may come to be as large as the load,
//! but the friction of a joint is pressed by a constant τ, which may be a thousandth of what contacts carry:
//! ```text
//! |δ(τ² − f²)| ≤ 2 τ β load,   β the round-off of forces                                  (6)
//! ```
//!
//! A slip that starts does so along its reference d, which is that of its acceleration; what it starts from may be against it, by what
//! the return of velocities could not take away, and would be driven by its friction for ever if it did not turn. Its guard is, as (3),
//! ```text
//! max(d·uₜ, τ d·u̇ₜ) where d·uₜ < −β at the event                                            (7)
//! ```
//! It is found anew at the start of every step, because a step of a slow slip may end beyond the end of the slip, with the direction
//! of what would have repelled it: against its reference and with d·u̇ₜ ≤ 0 a slip stops now.
//!
//!
//! An event is over where forces push. Those of the modes that it has found may not, because velocities have returned to these modes
//! meanwhile, and near a pole a turn of a slip by 1e-9 changes forces by as much as one likes:
//! ```text
//! λₙ < −β after an event, where several are closed and some slip: lets go at this instant          (8)
//! ```
//!
//! Where the events of friction are projected instead of located, see [`super::capture`], cone and slip have no guards.
//!
//! # Tests
//! Beside the code: `eq3_what_overlaps_and_turns_around_is_seen`; `tests/hybrid_wild.rs`: a force through infinity, legged 24 of
//! seed 7; (7), round 181 of seed 703; (2), box 20 of seed 44 and round 60 of seed 41; (4), legged 90 of seed 112; (8),
//! legged 260 of seed 1003.

use super::flow::Flow;
use crate::contact::site_state::site_approach;
use crate::contact::{Mode, SiteGeometry};
use crate::dynamics::SingularInertia;
use crate::numeric::thresholds::{JAMS, SLIP_NOISE, TIME_RESOLUTION};
use carom_ode::{Guard, Guards};

/// Which condition a guard watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    Gap,
    NormalForce,
    Cone,
    Slip,
    /// Forces are about to grow without bound: the stability falls to zero, or rises to it.
    Stability,
    Instability,
    /// A slip is predicted to end within the step that begins, see [`super::capture`].
    Capture,
    /// A slip has turned around unseen within the step before.
    Passed,
    /// A free motor reaches its upper limit; from here on the index is the actuator's.
    Upper,
    Lower,
    /// A motor at its upper limit is told to do less.
    BelowUpper,
    AboveLower,
    /// The formula of a controller changes; the index is the controller's.
    Knot,
    /// A condition on contacts changes; the index is the condition's.
    Condition,
    /// A site that waits has parted.
    Parting,
    /// Two polytopes meet, by features that no site stands for; the index is that of their first site.
    Separation,
    /// The contact point of a closed site leaves its features.
    Extent,
    /// A time step has carried a cluster over; the index is the first site of it.
    Carried,
}

impl Watch {
    /// Whether it belongs to a contact site.
    pub fn is_contact(&self) -> bool {
        matches!(
            self,
            Self::Gap
                | Self::NormalForce
                | Self::Cone
                | Self::Slip
                | Self::Stability
                | Self::Instability
                | Self::Capture
                | Self::Passed
                | Self::Carried
                | Self::Separation
                | Self::Extent
        )
    }
}

/// Nothing seen yet of a guard.
const UNSEEN: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

impl Flow<'_> {
    /// A step begins: nothing has been seen of the forces within it.
    pub fn forget_glimpses(&mut self) {
        self.glimpses.fill(UNSEEN);
    }

    /// Slip of a site along its reference, m/s, and its rate.
    pub fn slip_along(&self, site: usize) -> [f64; 2] {
        self.contacts.along_reference(site, self.sites[site].tangents)
    }

    /// To what the slip of a site is known, m/s.
    fn slip_noise(&self, site: usize) -> f64 {
        self.contacts.slip_noise[site].max(self.contacts.held_noise[site])
    }

    /// Which spatial slips are against their reference at the start of a step, (7); whether there are any.
    pub fn find_against(&mut self) -> bool {
        let mut any = false;
        for k in 0..self.watches.len() {
            let (site, watch) = self.watches[k];
            if watch == Watch::Slip && self.sites[site].tangents == 2 {
                self.against[site] = self.slip_along(site)[0] < -self.slip_noise(site);
                any |= self.against[site];
            }
        }
        any
    }

    /// What a guard of forces is under the forces just found.
    fn force_guard(&self, site: usize, watch: Watch) -> Option<f64> {
        match watch {
            Watch::NormalForce => Some(self.contacts.forces[site][2]),
            Watch::Stability => Some(self.contacts.stability[site] - JAMS),
            Watch::Instability => Some(-self.contacts.stability[site] - JAMS),
            Watch::Cone => {
                let f = self.contacts.forces[site];
                let limit = self.sites[site].surface.static_friction * f[2];
                Some(limit * limit - (f[0] * f[0] + f[1] * f[1]))
            }
            _ => None,
        }
    }

    /// Whether the force of a guard of normal forces pulls beyond its round-off.
    pub fn pulls(&self, &(site, watch): &(usize, Watch)) -> bool {
        // The index of other guards may be that of a motor.
        watch == Watch::NormalForce
            && self.contacts.forces[site][2]
                < -self.contacts.force_noise[site] * self.contacts.loads[site]
    }

    /// Whether a site is the friction of a joint that its stop holds.
    fn is_stopped(&self, site: usize) -> bool {
        self.stops.leaving(site, |stop| self.contacts.modes[stop].is_closed()).is_some()
    }

    /// Whether the stability of a site, watched on one side of zero, is no longer there: the force that pulls has not fallen
    /// to zero but passed through infinity.
    pub fn has_jammed(&self, site: usize) -> bool {
        let watched = |watch| self.watches.contains(&(site, watch));
        let stability = self.contacts.stability[site];
        watched(Watch::Stability) && stability < JAMS
            || watched(Watch::Instability) && stability > -JAMS
    }

    /// Look at the guards of forces where the rate has just been evaluated.
    pub fn glimpse(&mut self) {
        for k in 0..self.watches.len() {
            let (site, watch) = self.watches[k];
            if let Some(value) = self.force_guard(site, watch) {
                let [least, most] = &mut self.glimpses[k];
                (*least, *most) = (least.min(value), most.max(value));
                // NaN has no place between the two: nothing is known then.
                if value.is_nan() {
                    (*least, *most) = (f64::NEG_INFINITY, f64::INFINITY);
                }
            }
        }
    }

    /// Renew the guards after the modes changed; forces must belong to the state.
    pub fn arm(&mut self, t: f64, rtol: f64, guards: &mut Vec<Guard>) {
        self.watches.clear();
        guards.clear();
        self.measure(t);
        self.measure_held(rtol);
        for (i, mode) in self.contacts.modes.iter().enumerate() {
            let stopped = self.is_stopped(i);
            let pressing = self.sites[i].pressed_by();
            let (slip, slip_noise) = (self.slip_along(i)[0], self.slip_noise(i));
            let mut watch = |watch, noise| {
                self.watches.push((i, watch));
                guards.push(Guard::falling(noise));
            };
            if self.carried[i].is_some() {
                watch(Watch::Carried, 0.0);
                continue;
            }
            if !mode.is_closed() && self.given.conditions.mutes(i) {
                continue;
            }
            if !mode.is_closed() {
                // What follows another site opens and closes with it; one that stands for nothing has no gap.
                let idle = matches!(self.sites[i].geometry, SiteGeometry::Idle { .. });
                if !idle && self.sites[i].follows().is_none() {
                    let noise = self.contacts.gap_noise(i, rtol);
                    self.overlaps[i] = self.contacts.states[i].gap < -noise;
                    watch(Watch::Gap, noise);
                }
                continue;
            }
            if self.contacts.loads[i].is_nan() {
                continue;
            }
            let load = self.contacts.loads[i];
            let noise = self.contacts.force_noise[i];
            let pressed = pressing.is_some() || self.sites[i].follows().is_some();
            if !pressed {
                watch(Watch::NormalForce, noise * load);
            }
            let tangents = self.sites[i].tangents;
            match mode {
                _ if self.projected => {}
                Mode::Stick if tangents > 0 => {
                    let size = pressing.map_or(load, |force| 2.0 * force.min(load));
                    watch(Watch::Cone, noise * load * size);
                }
                // A joint that its stop holds has no slip that could end.
                Mode::Slip { .. } if stopped => {}
                Mode::Slip { .. } if tangents > 0 => {
                    self.against[i] = slip < -slip_noise;
                    watch(Watch::Slip, slip_noise);
                    let stability = self.contacts.stability[i];
                    if stability.abs() > JAMS && !pressed {
                        let side = [Watch::Instability, Watch::Stability];
                        watch(side[usize::from(stability > 0.0)], 0.0);
                    }
                }
                _ => {}
            }
        }
        self.watch_features(guards);
        self.given.motors.arm(&mut self.watches, guards);
        self.given.conditions.arm(&mut self.watches, guards);
        self.glimpses.clear();
        self.glimpses.resize(self.watches.len(), UNSEEN);
    }

    /// Slip that counts as none at sites whose friction is at its limit but which others hold in place, zero for all
    /// others: (1) of [`super::modes`]. What round-off makes of such a slip is not its end.
    fn measure_held(&mut self, rtol: f64) {
        self.contacts.held_noise.fill(0.0);
        self.measure_loose();
        for cluster in 0..self.clusters.len() {
            let sites = &self.clusters.get(cluster).sites;
            let (mut length, mut a) = (0.0_f64, self.model.gravity().norm());
            for &site in sites {
                length = length.max(self.contacts.states[site].length());
                a = self.contacts.accelerations[site].iter().fold(a, |s, x| s.max(x.abs()));
            }
            for place in 0..sites.len() {
                let site = self.clusters.get(cluster).sites[place];
                if self.is_held(site) {
                    self.contacts.held_noise[site] = rtol * (length * a).sqrt();
                }
            }
        }
    }

    /// Loads and speeds of the clusters: what their round-off is a fraction of. Sites at rest have none.
    pub(super) fn measure(&mut self, t: f64) {
        self.contacts.loads.fill(f64::NAN);
        for cluster in 0..self.clusters.len() {
            let sites = &self.clusters.get(cluster).sites;
            let (mut load, mut speed) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
            let mut acceleration = self.model.gravity().norm();
            for &site in sites {
                let (f, a) = (self.contacts.forces[site], self.contacts.accelerations[site]);
                load = f.iter().fold(load.max(self.contacts.terms[site]), |s, f| s.max(f.abs()));
                acceleration = a.iter().fold(acceleration, |s, a| s.max(a.abs()));
                speed = speed.max(self.contacts.states[site].speed);
            }
            let slowest = TIME_RESOLUTION * t.abs() * acceleration;
            for &site in sites {
                self.contacts.loads[site] = load;
                self.contacts.slip_noise[site] = slowest.max(SLIP_NOISE * speed);
            }
        }
    }
}

impl Guards for Flow<'_> {
    type Error = SingularInertia;

    fn evaluate(
        &mut self,
        t: f64,
        y: &[f64],
        g: &mut [f64],
        gdot: &mut [f64],
    ) -> Result<(), SingularInertia> {
        let (q, v, _) = self.split(y);
        if self.clusters.is_empty() && self.given.motors.rests() {
            self.posture.sight(q, v);
        } else {
            self.accelerate(t, q, v)?;
        }
        for k in 0..self.watches.len() {
            let (site, watch) = self.watches[k];
            if let Some(value) = self.given.motors.guard((site, watch), t) {
                g[k] = value;
                if watch == Watch::Knot {
                    gdot[k] = -1.0;
                }
                continue;
            }
            match watch {
                Watch::Separation => {
                    if let Some(now) = self.separation_guard(site) {
                        (g[k], gdot[k]) = (now.gap, now.rate);
                    }
                    continue;
                }
                Watch::Extent => {
                    g[k] = self.extent_guard(site).unwrap_or(f64::INFINITY);
                    continue;
                }
                _ => {}
            }
            match watch {
                Watch::Condition => {
                    let parts = (self.model, &self.posture.kin);
                    g[k] = self.given.conditions.guard(site, t, (q, v), parts);
                }
                Watch::Parting => {
                    let kin = &self.posture.kin;
                    let approach = site_approach(self.model, &self.sites[site], kin, (q, v));
                    (g[k], gdot[k]) = (-approach.gap, -approach.rate);
                }
                Watch::Gap => {
                    let kin = &self.posture.kin;
                    let approach = site_approach(self.model, &self.sites[site], kin, (q, v));
                    if self.overlaps[site] && approach.rate > approach.gap {
                        g[k] = approach.rate;
                    } else {
                        (g[k], gdot[k]) = (approach.gap, approach.rate);
                    }
                }
                Watch::NormalForce | Watch::Stability | Watch::Instability | Watch::Cone => {
                    g[k] = self.force_guard(site, watch).unwrap_or(f64::NAN);
                }
                Watch::Slip => {
                    let [slip, rate] = self.slip_along(site);
                    if self.against[site] && rate > slip {
                        g[k] = rate;
                    } else {
                        (g[k], gdot[k]) = (slip, rate);
                    }
                }
                Watch::Carried => {
                    (g[k], gdot[k]) =
                        (self.carried[site].map_or(f64::INFINITY, |end| end - t), -1.0)
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn glimpsed(&self, k: usize) -> Option<[f64; 2]> {
        self.glimpses.get(k).copied().filter(|seen| seen[0] <= seen[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sites;
    use crate::hybrid::flow::Given;
    use crate::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
    use crate::spatial::{Inertia, Pose};
    use nalgebra::{Matrix3, Vector3};

    /// A ball of radius 1 over the plane y = 0.
    fn ball() -> Model {
        let mut builder = ModelBuilder::new();
        let inertia = Inertia::new(1.0, Vector3::zeros(), Matrix3::identity()).unwrap();
        let joint = Joint::new("ball", JointKind::Planar, Pose::identity());
        let body = builder.add_body("ball", None, joint, inertia).unwrap();
        let at = |name: &str, body, shape| Feature {
            name: name.into(),
            body,
            placement: Pose::identity(),
            shape,
        };
        let sphere =
            builder.add_feature(at("sphere", Some(body), Shape::Sphere { radius: 1.0 })).unwrap();
        let plane = Shape::HalfSpace { normal: Vector3::y_axis() };
        let ground = builder.add_feature(at("ground", None, plane)).unwrap();
        let surface = Surface { restitution: 0.5, static_friction: 0.3, friction: 0.3 };
        builder.add_pair("ball-ground", ground, sphere, surface).unwrap();
        builder.build().unwrap()
    }

    #[test]
    fn eq3_what_overlaps_and_turns_around_is_seen() {
        let model = ball();
        let mut flow = Flow::new(&model, &sites(&model), Given::default());
        let state = |gap: f64, rate: f64| [0.0, 1.0 + gap, 0.0, 0.0, rate, 0.0, 0.0, 0.0, 0.0];
        let mut guard = |at_event: f64, now: (f64, f64)| {
            let start = state(at_event, 1e-3);
            let (q, v, _) = flow.split(&start);
            flow.posture.place(q, v);
            flow.contacts.seen.fill(u64::MAX);
            flow.observe(0, q, v);
            let mut guards = Vec::new();
            flow.arm(0.0, 1e-8, &mut guards);
            let (mut g, mut gdot) = ([f64::NAN], [f64::NAN]);
            flow.evaluate(0.0, &state(now.0, now.1), &mut g, &mut gdot).unwrap();
            g[0]
        };
        // Overlapping and separating is no event; overlapping and approaching is, whatever the gap.
        assert!(guard(-1e-9, (-1e-9, 1e-3)) > 0.0);
        assert!(guard(-1e-9, (-1e-9, -1e-3)) < 0.0);
        // Once apart its gap decides.
        assert!(guard(-1e-9, (1e-6, -1e-3)) > 0.0);
        assert!(guard(-1e-9, (-1e-12, -1e-3)) < 0.0);
        // A gap that was open is watched as it is.
        assert!((guard(1e-3, (1e-4, 5.0)) - 1e-4).abs() < 1e-12);
    }
}
