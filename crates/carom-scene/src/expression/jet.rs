//! A function of time with its first and second derivative, from its expression.
//!
//! # Law
//! A jet is x = (x, ẋ, ẍ). For a function f of one number and of two,
//! ```text
//! f(x) = (f, f′ẋ, f″ẋ² + f′ẍ)                                                          (1)
//! x y = (xy, ẋy + xẏ, ẍy + 2ẋẏ + xÿ)                                                    (2)
//! x^c by (1) with f′ = c x^(c−1), f″ = c(c−1) x^(c−2);   x^y = exp(y log x)             (3)
//! hypot(x, y) = √(x² + y²),   d atan2(y, x)/dt = (xẏ − yẋ)/(x² + y²)                    (4)
//! ```
//! Differences would have errors of 1e-8; a prescribed acceleration enters forces, and has round-off alone.
//!
//! # Limits
//! Functions with kinks (`abs`, `min`, `max`) have no second derivative there: [`Formula::kinked_part`] names them.
//!
//! # Tests
//! Beside the code: `eq1_to_eq4_against_differences`, `kinks_are_named`.

use super::formula::{Formula, Function};
use super::tree::Operator;

/// (x, ẋ, ẍ).
pub type Jet = [f64; 3];

/// Functions whose rate jumps somewhere.
const KINKED: [&str; 3] = ["abs", "min", "max"];

impl Formula {
    /// The value at `t`, its rate and its acceleration; the only name that the expression knows is t.
    pub fn jet(&self, t: f64) -> Jet {
        match self {
            Self::Number(x) => [*x, 0.0, 0.0],
            Self::Value(_) => [t, 1.0, 0.0],
            Self::Negative(x) => x.jet(t).map(|x| -x),
            Self::Pair(operator, a, b) => pair(*operator, a.jet(t), b.jet(t)),
            Self::Call(Function::One(_), x) => of_one(self.function_name(), x[0].jet(t)),
            Self::Call(Function::Two(_), x) => {
                of_two(self.function_name(), x[0].jet(t), x[1].jet(t))
            }
            // What jumps is refused before.
            Self::Not(_) | Self::Call(Function::Choice, _) => [f64::NAN; 3],
        }
    }

    /// The first part whose value or rate jumps, by its name.
    pub fn kinked_part(&self) -> Option<&'static str> {
        self.rough_part().or_else(|| self.kink())
    }

    fn kink(&self) -> Option<&'static str> {
        match self {
            Self::Number(_) | Self::Value(_) => None,
            Self::Negative(x) | Self::Not(x) => x.kink(),
            Self::Pair(_, a, b) => a.kink().or(b.kink()),
            Self::Call(_, all) => {
                let own = KINKED.contains(&self.function_name()).then(|| self.function_name());
                own.or_else(|| all.iter().find_map(Self::kink))
            }
        }
    }
}

/// Equation (1), with f, f′, f″ at x.
fn chain([_, v, a]: Jet, [f, d, dd]: Jet) -> Jet {
    [f, d * v, dd * v * v + d * a]
}

fn product(x: Jet, y: Jet) -> Jet {
    [x[0] * y[0], x[1] * y[0] + x[0] * y[1], x[2] * y[0] + 2.0 * x[1] * y[1] + x[0] * y[2]]
}

fn reciprocal(x: Jet) -> Jet {
    let r = 1.0 / x[0];
    chain(x, [r, -r * r, 2.0 * r * r * r])
}

/// Equation (3).
fn power(x: Jet, y: Jet) -> Jet {
    if [y[1], y[2]] != [0.0; 2] {
        let power = product(y, of_one("log", x));
        return of_one("exp", power);
    }
    let c = y[0];
    // 0 · x^(c − k) is 0 also where x is.
    let term = |factor: f64, c: f64| if factor == 0.0 { 0.0 } else { factor * x[0].powf(c) };
    chain(x, [x[0].powf(c), term(c, c - 1.0), term(c * (c - 1.0), c - 2.0)])
}

fn pair(operator: Operator, a: Jet, b: Jet) -> Jet {
    match operator {
        Operator::Add => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
        Operator::Subtract => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
        Operator::Multiply => product(a, b),
        Operator::Divide => product(a, reciprocal(b)),
        Operator::Power => power(a, b),
        _ => [f64::NAN; 3],
    }
}

fn of_one(name: &str, x: Jet) -> Jet {
    let s = x[0];
    let inner = match name {
        "abs" => [s.abs(), s.signum(), 0.0],
        "sqrt" => {
            let r = s.sqrt();
            [r, 0.5 / r, -0.25 / (r * s)]
        }
        "exp" => [s.exp(); 3],
        "log" => [s.ln(), 1.0 / s, -1.0 / (s * s)],
        "log10" => {
            let ten = std::f64::consts::LN_10;
            [s.log10(), 1.0 / (s * ten), -1.0 / (s * s * ten)]
        }
        "sin" => [s.sin(), s.cos(), -s.sin()],
        "cos" => [s.cos(), -s.sin(), -s.cos()],
        "tan" => {
            let d = 1.0 + s.tan() * s.tan();
            [s.tan(), d, 2.0 * s.tan() * d]
        }
        "asin" | "acos" => {
            let w = 1.0 - s * s;
            let (d, dd) = (1.0 / w.sqrt(), s / (w * w.sqrt()));
            if name == "asin" { [s.asin(), d, dd] } else { [s.acos(), -d, -dd] }
        }
        "atan" => {
            let d = 1.0 / (1.0 + s * s);
            [s.atan(), d, -2.0 * s * d * d]
        }
        "tanh" => {
            let d = 1.0 - s.tanh() * s.tanh();
            [s.tanh(), d, -2.0 * s.tanh() * d]
        }
        "deg" => [s.to_degrees(), 1f64.to_degrees(), 0.0],
        _ => [f64::NAN; 3],
    };
    chain(x, inner)
}

/// Equation (4); of `min` and `max` the jet of the one that holds.
fn of_two(name: &str, x: Jet, y: Jet) -> Jet {
    match name {
        "hypot" => {
            let square = pair(Operator::Add, product(x, x), product(y, y));
            let root = of_one("sqrt", square);
            [x[0].hypot(y[0]), root[1], root[2]]
        }
        "atan2" => {
            let (y, x) = (x, y);
            let square = pair(Operator::Add, product(x, x), product(y, y));
            // The turn x ẏ − y ẋ and its rate.
            let turn = [x[0] * y[1] - y[0] * x[1], x[0] * y[2] - y[0] * x[2], 0.0];
            let rate = turn[0] / square[0];
            [y[0].atan2(x[0]), rate, (turn[1] - rate * square[1]) / square[0]]
        }
        "min" => {
            if y[0] < x[0] {
                y
            } else {
                x
            }
        }
        "max" => {
            if y[0] > x[0] {
                y
            } else {
                x
            }
        }
        _ => [f64::NAN; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Formula {
        Formula::of_names(text, &["t".to_string()]).unwrap()
    }

    #[test]
    fn eq1_to_eq4_against_differences() {
        for text in [
            "0.3 + 2 * t - t^3 / 7",
            "sin(3 * t) * exp(-t)",
            "cos(t)^2 + tan(t / 3)",
            "sqrt(1 + t^2) - log(2 + t) + log10(1 + t)",
            "asin(t / 4) + acos(t / 5) - atan(2 * t)",
            "tanh(4 * (t - 1)) / (1 + t)",
            "(1 + t)^(sin(t))",
            "hypot(t, 1 + t^2) - atan2(sin(t), 0.2 + t)",
            "deg(t) - 2 ^ t + (t - 0.7) ^ 2",
        ] {
            let formula = of(text);
            let h = 1e-5;
            for t in [0.1, 0.7, 1.6] {
                let [now, ahead, behind] = [t, t + h, t - h].map(|t| formula.jet(t));
                let value = formula.value(&[t]);
                assert!((now[0] - value).abs() <= 4.0 * f64::EPSILON * value.abs(), "{text}");
                for k in 0..2 {
                    let difference = (ahead[k] - behind[k]) / (2.0 * h);
                    let bound = 1e-8 * (1.0 + now[k + 1].abs());
                    assert!((difference - now[k + 1]).abs() < bound, "{text} at {t}: {k}");
                }
            }
        }
        // Powers where their base vanishes.
        assert_eq!(of("t^2").jet(0.0), [0.0, 0.0, 2.0]);
        assert_eq!(of("t^1").jet(0.0), [0.0, 1.0, 0.0]);
        assert_eq!(of("t^0").jet(0.0), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn kinks_are_named() {
        assert_eq!(of("2 * abs(sin(t))").kinked_part(), Some("abs"));
        assert_eq!(of("1 + max(t, 0)^3").kinked_part(), Some("max"));
        assert_eq!(of("sin(floor(t))").kinked_part(), Some("floor"));
        assert_eq!(of("sin(t) / (2 + cos(t))").kinked_part(), None);
    }
}
