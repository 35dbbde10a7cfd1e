//! A motion as the claims need it, whichever scheme made it.

/// Samples of a motion and what its damper did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// Times, s.
    pub t: Vec<f64>,
    /// Stretch x, m.
    pub x: Vec<f64>,
    /// Its rate ẋ, m/s.
    pub v: Vec<f64>,
    /// Start and end of every stick, s.
    pub sticks: Vec<[f64; 2]>,
    /// How often ẋ became zero or changed its sign.
    pub crossings: usize,
    /// How often the damper then stuck.
    pub captures: usize,
}

impl Motion {
    /// One sample at relative rest at t = 0.
    pub fn starting_at_rest() -> Self {
        Self { t: vec![0.0], x: vec![0.0], v: vec![0.0], ..Self::default() }
    }

    /// Adds a sample, and the time stuck before it; sticks that touch are one.
    pub fn push(&mut self, t: f64, [x, v]: [f64; 2], stuck: Option<[f64; 2]>) {
        self.t.push(t);
        self.x.push(x);
        self.v.push(v);
        let Some([from, to]) = stuck else { return };
        match self.sticks.last_mut() {
            Some(last) if from - last[1] < 1e-9 * (1.0 + to) => last[1] = to,
            _ => self.sticks.push([from, to]),
        }
    }

    /// Time stuck after the first release, s: the start is the same for all schemes.
    pub fn time_stuck(&self) -> f64 {
        self.sticks.iter().skip(1).fold(0.0, |sum, [from, to]| sum + (to - from))
    }

    /// Sticks after the first release.
    pub fn times_stuck(&self) -> usize {
        self.sticks.len().saturating_sub(1)
    }

    /// Shortest stick after the first release, s.
    pub fn shortest_stick(&self) -> f64 {
        self.sticks.iter().skip(1).map(|[from, to]| to - from).fold(f64::INFINITY, f64::min)
    }

    /// Largest |x|, m.
    pub fn largest_stretch(&self) -> f64 {
        self.x.iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    /// Largest |ẋ|, m/s.
    pub fn largest_rate(&self) -> f64 {
        self.v.iter().fold(0.0, |m, v| m.max(v.abs()))
    }

    /// Largest |Z|, Z = x + U, m.
    pub fn largest_position(&self, support: impl Fn(f64) -> f64) -> f64 {
        self.t.iter().zip(&self.x).fold(0.0, |m, (t, x)| m.max((x + support(*t)).abs()))
    }

    /// Largest |x − x̂| over the samples, m.
    pub fn error(&self, exact: impl Fn(f64) -> f64) -> f64 {
        self.t.iter().zip(&self.x).fold(0.0, |m, (t, x)| m.max((x - exact(*t)).abs()))
    }
}
