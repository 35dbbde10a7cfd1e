//! The way out of a jam: which contact presses itself, and the impact without collision that follows.
//!
//! # Law
//! Contact forces that satisfy all laws do not exist (Painlevé). Let S be a smallest set of slipping
//! contacts without which they do:
//! ```text
//! without S:  forces exist, and some contact of S would sink in, g̈ < 0            (1)
//! ```
//! (else they were forces of the whole). One contact c jams if S = {c}, and if it takes an impulse when it
//! is [pressed](crate::impact::press), the others answering. That impulse is the continuation:
//! ```text
//! u⁺ = u⁻ + G p(c)                                                               (2)
//! ```
//! - Several such sets of one contact must lead to the same u⁺, otherwise rigid bodies do not decide.
//! - If S has several contacts they jam on their own. Where they do not feel each other, G_cd = 0, one is
//!   pressed after the other, and the order does not matter. Those that do are pressed as one, if they move
//!   as one.
//! - Otherwise contacts jam together, and how they share the impulse only a plastic answer says, that of a
//!   time τ too short to move anything:
//! ```text
//! u⁺ = u⁻ + τ a + G p,   0 ≤ pₙ ⟂ uₙ⁺ ≥ 0,   Coulomb on uₜ⁺                        (4)
//! ```
//!   a the accelerations without contact forces. It always exists (Stewart & Trinkle 1996) and loses energy; where
//!   forces λ exist it is p = τ λ, nothing as τ → 0, and then this is no jam: a time step carries the cluster
//!   over. The event says so in both cases. Where nothing moves, u⁻ = 0, p grows with τ, and one τ says it of all.
//!
//! *The dynamic jam.* A contact c slips while A → 0, (8) of [`linear`](crate::coulomb::linear), and forces grow without
//! bound (Génot & Brogliato 1999 for one contact). They grow along the forces f that the modes leave alone, those that
//! change no normal velocity and no contact that sticks, until the slip of c has stopped:
//! ```text
//! p = S y,  c sticks, the others as they are:  Sᵣ(u + G p) = 0                       (3)
//! ```
//! At A = 0 this p is along f, because there the slip of c lies in what f does, and p is on the edge of the friction cone
//! of c: for one contact p = −G⁻¹ u, pₜ/pₙ = Gₙₙ/Gₜₙ = μ. Where bodies are wedged the rows that stick are redundant and (3) leaves
//! p undetermined. It is along f still:
//! ```text
//! ‖p − p°‖ is least,   p° = α f,   û·(u + G p°)ₜ = 0                              (5)
//! ```
//! with f from the modes with c slipping along û, and no other norm: the least impulse would be off the cone of c. One whose slip p would
//! turn around stops with c; one that p would make pull lets go, if it does not turn: what pulls may be the friction of the former direction. If p is off a cone then, what stalled was no jam of
//! c, and they jam together, (4); if that leaves things as they are a time step carries the cluster over. The guard on A fires at [`JAMS`](crate::numeric::thresholds::JAMS), or the flow stalls before.
//!
//! # Assumptions
//! Energetic restitution, see [`press`](crate::impact::press).
//!
//! # Limits
//! Sets of more than [`LARGEST`] contacts are not searched for, nor sets of several where that is much work: N sets in m
//! rows with N m³ beyond [`WORK`]. Those jam together.
//!
//! # Tests
//! `tests/painleve_rod.rs`: `eq1_eq2_jam_stops_the_slip`; `crates/carom-scene/tests/jams.rs`:
//! `eq2_in_space_as_in_the_plane`, `eq1_eq2_the_front_foot_jams`,
//! `eq1_a_resting_neighbour_changes_nothing`, `eq1_two_rods_jam_one_after_the_other`,
//! `eq2_a_contact_that_answers`, `eq2_an_edge_jams_as_one`,
//! `eq3_others_answer_to_a_dynamic_jam`, `eq4_feet_that_feel_each_other_jam_together`; (5): `tests/hybrid_wild.rs`,
//! spatial-chain 66 of seed 116; what turns: legged 63 of seed 1002.

use super::event::{Forced, Place, Transition};
use super::flow::Flow;
use super::modes::Choice;
use super::outcome::SimError;
use super::progress::UNSTABLE;
use crate::contact;
use crate::coulomb::{Duty, Mode, Problem, Tangent, along};
use crate::dynamics::energy::kinetic_energy;
use crate::numeric::thresholds::{FORCE_NOISE, JAMS, STILL};
use crate::record::{Event, EventKind, Ledger, Rescue};
use nalgebra::DVector;

/// Largest set of jamming contacts that is searched for.
const LARGEST: usize = 4;
/// Most work, N m³, that sets of several contacts are searched with. Problems without a solution are tried in every way, so
/// that each set costs a thousand eliminations.
const WORK: f64 = 2e6;
/// Velocities after that differ by less than this fraction of the largest are the same.
const SAME: f64 = crate::numeric::thresholds::ACCEPTED;
/// Shortest and longest τ of (4), in units of the time scale √(ℓ/a) of the cluster.
const SHORT: [f64; 2] = [FORCE_NOISE, JAMS];
/// Change of velocity, in units of τ a, above which (4) is a jump: forces would be as many times what
/// accelerates.
const JUMPS: f64 = 100.0;
/// Contacts whose mobilities are coupled by less than this fraction do not feel each other.
const DECOUPLED: f64 = crate::numeric::thresholds::COUPLING;

impl Transition {
    /// The impact without collision of the cluster; whether there is one. The rows must be those of the
    /// closed sites, as the problem without a solution leaves them, with its accelerations.
    pub(super) fn jam(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<bool, SimError> {
        let (q, v) = y.split_at_mut(flow.model.nq());
        let sites = &flow.sites;
        let rows = &self.projector.rows;
        self.jump.prepare(rows, v, |k| sites[rows.sites[k]].surface.restitution);
        let marked = |k: &usize| self.forced[rows.sites[*k]] == Some(Forced::Jams);
        let pressed = match (0..rows.hits).find(marked) {
            Some(contact) => self.stop_slip(flow, contact),
            None if place.stalled => false,
            None => {
                let set = self.find_jam();
                set.is_some_and(|set| matches!(self.jump.press(&set), Ok(true)))
            }
        };
        let pressed = pressed && self.jump.moves();
        if !pressed && !self.collapse(flow) {
            return Ok(false);
        }
        self.start_jam(flow, place.t, q, v);
        self.jump.apply(&mut self.projector.rows, flow, v);
        self.jump.book(&self.projector.rows, v, place.bound);
        self.finish_impact(flow, (q, v), ledger, None);
        self.event.kind = EventKind::Jam;
        self.event.rescue = (!pressed).then_some(Rescue::Plastic);
        tell(&self.event);
        for &site in &self.cluster.sites {
            flow.observe(site, q, v);
            self.forced[site] = None;
        }
        self.remember(flow);
        Ok(true)
    }

    /// The plastic answer (4) for the shortest τ in which velocities jump; whether they do.
    fn collapse(&mut self, flow: &Flow<'_>) -> bool {
        let nb = self.projector.rows.nb();
        let mut problem = self.projector.rows.problem.clone();
        for c in &mut problem.contacts[nb..] {
            // What is bounded has no impulse.
            let duty = if c.driven || c.leader.is_some() { Duty::Apart } else { Duty::Coulomb };
            (c.duty, c.static_friction) = (duty, c.friction);
        }
        let [mut short, longest] = SHORT.map(|short| short * self.time_scale(flow));
        if self.jump.space.u_pre.amax() == 0.0 {
            short = longest;
        }
        while short <= longest {
            problem.b.copy_from(&self.projector.rows.problem.b);
            problem.b *= short;
            let push = problem.b.amax();
            for (i, u) in self.jump.space.u_pre.iter().enumerate() {
                problem.b[nb + i] += u;
            }
            let choice = &mut self.choice;
            let solved = choice.solver.solve(&problem, &[], &mut choice.x, &mut choice.modes);
            let (space, solution) = (&self.jump.space, &mut self.jump.solution);
            solution.reset(space);
            let hit = nb..nb + self.projector.rows.hit_rows();
            solution.impulses.copy_from(&choice.x.rows_range(hit));
            solution.complete(space);
            solution.solved = solved.into();
            let change = (&solution.u_post - &space.u_pre).amax();
            if solved.accepted() && change > JUMPS * push {
                return true;
            }
            short *= 10.0;
        }
        false
    }

    /// The impulse (3) that stops the slip of a contact of the rows; whether friction does.
    fn stop_slip(&mut self, flow: &Flow<'_>, contact: usize) -> bool {
        let rows = &self.projector.rows;
        let (nb, space) = (rows.nb(), &mut self.jump.space);
        let mut problem = rows.problem.clone();
        problem.b.fill(0.0);
        let mut modes = vec![Mode::held(Tangent::Stick); nb];
        for (k, c) in problem.contacts.iter_mut().enumerate().skip(nb) {
            let bounded = c.driven || c.leader.is_some();
            let mode = flow.contacts.modes[rows.sites[k - nb]];
            if bounded || !mode.is_closed() {
                c.duty = Duty::Apart;
                modes.push(Mode::OPEN);
                continue;
            }
            space.u_pre[c.normal() - nb] = 0.0;
            let slip = &space.u_pre.as_slice()[c.first - nb..c.normal() - nb];
            let slides = matches!(mode, contact::Mode::Slip { .. }) && k - nb != contact;
            modes.push(c.closed(if slides { along(slip) } else { Tangent::Stick }));
        }
        let hit = nb..nb + rows.hit_rows();
        let (choice, solution) = (&mut self.choice, &mut self.jump.solution);
        let f = growing(choice, &mut problem, &mut modes, (nb, contact), &space.u_pre);
        problem.b.rows_range_mut(hit.clone()).copy_from(&space.u_pre);
        for _ in 0..=2 * rows.hits {
            choice.system.solve_near(&problem, &modes, f.as_slice(), &mut choice.x);
            solution.reset(space);
            solution.impulses.copy_from(&choice.x.rows_range(hit.clone()));
            solution.complete(space);
            let push = choice.x[problem.contacts[nb + contact].normal()];
            let mut stays = true;
            for (c, mode) in problem.contacts.iter().zip(&mut modes).skip(nb).filter(|c| c.1.held) {
                let slip = c.tangent_rows().map(|i| solution.u_post[i - nb]);
                let turns = match mode.tangent {
                    Tangent::Slip(d) => slip.zip(d).map(|(u, d)| u * d).sum::<f64>() < 0.0,
                    _ => false,
                };
                // What turns is judged first: the friction of the former direction may be what pulls.
                if turns {
                    (mode.tangent, stays) = (Tangent::Stick, false);
                } else if choice.x[c.normal()] < -STILL * push.abs() {
                    (*mode, stays) = (Mode::OPEN, false);
                }
            }
            if stays {
                break;
            }
        }
        // What stops is stopped by its friction and what lets go does not sink in, or this is no jam.
        (nb..modes.len()).filter(|&k| problem.contacts[k].active()).all(|k| {
            let c = &problem.contacts[k];
            if !modes[k].sticks() {
                return modes[k].held || solution.u_post[c.normal() - nb] >= 0.0;
            }
            let drag = c.tangent_rows().map(|i| choice.x[i]);
            let slip = &space.u_pre.as_slice()[c.first - nb..];
            let work: f64 = drag.clone().zip(slip).map(|(p, u)| p * u).sum();
            work <= 0.0
                && drag.fold(0.0, f64::hypot)
                    <= (1.0 + UNSTABLE) * c.friction * choice.x[c.normal()]
        }) && choice.x[problem.contacts[nb + contact].normal()] > 0.0
    }

    fn start_jam(&mut self, flow: &mut Flow<'_>, t: f64, q: &[f64], v: &[f64]) {
        self.event.clear();
        self.event.t = t;
        self.event.q.copy_from_slice(q);
        self.event.v_pre.copy_from_slice(v);
        flow.posture.place(q, v);
        self.event.energy_before = kinetic_energy(flow.model, &flow.posture.kin, v);
        self.event.solved = Some(self.jump.solution.solved);
    }

    /// The contact that is to be pressed, or those that are to be pressed as one.
    fn find_jam(&mut self) -> Option<Vec<usize>> {
        let rows = &self.projector.rows;
        let nb = rows.nb();
        let slides = |k: &usize| matches!(rows.contact(*k).duty, Duty::Sliding(_));
        let sliding: Vec<usize> = (0..rows.hits).filter(slides).collect();
        let mut problem = rows.problem.clone();
        let mut work = 0.0;
        for size in 1..=LARGEST.min(sliding.len()) {
            work += count(sliding.len(), size) * (problem.rows() as f64).powi(3);
            if size > 1 && work > WORK {
                return None;
            }
            let mut found: Option<(Vec<usize>, DVector<f64>)> = None;
            for set in subsets(&sliding, size) {
                if !self.stands_without(&mut problem, nb, &set) {
                    continue;
                }
                // Those that the first does not feel are pressed when it is done.
                let tied = self.tied_to_first(&set);
                if !matches!(self.jump.press(&tied), Ok(true)) {
                    continue;
                }
                let after = self.jump.solution.u_post.clone();
                match &found {
                    Some((_, other)) if tied.len() == size && differ(other, &after) => {
                        return None;
                    }
                    Some(_) => {}
                    None => found = Some((tied, after)),
                }
            }
            if let Some((pressed, _)) = found {
                return Some(pressed);
            }
        }
        None
    }

    /// Whether contact forces exist without a set of contacts, equation (1). One solution or several:
    /// which, if it matters, is asked again after the impact.
    fn stands_without(&mut self, problem: &mut Problem, nb: usize, set: &[usize]) -> bool {
        problem.contacts.clone_from(&self.projector.rows.problem.contacts);
        for k in set {
            problem.contacts[nb + k].duty = Duty::Apart;
            let after: Vec<usize> = problem.followers(nb + k).collect();
            after.into_iter().for_each(|f| problem.contacts[f].duty = Duty::Apart);
        }
        let choice = &mut self.choice;
        choice.solver.solve_briefly(problem, &mut choice.x, &mut choice.modes).accepted()
    }

    /// Contacts of a set that feel its first one, directly or through others; it among them.
    fn tied_to_first(&self, set: &[usize]) -> Vec<usize> {
        let mut tied = vec![set[0]];
        let mut next = 0;
        while next < tied.len() {
            let feels = |k: &&usize| !tied.contains(k) && self.feel_each_other(tied[next], **k);
            let more: Vec<usize> = set.iter().filter(feels).copied().collect();
            tied.extend(more);
            next += 1;
        }
        tied
    }

    /// Whether an impulse at one contact moves another.
    fn feel_each_other(&self, a: usize, b: usize) -> bool {
        let space = &self.jump.space;
        let G = &space.G;
        let (a, b) = (space.contacts[a], space.contacts[b]);
        let bound = DECOUPLED * G[(a.normal(), a.normal())].max(G[(b.normal(), b.normal())]);
        a.rows().any(|i| b.rows().any(|j| G[(i, j)].abs() > bound))
    }
}

/// p° of (5) of a contact of the rows; b of the problem is left zero.
fn growing(
    choice: &mut Choice,
    problem: &mut Problem,
    modes: &mut [Mode],
    (nb, contact): (usize, usize),
    u: &DVector<f64>,
) -> DVector<f64> {
    let c = problem.contacts[nb + contact];
    let slip = along(&u.as_slice()[c.first - nb..c.normal() - nb]);
    let sticks = std::mem::replace(&mut modes[nb + contact], c.closed(slip));
    problem.b[c.normal()] = -1.0;
    let mut f = DVector::zeros(0);
    choice.system.solve(problem, modes, &mut f);
    problem.b.fill(0.0);
    modes[nb + contact] = sticks;
    let Tangent::Slip(d) = slip else { return f * 0.0 };
    let change = &problem.G * &f;
    let turn: f64 = c.tangent_rows().zip(d).map(|(i, d)| d * change[i]).sum();
    let speed: f64 = c.tangent_rows().zip(d).map(|(i, d)| d * u[i - nb]).sum();
    f * (-speed / turn)
}

fn differ(a: &DVector<f64>, b: &DVector<f64>) -> bool {
    (a - b).amax() > SAME * a.amax().max(b.amax())
}

/// Number of subsets of a size.
fn count(of: usize, size: usize) -> f64 {
    (0..size).map(|k| (of - k) as f64 / (k + 1) as f64).product()
}

/// All subsets of a size, in order.
fn subsets(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, first) in of.iter().enumerate() {
        for mut rest in subsets(&of[i + 1..], size - 1) {
            rest.insert(0, *first);
            all.push(rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_in_order() {
        assert_eq!(subsets(&[4, 5, 7], 2), [[4, 5], [4, 7], [5, 7]]);
        assert_eq!(subsets(&[4, 5], 1), [[4], [5]]);
        assert!(subsets(&[4], 2).is_empty());
        let numbers: Vec<usize> = (0..9).collect();
        assert_eq!(subsets(&numbers, 4).len() as f64, count(9, 4));
    }

    #[test]
    fn velocities_after_are_compared_by_their_size() {
        let a = DVector::from_column_slice(&[1.0, 0.0]);
        assert!(!differ(&a, &DVector::from_column_slice(&[1.0 + 1e-12, 1e-12])));
        assert!(differ(&a, &DVector::from_column_slice(&[1.0, 1e-6])));
    }
}
