//! Where an impact is on its path, and what ends its phases.
//!
//! # Law
//! Compression ends when uₙ rises through zero; restitution ends with the goal of its definition,
//! ```text
//! kinematic   uₙ = −e uₙ⁻                 (1)
//! kinetic     p_r = e p_c                 (2)
//! energetic   W_r = −e² W_c               (3)
//! ```
//! p_r and W_r count from the end of compression, so they keep their relative accuracy for small e.
//!
//! # Limits
//! With strong friction uₙ may fall back through zero before the goal is reached. Compression then resumes, and p_c,
//! W_c, p_r, W_r are the sums over all intervals with uₙ < 0 and with uₙ > 0.
//!
//! # Tests
//! `tests/impact_spatial`: `eq9_to_eq12_phases`; `line_goals` below.

use crate::impact::restitution::Restitution;

/// State on the path, tangential quantities in principal axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Path {
    /// Slip velocity.
    pub w: [f64; 2],
    /// Normal velocity.
    pub u_n: f64,
    /// Tangential impulse.
    pub p_t: [f64; 2],
    /// Normal impulse since the phase began.
    pub p_n: f64,
    /// Normal work since the phase began.
    pub work_n: f64,
    /// Friction work.
    pub work_f: f64,
}

impl Path {
    /// Slip speed.
    pub fn speed(&self) -> f64 {
        (self.w[0] * self.w[0] + self.w[1] * self.w[1]).sqrt()
    }
}

/// What a phase waits for; all three rise towards their value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Normal velocity.
    Velocity(f64),
    /// Normal impulse of the phase.
    Impulse(f64),
    /// Normal work of the phase.
    Work(f64),
}

impl Goal {
    /// How far a state is beyond the goal; negative before it.
    pub fn miss(&self, path: &Path) -> f64 {
        match self {
            Self::Velocity(u) => path.u_n - u,
            Self::Impulse(p) => path.p_n - p,
            Self::Work(work) => path.work_n - work,
        }
    }
}

/// What was met on a piece of path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hit {
    /// The goal of the phase.
    Goal,
    /// uₙ fell through zero during restitution.
    Recompression,
}

/// Compression or restitution, with what earlier phases have left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phases {
    definition: Restitution,
    e: f64,
    u_pre: f64,
    /// Normal impulse and work of all compression that has ended.
    pub compression: [f64; 2],
    /// Normal impulse and work of all restitution that was interrupted.
    restitution: [f64; 2],
    /// Whether the present phase is restitution.
    pub restoring: bool,
}

impl Phases {
    /// Compression from the normal velocity `u_pre` < 0.
    pub fn new(definition: Restitution, e: f64, u_pre: f64) -> Self {
        Self {
            definition,
            e,
            u_pre,
            compression: [0.0; 2],
            restitution: [0.0; 2],
            restoring: false,
        }
    }

    /// What the present phase waits for.
    pub fn goal(&self) -> Goal {
        if !self.restoring {
            return Goal::Velocity(0.0);
        }
        let ([p_c, w_c], [p_r, w_r]) = (self.compression, self.restitution);
        match self.definition {
            Restitution::Kinematic => Goal::Velocity(-self.e * self.u_pre),
            Restitution::Kinetic => Goal::Impulse(self.e * p_c - p_r),
            Restitution::Energetic => Goal::Work(-self.e * self.e * w_c - w_r),
        }
    }

    /// Enters the next phase at a hit; true if the impact is over.
    pub fn pass(&mut self, hit: Hit, path: &mut Path) -> bool {
        if let (Hit::Goal, true) = (hit, self.restoring) {
            // What defines the end holds exactly.
            match self.goal() {
                Goal::Velocity(u) => path.u_n = u,
                Goal::Impulse(p) => path.p_n = p,
                Goal::Work(work) => path.work_n = work,
            }
            return true;
        }
        let ended = if self.restoring { &mut self.restitution } else { &mut self.compression };
        ended[0] += path.p_n;
        ended[1] += path.work_n;
        (path.p_n, path.work_n, path.u_n) = (0.0, 0.0, 0.0);
        self.restoring = !self.restoring;
        self.restoring && self.e == 0.0
    }

    /// Normal impulse and work from the start of the impact.
    pub fn totals(&self, path: &Path) -> [f64; 2] {
        let ([p_c, w_c], [p_r, w_r]) = (self.compression, self.restitution);
        [p_c + p_r + path.p_n, w_c + w_r + path.work_n]
    }
}

/// A piece of path along which all rates per unit of normal impulse are constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// dw/dpₙ
    pub dw: [f64; 2],
    /// duₙ/dpₙ
    pub du: f64,
    /// dpₜ/dpₙ
    pub friction: [f64; 2],
    /// Friction power μr at the start and its slope, per unit of normal impulse.
    pub loss: [f64; 2],
    /// Normal impulse at which the piece ends, possibly infinite.
    pub length: f64,
}

impl Line {
    /// The first hit on this piece, with the normal impulse up to it.
    pub fn hit(&self, path: &Path, goal: Goal, restoring: bool) -> Option<(f64, Hit)> {
        let goal = self.reach(path, goal).map(|x| (x, Hit::Goal));
        let down = (restoring && self.du < 0.0).then(|| (-path.u_n / self.du, Hit::Recompression));
        let first = match (goal, down) {
            (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
            (a, b) => a.or(b),
        };
        first.filter(|(x, _)| *x <= self.length)
    }

    fn reach(&self, path: &Path, goal: Goal) -> Option<f64> {
        match goal {
            Goal::Velocity(u) if u > path.u_n => (self.du > 0.0).then(|| (u - path.u_n) / self.du),
            Goal::Velocity(_) => (self.du >= 0.0).then_some(0.0),
            Goal::Impulse(p) => Some((p - path.p_n).max(0.0)),
            Goal::Work(work) => {
                let rest = work - path.work_n;
                if rest <= 0.0 {
                    return Some(0.0);
                }
                // Root of uₙx + ½ u'x² = rest in the form that does not cancel.
                let disc = path.u_n * path.u_n + 2.0 * self.du * rest;
                let x = 2.0 * rest / (path.u_n + disc.sqrt());
                x.is_finite().then_some(x)
            }
        }
    }

    /// Moves on by the normal impulse `x`; what is left of the piece starts there.
    pub fn advance(&mut self, x: f64, path: &mut Path) {
        for i in 0..2 {
            path.w[i] += self.dw[i] * x;
            path.p_t[i] += self.friction[i] * x;
        }
        path.work_n += x * (path.u_n + 0.5 * self.du * x);
        path.work_f -= x * (self.loss[0] + 0.5 * self.loss[1] * x);
        path.u_n += self.du * x;
        path.p_n += x;
        self.loss[0] += self.loss[1] * x;
        self.length -= x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(du: f64) -> Line {
        Line { dw: [0.0; 2], du, friction: [0.0; 2], loss: [0.0; 2], length: f64::INFINITY }
    }

    #[test]
    fn line_goals() {
        let path = Path { u_n: 0.5, ..Path::default() };
        let up = line(2.0);
        assert_eq!(up.hit(&path, Goal::Velocity(1.5), true), Some((0.5, Hit::Goal)));
        assert_eq!(up.hit(&path, Goal::Impulse(0.25), true), Some((0.25, Hit::Goal)));
        assert_eq!(up.hit(&path, Goal::Work(0.5), true), Some((0.5, Hit::Goal)));
        let down = line(-1.0);
        let back = Some((0.5, Hit::Recompression));
        assert_eq!(down.hit(&path, Goal::Velocity(1.5), true), back);
        assert_eq!(down.hit(&path, Goal::Impulse(2.0), true), back);
        assert_eq!(down.hit(&path, Goal::Work(0.2), true), back);
        assert_eq!(down.hit(&path, Goal::Work(0.125), true), Some((0.5, Hit::Goal)));
    }
}
