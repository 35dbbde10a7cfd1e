//! Stacks at rest or beginning to fall, as Coulomb problems: towers and walls of boxes, lattices of
//! discs, piles of spheres.

use super::Random;
use carom::coulomb::{Duty, Problem, SparseProblem};
use nalgebra::{DMatrix, DVector, Vector3};

/// First body (none is the ground), second body, point, normal, μ.
type Touch = (Option<usize>, usize, Vector3<f64>, Vector3<f64>, f64);

/// Bodies of six degrees of freedom (planar ones use three of them) and contacts between them.
struct Stack {
    /// Inverse mass and inverse moment of inertia of each body.
    bodies: Vec<(Vector3<f64>, f64, f64)>,
    contacts: Vec<Touch>,
    planar: bool,
}

impl Stack {
    fn new(planar: bool) -> Self {
        Self { bodies: Vec::new(), contacts: Vec::new(), planar }
    }

    fn body(&mut self, at: Vector3<f64>, mass: f64, inertia: f64) -> usize {
        self.bodies.push((at, 1.0 / mass, 1.0 / inertia));
        self.bodies.len() - 1
    }

    /// Tangents and normal of a contact.
    fn axes(&self, n: &Vector3<f64>) -> Vec<Vector3<f64>> {
        let across = if self.planar { Vector3::z() } else { least_axis(n) };
        let t1 = n.cross(&across).normalize();
        let t2 = n.cross(&t1);
        if self.planar { vec![t1, *n] } else { vec![t1, t2, *n] }
    }

    /// The same problem by its factor: Z = J M^(−1/2), with the degrees of freedom that bodies have.
    fn sparse(&self, push: Vector3<f64>) -> SparseProblem {
        let own: &[usize] = if self.planar { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] };
        let mut problem = SparseProblem::default();
        problem.reset(self.bodies.iter().map(|_| own.len()));
        for (a, b, x, n, mu) in &self.contacts {
            let axes = self.axes(n);
            let moved = |body: Option<usize>| if body.is_some() { push } else { Vector3::zeros() };
            let relative = moved(Some(*b)) - moved(*a);
            let rates: Vec<f64> = axes.iter().map(|d| d.dot(&relative)).collect();
            problem.push(&rates, [*mu; 2], Duty::Coulomb, [*a, Some(*b)], |body, rows| {
                let sign = if body == *b { 1.0 } else { -1.0 };
                let (at, m, inertia) = self.bodies[body];
                for (d, row) in axes.iter().zip(rows.chunks_exact_mut(own.len())) {
                    let turn = (x - at).cross(d);
                    for (entry, &j) in row.iter_mut().zip(own) {
                        *entry = sign
                            * if j < 3 { d[j] * m.sqrt() } else { turn[j - 3] * inertia.sqrt() };
                    }
                }
            });
        }
        problem
    }

    fn problem(&self, push: Vector3<f64>) -> Problem {
        let tangents = if self.planar { 1 } else { 2 };
        let rows = self.contacts.len() * (tangents + 1);
        let nv = 6 * self.bodies.len();
        let mut J: DMatrix<f64> = DMatrix::zeros(rows, nv);
        let mut problem = Problem::default();
        problem.resize(rows);
        let mut row = 0;
        for (a, b, x, n, mu) in &self.contacts {
            for d in self.axes(n) {
                for (body, sign) in [(*a, -1.0), (Some(*b), 1.0)] {
                    let Some(body) = body else { continue };
                    let turn = (x - self.bodies[body].0).cross(&d);
                    for k in 0..3 {
                        J[(row, 6 * body + k)] += sign * d[k];
                        J[(row, 6 * body + 3 + k)] += sign * turn[k];
                    }
                }
                row += 1;
            }
            problem.push(tangents, [*mu; 2], Duty::Coulomb);
        }
        let inverse = DVector::from_fn(nv, |i, _| {
            let (_, m, inertia) = self.bodies[i / 6];
            if i % 6 < 3 { m } else { inertia }
        });
        let a = DVector::from_fn(nv, |i, _| if i % 6 < 3 { push[i % 6] } else { 0.0 });
        problem.b.copy_from(&(&J * a));
        problem.G.copy_from(&(&J * DMatrix::from_diagonal(&inverse) * J.transpose()));
        problem
    }
}

fn least_axis(n: &Vector3<f64>) -> Vector3<f64> {
    if n.x.abs() < 0.7 { Vector3::x() } else { Vector3::y() }
}

/// A random stack of at least four and about `most` contacts at most, under gravity and a push.
pub fn random(random: &mut Random, most: usize) -> (&'static str, Problem) {
    let (name, stack, push) = draw(random, most);
    (name, stack.problem(push))
}

/// The same, with the problem by its factor as well.
pub fn random_sparse(random: &mut Random, most: usize) -> (&'static str, Problem, SparseProblem) {
    let (name, stack, push) = draw(random, most);
    (name, stack.problem(push), stack.sparse(push))
}

fn draw(random: &mut Random, most: usize) -> (&'static str, Stack, Vector3<f64>) {
    let size = 4 + random.below(most - 3);
    let mu = random.within(0.1, 1.0);
    let kind = random.below(5);
    let planar = kind != 1 && kind != 4;
    let side = random.within(-0.3, 0.3);
    let push = if planar {
        Vector3::new(9.81 * side, -9.81, 0.0)
    } else {
        Vector3::new(9.81 * side, 9.81 * random.within(-0.3, 0.3), -9.81)
    };
    let (name, stack) = match kind {
        0 => ("tower", tower(random, size / 2, mu)),
        1 => ("tower 3d", tower_in_space(random, size / 4, mu)),
        2 => ("wall", wall(size, mu)),
        3 => ("discs", discs(size, mu)),
        _ => ("spheres", spheres(size, mu)),
    };
    (name, stack, push)
}

/// Boxes one upon the other, two contacts each.
fn tower(random: &mut Random, count: usize, mu: f64) -> Stack {
    let mut stack = Stack::new(true);
    for k in 0..count.max(1) {
        let shift = random.within(-0.05, 0.05);
        let body = stack.body(Vector3::new(shift, 0.5 + k as f64, 0.0), 1.0, 1.0 / 6.0);
        let below = if k == 0 { None } else { Some(body - 1) };
        for x in [-0.4, 0.4] {
            stack.contacts.push((below, body, Vector3::new(x, k as f64, 0.0), Vector3::y(), mu));
        }
    }
    stack
}

fn tower_in_space(random: &mut Random, count: usize, mu: f64) -> Stack {
    let mut stack = Stack::new(false);
    for k in 0..count.max(1) {
        let (x, y) = (random.within(-0.05, 0.05), random.within(-0.05, 0.05));
        let body = stack.body(Vector3::new(x, y, 0.5 + k as f64), 1.0, 1.0 / 6.0);
        let below = if k == 0 { None } else { Some(body - 1) };
        for (x, y) in [(-0.4, -0.4), (-0.4, 0.4), (0.4, -0.4), (0.4, 0.4)] {
            stack.contacts.push((below, body, Vector3::new(x, y, k as f64), Vector3::z(), mu));
        }
    }
    stack
}

/// Bricks in courses, each on two of the course below, two contacts on each.
fn wall(size: usize, mu: f64) -> Stack {
    let mut stack = Stack::new(true);
    let width = 1 + (size as f64 / 3.0).sqrt() as usize;
    let mut below: Vec<(usize, f64)> = Vec::new();
    let mut course = 0;
    while stack.contacts.len() < size {
        let y = course as f64;
        let count = if course % 2 == 0 { width + 1 } else { width };
        let left = if course % 2 == 0 { 0.0 } else { 1.0 };
        let mut now = Vec::new();
        for k in 0..count {
            let x = left + 2.0 * k as f64;
            let body = stack.body(Vector3::new(x, y + 0.5, 0.0), 1.0, 5.0 / 12.0);
            now.push((body, x));
            if course == 0 {
                for dx in [-0.9, 0.9] {
                    let at = Vector3::new(x + dx, 0.0, 0.0);
                    stack.contacts.push((None, body, at, Vector3::y(), mu));
                }
            }
            for (other, ox) in below.iter().filter(|(_, ox)| (ox - x).abs() < 1.9) {
                let (lo, hi) = (ox.max(x) - 0.95, ox.min(x) + 0.95);
                for px in [lo, hi] {
                    let at = Vector3::new(px, y, 0.0);
                    stack.contacts.push((Some(*other), body, at, Vector3::y(), mu));
                }
            }
        }
        below = now;
        course += 1;
    }
    stack
}

/// Discs in a triangular lattice between two walls.
fn discs(size: usize, mu: f64) -> Stack {
    let mut stack = Stack::new(true);
    let width = 2 + (size as f64 / 4.0).sqrt() as usize;
    let rise = 3.0_f64.sqrt();
    let mut below: Vec<usize> = Vec::new();
    let mut course = 0;
    while stack.contacts.len() < size {
        let shift = if course % 2 == 0 { 1.0 } else { 2.0 };
        let count = if course % 2 == 0 { width } else { width - 1 };
        let mut now = Vec::new();
        for k in 0..count {
            let at = Vector3::new(shift + 2.0 * k as f64, 1.0 + rise * course as f64, 0.0);
            let body = stack.body(at, 1.0, 0.5);
            if course == 0 {
                stack.contacts.push((None, body, at - Vector3::y(), Vector3::y(), mu));
            }
            if course % 2 == 0 && k == 0 {
                stack.contacts.push((None, body, at - Vector3::x(), Vector3::x(), mu));
            }
            if course % 2 == 0 && k + 1 == count {
                stack.contacts.push((None, body, at + Vector3::x(), -Vector3::x(), mu));
            }
            touch_below(&mut stack, body, at, &below, mu);
            if let Some(&left) = now.last() {
                stack.contacts.push((Some(left), body, at - Vector3::x(), Vector3::x(), mu));
            }
            now.push(body);
        }
        below = now;
        course += 1;
    }
    stack
}

fn touch_below(stack: &mut Stack, body: usize, at: Vector3<f64>, below: &[usize], mu: f64) {
    for &other in below {
        let apart = at - stack.bodies[other].0;
        if (apart.norm() - 2.0).abs() < 1e-9 {
            let n = apart.normalize();
            stack.contacts.push((Some(other), body, at - n, n, mu));
        }
    }
}

/// Spheres in square layers, each in the hollow of four of the layer below.
fn spheres(size: usize, mu: f64) -> Stack {
    let mut stack = Stack::new(false);
    let mut width = 2;
    while contacts_of_pyramid(width) < size {
        width += 1;
    }
    let mut below: Vec<usize> = Vec::new();
    for course in 0..width {
        let mut now = Vec::new();
        let n = width - course;
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let half = course as f64;
            let at = Vector3::new(
                2.0 * i as f64 + half,
                2.0 * j as f64 + half,
                1.0 + 2.0_f64.sqrt() * half,
            );
            let body = stack.body(at, 1.0, 0.4);
            if course == 0 {
                stack.contacts.push((None, body, at - Vector3::z(), Vector3::z(), mu));
            }
            touch_below(&mut stack, body, at, &below, mu);
            now.push(body);
        }
        below = now;
    }
    stack
}

fn contacts_of_pyramid(width: usize) -> usize {
    width * width + (1..width).map(|n| 4 * n * n).sum::<usize>()
}
