//! `[[urdf]]`: included robots.

use crate::convex_pieces::Cut;
use crate::error::Flaw;
use crate::files::Files;
use crate::parts::{At, Parts, Turn};
use crate::read::shape::auto_of_robot;
use crate::read::srdf::disabled;
use crate::read::view::View;
use crate::shelf::Shelf;
use crate::source::Sources;
use crate::spec::run::URDF;
use crate::urdf;
use crate::urdf::collision::RobotMeshes;
use crate::warning::Cautions;
use carom::model::JointKind;
use nalgebra::{Matrix3, Vector3};

/// All included robots.
pub(crate) fn robots(
    scene: &View<'_>,
    sources: &mut Sources,
    files: &mut Files,
    cautions: &mut Cautions,
) -> Result<Parts, Flaw> {
    let mut parts = Parts::default();
    for table in scene.list("urdf", &URDF) {
        let file = table.text("file").ok_or_else(|| table.missing("file", "a path"))?;
        let source = files.source(file, sources).map_err(|fault| table.flaw("file", fault))?;
        let prefix = table.text("prefix").unwrap_or("");
        let cut = Cut::stated(table.text("meshes"), auto_of_robot(&table)?);
        let text = sources.text(source).to_string();
        let folder = if files.is_scene(file) { "" } else { file };
        let mut shelf = Shelf::new(sources, files);
        let meshes = cut.map(|cut| RobotMeshes { cut, robot: folder, shelf: &mut shelf });
        let mut robot = urdf::read(&text, source, prefix, (meshes, cautions))?;
        place_root(&table, &mut robot)?;
        let as_written = table.text("inertia") == Some("as_written");
        urdf::lump::check(&robot, as_written, cautions)?;
        if let Some(srdf) = table.text("srdf") {
            let source = files.source(srdf, sources).map_err(|fault| table.flaw("srdf", fault))?;
            robot.disabled = disabled(sources.text(source), source, prefix, &robot)?;
        }
        parts.append(robot);
    }
    Ok(parts)
}

/// The joint between the world and the root link.
fn place_root(table: &View<'_>, robot: &mut Parts) -> Result<(), Flaw> {
    let Some(root) = robot.bodies.iter_mut().find(|b| b.is_fixed_root) else { return Ok(()) };
    let pose = table.pose()?;
    let floating = match table.text("floating_base") {
        Some(_) => Some(JointKind::Planar),
        None if table.flag("floating_base") == Some(true) => Some(match table.planar {
            true => JointKind::Planar,
            false => JointKind::Free,
        }),
        None => None,
    };
    let Some(kind) = floating else {
        root.joint.placement = pose;
        return Ok(());
    };
    root.joint.kind = kind;
    root.is_fixed_root = false;
    let angle = if table.planar { table.angle("rotation") } else { None };
    if pose.r != Vector3::zeros() {
        root.motion.position = Some(At { value: pose.r, spot: table.spot_of("position") });
    }
    if pose.R != Matrix3::identity() {
        let value = Turn { R: pose.R, angle };
        root.motion.rotation = Some(At { value, spot: table.spot_of("rotation") });
    }
    Ok(())
}
