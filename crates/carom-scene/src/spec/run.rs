//! Keys of contacts, included robots, the start, laws and runs.

use super::body::ROTATION;
use super::kind::{Field, Kind, Range, TableSpec, field};
use super::words::{
    ENERGY_CONTROLS, FORMULATIONS, FRICTION_EVENTS, INERTIAS, INTEGRATORS, MESHES, METHODS, ORDERS,
    RESTITUTIONS, RULES, SCHEMES,
};
use Kind::{
    Angle, Any, Count, Flag, Named, NamedAngles, Names, Number, Numbers, Table, Text, TextPairs,
    Texts, Vector, Word,
};
use Range::{Finite, NotNegative, Positive, Tolerance, Unit};

/// A contact pair.
pub(crate) static CONTACT: TableSpec = TableSpec {
    noun: "contact",
    doc: "Pairs that may touch: between two sides, or among the parts of one (`self`). A body with \
          several features makes one pair for each.",
    groups: &[
        &[
            field(
                "between",
                Texts(2),
                "",
                "needed, or `self`",
                "Two sides: bodies (all their features), features BODY.NAME, groups, or patterns such as \
             \"robot.*\".",
            ),
            field(
                "self",
                Text,
                "",
                "none",
                "Instead of `between`: one side whose parts may touch each other, those that a joint ties \
             left out.",
            ),
            field(
                "except",
                TextPairs,
                "",
                "none",
                "Pairs of sides that are left out of patterns, groups and `self`.",
            ),
            field("name", Text, "", "the two names joined by -", "Name of the pair."),
            field(
                "restitution",
                Number(Unit),
                "",
                "from the sides",
                "Coefficient of restitution e.",
            ),
            field(
                "friction",
                Number(NotNegative),
                "",
                "from the sides",
                "Coefficient of friction μ; alone it holds for sliding and sticking.",
            ),
        ],
        FURTHER_FRICTION,
        &[
            field("combine", Table(&COMBINE), "", "that of the scene", "Rules for this pair."),
            field(
                "while",
                Text,
                "",
                "always",
                "A condition: the contact is there while it holds, such as \"t < 2\" or \"q.hip > 0.1\".",
            ),
            field(
                "touch",
                Text,
                "",
                "always",
                "A condition: the contact may close while it holds, and once closed stays until it lifts off.",
            ),
            field("law", Table(&LAW), "", "that of the scene", "Impact law of this pair."),
        ],
    ],
};

/// Friction beside that of sliding, of a contact and of a pile.
const FURTHER_FRICTION: &[Field] = &[
    field(
        "static_friction",
        Number(NotNegative),
        "",
        "the same as friction",
        "Coefficient of friction while sticking, at least `friction`.",
    ),
    field(
        "rolling_friction",
        Number(NotNegative),
        "m",
        "0",
        "Rolling friction: the moment across the normal is at most this length times the normal force.",
    ),
    field(
        "spinning_friction",
        Number(NotNegative),
        "m",
        "0",
        "Spinning friction: the moment about the normal is at most this length times the normal force \
         (spatial scenes).",
    ),
];

/// Features any two of which may touch.
pub(crate) static PILE: TableSpec = TableSpec {
    noun: "pile",
    doc: "Bodies or features any two of which may touch, with one restitution, friction, rolling and spinning friction: a pile. Features of one body, of two fixed bodies, and of a body and its carrier do not touch. \
          Contacts of piles of more than 64 features have no columns of their own.",
    groups: &[
        &[
            field(
                "of",
                Names,
                "",
                "needed",
                "Bodies (all their features), features, groups, or patterns such as \"grain*\".",
            ),
            field("name", Text, "", "pile and its number", "Name of the pile."),
            field("restitution", Number(Unit), "", "needed", "Coefficient of restitution e."),
            field(
                "friction",
                Number(NotNegative),
                "",
                "needed",
                "Coefficient of friction μ; alone it holds for sliding and sticking.",
            ),
        ],
        FURTHER_FRICTION,
    ],
};

/// Combination rules.
pub(crate) static COMBINE: TableSpec = TableSpec {
    noun: "combine",
    doc: "How two sides that each state a value make one. Without a rule that is an error.",
    groups: &[&[
        field("restitution", Word(RULES), "", "none", "Rule for restitution."),
        field("friction", Word(RULES), "", "none", "Rule for both coefficients of friction."),
    ]],
};

/// An included robot.
pub(crate) static URDF: TableSpec = TableSpec {
    noun: "urdf",
    doc: "A robot description. Its links are bodies, its joints joints, its collision shapes \
          features of the scene.",
    groups: &[&[
        field("file", Text, "", "needed", "Path, relative to the scene file."),
        field(
            "floating_base",
            Any(&[Flag, Word(&["planar"])]),
            "",
            "false",
            "Whether the root link is free; \"planar\": free in the x–y plane.",
        ),
        field(
            "inertia",
            Word(INERTIAS),
            "",
            "\"physical\"",
            "Whether rigid parts whose inertia no body has are an error, or used as they are \
             written.",
        ),
        field(
            "meshes",
            Word(MESHES),
            "",
            "\"none\"",
            "What collision meshes (STL, OBJ, DAE, MSH) are: no features, each its convex hull, its pieces, which must be \
             convex, or pieces that planes cut it into (\"auto\"; closed meshes). Files are looked for beside the URDF; `package://` also in \
             the folders around it.",
        ),
        field("max_pieces", Count, "", "32", "Most pieces of a mesh with \"auto\", 256 at most."),
        field(
            "concavity",
            Number(Positive),
            "m",
            "0.01 of the size of a mesh",
            "How far pieces with \"auto\" may go beyond their mesh.",
        ),
        field("prefix", Text, "", "none", "Put before every name of the robot."),
        field(
            "srdf",
            Text,
            "",
            "none",
            "A semantic description whose `disable_collisions` are left out of patterns and `self`.",
        ),
        field(
            "position",
            Vector,
            "m",
            "0",
            "Where the root link sits (at the start, if it floats).",
        ),
        field("rotation", ROTATION, "rad", "0", "How it is turned, likewise."),
    ]],
};

/// An included model of MuJoCo.
pub(crate) static MJCF: TableSpec = TableSpec {
    noun: "mjcf",
    doc: "A model of MuJoCo. Its bodies, joints, geoms, motors and contact pairs are those of the \
          scene; its gravity holds if the scene states none.",
    groups: &[&[
        field("file", Text, "", "needed", "Path, relative to the scene file."),
        field("prefix", Text, "", "none", "Put before every name of the model."),
        field("position", Vector, "m", "0", "Where the origin of its world sits."),
        field("rotation", ROTATION, "rad", "0", "How its world is turned."),
        field("keyframe", Text, "", "none", "Name of the keyframe that it starts with."),
        field(
            "ctrl",
            NamedAngles,
            "by motor",
            "those of the keyframe, or 0",
            "What motors are told, by name, for good.",
        ),
        field(
            "restitution",
            Number(Unit),
            "",
            "0",
            "Coefficient of restitution of its pairs, which MJCF does not know.",
        ),
        field(
            "meshes",
            Word(MESHES),
            "",
            "\"none\"",
            "What geoms of type mesh touch with: nothing, the convex hull of each, as MuJoCo has it, its pieces, which \
             must be convex, or pieces that planes cut it into (\"auto\"; closed meshes).",
        ),
        field("max_pieces", Count, "", "32", "Most pieces of a mesh with \"auto\", 256 at most."),
        field(
            "concavity",
            Number(Positive),
            "m",
            "0.01 of the size of a mesh",
            "How far pieces with \"auto\" may go beyond their mesh.",
        ),
        field("contacts", Flag, "", "true", "Whether its own contact pairs are read."),
    ]],
};

/// The state at the start.
pub(crate) static INITIAL: TableSpec = TableSpec {
    noun: "initial",
    doc: "The state at the start, for bodies and joints by name; useful with URDF.",
    groups: &[&[
        field("time", Number(Finite), "s", "0", "Time at the start."),
        field("angle", NamedAngles, "rad or m", "0", "Angle or position of joints."),
        field("rate", NamedAngles, "rad/s or m/s", "0", "Rate of joints."),
        field(
            "motor",
            NamedAngles,
            "rad or m",
            "0",
            "Motor coordinate of joints, instead of the angle.",
        ),
        field("motor_rate", NamedAngles, "rad/s or m/s", "0", "Motor rate of joints."),
        field("body", Named(&MOTION), "", "none", "Position and velocity of free bodies."),
        field(
            "coordinates",
            NamedAngles,
            "by coordinate",
            "none",
            "Coordinates by the names of their columns in a recording, such as \"ball.z\" for `q.ball.z`; they hold \
             whatever else is stated. `carom run --from RUN` writes them.",
        ),
        field(
            "velocities",
            NamedAngles,
            "by velocity",
            "none",
            "The same for velocities, such as \"ball.vz\" for `v.ball.vz`.",
        ),
        field(
            "settle",
            Any(&[Flag, Names]),
            "",
            "false",
            "Whether free bodies are set down: moved along gravity until something touches, turned as they are; or the \
             names of those that are. The lowest comes first.",
        ),
        field(
            "penetration",
            Number(NotNegative),
            "m",
            "1e-9",
            "Deepest penetration of a pair at the start that is let pass; the bodies are then moved apart.",
        ),
    ]],
};

/// Position and velocity of a body at the start.
pub(crate) static MOTION: TableSpec = TableSpec {
    noun: "body",
    doc: "Position and velocity of a free body at the start, as in the body itself.",
    groups: &[&[
        field("position", Vector, "m", "0", "Origin of the body frame."),
        field("rotation", ROTATION, "rad", "0", "Orientation of the body frame."),
        field("velocity", Vector, "m/s", "0", "Velocity of the origin."),
        field(
            "angular_velocity",
            Any(&[Angle(Finite), Numbers(3, Finite)]),
            "rad/s",
            "0",
            "Angular velocity along the axes of the world.",
        ),
    ]],
};

/// An impact law.
pub(crate) static LAW: TableSpec = TableSpec {
    noun: "law",
    doc: "The impact law; `carom laws` explains them.",
    groups: &[&[
        field("formulation", Word(FORMULATIONS), "", "\"differential\"", "Which law."),
        field(
            "restitution",
            Word(RESTITUTIONS),
            "",
            "\"energetic\"",
            "Meaning of e, for `differential`.",
        ),
        field("method", Word(METHODS), "", "\"whittaker\"", "Which one, for `algebraic`."),
        field(
            "rule",
            Word(ORDERS),
            "",
            "\"together\"",
            "Whether touching contacts take part at once, or wait until they approach.",
        ),
        field(
            "complementarity",
            Flag,
            "",
            "false",
            "For `constraint`: release contacts that would pull.",
        ),
        field(
            "constrain_tangents",
            Flag,
            "",
            "false",
            "For `constraint`: add the tangents with e = 0.",
        ),
        field(
            "tangential",
            Number(Finite),
            "",
            "0",
            "For `matrix`: slip velocity after an impact per slip velocity before, in every \
             direction, as far as friction can do it. 0 stops the slip, −1 reverses it.",
        ),
        field(
            "rotational",
            Number(Finite),
            "",
            "none",
            "For `matrix`: relative angular velocity after an impact per that before, about every axis \
             of a contact with friction, as far as its moment can do it. 0 stops the rotation.",
        ),
        field(
            "arm",
            Number(NotNegative),
            "m",
            "no bound",
            "For `rotational`: moments are at most friction × arm × normal impulse.",
        ),
        field(
            "slip_speed",
            Number(Positive),
            "m/s",
            "1.4e-4",
            "For `dissipation`: slip speed at which friction has mostly fallen from static to \
             dynamic.",
        ),
        field(
            "exponent",
            Number(Positive),
            "",
            "1",
            "For `dissipation`: shape of that fall, exp(−(slip/slip_speed)^exponent). For \
             `compliant`, 1 to 3: force over compression to this power, 1.5 is Hertz.",
        ),
        field(
            "velocity_unit",
            Number(Positive),
            "m/s",
            "1",
            "For `dissipation`: velocity that counts as a unit of friction coefficient where \
             contacts compete.",
        ),
        field("energy_control", Table(&ENERGY), "", "none", "Bound on the energy after an impact."),
    ]],
};

/// Energy control.
pub(crate) static ENERGY: TableSpec = TableSpec {
    noun: "energy_control",
    doc: "Bound on the kinetic energy after an impact. `attenuation` scales all velocities down, \
          after any law; `constraint` is part of the search of `dissipation`, and only of that.",
    groups: &[&[
        field("method", Word(ENERGY_CONTROLS), "", "needed", "How the bound is kept."),
        field(
            "ratio",
            Number(NotNegative),
            "",
            "1",
            "Largest kinetic energy after an impact per kinetic energy before.",
        ),
    ]],
};

/// Integration.
pub(crate) static SOLVER: TableSpec = TableSpec {
    noun: "solver",
    doc: "How time passes, and how the motion between events is integrated.",
    groups: &[&[
        field(
            "scheme",
            Word(SCHEMES),
            "",
            "events",
            "`events`: from event to event, each located exactly. `moreau`: time steps of one length, for piles.",
        ),
        field(
            "method",
            Word(INTEGRATORS),
            "",
            "dopri5 down to rtol 1e-8, dop853 below",
            "Integrator; `rk4` has a fixed step.",
        ),
        field("until", Number(Positive), "s", "10", "Time at the end."),
        field("rtol", Number(Tolerance), "", "1e-9", "Relative tolerance of a step."),
        field("atol", Number(Positive), "", "1e-11", "Absolute tolerance of a step."),
        field("step", Number(Positive), "s", "0.001", "Step of `rk4` and of `moreau`."),
        field("max_step", Number(Positive), "s", "none", "Largest step of the others."),
        field(
            "friction_events",
            Word(FRICTION_EVENTS),
            "",
            "\"located\"",
            "With `rk4`: `projected` decides at the start of each step whether a slip would end within \
             it, which is of first order, to compare with.",
        ),
        field(
            "zeno",
            Number(Positive),
            "",
            "the same as rtol",
            "Accumulating impacts end when all further bounces would take less than this fraction \
             of the elapsed time.",
        ),
        field("max_events", Count, "", "ten million", "Events after which a run is given up."),
        field(
            "strict",
            Flag,
            "",
            "false",
            "Whether a run ends where contacts have no answer, or several, instead of going on by a \
             rule of the safety net.",
        ),
    ]],
};

/// Output.
pub(crate) static OUTPUT: TableSpec = TableSpec {
    noun: "output",
    doc: "What a run records.",
    groups: &[&[
        field("interval", Number(Positive), "s", "every step", "Time between recorded states."),
        field("csv", Flag, "", "false", "Write CSV beside Parquet."),
        field(
            "impact_duration",
            Number(Positive),
            "s",
            "none",
            "Estimate the forces of impacts that take this long, in N, beside their impulses.",
        ),
    ]],
};
