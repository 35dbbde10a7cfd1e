//! Solver, output and impact law.

use crate::error::Flaw;
use crate::law_words::KEYS;
use crate::options::{Options, OutputOptions, SolverOptions};
use crate::parts::PairPart;
use crate::read::view::View;
use crate::spec::run::{ENERGY, INITIAL, LAW, OUTPUT, SOLVER};
use crate::spec::words::{ENERGY_CONTROLS, FORMULATIONS};
use crate::warning::{Caution, Cautions};
use carom::impact::restitution_matrix::Turning;
use carom::impact::{
    Compliant, Constraint, DissipationOptions, Formulation, LawChoice, Restitution,
    RestitutionMatrix, SeveralContacts,
};

/// Solver and output options of the scene.
pub(crate) fn options(scene: &View<'_>) -> Result<Options, Flaw> {
    let solver = scene.sub("solver", &SOLVER).map(|t| solver(&t)).transpose()?;
    let output = scene.sub("output", &OUTPUT).map(|t| output(&t));
    let initial = scene.sub("initial", &INITIAL);
    Ok(Options {
        solver: solver.unwrap_or_default(),
        output: output.unwrap_or_default(),
        penetration: initial.and_then(|t| t.number("penetration")),
    })
}

fn solver(table: &View<'_>) -> Result<SolverOptions, Flaw> {
    let d = SolverOptions::default();
    let method = table.text("method").map(str::to_string);
    let scheme = table.text("scheme").unwrap_or(&d.scheme).to_string();
    let stepped = scheme == "moreau";
    let fixed = method.as_deref() == Some("rk4");
    let foreign = match (stepped, fixed) {
        (true, _) => [].as_slice(),
        (_, true) => &["rtol", "atol", "max_step"],
        _ => &["step"],
    };
    // A method that the command line chooses is not refused for what the file states for its own.
    let of_file = |key: &str| table.spot_of(key).source == table.spot.source;
    let chosen = table.has("method") && !of_file("method");
    let foreign = foreign.iter().filter(|key| !(chosen && of_file(key)));
    let foreign: Vec<&str> = foreign.copied().collect();
    if let Some(key) = table.first_of(&foreign) {
        return Err(table.not_here(
            key,
            match fixed {
                true => "rk4 has a fixed step",
                false => "only the integrator rk4 and the scheme moreau have a fixed step",
            },
            "rk4 and moreau have step; the others have rtol, atol and max_step",
        ));
    }
    if !fixed && table.has("friction_events") {
        return Err(table.not_here(
            "friction_events",
            "only the integrator rk4 has a fixed step to project over",
            "add method = \"rk4\" and step, or leave it out",
        ));
    }
    Ok(SolverOptions {
        scheme,
        projected: table.text("friction_events") == Some("projected"),
        method,
        until: table.number_or("until", d.until),
        // Where the method has a fixed step, what a file states for its own is not in force.
        rtol: if fixed && !stepped { d.rtol } else { table.number_or("rtol", d.rtol) },
        atol: if fixed && !stepped { d.atol } else { table.number_or("atol", d.atol) },
        step: table.number_or("step", d.step),
        max_step: table.number("max_step").filter(|_| stepped || !fixed),
        zeno: table.number("zeno"),
        max_events: table.number("max_events").map(|n| n as u64),
        strict: table.flag("strict").unwrap_or(d.strict),
    })
}

/// What has no effect in a run by time steps: keys of integrators, and laws other than Newton's, which is put in their
/// place.
pub(crate) fn by_steps(
    scene: &View<'_>,
    law: &mut LawChoice,
    pairs: &mut [PairPart],
    cautions: &mut Cautions,
) {
    let mut tell = |what: &str, why, spot| {
        cautions.push((Caution::NotInSteps { what: what.into(), why }, spot));
    };
    if let Some(table) = scene.sub("solver", &SOLVER) {
        for key in ["method", "rtol", "atol", "max_step", "zeno", "max_events"] {
            if table.has(key) {
                tell(key, "it belongs to runs by events", table.spot_of(key));
            }
        }
    }
    const WHY: &str = "time steps have Newton's law of impact";
    let newton = LawChoice { formulation: Formulation::Newton, ..LawChoice::default() };
    if scene.has("law") && *law != newton {
        tell("law", WHY, scene.spot_of("law"));
    }
    *law = newton;
    for pair in pairs {
        if pair.info.law.take().is_some() {
            tell("law", WHY, pair.spot);
        }
    }
}

fn output(table: &View<'_>) -> OutputOptions {
    OutputOptions {
        interval: table.number("interval"),
        csv: table.flag("csv").unwrap_or(false),
        impact_duration: table.number("impact_duration"),
    }
}

/// The law of the scene or of a contact, if it states one.
pub(crate) fn law(owner: &View<'_>) -> Result<Option<LawChoice>, Flaw> {
    let Some(table) = owner.sub("law", &LAW) else { return Ok(None) };
    let usual = LawChoice::default();
    let word = table.text("formulation").unwrap_or(usual.formulation.as_str());
    check_keys(&table, word)?;
    let mut law = LawChoice {
        formulation: formulation(&table, word)?,
        several: one_of(&table, "rule", SeveralContacts::ALL.map(|r| (r.as_str(), r)))?
            .unwrap_or(usual.several),
        attenuation: usual.attenuation,
    };
    energy_control(&table, &mut law)?;
    Ok(Some(law))
}

/// A formulation with its options.
fn formulation(table: &View<'_>, word: &str) -> Result<Formulation, Flaw> {
    let flag = |key: &str, usual: bool| table.flag(key).unwrap_or(usual);
    Ok(match word {
        "differential" => {
            let definitions = Restitution::ALL.map(|r| (r.as_str(), r));
            let stated = one_of(table, "restitution", definitions)?;
            Formulation::Differential { restitution: stated.unwrap_or(Restitution::Energetic) }
        }
        "algebraic" => {
            let methods = [("whittaker", Formulation::Whittaker), ("brach", Formulation::Brach)];
            one_of(table, "method", methods)?.unwrap_or(Formulation::Whittaker)
        }
        "constraint" => {
            let usual = Constraint::default();
            Formulation::Constraint(Constraint {
                complementarity: flag("complementarity", usual.complementarity),
                constrain_tangents: flag("constrain_tangents", usual.constrain_tangents),
            })
        }
        "matrix" => {
            let usual = RestitutionMatrix::default();
            let elsewhere = table.number("tangential").map_or(usual.elsewhere, |e| [e; 2]);
            let turning = turning(table)?;
            Formulation::Matrix(RestitutionMatrix { elsewhere, turning, ..usual })
        }
        "dissipation" => {
            let usual = DissipationOptions::default();
            Formulation::Dissipation(DissipationOptions {
                slip_speed: table.number_or("slip_speed", usual.slip_speed),
                exponent: table.number_or("exponent", usual.exponent),
                velocity_unit: table.number_or("velocity_unit", usual.velocity_unit),
                ..usual
            })
        }
        "compliant" => {
            let usual = Compliant::default();
            let exponent = table.number_or("exponent", usual.exponent);
            Formulation::Compliant(Compliant { exponent, ..usual })
        }
        "newton" => Formulation::Newton,
        "poisson" => Formulation::Poisson,
        _ => return Err(table.no_word("formulation", word, FORMULATIONS)),
    })
}

/// Rotational restitution of all contacts, if it is stated.
fn turning(table: &View<'_>) -> Result<Option<Turning>, Flaw> {
    let Some(coefficient) = table.number("rotational") else {
        return match table.has("arm") {
            true => Err(table.not_here(
                "arm",
                "it bounds the moments of rotational restitution, which is not stated",
                "add rotational, for example rotational = 0, or leave the arm out",
            )),
            false => Ok(None),
        };
    };
    if table.text("rule") == Some("sequential") {
        return Err(table.not_here(
            "rotational",
            "the sequential rule goes contact by contact and knows no moments",
            "leave rule out, or rotational",
        ));
    }
    Ok(Some(Turning { coefficient, arm: table.number_or("arm", f64::INFINITY) }))
}

/// What the word of a key stands for, if the key is there.
fn one_of<T, const N: usize>(
    table: &View<'_>,
    key: &str,
    choices: [(&'static str, T); N],
) -> Result<Option<T>, Flaw> {
    let Some(word) = table.text(key) else { return Ok(None) };
    let known: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let found = choices.into_iter().find(|(known, _)| *known == word);
    found.map(|(_, value)| Some(value)).ok_or_else(|| table.no_word(key, word, &known))
}

/// Keys of other formulations are refused: they would have no effect.
fn check_keys(table: &View<'_>, formulation: &str) -> Result<(), Flaw> {
    for (key, wanted) in KEYS {
        if table.has(key) && !KEYS.contains(&(key, formulation)) {
            return Err(table.not_here(
                key,
                format!("it belongs to formulation = \"{wanted}\", not \"{formulation}\""),
                "leave it out, or change the formulation",
            ));
        }
    }
    Ok(())
}

/// Bounds the energy after an impact, if that is stated.
fn energy_control(table: &View<'_>, law: &mut LawChoice) -> Result<(), Flaw> {
    let Some(control) = table.sub("energy_control", &ENERGY) else { return Ok(()) };
    let method = control
        .text("method")
        .ok_or_else(|| control.missing("method", "\"attenuation\" or \"constraint\""))?;
    let ratio = Some(control.number_or("ratio", 1.0));
    match (method, &mut law.formulation) {
        ("attenuation", _) => law.attenuation = ratio,
        ("constraint", Formulation::Dissipation(options)) => options.energy_limit = ratio,
        ("constraint", other) => {
            let word = other.as_str();
            return Err(table.not_here(
                "energy_control",
                format!("method = \"constraint\" is a part of \"dissipation\", not of \"{word}\""),
                "choose method = \"attenuation\", or formulation = \"dissipation\"",
            ));
        }
        (other, _) => return Err(control.no_word("method", other, ENERGY_CONTROLS)),
    }
    Ok(())
}
