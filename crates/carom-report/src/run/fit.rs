//! Whether samples and events are such as the scene can have.
//!
//! Everything behind this may rely on lengths: a row has all columns of its scene, an event as many
//! coordinates as the model, a contact the tangents of its site.
//!
//! # Tests
//! `tests/damage.rs`; `examples/fuzz_runs.rs` of `carom-cli`.

use super::care::Care;
use super::columns::Columns;
use super::event_line::{ContactLine, EventLine};
use super::table::Table;
use crate::error::ReportError;
use carom::contact::{Site, sites};
use carom::model::Model;
use std::collections::HashMap;
use std::path::Path;

/// What a model lets its samples and events be.
pub(crate) struct Fit {
    pub sites: Vec<Site>,
    /// Tangents by the names of the sites.
    tangents: HashMap<String, usize>,
    nq: usize,
    nv: usize,
    /// Coordinates and velocities of each body, by its name.
    bodies: HashMap<String, (usize, usize)>,
    /// Names of groups of features, whose sites come to be in a run.
    groups: Vec<String>,
}

impl Fit {
    pub fn new(model: &Model) -> Self {
        let sites = sites(model);
        let tangents = sites.iter().map(|s| (s.name.clone(), s.tangents)).collect();
        let size = |b| (model.q_range(b).len(), model.v_range(b).len());
        let bodies = model.body_ids().map(|b| (model.body(b).name.clone(), size(b))).collect();
        let groups = model.groups().iter().map(|group| format!("{}:", group.name)).collect();
        Self { sites, tangents, nq: model.nq(), nv: model.nv(), bodies, groups }
    }

    /// Refuses a table that lacks columns, and cuts it before the first row that cannot be.
    pub fn rows(
        &self,
        table: &mut Table,
        (path, expected): (&Path, &Columns),
        care: &mut Care,
    ) -> Result<(), ReportError> {
        let known = |name: &str| table.numbers.iter().any(|c| c.name == name);
        let moded = |name: &str| table.modes.iter().any(|(site, _)| site == name);
        let sites = expected.modes.iter().filter_map(|m| m.strip_prefix("mode."));
        if table.numbers.first().is_none_or(|c| c.name != "t")
            || !expected.numbers.iter().all(|c| known(&c.name))
            || !sites.clone().all(moded)
        {
            return Err(ReportError::ForeignColumns);
        }
        let lengths = table.numbers.iter().map(|c| c.values.len());
        let shortest = lengths.chain(table.modes.iter().map(|m| m.1.len())).min().unwrap_or(0);
        let bad = (0..shortest).find(|row| !self.is_row(table, *row));
        if let Some(row) = bad {
            care.meet(ReportError::ForeignRow { path: path.into(), number: row + 1 })?;
        }
        table.truncate(bad.unwrap_or(shortest));
        Ok(())
    }

    fn is_row(&self, table: &Table, row: usize) -> bool {
        // `t`, then coordinates, then velocities.
        let state = &table.numbers[..(1 + self.nq + self.nv).min(table.numbers.len())];
        let t = &table.numbers[0].values;
        state.iter().all(|c| c.values[row].is_finite()) && (row == 0 || t[row] >= t[row - 1])
    }

    /// Drops the events that cannot be.
    pub fn events(
        &self,
        events: &mut Vec<EventLine>,
        path: &Path,
        care: &mut Care,
    ) -> Result<(), ReportError> {
        let mut last = f64::NEG_INFINITY;
        let mut result = Ok(());
        let mut number = 0;
        events.retain(|event| {
            number += 1;
            let fits = self.is_event(event) && event.t >= last;
            if fits {
                last = event.t;
            } else if result.is_ok() {
                result = care.meet(ReportError::ForeignEvent { path: path.into(), number });
            }
            fits
        });
        result
    }

    fn is_event(&self, event: &EventLine) -> bool {
        let finite = |x: &[f64], n: usize| x.len() == n && x.iter().all(|x| x.is_finite());
        let Some((nq, nv)) = self.size(event) else { return false };
        event.t.is_finite()
            && finite(&event.q, nq)
            && finite(&event.velocity_before, nv)
            && finite(&event.velocity_after, nv)
            && event.contacts.iter().all(|c| self.is_contact(c))
    }

    /// Coordinates and velocities that an event tells; none if it names a body that is not there.
    fn size(&self, event: &EventLine) -> Option<(usize, usize)> {
        if event.bodies.is_empty() {
            return Some((self.nq, self.nv));
        }
        let sizes: Option<Vec<_>> = event.bodies.iter().map(|b| self.bodies.get(b)).collect();
        Some(sizes?.iter().fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1)))
    }

    fn is_contact(&self, contact: &ContactLine) -> bool {
        let grouped = || self.groups.iter().any(|group| contact.name.starts_with(group));
        let tangents = match self.tangents.get(&contact.name) {
            Some(tangents) => tangents,
            None if grouped() && contact.impulse_tangent.len() <= 2 => {
                &contact.impulse_tangent.len()
            }
            None => return false,
        };
        [
            &contact.velocity_tangent_before,
            &contact.velocity_tangent_after,
            &contact.impulse_tangent,
        ]
        .iter()
        .all(|x| x.len() == *tangents)
    }
}
