//! Capability over all directions: the set of accelerations that a point can have.
//!
//! # Law
//! Accelerations of the point are A = { J_x v̇ + J̇_x v } over all torques and contact forces of
//! equation (1) of [`mod@super::largest`] with nothing held: a convex set with the support function
//! ```text
//! σ(d) = max { d·a : a ∈ A },   a(d) the point where it is reached                 (1)
//! ```
//! In a plane, the corners of A are found exactly: between two known corners the support along the
//! normal of their chord is either the chord (an edge) or a new corner (2). Round cones make round
//! edges; then corners are added until chords and edges differ by a tolerance.
//!
//! Torques alone, taken from the ball inside their box, reach an ellipsoid
//! ```text
//! a = a₀ + Σ uᵢ sᵢ,  ‖u‖ ≤ 1,   sᵢ the principal axes of J_x M_c⁻¹ B diag(half ranges)      (3)
//! ```
//! where M_c is the mass matrix that the kept contacts leave. Friction and lift-off are left out of (3).
//!
//! # Tests
//! `tests/reach.rs`: `eq1_support_is_the_capability`, `eq2_corners_of_a_planar_arm`,
//! `eq2_round_sets_close`, `eq3_ellipsoid_inside`.

use super::evaluator::Evaluator;
use super::largest::Capability;
use super::problem::CapabilityProblem;
use super::reduce::Reduced;
use crate::error::AgilityError;
use crate::program::{ConicProgram, solve};
use crate::thresholds::reach::CORNER;
use carom::dynamics::jacobian::add_point_row;
use nalgebra::{DMatrix, DVector, Matrix3, Vector2, Vector3};

/// Corners of a round set are added until chords are this near, as a fraction of its size.
const ROUND: f64 = 1e-4;
/// Corners at most.
const CORNERS: usize = 4096;

/// The accelerations that a point can have in one posture.
#[derive(Debug, Clone)]
pub struct Reach {
    program: ConicProgram,
    slope: DMatrix<f64>,
    offset: Vector3<f64>,
    torque_mid: DVector<f64>,
    torque_half: DVector<f64>,
}

/// The support of the set in one direction, equation (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Support {
    /// d.
    pub direction: Vector3<f64>,
    /// a(d), m/s².
    pub acceleration: Vector3<f64>,
    /// σ(d), m/s².
    pub value: f64,
}

/// The ellipsoid (3).
#[derive(Debug, Clone, PartialEq)]
pub struct Ellipsoid {
    /// a₀, m/s².
    pub center: Vector3<f64>,
    /// Principal axes as columns, m/s², longest first.
    pub axes: Matrix3<f64>,
}

/// A polygon of accelerations in a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    /// Corners counter-clockwise, in the two axes of the plane, m/s².
    pub corners: Vec<Vector2<f64>>,
    /// Whether all constraints are linear, so that the corners are those of the set itself.
    pub exact: bool,
}

impl Reach {
    /// The reach of the task's point; what the task holds is let go.
    pub fn new(
        evaluator: &mut Evaluator<'_, '_>,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<Self, AgilityError> {
        let mut problem = evaluator.problem(t, q, v);
        problem.check()?;
        problem.held = crate::program::LinearRows::none(problem.nv());
        let (rows, bias) = point_rows(evaluator, &problem);
        let reduced = Reduced::new(&problem)?;
        let (program, _) = reduced.program(&problem);
        let offset = &rows * &reduced.acceleration_offset;
        Ok(Self {
            slope: rows * &reduced.acceleration_matrix,
            offset: Vector3::new(offset[0], offset[1], offset[2]) + bias,
            torque_mid: (&problem.torque_lower + &problem.torque_upper) * 0.5,
            torque_half: (&problem.torque_upper - &problem.torque_lower) * 0.5,
            program,
        })
    }

    /// The acceleration that goes furthest along `d`, and how far, equation (1).
    pub fn support(&self, d: &Vector3<f64>) -> Result<Support, AgilityError> {
        let mut program = self.program.clone();
        program.objective = self.slope.tr_mul(d);
        let solution = solve(&program)?;
        let moved = &self.slope * &solution.x;
        let a = Vector3::new(moved[0], moved[1], moved[2]) + self.offset;
        let value = solution.value + d.dot(&self.offset);
        Ok(Support { direction: *d, acceleration: a, value })
    }

    /// σ over `count` directions spread evenly over the sphere (a Fibonacci spiral).
    pub fn sphere(&self, count: usize) -> Result<Vec<Support>, AgilityError> {
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let direction = |i: usize| {
            let z = 1.0 - (2 * i + 1) as f64 / count as f64;
            let (sin, cos) = (golden * i as f64).sin_cos();
            let r = (1.0 - z * z).max(0.0).sqrt();
            Vector3::new(r * cos, r * sin, z)
        };
        (0..count).map(|i| self.support(&direction(i))).collect()
    }

    /// The shadow of the set on the plane of two orthonormal axes, equation (2).
    pub fn polygon(&self, axes: [Vector3<f64>; 2]) -> Result<Polygon, AgilityError> {
        let exact = self.program.cones.iter().all(|c| c.tangents < 2 || c.friction == 0.0);
        let corner = |d: Vector2<f64>| -> Result<Vector2<f64>, AgilityError> {
            let a = self.support(&(axes[0] * d.x + axes[1] * d.y))?.acceleration;
            Ok(Vector2::new(a.dot(&axes[0]), a.dot(&axes[1])))
        };
        let first = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let mut corners = Vec::new();
        for (x, y) in first {
            corners.push(corner(Vector2::new(x, y))?);
        }
        let size = corners.iter().fold(f64::MIN_POSITIVE, |s, c| s.max((c - corners[0]).norm()));
        let near = size * if exact { CORNER } else { ROUND };
        let mut at = 0;
        while at < corners.len() && corners.len() < CORNERS {
            let (p, q) = (corners[at], corners[(at + 1) % corners.len()]);
            let chord = q - p;
            if chord.norm() <= near {
                at += 1;
                continue;
            }
            let outward = Vector2::new(chord.y, -chord.x) / chord.norm();
            let found = corner(outward)?;
            if outward.dot(&(found - p)) > near {
                corners.insert(at + 1, found);
            } else {
                at += 1;
            }
        }
        Ok(Polygon { corners: tidy(corners, size * CORNER), exact })
    }

    /// Equation (3).
    pub fn ellipsoid(&self) -> Ellipsoid {
        let m = self.torque_mid.len();
        let torques = self.slope.columns(0, m);
        let center = torques * &self.torque_mid;
        let spread = torques * DMatrix::from_diagonal(&self.torque_half);
        let square = &spread * spread.transpose();
        let square = Matrix3::from_fn(|i, j| square[(i, j)]);
        let eigen = square.symmetric_eigen();
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
        let axis = |i: usize| eigen.eigenvectors.column(i) * eigen.eigenvalues[i].max(0.0).sqrt();
        Ellipsoid {
            center: self.offset + Vector3::new(center[0], center[1], center[2]),
            axes: Matrix3::from_columns(&order.map(axis)),
        }
    }
}

/// Corners without repetitions and without points inside an edge.
fn tidy(corners: Vec<Vector2<f64>>, near: f64) -> Vec<Vector2<f64>> {
    let mut kept: Vec<Vector2<f64>> = Vec::new();
    for c in corners {
        if kept.last().is_none_or(|k| (k - c).norm() > near) {
            kept.push(c);
        }
    }
    while kept.len() > 1 && (kept[0] - kept[kept.len() - 1]).norm() <= near {
        kept.pop();
    }
    let n = kept.len();
    let turns = |i: usize| {
        let (a, b, c) = (kept[(i + n - 1) % n], kept[i], kept[(i + 1) % n]);
        let (u, v) = (b - a, c - b);
        (u.x * v.y - u.y * v.x).abs() > near * (u + v).norm()
    };
    if n < 3 { kept } else { (0..n).filter(|&i| turns(i)).map(|i| kept[i]).collect() }
}

/// The three rows of the point's velocity and J̇v.
fn point_rows(
    evaluator: &Evaluator<'_, '_>,
    problem: &CapabilityProblem,
) -> (DMatrix<f64>, Vector3<f64>) {
    let (stance, kin) = (evaluator.stance(), evaluator.kinematics());
    let (model, task) = (stance.model(), stance.task());
    let x = kin.pose(model, task.body).point(&task.point);
    let mut rows = DMatrix::zeros(3, problem.nv());
    let mut row = vec![0.0; problem.nv()];
    for (i, axis) in [Vector3::x(), Vector3::y(), Vector3::z()].iter().enumerate() {
        row.fill(0.0);
        add_point_row(model, kin, (task.body, &x), axis, 1.0, &mut row);
        rows.row_mut(i).copy_from_slice(&row);
    }
    (rows, evaluator.point_bias(&x))
}

/// The acceleration of the task's point under the optimum of one direction.
pub fn point_acceleration(
    evaluator: &mut Evaluator<'_, '_>,
    t: f64,
    (q, v): (&[f64], &[f64]),
    at: &Capability,
) -> Vector3<f64> {
    let problem = evaluator.problem(t, q, v);
    let (rows, bias) = point_rows(evaluator, &problem);
    let a = rows * &at.vdot;
    Vector3::new(a[0], a[1], a[2]) + bias
}
