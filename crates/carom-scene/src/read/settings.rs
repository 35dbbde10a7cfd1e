//! Solver, output and impact law.

use crate::error::Flaw;
use crate::law_choice::{EnergyControl, LawChoice, NUMBERS};
use crate::options::{Options, OutputOptions, SolverOptions};
use crate::read::view::View;
use crate::spec::run::{ENERGY, LAW, OUTPUT, SOLVER};

/// Solver and output options of the scene.
pub(crate) fn options(scene: &View<'_>) -> Result<Options, Flaw> {
    let solver = scene.sub("solver", &SOLVER).map(|t| solver(&t)).transpose()?;
    let output = scene.sub("output", &OUTPUT).map(|t| output(&t));
    Ok(Options { solver: solver.unwrap_or_default(), output: output.unwrap_or_default() })
}

fn solver(table: &View<'_>) -> Result<SolverOptions, Flaw> {
    let d = SolverOptions::default();
    let method = table.text("method").map(str::to_string);
    let fixed = method.as_deref() == Some("rk4");
    let foreign = if fixed { ["rtol", "atol", "max_step"].as_slice() } else { &["step"] };
    if let Some(key) = table.first_of(foreign) {
        return Err(table.not_here(
            key,
            match fixed {
                true => "rk4 has a fixed step",
                false => "only the integrator rk4 has a fixed step",
            },
            "rk4 has step; the others have rtol, atol and max_step",
        ));
    }
    Ok(SolverOptions {
        method,
        until: table.number_or("until", d.until),
        rtol: table.number_or("rtol", d.rtol),
        atol: table.number_or("atol", d.atol),
        step: table.number_or("step", d.step),
        max_step: table.number("max_step"),
        zeno: table.number("zeno"),
        max_events: table.number("max_events").map(|n| n as u64),
    })
}

fn output(table: &View<'_>) -> OutputOptions {
    OutputOptions { interval: table.number("interval"), csv: table.flag("csv").unwrap_or(false) }
}

/// The law of the scene or of a contact, if it states one.
pub(crate) fn law(owner: &View<'_>) -> Result<Option<LawChoice>, Flaw> {
    let Some(table) = owner.sub("law", &LAW) else { return Ok(None) };
    let formulation = table.text("formulation").unwrap_or("differential");
    check_keys(&table, formulation)?;
    let text = |key: &str, of: &str, default: &str| {
        (formulation == of).then(|| table.text(key).unwrap_or(default).to_string())
    };
    let mut law = LawChoice {
        formulation: formulation.into(),
        restitution: text("restitution", "differential", "energetic"),
        method: text("method", "algebraic", "whittaker"),
        rule: table.text("rule").unwrap_or("together").into(),
        complementarity: table.flag("complementarity").unwrap_or(false),
        constrain_tangents: table.flag("constrain_tangents").unwrap_or(false),
        energy_control: energy_control(&table, formulation)?,
        ..LawChoice::default()
    };
    for number in NUMBERS {
        if let Some(value) = table.number(number.key) {
            number.put(&mut law, value);
        }
    }
    Ok(Some(law))
}

/// Keys of other formulations are refused: they would have no effect.
fn check_keys(table: &View<'_>, formulation: &str) -> Result<(), Flaw> {
    let words = [
        ("restitution", "differential"),
        ("method", "algebraic"),
        ("complementarity", "constraint"),
        ("constrain_tangents", "constraint"),
    ];
    let numbers = NUMBERS.iter().map(|n| (n.key, n.formulation));
    let keys = || words.into_iter().chain(numbers.clone());
    for (key, wanted) in keys() {
        if table.has(key) && !keys().any(|(k, f)| k == key && f == formulation) {
            return Err(table.not_here(
                key,
                format!("it belongs to formulation = \"{wanted}\", not \"{formulation}\""),
                "leave it out, or change the formulation",
            ));
        }
    }
    Ok(())
}

fn energy_control(law: &View<'_>, formulation: &str) -> Result<Option<EnergyControl>, Flaw> {
    let Some(table) = law.sub("energy_control", &ENERGY) else { return Ok(None) };
    let method = table
        .text("method")
        .ok_or_else(|| table.missing("method", "\"attenuation\" or \"constraint\""))?;
    if method == "constraint" && formulation != "dissipation" {
        return Err(law.not_here(
            "energy_control",
            format!(
                "method = \"constraint\" is a part of \"dissipation\", not of \"{formulation}\""
            ),
            "choose method = \"attenuation\", or formulation = \"dissipation\"",
        ));
    }
    Ok(Some(EnergyControl { method: method.into(), ratio: table.number_or("ratio", 1.0) }))
}
