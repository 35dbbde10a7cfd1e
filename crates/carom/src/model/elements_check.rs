//! Ranges of the numbers of loops, springs and loads.

use super::builder::in_range;
use super::{Anchor, Load, Loop, LoopKind, ModelError, PointSpring};
use nalgebra::Vector3;

/// A loop with finite places, and a distance above zero.
pub(super) fn check_loop(one: &Loop) -> Result<(), ModelError> {
    if let LoopKind::Distance { length } = one.kind {
        let holds = length.is_finite() && length > 0.0;
        in_range("loop", &one.name, "length", length, holds, "> 0 (a point loop has none)")?;
    }
    let place = |anchor: &Anchor| {
        let X = anchor.placement;
        X.r.iter().chain(X.R.iter()).find(|x| !x.is_finite()).copied()
    };
    for value in [&one.a, &one.b].into_iter().filter_map(place) {
        in_range("loop", &one.name, "place", value, false, "finite")?;
    }
    Ok(())
}

/// A spring with finite places and numbers that are not negative.
pub(super) fn check_spring(spring: &PointSpring) -> Result<(), ModelError> {
    let numbers = [
        ("stiffness", spring.stiffness),
        ("rest length", spring.rest),
        ("damping", spring.damping),
    ];
    for (field, value) in numbers {
        let holds = value.is_finite() && value >= 0.0;
        in_range("spring", &spring.name, field, value, holds, "≥ 0")?;
    }
    finite("spring", &spring.name, "place", &spring.a.point)?;
    finite("spring", &spring.name, "place", &spring.b.point)
}

/// A load of finite numbers.
pub(super) fn check_load(load: &Load) -> Result<(), ModelError> {
    match load {
        Load::Body { point, force, moment, .. } => {
            finite("load", "force", "point", point)?;
            finite("load", "force", "force", force)?;
            finite("load", "force", "moment", moment)
        }
        Load::Joint { torque, .. } => {
            in_range("load", "torque", "torque", *torque, torque.is_finite(), "finite")
        }
    }
}

fn finite(
    what: &'static str,
    name: &str,
    field: &'static str,
    x: &Vector3<f64>,
) -> Result<(), ModelError> {
    x.iter().try_for_each(|&x| in_range(what, name, field, x, x.is_finite(), "finite"))
}
