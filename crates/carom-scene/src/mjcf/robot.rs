//! A whole model: its sections to parts.

use super::actuator::motors;
use super::body::Tree;
use super::contact::{Touching, features};
use super::defaults::Defaults;
use super::equality::{equalities, loops};
use super::inertia::scale_total;
use super::keyframe::keyframe;
use super::left_out::LeftOut;
use super::mesh::Meshes;
use super::replicate::replicate;
use super::settings::Settings;
use super::springs::spring_dampers;
use super::tag::{Attribute, Reader, Tag, check_names};
use crate::convex_pieces::Cut;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::source::shorten;
use crate::warning::Cautions;
use carom::spatial::Pose;

/// What a scene asks of a model.
pub(crate) struct Request<'a> {
    pub source: usize,
    /// Put before every name.
    pub prefix: &'a str,
    /// Where the world of the model sits.
    pub place: Pose,
    /// The keyframe that it starts with.
    pub keyframe: Option<Attribute>,
    /// Restitution of its pairs.
    pub restitution: f64,
    /// Whether its contacts are read.
    pub contacts: bool,
    /// What meshes touch with.
    pub meshes: Option<Cut>,
}

/// Read a model; every name gets the prefix.
pub(crate) fn read(
    request: &Request<'_>,
    mut reader: Reader<'_>,
    cautions: &mut Cautions,
) -> Result<Parts, Flaw> {
    let mut model = reader.tree(request.source)?;
    if model.name != "mujoco" {
        let message = format!("the outer tag is <{}>, not <mujoco>", shorten(&model.name));
        return Err(Flaw::at(model.spot, Fault::Syntax { format: "MJCF", message }));
    }
    check_names(&model, "")?;
    let mut left_out = LeftOut::default();
    for (owner, spot) in std::mem::take(&mut reader.texts) {
        left_out.tell("text between tags", owner, "it has no meaning", spot);
    }
    left_out.model(&model);
    let settings = Settings::read(&model)?;
    replicate(&mut model, &settings)?;
    let defaults = Defaults::read(&model)?;
    let parts = parts(&model, request, (&settings, &defaults), (&mut reader, &mut left_out))?;
    cautions.append(&mut left_out.cautions);
    Ok(parts)
}

fn parts(
    model: &Tag,
    request: &Request<'_>,
    (settings, defaults): (&Settings, &Defaults<'_>),
    (reader, left_out): (&mut Reader<'_>, &mut LeftOut),
) -> Result<Parts, Flaw> {
    let mut meshes = Meshes::new(model, defaults, settings, (reader, request.meshes));
    left_out.meshes = request.meshes.is_none();
    let mut tree = Tree::new(model, (settings, defaults), request.prefix, left_out);
    for world in model.all("worldbody") {
        tree.world(world, &request.place, &mut meshes)?;
    }
    scale_total(&mut tree.parts, settings)?;
    let (features, of_geom) = features(&tree);
    let mut own = LeftOut::default();
    let touching = Touching {
        model,
        tree: &tree,
        features: &features,
        of_geom: &of_geom,
        restitution: request.restitution,
    };
    let pairs = match request.contacts {
        true => touching.pairs(defaults, settings, &mut own)?,
        false => Vec::new(),
    };
    let loops = loops(model, (defaults, settings), &tree)?;
    let Tree { parts: mut bodies, mut seats, left_out, .. } = tree;
    let context = (defaults, settings, request.prefix);
    let mut motors = match settings.actuation {
        true => motors(model, context, &mut seats, left_out)?,
        false => Vec::new(),
    };
    // Motors have added their armature and damping.
    for seat in &seats {
        bodies[seat.part].joint.coordinate = seat.joint.part.coordinate;
    }
    equalities(model, context, (&seats, &mut bodies), left_out)?;
    if let Some(wanted) = &request.keyframe {
        let frame = (&request.place, request.prefix);
        keyframe(model, wanted, frame, (&seats, &mut bodies), &mut motors)?;
    }
    let mut parts = Parts {
        bodies,
        features,
        pairs,
        motors,
        loops,
        gravity: Some(settings.gravity),
        ..Parts::default()
    };
    spring_dampers(&mut parts, &seats)?;
    for (caution, spot) in own.cautions {
        left_out.cautions.push((caution, spot));
    }
    Ok(parts)
}
