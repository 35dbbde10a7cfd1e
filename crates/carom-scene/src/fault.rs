//! What may be wrong with a scene.

use carom::control::ControlError;
use carom::model::ModelError;
use carom::spatial::InertiaError;
use thiserror::Error;

/// A shape that starts on the solid side of ground with one free side.
#[derive(Debug, Clone, PartialEq)]
pub struct Behind {
    /// The shape.
    pub shape: String,
    /// The ground.
    pub ground: String,
    /// How the free side is told.
    pub side: FreeSide,
}

/// How a shape of one free side tells which one that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreeSide {
    /// A plane, by its normal.
    Normal,
    /// A line of the plane, by the way along its points.
    Line,
    /// Triangles of space, by the turn of their corners.
    Triangles,
}

impl FreeSide {
    /// Where the free side is, and how to exchange the sides.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::Normal => "its normal points to its free side: turn it around",
            Self::Line => {
                "the free side of a line is on the left of its points, taken in turn: write them in the other order"
            }
            Self::Triangles => {
                "heights are free above, triangles and outlines where their corners turn counter-clockwise: write these in the other order"
            }
        }
    }
}

/// A fault of a scene file, found before time starts.
///
/// The `Display` text is the headline; [`detail`](Fault::detail) says what is allowed and
/// [`hint`](Fault::hint) what to do.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be read.
    #[error("cannot read `{file}`: {}", words(*reason))]
    Unreadable {
        /// Name of the file.
        file: String,
        /// Why not.
        reason: std::io::ErrorKind,
    },
    /// The file is too large to be a scene.
    #[error("`{file}` is too large for a scene")]
    TooLarge {
        /// Name of the file.
        file: String,
        /// Its size in bytes.
        bytes: u64,
        /// Largest size in bytes.
        limit: u64,
    },
    /// The file is not UTF-8 text.
    #[error("`{file}` is not a text file")]
    NotText {
        /// Name of the file.
        file: String,
        /// First byte that is not UTF-8.
        offset: usize,
    },
    /// The file does not follow the grammar of its format.
    #[error("this is not {format}: {message}")]
    Syntax {
        /// TOML or XML.
        format: &'static str,
        /// What the parser says.
        message: String,
    },
    /// A key, tag or attribute that does not exist.
    #[error("{owner} has no {what} `{name}`")]
    UnknownKey {
        /// Whose key it is.
        owner: String,
        /// Key, tag or attribute.
        what: &'static str,
        /// As it was written.
        name: String,
        /// The nearest one that exists.
        suggestion: Option<String>,
        /// All that exist.
        known: Vec<String>,
    },
    /// A key, tag or attribute that must be there.
    #[error("{owner} has no {what} `{name}`")]
    Missing {
        /// Whose key it is.
        owner: String,
        /// Key, tag or attribute.
        what: &'static str,
        /// The missing one.
        name: &'static str,
        /// What to write.
        expected: &'static str,
    },
    /// A value of the wrong type.
    #[error("{owner}: `{key}` is {found}")]
    WrongType {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: &'static str,
    },
    /// A number outside its range.
    #[error("{owner}: `{key}` is out of range")]
    Range {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// The offending value.
        value: f64,
        /// The allowed range.
        allowed: String,
    },
    /// A list of the wrong length.
    #[error("{owner}: `{key}` has {found} entries")]
    Length {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// How many there must be.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// A word that is not in the list.
    #[error("{owner}: `{key}` knows no `{word}`")]
    Word {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// As it was written.
        word: String,
        /// All words.
        allowed: Vec<String>,
        /// The nearest word.
        suggestion: Option<String>,
    },
    /// A text that is no number or angle.
    #[error("{owner}: `{key}` is not {expected}")]
    Unreadably {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// A number, an angle, three numbers.
        expected: &'static str,
    },
    /// A text that is no expression, or names what is not there.
    #[error("{owner}: `{key}` is not an expression")]
    Expression {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// What is wrong.
        source: crate::expression::ExpressionError,
    },
    /// Two statements that exclude each other.
    #[error("{owner} has both `{first}` and `{second}`")]
    Conflict {
        /// Whose keys they are.
        owner: String,
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// Why not both.
        reason: &'static str,
    },
    /// A statement that has no meaning here.
    #[error("{owner} takes no `{key}`")]
    NotHere {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// Why not.
        because: String,
        /// What to write instead.
        instead: &'static str,
    },
    /// Mass and inertia that no body has.
    #[error("body `{body}` has an impossible inertia")]
    Inertia {
        /// The body.
        body: String,
        /// What is wrong.
        source: InertiaError,
    },
    /// A rigid part of a robot with an inertia that no body has.
    #[error("link `{link}` has an impossible inertia")]
    LinkInertia {
        /// The link.
        link: String,
        /// What is wrong.
        source: InertiaError,
    },
    /// An inertia matrix that is not symmetric.
    #[error("body `{body}` has an impossible inertia")]
    Asymmetric {
        /// The body.
        body: String,
        /// Row of the larger difference, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
    },
    /// An axis or normal of length zero.
    #[error("{owner}: `{key}` has no direction")]
    ZeroAxis {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
    },
    /// A quaternion that is not unit.
    #[error("{owner}: `{key}` is not a unit quaternion")]
    NotUnit {
        /// Whose key it is.
        owner: String,
        /// The key.
        key: String,
        /// Its norm.
        norm: f64,
    },
    /// One name for two parts.
    #[error("two {} are called `{name}`", plural(what))]
    Duplicate {
        /// Sort of part.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Shapes that do not touch within a pile.
    #[error("pile `{pile}`: {a} and {b} do not touch in piles")]
    PileShapes {
        /// The pile.
        pile: String,
        /// One shape.
        a: &'static str,
        /// The other.
        b: &'static str,
    },
    /// A name that nothing has.
    #[error("{owner}: there is no {what} `{name}`")]
    UnknownName {
        /// Who refers to it.
        owner: String,
        /// Sort of part.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest name that exists.
        suggestion: Option<String>,
    },
    /// Bodies that carry each other in a ring.
    #[error("bodies carry each other in a ring: {}", .bodies.join(" → "))]
    Cycle {
        /// The ring; the first is repeated at the end.
        bodies: Vec<String>,
    },
    /// A body that two joints carry.
    #[error("{what} `{body}` is carried by two joints, `{first}` and `{second}`")]
    TwoParents {
        /// Body or link.
        what: &'static str,
        /// The body.
        body: String,
        /// The one joint.
        first: String,
        /// The other joint.
        second: String,
    },
    /// A robot with several root links.
    #[error("the robot has {} root links: {}", .roots.len(), listed(.roots))]
    SeveralRoots {
        /// The roots.
        roots: Vec<String>,
    },
    /// Surfaces of a pair on both of which a value is stated, without a rule.
    #[error("{owner}: both sides state `{key}`, and no rule says which holds")]
    NoRule {
        /// The contact.
        owner: String,
        /// Restitution or friction.
        key: &'static str,
        /// The value of the first side.
        first: f64,
        /// The value of the second side.
        second: f64,
    },
    /// Static friction below dynamic friction.
    #[error("{owner}: static friction is below dynamic friction")]
    FrictionOrder {
        /// The contact.
        owner: String,
        /// Static friction.
        static_friction: f64,
        /// Dynamic friction.
        friction: f64,
    },
    /// Bodies that overlap at the start.
    #[error("contact `{pair}` penetrates at the start")]
    Penetration {
        /// The pair.
        pair: String,
        /// Its gap, m.
        gap: f64,
        /// Largest penetration that is let pass, m; infinite where the bodies could not be moved apart.
        tolerance: f64,
        /// Where the middle of a shape is on the solid side of ground: perhaps the ground is turned around.
        behind: Option<Behind>,
    },
    /// A joint that starts outside its limits.
    #[error("joint `{joint}` starts outside its limits")]
    OutsideLimits {
        /// The joint.
        joint: String,
        /// Its angle or position.
        value: f64,
        /// Lower limit.
        lower: f64,
        /// Upper limit.
        upper: f64,
    },
    /// A joint that does not follow the one that leads it.
    #[error("joint `{joint}` does not start where `{leader}` leads it")]
    NotFollowing {
        /// The joint.
        joint: String,
        /// The joint that leads.
        leader: String,
        /// Where the joint starts.
        value: f64,
        /// Where it must start.
        expected: f64,
    },
    /// A loop that cannot be closed.
    #[error("loop `{name}` cannot be closed: it stays open by {} {unit}", few_digits(*residual))]
    OpenLoop {
        /// The loop.
        name: String,
        /// What is left at the best posture that was found.
        residual: f64,
        /// Its unit.
        unit: &'static str,
        /// Whether its axes point against each other.
        reversed: bool,
    },
    /// A degree of freedom without inertia.
    #[error("`{coordinate}` has no inertia against its motion")]
    Singular {
        /// Name of the degree of freedom.
        coordinate: String,
    },
    /// A joint that leaves the plane of a planar scene.
    #[error("joint `{joint}` leaves the x–y plane of a planar scene")]
    NotPlanar {
        /// The joint.
        joint: String,
        /// Its type.
        kind: &'static str,
    },
    /// Numbers so large that the energy is not a number.
    #[error("the energy at the start is {energy} J")]
    Overflow {
        /// The energy.
        energy: f64,
    },
    /// A part without a name.
    #[error("a {what} has an empty name")]
    EmptyName {
        /// Sort of part.
        what: &'static str,
    },
    /// A joint that is to follow itself, or one that has not one degree of freedom.
    #[error("joint `{joint}` cannot follow joint `{leader}`")]
    NoLeader {
        /// The joint.
        joint: String,
        /// The joint that is to lead.
        leader: String,
    },
    /// A pair whose sides cannot move against each other.
    #[error("contact `{pair}`: its two sides cannot move against each other")]
    Rigid {
        /// The pair.
        pair: String,
    },
    /// A motor on a joint that it cannot drive.
    #[error("actuator `{actuator}` cannot drive joint `{joint}`")]
    NoDrive {
        /// The actuator.
        actuator: String,
        /// The joint.
        joint: String,
        /// What sort of joint it is.
        kind: &'static str,
    },
    /// A controller without motors.
    #[error("{owner} has no actuator to command")]
    NoActuators {
        /// The controller.
        owner: String,
    },
    /// A torque table without rows.
    #[error("{owner} has no rows")]
    EmptyTable {
        /// The table.
        owner: String,
    },
    /// A torque table without a column.
    #[error("{owner} has no column `{column}`")]
    MissingColumn {
        /// The table.
        owner: String,
        /// The column.
        column: String,
    },
    /// A fault that a controller itself found.
    #[error("{source}")]
    Control {
        /// What it says.
        source: ControlError,
    },
    /// An override without `=`, or with a path that leads nowhere.
    #[error("the override `{text}` {problem}")]
    Override {
        /// As it was given.
        text: String,
        /// What is wrong.
        problem: OverrideProblem,
    },
    /// A fault that the model itself found.
    #[error("{source}")]
    Model {
        /// What it says.
        source: ModelError,
    },
}

/// What may be wrong with an override.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum OverrideProblem {
    /// No `=`.
    #[error("has no `=`")]
    NoValue,
    /// An empty path, or an empty part of one.
    #[error("has an empty key in its path")]
    EmptyKey,
    /// The path goes on beyond a value.
    #[error("goes through `{at}`, which is {found} and holds no keys")]
    NotATable {
        /// The path so far.
        at: String,
        /// What is there.
        found: &'static str,
    },
    /// The path goes through a list by something that is no number in it.
    #[error("goes through the list `{at}`, which has {length} {}, by `{index}`", if *.length == 1 { "entry" } else { "entries" })]
    NoSuchEntry {
        /// The path so far.
        at: String,
        /// How many entries there are.
        length: usize,
        /// The part of the path that should be a number.
        index: String,
    },
    /// The value is not TOML.
    #[error("has a value that is not TOML: {message}")]
    Value {
        /// What the parser says.
        message: String,
    },
    /// The path goes through a part that does not exist, but one with nearly its name does.
    #[error("goes through `{at}`, which the scene does not have; did you mean `{suggestion}`?")]
    Misspelt {
        /// The path so far.
        at: String,
        /// The name that exists.
        suggestion: String,
    },
    /// The path goes to a joint that stands within a body, or nearly to its name.
    #[error(
        "goes through `{at}`, but joint `{joint}` stands within body `{body}`: `body.{body}.joint`"
    )]
    Within {
        /// The path so far.
        at: String,
        /// The joint that exists.
        joint: String,
        /// Its body.
        body: String,
    },
    /// Too many keys.
    #[error("has a path of more than {limit} keys")]
    TooDeep {
        /// How many are allowed.
        limit: usize,
    },
}

/// Why a file cannot be read, in words that say it.
fn words(reason: std::io::ErrorKind) -> String {
    match reason {
        std::io::ErrorKind::NotFound => String::from("no such file"),
        other => other.to_string(),
    }
}

/// A number to four digits, of any size.
fn few_digits(x: f64) -> String {
    if (1e-3..1e4).contains(&x) { format!("{x:.4}") } else { format!("{x:.3e}") }
}

fn plural(what: &str) -> String {
    what.strip_suffix('y').map_or(format!("{what}s"), |stem| format!("{stem}ies"))
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text =
        names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(", …");
    }
    text
}
