//! All parameters together: what each row is.
//!
//! Rows of a file, grids and lists are axes of a product, the first the slowest. Draws have a value of their own in
//! each row; with draws, rows beyond the product begin it anew.

use super::random::Stream;
use super::rows::RowTable;
use super::sobol::Sobol;
use super::value::Value;
use super::vary::{Parameter, Vary, sobol_of};
use crate::error::StudyError;
use carom_report::Digest;
use carom_scene::expression::Formula;

/// Most rows of a study.
pub const MOST_ROWS: u64 = 10_000_000_000;

/// What each row of a study is.
#[derive(Debug, Clone)]
pub struct Plan {
    table: RowTable,
    parameters: Vec<Parameter>,
    formulas: Vec<Option<Formula>>,
    streams: Vec<Stream>,
    sobol: Vec<Option<Sobol>>,
    names: Vec<String>,
    numeric: Vec<bool>,
    rows: u64,
    seed: u64,
}

impl Plan {
    /// The plan of parameters and of the rows of a file; `samples` is how many rows, where the values leave it open.
    pub fn new(
        parameters: Vec<Parameter>,
        table: Option<RowTable>,
        samples: Option<u64>,
        seed: u64,
    ) -> Result<Self, StudyError> {
        let table = table.unwrap_or(RowTable { names: Vec::new(), rows: Vec::new() });
        let names: Vec<String> =
            table.names.iter().chain(parameters.iter().map(|p| &p.name)).cloned().collect();
        check_names(&names)?;
        let column = |k: usize| table.rows.iter().all(|r| matches!(r[k], Value::Number(_)));
        let numeric: Vec<bool> = (0..table.names.len())
            .map(column)
            .chain(parameters.iter().map(|p| p.vary.is_numeric()))
            .collect();
        let rows = rows(&parameters, table.rows.len() as u64, samples)?;
        let formulas = formulas(&parameters, &names, &numeric)?;
        Ok(Self {
            formulas,
            streams: parameters.iter().map(|p| Stream::new(seed, &p.name)).collect(),
            sobol: sobol_of(&parameters, seed)?,
            table,
            parameters,
            names,
            numeric,
            rows,
            seed,
        })
    }

    /// One row, in which nothing varies.
    pub fn nothing() -> Self {
        Self {
            table: RowTable { names: Vec::new(), rows: Vec::new() },
            parameters: Vec::new(),
            formulas: Vec::new(),
            streams: Vec::new(),
            sobol: Vec::new(),
            names: Vec::new(),
            numeric: Vec::new(),
            rows: 1,
            seed: 1,
        }
    }

    /// How many rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// What draws depend on.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Names of all parameters: those of the file first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// For each parameter whether all its values are numbers.
    pub fn numeric(&self) -> &[bool] {
        &self.numeric
    }

    /// The parameters that are not of the file.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Rows of the file, and a hash of the first `count` of them: more may be added later.
    pub fn table_hash(&self, count: usize) -> (usize, String) {
        let mut digest = Digest::default();
        let count = count.min(self.table.rows.len());
        for value in self.table.rows[..count].iter().flatten() {
            digest.bytes(value.to_string().as_bytes());
            digest.bytes(b"\0");
        }
        (self.table.rows.len(), digest.hex())
    }

    /// The values of a row, in the order of the names.
    pub fn values(&self, row: u64) -> Vec<Value> {
        let mut values = vec![Value::Number(f64::NAN); self.names.len()];
        let (axes, own) = (&self.parameters, self.table.names.len());
        // The last axis is the fastest.
        let mut rest = row;
        for (k, parameter) in axes.iter().enumerate().rev() {
            if let Some(count) = parameter.vary.count() {
                values[own + k] = parameter.vary.of_axis(rest % count);
                rest /= count;
            }
        }
        if let Some(at) = rest.checked_rem(self.table.rows.len() as u64) {
            values[..own].clone_from_slice(&self.table.rows[at as usize]);
        }
        for (k, parameter) in axes.iter().enumerate() {
            if parameter.vary.is_drawn() {
                let (stream, sobol) = (self.streams[k], self.sobol[k].as_ref());
                values[own + k] = Value::Number(parameter.vary.drawn(stream, sobol, row));
            }
        }
        let mut numbers: Vec<f64> = values.iter().map(Value::number).collect();
        for (k, formula) in self.formulas.iter().enumerate() {
            if let Some(formula) = formula {
                numbers[own + k] = formula.value(&numbers);
                values[own + k] = Value::Number(numbers[own + k]);
            }
        }
        values
    }

    /// The changes to the scene that a row is.
    pub fn overrides(&self, values: &[Value]) -> Vec<String> {
        let changes = self.names.iter().zip(values).filter(|(name, _)| !name.starts_with('$'));
        changes.map(|(name, value)| format!("{name}={value}")).collect()
    }
}

fn check_names(names: &[String]) -> Result<(), StudyError> {
    if names.is_empty() {
        return Err(StudyError::NothingVaries);
    }
    for (k, name) in names.iter().enumerate() {
        if names[..k].contains(name) {
            return Err(StudyError::Twice { what: "parameter", name: name.clone() });
        }
        if name.is_empty() || name == "$" {
            let (what, reason) = ("parameter", "it is empty");
            return Err(StudyError::Name { what, name: name.clone(), reason });
        }
        if crate::fixed::is_fixed(name) {
            let (what, reason) = ("parameter", "the dataset has a column of that name");
            return Err(StudyError::Name { what, name: name.clone(), reason });
        }
    }
    Ok(())
}

fn rows(parameters: &[Parameter], table: u64, samples: Option<u64>) -> Result<u64, StudyError> {
    let counts: Vec<u64> = parameters.iter().filter_map(|p| p.vary.count()).collect();
    let product = counts.iter().map(|n| *n as f64).product::<f64>() * table.max(1) as f64;
    let too_many = |rows: f64| match rows <= MOST_ROWS as f64 {
        true => Ok(rows as u64),
        false => Err(StudyError::TooManyRows { rows, most: MOST_ROWS as f64 }),
    };
    if samples == Some(0) {
        let (name, what) = ("samples".into(), "the number of rows");
        return Err(StudyError::Range { name, what, value: 0.0, allowed: "at least 1".into() });
    }
    let product = too_many(product)?;
    let samples = samples.map(|s| too_many(s as f64)).transpose()?;
    let drawn = parameters.iter().find(|p| p.vary.is_drawn());
    match (drawn, samples) {
        (Some(_), Some(samples)) => Ok(samples),
        (Some(p), None) if counts.is_empty() && table == 0 => {
            Err(StudyError::NoSamples { name: p.name.clone() })
        }
        (None, Some(samples)) if samples > product => {
            Err(StudyError::TooManySamples { samples, rows: product })
        }
        (None, Some(samples)) => Ok(samples),
        _ => Ok(product),
    }
}

/// Expressions see the numbers of all parameters before them, and of all that are no expressions.
fn formulas(
    parameters: &[Parameter],
    names: &[String],
    numeric: &[bool],
) -> Result<Vec<Option<Formula>>, StudyError> {
    let own = names.len() - parameters.len();
    let mut all = Vec::new();
    for (k, parameter) in parameters.iter().enumerate() {
        let Vary::Derived(text) = &parameter.vary else {
            all.push(None);
            continue;
        };
        let later = |n: usize| n >= own + k && matches!(parameters[n - own].vary, Vary::Derived(_));
        let seen = |n: usize, name: &String| match numeric[n] && !later(n) {
            true => name.clone(),
            // A name that no expression can have keeps the places.
            false => "\u{0}".into(),
        };
        let names: Vec<String> = names.iter().enumerate().map(|(n, name)| seen(n, name)).collect();
        let formula = Formula::of_names(text, &names).map_err(|source| StudyError::Expression {
            what: "parameter",
            name: parameter.name.clone(),
            source,
        })?;
        all.push(Some(formula));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(texts: &[&str], samples: Option<u64>) -> Result<Plan, StudyError> {
        let read = texts.iter().map(|t| Parameter::read(t)).collect::<Result<_, _>>()?;
        Plan::new(read, None, samples, 1)
    }

    fn numbers(plan: &Plan, row: u64) -> Vec<f64> {
        plan.values(row).iter().map(Value::number).collect()
    }

    #[test]
    fn grids_are_products_and_the_last_is_the_fastest() {
        let plan = plan(&["a=0:1:2", "b=[5, 6, 7]"], None).unwrap();
        assert_eq!(plan.rows(), 6);
        let rows: Vec<Vec<f64>> = (0..6).map(|row| numbers(&plan, row)).collect();
        assert_eq!(rows[1], [0.0, 6.0]);
        assert_eq!(rows[3], [1.0, 5.0]);
        assert_eq!(plan.overrides(&plan.values(4)), ["a=1", "b=6"]);
    }

    #[test]
    fn draws_do_not_depend_on_other_parameters_or_rows() {
        let one = plan(&["a=random(0, 1)"], Some(10)).unwrap();
        let two = plan(&["b=sobol(0, 1)", "a=random(0, 1)"], Some(1000)).unwrap();
        assert_eq!(numbers(&one, 7)[0], numbers(&two, 7)[1]);
    }

    #[test]
    fn variables_and_expressions() {
        let plan =
            plan(&["$u=random(-1, 1)", "x=expr(asin($u))", "y=expr(2 * x)"], Some(5)).unwrap();
        let row = numbers(&plan, 3);
        assert_eq!(row[1], row[0].asin());
        assert_eq!(row[2], 2.0 * row[1]);
        assert_eq!(plan.overrides(&plan.values(3)).len(), 2);
    }

    #[test]
    fn bad_tables() {
        let fault = |texts: &[&str], samples| plan(texts, samples).unwrap_err().to_string();
        assert_eq!(fault(&[], None), "nothing is varied");
        assert_eq!(fault(&["a=1:2:2", "a=3"], None), "parameter `a` is given twice");
        assert!(fault(&["a=random(0, 1)"], None).contains("the number of rows is not said"));
        let many = fault(&["a=0:1:1e6", "b=0:1:1e6"], None);
        assert_eq!(many, "the study would have 1.000e12 rows, at most 1e10 are possible");
        assert!(fault(&["a=random(0, 1)"], Some(1_000_000_000_000)).contains("1.000e12 rows"));
        assert!(fault(&["a=random(0, 1)"], Some(0)).contains("must be at least 1"));
        assert!(fault(&["a=0:1:3"], Some(4)).contains("the values give only 3 different ones"));
        assert!(fault(&["a=expr(b)", "b=expr(1)"], None).contains("`b` is not known"));
        assert!(fault(&["a=[x, y]", "b=expr(a)"], None).contains("`a` is not known"));
        assert!(fault(&["row=1:2:3"], None).contains("cannot be the name of a parameter"));
    }
}
