//! An impact law in the words of `carom laws`, in which scenes state it and reports repeat it.
//!
//! The law itself is a [`LawChoice`]; `read/settings.rs` makes it of these words.

use carom::impact::{Compliant, DissipationOptions, Formulation, LawChoice, RestitutionMatrix};

/// Keys of a law that belong to some formulations only.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("restitution", "differential"),
    ("method", "algebraic"),
    ("complementarity", "constraint"),
    ("constrain_tangents", "constraint"),
    ("tangential", "matrix"),
    ("rotational", "matrix"),
    ("arm", "matrix"),
    ("slip_speed", "dissipation"),
    ("exponent", "dissipation"),
    ("exponent", "compliant"),
    ("velocity_unit", "dissipation"),
];

/// A number that tunes a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LawNumber {
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub value: f64,
    /// The value that it has where none is stated.
    pub usual: f64,
}

/// A law in words.
#[derive(Debug, Clone, PartialEq)]
pub struct LawWords {
    /// The formulation.
    pub formulation: &'static str,
    /// The key that says which law of the formulation it is, and its word.
    pub which: Option<(&'static str, &'static str)>,
    /// What is on or off, by keys.
    pub flags: Vec<(&'static str, bool)>,
    /// Numbers of the formulation.
    pub numbers: Vec<LawNumber>,
    /// The rule for several contacts.
    pub rule: &'static str,
    /// Bounds on the energy after an impact: method and ratio. A scene states one at most.
    pub energy_control: Vec<(&'static str, f64)>,
}

impl LawWords {
    /// The words for a law.
    pub fn of(law: &LawChoice) -> Self {
        let mut words = Self {
            formulation: law.formulation.as_str(),
            which: None,
            flags: Vec::new(),
            numbers: Vec::new(),
            rule: law.several.as_str(),
            energy_control: law
                .attenuation
                .map(|ratio| ("attenuation", ratio))
                .into_iter()
                .collect(),
        };
        match &law.formulation {
            Formulation::Differential { restitution } => {
                words.which = Some(("restitution", restitution.as_str()));
            }
            Formulation::Whittaker => words.which = Some(("method", "whittaker")),
            Formulation::Brach => words.which = Some(("method", "brach")),
            Formulation::Constraint(own) => {
                words.flags.push(("complementarity", own.complementarity));
                words.flags.push(("constrain_tangents", own.constrain_tangents));
            }
            Formulation::Matrix(own) => {
                let usual = RestitutionMatrix::default().elsewhere[0];
                words.number("tangential", own.elsewhere[0], usual);
                if let Some(turning) = own.turning {
                    // There is none unless it is stated.
                    words.number("rotational", turning.coefficient, f64::NAN);
                    if turning.arm.is_finite() {
                        words.number("arm", turning.arm, f64::INFINITY);
                    }
                }
            }
            Formulation::Dissipation(own) => {
                let usual = DissipationOptions::default();
                words.number("slip_speed", own.slip_speed, usual.slip_speed);
                words.number("exponent", own.exponent, usual.exponent);
                words.number("velocity_unit", own.velocity_unit, usual.velocity_unit);
                words.energy_control.extend(own.energy_limit.map(|ratio| ("constraint", ratio)));
            }
            Formulation::Compliant(own) => {
                words.number("exponent", own.exponent, Compliant::default().exponent);
            }
            Formulation::Newton | Formulation::Poisson => {}
        }
        words
    }

    fn number(&mut self, key: &'static str, value: f64, usual: f64) {
        self.numbers.push(LawNumber { key, value, usual });
    }

    /// Numbers that are not as usual.
    pub fn unusual_numbers(&self) -> impl Iterator<Item = &LawNumber> {
        self.numbers.iter().filter(|n| n.value != n.usual)
    }

    /// Keys of the flags that are on.
    pub fn flags_on(&self) -> impl Iterator<Item = &'static str> {
        self.flags.iter().filter(|(_, on)| *on).map(|(key, _)| *key)
    }
}
