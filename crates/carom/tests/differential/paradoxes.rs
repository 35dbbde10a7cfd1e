//! No solution, and several.

use carom::impact::{
    Compliant, ContactSpace, Differential, ImpactError, ImpactLaw, ImpactSolution, ImpactWorkspace,
    Outcome, Restitution, audit,
};

/// Contact 0 collides without tangent, contact 1 touches and slips with μ = 1; rows n0, t1, n1.
fn painleve(n0_n1: f64) -> ContactSpace {
    let mut space = ContactSpace::default();
    space.resize(3);
    space.G.copy_from_slice(&[2.0, 0.0, n0_n1, 0.0, 4.0, 1.5, n0_n1, 1.5, 1.0]);
    space.u_pre.copy_from_slice(&[-1.0, 0.7, 0.0]);
    space.push_contact(0, [0.0, 0.0], 0.5, true);
    space.push_contact(1, [1.0, 1.0], 0.0, true);
    space.classify();
    space
}

#[test]
fn paradoxes_are_named() {
    // At contact 1, u̇ₙ = −½ x ± 0.3: pressing makes it approach. Pushed together: neither open nor pressing is possible.
    let law = Differential { restitution: Restitution::Energetic };
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let error = law.resolve(&painleve(-0.3), &mut work, &mut out).expect_err("no solution");
    assert!(
        matches!(error, ImpactError::NoConsistentMode { stage: 0, residual, .. } if residual > 0.1)
    );
    // Slip the other way is harmless.
    let mut space = painleve(-0.3);
    space.u_pre[1] = -0.7;
    law.resolve(&space, &mut work, &mut out).expect("one solution");
    assert!(audit(&space, &out).worst().1 < 1e-14);
}

#[test]
fn eq12_slack_contacts_stay_slack() {
    // Pushed apart: open and pressing are both possible; compliance decides.
    let law = Differential { restitution: Restitution::Energetic };
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let space = painleve(0.3);
    law.resolve(&space, &mut work, &mut out).expect("the slack one");
    assert!(!out.solved.unique && out.impulses[2] == 0.0, "{out:?}");
    let mut soft = ImpactSolution::default();
    Compliant::default().resolve(&space, &mut work, &mut soft).expect("compliant");
    assert!((&out.u_post - &soft.u_post).amax() < 1e-12, "{out:?} {soft:?}");
}

#[test]
fn stick_wins_where_static_friction_lets_slip_coexist() {
    // Contact 1 at rest; the blow needs a friction ratio of 0.55 to hold it: μd = 0.5 slips, μs = 0.6 holds.
    let mut space = ContactSpace::default();
    space.resize(3);
    space.G.copy_from_slice(&[2.0, 0.11, -0.2, 0.11, 1.0, 0.0, -0.2, 0.0, 1.0]);
    space.u_pre.copy_from_slice(&[-1.0, 0.0, 0.0]);
    space.push_contact(0, [0.0, 0.0], 0.5, true);
    space.push_contact(1, [0.5, 0.6], 0.0, true);
    space.classify();
    let law = Differential { restitution: Restitution::Kinetic };
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    law.resolve(&space, &mut work, &mut out).expect("stick");
    assert_eq!(out.outcomes, [Outcome::Rebound, Outcome::Stick]);
    assert!((out.impulses[1] / out.impulses[2] + 0.55).abs() < 1e-12);
    space.contacts[1].static_friction = 0.5;
    law.resolve(&space, &mut work, &mut out).expect("slip");
    assert_eq!(out.outcomes, [Outcome::Rebound, Outcome::Slip]);
}
