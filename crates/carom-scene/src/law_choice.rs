//! The impact law that a scene or a contact states, in the words of `carom laws`.

use carom::impact::{self, Formulation};

/// The impact law of a scene or a pair, in the words of `carom laws`.
#[derive(Debug, Clone, PartialEq)]
pub struct LawChoice {
    /// `differential`, `algebraic`, `constraint`, `matrix`, `dissipation`, `compliant`, `newton` or `poisson`.
    pub formulation: String,
    /// Meaning of e in the differential law: `kinematic`, `kinetic` or `energetic`.
    pub restitution: Option<String>,
    /// Algebraic method: `whittaker` or `brach`.
    pub method: Option<String>,
    /// `together`: touching contacts take part at once; `sequential`: they wait.
    pub rule: String,
    /// Constraint law: release contacts that would pull.
    pub complementarity: bool,
    /// Constraint law: add the tangents with e = 0.
    pub constrain_tangents: bool,
    /// Restitution matrix: slip velocity after an impact per slip velocity before.
    pub tangential: f64,
    /// Dissipation principle: slip speed at which friction has mostly fallen to dynamic, m/s.
    pub slip_speed: f64,
    /// Dissipation principle: shape of that fall. Compliant contacts: power of the compression in the force.
    pub exponent: f64,
    /// Dissipation principle: velocity that counts as a unit of friction coefficient, m/s.
    pub velocity_unit: f64,
    /// Bound on the energy after an impact.
    pub energy_control: Option<EnergyControl>,
}

impl Default for LawChoice {
    fn default() -> Self {
        let dissipation = impact::DissipationOptions::default();
        Self {
            formulation: "differential".into(),
            restitution: Some("energetic".into()),
            method: None,
            rule: "together".into(),
            complementarity: false,
            constrain_tangents: false,
            tangential: 0.0,
            slip_speed: dissipation.slip_speed,
            exponent: dissipation.exponent,
            velocity_unit: dissipation.velocity_unit,
            energy_control: None,
        }
    }
}

impl LawChoice {
    /// The law of the core that these words stand for. The reader has checked the words; one that
    /// slipped through counts as the default.
    pub fn choice(&self) -> impact::LawChoice {
        let control = self.energy_control.as_ref();
        let ratio = |method: &str| control.filter(|c| c.method == method).map(|c| c.ratio);
        let formulation = match self.formulation.as_str() {
            "algebraic" if self.method.as_deref() == Some("brach") => Formulation::Brach,
            "algebraic" => Formulation::Whittaker,
            "constraint" => Formulation::Constraint(impact::Constraint {
                complementarity: self.complementarity,
                constrain_tangents: self.constrain_tangents,
            }),
            "matrix" => Formulation::Matrix(impact::RestitutionMatrix {
                elsewhere: [self.tangential; 2],
                ..impact::RestitutionMatrix::default()
            }),
            "dissipation" => Formulation::Dissipation(impact::DissipationOptions {
                slip_speed: self.slip_speed,
                exponent: self.exponent,
                velocity_unit: self.velocity_unit,
                energy_limit: ratio("constraint"),
                ..impact::DissipationOptions::default()
            }),
            "compliant" => Formulation::Compliant(impact::Compliant {
                exponent: self.exponent,
                ..impact::Compliant::default()
            }),
            "newton" => Formulation::Newton,
            "poisson" => Formulation::Poisson,
            _ => {
                let word = self.restitution.as_deref().unwrap_or("energetic");
                let found = impact::Restitution::ALL.into_iter().find(|r| r.as_str() == word);
                Formulation::Differential {
                    restitution: found.unwrap_or(impact::Restitution::Energetic),
                }
            }
        };
        let rule = match self.rule.as_str() {
            "sequential" => impact::SeveralContacts::Sequential,
            _ => impact::SeveralContacts::Together,
        };
        impact::LawChoice { formulation, several: rule, attenuation: ratio("attenuation") }
    }

    /// The numbers of its formulation by their keys.
    pub fn numbers(&self) -> Vec<(&'static str, f64)> {
        let of = NUMBERS.iter().filter(|n| n.formulation == self.formulation);
        of.map(|n| (n.key, (n.get)(self))).collect()
    }

    /// Those that are not the default.
    pub fn unusual_numbers(&self) -> Vec<(&'static str, f64)> {
        let usual = Self { formulation: self.formulation.clone(), ..Self::default() }.numbers();
        self.numbers().into_iter().filter(|n| !usual.contains(n)).collect()
    }
}

/// A number that tunes a law.
pub(crate) struct LawNumber {
    /// Its key.
    pub key: &'static str,
    /// The formulation that has it.
    pub formulation: &'static str,
    get: fn(&LawChoice) -> f64,
    set: fn(&mut LawChoice, f64),
}

impl LawNumber {
    /// Sets the number in a law.
    pub fn put(&self, law: &mut LawChoice, value: f64) {
        (self.set)(law, value);
    }
}

/// All numbers that tune laws.
pub(crate) const NUMBERS: &[LawNumber] = &[
    LawNumber {
        key: "tangential",
        formulation: "matrix",
        get: |law| law.tangential,
        set: |law, x| law.tangential = x,
    },
    LawNumber {
        key: "slip_speed",
        formulation: "dissipation",
        get: |law| law.slip_speed,
        set: |law, x| law.slip_speed = x,
    },
    LawNumber {
        key: "exponent",
        formulation: "dissipation",
        get: |law| law.exponent,
        set: |law, x| law.exponent = x,
    },
    LawNumber {
        key: "exponent",
        formulation: "compliant",
        get: |law| law.exponent,
        set: |law, x| law.exponent = x,
    },
    LawNumber {
        key: "velocity_unit",
        formulation: "dissipation",
        get: |law| law.velocity_unit,
        set: |law, x| law.velocity_unit = x,
    },
];

/// A bound on the kinetic energy after an impact.
#[derive(Debug, Clone, PartialEq)]
pub struct EnergyControl {
    /// `attenuation` or `constraint`.
    pub method: String,
    /// Largest kinetic energy after an impact per kinetic energy before.
    pub ratio: f64,
}
