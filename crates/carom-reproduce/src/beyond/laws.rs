//! Every law of `carom laws` with its meaningful options.

use carom::impact::catalogue::CATALOGUE;

/// A law as it is chosen in a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its name for readers.
    pub name: &'static str,
    /// The table `law` of a scene.
    pub table: &'static str,
    /// Whether the catalogue promises that it never gains energy, for contacts of one restitution.
    pub conserves: bool,
}

const fn choice(name: &'static str, table: &'static str, conserves: bool) -> Choice {
    Choice { name, table, conserves }
}

/// One contact at a time.
pub const LAWS: [Choice; 14] = [
    choice("differential, energetic", "formulation='differential', restitution='energetic'", true),
    choice("differential, kinetic", "formulation='differential', restitution='kinetic'", false),
    choice("differential, kinematic", "formulation='differential', restitution='kinematic'", false),
    choice("Whittaker", "formulation='algebraic', method='whittaker'", false),
    choice("Brach", "formulation='algebraic', method='brach'", true),
    choice("constraint", "formulation='constraint', complementarity=true", true),
    choice(
        "constraint with tangents",
        "formulation='constraint', complementarity=true, constrain_tangents=true",
        false,
    ),
    choice("restitution matrix", "formulation='matrix'", false),
    choice("dissipation", "formulation='dissipation'", false),
    choice(
        "dissipation, energy bound",
        "formulation='dissipation', energy_control={method='constraint', ratio=1}",
        true,
    ),
    choice("Newton", "formulation='newton'", false),
    choice(
        "Newton, attenuation",
        "formulation='newton', energy_control={method='attenuation', ratio=1}",
        true,
    ),
    choice("Poisson", "formulation='poisson'", false),
    choice("compliant", "formulation='compliant'", true),
];

/// The same with touching contacts that wait.
pub const SEQUENTIAL: [Choice; 4] = [
    choice(
        "differential, energetic, sequential",
        "formulation='differential', restitution='energetic', rule='sequential'",
        true,
    ),
    choice("Brach, sequential", "formulation='algebraic', method='brach', rule='sequential'", true),
    choice("Newton, sequential", "formulation='newton', rule='sequential'", false),
    choice("Poisson, sequential", "formulation='poisson', rule='sequential'", false),
];

/// Entries of the catalogue that no choice has; wrappers are known by their option.
pub fn missing() -> Vec<&'static str> {
    let all = || LAWS.iter().chain(&SEQUENTIAL);
    let known = |f: &str| {
        let word = match f {
            "rule" => "rule=".to_string(),
            "attenuation" => "method='attenuation'".to_string(),
            _ => format!("formulation='{f}'"),
        };
        all().any(|c| c.table.contains(&word))
    };
    CATALOGUE.iter().map(|e| e.formulation).filter(|f| !known(f)).collect()
}
