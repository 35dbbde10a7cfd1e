//! The thesis's algorithm, written from its equations: a second method beside carom's planar law.
//!
//! With L_n = M⁻¹J_bᵀ and L_t = M⁻¹J_aᵀ (tangent a, normal b),
//! ```text
//! 𝓛 = L_n − sgn(v_t) μ L_t, or L_n + m L_t where v_t = 0 and |m| ≤ μ     (2.12)
//! m = −J_a L_n / J_a L_t                                                (3.1)
//! p = −v_t / J_a 𝓛 at the tangential pause, −v_n / J_b 𝓛 at the normal   (3.2), (3.3)
//! E_n = E_n⁰ + v_n p + ½ (J_b 𝓛) p²                                      (2.21)
//! ```
//! (2.21) with uᵀM L_n = v_n. The collision ends where E_n = (1 − e*²) times its least value. m is signed, so the test of
//! sticking is |m| ≤ μ. Where the slip cannot stop, it goes on in the direction J_a L_n.
//! Tests: `tests/morgan.rs`: `paths`, by comparison with the planar law in every case.

use nalgebra::{RowVector2, Vector2};

use super::pendulum::Collision;

/// What happens at a corner of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The collision begins.
    Start,
    /// v_t = 0, and the slip goes on the other way.
    Reversal,
    /// v_t = 0, and it stays so.
    Stick,
    /// v_n = 0.
    Normal,
    /// The collision ends.
    End,
}

/// A corner of the path in velocity space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// What happens.
    pub pause: Pause,
    /// Normal impulse so far, N·s.
    pub p: f64,
    /// Tangential and normal velocity of the tip, m/s.
    pub v: Vector2<f64>,
    /// Generalised speeds, rad/s.
    pub u: Vector2<f64>,
    /// Work of the normal impulse so far, J.
    pub E_n: f64,
    /// Work of the friction impulse so far, J.
    pub E_f: f64,
}

/// The algorithm of chapters 2 and 3. `None` if it does not end (a mass matrix without inverse, or friction that jams).
pub fn algebra(collision: &Collision) -> Option<Vec<Corner>> {
    let geometry = Geometry::new(collision)?;
    let u = Vector2::from(collision.v);
    let start =
        Corner { pause: Pause::Start, p: 0.0, v: geometry.contact(&u), u, E_n: 0.0, E_f: 0.0 };
    let mut path = vec![start];
    let mut stop = None;
    // At most one tangential pause, one normal pause and the end.
    for _ in 0..3 {
        let next = geometry.advance(path.last()?, stop, collision)?;
        if next.pause == Pause::Normal {
            stop = Some((1.0 - collision.e * collision.e) * next.E_n);
        }
        path.push(next);
        if next.pause == Pause::End {
            return Some(path);
        }
    }
    None
}

/// Rows of J and columns of L.
pub struct Geometry {
    /// Tangent row J_a.
    pub a: RowVector2<f64>,
    /// Normal row J_b.
    pub b: RowVector2<f64>,
    /// M⁻¹J_aᵀ.
    pub L_t: Vector2<f64>,
    /// M⁻¹J_bᵀ.
    pub L_n: Vector2<f64>,
}

impl Geometry {
    /// That of a collision, if its mass matrix has an inverse.
    pub fn new(collision: &Collision) -> Option<Self> {
        let J = collision.jacobian();
        let inverse = collision.mass_matrix().try_inverse()?;
        let (a, b) = (RowVector2::new(J[(0, 0)], J[(0, 1)]), RowVector2::new(J[(1, 0)], J[(1, 1)]));
        Some(Self { a, b, L_t: inverse * a.transpose(), L_n: inverse * b.transpose() })
    }

    /// Tangential and normal velocity of the tip.
    pub fn contact(&self, u: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new((self.a * u)[0], (self.b * u)[0])
    }

    /// (3.1).
    fn m(&self) -> f64 {
        -(self.a * self.L_n)[0] / (self.a * self.L_t)[0]
    }

    /// Friction over normal impulse, (2.12).
    pub fn friction(&self, v_t: f64, mu: f64) -> f64 {
        match (v_t == 0.0, self.m().abs() <= mu) {
            (false, _) => -mu * v_t.signum(),
            (true, true) => self.m(),
            (true, false) => -mu * (self.a * self.L_n)[0].signum(),
        }
    }

    /// The next corner; `stop` is the value of E_n at the end, once it is known.
    fn advance(&self, from: &Corner, stop: Option<f64>, c: &Collision) -> Option<Corner> {
        let k = self.friction(from.v[0], c.mu);
        let L = self.L_n + k * self.L_t;
        let sticks = self.m().abs() <= c.mu;
        let mut rate = self.contact(&L);
        if from.v[0] == 0.0 && sticks {
            // By the choice of m; round-off would let it slip again.
            rate[0] = 0.0;
        }
        let ahead = |p: f64| if p > 0.0 && p.is_finite() { p } else { f64::INFINITY };
        let tangential = if from.v[0] == 0.0 { f64::INFINITY } else { ahead(-from.v[0] / rate[0]) };
        let (normal, pause) = match stop {
            None => (ahead(-from.v[1] / rate[1]), Pause::Normal),
            Some(E_n) => (root(from.v[1], rate[1], E_n - from.E_n), Pause::End),
        };
        let p = tangential.min(normal);
        if !p.is_finite() {
            return None;
        }
        let mut v = from.v + rate * p;
        let pause = match (tangential < normal, sticks) {
            (true, true) => Pause::Stick,
            (true, false) => Pause::Reversal,
            (false, _) => pause,
        };
        match pause {
            Pause::Stick | Pause::Reversal => v[0] = 0.0,
            Pause::Normal => v[1] = 0.0,
            _ => {}
        }
        let friction_work = k * p * (from.v[0] + v[0]) / 2.0;
        Some(Corner {
            pause,
            p: from.p + p,
            v,
            u: from.u + L * p,
            E_n: from.E_n + from.v[1] * p + 0.5 * rate[1] * p * p,
            E_f: from.E_f + friction_work,
        })
    }
}

/// The p > 0 with v p + ½ b p² = w.
fn root(v: f64, b: f64, w: f64) -> f64 {
    let inside = v * v + 2.0 * b * w;
    // Stable for b → 0, and without cancellation for v > 0.
    if inside < 0.0 { f64::INFINITY } else { 2.0 * w / (v + inside.sqrt()) }
}

/// The stick ratio of (3.1).
pub fn stick_ratio(collision: &Collision) -> Option<f64> {
    Geometry::new(collision).map(|g| g.m())
}

/// Normal impulse of the tangential pause on the first line, (3.2); negative if the line leads away from it.
pub fn first_tangential_pause(collision: &Collision) -> Option<f64> {
    let g = Geometry::new(collision)?;
    let v = g.contact(&Vector2::from(collision.v));
    let L = g.L_n + g.friction(v[0], collision.mu) * g.L_t;
    Some(-v[0] / (g.a * L)[0])
}
