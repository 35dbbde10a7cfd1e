//! Every law as users see it: name, options, scope, source and what it promises about energy.
//!
//! The command line prints this table; [`choice`](super::choice) makes the laws. A test holds the two together.

/// One option of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawOption {
    /// Name in files.
    pub name: &'static str,
    /// Allowed values.
    pub values: &'static str,
    /// Value if it is not given.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// How a scene states it.
    pub scenes: InScenes,
}

/// How the table `law` of a scene states an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InScenes {
    /// By the same name and values.
    Same,
    /// In another way, here with a value, as it is written in the table.
    Written(&'static str),
    /// Not at all, for the reason given.
    Not(&'static str),
}

/// What a law promises about the kinetic energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyPromise {
    /// It never grows, for any admissible data.
    Never,
    /// It never grows under the condition stated.
    If(&'static str),
    /// It may grow; the audit tells.
    May(&'static str),
}

impl EnergyPromise {
    /// In words.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Never => ("never gained", ""),
            Self::If(condition) => ("never gained if", condition),
            Self::May(reason) => ("may be gained:", reason),
        }
    }
}

/// One law, or one family of laws that share a formulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawEntry {
    /// Formulation in files; for a wrapper, the option that switches it on.
    pub formulation: &'static str,
    /// What it is.
    pub title: &'static str,
    /// How it works, in one or two sentences.
    pub summary: &'static str,
    /// Its options.
    pub options: &'static [LawOption],
    /// Which problems it takes.
    pub scope: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it promises about energy.
    pub energy: EnergyPromise,
}

/// All laws, the default first, the wrappers last.
pub const CATALOGUE: &[LawEntry] = &[
    DIFFERENTIAL,
    COMPLIANT,
    ALGEBRAIC,
    CONSTRAINT,
    MATRIX,
    DISSIPATION,
    NEWTON,
    POISSON,
    RULE,
    ATTENUATION,
];

/// The entry of a formulation.
pub fn entry(formulation: &str) -> Option<&'static LawEntry> {
    CATALOGUE.iter().find(|law| law.formulation == formulation)
}

const DIFFERENTIAL: LawEntry = LawEntry {
    formulation: "differential",
    title: "Path in impulse space with Coulomb friction",
    summary: "Follows the contact velocities through compression and restitution: slip, stop, stick, reversal, \
              detachment and re-attachment happen where they happen. One planar contact in closed form, several by \
              exact linear stages, spatial slip along the closed-form hodograph.",
    options: &[LawOption {
        name: "restitution",
        values: "kinematic | kinetic | energetic",
        default: "energetic",
        meaning: "ratio of normal velocities, of impulses, or root of the ratio of works",
        scenes: InScenes::Same,
    }],
    scope: "any number of planar or spatial contacts; touching ones take part without restitution",
    source: "Morgan 2011; Hurmuzlu & Marghitu 1994, section 3.1",
    energy: EnergyPromise::If("restitution is energetic"),
};

const COMPLIANT: LawEntry = LawEntry {
    formulation: "compliant",
    title: "Compliant contacts with two stiffnesses and Coulomb friction",
    summary: "Every contact that is not apart is a spring, stiffer while it unloads, so that it gives back e² of what it \
              stored; impulses are shared by stiffness, and energy passes through touching contacts. Stages are exact \
              power series. It always has an answer: where other laws have none, or several, this one decides.",
    options: &[
        LawOption {
            name: "stiffness",
            values: "list of numbers > 0, one per contact",
            default: "1 each",
            meaning: "stiffness of the contacts, in the order of the problem; only ratios matter",
            scenes: InScenes::Not(
                "which contacts take part changes from impact to impact; in a scene all are equally stiff",
            ),
        },
        LawOption {
            name: "exponent",
            values: "1 to 3",
            default: "1",
            meaning: "force over compression to this power: 1 linear, 1.5 Hertz",
            scenes: InScenes::Same,
        },
    ],
    scope: "any number of planar or spatial contacts, redundant ones too, any friction",
    source: "Stronge's bi-stiffness contact; several: after Liu, Zhao & Brogliato 2008-09",
    energy: EnergyPromise::Never,
};

const ALGEBRAIC: LawEntry = LawEntry {
    formulation: "algebraic",
    title: "Whittaker's law and Brach's revision",
    summary: "One set of modes (stick, slip, rebound) for the whole impact, found among all of them; Brach limits \
              the friction ratio where Whittaker's would gain energy.",
    options: &[LawOption {
        name: "method",
        values: "whittaker | brach",
        default: "whittaker",
        meaning: "which of the two",
        scenes: InScenes::Same,
    }],
    scope: "one colliding contact, any number of touching planar ones",
    source: "Hurmuzlu & Marghitu 1994, section 3.2",
    energy: EnergyPromise::If("method is brach"),
};

const CONSTRAINT: LawEntry = LawEntry {
    formulation: "constraint",
    title: "Plastic, elastic and partially elastic constraints",
    summary: "All touching contacts act as constraints, J v⁺ = −e J v⁻, by one block matrix; without friction. As \
              written an impulse may pull.",
    options: &[
        LawOption {
            name: "complementarity",
            values: "true | false",
            default: "false",
            meaning: "release contacts that would pull, activate those that would be penetrated",
            scenes: InScenes::Same,
        },
        LawOption {
            name: "constrain_tangents",
            values: "true | false",
            default: "false",
            meaning: "hold the tangents as well, with e = 0",
            scenes: InScenes::Same,
        },
    ],
    scope: "any number of contacts; a singular mass matrix if the block matrix is regular",
    source: "Johnson 2024",
    energy: EnergyPromise::If("all contacts have the same e"),
};

const MATRIX: LawEntry = LawEntry {
    formulation: "matrix",
    title: "Restitution matrix",
    summary: "A diagonal matrix of normal and tangential coefficients maps the contact velocities; kept while every \
              impulse lies in its friction cone, otherwise contacts slip by Coulomb's law.",
    options: &[
        LawOption {
            name: "tangential",
            values: "a number, or one list of coefficients per contact",
            default: "zeros (stick)",
            meaning: "tangential coefficients e_t, velocity after over velocity before; a number holds for all contacts \
                      and directions",
            scenes: InScenes::Written("tangential = 0.4"),
        },
        LawOption {
            name: "rotations",
            values: "list of {contact, row, coefficient, arm}",
            default: "none",
            meaning: "rotational rows: index of the contact, Jacobian row, e_r, arm of the friction moment",
            scenes: InScenes::Written("rotational = 0.3, arm = 0.02"),
        },
    ],
    scope: "any number of planar or spatial contacts",
    source: "Flickinger 2011, (3.2)-(3.16), (4.11)",
    energy: EnergyPromise::May("tangential coefficients, friction with e > 0"),
};

const DISSIPATION: LawEntry = LawEntry {
    formulation: "dissipation",
    title: "Dissipation principle",
    summary: "Normal velocities by Newton's restitution; of all slips that friction allows, the one nearest to stick, \
              found globally. Friction is smoothed between static and dynamic (Karnopp).",
    options: &[
        LawOption {
            name: "slip_speed",
            values: "> 0, m/s",
            default: "1.4e-4",
            meaning: "slip speed at which friction has mostly fallen from static to dynamic",
            scenes: InScenes::Same,
        },
        LawOption {
            name: "exponent",
            values: "> 0",
            default: "1",
            meaning: "shape of that fall",
            scenes: InScenes::Same,
        },
        LawOption {
            name: "velocity_unit",
            values: "> 0, m/s",
            default: "1",
            meaning: "velocity that counts as a unit of friction coefficient where contacts compete",
            scenes: InScenes::Same,
        },
        LawOption {
            name: "energy_limit",
            values: ">= 0",
            default: "none",
            meaning: "energy allowed after over energy before, as a constraint; above 1: none",
            scenes: InScenes::Written("energy_control = { method = \"constraint\", ratio = 1 }"),
        },
    ],
    scope: "up to 10 planar or spatial contacts",
    source: "Flickinger 2011, sections 4.1 and 5.4",
    energy: EnergyPromise::If("energy_limit is at most 1"),
};

const NEWTON: LawEntry = LawEntry {
    formulation: "newton",
    title: "Newton's law for all contacts together",
    summary: "0 ≤ pₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0 with Coulomb friction on the velocities after, as a complementarity problem with \
              a residual certificate.",
    options: &[],
    scope: "any number of planar or spatial contacts",
    source: "Moreau; Pfeiffer & Glocker 1996",
    energy: EnergyPromise::May("friction with e > 0, or different e"),
};

const POISSON: LawEntry = LawEntry {
    formulation: "poisson",
    title: "Poisson's law for all contacts together",
    summary: "A compression problem, then an expansion problem in which each contact returns at least e times its \
              compression impulse; both with Coulomb friction as complementarity problems.",
    options: &[],
    scope: "any number of planar or spatial contacts",
    source: "Pfeiffer & Glocker 1996",
    energy: EnergyPromise::May("friction at some contacts with different e"),
};

const RULE: LawEntry = LawEntry {
    formulation: "rule",
    title: "Several contacts, around any law",
    summary: "Together: all touching contacts take part at once, as the law has it. Sequential: the most approaching \
              contact goes first, the others wait until they themselves approach.",
    options: &[LawOption {
        name: "rule",
        values: "together | sequential",
        default: "together",
        meaning: "how several contacts are treated; the answer names it",
        scenes: InScenes::Same,
    }],
    scope: "any of the laws above",
    source: "ours; the question is Hurmuzlu & Marghitu 1994",
    energy: EnergyPromise::If("the law never gains any"),
};

const ATTENUATION: LawEntry = LawEntry {
    formulation: "attenuation",
    title: "Energy control by attenuation, around any law",
    summary: "Scales all velocities down where the energy exceeds its limit. Not an impulse at the contacts: the \
              answer keeps the law's impulses, and the work that is missing is reported as attenuation_work.",
    options: &[LawOption {
        name: "attenuation",
        values: ">= 0",
        default: "none",
        meaning: "energy allowed after over energy before; above 1: no control",
        scenes: InScenes::Written("energy_control = { method = \"attenuation\", ratio = 1 }"),
    }],
    scope: "wraps any of the laws above",
    source: "Flickinger 2011, section 5.1",
    energy: EnergyPromise::If("attenuation is at most 1"),
};

#[cfg(test)]
mod tests {
    use super::super::choice::{Formulation, LawChoice};
    use super::super::compliant::Compliant;
    use super::super::constraint::Constraint;
    use super::super::dissipation::DissipationOptions;
    use super::super::restitution_matrix::RestitutionMatrix;
    use super::*;

    #[test]
    fn every_choice_is_listed_and_can_be_made() {
        let formulations = [
            LawChoice::default().formulation,
            Formulation::Whittaker,
            Formulation::Brach,
            Formulation::Constraint(Constraint::default()),
            Formulation::Matrix(RestitutionMatrix::default()),
            Formulation::Dissipation(DissipationOptions::default()),
            Formulation::Compliant(Compliant::default()),
            Formulation::Newton,
            Formulation::Poisson,
        ];
        for formulation in formulations {
            assert!(entry(formulation.as_str()).is_some(), "{}", formulation.as_str());
            let choice = LawChoice { formulation, attenuation: Some(1.0), ..LawChoice::default() };
            assert!(choice.law().is_ok());
        }
        let names: Vec<_> = CATALOGUE.iter().map(|law| law.formulation).collect();
        let contract =
            ["differential", "compliant", "algebraic", "constraint", "matrix", "dissipation"];
        assert!(contract.iter().chain(&["newton", "poisson"]).all(|name| names.contains(name)));
    }

    #[test]
    fn options_out_of_range_are_refused() {
        let choice = LawChoice { attenuation: Some(-1.0), ..LawChoice::default() };
        assert!(choice.law().is_err());
        let options = DissipationOptions { slip_speed: 0.0, ..DissipationOptions::default() };
        let formulation = Formulation::Dissipation(options);
        assert!(LawChoice { formulation, ..LawChoice::default() }.law().is_err());
        for wrong in [
            Compliant { exponent: 0.5, ..Compliant::default() },
            Compliant { stiffness: vec![1.0, 0.0], ..Compliant::default() },
            Compliant { stiffness: vec![f64::NAN], ..Compliant::default() },
        ] {
            let formulation = Formulation::Compliant(wrong);
            assert!(LawChoice { formulation, ..LawChoice::default() }.law().is_err());
        }
    }
}
