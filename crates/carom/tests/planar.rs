//! One planar contact in closed form: numbered equations of `impact::planar`, special cases, published numbers,
//! random problems against brute force and against the differential law.

mod impact_support;

use carom::impact::planar::{PlanarContact, PlanarPath, planar_path};
use carom::impact::{
    Differential, ImpactAnswer, ImpactContact, ImpactError, ImpactLaw, ImpactProblem,
    ImpactWorkspace, Outcome, Planar, Reason, Restitution, StageEvent, Tolerances,
};
use impact_support::{Recipe, Rng, brute, check_audit, difference, random_problem, reduce, solve};
use nalgebra::{DMatrix, DVector};

/// A random contact with positive definite G; `coupling` near 1 makes it nearly singular.
fn random_contact(rng: &mut Rng, coupling: f64) -> PlanarContact {
    let (tt, nn) = (rng.range(0.2, 5.0), rng.range(0.2, 5.0));
    let friction = rng.range(0.0, 2.0);
    PlanarContact {
        tt,
        nn,
        tn: rng.range(-coupling, coupling) * (tt * nn).sqrt(),
        u_t: rng.normal(),
        u_n: -rng.range(0.01, 2.0),
        friction,
        static_friction: friction * rng.range(1.0, 1.5),
        restitution: rng.unit(),
    }
}

fn events(path: &PlanarPath) -> Vec<StageEvent> {
    path.states().iter().map(|s| s.event).collect()
}

/// A rod of 1 m and 1 kg at 45°, its lower end hitting the ground at (0.3, −2) m/s without spin.
fn rod() -> ImpactProblem {
    let (x, y) = (-0.5 * std::f64::consts::FRAC_1_SQRT_2, -0.5 * std::f64::consts::FRAC_1_SQRT_2);
    ImpactProblem::new(
        DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 1.0, 1.0 / 12.0])),
        DVector::from_row_slice(&[0.3, -2.0, 0.0]),
        vec![ImpactContact {
            name: "tip".into(),
            tangents: DMatrix::from_row_slice(1, 3, &[1.0, 0.0, -y]),
            normal: DVector::from_row_slice(&[0.0, 1.0, x]),
            friction: 0.5,
            static_friction: 0.5,
            restitution: 0.9,
            touching: true,
        }],
    )
    .expect("valid")
}

#[test]
fn slip_reversal_rod_to_all_printed_digits() {
    // Printed: tip velocity to 4 decimals, energy change in percent to 2, ω to 4 for the energetic definition.
    for (restitution, u_t, u_n, percent) in [
        (Restitution::Energetic, -0.4723, 1.6604, -20.34),
        (Restitution::Kinetic, -0.4712, 1.6527, -20.64),
        (Restitution::Kinematic, -0.4922, 1.8, -14.53),
    ] {
        for law in [&Planar { restitution } as &dyn ImpactLaw, &Differential { restitution }] {
            let answer = solve(law, &rod()).expect("solved");
            let u = &answer.solution.u_post;
            let change = 100.0 * (answer.energy_after / answer.energy_before - 1.0);
            assert!((u[0] - u_t).abs() < 0.5e-4, "{restitution}: u_t {}", u[0]);
            assert!((u[1] - u_n).abs() < 0.5e-4, "{restitution}: u_n {}", u[1]);
            assert!((change - percent).abs() < 0.5e-2, "{restitution}: {change} %");
            if restitution == Restitution::Energetic {
                assert!((answer.velocity[2] + 4.7015).abs() < 0.5e-4, "ω {}", answer.velocity[2]);
            }
            check_audit(&rod(), &answer, &Tolerances::uniform(1e-14));
        }
    }
}

#[test]
fn eq1_eq2_rates() {
    let mut rng = Rng::new(1);
    let (mut slips, mut sticks) = (0, 0);
    for _ in 0..2000 {
        let c = random_contact(&mut rng, 0.95);
        let path = planar_path(&c, Restitution::Energetic).expect("solved");
        for pair in path.states().windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let dp = b.p_n - a.p_n;
            if dp < 1e-6 {
                continue;
            }
            let middle = 0.5 * (a.u_t + b.u_t);
            let ratio = (b.p_t - a.p_t) / dp;
            if middle == 0.0 {
                sticks += 1;
                assert!(
                    (ratio + c.tn / c.tt).abs() < 1e-9 && ratio.abs() <= c.static_friction + 1e-9
                );
            } else {
                slips += 1;
                assert!((ratio + middle.signum() * c.friction).abs() < 1e-9);
            }
            let rate_t = c.tn + ratio * c.tt;
            let rate_n = c.nn + ratio * c.tn;
            assert!(((b.u_t - a.u_t) - rate_t * dp).abs() < 1e-12 * (1.0 + a.u_t.abs()));
            assert!(((b.u_n - a.u_n) - rate_n * dp).abs() < 1e-12 * (1.0 + a.u_n.abs()));
        }
    }
    assert!(slips > 1000 && sticks > 300, "{slips} {sticks}");
}

#[test]
fn eq3_slip_stop_stick_or_reversal() {
    let mut rng = Rng::new(2);
    let (mut stops, mut reversals) = (0, 0);
    for _ in 0..5000 {
        let c = random_contact(&mut rng, 0.95);
        let path = planar_path(&c, Restitution::Kinetic).expect("solved");
        let ratio = (c.tn / c.tt).abs();
        for s in path.states() {
            match s.event {
                StageEvent::SlipStop => {
                    stops += 1;
                    assert!(ratio <= c.static_friction && s.u_t == 0.0 && path.end().u_t == 0.0);
                }
                StageEvent::Reversal => {
                    reversals += 1;
                    assert!(ratio > c.static_friction && s.u_t == 0.0);
                    assert!(path.end().u_t * c.u_t <= 0.0, "reversed slip");
                    assert!(path.end().u_t * c.tn >= 0.0, "in the direction of b");
                }
                _ => {}
            }
        }
    }
    assert!(stops > 500 && reversals > 100, "{stops} {reversals}");
}

#[test]
fn eq4_compression_ends() {
    // Also where more impulse first makes the contact approach faster.
    let mut rng = Rng::new(3);
    let mut jammed = 0;
    for _ in 0..5000 {
        let c =
            PlanarContact { friction: 5.0, static_friction: 5.0, ..random_contact(&mut rng, 0.99) };
        let path = planar_path(&c, Restitution::Energetic).expect("positive definite G cannot jam");
        let turn =
            path.states().iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        assert!(turn.u_n == 0.0 && turn.work_n < 0.0 && turn.p_n > 0.0);
        jammed += usize::from(c.nn - c.u_t.signum() * c.friction * c.tn < 0.0);
    }
    assert!(jammed > 500, "{jammed}");
}

#[test]
fn eq5_kinematic() {
    let mut rng = Rng::new(4);
    for _ in 0..2000 {
        let c = random_contact(&mut rng, 0.95);
        let end = *planar_path(&c, Restitution::Kinematic).expect("solved").end();
        assert_eq!(end.u_n, -c.restitution * c.u_n);
    }
}

#[test]
fn eq6_kinetic() {
    let mut rng = Rng::new(5);
    for _ in 0..2000 {
        let c = random_contact(&mut rng, 0.95);
        let path = planar_path(&c, Restitution::Kinetic).expect("solved");
        let turn =
            path.states().iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        let ratio = path.end().p_n / turn.p_n - 1.0;
        assert!((ratio - c.restitution).abs() < 1e-14);
    }
}

#[test]
fn eq7_energetic() {
    let mut rng = Rng::new(6);
    let mut worst = 0.0_f64;
    for _ in 0..5000 {
        let c = random_contact(&mut rng, 0.999);
        let path = planar_path(&c, Restitution::Energetic).expect("solved");
        let turn =
            path.states().iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        let released = path.end().work_n - turn.work_n;
        worst = worst.max((released / -turn.work_n - c.restitution * c.restitution).abs());
        assert!(path.end().work_t <= 0.0);
        assert!(path.end().work_n <= 0.0);
    }
    assert!(worst < 1e-14, "{worst:e}");
}

/// a, b, c of a contact and its state, for the cases by name.
fn case(tt: f64, tn: f64, nn: f64, u_t: f64, friction: f64, restitution: f64) -> PlanarContact {
    PlanarContact { tt, tn, nn, u_t, u_n: -1.0, friction, static_friction: friction, restitution }
}

#[test]
fn slip_stops_exactly_at_the_end_of_compression() {
    // du_t = −(μ tt − tn) = −1, du_n = nn − μ tn = 1: both pauses at p = 1.
    for (tt, sticks) in [(2.0, true), (1.0, true)] {
        let c = case(tt, 0.0, 1.0, 0.5 * tt, 0.5, 0.8);
        for definition in Restitution::ALL {
            let path = planar_path(&c, definition).expect("solved");
            let turn = path
                .states()
                .iter()
                .find(|s| s.event == StageEvent::EndOfCompression)
                .expect("turn");
            assert!(turn.u_t == 0.0 && turn.p_n == 1.0);
            assert_eq!(path.end().u_t == 0.0, sticks);
            assert!((path.end().u_n - 0.8).abs() < 1e-15);
        }
    }
    // The same with reversal: tn = −1.2, μ = 0.5, tt = 1, so |m| = 1.2 > μ; du_t = −1.7, du_n = 2.6 with nn = 2.
    let c = case(1.0, -1.2, 2.0, 1.7 / 2.6, 0.5, 0.5);
    for definition in Restitution::ALL {
        let path = planar_path(&c, definition).expect("solved");
        assert!(path.states().iter().any(|s| s.event == StageEvent::Reversal));
        // Reversed slip: du_t = −1.2 + 0.5 = −0.7, du_n = 2 − 0.6 = 1.4: u_t = −u_n / 2.
        assert!((path.end().u_t + 0.5 * path.end().u_n).abs() < 1e-15);
    }
}

#[test]
fn collision_line_parallel_to_zero_slip() {
    // tn = μ tt: friction and coupling cancel, the slip never changes.
    let c = case(1.0, 0.5, 2.0, 0.3, 0.5, 0.7);
    for definition in Restitution::ALL {
        let path = planar_path(&c, definition).expect("solved");
        assert_eq!(
            events(&path),
            [StageEvent::Start, StageEvent::EndOfCompression, StageEvent::End]
        );
        assert_eq!(path.end().u_t, 0.3);
        assert!((path.end().u_n - 0.7).abs() < 1e-15);
    }
}

#[test]
fn zero_initial_slip() {
    // Sticks from the start; b = 0.3, a = 1: needs 0.3 of friction.
    let c = case(1.0, 0.3, 1.0, 0.0, 0.5, 0.5);
    for definition in Restitution::ALL {
        let end = *planar_path(&c, definition).expect("solved").end();
        assert!(end.u_t == 0.0 && (end.p_t + 0.3 * end.p_n).abs() < 1e-15);
    }
    // Slips from the start along b.
    let c = case(1.0, -0.9, 1.0, 0.0, 0.5, 0.5);
    for definition in Restitution::ALL {
        let path = planar_path(&c, definition).expect("solved");
        assert!(path.end().u_t < 0.0 && (path.end().p_t - 0.5 * path.end().p_n).abs() < 1e-15);
        assert_eq!(
            events(&path),
            [StageEvent::Start, StageEvent::EndOfCompression, StageEvent::End]
        );
    }
    // Static friction holds what dynamic friction would not.
    let c = PlanarContact { static_friction: 1.0, ..c };
    assert_eq!(planar_path(&c, Restitution::Energetic).expect("solved").end().u_t, 0.0);
}

#[test]
fn without_friction_and_extreme_restitution() {
    for (u_t, tn) in [(0.0, 0.0), (0.4, 0.0), (0.4, -0.5), (-0.4, -0.5), (0.0, 0.5)] {
        for e in [0.0, 0.5, 1.0] {
            for definition in Restitution::ALL {
                let end = *planar_path(&case(1.0, tn, 1.0, u_t, 0.0, e), definition)
                    .expect("solved")
                    .end();
                assert!((end.u_n - e).abs() < 1e-15 && end.p_t == 0.0 && end.work_t == 0.0);
                assert!((end.u_t - (u_t + tn * (1.0 + e))).abs() < 1e-15);
                assert!((end.work_n + 0.5 * (1.0 - e * e)).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn static_friction_decides_between_stick_and_reversal() {
    // After the stop m = 0.6: slips back with μs = 0.55, sticks with μs = 0.65, μd = 0.5 in both.
    for (static_friction, sticks) in [(0.55, false), (0.65, true)] {
        let c = PlanarContact { static_friction, ..case(1.0, -0.6, 2.0, 0.1, 0.5, 0.5) };
        let path = planar_path(&c, Restitution::Energetic).expect("solved");
        assert_eq!(path.end().u_t == 0.0, sticks);
    }
}

#[test]
fn singular_coupling_jams() {
    // b² = ac and μ = b/a: neither slip nor approach changes under any impulse.
    let c = case(1.0, 1.0, 1.0, 0.5, 1.0, 0.5);
    assert!(matches!(planar_path(&c, Restitution::Energetic), Err(ImpactError::Jammed { .. })));
}

/// One degree of freedom along (1, ½), so that uₜ and uₙ vanish together. |m| = ½: with μ = 0.8 the contact is wedged
/// and keeps what was compressed; with μ = 0.2 it goes back.
#[test]
fn singular_coupling_wedges() {
    for definition in Restitution::ALL {
        let wedged = planar_path(&case(1.0, 0.5, 0.25, -2.0, 0.8, 0.5), definition).expect("rests");
        let end = wedged.end();
        assert_eq!((end.u_t, end.u_n), (0.0, 0.0), "{definition:?}");
        assert!((end.p_n - 2.0 / 1.3).abs() < 1e-14 && (end.p_t - 1.6 / 1.3).abs() < 1e-14);
        assert!((end.work_n + end.work_t + 2.0).abs() < 1e-14);
        let back = planar_path(&case(1.0, 0.5, 0.25, -2.0, 0.2, 0.5), definition).expect("ends");
        assert!(back.end().u_n > 0.1 && (back.end().u_t - 2.0 * back.end().u_n).abs() < 1e-14);
    }
}

#[test]
fn definitions_agree_where_they_must() {
    let mut rng = Rng::new(7);
    let mut one_direction = 0;
    for i in 0..6000 {
        let mut c = random_contact(&mut rng, 0.9);
        match i % 3 {
            0 => c.friction = 0.0,
            1 => c.restitution = 0.0,
            _ => {}
        }
        c.static_friction = c.friction;
        let paths = Restitution::ALL.map(|d| planar_path(&c, d).expect("solved"));
        let same_slip = paths.iter().all(|p| p.states().len() == 3);
        if i % 3 == 2 && !same_slip {
            continue;
        }
        one_direction += usize::from(i % 3 == 2);
        for p in &paths[1..] {
            let (a, b) = (paths[0].end(), p.end());
            let d = difference(&[a.u_t, a.u_n, a.p_t, a.p_n], &[b.u_t, b.u_n, b.p_t, b.p_n]);
            assert!(d < 1e-13, "{d:e} {c:?}");
        }
    }
    assert!(one_direction > 300, "{one_direction}");
}

#[test]
fn brute_force_agrees() {
    let mut rng = Rng::new(8);
    for i in 0..60 {
        let recipe = Recipe {
            contacts: 1,
            coordinates: 2 + rng.below(4),
            shift: 0.3,
            friction: 1.0,
            static_excess: 0.0,
        };
        let problem = random_problem(&mut rng, recipe);
        let space = reduce(&problem);
        let definition = Restitution::ALL[i % 3];
        let answer = solve(&Planar { restitution: definition }, &problem).expect("solved");
        let step = answer.solution.impulses[1] / 20_000.0;
        let b = brute::integrate(&space, definition, step).expect("converged");
        // First order: each event is located to one step, and there are at most four.
        let limits = brute::Limits::new(&space, &answer.solution, 4.0 * step);
        limits.check(&answer.solution, &b);
    }
}

#[test]
fn equals_the_differential_law() {
    let mut rng = Rng::new(9);
    let mut worst = 0.0_f64;
    for i in 0..6000 {
        let shift = [0.3, 1e-3, 1e-7][i % 3];
        let recipe = Recipe {
            contacts: 1,
            coordinates: 2 + rng.below(11),
            shift,
            friction: 2.0,
            static_excess: 0.5,
        };
        let problem = random_problem(&mut rng, recipe);
        for restitution in Restitution::ALL {
            let a = solve(&Planar { restitution }, &problem).expect("solved");
            let b = solve(&Differential { restitution }, &problem).expect("solved");
            let d = difference(a.solution.u_post.as_slice(), b.solution.u_post.as_slice())
                .max(difference(a.solution.impulses.as_slice(), b.solution.impulses.as_slice()));
            worst = worst.max(d);
            let mut tolerances = Tolerances::uniform(1e-13);
            if restitution == Restitution::Kinematic {
                tolerances.0.gain = f64::INFINITY;
            }
            check_audit(&problem, &a, &tolerances);
            assert_eq!(a.solution.outcomes, b.solution.outcomes);
        }
    }
    assert!(worst < 1e-9, "{worst:e}");
}

/// Largest jump of (u⁺, p) between two close contacts, relative.
fn jump(a: &PlanarContact, b: &PlanarContact, definition: Restitution) -> f64 {
    let x = *planar_path(a, definition).expect("solved").end();
    let y = *planar_path(b, definition).expect("solved").end();
    difference(&[x.u_t, x.u_n, x.p_t, x.p_n], &[y.u_t, y.u_n, y.p_t, y.p_n])
}

#[test]
fn continuous_across_branch_boundaries() {
    const H: f64 = 1e-9;
    let mut rng = Rng::new(10);
    for _ in 0..1500 {
        let mut c = random_contact(&mut rng, 0.9);
        c.static_friction = c.friction;
        for definition in Restitution::ALL {
            // Stick or reversal, |m| = μ.
            let at = PlanarContact {
                friction: (c.tn / c.tt).abs(),
                static_friction: (c.tn / c.tt).abs(),
                ..c
            };
            let with = |d: f64| PlanarContact {
                friction: at.friction + d,
                static_friction: at.friction + d,
                ..at
            };
            if at.friction > H {
                assert!(jump(&with(-H), &with(H), definition) < 1e4 * H);
            }
            // The sign of the slip before, u_t = 0.
            let with = |u_t: f64| PlanarContact { u_t, ..c };
            assert!(jump(&with(-H), &with(H), definition) < 1e4 * H);
            // Slip stop at the end of compression: choose u_t so that both pauses coincide.
            let (du_t, du_n) = (c.tn - c.friction * c.tt, c.nn - c.friction * c.tn);
            if du_t < -0.05 && du_n > 0.05 {
                let u_t = -du_t * -c.u_n / du_n;
                assert!(jump(&with(u_t - H), &with(u_t + H), definition) < 1e4 * H);
            }
        }
    }
}

#[test]
fn invariant_under_coordinates_units_and_direction_of_the_tangent() {
    let mut rng = Rng::new(11);
    for i in 0..600 {
        let n = 2 + rng.below(5);
        let recipe =
            Recipe { contacts: 1, coordinates: n, shift: 0.2, friction: 1.5, static_excess: 0.3 };
        let problem = random_problem(&mut rng, recipe);
        let restitution = Restitution::ALL[i % 3];
        let law = Planar { restitution };
        let base = solve(&law, &problem).expect("solved");
        // q = T y: M → TᵀMT, v → T⁻¹v, J → JT.
        let t = rng.mass_matrix(n, 0.5) + DMatrix::from_fn(n, n, |_, _| 0.2 * rng.normal());
        let mut moved = problem.clone();
        let symmetric = t.transpose() * &problem.mass_matrix * &t;
        moved.mass_matrix = (&symmetric + symmetric.transpose()) * 0.5;
        moved.velocity = t.clone().lu().solve(&problem.velocity).expect("regular");
        for c in &mut moved.contacts {
            c.tangents = &c.tangents * &t;
            c.normal = t.transpose() * &c.normal;
        }
        let a = solve(&law, &moved).expect("solved");
        assert!(difference(base.solution.u_post.as_slice(), a.solution.u_post.as_slice()) < 1e-8);
        assert!(
            difference(base.solution.impulses.as_slice(), a.solution.impulses.as_slice()) < 1e-8
        );
        // Units: kilograms to grams, metres to millimetres, and a flipped tangent.
        let mut scaled = problem.clone();
        scaled.mass_matrix *= 1e3;
        scaled.velocity *= 1e3;
        scaled.contacts[0].tangents *= -1.0;
        let b = solve(&law, &scaled).expect("solved");
        let expect_u = [-1e3 * base.solution.u_post[0], 1e3 * base.solution.u_post[1]];
        assert!(difference(&expect_u, b.solution.u_post.as_slice()) < 1e-12);
        let expect_p = [-1e6 * base.solution.impulses[0], 1e6 * base.solution.impulses[1]];
        assert!(difference(&expect_p, b.solution.impulses.as_slice()) < 1e-12);
    }
}

#[test]
fn trace_follows_the_energies() {
    let mut answer = ImpactAnswer::traced();
    let law = Planar { restitution: Restitution::Energetic };
    law.resolve_problem(&rod(), &mut ImpactWorkspace::new(), &mut answer).expect("solved");
    let stages = &answer.solution.trace.stages;
    let names: Vec<_> = stages.iter().map(|s| s.event).collect();
    let expected =
        [StageEvent::Start, StageEvent::Reversal, StageEvent::EndOfCompression, StageEvent::End];
    assert_eq!(names, expected);
    assert_eq!(stages[0].energy, answer.energy_before);
    assert!((stages[3].energy - answer.energy_after).abs() < 1e-14);
    for s in stages {
        assert!((s.energy - answer.energy_before - s.normal_work - s.friction_work).abs() < 1e-14);
    }
    // E_n is least at the end of compression, E_f never rises (Morgan's figure 2.6).
    assert!(stages.iter().all(|s| s.normal_work >= stages[2].normal_work));
    assert!(stages.windows(2).all(|w| w[1].friction_work <= w[0].friction_work));
    // The differential law records the same path.
    let mut other = ImpactAnswer::traced();
    let law = Differential { restitution: Restitution::Energetic };
    law.resolve_problem(&rod(), &mut ImpactWorkspace::new(), &mut other).expect("solved");
    assert_eq!(other.solution.trace.stages.len(), stages.len());
    for (a, b) in stages.iter().zip(&other.solution.trace.stages) {
        assert_eq!((a.event, a.contact), (b.event, b.contact));
        assert!(difference(&a.velocity, &b.velocity) < 1e-14);
    }
}

#[test]
fn says_where_it_does_not_apply() {
    let law = Planar { restitution: Restitution::Energetic };
    let mut two = rod();
    two.contacts.push(two.contacts[0].clone());
    let error = solve(&law, &two).expect_err("two contacts");
    assert!(matches!(
        error,
        ImpactError::NotApplicable { reason: Reason::SeveralContacts { count: 2 }, .. }
    ));
    let mut leaving = rod();
    leaving.velocity = -leaving.velocity;
    assert!(
        matches!(solve(&law, &leaving), Err(ImpactError::NoApproach { slowest }) if slowest > 0.0)
    );
    // A second contact that does not touch takes no part, and its velocity is reported.
    two.contacts[1].touching = false;
    let answer = solve(&law, &two).expect("one contact");
    assert_eq!(answer.solution.outcomes, [Outcome::Rebound, Outcome::Detached]);
    assert!((answer.solution.u_post[3] - answer.solution.u_post[1]).abs() < 1e-14);
    assert_eq!(answer.solution.impulses[3], 0.0);
    // No tangent: a frictionless stop.
    let mut stop = rod();
    stop.contacts[0].tangents = DMatrix::zeros(0, 3);
    let answer = solve(&law, &stop).expect("solved");
    assert!((answer.solution.u_post[0] - 1.8).abs() < 1e-14);
}
