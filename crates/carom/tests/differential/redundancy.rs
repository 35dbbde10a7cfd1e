//! Redundant contacts.

use carom::impact::{Differential, Restitution, Rule, Tolerances};

use crate::impact_support::{check_audit, difference, solve};
use crate::problems::{block_at_wall, tolerances};

#[test]
fn redundant_contacts_have_one_motion_and_the_least_impulse() {
    for friction in [0.0, 0.2, 0.6] {
        for height in [-0.4, -0.1, 0.0, 0.2, 0.45] {
            for restitution in Restitution::ALL {
                let law = Differential { restitution };
                let two = solve(&law, &block_at_wall(&[-1.0, 1.0], [0.0, friction], height))
                    .expect("two feet");
                for feet in
                    [&[-1.0, 1.0, -1.0, 1.0][..], &[-1.0, -0.5, 0.0, 0.5, 1.0], &[-1.0, 0.3, 1.0]]
                {
                    let problem = block_at_wall(feet, [0.0, friction], height);
                    let many = solve(&law, &problem).expect("many feet");
                    let d = difference(two.velocity.as_slice(), many.velocity.as_slice());
                    assert!(
                        d < 1e-12,
                        "friction {friction} height {height} {restitution} {feet:?}: {d:e}"
                    );
                    check_audit(&problem, &many, &tolerances(restitution, 1e-12));
                    assert!(
                        many.solution.impulses.norm()
                            <= two.solution.impulses.norm() * (1.0 + 1e-12)
                    );
                }
                // A doubled foot shares its impulse equally.
                let doubled =
                    solve(&law, &block_at_wall(&[-1.0, 1.0, -1.0, 1.0], [0.0, friction], height))
                        .expect("four");
                for (a, b) in [(3, 7), (5, 9)] {
                    let (p, q) = (doubled.solution.impulses[a], doubled.solution.impulses[b]);
                    assert!(
                        (p - q).abs() < 1e-12 && (p + q - two.solution.impulses[a]).abs() < 1e-12
                    );
                }
            }
        }
    }
}

#[test]
fn block_wedged_between_floor_and_wall_has_an_answer() {
    // Friction of the wall and the push of the left foot are one and the same row: how they share is open, and because
    // the foot slips the motion depends on it. The soft limit decides, continuously and without favour.
    let law = Differential { restitution: Restitution::Energetic };
    for height in [-0.4, -0.2, 0.0, 0.2, 0.4] {
        for friction in [[0.1, 0.3], [0.3, 0.3], [0.6, 0.2], [1.5, 0.4]] {
            let problem = block_at_wall(&[-1.0, 1.0], friction, height);
            let answer =
                solve(&law, &problem).unwrap_or_else(|e| panic!("{height} {friction:?}: {e}"));
            check_audit(&problem, &answer, &Tolerances::uniform(1e-9));
            let again = block_at_wall(&[1.0, -1.0], friction, height);
            let swapped = solve(&law, &again).expect("solved");
            assert!(difference(answer.velocity.as_slice(), swapped.velocity.as_slice()) < 1e-7);
        }
    }
}

#[test]
fn doubled_colliding_contact_acts_like_one() {
    let mut problem = block_at_wall(&[-1.0, 1.0], [0.0, 0.3], 0.2);
    let law = Differential { restitution: Restitution::Energetic };
    let one = solve(&law, &problem).expect("one wall contact");
    problem.contacts.push(problem.contacts[0].clone());
    let two = solve(&law, &problem).expect("two wall contacts");
    assert!(difference(one.velocity.as_slice(), two.velocity.as_slice()) < 1e-12);
    assert!((two.solution.impulses[1] - two.solution.impulses[7]).abs() < 1e-12);
    assert_eq!(two.solution.rule, Rule::Together);
}
