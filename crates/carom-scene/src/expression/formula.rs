//! An expression with its names resolved.

use super::error::{ExpressionError, nearest};
use super::tree::{Operator, Tree};
use std::f64::consts::{PI, TAU};

/// An expression over a list of numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// An entry of the list.
    Value(usize),
    /// −x.
    Negative(Box<Formula>),
    /// not x.
    Not(Box<Formula>),
    /// Two values.
    Pair(Operator, Box<Formula>, Box<Formula>),
    /// A function.
    Call(Function, Vec<Formula>),
}

/// A function of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Function {
    /// Of one number: its place in the list of those.
    One(usize),
    /// Of two.
    Two(usize),
    /// if(c, a, b): a where c is true, else b.
    Choice,
}

type OfOne = (&'static str, fn(f64) -> f64);
type OfTwo = (&'static str, fn(f64, f64) -> f64);

/// Functions of one number.
const ONE: [OfOne; 18] = [
    ("abs", f64::abs),
    ("sqrt", f64::sqrt),
    ("exp", f64::exp),
    ("log", f64::ln),
    ("log10", f64::log10),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("tanh", f64::tanh),
    ("floor", f64::floor),
    ("ceil", f64::ceil),
    ("round", f64::round),
    ("sign", |x| if x == 0.0 { 0.0 } else { x.signum() }),
    ("isnan", |x| f64::from(u8::from(x.is_nan()))),
    ("deg", f64::to_degrees),
];

/// Functions of two numbers.
const TWO: [OfTwo; 4] =
    [("atan2", f64::atan2), ("hypot", f64::hypot), ("min", f64::min), ("max", f64::max)];

/// Names of numbers.
const CONSTANTS: [(&str, f64); 7] = [
    ("pi", PI),
    ("tau", TAU),
    ("inf", f64::INFINITY),
    ("nan", f64::NAN),
    ("open", 0.0),
    ("stick", 1.0),
    ("slip", 2.0),
];

/// Functions over recordings, which studies know: here only to be suggested.
const OF_RECORDINGS: [&str; 12] = [
    "start",
    "end",
    "mean",
    "integral",
    "time_of_min",
    "time_of_max",
    "count",
    "at",
    "before",
    "time",
    "last",
    "rescues",
];

/// Says which entry of the list a part of an expression is, if it is one.
pub type Resolve<'a> = &'a mut dyn FnMut(&Tree) -> Result<Option<usize>, ExpressionError>;

impl Formula {
    /// Resolves the names of an expression; `known` is for suggestions.
    pub fn new(
        tree: &Tree,
        known: &[String],
        resolve: Resolve<'_>,
    ) -> Result<Self, ExpressionError> {
        if let Some(index) = resolve(tree)? {
            return Ok(Self::Value(index));
        }
        let mut inner = |tree: &Tree| Self::new(tree, known, resolve).map(Box::new);
        Ok(match tree {
            Tree::Number(x) => Self::Number(*x),
            Tree::Name(name) => match CONSTANTS.iter().find(|(n, _)| n == name) {
                Some((_, x)) => Self::Number(*x),
                None => {
                    let all = known.iter().map(String::as_str);
                    let suggestion = nearest(name, all.chain(CONSTANTS.map(|c| c.0)));
                    return Err(ExpressionError::UnknownName { name: name.clone(), suggestion });
                }
            },
            Tree::Negative(x) => Self::Negative(inner(x)?),
            Tree::Not(x) => Self::Not(inner(x)?),
            Tree::Pair(operator, a, b) => Self::Pair(*operator, inner(a)?, inner(b)?),
            Tree::Call(name, arguments) => {
                let function = function(name, arguments.len())?;
                let all = arguments.iter().map(|a| inner(a).map(|f| *f));
                Self::Call(function, all.collect::<Result<_, _>>()?)
            }
        })
    }

    /// An expression over named numbers.
    pub fn of_names(text: &str, names: &[String]) -> Result<Self, ExpressionError> {
        let tree = Tree::parse(text, names)?;
        let mut place = |tree: &Tree| match tree {
            Tree::Name(name) => Ok(names.iter().position(|n| n == name)),
            _ => Ok(None),
        };
        Self::new(&tree, names, &mut place)
    }

    /// Its value.
    pub fn value(&self, values: &[f64]) -> f64 {
        let truth = |holds: bool| f64::from(u8::from(holds));
        match self {
            Self::Number(x) => *x,
            Self::Value(index) => values[*index],
            Self::Negative(x) => -x.value(values),
            Self::Not(x) => truth(x.value(values) == 0.0),
            Self::Pair(operator, a, b) => {
                let (a, b) = (a.value(values), b.value(values));
                match operator {
                    Operator::Or => truth(a != 0.0 || b != 0.0),
                    Operator::And => truth(a != 0.0 && b != 0.0),
                    Operator::Equal => truth(a == b),
                    Operator::Unequal => truth(a != b),
                    Operator::Less => truth(a < b),
                    Operator::AtMost => truth(a <= b),
                    Operator::More => truth(a > b),
                    Operator::AtLeast => truth(a >= b),
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a * b,
                    Operator::Divide => a / b,
                    Operator::Remainder => a - b * (a / b).floor(),
                    Operator::Power => a.powf(b),
                }
            }
            Self::Call(Function::One(f), x) => ONE[*f].1(x[0].value(values)),
            Self::Call(Function::Two(f), x) => TWO[*f].1(x[0].value(values), x[1].value(values)),
            Self::Call(Function::Choice, x) => {
                let chosen = if x[0].value(values) == 0.0 { 2 } else { 1 };
                x[chosen].value(values)
            }
        }
    }

    /// Whether it is a condition: comparisons, joined by `and`, `or`, `not`.
    pub fn is_condition(&self) -> bool {
        use Operator::{And, AtLeast, AtMost, Less, More, Or};
        match self {
            Self::Pair(Less | AtMost | More | AtLeast, a, b) => {
                a.rough_part().is_none() && b.rough_part().is_none()
            }
            Self::Pair(And | Or, a, b) => a.is_condition() && b.is_condition(),
            Self::Not(x) => x.is_condition(),
            _ => false,
        }
    }

    /// How far a condition is from changing, > 0 where it holds: a < b by b − a, `and` by the least,
    /// `or` by the largest.
    pub fn margin(&self, values: &[f64]) -> f64 {
        match self {
            Self::Pair(Operator::Less | Operator::AtMost, a, b) => {
                b.value(values) - a.value(values)
            }
            Self::Pair(Operator::More | Operator::AtLeast, a, b) => {
                a.value(values) - b.value(values)
            }
            Self::Pair(Operator::And, a, b) => a.margin(values).min(b.margin(values)),
            Self::Pair(Operator::Or, a, b) => a.margin(values).max(b.margin(values)),
            Self::Not(x) => -x.margin(values),
            other => other.value(values),
        }
    }

    /// The first part that jumps, by its name; none if the expression is continuous.
    pub fn rough_part(&self) -> Option<&'static str> {
        const ROUGH: [&str; 5] = ["floor", "ceil", "round", "sign", "isnan"];
        match self {
            Self::Number(_) | Self::Value(_) => None,
            Self::Negative(x) => x.rough_part(),
            Self::Not(_) => Some("not"),
            Self::Pair(operator, a, b) => match operator {
                Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Power => a.rough_part().or(b.rough_part()),
                Operator::Remainder => Some("%"),
                _ => Some("a comparison"),
            },
            Self::Call(Function::Choice, _) => Some("if"),
            Self::Call(Function::One(f), _) if ROUGH.contains(&ONE[*f].0) => Some(ONE[*f].0),
            Self::Call(_, all) => all.iter().find_map(Self::rough_part),
        }
    }

    /// The name of a call; empty of everything else.
    pub(super) fn function_name(&self) -> &'static str {
        match self {
            Self::Call(Function::One(f), _) => ONE[*f].0,
            Self::Call(Function::Two(f), _) => TWO[*f].0,
            Self::Call(Function::Choice, _) => "if",
            _ => "",
        }
    }

    /// Whether it asks for an entry of the list in this range.
    pub fn asks(&self, range: &std::ops::Range<usize>) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Value(index) => range.contains(index),
            Self::Negative(x) | Self::Not(x) => x.asks(range),
            Self::Pair(_, a, b) => a.asks(range) || b.asks(range),
            Self::Call(_, all) => all.iter().any(|x| x.asks(range)),
        }
    }
}

fn function(name: &str, count: usize) -> Result<Function, ExpressionError> {
    let one = ONE.iter().position(|(n, _)| *n == name);
    let two = TWO.iter().position(|(n, _)| *n == name);
    let wrong = |expected| ExpressionError::Arguments { name: name.into(), expected, found: count };
    match (one, two, name, count) {
        (Some(f), _, _, 1) => Ok(Function::One(f)),
        (_, Some(f), _, 2) => Ok(Function::Two(f)),
        (_, _, "if", 3) => Ok(Function::Choice),
        (Some(_), ..) => Err(wrong("one argument")),
        (_, Some(_), ..) => Err(wrong("two arguments")),
        (_, _, "if", _) => {
            Err(wrong("three arguments: a condition, what if it holds, what if not"))
        }
        _ => {
            let all = ONE.iter().map(|f| f.0).chain(TWO.iter().map(|f| f.0)).chain(["if"]);
            let suggestion = nearest(name, all.chain(OF_RECORDINGS));
            Err(ExpressionError::UnknownFunction { name: name.into(), suggestion })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        let names: Vec<String> = ["x", "loss.ball-ground", "$u"].map(String::from).to_vec();
        Formula::of_names(text, &names).unwrap().value(&[2.0, 7.0, 0.25])
    }

    #[test]
    fn eq1_what_binds_tighter() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("2 * 3 ^ 2", 18.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ -1", 0.5),
            ("2 ^ 3 ^ 2", 512.0),
            ("10 - 4 - 3", 3.0),
            ("1 < 2 and not 3 < 2", 1.0),
            ("not 1 == 1 or 1", 1.0),
            ("1 + 1 == 2", 1.0),
            ("-1 % 3", 2.0),
            ("(1 + 2) * 3", 9.0),
            ("1e-3 * 1E3", 1.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn names_and_functions() {
        assert_eq!(value("loss.ball-ground - x"), 5.0);
        assert_eq!(value("`loss.ball-ground`-x"), 5.0);
        assert_eq!(value("if(x > 1, max(x, 5), nan) + $u"), 5.25);
        assert_eq!(value("atan2(0, -1) == pi and slip == 2"), 1.0);
        assert!(value("0 / 0").is_nan());
    }

    #[test]
    fn conditions_and_their_margins() {
        let names: Vec<String> = ["x", "y"].map(String::from).to_vec();
        let of = |text: &str| Formula::of_names(text, &names).unwrap();
        for (text, margin) in [
            ("x > y", -1.0),
            ("x < y", 1.0),
            ("x < y and x > 1.5", 0.5),
            ("x > y or y > 1", 2.0),
            ("not (x < y or y < 5)", -2.0),
        ] {
            assert!(of(text).is_condition(), "{text}");
            assert_eq!(of(text).margin(&[2.0, 3.0]), margin, "{text}");
        }
        for text in ["x", "x == y", "floor(x) > y", "if(x > 1, 1, 0) < 2"] {
            assert!(!of(text).is_condition(), "{text}");
        }
        assert_eq!(of("2 * sin(x) ^ 2 - max(x, y)").rough_part(), None);
        assert_eq!(of("1 + sign(x)").rough_part(), Some("sign"));
        assert_eq!(of("if(x > 1, 1, 0)").rough_part(), Some("if"));
    }

    #[test]
    fn faults_say_what_and_where() {
        let fault = |text: &str| {
            let names = vec!["speed".to_string()];
            Formula::of_names(text, &names).unwrap_err().to_string()
        };
        assert_eq!(fault("spead + 1"), "`spead` is not known; did you mean `speed`?");
        assert_eq!(fault("sqr(2)"), "there is no function `sqr`; did you mean `sqrt`?");
        assert_eq!(fault("sqrt(1, 2)"), "`sqrt` takes one argument, not 2");
        let end = "`1 +`: a number, a name or `(` is expected at place 4, not the end";
        assert_eq!(fault("1 +"), end);
        assert_eq!(fault("2 ; 3"), "`2 ; 3`: `;` at place 3 is not part of an expression");
        assert_eq!(fault("(1"), "`(1`: `)` is expected at place 3, not the end");
        assert!(fault("").contains("the end"));
        let deep = "(".repeat(10_000);
        assert!(fault(&deep).ends_with("is nested deeper than 100"));
        assert!(fault(&"-".repeat(10_000)).ends_with("is nested deeper than 100"));
        assert!(fault(&format!("1{}", "^1".repeat(10_000))).ends_with("deeper than 100"));
    }
}
