//! Modes of many contacts at once, as one linear complementarity problem solved by pivoting.
//!
//! # Law
//! With p = d + x the rate of the normal impulse of a contact and μ its friction (μs at rest),
//! ```text
//! closed:   0 ≤ x ⟂ u̇ₙ − r ≥ 0                                            (1)
//! at rest:  pₜ = β⁺ − β⁻,   0 ≤ β± ⟂ λ ± u̇ₜ ≥ 0                            (2)
//!           0 ≤ λ ⟂ μp − β⁺ − β⁻ ≥ 0                                       (3)
//! slip:     pₜ = −σμp                                                      (4)
//! ```
//! λ is |u̇ₜ| of a contact that begins to slip, zero while it sticks. If all contacts are at rest the matrix is
//! copositive, so pivoting ends with a solution; contacts that slip can make it fail (Painlevé).
//!
//! # Source
//! The decomposition of friction is the usual one of linear complementarity (Stewart and Trinkle); derived here for
//! rates.
//!
//! # Tests
//! `agrees_with_enumeration` below.

use nalgebra::DMatrix;

use super::modes::{Duty, Mode, Tangent};
use super::trial::column;
use crate::complementarity::{ComplementarityError, Lemke, Problem, Solution};

/// Scratch of the pivoting.
#[derive(Clone, Debug)]
pub(crate) struct Pivoting {
    lemke: Lemke,
    problem: Problem,
    solution: Solution,
    /// Per duty: index of x, index of β⁺ (β⁻ and λ follow it).
    places: Vec<(Option<usize>, Option<usize>)>,
}

impl Default for Pivoting {
    fn default() -> Self {
        Self {
            lemke: Lemke::with_capacity(0),
            problem: Problem::with_capacity(0),
            solution: Solution::with_capacity(0),
            places: Vec::new(),
        }
    }
}

impl Pivoting {
    /// Modes of one solution; false if pivoting finds none.
    pub fn modes(&mut self, G: &DMatrix<f64>, duties: &[Duty], modes: &mut [Mode]) -> bool {
        self.number(duties);
        for (k, d) in duties.iter().enumerate() {
            self.fill(G, duties, k, d);
        }
        match self.lemke.solve(&self.problem, &mut self.solution) {
            // The certificate is relative row by row, and fails on rows of an open contact, which are zero but for
            // round-off. The modes are certified by the caller, so the candidate may be tried.
            Ok(()) | Err(ComplementarityError::Unsolved { .. }) => {}
            Err(_) => return false,
        }
        let zero = self.zero(duties);
        for ((mode, d), place) in modes.iter_mut().zip(duties).zip(&self.places) {
            *mode = read(d, *place, &self.solution.z, zero);
        }
        true
    }

    /// What is round-off, of impulses and of λ.
    fn zero(&self, duties: &[Duty]) -> [f64; 2] {
        let z = &self.solution.z;
        let mut largest = [0.0_f64; 2];
        for (d, &(x, f)) in duties.iter().zip(&self.places) {
            largest[0] = largest[0].max(d.drive).max(x.map_or(0.0, |x| z[x]));
            largest[1] = largest[1].max(f.map_or(0.0, |f| z[f + 2]));
        }
        largest.map(|l| 1e-12 * l)
    }

    /// Gives each unknown its index.
    fn number(&mut self, duties: &[Duty]) {
        self.places.clear();
        let mut size = 0;
        let mut take = |wanted: bool, count: usize| {
            let place = wanted.then_some(size);
            size += if wanted { count } else { 0 };
            place
        };
        for d in duties {
            let x = take(d.closed, 1);
            let rests = d.tangent.is_some() && d.slip == 0.0 && (d.closed || d.drive > 0.0);
            self.places.push((x, take(rests, 3)));
        }
        self.problem.reset(size);
    }

    /// The rows of one contact.
    fn fill(&mut self, G: &DMatrix<f64>, duties: &[Duty], k: usize, d: &Duty) {
        let (x, f) = self.places[k];
        if let Some(x) = x {
            self.velocity_row(G, duties, x, [d.normal, 0], -d.floor_rate);
        }
        if let (Some(f), Some(t)) = (f, d.tangent) {
            self.velocity_row(G, duties, f, [t, 0], 0.0);
            self.velocity_row(G, duties, f + 1, [t, 1], 0.0);
            let lambda = f + 2;
            for beta in [f, f + 1] {
                self.problem.set(beta, lambda, 1.0);
                self.problem.set(lambda, beta, -1.0);
            }
            self.problem.set_constant(lambda, d.static_friction * d.drive);
            if let Some(x) = x {
                self.problem.set(lambda, x, d.static_friction);
            }
        }
    }

    /// Row `i` of the problem: the rate of velocity `row` (negated if `flip` is 1), plus a constant.
    fn velocity_row(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        i: usize,
        [row, flip]: [usize; 2],
        constant: f64,
    ) {
        let (m, g) = (G.nrows(), G.as_slice());
        let sign = if flip == 1 { -1.0 } else { 1.0 };
        let mut sum = constant;
        for (d, &(x, f)) in duties.iter().zip(&self.places) {
            let tangent = if f.is_some() { Tangent::Free } else { Tangent::Slip(d.slip) };
            let per_normal = sign * column(g, m, row, d, tangent);
            sum += per_normal * d.drive;
            if let Some(x) = x {
                self.problem.set(i, x, per_normal);
            }
            if let (Some(f), Some(t)) = (f, d.tangent) {
                self.problem.set(i, f, sign * g[row + t * m]);
                self.problem.set(i, f + 1, -sign * g[row + t * m]);
            }
        }
        self.problem.set_constant(i, sum);
    }
}

/// The mode of a contact from the unknowns.
fn read(d: &Duty, (x, f): (Option<usize>, Option<usize>), z: &[f64], zero: [f64; 2]) -> Mode {
    let on = x.is_some_and(|x| z[x] > zero[0]);
    if !on && d.drive <= 0.0 {
        return Mode::OFF;
    }
    let tangent = match (f, d.tangent) {
        (_, None) => Tangent::Free,
        (None, Some(_)) => Tangent::Slip(d.slip),
        (Some(f), Some(_)) if z[f + 2] > zero[1] => {
            Tangent::Slip(if z[f] > z[f + 1] { -1.0 } else { 1.0 })
        }
        _ => Tangent::Stick,
    };
    Mode { on, tangent }
}

#[cfg(test)]
mod tests {
    use super::super::modes::Rates;
    use super::super::search::Search;
    use super::*;

    /// Pseudo-random numbers in [-1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn duty(k: usize, slip: f64) -> Duty {
        Duty {
            normal: 2 * k + 1,
            tangent: Some(2 * k),
            friction: 0.4,
            static_friction: 0.4,
            drive: if k == 0 { 1.0 } else { 0.0 },
            floor_rate: 0.0,
            closed: k > 0,
            slip,
        }
    }

    #[test]
    fn agrees_with_enumeration() {
        let mut seed = 1;
        let (mut search, mut pivoting) = (Search::default(), Pivoting::default());
        let (mut unique, mut agree) = (0, 0);
        for _ in 0..400 {
            let J = DMatrix::from_fn(8, 10, |_, _| noise(&mut seed));
            let G = &J * J.transpose();
            let duties: Vec<Duty> = (0..4)
                .map(|k| duty(k, (1.5 * noise(&mut seed)).round().clamp(-1.0, 1.0)))
                .collect();
            let (mut best, mut modes) = (Rates::default(), vec![Mode::OFF; 4]);
            search.reserve(8, 4, &mut best);
            if search.solve(&G, &duties, &mut best).is_err() {
                continue;
            }
            unique += 1;
            agree += usize::from(pivoting.modes(&G, &duties, &mut modes) && modes == best.modes);
        }
        assert!(unique > 350, "{unique}");
        assert_eq!(agree, unique);
    }
}
