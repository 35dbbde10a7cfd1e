//! One problem: from JSON into buffers that are used again and again.

use carom::impact::contact_space::{reshape, reshape_vector};
use carom::impact::force::Displacement;
use carom::impact::{ImpactContact, ImpactProblem};
use nalgebra::{DMatrix, DVector};

use super::fault::Fault;
use super::json::Json;
use super::spelling::meant;

/// The first three are needed.
const PROBLEM: &[&str] = &[
    "mass_matrix",
    "velocity",
    "contacts",
    "law",
    "id",
    "bilateral",
    "impact_duration",
    "configuration",
];
const CONTACT: &[&str] =
    &["name", "tangents", "normal", "friction", "static_friction", "restitution", "touching"];

/// Reads problems; the last one is in `problem`.
pub struct ProblemReader<'a> {
    /// The problem, valid only if the last read succeeded.
    pub problem: ImpactProblem,
    /// Text of `id`, if there was one.
    pub id: Option<&'a str>,
    /// Text of `law`, if there was one.
    pub law: Option<&'a str>,
    /// Of what the work of finite impact forces is made, if they are asked for.
    pub displacement: Option<Displacement>,
    numbers: Vec<f64>,
    spare: Vec<ImpactContact>,
}

impl Default for ProblemReader<'_> {
    fn default() -> Self {
        Self {
            problem: ImpactProblem {
                mass_matrix: DMatrix::zeros(0, 0),
                velocity: DVector::zeros(0),
                contacts: Vec::new(),
                bilateral: DMatrix::zeros(0, 0),
            },
            id: None,
            law: None,
            displacement: None,
            numbers: Vec::new(),
            spare: Vec::new(),
        }
    }
}

impl<'a> ProblemReader<'a> {
    /// Reads and checks one problem. `id` is known even if a later field is at fault.
    pub fn read(&mut self, text: &'a str) -> Result<(), Fault> {
        (self.id, self.law, self.displacement) = (None, None, None);
        let mut seen = [false; 3];
        reshape(&mut self.problem.bilateral, 0, 0);
        let mut json = Json::new(text);
        json.object(|json, name| {
            match name {
                "mass_matrix" => {
                    seen[0] = true;
                    matrix(json, &mut self.numbers, &mut self.problem.mass_matrix)?;
                }
                "velocity" => {
                    seen[1] = true;
                    vector(json, &mut self.numbers, &mut self.problem.velocity)?;
                }
                "contacts" => {
                    seen[2] = true;
                    self.contacts(json)?;
                }
                "bilateral" => matrix(json, &mut self.numbers, &mut self.problem.bilateral)?,
                "impact_duration" | "configuration" if self.displacement.is_some() => {
                    return Err(Fault::value(name, "one of impact_duration and configuration"));
                }
                "impact_duration" => {
                    let duration = json.number()?;
                    self.displacement = Some(Displacement::MeanVelocity { duration });
                }
                "configuration" => {
                    let mut q = DVector::zeros(0);
                    vector(json, &mut self.numbers, &mut q)?;
                    self.displacement = Some(Displacement::Configuration(q));
                }
                "law" => self.law = Some(json.skip()?),
                "id" => self.id = Some(json.skip()?),
                _ => unknown(json, name, PROBLEM)?,
            }
            Ok(())
        })?;
        json.end()?;
        for (seen, field) in seen.into_iter().zip(PROBLEM) {
            if !seen {
                return Err(Fault::missing(field));
            }
        }
        if self.problem.bilateral.nrows() == 0 {
            let n = self.problem.nv();
            reshape(&mut self.problem.bilateral, 0, n);
        }
        self.problem.validate()?;
        Ok(())
    }

    fn contacts(&mut self, json: &mut Json<'a>) -> Result<(), Fault> {
        self.spare.append(&mut self.problem.contacts);
        json.array(|json, index| {
            let mut contact = self.spare.pop().unwrap_or_else(blank);
            let read = read_contact(json, index, &mut self.numbers, &mut contact);
            self.problem.contacts.push(contact);
            read
        })?;
        Ok(())
    }
}

/// Looks for an `id` in a text that could not be read as a problem.
pub fn find_id(text: &str) -> Option<&str> {
    let mut id = None;
    let mut json = Json::new(text);
    // Whatever was found before the fault counts.
    let _ = json.object(|json, name| {
        let value = json.skip()?;
        if name == "id" {
            id = Some(value);
        }
        Ok(())
    });
    id
}

fn blank() -> ImpactContact {
    ImpactContact {
        name: String::new(),
        tangents: DMatrix::zeros(0, 0),
        normal: DVector::zeros(0),
        friction: 0.0,
        static_friction: 0.0,
        restitution: 0.0,
        touching: true,
    }
}

fn read_contact(
    json: &mut Json,
    index: usize,
    numbers: &mut Vec<f64>,
    c: &mut ImpactContact,
) -> Result<(), Fault> {
    let (mut named, mut normal) = (false, false);
    let (mut friction, mut static_friction, mut restitution) = (None, None, None);
    c.touching = true;
    reshape(&mut c.tangents, 0, 0);
    json.object(|json, name| {
        match name {
            "name" => {
                named = true;
                c.name.clear();
                c.name.push_str(&json.string()?);
            }
            "tangents" => matrix(json, numbers, &mut c.tangents)?,
            "normal" => {
                normal = true;
                vector(json, numbers, &mut c.normal)?;
            }
            "friction" => friction = Some(json.number()?),
            "static_friction" => static_friction = Some(json.number()?),
            "restitution" => restitution = Some(json.number()?),
            "touching" => c.touching = json.boolean()?,
            _ => unknown(json, name, CONTACT)?,
        }
        Ok(())
    })?;
    if !named {
        use std::fmt::Write;
        c.name.clear();
        // Writing to a String cannot fail.
        let _ = write!(c.name, "C{index}");
    }
    if !normal {
        return Err(Fault::missing("normal"));
    }
    if c.tangents.nrows() == 0 {
        reshape(&mut c.tangents, 0, c.normal.len());
        friction = friction.or(static_friction).or(Some(0.0));
    }
    c.restitution = restitution.ok_or_else(|| Fault::missing("restitution"))?;
    // One value of friction means both.
    c.friction = friction.or(static_friction).ok_or_else(|| Fault::missing("friction"))?;
    c.static_friction = static_friction.unwrap_or(c.friction);
    Ok(())
}

/// A field nobody knows: passed over, unless it looks like a misspelt one.
pub fn unknown(json: &mut Json, name: &str, known: &[&'static str]) -> Result<(), Fault> {
    match meant(name, known) {
        Some(meant) => Err(Fault::unknown(meant)),
        None => json.skip().map(|_| ()),
    }
}

fn vector(json: &mut Json, numbers: &mut Vec<f64>, into: &mut DVector<f64>) -> Result<(), Fault> {
    numbers.clear();
    let n = json.numbers(numbers)?;
    reshape_vector(into, n);
    into.as_mut_slice().copy_from_slice(numbers);
    Ok(())
}

/// A matrix, row by row; all rows must have the same length.
fn matrix(json: &mut Json, numbers: &mut Vec<f64>, into: &mut DMatrix<f64>) -> Result<(), Fault> {
    numbers.clear();
    let mut columns = 0;
    let rows = json.array(|json, row| {
        let found = json.numbers(numbers)?;
        if row == 0 {
            columns = found;
        }
        if found == columns { Ok(()) } else { Err(Fault::length(columns, found)) }
    })?;
    reshape(into, rows, columns);
    for (i, row) in numbers.chunks_exact(columns.max(1)).enumerate() {
        for (j, x) in row.iter().enumerate() {
            into[(i, j)] = *x;
        }
    }
    Ok(())
}
