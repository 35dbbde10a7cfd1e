//! Energy control: attenuation around a law, and the energy constraint inside the dissipation principle.
#![allow(non_snake_case)]

#[path = "support/random_impacts.rs"]
mod support;

use carom::impact::energy_control::{attenuation_work, factor, leftover};
use carom::impact::{
    ContactSpace, Dissipation, DissipationOptions, EnergyControl, ImpactAnswer, ImpactContact,
    ImpactError, ImpactLaw, ImpactProblem, ImpactSolution, ImpactWorkspace, Newton, Poisson, audit,
};
use nalgebra::{DMatrix, DVector};
use support::{Random, reduce};

/// A law that gains energy: the normal velocity returns 1.5 times as fast, without friction.
struct Trampoline;

impl ImpactLaw for Trampoline {
    fn name(&self) -> &'static str {
        "trampoline"
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        _: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        out.reset(space);
        for c in space.contacts.iter().filter(|c| c.takes_part()).take(1) {
            let n = c.normal();
            out.impulses[n] = -2.5 * space.u_pre[n] / space.G[(n, n)];
        }
        out.complete(space);
        Ok(())
    }
}

fn run(law: &dyn ImpactLaw, problem: &ImpactProblem) -> Result<ImpactAnswer, ImpactError> {
    let mut out = ImpactAnswer::default();
    law.resolve_problem(problem, &mut ImpactWorkspace::new(), &mut out)?;
    Ok(out)
}

fn random_problems(seed: u64, count: usize) -> impl Iterator<Item = ImpactProblem> {
    let mut random = Random(seed);
    let shapes: [&[usize]; 4] = [&[1], &[2], &[1, 1], &[0, 1]];
    (0..count).map(move |i| random.problem(8, shapes[i % 4], 1.0))
}

// -------------------------------------------------------------------- attenuation

/// (1), (5.2): energy after ≤ e* · energy before, with equality where the law alone exceeds it.
#[test]
fn eq1_energy_within_the_limit() {
    for (i, problem) in random_problems(1, 80).enumerate() {
        let limit = [1.0, 0.9, 0.5, 0.1, 0.0][i % 5];
        let laws: [(Box<dyn ImpactLaw>, Box<dyn ImpactLaw>); 4] = [
            (Box::new(Newton), Box::new(Newton)),
            (Box::new(Poisson), Box::new(Poisson)),
            (Box::new(Trampoline), Box::new(Trampoline)),
            (Box::new(Dissipation::default()), Box::new(Dissipation::default())),
        ];
        for (plain, inner) in laws {
            let free = run(&plain, &problem).unwrap();
            let control = EnergyControl::new(inner, limit).unwrap();
            let held = run(&control, &problem).unwrap();
            let allowed = limit * held.energy_before;
            assert!(held.energy_after <= allowed.max(0.0) * (1.0 + 1e-12) + 1e-300);
            if free.energy_after > allowed {
                assert!((held.energy_after - allowed).abs() <= 1e-12 * held.energy_before);
            } else {
                assert_eq!(held.velocity, free.velocity);
            }
            let e = control.factor(free.energy_before, free.energy_after);
            assert!((0.0..=1.0).contains(&e));
        }
    }
}

/// (2), (5.3): all velocities are scaled, those of the null space of J too.
#[test]
fn eq2_all_velocities_scaled() {
    for problem in random_problems(2, 40) {
        let free = run(&Trampoline, &problem).unwrap();
        let held = run(&EnergyControl::new(Trampoline, 0.5).unwrap(), &problem).unwrap();
        let e = factor(0.5, free.energy_before, free.energy_after);
        assert!(e < 1.0);
        assert!((held.velocity - &free.velocity * e).amax() < 1e-14 * free.velocity.amax());
        assert!((held.solution.u_post - &free.solution.u_post * e).amax() < 1e-13);
    }
}

/// (3): M(v* − v⁻) = ẽ Jᵀp − (1 − ẽ) M v⁻, and its second part is no impulse at the contacts, against (5.4).
#[test]
fn eq3_leftover_momentum() {
    let mut outside = 0;
    for problem in random_problems(3, 40) {
        let free = run(&Trampoline, &problem).unwrap();
        let held = run(&EnergyControl::new(Trampoline, 0.5).unwrap(), &problem).unwrap();
        let e = factor(0.5, free.energy_before, free.energy_after);
        let M = &problem.mass_matrix;
        let push = M * (&free.velocity - &problem.velocity);
        let given = M * (&held.velocity - &problem.velocity);
        let expected = push * e - M * &problem.velocity * (1.0 - e);
        assert!((given - expected).amax() < 1e-11);
        // The law itself leaves nothing over; attenuation does.
        let scale = (M * &problem.velocity).amax();
        assert!(leftover(&problem, &free.velocity).unwrap().amax() < 1e-10 * scale);
        if leftover(&problem, &held.velocity).unwrap().amax() > 1e-3 * scale {
            outside += 1;
        }
        let space = reduce(&problem);
        assert!(audit(&space, &held.solution).momentum > 1e-6);
        // Energy balance with the work of the attenuation.
        let lost = 0.5 * (e * e - 1.0) * 2.0 * free.energy_after;
        assert!((attenuation_work(&held) - lost).abs() < 1e-10 * free.energy_after);
    }
    assert!(outside > 35, "{outside}");
}

/// e* > 1 is no control, also in contact space; e* ≤ 1 needs the mass matrix.
#[test]
fn above_one_is_no_control() {
    for problem in random_problems(4, 12) {
        let free = run(&Trampoline, &problem).unwrap();
        let same = run(&EnergyControl::new(Trampoline, 5.0).unwrap(), &problem).unwrap();
        assert_eq!(free.velocity, same.velocity);
        assert!(same.energy_after > same.energy_before);
        let space = reduce(&problem);
        let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
        let uncontrolled = EnergyControl::new(Trampoline, 5.0).unwrap();
        uncontrolled.resolve(&space, &mut work, &mut out).unwrap();
        let controlled = EnergyControl::new(Trampoline, 1.0).unwrap();
        let error = controlled.resolve(&space, &mut work, &mut out).unwrap_err();
        assert!(error.to_string().contains("mass matrix"));
    }
    for bad in [-0.1, f64::NAN] {
        assert!(EnergyControl::new(Trampoline, bad).is_err());
    }
}

// --------------------------------------------------- constraint in the optimisation

fn limited(limit: f64, slip_speed: f64) -> Dissipation {
    Dissipation::new(DissipationOptions {
        energy_limit: Some(limit),
        slip_speed,
        ..DissipationOptions::default()
    })
}

/// (5.9), (5.13), (5.14): energy after ≤ e* · energy before; always reachable for e* = 1.
#[test]
fn eq5_9_energy_constraint() {
    let (mut gained, mut reached, mut refused) = (0, 0, 0);
    for (i, problem) in random_problems(5, 160).enumerate() {
        let free = run(&Dissipation::default(), &problem).unwrap();
        if free.energy_after > free.energy_before {
            gained += 1;
        }
        let kept = run(&limited(1.0, 1.4e-4), &problem).unwrap();
        assert!(kept.energy_after <= kept.energy_before * (1.0 + 1e-11), "case {i}");
        if free.energy_after <= free.energy_before {
            let miss = (&kept.velocity - &free.velocity).amax();
            assert!(miss < 1e-7 * free.velocity.amax(), "case {i}: {miss:e}");
        }
        let limit = [0.95, 0.7, 0.4][i % 3];
        match run(&limited(limit, 1.4e-4), &problem) {
            Ok(held) => {
                reached += 1;
                assert!(held.energy_after <= limit * held.energy_before * (1.0 + 1e-11));
            }
            Err(ImpactError::EnergyLimit { limit: l, .. }) => {
                refused += 1;
                assert_eq!(l, limit);
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(gained > 2 && reached > 30 && refused > 10, "{gained} {reached} {refused}");
}

/// (5.6)–(5.12), one planar contact: against a scan over the slip with all constraints written out.
#[test]
fn eq5_6_to_5_14_agree_with_a_scan() {
    let mut random = Random(6);
    let (mut solved, mut empty) = (0, 0);
    for case in 0..80 {
        let problem = random.problem(5, &[1], 1.0);
        let space = reduce(&problem);
        let c = space.contacts[0];
        let (limit, v_s) = ([1.0, 0.8, 0.6][case % 3], [1.4e-4, 0.2][case % 2]);
        let mut out = ImpactSolution::default();
        let found = limited(limit, v_s).resolve_certified(&space, &mut out);
        let inverse = space.G.clone().try_inverse().unwrap();
        let at = |x: f64| {
            let u = DVector::from_vec(vec![x, -c.restitution * space.u_pre[1]]);
            let p = &inverse * (&u - &space.u_pre);
            let change = 0.5 * p.dot(&(&u + &space.u_pre));
            (p, change)
        };
        let (stick, _) = at(0.0);
        let needed = if stick[1] > 0.0 { stick[0].abs() / stick[1] } else { f64::INFINITY };
        let least = c.friction.min(needed);
        let ok = |x: f64, slack: f64| {
            let (p, change) = at(x);
            let mu = least + (c.static_friction - least) * (-x.abs() / v_s).exp();
            p[1] >= -slack
                && p[0].abs() <= mu * p[1] + slack
                && p[0] * x <= slack
                && change <= (limit - 1.0) * space.kinetic_energy + slack
        };
        let reach = 4.0 * space.velocity_scale;
        let scan = (-20_000..=20_000).map(|i| f64::from(i) * reach / 20_000.0);
        let nearest = scan.filter(|x| ok(*x, 0.0)).fold(f64::INFINITY, |s, x| s.min(x.abs()));
        match found {
            Ok(_) => {
                solved += 1;
                assert!(ok(out.u_post[0], 1e-9), "case {case}");
                let x = out.u_post[0].abs();
                assert!(x <= nearest + 1e-9, "case {case}: {x} > {nearest}");
            }
            Err(ImpactError::EnergyLimit { .. }) => {
                empty += 1;
                assert_eq!(nearest, f64::INFINITY, "case {case}");
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(solved > 20 && empty > 3, "{solved} {empty}");
}

/// Two planar contacts with the energy constraint: feasible, and no better point in a scan.
#[test]
fn two_contacts_with_energy_constraint_agree_with_a_scan() {
    let mut random = Random(7);
    let mut binding = 0;
    for case in 0..60 {
        let problem = random.problem(6, &[1, 1], 0.5);
        let space = reduce(&problem);
        let free = Dissipation::default();
        let mut out = ImpactSolution::default();
        let first = free.resolve_certified(&space, &mut out).unwrap();
        if first.released > 0 || out.normal_work + out.friction_work <= 0.0 {
            continue;
        }
        binding += 1;
        let certificate = limited(1.0, 1.4e-4).resolve_certified(&space, &mut out).unwrap();
        assert!(out.normal_work + out.friction_work <= 1e-10);
        if certificate.released > 0 {
            continue;
        }
        assert!(certificate.objective >= first.objective - 1e-8 * (1.0 + first.objective));
        let inverse = space.G.clone().try_inverse().unwrap();
        let at = |x: [f64; 2]| {
            let mut u = space.u_pre.clone();
            (u[0], u[2]) = (x[0], x[1]);
            for n in [1, 3] {
                u[n] *= -space.contacts[n / 2].restitution;
            }
            let p = &inverse * (&u - &space.u_pre);
            let change = 0.5 * p.dot(&(&u + &space.u_pre));
            (p, change)
        };
        let (stick, _) = at([0.0; 2]);
        let mu = |k: usize, x: f64| {
            let (c, p_n) = (&space.contacts[k], stick[2 * k + 1]);
            let needed = if p_n > 0.0 { stick[2 * k].abs() / p_n } else { f64::INFINITY };
            let least = c.friction.min(needed);
            least + (c.static_friction - least) * (-x.abs() / 1.4e-4).exp()
        };
        let reach = certificate.objective.sqrt();
        for i in -200..=200 {
            for j in -200..=200 {
                let x = [f64::from(i) * reach / 200.0, f64::from(j) * reach / 200.0];
                let (p, change) = at(x);
                let ok = (0..2).all(|k| {
                    let (p_t, p_n) = (p[2 * k], p[2 * k + 1]);
                    p_n >= 0.0 && p_t.abs() <= mu(k, x[k]) * p_n && p_t * x[k] <= 0.0
                });
                if ok && change <= 0.0 {
                    let rest = |k: usize| (space.contacts[k].static_friction - mu(k, x[k])).powi(2);
                    let f = x[0] * x[0] + x[1] * x[1] + rest(0) + rest(1);
                    assert!(certificate.objective <= f + 1e-7 * (1.0 + f), "case {case}");
                }
            }
        }
    }
    assert!(binding > 3, "{binding}");
}

// ------------------------------------------------------------ the double pendulum

/// Section 5.5: released at q₁ = π/4, q₂ = −3π/4, tip on the floor 1.5 m below the pivot, e = 1, μs = 0.74, μd = 0.57.
struct Pendulum;

impl Pendulum {
    const M: f64 = 4.04;
    const INERTIA: f64 = 4.04 * (1.0 + 0.0025) / 12.0;

    fn mass_matrix(a: [f64; 2]) -> DMatrix<f64> {
        let coupling = 0.5 * Self::M * (a[0] - a[1]).cos();
        let end = Self::INERTIA + 0.25 * Self::M;
        DMatrix::from_row_slice(2, 2, &[end + Self::M, coupling, coupling, end])
    }

    /// d/dt of (angles from +x, both absolute; their rates).
    fn rate(y: [f64; 4]) -> [f64; 4] {
        let [a1, a2, w1, w2] = y;
        let (m, g, s) = (Self::M, 9.81, (a1 - a2).sin());
        let force = DVector::from_vec(vec![
            -0.5 * m * s * w2 * w2 - 1.5 * m * g * a1.cos(),
            0.5 * m * s * w1 * w1 - 0.5 * m * g * a2.cos(),
        ]);
        let acceleration = Self::mass_matrix([a1, a2]).lu().solve(&force).unwrap();
        [w1, w2, acceleration[0], acceleration[1]]
    }

    fn step(y: [f64; 4], h: f64) -> [f64; 4] {
        let add = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let k1 = Self::rate(y);
        let k2 = Self::rate(add(y, k1, 0.5 * h));
        let k3 = Self::rate(add(y, k2, 0.5 * h));
        let k4 = Self::rate(add(y, k3, h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }

    fn height(y: [f64; 4]) -> f64 {
        1.5 + y[0].sin() + y[1].sin()
    }

    /// Time and state of the first impact.
    fn first_impact() -> (f64, [f64; 4]) {
        use std::f64::consts::FRAC_PI_4;
        let (mut t, h) = (0.0, 1e-4);
        let mut y = [FRAC_PI_4, -2.0 * FRAC_PI_4, 0.0, 0.0];
        loop {
            let next = Self::step(y, h);
            if Self::height(next) < 0.0 {
                let (mut low, mut high) = (0.0, h);
                for _ in 0..50 {
                    let middle = 0.5 * (low + high);
                    if Self::height(Self::step(y, middle)) < 0.0 {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                return (t + low, Self::step(y, low));
            }
            (t, y) = (t + h, next);
        }
    }

    fn problem([a1, a2, w1, w2]: [f64; 4]) -> ImpactProblem {
        let contact = ImpactContact {
            name: "tip".into(),
            tangents: DMatrix::from_row_slice(1, 2, &[-a1.sin(), -a2.sin()]),
            normal: DVector::from_vec(vec![a1.cos(), a2.cos()]),
            friction: 0.57,
            static_friction: 0.74,
            restitution: 1.0,
            touching: true,
        };
        let v = DVector::from_vec(vec![w1, w2]);
        ImpactProblem::new(Self::mass_matrix([a1, a2]), v, vec![contact]).unwrap()
    }
}

/// The first impact, near 0.5 s, gains energy without control; attenuation and the constraint both prevent it.
#[test]
fn double_pendulum_of_section_5_5() {
    let (t, y) = Pendulum::first_impact();
    assert!((t - 0.5).abs() < 0.1, "{t}");
    let problem = Pendulum::problem(y);
    let free = run(&Dissipation::default(), &problem).unwrap();
    assert!(free.energy_after > 1.01 * free.energy_before);
    let control = EnergyControl::new(Dissipation::default(), 1.0).unwrap();
    let attenuated = run(&control, &problem).unwrap();
    let constrained = run(&limited(1.0, 1e-5), &problem).unwrap();
    for held in [&attenuated, &constrained] {
        assert!(held.energy_after <= held.energy_before * (1.0 + 1e-12));
    }
    // Only the constraint keeps the restitution: the tip leaves as fast as it came.
    let u_n = problem.contacts[0].normal.dot(&problem.velocity);
    assert!((constrained.solution.u_post[1] + u_n).abs() < 1e-12);
    assert!(attenuated.solution.u_post[1] < -u_n * 0.999);
}
