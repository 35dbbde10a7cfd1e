//! One table of a file, with the values of its keys.

use crate::angle;
use crate::direction::unit;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::{Spot, shorten};
use crate::spec::kind::TableSpec;
use crate::suggest::nearest;
use crate::value::{Node, Table, Value};
use carom::spatial::{Pose, rotation};
use nalgebra::{Matrix3, Unit, Vector3, Vector4};

/// A table that passed the check of its types.
#[derive(Clone)]
pub(crate) struct View<'a> {
    pub table: &'a Table,
    pub spec: &'static TableSpec,
    /// How it is called in messages.
    pub owner: String,
    /// Where its name is written.
    pub spot: Spot,
    pub planar: bool,
}

impl<'a> View<'a> {
    /// The value of a key.
    pub fn node(&self, key: &str) -> Option<&'a Node> {
        debug_assert!(self.spec.field(key).is_some(), "{key} is not in the format");
        self.table.get(key)
    }

    /// Whether a key is there.
    pub fn has(&self, key: &str) -> bool {
        self.node(key).is_some()
    }

    /// The first of the keys that is there.
    pub fn first_of(&self, keys: &[&'static str]) -> Option<&'static str> {
        keys.iter().copied().find(|key| self.has(key))
    }

    /// Where the value of a key is written, or the table if it is not.
    pub fn spot_of(&self, key: &str) -> Spot {
        self.node(key).map_or(self.spot, |n| n.spot)
    }

    /// A number.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.node(key)?.number()
    }

    /// A number, or zero.
    pub fn number_or(&self, key: &str, default: f64) -> f64 {
        self.number(key).unwrap_or(default)
    }

    /// A text.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.node(key)?.text()
    }

    /// true or false.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.node(key)?.value {
            Value::Flag(b) => Some(b),
            _ => None,
        }
    }

    /// An angle in radians.
    pub fn angle(&self, key: &str) -> Option<f64> {
        angle_of(self.node(key)?)
    }

    /// An angle of a joint that turns, or a length of one that shifts, which is not in degrees.
    pub fn angle_or_length(&self, key: &str, turns: bool) -> Result<Option<f64>, Flaw> {
        let Some(node) = self.node(key) else { return Ok(None) };
        if !turns && node.text().is_some() {
            return Err(self.flaw(
                key,
                Fault::Unreadably {
                    owner: self.owner.clone(),
                    key: key.into(),
                    expected: "a number in metres",
                },
            ));
        }
        Ok(angle_of(node))
    }

    /// Coordinates; z is zero in planar scenes.
    pub fn vector(&self, key: &str) -> Option<Vector3<f64>> {
        let list = self.numbers(key)?;
        let at = |i: usize| list.get(i).copied().unwrap_or(0.0);
        Some(Vector3::new(at(0), at(1), at(2)))
    }

    /// A list of numbers.
    pub fn numbers(&self, key: &str) -> Option<Vec<f64>> {
        self.node(key)?.list()?.iter().map(Node::number).collect()
    }

    /// A direction of any length but zero.
    pub fn direction(&self, key: &str) -> Result<Option<Unit<Vector3<f64>>>, Flaw> {
        let Some(v) = self.vector(key) else { return Ok(None) };
        unit(v).map(Some).ok_or_else(|| {
            self.flaw(key, Fault::ZeroAxis { owner: self.owner.clone(), key: key.into() })
        })
    }

    /// The table under a key.
    pub fn sub(&self, key: &str, spec: &'static TableSpec) -> Option<View<'a>> {
        let entry = self.table.entry(key)?;
        debug_assert!(self.spec.field(key).is_some(), "{key} is not in the format");
        let owner = match self.owner.as_str() {
            "the scene" => format!("`{key}`"),
            owner => format!("`{key}` of {owner}"),
        };
        let spot = entry.key_spot;
        Some(View { table: entry.node.table()?, spec, owner, spot, planar: self.planar })
    }

    /// The named tables under a key.
    pub fn named(&self, key: &str, spec: &'static TableSpec) -> Vec<(&'a str, View<'a>)> {
        let Some(table) = self.node(key).and_then(Node::table) else { return Vec::new() };
        let view = |e: &'a crate::value::Entry| {
            let owner = format!("{} `{}`", spec.noun, shorten(&e.key));
            let spot = e.key_spot;
            let table = e.node.table()?;
            Some((e.key.as_str(), View { table, spec, owner, spot, planar: self.planar }))
        };
        table.entries().iter().filter_map(view).collect()
    }

    /// The list of tables under a key.
    pub fn list(&self, key: &str, spec: &'static TableSpec) -> Vec<View<'a>> {
        let Some(list) = self.node(key).and_then(Node::list) else { return Vec::new() };
        let view = |(i, node): (usize, &'a Node)| {
            let owner = format!("{} {}", spec.noun, i + 1);
            let table = node.table()?;
            Some(View { table, spec, owner, spot: node.spot, planar: self.planar })
        };
        list.iter().enumerate().filter_map(view).collect()
    }

    /// Position and rotation of a frame.
    pub fn pose(&self) -> Result<Pose, Flaw> {
        let r = self.vector("position").unwrap_or_else(Vector3::zeros);
        Ok(Pose::new(self.rotation("rotation")?.unwrap_or_else(Matrix3::identity), r))
    }

    /// A rotation in any of its forms.
    pub fn rotation(&self, key: &str) -> Result<Option<Matrix3<f64>>, Flaw> {
        let Some(node) = self.node(key) else { return Ok(None) };
        if let Some(angle) = angle_of(node) {
            if !self.planar {
                return Err(self.flaw(
                    key,
                    Fault::WrongType {
                        owner: self.owner.clone(),
                        key: key.into(),
                        expected: "roll, pitch and yaw, or a table, in a spatial scene".into(),
                        found: node.found(),
                    },
                ));
            }
            return Ok(Some(rotation::exp(&Vector3::new(0.0, 0.0, angle))));
        }
        if self.planar {
            return Err(self.flaw(
                key,
                Fault::WrongType {
                    owner: self.owner.clone(),
                    key: key.into(),
                    expected: "one angle in a planar scene".into(),
                    found: node.found(),
                },
            ));
        }
        if let Some(list) = node.list() {
            let rpy: Vec<f64> = list.iter().filter_map(angle_of).collect();
            return Ok(match rpy[..] {
                [roll, pitch, yaw] => Some(rotation::from_rpy(roll, pitch, yaw)),
                _ => None,
            });
        }
        self.sub(key, &crate::spec::body::TURN).map(|turn| turn.turn(key, self)).transpose()
    }

    /// A rotation by axis and angle, or by a quaternion.
    fn turn(&self, key: &str, outer: &View<'_>) -> Result<Matrix3<f64>, Flaw> {
        match (self.first_of(&["axis", "angle"]), self.numbers("quaternion")) {
            (Some(first), Some(_)) => Err(self.conflict(
                first,
                "quaternion",
                "an orientation is either axis and angle, or a quaternion",
            )),
            (None, Some(q)) => {
                let Q = Vector4::from_iterator(q);
                let norm = Q.norm();
                if (norm - 1.0).abs() > 1e-3 {
                    let owner = outer.owner.clone();
                    return Err(
                        self.flaw("quaternion", Fault::NotUnit { owner, key: key.into(), norm })
                    );
                }
                Ok(rotation::from_quaternion(&(Q / norm)))
            }
            _ => {
                let axis =
                    self.direction("axis")?.ok_or_else(|| self.missing("axis", "3 numbers"))?;
                let angle = self.angle("angle").ok_or_else(|| self.missing("angle", "an angle"))?;
                Ok(rotation::exp(&(axis.into_inner() * angle)))
            }
        }
    }

    /// A key that must be there.
    pub fn missing(&self, name: &'static str, expected: &'static str) -> Flaw {
        let owner = self.owner.clone();
        Flaw::at(self.spot, Fault::Missing { owner, what: "key", name, expected })
    }

    /// Two keys that exclude each other; shown at the second.
    pub fn conflict(&self, first: &str, second: &str, reason: &'static str) -> Flaw {
        let fault = Fault::Conflict {
            owner: self.owner.clone(),
            first: first.into(),
            second: second.into(),
            reason,
        };
        Flaw::at(self.key_spot(second), fault)
    }

    /// A key that has no meaning here.
    pub fn not_here(&self, key: &str, because: impl Into<String>, instead: &'static str) -> Flaw {
        let fault = Fault::NotHere {
            owner: self.owner.clone(),
            key: key.into(),
            because: because.into(),
            instead,
        };
        Flaw::at(self.key_spot(key), fault)
    }

    /// A word that a key does not know.
    pub fn no_word(&self, key: &str, word: &str, known: &[&str]) -> Flaw {
        let fault = Fault::Word {
            owner: self.owner.clone(),
            key: key.into(),
            word: shorten(word),
            allowed: known.iter().map(|w| format!("\"{w}\"")).collect(),
            suggestion: nearest(word, known.iter().copied()),
        };
        self.flaw(key, fault)
    }

    /// A fault of the value of a key.
    pub fn flaw(&self, key: &str, fault: Fault) -> Flaw {
        let unit = self.spec.field(key).map_or("", |f| f.unit);
        Flaw::value(self.spot_of(key), key, unit, fault)
    }

    pub fn key_spot(&self, key: &str) -> Spot {
        self.table.entry(key).map_or(self.spot, |e| match e.node.spot.source == e.key_spot.source {
            true => e.key_spot,
            false => e.node.spot,
        })
    }
}

/// A number, or a text that is an angle.
pub(crate) fn angle_of(node: &Node) -> Option<f64> {
    node.number().or_else(|| angle::parse(node.text()?))
}
