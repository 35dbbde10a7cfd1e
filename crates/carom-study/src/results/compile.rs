//! Results as users write them, made ready for runs.

use super::gather::{Gather, OF_EVENT, Selector, Sort, Way};
use crate::error::StudyError;
use crate::fixed::is_fixed;
use carom_report::Columns;
use carom_scene::expression::{ExpressionError, Formula, Tree};

/// Most values that `last` keeps.
const MOST_KEPT: f64 = 10_000.0;
/// Names of sums of the ledger, beside the columns of a run.
pub const SUMS: [&str; 2] = ["energy.lost", "energy.closure"];

/// All results of a study, for one set of columns.
#[derive(Debug, Clone)]
pub struct Measures {
    /// Names of the columns of results.
    pub names: Vec<String>,
    /// What is gathered.
    pub gathers: Vec<Gather>,
    /// Formulas over parameters and what was gathered, one for each name.
    pub formulas: Vec<Formula>,
    /// How many parameters there are.
    pub parameters: usize,
    /// Where in a row of a sample the numbers of an event begin.
    pub event_at: usize,
}

impl Measures {
    /// Compiles results `(name, expression)` for the columns of a run, the names of its contacts and of the numeric
    /// parameters (others are empty texts).
    pub fn new(
        results: &[(String, String)],
        columns: &Columns,
        sites: &[String],
        parameters: &[String],
    ) -> Result<Self, StudyError> {
        let mut seen: Vec<String> = columns.numbers.iter().map(|c| c.name.clone()).collect();
        seen.extend(columns.modes.iter().cloned());
        seen.extend(SUMS.map(String::from));
        seen.extend(parameters.iter().cloned());
        let event_at = seen.len();
        seen.extend(OF_EVENT.map(String::from));
        let mut known = seen.clone();
        known.extend(sites.iter().cloned());
        known.extend(Sort::words().map(String::from));
        let mut compiler =
            Compiler { seen, known, sites, parameters, gathers: Vec::new(), single: true };
        let (mut names, mut formulas): (Vec<String>, Vec<Formula>) = Default::default();
        for (name, text) in results {
            check_name(name, parameters)?;
            let all = compiler.result(text).map_err(|source| {
                let what = "result";
                StudyError::Expression { what, name: name.clone(), source }
            })?;
            match all.len() {
                1 => names.push(name.clone()),
                n => names.extend((1..=n).map(|k| format!("{name}.{k}"))),
            }
            formulas.extend(all);
        }
        if let Some(k) = (1..names.len()).find(|k| names[..*k].contains(&names[*k])) {
            return Err(StudyError::Twice { what: "result", name: names[k].clone() });
        }
        let parameters = parameters.len();
        Ok(Self { names, gathers: compiler.gathers, formulas, parameters, event_at })
    }

    /// Whether samples between events matter.
    pub fn need_samples(&self) -> bool {
        self.gathers.iter().any(|g| g.way.needs_samples())
    }
}

/// Whether a column of results may have this name.
pub fn check_name(name: &str, parameters: &[String]) -> Result<(), StudyError> {
    let reason = if name.is_empty() {
        "it is empty"
    } else if is_fixed(name) || parameters.iter().any(|p| p == name) {
        "the dataset has a column of that name"
    } else {
        return Ok(());
    };
    Err(StudyError::Name { what: "result", name: name.into(), reason })
}

struct Compiler<'a> {
    /// Names of the numbers of a sample.
    seen: Vec<String>,
    /// All names.
    known: Vec<String>,
    sites: &'a [String],
    parameters: &'a [String],
    gathers: Vec<Gather>,
    /// Whether a part of a result is compiled, which has one value.
    single: bool,
}

impl Compiler<'_> {
    /// The formulas of one result: several for `last`.
    fn result(&mut self, text: &str) -> Result<Vec<Formula>, ExpressionError> {
        let tree = Tree::parse(text, &self.known)?;
        if let Tree::Call(name, arguments) = &tree
            && name == "last"
        {
            self.single = false;
            let first = self.gather(name, arguments);
            self.single = true;
            let first = first?.unwrap_or(0);
            // The number before the value, which was read already.
            let n = whole(name, &arguments[arguments.len() - 2])? as usize;
            return Ok((0..n).map(|k| Formula::Value(first + k)).collect());
        }
        let (parameters, known) = (self.parameters, self.known.clone());
        let mut resolve = |tree: &Tree| match tree {
            Tree::Name(name) => match parameters.iter().position(|p| p == name) {
                Some(k) => Ok(Some(k)),
                None => self.at_end(name),
            },
            Tree::Call(name, arguments) => self.gather(name, arguments),
            _ => Ok(None),
        };
        Formula::new(&tree, &known, &mut resolve).map(|formula| vec![formula])
    }

    /// A column by itself is its last value.
    fn at_end(&mut self, name: &str) -> Result<Option<usize>, ExpressionError> {
        if OF_EVENT.contains(&name) {
            let argument = "the name of a number of an event";
            let expected = "inside at(…), before(…) or last(…)".into();
            return Err(ExpressionError::Argument { name: name.into(), argument, expected });
        }
        let place = self.seen.iter().position(|n| n == name);
        Ok(place.map(|k| self.add(Way::End, Formula::Value(k))))
    }

    fn add(&mut self, way: Way, of: Formula) -> usize {
        let gather = Gather { way, of };
        let mut at = self.parameters.len();
        for known in &self.gathers {
            if *known == gather {
                return at;
            }
            at += known.way.width();
        }
        self.gathers.push(gather);
        at
    }

    /// A function over the recording, if it is one.
    fn gather(&mut self, name: &str, arguments: &[Tree]) -> Result<Option<usize>, ExpressionError> {
        let over_samples = match (name, arguments.len()) {
            ("start", _) => Way::Start,
            ("end", _) => Way::End,
            ("min", 1) => Way::Min,
            ("max", 1) => Way::Max,
            ("time_of_min", _) => Way::TimeOfMin,
            ("time_of_max", _) => Way::TimeOfMax,
            ("mean", _) => Way::Mean,
            ("integral", _) => Way::Integral,
            _ => return self.of_events(name, arguments),
        };
        let [of] = arguments else { return Err(wrong(name, "one argument", arguments)) };
        let of = self.inner(of)?;
        Ok(Some(self.add(over_samples, of)))
    }

    fn of_events(
        &mut self,
        name: &str,
        arguments: &[Tree],
    ) -> Result<Option<usize>, ExpressionError> {
        let (least, expected) = match name {
            "rescues" => {
                let selector = Selector { sort: Sort::Rescue, site: None };
                return Ok(Some(self.add(Way::Count(selector), Formula::Number(0.0))));
            }
            "count" => (1, "a kind of event, and a contact if you like"),
            "time" => (2, "a kind of event and a number"),
            "at" | "before" => (3, "a kind of event, a number and a value"),
            "last" => (3, "a kind of event, how many, and a value"),
            _ => return Ok(None),
        };
        if arguments.len() != least && arguments.len() != least + 1 {
            return Err(wrong(name, expected, arguments));
        }
        let with_site = arguments.len() == least + 1;
        let selector = self.selector(name, &arguments[0], with_site.then(|| &arguments[1]))?;
        let rest = &arguments[1 + usize::from(with_site)..];
        if name == "count" {
            return Ok(Some(self.add(Way::Count(selector), Formula::Number(0.0))));
        }
        if name == "last" && self.single {
            let (argument, expected) = ("it", "a whole result, not a part of one".into());
            return Err(ExpressionError::Argument { name: name.into(), argument, expected });
        }
        let number = whole(name, &rest[0])?;
        let of = match rest.get(1) {
            Some(value) => self.inner(value)?,
            None => self.inner(&Tree::Name("t".into()))?,
        };
        let way = match (name, number) {
            ("last", n) if n > 0.0 => Way::Last(selector, n as usize),
            ("before", n) if n > 0.0 => Way::Before(selector, n as u64),
            ("before", n) if n < 0.0 => Way::LastBefore(selector, -n as usize),
            ("at" | "time", n) if n > 0.0 => Way::After(selector, n as u64),
            ("at" | "time", n) if n < 0.0 => Way::Last(selector, -n as usize),
            _ => {
                let expected = "a whole number from 1, or from −1 down".into();
                return Err(ExpressionError::Argument {
                    name: name.into(),
                    argument: "the number of the event",
                    expected,
                });
            }
        };
        // Of the last n the oldest is the n-th from the end.
        Ok(Some(self.add(way, of)))
    }

    fn selector(
        &self,
        name: &str,
        sort: &Tree,
        site: Option<&Tree>,
    ) -> Result<Selector, ExpressionError> {
        let fault = |argument: &'static str, all: Vec<&str>| ExpressionError::Argument {
            name: name.into(),
            argument,
            expected: format!("one of {}", all.join(", ")),
        };
        let word = |tree: &Tree| match tree {
            Tree::Name(word) => Some(word.clone()),
            _ => None,
        };
        let sort = word(sort)
            .and_then(|w| Sort::from_word(&w))
            .ok_or_else(|| fault("the kind of event", Sort::words().collect()))?;
        let Some(site) = site else { return Ok(Selector { sort, site: None }) };
        let place = word(site).and_then(|w| self.sites.iter().position(|s| *s == w));
        let all = || self.sites.iter().map(String::as_str).collect();
        let site = Some(place.ok_or_else(|| fault("the contact", all()))?);
        Ok(Selector { sort, site })
    }

    /// A formula over the numbers of a sample.
    fn inner(&self, tree: &Tree) -> Result<Formula, ExpressionError> {
        let mut resolve = |tree: &Tree| match tree {
            Tree::Name(name) => Ok(self.seen.iter().position(|n| n == name)),
            _ => Ok(None),
        };
        Formula::new(tree, &self.seen, &mut resolve)
    }
}

/// A whole number that is written out.
fn whole(name: &str, tree: &Tree) -> Result<f64, ExpressionError> {
    let number = match tree {
        Tree::Number(x) => Some(*x),
        Tree::Negative(inner) => match **inner {
            Tree::Number(x) => Some(-x),
            _ => None,
        },
        _ => None,
    };
    number.filter(|x| x.fract() == 0.0 && x.abs() <= MOST_KEPT).ok_or_else(|| {
        ExpressionError::Argument {
            name: name.into(),
            argument: "the number of the event",
            expected: format!("a whole number, at most {MOST_KEPT}"),
        }
    })
}

fn wrong(name: &str, expected: &'static str, arguments: &[Tree]) -> ExpressionError {
    ExpressionError::Arguments { name: name.into(), expected, found: arguments.len() }
}
