//! What is said about one parameter.
//!
//! | text | values |
//! |---|---|
//! | `A:B:N` | N values from A to B, both included: an axis of the grid |
//! | `log(A, B, N)` | the same with equal ratios |
//! | `[X, Y, …]` | these, numbers or anything that may stand behind `--set PATH=`: an axis of the grid |
//! | `random(A, B)` | drawn evenly, for each row anew |
//! | `normal(M, S)` | drawn from the normal distribution with mean M and deviation S |
//! | `sobol(A, B)` | a coordinate of a Sobol sequence: all such parameters together fill their box evenly |
//! | `lhs(A, B, N)` | a coordinate of Latin hypercubes of N rows each |
//! | `expr(…)` | computed from the other parameters |
//! | anything else | this one value |
//!
//! `random`, `sobol` and `lhs` take `log` as a last argument: even in the logarithm.

use super::random::{Stream, normal};
use super::sobol::Sobol;
use super::value::Value;
use super::{latin::latin, sobol::DIMENSIONS};
use crate::error::StudyError;

/// Most values of an axis.
const MOST_VALUES: f64 = 1e10;
/// Most texts of a list that are tried before the first run.
const MOST_TEXTS: usize = 100;

/// A parameter: the path of a value in the scene, or `$name` for a variable that only expressions use.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What was written.
    pub text: String,
    /// What it means.
    pub vary: Vary,
}

/// How a parameter gets its values.
#[derive(Debug, Clone, PartialEq)]
pub enum Vary {
    /// These.
    List(Vec<Value>),
    /// From, to, how many.
    Grid(Span, u64),
    /// Drawn from a span.
    Draw(Span, Draw),
    /// Mean and deviation.
    Normal(f64, f64),
    /// An expression.
    Derived(String),
}

/// How numbers are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Independent of each other.
    Random,
    /// Sobol.
    Sobol,
    /// Latin hypercubes of so many rows.
    Latin(u64),
}

/// An interval, even in itself or in its logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    from: f64,
    to: f64,
    log: bool,
}

impl Span {
    /// The value at a part of it, 0 to 1; both ends exactly.
    fn at(&self, part: f64) -> f64 {
        if part == 0.0 {
            return self.from;
        }
        if part == 1.0 {
            return self.to;
        }
        match self.log {
            true => (self.from.ln() + part * (self.to.ln() - self.from.ln())).exp(),
            false => self.from + part * (self.to - self.from),
        }
    }
}

impl Parameter {
    /// Reads `PATH=VALUES`.
    pub fn read(text: &str) -> Result<Self, StudyError> {
        let found = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
        let Some((name, values)) = found else {
            let (name, expected) = ("--vary".into(), "PATH=VALUES");
            return Err(StudyError::Values { name, text: text.into(), expected });
        };
        Self::new(name.trim(), values.trim())
    }

    /// A parameter and the text of its values.
    pub fn new(name: &str, text: &str) -> Result<Self, StudyError> {
        let vary = Reader { name, text }.vary()?;
        Ok(Self { name: name.into(), text: text.into(), vary })
    }

    /// Whether it is a variable, not a value of the scene.
    pub fn is_variable(&self) -> bool {
        self.name.starts_with('$')
    }
}

impl Vary {
    /// How many values an axis of the grid has; none if it is not one.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::List(values) => Some(values.len() as u64),
            Self::Grid(_, count) => Some(*count),
            _ => None,
        }
    }

    /// The value of an axis.
    pub fn of_axis(&self, index: u64) -> Value {
        match self {
            Self::List(values) => values[index as usize % values.len()].clone(),
            Self::Grid(span, count) => {
                Value::Number(span.at(index as f64 / (count - 1).max(1) as f64))
            }
            _ => Value::Number(f64::NAN),
        }
    }

    /// Whether it is drawn.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Self::Draw(..) | Self::Normal(..))
    }

    /// The value of a row that is drawn; `sobol` is the coordinate of its own if it has one.
    pub fn drawn(&self, stream: Stream, sobol: Option<&Sobol>, row: u64) -> f64 {
        let part = |draw: &Draw| match (draw, sobol) {
            (Draw::Latin(n), _) => latin(stream, row, *n),
            (Draw::Sobol, Some(sobol)) => sobol.at(row),
            _ => stream.unit(row),
        };
        match self {
            Self::Draw(span, draw) => span.at(part(draw)),
            Self::Normal(mean, deviation) => mean + deviation * normal(stream, row),
            _ => f64::NAN,
        }
    }

    /// The least and the largest value and all texts, for a look at the scene before it is run.
    pub fn ends(&self) -> Vec<Value> {
        match self {
            Self::List(values) => {
                let by_size = |a: &&Value, b: &&Value| a.number().total_cmp(&b.number());
                let numbers = || values.iter().filter(|v| matches!(v, Value::Number(_)));
                let ends = numbers().min_by(by_size).into_iter().chain(numbers().max_by(by_size));
                let texts = values.iter().filter(|v| matches!(v, Value::Text(_)));
                ends.chain(texts.take(MOST_TEXTS)).cloned().collect()
            }
            Self::Grid(span, _) | Self::Draw(span, _) => {
                vec![Value::Number(span.from), Value::Number(span.to)]
            }
            _ => Vec::new(),
        }
    }

    /// Whether all values are numbers.
    pub fn is_numeric(&self) -> bool {
        match self {
            Self::List(values) => values.iter().all(|v| matches!(v, Value::Number(_))),
            _ => true,
        }
    }
}

/// Reads the values of one parameter.
struct Reader<'a> {
    name: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn vary(&self) -> Result<Vary, StudyError> {
        let text = self.text;
        if let Some((function, inner)) = call(text) {
            return self.function(function, inner);
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            return self.list(inner);
        }
        let parts: Vec<&str> = text.split(':').collect();
        if let [from, to, count] = parts.as_slice()
            && !text.contains(['{', '"'])
        {
            let numbers = [self.number(from)?, self.number(to)?];
            return self.grid(numbers, count, false);
        }
        if parts.len() == 2 && parts.iter().all(|p| p.trim().parse::<f64>().is_ok()) {
            return Err(self.unreadable("FROM:TO:COUNT"));
        }
        self.list(text)
    }

    fn function(&self, function: &str, inner: &str) -> Result<Vary, StudyError> {
        if function == "expr" {
            return Ok(Vary::Derived(inner.trim().into()));
        }
        let mut parts = split(inner);
        let log = parts.last().is_some_and(|p| p.trim() == "log") || function == "log";
        if parts.last().is_some_and(|p| p.trim() == "log") {
            parts.pop();
        }
        let numbers = |count: usize| match parts.len() == count {
            true => Ok([self.number(parts[0])?, self.number(parts[1])?]),
            false => Err(self.unreadable(shape(function))),
        };
        match function {
            "grid" | "log" => self.grid(numbers(3)?, parts[2], log),
            "random" => Ok(Vary::Draw(self.span(numbers(2)?, log)?, Draw::Random)),
            "sobol" => Ok(Vary::Draw(self.span(numbers(2)?, log)?, Draw::Sobol)),
            "lhs" => {
                let span = self.span(numbers(3)?, log)?;
                Ok(Vary::Draw(span, Draw::Latin(self.count(parts[2])?)))
            }
            "normal" => {
                let [mean, deviation] = numbers(2)?;
                match deviation >= 0.0 {
                    true => Ok(Vary::Normal(mean, deviation)),
                    false => Err(self.range("the deviation", deviation, "≥ 0".into())),
                }
            }
            _ => Err(self.unreadable(
                "one of A:B:N, [A, B], random(), normal(), sobol(), lhs(), log(), expr()",
            )),
        }
    }

    fn grid(&self, ends: [f64; 2], count: &str, log: bool) -> Result<Vary, StudyError> {
        let count = self.count(count)?;
        if count == 1 && ends[0] == ends[1] {
            return Ok(Vary::List(vec![Value::Number(ends[0])]));
        }
        if count == 1 {
            return Err(self.range("the number of values", 1.0, "at least 2".into()));
        }
        Ok(Vary::Grid(self.span(ends, log)?, count))
    }

    fn span(&self, [from, to]: [f64; 2], log: bool) -> Result<Span, StudyError> {
        if from == to {
            let allowed = format!("other than the lower end {from}: the range is empty");
            return Err(self.range("the upper end", to, allowed));
        }
        if log && (from <= 0.0 || to <= 0.0) {
            return Err(self.range("an end of a logarithmic range", from.min(to), "> 0".into()));
        }
        Ok(Span { from, to, log })
    }

    fn list(&self, inner: &str) -> Result<Vary, StudyError> {
        let values: Vec<Value> = split(inner).iter().map(|p| Value::read(p)).collect();
        if values.iter().any(|v| matches!(v, Value::Text(t) if t.is_empty())) {
            return Err(self.unreadable("a list of values"));
        }
        if values.iter().any(|v| matches!(v, Value::Number(x) if x.is_nan())) {
            return Err(self.range("a value", f64::NAN, "a number".into()));
        }
        Ok(Vary::List(values))
    }

    fn number(&self, text: &str) -> Result<f64, StudyError> {
        let Ok(x) = text.trim().parse::<f64>() else {
            return Err(self.unreadable(shape(call(self.text).map_or(":", |(f, _)| f))));
        };
        match x.is_finite() {
            true => Ok(x),
            false => Err(self.range("an end of the range", x, "a finite number".into())),
        }
    }

    fn count(&self, text: &str) -> Result<u64, StudyError> {
        let Ok(x) = text.trim().parse::<f64>() else {
            return Err(self.unreadable(shape(call(self.text).map_or(":", |(f, _)| f))));
        };
        match x.fract() == 0.0 && (1.0..=MOST_VALUES).contains(&x) {
            true => Ok(x as u64),
            false => {
                let allowed = format!("a whole number from 1 to {MOST_VALUES:.0e}");
                Err(self.range("the number of values", x, allowed))
            }
        }
    }

    fn unreadable(&self, expected: &'static str) -> StudyError {
        StudyError::Values { name: self.name.into(), text: self.text.into(), expected }
    }

    fn range(&self, what: &'static str, value: f64, allowed: String) -> StudyError {
        StudyError::Range { name: self.name.into(), what, value, allowed }
    }
}

/// The form of a function's arguments.
fn shape(function: &str) -> &'static str {
    match function {
        "random" => "random(FROM, TO)",
        "sobol" => "sobol(FROM, TO)",
        "normal" => "normal(MEAN, DEVIATION)",
        "lhs" => "lhs(FROM, TO, ROWS)",
        "log" => "log(FROM, TO, COUNT)",
        "grid" => "grid(FROM, TO, COUNT)",
        _ => "FROM:TO:COUNT",
    }
}

/// `name(inner)` as both.
fn call(text: &str) -> Option<(&str, &str)> {
    let (name, inner) = text.strip_suffix(')')?.split_once('(')?;
    let name = name.trim();
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic())).then_some((name, inner))
}

/// Parts between commas that are in no bracket and no quotation marks.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_i32, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' | '(' if !quoted => depth += 1,
            ']' | '}' | ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The Sobol coordinates of parameters, in their order.
pub fn sobol_of(parameters: &[Parameter], seed: u64) -> Result<Vec<Option<Sobol>>, StudyError> {
    let mut used = 0;
    let mut all = Vec::new();
    for parameter in parameters {
        let own = matches!(parameter.vary, Vary::Draw(_, Draw::Sobol));
        if own && used == DIMENSIONS {
            return Err(StudyError::Range {
                name: parameter.name.clone(),
                what: "the number of Sobol coordinates",
                value: (used + 1) as f64,
                allowed: format!("at most {DIMENSIONS}; draw the others by random() or lhs()"),
            });
        }
        all.push(own.then(|| Sobol::new(used, seed)));
        used += usize::from(own);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Parameter::read(text).unwrap_err().to_string()
    }

    #[test]
    fn grids_have_both_ends() {
        let grid = Parameter::read("contact.0.restitution=0:1:11").unwrap().vary;
        assert_eq!(grid.count(), Some(11));
        assert_eq!(grid.of_axis(0), Value::Number(0.0));
        assert_eq!(grid.of_axis(3), Value::Number(0.3));
        assert_eq!(grid.of_axis(10), Value::Number(1.0));
        let log = Parameter::read("a=log(1e-3, 10, 5)").unwrap().vary;
        assert!((log.of_axis(2).number() - 0.1).abs() < 1e-15);
        assert_eq!((log.of_axis(0).number(), log.of_axis(4).number()), (1e-3, 10.0));
    }

    #[test]
    fn lists_hold_anything() {
        let vary =
            Parameter::read("law=[{ formulation = \"newton\", a = 1 }, poisson, 3]").unwrap();
        let Vary::List(values) = vary.vary else { panic!() };
        assert_eq!(values[0], Value::Text("{ formulation = \"newton\", a = 1 }".into()));
        assert_eq!(values[1..], [Value::Text("poisson".into()), Value::Number(3.0)]);
        assert_eq!(Parameter::read("a=newton").unwrap().vary.count(), Some(1));
    }

    #[test]
    fn faults_name_value_and_range() {
        assert!(fault("a=0:1").contains("`0:1` is not FROM:TO:COUNT"));
        assert!(fault("a=0:0:5").contains("the range is empty"));
        assert!(fault("a=0:1:1").contains("the number of values is 1, must be at least 2"));
        assert!(fault("a=0:nan:5").contains("an end of the range is NaN"));
        assert!(fault("a=0:1:2.5").contains("must be a whole number"));
        assert!(fault("a=0:1:1e12").contains("the number of values is 1000000000000"));
        assert!(fault("a=[1, nan]").contains("a value is NaN"));
        assert!(fault("a=[]").contains("`[]` is not a list of values"));
        assert!(fault("a=random(1)").contains("is not random(FROM, TO)"));
        assert!(fault("a=log(-1, 2, 3)").contains("logarithmic range is -1, must be > 0"));
        assert!(fault("a=uniform(0, 1)").contains("is not one of"));
        assert!(fault("=3").contains("`=3` is not PATH=VALUES"));
    }
}
