//! Links: inertia and collision shapes.

use super::element::{Element, Grammar};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::Spot;
use crate::warning::{Caution, Cautions};
use carom::spatial::{Inertia, InertiaError, Pose};
use nalgebra::{Matrix3, Vector3};

const LINK: Grammar = Grammar {
    tags: &["inertial", "collision", "visual"],
    left_out: &[
        ("contact", "restitution and friction belong to pairs, in the scene"),
        ("surface", "restitution and friction belong to pairs, in the scene"),
        ("gravity", "gravity acts on all bodies"),
        ("kinematic", "every link is dynamic"),
        ("self_filter", "contact pairs are stated in the scene"),
        ("collision_checking", "contact pairs are stated in the scene"),
        ("origin", "a link has no origin of its own: its joint places it"),
        ("sensor", "sensors are not simulated"),
    ],
    silent: &[],
    attributes: &["name", "type"],
    foreign: &[],
};

const INERTIAL: Grammar = Grammar {
    tags: &["origin", "mass", "inertia"],
    left_out: &[],
    silent: &[],
    attributes: &[],
    foreign: &[],
};

const MASS: Grammar =
    Grammar { tags: &[], left_out: &[], silent: &[], attributes: &["value"], foreign: &[] };

const MOMENTS: &[&str] = &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];

const INERTIA: Grammar =
    Grammar { tags: &[], left_out: &[], silent: &[], attributes: MOMENTS, foreign: &[] };

/// Check the tags of a link; its inertia, whether it is doubtful, and where it is written.
pub(crate) fn inertia(
    link: &Element<'_, '_>,
    name: &str,
    cautions: &mut Cautions,
) -> Result<(Inertia, Option<InertiaError>, Spot), Flaw> {
    link.check(&LINK, cautions)?;
    let Some(inertial) = link.one("inertial")? else {
        return Ok((Inertia::massless(), None, link.spot()));
    };
    inertial.check(&INERTIAL, cautions)?;
    let pose = inertial.origin(cautions)?;
    let mass = inertial.needed("mass", "a tag <mass value=\"…\"/>")?;
    mass.check(&MASS, cautions)?;
    let kilograms = mass.needed_number("value")?;
    let about_com = match inertial.one("inertia")? {
        Some(tag) => moments(&tag, cautions)?,
        None => return Err(inertial.missing("tag", "inertia", "a tag <inertia ixx=\"…\" …/>")),
    };
    if kilograms == 0.0 {
        if about_com != Matrix3::zeros() {
            cautions.push((Caution::MassZero { link: name.into() }, mass.spot_of("value")));
        }
        return Ok((Inertia::massless(), None, mass.spot()));
    }
    let turned = Inertia { mass: kilograms, com: Vector3::zeros(), about_com }.in_frame(&pose);
    match Inertia::new(turned.mass, turned.com, turned.about_com) {
        Ok(inertia) => Ok((inertia, None, inertial.spot())),
        Err(doubt @ (InertiaError::Triangle { .. } | InertiaError::Negative { .. })) => {
            let spot = inertial.all("inertia").next().map_or(inertial.spot(), |tag| tag.spot());
            Ok((turned, Some(doubt), spot))
        }
        Err(source) => {
            let fault = Fault::Inertia { body: name.into(), source };
            Err(Flaw::value(mass.spot_of("value"), "mass", "kg", fault))
        }
    }
}

fn moments(tag: &Element<'_, '_>, cautions: &mut Cautions) -> Result<Matrix3<f64>, Flaw> {
    tag.check(&INERTIA, cautions)?;
    let at = |name: &'static str| tag.needed_number(name);
    let (xx, xy, xz) = (at("ixx")?, at("ixy")?, at("ixz")?);
    let (yy, yz, zz) = (at("iyy")?, at("iyz")?, at("izz")?);
    Ok(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}

/// A pose that turns z onto x: shapes along z in URDF lie along x in the model.
pub(crate) fn z_to_x() -> Pose {
    Pose::rotation(Matrix3::new(0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0))
}
