//! J and Z of the contacts of a step, each at the degrees of freedom of its parts only.
//!
//! ```text
//! Z = D^(−1/2) W Jᵀ,   G = J M⁻¹ Jᵀ = Zᵀ Z                                   (1)
//! ```
//! with W and D of [`crate::dynamics::response`]; Z is kept row by row of J.

use super::parts::Parts;
use crate::contact::{Instant, Site, SiteGeometry, SiteState};
use crate::dynamics::jacobian::add_point_row;
use crate::dynamics::loops::{LoopRow, Measure};
use crate::dynamics::response::sweep_wrench;
use crate::model::BodyId;
use crate::model::tree::WORLD;
use crate::spatial::Force;
use nalgebra::Vector3;

/// Where the rows of one contact are.
#[derive(Debug, Clone, Copy)]
struct Entry {
    rows: usize,
    parts: [Option<usize>; 2],
    at: [usize; 2],
}

/// Rows of all contacts of a step; memory is reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    entries: Vec<Entry>,
    J: Vec<f64>,
    Z: Vec<f64>,
    /// One row at all degrees of freedom.
    wide_J: Vec<f64>,
    wide_Y: Vec<f64>,
}

impl Rows {
    pub fn new(nv: usize) -> Self {
        Self { wide_J: vec![0.0; nv], wide_Y: vec![0.0; nv], ..Self::default() }
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forget all contacts.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.J.clear();
        self.Z.clear();
    }

    /// Forget the last contact.
    pub fn pop(&mut self) {
        if let Some(entry) = self.entries.pop()
            && entry.parts[0].is_some()
        {
            self.J.truncate(entry.at[0]);
            self.Z.truncate(entry.at[0]);
        }
    }

    /// Append the rows of a site: its tangents, if asked for, then the normal. Rolling and spinning friction has no normal
    /// of its own, and what presses on a joint moves nothing: its row is zero.
    pub fn push_site(
        &mut self,
        at: &Instant<'_>,
        parts: &Parts,
        (site, state): (&Site, &SiteState),
        rubs: bool,
    ) {
        if let SiteGeometry::Limit { dof, side, .. } = site.geometry {
            let ratio = at.model.coordinates()[dof].ratio;
            self.push_combination(at, parts, &[(dof, side * ratio)]);
            return;
        }
        if let SiteGeometry::JointFriction { dof, .. } = site.geometry {
            let mut entry = self.open(parts, [Some(parts.of_dof[dof]), None], 2);
            let ratio = at.model.coordinates()[dof].ratio;
            self.wide_J[dof] += ratio;
            sweep_joint(at, dof, ratio, &mut self.wide_Y);
            self.store(parts, &mut entry, 0, &at.art.D_inv);
            self.entries.push(entry);
            return;
        }
        let (a, b) = site.bodies();
        let own = parts_of(at, parts, [a, b]);
        if let SiteGeometry::Moment { .. } = site.geometry {
            let mut entry = self.open(parts, own, site.tangents);
            for (row, d) in state.axes.iter().enumerate().take(site.tangents) {
                self.measure(at, [a, b], &Measure::Turn { d: *d });
                self.store(parts, &mut entry, row, &at.art.D_inv);
            }
            self.entries.push(entry);
            return;
        }
        let tangents = if rubs { site.tangents } else { 0 };
        let mut entry = self.open(parts, own, tangents + 1);
        for (row, axis) in (0..tangents).chain([2]).enumerate() {
            let d = &state.axes[axis];
            for (body, sign) in [(a, -1.0), (b, 1.0)] {
                let Some(body) = body else { continue };
                add_point_row(at.model, at.kin, (body, &state.x), d, sign, &mut self.wide_J);
                let wrench = Force::new(Vector3::zeros(), d * sign);
                let load = (body, &state.x, &wrench);
                sweep_wrench(at.model, at.kin, at.art, load, &mut self.wide_Y);
            }
            self.store(parts, &mut entry, row, &at.art.D_inv);
        }
        self.entries.push(entry);
    }

    /// Append an equation of a loop.
    pub fn push_loop(&mut self, at: &Instant<'_>, parts: &Parts, row: &LoopRow) {
        let mut entry = self.open(parts, parts_of(at, parts, row.bodies), 1);
        self.measure(at, row.bodies, &row.measure);
        self.store(parts, &mut entry, 0, &at.art.D_inv);
        self.entries.push(entry);
    }

    /// The wide row of what a loop measures.
    fn measure(&mut self, at: &Instant<'_>, bodies: [Option<BodyId>; 2], measure: &Measure) {
        let row = LoopRow { bodies, measure: *measure, value: 0.0, size: 0.0, gamma: 0.0 };
        row.add_to(at.model, at.kin, &mut self.wide_J);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(body) = bodies[side] else { continue };
            let (x, wrench) = row.measure.wrench(side, sign);
            sweep_wrench(at.model, at.kin, at.art, (body, &x, &wrench), &mut self.wide_Y);
        }
    }

    /// Append the row Σ cᵢ vᵢ over a few degrees of freedom.
    pub fn push_combination(&mut self, at: &Instant<'_>, parts: &Parts, terms: &[(usize, f64)]) {
        let mut own = [None; 2];
        for (slot, (dof, _)) in own.iter_mut().zip(terms) {
            *slot = Some(parts.of_dof[*dof]);
        }
        let mut entry = self.open(parts, own_parts(own), 1);
        for &(dof, coefficient) in terms {
            self.wide_J[dof] += coefficient;
            sweep_joint(at, dof, coefficient, &mut self.wide_Y);
        }
        self.store(parts, &mut entry, 0, &at.art.D_inv);
        self.entries.push(entry);
    }

    /// Room for a contact.
    fn open(&mut self, parts: &Parts, own: [Option<usize>; 2], rows: usize) -> Entry {
        let mut entry = Entry { rows, parts: own, at: [self.J.len(); 2] };
        for (slot, part) in own.into_iter().enumerate() {
            let Some(part) = part else { continue };
            entry.at[slot] = self.J.len();
            let end = self.J.len() + rows * parts.dofs[part].len();
            self.J.resize(end, 0.0);
            self.Z.resize(end, 0.0);
        }
        entry
    }

    /// Take the wide row over as a row of the contact, and clear it.
    fn store(&mut self, parts: &Parts, entry: &mut Entry, row: usize, D_inv: &[f64]) {
        for (slot, part) in entry.parts.into_iter().enumerate() {
            let Some(part) = part else { continue };
            let dofs = &parts.dofs[part];
            let start = entry.at[slot] + row * dofs.len();
            for (i, &dof) in dofs.iter().enumerate() {
                self.J[start + i] = std::mem::take(&mut self.wide_J[dof]);
                self.Z[start + i] = std::mem::take(&mut self.wide_Y[dof]) * D_inv[dof].sqrt();
            }
        }
    }

    /// Rows of contact k.
    pub fn rows(&self, k: usize) -> usize {
        self.entries[k].rows
    }

    /// The parts that contact k moves.
    pub fn parts(&self, k: usize) -> [Option<usize>; 2] {
        self.entries[k].parts
    }

    /// Z of contact k at one of its parts, row by row.
    pub fn factor(&self, parts: &Parts, k: usize, part: usize) -> &[f64] {
        let entry = &self.entries[k];
        let slot = usize::from(entry.parts[0] != Some(part));
        &self.Z[entry.at[slot]..][..entry.rows * parts.dofs[part].len()]
    }

    /// Rows of contact k times v.
    pub fn times(&self, parts: &Parts, k: usize, v: &[f64]) -> [f64; 3] {
        let entry = &self.entries[k];
        let mut u = [0.0; 3];
        for (slot, part) in entry.parts.into_iter().enumerate() {
            let Some(part) = part else { continue };
            let dofs = &parts.dofs[part];
            for (row, u) in u.iter_mut().enumerate().take(entry.rows) {
                let from = &self.J[entry.at[slot] + row * dofs.len()..][..dofs.len()];
                *u += from.iter().zip(dofs).map(|(j, &dof)| j * v[dof]).sum::<f64>();
            }
        }
        u
    }
}

/// The parts of two bodies, each once, the world left out.
fn parts_of(at: &Instant<'_>, parts: &Parts, bodies: [Option<BodyId>; 2]) -> [Option<usize>; 2] {
    own_parts(bodies.map(|body| {
        let link = at.model.tree().seats[body?.index()].link;
        (link != WORLD).then(|| parts.of_link[link])
    }))
}

/// Each part once, the world left out.
fn own_parts(parts: [Option<usize>; 2]) -> [Option<usize>; 2] {
    match parts {
        [None, b] => [b, None],
        [a, b] if a == b => [a, None],
        other => other,
    }
}

/// Add to `y` the inward sweep of a generalised force on one degree of freedom: the path to the root alone.
fn sweep_joint(at: &Instant<'_>, dof: usize, force: f64, y: &mut [f64]) {
    let tree = at.model.tree();
    y[dof] += force;
    let mut F = at.art.U[dof] * (-at.art.D_inv[dof] * force);
    let mut node = &tree.nodes[dof];
    if node.first {
        F = F.seen_from(&at.kin.links[node.link].r);
    }
    let mut j = node.parent;
    while j != WORLD {
        node = &tree.nodes[j];
        let axis = &at.kin.axes[j];
        let along = if node.turns { F.n.dot(axis) } else { F.f.dot(axis) };
        y[j] += along;
        F = F - at.art.U[j] * (at.art.D_inv[j] * along);
        if node.first {
            F = F.seen_from(&at.kin.links[node.link].r);
        }
        j = node.parent;
    }
}
