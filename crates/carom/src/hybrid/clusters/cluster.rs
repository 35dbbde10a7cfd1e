//! Clusters of some sites and all bilateral rows.
//!
//! # Tests
//! `tests/clusters.rs`: `what_happens_elsewhere_changes_nothing`, `resting_bodies_are_left_alone`.

use super::Parts;

/// Sites and bilateral rows that belong together, in ascending order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cluster {
    pub sites: Vec<usize>,
    pub bilaterals: Vec<usize>,
    /// The least of its parts, which names it.
    root: usize,
}

impl Cluster {
    /// Take over another cluster without giving back memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.sites.clone_from(&other.sites);
        self.bilaterals.clone_from(&other.bilaterals);
        self.root = other.root;
    }
}

/// A partition into clusters; memory is kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clusters {
    label: Vec<usize>,
    /// The place of a root's cluster.
    place: Vec<usize>,
    pool: Vec<Cluster>,
    len: usize,
}

impl Clusters {
    /// Find the clusters that `sites` (ascending) and all bilateral rows make.
    pub fn find(&mut self, parts: &Parts, sites: &[usize]) {
        self.label.clear();
        self.label.extend(0..parts.count);
        for ends in parts.of_bilateral.iter().chain(sites.iter().map(|&s| &parts.of_site[s])) {
            if let [Some(a), Some(b)] = *ends {
                self.join(a, b);
            }
        }
        self.place.clear();
        self.place.resize(parts.count, usize::MAX);
        self.len = 0;
        for (i, ends) in parts.of_bilateral.iter().enumerate() {
            let Some(part) = ends.iter().flatten().next() else { continue };
            let at = self.cluster_of(*part);
            self.pool[at].bilaterals.push(i);
        }
        for &site in sites {
            let Some(part) = parts.of_site[site].into_iter().flatten().next() else { continue };
            let at = self.cluster_of(part);
            self.pool[at].sites.push(site);
        }
    }

    /// Number of clusters.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The i-th cluster.
    pub fn get(&self, i: usize) -> &Cluster {
        &self.pool[i]
    }

    /// Whether a part belongs to the i-th cluster.
    pub fn holds(&self, i: usize, part: usize) -> bool {
        self.root(part) == self.pool[i].root
    }

    /// The cluster of a part, a new one if it has none yet.
    fn cluster_of(&mut self, part: usize) -> usize {
        let root = self.root(part);
        if self.place[root] == usize::MAX {
            self.place[root] = self.len;
            if self.pool.len() == self.len {
                self.pool.push(Cluster::default());
            }
            let fresh = &mut self.pool[self.len];
            fresh.sites.clear();
            fresh.bilaterals.clear();
            fresh.root = root;
            self.len += 1;
        }
        self.place[root]
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.label[a.max(b)] = a.min(b);
    }

    fn root(&self, mut part: usize) -> usize {
        while self.label[part] != part {
            part = self.label[part];
        }
        part
    }
}
