//! Several contacts.

use carom::impact::differential::{DifferentialScratch, resolve_staged};
use carom::impact::spatial::resolve;
use carom::impact::{
    Compliant, ContactSpace, Differential, ImpactAnswer, ImpactError, ImpactLaw, ImpactProblem,
    ImpactSolution, ImpactWorkspace, Outcome, Phase, Reduction, Restitution, Rule, StageEvent,
    audit,
};
use nalgebra::{DMatrix, DVector};

use crate::march;
use crate::random::{Random, case, problem, space};
use crate::single::sensitivity;

fn reduce(p: &ImpactProblem) -> ContactSpace {
    let mut r = Reduction::default();
    r.reduce(p).expect("reduces");
    r.space
}

/// Tolerance of the stages: 1e-10, more only where K itself is sensitive.
#[test]
fn one_contact_is_the_closed_solution() {
    let mut rng = Random(3);
    let (mut scratch, mut out) = (DifferentialScratch::default(), ImpactSolution::default());
    for i in 0..400 {
        let c = case(&mut rng, 3.0);
        resolve_staged(c.c.definition, &space(&c), &mut scratch, &mut out)
            .unwrap_or_else(|e| panic!("{i} {e} {c:?}"));
        let s = resolve(&c.K, &c.u, &c.c, None).expect("resolves");
        let tolerance = 1e-10 + 4.0 * f64::EPSILON * sensitivity(&c.K);
        let scale = c.u.amax().max(s.velocity.amax());
        for k in 0..3 {
            assert!((s.velocity[k] - out.u_post[k]).abs() < tolerance * scale, "{i} {c:?}");
            assert!((s.impulse[k] - out.impulses[k]).abs() < tolerance * s.impulse[2], "{i} {c:?}");
        }
        let work = s.compression_work.abs() + s.normal_work.abs();
        assert!((s.normal_work - out.normal_work).abs() < tolerance * work, "{i} {c:?}");
    }
}

fn same_error(a: &Result<(), ImpactError>, b: &Result<(), ImpactError>) -> bool {
    matches!(
        (a, b),
        (Err(ImpactError::AmbiguousModes { .. }), Err(ImpactError::AmbiguousModes { .. }))
            | (
                Err(ImpactError::NoConsistentMode { .. }),
                Err(ImpactError::NoConsistentMode { .. })
            )
            | (Err(ImpactError::Jammed { .. }), Err(ImpactError::Jammed { .. }))
    )
}

/// A planar problem with a second tangent along which nothing moves, and turned by any angle.
#[test]
fn planar_problems_embedded_in_space() {
    let mut rng = Random(14);
    let mut work = ImpactWorkspace::new();
    let (mut a, mut b) = (ImpactAnswer::default(), ImpactAnswer::default());
    for i in 0..100 {
        let p = problem(&mut rng, 9, &[1, 1, 1]);
        let mut q = p.clone();
        for c in &mut q.contacts {
            let (sin, cos) = rng.uniform(0.0, 6.3).sin_cos();
            let (cos, sin) = if i % 2 == 0 { (1.0, 0.0) } else { (cos, sin) };
            let t = c.tangents.clone();
            c.tangents = DMatrix::from_fn(2, 9, |r, j| t[(0, j)] * if r == 0 { cos } else { sin });
        }
        for r in Restitution::ALL {
            let planar = Differential { restitution: r }.resolve_problem(&p, &mut work, &mut a);
            let spatial = Differential { restitution: r }.resolve_problem(&q, &mut work, &mut b);
            if planar.is_err() {
                assert!(same_error(&planar, &spatial), "{i} {planar:?} {spatial:?}");
                continue;
            }
            spatial.unwrap_or_else(|e| panic!("{i} {r} {e:?}"));
            let d = (&a.velocity - &b.velocity).amax() / a.velocity.amax();
            assert!(d < 1e-10, "{i} {r} {d:e}");
        }
    }
}

const MIXES: [&[usize]; 6] = [&[2, 2, 2], &[2, 1], &[0, 2, 1], &[1, 2, 2], &[2, 2, 2, 2], &[2, 0]];

/// The normal impulse of contact 0 prescribed by the kinetic law is reached by small implicit steps as well.
#[test]
fn eq6_to_eq8_implicit_marching() {
    let mut rng = Random(5);
    let mut work = ImpactWorkspace::new();
    let mut a = ImpactAnswer::default();
    let (mut left, mut total) = (0, 0.0);
    for i in 0..30 {
        let mut p = problem(&mut rng, 13, MIXES[i % 6]);
        p.contacts.iter_mut().for_each(|c| c.static_friction = c.friction);
        let law = Differential { restitution: Restitution::Kinetic };
        law.resolve_problem(&p, &mut work, &mut a).unwrap_or_else(|e| panic!("{i} {e}"));
        let s = reduce(&p);
        let end = a.solution.impulses[s.contacts[0].normal()];
        let (marched, error, error_w) = march::estimated(&s, end, 2000);
        let scale = s.velocity_scale;
        assert!(error < 1e-3 * scale, "{i} {error:e}");
        total += error / scale;
        // First order: the error of the finer march is about the difference of the two.
        let d = (&marched.u - &a.solution.u_post).amax();
        assert!(d < 2.0 * error + 1e-7 * scale, "{i} {:?} {d:e} {error:e}", MIXES[i % 6]);
        let dw = (marched.work - a.solution.normal_works[0]).abs();
        assert!(dw < 2.0 * error_w + 1e-7 * scale * end, "{i} {dw:e}");
        left += a.solution.outcomes.iter().filter(|o| **o == Outcome::Detached).count();
    }
    assert!(left > 5, "some contacts leave");
    assert!(total / 30.0 < 1e-4, "the marches are sharp enough to tell: {total:e}");
}

#[test]
fn audits_and_definitions() {
    let mut rng = Random(6);
    let mut work = ImpactWorkspace::new();
    let mut solved = 0;
    for i in 0..240 {
        let p = problem(&mut rng, 14, MIXES[i % 6]);
        let r = Restitution::ALL[(i / 6) % 3];
        let mut a = ImpactAnswer::traced();
        match (Differential { restitution: r }).resolve_problem(&p, &mut work, &mut a) {
            Ok(()) => solved += 1,
            Err(ImpactError::AmbiguousModes { .. } | ImpactError::NoConsistentMode { .. }) => {
                continue;
            }
            Err(e) => panic!("{i} {e}"),
        }
        let (s, out) = (reduce(&p), &a.solution);
        assert_eq!(out.rule, Rule::Together);
        let mut figures = audit(&s, out);
        if r != Restitution::Energetic {
            figures.gain = 0.0;
        }
        assert!(figures.worst().1 < 1e-10, "{i} {r} {figures:?}");
        let e = p.contacts[0].restitution;
        let n = s.contacts[0].normal();
        let stages = &out.trace.stages;
        let mut ends = stages.iter().filter(|s| s.event == StageEvent::EndOfCompression);
        let (count, end) = (ends.clone().count(), ends.next_back().expect("compression ends"));
        assert!(out.impulses[n] > 0.0 && out.u_post[n] >= 0.0);
        if r == Restitution::Kinematic {
            assert_eq!(out.u_post[n], -e * s.u_pre[n]);
        }
        if r == Restitution::Kinetic && count == 1 {
            let p_c = end.impulses[n];
            assert!((out.impulses[n] - (1.0 + e) * p_c).abs() < 1e-12 * p_c);
        }
        for (k, c) in s.contacts.iter().enumerate().skip(1) {
            let u_n = out.u_post[c.normal()];
            assert_eq!(out.outcomes[k] == Outcome::Detached, u_n > 1e-11 * s.velocity_scale);
        }
    }
    assert!(solved > 230, "{solved}");
}

#[test]
fn contact_order_and_tangent_basis_do_not_matter() {
    let mut rng = Random(7);
    let mut work = ImpactWorkspace::new();
    let (mut a, mut b) = (ImpactAnswer::default(), ImpactAnswer::default());
    for i in 0..60 {
        let p = problem(&mut rng, 14, &[2, 1, 2]);
        let mut q = p.clone();
        q.contacts.reverse();
        for c in q.contacts.iter_mut().filter(|c| c.tangents.nrows() == 2) {
            let (sin, cos) = rng.uniform(0.0, 6.3).sin_cos();
            c.tangents = DMatrix::from_row_slice(2, 2, &[cos, sin, -sin, cos]) * &c.tangents;
        }
        let law = Differential { restitution: Restitution::ALL[i % 3] };
        let (x, y) = (
            law.resolve_problem(&p, &mut work, &mut a),
            law.resolve_problem(&q, &mut work, &mut b),
        );
        assert_eq!(x.is_ok(), y.is_ok());
        if x.is_ok() {
            let d = (&a.velocity - &b.velocity).amax() / a.velocity.amax();
            assert!(d < 1e-10, "{i} {d:e}");
        }
    }
}

/// A contact twice: redundant rows, one motion, impulses shared.
#[test]
fn redundant_contacts() {
    let mut rng = Random(8);
    let mut work = ImpactWorkspace::new();
    let (mut a, mut b) = (ImpactAnswer::default(), ImpactAnswer::default());
    for i in 0..20 {
        let p = problem(&mut rng, 12, &[2, 2]);
        let mut q = p.clone();
        q.contacts.push(q.contacts[1].clone());
        let law = Differential { restitution: Restitution::Kinetic };
        law.resolve_problem(&p, &mut work, &mut a).unwrap_or_else(|e| panic!("{i} {e}"));
        law.resolve_problem(&q, &mut work, &mut b).unwrap_or_else(|e| panic!("{i} {e}"));
        let d = (&a.velocity - &b.velocity).amax() / a.velocity.amax();
        assert!(d < 1e-9, "{i} {d:e}");
    }
}

/// Several colliding contacts act together: two that do not feel each other get what each gets alone.
#[test]
fn independent_colliding_contacts() {
    let mut rng = Random(9);
    let mut work = ImpactWorkspace::new();
    let mut out = ImpactSolution::default();
    for i in 0..60 {
        let (mut a, mut b) = (case(&mut rng, 2.0), case(&mut rng, 2.0));
        (a.c.friction, b.c.friction) = (a.c.friction.min(0.4), b.c.friction.min(0.4));
        (a.c.static_friction, b.c.static_friction) = (a.c.friction, b.c.friction);
        // Velocity is the clock of contacts that act together: it must rise all along the path.
        let clock = |c: &crate::random::Case| {
            let k = c.K[(0, 2)].hypot(c.K[(1, 2)]);
            c.K[(2, 2)] > 1.1 * c.c.friction * k
        };
        if !clock(&a) || !clock(&b) {
            continue;
        }
        let r = Restitution::ALL[i % 3];
        let mut s = ContactSpace::default();
        s.resize(6);
        for (k, c) in [&a, &b].into_iter().enumerate() {
            s.G.view_mut((3 * k, 3 * k), (3, 3)).copy_from(&c.K);
            s.u_pre.rows_mut(3 * k, 3).copy_from(&c.u);
            s.push_contact(2, [c.c.friction, c.c.static_friction], c.c.restitution, true);
        }
        s.classify();
        assert!(s.contacts.iter().all(|c| c.phase == Phase::Colliding));
        Differential { restitution: r }
            .resolve(&s, &mut work, &mut out)
            .unwrap_or_else(|e| panic!("{i} {r} {e}"));
        for (k, c) in [a, b].into_iter().enumerate() {
            let mut c = c;
            c.c.definition = r;
            let one = resolve(&c.K, &c.u, &c.c, None).expect("resolves");
            let d = (DVector::from_column_slice(one.velocity.as_slice())
                - out.u_post.rows(3 * k, 3))
            .amax();
            assert!(d < 1e-9 * s.velocity_scale, "{i} {r} {k} {d:e} {one:?} {:?}", out.u_post);
        }
    }
}

/// Where rates have several answers, contacts let go as stiff compliant ones do. Not all paths are those of stiff contacts
/// (a contact that is driven through a paradox is not): 4 of 5 are, with and without a choice.
#[test]
fn eq12_several_answers_as_compliance_decides() {
    let mut rng = Random(12);
    let mut work = ImpactWorkspace::new();
    let (mut a, mut b) = (ImpactAnswer::default(), ImpactAnswer::default());
    let (mut chosen, mut same, mut open) = (0, 0, 0);
    let law = Differential { restitution: Restitution::Energetic };
    let stiff = Compliant { stiffness: vec![1.0, 1e6, 1e6, 1e6], ..Compliant::default() };
    for i in 0..600 {
        let mut p = problem(&mut rng, 9, MIXES[i % 6]);
        for c in &mut p.contacts {
            c.friction = rng.uniform(0.8, 2.5);
            c.static_friction = c.friction;
        }
        match law.resolve_problem(&p, &mut work, &mut a) {
            Ok(()) if !a.solution.solved.unique => {}
            Err(ImpactError::AmbiguousModes { .. }) => {
                open += 1;
                continue;
            }
            _ => continue,
        }
        chosen += 1;
        stiff.resolve_problem(&p, &mut work, &mut b).expect("compliant");
        let d = (&a.velocity - &b.velocity).amax() / a.velocity.amax();
        same += usize::from(d < 1e-3);
    }
    assert!(chosen > 20 && 5 * same >= 4 * chosen && open < 3, "{chosen} {same} {open}");
}
