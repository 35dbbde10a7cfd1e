//! The work of an impact between the stages of its path.
//!
//! A path states the work W at its stages. Between two of them, with I = ∫ uₙ dpₙ and F = ∫ ‖uₜ‖ dpₙ from the first,
//! ```text
//! W = W₀ + I + k F,   k = (W₁ − W₀ − I₁)/F₁                                     (1)
//! ```
//! For one contact that slips in one direction or turns under Coulomb's law this is exact with k = −μ, and where it
//! sticks F and k F vanish. What other contacts do at the same time is spread evenly over the normal impulse.
//!
//! # Tests
//! `eq1_work_of_a_slip`, `eq1_stages_keep_their_work`.

use crate::document::ImpulsePath;

/// Points between two points of a path.
const BETWEEN: usize = 12;

/// A path with points between, and its work there.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Worked {
    pub p: Vec<f64>,
    pub u_t: Vec<f64>,
    pub u_t2: Vec<f64>,
    pub u_n: Vec<f64>,
    pub work: Vec<f64>,
}

impl Worked {
    /// Fills a path; velocities are linear between its points.
    pub fn new(path: &ImpulsePath) -> Self {
        let mut all = Self::default();
        let mut marks = vec![0];
        for k in 1..path.p.len() {
            for i in 0..BETWEEN {
                all.push(path, k - 1, i as f64 / BETWEEN as f64);
            }
            marks.push(k * BETWEEN);
        }
        all.push(path, path.p.len() - 1, 0.0);
        all.work = vec![0.0; all.p.len()];
        for pair in path.stages.windows(2) {
            let ends = [pair[0].index, pair[1].index];
            all.stage([marks[ends[0]], marks[ends[1]]], ends.map(|k| path.work[k]));
        }
        all
    }

    fn push(&mut self, path: &ImpulsePath, k: usize, s: f64) {
        let at =
            |list: &[f64]| if s == 0.0 { list[k] } else { list[k] + s * (list[k + 1] - list[k]) };
        self.p.push(at(&path.p));
        self.u_t.push(at(&path.u_t));
        self.u_t2.push(path.u_t2.as_deref().map_or(0.0, at));
        self.u_n.push(at(&path.u_n));
    }

    /// Work between two stages (1).
    fn stage(&mut self, [from, to]: [usize; 2], [first, last]: [f64; 2]) {
        let slip = |k: usize| self.u_t[k].hypot(self.u_t2[k]);
        let (mut normal, mut friction) = (vec![0.0], vec![0.0]);
        for k in from..to {
            let dp = self.p[k + 1] - self.p[k];
            normal.push(normal[k - from] + 0.5 * dp * (self.u_n[k] + self.u_n[k + 1]));
            friction.push(friction[k - from] + 0.5 * dp * (slip(k) + slip(k + 1)));
        }
        let end = to - from;
        let rest = last - first - normal[end];
        let whole = self.p[to] - self.p[from];
        for k in 0..=end {
            let part = if friction[end] > 1e-12 * (normal[end].abs() + whole.abs()) {
                friction[k] / friction[end]
            } else if whole > 0.0 {
                (self.p[from + k] - self.p[from]) / whole
            } else {
                k as f64 / end.max(1) as f64
            };
            self.work[from + k] = first + normal[k] + rest * part;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::PathStage;

    /// uₙ = −2 + 3p, uₜ = 1 − p: slip with μ = 0.4 up to p = 1, then stick up to p = 1.2.
    fn path() -> ImpulsePath {
        let work = |p: f64| -2.0 * p + 1.5 * p * p;
        let slip = -0.4 * 0.5;
        ImpulsePath {
            site: 0,
            p: vec![0.0, 1.0, 1.2],
            u_t: vec![1.0, 0.0, 0.0],
            u_t2: None,
            u_n: vec![-2.0, 1.0, 1.6],
            stages: (0..3).map(|index| PathStage { name: "start", index }).collect(),
            work: vec![0.0, work(1.0) + slip, work(1.2) + slip],
        }
    }

    #[test]
    fn eq1_work_of_a_slip() {
        let worked = Worked::new(&path());
        for (p, w) in worked.p.iter().zip(&worked.work) {
            let friction = if *p < 1.0 { -0.4 * (p - 0.5 * p * p) } else { -0.2 };
            assert!((w - (-2.0 * p + 1.5 * p * p + friction)).abs() < 1e-12, "{p}");
        }
    }

    #[test]
    fn eq1_stages_keep_their_work() {
        let path = path();
        let worked = Worked::new(&path);
        assert_eq!(worked.p.len(), 2 * BETWEEN + 1);
        for k in 0..3 {
            assert!((worked.work[k * BETWEEN] - path.work[k]).abs() < 1e-12);
            assert_eq!(worked.p[k * BETWEEN], path.p[k]);
        }
    }
}
