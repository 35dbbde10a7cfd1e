//! Several contacts: the global minimum by branch and bound over regions of slip.
//!
//! In every choice of one region per contact, the conditions of [`region`](super::region) are linear and enclose the
//! law, so the nearest point of a polyhedron bounds the distance (4.5) from below. The choice with the smallest bound
//! is examined first. Its nearest point leads to motions that obey the law: itself, if it does, and the one that Newton's
//! method finds with the same modes, and, in the plane, the nearest point with friction taken at the fastest slip of the
//! region. The region of the contact that is worst off is divided, until no choice has a bound
//! below the best motion by more than [`GAP`].
//!
//! The energy limit is convex in the impulses; it enters as tangent planes, which hold in every region.

use crate::numeric::thresholds::dissipation;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

use nalgebra::DVector;

use super::chart::Chart;
use super::karnopp::Karnopp;
use super::polish::polish;
use super::program::Program;
use super::redundant::least_impulses;
use super::region::{Direction, Region};
use super::violation::Violation;

/// Violation, in scaled velocities and impulses, below which the friction law counts as satisfied; the second value is
/// for problems with spatial contacts.
const VIOLATION: [f64; 2] = dissipation::VIOLATION;

/// Gap between the best distance and its bound at which the search ends, relative to one plus the distance.
///
/// A gap matters only where the optimum lies within the layer of smoothed friction and slip of one contact is traded
/// for slip of another: the slip is then uncertain by about the root of the gap times v_s. Everywhere else the best
/// motion has been fixed by its modes long before the gap closes.
const GAP: [f64; 2] = dissipation::GAP;

/// The problem on one chart, in scaled quantities.
pub(super) struct Search<'a> {
    pub chart: &'a Chart,
    /// Friction of each member.
    pub friction: Vec<Karnopp>,
    /// Rows of the space and velocities that released contacts must not fall below.
    pub released: Vec<(usize, f64)>,
    /// Largest change of energy.
    pub energy: Option<f64>,
    /// Velocity that counts as one in (4.4).
    pub velocity_unit: f64,
    /// Number of regions after which the search ends.
    pub limit: usize,
}

/// A solution of the search, in scaled quantities.
#[derive(Clone, Debug)]
pub(super) struct Optimum {
    pub impulses: DVector<f64>,
    /// dᵀd at the solution (4.5).
    pub objective: f64,
    /// Lower bound of the objective over everything that was not examined.
    pub bound: f64,
    /// Number of choices of regions examined.
    pub regions: usize,
    /// Whether the bound met the objective before the limit on the number of regions.
    pub certain: bool,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    Optimum(Optimum),
    /// No point satisfies the conditions, which so many regions show.
    Empty(usize),
    /// The bound on the number of regions was reached.
    Unfinished,
}

/// A motion that obeys the law.
struct Candidate {
    objective: f64,
    impulses: DVector<f64>,
}

struct Node {
    bound: f64,
    order: usize,
    regions: Vec<Region>,
    point: Vec<f64>,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Node {}
impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Node {
    /// Smallest bound first, then oldest first: the heap pops the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        let bounds = other.bound.total_cmp(&self.bound);
        bounds.then(other.order.cmp(&self.order))
    }
}

/// How to go on with a node.
enum Next {
    Solved,
    Directions(usize),
    Speeds(usize, f64),
}

impl Search<'_> {
    /// Finds the global minimum.
    pub fn run(&self) -> Ending {
        let mut program = Program::default();
        let mut heap = BinaryHeap::new();
        let mut best: Option<Candidate> = None;
        let root = vec![Region::ALL; self.chart.members.len()];
        let mut made = 0;
        let mut bound = f64::INFINITY;
        let mut certain = true;
        heap.extend(self.node(root, &mut made, &mut program));
        while let Some(node) = heap.pop() {
            bound = node.bound;
            let done = |b: &Candidate| bound >= b.objective - self.gap() * (1.0 + b.objective);
            if best.as_ref().is_some_and(done) {
                break;
            }
            if made > self.limit {
                certain = false;
                break;
            }
            for candidate in self.candidates(&node, &mut program) {
                // Polished motions come first and stay unless another is better by more than the search can tell.
                let better = |b: &Candidate| {
                    candidate.objective < b.objective - 0.1 * self.gap() * (1.0 + b.objective)
                };
                if best.as_ref().is_none_or(better) {
                    best = Some(candidate);
                }
            }
            for (i, part) in self.parts(&node, self.next(&node)) {
                let mut regions = node.regions.clone();
                regions[i] = part;
                heap.extend(self.node(regions, &mut made, &mut program));
            }
        }
        match best {
            Some(best) => Ending::Optimum(Optimum {
                impulses: least_impulses(self, &best.impulses).unwrap_or(best.impulses),
                objective: best.objective,
                bound: bound.min(best.objective),
                regions: made,
                certain,
            }),
            None if made > self.limit => Ending::Unfinished,
            None => Ending::Empty(made),
        }
    }

    /// Feasible motions near the point of a node.
    fn candidates(&self, node: &Node, program: &mut Program) -> Vec<Candidate> {
        let (p, _) = self.chart.evaluate(&node.point);
        let polished = polish(self, &p);
        let plain = (self.law_violation(&node.point) <= self.tolerance()).then_some(p);
        let inner = if plain.is_none() && !self.spatial() {
            self.conditions(&node.regions, |r| r.speeds[1], program);
            let point = program.nearest(self);
            point
                .filter(|w| self.law_violation(w) <= self.tolerance())
                .map(|w| self.chart.evaluate(&w).0)
        } else {
            None
        };
        let feasible = [polished, plain, inner].into_iter().flatten();
        feasible
            .map(|impulses| {
                let u = self.chart.velocities(&impulses);
                Candidate { objective: self.objective(&u), impulses }
            })
            .collect()
    }

    /// Writes the conditions of one region per contact, with friction taken at a speed of the region.
    fn conditions(
        &self,
        regions: &[Region],
        speed: impl Fn(&Region) -> f64,
        program: &mut Program,
    ) {
        program.clear();
        for ((m, region), f) in self.chart.members.iter().zip(regions).zip(&self.friction) {
            let mu = f.coefficient(speed(region));
            region.conditions(m.tangents, mu, &mut |c| program.push(self.chart, m, &c));
        }
        for (row, least) in &self.released {
            program.push_velocity(self.chart, *row, *least);
        }
    }

    fn parts(&self, node: &Node, next: Next) -> Vec<(usize, Region)> {
        match next {
            Next::Solved => Vec::new(),
            Next::Directions(i) => node.regions[i]
                .divide_directions(self.chart.members[i].tangents)
                .into_iter()
                .map(|r| (i, r))
                .collect(),
            Next::Speeds(i, at) => node.regions[i].divide_speeds(at).map(|r| (i, r)).to_vec(),
        }
    }

    fn spatial(&self) -> bool {
        self.chart.members.iter().any(|m| m.tangents == 2)
    }

    pub fn tolerance(&self) -> f64 {
        VIOLATION[usize::from(self.spatial())]
    }

    fn gap(&self) -> f64 {
        GAP[usize::from(self.spatial())]
    }

    /// Solves the polyhedron of a choice of regions; `None` if it is empty.
    fn node(&self, regions: Vec<Region>, made: &mut usize, program: &mut Program) -> Option<Node> {
        *made += 1;
        self.conditions(&regions, |r| r.speeds[0], program);
        let point = program.nearest(self)?;
        let slip2 = self.chart.x0.norm_squared()
            + point[..self.chart.moving].iter().map(|w| w * w).sum::<f64>();
        let friction: f64 = regions
            .iter()
            .zip(&self.friction)
            .map(|(r, f)| (f.static_friction - f.coefficient(r.speeds[0])).powi(2))
            .sum();
        Some(Node {
            bound: slip2 / self.velocity_unit.powi(2) + friction,
            order: *made,
            regions,
            point,
        })
    }

    /// dᵀd (4.5) at velocities u⁺ of all rows of the space.
    fn objective(&self, u: &DVector<f64>) -> f64 {
        let mut sum = 0.0;
        for (m, f) in self.chart.members.iter().zip(&self.friction) {
            let rows = &self.chart.rows[m.first..m.normal()];
            let speed = rows.iter().fold(0.0_f64, |s, &i| s.hypot(u[i]));
            sum += (speed / self.velocity_unit).powi(2);
            sum += (f.static_friction - f.coefficient(speed)).powi(2);
        }
        sum
    }

    /// Largest violation of the friction law over the contacts.
    fn law_violation(&self, w: &[f64]) -> f64 {
        let (p, x) = self.chart.evaluate(w);
        let members = self.chart.members.iter().zip(&self.friction);
        members.fold(0.0, |worst, (m, f)| {
            let v = Violation::of(m, f, &p, &x);
            worst.max(v.direction).max(v.cone)
        })
    }

    /// What to divide: the contact that is worst off, unless all is well.
    fn next(&self, node: &Node) -> Next {
        let (p, x) = self.chart.evaluate(&node.point);
        let tolerance = self.tolerance();
        let mut next = Next::Solved;
        let mut worst = tolerance;
        for (i, member) in self.chart.members.iter().enumerate() {
            let (region, f) = (&node.regions[i], &self.friction[i]);
            let v = Violation::of(member, f, &p, &x);
            // What dividing the speeds can still gain; sectors let the point be faster than the region.
            let [slow, fast] =
                region.speeds.map(|s| f.coefficient(s.min(v.speed.max(region.speeds[0]))));
            let rest = f.static_friction;
            let loose = slow - fast;
            let gap = (rest - fast).powi(2) - (rest - slow).powi(2);
            let score = v.direction.max(v.cone).max(gap);
            if score <= worst {
                continue;
            }
            let by_speed = gap >= v.cone.max(v.direction)
                || (v.cone >= v.direction && loose * v.p_n >= 0.3 * v.cone);
            let division = match region.direction {
                Direction::Any => Some(Next::Directions(i)),
                Direction::Ray(_) => {
                    region.division(v.speed, f.layer()).map(|at| Next::Speeds(i, at))
                }
                Direction::Sector { half, .. } if by_speed || half < dissipation::SLACK => {
                    region.division(v.speed, f.layer()).map(|at| Next::Speeds(i, at))
                }
                Direction::Sector { .. } => Some(Next::Directions(i)),
            };
            if let Some(division) = division {
                (next, worst) = (division, score);
            }
        }
        next
    }
}
