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
//! - Several such sets of one contact must lead to the same u⁺, otherwise rigid bodies do not decide: the
//!   run stops, ambiguous.
//! - If S has several contacts they jam on their own. Where they do not feel each other, G_cd = 0, one is
//!   pressed after the other, and the order does not matter. Those that do are pressed as one, if they move
//!   as one; otherwise rigid bodies do not decide how they share the impulse, and there is no solution.
//! - If no contact takes an impulse, or the answers of the others are paradoxical, there is no consistent
//!   continuation: the run stops, no solution.
//!
//! # Assumptions
//! Energetic restitution, see [`press`](crate::impact::press).
//!
//! # Limits
//! Sets of more than [`LARGEST`] contacts are not searched for, nor sets of several among more than
//! [`MOST`] slipping ones: no solution.
//!
//! # Tests
//! `tests/painleve_rod.rs`: `eq1_eq2_jam_stops_the_slip`; `crates/carom-scene/tests/jams.rs`:
//! `eq2_in_space_as_in_the_plane`, `eq1_eq2_the_front_foot_jams`,
//! `eq1_a_resting_neighbour_changes_nothing`, `eq1_two_rods_jam_one_after_the_other`,
//! `eq2_a_contact_that_answers`, `eq2_an_edge_jams_as_one`,
//! `eq1_feet_that_feel_each_other_stop_the_run`.

use super::motion::Motion;
use super::outcome::SimError;
use super::transition::{Dead, Place, Transition};
use crate::contact::{ContactFailure, Freedom, find_modes};
use crate::record::{Event, EventKind, Ledger};
use nalgebra::DVector;

/// Largest set of jamming contacts that is searched for.
const LARGEST: usize = 4;
/// Most slipping contacts among which sets of several are searched for.
const MOST: usize = 12;
/// Velocities after that differ by less than this fraction of the largest are the same.
const SAME: f64 = 1e-9;
/// Contacts whose mobilities are coupled by less than this fraction do not feel each other.
const DECOUPLED: f64 = 1e-12;

/// The closed sites among which a jam is looked for, and how each may move; bilateral rows first.
struct Closed {
    sites: Vec<usize>,
    freedoms: Vec<Freedom>,
}

impl Transition {
    /// The impact without collision of one closed site. Contact forces must just have been looked for
    /// and not found, so that `motion` and the freedoms are those of the closed sites.
    pub(super) fn jam(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), Dead> {
        let (q, v) = y.split_at_mut(motion.model.nq());
        let sites = motion.sites;
        let closed = Closed { sites: motion.active.clone(), freedoms: self.freedoms.clone() };
        self.jump.prepare(motion, v, |k| sites[closed.sites[k]].surface.restitution);
        let found = self.find_jam(motion, place, (q, v), &closed);
        // As it was, for the impact and for whoever names the contacts.
        motion.active.clone_from(&closed.sites);
        motion.assemble(place.t, q, v);
        let pressed = found?;
        self.start_event(motion, place.t, q, v);
        self.event.contacts.clear();
        let t = place.t;
        self.jump.press(&pressed).map_err(|source| SimError::Impact { t, source })?;
        self.jump.apply(motion, v);
        self.finish_impact(motion, (q, v), ledger, None);
        self.event.kind = EventKind::Jam;
        tell(&self.event);
        self.before.copy_from_slice(&motion.modes);
        Ok(())
    }

    /// The contact that is to be pressed, or those that are to be pressed as one.
    fn find_jam(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        state: (&[f64], &[f64]),
        closed: &Closed,
    ) -> Result<Vec<usize>, Dead> {
        let nb = motion.bilaterals.len();
        let slides = |k: &usize| matches!(closed.freedoms[nb + k], Freedom::Sliding(_));
        let sliding: Vec<usize> = (0..closed.sites.len()).filter(slides).collect();
        let largest = if sliding.len() > MOST { 1 } else { LARGEST.min(sliding.len()) };
        for size in 1..=largest {
            let mut found: Option<(Vec<usize>, DVector<f64>)> = None;
            for set in subsets(&sliding, size) {
                if !self.stands_without(motion, place, state, (closed, &set)) {
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
                        return Err(Dead::Ambiguous);
                    }
                    Some(_) => {}
                    None => found = Some((tied, after)),
                }
            }
            if let Some((pressed, _)) = found {
                return Ok(pressed);
            }
        }
        Err(Dead::NoSolution)
    }

    /// Whether contact forces exist without a set of contacts, equation (1). One solution or several:
    /// which, if it matters, is asked again after the impact.
    fn stands_without(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        (q, v): (&[f64], &[f64]),
        (closed, set): (&Closed, &[usize]),
    ) -> bool {
        let nb = motion.bilaterals.len();
        motion.active.clear();
        self.freedoms.clear();
        self.freedoms.extend_from_slice(&closed.freedoms[..nb]);
        for (k, site) in closed.sites.iter().enumerate().filter(|(k, _)| !set.contains(k)) {
            motion.active.push(*site);
            self.freedoms.push(closed.freedoms[nb + k]);
        }
        motion.assemble(place.t, q, v);
        motion.fill_free();
        if motion.system.rows() == 0 {
            return true;
        }
        let found = find_modes(
            &motion.system,
            &self.freedoms,
            &mut self.search,
            &mut self.press,
            &mut self.forces,
        );
        matches!(found, Ok(()) | Err(ContactFailure::Ambiguous { .. }))
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

fn differ(a: &DVector<f64>, b: &DVector<f64>) -> bool {
    (a - b).amax() > SAME * a.amax().max(b.amax())
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
    }

    #[test]
    fn velocities_after_are_compared_by_their_size() {
        let a = DVector::from_column_slice(&[1.0, 0.0]);
        assert!(!differ(&a, &DVector::from_column_slice(&[1.0 + 1e-12, 1e-12])));
        assert!(differ(&a, &DVector::from_column_slice(&[1.0, 1e-6])));
    }
}
