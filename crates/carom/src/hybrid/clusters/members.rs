//! The mechanism as clusters see it, and the members of a cluster: their model, their sites, and where these stand in the
//! whole.
//!
//! Pairs that the model declares, and those of groups that it writes out, have their sites from the start. Those of large
//! groups are made when two features come near each other for the first time, and stand behind the others.

use super::Assemblies;
use crate::contact::site::{push_moments, push_sites};
use crate::contact::{Site, SiteGeometry, sites_in};
use crate::model::{BodyId, ContactPair, Excerpt, FeatureId, Model, PairId, moves_in_plane};
use std::collections::HashMap;
use std::ops::Range;

/// The place of the site at which two balls touch in passing.
pub(crate) const PASSING: usize = usize::MAX;

/// Two features that may touch.
struct Pairing {
    pair: ContactPair,
    /// Its number in the model, by which it may have a law of its own.
    id: Option<PairId>,
    sites: Range<usize>,
}

/// The mechanism as clusters see it.
pub(crate) struct Whole<'a> {
    pub model: &'a Model,
    pub assemblies: Assemblies,
    pub sites: Vec<Site>,
    /// How many of the sites are there from the start.
    pub declared: usize,
    /// Features of each assembly that may meet others, ascending.
    pub exposed: Vec<Vec<FeatureId>>,
    /// Declared sites between two assemblies, with these.
    pub links: Vec<(usize, usize, usize)>,
    pairings: Vec<Pairing>,
    /// Pairings of each assembly with the world or with itself.
    own: Vec<Vec<usize>>,
    /// Those between two assemblies, the lesser first; never iterated.
    between: HashMap<(usize, usize), Vec<usize>>,
    /// Features of each assembly in large groups, with the group.
    grouped: Vec<Vec<(usize, FeatureId)>>,
    /// Pairings of large groups that have been made, or none if the two cannot touch; never iterated.
    made: HashMap<(usize, FeatureId, FeatureId), Option<usize>>,
    /// The site at which two balls of a large group touch in passing, and their features; nothing is kept of it, because
    /// there may be as many as pairs.
    passing: Vec<Site>,
    passing_by: (usize, [FeatureId; 2]),
    tangents: usize,
    limits: Range<usize>,
}

impl<'a> Whole<'a> {
    /// `sites` are those of the model.
    pub fn new(model: &'a Model, sites: Vec<Site>) -> Self {
        let assemblies = Assemblies::new(model, &sites);
        let count = assemblies.len();
        let mut whole = Self {
            model,
            assemblies,
            declared: sites.len(),
            sites,
            exposed: vec![Vec::new(); count],
            links: Vec::new(),
            pairings: Vec::new(),
            own: vec![Vec::new(); count],
            between: HashMap::new(),
            grouped: vec![Vec::new(); count],
            made: HashMap::new(),
            passing: Vec::new(),
            passing_by: (0, [FeatureId(0); 2]),
            tangents: if moves_in_plane(model) { 1 } else { 2 },
            limits: 0..0,
        };
        whole.read_pairs();
        whole.read_groups();
        for exposed in &mut whole.exposed {
            exposed.sort_unstable();
            exposed.dedup();
        }
        whole
    }

    fn read_pairs(&mut self) {
        let (model, mut at) = (self.model, 0);
        for (index, pair) in model.pairs().iter().enumerate() {
            let id = model.pair_id(index);
            let first = at;
            while self.sites.get(at).is_some_and(|site| site.pair == Some(id)) {
                at += 1;
            }
            self.add(Pairing { pair: pair.clone(), id: Some(id), sites: first..at });
        }
        let limit = |site: &Site| matches!(site.geometry, SiteGeometry::Limit { .. });
        let count = self.sites[at..].iter().take_while(|site| limit(site)).count();
        self.limits = at..at + count;
    }

    fn read_groups(&mut self) {
        let (model, mut at) = (self.model, self.limits.end);
        for (index, group) in model.groups().iter().enumerate() {
            if !group.is_written_out() {
                self.read_large_group(index);
                continue;
            }
            for (i, &a) in group.features.iter().enumerate() {
                for &b in &group.features[i + 1..] {
                    at = self.add_grouped(index, (a, b), at).1;
                }
            }
        }
    }

    /// Features of a large group are paired with what is fixed now, with each other when they come near.
    fn read_large_group(&mut self, index: usize) {
        let model = self.model;
        let features = &model.groups()[index].features;
        let assembly = |whole: &Self, f: FeatureId| whole.assemblies.of_feature(model, f);
        let fixed: Vec<FeatureId> =
            features.iter().copied().filter(|&f| assembly(self, f).is_none()).collect();
        for &feature in features {
            let Some(own) = assembly(self, feature) else { continue };
            self.grouped[own].push((index, feature));
            self.exposed[own].push(feature);
            for &other in &fixed {
                self.add_grouped(index, (feature.min(other), feature.max(other)), 0);
            }
        }
    }

    /// Add two features of a group, whose sites are those from `at` on, or are made if there are none; which pairing it is,
    /// if the two may touch, and one past its last site.
    fn add_grouped(
        &mut self,
        group: usize,
        (a, b): (FeatureId, FeatureId),
        at: usize,
    ) -> (Option<usize>, usize) {
        let (model, index) = (self.model, group);
        let group = &model.groups()[group];
        let Some((a, b)) = group.pair(model, a, b) else { return (None, at) };
        let (fa, fb) = (model.feature(a), model.feature(b));
        let name = self.name(index, [a, b]);
        let mut sites = Vec::new();
        push_sites(&name, (fa, fb), group.surface, self.tangents, &mut sites);
        let first = if group.is_written_out() { at } else { self.sites.len() };
        let end = first + sites.len();
        if end > self.sites.len() {
            self.sites.append(&mut sites);
            let mut moments = Vec::new();
            for of in first..end {
                push_moments((of, &self.sites[of]), group.resistance, self.tangents, &mut moments);
            }
            self.sites.append(&mut moments);
        }
        let (surface, resistance) = (group.surface, group.resistance);
        let pair = ContactPair { name, a, b, surface, resistance };
        self.add(Pairing { pair, id: None, sites: first..end });
        (Some(self.pairings.len() - 1), if group.is_written_out() { end } else { at })
    }

    fn add(&mut self, pairing: Pairing) {
        let index = self.pairings.len();
        let (a, b) = (pairing.pair.a, pairing.pair.b);
        match [a, b].map(|f| self.assemblies.of_feature(self.model, f)) {
            [Some(i), Some(j)] if i != j => {
                self.between.entry((i.min(j), i.max(j))).or_default().push(index);
                let declared = pairing.sites.clone().filter(|site| *site < self.declared);
                self.links.extend(declared.map(|site| (site, i, j)));
                self.exposed[i].push(a);
                self.exposed[j].push(b);
            }
            [Some(i), _] | [_, Some(i)] => self.own[i].push(index),
            [None, None] => {}
        }
        self.pairings.push(pairing);
    }

    /// A site; [`PASSING`] is the last of [`Self::pass_by`].
    pub fn site(&self, place: usize) -> &Site {
        if place == PASSING { &self.passing[0] } else { &self.sites[place] }
    }

    /// Whether two assemblies touch in passing: one shape each, in one large group, and no site of their own.
    pub fn pass_by(&mut self, a: usize, b: usize) -> bool {
        let ([(group, fa)], [(other, fb)]) = (&self.grouped[a][..], &self.grouped[b][..]) else {
            return false;
        };
        let single = self.is_single(a) && self.is_single(b);
        if group != other || !single || self.between.contains_key(&(a.min(b), a.max(b))) {
            return false;
        }
        let (model, group) = (self.model, *group);
        let law = &model.groups()[group];
        let Some((fa, fb)) = law.pair(model, *fa.min(fb), *fa.max(fb)) else { return false };
        self.passing.clear();
        let features = (model.feature(fa), model.feature(fb));
        push_sites("", features, law.surface, self.tangents, &mut self.passing);
        self.passing_by = (group, [fa, fb]);
        true
    }

    /// What a site is known by to who hears of it: a pair that may touch in passing by its bodies.
    pub fn key(&self, place: usize) -> (usize, usize) {
        let (a, b) = self.site(place).bodies();
        let single =
            |k: Option<usize>| k.is_some_and(|k| self.is_single(k) && self.grouped[k].len() == 1);
        match (a, b, self.assemblies_at(place).map(single)) {
            (Some(a), Some(b), [true, true]) => {
                (a.index().min(b.index()), a.index().max(b.index()))
            }
            _ => (usize::MAX, place),
        }
    }

    /// A site with its name.
    pub fn named(&self, place: usize) -> Site {
        let mut site = self.site(place).clone();
        if place == PASSING {
            let (group, features) = self.passing_by;
            site.name = self.name(group, features);
        }
        site
    }

    /// The name of two features of a group.
    fn name(&self, group: usize, features: [FeatureId; 2]) -> String {
        let [a, b] = features.map(|f| &self.model.feature(f).name);
        format!("{}:{b}-{a}", self.model.groups()[group].name)
    }

    /// The assemblies of the two bodies of a site; none for what is fixed.
    pub fn assemblies_at(&self, place: usize) -> [Option<usize>; 2] {
        let (a, b) = self.site(place).bodies();
        [a, b].map(|body| self.assemblies.of_body[body?.index()])
    }

    /// Whether an assembly has one shape only that may meet others.
    pub fn is_single(&self, assembly: usize) -> bool {
        self.exposed[assembly].len() == 1
    }

    /// Whether two assemblies are paired, or in one large group.
    pub fn may_touch(&self, a: usize, b: usize) -> bool {
        let (one, other) = (&self.grouped[a], &self.grouped[b]);
        one.iter().any(|(group, _)| other.iter().any(|(theirs, _)| group == theirs))
            || self.between.contains_key(&(a.min(b), a.max(b)))
    }

    /// The sites of an assembly with the world or with itself, without those that follow others.
    pub fn own_sites(&self, assembly: usize) -> impl Iterator<Item = usize> {
        self.own[assembly].iter().flat_map(|&pairing| self.pairings[pairing].sites.clone())
    }

    /// The sites between two assemblies.
    pub fn sites_between(&mut self, a: usize, b: usize, sites: &mut Vec<usize>) {
        sites.clear();
        self.make(a, b);
        for &pairing in self.between.get(&(a.min(b), a.max(b))).into_iter().flatten() {
            sites.extend(self.pairings[pairing].sites.clone());
        }
    }

    /// Make the pairings of large groups between two assemblies.
    fn make(&mut self, a: usize, b: usize) {
        for i in 0..self.grouped[a].len() {
            for j in 0..self.grouped[b].len() {
                let ((group, fa), (other, fb)) = (self.grouped[a][i], self.grouped[b][j]);
                let key = (group, fa.min(fb), fa.max(fb));
                if group != other || self.made.contains_key(&key) {
                    continue;
                }
                let exposed = [a, b].map(|k| self.exposed[k].len());
                let made = self.add_grouped(group, (key.1, key.2), 0).0;
                self.made.insert(key, made);
                // They are exposed as members of their group already.
                [a, b].into_iter().zip(exposed).for_each(|(k, n)| self.exposed[k].truncate(n));
            }
        }
    }

    /// The members of a cluster of these assemblies, ascending.
    pub fn members(&mut self, assemblies: &[usize]) -> Members {
        let mut pairings: Vec<usize> =
            assemblies.iter().flat_map(|&a| self.own[a].iter().copied()).collect();
        for (i, &a) in assemblies.iter().enumerate() {
            for &b in &assemblies[i + 1..] {
                self.make(a, b);
                pairings.extend(self.between.get(&(a, b)).into_iter().flatten());
            }
        }
        pairings.sort_unstable();
        let all = &self.assemblies;
        let mut bodies: Vec<BodyId> =
            assemblies.iter().flat_map(|&a| all.bodies[a].iter().copied()).collect();
        bodies.sort_unstable();
        let pairs: Vec<&ContactPair> = pairings.iter().map(|&p| &self.pairings[p].pair).collect();
        let excerpt = self.model.excerpt(&bodies, &pairs);
        let mut sites = sites_in(&excerpt.model, self.tangents);
        let places = self.place_sites(&excerpt, &pairings, &mut sites);
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
    fn place_sites(&self, excerpt: &Excerpt, pairings: &[usize], sites: &mut [Site]) -> Vec<usize> {
        let mut places = Vec::with_capacity(sites.len());
        for &pairing in pairings {
            places.extend(self.pairings[pairing].sites.clone());
        }
        for site in sites {
            match site.pair {
                Some(own) => site.pair = self.pairings[pairings[own.index()]].id,
                None => places.push(self.other_place(excerpt, site, &places)),
            }
        }
        places
    }

    /// Which site of the whole a site without a pair is; `places` are those of the sites before it.
    fn other_place(&self, excerpt: &Excerpt, site: &Site, places: &[usize]) -> usize {
        let after = &self.sites[self.limits.end..];
        let found = match site.geometry {
            SiteGeometry::JointFriction { dof, .. } => {
                let dof = excerpt.v[dof];
                after.iter().position(|other| {
                    matches!(other.geometry, SiteGeometry::JointFriction { dof: d, .. } if d == dof)
                })
            }
            SiteGeometry::Moment { of, spin, .. } => after.iter().position(|other| {
                let SiteGeometry::Moment { of: leader, spin: kind, .. } = other.geometry else {
                    return false;
                };
                leader == places[of] && kind == spin
            }),
            _ => return self.limit_place(excerpt, site),
        };
        self.limits.end + found.unwrap_or(0)
    }

    /// Which of the joint limits of the whole a limit of an excerpt is.
    fn limit_place(&self, excerpt: &Excerpt, site: &Site) -> usize {
        let end = |site: &Site| match site.geometry {
            SiteGeometry::Limit { dof, side, .. } => (dof, side),
            _ => (usize::MAX, 0.0),
        };
        let (own, side) = end(site);
        let dof = excerpt.v[own];
        let all = &self.sites[self.limits.clone()];
        let from = all.partition_point(|other| end(other).0 < dof);
        let ours = all[from..].iter().position(|other| end(other) == (dof, side));
        self.limits.start + from + ours.unwrap_or(0)
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
