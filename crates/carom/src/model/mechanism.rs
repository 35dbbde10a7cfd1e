//! The finished mechanism.

use super::plane::has_plane_shapes;
use super::tree::{Tree, WORLD};
use super::{
    Body, BodyId, ContactGroup, ContactPair, Coordinate, Coupling, Feature, FeatureId, JointKind,
    Load, Loop, PairId, PointSpring,
};
use nalgebra::Vector3;
use std::ops::Range;

/// What joins bodies, or pushes them, beside joints and contacts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Elements {
    pub loops: Vec<Loop>,
    pub springs: Vec<PointSpring>,
    pub loads: Vec<Load>,
}

/// A mechanism: a forest of bodies, their joints, and the features that may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    gravity: Vector3<f64>,
    bodies: Vec<Body>,
    features: Vec<Feature>,
    pairs: Vec<ContactPair>,
    groups: Vec<ContactGroup>,
    couplings: Vec<Coupling>,
    elements: Elements,
    pub(super) planar: bool,
    /// Whether shapes are of that plane, too.
    pub(super) flat: bool,
    coordinates: Vec<Coordinate>,
    q_of_v: Vec<Option<usize>>,
    sprung: bool,
    ranges: Vec<(Range<usize>, Range<usize>)>,
    tree: Tree,
    nq: usize,
}

impl Model {
    pub(super) fn assemble(
        gravity: Vector3<f64>,
        bodies: Vec<Body>,
        features: Vec<Feature>,
        (pairs, groups): (Vec<ContactPair>, Vec<ContactGroup>),
        (couplings, elements): (Vec<Coupling>, Elements),
        tree: Tree,
    ) -> Self {
        let mut coordinates = Vec::new();
        let mut q_of_v = Vec::new();
        let mut ranges = Vec::new();
        let mut nq = 0;
        for body in &bodies {
            let kind = &body.joint.kind;
            let nv = coordinates.len();
            ranges.push((nq..nq + kind.nq(), nv..nv + kind.nv()));
            coordinates.extend_from_slice(&body.joint.coordinates);
            q_of_v.extend((0..kind.nv()).map(|i| (i < kind.plain()).then_some(nq + i)));
            nq += kind.nq();
        }
        let planar = tree.moves_in_plane();
        let sprung =
            coordinates.iter().any(|c: &Coordinate| c.spring.is_some() || c.damping != 0.0);
        let mut model = Self {
            gravity,
            bodies,
            features,
            pairs,
            groups,
            couplings,
            elements,
            planar,
            flat: false,
            coordinates,
            q_of_v,
            sprung,
            ranges,
            tree,
            nq,
        };
        model.flat = model.planar && has_plane_shapes(&model);
        model
    }

    /// Length of q.
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Degrees of freedom, the length of v.
    pub fn nv(&self) -> usize {
        self.coordinates.len()
    }

    /// Acceleration of gravity, m/s².
    pub fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    /// All bodies; parents come before children.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// One body.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0]
    }

    /// The body of that name.
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.name == name).map(BodyId)
    }

    /// The body behind the joint of that name.
    pub fn body_behind(&self, joint: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.joint.name == joint).map(BodyId)
    }

    /// Ids of all bodies.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len()).map(BodyId)
    }

    /// All features.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// One feature.
    pub fn feature(&self, id: FeatureId) -> &Feature {
        &self.features[id.0]
    }

    /// The feature of that name.
    pub fn feature_named(&self, name: &str) -> Option<FeatureId> {
        self.features.iter().position(|f| f.name == name).map(FeatureId)
    }

    /// All pairs that may touch.
    pub fn pairs(&self) -> &[ContactPair] {
        &self.pairs
    }

    /// One pair.
    pub fn pair(&self, id: PairId) -> &ContactPair {
        &self.pairs[id.0]
    }

    /// Features any two of which may touch.
    pub fn groups(&self) -> &[ContactGroup] {
        &self.groups
    }

    /// Ids of all features.
    pub fn feature_ids(&self) -> impl Iterator<Item = FeatureId> + use<> {
        (0..self.features.len()).map(FeatureId)
    }

    /// Whether a body cannot move.
    pub fn is_fixed(&self, body: BodyId) -> bool {
        self.tree.seats[body.0].link == WORLD
    }

    /// The same mechanism with more inertia on each degree of freedom, such as time steps that take springs and dampers
    /// at their middle need.
    pub(crate) fn stiffened(&self, more: impl Fn(&Coordinate) -> f64) -> Self {
        let mut model = self.clone();
        for (node, c) in model.tree.nodes.iter_mut().zip(&self.coordinates) {
            node.rotor += more(c);
        }
        model
    }

    /// Id of the pair at that place of [`Self::pairs`].
    pub fn pair_id(&self, index: usize) -> PairId {
        debug_assert!(index < self.pairs.len());
        PairId(index)
    }

    /// The ties between joint angles.
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// Loops that the tree does not close.
    pub fn loops(&self) -> &[Loop] {
        &self.elements.loops
    }

    /// Springs and dampers between points.
    pub fn springs(&self) -> &[PointSpring] {
        &self.elements.springs
    }

    /// Constant forces and torques.
    pub fn loads(&self) -> &[Load] {
        &self.elements.loads
    }

    /// Whether all joints keep everything in planes parallel to x–y of the world.
    pub fn moves_in_plane(&self) -> bool {
        self.planar
    }

    /// What acts on each degree of freedom.
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    /// Whether some joint has a spring or a damper.
    pub fn sprung(&self) -> bool {
        self.sprung
    }

    /// The place in q of each degree of freedom; `None` for the turns of a quaternion.
    pub fn q_of_v(&self) -> &[Option<usize>] {
        &self.q_of_v
    }

    /// Where the joint of a body has its coordinates in q.
    pub fn q_range(&self, body: BodyId) -> Range<usize> {
        self.ranges[body.0].0.clone()
    }

    /// Where the joint of a body has its degrees of freedom in v.
    pub fn v_range(&self, body: BodyId) -> Range<usize> {
        self.ranges[body.0].1.clone()
    }

    /// The tree as the kernels see it.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Sum of the masses of all moving bodies, kg.
    pub fn moving_mass(&self) -> f64 {
        self.tree.links.iter().map(|l| l.inertia.mass).sum()
    }

    /// Names of the entries of q, such as `hip` or `base.qw`.
    pub fn q_names(&self) -> Vec<String> {
        self.names(JointKind::q_suffixes)
    }

    /// Names of the entries of v, such as `hip` or `base.wx`.
    pub fn v_names(&self) -> Vec<String> {
        self.names(JointKind::v_suffixes)
    }

    fn names(&self, suffixes: fn(&JointKind) -> &'static [&'static str]) -> Vec<String> {
        let mut names = Vec::new();
        for body in &self.bodies {
            for suffix in suffixes(&body.joint.kind) {
                names.push(format!("{}{suffix}", body.joint.name));
            }
        }
        names
    }
}
