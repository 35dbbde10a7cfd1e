//! What the answer does not depend on, and what is refused.

use carom::impact::contact_space::Phase;
use carom::impact::{
    Dissipation, DissipationOptions, ImpactAnswer, ImpactError, ImpactLaw, ImpactProblem,
    ImpactSolution, ImpactWorkspace,
};
use nalgebra::DMatrix;

use crate::scan::{one, options};
use crate::support::Random;

fn permuted(problem: &ImpactProblem) -> ImpactProblem {
    let mut other = problem.clone();
    other.contacts.reverse();
    other
}

fn answer(problem: &ImpactProblem, o: DissipationOptions) -> ImpactAnswer {
    let mut out = ImpactAnswer::default();
    Dissipation::new(o).resolve_problem(problem, &mut ImpactWorkspace::new(), &mut out).unwrap();
    out
}

#[test]
fn invariant_under_contact_order_units_and_coordinates() {
    let mut random = Random(10);
    for case in 0..60 {
        let shape: &[usize] = [&[1, 1][..], &[1], &[2], &[1, 1, 1]][case % 4];
        let problem = random.problem(9, shape, 0.5);
        let o = options(1.4e-4);
        let plain = answer(&problem, o);
        let size = plain.velocity.amax();
        let turned = answer(&permuted(&problem), o);
        assert!((&plain.velocity - turned.velocity).amax() < 1e-8 * size);

        // Seconds to milliseconds, kilograms to tonnes: velocities scale, so do the two parameters that are velocities.
        let mut scaled = problem.clone();
        scaled.velocity *= 1e-3;
        scaled.mass_matrix *= 1e3;
        let scaled_options =
            DissipationOptions { slip_speed: o.slip_speed * 1e-3, velocity_unit: 1e-3, ..o };
        let in_units = answer(&scaled, scaled_options);
        assert!((&plain.velocity - in_units.velocity * 1e3).amax() < 1e-8 * size);

        // q = T r: M → TᵀMT, J → JT, v → T⁻¹v.
        let T = random.matrix(9, 9) + DMatrix::identity(9, 9) * 3.0;
        let mut other = problem.clone();
        other.mass_matrix = T.transpose() * &problem.mass_matrix * &T;
        other.mass_matrix = (&other.mass_matrix + other.mass_matrix.transpose()) * 0.5;
        other.velocity = T.clone().lu().solve(&problem.velocity).unwrap();
        for c in &mut other.contacts {
            c.tangents = &c.tangents * &T;
            c.normal = T.transpose() * &c.normal;
        }
        let in_other = &T * answer(&other, o).velocity;
        assert!((&plain.velocity - in_other).amax() < 1e-7 * size, "case {case}");
    }
}

#[test]
fn invariant_under_the_tangent_basis() {
    let mut random = Random(11);
    for case in 0..16 {
        let shape: &[usize] = [&[2][..], &[2, 1]][case % 2];
        let problem = random.problem(8, shape, 0.5);
        let o = options(1.4e-4);
        let plain = answer(&problem, o);
        let mut turned = problem.clone();
        let (s, c) = (0.3 + 0.2 * case as f64).sin_cos();
        let R = DMatrix::from_row_slice(2, 2, &[c, s, -s, c]);
        turned.contacts[0].tangents = R * &problem.contacts[0].tangents;
        let other = answer(&turned, o);
        let miss = (&plain.velocity - other.velocity).amax() / plain.velocity.amax();
        let allowed = if shape.len() == 1 { 1e-11 } else { 1e-6 };
        assert!(miss < allowed, "case {case}: {miss:e}");
    }
}

#[test]
fn same_problem_same_bits() {
    let mut random = Random(12);
    for shape in [&[1, 1][..], &[2, 2], &[2]] {
        let problem = random.problem(9, shape, 0.5);
        let (a, b) = (answer(&problem, options(1e-4)), answer(&problem, options(1e-4)));
        assert_eq!(a.velocity, b.velocity);
    }
}

#[test]
fn bad_parameters_are_named() {
    let space = one(&mut Random(13), 1);
    for (o, name) in [
        (options(0.0), "slip_speed"),
        (DissipationOptions { exponent: f64::NAN, ..options(1.0) }, "exponent"),
        (DissipationOptions { energy_limit: Some(-0.1), ..options(1.0) }, "energy_limit"),
    ] {
        let error = Dissipation::new(o)
            .resolve_certified(&space, &mut ImpactSolution::default())
            .unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn nothing_approaches() {
    let mut space = one(&mut Random(14), 1);
    space.u_pre *= -1.0;
    space.classify();
    let error = Dissipation::default()
        .resolve_certified(&space, &mut ImpactSolution::default())
        .unwrap_err();
    assert!(matches!(error, ImpactError::NoApproach { slowest } if slowest > 0.0));
    space.contacts[0].phase = Phase::Apart;
    assert_eq!(space.no_approach().to_string(), "no contact approaches: none of them touches");
}
