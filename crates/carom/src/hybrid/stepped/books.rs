//! Works of a step, modes after it, its event, and rest.

use super::run::{Stepped, Touch};
use crate::contact::Mode;
use crate::dynamics::loops::Measure;
use crate::dynamics::{elements, energy, forces};
use crate::hybrid::bilateral::Form;
use crate::hybrid::sampling::Teller;
use crate::numeric::thresholds::{ACCEPTED, STEPPED_REST, STEPPED_REST_MOST};
use crate::record::{ContactChange, EventKind};

/// Steps without motion after which a mechanism is at rest.
pub(super) const QUIET: u32 = 20;

impl Stepped<'_> {
    /// Works of the step and modes after it.
    pub(super) fn account(&mut self, h: f64) {
        let mean = |i: usize| 0.5 * (self.v[i] + self.v_next[i]);
        for (i, c) in self.model.coordinates().iter().enumerate() {
            self.ledger.applied += h * self.user[i] * mean(i);
            self.ledger.damping -= h * c.damping * (c.ratio * mean(i)).powi(2);
        }
        self.ledger.damping -= h * elements::point_damper_power(self.model, &self.middle.kin);
        self.loops.fill(crate::spatial::Force::zero());
        let nb = self.bilaterals.len();
        self.contact_work = 0.0;
        for k in 0..self.touches.len() {
            let touch = self.touches[k];
            let after = self.rows.times(&self.parts, k, &self.v_next);
            let mut x = self.solve.x[k];
            if k < nb {
                self.held[k] = x[0];
                if let Form::Loop(i, equation) = &self.bilaterals[k].form {
                    match equation.measure {
                        Measure::Shift { d, .. } => self.loops[*i].f += d * (x[0] / h),
                        Measure::Turn { d } => self.loops[*i].n += d * (x[0] / h),
                    }
                }
                if self.bilaterals[k].prescribed {
                    self.ledger.applied += 0.5 * x[0] * (touch.u[0] + after[0]);
                }
                continue;
            }
            // Rolling and spinning friction has the normal force of the contact that it follows.
            let n = self.asks[k].follows.map_or(self.rows.rows(k) - 1, |of| {
                x[self.rows.rows(k)] = self.solve.x[of][self.rows.rows(of) - 1];
                self.rows.rows(k)
            });
            self.account_site(touch, (x, after), h, n);
        }
    }

    fn account_site(&mut self, touch: Touch, (x, after): ([f64; 3], [f64; 3]), h: f64, n: usize) {
        let work = |i: usize| 0.5 * x[i] * (touch.u[i] + after[i]);
        let (normal, rubbing) = (work(n), (0..n).map(work).sum::<f64>());
        self.contact_work += normal + rubbing;
        let site = touch.site;
        let line = self.ledger.sites.get_mut(site);
        let line = if site < self.pool.declared { line } else { Some(&mut self.ledger.groups) };
        if let Some(line) = line {
            line.impact_normal += normal;
            let at = if touch.collides { &mut line.impact_friction } else { &mut line.sliding };
            *at += rubbing;
        }
        self.guesses[site] = x;
        let mode = self.mode_after(site, (x, after), n);
        if let Some(attached) = self.attached.get_mut(site) {
            *attached |= mode.is_closed();
        }
        let before = std::mem::replace(&mut self.modes[site], mode);
        if let Some(force) = self.forces.get_mut(site) {
            *force = spread(x, n).map(|p| p / h);
        }
        if touch.collides || before.word() != mode.word() {
            let rows = [touch.u, after, x].map(|row| spread(row, n));
            self.note(site, before, rows, [normal, rubbing]);
            if touch.collides {
                self.event.kind = EventKind::Impact;
            }
        }
    }

    fn mode_after(&self, site: usize, (x, u): ([f64; 3], [f64; 3]), n: usize) -> Mode {
        if x[n] <= 0.0 {
            return Mode::Open;
        }
        let state = &self.states[site];
        let slip = state.axes[0] * if n > 0 { u[0] } else { 0.0 }
            + state.axes[1] * if n > 1 { u[1] } else { 0.0 };
        let (size, least) = (slip.norm(), ACCEPTED * self.h * self.gravity().max(state.speed));
        let friction = self.pool.sites[site].surface.friction;
        let full = x[0].hypot(if n > 1 { x[1] } else { 0.0 }) >= friction * x[n] * (1.0 - ACCEPTED);
        if n == 0 || (full && size > least && size > 0.0) {
            let reference = if size > 0.0 { slip / size } else { state.axes[0] };
            return if n == 0 { Mode::Stick } else { Mode::Slip { reference } };
        }
        Mode::Stick
    }

    /// A recorded site takes part in the event of this step.
    pub(super) fn note(
        &mut self,
        site: usize,
        before: Mode,
        [u_pre, u_post, impulse]: [[f64; 3]; 3],
        works: [f64; 2],
    ) {
        if site >= self.pool.declared {
            return;
        }
        let [normal_work, friction_work] = works;
        let after = self.modes[site];
        self.event.contacts.push(ContactChange {
            site,
            before,
            after,
            u_pre,
            u_post,
            impulse,
            normal_work,
            friction_work,
        });
    }

    /// The event of this step, if there is one.
    pub(super) fn tell(&mut self, t: f64, teller: &mut Teller<'_>) {
        let collided = self.touches.iter().any(|touch| touch.collides);
        if self.event.contacts.is_empty() {
            if collided {
                teller.statistics.impacts += 1;
            }
            return;
        }
        let impact = self.event.kind == EventKind::Impact;
        self.event.contacts.sort_by_key(|c| c.site);
        self.event.t = t;
        self.event.kind = if impact { EventKind::Impact } else { kind(&self.event.contacts) };
        self.event.q.copy_from_slice(&self.q_middle);
        self.event.v_pre.copy_from_slice(&self.v);
        self.event.v_post.copy_from_slice(&self.v_next);
        self.end.pose(&self.q_middle, &self.v_next);
        self.event.energy_after = energy::kinetic_energy(self.model, &self.end.kin, &self.v_next);
        // Weight and motors work in this step as well; what the event changes is the work of contacts.
        self.event.energy_before = self.event.energy_after - self.contact_work;
        teller.event(&self.event);
        if !impact {
            teller.statistics.mode_changes += 1;
        }
        self.event.clear();
        self.event.kind = EventKind::Touch;
    }

    /// Rest, equation (1).
    pub(super) fn settle(&mut self, h: f64, teller: &mut Teller<'_>, t: f64) {
        let residual = self.residuals.iter().fold(0.0, |worst: f64, r| worst.max(*r));
        let kappa = (10.0 * residual).clamp(STEPPED_REST, STEPPED_REST_MOST);
        let slow = kappa * h * self.gravity();
        let still = self.ledger.kinetic <= 0.5 * self.model.moving_mass() * slow * slow;
        self.quiet = if still && self.given.is_nothing() { self.quiet + 1 } else { 0 };
        if self.quiet < QUIET {
            return;
        }
        self.rests = true;
        self.event.clear();
        self.event.kind = EventKind::Rest;
        self.event.t = t;
        self.event.q.copy_from_slice(&self.q);
        self.event.v_pre.copy_from_slice(&self.v);
        self.event.v_post.fill(0.0);
        self.event.energy_before = self.ledger.kinetic;
        self.event.energy_after = 0.0;
        self.v.fill(0.0);
        self.vdot.fill(0.0);
        self.ledger.carried -= self.ledger.kinetic;
        self.ledger.kinetic = 0.0;
        teller.event(&self.event);
    }

    /// Energies at the end of the step.
    pub(super) fn note_energy(&mut self) {
        self.end.pose(&self.q, &self.v);
        self.ledger.kinetic = energy::kinetic_energy(self.model, &self.end.kin, &self.v);
        self.ledger.gravity = energy::gravity_energy(self.model, &self.end.kin);
        self.ledger.spring = forces::spring_energy(self.model, &self.q)
            + elements::point_spring_energy(self.model, &self.end.kin);
    }
}

/// Tangents and normal at their usual places.
fn spread(row: [f64; 3], n: usize) -> [f64; 3] {
    let mut rows = [0.0; 3];
    rows[..n].copy_from_slice(&row[..n]);
    rows[2] = row[n];
    rows
}

/// The sort of an event without collision, by the strongest change.
fn kind(changes: &[ContactChange]) -> EventKind {
    let any = |test: fn(&ContactChange) -> bool| changes.iter().any(test);
    if any(|c| !c.before.is_closed()) {
        EventKind::Touch
    } else if any(|c| !c.after.is_closed()) {
        EventKind::LiftOff
    } else if any(|c| c.after == Mode::Stick) {
        EventKind::SlipStop
    } else {
        EventKind::SlipStart
    }
}
