//! Parts of a mechanism: its trees, and which of them a site or a bilateral row belongs to.

use crate::contact::{Site, SiteGeometry};
use crate::hybrid::bilateral::Bilateral;
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
    /// How many parts there are.
    pub count: usize,
}

impl Parts {
    pub fn new(model: &Model, sites: &[Site]) -> Self {
        let tree = model.tree();
        let mut of_link: Vec<usize> = Vec::with_capacity(tree.links.len());
        let mut count = 0;
        for link in &tree.links {
            let part = if link.parent == WORLD { count } else { of_link[link.parent] };
            count += usize::from(link.parent == WORLD);
            of_link.push(part);
        }
        let of_dof: Vec<usize> = tree.nodes.iter().map(|node| of_link[node.link]).collect();
        let part = |site: &Site| match site.geometry {
            SiteGeometry::Limit { dof, .. } => [Some(of_dof[dof]), None],
            _ => site.links(model).map(|link| link.map(|l| of_link[l])),
        };
        let of_site = sites.iter().map(part).collect();
        Self { of_link, of_dof, of_site, count }
    }

    /// The part of a body; none for what is fixed.
    pub fn of_body(&self, model: &Model, body: BodyId) -> Option<usize> {
        let link = model.tree().seats[body.index()].link;
        (link != WORLD).then(|| self.of_link[link])
    }

    /// The parts that a bilateral row joins.
    pub fn of_bilateral(&self, row: &Bilateral) -> [usize; 2] {
        [self.of_dof[row.terms[0].0], self.of_dof[row.terms[row.count - 1].0]]
    }
}
