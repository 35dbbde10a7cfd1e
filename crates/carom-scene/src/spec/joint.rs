//! Keys of joints.

use super::body::ROTATION;
use super::kind::{Field, Kind, Range, TableSpec, field};
use super::words::JOINTS;
use Kind::{Angle, Angles, Any, Number, Table, Text, Vector, Word};
use Range::{Finite, MayBeInfinite, NotNegative, NotNegativeMayBeInfinite, NotZero, Unit};

/// A joint on its own.
pub(crate) static JOINT: TableSpec = TableSpec {
    noun: "joint",
    doc: "A joint between two bodies; or, under the name of a joint of an included URDF, what that \
          joint has in addition.",
    groups: &[&[field("child", Text, "", "needed", "The body that it carries.")], JOINT_FIELDS],
};

/// A joint inside a body.
pub(crate) static INLINE_JOINT: TableSpec = TableSpec {
    noun: "joint",
    doc: "The joint that carries the body in which it is written.",
    groups: &[&[field("name", Text, "", "that of the body", "Name of the joint.")], JOINT_FIELDS],
};

static JOINT_FIELDS: &[Field] = &[
    field("type", Word(JOINTS), "", "needed", "What motion it allows."),
    field("parent", Text, "", "the world", "The body that carries the joint."),
    field("position", Vector, "m", "0", "Origin of the joint frame in the parent's frame."),
    field(
        "rotation",
        ROTATION,
        "rad",
        "0",
        "Orientation of the joint frame in the parent's frame.",
    ),
    field(
        "axis",
        Vector,
        "",
        "z for revolute; x for prismatic",
        "Axis in the joint frame, of any length. A revolute joint of a planar scene has none.",
    ),
    field("initial", Angle(Finite), "rad or m", "0", "Angle or position at the start."),
    field("initial_rate", Angle(Finite), "rad/s or m/s", "0", "Its rate at the start."),
    field("spring", Table(&SPRING), "", "none", "A spring on the joint's angle or position."),
    field("damping", Number(NotNegative), "N·m·s/rad or N·s/m", "0", "Viscous damping."),
    field(
        "friction",
        Number(NotNegative),
        "N·m or N",
        "0",
        "Dry friction while the joint moves; alone it holds for sticking as well.",
    ),
    field(
        "static_friction",
        Number(NotNegative),
        "N·m or N",
        "the same as friction",
        "Dry friction up to which the joint holds still, at least `friction`.",
    ),
    field("torque", Number(Finite), "N·m or N", "0", "A constant torque or force on the joint."),
    field(
        "limits",
        Any(&[LIMIT_PAIR, Table(&LIMITS)]),
        "rad or m",
        "none",
        "Lower and upper end of the range.",
    ),
    field("effort", Number(NotNegativeMayBeInfinite), "N·m or N", "inf", "Largest motor force."),
    field(
        "ratio",
        Number(NotZero),
        "",
        "1",
        "Transmission: joint angle = ratio × motor angle + offset; the coordinate is the motor's.",
    ),
    field("offset", Angle(Finite), "rad or m", "0", "Joint angle where the motor angle is 0."),
    field(
        "rotor_inertia",
        Number(NotNegative),
        "kg·m² or kg",
        "0",
        "Inertia of the rotor about the motor's axis.",
    ),
    field("mimic", Table(&MIMIC), "", "none", "Another joint that leads this one."),
    field(
        "prescribed",
        Table(&PRESCRIBED),
        "",
        "none",
        "A motion in time that the joint is made to have.",
    ),
];

const LIMIT_PAIR: Kind = Angles(2);

/// A spring.
pub(crate) static SPRING: TableSpec = TableSpec {
    noun: "spring",
    doc: "A linear spring.",
    groups: &[&[
        field("stiffness", Number(NotNegative), "N·m/rad or N/m", "needed", "Stiffness."),
        field("rest", Angle(Finite), "rad or m", "0", "Angle or position without force."),
    ]],
};

/// Joint limits.
pub(crate) static LIMITS: TableSpec = TableSpec {
    noun: "limits",
    doc: "The range of a joint.",
    groups: &[&[
        field("lower", Angle(MayBeInfinite), "rad or m", "-inf", "Lower end."),
        field("upper", Angle(MayBeInfinite), "rad or m", "inf", "Upper end."),
        field("restitution", Number(Unit), "", "0", "Restitution when an end is hit."),
    ]],
};

/// A joint that follows.
pub(crate) static MIMIC: TableSpec = TableSpec {
    noun: "mimic",
    doc: "This joint's angle = ratio × the other's + offset.",
    groups: &[&[
        field("joint", Text, "", "needed", "The joint that leads."),
        field("ratio", Number(Finite), "", "1", "This joint's angle per the other's."),
        field(
            "offset",
            Angle(Finite),
            "rad or m",
            "0",
            "This joint's angle where the other's is 0.",
        ),
    ]],
};

/// A motion in time.
pub(crate) static PRESCRIBED: TableSpec = TableSpec {
    noun: "prescribed",
    doc: "The joint's angle or position is s(t) = offset + rate t + amplitude sin(2π frequency t + phase) + expression; \
          the work that this takes is counted as applied.",
    groups: &[&[
        field("offset", Angle(Finite), "rad or m", "0", "Constant part."),
        field("rate", Angle(Finite), "rad/s or m/s", "0", "Constant rate."),
        field("amplitude", Angle(Finite), "rad or m", "0", "Amplitude of the oscillation."),
        field("frequency", Number(NotNegative), "Hz", "0", "Frequency of the oscillation."),
        field("phase", Angle(Finite), "rad", "0", "Phase of the oscillation."),
        field(
            "expression",
            Text,
            "rad or m",
            "0",
            "An expression of t, such as \"0.1 * sin(t)^2 * tanh(t)\", with a continuous rate.",
        ),
    ]],
};
