//! Properties of the law on random problems.

use carom::impact::Differential;
use carom::impact::spatial::{Coefficients, resolve};
use carom::impact::{
    ImpactAnswer, ImpactLaw, ImpactSolution, ImpactWorkspace, Planar, Restitution, StageEvent,
    Tolerances, audit,
};
use nalgebra::{DMatrix, Matrix3, Vector3};

use crate::random::{Case, Random, case, problem, space};
use crate::single::sensitivity;

#[test]
fn audits() {
    let mut rng = Random(31);
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    for i in 0..20_000 {
        let c = case(&mut rng, [3.0, 10.0, 100.0][i % 3]);
        let s = space(&c);
        Differential { restitution: c.c.definition }
            .resolve(&s, &mut work, &mut out)
            .expect("resolves");
        let mut figures = audit(&s, &out);
        if c.c.definition != Restitution::Energetic {
            figures.gain = 0.0;
        }
        let tolerance = Tolerances::uniform(1e-12);
        assert_eq!(figures.violations(&tolerance).next(), None, "{i} {c:?} {out:?}");
    }
}

#[test]
fn planar_problems_in_space() {
    let mut rng = Random(32);
    let mut work = ImpactWorkspace::new();
    let (mut a, mut b) = (ImpactAnswer::default(), ImpactAnswer::default());
    for i in 0..2000 {
        let mut p = problem(&mut rng, 5, &[1]);
        if i % 10 == 0 {
            p.contacts[0].static_friction *= 2.0;
        }
        let r = Restitution::ALL[i % 3];
        Planar { restitution: r }.resolve_problem(&p, &mut work, &mut a).expect("planar");
        let mut q = p.clone();
        // A second tangent along which nothing moves; the pair is then turned.
        let (sin, cos) = if i % 2 == 0 { (0.0, 1.0) } else { rng.uniform(0.0, 6.3).sin_cos() };
        let t = p.contacts[0].tangents.clone();
        q.contacts[0].tangents =
            DMatrix::from_fn(2, 5, |r, j| t[(0, j)] * if r == 0 { cos } else { sin });
        for problem in [&p, &q] {
            Differential { restitution: r }
                .resolve_problem(problem, &mut work, &mut b)
                .expect("spatial");
            let d = (&a.velocity - &b.velocity).amax() / a.velocity.amax();
            assert!(d < 1e-12, "{i} {r} {d:e}");
            assert!(
                (a.solution.normal_work - b.solution.normal_work).abs() < 1e-12 * a.energy_before
            );
            assert_eq!(a.solution.outcomes, b.solution.outcomes);
        }
    }
}

/// Turning the tangents turns the answer.
#[test]
fn tangent_basis_does_not_matter() {
    let mut rng = Random(33);
    for _ in 0..2000 {
        let c = case(&mut rng, 10.0);
        let (sin, cos) = rng.uniform(0.0, 6.3).sin_cos();
        let R = Matrix3::new(cos, sin, 0.0, -sin, cos, 0.0, 0.0, 0.0, 1.0);
        let K = R * c.K * R.transpose();
        let (a, b) = (resolve(&c.K, &c.u, &c.c, None), resolve(&K, &(R * c.u), &c.c, None));
        let (a, b) = (a.expect("resolves"), b.expect("resolves"));
        let tolerance = 1e-12 + 4.0 * f64::EPSILON * sensitivity(&c.K);
        let scale = c.u.amax().max(a.velocity.amax());
        assert!((R * a.velocity - b.velocity).amax() < tolerance * scale, "{c:?}");
        assert!((R * a.impulse - b.impulse).amax() < tolerance * a.impulse.amax(), "{c:?}");
    }
}

/// Units: velocities × v, K × κ scale impulses by v/κ and works by v²/κ.
#[test]
fn units_do_not_matter() {
    let mut rng = Random(34);
    for _ in 0..2000 {
        let c = case(&mut rng, 10.0);
        let (v, k) = (rng.log(1e-6, 1e6), rng.log(1e-6, 1e6));
        let a = resolve(&c.K, &c.u, &c.c, None).expect("resolves");
        let b = resolve(&(c.K * k), &(c.u * v), &c.c, None).expect("resolves");
        let tolerance = 1e-13 + 4.0 * f64::EPSILON * sensitivity(&c.K);
        assert!(
            (a.velocity - b.velocity / v).amax() < tolerance * c.u.amax().max(a.velocity.amax())
        );
        assert!((a.impulse - b.impulse * (k / v)).amax() < tolerance * a.impulse.amax());
        let work = a.compression_work.abs() + a.friction_work.abs() + a.normal_work.abs();
        assert!((a.normal_work - b.normal_work * (k / (v * v))).abs() < tolerance * work);
    }
}

/// q → Tq changes M, J and v, not the contact velocities.
#[test]
fn coordinates_do_not_matter() {
    let mut rng = Random(35);
    let mut work = ImpactWorkspace::new();
    let (mut a, mut b) = (ImpactAnswer::default(), ImpactAnswer::default());
    for i in 0..300 {
        let p = problem(&mut rng, 8, if i % 10 == 0 { &[2, 2] } else { &[2] });
        let T = DMatrix::from_fn(8, 8, |r, c| rng.normal() + if r == c { 4.0 } else { 0.0 });
        let inverse = T.clone().try_inverse().expect("regular");
        let mut q = p.clone();
        // v = T v', so M' = TᵀMT and J' = JT.
        q.mass_matrix = T.transpose() * &p.mass_matrix * &T;
        q.mass_matrix = (&q.mass_matrix + q.mass_matrix.transpose()) * 0.5;
        q.velocity = &inverse * &p.velocity;
        for c in &mut q.contacts {
            c.tangents = &c.tangents * &T;
            c.normal = T.transpose() * &c.normal;
        }
        let law = Differential { restitution: Restitution::ALL[i % 3] };
        law.resolve_problem(&p, &mut work, &mut a).expect("resolves");
        law.resolve_problem(&q, &mut work, &mut b).expect("resolves");
        let d = (&a.velocity - &T * &b.velocity).amax() / a.velocity.amax();
        assert!(d < 1e-9, "{i} {d:e}");
    }
}

/// Without friction, and for slip along one invariant direction, the three definitions agree.
#[test]
fn definitions_agree_where_they_must() {
    let mut rng = Random(36);
    for i in 0..500 {
        let mut c = case(&mut rng, 3.0);
        c.c.static_friction = c.c.friction;
        if i % 2 == 0 {
            (c.c.friction, c.c.static_friction) = (0.0, 0.0);
        } else {
            // k along e₁, T diagonal, slip along +e₁ that does not stop.
            (c.K[(0, 1)], c.K[(1, 0)], c.K[(1, 2)], c.K[(2, 1)], c.u[1]) =
                (0.0, 0.0, 0.0, 0.0, 0.0);
            c.u[0] = c.u[0].abs() + 0.1;
            let k = c.K[(0, 2)].abs();
            (c.K[(0, 2)], c.K[(2, 0)]) = (k, k);
            c.c.friction = rng.uniform(0.0, 0.9) * (k / c.K[(0, 0)]).min(c.K[(2, 2)] / k);
            c.c.static_friction = c.c.friction;
        }
        let all = Restitution::ALL.map(|definition| {
            resolve(&c.K, &c.u, &Coefficients { definition, ..c.c }, None).expect("resolves")
        });
        for s in &all[1..] {
            let d = (s.velocity - all[0].velocity).amax() / c.u.amax().max(s.velocity.amax());
            assert!(d < 1e-13, "{i} {d:e} {c:?}");
        }
    }
}

/// The path is continuous in all data where μs = μd: a small change of any of them makes a small change of the answer,
/// also across the borders between stick, reversal, and the phases.
#[test]
fn answers_are_continuous() {
    let mut rng = Random(37);
    for i in 0..3000 {
        let mut c = case(&mut rng, 3.0);
        c.c.static_friction = c.c.friction;
        // Aim at the borders: slip that nearly stops, friction near ‖m‖, compression that ends near the stop.
        if i % 3 == 0 {
            let T = c.K.fixed_view::<2, 2>(0, 0).into_owned();
            let m =
                T.lu().solve(&c.K.fixed_view::<2, 1>(0, 2).into_owned()).expect("regular").norm();
            c.c.friction = m * (1.0 + 1e-9 * rng.normal());
            c.c.static_friction = c.c.friction;
        }
        let delta = 1e-9;
        let mut d = c;
        d.u += Vector3::from_fn(|_, _| delta * rng.normal());
        let N = Matrix3::from_fn(|_, _| delta * rng.normal());
        d.K += N + N.transpose();
        d.c.friction *= 1.0 + delta * rng.normal();
        d.c.static_friction = d.c.friction;
        let (a, b) = (events(&c), events(&d));
        if a.1 != b.1 {
            // Compressed once or twice: uₙ only touches zero in between, and p_c jumps there.
            continue;
        }
        let change = (a.0 - b.0).amax() / c.u.amax().max(a.0.amax());
        assert!(change < 100.0 * delta * sensitivity(&c.K), "{i} {change:e} {c:?}");
    }
}

/// Velocity after, and how often compression ended.
fn events(c: &Case) -> (Vector3<f64>, usize) {
    let mut count = 0;
    let mut observer = |e: StageEvent, _| count += usize::from(e == StageEvent::EndOfCompression);
    let s = resolve(&c.K, &c.u, &c.c, Some(&mut observer)).expect("resolves");
    (s.velocity, count)
}

#[test]
fn trace_tells_the_path() {
    let mut out = ImpactSolution::traced();
    let c = Case {
        K: Matrix3::new(1.0, 0.1, 0.2, 0.1, 0.5, -0.1, 0.2, -0.1, 2.0),
        u: Vector3::new(0.03, 0.02, -1.0),
        c: Coefficients {
            friction: 0.6,
            static_friction: 0.6,
            restitution: 0.5,
            definition: Restitution::Energetic,
        },
    };
    let law = Differential { restitution: Restitution::Energetic };
    law.resolve(&space(&c), &mut ImpactWorkspace::new(), &mut out).expect("resolves");
    let events: Vec<_> = out.trace.stages.iter().map(|s| s.event).collect();
    use StageEvent::{End, EndOfCompression, SlipStop, Start};
    assert_eq!(events, [Start, SlipStop, EndOfCompression, End]);
    let last = out.trace.stages.last().expect("an end");
    assert_eq!(last.velocity, out.u_post.as_slice());
    assert_eq!(last.normal_work, out.normal_work);
    for pair in out.trace.stages.windows(2) {
        assert!(pair[0].normal_impulse < pair[1].normal_impulse);
        assert!(pair[0].energy > pair[1].energy || pair[1].event == End);
    }
}
