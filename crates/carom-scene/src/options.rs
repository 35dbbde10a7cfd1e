//! What a scene says about its simulation. Plain data: the simulator decides what to do with it.

use carom::control::AnyController;
use carom::hybrid::{Method, Output, Scheme};
use carom::impact::LawChoice;

/// Whether bodies move in space or in the x–y plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// Three dimensions.
    #[default]
    Spatial,
    /// The x–y plane; every contact has one tangent.
    Planar,
}

/// How the motion between events is integrated.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverOptions {
    /// How time passes: by `events` or by steps of `moreau`.
    pub scheme: String,
    /// Integrator: `dopri5`, `dop853` or `rk4`; none leaves the choice to the simulator.
    pub method: Option<String>,
    /// Time at the end, s.
    pub until: f64,
    /// Relative tolerance of a step.
    pub rtol: f64,
    /// Absolute tolerance of a step.
    pub atol: f64,
    /// Step of `rk4` and of `moreau`, s.
    pub step: f64,
    /// Whether the events of friction are projected over the steps of `rk4` instead of located.
    pub projected: bool,
    /// Largest step of the adaptive integrators, s.
    pub max_step: Option<f64>,
    /// Fraction of the elapsed time below which accumulating impacts end; rtol if none.
    pub zeno: Option<f64>,
    /// Events after which a run is given up; the simulator's own bound if none.
    pub max_events: Option<u64>,
    /// Whether every rule of the safety net ends the run.
    pub strict: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            scheme: "events".into(),
            method: None,
            until: 10.0,
            rtol: 1e-9,
            atol: 1e-11,
            step: 1e-3,
            projected: false,
            max_step: None,
            zeno: None,
            max_events: None,
            strict: false,
        }
    }
}

/// What a run records.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OutputOptions {
    /// Time between recorded states, s; every step if none.
    pub interval: Option<f64>,
    /// Whether CSV is written beside Parquet.
    pub csv: bool,
    /// Duration of impacts for which their forces are estimated, s; no estimate if none.
    pub impact_duration: Option<f64>,
}

/// Solver, output, and what is let pass at the start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Integration.
    pub solver: SolverOptions,
    /// Recording.
    pub output: OutputOptions,
    /// How deep bodies may overlap at the start, m, if stated.
    pub penetration: Option<f64>,
}

impl Options {
    /// The options of the simulator.
    pub fn hybrid(&self) -> carom::hybrid::Options {
        let d = carom::hybrid::Options::default();
        carom::hybrid::Options {
            scheme: match self.solver.scheme.as_str() {
                "moreau" => Scheme::Moreau { step: self.solver.step },
                _ => Scheme::Events,
            },
            method: match self.solver.method.as_deref() {
                Some("dopri5") => Some(Method::DormandPrince),
                Some("dop853") => Some(Method::Dop853),
                Some("rk4") => Some(Method::Rk4 { step: self.solver.step }),
                _ => None,
            },
            rtol: self.solver.rtol,
            atol: self.solver.atol,
            max_step: self.solver.max_step.unwrap_or(d.max_step),
            output: self.output.interval.map_or(d.output, Output::Interval),
            zeno: self.solver.zeno,
            max_events: self.solver.max_events.unwrap_or(d.max_events),
            strict: self.solver.strict,
            penetration: self.penetration,
            projected_friction: self.solver.projected,
            ..d
        }
    }
}

/// How two sides that each state a value make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CombineRule {
    /// (a + b)/2.
    Mean,
    /// √(a b).
    Geometric,
    /// a b.
    Product,
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

impl CombineRule {
    /// The rule of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "mean" => Self::Mean,
            "geometric" => Self::Geometric,
            "product" => Self::Product,
            "min" => Self::Min,
            "max" => Self::Max,
            _ => return None,
        })
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Geometric => "geometric",
            Self::Product => "product",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// The value in force.
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            // Halves first: the sum of two huge numbers may be infinite.
            Self::Mean => 0.5 * a + 0.5 * b,
            Self::Geometric => a.sqrt() * b.sqrt(),
            Self::Product => a * b,
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }
}

/// Where the value in force of a pair comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueOrigin {
    /// The contact states it.
    Pair,
    /// One side states it.
    Side {
        /// The feature.
        feature: String,
    },
    /// Both sides state it, and a rule combines them.
    Combined {
        /// The rule.
        rule: CombineRule,
        /// The value of the first side.
        a: f64,
        /// The value of the second side.
        b: f64,
    },
}

impl std::fmt::Display for ValueOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pair => write!(f, "stated"),
            Self::Side { feature } => write!(f, "of {feature}"),
            Self::Combined { rule, a, b } => write!(f, "{} of {a} and {b}", rule.word()),
        }
    }
}

/// Where the values of a pair come from, and its own law.
#[derive(Debug, Clone, PartialEq)]
pub struct PairInfo {
    /// Origin of the restitution.
    pub restitution: ValueOrigin,
    /// Origin of both frictions.
    pub friction: ValueOrigin,
    /// The impact law of the pair, if it is not that of the scene.
    pub law: Option<LawChoice>,
}

/// A controller of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedController {
    /// Its name.
    pub name: String,
    /// Its law.
    pub law: AnyController,
}
