//! What each fault says beyond its headline: what is allowed, and what to do.

use crate::fault::{Fault, OverrideProblem};
use crate::number::short_number;
use carom::model::ModelError;
use carom::spatial::InertiaError;

impl Fault {
    /// What is allowed, or what exactly is wrong.
    pub fn detail(&self) -> Option<String> {
        Some(match self {
            Self::TooLarge { bytes, limit, .. } => {
                format!("{bytes} bytes: must be at most {limit}")
            }
            Self::NotText { offset, .. } => format!("byte {offset} is not UTF-8"),
            Self::UnknownKey { known, .. } => format!("known are {}", known.join(", ")),
            Self::Missing { expected, .. } => format!("must be {expected}"),
            Self::WrongType { expected, .. } => format!("must be {expected}"),
            Self::Range { allowed, .. } => format!("must be {allowed}"),
            Self::Length { expected, .. } => format!("must have {expected}"),
            Self::Word { allowed, .. } => format!("must be one of {}", allowed.join(", ")),
            Self::Unreadably { expected, .. } => format!("must be {expected}"),
            Self::Expression { source, .. } => source.to_string(),
            Self::Conflict { reason, .. } => (*reason).to_string(),
            Self::NotHere { because, .. } => because.clone(),
            Self::Inertia { source, .. } | Self::LinkInertia { source, .. } => impossible(source),
            Self::Asymmetric { row, column, .. } => {
                format!("entries ({row}, {column}) and ({column}, {row}) differ")
            }
            Self::ZeroAxis { .. } => "must not be zero".to_string(),
            Self::NotUnit { norm, .. } => format!("its norm is {norm}: must be 1 within 0.001"),
            Self::NoRule { key, first, second, .. } => {
                format!("{key} = {first} on one side, {second} on the other")
            }
            Self::FrictionOrder { static_friction, friction, .. } => {
                format!("static_friction = {static_friction} < friction = {friction}")
            }
            Self::Penetration { gap, tolerance: f64::INFINITY, .. } => {
                format!(
                    "gap = {} m: no motion of the joints takes the bodies apart",
                    short_number(*gap)
                )
            }
            Self::Penetration { gap, behind: Some(behind), .. } => format!(
                "gap = {} m: `{}` starts on the solid side of `{}`",
                short_number(*gap),
                behind.shape,
                behind.ground
            ),
            Self::Penetration { gap, tolerance, .. } => {
                format!("gap = {} m: must be at least {:e} m", short_number(*gap), 0.0 - tolerance)
            }
            Self::OutsideLimits { value, lower, upper, .. } => {
                format!("{value} is not in [{lower}, {upper}]")
            }
            Self::NotFollowing { value, expected, .. } => format!("{value}: must be {expected}"),
            Self::Overflow { .. } => "must be finite".to_string(),
            Self::NoDrive { kind: "prescribed", .. } => "its motion is prescribed".to_string(),
            Self::NoDrive { kind, .. } => {
                format!("a {kind} joint has not one degree of freedom")
            }
            Self::NotPlanar { kind, .. } => format!("a {kind} joint must move in x and y only"),
            _ => return None,
        })
    }

    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownKey { suggestion: Some(s), .. }
            | Self::Word { suggestion: Some(s), .. }
            | Self::UnknownName { suggestion: Some(s), .. } => format!("did you mean `{s}`?"),
            Self::Expression { .. } => {
                "names are t, q.COORDINATE and v.COORDINATE; see docs/scenes.md, Expressions"
                    .to_string()
            }
            Self::Inertia { source, .. } => source.hint().to_string(),
            Self::Model { source: ModelError::Empty } => {
                "give a body a mass or a joint, a body of MuJoCo a <joint>; a robot of a URDF file may float: --set urdf.0.floating_base=true"
                    .to_string()
            }
            Self::Model { source } => source.hint().to_string(),
            Self::Missing { owner, name, .. } => format!("add `{name}` to {owner}"),
            Self::NotHere { instead, .. } => (*instead).to_string(),
            Self::UnknownName { what, .. } => {
                format!("declare the {what}, or correct the name")
            }
            Self::NoRule { key, .. } => {
                format!("state `{key}` in the contact, or a rule: combine = {{ {key} = \"mean\" }}")
            }
            Self::Unreadable { file, reason: std::io::ErrorKind::NotFound }
                if std::path::Path::new(&format!("{file}.toml")).is_file() =>
            {
                format!("did you mean `{file}.toml`?")
            }
            Self::Penetration { tolerance: f64::INFINITY, .. } => {
                "leave the pair out (<exclude>, contype, contacts = false), or start where the bodies are apart"
                    .to_string()
            }
            Self::Penetration { behind: Some(behind), .. } => {
                format!("{}, or start `{}` on the free side", behind.side.remedy(), behind.shape)
            }
            Self::Penetration { gap, .. } => {
                format!("move the bodies apart by {} m along the normal", short_number(-gap))
            }
            other => other.fixed_hint().to_string(),
        }
    }

    fn fixed_hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "check the path and the permissions",
            Self::TooLarge { .. } => "give a scene (TOML) or a robot description (URDF)",
            Self::NotText { .. } => "save the file as UTF-8",
            Self::Syntax { format: "TOML", message } => match message.as_str() {
                "duplicate key" => "every key and every table is written once",
                "a number is too large" => "numbers go up to 1.8e308",
                "recursion limit" => "no value of a scene lies that deep",
                _ => "keys are `name = value`, tables are `[body.name]`; see docs/scenes.md",
            },
            Self::Syntax { format: "XML", message } if message.contains("DTD") => {
                "robot descriptions have no document type: remove <!DOCTYPE …>"
            }
            Self::Syntax { format: "XML", .. } => "every tag must be closed: <link name=\"a\"/>",
            Self::Syntax { format: "a mesh", .. } => "export it as STL or OBJ with triangles",
            Self::Syntax { .. } => "a URDF is <robot name=\"…\"> with <link> and <joint> tags",
            Self::UnknownKey { what: "key", .. } => "see docs/scenes.md, or `carom schema`",
            Self::UnknownKey { name, .. } if name.starts_with("xacro:") => {
                "expand the file first: xacro robot.xacro > robot.urdf"
            }
            Self::UnknownKey { .. } => "the reader is strict: correct or remove it",
            Self::WrongType { .. } => "change the value to the stated type",
            Self::Range { .. } => "change the value to one in the allowed range",
            Self::Length { key, .. } if key == "row" => "write one number for each column",
            Self::Length { .. } => "planar scenes have 2 coordinates, spatial ones 3",
            Self::Word { .. } => "choose one of the listed words",
            Self::Unreadably { expected, .. } if !expected.contains("angle") => {
                "write plain decimal numbers such as 0.25 or -1e-3"
            }
            Self::Unreadably { expected, .. } if expected.contains("unit") => {
                "write the unit, as in \"20deg\" or \"0.3rad\", or a number without quotes for radians"
            }
            Self::Unreadably { .. } => {
                "angles are radians, or texts such as \"20deg\" or \"-3pi/4\""
            }
            Self::Conflict { .. } => "keep one of the two",
            Self::LinkInertia { .. } => {
                "correct the file, or take it as it is: --set urdf.0.inertia=as_written"
            }
            Self::Asymmetric { .. } => "give a symmetric matrix about the centre of mass",
            Self::ZeroAxis { .. } => "give a direction, for example [0, 0, 1]",
            Self::NotUnit { .. } => "give w, x, y, z divided by their norm",
            Self::Duplicate { .. } => "names of one sort must differ",
            Self::PileShapes { .. } => {
                "make piles of shapes that touch each other: all of space or all of the plane"
            }
            Self::Cycle { .. } => "one of them must be carried by the world",
            Self::TwoParents { .. } => {
                "joints make a tree: keep one of them, and close the loop by a [[loop]]"
            }
            Self::SeveralRoots { .. } => "join all links to one root, if need be by fixed joints",
            Self::FrictionOrder { .. } => "give static_friction ≥ friction, or only one of them",
            Self::OutsideLimits { .. } => "change the initial angle or the limits",
            Self::OpenLoop { reversed: true, .. } => {
                "its axes point against each other: turn one side by half a turn"
            }
            Self::OpenLoop { .. } => {
                "check its lengths and the joints that it may move, or start nearer to where it closes by `initial`"
            }
            Self::NotFollowing { .. } => {
                "leave out the initial angle: it follows from the leader's"
            }
            Self::Singular { .. } => {
                "give the body an inertia or a shape with extent, or the joint a rotor inertia"
            }
            Self::NotPlanar { .. } => "turn the joint, or write space = \"spatial\"",
            Self::Overflow { .. } => "positions, velocities and masses must be far below 1e300",
            Self::EmptyName { .. } => "give every part a name: [body.ball]",
            Self::NoLeader { .. } => "the leader must be another joint, revolute or prismatic",
            Self::Rigid { .. } => {
                "remove the contact, or give one of the bodies a joint that moves"
            }
            Self::NoActuators { .. } => {
                "declare motors: [actuator.NAME] joint = \"…\", limit = 2.5"
            }
            Self::EmptyTable { .. } => "first line: t and names of motors; then times and torques",
            Self::MissingColumn { .. } => {
                "add the column, or list the motors that the table has: actuators = [...]"
            }
            Self::Control { source } => source.hint(),
            Self::NoDrive { .. } => "motors drive revolute and prismatic joints",
            Self::Override { problem, .. } => problem.hint(),
            _ => "see docs/scenes.md",
        }
    }
}

impl OverrideProblem {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoValue | Self::EmptyKey => "write --set body.ball.mass=0.2",
            Self::NotATable { .. } => "end the path there",
            Self::NoSuchEntry { .. } => "lists count from 0: contact.0.restitution=0.5",
            Self::Value { .. } => "texts with blanks need quotes: --set 'title=\"a ball\"'",
            Self::Misspelt { .. } => {
                "correct the name; a new part is stated as a whole, with all that it needs: --set 'TABLE.NAME={ … }'"
            }
            Self::Within { .. } => "change it where it stands: --set body.NAME.joint.damping=0.1",
            Self::TooDeep { .. } => "no value of a scene lies that deep",
        }
    }
}

/// What is impossible about an inertia, after the value itself.
fn impossible(source: &InertiaError) -> String {
    match source {
        InertiaError::Mass { .. } => "must be a finite number > 0".into(),
        InertiaError::Triangle { moments: [a, b, c] } => {
            format!("{} > {} + {}", short_number(*c), short_number(*a), short_number(*b))
        }
        InertiaError::Negative { moment } => {
            format!("a principal moment is {}: must be ≥ 0", short_number(*moment))
        }
        other => other.to_string(),
    }
}
