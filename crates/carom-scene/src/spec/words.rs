//! Lists of words that a key may take.

/// Words of `space`.
pub(crate) const SPACES: &[&str] = &["spatial", "planar"];
/// Words of a joint's `type`.
pub(crate) const JOINTS: &[&str] =
    &["fixed", "revolute", "prismatic", "planar", "spherical", "free"];
/// Words of a loop's `type`.
pub(crate) const LOOPS: &[&str] = &["point", "hinge", "weld", "distance", "gear"];
/// Words of the axes of a force.
pub(crate) const AXES: &[&str] = &["world", "body"];
/// Words of `combine`.
pub(crate) const RULES: &[&str] = &["mean", "geometric", "product", "min", "max"];
/// Words of `law.formulation`.
pub(crate) const FORMULATIONS: &[&str] = &[
    "differential",
    "compliant",
    "algebraic",
    "constraint",
    "matrix",
    "dissipation",
    "newton",
    "poisson",
];
/// Words of `law.restitution`.
pub(crate) const RESTITUTIONS: &[&str] = &["kinematic", "kinetic", "energetic"];
/// Words of `law.method`.
pub(crate) const METHODS: &[&str] = &["whittaker", "brach"];
/// Words of `law.rule`.
pub(crate) const ORDERS: &[&str] = &["together", "sequential"];
/// Words of `law.energy_control.method`.
pub(crate) const ENERGY_CONTROLS: &[&str] = &["attenuation", "constraint"];
/// Words of `solver.scheme`.
pub(crate) const SCHEMES: &[&str] = &["events", "moreau"];
/// Words of `solver.method`.
pub(crate) const INTEGRATORS: &[&str] = &["dopri5", "dop853", "rk4"];
/// Words of `solver.friction_events`.
pub(crate) const FRICTION_EVENTS: &[&str] = &["located", "projected"];
/// Words of the shapes, in the order in which they are looked for.
pub(crate) const SHAPES: &[&str] = &[
    "point",
    "rod",
    "box",
    "disk",
    "ellipse",
    "sphere",
    "ellipsoid",
    "capsule",
    "cylinder",
    "polygon",
    "convex",
    "mesh",
    "terrain",
    "plane",
];
/// Words of `controller.type`.
pub(crate) const CONTROLLERS: &[&str] = &["computed_torque", "pd", "table"];
/// Words of `controller.interpolation`.
pub(crate) const INTERPOLATIONS: &[&str] = &["linear", "hold"];
/// Words of `urdf.meshes`.
pub(crate) const MESHES: &[&str] = &["none", "hull", "pieces", "auto"];
/// Words of `shape.pieces`.
pub(crate) const PIECES: &[&str] = &["connected", "auto"];
/// Words of `urdf.inertia`.
pub(crate) const INERTIAS: &[&str] = &["physical", "as_written"];

#[cfg(test)]
mod tests {
    use super::*;
    use carom::impact::catalogue::CATALOGUE;
    use carom::impact::{Restitution, SeveralContacts};

    /// Scenes spell laws as the core does.
    #[test]
    fn words_of_laws_are_those_of_the_core() {
        let wrappers = ["rule", "attenuation"];
        let laws = CATALOGUE.iter().map(|law| law.formulation).filter(|f| !wrappers.contains(f));
        assert_eq!(laws.collect::<Vec<_>>(), FORMULATIONS);
        assert_eq!(Restitution::ALL.map(Restitution::as_str), RESTITUTIONS);
        assert_eq!(SeveralContacts::ALL.map(SeveralContacts::as_str), ORDERS);
    }
}
