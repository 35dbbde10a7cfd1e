//! The audit finds what is wrong: each numbered check of `impact::audit` fails on a solution that breaks it alone.

mod impact_support;

use carom::impact::{
    ContactSpace, Differential, ImpactContact, ImpactError, ImpactLaw, ImpactProblem,
    ImpactSolution, ImpactWorkspace, Reduction, Restitution, ThreeLinkChain, Tolerances, audit,
};
use impact_support::{Rng, solve};
use nalgebra::{DMatrix, DVector};

fn solved() -> (ContactSpace, ImpactSolution) {
    let chain = ThreeLinkChain {
        phi: -0.2,
        friction_touching: 0.5,
        friction_colliding: 0.5,
        restitution: 0.9,
    };
    let mut reduction = Reduction::default();
    reduction.reduce(&chain.problem()).expect("valid");
    let mut out = ImpactSolution::default();
    let law = Differential { restitution: Restitution::Energetic };
    law.resolve(&reduction.space, &mut ImpactWorkspace::new(), &mut out).expect("solved");
    (reduction.space, out)
}

fn failed(space: &ContactSpace, solution: &ImpactSolution) -> Vec<&'static str> {
    audit(space, solution).violations(&Tolerances::default()).map(|v| v.check).collect()
}

#[test]
fn a_good_solution_passes() {
    let (space, solution) = solved();
    let a = audit(&space, &solution);
    assert!(a.worst().1 < 1e-14, "{a:?}");
    assert!(failed(&space, &solution).is_empty());
}

#[test]
fn eq1_momentum() {
    let (space, mut s) = solved();
    s.u_post[2] += 1e-6;
    assert!(failed(&space, &s).contains(&"momentum"));
}

#[test]
fn eq2_unilaterality_and_eq4_cone() {
    let (space, mut s) = solved();
    let n = space.contacts[0].normal();
    s.impulses[n] = -1e-3 * s.impulses[3];
    assert!(failed(&space, &s).contains(&"unilaterality"));
    let (_, mut s) = solved();
    s.impulses[0] = 0.5001 * s.impulses[n];
    assert!(failed(&space, &s).contains(&"cone"));
    assert!((audit(&space, &s).cone - 1e-4 * s.impulses[n] / s.impulses.amax()).abs() < 1e-12);
}

#[test]
fn eq3_penetration_ignores_open_contacts() {
    let (mut space, mut s) = solved();
    s.u_post[1] = -1e-3;
    assert!(failed(&space, &s).contains(&"penetration"));
    space.contacts[0].phase = carom::impact::Phase::Apart;
    assert!(!failed(&space, &s).contains(&"penetration"));
}

#[test]
fn eq5_balance_and_eq6_gain() {
    let (space, mut s) = solved();
    s.friction_work *= 1.001;
    assert_eq!(failed(&space, &s), ["balance"]);
    s.normal_work = 1e-3;
    s.friction_work = 0.0;
    assert!(failed(&space, &s).contains(&"gain"));
}

#[test]
fn nan_is_a_violation() {
    let (space, mut s) = solved();
    s.u_post[0] = f64::NAN;
    assert!(failed(&space, &s).contains(&"momentum"));
    assert!(audit(&space, &s).worst().1.is_nan());
}

fn contact(n: usize) -> ImpactContact {
    ImpactContact {
        name: "A".into(),
        tangents: DMatrix::zeros(1, n),
        normal: DVector::from_element(n, 1.0),
        friction: 0.5,
        static_friction: 0.5,
        restitution: 0.5,
        touching: true,
    }
}

/// A valid problem, changed; the error's text.
fn error(change: impl FnOnce(&mut ImpactProblem)) -> String {
    let mut problem = ImpactProblem {
        mass_matrix: DMatrix::identity(2, 2),
        velocity: DVector::from_row_slice(&[-1.0, 0.0]),
        contacts: vec![contact(2)],
        bilateral: DMatrix::zeros(0, 2),
    };
    problem.validate().expect("valid before the change");
    change(&mut problem);
    let law = Differential { restitution: Restitution::Energetic };
    let error =
        problem.validate().and_then(|()| solve(&law, &problem).map(|_| ())).expect_err("invalid");
    assert!(!error.hint().is_empty());
    error.to_string()
}

#[test]
fn bad_input_is_named() {
    for (text, expected) in [
        (error(|p| p.mass_matrix = DMatrix::identity(3, 3)), "mass_matrix has size 3, expected 2"),
        (error(|p| p.mass_matrix = DMatrix::zeros(2, 3)), "mass_matrix has size 3, expected 2"),
        (
            error(|p| p.mass_matrix[(0, 1)] = 0.5),
            "mass_matrix is not symmetric: [0][1] is 0.5, [1][0] is 0",
        ),
        (
            error(|p| p.mass_matrix[(1, 1)] = -1.0),
            "mass_matrix is not positive definite: pivot 1 is -1",
        ),
        (
            error(|p| p.mass_matrix[(1, 0)] = f64::NAN),
            "mass_matrix[2] is NaN, expected a finite number",
        ),
        (error(|p| p.velocity[1] = f64::INFINITY), "velocity[1] is inf, expected a finite number"),
        (error(|p| p.contacts.clear()), "contacts is empty, expected at least one"),
        (
            error(|p| p.contacts[0].normal = DVector::zeros(3)),
            "contact `A`: normal has size 3, expected 2",
        ),
        (
            error(|p| p.contacts[0].tangents = DMatrix::zeros(1, 3)),
            "contact `A`: tangents has size 3, expected 2",
        ),
        (
            error(|p| p.contacts[0].tangents = DMatrix::zeros(3, 2)),
            "contact `A`: tangents has size 3, expected 2",
        ),
        (
            error(|p| p.contacts[0].friction = -0.1),
            "contact `A`: friction is -0.1, expected 0 to inf",
        ),
        (
            error(|p| p.contacts[0].static_friction = 0.4),
            "contact `A`: static_friction is 0.4, expected 0.5 to inf",
        ),
        (
            error(|p| p.contacts[0].restitution = 1.1),
            "contact `A`: restitution is 1.1, expected 0 to 1",
        ),
        (
            error(|p| p.contacts[0].restitution = f64::NAN),
            "contact `A`: restitution is NaN, expected 0 to 1",
        ),
        (
            error(|p| p.velocity[0] = 1.0),
            "no contact approaches: the smallest normal velocity is 1",
        ),
        (error(|p| p.bilateral = DMatrix::zeros(1, 3)), "bilateral has size 3, expected 2"),
    ] {
        assert_eq!(text, expected);
    }
}

#[test]
fn tiny_velocities_count_as_zero() {
    let mut problem = ImpactProblem::new(
        DMatrix::identity(2, 2),
        DVector::from_row_slice(&[-1.0, -1e-12]),
        vec![contact(2), contact(2)],
    )
    .expect("valid");
    problem.contacts[0].normal = DVector::from_row_slice(&[1.0, 0.0]);
    problem.contacts[1].normal = DVector::from_row_slice(&[0.0, 1.0]);
    let mut reduction = Reduction::default();
    reduction.reduce(&problem).expect("valid");
    assert_eq!(reduction.space.contacts[1].phase, carom::impact::Phase::Touching);
    assert_eq!(reduction.space.u_pre[3], 0.0);
    problem.velocity[1] = -1e-10;
    reduction.reduce(&problem).expect("valid");
    assert_eq!(reduction.space.contacts[1].phase, carom::impact::Phase::Colliding);
}

#[test]
fn reduction_reuses_its_buffers_for_other_sizes() {
    // A large problem, then a small one, then the large one again: same answer as fresh buffers.
    let mut rng = Rng::new(50);
    let recipe = |contacts| impact_support::Recipe {
        contacts,
        coordinates: 9,
        shift: 0.3,
        friction: 0.3,
        static_excess: 0.0,
    };
    let problems: Vec<_> =
        [3, 1, 4, 2].map(|c| impact_support::random_problem(&mut rng, recipe(c))).into();
    let law = Differential { restitution: Restitution::Energetic };
    let (mut work, mut answer) = (ImpactWorkspace::new(), carom::impact::ImpactAnswer::default());
    for problem in problems.iter().chain(&problems) {
        let reused = law.resolve_problem(problem, &mut work, &mut answer);
        match solve(&law, problem) {
            Ok(fresh) => assert_eq!(fresh.velocity, answer.velocity),
            Err(e) => assert_eq!(reused, Err(e)),
        }
    }
    assert!(matches!(ImpactError::NoContacts.hint(), h if !h.is_empty()));
}
