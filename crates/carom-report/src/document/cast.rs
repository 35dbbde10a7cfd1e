//! Which contacts take part in a film, and when.
//!
//! A scene of many bodies has many pairs that could touch and few that do. Where a contact is, and how its axes lie, is
//! kept while it is closed and at the times of its events.

use crate::run::Account;
use crate::stage::Stage;
use std::collections::HashMap;

/// Contacts up to which the gaps of all are shown; of more, of those that close for some time.
pub(super) const MANY: usize = 64;

/// What contacts do in a run.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    /// Times of the events of each contact, s, in order.
    times: Vec<Vec<f64>>,
    /// Every event has frames at its own time.
    told: bool,
    /// Whether the gap of a contact is shown.
    pub gaps: Vec<bool>,
}

impl Cast {
    pub fn new(account: &Account, stage: &Stage) -> Self {
        let table = &account.table;
        let places: HashMap<&str, usize> =
            stage.sites.iter().enumerate().map(|(i, site)| (site.name.as_str(), i)).collect();
        let mut times = vec![Vec::new(); stage.sites.len()];
        for event in &account.events {
            for site in event.contacts.iter().filter_map(|c| places.get(c.name.as_str())) {
                times[*site].push(event.t);
            }
        }
        let at_row = |t: f64| table.t().binary_search_by(|x| x.total_cmp(&t)).is_ok();
        let few = stage.sites.len() <= MANY;
        let closes =
            |name: &str| table.codes(name).is_some_and(|codes| codes.iter().any(|c| *c != 0));
        Self {
            times,
            told: account.events.iter().all(|event| at_row(event.t)),
            gaps: stage.sites.iter().map(|site| few || closes(&site.name)).collect(),
        }
    }

    /// Whether something happens to a contact at a time; where events have no frames, it may at any.
    pub fn acts_at(&self, site: usize, t: f64) -> bool {
        let times = &self.times[site];
        if !self.told {
            return !times.is_empty();
        }
        times.binary_search_by(|x| x.total_cmp(&t)).is_ok()
    }
}
