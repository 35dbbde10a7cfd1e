//! One impact after another: numbered equations of `impact::sequence`, Newton's cradle under both rules.

mod impact_support;

use carom::impact::{
    Differential, ImpactAnswer, ImpactContact, ImpactLaw, ImpactProblem, ImpactWorkspace, Outcome,
    Planar, Restitution, Rule, Sequence, SeveralContacts, StageEvent, Tolerances, WithRule,
};
use impact_support::{check_audit, difference, solve};
use nalgebra::{DMatrix, DVector};

/// Balls on a line, neighbours touching, contacts without tangents.
fn cradle(masses: &[f64], velocity: &[f64], restitution: f64) -> ImpactProblem {
    let n = masses.len();
    let contacts = (0..n - 1).map(|k| ImpactContact {
        name: format!("{k}-{}", k + 1),
        tangents: DMatrix::zeros(0, n),
        normal: DVector::from_fn(n, |i, _| f64::from(i == k + 1) - f64::from(i == k)),
        friction: 0.0,
        static_friction: 0.0,
        restitution,
        touching: true,
    });
    ImpactProblem::new(
        DMatrix::from_diagonal(&DVector::from_row_slice(masses)),
        DVector::from_row_slice(velocity),
        contacts.collect(),
    )
    .expect("valid")
}

const ONE_IN: [f64; 5] = [1.0, 0.0, 0.0, 0.0, 0.0];

#[test]
fn cradle_together_moves_as_a_block() {
    // Hurmuzlu & Marghitu: touching contacts take part without restitution; 1 kg hits a block of 4 kg.
    for restitution in Restitution::ALL {
        let problem = cradle(&[1.0; 5], &ONE_IN, 1.0);
        let answer = solve(&Differential { restitution }, &problem).expect("solved");
        let expected = [-0.6, 0.4, 0.4, 0.4, 0.4];
        assert!(difference(answer.velocity.as_slice(), &expected) < 1e-15, "{:?}", answer.velocity);
        assert_eq!(answer.solution.rule, Rule::Together);
        check_audit(&problem, &answer, &Tolerances::uniform(1e-14));
        assert!((answer.energy_after - answer.energy_before).abs() < 1e-15);
    }
}

#[test]
fn eq1_cradle() {
    for restitution in Restitution::ALL {
        let problem = cradle(&[1.0; 5], &ONE_IN, 1.0);
        let answer = solve(&Sequence::new(Differential { restitution }), &problem).expect("solved");
        assert!(difference(answer.velocity.as_slice(), &[0.0, 0.0, 0.0, 0.0, 1.0]) < 1e-15);
        assert_eq!(answer.solution.rule, Rule::Sequential { impacts: 4, plastic_close: false });
        assert_eq!(answer.solution.rule.as_str(), "sequential");
        check_audit(&problem, &answer, &Tolerances::uniform(1e-14));
        // The rule wraps any law of one contact.
        let planar = solve(&Sequence::new(Planar { restitution }), &problem).expect("solved");
        assert!(difference(answer.velocity.as_slice(), planar.velocity.as_slice()) < 1e-15);
    }
}

#[test]
fn eq1_two_balls_in_two_balls_out() {
    // The pair 1-2 touches and moves as one; in sequence it still gives the ideal answer.
    let problem = cradle(&[1.0; 5], &[1.0, 1.0, 0.0, 0.0, 0.0], 1.0);
    let law = Sequence::new(Differential { restitution: Restitution::Energetic });
    let answer = solve(&law, &problem).expect("solved");
    assert!(difference(answer.velocity.as_slice(), &[0.0, 0.0, 0.0, 1.0, 1.0]) < 1e-14);
}

#[test]
fn eq1_most_approaching_goes_first() {
    // Contact 1-2 approaches at 2, contact 0-1 at 1: the faster one first, then velocities are 1, −1, 1 … exchanged.
    let problem = cradle(&[1.0; 3], &[2.0, 1.0, -1.0], 1.0);
    let mut answer = ImpactAnswer::traced();
    let law = Sequence::new(Planar { restitution: Restitution::Kinetic });
    law.resolve_problem(&problem, &mut ImpactWorkspace::new(), &mut answer).expect("solved");
    let starts: Vec<usize> = answer
        .solution
        .trace
        .stages
        .iter()
        .filter(|s| s.event == StageEvent::Start)
        .map(|s| s.contact)
        .collect();
    assert_eq!(starts, [1, 0, 1]);
    assert!(difference(answer.velocity.as_slice(), &[-1.0, 1.0, 2.0]) < 1e-15);
    // Works and impulses of the trace run through; its end is the answer.
    let last = answer.solution.trace.stages.last().expect("stages");
    assert!((last.normal_work - answer.solution.normal_work).abs() < 1e-14);
    assert!((last.energy - answer.energy_after).abs() < 1e-14);
    assert!(difference(&last.impulses, answer.solution.impulses.as_slice()) < 1e-15);
}

#[test]
fn eq1_ties_go_together() {
    // Struck from both sides at once: the mirror image of the answer is the answer.
    for restitution in Restitution::ALL {
        let problem = cradle(&[1.0; 5], &[1.0, 0.0, 0.0, 0.0, -1.0], 1.0);
        let answer = solve(&Sequence::new(Differential { restitution }), &problem).expect("solved");
        assert!(difference(answer.velocity.as_slice(), &[-1.0, 0.0, 0.0, 0.0, 1.0]) < 1e-14);
        let problem = cradle(&[1.0; 5], &[1.0, 0.0, 0.0, 0.0, -1.0], 0.8);
        let answer = solve(&Sequence::new(Differential { restitution }), &problem).expect("solved");
        let v = &answer.velocity;
        let asymmetry = (v[0] + v[4]).abs().max((v[1] + v[3]).abs()).max(v[2].abs());
        assert!(asymmetry < 1e-14, "{v:?}");
    }
}

#[test]
fn eq2_plastic_close() {
    // A light ball between two heavy ones that approach: with e < 1 the sequence of bounces is long; cut it short.
    let problem = cradle(&[100.0, 0.01, 100.0], &[1.0, 0.0, -0.7], 0.5);
    let law = Sequence { law: Differential { restitution: Restitution::Energetic }, limit: 3 };
    let answer = solve(&law, &problem).expect("solved");
    assert_eq!(answer.solution.rule, Rule::Sequential { impacts: 4, plastic_close: true });
    check_audit(&problem, &answer, &Tolerances::uniform(1e-12));
    // With room enough it ends by itself, and still nothing approaches.
    let law = Sequence { limit: 100_000, ..law };
    let answer = solve(&law, &problem).expect("solved");
    assert!(matches!(answer.solution.rule, Rule::Sequential { plastic_close: false, .. }));
    check_audit(&problem, &answer, &Tolerances::uniform(1e-9));
}

#[test]
fn energetic_sequence_never_gains_energy() {
    let mut rng = impact_support::Rng::new(40);
    for _ in 0..300 {
        let n = 3 + rng.below(4);
        let masses: Vec<f64> = (0..n).map(|_| rng.range(0.1, 10.0)).collect();
        let velocity: Vec<f64> = (0..n).map(|k| rng.normal() - 0.5 * k as f64).collect();
        let problem = cradle(&masses, &velocity, rng.unit());
        let law = Sequence::new(Differential { restitution: Restitution::Energetic });
        let Ok(answer) = solve(&law, &problem) else {
            assert!(velocity.windows(2).all(|w| w[1] >= w[0]), "only if nothing approaches");
            continue;
        };
        check_audit(&problem, &answer, &Tolerances::uniform(1e-9));
        assert!(answer.energy_after <= answer.energy_before * (1.0 + 1e-12));
        let momentum = |v: &[f64]| v.iter().zip(&masses).map(|(v, m)| v * m).sum::<f64>();
        let change = momentum(answer.velocity.as_slice()) - momentum(&velocity);
        assert!(change.abs() < 1e-9 * masses.iter().sum::<f64>());
    }
}

#[test]
fn outcomes_compare_with_the_start() {
    let problem = cradle(&[1.0; 3], &[1.0, 0.0, 0.0], 1.0);
    let law = Sequence::new(Planar { restitution: Restitution::Kinematic });
    let answer = solve(&law, &problem).expect("solved");
    // 0-1 collided and ended at rest with ball 1; 1-2 touched and leaves.
    assert_eq!(answer.solution.outcomes, [Outcome::Stick, Outcome::Detached]);
    let answer =
        solve(&Differential { restitution: Restitution::Kinematic }, &problem).expect("solved");
    assert_eq!(answer.solution.outcomes, [Outcome::Rebound, Outcome::Stick]);
}

#[test]
fn rule_is_chosen_by_the_user() {
    let problem = cradle(&[1.0; 5], &ONE_IN, 1.0);
    let inner = Differential { restitution: Restitution::Energetic };
    let answers = SeveralContacts::ALL
        .map(|several| solve(&WithRule::new(inner, several), &problem).expect("solved"));
    assert!(difference(answers[0].velocity.as_slice(), &[-0.6, 0.4, 0.4, 0.4, 0.4]) < 1e-15);
    assert!(difference(answers[1].velocity.as_slice(), &[0.0, 0.0, 0.0, 0.0, 1.0]) < 1e-15);
    for (answer, several) in answers.iter().zip(SeveralContacts::ALL) {
        assert_eq!(answer.solution.rule.as_str(), several.as_str());
    }
}
