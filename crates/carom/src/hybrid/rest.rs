//! Rest: what neither moves nor accelerates is stopped exactly.
//!
//! Trees that touch each other form an island; an island rests as a whole or not at all.

use super::motion::Motion;
use super::transition::Transition;
use crate::model::Model;
use crate::model::tree::WORLD;

/// |v̇| below this fraction of the free acceleration is rest.
const AT_REST: f64 = 1e-10;

impl Transition {
    /// Stop exactly what neither moves nor accelerates; whether everything has come to rest now.
    pub(super) fn settle(&mut self, motion: &mut Motion<'_>, v: &mut [f64]) -> bool {
        if !motion.autonomous() {
            return false;
        }
        self.group_islands(motion);
        let speed = 1e-12 * motion.scales.velocity;
        let free = motion.model.gravity().norm().max(motion.system.acceleration_scale());
        let push = AT_REST * free.max(f64::MIN_POSITIVE);
        // An island rests if none of its degrees of freedom moves or accelerates.
        motion.frozen.fill(true);
        for pass in 0..2 {
            for j in 0..v.len() {
                let island = self.islands[root_of(motion.model, j)];
                let rests = v[j].abs() <= speed && motion.vdot[j].abs() <= push;
                match pass {
                    0 if !rests => self.awake[island] = true,
                    1 => motion.frozen[j] = !self.awake[island],
                    _ => {}
                }
            }
        }
        let all = motion.frozen.iter().all(|f| *f);
        for (v, frozen) in v.iter_mut().zip(&motion.frozen) {
            if *frozen {
                *v = 0.0;
            }
        }
        all
    }

    /// Trees that touch each other form one island; `islands` maps root links to islands.
    pub(super) fn group_islands(&mut self, motion: &Motion<'_>) {
        let n = motion.model.tree().links.len();
        self.islands.clear();
        self.islands.extend(0..n);
        self.awake.clear();
        self.awake.resize(n, false);
        for &site in &motion.active {
            let links = motion.sites[site].links(motion.model);
            let [a, b] = links.map(|link| link.map(|l| root_link(motion.model, l)));
            if let (Some(a), Some(b)) = (a, b) {
                let (from, to) =
                    (self.islands[a].max(self.islands[b]), self.islands[a].min(self.islands[b]));
                self.islands.iter_mut().filter(|i| **i == from).for_each(|i| *i = to);
            }
        }
    }
}

/// The root link of the tree that a link belongs to.
fn root_link(model: &Model, mut link: usize) -> usize {
    let links = &model.tree().links;
    while links[link].parent != WORLD {
        link = links[link].parent;
    }
    link
}

/// The root link of the tree that a degree of freedom belongs to.
fn root_of(model: &Model, dof: usize) -> usize {
    root_link(model, model.tree().nodes[dof].link)
}
