//! Rough changes, of bytes and of tokens: most results are refused.

use crate::random::Random;

/// Words and numbers that make trouble.
const TOKENS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "5e-324",
    "0",
    "-0.0",
    "1",
    "-1",
    "0x7fffffffffffffff",
    "9223372036854775807",
    "1e-300",
    "true",
    "\"\"",
    "\"20deg\"",
    "\"pi/0\"",
    "[]",
    "{}",
    "[[1]]",
    "[0, 0, 0]",
    "[1, 2]",
    "[nan, 0, 0]",
    "1979-05-27",
    "\"world\"",
    "\"planar\"",
    "\"free\"",
    "\"revolute\"",
    "\"prismatic\"",
    "\"spherical\"",
    "\"fixed\"",
    "\"plane\"",
    "\"point\"",
    "mass",
    "density",
    "depth",
    "com",
    "inertia",
    "shape",
    "joint",
    "feature",
    "position",
    "rotation",
    "velocity",
    "angular_velocity",
    "restitution",
    "friction",
    "static_friction",
    "sphere",
    "box",
    "disk",
    "ellipse",
    "ellipsoid",
    "capsule",
    "cylinder",
    "rod",
    "quaternion",
    "axis",
    "angle",
    "limits",
    "spring",
    "ratio",
    "offset",
    "rotor_inertia",
    "mimic",
    "parent",
    "child",
    "type",
    "between",
    "combine",
    "law",
    "urdf",
    "file",
    "floating_base",
    "prefix",
    "initial",
    "solver",
    "[body.a]",
    "[[contact]]",
    "[joint.b]",
    "[[urdf]]",
    "[initial]",
    "[law]",
    "=",
    ",",
    "\n",
    "#",
    "<link name=\"a\"/>",
    "<joint name=\"j\" type=\"planar\">",
    "</joint>",
    "<origin rpy=\"1 2 3\"/>",
    "<axis xyz=\"0 0 1\"/>",
    "<mimic joint=\"hinge\"/>",
    "<inertial>",
    "</inertial>",
    "&amp;",
    "&#0;",
    "<!--",
    "-->",
    "<![CDATA[",
    "xmlns=\"x\"",
    "type=\"floating\"",
    "type=\"continuous\"",
    "µ",
    "\u{0}",
];

/// Overrides to be mutated.
pub const OVERRIDES: &[&str] = &[
    "body.ball.mass=0.2",
    "gravity=[0,0,0]",
    "contact.0.restitution=0.9",
    "space=planar",
    "law.formulation=newton",
    "urdf.0.floating_base=true",
    "body.\"a.b\".mass=1",
    "solver.rtol=1e-3",
    "gravity.2=-1.6",
    "urdf.0.inertia=as_written",
    "urdf.0.floating_base=planar",
    "initial.time=1",
];

/// Where a token (word, number, sign) starts and ends.
pub fn token(text: &[u8], random: &mut Random) -> (usize, usize) {
    let word = |b: u8| b.is_ascii_alphanumeric() || b"_.-+".contains(&b);
    let at = random.below(text.len());
    let mut start = at;
    while start > 0 && word(text[start - 1]) && word(text[at]) {
        start -= 1;
    }
    let mut end = at;
    while end < text.len() && word(text[end]) {
        end += 1;
    }
    (start, end.max(at + 1).min(text.len()))
}

/// Changes a text somehow.
pub fn mutate(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(text.len() + 1);
    let length = random.below(24) + 1;
    match random.below(11) {
        0 if !text.is_empty() => {
            let i = random.below(text.len());
            text[i] ^= 1 << random.below(8);
        }
        1 if !text.is_empty() => {
            let i = random.below(text.len());
            text[i] = random.next() as u8;
        }
        2 => drop(text.drain(at..(at + length).min(text.len()))),
        3 => {
            let piece = text[at..(at + 8 * length).min(text.len())].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, piece);
        }
        4 => {
            let from = random.below(other.len() + 1);
            let piece = other[from..(from + 8 * length).min(other.len())].to_vec();
            text.splice(at..at, piece);
        }
        5..=7 if !text.is_empty() => {
            let (start, end) = token(text, random);
            text.splice(start..end, random.pick(TOKENS).bytes());
        }
        8 => drop(text.splice(at..at, random.pick(TOKENS).bytes())),
        9 if !text.is_empty() => {
            // A token of the text itself in place of another one.
            let (start, end) = token(text, random);
            let word = text[start..end].to_vec();
            let (start, end) = token(text, random);
            text.splice(start..end, word);
        }
        _ => {
            // A line twice.
            let start = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
            let end =
                text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| at + i + 1);
            let line = text[start..end].to_vec();
            text.splice(start..start, line);
        }
    }
}
