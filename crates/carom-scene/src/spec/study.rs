//! Keys of studies.

use super::kind::{Kind, Range, TableSpec, field};
use Kind::{Angle, Count, Named, Text, Vector};
use Range::Finite;

/// A study of random jumps.
pub(crate) static STUDY: TableSpec = TableSpec {
    noun: "study",
    doc: "Random postures for `carom study`: motors' coordinates drawn from ranges, the free body moved \
          along the normal until the foot touches; postures with a joint or a centre of mass below the \
          ground are drawn again.",
    groups: &[&[
        field("samples", Count, "", "2000", "How many jumps."),
        field("seed", Count, "", "1", "What the random postures depend on."),
        field("foot", Text, "", "needed", "The contact that is put on the ground."),
        field("vary", Named(&VARY), "", "needed", "Ranges of motors' coordinates, by joint."),
        field(
            "body",
            Text,
            "",
            "that of the computed torque",
            "The body whose point is watched.",
        ),
        field("point", Vector, "m", "that of the computed torque, or 0", "The point in its frame."),
        field("goal", Vector, "m", "that of the computed torque", "Where the point should go."),
    ]],
};

/// A range.
pub(crate) static VARY: TableSpec = TableSpec {
    noun: "vary",
    doc: "The range of one coordinate.",
    groups: &[&[
        field("from", Angle(Finite), "rad or m", "needed", "Lower end."),
        field("to", Angle(Finite), "rad or m", "needed", "Upper end."),
    ]],
};
