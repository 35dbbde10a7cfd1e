//! The differential law of many planar contacts: numbered equations of `impact::differential`, random problems,
//! brute force, redundancy, paradoxes.

#![allow(non_snake_case)]

mod impact_support;

use carom::impact::{
    ContactSpace, Differential, ImpactAnswer, ImpactContact, ImpactError, ImpactLaw, ImpactProblem,
    ImpactSolution, ImpactWorkspace, Outcome, Phase, Restitution, Rule, StageEvent, ThreeLinkChain,
    Tolerances, audit,
};
use impact_support::{Recipe, Rng, brute, check_audit, difference, random_problem, reduce, solve};
use nalgebra::{DMatrix, DVector};

const RECIPE: Recipe =
    Recipe { contacts: 3, coordinates: 8, shift: 0.2, friction: 0.7, static_excess: 0.0 };

fn traced(restitution: Restitution, problem: &ImpactProblem) -> Result<ImpactAnswer, ImpactError> {
    let mut answer = ImpactAnswer::traced();
    Differential { restitution }.resolve_problem(
        problem,
        &mut ImpactWorkspace::new(),
        &mut answer,
    )?;
    Ok(answer)
}

/// Tolerances for one definition: kinematic restitution may gain energy, and so may kinetic with several contacts.
fn tolerances(restitution: Restitution, t: f64) -> Tolerances {
    let mut tolerances = Tolerances::uniform(t);
    if restitution != Restitution::Energetic {
        tolerances.0.gain = f64::INFINITY;
    }
    tolerances
}

/// Random problems of 1 to 4 contacts and up to 12 coordinates, well and badly conditioned.
fn for_random_problems(
    seed: u64,
    count: usize,
    mut check: impl FnMut(usize, &mut Rng, &ImpactProblem),
) {
    let mut rng = Rng::new(seed);
    for i in 0..count {
        let contacts = 1 + i % 4;
        let recipe = Recipe {
            contacts,
            coordinates: 2 * contacts + rng.below(13 - 2 * contacts),
            shift: [0.3, 0.01, 1e-5][(i / 4) % 3],
            friction: 0.8,
            static_excess: if i % 2 == 0 { 0.0 } else { 0.4 },
        };
        let problem = random_problem(&mut rng, recipe);
        check(i, &mut rng, &problem);
    }
}

#[test]
fn random_problems_pass_the_audit() {
    let (mut solved, mut paradoxes) = (0, 0);
    for_random_problems(20, 4000, |i, _, problem| {
        let restitution = Restitution::ALL[i % 3];
        match solve(&Differential { restitution }, problem) {
            Ok(answer) => {
                check_audit(problem, &answer, &tolerances(restitution, 1e-12));
                solved += 1;
            }
            Err(ImpactError::NoConsistentMode { .. } | ImpactError::AmbiguousModes { .. }) => {
                paradoxes += 1
            }
            Err(other) => panic!("{other}"),
        }
    });
    // Friction up to 0.8 with random, partly nearly singular mass matrices: a few per cent are Painlevé paradoxes.
    assert!(solved > 3800 && paradoxes > 0, "{solved} {paradoxes}");
}

#[test]
fn eq1_eq2_eq3_conditions_hold_in_every_stage() {
    let (mut pressing, mut open, mut stick) = (0, 0, 0);
    for_random_problems(21, 2000, |_, _, problem| {
        let Ok(answer) = traced(Restitution::Energetic, problem) else { return };
        let space = reduce(problem);
        for pair in answer.solution.trace.stages.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            if b.normal_impulse - a.normal_impulse < 1e-7 {
                continue;
            }
            let u_scale = space.velocity_scale;
            for (k, c) in space.contacts.iter().enumerate() {
                let (t, n) = (c.first, c.normal());
                let (dp_t, dp_n) = (b.impulses[t] - a.impulses[t], b.impulses[n] - a.impulses[n]);
                let zero = 1e-10 * b.impulses.iter().fold(0.0_f64, |s, p| s.max(p.abs()));
                assert!(dp_n >= -zero);
                if c.phase == Phase::Touching {
                    assert!(a.velocity[n] >= 0.0 && b.velocity[n] >= 0.0);
                    if dp_n > zero {
                        pressing += 1;
                        assert!(a.velocity[n] == 0.0 && b.velocity[n] == 0.0, "(1) contact {k}");
                    } else {
                        open += 1;
                    }
                }
                let middle = 0.5 * (a.velocity[t] + b.velocity[t]);
                if middle.abs() > 1e-10 * u_scale {
                    assert!(
                        (dp_t + middle.signum() * c.friction * dp_n).abs() <= 1e-8 * dp_n + zero,
                        "(2)"
                    );
                } else if dp_n > zero {
                    stick += 1;
                    assert!(dp_t.abs() <= c.static_friction * dp_n * (1.0 + 1e-8) + zero, "(3)");
                }
            }
        }
    });
    assert!(pressing > 1000 && open > 300 && stick > 500, "{pressing} {open} {stick}");
}

#[test]
fn eq4_detached_contact_attaches_again_without_restitution() {
    let chain = ThreeLinkChain {
        phi: -0.35,
        friction_touching: 0.5,
        friction_colliding: 0.5,
        restitution: 0.9,
    };
    for restitution in Restitution::ALL {
        let answer = traced(restitution, &chain.problem()).expect("solved");
        let events: Vec<_> =
            answer.solution.trace.stages.iter().map(|s| (s.event, s.contact)).collect();
        assert_eq!(
            events,
            [
                (StageEvent::Start, 1),
                (StageEvent::Detachment, 0),
                (StageEvent::SlipStop, 1),
                (StageEvent::Attachment, 0),
                (StageEvent::EndOfCompression, 1),
                (StageEvent::End, 1)
            ]
        );
        let stages = &answer.solution.trace.stages;
        assert!(stages[2].velocity[1] > 0.0, "open meanwhile");
        assert_eq!((stages[3].velocity[1], stages[5].velocity[1]), (0.0, 0.0), "closed for good");
        assert!(stages[3].impulses[1] == 0.0 && stages[5].impulses[1] > 0.0);
        assert_eq!(answer.solution.outcomes, [Outcome::Slip, Outcome::Rebound]);
        check_audit(&chain.problem(), &answer, &tolerances(restitution, 1e-13));
    }
}

#[test]
fn eq5_eq6_eq7_restitution_at_the_colliding_contact() {
    let mut worst = [0.0_f64; 3];
    for_random_problems(22, 2000, |_, _, problem| {
        let normal = problem.contacts[0].tangents.nrows();
        let e = problem.contacts[0].restitution;
        for (worst, restitution) in worst.iter_mut().zip(Restitution::ALL) {
            let Ok(answer) = traced(restitution, problem) else { continue };
            let u_pre = problem.contacts[0].normal.dot(&problem.velocity);
            let stages = &answer.solution.trace.stages;
            let turns = stages.iter().filter(|s| s.event == StageEvent::EndOfCompression).count();
            let Some(turn) = stages.iter().find(|s| s.event == StageEvent::EndOfCompression) else {
                continue;
            };
            if turns > 1 {
                continue;
            }
            let error = match restitution {
                Restitution::Kinematic => answer.solution.u_post[normal] / -u_pre - e,
                Restitution::Kinetic => {
                    answer.solution.impulses[normal] / turn.impulses[normal] - 1.0 - e
                }
                Restitution::Energetic => {
                    // Work of the colliding normal alone, stage by stage: u_n is linear in p_n.
                    let work = |list: &[carom::impact::Stage]| -> f64 {
                        list.windows(2)
                            .map(|w| {
                                let dp = w[1].impulses[normal] - w[0].impulses[normal];
                                0.5 * dp * (w[0].velocity[normal] + w[1].velocity[normal])
                            })
                            .sum()
                    };
                    let at = stages
                        .iter()
                        .position(|s| s.event == StageEvent::EndOfCompression)
                        .unwrap_or(0);
                    work(&stages[at..]) / -work(&stages[..=at]) - e * e
                }
            };
            *worst = worst.max(error.abs());
        }
    });
    assert!(worst.iter().all(|w| *w < 1e-10), "{worst:?}");
}

#[test]
fn definitions_agree_without_restitution_and_without_friction() {
    for_random_problems(23, 900, |i, _, problem| {
        let mut problem = problem.clone();
        for c in &mut problem.contacts {
            if i % 2 == 0 {
                c.restitution = 0.0;
            } else {
                (c.friction, c.static_friction) = (0.0, 0.0);
            }
        }
        let Ok(first) = solve(&Differential { restitution: Restitution::Kinematic }, &problem)
        else {
            assert!(i % 2 == 0, "no paradox without friction");
            return;
        };
        for restitution in [Restitution::Kinetic, Restitution::Energetic] {
            let other = solve(&Differential { restitution }, &problem).expect("solved");
            let d = difference(first.solution.u_post.as_slice(), other.solution.u_post.as_slice());
            assert!(d < 1e-9, "{d:e}");
        }
    });
}

#[test]
fn brute_force_agrees() {
    let mut rng = Rng::new(24);
    let mut compared = 0;
    while compared < 30 {
        let contacts = 2 + compared % 2;
        let recipe = Recipe {
            contacts,
            coordinates: 2 * contacts + 2,
            shift: 0.5,
            friction: 0.5,
            static_excess: 0.0,
        };
        let problem = random_problem(&mut rng, recipe);
        let restitution = Restitution::ALL[compared % 3];
        let Ok(answer) = solve(&Differential { restitution }, &problem) else { continue };
        let space = reduce(&problem);
        let step = answer.solution.impulses[1] / 2000.0;
        let b = brute::integrate(&space, restitution, step)
            .expect("Gauss–Seidel converges for little friction");
        // Each of at most a dozen events is located to one step.
        brute::Limits::new(&space, &answer.solution, 12.0 * step).check(&answer.solution, &b);
        compared += 1;
    }
}

#[test]
fn invariant_under_coordinates_units_and_contact_order() {
    let mut worst = 0.0_f64;
    for_random_problems(25, 600, |i, rng, problem| {
        let restitution = Restitution::ALL[i % 3];
        let law = Differential { restitution };
        let Ok(base) = solve(&law, problem) else { return };
        let (n, nc) = (problem.nv(), problem.contacts.len());
        if (i / 4) % 3 == 2 {
            return; // badly conditioned: the transformed data differ by more than round-off
        }
        let t = rng.mass_matrix(n, 0.5);
        let mut other = problem.clone();
        let symmetric = t.transpose() * &problem.mass_matrix * &t;
        other.mass_matrix = (&symmetric + symmetric.transpose()) * (0.5 * 1e3);
        other.velocity = 1e-3 * t.clone().lu().solve(&problem.velocity).expect("regular");
        for c in &mut other.contacts {
            c.tangents = &c.tangents * &t;
            c.normal = t.transpose() * &c.normal;
        }
        other.contacts.reverse();
        // Masses in grams, lengths in units of 1000 m: velocities 1e-3, impulses 1e0.
        let a = solve(&law, &other).expect("solved");
        for k in 0..nc {
            let (x, y) = (2 * k, 2 * (nc - 1 - k));
            for row in 0..2 {
                let scale = base.solution.u_post.amax();
                let d = (base.solution.u_post[x + row] - 1e3 * a.solution.u_post[y + row]).abs()
                    / scale;
                worst = worst.max(d);
            }
            assert_eq!(base.solution.outcomes[k], a.solution.outcomes[nc - 1 - k]);
        }
    });
    assert!(worst < 1e-7, "{worst:e}");
}

/// A block 2 × 1 m sliding left on the ground hits a wall with a point of its left side; ground contacts at `feet`.
/// Friction of the wall, then of the ground.
fn block_at_wall(feet: &[f64], friction: [f64; 2], height: f64) -> ImpactProblem {
    let point = |x: f64, y: f64, angle: [f64; 2]| {
        DVector::from_row_slice(&[angle[0], angle[1], x * angle[1] - y * angle[0]])
    };
    let contact =
        |name: &str, x: f64, y: f64, normal: [f64; 2], tangent: [f64; 2], e: f64, friction: f64| {
            ImpactContact {
                name: name.into(),
                tangents: DMatrix::from_row_slice(1, 3, point(x, y, tangent).as_slice()),
                normal: point(x, y, normal),
                friction,
                static_friction: friction,
                restitution: e,
                touching: true,
            }
        };
    let mut contacts =
        vec![contact("wall", -1.0, height, [1.0, 0.0], [0.0, 1.0], 0.6, friction[0])];
    for x in feet {
        contacts.push(contact("foot", *x, -0.5, [0.0, 1.0], [1.0, 0.0], 0.0, friction[1]));
    }
    let M = DMatrix::from_diagonal(&DVector::from_row_slice(&[2.0, 2.0, 2.0 * 5.0 / 12.0]));
    ImpactProblem::new(M, DVector::from_row_slice(&[-1.0, 0.0, 0.0]), contacts).expect("valid")
}

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
    // At contact 1, u̇ₙ = −½ x ± 0.3: pressing makes it approach. Pushed apart: open and pressing are both possible.
    let law = Differential { restitution: Restitution::Energetic };
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let error = law.resolve(&painleve(0.3), &mut work, &mut out).expect_err("two solutions");
    assert_eq!(error, ImpactError::AmbiguousModes { law: "differential", stage: 0, count: 2 });
    // Pushed together: neither.
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

#[test]
fn separating_contact_is_caught_if_pressed_together() {
    // Contact 1 leaves slowly; the blow at contact 0 pushes it back: closed without restitution.
    let mut space = ContactSpace::default();
    space.resize(2);
    space.G.copy_from_slice(&[1.0, -0.5, -0.5, 1.0]);
    space.u_pre.copy_from_slice(&[-1.0, 0.1]);
    space.push_contact(0, [0.0, 0.0], 0.0, true);
    space.push_contact(0, [0.0, 0.0], 1.0, true);
    space.classify();
    assert_eq!(space.contacts[1].phase, Phase::Separating);
    let law = Differential { restitution: Restitution::Energetic };
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    law.resolve(&space, &mut work, &mut out).expect("solved");
    // u1 = 0 at p0 = 0.2, then both: p1 = ½ (p0 − 0.2), u0 = −1 + p0 − ½ p1 = 0 at p0 = 19/15.
    assert!((out.impulses[0] - 19.0 / 15.0).abs() < 1e-14);
    assert!((out.impulses[1] - 8.0 / 15.0).abs() < 1e-14);
    assert_eq!(out.u_post.as_slice(), [0.0, 0.0]);
}

/// A random problem whose first `colliding` contacts all approach.
fn several_colliding(
    rng: &mut Rng,
    contacts: usize,
    colliding: usize,
    friction: f64,
) -> ImpactProblem {
    let recipe = Recipe { contacts, coordinates: 2 * contacts + 2, friction, ..RECIPE };
    let mut problem = random_problem(rng, recipe);
    // A correction of v along the rows gives each of them its own approach velocity, and keeps the others.
    let rows: Vec<DVector<f64>> = problem
        .contacts
        .iter()
        .flat_map(|c| [c.tangents.row(0).transpose(), c.normal.clone()])
        .collect();
    let J = DMatrix::from_fn(rows.len(), problem.nv(), |i, j| rows[i][j]);
    let mut u = &J * &problem.velocity;
    for k in 0..colliding {
        u[2 * k + 1] = -rng.range(0.1, 1.0);
    }
    let correction = J.transpose()
        * (&J * J.transpose()).lu().solve(&(u - &J * &problem.velocity)).expect("regular");
    problem.velocity += correction;
    problem
}

#[test]
fn eq8_eq9_kinematic_together() {
    let mut rng = Rng::new(26);
    let mut solved = 0;
    for _ in 0..300 {
        let problem = several_colliding(&mut rng, 3, 2, 0.4);
        let Ok(answer) = traced(Restitution::Kinematic, &problem) else { continue };
        solved += 1;
        check_audit(&problem, &answer, &tolerances(Restitution::Kinematic, 1e-12));
        let space = reduce(&problem);
        let turn =
            answer.solution.trace.stages.iter().find(|s| s.event == StageEvent::EndOfCompression);
        let turn = turn.expect("turn");
        for c in space.contacts.iter().filter(|c| c.phase == Phase::Colliding) {
            let (n, u_pre) = (c.normal(), space.u_pre[c.normal()]);
            assert!(turn.velocity[n] >= 0.0, "(8)");
            let excess = answer.solution.u_post[n] + c.restitution * u_pre;
            assert!(excess >= -1e-12, "(9)");
            if excess > 1e-9 && turn.velocity[n] == 0.0 {
                // It left faster than asked, so something else pushed it; it was at its floor at the end of compression.
                assert!(answer.solution.impulses[n] >= turn.impulses[n]);
            }
        }
    }
    assert!(solved > 280, "{solved}");
}

#[test]
fn eq10_kinetic_together() {
    let mut rng = Rng::new(27);
    let mut solved = 0;
    for _ in 0..300 {
        let problem = several_colliding(&mut rng, 3, 2, 0.4);
        let Ok(answer) = traced(Restitution::Kinetic, &problem) else { continue };
        solved += 1;
        check_audit(&problem, &answer, &tolerances(Restitution::Kinetic, 1e-12));
        let stages = &answer.solution.trace.stages;
        let turn = stages.iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        for (k, c) in problem.contacts.iter().enumerate().take(2) {
            let n = 2 * k + 1;
            let (p_c, p_r) = (turn.impulses[n], answer.solution.impulses[n] - turn.impulses[n]);
            assert!(p_r >= c.restitution * p_c - 1e-12, "at least e p_c");
            if answer.solution.u_post[n] > 1e-9
                && stages.iter().all(|s| s.velocity[n] != 0.0 || s.impulses[n] <= p_c)
            {
                assert!(
                    (p_r - c.restitution * p_c).abs() < 1e-12,
                    "no more than e p_c where it leaves freely"
                );
            }
        }
    }
    assert!(solved > 280, "{solved}");
}

#[test]
fn eq11_energetic_together() {
    let mut rng = Rng::new(28);
    let (mut solved, mut worst) = (0, 0.0_f64);
    for i in 0..400 {
        let problem = several_colliding(&mut rng, 2 + i % 3, 2, 0.4);
        let Ok(answer) = traced(Restitution::Energetic, &problem) else { continue };
        solved += 1;
        check_audit(&problem, &answer, &Tolerances::uniform(1e-12));
        let stages = &answer.solution.trace.stages;
        let at = stages.iter().position(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        for (k, c) in problem.contacts.iter().enumerate().take(2) {
            let n = 2 * k + 1;
            let work = |list: &[carom::impact::Stage]| -> f64 {
                let step = |w: &[carom::impact::Stage]| {
                    0.5 * (w[1].impulses[n] - w[0].impulses[n])
                        * (w[0].velocity[n] + w[1].velocity[n])
                };
                list.windows(2).map(step).sum()
            };
            let w_c = work(&stages[..=at]);
            let total = answer.solution.normal_works[k];
            let e = c.restitution;
            worst = worst.max((total - (1.0 - e * e) * w_c).abs() / w_c.abs().max(1e-9));
        }
    }
    assert!(solved > 370, "{solved}");
    // Stages are recorded at changes of mode; between them velocities are linear, so this is exact.
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn contacts_that_do_not_feel_each_other_get_what_each_would_get_alone() {
    let mut rng = Rng::new(29);
    for i in 0..300 {
        let recipe =
            Recipe { contacts: 1, coordinates: 3, shift: 0.2, friction: 1.0, static_excess: 0.3 };
        let parts = [random_problem(&mut rng, recipe), random_problem(&mut rng, recipe)];
        let mut M = DMatrix::zeros(6, 6);
        M.view_mut((0, 0), (3, 3)).copy_from(&parts[0].mass_matrix);
        M.view_mut((3, 3), (3, 3)).copy_from(&parts[1].mass_matrix);
        let v = DVector::from_iterator(6, parts.iter().flat_map(|p| p.velocity.iter().copied()));
        let contacts = parts.iter().enumerate().map(|(k, p)| {
            let mut c = p.contacts[0].clone();
            let (mut t, mut n) = (DMatrix::zeros(1, 6), DVector::zeros(6));
            t.columns_mut(3 * k, 3).copy_from(&c.tangents);
            n.rows_mut(3 * k, 3).copy_from(&c.normal);
            (c.tangents, c.normal) = (t, n);
            c
        });
        let both = ImpactProblem::new(M, v, contacts.collect()).expect("valid");
        let restitution = Restitution::ALL[i % 3];
        let law = Differential { restitution };
        // The velocity clock needs compression to slow down with impulse: skip wedging contacts.
        let Ok(together) = solve(&law, &both) else { continue };
        for (k, part) in parts.iter().enumerate() {
            let alone = solve(&law, part).expect("one contact");
            let d = difference(
                alone.velocity.as_slice(),
                &together.velocity.as_slice()[3 * k..3 * k + 3],
            );
            assert!(d < 1e-10, "{restitution} {d:e}");
        }
    }
}

#[test]
fn symmetric_problem_has_a_symmetric_answer() {
    // A block falling flat on both feet: no rotation, whatever the law.
    let mut problem = block_at_wall(&[-1.0, 1.0], [0.0, 0.4], 0.0);
    problem.contacts.remove(0);
    problem.velocity = DVector::from_row_slice(&[0.0, -1.0, 0.0]);
    for c in &mut problem.contacts {
        c.restitution = 0.7;
    }
    for restitution in Restitution::ALL {
        let answer = solve(&Differential { restitution }, &problem).expect("solved");
        assert!((answer.velocity[1] - 0.7).abs() < 1e-14);
        assert!(answer.velocity[2].abs() < 1e-15 && answer.velocity[0].abs() < 1e-15);
        assert!((answer.solution.impulses[1] - answer.solution.impulses[3]).abs() < 1e-14);
    }
}

#[test]
fn many_contacts_by_pivoting() {
    // Nine contacts at rest have 3 · 4⁸ combinations: beyond enumeration.
    let mut rng = Rng::new(30);
    for i in 0..60 {
        let recipe =
            Recipe { contacts: 9, coordinates: 24, shift: 0.5, friction: 0.5, static_excess: 0.0 };
        let mut problem = random_problem(&mut rng, recipe);
        let held: Vec<DVector<f64>> = problem.contacts[1..]
            .iter()
            .flat_map(|c| [c.tangents.row(0).transpose(), c.normal.clone()])
            .collect();
        let J = DMatrix::from_fn(held.len(), 24, |a, b| held[a][b]);
        let u = &J * &problem.velocity;
        problem.velocity -= J.transpose() * (&J * J.transpose()).lu().solve(&u).expect("regular");
        if problem.contacts[0].normal.dot(&problem.velocity) > 0.0 {
            problem.velocity *= -1.0;
        }
        let restitution = Restitution::ALL[i % 3];
        let answer =
            solve(&Differential { restitution }, &problem).expect("at rest a solution exists");
        check_audit(&problem, &answer, &tolerances(restitution, 1e-11));
    }
}

#[test]
fn spatial_contacts_are_handed_to_the_spatial_law() {
    // The wall contact again, with a second tangent that nothing couples to: the same motion by another law.
    let mut problem = block_at_wall(&[], [0.3, 0.3], 0.2);
    problem.velocity[1] = 0.4;
    let law = carom::impact::AnyDifferential { restitution: Restitution::Energetic };
    let planar = solve(&law, &problem).expect("planar");
    let mut tangents = DMatrix::zeros(2, 4);
    tangents.view_mut((0, 0), (1, 3)).copy_from(&problem.contacts[0].tangents);
    tangents[(1, 3)] = 1.0;
    problem.contacts[0].tangents = tangents;
    problem.contacts[0].normal = problem.contacts[0].normal.clone().insert_row(3, 0.0);
    problem.velocity = problem.velocity.clone().insert_row(3, 0.0);
    problem.mass_matrix = problem.mass_matrix.clone().insert_row(3, 0.0).insert_column(3, 0.0);
    problem.mass_matrix[(3, 3)] = 2.0;
    problem.bilateral = DMatrix::zeros(0, 4);
    problem.validate().expect("valid");
    let spatial = solve(&law, &problem).expect("spatial");
    assert!(difference(planar.velocity.as_slice(), &spatial.velocity.as_slice()[..3]) < 1e-12);
    let refused = solve(&carom::impact::Planar { restitution: Restitution::Energetic }, &problem);
    let text = refused.expect_err("two tangents").to_string();
    assert_eq!(text, "law `planar` does not apply: contact 0 has 2 tangents, it takes at most 1");
}
