//! Keys of bodies, shapes and features.

use super::joint::INLINE_JOINT;
use super::kind::{Field, Kind, Range, TableSpec, field};
use super::words::PIECES;
use Kind::{
    Angle, Angles, Any, Corners, Count, Flag, Matrix, Named, Number, Numbers, Rows, Sizes, Table,
    Text, Vector, Word,
};
use Range::{Finite, NotNegative, NotZero, Positive, Unit};

/// A body.
pub(crate) static BODY: TableSpec = TableSpec {
    noun: "body",
    doc: "A rigid body. Without a joint it is free (planar in planar scenes) if it has mass, and \
          fixed to the world if it has none.",
    groups: &[&[
        field("mass", Number(Positive), "kg", "none", "Mass."),
        field(
            "density",
            Number(Positive),
            "kg/m³",
            "none",
            "Density of the shape, instead of the mass.",
        ),
        field(
            "depth",
            Number(Positive),
            "m",
            "none",
            "Thickness of a disk, an ellipse or a planar box, for the density.",
        ),
        field("com", Vector, "m", "centre of the shape", "Centre of mass in the body frame."),
        field(
            "inertia",
            Any(&[Number(NotNegative), Numbers(3, Finite), Matrix]),
            "kg·m²",
            "that of the shape",
            "About the centre of mass: one number in planar scenes, else three principal moments \
             along the axes of the body, or the matrix by rows.",
        ),
        field(
            "shape",
            Any(&[Word(&["point", "plane"]), Table(&SHAPE)]),
            "",
            "none",
            "Gives the inertia, and a contact feature with the name of the body.",
        ),
        field("joint", Table(&INLINE_JOINT), "", "none", "The joint that carries the body."),
        field("feature", Named(&FEATURE), "", "none", "Further contact features."),
        field(
            "position",
            Vector,
            "m",
            "0",
            "Origin of the body frame: at the start if the body is free, for good if it is fixed.",
        ),
        field("rotation", ROTATION, "rad", "0", "Orientation of the body frame, likewise."),
        field("velocity", Vector, "m/s", "0", "Velocity of the origin at the start."),
        field(
            "angular_velocity",
            Any(&[Angle(Finite), Numbers(3, Finite)]),
            "rad/s",
            "0",
            "Angular velocity at the start, along the axes of the world.",
        ),
        field(
            "restitution",
            Number(Unit),
            "",
            "none",
            "Restitution of this body's side of a contact.",
        ),
        field("friction", Number(NotNegative), "", "none", "Dynamic friction of this side."),
        field("static_friction", Number(NotNegative), "", "none", "Static friction of this side."),
    ]],
};

/// An orientation in any of its forms.
pub(crate) const ROTATION: Kind = Any(&[Angle(Finite), Angles(3), Table(&TURN)]);

/// An orientation as a table.
pub(crate) static TURN: TableSpec = TableSpec {
    noun: "rotation",
    doc: "An orientation: an angle about z; or roll, pitch and yaw about the fixed axes x, y, z in \
          turn (as in URDF); or a table with axis and angle, or a quaternion.",
    groups: &[&[
        field("axis", Numbers(3, Finite), "", "none", "Axis of the turn."),
        field("angle", Angle(Finite), "rad", "none", "Angle about the axis."),
        field("quaternion", Numbers(4, Finite), "", "none", "w, x, y, z."),
    ]],
};

/// A shape.
pub(crate) static SHAPE: TableSpec = TableSpec {
    noun: "shape",
    doc: "Exactly one shape, and where its centre sits in the body frame.",
    groups: &[SHAPE_FIELDS],
};

static SHAPE_FIELDS: &[Field] = &[
    field("point", Vector, "m", "none", "A point at this place."),
    field(
        "rod",
        Any(&[Number(Positive), Table(&ROD)]),
        "m",
        "none",
        "A thin rod along x, by its length.",
    ),
    field("box", Sizes, "m", "none", "A box by its edge lengths."),
    field("disk", Number(Positive), "m", "none", "A flat disk in the x–y plane, by its radius."),
    field(
        "ellipse",
        Numbers(2, Positive),
        "m",
        "none",
        "A flat ellipse in the x–y plane, by its semi-axes along x and y.",
    ),
    field("sphere", Number(Positive), "m", "none", "A ball by its radius."),
    field(
        "ellipsoid",
        Numbers(3, Positive),
        "m",
        "none",
        "An ellipsoid by its semi-axes along x, y, z.",
    ),
    field("capsule", Table(&ROUND), "m", "none", "A capsule along x."),
    field("cylinder", Table(&ROUND), "m", "none", "A cylinder along z (spatial scenes)."),
    field(
        "plane",
        Table(&PLANE),
        "",
        "normal along y (planar) or z",
        "Everything behind a plane through the centre; the word \"plane\" alone means the default.",
    ),
    field(
        "polygon",
        Corners(3),
        "m",
        "none",
        "A convex polygon by its corners, in turn (planar scenes). It is where its corners are: \
         `position` shifts it.",
    ),
    field(
        "convex",
        Corners(4),
        "m",
        "none",
        "The convex hull of points (spatial scenes). It is where its points are: `position` shifts it.",
    ),
    field(
        "mesh",
        Text,
        "",
        "none",
        "The pieces of a mesh file, STL, OBJ, DAE or MSH (spatial scenes): triangles that share points are one \
         piece, which must be convex. Several pieces are the features NAME.1, NAME.2, …; NAME means all of \
         them. It is where its points are: `position` shifts it.",
    ),
    field(
        "terrain",
        Table(&TERRAIN),
        "",
        "none",
        "Ground made of triangles, in planar scenes of a line.",
    ),
    field(
        "scale",
        Any(&[Number(Positive), Numbers(3, NotZero)]),
        "",
        "1",
        "Size of a mesh in units of its file; three numbers along its axes.",
    ),
    field(
        "hull",
        Flag,
        "",
        "false",
        "Whether the convex hull of all points stands for a mesh, also where it is not convex.",
    ),
    field(
        "pieces",
        Word(PIECES),
        "",
        "\"connected\"",
        "How a mesh is cut: by its connected parts and objects, which must be convex, or by planes that are found (\"auto\"; a closed mesh).",
    ),
    field("max_pieces", Count, "", "32", "Most pieces that planes cut a mesh into, 256 at most."),
    field(
        "concavity",
        Number(Positive),
        "m",
        "0.01 of the size of the mesh",
        "How far the pieces that planes make may go beyond the mesh. A value that is stated and not kept is an error; what was reached is \
         told in any case.",
    ),
    field(
        "rounding",
        Number(NotNegative),
        "m",
        "0",
        "Radius of a ball that sweeps a box, a polygon, a convex hull or a mesh: rounds its edges and makes it \
         larger by as much. It does not enter the inertia.",
    ),
    field("position", Vector, "m", "0", "Centre of the shape."),
    field("rotation", ROTATION, "rad", "0", "Orientation of the shape."),
];

/// A contact feature.
pub(crate) static FEATURE: TableSpec = TableSpec {
    noun: "feature",
    doc: "A shape that may touch, without inertia; it is called BODY.NAME in contacts.",
    groups: &[
        SHAPE_FIELDS,
        &[
            field("restitution", Number(Unit), "", "that of the body", "Restitution of this side."),
            field(
                "friction",
                Number(NotNegative),
                "",
                "that of the body",
                "Dynamic friction of this side.",
            ),
            field(
                "static_friction",
                Number(NotNegative),
                "",
                "that of the body",
                "Static friction of this side.",
            ),
        ],
    ],
};

/// A rod with a cross-section.
pub(crate) static ROD: TableSpec = TableSpec {
    noun: "rod",
    doc: "A thin rod along x.",
    groups: &[&[
        field("length", Number(Positive), "m", "needed", "Length."),
        field("area", Number(Positive), "m²", "none", "Cross-section, for the density."),
    ]],
};

/// A capsule or a cylinder.
pub(crate) static ROUND: TableSpec = TableSpec {
    noun: "shape",
    doc: "A capsule or a cylinder.",
    groups: &[&[
        field("radius", Number(Positive), "m", "needed", "Radius."),
        field(
            "length",
            Number(Positive),
            "m",
            "needed",
            "Length; of a capsule, without the half balls at its ends.",
        ),
    ]],
};

/// Ground.
pub(crate) static TERRAIN: TableSpec = TableSpec {
    noun: "terrain",
    doc: "Ground made of triangles, counter-clockwise as seen from the free side, or in planar scenes of a line with the free side on its left; \
          what is behind them is solid. Exactly one of `heights`, `outline`, `points` and `mesh`; of a line `heights` or `points`.",
    groups: &[&[
        field(
            "heights",
            Rows,
            "m",
            "none",
            "Heights along z over a grid: rows from the lowest y to the highest, in each from the lowest x to the \
             highest. Each cell is two triangles. In planar scenes one row, heights along y.",
        ),
        field(
            "size",
            Any(&[Number(Positive), Numbers(2, Positive)]),
            "m",
            "needed for `heights`",
            "Lengths of the grid along x and y, in planar scenes its length along x; its middle is the centre of the shape.",
        ),
        field("outline", Corners(3), "m", "none", "A flat convex polygon, by its corners in turn."),
        field(
            "points",
            Corners(2),
            "m",
            "none",
            "Points of the triangles; in planar scenes those of the line, in turn, the free side on the left of the way.",
        ),
        field(
            "triangles",
            Corners(1),
            "",
            "needed for `points`",
            "Three numbers of points each, from 0.",
        ),
        field("mesh", Text, "", "none", "A file of triangles: STL, OBJ, DAE or MSH."),
        field(
            "scale",
            Any(&[Number(Positive), Numbers(3, NotZero)]),
            "",
            "1",
            "Size of a mesh in units of its file; three numbers along its axes.",
        ),
    ]],
};

/// A plane.
pub(crate) static PLANE: TableSpec = TableSpec {
    noun: "plane",
    doc: "A half-space behind a plane.",
    groups: &[&[
        field("normal", Vector, "", "along y (planar) or z", "Outward normal, of any length."),
        field(
            "slope",
            Angle(Finite),
            "rad",
            "0",
            "Instead of the normal: how steeply the surface rises along x.",
        ),
    ]],
};
