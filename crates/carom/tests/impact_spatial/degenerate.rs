//! Every degenerate branch, against its limit or a hand calculation.

use carom::impact::spatial::{Coefficients, SpatialImpact, resolve};
use carom::impact::{
    ContactSpace, Differential, ImpactLaw, ImpactSolution, ImpactWorkspace, Restitution, audit,
};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use crate::brute;
use crate::random::{Case, Random, case};

fn matrix(t: [f64; 3], k: [f64; 2], nn: f64) -> Matrix3<f64> {
    Matrix3::new(t[0], t[1], k[0], t[1], t[2], k[1], k[0], k[1], nn)
}

fn with(mu: f64, e: f64, definition: Restitution) -> Coefficients {
    Coefficients { friction: mu, static_friction: mu, restitution: e, definition }
}

fn run(K: &Matrix3<f64>, u: [f64; 3], c: &Coefficients) -> SpatialImpact {
    resolve(K, &Vector3::from(u), c, None).unwrap_or_else(|e| panic!("{e:?} {K} {u:?} {c:?}"))
}

fn close(a: &Vector3<f64>, b: [f64; 3], tolerance: f64) {
    assert!((a - Vector3::from(b)).amax() < tolerance, "{a} {b:?}");
}

/// Compares with the integrator for all definitions.
fn same_as_brute(K: Matrix3<f64>, u: [f64; 3], mu: f64, e: f64) {
    for definition in Restitution::ALL {
        let case = Case { K, u: Vector3::from(u), c: with(mu, e, definition) };
        let b = brute::solve(&case).expect("ends");
        let s = run(&K, u, &case.c);
        let scale = case.u.amax().max(s.velocity.amax());
        close(&(s.velocity / scale), b.u.map(|x| x / scale), 2e-11);
        assert!((s.normal_work - b.work_n).abs() < 2e-11 * (b.w_c.abs() + b.work_n.abs()));
    }
}

#[test]
fn no_friction() {
    let K = matrix([1.0, 0.2, 0.8], [0.3, -0.4], 2.0);
    for definition in Restitution::ALL {
        let s = run(&K, [1.0, 0.5, -1.0], &with(0.0, 0.6, definition));
        // pₙ = 1.6/2, w = w⁻ + k pₙ.
        close(&s.velocity, [1.0 + 0.3 * 0.8, 0.5 - 0.4 * 0.8, 0.6], 1e-15);
        assert_eq!(s.friction_work, 0.0);
        assert!((s.normal_work + 0.5 * (1.0 - 0.36) / 2.0).abs() < 1e-15);
    }
}

/// Without friction the slip velocity may pass through zero; with μs > 0 = μd it stops there.
#[test]
fn no_dynamic_friction_but_static() {
    let K = matrix([1.0, 0.0, 1.0], [-0.5, 0.0], 1.0);
    let mut c = with(0.0, 1.0, Restitution::Kinetic);
    let through = run(&K, [0.25, 0.0, -1.0], &c);
    close(&through.velocity, [0.25 - 0.5 * 2.0, 0.0, 1.0], 1e-15);
    c.static_friction = 0.6;
    // Slip stops at pₙ = 0.5; then κ = 0.75; compression ends after 0.5/0.75 more.
    let stops = run(&K, [0.25, 0.0, -1.0], &c);
    let p_c = 0.5 + 0.5 / 0.75;
    assert!(stops.sticks && (stops.compression_impulse - p_c).abs() < 1e-15);
    close(&stops.velocity, [0.0, 0.0, 0.75 * p_c], 1e-15);
}

#[test]
fn starts_at_rest() {
    let K = matrix([1.0, 0.0, 0.5], [0.3, 0.0], 2.0);
    // |m| = 0.3: sticks from 0.3 on.
    let sticks = run(&K, [0.0, 0.0, -1.0], &with(0.3, 0.5, Restitution::Kinematic));
    assert!(sticks.sticks);
    close(&sticks.impulse, [-0.3 * 1.5 / 1.91, 0.0, 1.5 / 1.91], 1e-15);
    let slips = run(&K, [0.0, 0.0, -1.0], &with(0.2, 0.5, Restitution::Kinematic));
    let p = 1.5 / (2.0 - 0.2 * 0.3);
    close(&slips.velocity, [(0.3 - 0.2) * p, 0.0, 0.5], 1e-15);
}

/// A slip that starts below the zero of velocities counts as rest.
#[test]
fn almost_at_rest() {
    let K = matrix([1.0, 0.2, 0.5], [0.3, 0.1], 2.0);
    let c = with(0.2, 0.5, Restitution::Energetic);
    let rest = run(&K, [0.0, 0.0, -1.0], &c);
    for (size, tolerance) in [(1e-12, 1e-15), (2e-11, 1e-10), (1e-9, 5e-9), (1e-6, 5e-6)] {
        for angle in 0..8 {
            let (s, c1) = f64::from(angle).sin_cos();
            let s = run(&K, [size * c1, size * s, -1.0], &c);
            assert!((s.velocity - rest.velocity).amax() < tolerance, "{size} {s:?} {rest:?}");
        }
    }
}

#[test]
fn on_an_invariant_direction() {
    // û = ±e₁ is invariant: T diagonal, k along e₁.
    let K = matrix([1.0, 0.0, 0.5], [0.3, 0.0], 2.0);
    // Along +e₁ with μ = 0.2: g = 0.1 > 0; along −e₁ it stops at pₙ = r/0.5 and reverses.
    let on = run(&K, [1.0, 0.0, -1.0], &with(0.2, 0.5, Restitution::Kinetic));
    let p = 1.5 / (2.0 - 0.06);
    close(&on.velocity, [1.0 + 0.1 * p, 0.0, 0.5], 1e-15);
    let back = run(&K, [-0.1, 0.0, -1.0], &with(0.2, 0.5, Restitution::Kinematic));
    let rest = 1.0 - 0.2 * 2.06;
    close(&back.velocity, [0.1 * (rest + 0.5) / 1.94, 0.0, 0.5], 1e-15);
    // Unstable along −e₁, yet a slip that starts on it stays; beside it the answer changes continuously.
    for delta in [1e-14, 1e-11, 1e-8] {
        let near = run(&K, [-0.1, delta, -1.0], &with(0.2, 0.5, Restitution::Kinematic));
        assert!((near.velocity - back.velocity).amax() < 20.0 * delta + 1e-15);
        same_as_brute(K, [-0.1, delta, -1.0], 0.2, 0.5);
    }
}

#[test]
fn isotropic_tangents() {
    // h = k·û⊥ has two roots only.
    same_as_brute(matrix([0.7, 0.0, 0.7], [0.2, -0.3], 1.5), [0.4, 0.9, -1.0], 0.3, 0.7);
    same_as_brute(matrix([0.7, 0.0, 0.7], [0.2, -0.3], 1.5), [0.05, 0.1, -1.0], 0.9, 0.7);
}

#[test]
fn no_coupling() {
    // k = 0: wᵢ decay like exp(−μtᵢs); stops and sticks.
    same_as_brute(matrix([0.7, 0.0, 0.3], [0.0, 0.0], 1.5), [0.04, 0.09, -1.0], 0.5, 0.7);
    let s = run(
        &matrix([0.7, 0.1, 0.3], [0.0, 0.0], 1.5),
        [0.04, 0.09, -1.0],
        &with(0.5, 0.7, Restitution::Energetic),
    );
    assert!(s.sticks);
}

#[test]
fn turning_rate_vanishes_identically() {
    // k = 0 and T isotropic: h ≡ 0, slip goes straight to rest at pₙ = r/(μt).
    let K = matrix([0.8, 0.0, 0.8], [0.0, 0.0], 2.0);
    for definition in Restitution::ALL {
        let s = run(&K, [0.03, 0.04, -1.0], &with(0.5, 0.5, definition));
        assert!(s.sticks);
        close(&s.impulse, [-0.03 / 0.8, -0.04 / 0.8, 0.75], 1e-15);
        assert!((s.friction_work + 0.5 * 0.05 * 0.05 / 0.8).abs() < 1e-16);
    }
    // k = 0 and T = 0: slip never changes, friction works all the same.
    let K = matrix([0.0, 0.0, 0.0], [0.0, 0.0], 2.0);
    let s = run(&K, [0.3, 0.4, -1.0], &with(0.5, 0.5, Restitution::Energetic));
    close(&s.velocity, [0.3, 0.4, 0.5], 1e-15);
    assert!((s.friction_work + 0.5 * 0.5 * 0.75).abs() < 1e-15);
}

/// r → ∞: strong coupling drives the slip away. r → 0 and on: it stops and reverses.
#[test]
fn slip_grows_or_dies() {
    same_as_brute(matrix([30.0, 0.0, 20.0], [5.0, 4.0], 3.0), [0.01, 0.02, -1.0], 0.01, 1.0);
    same_as_brute(matrix([1.0, 0.3, 1.6], [0.9, -0.4], 1.2), [-0.05, 0.02, -1.0], 0.3, 0.8);
}

#[test]
fn slip_stops_at_the_end_of_compression() {
    // Along e₁ slip stops at pₙ = r/(μt − k); uₙ⁻ is chosen so that compression ends there.
    let (K, mu) = (matrix([1.0, 0.0, 0.5], [0.2, 0.0], 2.0), 0.6);
    let p = 0.3 / (mu - 0.2);
    let u_n = -p * (2.0 - mu * 0.2);
    for definition in Restitution::ALL {
        let exact = run(&K, [0.3, 0.0, u_n], &with(mu, 0.5, definition));
        for shift in [-1e-12, 1e-12] {
            let near = run(&K, [0.3, 0.0, u_n * (1.0 + shift)], &with(mu, 0.5, definition));
            assert!((near.velocity - exact.velocity).amax() < 1e-11);
        }
        assert!((exact.compression_impulse - p).abs() < 1e-15);
        assert!(exact.sticks);
    }
    // The same on a curved path.
    let K = matrix([1.0, 0.1, 0.5], [0.2, -0.1], 2.0);
    for definition in Restitution::ALL {
        // Bisect uₙ⁻ to the border between stopping before and after the end of compression.
        let (mut lo, mut hi) = (-50.0, -1e-3);
        for _ in 0..60 {
            let mid = 0.5 * (lo + hi);
            let s = run(&K, [0.3, 0.2, mid], &with(mu, 0.0, definition));
            if s.sticks { lo = mid } else { hi = mid }
        }
        let (a, b) = (
            run(&K, [0.3, 0.2, lo], &with(mu, 0.5, definition)),
            run(&K, [0.3, 0.2, hi], &with(mu, 0.5, definition)),
        );
        assert!((a.velocity - b.velocity).amax() < 1e-7, "{a:?} {b:?}");
    }
}

#[test]
fn plastic_and_elastic() {
    let mut rng = Random(11);
    for _ in 0..300 {
        let mut c = case(&mut rng, 3.0);
        c.c.restitution = 0.0;
        let all = Restitution::ALL.map(|definition| {
            run(&c.K, [c.u[0], c.u[1], c.u[2]], &Coefficients { definition, ..c.c })
        });
        assert_eq!(all[0].velocity[2], 0.0);
        for s in &all[1..] {
            assert_eq!(s.velocity, all[0].velocity, "e = 0: the definitions agree");
        }
        c.c.restitution = 1.0;
        c.c.definition = Restitution::Energetic;
        let s = run(&c.K, [c.u[0], c.u[1], c.u[2]], &c.c);
        assert!(s.normal_work.abs() <= 1e-14 * s.compression_work.abs(), "e = 1: no normal loss");
    }
}

/// Invariant directions that coincide: h has a double or triple root.
#[test]
fn double_roots_of_the_turning_rate() {
    // h = −k₁ sin θ + k₂ cos θ − μ(t₂ − t₁) sin θ cos θ. With k₂ = 0 and k₁ = −μ(t₂ − t₁): triple root at θ = 0.
    let (mu, t) = (0.5, [1.0, 0.0, 0.6]);
    for shift in [0.0, 1e-12, 1e-9, 1e-6, 1e-3, -1e-12, -1e-6] {
        let K = matrix(t, [mu * 0.4 * (1.0 + shift), 0.0], 2.0);
        for u in [[0.2, 0.1, -1.0], [0.2, 1e-5, -1.0], [0.02, 0.01, -1.0], [-0.2, 0.1, -1.0]] {
            same_as_brute(K, u, mu, 0.5);
        }
    }
    // Two roots that meet: the extrema of φ merge on the astroid (k₁)^⅔ + (k₂)^⅔ = (μ(t₁ − t₂))^⅔.
    let d = mu * 0.4;
    for alpha in [0.3_f64, 0.8, 1.2] {
        for shift in [0.0, 1e-10, 1e-5, -1e-10, -1e-5] {
            let k = [d * alpha.cos().powi(3) * (1.0 + shift), -d * alpha.sin().powi(3)];
            let K = matrix(t, k, 2.0);
            for angle in 0..6 {
                let (s, c) = (f64::from(angle) + 0.1).sin_cos();
                same_as_brute(K, [0.3 * c, 0.3 * s, -1.0], mu, 0.5);
            }
        }
    }
}

/// Close to an unstable invariant direction |h| is tiny and the path lingers there.
#[test]
fn near_invariant_starts() {
    let mu = 0.4;
    let K = matrix([1.0, 0.0, 0.3], [0.05, 0.02], 2.0);
    let turn = |t: f64| 0.02 * t.cos() - 0.05 * t.sin() - mu * (0.3 - 1.0) * t.sin() * t.cos();
    let mut roots = 0;
    for i in 0..3600 {
        let (a, b) = (
            f64::from(i) * 1e-3 * 1.7453292519943295,
            f64::from(i + 1) * 1e-3 * 1.7453292519943295,
        );
        if turn(a) * turn(b) > 0.0 {
            continue;
        }
        let (mut lo, mut hi) = (a, b);
        for _ in 0..80 {
            let mid = 0.5 * (lo + hi);
            if turn(mid) * turn(a) > 0.0 { lo = mid } else { hi = mid }
        }
        roots += 1;
        for delta in [0.0, 1e-15, -1e-13, 1e-10, -1e-6, 1e-3] {
            let (s, c) = (lo + delta).sin_cos();
            same_as_brute(K, [0.3 * c, 0.3 * s, -1.0], mu, 0.5);
            same_as_brute(K, [2.0 * c, 2.0 * s, -1.0], mu, 0.5);
        }
    }
    assert_eq!(roots, 4);
}

/// Strong friction: uₙ falls at first (duₙ/dpₙ < 0), compression ends later on the path.
#[test]
fn jamming_slip_comes_free() {
    let mut rng = Random(12);
    let mut found = 0;
    for _ in 0..4000 {
        let mut c = case(&mut rng, 10.0);
        c.c.friction = rng.uniform(1.0, 5.0);
        c.c.static_friction = c.c.friction;
        let r = c.u[0].hypot(c.u[1]);
        let rate = c.K[(2, 2)] - c.c.friction * (c.K[(2, 0)] * c.u[0] + c.K[(2, 1)] * c.u[1]) / r;
        if rate > -0.1 * c.K[(2, 2)] {
            continue;
        }
        found += 1;
        if found <= 100 {
            let b = brute::solve(&c).expect("ends");
            let s = run(&c.K, [c.u[0], c.u[1], c.u[2]], &c.c);
            let tolerance = 1e-11 + 4.0 * f64::EPSILON * crate::single::sensitivity(&c.K);
            assert!((s.impulse[2] - b.p_n).abs() < tolerance * b.p_n, "{c:?} {s:?} {b:?}");
        }
    }
    assert!(found > 100, "{found}");
}

/// One degree of freedom: K = a aᵀ. With little friction the contact rebounds; with more it is wedged.
#[test]
fn wedged_contact() {
    let a = Vector3::new(1.0, 0.0, 0.5);
    let K = a * a.transpose();
    let u = a * -1.0;
    // |m| = 0.5. μ = 0.2: slip stops with u = 0 and goes on backwards.
    let s = resolve(&K, &u, &with(0.2, 0.5, Restitution::Kinematic), None).expect("rebounds");
    close(&s.velocity, [0.5, 0.0, 0.25], 1e-14);
    // μ = 0.8: it comes to rest and no impulse can move it, so there is no restitution. Along aᵀp = 1 the slip stops
    // at p_t + p_n/2 = 1 with p_t = 0.8 p_n.
    for definition in Restitution::ALL {
        let wedged = resolve(&K, &u, &with(0.8, 0.5, definition), None);
        // The kinetic definition asks for an impulse only: that changes nothing.
        let more = if definition == Restitution::Kinetic { 1.5 } else { 1.0 };
        let s = wedged.expect("comes to rest");
        close(&s.velocity, [0.0; 3], 1e-15);
        assert!((s.compression_impulse - 1.0 / 1.3).abs() < 1e-14);
        assert!((s.impulse[2] - more / 1.3).abs() < 1e-14, "{s:?}");
        assert!((s.normal_work + s.friction_work + 0.5).abs() < 1e-14);
    }
    // The kinetic and the plastic impact have an answer: rest.
    for (e, definition) in [(0.5, Restitution::Kinetic), (0.0, Restitution::Energetic)] {
        let s = resolve(&K, &u, &with(0.8, e, definition), None).expect("rests");
        assert_eq!(s.velocity, Vector3::zeros());
    }
}

/// Both ends of a capsule on a floor: they cannot slip along its axis independently, so G has rank 5. One end touches,
/// the other arrives so slowly that the round-off of the slip is near its zero.
#[test]
fn redundant_contacts_of_a_bar() {
    #[rustfmt::skip]
    let G = [
        2.180525473424975, 1.456252832724124, 0.2414607464335315,
        1.0112641870755117, 0.24996135763869365, -0.24146074643352983,
        1.456252832724124, 2.2713479959769582, -0.23404849392454447,
        0.24996135763869298, 1.0268535960923464, 0.23404849392454607,
        0.2414607464335315, -0.23404849392454447, 1.8821559148708757,
        0.24146074643353094, -0.23404849392454324, -0.5315997713632021,
        1.0112641870755117, 0.24996135763869298, 0.24146074643353094,
        2.1805254734249777, 1.456252832724127, -0.24146074643352927,
        0.24996135763869365, 1.0268535960923464, -0.23404849392454324,
        1.456252832724127, 2.27134799597696, 0.2340484939245448,
        -0.24146074643352983, 0.23404849392454607, -0.5315997713632021,
        -0.24146074643352927, 0.2340484939245448, 1.882155914870875,
    ];
    let mut space = ContactSpace::default();
    space.resize(6);
    space.G = DMatrix::from_column_slice(6, 6, &G);
    space.u_pre = DVector::from_vec(vec![
        0.0,
        0.0,
        0.0,
        -6.868169255130775e-7,
        -7.085682307065205e-7,
        -2.7396661510044087e-6,
    ]);
    for _ in 0..2 {
        space.push_contact(2, [0.4814746543525883; 2], 0.0, true);
    }
    space.classify();
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    for restitution in Restitution::ALL {
        Differential { restitution }.resolve(&space, &mut work, &mut out).expect("resolved");
        // Plastic: nothing approaches any more, and what round-off leaves is 1e-8 of the approach.
        let (figures, scale) = (audit(&space, &out), space.velocity_scale);
        assert!(figures.worst().1 < 1e-8, "{figures:?}");
        assert!(out.u_post[2] > -1e-8 * scale && out.u_post[5].abs() < 1e-8 * scale, "{out:?}");
        assert!(out.normal_work <= 0.0 && out.friction_work <= 0.0);
    }
}
