//! The procedure of section 3.1.5, steps 1 to 15, as printed: modes by lists instead of complementarity.
//!
//! # Law
//! In contact space, per unit of the normal impulse η at the colliding end, the last contact:
//! ```text
//! du/dη = G f,   f_n = 1 at Ac,   f = 0 outside the list L_c                                       (1)  steps 3, 8
//! in L_c: a_n = 0;   slipping f_t = −μ sign(u_t) f_n;   in L_s f_t = μ sign(μ^a) f_n;   else a_t = 0    (2)  steps 4 to 7
//! L_s: the sticking contact with the largest |f_t/f_n| > μ joins; its sign turns if it would slip along (3)  steps 9, 10
//! L_c: the contact with u_n = 0 and the most negative a_n joins                                        (4)  step 11
//! the stage ends at the next stop of a slip, return of a contact, end of compression, or end           (5)  steps 12 to 14
//! ```
//! Nothing ever leaves L_c within a stage, so that a contact may end up pulling: [`Course::pulls`].
//!
//! # Tests
//! `tests/hurmuzlu.rs`: `procedure`, `eq1_to_eq5_are_the_law_where_nothing_pulls`.

use carom::impact::{ImpactContact, ImpactProblem, Reduction, ThreeLinkChain};
use nalgebra::{DMatrix, DVector};

use super::interval::words;
use super::method::Method;
use super::posture::POSTURE;
use super::sweep::{FRICTION, Sweep, ZERO};
use crate::claim::Claim;
use crate::collision::resolve;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{fixed, percent, power};
use crate::table::Table;

/// The experiment.
pub const PROCEDURE: Experiment = Experiment {
    name: "hurmuzlu-procedure",
    title: "The printed list procedure against complementarity",
    source: Source::Hurmuzlu,
    covers: &["figure 6"],
    run,
};

/// A stage count beyond which a procedure does not end.
const STAGES: usize = 60;

/// What the procedure found.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Contact velocities after, tangent and normal of each contact.
    pub u: DVector<f64>,
    /// Impulses.
    pub p: DVector<f64>,
    /// Whether some contact pulled in some stage.
    pub pulls: bool,
}

/// One stage: the forces per unit of η, and how u changes.
struct Stage {
    f: DVector<f64>,
    a: DVector<f64>,
}

struct Lists<'a> {
    g: &'a DMatrix<f64>,
    mu: &'a [f64],
    u: &'a DVector<f64>,
}

impl Lists<'_> {
    fn colliding(&self) -> usize {
        self.mu.len() - 1
    }

    /// Steps 2 to 11: lists until nothing is to be added; none where the equations have no solution.
    fn stage(&self) -> Option<Stage> {
        let c = self.colliding();
        let mut interacting = vec![c];
        loop {
            let stage = self.slips(&interacting)?;
            // Step 11.
            let free =
                (0..c).filter(|i| !interacting.contains(i) && self.u[2 * i + 1].abs() < ZERO);
            let next = free
                .filter(|i| stage.a[2 * i + 1] < -ZERO)
                .min_by(|i, j| stage.a[2 * i + 1].total_cmp(&stage.a[2 * j + 1]));
            match next {
                Some(i) => interacting.push(i),
                None => return Some(stage),
            }
        }
    }

    /// Steps 3 to 10 for one list of interacting contacts.
    fn slips(&self, interacting: &[usize]) -> Option<Stage> {
        let mut slipping: Vec<(usize, f64)> = Vec::new();
        loop {
            let mut stage = self.solve(interacting, &slipping)?;
            // Step 9: friction must not drive the slip that it resists.
            if let Some((i, sign)) = slipping.last().copied()
                && stage.a[2 * i] * sign > 0.0
            {
                let place = slipping.len() - 1;
                slipping[place].1 = -sign;
                stage = self.solve(interacting, &slipping)?;
            }
            // Step 10.
            let sticks =
                |i: &&usize| self.u[2 * **i].abs() < ZERO && !slipping.iter().any(|(j, _)| j == *i);
            let ratio = |i: &usize| stage.f[2 * i] / stage.f[2 * i + 1];
            let next = interacting
                .iter()
                .filter(sticks)
                .filter(|i| ratio(i).abs() > self.mu[**i])
                .max_by(|i, j| ratio(i).abs().total_cmp(&ratio(j).abs()));
            match next {
                Some(i) => slipping.push((*i, ratio(i).signum())),
                None => return Some(stage),
            }
        }
    }

    /// Steps 3 to 8: the forces for given lists, (1) and (2).
    fn solve(&self, interacting: &[usize], slipping: &[(usize, f64)]) -> Option<Stage> {
        let (c, rows) = (self.colliding(), self.g.nrows());
        let mut matrix = DMatrix::identity(rows, rows);
        let mut right = DVector::zeros(rows);
        for &i in interacting {
            let (t, n) = (2 * i, 2 * i + 1);
            let friction = match slipping.iter().find(|(j, _)| *j == i) {
                Some((_, sign)) => Some(*sign * self.mu[i]),
                None if self.u[t].abs() >= ZERO => Some(-self.u[t].signum() * self.mu[i]),
                None => None,
            };
            match friction {
                // f_t − s μ f_n = 0.
                Some(slope) => matrix[(t, n)] = -slope,
                None => matrix.row_mut(t).copy_from(&self.g.row(t)),
            }
            if i == c {
                right[n] = 1.0;
            } else {
                matrix.row_mut(n).copy_from(&self.g.row(n));
            }
        }
        let f = matrix.lu().solve(&right)?;
        let a = self.g * &f;
        Some(Stage { f, a })
    }

    /// The next η of step 12 at which a slip stops or a contact returns.
    fn next(&self, stage: &Stage) -> f64 {
        let c = self.colliding();
        let zero = |row: usize| {
            let d = -self.u[row] / stage.a[row];
            (self.u[row].abs() >= ZERO && d > ZERO).then_some(d)
        };
        let stops = (0..=c).filter_map(|i| zero(2 * i));
        let returns = (0..c).filter_map(|i| zero(2 * i + 1));
        stops.chain(returns).fold(f64::INFINITY, f64::min)
    }
}

/// Runs the procedure for a problem whose last contact collides; the methods are the three of the differential
/// formulation. None where a system of the lists is singular or the stages do not end.
pub fn procedure(problem: &ImpactProblem, method: Method) -> Option<Course> {
    let mut reduction = Reduction::default();
    reduction.reduce(problem).ok()?;
    let (g, before) = (&reduction.space.G, &reduction.space.u_pre);
    let mu: Vec<f64> = problem.contacts.iter().map(|c| c.friction).collect();
    let (c, e) = (mu.len() - 1, problem.contacts[mu.len() - 1].restitution);
    let n = 2 * c + 1;
    let (mut u, mut p) = (before.clone(), DVector::zeros(before.len()));
    let (mut compression, mut work, mut eta, mut pulls) = (None, 0.0, 0.0, false);
    for _ in 0..STAGES {
        let lists = Lists { g, mu: &mu, u: &u };
        let stage = lists.stage()?;
        pulls |= (0..=c).any(|i| stage.f[2 * i + 1] < -ZERO);
        let (speed, rate) = (u[n], stage.a[n]);
        let to_end = match compression {
            None => -speed / rate,
            Some((_, end)) => to_end(method, (speed, rate), (e, before[n]), (work, eta, end)),
        };
        let step = lists.next(&stage).min(if to_end > 0.0 { to_end } else { f64::INFINITY });
        if !step.is_finite() {
            return None;
        }
        work += step * (speed + 0.5 * rate * step);
        eta += step;
        u += &stage.a * step;
        p += &stage.f * step;
        if step == to_end {
            match compression {
                None => {
                    // Plastic: restitution is empty.
                    if e == 0.0 {
                        return Some(Course { u, p, pulls });
                    }
                    compression = Some((work, [eta, work]));
                    u[n] = 0.0;
                    work = 0.0;
                }
                Some(_) => return Some(Course { u, p, pulls }),
            }
        }
    }
    None
}

/// How much more impulse until the end, by (18), (19) or (21).
fn to_end(
    method: Method,
    (speed, rate): (f64, f64),
    (e, approach): (f64, f64),
    (work, eta, [end, compression]): (f64, f64, [f64; 2]),
) -> f64 {
    match method {
        Method::Kinematic => (-e * approach - speed) / rate,
        Method::Kinetic => (1.0 + e) * end - eta,
        // ½ a d² + u d = −e² W_c − W.
        _ => {
            let left = -e * e * compression - work;
            (-speed + (speed * speed + 2.0 * rate * left).max(0.0).sqrt()) / rate
        }
    }
}

/// Differences between procedure and law over the chain, and what both say of the rebound at A0.
struct Compared {
    method: Method,
    restitution: f64,
    apart: f64,
    without: usize,
    pulls: usize,
    intervals: [String; 2],
}

fn compare(count: i32, method: Method, e: f64) -> Result<Compared, Trouble> {
    let law = Sweep::with_rates(count, method, [FRICTION, e], carom::impact::chain::RATES)?;
    let mut same = law.clone();
    let (mut apart, mut without, mut pulls) = (0.0_f64, 0, 0);
    for point in &mut same.points {
        let chain = ThreeLinkChain {
            phi: point.degrees.to_radians(),
            friction_touching: FRICTION,
            friction_colliding: FRICTION,
            restitution: e,
        };
        let problem = chain.problem();
        let Some(course) = procedure(&problem, method) else {
            without += 1;
            continue;
        };
        pulls += usize::from(course.pulls);
        let answer = resolve(method.law().as_ref(), &problem)?;
        apart = apart.max((&course.u - &answer.solution.u_post).amax());
        point.rebound = if course.u[1] > ZERO { course.u[1] } else { 0.0 };
        point.impulse = course.p[1];
    }
    let shaded = |s: &Sweep| words(&s.wherever(|p| p.rebounds_with_interaction()));
    let intervals = [shaded(&law), shaded(&same)];
    Ok(Compared { method, restitution: e, apart, without, pulls, intervals })
}

/// Random problems with two touching ends and one colliding: how often a contact pulls.
struct Campaign {
    problems: usize,
    pulls: usize,
    without: usize,
    apart: f64,
}

/// Numbers between 0 and 1, evenly spread (additive recurrence with the square roots of primes).
fn spread(index: usize, which: usize) -> f64 {
    const PRIMES: [f64; 36] = [
        2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0, 31.0, 37.0, 41.0, 43.0, 47.0, 53.0,
        59.0, 61.0, 67.0, 71.0, 73.0, 79.0, 83.0, 89.0, 97.0, 101.0, 103.0, 107.0, 109.0, 113.0,
        127.0, 131.0, 137.0, 139.0, 149.0, 151.0,
    ];
    (0.5 + index as f64 * PRIMES[which].sqrt()).fract()
}

/// A random problem in contact coordinates: G = A Aᵀ, two contacts touch and slip or stick, the third collides.
pub fn random_problem(index: usize) -> Option<ImpactProblem> {
    let a = DMatrix::from_fn(6, 6, |i, j| {
        let x = spread(index, (6 * i + j) % 36) - 0.5;
        if i == j { x + 1.0 } else { x }
    });
    let mass = (&a * a.transpose()).try_inverse()?;
    let x = |k: usize| spread(7 * index + 3, k);
    let velocity = DVector::from_row_slice(&[x(0) - 0.5, 0.0, 0.0, 0.0, x(1) - 0.5, -x(2) - 0.1]);
    let contact = |k: usize| ImpactContact {
        name: format!("A{k}"),
        tangents: DMatrix::from_fn(1, 6, |_, j| f64::from(j == 2 * k)),
        normal: DVector::from_fn(6, |j, _| f64::from(j == 2 * k + 1)),
        friction: 0.2 + 0.6 * x(3 + k),
        static_friction: 0.2 + 0.6 * x(3 + k),
        restitution: if k == 2 { x(6) } else { 0.0 },
        touching: true,
    };
    ImpactProblem::new(mass, velocity, vec![contact(0), contact(1), contact(2)]).ok()
}

fn campaign(count: usize) -> Campaign {
    let mut found = Campaign { problems: 0, pulls: 0, without: 0, apart: 0.0 };
    for problem in (1..=count).filter_map(random_problem) {
        found.problems += 1;
        let Some(course) = procedure(&problem, Method::Energetic) else {
            found.without += 1;
            continue;
        };
        if course.pulls {
            found.pulls += 1;
        } else if let Ok(answer) = resolve(Method::Energetic.law().as_ref(), &problem) {
            found.apart = found.apart.max((&course.u - &answer.solution.u_post).amax());
        }
    }
    found
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Section 3.1.5 chooses the modes of the contacts by two lists that only grow. carom solves the complementarity \
         conditions instead. Here the printed steps are run as they stand, on the chain and on random problems with three \
         contacts.",
    );
    outcome.reading(POSTURE);
    outcome.reading(
        "Step 12 calls η† the end of restitution; it ends compression. (21) is missing; the energetic definition is \
         e² = −W_restitution/W_compression.",
    );
    let count = context.pick(720, 180);
    let mut table = Table::new(
        "Procedure and complementarity over the postures of the chain, μ = 0.5",
        &[
            "definition",
            "e",
            "largest difference / (m/s)",
            "without an end",
            "pulls",
            "rebound with interaction, law",
            "procedure",
        ],
    );
    let mut all = Vec::new();
    for e in [0.9, 0.0] {
        for method in [Method::Kinematic, Method::Kinetic, Method::Energetic] {
            all.push(compare(count, method, e)?);
        }
    }
    for c in &all {
        table.row([
            c.method.name().to_owned(),
            c.restitution.to_string(),
            power(c.apart),
            c.without.to_string(),
            c.pulls.to_string(),
            c.intervals[0].clone(),
            c.intervals[1].clone(),
        ]);
    }
    let apart = all.iter().fold(0.0_f64, |m, c| m.max(c.apart));
    let same = all.iter().all(|c| c.intervals[0] == c.intervals[1] && c.without == 0);
    outcome.claim(
        Claim::test(
            "carom",
            "For the chain the printed procedure gives what complementarity gives, so that the choice of modes does not \
             explain what differs in figure 6.",
            same && apart < 1e-9,
            format!("largest difference of a contact velocity: {} m/s", power(apart)),
        )
        .own()
        .open("where they differ is in the table"),
    );
    let random = campaign(context.pick(20_000, 2_000));
    outcome.claim(
        Claim::test(
            "section 3.1.5",
            "The procedure identifies the solution that satisfies all conditions.",
            random.pulls + random.without == 0,
            format!(
                "of {} random problems with three contacts {} ({}) have a stage in which a contact pulls, {} do not end; in the \
                 others it differs from complementarity by up to {} m/s",
                random.problems,
                random.pulls,
                percent(random.pulls as f64 / random.problems as f64),
                random.without,
                fixed(random.apart, 3)
            ),
        )
        .source_errs(
            "Step 11 adds contacts to L_c and nothing ever removes one, although a later one may lift an earlier one off: the \
             equations then hold it by a negative normal force, which the conditions exclude.",
            random.pulls > 0,
        ),
    );
    outcome.table(table);
    let mut data = Data::new("procedure", &["definition", "e", "apart.m/s", "pulls", "without"]);
    for c in &all {
        let row = [c.restitution, c.apart, c.pulls as f64, c.without as f64];
        data.labelled(&[c.method.name()], &row);
    }
    outcome.data(data);
    Ok(outcome)
}
