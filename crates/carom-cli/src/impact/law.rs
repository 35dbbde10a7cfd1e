//! The law of a problem, from JSON, made once and kept.

use carom::impact::constraint::Constraint;
use carom::impact::restitution_matrix::{RestitutionMatrix, Rotation};
use carom::impact::{
    Compliant, DissipationOptions, Formulation, ImpactLaw, LawChoice, Restitution, SeveralContacts,
};
use nalgebra::DVector;

use super::fault::Fault;
use super::json::Json;
use super::problem::unknown;

const OPTIONS: &[&str] = &[
    "formulation",
    "restitution",
    "rule",
    "method",
    "complementarity",
    "constrain_tangents",
    "tangential",
    "rotations",
    "slip_speed",
    "exponent",
    "stiffness",
    "velocity_unit",
    "energy_limit",
    "attenuation",
];

/// Laws that were made before, by the text that chose them.
#[derive(Default)]
pub struct Laws {
    made: Vec<(String, Law)>,
}

/// A law and what the answer must say about it.
pub struct Law {
    /// The law.
    pub law: Box<dyn ImpactLaw>,
    /// Whether its velocities are attenuated, so that the answer reports the missing work.
    pub attenuated: bool,
}

/// Laws kept at a time; a batch rarely has more.
const KEPT: usize = 32;

impl Laws {
    /// The law chosen by the text of `law`; the default law without one.
    pub fn get(&mut self, text: Option<&str>) -> Result<&Law, Fault> {
        let text = text.unwrap_or("{}");
        if let Some(place) = self.made.iter().position(|(known, _)| known == text) {
            return Ok(&self.made[place].1);
        }
        let choice = read(&mut Json::new(text)).map_err(|fault| fault.within("law"))?;
        let law = Law { law: choice.law()?, attenuated: choice.attenuation.is_some() };
        if self.made.len() == KEPT {
            self.made.remove(0);
        }
        self.made.push((text.to_owned(), law));
        Ok(&self.made[self.made.len() - 1].1)
    }
}

/// Everything a law object may hold.
#[derive(Default)]
struct Options {
    formulation: Option<String>,
    restitution: Option<Restitution>,
    several: SeveralContacts,
    brach: bool,
    constraint: Constraint,
    matrix: RestitutionMatrix,
    dissipation: DissipationOptions,
    compliant: Compliant,
    attenuation: Option<f64>,
}

/// Reads a law object. Options of other formulations are read and checked too, but have no effect.
fn read(json: &mut Json) -> Result<LawChoice, Fault> {
    let mut options = Options::default();
    json.object(|json, name| options.member(json, name))?;
    options.choose()
}

impl Options {
    fn member(&mut self, json: &mut Json, name: &str) -> Result<(), Fault> {
        let dissipation = &mut self.dissipation;
        match name {
            "formulation" => self.formulation = Some(json.string()?.into_owned()),
            "restitution" => self.restitution = Some(restitution(json)?),
            "rule" => self.several = rule(json)?,
            "method" => self.brach = either(json, "whittaker", "brach", "whittaker or brach")?,
            "complementarity" => self.constraint.complementarity = json.boolean()?,
            "constrain_tangents" => self.constraint.constrain_tangents = json.boolean()?,
            "tangential" => tangential(json, &mut self.matrix)?,
            "rotations" => rotations(json, &mut self.matrix.rotations)?,
            "slip_speed" => dissipation.slip_speed = json.number()?,
            "exponent" => {
                dissipation.exponent = json.number()?;
                self.compliant.exponent = dissipation.exponent;
            }
            "stiffness" => {
                self.compliant.stiffness.clear();
                json.numbers(&mut self.compliant.stiffness)?;
            }
            "velocity_unit" => dissipation.velocity_unit = json.number()?,
            "energy_limit" => dissipation.energy_limit = Some(json.number()?),
            "attenuation" => self.attenuation = Some(json.number()?),
            _ => unknown(json, name, OPTIONS)?,
        }
        Ok(())
    }

    fn choose(self) -> Result<LawChoice, Fault> {
        let formulation = match self.formulation.as_deref().unwrap_or("differential") {
            "differential" => Formulation::Differential {
                restitution: self.restitution.unwrap_or(Restitution::Energetic),
            },
            "algebraic" if self.brach => Formulation::Brach,
            "algebraic" => Formulation::Whittaker,
            "constraint" => Formulation::Constraint(self.constraint),
            "matrix" => Formulation::Matrix(self.matrix),
            "dissipation" => Formulation::Dissipation(self.dissipation),
            "compliant" => Formulation::Compliant(self.compliant),
            "newton" => Formulation::Newton,
            "poisson" => Formulation::Poisson,
            other => {
                let allowed = "differential, compliant, algebraic, constraint, matrix, dissipation, newton or poisson";
                return Err(Fault::value(other, allowed).within("formulation"));
            }
        };
        Ok(LawChoice { formulation, several: self.several, attenuation: self.attenuation })
    }
}

fn restitution(json: &mut Json) -> Result<Restitution, Fault> {
    let word = json.string()?;
    let found = Restitution::ALL.into_iter().find(|r| r.as_str() == word);
    found.ok_or_else(|| Fault::value(&word, "kinematic, kinetic or energetic"))
}

/// False for the first word, true for the second.
fn either(json: &mut Json, no: &str, yes: &str, allowed: &'static str) -> Result<bool, Fault> {
    let word = json.string()?;
    match &*word {
        word if word == no => Ok(false),
        word if word == yes => Ok(true),
        _ => Err(Fault::value(&word, allowed)),
    }
}

fn rule(json: &mut Json) -> Result<SeveralContacts, Fault> {
    let sequential = either(json, "together", "sequential", "together or sequential")?;
    Ok(if sequential { SeveralContacts::Sequential } else { SeveralContacts::Together })
}

/// One coefficient for all contacts, or one list of one or two coefficients per contact.
fn tangential(json: &mut Json, matrix: &mut RestitutionMatrix) -> Result<(), Fault> {
    matrix.tangential.clear();
    matrix.elsewhere = [0.0; 2];
    if json.number_is_next() {
        matrix.elsewhere = [json.number()?; 2];
        return Ok(());
    }
    json.array(|json, _| {
        let mut numbers = Vec::new();
        let count = json.numbers(&mut numbers)?;
        if count > 2 {
            return Err(Fault::length(2, count));
        }
        numbers.resize(2, 0.0);
        matrix.tangential.push([numbers[0], numbers[1]]);
        Ok(())
    })?;
    Ok(())
}

/// Rotational rows, each `{"contact": index, "row": [...], "coefficient": e, "arm": a}`; without arm, no bound.
fn rotations(json: &mut Json, into: &mut Vec<Rotation>) -> Result<(), Fault> {
    into.clear();
    json.array(|json, _| {
        let (mut contact, mut coefficient, mut arm) = (None, 0.0, f64::INFINITY);
        let mut row = Vec::new();
        json.object(|json, name| {
            match name {
                "contact" => contact = Some(index(json)?),
                "row" => {
                    row.clear();
                    json.numbers(&mut row)?;
                }
                "coefficient" => coefficient = json.number()?,
                "arm" => arm = json.number()?,
                _ => unknown(json, name, &["contact", "row", "coefficient", "arm"])?,
            }
            Ok(())
        })?;
        let contact = contact.ok_or_else(|| Fault::missing("contact"))?;
        into.push(Rotation { contact, row: DVector::from_vec(row), coefficient, arm });
        Ok(())
    })?;
    Ok(())
}

/// A number that counts contacts from 0.
fn index(json: &mut Json) -> Result<usize, Fault> {
    let fault = json.expected("the index of a contact");
    let x = json.number()?;
    if x >= 0.0 && x.fract() == 0.0 && x < 1e6 { Ok(x as usize) } else { Err(fault) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tangential_coefficient_or_one_list_per_contact() {
        let matrix = |value: &str| {
            let text = format!(r#"{{"formulation": "matrix", "tangential": {value}}}"#);
            read(&mut Json::new(&text)).map(|choice| choice.formulation)
        };
        let all = RestitutionMatrix { elsewhere: [-0.25; 2], ..RestitutionMatrix::default() };
        assert_eq!(matrix("-0.25").ok(), Some(Formulation::Matrix(all)));
        let tangential = vec![[0.5, 0.0], [0.1, 0.2]];
        let each = RestitutionMatrix { tangential, ..RestitutionMatrix::default() };
        assert_eq!(matrix("[[0.5], [0.1, 0.2]]").ok(), Some(Formulation::Matrix(each)));
        for bad in ["\"0.5\"", "[0.5]", "[[1, 2, 3]]", "true", "-"] {
            assert!(matrix(bad).is_err(), "{bad}");
        }
    }
}
