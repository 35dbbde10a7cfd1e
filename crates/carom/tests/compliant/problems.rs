//! Random contact spaces, the same on every machine.

use carom::impact::{
    Audit, Compliant, ContactSpace, ImpactLaw, ImpactSolution, ImpactWorkspace, Phase, audit,
};
use nalgebra::DMatrix;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    /// Uniform in [a, b).
    pub fn uniform(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.uniform(1e-300, 1.0), self.uniform(0.0, 1.0));
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// Contacts with the given numbers of tangents on a mechanism of n coordinates; the first collides, others collide,
/// touch, rest or separate.
pub fn random(rng: &mut Random, n: usize, tangents: &[usize], friction: f64) -> ContactSpace {
    let rows: usize = tangents.iter().map(|t| t + 1).sum();
    let J = DMatrix::from_fn(rows, n, |_, _| rng.normal());
    let v = DMatrix::from_fn(n, 1, |_, _| rng.normal());
    let mut space = ContactSpace::default();
    space.resize(rows);
    space.G = &J * J.transpose();
    space.G = (&space.G + space.G.transpose()) * 0.5;
    space.u_pre.copy_from(&(&J * v).column(0));
    for t in tangents {
        let mu = rng.uniform(0.0, friction);
        let e = match rng.below(5) {
            0 => 0.0,
            1 => 1.0,
            _ => rng.uniform(0.1, 1.0),
        };
        space.push_contact(*t, [mu, mu], e, true);
    }
    // With as many coordinates as rows any velocity is possible.
    if n >= rows {
        for (k, c) in space.contacts.iter().enumerate() {
            for i in c.rows() {
                if k > 0 && rng.below(4) == 0 {
                    space.u_pre[i] = 0.0;
                }
            }
        }
    }
    let first = space.contacts[0].normal();
    if space.u_pre[first] > 0.0 {
        space.u_pre.neg_mut();
    }
    space.classify();
    assert_eq!(space.contacts[0].phase, Phase::Colliding);
    space
}

pub fn solve_by(law: &Compliant, space: &ContactSpace) -> ImpactSolution {
    let mut out = ImpactSolution::default();
    law.resolve(space, &mut ImpactWorkspace::new(), &mut out).expect("the law always answers");
    out
}

pub fn solve(space: &ContactSpace) -> ImpactSolution {
    solve_by(&Compliant::default(), space)
}

/// Audits a solution; everything must be below `tolerance`.
pub fn check(space: &ContactSpace, out: &ImpactSolution, tolerance: f64) -> Audit {
    let a = audit(space, out);
    assert!(a.worst().1 <= tolerance, "{a:?}");
    a
}

/// Largest difference of velocities, relative to the largest velocity.
pub fn difference(space: &ContactSpace, a: &ImpactSolution, b: &ImpactSolution) -> f64 {
    let scale = a.u_post.amax().max(space.velocity_scale);
    (&a.u_post - &b.u_post).amax() / scale
}
