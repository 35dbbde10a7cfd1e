//! The members of a cluster: their model, their sites, and where these stand in the whole.

use super::Assemblies;
use crate::contact::{Site, SiteGeometry, sites_in};
use crate::model::{BodyId, Excerpt, Model, PairId};

/// The mechanism as clusters see it.
pub(crate) struct Whole<'a> {
    pub model: &'a Model,
    pub sites: &'a [Site],
    pub assemblies: Assemblies,
    /// Number of tangents of a contact with friction.
    tangents: usize,
    /// The first site of each pair, and one past the last site of all.
    first_site: Vec<usize>,
}

impl<'a> Whole<'a> {
    pub fn new(model: &'a Model, sites: &'a [Site]) -> Self {
        let mut first_site = vec![0; model.pairs().len() + 1];
        for pair in sites.iter().filter_map(|site| site.pair) {
            first_site[pair.index() + 1] += 1;
        }
        for pair in 0..model.pairs().len() {
            first_site[pair + 1] += first_site[pair];
        }
        let tangents = if crate::contact::moves_in_plane(model) { 1 } else { 2 };
        Self { model, sites, assemblies: Assemblies::new(model, sites), tangents, first_site }
    }

    /// The sites of a pair.
    pub fn sites_of(&self, pair: PairId) -> std::ops::Range<usize> {
        self.first_site[pair.index()]..self.first_site[pair.index() + 1]
    }

    /// The members of a cluster of these assemblies, ascending.
    pub fn members(&self, assemblies: &[usize]) -> Members {
        let all = &self.assemblies;
        let mut bodies: Vec<BodyId> =
            assemblies.iter().flat_map(|&a| all.bodies[a].iter().copied()).collect();
        bodies.sort_unstable();
        let mut pairs: Vec<PairId> =
            assemblies.iter().flat_map(|&a| all.own[a].iter().copied()).collect();
        for (i, &a) in assemblies.iter().enumerate() {
            for &b in &assemblies[i + 1..] {
                pairs.extend_from_slice(all.between(a, b));
            }
        }
        pairs.sort_unstable();
        let excerpt = self.model.excerpt(&bodies, &pairs);
        let mut sites = sites_in(&excerpt.model, self.tangents);
        let places = self.place_sites(&excerpt, &mut sites);
        let assembly = |body: Option<BodyId>| {
            let place = all.of_body[excerpt.bodies[body?.index()].index()]?;
            assemblies.binary_search(&place).ok()
        };
        let joins = sites.iter().map(|site| {
            let (a, b) = site.bodies();
            assembly(a).zip(assembly(b)).filter(|(a, b)| a != b)
        });
        let joins = joins.collect();
        Members { excerpt, sites, places, joins }
    }

    /// Where the sites of an excerpt stand in the whole; they learn their pair there.
    fn place_sites(&self, excerpt: &Excerpt, sites: &mut [Site]) -> Vec<usize> {
        let mut places = Vec::with_capacity(sites.len());
        let mut before = None;
        let limits = *self.first_site.last().unwrap_or(&0);
        for site in sites {
            let Some(own) = site.pair else {
                places.push(limits + self.limit_place(excerpt, site, limits));
                continue;
            };
            let pair = excerpt.pairs[own.index()];
            site.pair = Some(pair);
            let range = self.sites_of(pair);
            let place = match before {
                Some(last) if range.contains(&(last + 1)) => last + 1,
                _ => range.start,
            };
            before = Some(place);
            places.push(place);
        }
        places
    }

    /// Which of the joint limits of the whole a limit of an excerpt is.
    fn limit_place(&self, excerpt: &Excerpt, site: &Site, limits: usize) -> usize {
        let end = |site: &Site| match site.geometry {
            SiteGeometry::Limit { dof, side, .. } => (dof, side),
            _ => (usize::MAX, 0.0),
        };
        let (own, side) = end(site);
        let dof = excerpt.v[own];
        let all = &self.sites[limits..];
        let from = all.partition_point(|other| end(other).0 < dof);
        let ours = all[from..].iter().position(|other| end(other) == (dof, side));
        from + ours.unwrap_or(0)
    }
}

/// The members of a cluster.
#[derive(Debug)]
pub(crate) struct Members {
    pub excerpt: Excerpt,
    pub sites: Vec<Site>,
    /// The site of the whole that each site is.
    pub places: Vec<usize>,
    /// Which of the assemblies a site joins, by their places in the cluster.
    pub joins: Vec<Option<(usize, usize)>>,
}

impl Members {
    /// The body that a body of the whole is here.
    pub fn body(&self, body: BodyId) -> Option<BodyId> {
        self.excerpt.bodies.binary_search(&body).ok().map(BodyId)
    }
}
