//! Parts of a mechanism: its trees, and which of them a site or a bilateral row belongs to.

use crate::contact::Site;
use crate::control::Prescribed;
use crate::hybrid::bilateral::joined;
use crate::model::tree::WORLD;
use crate::model::{BodyId, Model};

/// The trees of a mechanism.
pub(crate) struct Parts {
    /// The part of each link.
    of_link: Vec<usize>,
    /// The part of each degree of freedom.
    pub of_dof: Vec<usize>,
    /// The parts that a site joins.
    pub of_site: Vec<[Option<usize>; 2]>,
    /// The parts that a bilateral row joins.
    pub of_bilateral: Vec<[Option<usize>; 2]>,
    /// How many parts there are.
    pub count: usize,
}

impl Parts {
    pub fn new(model: &Model, sites: &[Site], prescribed: &[Prescribed]) -> Self {
        let tree = model.tree();
        let mut of_link: Vec<usize> = Vec::with_capacity(tree.links.len());
        let mut count = 0;
        for link in &tree.links {
            let part = if link.parent == WORLD { count } else { of_link[link.parent] };
            count += usize::from(link.parent == WORLD);
            of_link.push(part);
        }
        let of_dof: Vec<usize> = tree.nodes.iter().map(|node| of_link[node.link]).collect();
        let part = |site: &Site| match site.joint() {
            Some(dof) => [Some(of_dof[dof]), None],
            None => site.links(model).map(|link| link.map(|l| of_link[l])),
        };
        let of_site = sites.iter().map(part).collect();
        let ends = joined(model, prescribed);
        let of_bilateral = ends.iter().map(|ends| ends.map(|dof| dof.map(|j| of_dof[j]))).collect();
        Self { of_link, of_dof, of_site, of_bilateral, count }
    }

    /// The part of a body; none for what is fixed.
    pub fn of_body(&self, model: &Model, body: BodyId) -> Option<usize> {
        let link = model.tree().seats[body.index()].link;
        (link != WORLD).then(|| self.of_link[link])
    }
}
