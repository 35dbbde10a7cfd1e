//! The only constructor of a model; all validation happens here.

use super::contact_group::oriented;
use super::elements_check::{check_load, check_loop, check_spring};
use super::mechanism::Elements;
use super::tree::{Link, LinkMotion, Node, Seat, Tree, WORLD};
use super::{
    Body, BodyId, ContactGroup, ContactPair, Coordinate, Coupling, Feature, FeatureId, Joint,
    JointKind, Load, Loop, Model, ModelError, PairId, PointSpring, Resistance, Shape, Surface,
    moves_in_plane,
};
use crate::spatial::{Inertia, InertiaError, Pose, rotation};
use nalgebra::{Matrix3, Vector3};
use std::collections::HashSet;

/// Collects the parts of a mechanism and makes a [`Model`] of them.
///
/// ```
/// use carom::model::{Joint, ModelBuilder};
/// use carom::spatial::{Inertia, Pose};
/// use nalgebra::Vector3;
///
/// let mut builder = ModelBuilder::new();
/// let bob = Inertia::point(1.0, Vector3::new(0.0, -1.0, 0.0))?;
/// let pivot = Joint::revolute("pivot", Vector3::z_axis(), Pose::identity());
/// builder.add_body("bob", None, pivot, bob)?;
/// let model = builder.build()?;
/// assert_eq!((model.nq(), model.nv()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModelBuilder {
    gravity: Vector3<f64>,
    bodies: Vec<Body>,
    features: Vec<Feature>,
    pairs: Vec<ContactPair>,
    groups: Vec<ContactGroup>,
    couplings: Vec<Coupling>,
    elements: Elements,
    /// Sort of part and name; never iterated.
    names: HashSet<(&'static str, String)>,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// An empty mechanism with gravity 9.81 m/s² along −y.
    pub fn new() -> Self {
        Self {
            gravity: Vector3::new(0.0, -9.81, 0.0),
            bodies: Vec::new(),
            features: Vec::new(),
            pairs: Vec::new(),
            groups: Vec::new(),
            couplings: Vec::new(),
            elements: Elements::default(),
            names: HashSet::new(),
        }
    }

    /// Take names, which no other part of their sorts may have: all of them, or none.
    fn take_names(&mut self, names: &[(&'static str, &str)]) -> Result<(), ModelError> {
        let taken: Vec<_> = names.iter().map(|(what, name)| (*what, name.to_string())).collect();
        if let Some((what, name)) = taken.iter().find(|name| self.names.contains(name)) {
            return Err(ModelError::Duplicate { what, name: name.clone() });
        }
        self.names.extend(taken);
        Ok(())
    }

    /// Set the acceleration of gravity, m/s².
    pub fn gravity(&mut self, gravity: Vector3<f64>) -> Result<&mut Self, ModelError> {
        for value in gravity.iter() {
            in_range("world", "gravity", "gravity", *value, value.is_finite(), "finite")?;
        }
        self.gravity = gravity;
        Ok(self)
    }

    /// Add a body carried by `parent` (or the world) through `joint`.
    pub fn add_body(
        &mut self,
        name: impl Into<String>,
        parent: Option<BodyId>,
        joint: Joint,
        inertia: Inertia,
    ) -> Result<BodyId, ModelError> {
        let name = name.into();
        check_inertia(&name, &inertia)?;
        self.add_body_as_written(name, parent, joint, inertia)
    }

    /// The same for an inertia that no rigid body has, such as files of robots carry: it need only
    /// be finite, with a mass ≥ 0. Whether the mechanism as a whole has a regular mass matrix shows
    /// in its dynamics.
    pub fn add_body_as_written(
        &mut self,
        name: impl Into<String>,
        parent: Option<BodyId>,
        joint: Joint,
        inertia: Inertia,
    ) -> Result<BodyId, ModelError> {
        let name = name.into();
        self.known_body(parent)?;
        check_finite(&name, &inertia)?;
        check_joint(&joint)?;
        self.take_names(&[("body", &name), ("joint", &joint.name)])?;
        self.bodies.push(Body { name, parent, joint, inertia });
        Ok(BodyId(self.bodies.len() - 1))
    }

    /// Add a shape to a body or to the world.
    pub fn add_feature(&mut self, feature: Feature) -> Result<FeatureId, ModelError> {
        self.known_body(feature.body)?;
        check_shape(&feature)?;
        self.take_names(&[("feature", &feature.name)])?;
        self.features.push(feature);
        Ok(FeatureId(self.features.len() - 1))
    }

    /// Let two features touch. A half-space becomes the first of the two.
    pub fn add_pair(
        &mut self,
        name: impl Into<String>,
        a: FeatureId,
        b: FeatureId,
        surface: Surface,
    ) -> Result<PairId, ModelError> {
        let name = name.into();
        for id in [a, b] {
            if id.0 >= self.features.len() {
                return Err(ModelError::Unknown { what: "feature", index: id.0 });
            }
        }
        check_surface(&name, &surface)?;
        let (a, b) = self.oriented(&name, a, b)?;
        self.take_names(&[("contact", &name)])?;
        let resistance = Resistance::default();
        self.pairs.push(ContactPair { name, a, b, surface, resistance });
        Ok(PairId(self.pairs.len() - 1))
    }

    /// Give a pair rolling and spinning friction, at each of its sites.
    pub fn set_resistance(&mut self, pair: PairId, by: Resistance) -> Result<(), ModelError> {
        let Some(known) = self.pairs.get_mut(pair.0) else {
            return Err(ModelError::Unknown { what: "contact", index: pair.0 });
        };
        check_resistance(&known.name, &by)?;
        known.resistance = by;
        Ok(())
    }

    /// Let any two of some features touch. Those of one body, of two fixed bodies and of a body and its carrier do not.
    pub fn add_group(
        &mut self,
        name: impl Into<String>,
        mut features: Vec<FeatureId>,
        surface: Surface,
    ) -> Result<(), ModelError> {
        let name = name.into();
        features.sort_unstable();
        features.dedup();
        if let Some(id) = features.iter().find(|id| id.0 >= self.features.len()) {
            return Err(ModelError::Unknown { what: "feature", index: id.0 });
        }
        check_surface(&name, &surface)?;
        self.check_shapes(&name, &features)?;
        self.take_names(&[("contact", &name)])?;
        let resistance = Resistance::default();
        self.groups.push(ContactGroup { name, features, surface, resistance });
        Ok(())
    }

    /// Give any two features of the group of this name rolling and spinning friction.
    pub fn set_group_resistance(&mut self, name: &str, by: Resistance) -> Result<(), ModelError> {
        let Some(group) = self.groups.iter_mut().find(|group| group.name == name) else {
            return Err(ModelError::Unknown { what: "contact", index: self.groups.len() });
        };
        check_resistance(name, &by)?;
        group.resistance = by;
        Ok(())
    }

    /// Every two sorts of shapes of a group must have a gap function; half-spaces do not touch each other.
    fn check_shapes(&self, group: &str, features: &[FeatureId]) -> Result<(), ModelError> {
        let mut sorts: Vec<(FeatureId, &Shape, usize)> = Vec::new();
        for &id in features {
            let shape = &self.features[id.0].shape;
            match sorts.iter_mut().find(|(_, known, _)| known.word() == shape.word()) {
                Some((.., count)) => *count += 1,
                None => sorts.push((id, shape, 1)),
            }
        }
        for (i, &(a, fa, count)) in sorts.iter().enumerate() {
            let alone = count == 1 || matches!(fa, Shape::HalfSpace { .. } | Shape::Point);
            for &(b, fb, _) in &sorts[if alone { i + 1 } else { i }..] {
                if oriented((a, fa), (b, fb)).is_none() {
                    let (pair, a, b) = (group.into(), fa.word(), fb.word());
                    return Err(ModelError::Unsupported { pair, a, b });
                }
            }
        }
        Ok(())
    }

    /// Tie the angle of one joint to that of another.
    pub fn add_coupling(&mut self, coupling: Coupling) -> Result<(), ModelError> {
        let nv: usize = self.bodies.iter().map(|b| b.joint.kind.nv()).sum();
        for index in [coupling.follower, coupling.leader] {
            if index >= nv {
                return Err(ModelError::Unknown { what: "degree of freedom", index });
            }
        }
        for (field, value) in [("ratio", coupling.ratio), ("offset", coupling.offset)] {
            in_range("coupling", "mimic", field, value, value.is_finite(), "finite")?;
        }
        self.couplings.push(coupling);
        Ok(())
    }

    /// Close a loop: two frames stay together although no joint joins them.
    pub fn add_loop(&mut self, one: Loop) -> Result<(), ModelError> {
        one.bodies().into_iter().try_for_each(|body| self.known_body(body))?;
        check_loop(&one)?;
        self.take_names(&[("loop", &one.name)])?;
        self.elements.loops.push(one);
        Ok(())
    }

    /// Add a spring and damper between points of two bodies.
    pub fn add_spring(&mut self, spring: PointSpring) -> Result<(), ModelError> {
        spring.bodies().into_iter().try_for_each(|body| self.known_body(body))?;
        check_spring(&spring)?;
        self.take_names(&[("spring", &spring.name)])?;
        self.elements.springs.push(spring);
        Ok(())
    }

    /// Add a constant force or torque.
    pub fn add_load(&mut self, load: Load) -> Result<(), ModelError> {
        let nv: usize = self.bodies.iter().map(|b| b.joint.kind.nv()).sum();
        match load {
            Load::Body { body, .. } => self.known_body(Some(body))?,
            Load::Joint { dof, .. } if dof >= nv => {
                return Err(ModelError::Unknown { what: "degree of freedom", index: dof });
            }
            Load::Joint { .. } => {}
        }
        check_load(&load)?;
        self.elements.loads.push(load);
        Ok(())
    }

    /// Check the whole and make the model.
    pub fn build(self) -> Result<Model, ModelError> {
        let mut tree = compile(&self.bodies);
        if tree.nodes.is_empty() {
            return Err(ModelError::Empty);
        }
        check_mass(&self.bodies, &mut tree)?;
        for one in &self.elements.loops {
            let still = |body: Option<BodyId>| body.is_none_or(|b| tree.seats[b.0].link == WORLD);
            let links = one.bodies().map(|body| body.map(|b| tree.seats[b.0].link));
            if one.bodies().into_iter().all(still) || links[0] == links[1] {
                return Err(ModelError::IdleLoop { name: one.name.clone() });
            }
        }
        let model = Model::assemble(
            self.gravity,
            self.bodies,
            self.features,
            (self.pairs, self.groups),
            (self.couplings, self.elements),
            tree,
        );
        check_pairs(&model)?;
        Ok(model)
    }

    fn known_body(&self, body: Option<BodyId>) -> Result<(), ModelError> {
        match body {
            Some(id) if id.0 >= self.bodies.len() => {
                Err(ModelError::Unknown { what: "body", index: id.0 })
            }
            _ => Ok(()),
        }
    }

    /// The pair with a half-space first, if its shapes have a gap function at all.
    fn oriented(
        &self,
        pair: &str,
        a: FeatureId,
        b: FeatureId,
    ) -> Result<(FeatureId, FeatureId), ModelError> {
        let (fa, fb) = (&self.features[a.0], &self.features[b.0]);
        if fa.body == fb.body {
            return Err(ModelError::SameBody { pair: pair.into() });
        }
        oriented((a, &fa.shape), (b, &fb.shape)).ok_or_else(|| {
            let (a, b) = (fa.shape.word(), fb.shape.word());
            ModelError::Unsupported { pair: pair.into(), a, b }
        })
    }
}

pub(super) fn in_range(
    what: &'static str,
    name: &str,
    field: &'static str,
    value: f64,
    holds: bool,
    allowed: &'static str,
) -> Result<(), ModelError> {
    if holds {
        return Ok(());
    }
    Err(ModelError::Range { what, name: name.into(), field, value, allowed })
}

fn check_finite(body: &str, inertia: &Inertia) -> Result<(), ModelError> {
    let mut numbers = inertia.com.iter().chain(inertia.about_com.iter());
    let source = match numbers.find(|x| !x.is_finite()) {
        _ if !(inertia.mass.is_finite() && inertia.mass >= 0.0) => {
            InertiaError::Mass { mass: inertia.mass }
        }
        Some(&value) => InertiaError::NotFinite { value },
        None => return Ok(()),
    };
    Err(ModelError::Inertia { body: body.into(), source })
}

fn check_inertia(body: &str, inertia: &Inertia) -> Result<(), ModelError> {
    if *inertia == Inertia::massless() {
        return Ok(());
    }
    Inertia::new(inertia.mass, inertia.com, inertia.about_com)
        .map(|_| ())
        .map_err(|source| ModelError::Inertia { body: body.into(), source })
}

fn check_joint(joint: &Joint) -> Result<(), ModelError> {
    let expected = joint.kind.nv();
    if joint.coordinates.len() != expected {
        return Err(ModelError::Length {
            what: "joint",
            name: joint.name.clone(),
            field: "coordinates",
            found: joint.coordinates.len(),
            expected,
        });
    }
    let single = matches!(joint.kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. });
    for (i, c) in joint.coordinates.iter().enumerate() {
        let quaternion = i >= joint.kind.plain();
        check_plain(joint, c, single, quaternion)?;
        check_coordinate(&joint.name, c)?;
    }
    Ok(())
}

fn check_plain(
    joint: &Joint,
    c: &Coordinate,
    single: bool,
    quaternion: bool,
) -> Result<(), ModelError> {
    let faults = [
        (!single && c.ratio != 1.0, "transmission ratio"),
        (!single && c.offset != 0.0, "offset"),
        (quaternion && c.spring.is_some(), "spring"),
        (!single && c.static_friction > 0.0, "dry friction"),
        (!single && c.prescribed, "prescribed motion"),
        (quaternion && c.limits.is_some(), "limits"),
    ];
    match faults.iter().find(|(fault, _)| *fault) {
        Some((_, field)) => {
            Err(ModelError::NotPlain { joint: joint.name.clone(), kind: joint.kind.word(), field })
        }
        None => Ok(()),
    }
}

fn check_coordinate(name: &str, c: &Coordinate) -> Result<(), ModelError> {
    let check =
        |field, value: f64, holds, allowed| in_range("joint", name, field, value, holds, allowed);
    let positive = |x: f64| x.is_finite() && x >= 0.0;
    let nonzero = c.ratio.is_finite() && c.ratio != 0.0;
    check("transmission ratio", c.ratio, nonzero, "finite and not 0")?;
    check("offset", c.offset, c.offset.is_finite(), "finite")?;
    check("damping", c.damping, positive(c.damping), "≥ 0")?;
    check("friction", c.friction, positive(c.friction), "≥ 0")?;
    let ordered = c.static_friction.is_finite() && c.static_friction >= c.friction;
    check("static friction", c.static_friction, ordered, "≥ the dynamic friction")?;
    check("rotor inertia", c.rotor_inertia, positive(c.rotor_inertia), "≥ 0")?;
    check("effort", c.effort, c.effort >= 0.0, "≥ 0")?;
    if let Some(s) = c.spring {
        check("spring stiffness", s.stiffness, positive(s.stiffness), "≥ 0")?;
        check("spring rest", s.rest, s.rest.is_finite(), "finite")?;
    }
    if let Some(l) = c.limits {
        check("lower limit", l.lower, !l.lower.is_nan(), "a number")?;
        check("upper limit", l.upper, l.upper > l.lower, "above the lower limit")?;
        let unit = (0.0..=1.0).contains(&l.restitution);
        check("limit restitution", l.restitution, unit, "in [0, 1]")?;
    }
    Ok(())
}

fn check_shape(feature: &Feature) -> Result<(), ModelError> {
    let (sizes, zero_allowed): (&[f64], bool) = match &feature.shape {
        Shape::Point | Shape::HalfSpace { .. } | Shape::Terrain { .. } => (&[], false),
        Shape::Sphere { radius } | Shape::Disk { radius } => (std::slice::from_ref(radius), false),
        Shape::Ellipse { semi_axes } => (semi_axes, false),
        Shape::Ellipsoid { semi_axes } => (semi_axes, false),
        Shape::Box { half_extents } => (half_extents, true),
        Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
            (&[*radius, *half_length], false)
        }
        Shape::Polygon { rounding, .. } | Shape::Convex { rounding, .. } => {
            (std::slice::from_ref(rounding), true)
        }
    };
    for &size in sizes {
        let holds = size.is_finite() && (size > 0.0 || (zero_allowed && size == 0.0));
        let allowed = if zero_allowed { "≥ 0" } else { "> 0" };
        in_range("feature", &feature.name, "size", size, holds, allowed)?;
    }
    Ok(())
}

fn check_surface(name: &str, s: &Surface) -> Result<(), ModelError> {
    let check =
        |field, value, holds, allowed| in_range("contact", name, field, value, holds, allowed);
    check("restitution", s.restitution, (0.0..=1.0).contains(&s.restitution), "in [0, 1]")?;
    check("friction", s.friction, s.friction.is_finite() && s.friction >= 0.0, "≥ 0")?;
    let ordered = s.static_friction.is_finite() && s.static_friction >= s.friction;
    check("static friction", s.static_friction, ordered, "≥ the dynamic friction")
}

fn check_resistance(contact: &str, by: &Resistance) -> Result<(), ModelError> {
    for (field, value) in [("rolling friction", by.rolling), ("spinning friction", by.spinning)] {
        let holds = value.is_finite() && value >= 0.0;
        in_range("contact", contact, field, value, holds, "≥ 0")?;
    }
    Ok(())
}

/// The shapes of all pairs, and of any two sorts of a group, must go together.
fn check_pairs(model: &Model) -> Result<(), ModelError> {
    let planar = moves_in_plane(model);
    let shape = |id: FeatureId| &model.feature(id).shape;
    for pair in model.pairs() {
        check_sorts(&pair.name, (shape(pair.a), shape(pair.b)), planar)?;
    }
    for group in model.groups() {
        let mut sorts: Vec<FeatureId> = Vec::new();
        for &id in &group.features {
            let alike = |&known: &FeatureId| {
                let same = shape(known).core_dimension(planar) == shape(id).core_dimension(planar);
                same && shape(known).word() == shape(id).word()
            };
            // Two of each sort: they touch each other, too.
            if sorts.iter().filter(|known| alike(known)).count() < 2 {
                sorts.push(id);
            }
        }
        for (i, &a) in sorts.iter().enumerate() {
            for (a, b) in sorts[i + 1..].iter().filter_map(|&b| group.pair(model, a, b)) {
                check_sorts(&group.name, (shape(a), shape(b)), planar)?;
            }
        }
    }
    Ok(())
}

/// Shapes of a pair must both be of the plane or both of space, and together have an inside.
fn check_sorts(pair: &str, (a, b): (&Shape, &Shape), planar: bool) -> Result<(), ModelError> {
    let half_space = matches!(a, Shape::HalfSpace { .. });
    // In space a disk is flat, not a ball.
    let round = |s: &Shape| match s {
        Shape::Sphere { .. } | Shape::Point => true,
        Shape::Disk { .. } => planar,
        _ => false,
    };
    if !matches!(a, Shape::Terrain { .. }) && (half_space || round(a) && round(b)) {
        return Ok(());
    }
    let (pair, a_word, b_word) = (pair.to_string(), a.word(), b.word());
    if let Shape::Terrain { ground } = a {
        // Ground has an inside.
        let rim = b.is_flat_in(planar) || matches!(b, Shape::Cylinder { .. }) && !planar;
        let touches = rim || b.is_smooth_in(planar) || b.core_dimension(planar).is_some();
        return match touches && ground.planar == planar {
            true => Ok(()),
            false => Err(ModelError::Unsupported { pair, a: a_word, b: b_word }),
        };
    }
    if a.is_flat_in(planar) || b.is_flat_in(planar) {
        let other = if a.is_flat_in(planar) { b } else { a };
        let thick = || other.core_dimension(false) == Some(3) || other.is_rounded();
        let round = matches!(other, Shape::Cylinder { .. } | Shape::Ellipsoid { .. });
        return match other {
            _ if other.is_flat_in(planar) => Err(ModelError::Thin { pair, a: a_word, b: b_word }),
            Shape::Polygon { .. } => Err(ModelError::Unsupported { pair, a: a_word, b: b_word }),
            _ if round || thick() => Ok(()),
            _ => Err(ModelError::Thin { pair, a: a_word, b: b_word }),
        };
    }
    let cylinder = |s: &Shape| matches!(s, Shape::Cylinder { .. });
    let solid =
        |s: &Shape| cylinder(s) || s.is_smooth_in(false) || s.core_dimension(false).is_some();
    if !planar && (cylinder(a) && solid(b) || cylinder(b) && solid(a)) {
        return Ok(());
    }
    let smooth = [a, b].map(|s| s.is_smooth_in(planar));
    let known = [a, b].map(|s| s.core_dimension(planar).is_some());
    if smooth[0] && (smooth[1] || known[1]) || smooth[1] && known[0] {
        return Ok(());
    }
    let sorts = [a.core_dimension(planar), b.core_dimension(planar)];
    let [Some(da), Some(db)] = sorts else {
        return Err(ModelError::Unsupported { pair, a: a_word, b: b_word });
    };
    if da + db < if planar { 2 } else { 3 } && !(a.is_rounded() || b.is_rounded()) {
        return Err(ModelError::Thin { pair, a: a_word, b: b_word });
    }
    Ok(())
}

/// Every moving joint must carry mass, have a rotor, or a prescribed motion: then any inertia will do, and
/// one of the size of the others keeps numbers apart.
fn check_mass(bodies: &[Body], tree: &mut Tree) -> Result<(), ModelError> {
    let mut carried: Vec<f64> = tree.links.iter().map(|l| l.inertia.mass).collect();
    for i in (0..tree.links.len()).rev() {
        let parent = tree.links[i].parent;
        if parent != WORLD {
            carried[parent] += carried[i];
        }
    }
    let total: f64 = tree.links.iter().map(|l| l.inertia.mass).sum();
    let ghost = if total > 0.0 { total } else { 1.0 };
    for (body, seat) in bodies.iter().zip(&tree.seats) {
        if seat.link == WORLD || body.joint.kind == JointKind::Fixed {
            continue;
        }
        let rotor = body.joint.coordinates.iter().all(|c| c.rotor_inertia > 0.0);
        if carried[seat.link] > 0.0 || rotor {
            continue;
        }
        if !body.joint.coordinates.iter().all(|c| c.prescribed) {
            return Err(ModelError::Massless { joint: body.joint.name.clone() });
        }
        let node = &mut tree.nodes[tree.links[seat.link].v];
        (node.rotor, node.ghost) = (ghost, ghost);
    }
    Ok(())
}

/// Lump fixed bodies, turn revolute axes to z, and chain the degrees of freedom.
pub(super) fn compile(bodies: &[Body]) -> Tree {
    let mut tree = Tree::default();
    let mut lumps: Vec<Inertia> = Vec::new();
    let (mut nq, mut nv) = (0, 0);
    for body in bodies {
        let carrier = match body.parent {
            Some(p) => tree.seats[p.0],
            None => Seat { link: WORLD, pose: Pose::identity() },
        };
        let placement = carrier.pose.then(&body.joint.placement);
        let seat = match link_motion(&body.joint.kind) {
            None => Seat { link: carrier.link, pose: placement },
            Some((motion, R)) => {
                let base = placement.then(&Pose::rotation(R));
                push_link(&mut tree, carrier.link, motion, base, &body.joint, (nq, nv));
                lumps.push(Inertia::massless());
                nq += body.joint.kind.nq();
                nv += body.joint.kind.nv();
                Seat { link: tree.links.len() - 1, pose: Pose::rotation(R.transpose()) }
            }
        };
        if seat.link != WORLD {
            lumps[seat.link] = lumps[seat.link].joined(&body.inertia.in_frame(&seat.pose));
        }
        tree.seats.push(seat);
    }
    for (link, lump) in tree.links.iter_mut().zip(&lumps) {
        link.inertia = lump.about_origin();
    }
    tree
}

/// The motion of a joint as the kernels know it, and the turn from joint frame to base frame.
fn link_motion(kind: &JointKind) -> Option<(LinkMotion, Matrix3<f64>)> {
    let unturned = Matrix3::identity();
    match kind {
        JointKind::Fixed => None,
        JointKind::Revolute { axis } => Some((LinkMotion::Turn, rotation::with_z_along(axis))),
        JointKind::Prismatic { axis } => Some((LinkMotion::Shift(axis.into_inner()), unturned)),
        JointKind::Planar => Some((LinkMotion::Planar, unturned)),
        JointKind::Spherical => Some((LinkMotion::Ball, unturned)),
        JointKind::Free => Some((LinkMotion::Free, unturned)),
    }
}

fn push_link(
    tree: &mut Tree,
    parent: usize,
    motion: LinkMotion,
    base: Pose,
    joint: &Joint,
    (q, v): (usize, usize),
) {
    let nv = joint.kind.nv();
    let link = tree.links.len();
    let turns: &[bool] = match motion {
        LinkMotion::Turn => &[true],
        LinkMotion::Shift(_) => &[false],
        LinkMotion::Planar => &[false, false, true],
        LinkMotion::Ball => &[true, true, true],
        LinkMotion::Free => &[false, false, false, true, true, true],
    };
    let mut before = tree.tip_node(parent);
    for (i, (&turns, c)) in turns.iter().zip(&joint.coordinates).enumerate() {
        let rotor = c.rotor_inertia;
        let (first, last) = (i == 0, i + 1 == nv);
        tree.nodes.push(Node { parent: before, link, turns, first, last, rotor, ghost: 0.0 });
        before = v + i;
    }
    tree.links.push(Link {
        parent,
        motion,
        base,
        unturned: base.R == Matrix3::identity(),
        q,
        v,
        nv,
        ratio: joint.coordinates[0].ratio,
        offset: joint.coordinates[0].offset,
        inertia: Inertia::massless().about_origin(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_inertia_must_be_asked_for() {
        let moments = Vector3::new(1.0, 0.1, 0.1);
        let inertia = |mass| Inertia {
            mass,
            com: Vector3::zeros(),
            about_com: Matrix3::from_diagonal(&moments),
        };
        let joint = || Joint::revolute("j", Vector3::z_axis(), Pose::identity());
        let refused = ModelBuilder::new().add_body("a", None, joint(), inertia(1.0));
        assert!(matches!(refused, Err(ModelError::Inertia { .. })));
        let mut builder = ModelBuilder::new();
        assert!(builder.add_body_as_written("a", None, joint(), inertia(1.0)).is_ok());
        assert!(builder.add_body_as_written("b", None, joint(), inertia(f64::NAN)).is_err());
    }

    #[test]
    fn names_of_one_sort_differ() {
        let mut builder = ModelBuilder::new();
        let ball = Inertia::point(1.0, Vector3::x()).unwrap();
        let joint = |name: &str| Joint::revolute(name, Vector3::z_axis(), Pose::identity());
        builder.add_body("a", None, joint("a"), ball).unwrap();
        for (body, hinge, what) in [("a", "b", "body"), ("b", "a", "joint")] {
            let refused = builder.add_body(body, None, joint(hinge), ball);
            assert_eq!(refused, Err(ModelError::Duplicate { what, name: "a".into() }));
        }
        // A refused body leaves no name behind.
        assert!(builder.add_body("b", None, joint("b"), ball).is_ok());
    }
}
