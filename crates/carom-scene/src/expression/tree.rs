//! What an expression says: equation (1) of the folder.

use super::error::ExpressionError;
use super::words::{Word, words};

/// Parts inside each other at most.
const DEEPEST: usize = 100;

/// What joins two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Either is true.
    Or,
    /// Both are true.
    And,
    /// Equal.
    Equal,
    /// Not equal.
    Unequal,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// More.
    More,
    /// More or equal.
    AtLeast,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// Remainder with the sign of the divisor.
    Remainder,
    /// Power.
    Power,
}

/// An expression as it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
    /// A function and its arguments.
    Call(String, Vec<Tree>),
    /// −x.
    Negative(Box<Tree>),
    /// not x.
    Not(Box<Tree>),
    /// Two values.
    Pair(Operator, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// Reads a text; known names may hold characters that others may not.
    pub fn parse(text: &str, known: &[String]) -> Result<Self, ExpressionError> {
        let words = words(text, known)?;
        let mut reader = Reader { text, words: &words, at: 0, depth: 0 };
        let tree = reader.level(0)?;
        match reader.peek() {
            None => Ok(tree),
            Some(_) => Err(reader.expected("an operator or the end")),
        }
    }
}

/// Operators by how loosely they bind, from the loosest; negation, `^` and `not` have functions of their own.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("<", Operator::Less),
        (">", Operator::More),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
];

struct Reader<'a> {
    text: &'a str,
    words: &'a [(Word, usize)],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|(word, _)| word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Word::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn expected(&self, expected: &'static str) -> ExpressionError {
        let text = self.text.to_string();
        let (found, place) = match self.words.get(self.at) {
            Some((Word::Number(x), place)) => (format!("`{x}`"), *place),
            Some((Word::Name(name), place)) => (format!("`{name}`"), *place),
            Some((Word::Sign(sign), place)) => (format!("`{sign}`"), *place),
            None => ("the end".into(), text.chars().count() + 1),
        };
        ExpressionError::Expected { text, expected, found, place }
    }

    fn deeper(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let text = self.text.chars().take(40).collect();
        Err(ExpressionError::TooDeep { text, limit: DEEPEST })
    }

    /// Operators of a level, from left to right.
    fn level(&mut self, level: usize) -> Result<Tree, ExpressionError> {
        let Some(operators) = LEVELS.get(level) else { return self.negative() };
        if level == 2 && self.take("not") {
            self.deeper()?;
            let inner = self.level(2)?;
            self.depth -= 1;
            return Ok(Tree::Not(Box::new(inner)));
        }
        let mut tree = self.level(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.take(sign)) {
            tree = Tree::Pair(*operator, Box::new(tree), Box::new(self.level(level + 1)?));
        }
        Ok(tree)
    }

    fn negative(&mut self) -> Result<Tree, ExpressionError> {
        self.deeper()?;
        let tree = if self.take("-") {
            Tree::Negative(Box::new(self.negative()?))
        } else {
            self.take("+");
            self.power()?
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn power(&mut self) -> Result<Tree, ExpressionError> {
        let base = self.atom()?;
        if !self.take("^") {
            return Ok(base);
        }
        Ok(Tree::Pair(Operator::Power, Box::new(base), Box::new(self.negative()?)))
    }

    fn atom(&mut self) -> Result<Tree, ExpressionError> {
        let word = self.peek().cloned();
        match word {
            Some(Word::Number(x)) => {
                self.at += 1;
                Ok(Tree::Number(x))
            }
            Some(Word::Name(name)) => {
                self.at += 1;
                if self.take("(") { self.call(name) } else { Ok(Tree::Name(name)) }
            }
            Some(Word::Sign("(")) => {
                self.at += 1;
                self.deeper()?;
                let inner = self.level(0)?;
                self.depth -= 1;
                if self.take(")") { Ok(inner) } else { Err(self.expected("`)`")) }
            }
            _ => Err(self.expected("a number, a name or `(`")),
        }
    }

    fn call(&mut self, name: String) -> Result<Tree, ExpressionError> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(Tree::Call(name, arguments));
        }
        self.deeper()?;
        loop {
            arguments.push(self.level(0)?);
            if self.take(")") {
                self.depth -= 1;
                return Ok(Tree::Call(name, arguments));
            }
            if !self.take(",") {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }
}
