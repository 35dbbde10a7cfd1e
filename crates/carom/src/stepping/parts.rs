//! Trees of bodies and their degrees of freedom.

use crate::model::Model;
use crate::model::tree::WORLD;

/// The trees of a mechanism, and which degrees of freedom each has.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    /// The part of each link.
    pub of_link: Vec<usize>,
    /// The part of each degree of freedom.
    pub of_dof: Vec<usize>,
    /// Degrees of freedom of each part, ascending.
    pub dofs: Vec<Vec<usize>>,
}

impl Parts {
    pub fn new(model: &Model) -> Self {
        let tree = model.tree();
        let mut of_link: Vec<usize> = Vec::with_capacity(tree.links.len());
        let mut count = 0;
        for link in &tree.links {
            let part = if link.parent == WORLD { count } else { of_link[link.parent] };
            count += usize::from(link.parent == WORLD);
            of_link.push(part);
        }
        let of_dof: Vec<usize> = tree.nodes.iter().map(|node| of_link[node.link]).collect();
        let mut dofs = vec![Vec::new(); count];
        of_dof.iter().enumerate().for_each(|(dof, &part)| dofs[part].push(dof));
        Self { of_link, of_dof, dofs }
    }
}
