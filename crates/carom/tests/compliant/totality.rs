//! The law always answers: many contacts, redundant ones, strong friction, rest, nothing gained.

use carom::impact::{
    Compliant, ContactSpace, ImpactError, ImpactLaw, ImpactSolution, ImpactWorkspace, audit,
};

use super::problems::{Random, random, solve};

#[test]
fn random_problems_up_to_forty_contacts() {
    let mut rng = Random(31);
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    for round in 0..120 {
        let count = if round % 40 == 0 { 40 } else { 1 + rng.below(9) };
        let planar = round % 2 == 0;
        let tangents: Vec<usize> =
            (0..count).map(|_| if planar { 1 } else { rng.below(3) }).collect();
        let rows: usize = tangents.iter().map(|t| t + 1).sum();
        let n = if round % 3 == 0 { 2 + rng.below(rows) } else { rows + 1 };
        let space = random(&mut rng, n, &tangents, 5.0);
        Compliant::default().resolve(&space, &mut work, &mut out).expect("an answer");
        let a = audit(&space, &out);
        assert!(a.worst().1 <= 1e-8, "{round}: {a:?}");
        assert!(a.gain <= 1e-12, "{round}: {a:?}");
    }
}

/// Nothing approaches: the only question without an answer that is asked often.
#[test]
fn nothing_approaches() {
    let mut rng = Random(32);
    let mut space = random(&mut rng, 4, &[1], 0.5);
    space.u_pre[1] = 1.0;
    space.classify();
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let error = Compliant::default().resolve(&space, &mut work, &mut out);
    assert!(matches!(error, Err(ImpactError::NoApproach { .. })));
}

/// No impulse can stop a contact between two bodies that are prescribed.
#[test]
fn immovable_is_named() {
    let mut space = ContactSpace::default();
    space.resize(2);
    space.G[(1, 1)] = 1.0;
    space.u_pre.copy_from_slice(&[-1.0, -1.0]);
    space.push_contact(0, [0.0, 0.0], 0.5, true);
    space.push_contact(0, [0.0, 0.0], 0.5, true);
    space.classify();
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let error = Compliant::default().resolve(&space, &mut work, &mut out);
    assert!(matches!(error, Err(ImpactError::NotApplicable { .. })), "{error:?}");
}

/// A ball in a groove with so much friction that it sticks where it hits: forces balance, and the impact is over.
#[test]
fn wedged_contacts_end() {
    let (s, c) = (0.2_f64).sin_cos();
    let mut space = ContactSpace::default();
    space.resize(4);
    // rows: tangent and normal of the left wall, then of the right one; a particle of mass 1
    let rows = [[s, -c], [c, s], [s, c], [-c, s]];
    for i in 0..4 {
        space.u_pre[i] = -rows[i][1];
        for j in 0..4 {
            space.G[(i, j)] = rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1];
        }
    }
    space.push_contact(1, [5.0, 5.0], 0.8, true);
    space.push_contact(1, [5.0, 5.0], 0.8, true);
    space.classify();
    let out = solve(&space);
    assert!(audit(&space, &out).worst().1 < 1e-10, "{:?}", audit(&space, &out));
}
