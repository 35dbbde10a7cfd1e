//! What is counted while a run goes on, so that it is known however the run ends.

use super::summary::{Counts, EnergyRecord, FinalState, Worst};
use carom::contact::Site;
use carom::record::{Event, Ledger, Sample};
use std::collections::BTreeMap;

/// A gain of kinetic energy below this fraction of the energy before is round-off.
const ROUND_OFF: f64 = 1e-12;

/// Counts and worst values so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub counts: Counts,
    pub worst: Worst,
    pub state: FinalState,
    pub rescues: BTreeMap<String, u64>,
    worst_site: Option<usize>,
    ledger: Ledger,
}

impl Tally {
    /// Takes note of a sample.
    pub fn sample(&mut self, sample: &Sample<'_>) {
        self.counts.samples += 1;
        for (site, gap) in sample.gaps.iter().enumerate() {
            if *gap < self.worst.gap {
                self.worst.gap = *gap;
                self.worst_site = Some(site);
            }
        }
        self.worst.closure = self.worst.closure.max(sample.ledger.closure().abs());
        self.ledger.clone_from(sample.ledger);
        self.state.t = sample.t;
        replace(&mut self.state.q, sample.q);
        replace(&mut self.state.v, sample.v);
    }

    /// Takes note of an event.
    pub fn event(&mut self, event: &Event) {
        self.counts.events += 1;
        let kind = event.kind.word();
        count(&mut self.counts.by_kind, kind);
        if let Some(rescue) = event.rescue {
            count(&mut self.rescues, rescue.word());
        }
        if event.kind.is_jump() {
            self.counts.impacts += 1;
        }
        if event.contacts.iter().any(|c| c.before.word() != c.after.word()) {
            self.counts.mode_changes += 1;
        }
        let gain = event.energy_after - event.energy_before;
        self.worst.energy_gain = self.worst.energy_gain.max(gain);
        if gain > ROUND_OFF * event.energy_before {
            self.worst.energy_gains += 1;
        }
    }

    /// The ledger at the last sample, and the name of the site with the worst gap.
    pub fn close(&mut self, sites: &[Site]) -> EnergyRecord {
        self.worst.gap_contact = self.worst_site.map(|site| sites[site].name.clone());
        EnergyRecord::new(&self.ledger, sites)
    }
}

/// One more of a sort; sorts that are known cost no memory.
fn count(counts: &mut BTreeMap<String, u64>, word: &str) {
    match counts.get_mut(word) {
        Some(count) => *count += 1,
        None => {
            counts.insert(word.into(), 1);
        }
    }
}

fn replace(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}
