//! Flickinger's impact law with his ways of energy control.

use carom::impact::{DissipationOptions, Formulation, LawChoice, SeveralContacts};

/// What keeps the energy after an impact within e* times the energy before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Control {
    /// Nothing.
    None,
    /// All velocities are scaled down afterwards, (5.2); e* above 1 never acts.
    Attenuation(f64),
    /// A constraint of the search for the slip, (5.9).
    Constraint(f64),
}

impl Control {
    /// The dissipation principle with this control and a friction layer of `slip_speed` m/s, a = 1.
    pub fn law(self, slip_speed: f64) -> LawChoice {
        let (attenuation, energy_limit) = match self {
            Self::None => (None, None),
            Self::Attenuation(limit) => (Some(limit), None),
            Self::Constraint(limit) => (None, Some(limit)),
        };
        let options =
            DissipationOptions { slip_speed, energy_limit, ..DissipationOptions::default() };
        LawChoice {
            formulation: Formulation::Dissipation(options),
            several: SeveralContacts::Together,
            attenuation,
        }
    }

    /// How it is named in tables.
    pub fn label(self) -> String {
        match self {
            Self::None => "no control".into(),
            Self::Attenuation(limit) if limit > 1.0 => format!("e* = {limit} (never acts)"),
            Self::Attenuation(limit) => format!("attenuation, e* = {limit}"),
            Self::Constraint(limit) => format!("constraint, e* = {limit}"),
        }
    }
}
