//! Keys of loops, springs between points and constant forces.

use super::body::ROTATION;
use super::kind::{Kind, Range, TableSpec, field};
use super::words::{AXES, LOOPS};
use Kind::{Angle, Any, Number, Numbers, Table, Text, Texts, Vector, Word};
use Range::{Finite, NotNegative, Positive};

/// A loop.
pub(crate) static LOOP: TableSpec = TableSpec {
    noun: "loop",
    doc: "Two frames that stay together although no joint of the tree joins them; or, of type `gear`, two joints \
          whose angles are tied.",
    groups: &[&[
        field("name", Text, "", "the two names joined by -", "Name of the loop."),
        field(
            "type",
            Word(LOOPS),
            "",
            "needed",
            "What holds: `point`, the two origins coincide; `hinge`, their axes too; `weld`, the two frames; `distance`, \
             the origins stay apart by a length; `gear`, the angle of the first joint is ratio × that of the second + \
             offset.",
        ),
        field("a", Table(&ANCHOR), "", "the origin of the world", "The frame on one side."),
        field("b", Table(&ANCHOR), "", "the origin of the world", "The frame on the other side."),
        field("length", Number(Positive), "m", "needed for `distance`", "The distance."),
        field(
            "joints",
            Texts(2),
            "",
            "needed for `gear`",
            "The joint that follows, and the one that leads.",
        ),
        field(
            "ratio",
            Number(Finite),
            "",
            "1",
            "For `gear`: angle of the first per angle of the second.",
        ),
        field(
            "offset",
            Angle(Finite),
            "rad or m",
            "0",
            "For `gear`: angle of the first where that of the second is 0.",
        ),
    ]],
};

/// One side of a loop.
pub(crate) static ANCHOR: TableSpec = TableSpec {
    noun: "anchor",
    doc: "A frame fixed to a body.",
    groups: &[&[
        field("body", Text, "", "the world", "The body."),
        field("position", Vector, "m", "0", "Origin of the frame in the frame of the body."),
        field(
            "rotation",
            ROTATION,
            "rad",
            "0",
            "Orientation of the frame in that of the body, for `weld`.",
        ),
        field(
            "axis",
            Numbers(3, Finite),
            "",
            "z",
            "Axis in the frame of the body, of any length, for `hinge` in space.",
        ),
    ]],
};

/// A spring between points.
pub(crate) static POINT_SPRING: TableSpec = TableSpec {
    noun: "spring",
    doc: "A linear spring and damper along the line between two points.",
    groups: &[&[
        field("name", Text, "", "the two names joined by -", "Name of the spring."),
        field("a", Table(&END), "", "the origin of the world", "One end."),
        field("b", Table(&END), "", "the origin of the world", "The other end."),
        field("stiffness", Number(NotNegative), "N/m", "0", "Stiffness."),
        field("rest", Number(NotNegative), "m", "0", "Length without force."),
        field("damping", Number(NotNegative), "N·s/m", "0", "Damping of the change of length."),
    ]],
};

/// An end of a spring.
pub(crate) static END: TableSpec = TableSpec {
    noun: "end",
    doc: "A point of a body.",
    groups: &[&[
        field("body", Text, "", "the world", "The body."),
        field("position", Vector, "m", "0", "The point in the frame of the body."),
    ]],
};

/// A constant force.
pub(crate) static LOAD: TableSpec = TableSpec {
    noun: "load",
    doc: "A constant force on a body, and a moment. Its work is counted as applied.",
    groups: &[&[
        field("body", Text, "", "needed", "The body."),
        field("position", Vector, "m", "0", "Where the force acts, in the frame of the body."),
        field("force", Vector, "N", "0", "The force."),
        field(
            "moment",
            Any(&[Number(Finite), Numbers(3, Finite)]),
            "N·m",
            "0",
            "A moment: one number about z in planar scenes, else three.",
        ),
        field(
            "axes",
            Word(AXES),
            "",
            "\"world\"",
            "Axes of force and moment; those of the body turn with it.",
        ),
    ]],
};
