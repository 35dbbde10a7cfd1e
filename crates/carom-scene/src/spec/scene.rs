//! Keys of the whole file, and the list of all tables.

use super::body::{BODY, FEATURE, PLANE, ROD, ROUND, SHAPE, TERRAIN, TURN};
use super::control::{ACTUATOR, CONTROLLER, FORCE};
use super::element::{ANCHOR, END, LOAD, LOOP, POINT_SPRING};
use super::joint::{INLINE_JOINT, JOINT, LIMITS, MIMIC, PRESCRIBED, SPRING};
use super::kind::{Kind, TableSpec, field};
use super::run::{
    COMBINE, CONTACT, ENERGY, INITIAL, LAW, MJCF, MOTION, OUTPUT, PILE, SOLVER, URDF,
};
use super::study::{STUDY, VARY};
use super::words::SPACES;
use Kind::{List, Named, NamedLists, Table, Text, Vector, Word};

/// The whole file.
pub(crate) static SCENE: TableSpec = TableSpec {
    noun: "scene",
    doc: "The whole file.",
    groups: &[&[
        field("title", Text, "", "none", "One line that names the scene."),
        field("description", Text, "", "none", "What the scene shows."),
        field(
            "space",
            Word(SPACES),
            "",
            "\"spatial\"",
            "Whether bodies move in space or in the x–y plane. Planar scenes write 2 coordinates.",
        ),
        field(
            "gravity",
            Vector,
            "m/s²",
            "[0, -9.81] planar, [0, 0, -9.81] spatial",
            "Acceleration of gravity.",
        ),
        field("body", Named(&BODY), "", "none", "Bodies, in order."),
        field("joint", Named(&JOINT), "", "none", "Joints that are not written inside a body."),
        field(
            "loop",
            List(&LOOP),
            "",
            "none",
            "Loops that no joint of the tree closes, and gears.",
        ),
        field("spring", List(&POINT_SPRING), "", "none", "Springs and dampers between points."),
        field("load", List(&LOAD), "", "none", "Constant forces on bodies."),
        field("actuator", Named(&ACTUATOR), "", "by the joints' efforts", "Motors, in order."),
        field("controller", Named(&CONTROLLER), "", "none", "What motors are told."),
        field("force", Named(&FORCE), "", "none", "Forces by expressions."),
        field("contact", List(&CONTACT), "", "none", "Pairs that may touch."),
        field("pile", List(&PILE), "", "none", "Bodies any two of which may touch."),
        field(
            "group",
            NamedLists,
            "",
            "none",
            "Names for sides of contacts: lists of bodies, features and patterns.",
        ),
        field(
            "combine",
            Table(&COMBINE),
            "",
            "none",
            "Rules for pairs whose two sides each state a value.",
        ),
        field("urdf", List(&URDF), "", "none", "Robot descriptions to include."),
        field("mjcf", List(&MJCF), "", "none", "Models of MuJoCo to include."),
        field("initial", Table(&INITIAL), "", "at rest", "The state at the start."),
        field("law", Table(&LAW), "", "differential, energetic", "The impact law."),
        field("solver", Table(&SOLVER), "", "see there", "Integration and its tolerances."),
        field("output", Table(&OUTPUT), "", "see there", "What is recorded."),
        field("study", Table(&STUDY), "", "none", "What `carom study` does."),
    ]],
};

/// All tables in the order of the documentation.
pub(crate) static ALL: &[(&str, &TableSpec)] = &[
    ("scene", &SCENE),
    ("body", &BODY),
    ("rotation", &TURN),
    ("shape", &SHAPE),
    ("rod", &ROD),
    ("round", &ROUND),
    ("terrain", &TERRAIN),
    ("plane", &PLANE),
    ("feature", &FEATURE),
    ("joint", &JOINT),
    ("inline_joint", &INLINE_JOINT),
    ("spring", &SPRING),
    ("limits", &LIMITS),
    ("mimic", &MIMIC),
    ("prescribed", &PRESCRIBED),
    ("loop", &LOOP),
    ("anchor", &ANCHOR),
    ("point_spring", &POINT_SPRING),
    ("end", &END),
    ("load", &LOAD),
    ("actuator", &ACTUATOR),
    ("controller", &CONTROLLER),
    ("force", &FORCE),
    ("contact", &CONTACT),
    ("pile", &PILE),
    ("combine", &COMBINE),
    ("urdf", &URDF),
    ("mjcf", &MJCF),
    ("initial", &INITIAL),
    ("motion", &MOTION),
    ("law", &LAW),
    ("energy_control", &ENERGY),
    ("solver", &SOLVER),
    ("output", &OUTPUT),
    ("study", &STUDY),
    ("vary", &VARY),
];
