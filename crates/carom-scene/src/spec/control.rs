//! Keys of actuators and controllers.

use super::kind::{Kind, Range, TableSpec, field};
use Kind::{Number, Numbers, Text};
use Range::{MayBeInfinite, NotNegativeMayBeInfinite};

/// A motor.
pub(crate) static ACTUATOR: TableSpec = TableSpec {
    noun: "actuator",
    doc: "A motor on a revolute or prismatic joint. A joint with a finite `effort` > 0, such as URDF \
          files state, that no actuator names has one of its own name.",
    groups: &[&[
        field("joint", Text, "", "the joint of that name", "The joint that it drives."),
        field(
            "limit",
            Number(NotNegativeMayBeInfinite),
            "N·m or N",
            "the joint's effort",
            "Largest force on the motor's coordinate, either way.",
        ),
        field(
            "limits",
            Numbers(2, MayBeInfinite),
            "N·m or N",
            "∓ limit",
            "Least and largest force on the motor's coordinate, where they differ; they enclose 0.",
        ),
    ]],
};
