//! Keys of actuators and controllers.

use super::joint::PRESCRIBED;
use super::kind::{Kind, Range, TableSpec, field};
use super::words::{CONTROLLERS, INTERPOLATIONS};
use Kind::{Any, Named, NamedAngles, Names, Number, Numbers, Text, Vector, Word};
use Range::{Finite, MayBeInfinite, NotNegative, NotNegativeMayBeInfinite};

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

/// A force by an expression.
pub(crate) static FORCE: TableSpec = TableSpec {
    noun: "force",
    doc: "A force on a joint or on a point of a body: numbers, or expressions of t, q and v. Its work is \
          applied work.",
    groups: &[&[
        field("joint", Text, "", "none", "The joint that it acts on."),
        field("body", Text, "", "none", "The body that it acts on, instead of a joint."),
        field("point", Vector, "m", "0", "The point in the frame of the body."),
        field(
            "force",
            Any(&[Number(Finite), Text, Names, Vector]),
            "N·m or N",
            "needed",
            "At a joint one number or expression; at a body 2 (planar) or 3, along the axes of the world.",
        ),
    ]],
};

/// A feedback law.
pub(crate) static CONTROLLER: TableSpec = TableSpec {
    noun: "controller",
    doc: "What motors are told. Commands of several controllers for one motor add up; the sum is cut \
          off at the motor's limits.",
    groups: &[&[
        field("type", Word(CONTROLLERS), "", "needed", "Which law."),
        field("actuators", Names, "", "all", "The motors that it commands."),
        field("body", Text, "", "needed", "`computed_torque`: the body whose point is moved."),
        field("point", Vector, "m", "0", "`computed_torque`: the point in the frame of the body."),
        field("goal", Vector, "m", "needed", "`computed_torque`: where the point should go."),
        field(
            "feet",
            Names,
            "",
            "none",
            "`computed_torque`: contacts on which the mechanism stands. Feet that touch are taken as \
             held, and without any the motors are passive. Without this key it is always active.",
        ),
        field(
            "angle",
            NamedAngles,
            "rad or m",
            "at the start",
            "`pd`: angles or positions of the motors' joints that are to be held.",
        ),
        field(
            "motion",
            Named(&PRESCRIBED),
            "",
            "none",
            "`pd`: motions that the motors' joints are to follow, instead of angles.",
        ),
        field(
            "stiffness",
            Any(&[Number(NotNegative), NamedAngles]),
            "1/s²; pd: N·m/rad or N/m",
            "needed",
            "Wanted acceleration, or for `pd` joint force, per error; for `pd` also by motor, \
             `{ hip = 60, knee = 40 }`.",
        ),
        field(
            "torque",
            NamedAngles,
            "N·m or N",
            "0",
            "`pd`: a constant force of each motor beside its feedback.",
        ),
        field(
            "damping",
            Any(&[Number(NotNegative), NamedAngles]),
            "1/s; pd: N·m·s/rad or N·s/m",
            "0",
            "The same per error of the rate; for `pd` also by motor.",
        ),
        field(
            "file",
            Text,
            "",
            "needed",
            "`table`: CSV file beside the scene, first line `t` and names of motors, then times and \
             torques.",
        ),
        field(
            "interpolation",
            Word(INTERPOLATIONS),
            "",
            "\"linear\"",
            "`table`: what holds between two rows.",
        ),
    ]],
};
