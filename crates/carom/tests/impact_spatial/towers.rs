//! A box lands on a stack of boxes that slide on each other: four corners to every joint, which share what three could carry.

use carom::impact::audit::audit;
use carom::impact::differential::{DifferentialScratch, resolve_staged};
use carom::impact::{ContactSpace, ImpactSolution, Restitution};
use nalgebra::{DMatrix, DVector, Vector3};

use crate::random::Random;

/// Cubes of side 0.1 m and mass 1 kg, each on the one below and a little off it; some slide and spin, the upper one lands.
fn landing(rng: &mut Random, boxes: usize) -> ContactSpace {
    let half = 0.05;
    let turn = 6.0 / (4.0 * half * half);
    let mut space = ContactSpace::default();
    let rows = 12 * boxes;
    let (mut J, mut v) = (DMatrix::zeros(rows, 6 * boxes), DVector::zeros(6 * boxes));
    let centres: Vec<Vector3<f64>> = (0..boxes)
        .map(|i| {
            let off = |rng: &mut Random| 0.3 * half * rng.uniform(-1.0, 1.0);
            Vector3::new(off(rng), off(rng), (2 * i + 1) as f64 * half)
        })
        .collect();
    for i in 0..boxes {
        let slides = rng.uniform(0.0, 1.0) < 0.7;
        for j in [0, 1, 5] {
            let size = if j == 5 { 1.0 / half } else { 1.0 };
            v[6 * i + j] = if slides { size * rng.uniform(-0.1, 0.1) } else { 0.0 };
        }
    }
    for j in 2..5 {
        let size = if j == 2 { 1.0 } else { 0.1 / half };
        v[6 * (boxes - 1) + j] = size * if j == 2 { -1.0 } else { rng.uniform(-1.0, 1.0) };
    }
    for i in 0..boxes {
        for (corner, (x, y)) in
            [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].iter().enumerate()
        {
            let mut at = centres[i] + Vector3::new(x * half, y * half, -half);
            if i > 0 {
                // On the face below it.
                for a in 0..2 {
                    at[a] = at[a].clamp(centres[i - 1][a] - half, centres[i - 1][a] + half);
                }
            }
            for (row, d) in [Vector3::x(), Vector3::y(), Vector3::z()].iter().enumerate() {
                let row = 12 * i + 3 * corner + row;
                let mut push = |body: usize, sign: f64| {
                    let arm = (at - centres[body]).cross(d);
                    for a in 0..3 {
                        J[(row, 6 * body + a)] = sign * d[a];
                        J[(row, 6 * body + 3 + a)] = sign * arm[a];
                    }
                };
                push(i, 1.0);
                if i > 0 {
                    push(i - 1, -1.0);
                }
            }
        }
    }
    let inverse = DMatrix::from_fn(6 * boxes, 6 * boxes, |i, j| match (i == j, i % 6 < 3) {
        (false, _) => 0.0,
        (true, true) => 1.0,
        (true, false) => turn,
    });
    space.resize(rows);
    space.G = &J * inverse * J.transpose();
    space.u_pre = &J * v;
    let friction = rng.uniform(0.1, 0.8);
    let restitution = rng.uniform(0.0, 0.6);
    for _ in 0..4 * boxes {
        space.push_contact(2, [friction, friction], restitution, true);
    }
    space.classify();
    space
}

/// Not all have an answer by (8) to (11), which use velocity as a clock; those that have satisfy every law. Of 40 landings on one box
/// 38 are answered, of 12 on two 9; less than half and none where slips that others hold turn, or where redundant corners have
/// the rates of least norm although these pull.
#[test]
fn stacks_that_slide_are_landed_on() {
    let (mut scratch, mut out) = (DifferentialScratch::default(), ImpactSolution::default());
    for (boxes, count, least) in [(2, 20, 18), (3, 6, 4)] {
        let (mut rng, mut answered) = (Random(11), 0);
        for i in 0..count {
            let space = landing(&mut rng, boxes);
            if resolve_staged(Restitution::Energetic, &space, &mut scratch, &mut out).is_ok() {
                answered += 1;
                let found = audit(&space, &out);
                assert!(found.worst().1 < 1e-8, "{boxes} boxes, {i}: {found:?}");
            }
        }
        assert!(answered >= least, "{boxes} boxes: {answered} of {count}");
    }
}
